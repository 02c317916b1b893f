// The list of moves with their values, and the sentence about the position.

import { $, h, refill } from "./dom.js";
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
  // The first move of another position takes the place of any move.
  const list = $("moves"), isNext = list.dataset.position !== answer.position && list.contains(document.activeElement);
  list.dataset.position = answer.position;
  refill(list, ...moves.map(row));
  if (isNext) list.querySelector("button")?.focus({ preventScroll: true });
  $("h-moves").textContent = choices ? "Choose a move" : `Moves${values ? ", best first" : ""}${moves.length > 0 ? ` (${moves.length})` : ""}`;
  if (moves.length === 0) list.replaceChildren(h("li", { class: "faint" }, answer.legal ? "The game is over." : "A position that cannot occur has no value and no moves."));
}

/** Describes the result of a game, to a person who has played the computer. */
function resultOf({ winner }, { P1, P2 }) {
  if (!winner) return "a draw";
  return Boolean(P1) === Boolean(P2) ? `${sideName(winner)} has won` : { P1, P2 }[winner] ? "you lost" : "you won";
}

/** Returns the score at the end of a game: both numbers of pieces if it compares them, otherwise the lead. */
function scoreOf({ score, picture }) {
  if (!score && score !== 0) return "";
  const [first, second] = ["P1", "P2"].map((side) => picture.places?.filter((place) => place.figure?.owner === side).length);
  if (first - second === score) return `, ${Math.max(first, second)} to ${Math.min(first, second)}`;
  return score === 0 ? "" : ` by ${Math.abs(score)}`;
}

/** Names a best move, and says what it achieves. */
export function hintOf(move) {
  const value = ofMove(move), said = words(value).replace(" (depth not stored)", "");
  const loses = said.replace("loss", "loses");
  const effect = { win: ` ${said.replace("win", "wins")}`, draw: " draws", loss: value.depth === null ? ` ${loses}; no move is better` : ` holds out longest and ${loses}` };
  return `Hint: ${move.move}${effect[value.category] ?? ` (${said})`}.`;
}

/** Describes the evaluation of the position in a sentence. */
export function verdict({ answer, values, seats, about }) {
  const side = sideName(answer.side);
  if (!answer.legal) return [`${side} to move: this position cannot occur in a game: ${answer.why_illegal}`];
  if (answer.game_over) {
    return ["The game is over: ", h("strong", {}, resultOf(answer, seats)), scoreOf(answer)];
  }
  const isOpen = answer.category === "unknown" && !about.complete;
  const so_far = answer.ply_so_far !== undefined ? ` (the run has reached ply ${answer.ply_so_far})` : isOpen ? " (the run stopped before it decided this position)" : "";
  const who = seats[answer.side] ? " (the computer)" : Object.values(seats).some(Boolean) ? " (you)" : "";
  if (!values) return [`${side} to move${who}`];
  const value = { ...answer, depth: answer.dtw };
  if (answer.category === "not covered" && answer.lower === undefined) return [`${side} to move: this position is not in the solution`];
  return [h("span", { class: `tag ${letter(value.category)}`, "aria-hidden": "true" }, brief(value)), ` ${side} to move: ${words(value)}${so_far}`];
}
