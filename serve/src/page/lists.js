// The lists next to the board: moves with their values, and the record of the game.

import { $, h } from "/dom.js";
import { sideName } from "/game.js";
import { brief, letter, ofMove, words } from "/values.js";

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
      type: "button", title: move.move + said, onclick: () => make(move), onmouseenter: () => point(move.places),
      onmouseleave: () => point(null), onfocus: () => point(move.places), onblur: () => point(null),
    }, tag, h("span", { class: "text" }, move.move), h("span", { class: "unseen" }, said)));
  };
  $("moves").replaceChildren(...moves.map(row));
  $("h-moves").textContent = choices ? "Choose a move" : `Moves${values ? ", best first" : ""}${moves.length > 0 ? ` (${moves.length})` : ""}`;
  if (moves.length === 0) $("moves").replaceChildren(h("li", { class: "faint" }, "The game is over: there are no moves."));
}

/** Lists the moves made so far. */
export function drawRecord({ course, at }, go) {
  const row = (ply, n) => h("li", {}, n % 2 === 0 ? `${n / 2 + 1}.` : "",
    h("button", { type: "button", "aria-current": n + 1 === at ? "step" : false, onclick: () => go(n + 1) }, ply.move));
  $("record").replaceChildren(...course.map(row));
}

/** Describes the evaluation of the position in a sentence. */
export function verdict({ answer, values }) {
  const side = sideName(answer.side);
  if (!answer.legal) return [`${side} to move: this position cannot occur in a game: ${answer.why_illegal}`];
  if (answer.game_over) {
    return [`The game is over: ${answer.winner ? `${sideName(answer.winner)} has won` : "a draw"}`];
  }
  const so_far = answer.ply_so_far === undefined ? "" : ` (the run has reached ply ${answer.ply_so_far})`;
  if (!values) return [`${side} to move`];
  const value = { ...answer, depth: answer.dtw };
  if (answer.category === "not covered" && answer.lower === undefined) return [`${side} to move: this position is not in the solution`];
  return [h("span", { class: `tag ${letter(value.category)}`, "aria-hidden": "true" }, brief(value)), ` ${side} to move: ${words(value)}${so_far}`];
}
