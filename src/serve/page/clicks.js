// From clicks on places to a move: a move is clicked as the place that a figure leaves, the place where it arrives, and what else changes.

/** The clicks that make a move. */
const pathOf = ({ from, to, others }) => ({ head: from === null ? [to] : [from, to], others });

/** Whether the clicks so far begin the move. */
function fits(places, clicks) {
  const { head, others } = pathOf(places);
  return clicks.every((at, n) => (n < head.length ? head[n] === at : others.includes(at)));
}

const isWhole = (places, clicks) => clicks.length >= pathOf(places).head.length;

/** The moves that the clicks begin. */
export const movesFrom = (moves, clicks) => moves.filter((move) => move.places && fits(move.places, clicks));

/** Where the next click may go, each with the moves that it leads to, best first. */
export function nextPlaces(moves, clicks) {
  const next = new Map();
  for (const move of movesFrom(moves, clicks)) {
    const { head, others } = pathOf(move.places);
    const ats = clicks.length < head.length ? [head[clicks.length]] : others.filter((at) => !clicks.includes(at));
    for (const at of ats) next.set(at, [...(next.get(at) ?? []), move]);
  }
  return next;
}

/** The same click in a game whose columns are clicked anywhere. */
function inColumn(moves, at, picture) {
  if (picture.ground === "lines") return at;
  const file = picture.places[at].file;
  const heads = moves.filter((move) => move.places?.from === null && picture.places[move.places.to].file === file);
  return heads.length === 1 ? heads[0].places.to : at;
}

/** What a further click does: `play` a move, `choose` among several, or go on with `clicks`. */
export function click(moves, clicks, at, picture) {
  let next = [...clicks, at];
  let found = movesFrom(moves, next);
  if (found.length === 0) {
    next = [clicks.length === 0 ? inColumn(moves, at, picture) : at];
    found = movesFrom(moves, next);
  }
  if (found.length === 0 || clicks.at(-1) === at) return { clicks: [] };
  if (found.length === 1 && isWhole(found[0].places, next)) return { play: found[0], clicks: [] };
  const isEnd = found.every((move) => nextPlaces([move], next).size === 0);
  return isEnd ? { choose: found, clicks: next } : { clicks: next };
}
