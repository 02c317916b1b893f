// Words and letters for values. The letters convey the same information as the colours.

const LETTERS = { win: "W", draw: "D", loss: "L", unknown: "?", "not covered": "\u2013" };
const TURNED = { win: "loss", loss: "win" };

const isGiven = (number) => number !== null && number !== undefined;
const plural = (depth) => `${depth} ${depth === 1 ? "ply" : "plies"}`;
const signed = (number) => (number > 0 ? `+${number}` : String(number).replace("-", "\u2212"));

/**
 * Returns the evaluation of a move for the side that makes it. The categories in the answer are those of the next
 * side to move.
 */
export function ofMove(move) {
  const category = TURNED[move.category] ?? move.category;
  const depth = isGiven(move.dtw) ? move.dtw + 1 : null;
  const lower = TURNED[move.upper] ?? move.upper, upper = TURNED[move.lower] ?? move.lower;
  return { category, depth, rank: isGiven(move.rank) ? -move.rank : null, score: move.score, lower, upper };
}

export const letter = (category) => LETTERS[category] ?? "?";

/** Returns true if a search has narrowed the value, but not decided it. */
const isRange = ({ lower, upper }) => lower !== undefined && lower !== upper;

/** Returns the lead of the side to which a value belongs. Scores count from the point of view of the first player. */
const lead = ({ category, score }) => ({ win: Math.abs(score), loss: -Math.abs(score) })[category] ?? 0;

/** Formats a value briefly: `W5`, or `D`, `W+4` for a lead of four, `D+2` for a draw of rank two, or `\u2265D` for at least a draw. */
export function brief(value) {
  if (isRange(value)) return value.upper === "win" ? `\u2265${letter(value.lower)}` : `\u2264${letter(value.upper)}`;
  if (isGiven(value.score) && value.category !== "draw") return letter(value.category) + signed(lead(value));
  if (isGiven(value.rank) && value.category === "draw") return letter(value.category) + signed(value.rank);
  return letter(value.category) + (value.depth ?? "");
}

/** Formats a value in words, such as `win in 5 plies`. */
export function words(value) {
  const { category, depth, score, distance, rank, lower, upper } = value;
  if (isRange({ lower, upper })) return upper === "win" ? `at least a ${lower}` : `at most a ${upper}`;
  if (category === "not covered") return "not in this solution";
  if (category === "unknown") return "not decided yet";
  const plies = isGiven(depth) ? ` in ${plural(depth)}` : "";
  const ranked = isGiven(rank) ? `, rank ${signed(rank)}` : "";
  const scored = isGiven(score) && category !== "draw" ? ` by ${Math.abs(score)}` : "";
  const far = isGiven(distance) && !plies ? ` in ${plural(distance)}` : "";
  const unsaid = (category === "win" || category === "loss") && !plies && !scored ? " (depth not stored)" : "";
  return category + plies + scored + unsaid + ranked + (category === "draw" ? "" : far);
}

const ORDER = { loss: 0, draw: 1, win: 2 };

/**
 * Judges a move by the values before and after it, both for the side that made it: `??` if it turned a win into a loss,
 * `?` if it threw away a win or a draw, or made a score worse, and otherwise the empty string. Returns null if a value
 * is not known.
 */
export function judged(before, after) {
  if (!(before.category in ORDER) || !(after.category in ORDER)) return null;
  const lost = ORDER[before.category] - ORDER[after.category];
  const worse = isGiven(before.score) && isGiven(after.score) && lead(before) > lead(after);
  const mark = lost >= 2 ? "??" : lost === 1 || worse ? "?" : "";
  const gone = lost > 0 ? `threw away a ${words(before)}` : worse ? `gave away ${lead(before) - lead(after)}` : "";
  return { mark, words: gone };
}

/**
 * Returns the height of a value on a curve, from -1 for a loss of the first player to 1 for a win. Short wins are higher
 * than long ones. Returns null if the value is not known.
 */
export function height({ category, dtw, score, side }, most) {
  if (!(category in ORDER)) return null;
  if (isGiven(score)) return Math.max(-1, Math.min(1, score / Math.max(1, most)));
  const towards = (ORDER[category] - 1) * (side === "P1" ? 1 : -1);
  return towards === 0 ? 0 : towards * (isGiven(dtw) ? 1 - 0.6 * Math.min(1, dtw / Math.max(1, most)) : 0.8);
}
