// Help on the page.

import { $, h } from "./dom.js";
import { service } from "./service.js";

const tag = (letter, text) => h("span", { class: `tag ${letter}` }, text);
const key = (name) => h("kbd", {}, name);
const entry = (term, ...text) => [h("dt", {}, term), h("dd", {}, ...text)];

/** Lets a button open the help. */
export function listenForHelp() {
  const box = $("help");
  $("help-open").onclick = () => {
    if (box.children.length === 0) box.append(...content());
    box.showModal();
  };
  // A click beside the dialog closes it.
  box.onclick = (event) => { if (event.target === box) box.close(); };
}

function content() {
  return [
    h("form", { method: "dialog", class: "help-head" }, h("h2", { id: "h-help" }, "Help"), h("button", {}, "Close")),
    h("dl", {},
      entry("Values", tag("W", "W9"), " The side that makes this move wins in nine plies, counting this one, if both sides play best. ", tag("D", "D"), " is a draw, and ",
        tag("L", "L4"), " a loss in four plies. A ply is one move of one side. ", tag("W", "W+4"), " wins by four points, and ", tag("D", "D+2"), " is a draw of rank two: the higher the rank, the better the chances. ",
        tag("", "?"), " is not decided yet."),
      entry("Play", "Let the computer play a side: ", h("i", {}, "perfect"), " never errs, ", h("i", {}, "trapping"), " also sets traps, ", h("i", {}, "ranked"), " prefers better draws, and ", h("i", {}, "fallible"),
        " overlooks long wins. ", h("i", {}, "Hint"), " shows a best move, and ", h("i", {}, "Take back"), " returns to your last move."),
      entry("Record", "With values shown, the record marks moves with ", h("b", { class: "mark poor" }, "?"), " if they threw away a win or a draw, and with ", h("b", { class: "mark bad" }, "??"), " if they turned a win into a loss. The curve is high where ",
        "the first player wins."),
      entry("Automaton", "A position is written as a word, with one letter for each square. A set of positions is an automaton that reads such a word from left to right and accepts it if the position belongs to the set. Beginnings of positions that can continue in the same ways share a circle, which is why a few circles can stand for billions of positions."),
      entry("Keyboard", key("Tab"), " moves to the board, the arrow keys move between places, ", key("Enter"), " selects, and ", key("Esc"), " cancels. ", key(","), " and ", key("."), " step through the game, ",
        key("Home"), " and ", key("End"), " jump to its beginning and end, and ", key("t"), " flips the board."),
      service.isServed ? entry("For programs", "The requests to this service are listed in ", h("a", { href: "api/v1/openapi.json" }, "openapi.json"), ".") : []),
  ];
}
