// The game in progress: its start, its moves, the current position, and its evaluation.

import { click } from "./clicks.js";
import { sentence } from "./dom.js";
import { skinOf } from "./names.js";
import { service } from "./service.js";

/** The maximum number of moves that are sent to a player. */
const KNOWN_MOVES = 300;
/** The number of occurrences of a position after which play between players stops. */
const ROUNDS = 3;

/** Returns the name of a player of the solution. */
export const playerName = (player) => `computer (${player})`;

export const state = {
  id: null, about: null, skin: skinOf(""), start: "start", course: [], at: 0, variations: [], answer: null, clicks: [], choices: null, kept: null,
  turned: false, view: "home", values: false, setup: null, quiz: null, seats: { P1: null, P2: null }, asked: 0, isMoving: false,
};

/** The values of positions by their text, as far as they are known. They belong to one solution in one state. */
export const values = new Map();

/** Returns the current position as text. */
export const here = () => positionAt(state, state.at);

/** Returns the position after `at` moves of a game. */
export const positionAt = ({ start, course }, at) => (at === 0 ? start : course[at - 1].position);

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
export async function lookAt(game) {
  const turn = ++state.asked;
  const answer = withoutValue(await service.position(state.id, positionAt(game, game.at)));
  if (turn !== state.asked) return false;
  Object.assign(state, { variations: variationsAfter(state.variations, state.course, game.course) }, game, { answer, clicks: [], choices: null });
  values.set(positionAt(game, game.at), answer);
  return true;
}

/** Removes the value and the moves of a position that cannot occur in play, because they mean nothing. The reason remains. */
const withoutValue = (answer) => (answer.legal ? answer : { ...answer, category: undefined, dtw: null, game_over: false, winner: null, moves: [] });

const sameMoves = (a, b) => a.length === b.length && a.every((ply, n) => ply.move === b[n].move);
const isPrefix = (short, long) => short.length <= long.length && sameMoves(short, long.slice(0, short.length));

/** Returns the variations after the game has changed from one course to another one: a course that was left becomes a variation. */
function variationsAfter(variations, before, after) {
  const all = isPrefix(before, after) || isPrefix(after, before) ? variations : [before, ...variations];
  const isRepeated = (line, n) => all.some((other, m) => m !== n && isPrefix(line, other) && (m < n || other.length > line.length));
  return all.filter((line, n) => !isPrefix(line, after) && !isRepeated(line, n));
}

/** Requests the values of all positions of the game that are not known yet. Returns false if there are none. */
export async function lookAlong() {
  const { id, start, course } = state;
  const missing = [start, ...course.map((ply) => ply.position)].filter((position) => !values.has(position));
  if (missing.length === 0) return false;
  const known = await service.positions(id, missing, false);
  if (id !== state.id) return false;
  missing.forEach((position, n) => values.set(position, known[n]));
  return true;
}

/** Returns true if a program is to move at the end of the record. */
export function isProgramsTurn() {
  const { answer, seats, course, at, setup } = state;
  return Boolean(!setup && !answer.game_over && seats[answer.side] && at === course.length && !goesRound());
}

/** Describes a side in words, by the name that the rules give it, or with the pieces that it plays if all are alike. */
export function sideName(side) {
  const named = state.about?.sides?.[side === "P1" ? 0 : 1];
  const order = side === "P1" ? "First" : "Second";
  if (named && !named.toLowerCase().startsWith(order.toLowerCase())) return sentence(named);
  const pieces = state.skin.pieces[side];
  return pieces ? `${order} (${pieces})` : `${order} player`;
}

/** Describes a side within a sentence. */
export function sideInside(side) {
  const name = sideName(side);
  return name.endsWith(" player") ? `the ${name.toLowerCase()}` : name[0].toLowerCase() + name.slice(1);
}

/**
 * Requests a short search if the solution leaves a value open. Returns false if it shows nothing, or if another
 * position has been requested since.
 */
export async function lookDeeper() {
  const { answer } = state;
  const isOpen = ({ category }) => category === "unknown" || category === "not covered";
  if (answer.game_over || !answer.legal || !(isOpen(answer) || answer.moves.some(isOpen))) return false;
  const turn = state.asked;
  const deeper = await service.search(state.id, here(), 6);
  if (turn !== state.asked || state.clicks.length > 0) return false;
  state.answer = deeper;
  return true;
}

/**
 * Makes a move when the answer for the new position has arrived. Later moves of the record become a variation, unless it is one of
 * them. Returns false if another position has been requested since. An error leaves the game unchanged.
 */
export async function play(move) {
  const { start, course, at, answer: { side } } = state;
  const ply = { move: move.move, position: move.position, side, places: move.places };
  // The move of the record is a step forward in it.
  const next = course[at]?.move === move.move ? course : [...course.slice(0, at), ply];
  state.isMoving = true;
  try {
    return await lookAt({ start, course: next, at: at + 1 });
  } finally {
    state.isMoving = false;
  }
}

/** Starts a game at a position. Returns false if another position has been requested since; an error changes nothing. */
export const begin = (start) => lookAt({ start, course: [], at: 0, variations: [] });

/**
 * Starts a game at a position, and keeps the current one if it has moves, so that it can be resumed. Returns false if another
 * position has been requested since; an error changes nothing.
 */
export async function beginElsewhere(start) {
  const { start: from, course, at, variations, seats, quiz, setup, kept } = state;
  if (!(await begin(start))) return false;
  if (course.length > 0 && !quiz && !setup && !kept) state.kept = { start: from, course, at, variations, seats: { ...seats } };
  return true;
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
  const moves = state.course.slice(from, state.at).map((ply) => ply.move).join(" ");
  const said = await service.choose(id, { position: positionAt(state, from), moves, player, seed: Math.floor(Math.random() * 2 ** 31) });
  if (turn !== state.asked) return null;
  return answer.moves.find((move) => move.move === said.move) ?? null;
}
