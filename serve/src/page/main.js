// The page: it handles input and updates the display.

import { ask, pictureOf } from "/api.js";
import { drawBoard, pointAt } from "/board.js";
import { nextPlaces } from "/clicks.js";
import { $, h } from "/dom.js";
import { begin, clicked, goesRound, here, isProgramsTurn, look, lookDeeper, play, playerMove, replay, sideName, state } from "/game.js";
import { readLink, writeLink } from "/link.js";
import { drawMoves, drawRecord, verdict } from "/lists.js";
import { drawOffers } from "/offers.js";
import { drawQuiz, findQuestion, judge, pose } from "/quiz.js";
import { drawSetup, openSetup, putOn } from "/setup.js";
import { drawSolution } from "/solution.js";
import { brief, letter, ofMove, words } from "/values.js";
import { drawWhy } from "/why.js";

/** Wraps an action that may fail, and displays its errors. */
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

/** Evaluates and draws the current position, and lets a player move if it is its turn. */
async function show() {
  $("hint").textContent = "";
  if (await look()) await shown();
}

/** Draws the current position after its evaluation, and lets a player move if it is its turn. */
async function shown() {
  $("hint").textContent = "";
  draw();
  deeper();
  if (goesRound()) {
    $("hint").textContent = "This position has occurred three times, so the players have stopped. Start a new game, or play one of the sides yourself.";
    return;
  }
  const turn = state.asked;
  const move = await playerMove();
  if (move && !state.setup) {
    await new Promise((done) => setTimeout(done, 350));
    // Something else may have been requested in the meantime, such as another player.
    if (turn === state.asked) await make(move);
  }
}

/** Requests a search if a value is open. It may take a while, so nothing waits for it. */
const deeper = () => lookDeeper().then((found) => found && draw(), () => {});

/** Makes a move. The record changes only with the answer for the new position; if the request fails, nothing changes. */
async function make(move) {
  const from = here();
  if (!(await play(move))) return;
  judge(move, from);
  if (state.quiz?.said) state.values = $("values").checked;
  await shown();
}

/** Makes a move of a person, unless another request is running or a program is to move. */
async function makeOwn(move) {
  if (!state.isMoving && !isProgramsTurn()) await make(move);
}

const go = doing(async (at) => {
  state.at = Math.max(0, Math.min(at, state.course.length));
  await show();
});

const showSetup = doing(async (position) => {
  const { start, course, at } = state;
  begin(position);
  try {
    await look();
    await openSetup(position);
  } catch (error) {
    Object.assign(state, { start, course, at });
    throw error;
  }
  draw();
});

/** Explains why a click has no effect. */
function whyNot(place) {
  const { answer } = state;
  if (answer.game_over || !answer.picture.places) return "";
  const owner = answer.picture.places[place].figure?.owner;
  if (owner && owner !== answer.side) return `${sideName(answer.side)} is to move.`;
  return owner ? "This piece cannot move." : "No move starts here.";
}

/** Returns the possible actions at each place. */
function places() {
  const { answer, clicks, setup, course, at } = state;
  const values = state.values && answer.legal;
  const next = nextPlaces(answer.moves, clicks);
  const came = at > 0 && !setup ? course[at - 1].places : null;
  return {
    turned: state.turned,
    can: (place) => Boolean(setup) || next.has(place),
    classOf: (place) => [setup || next.has(place) ? "can" : "", clicks.includes(place) ? "chosen" : "", came && [came.from, came.to].includes(place) ? "came" : ""].join(" "),
    words: (place) => (next.has(place) && values && !setup ? `best ${words(ofMove(next.get(place)[0]))}` : ""),
    badge: (place) => {
      if (setup || !values || !next.has(place)) return null;
      const value = ofMove(next.get(place)[0]);
      return { letter: letter(value.category), text: brief(value) };
    },
    choose: doing(async (place) => {
      if (setup) {
        const position = putOn(place);
        if (!position) throw new Error("this piece cannot be placed there: the game has no such position");
        await showSetup(position);
        return;
      }
      if (state.isMoving || isProgramsTurn()) return;
      const move = clicked(place);
      if (move) return makeOwn(move);
      draw();
      $("hint").textContent = state.clicks.length > 0 || next.has(place) ? "" : whyNot(place);
    }),
    drag: doing(async (from, to) => {
      if (setup || state.isMoving || isProgramsTurn()) return;
      state.clicks = [];
      clicked(from);
      const move = state.clicks.length > 0 ? clicked(to) : null;
      if (move) await makeOwn(move); else draw();
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
  drawMoves({ ...state, values: state.values && answer.legal }, { make: doing(makeOwn), point });
  drawRecord(state, go);
  drawSetup(showSetup, () => $("set-up").click());
  drawQuiz({ next: askQuestion, end: endQuiz });
  drawWhy(showPosition);
  $("first").disabled = $("back").disabled = at === 0;
  $("last").disabled = $("forward").disabled = at === course.length;
  $("set-up").setAttribute("aria-pressed", String(Boolean(setup)));
  if (document.activeElement !== $("position")) $("position").value = answer.position;
  for (const side of ["P1", "P2"]) $(`side-${side}`).textContent = sideName(side);
  $("set-up").hidden = $("picture").hidden = $("turn").hidden = !answer.picture.places;
  $("picture").href = pictureOf(state.id, answer.position);
  $("picture").download = `${state.id}.svg`;
  writeLink(state);
}

/** Opens a solution. */
async function open(id, { start = "start", moves = [], at = null, view = state.view } = {}) {
  const about = await ask(`${id}/about`);
  leave();
  Object.assign(state, { id, about, colours: {} });
  $("solutions").value = id;
  document.title = `${state.about.game} \u2013 nerode`;
  $("rules").textContent = state.about.rules;
  $("position-help").textContent = state.about.position_form;
  const players = [["", "a person"], ...state.about.players.map((name) => [name, name])];
  for (const side of ["P1", "P2"]) {
    $(`seat-${side}`).replaceChildren(...players.map(([value, name]) => h("option", { value }, name)));
    state.seats[side] = null;
  }
  const isLost = start === "start" && !state.about.covers_start;
  await replay(isLost ? state.about.begin : start, moves, at);
  draw();
  deeper();
  $("hint").textContent = isLost ? "This solution does not contain the start position, so one of its other positions is shown." : "";
  await turnTo(view);
}

/** Reloads a run that is still being solved, if it has made progress. */
async function refresh() {
  if (!state.about || state.about.complete || document.hidden) return;
  const about = await ask(`${state.id}/about`);
  if (about.id !== state.id || about.digest === state.about.digest) return;
  state.about = about;
  if (state.clicks.length === 0 && !state.setup && await look()) draw();
  if (state.view === "solution") await drawSolution(showPosition, showRandom);
}

const showPosition = doing(async (position) => {
  begin(position);
  await turnTo("board");
  await show();
});

/** Ends the other modes of the board: editing a position, and the quiz. */
function leave() {
  if (state.quiz) state.values = $("values").checked;
  Object.assign(state, { setup: null, quiz: null });
}

/** Asks the next question of the quiz. */
const askQuestion = doing(async () => {
  const question = await findQuestion();
  if (!question) throw new Error("no position was found in which exactly one move preserves the value");
  pose(question);
  state.values = false;
  state.seats.P1 = state.seats.P2 = null;
  $("seat-P1").value = $("seat-P2").value = "";
  await showPosition(question.position);
});

const endQuiz = doing(async () => { leave(); await show(); });

/** Shows a random position, of a sector if one is given. */
const showRandom = doing(async (sector) => {
  const { positions } = await ask(`${state.id}/sample`, { count: 1, legal: true, sector, seed: Math.floor(Math.random() * 2 ** 31) });
  if (positions.length === 0) throw new Error("no position was found in which the game continues");
  await showPosition(positions[0].position);
});

/** Shows one of the two views. */
async function turnTo(name) {
  state.view = name;
  $("view-board").hidden = name !== "board";
  $("view-solution").hidden = name !== "solution";
  $("view-offers").hidden = name !== "offers";
  for (const tab of document.querySelectorAll(".tab")) tab.setAttribute("aria-pressed", String(tab.dataset.view === name));
  if (state.id) writeLink(state);
  if (name === "offers") await drawOffers(doing(openSolved));
  if (name === "solution") await drawSolution(showPosition, showRandom);
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
  $("new").onclick = doing(async () => { leave(); begin(state.about.covers_start ? "start" : state.about.begin); await show(); });
  $("quiz").onclick = doing(async () => { leave(); await askQuestion(); });
  $("random").onclick = doing(async () => { leave(); await showRandom(); });
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
    await ask(state.id, { position, any: true });
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

/** Returns the name of a solution in the list: its game, and its id if several solutions are of the same game. */
function nameOf({ id, game, complete, form }, all) {
  if (!game) return `${id} (not available yet)`;
  const isOnly = all.filter((other) => other.game === game).length === 1;
  return `${game} \u2013 ${isOnly ? form : `${form}, ${id}`}${complete ? "" : " (unfinished)"}`;
}

/** Requests and lists the served solutions. */
async function listSolutions() {
  const { solutions } = await ask("solutions");
  $("solutions").replaceChildren(...solutions.map((one) =>
    h("option", { value: one.id, disabled: Boolean(one.not_yet) }, nameOf(one, solutions))));
  if (state.id) $("solutions").value = state.id;
  return solutions;
}

async function openSolved(id) {
  await listSolutions();
  await open(id, { view: "board" });
}

doing(async () => {
  listen();
  const [solutions, { offers }] = [await listSolutions(), await ask("offers")];
  document.querySelector(".tab[data-view=offers]").hidden = offers.length === 0;
  const link = readLink();
  const known = solutions.find((one) => one.id === link.id) ?? solutions.find((one) => !one.not_yet);
  // A link that names no solution refers to the first one.
  if (known) return open(known.id, [known.id, null].includes(link.id) ? link : {});
  if (offers.length === 0) throw new Error("none of the solutions can be queried yet; reload the page later");
  await turnTo("offers");
})();
setInterval(() => refresh().catch(() => {}), 2000);
