// The board, drawn from the game's own description, for all games whose places lie on squares, hexagons or lines.

import { s, h } from "./dom.js";
import { figure, nameOf } from "./figures.js";

const CELL = 100;
const EDGE = 44;
/** The height of everything above and below the board on a large screen, in pixels. The style says the same. */
const HEADROOM = 340;
/** The corners of a hexagon, clockwise from the top, and the direction of the side that begins at each. */
const CORNERS = [[0, -57.7], [50, -28.9], [50, 28.9], [0, 57.7], [-50, 28.9], [-50, -28.9]];
const SIDES = ["ne", "e", "se", "sw", "w", "nw"];
const HEXAGON = `M${CORNERS.map((corner) => corner.join(",")).join("L")}Z`;
/** For each direction on a hexagonal board, the difference of file and rank. */
const STEPS = { ne: [1, 1], e: [2, 0], se: [1, -1], sw: [-1, -1], w: [-2, 0], nw: [-1, 1] };

/** A board without actions, as in lists of games. */
const STILL = { turned: false, can: () => false, classOf: () => "", words: () => "", badge: () => null };

/** Moves the focus to the board. */
export const focusBoard = () => document.querySelector("#board [tabindex='0']")?.focus({ preventScroll: true });

/** Draws `picture` into `into`. `about` contains, by the number of a place, the possible actions there. */
export function drawBoard(into, picture, about, skin) {
  const focused = document.activeElement?.closest?.("#board .place")?.dataset.place;
  if (!picture.places) {
    into.replaceChildren(h("pre", { tabindex: 0, role: "region", "aria-label": "board" }, picture.text));
    return;
  }
  const { svg, view } = drawn(picture, about, skin, lettersOf(into, picture));
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", "board");
  const stop = focused ?? String(firstStop(picture, about));
  for (const group of svg.querySelectorAll(".place")) {
    const at = Number(group.dataset.place);
    const attributes = { role: "button", tabindex: String(at) === stop ? 0 : -1, "aria-label": label(picture, at, about.words(at), skin), "aria-disabled": String(!about.can(at)) };
    for (const [key, value] of Object.entries(attributes)) group.setAttribute(key, value);
  }
  // Small boards do not fill the page.
  svg.style.maxWidth = `${Math.max(view.width * 1.25, 320)}px`;
  listen(svg, picture, view, about);
  into.replaceChildren(svg);
  if (focused !== undefined) svg.querySelector(`[data-place="${focused}"]`)?.focus({ preventScroll: true });
}

/** Returns a small drawing of a board without actions. */
export function thumbnail(picture, skin) {
  if (!picture?.places) return h("pre", { class: "thumbnail", "aria-hidden": "true" }, picture?.text ?? "");
  const { svg } = drawn({ ...picture, files: picture.files.map(() => ""), ranks: picture.ranks.map(() => "") }, STILL, skin);
  svg.setAttribute("class", "thumbnail");
  svg.setAttribute("aria-hidden", "true");
  return svg;
}

/** Returns the sizes of letters in units of the drawing, so that they are legible on the screen, no matter how many places there are. */
function lettersOf(into, picture) {
  const { width, height } = geometry(picture, false);
  const pixels = Math.min((into.clientWidth || 500) / width, Math.max(272, Math.min(innerHeight * 0.76, innerHeight - HEADROOM)) / height, 1.25);
  const least = (usual, pixel) => Math.max(usual, Math.min(2.4 * usual, pixel / pixels));
  return { name: least(17, 11.5), point: least(15, 10), badge: least(21, 12) / 21 };
}

function drawn(picture, about, skin, letters = { name: 17, point: 15, badge: 1 }) {
  const view = geometry(picture, about.turned);
  const isLines = picture.ground === "lines", isHex = picture.ground === "hexagons";
  const { edge } = view;
  const svg = s("svg", { viewBox: `-8 -8 ${view.width + 16} ${view.height + 16}` });
  if (isLines || skin.isRack) svg.append(s("rect", { x: edge + 1, y: 1, width: view.width - edge - 2, height: view.height - edge - 2, rx: 18, class: skin.isRack ? "rack" : "ground" }));
  if (isLines) {
    for (const [a, b] of picture.lines) {
      const [x1, y1] = view.centre(picture.places[a]), [x2, y2] = view.centre(picture.places[b]);
      svg.append(s("line", { x1, y1, x2, y2, class: "road" }));
    }
  }
  if (skin.isHeaps) svg.append(s("rect", { x: edge + 4, y: view.height - edge - 6, width: view.width - edge - 8, height: 8, rx: 4, class: "table-top" }));
  if (isHex && skin.edges) svg.append(...goals(picture, view, skin, about.turned));
  names(svg, picture, view, letters);
  const tops = [];
  picture.places.forEach((place, at) => {
    const [x, y] = view.centre(place);
    const group = s("g", { class: `place ${about.classOf(at)}`, transform: `translate(${x} ${y})`, "data-place": at });
    if (isLines) group.append(s("circle", { r: 9, class: "point" }), s("circle", { r: 48, class: "hit" }));
    else if (isHex) group.append(s("path", { d: HEXAGON, class: "square" }));
    else if (skin.isRack) group.append(s("rect", { x: -50, y: -50, width: CELL, height: CELL, class: "hit" }), s("circle", { r: 41, class: "hole" }));
    else if (skin.isHeaps) group.append(s("rect", { x: -50, y: -50, width: CELL, height: CELL, class: "hit" }));
    else group.append(s("rect", { x: -50, y: -50, width: CELL, height: CELL, class: squareClass(picture, place) }));
    if (place.figure) group.append(figure(place.figure, skin.colours));
    group.append(isLines || isHex || skin.isRack ? s("circle", { r: 43, class: "ring" }) : s("rect", { x: -46, y: -46, width: 92, height: 92, rx: 8, class: "ring" }));
    if (isLines && picture.names[at]) group.append(s("text", { x: x > view.width - 90 ? -30 : 30, y: y > view.height - 60 ? -28 : 36 + letters.point / 1.7, class: "point-name", "font-size": letters.point, "text-anchor": x > view.width - 90 ? "end" : "start" }, picture.names[at]));
    svg.append(group);
    const value = about.badge(at);
    if (value) tops.push(badge(value, x, y, Boolean(place.figure), letters.badge));
  });
  svg.append(...tops);
  return { svg, view };
}

/** Draws the sides of hexagons at the edge of the board in the colours of the side that connects them. */
function goals(picture, view, skin, isTurned) {
  const at = new Set(picture.places.map(({ file, rank }) => `${file},${rank}`));
  const isOpen = ({ file, rank }, side) => at.has(`${file + STEPS[side][0]},${rank + STEPS[side][1]}`);
  const opposite = { ne: "sw", sw: "ne", nw: "se", se: "nw", e: "w", w: "e" };
  return picture.places.flatMap((place) => SIDES.map((side, n) => {
    if (isOpen(place, side)) return null;
    // A vertical side belongs to the edge of the board that continues there.
    const near = side === "e" ? ["ne", "se"] : side === "w" ? ["nw", "sw"] : [side];
    const outer = near.filter((one) => !isOpen(place, one));
    const owner = skin.edges[outer.length === 1 || near.length === 1 ? outer[0] : near[0]];
    if (!owner || (near.length > 1 && outer.length !== 1)) return null;
    const turn = SIDES.indexOf(isTurned ? opposite[side] : side);
    const [x, y] = view.centre(place), [a, b] = [CORNERS[turn], CORNERS[(turn + 1) % 6]];
    return s("line", { x1: x + a[0] * 1.02, y1: y + a[1] * 1.02, x2: x + b[0] * 1.02, y2: y + b[1] * 1.02, class: `goal own-${skin.colours[owner] ?? (owner === "P1" ? "light" : "dark")}` });
  })).filter(Boolean);
}

/** Draws an arrow for the move in a list to which the user points. */
export function pointAt(board, picture, places, turned) {
  const svg = board.querySelector("svg");
  if (!svg) return;
  svg.querySelectorAll(".arrow, .hint").forEach((old) => old.classList.contains("arrow") ? old.remove() : old.classList.remove("hint"));
  if (!places || !picture.places) return;
  for (const at of [places.to, ...places.others]) svg.querySelector(`[data-place="${at}"]`)?.classList.add("hint");
  if (places.from === null) return;
  const view = geometry(picture, turned);
  const [x1, y1] = view.centre(picture.places[places.from]), [x2, y2] = view.centre(picture.places[places.to]);
  svg.append(s("line", { x1, y1, x2, y2, class: "arrow" }));
}

/** Moves the figure that has just been moved from its old place to its new one, or drops it into a rack. */
export function animate(board, picture, places, turned, skin) {
  if (!places || !picture.places || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const group = board.querySelector(`[data-place="${places.to}"]`), moved = group?.querySelector(".figure");
  if (!moved) return;
  const view = geometry(picture, turned);
  const [x, y] = view.centre(picture.places[places.to]);
  const [u, v] = places.from !== null ? view.centre(picture.places[places.from]) : skin.isRack ? [x, turned ? view.height : -40] : [x, y];
  // The figure passes over all others. An element that is inserted again loses the focus.
  const isFocused = document.activeElement === group;
  group.parentNode.insertBefore(group, group.parentNode.querySelector(".badge, .strike"));
  if (isFocused) group.focus({ preventScroll: true });
  const from = places.from === null && !skin.isRack ? { transform: "scale(.4)", opacity: 0.2 } : { transform: `translate(${u - x}px, ${v - y}px)` };
  moved.animate([from, { transform: "none", opacity: 1 }], { duration: 190, easing: skin.isRack ? "cubic-bezier(.5,0,.9,.6)" : "ease-out" });
}

/** Strikes out the line with which a side has won. */
export function strike(board, picture, side, last, turned) {
  const svg = board.querySelector("svg");
  if (!svg || !picture.places) return;
  const own = new Map(picture.places.map((place, at) => [`${place.file},${place.rank}`, { place, at }]).filter(([, { place }]) => place.figure?.owner === side));
  let best = [];
  for (const { place, at } of own.values()) {
    for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
      const run = [{ place, at }];
      for (let n = 1; own.has(`${place.file + n * dx},${place.rank + n * dy}`); n++) run.push(own.get(`${place.file + n * dx},${place.rank + n * dy}`));
      const isBetter = run.length > best.length || (run.length === best.length && run.some((one) => one.at === last));
      if (isBetter) best = run;
    }
  }
  if (best.length < 3) return;
  const view = geometry(picture, turned);
  const [x1, y1] = view.centre(best[0].place), [x2, y2] = view.centre(best.at(-1).place);
  svg.append(s("line", { x1, y1, x2, y2, class: "strike" }));
}

/**
 * Computes the coordinates of places. A hexagon spans two files, so that a file is half as wide, and its ranks
 * overlap. Points on lines are at least one cell apart.
 */
function geometry(picture, turned) {
  const files = picture.files.length, ranks = picture.ranks.length;
  const isHex = picture.ground === "hexagons";
  const step = picture.ground === "lines" ? CELL / leastDistance(picture.places) : CELL;
  const [right, up] = isHex ? [CELL / 2, CELL * Math.sqrt(3) / 2] : [step, step];
  const high = isHex ? CELL * 1.16 : CELL;
  const edge = [...picture.files, ...picture.ranks].some(Boolean) ? EDGE : 0;
  const last = files - (isHex ? 2 : 1);
  const width = last * right + CELL + edge, height = (ranks - 1) * up + high + edge;
  const column = (file) => edge + right * (turned ? last - file : file) + CELL / 2;
  const row = (rank) => up * (turned ? rank : ranks - 1 - rank) + high / 2;
  return { width, height, edge, column, row, centre: ({ file, rank }) => [column(file), row(rank)] };
}

function leastDistance(places) {
  const distances = places.flatMap((a, n) => places.slice(0, n).map((b) => Math.hypot(a.file - b.file, a.rank - b.rank)));
  return distances.length > 0 ? Math.min(...distances) : 1;
}

function squareClass(picture, { file, rank }) {
  return picture.ground === "chequered" && (file + rank) % 2 === 0 ? "square dark" : "square";
}

function names(svg, picture, view, { name: size }) {
  picture.files.forEach((name, file) => name && svg.append(s("text", { x: view.column(file), y: view.height - 12, class: "name", "font-size": size }, name)));
  picture.ranks.forEach((name, rank) => name && svg.append(s("text", { x: 20, y: view.row(rank) + 7, class: "name", "font-size": size }, name)));
}

function label(picture, at, words, skin) {
  const place = picture.places[at];
  const name = picture.names?.[at] ?? picture.files[place.file] + picture.ranks[place.rank];
  const stands = place.figure ? nameOf(place.figure, skin.colours) : "empty";
  return [name, stands, words].filter(Boolean).join(", ");
}

/** Draws a value on a place: in its corner if a figure stands there. */
function badge({ letter, text }, x, y, low, size) {
  const width = 20 + 13 * text.length, scale = low ? (size > 1 ? 0.96 * size : 0.8) : Math.min(size, 96 / width);
  const at = low ? `translate(${x + 48} ${y + 48}) scale(${scale})` : `translate(${x} ${y})`;
  const [left, top] = low ? [-width, -34] : [-width / 2, -17];
  return s("g", { class: `badge ${letter}`, transform: at, "aria-hidden": "true" },
    s("rect", { x: left, y: top, width, height: 34, rx: 11 }), s("text", { x: left + width / 2, y: top + 24.5 }, text));
}

function firstStop(picture, about) {
  const able = picture.places.findIndex((_, at) => about.can(at));
  return Math.max(able, 0);
}

/** Handles clicks, drags and keys. */
function listen(svg, picture, view, about) {
  const placeOf = (element) => {
    const group = element?.closest?.(".place");
    return group ? Number(group.dataset.place) : null;
  };
  let down = null;
  svg.addEventListener("pointerdown", (event) => { down = placeOf(event.target); });
  svg.addEventListener("pointerup", (event) => {
    const up = placeOf(document.elementFromPoint(event.clientX, event.clientY));
    if (down !== null && up !== null && up !== down) about.drag(down, up);
    down = null;
  });
  svg.addEventListener("click", (event) => {
    const at = placeOf(event.target);
    // The second click of a double click would be one on the next position.
    if (at !== null && event.detail < 2) about.choose(at);
  });
  svg.addEventListener("keydown", (event) => {
    const at = placeOf(event.target);
    if (at === null) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === "Enter" || event.key === " ") about.choose(at);
    else if (event.key === "Escape") about.cancel();
    else if (steps[event.key]) walk(svg, picture, view, at, steps[event.key]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

/** Moves the focus to the nearest place in a direction. */
function walk(svg, picture, view, at, [dx, dy]) {
  const [x, y] = view.centre(picture.places[at]);
  let best = null, least = Infinity;
  picture.places.forEach((place, other) => {
    const [u, v] = view.centre(place);
    const along = (u - x) * dx + (v - y) * dy, aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
    if (along > 0 && along + 3 * aside < least) { least = along + 3 * aside; best = other; }
  });
  if (best === null) return;
  svg.querySelector(`[data-place="${at}"]`).setAttribute("tabindex", -1);
  const next = svg.querySelector(`[data-place="${best}"]`);
  next.setAttribute("tabindex", 0);
  next.focus();
}
