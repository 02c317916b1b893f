// Words and letters for values. The letters convey the same information as the colours.

const LETTERS = { win: "W", draw: "D", loss: "L", unknown: "?", "not covered": "\u2013" };
const TURNED = { win: "loss", loss: "win" };

/**
 * Returns the evaluation of a move for the side that makes it. The categories in the answer are those of the next
 * side to move.
 */
export function ofMove(move) {
  const category = TURNED[move.category] ?? move.category;
  const depth = move.dtw === null ? null : move.dtw + 1;
  const lower = TURNED[move.upper] ?? move.upper, upper = TURNED[move.lower] ?? move.lower;
  return { category, depth, rank: move.rank === undefined ? null : -move.rank, score: move.score, lower, upper };
}

export const letter = (category) => LETTERS[category] ?? "?";

/** Returns true if a search has narrowed the value, but not decided it. */
const isRange = ({ lower, upper }) => lower !== undefined && lower !== upper;

/** Formats a value briefly, such as `W5` or `D`, or `\u2265D` for at least a draw. */
export function brief(value) {
  if (isRange(value)) return value.upper === "win" ? `\u2265${letter(value.lower)}` : `\u2264${letter(value.upper)}`;
  return letter(value.category) + (value.depth ?? "");
}

/** Formats a value in words, such as `win in 5 plies`. */
export function words({ category, depth, score, distance, rank, lower, upper }) {
  if (isRange({ lower, upper })) return upper === "win" ? `at least a ${lower}` : `at most a ${upper}`;
  if (category === "not covered") return "not in this solution";
  const plies = depth === null || depth === undefined ? "" : ` in ${depth} ${depth === 1 ? "ply" : "plies"}`;
  const ranked = rank === null || rank === undefined ? "" : `, rank ${rank > 0 ? "+" : ""}${rank}`;
  const scored = score === null || score === undefined ? "" : `, ${score > 0 ? "+" : ""}${score} for the first player`;
  const far = distance === null || distance === undefined ? "" : ` in ${distance}`;
  const unsaid = (category === "win" || category === "loss") && !plies && !scored ? " (depth not stored)" : "";
  return category + plies + unsaid + ranked + far + scored;
}
