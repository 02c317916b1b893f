// The page: what is clicked, and what is drawn then.

import { ask, pictureOf } from "/api.js";
import { drawBoard, pointAt } from "/board.js";
import { nextPlaces } from "/clicks.js";
import { $, h } from "/dom.js";
import { begin, clicked, here, look, play, playerMove, replay, state } from "/game.js";
import { readLink, writeLink } from "/link.js";
import { drawMoves, drawRecord, verdict } from "/lists.js";
import { drawSetup, openSetup, putOn } from "/setup.js";
import { drawSolution } from "/solution.js";
import { brief, letter, ofMove, words } from "/values.js";

/** Does something that may fail, and says so where it does. */
function doing(work) {
  return async (...given) => {
    try {
      $("message").hidden = true;
      await work(...given);
    } catch (error) {
      $("message").textContent = [error.message, error.accepted && `Accepted: ${error.accepted}`].filter(Boolean).join(". ");
      $("message").hidden = false;
    }
  };
}

/** Looks at where one is, draws it, and lets a player move where it is its turn. */
async function show() {
  if (!(await look())) return;
  draw();
  const move = await playerMove();
  if (move && !state.setup) {
    await new Promise((done) => setTimeout(done, 350));
    if (here() === state.answer.position || state.at === state.course.length) await make(move);
  }
}

async function make(move) {
  play(move);
  await show();
}

const go = doing(async (at) => {
  state.at = Math.max(0, Math.min(at, state.course.length));
  await show();
});

const showSetup = doing(async (position) => {
  begin(position);
  await look();
  await openSetup(position);
  draw();
});

/** What can be done at each place. */
function places() {
  const { answer, clicks, values, setup, course, at } = state;
  const next = nextPlaces(answer.moves, clicks);
  const came = at > 0 ? course[at - 1].position : null;
  return {
    turned: state.turned,
    can: (place) => Boolean(setup) || next.has(place),
    classOf: (place) => [setup || next.has(place) ? "can" : "", clicks.includes(place) ? "chosen" : "", came && state.arrived === place ? "came" : ""].join(" "),
    words: (place) => (next.has(place) && values && !setup ? `best ${words(ofMove(next.get(place)[0]))}` : ""),
    badge: (place) => {
      if (setup || !values || !next.has(place)) return null;
      const value = ofMove(next.get(place)[0]);
      return { letter: letter(value.category), text: brief(value) };
    },
    choose: doing(async (place) => {
      if (setup) {
        const position = putOn(place);
        if (position) await showSetup(position);
        return;
      }
      const move = clicked(place);
      if (move) {
        state.arrived = move.places.to;
        await make(move);
      } else draw();
    }),
    drag: doing(async (from, to) => {
      if (setup) return;
      state.clicks = [];
      clicked(from);
      const move = state.clicks.length > 0 ? clicked(to) : null;
      if (move) {
        state.arrived = move.places.to;
        await make(move);
      } else draw();
    }),
    cancel: () => { Object.assign(state, { clicks: [], choices: null }); draw(); },
  };
}

function draw() {
  const { answer, at, course, setup, turned } = state;
  drawBoard($("board"), answer.picture, places());
  $("verdict").replaceChildren(...verdict(state));
  $("note").textContent = answer.picture.note ?? "";
  const point = (where) => pointAt($("board"), answer.picture, where, turned);
  drawMoves(state, { make: doing(make), point });
  drawRecord(state, go);
  drawSetup(showSetup);
  $("first").disabled = $("back").disabled = at === 0;
  $("last").disabled = $("forward").disabled = at === course.length;
  $("set-up").setAttribute("aria-pressed", String(Boolean(setup)));
  if (document.activeElement !== $("position")) $("position").value = answer.position;
  $("picture").href = pictureOf(state.id, answer.position);
  $("picture").download = `${state.id}.svg`;
  writeLink(state);
}

/** Opens a solution. */
async function open(id, { start = "start", moves = [], at = null, view = state.view } = {}) {
  state.id = id;
  state.setup = null;
  state.about = await ask(`${id}/about`);
  $("solutions").value = id;
  document.title = `${state.about.game} \u2013 nerode`;
  $("rules").textContent = state.about.rules;
  $("position-help").textContent = state.about.position_form;
  const players = [["", "a person"], ...state.about.players.map((name) => [name, name])];
  for (const side of ["P1", "P2"]) {
    $(`seat-${side}`).replaceChildren(...players.map(([value, name]) => h("option", { value }, name)));
    state.seats[side] = null;
  }
  await replay(start, moves, at);
  draw();
  await turnTo(view);
}

const showPosition = doing(async (position) => {
  begin(position);
  await turnTo("board");
  await show();
});

/** Shows one of the two views. */
async function turnTo(name) {
  state.view = name;
  $("view-board").hidden = name !== "board";
  $("view-solution").hidden = name !== "solution";
  for (const tab of document.querySelectorAll(".tab")) tab.setAttribute("aria-pressed", String(tab.dataset.view === name));
  writeLink(state);
  if (name === "solution") await drawSolution(showPosition);
}

async function copy(text, what) {
  await navigator.clipboard.writeText(text);
  $("copied").textContent = `${what} copied`;
}

function listen() {
  $("solutions").onchange = doing((event) => open(event.target.value));
  $("first").onclick = () => go(0);
  $("back").onclick = () => go(state.at - 1);
  $("forward").onclick = () => go(state.at + 1);
  $("last").onclick = () => go(state.course.length);
  $("turn").onclick = () => { state.turned = !state.turned; draw(); };
  $("values").onchange = (event) => { state.values = event.target.checked; draw(); };
  $("new").onclick = doing(async () => { state.setup = null; begin("start"); await show(); });
  $("best").onclick = doing(async () => {
    const { line } = await ask(`${state.id}/line`, { position: here() });
    const side = (n) => ["P1", "P2"][(Number(state.answer.side === "P2") + n) % 2];
    state.course = [...state.course.slice(0, state.at), ...line.map(({ move, position }, n) => ({ move, position, side: side(n) }))];
    draw();
  });
  $("set-up").onclick = doing(async () => {
    if (state.setup) { state.setup = null; return show(); }
    state.seats.P1 = state.seats.P2 = null;
    $("seat-P1").value = $("seat-P2").value = "";
    return showSetup(state.answer.position);
  });
  $("position-form").onsubmit = doing(async (event) => {
    event.preventDefault();
    const position = $("position").value;
    await ask(state.id, { position });
    document.activeElement.blur();
    state.setup ? await showSetup(position) : await showPosition(position);
  });
  $("copy-position").onclick = doing(() => copy(state.answer.position, "Position"));
  $("copy-record").onclick = doing(() => copy(state.course.map((ply) => ply.move).join(" "), "Moves"));
  $("copy-link").onclick = doing(() => copy(location.href, "Link"));
  for (const side of ["P1", "P2"]) $(`seat-${side}`).onchange = doing(async (event) => { state.seats[side] = event.target.value || null; await show(); });
  for (const tab of document.querySelectorAll(".tab")) tab.onclick = doing(() => turnTo(tab.dataset.view));
  window.onhashchange = doing(async () => { const link = readLink(); if (link.id) await open(link.id, link); });
  document.onkeydown = keys;
}

function keys(event) {
  if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
  const work = { ",": "back", ".": "forward", Home: "first", End: "last", t: "turn" }[event.key];
  if (!work) return;
  $(work).click();
  event.preventDefault();
}

doing(async () => {
  listen();
  const { solutions } = await ask("solutions");
  $("solutions").replaceChildren(...solutions.map((one) =>
    h("option", { value: one.id, disabled: Boolean(one.not_yet) }, one.game ? `${one.game}${one.complete ? "" : " (unfinished)"}` : `${one.id} (not yet)`)));
  const link = readLink();
  const known = solutions.find((one) => one.id === link.id) ?? solutions.find((one) => !one.not_yet);
  if (!known) throw new Error("none of the solutions can be asked so far; load the page again later");
  await open(known.id, known.id === link.id ? link : {});
})();
