// The board, drawn from the game's own description, for all games whose places lie on squares or lines.

import { s, h } from "/dom.js";
import { figure, nameOf } from "/figures.js";

const CELL = 100;
const EDGE = 44;
const HEXAGON = "M0,-57.7L50,-28.9V28.9L0,57.7L-50,28.9V-28.9Z";

/** Draws `picture` into `into`. `about` contains, by the number of a place, the possible actions there. */
export function drawBoard(into, picture, about) {
  const focused = document.activeElement?.closest?.("#board .place")?.dataset.place;
  if (!picture.places) {
    into.replaceChildren(h("pre", { tabindex: 0, "aria-label": "board" }, picture.text));
    return;
  }
  const view = geometry(picture, about.turned);
  const isLines = picture.ground === "lines";
  const { edge } = view;
  // Small boards do not fill the page.
  const svg = s("svg", { viewBox: `0 -3 ${view.width + 3} ${view.height + 3}`, role: "group", "aria-label": "board" });
  svg.style.maxWidth = `${Math.max(view.width * 1.25, 320)}px`;
  if (isLines) {
    svg.append(s("rect", { x: edge + 4, y: 4, width: view.width - edge - 8, height: view.height - edge - 8, rx: 18, class: "ground" }));
    for (const [a, b] of picture.lines) {
      const [x1, y1] = view.centre(picture.places[a]), [x2, y2] = view.centre(picture.places[b]);
      svg.append(s("line", { x1, y1, x2, y2, class: "road" }));
    }
  }
  names(svg, picture, view);
  const tops = [];
  const stop = focused ?? String(firstStop(picture, about));
  picture.places.forEach((place, at) => {
    const [x, y] = view.centre(place);
    const group = s("g", {
      class: `place ${about.classOf(at)}`, transform: `translate(${x} ${y})`, "data-place": at, role: "button",
      tabindex: String(at) === stop ? 0 : -1, "aria-label": label(picture, place, about.words(at)),
      "aria-disabled": about.can(at) ? false : "true",
    });
    if (isLines) group.append(s("circle", { r: 9, class: "point" }), s("circle", { r: 48, class: "hit" }));
    else if (picture.ground === "hexagons") group.append(s("path", { d: HEXAGON, class: "square" }));
    else group.append(s("rect", { x: -50, y: -50, width: CELL, height: CELL, class: squareClass(picture, place) }));
    if (place.figure) group.append(figure(place.figure));
    group.append(isLines || picture.ground === "hexagons" ? s("circle", { r: 43, class: "ring" })
      : s("rect", { x: -46, y: -46, width: 92, height: 92, rx: 8, class: "ring" }));
    if (isLines && picture.names[at]) group.append(s("text", { x: 30, y: 45, class: "point-name" }, picture.names[at]));
    svg.append(group);
    const value = about.badge(at);
    if (value) tops.push(badge(value, x, y, Boolean(place.figure)));
  });
  svg.append(...tops);
  listen(svg, picture, view, about);
  into.replaceChildren(svg);
  if (focused !== undefined) svg.querySelector(`[data-place="${focused}"]`)?.focus({ preventScroll: true });
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

function names(svg, picture, view) {
  picture.files.forEach((name, file) => name && svg.append(s("text", { x: view.column(file), y: view.height - 16, class: "name" }, name)));
  picture.ranks.forEach((name, rank) => name && svg.append(s("text", { x: 20, y: view.row(rank) + 6, class: "name" }, name)));
}

function label(picture, place, words) {
  const name = picture.names?.[picture.places.indexOf(place)] ?? picture.files[place.file] + picture.ranks[place.rank];
  const stands = place.figure ? nameOf(place.figure) : "empty";
  return [name, stands, words].filter(Boolean).join(", ");
}

function badge({ letter, text }, x, y, low) {
  const width = 20 + 13 * text.length;
  const at = low ? `translate(${x + 47 - 0.4 * width} ${y + 34}) scale(0.8)` : `translate(${x} ${y})`;
  return s("g", { class: `badge ${letter}`, transform: at, "aria-hidden": "true" },
    s("rect", { x: -width / 2, y: -17, width, height: 34, rx: 11 }), s("text", { y: 7.5 }, text));
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
    if (down === null || up === null) return;
    if (up === down) about.choose(up); else about.drag(down, up);
    down = null;
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
