// Links to positions: the solution, the start of the game, its moves, the current position, the view and the players, in the fragment
// of the address; and the history of the browser.

/** The address that was written last. */
let written = null;

/** Parses the address. */
export function readLink() {
  const said = new URLSearchParams(location.hash.slice(1));
  const moves = said.get("moves");
  return {
    id: said.get("s"),
    start: said.get("p") ?? "start",
    moves: moves ? moves.split(" ") : [],
    at: said.has("at") ? Number(said.get("at")) : null,
    view: ["solution", "home"].includes(said.get("view")) ? said.get("view") : "board",
    seats: { P1: said.get("first"), P2: said.get("second") },
    values: said.has("values") ? said.get("values") !== "0" : null,
  };
}

/** Returns the address of the current state. */
function linkOf({ id, start, course, at, view, values, seats }) {
  if (view === "home" || !id) return location.pathname + location.search;
  const said = new URLSearchParams({ s: id });
  if (start !== "start") said.set("p", start);
  if (course.length > 0) {
    said.set("moves", course.map((ply) => ply.move).join(" "));
    if (at < course.length) said.set("at", at);
  }
  if (view !== "board") said.set("view", view);
  if (values) said.set("values", "1");
  if (seats.P1) said.set("first", seats.P1);
  if (seats.P2) said.set("second", seats.P2);
  return "#" + said;
}

/**
 * Writes the current state to the address. A step of the user adds an entry to the history of the browser, so that its
 * Back button returns to the state before; anything else replaces the entry.
 */
export function remember(state, isStep) {
  const { id, start, course, at, variations, view, seats } = state;
  const link = linkOf(state);
  const entry = { id, start, course, at, variations, view, seats: { ...seats } };
  if (isStep && written !== null && link !== written) history.pushState(entry, "", link);
  else history.replaceState(entry, "", link);
  written = link;
}

/** Notes that the browser has changed the address itself. */
export function followed(state) {
  written = linkOf(state);
}
