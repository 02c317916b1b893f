// Words and letters for values. Letters say what colours say.

const LETTERS = { win: "W", draw: "D", loss: "L", unknown: "?", "not covered": "\u2013" };
const TURNED = { win: "loss", loss: "win" };

/** What a move is worth for the side that makes it: the answer's categories are those of the side that moves next. */
export function ofMove(move) {
  const category = TURNED[move.category] ?? move.category;
  const depth = move.dtw === null ? null : move.dtw + 1;
  return { category, depth, rank: move.rank === undefined ? null : -move.rank, score: move.score };
}

export const letter = (category) => LETTERS[category] ?? "?";

/** `W5`, or `D` and such. */
export function brief(value) {
  return letter(value.category) + (value.depth ?? "");
}

/** `win in 5 plies`, in words. */
export function words({ category, depth, score, distance, rank }) {
  const plies = depth === null || depth === undefined ? "" : ` in ${depth} ${depth === 1 ? "ply" : "plies"}`;
  const ranked = rank === null || rank === undefined ? "" : `, rank ${rank > 0 ? "+" : ""}${rank}`;
  const scored = score === null || score === undefined ? "" : `, ${score > 0 ? "+" : ""}${score} for the first`;
  const far = distance === null || distance === undefined ? "" : ` in ${distance}`;
  return category + plies + ranked + far + scored;
}
