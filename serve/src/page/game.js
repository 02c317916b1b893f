// The game in progress: its start, its moves, the current position, and its evaluation.

import { ask } from "/api.js";
import { click } from "/clicks.js";

/** The maximum number of moves that are sent to a player. */
const KNOWN_MOVES = 300;
/** The number of occurrences of a position after which play between players stops. */
const ROUNDS = 3;

export const state = {
  id: null, about: null, start: "start", course: [], at: 0, answer: null, clicks: [], choices: null,
  turned: false, view: "board", values: true, setup: null, quiz: null, seats: { P1: null, P2: null }, colours: {}, asked: 0, isMoving: false,
};

/** Returns the current position as text. */
export const here = () => (state.at === 0 ? state.start : state.course[state.at - 1].position);

/**
 * Requests the evaluation of the current position. A late answer is dropped if another position has been requested
 * since.
 */
export async function look() {
  return lookAt({ start: state.start, course: state.course, at: state.at });
}

/**
 * Requests the evaluation of a position of a game, which becomes the current one when the answer arrives. Returns
 * false if another position has been requested since. An error leaves the game unchanged.
 */
async function lookAt(game) {
  const turn = ++state.asked;
  const position = game.at === 0 ? game.start : game.course[game.at - 1].position;
  // A position that cannot occur in play is shown with the reason, and without values.
  const answer = await ask(state.id, { position, any: true, picture: true });
  if (turn !== state.asked) return false;
  Object.assign(state, game, { answer, clicks: [], choices: null });
  for (const { figure } of answer.picture.places ?? []) if (figure?.owner) state.colours[figure.owner] ??= colourOf(figure);
  return true;
}

/** Returns true if a program is to move at the end of the record. */
export function isProgramsTurn() {
  const { answer, seats, course, at, setup } = state;
  return Boolean(!setup && !answer.game_over && seats[answer.side] && at === course.length && !goesRound());
}

const colourOf = ({ look, light }) => ({ cross: "crosses", ring: "rings" })[look] ?? (light ? "white" : "black");

/** Describes a side in words, with the colour of its pieces if it is known. */
export const sideName = (side) => `${side === "P1" ? "First" : "Second"}${state.colours[side] ? ` (${state.colours[side]})` : ""}`;

/**
 * Requests a short search if the solution leaves a value open. Returns false if it shows nothing, or if another
 * position has been requested since.
 */
export async function lookDeeper() {
  const { answer } = state;
  const isOpen = ({ category }) => category === "unknown" || category === "not covered";
  if (answer.game_over || !answer.legal || !(isOpen(answer) || answer.moves.some(isOpen))) return false;
  const turn = state.asked;
  const deeper = await ask(state.id, { position: here(), picture: true, search_plies: 6 });
  if (turn !== state.asked || state.clicks.length > 0) return false;
  state.answer = deeper;
  return true;
}

/**
 * Makes a move when the answer for the new position has arrived, and removes the later moves of the record. Returns
 * false if another position has been requested since. An error leaves the game unchanged.
 */
export async function play(move) {
  const { start, course, at, answer: { side } } = state;
  const ply = { move: move.move, position: move.position, side, places: move.places };
  state.isMoving = true;
  try {
    return await lookAt({ start, course: [...course.slice(0, at), ply], at: at + 1 });
  } finally {
    state.isMoving = false;
  }
}

/** Starts a game at a position. */
export function begin(start) {
  Object.assign(state, { start, course: [], at: 0 });
}

/** Plays moves given as text, as long as they are legal. */
export async function replay(start, moves, at) {
  begin(start);
  await look();
  for (const text of moves) {
    const move = state.answer.moves.find((known) => known.move === text);
    if (!move) break;
    await play(move);
  }
  if (at !== null && at >= 0 && at < state.at) {
    state.at = Math.floor(at);
    await look();
  }
}

/** Handles a click on a place. Returns the move that it makes, if any. */
export function clicked(at) {
  const { answer, clicks } = state;
  const done = click(answer.moves, clicks, at, answer.picture);
  Object.assign(state, { clicks: done.clicks, choices: done.choose ?? null });
  return done.play;
}

/** Returns true if two players are repeating positions without a person taking part. */
export function goesRound() {
  const { seats, course, at } = state;
  return Boolean(seats.P1 && seats.P2) && course.slice(0, at).filter((ply) => ply.position === here()).length >= ROUNDS;
}

/** Requests the move of the player to move. Returns null if a person is to move or the game is over. */
export async function playerMove() {
  const { answer, id } = state;
  const player = state.seats[answer.side];
  if (!player || answer.game_over || !answer.legal || state.at < state.course.length) return null;
  const turn = state.asked;
  // The earlier moves are sent too, because otherwise a player without depths would repeat positions.
  const from = Math.max(0, state.at - KNOWN_MOVES);
  const position = from === 0 ? state.start : state.course[from - 1].position;
  const moves = state.course.slice(from, state.at).map((ply) => ply.move).join(" ");
  const said = await ask(`${id}/choose`, { position, moves, player, seed: Math.floor(Math.random() * 2 ** 31) });
  if (turn !== state.asked) return null;
  return answer.moves.find((move) => move.move === said.move) ?? null;
}
