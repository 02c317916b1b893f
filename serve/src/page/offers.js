// Small games that the service solves on request, with progress.

import { ask, send } from "/api.js";
import { $, grouped, h } from "/dom.js";

const WAIT = 300;

/** Lists the games that can be solved. `open` opens a solution by its id. */
export async function drawOffers(open) {
  const { offers, solves } = await ask("offers");
  const isBusy = solves.some((solve) => solve.state === "solving");
  const message = (error) => { $("message").textContent = error.message; $("message").hidden = false; };
  const begin = (game) => send("offers", { game }).then(({ id }) => follow(id, open)).catch(message);
  const card = ({ game, about }) => {
    const solve = solves.find((one) => one.game === game);
    const button = solve?.state === "solved" ? h("button", { type: "button", onclick: () => open(solve.id) }, "Open")
      : h("button", { type: "button", disabled: isBusy, onclick: () => begin(game) }, "Solve");
    return h("li", { class: "panel" }, h("h3", {}, game), h("p", { class: "faint" }, about), solve ? progress(solve) : null, h("div", { class: "bar" }, button));
  };
  $("view-offers").replaceChildren(h("h2", {}, "Solve a small game now"),
    h("p", { class: "faint" }, "Computes the value of every position of the game. This takes a few seconds. The solution is deleted when the service stops."),
    h("ul", { class: "offers", role: "list" }, offers.map(card)));
}

function progress({ state, why, phase, ply, num_states: states, positions, seconds }) {
  if (state === "failed") return h("p", { class: "bad" }, why);
  const said = `${phase || "starting"}, ply ${ply}: ${grouped(states)} states, ${grouped(positions)} positions, ${seconds.toFixed(1)} s`;
  return h("p", { role: "status", class: state === "solving" ? "working" : "good" }, state === "solving" ? said : `solved: ${said}`);
}

/** Shows the progress of a solve until it ends, and then opens the solution. */
async function follow(id, open) {
  for (;;) {
    await drawOffers(open);
    const { solves } = await ask("offers");
    const solve = solves.find((one) => one.id === id);
    if (solve?.state !== "solving") {
      await drawOffers(open);
      // The service checks for changes about once a second.
      if (solve?.state === "solved" && !$("view-offers").hidden) await opened(id, open);
      return;
    }
    await new Promise((done) => setTimeout(done, WAIT));
  }
}

async function opened(id, open) {
  for (let tries = 0; tries < 20; tries++) {
    const { solutions } = await ask("solutions");
    if (solutions.some((one) => one.id === id && one.complete)) return open(id);
    await new Promise((done) => setTimeout(done, WAIT));
  }
}
