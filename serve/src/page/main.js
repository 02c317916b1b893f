// The page: it handles input and updates the display.

import { drawLive } from "./automaton.js";
import { animate, drawBoard, focusBoard, pointAt, strike } from "./board.js";
import { nextPlaces } from "./clicks.js";
import { $, h, s, save, sentence } from "./dom.js";
import { figure } from "./figures.js";
import { drawGallery } from "./gallery.js";
import { begin, beginElsewhere, clicked, goesRound, here, isProgramsTurn, look, lookAlong, lookAt, lookDeeper, play, playerMove, playerName, sideName, state, values } from "./game.js";
import { listenForHelp } from "./help.js";
import { followed, readLink, remember } from "./link.js";
import { drawMoves, hintOf, verdict } from "./lists.js";
import { gameOf, skinOf, titleOf } from "./names.js";
import { drawQuiz, findQuestion, judge, pose } from "./quiz.js";
import { drawVariations, replay, replayRecord, saveRecord } from "./record.js";
import { service } from "./service.js";
import { chooseFrom, drawSetup, openSetup, putOn } from "./setup.js";
import { drawSolution } from "./solution.js";
import { drawStory } from "./story.js";
import { brief, letter, ofMove, words } from "./values.js";
import { drawWhy } from "./why.js";

/** The time that a program seems to think, in milliseconds. */
const THINK = 350;

function complain(error) {
  $("message").textContent = [sentence(error.message), error.accepted && `Accepted: ${error.accepted}`].filter(Boolean).join(". ");
  $("message").hidden = false;
}

/** Wraps an action that may fail, and displays its errors. */
function doing(work) {
  return async (...given) => {
    try {
      $("message").hidden = true;
      await work(...given);
    } catch (error) {
      complain(error);
    }
  };
}

/** Evaluates and draws the current position, and lets a player move if it is its turn. */
async function show(isStep = false) {
  if (await look()) await shown(isStep);
}

/** Draws the current position after its evaluation, and lets a player move if it is its turn. */
async function shown(isStep = false, move = null) {
  $("hint").textContent = "";
  draw(isStep);
  if (move) animate($("board"), state.answer.picture, move.places, state.turned, state.skin);
  deeper();
  along();
  if (goesRound()) {
    $("hint").textContent = "This position has occurred three times, so the players have stopped. Start a new game, or play one of the sides yourself.";
    return;
  }
  const turn = state.asked;
  const next = await playerMove();
  if (next && !state.setup) {
    await new Promise((done) => setTimeout(done, THINK));
    // Something else may have been requested in the meantime, such as another player.
    if (turn === state.asked) await make(next, false);
  }
}

/** Requests a search if a value is open. It may take a while, so nothing waits for it. */
const deeper = () => lookDeeper().then((found) => found && draw(), () => {});

/** Requests the values along the record, if they are shown. */
const along = () => { if (isTold()) lookAlong().then((found) => found && draw(), () => {}); };

/** The sets of the solution that is shown next to the board, once they have been requested. */
let sets = { id: null, stats: null };

/** Draws the automaton of the position next to the board, if its panel is open. It may take a while. */
async function drawBeside() {
  const box = $("live"), { id } = state, position = here();
  if (!box.open || box.hidden || box.dataset.position === position) return;
  box.dataset.position = position;
  try {
    if (sets.id !== id) sets = { id, stats: await service.stats(id) };
    if (id === state.id && position === here()) await drawLive(box.lastElementChild, sets.stats, position);
  } catch (error) {
    box.lastElementChild.textContent = sentence(error.message);
  }
}

/** Returns true if values may be shown: during a question of the quiz, they may not. */
const seesValues = () => state.values && !(state.quiz && !state.quiz.said);

/** Returns true if the record shows values: if the page does, or when the game is over. */
const isTold = () => seesValues() || Boolean(state.answer?.game_over && !state.quiz && state.at === state.course.length);

/** Makes a move. The record changes only with the answer for the new position; if the request fails, nothing changes. */
async function make(move, isOwn) {
  const from = here(), { side } = state.answer;
  if (!(await play(move))) return;
  judge(move, from);
  if (!isOwn) $("announce").textContent = `${sideName(side)} ${move.move === "pass" ? "passes" : `plays ${move.move}`}.`;
  await shown(isOwn, move);
}

/** Makes a move of a person, unless another request is running or a program is to move. */
async function makeOwn(move) {
  if (!state.isMoving && !isProgramsTurn()) await make(move, true);
}

const go = doing(async (at) => {
  if (await lookAt({ start: state.start, course: state.course, at: Math.max(0, Math.min(at, state.course.length)) })) await shown();
});

const showSetup = doing(async (position) => {
  // The pieces are requested first, so that a failure leaves the game as it is.
  const setup = await openSetup(position);
  if (!(await beginElsewhere(position))) return;
  seat("P1", null);
  seat("P2", null);
  chooseFrom(setup);
  draw(true);
});

/** Makes a variation the game, at its first own move. */
const showVariation = doing(async (course, from) => {
  if (await lookAt({ start: state.start, course, at: from + 1 })) await shown(true);
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
  const isValued = seesValues() && answer.legal;
  const next = nextPlaces(answer.moves, clicks);
  const came = at > 0 && !setup ? course[at - 1].places : null;
  return {
    turned: state.turned,
    can: (place) => Boolean(setup) || next.has(place),
    classOf: (place) => [setup || next.has(place) ? "can" : "", clicks.includes(place) ? "chosen" : "", came && [came.from, came.to].includes(place) ? "came" : ""].join(" "),
    words: (place) => (next.has(place) && isValued && !setup ? `best ${words(ofMove(next.get(place)[0]))}` : ""),
    badge: (place) => {
      if (setup || !isValued || !next.has(place)) return null;
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

/** Draws the current position, and keeps the focus close to where it was. */
function draw(isStep = false) {
  const before = document.activeElement;
  drawAll(isStep);
  const focused = document.activeElement;
  if (before === document.body || (focused !== document.body && !focused.disabled && focused.getClientRects().length > 0)) return;
  // Another Enter on a button that has been disabled must not make a move.
  const next = focused.disabled && focused.closest(".bar")?.querySelector("button:not(:disabled, [hidden])");
  if (next) next.focus({ preventScroll: true }); else focusBoard();
}

/** Draws everything about the current position. A step of the user is added to the history of the browser. */
function drawAll(isStep) {
  const { answer, at, course, setup, turned, skin, seats } = state;
  const isValued = seesValues() && answer.legal;
  drawBoard($("board"), answer.picture, places(), skin);
  if (answer.winner && skin.isLine) strike($("board"), answer.picture, answer.winner, course[at - 1]?.places?.to, turned);
  $("verdict").replaceChildren(...verdict({ ...state, values: seesValues() }));
  const hands = handsOf(answer.picture.note);
  $("note").textContent = hands ? "" : answer.picture.note ?? "";
  for (const side of ["P1", "P2"]) drawPlayer(side, hands);
  $(turned ? "top" : "bottom").append($("player-P1"));
  $(turned ? "bottom" : "top").append($("player-P2"));
  const point = (where) => pointAt($("board"), answer.picture, where, turned);
  drawMoves({ ...state, values: isValued }, { make: doing(makeOwn), point });
  drawStory(state, isTold(), go);
  drawVariations({ show: showVariation, remove: (n) => { state.variations = state.variations.filter((_, m) => m !== n); draw(); } });
  drawSetup(showSetup, () => $("set-up").click());
  drawQuiz({ next: askQuestion, end: endQuiz, answer: showAnswer });
  drawWhy(doing((position) => showElsewhere(position, true)), isValued);
  // A set of won positions says that the position is won.
  $("live").hidden = !isValued || !state.about.has_sets;
  drawBeside();
  $("first").disabled = $("back").disabled = at === 0;
  $("last").disabled = $("forward").disabled = at === course.length;
  $("take-back").disabled = at === 0 || Boolean(state.quiz);
  $("best").disabled = !answer.legal;
  $("hint-button").disabled = answer.moves.length === 0 || isProgramsTurn() || Boolean(setup || (state.quiz && !state.quiz.said));
  $("rematch").hidden = !answer.game_over || !(seats.P1 || seats.P2) || Boolean(state.quiz);
  $("set-up").setAttribute("aria-pressed", String(Boolean(setup)));
  $("kept").hidden = !state.kept;
  if (document.activeElement !== $("position")) $("position").value = answer.position;
  for (const side of ["P1", "P2"]) $(`side-${side}`).textContent = sideName(side);
  $("set-up").hidden = $("picture").hidden = $("turn").hidden = !answer.picture.places;
  $("picture").href = service.pictureOf(state.id, answer.position);
  $("picture").download = `${state.id}.svg`;
  remember(state, isStep);
}

/** Returns the numbers of stones in hand, if a note states them. */
function handsOf(note) {
  const found = /^in hand: white (\d+), black (\d+)$/.exec(note ?? "");
  return found ? { P1: Number(found[1]), P2: Number(found[2]) } : null;
}

/** Draws the line of a side next to the board: its pieces, its player, its stones in hand, and whether it is to move. */
function drawPlayer(side, hands) {
  const { answer, seats, skin } = state;
  const piece = answer.picture.places?.map((place) => place.figure).find((one) => one?.owner === side) ?? (hands || skin.isRack ? { look: "disc", owner: side, light: side === "P1" } : null);
  const drawn = (one) => s("svg", { viewBox: "-50 -50 100 100", class: "piece", "aria-hidden": "true" }, figure(one, skin.colours));
  const status = !answer.legal ? "" : answer.game_over ? (answer.winner === side ? "won" : answer.winner ? "" : "draw") : answer.side === side ? "to move" : "";
  $(`player-${side}`).className = `player ${status ? "active" : ""} ${status === "won" ? "won" : ""}`;
  $(`player-${side}`).replaceChildren(piece ? drawn(piece) : "", h("span", { class: "who" }, sideName(side), h("span", { class: "faint" }, seats[side] ? ` ${playerName(seats[side])}` : "")),
    hands ? h("span", { class: "hand", role: "img", "aria-label": `${hands[side]} in hand` }, Array.from({ length: hands[side] }, () => drawn({ look: "disc", owner: side, light: side === "P1" }))) : "",
    h("span", { class: "status" }, status));
}

/** Requests a solution and a game of it, which becomes the game in progress. If this fails, everything stays as it is. */
async function load(id, { start, moves, at }) {
  const { asked, ...before } = state;
  try {
    const about = await service.about(id), first = about.covers_start ? "start" : about.begin, skin = skinOf(about.game, about.sides);
    values.clear();
    Object.assign(state, { id, about, skin, kept: null, answer: null, setup: null, quiz: null });
    const isLost = start === "start" && !about.covers_start;
    let unplayed = null;
    const played = await replay(() => begin(isLost ? first : start), moves, at).catch(async (error) => {
      if (state.answer === null) await begin(first);
      unplayed = error.message;
    });
    if (played < moves.length) unplayed = `the link contains the move '${moves[played]}', which is not legal after ${played} ${played === 1 ? "move" : "moves"}; the game ends there`;
    return { about, isLost, unplayed };
  } catch (error) {
    Object.assign(state, before);
    if (state.id) $("solutions").value = state.id;
    throw error;
  }
}

/** Opens a solution. */
async function open(id, { start = "start", moves = [], at = null, view = state.view, values: isShown = null, seats = {}, isStep = true } = {}) {
  const { about, isLost, unplayed } = await load(id, { start, moves, at });
  delete $("live").dataset.position;
  setValues(isShown ?? state.values);
  $("solutions").value = id;
  $("title").replaceChildren(gameOf(about.game).name, h("span", { class: "faint" }, ` ${gameOf(about.game).detail}`));
  $("rules").textContent = about.rules;
  $("position-help").textContent = about.position_form;
  const players = [["", "a person"], ...about.players.map((name) => [name, playerName(name)])];
  for (const side of ["P1", "P2"]) {
    $(`seat-${side}`).replaceChildren(...players.map(([value, name]) => h("option", { value }, name)));
    seat(side, about.players.includes(seats[side]) ? seats[side] : null);
  }
  if (state.seats.P1 || state.seats.P2) state.turned = Boolean(state.seats.P1 && !state.seats.P2);
  for (const tab of document.querySelectorAll(".tab")) tab.hidden = false;
  turnTo(view === "home" ? "board" : view);
  if (!isStep) followed(state);
  await Promise.all([shown(isStep), drawView()]);
  if (unplayed) complain(new Error(unplayed));
  if (isLost) $("hint").textContent = "This solution does not contain the start position, so one of its other positions is shown.";
}

/** Lets a person or a program play a side. */
function seat(side, player) {
  state.seats[side] = player;
  $(`seat-${side}`).value = player ?? "";
}

/** Reloads a run that is still being solved, if it has made progress. */
async function refresh() {
  if (!state.about || state.about.complete || document.hidden || state.isMoving) return;
  const about = await service.about(state.id);
  if (about.id !== state.id || about.digest === state.about.digest) return;
  state.about = about;
  values.clear();
  sets = { id: null, stats: null };
  if (state.clicks.length === 0 && !state.setup) await show();
  if (state.view === "solution") await drawView();
}

/** Shows a position on the board, and ends a quiz unless `isInQuiz` is set. The game in progress is kept. */
async function showElsewhere(position, isInQuiz = false) {
  if (!(await beginElsewhere(position))) return;
  Object.assign(state, { setup: null, quiz: isInQuiz ? state.quiz : null });
  turnTo("board");
  await shown(true);
}

const showPosition = doing((position) => showElsewhere(position));

/** Ends the other modes of the board: editing a position, and the quiz. */
function leave() {
  Object.assign(state, { setup: null, quiz: null });
}

/** Asks the next question of the quiz. */
const askQuestion = doing(async () => {
  const question = await findQuestion();
  if (!question) throw new Error("no position was found in which exactly one move preserves the value");
  if (!(await beginElsewhere(question.position))) return;
  state.setup = null;
  pose(question);
  seat("P1", null);
  seat("P2", null);
  turnTo("board");
  await shown(true);
});

/** Plays the right move of a question, whose proof can then be opened. */
const showAnswer = doing(async () => {
  const { position, right } = state.quiz;
  setValues(true);
  if (await begin(position)) await make(state.answer.moves.find((move) => move.move === right.move) ?? right, true);
});

const endQuiz = doing(async () => { leave(); await (state.kept ? resume() : show()); });

/** Shows a random position, of a sector if one is given. */
const showRandom = doing(async (sector) => {
  const { positions } = await service.sample(state.id, { count: 1, legal: true, sector, seed: Math.floor(Math.random() * 2 ** 31) });
  if (positions.length === 0) throw new Error("no position was found in which the game continues");
  await showElsewhere(positions[0].position);
});

/** Returns to the game that was left to show another position. */
async function resume() {
  const { start, course, at, variations, seats } = state.kept;
  if (!(await lookAt({ start, course, at, variations }))) return;
  leave();
  state.kept = null;
  for (const side of ["P1", "P2"]) seat(side, seats[side]);
  turnTo("board");
  await shown(true);
}

/** Starts a new game. */
async function startAgain() {
  leave();
  if (!(await begin(state.about.covers_start ? "start" : state.about.begin))) return;
  state.kept = null;
  await shown(true);
}

/** Takes back the last move, and those of programs before it, so that a person is to move. */
async function takeBack() {
  let at = state.at - 1;
  while (at > 0 && state.seats[state.course[at].side]) at -= 1;
  const { start, course } = state;
  if (await lookAt({ start, course: course.slice(0, at), at })) await shown(true);
}

/** Shows a best move on the board. */
function hint() {
  const best = state.answer.moves[0];
  if (!best) return;
  pointAt($("board"), state.answer.picture, best.places, state.turned);
  $("hint").textContent = hintOf(best);
}

/** Shows one of the views. */
function turnTo(name) {
  state.view = name;
  for (const view of ["board", "solution", "home"]) $(`view-${view}`).hidden = name !== view;
  for (const tab of document.querySelectorAll(".tab")) tab.setAttribute("aria-pressed", String(tab.dataset.view === name));
  $("home").setAttribute("aria-current", name === "home" ? "page" : "false");
  document.querySelector(".pick").hidden = $("title").hidden = name === "home" || !state.id;
  document.title = name === "home" || !state.about ? "nerode" : `${titleOf(state.about.game)} \u2013 nerode`;
}

/** Draws the current view, if it is not the board. */
async function drawView() {
  if (state.view === "solution") await drawSolution(showPosition, showRandom);
  if (state.view === "home") await drawGallery({ open: openFromGallery, listSolutions });
}

/** Shows one of the views as a step of the user. */
const visit = doing(async (name) => {
  turnTo(name);
  remember(state, true);
  await drawView();
});

const openFromGallery = doing(async (id, isGame) => open(id, { view: "board", values: !isGame, seats: isGame ? { P2: "perfect" } : {} }));

function setValues(isShown) {
  state.values = $("values").checked = isShown;
}

async function copy(text, what) {
  await navigator.clipboard.writeText(text);
  $("copied").textContent = `${what} copied`;
}

/** Returns to what an entry of the browser's history shows. */
async function restore(entry) {
  if (entry.view === "home" || !entry.id) {
    turnTo("home");
    followed(state);
    return drawView();
  }
  if (entry.id !== state.id) return open(entry.id, { ...entry, moves: entry.course.map((ply) => ply.move), isStep: false });
  const { start, course, at, variations } = entry;
  if (!(await lookAt({ start, course, at, variations }))) return;
  leave();
  turnTo(entry.view);
  followed(state);
  await Promise.all([shown(), drawView()]);
}

function listen() {
  $("solutions").onchange = doing((event) => open(event.target.value));
  $("first").onclick = () => go(0);
  $("back").onclick = () => go(state.at - 1);
  $("forward").onclick = () => go(state.at + 1);
  $("last").onclick = () => go(state.course.length);
  $("turn").onclick = () => { state.turned = !state.turned; draw(); };
  $("values").onchange = (event) => { setValues(event.target.checked); draw(); along(); };
  $("new").onclick = doing(startAgain);
  $("take-back").onclick = doing(takeBack);
  $("hint-button").onclick = hint;
  $("rematch").onclick = doing(async () => {
    const { P1, P2 } = state.seats;
    seat("P1", P2);
    seat("P2", P1);
    state.turned = Boolean(state.seats.P1 && !state.seats.P2);
    await startAgain();
  });
  $("live").ontoggle = drawBeside;
  $("resume").onclick = doing(resume);
  $("quiz").onclick = () => askQuestion();
  $("random").onclick = () => showRandom();
  $("best").onclick = doing(async () => {
    const { line } = await service.line(state.id, here());
    const side = (n) => ["P1", "P2"][(Number(state.answer.side === "P2") + n) % 2];
    const course = [...state.course.slice(0, state.at), ...line.map(({ move, position }, n) => ({ move, position, side: side(n) }))];
    if (await lookAt({ start: state.start, course, at: state.at })) await shown(true);
  });
  $("set-up").onclick = doing(async () => {
    if (state.setup) { state.setup = null; return show(); }
    return showSetup(state.answer.position);
  });
  $("position-form").onsubmit = doing(async (event) => {
    event.preventDefault();
    const position = $("position").value;
    document.activeElement.blur();
    state.setup ? await showSetup(position) : await showElsewhere(position);
  });
  $("moves-form").onsubmit = doing(async (event) => {
    event.preventDefault();
    leave();
    const wrong = await replayRecord($("pasted").value);
    await shown(true);
    if (wrong) throw new Error(`'${wrong.move}' is not a legal move after ${wrong.played} ${wrong.played === 1 ? "move" : "moves"}`);
  });
  $("copy-position").onclick = doing(() => copy(state.answer.position, "Position"));
  $("save-record").onclick = () => saveRecord(isTold());
  $("copy-record").onclick = doing(() => copy(state.course.map((ply) => ply.move).join(" "), "Moves"));
  $("picture").onclick = (event) => {
    if (service.isServed) return;
    event.preventDefault();
    doing(async () => save(await service.drawing(state.id, state.answer.position), "image/svg+xml", `${state.id}.svg`))();
  };
  $("copy-link").onclick = doing(() => copy(location.href, "Link"));
  for (const side of ["P1", "P2"]) $(`seat-${side}`).onchange = doing(async (event) => { state.seats[side] = event.target.value || null; await show(); });
  for (const tab of document.querySelectorAll(".tab")) tab.onclick = () => visit(tab.dataset.view);
  $("home").onclick = (event) => { event.preventDefault(); visit("home"); };
  window.onpopstate = doing(async ({ state: entry }) => (entry ? restore(entry) : follow(readLink(), await listSolutions())));
  document.onkeydown = keys;
  listenForHelp();
}

function keys(event) {
  if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey || state.view !== "board" || $("help").open) return;
  const work = { ",": "back", ".": "forward", Home: "first", End: "last", t: "turn" }[event.key];
  if (!work) return;
  $(work).click();
  event.preventDefault();
}

/** Returns the name of a solution in the list: its game, and its id if several solutions are of the same game. */
function nameOf({ id, game, complete, form }, all) {
  if (!game) return `${id} (not available yet)`;
  const isOnly = all.filter((other) => other.game === game).length === 1;
  return `${titleOf(game)} \u2013 ${isOnly ? form : `${form}, ${id}`}${complete ? "" : " (unfinished)"}`;
}

/** Requests and lists the served solutions. */
async function listSolutions() {
  const { solutions } = await service.solutions();
  $("solutions").replaceChildren(...solutions.map((one) =>
    h("option", { value: one.id, disabled: Boolean(one.not_yet) }, nameOf(one, solutions))));
  if (state.id) $("solutions").value = state.id;
  return solutions;
}

/** Shows what a link names. Without a link, shows the only solution, or a gallery of them. */
async function follow(link, solutions) {
  const known = solutions.find((one) => one.id === link.id);
  if (known?.not_yet) throw new Error(`the solution '${link.id}' is not available: ${known.not_yet}`);
  if (known) return open(known.id, link);
  const only = solutions.length === 1 && !solutions[0].not_yet && (await service.offers()).offers.length === 0 ? solutions[0] : null;
  if (only && !link.id) return open(only.id, link);
  turnTo("home");
  remember(state, false);
  await drawView();
  if (link.id) throw new Error(`this page has no solution '${link.id}'`);
}

doing(async () => {
  listen();
  await follow(readLink(), await listSolutions());
})();
setInterval(() => refresh().catch(() => {}), 2000);
