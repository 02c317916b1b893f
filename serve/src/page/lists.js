// The list of moves with their values, and the sentence about the position.

import { $, h } from "./dom.js";
import { sideName } from "./game.js";
import { brief, letter, ofMove, words } from "./values.js";

/** Lists the moves, best first. If the user has to choose among several, lists only those. */
export function drawMoves({ answer, choices, values }, { make, point }) {
  const given = choices ?? answer.moves;
  // If values are hidden, the order must not reveal them either.
  const moves = values ? given : [...given].sort((a, b) => a.move.localeCompare(b.move));
  const row = (move) => {
    const value = ofMove(move);
    const tag = values ? h("span", { class: `tag ${letter(value.category)}`, "aria-hidden": "true" }, brief(value)) : null;
    const said = values ? `: ${words(value)}` : "";
    return h("li", {}, h("button", {
      // The second click of a double click would make a move of the next list. A pointer that rests where the next list
      // appears does not point at a move of it.
      type: "button", title: move.move + said, onclick: (event) => { if (event.detail < 2) make(move); },
      onpointermove: (event) => { if (event.movementX || event.movementY) point(move.places); },
      onmouseleave: () => point(null), onfocus: (event) => { if (event.target.matches(":focus-visible")) point(move.places); }, onblur: () => point(null),
    }, tag, h("span", { class: "text" }, move.move), h("span", { class: "unseen" }, said)));
  };
  $("moves").replaceChildren(...moves.map(row));
  $("h-moves").textContent = choices ? "Choose a move" : `Moves${values ? ", best first" : ""}${moves.length > 0 ? ` (${moves.length})` : ""}`;
  if (moves.length === 0) $("moves").replaceChildren(h("li", { class: "faint" }, "The game is over: there are no moves."));
}

/** Describes the evaluation of the position in a sentence. */
export function verdict({ answer, values, seats, about }) {
  const side = sideName(answer.side);
  if (!answer.legal) return [`${side} to move: this position cannot occur in a game: ${answer.why_illegal}`];
  if (answer.game_over) {
    return ["The game is over: ", h("strong", {}, answer.winner ? `${sideName(answer.winner)} has won` : "a draw")];
  }
  const isOpen = answer.category === "unknown" && !about.complete;
  const so_far = answer.ply_so_far !== undefined ? ` (the run has reached ply ${answer.ply_so_far})` : isOpen ? " (the run stopped before it decided this position)" : "";
  const who = seats[answer.side] ? " (the program)" : Object.values(seats).some(Boolean) ? " (you)" : "";
  if (!values) return [`${side} to move${who}`];
  const value = { ...answer, depth: answer.dtw };
  if (answer.category === "not covered" && answer.lower === undefined) return [`${side} to move: this position is not in the solution`];
  return [h("span", { class: `tag ${letter(value.category)}`, "aria-hidden": "true" }, brief(value)), ` ${side} to move: ${words(value)}${so_far}`];
}
