// Small helpers for elements.

export const $ = (id) => document.getElementById(id);

/** An element with attributes and children. */
export function h(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** The same for drawings. */
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

/** A whole number with thin spaces between groups of digits. */
export const grouped = (number) => String(number).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");

/** What may be wider than the page: it scrolls on its own, by keys too. */
export const scrolled = (label, content) => h("div", { class: "wide", tabindex: 0, role: "region", "aria-label": label }, content);
