// Links to positions: the solution, where the game began, its moves, and where one is, behind the # of the address.

/** What the address says. */
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

/** Keeps where one is in the address. */
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
