// A quiz: random positions in which only one move keeps the value.

import { $, h, refill } from "./dom.js";
import { state } from "./game.js";
import { service } from "./service.js";
import { ofMove, words } from "./values.js";

const ROUNDS = 8;
const POSITIONS = 60;

/** Returns a position other than that of the last question in which only one move wins, or keeps the draw, or null if none is found. */
export async function findQuestion() {
  for (let round = 0; round < ROUNDS; round++) {
    const { positions } = await service.sample(state.id, { count: POSITIONS, legal: true, seed: Math.floor(Math.random() * 2 ** 31) });
    const known = await service.positions(state.id, positions.filter((one) => ["win", "draw"].includes(one.category)).map((one) => one.position));
    const questions = known.filter((one) => isQuestion(one) && one.position !== state.quiz?.position);
    // The deepest of several positions is the most difficult one.
    if (questions.length > 0) return questions.sort((a, b) => (b.dtw ?? 0) - (a.dtw ?? 0))[0];
  }
  return null;
}

function isQuestion({ category, dtw, moves }) {
  if (!moves) return false;
  const keeping = moves.filter((move) => ofMove(move).category === category);
  const isKnown = moves.every((move) => !["unknown", "not covered"].includes(move.category));
  return moves.length > 2 && keeping.length === 1 && isKnown && dtw !== 1;
}

/** Starts a question. */
export function pose({ position, category, moves }) {
  const right = moves.find((move) => ofMove(move).category === category);
  const { asked = 0, solved = 0 } = state.quiz ?? {};
  state.quiz = { position, category, right, asked, solved, said: null };
}

/** Judges a move made in the position of the question. */
export function judge(move, from) {
  const { quiz } = state;
  if (!quiz || quiz.said || from !== quiz.position) return;
  const isRight = move.move === quiz.right.move;
  quiz.asked += 1;
  quiz.solved += Number(isRight);
  const kept = quiz.category === "win" ? "wins" : "keeps the draw";
  quiz.said = isRight ? `Correct: only ${move.move} ${kept}.` : `Wrong: ${move.move} is a ${words(ofMove(move))}. Only ${quiz.right.move} ${kept}.`;
  quiz.isRight = isRight;
}

/** Draws the quiz. `answer` plays the right move on the board, where its proof can be opened. */
export function drawQuiz({ next, end, answer }) {
  const { quiz } = state;
  const panel = $("quiz-panel");
  panel.hidden = !quiz;
  if (!quiz) return;
  const task = quiz.category === "win" ? "Only one move wins. Which one?" : "Only one move keeps the draw. Which one?";
  refill(panel, h("h2", {}, "Quiz"), h("p", { role: "status", class: quiz.said ? (quiz.isRight ? "good" : "bad") : "" }, quiz.said ?? task),
    h("p", { class: "faint" }, quiz.asked > 0 ? `${quiz.solved} of ${quiz.asked} solved` : ""),
    h("div", { class: "bar" }, h("button", { type: "button", onclick: next }, quiz.said ? "Next" : "Skip"),
      quiz.said && !quiz.isRight ? h("button", { type: "button", onclick: answer }, `Show ${quiz.right.move}`) : null,
      h("button", { type: "button", onclick: end }, "End")));
}
