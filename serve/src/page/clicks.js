// Translation of clicks on places to moves. A move is entered by clicking the place that a piece leaves, its
// destination, and any other places that change.

/** Returns the clicks that make a move. */
const pathOf = ({ from, to, others }) => ({ head: from === null ? [to] : [from, to], others });

/** Returns true if the move begins with the clicks so far. */
function fits(places, clicks) {
  const { head, others } = pathOf(places);
  return clicks.every((at, n) => (n < head.length ? head[n] === at : others.includes(at)));
}

const isWhole = (places, clicks) => clicks.length >= pathOf(places).head.length;

/** Returns the moves that begin with the clicks. */
export const movesFrom = (moves, clicks) => moves.filter((move) => move.places && fits(move.places, clicks));

/** Returns the possible places of the next click, each with the moves to which it leads, best first. */
export function nextPlaces(moves, clicks) {
  const next = new Map();
  for (const move of movesFrom(moves, clicks)) {
    const { head, others } = pathOf(move.places);
    const ats = clicks.length < head.length ? [head[clicks.length]] : others.filter((at) => !clicks.includes(at));
    for (const at of ats) next.set(at, [...(next.get(at) ?? []), move]);
  }
  return next;
}

/** Converts a click for games in which a column can be clicked anywhere. */
function inColumn(moves, at, picture) {
  if (picture.ground === "lines") return at;
  const file = picture.places[at].file;
  const heads = moves.filter((move) => move.places?.from === null && picture.places[move.places.to].file === file);
  return heads.length === 1 ? heads[0].places.to : at;
}

/** Returns the effect of a further click: `play` a move, `choose` among several, or continue with `clicks`. */
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
