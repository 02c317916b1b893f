// The game in progress: where it began, its moves, where one is, and what is known there.

import { ask } from "/api.js";
import { click } from "/clicks.js";

/** Most moves that a player is told. */
const KNOWN_MOVES = 300;
/** How often players may come to a position. */
const ROUNDS = 3;

export const state = {
  id: null, about: null, start: "start", course: [], at: 0, answer: null, clicks: [], choices: null,
  turned: false, view: "board", values: true, setup: null, quiz: null, seats: { P1: null, P2: null }, colours: {}, asked: 0,
};

/** The position that is looked at, as text. */
export const here = () => (state.at === 0 ? state.start : state.course[state.at - 1].position);

/** Asks for the position that is looked at. An answer that comes late, when another is wanted, is dropped. */
export async function look() {
  const turn = ++state.asked;
  const answer = await ask(state.id, { position: here(), picture: true });
  if (turn !== state.asked) return false;
  Object.assign(state, { answer, clicks: [], choices: null });
  for (const { figure } of answer.picture.places ?? []) if (figure?.owner) state.colours[figure.owner] ??= colourOf(figure);
  return true;
}

const colourOf = ({ look, light }) => ({ cross: "crosses", ring: "rings" })[look] ?? (light ? "white" : "black");

/** A side in words, with what its figures look like where that was seen. */
export const sideName = (side) => `${side === "P1" ? "First" : "Second"}${state.colours[side] ? ` (${state.colours[side]})` : ""}`;

/** Where the solution leaves something open: what a short search shows. False where it shows nothing, or another position is wanted. */
export async function lookDeeper() {
  const { answer } = state;
  const isOpen = ({ category }) => category === "unknown" || category === "not covered";
  if (answer.game_over || !(isOpen(answer) || answer.moves.some(isOpen))) return false;
  const turn = state.asked;
  const deeper = await ask(state.id, { position: here(), picture: true, search_plies: 6 });
  if (turn !== state.asked || state.clicks.length > 0) return false;
  state.answer = deeper;
  return true;
}

/** Makes a move. What came after in the record goes. */
export function play(move) {
  const side = state.answer.side;
  state.course = [...state.course.slice(0, state.at), { move: move.move, position: move.position, side, places: move.places }];
  state.at += 1;
}

/** Begins a game at a position. */
export function begin(start) {
  Object.assign(state, { start, course: [], at: 0 });
}

/** Plays moves by their texts, as far as they are legal. */
export async function replay(start, moves, at) {
  begin(start);
  await look();
  for (const text of moves) {
    const move = state.answer.moves.find((known) => known.move === text);
    if (!move) break;
    play(move);
    await look();
  }
  if (at !== null && at >= 0 && at < state.at) {
    state.at = Math.floor(at);
    await look();
  }
}

/** A click on a place. Returns the move that it makes, if it makes one. */
export function clicked(at) {
  const { answer, clicks } = state;
  const done = click(answer.moves, clicks, at, answer.picture);
  Object.assign(state, { clicks: done.clicks, choices: done.choose ?? null });
  return done.play;
}

/** Whether players that have nobody to play against go round. */
export function goesRound() {
  const { seats, course, at } = state;
  return Boolean(seats.P1 && seats.P2) && course.slice(0, at).filter((ply) => ply.position === here()).length >= ROUNDS;
}

/** The move of the player whose turn it is; null where a person has the turn or the game is over. */
export async function playerMove() {
  const { answer, id } = state;
  const player = state.seats[answer.side];
  if (!player || answer.game_over || state.at < state.course.length) return null;
  const turn = state.asked;
  // The moves so far are said too: a player that keeps no depths would else go round.
  const from = Math.max(0, state.at - KNOWN_MOVES);
  const position = from === 0 ? state.start : state.course[from - 1].position;
  const moves = state.course.slice(from, state.at).map((ply) => ply.move).join(" ");
  const said = await ask(`${id}/choose`, { position, moves, player, seed: Math.floor(Math.random() * 2 ** 31) });
  if (turn !== state.asked) return null;
  return answer.moves.find((move) => move.move === said.move) ?? null;
}
