// The first screen: the served solutions and the small games that can be solved, each with its board and its result.

import { thumbnail } from "./board.js";
import { $, counted, h, sentence } from "./dom.js";
import { gameOf, skinOf } from "./names.js";
import { service } from "./service.js";
import { words } from "./values.js";

/** The time between two looks at a solve that is running, in milliseconds. */
const WAIT = 300;
/** The number of cards that request their board at the same time. */
const AT_ONCE = 3;

/** What the cards show, by solution and its state, so that coming back to the gallery requests nothing again. */
const shown = new Map();
/** The solve whose progress is being followed. */
let following = null;

/** Draws the gallery. `open` opens a solution by its id, to play or to explore; `listSolutions` lists them anew. */
export async function drawGallery({ open, listSolutions }) {
  const [solutions, { offers, solves }] = [await listSolutions(), await service.offers()];
  const again = () => drawGallery({ open, listSolutions });
  const message = (error) => { $("message").textContent = sentence(error.message); $("message").hidden = false; };
  const latest = (game) => solves.filter((one) => one.game === game).at(-1);
  const isBusy = solves.some((solve) => solve.state === "solving");
  // A game that is being solved is shown as an offer with its progress.
  const pending = new Set(solves.filter((one) => one.state !== "solved").map((one) => one.id));
  const solved = solutions.filter((one) => !pending.has(one.id));
  const cards = solved.map((one) => ({ one, card: solutionCard(one, open, solved) }));
  const begin = (game) => service.solve(game).then(again).catch(message);
  const cancel = (id) => service.cancel(id).then(again).catch(message);
  const open_offers = offers.filter(({ game }) => !solved.some((one) => one.game === game && one.complete));
  const places = placesOf(document.activeElement);
  $("view-home").replaceChildren(...[
    h("h1", {}, "Solved games"), h("p", { class: "lead" }, "Play against perfect opponents, or see the value of every move."),
    h("ul", { class: "gallery", role: "list", id: "solved" }, cards.map(({ card }) => card)),
    open_offers.length > 0 ? h("h2", { class: "section" }, "Solve a small game now") : null,
    open_offers.length > 0 ? h("p", { class: "faint" }, "The computer determines the value of every position in a few seconds. The solution is deleted when the service stops.") : null,
    h("ul", { class: "gallery", role: "list", id: "offers" }, open_offers.map((offer) => offerCard(offer, latest(offer.game), { isBusy, begin, cancel }))),
  ].filter(Boolean));
  places.map((place) => $("view-home").querySelector(`button${place}, ${place} button`)).find(Boolean)?.focus({ preventScroll: true });
  const running = solves.find((solve) => solve.state === "solving");
  if (running && following !== running.id) follow(running.id, again).catch(message);
  await fill(cards, message);
}

/** Returns selectors of the focused button, the first of which that still exists receives the focus: a game that has been solved has another card. */
const placesOf = (button) => ["play", "explore", "game"].map((name) => [name, button.closest(`[data-${name}]`)?.dataset[name]])
  .filter(([, value]) => value).map(([name, value]) => `[data-${name}="${CSS.escape(value)}"]`);

const heading = (spec, id) => {
  const { name, detail } = gameOf(spec);
  return h("h2", {}, name, detail ? h("span", { class: "faint" }, ` ${detail}`) : null, id ? h("span", { class: "faint" }, ` (${id})`) : null);
};

function solutionCard(one, open, all) {
  const isOnly = all.filter((other) => other.game === one.game).length === 1;
  if (!one.game) {
    return h("li", { class: "panel card" }, h("div", { class: "picture" }), h("h2", {}, one.id), h("p", { class: "faint" }, `Not available: ${one.not_yet}.`));
  }
  return h("li", { class: "panel card", "data-game": one.game }, h("div", { class: "picture" }), heading(one.game, isOnly ? null : one.id), h("p", { class: "line" }, gameOf(one.game).line),
    h("p", { class: "result" }, "\u2026"),
    h("div", { class: "bar" }, h("button", { type: "button", class: "main", "data-play": one.id, onclick: () => open(one.id, true) }, "Play"),
      h("button", { type: "button", "data-explore": one.id, onclick: () => open(one.id, false) }, "Explore")));
}

function offerCard({ game, picture }, solve, { isBusy, begin, cancel }) {
  const button = solve?.state === "solving" ? h("button", { type: "button", onclick: () => cancel(solve.id) }, "Cancel")
    : h("button", { type: "button", disabled: isBusy, title: isBusy && "Another game is being solved.", onclick: () => begin(game) }, "Solve");
  return h("li", { class: "panel card", "data-game": game }, h("div", { class: "picture" }, picture ? thumbnail(picture, skinOf(game)) : null), heading(game), h("p", { class: "line" }, gameOf(game).line),
    h("p", { class: "progress" }, solve ? progress(solve) : ""), h("div", { class: "bar" }, button));
}

/** Requests the boards and results of the cards, a few at a time. */
async function fill(cards, message) {
  const waiting = cards.filter(({ one }) => one.game);
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { one, card } = next;
      try {
        const { picture, skin, result } = await describe(one);
        card.querySelector(".picture").replaceChildren(thumbnail(picture, skin));
        card.querySelector(".result").textContent = result;
      } catch (error) {
        card.querySelector(".result").textContent = "";
        message(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Returns the board of a solution, and the result of its game in words. */
async function describe(one) {
  const key = JSON.stringify(one);
  if (!shown.has(key)) {
    const about = await service.about(one.id);
    const answer = await service.position(one.id, about.covers_start ? "start" : about.begin);
    const skin = skinOf(one.game, about.sides);
    shown.set(key, { picture: answer.picture, skin, result: resultOf(about, answer) });
  }
  return shown.get(key);
}

/** Describes the value of the start position, such as `the second player wins in 22 plies`. */
export function resultOf(about, answer) {
  if (about.begins_anywhere) return "Play begins at any position.";
  if (!about.covers_start) return "The solution contains some of the positions.";
  const sides = about.sides ?? ["the first player", "the second player"];
  const other = answer.side === "P1" ? "P2" : "P1";
  const winner = { win: answer.side, loss: other }[answer.category];
  const name = (side) => sides[side === "P1" ? 0 : 1].replace(/^[a-z]/, (letter) => letter.toUpperCase());
  if (answer.category === "draw") return "Best play ends in a draw.";
  if (!winner) return answer.ply_so_far === undefined ? "The start position is not decided." : `Not decided yet: the run has reached ply ${answer.ply_so_far}.`;
  return `${name(winner)} ${words({ ...answer, category: "win", depth: answer.dtw }).replace("win", "wins").replace(" (depth not stored)", "")}.`;
}

function progress({ state, why, phase, ply, num_states: states, positions, seconds }) {
  if (state === "failed") return h("span", { class: "bad" }, sentence(why));
  if (state === "cancelled") return h("span", {}, `Cancelled after ${seconds.toFixed(1)} s.`);
  const said = `${phase || "starting"}, ply ${ply}: ${counted(states, "state")}, ${counted(positions, "position")}, ${seconds.toFixed(1)} s`;
  return h("span", { role: "status", class: state === "solving" ? "working" : "good" }, said);
}

/** Shows the progress of a solve until it ends, and its solution when it can be opened. */
async function follow(id, again) {
  following = id;
  try {
    for (let tries = 0; tries < 20;) {
      await new Promise((done) => setTimeout(done, WAIT));
      const solve = (await service.offers()).solves.filter((one) => one.id === id).at(-1);
      if ($("view-home").hidden && solve?.state !== "solving") return;
      const place = solve && $("view-home").querySelector(`[data-game="${CSS.escape(solve.game)}"] .progress`);
      if (solve?.state === "solving") {
        place?.replaceChildren(progress(solve));
        continue;
      }
      if (solve?.state !== "solved") break;
      // The service checks for changes about once a second.
      tries += 1;
      if ((await service.solutions()).solutions.some((one) => one.id === id && one.complete)) break;
    }
  } finally {
    if (following === id) following = null;
  }
  if (!$("view-home").hidden) await again();
}
