// Editing of positions: the user selects a piece, and then the places on which to put it.

import { ask } from "/api.js";
import { h, s, $ } from "/dom.js";
import { figure, nameOf } from "/figures.js";
import { state } from "/game.js";

const key = (piece) => JSON.stringify(piece);

/** Starts editing at the current position. */
export async function openSetup(position) {
  const said = await ask(`${state.id}/setup`, { position });
  const kept = state.setup?.chosen;
  const pieces = new Map([[key(null), null]]);
  for (const place of state.answer.picture.places ?? []) if (place.figure) pieces.set(key(place.figure), place.figure);
  for (const change of said.changes) if (change.places.length === 1) pieces.set(key(change.figure), change.figure);
  state.setup = { ...said, pieces, chosen: kept ?? [...pieces.keys()].find((piece) => piece !== key(null)) ?? key(null) };
}

/**
 * Returns the position after putting the selected piece on a place, or emptying the place, or null if this is
 * impossible.
 */
export function putOn(at) {
  const { changes, chosen } = state.setup;
  const stands = key(state.answer.picture.places[at].figure ?? null);
  const wanted = stands === chosen ? key(null) : chosen;
  const options = changes.filter((change) => change.places.includes(at) && change.places[0] === at);
  const found = options.find((change) => key(change.figure ?? null) === wanted);
  return found?.position ?? null;
}

/** Draws the palette. `done` ends editing. */
export function drawSetup(show, done) {
  const bar = $("setup-bar");
  bar.hidden = !state.setup;
  if (!state.setup) return;
  const { pieces, chosen, why_illegal: wrong, other_side: other, changes } = state.setup;
  const choose = (piece) => () => { state.setup.chosen = piece; drawSetup(show, done); };
  const palette = [...pieces].map(([name, piece]) =>
    h("button", { type: "button", class: piece ? "" : "words", "aria-pressed": String(name === chosen), "aria-label": piece ? nameOf(piece) : false, onclick: choose(name) },
      piece ? s("svg", { viewBox: "-50 -50 100 100", "aria-hidden": "true" }, figure(piece)) : "empty"));
  const notes = changes.filter((change) => change.places.length === 0 && change.note);
  bar.replaceChildren(
    h("h2", {}, "Set up: choose a piece, then click where to place it"), h("div", { class: "palette" }, palette),
    h("p", { class: wrong ? "bad" : "good", role: "status" }, wrong ? `This position cannot occur in a game: ${wrong}` : `This position is legal.${state.answer.game_over ? " The game is over here." : ""}`),
    h("div", { class: "bar" },
      h("button", { type: "button", onclick: () => show(other) }, "Other side to move"),
      h("button", { type: "button", onclick: done }, "Done"),
      notes.length > 0 ? h("select", { "aria-label": "other parts of the position", onchange: (event) => show(event.target.value) },
        h("option", {}, state.answer.picture.note), notes.map((change) => h("option", { value: change.position }, change.note))) : null));
}
