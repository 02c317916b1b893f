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

/** Returns true if no further click belongs to the move. */
const isDone = (places, clicks) => isWhole(places, clicks) && pathOf(places).others.every((at) => clicks.includes(at));

/** Returns the moves that begin with the clicks. */
export const movesFrom = (moves, clicks) => moves.filter((move) => move.places && fits(move.places, clicks));

/**
 * Returns the possible places of the next click, each with the moves to which it leads, best first. A second click on the last
 * place makes a move that needs no other one, such as that of a piece which leaves the board but could also go elsewhere.
 */
export function nextPlaces(moves, clicks) {
  const next = new Map();
  for (const move of movesFrom(moves, clicks)) {
    const { head, others } = pathOf(move.places);
    const left = clicks.length < head.length ? [head[clicks.length]] : others.filter((at) => !clicks.includes(at));
    const ats = isDone(move.places, clicks) ? [clicks.at(-1)] : left;
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
  if (clicks.at(-1) === at) {
    const done = movesFrom(moves, clicks).filter((move) => isDone(move.places, clicks));
    if (done.length === 1) return { play: done[0], clicks: [] };
    return done.length > 1 ? { choose: done, clicks } : { clicks: [] };
  }
  let next = [...clicks, at];
  let found = movesFrom(moves, next);
  if (found.length === 0) {
    next = [clicks.length === 0 ? inColumn(moves, at, picture) : at];
    found = movesFrom(moves, next);
  }
  if (found.length === 0) return { clicks: [] };
  if (found.length === 1 && isWhole(found[0].places, next)) return { play: found[0], clicks: [] };
  const isEnd = found.every((move) => isDone(move.places, next));
  return isEnd ? { choose: found, clicks: next } : { clicks: next };
}
