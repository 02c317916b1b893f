// Editing of positions: the user selects a piece, and then the places on which to put it.

import { $, h, refill, s } from "./dom.js";
import { figure, nameOf } from "./figures.js";
import { state } from "./game.js";
import { service } from "./service.js";

const key = (piece) => JSON.stringify(piece ?? null);

/** Requests what can be edited in a position. */
export const openSetup = (position) => service.setup(state.id, position);

/** Starts editing at the current position, of which `said` lists the changes. */
export function chooseFrom(said) {
  const kept = state.setup?.chosen;
  const pieces = new Map([[key(null), null]]);
  for (const place of state.answer.picture.places ?? []) if (place.figure) pieces.set(key(place.figure), place.figure);
  for (const change of said.changes) for (const piece of figuresOf(change)) if (piece) pieces.set(key(piece), piece);
  state.setup = { ...said, pieces, chosen: kept ?? [...pieces.keys()].find((piece) => piece !== key(null)) ?? key(null) };
}

const figuresOf = ({ figures, figure: first }) => figures ?? [first];

/**
 * Returns the position after putting the selected piece on a place, or emptying the place, or null if this is
 * impossible. A piece of which the position has only one moves to the place.
 */
export function putOn(at) {
  const { changes, chosen } = state.setup;
  const places = state.answer.picture.places;
  const wanted = key(places[at].figure) === chosen ? key(null) : chosen;
  const fits = (change) => {
    const figures = figuresOf(change);
    // Nothing appears elsewhere, and only the selected piece disappears elsewhere.
    return change.places.every((place, n) => (place === at ? key(figures[n]) === wanted
      : key(figures[n]) === key(null) && key(places[place].figure) === chosen && wanted !== key(null)));
  };
  const options = changes.filter((change) => change.places.includes(at) && fits(change));
  return options.sort((a, b) => a.places.length - b.places.length)[0]?.position ?? null;
}

/** Draws the palette. `done` ends editing. */
export function drawSetup(show, done) {
  const bar = $("setup-bar");
  bar.hidden = !state.setup;
  if (!state.setup) return;
  const { pieces, chosen, why_illegal: wrong, other_side: other, changes } = state.setup;
  const { colours } = state.skin;
  const choose = (piece) => () => { state.setup.chosen = piece; drawSetup(show, done); };
  const palette = [...pieces].map(([name, piece]) =>
    h("button", { type: "button", class: piece ? "" : "words", "aria-pressed": String(name === chosen), "aria-label": piece ? nameOf(piece, colours) : false, onclick: choose(name) },
      piece ? s("svg", { viewBox: "-50 -50 100 100", "aria-hidden": "true" }, figure(piece, colours)) : "empty"));
  const notes = changes.filter((change) => change.places.length === 0 && change.note);
  refill(bar,
    h("h2", {}, "Set up: choose a piece, then click where to place it"), h("div", { class: "palette" }, palette),
    h("p", { class: wrong ? "bad" : "good", role: "status" }, wrong ? "This position cannot occur in a game; the reason is below." : `This position is legal.${state.answer.game_over ? " The game is over here." : ""}`),
    h("div", { class: "bar" },
      h("button", { type: "button", onclick: () => show(other) }, "Other side to move"),
      h("button", { type: "button", onclick: done }, "Done"),
      notes.length > 0 ? h("select", { "aria-label": "other parts of the position", onchange: (event) => show(event.target.value) },
        h("option", {}, state.answer.picture.note), notes.map((change) => h("option", { value: change.position }, change.note))) : null));
}
