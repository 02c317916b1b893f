// Proofs of a won or lost position, step by step: every move of the losing side has a refutation.

import { $, h, sentence } from "./dom.js";
import { state } from "./game.js";
import { service } from "./service.js";
import { letter } from "./values.js";

const tag = (category, plies) => h("span", { class: `tag ${letter(category)}`, "aria-hidden": "true" }, letter(category) + plies);

/** Offers the proof if there is one. `show` shows a position on the board. */
export function drawWhy(show, isValued) {
  const { answer } = state;
  const decided = answer.dtw !== null && answer.dtw !== undefined && ["win", "loss"].includes(answer.category);
  const isProved = isValued && !answer.game_over && decided;
  const box = $("why");
  box.hidden = !isProved;
  if (box.dataset.position === answer.position) return;
  box.dataset.position = answer.position;
  box.open = false;
  box.replaceChildren(h("summary", {}, answer.category === "win" ? "Why is this won?" : "Why is this lost?"));
  box.ontoggle = () => {
    if (!box.open || box.children.length > 1) return;
    const body = h("div", {});
    box.append(body);
    explain(answer, show).then((...parts) => body.replaceChildren(...parts.flat()), (error) => { body.textContent = sentence(error.message); });
  };
}

async function explain(answer, show) {
  if (answer.category === "loss") return [h("p", {}, "Every move has a refutation. Open one to see the replies to it."), await replies(answer.position, show)];
  const best = answer.moves[0];
  const after = await replies(best.position, show);
  return [h("p", {}, "One move is enough: ", tag("win", answer.dtw), ` ${best.move}. Every reply to it has a refutation.`), after];
}

/** Lists the moves of a side that has lost, each with its refutation. */
async function replies(position, show) {
  const { moves, game_over: isOver } = await service.position(state.id, position);
  if (isOver) return h("p", { class: "faint" }, "The game is over.");
  const next = await service.positions(state.id, moves.map((move) => move.position));
  return h("ul", { class: "proof" }, moves.map((move, n) => item(move, next[n], show)));
}

function item(move, { dtw, moves: [answer] }, show) {
  const head = [tag("loss", dtw + 1), ` ${move.move}, answered by `, h("b", {}, answer.move), answer.dtw === 0 ? ": the game is over" : ""];
  if (answer.dtw === 0) return h("li", {}, ...head);
  const box = h("details", {}, h("summary", {}, ...head));
  box.ontoggle = () => {
    if (!box.open || box.children.length > 1) return;
    const body = h("div", {}, h("button", { type: "button", onclick: () => show(answer.position) }, "Show on the board"));
    box.append(body);
    replies(answer.position, show).then((list) => body.append(list), (error) => body.append(sentence(error.message)));
  };
  return h("li", {}, box);
}
