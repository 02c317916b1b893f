// Links to positions: the solution, the start of the game, its moves, and the current position, in the fragment of
// the address.

/** Parses the address. */
export function readLink() {
  const said = new URLSearchParams(location.hash.slice(1));
  const moves = said.get("moves");
  return {
    id: said.get("s"),
    start: said.get("p") ?? "start",
    moves: moves ? moves.split(" ") : [],
    at: said.has("at") ? Number(said.get("at")) : null,
    view: said.get("view") === "solution" ? "solution" : "board",
  };
}

/** Writes the current state to the address. */
export function writeLink({ id, start, course, at, view }) {
  const said = new URLSearchParams({ s: id });
  if (start !== "start") said.set("p", start);
  if (course.length > 0) {
    said.set("moves", course.map((ply) => ply.move).join(" "));
    if (at < course.length) said.set("at", at);
  }
  if (view !== "board") said.set("view", view);
  history.replaceState(null, "", "#" + said);
}
