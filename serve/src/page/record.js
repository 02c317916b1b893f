// Records of games: variations that were left, and records as text in Portable Game Notation, which `nerode analyse` reads too.

import { $, h, refill, save } from "./dom.js";
import { beginElsewhere, lookAt, play, playerName, state } from "./game.js";
import { judgementAt } from "./story.js";

/** The number of characters of a line of text. */
const LINE = 80;
const RESULTS = ["1-0", "0-1", "1/2-1/2", "\u00bd-\u00bd", "*"];

/** Lists the variations. `show` makes one of them the game, and `remove` deletes one. */
export function drawVariations({ show, remove }) {
  const { variations, course } = state;
  $("variations").hidden = variations.length === 0;
  const row = (line, n) => {
    const from = branchOf(line, course);
    const text = written(line.slice(from), from);
    return h("li", {}, h("button", { type: "button", title: "Show this variation", onclick: () => show(line, from) }, text),
      h("button", { type: "button", class: "remove", "aria-label": `Remove the variation ${text}`, onclick: () => remove(n) }, "\u00d7"));
  };
  refill($("variations"), ...(variations.length > 0 ? [h("h3", {}, variations.length === 1 ? "Variation" : "Variations"), h("ol", {}, variations.map(row))] : []));
}

/** Returns the number of plies that a variation has in common with a game. */
const branchOf = (line, course) => line.findIndex((ply, n) => ply.move !== course[n]?.move);

/** Writes plies with their numbers. The first one is ply `from` of the game. */
function written(plies, from, told = () => "") {
  const number = (n) => (n % 2 === 0 ? `${n / 2 + 1}. ` : n === from ? `${(n - 1) / 2 + 1}... ` : "");
  return plies.map((ply, n) => number(from + n) + ply.move + told(from + n)).join(" ");
}

/** Returns the record as text. `isTold` says whether it contains what the values of the moves show. */
function textOf(isTold) {
  const { about, start, course, answer, at, variations, seats } = state;
  const isOver = answer.game_over && at === course.length;
  const result = !isOver ? "*" : answer.winner === "P1" ? "1-0" : answer.winner === "P2" ? "0-1" : "1/2-1/2";
  const tag = (name, value) => `[${name} "${value.replace(/["\\]/g, "\\$&")}"]`;
  const player = (side) => (seats[side] ? playerName(seats[side]) : "a person");
  const heads = [tag("Game", about.game), ...(start === "start" ? [] : [tag("FEN", start)]), tag("White", player("P1")), tag("Black", player("P2")), tag("Result", result)];
  const told = (n) => {
    const judged = isTold ? judgementAt(state, n) : null;
    return (judged?.mark ?? "") + (judged?.words ? ` {${judged.words}}` : "");
  };
  // A variation follows the move that it replaces.
  const branches = variations.map((line) => [branchOf(line, course), line]);
  const after = (n) => branches.filter(([from]) => from === n).map(([from, line]) => ` (${written(line.slice(from), from)})`).join("");
  const words = `${written(course, 0, (n) => told(n) + after(n))} ${result}`.trim().split(" ");
  const lines = [""];
  for (const word of words) {
    const last = lines.at(-1);
    if (last && last.length + word.length >= LINE) lines.push(word); else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return `${heads.join("\n")}\n\n${lines.join("\n")}\n`;
}

export const saveRecord = (isTold) => save(textOf(isTold), "application/vnd.chess-pgn", `${state.id}.pgn`);

/** Parses a record: its start position, its moves, and its variations as lists of moves from the start. */
export function parse(text) {
  const tags = new Map();
  const moves = text.replace(/^\s*\[(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*$/gm, (_, name, value) => { tags.set(name.toLowerCase(), value.replace(/\\(.)/g, "$1")); return " "; })
    .replace(/\{[^}]*\}/g, " ").replace(/[;#].*$/gm, " ").replace(/[()]/g, " $& ");
  const main = [], others = [], open = [];
  let line = main;
  for (const word of moves.replace(/\$\d+/g, " ").split(/[\s,]+/)) {
    const move = word.replace(/^\d+\.+/, "").replace(/[!?]+$/, "");
    if (word === "(") {
      open.push(line);
      line = line.slice(0, -1);
      others.push(line);
    } else if (word === ")") line = open.pop() ?? line;
    else if (move && !RESULTS.includes(move)) line.push(move);
  }
  return { game: tags.get("game") ?? null, start: tags.get("fen") ?? tags.get("start") ?? null, moves: main, variations: others };
}

/** Plays moves given as text from the current position, as long as they are legal. Returns the number of moves that were played. */
async function playAll(moves) {
  let played = 0;
  for (const text of moves) {
    const move = state.answer.moves.find((known) => known.move === text);
    if (!move || !(await play(move))) break;
    played += 1;
  }
  return played;
}

/** Begins a game with `first`, plays moves, and shows the position after `at` of them, or after all. Returns the number of moves played. */
export async function replay(first, moves, at) {
  await first();
  const played = await playAll(moves);
  if (at !== null && at >= 0 && at < state.at) await lookAt({ start: state.start, course: state.course, at: Math.floor(at) });
  return played;
}

/**
 * Replaces the game by a record in text. Returns the first move that is not legal, and the number of moves before it, or null if all
 * are legal.
 */
export async function replayRecord(text) {
  const { game, start, moves, variations } = parse(text);
  if (game !== null && game !== state.about.game) throw new Error(`this is a record of ${game}, and the solution is one of ${state.about.game}`);
  const from = start ?? state.start;
  const isWrong = (played, line) => (played < line.length ? { move: line[played], played } : null);
  let wrong = isWrong(await replay(() => beginElsewhere(from), moves, null), moves);
  const { course } = state;
  for (const line of variations) {
    // The moves that a variation has in common with the game are known.
    const known = line.findIndex((move, n) => move !== course[n]?.move);
    if (known < 0 || known > course.length) continue;
    await lookAt({ start: from, course: course.slice(0, known), at: known });
    wrong ??= isWrong(known + await playAll(line.slice(known)), line);
    await lookAt({ start: from, course, at: course.length });
  }
  return wrong;
}
