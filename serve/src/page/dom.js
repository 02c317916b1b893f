// Helper functions for elements.

export const $ = (id) => document.getElementById(id);

/** Creates an element with attributes and children. */
export function h(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** Creates an SVG element with attributes and children. */
export function s(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Formats a whole number with thin spaces between groups of digits. */
export const grouped = (number) => String(number).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");

const CONTROLS = "button, select, input, summary";

/** Replaces the content of an element. If a control in it had the focus, the control that takes its place receives it. */
export function refill(box, ...children) {
  const at = [...box.querySelectorAll(CONTROLS)].indexOf(document.activeElement);
  box.replaceChildren(...children);
  if (at < 0) return;
  const controls = [...box.querySelectorAll(CONTROLS)];
  [...controls.slice(at), ...controls.slice(0, at).reverse()].find((one) => !one.disabled)?.focus({ preventScroll: true });
}

/** Formats a number and the noun that it counts. */
export const counted = (number, noun) => `${grouped(number)} ${noun}${String(number) === "1" ? "" : "s"}`;

/** Begins a sentence with a capital letter. */
export const sentence = (text) => text.replace(/^[a-z](?=[a-z]*(?:[\s,]|$))/, (letter) => letter.toUpperCase());

/** Saves data as a file of the user. */
export function save(data, kind, name) {
  const link = h("a", { href: URL.createObjectURL(new Blob([data], { type: kind })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Wraps content that may be wider than the page, so that it can be scrolled separately, also with keys. */
export const scrolled = (label, content) => h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": label }, content);
