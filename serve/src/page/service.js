// The interface between the page and the source of its answers. Every request of the page is a method of `service`, so
// that another source of answers, such as a module that runs in the browser, can take the place of the service.

/** The address of all requests, relative to the page, so that a proxy may serve both below any path. */
const BASE = "api/v1/";

/** The requests to the service over HTTP. Each returns the document of the service, or throws an error with its message. */
export const service = {
  /** Whether a service answers, which also offers requests for programs. */
  isServed: true,
  solutions: () => ask("solutions"),
  about: (id) => ask(`${id}/about`),
  /** The value and the moves of a position, with its board, also if it cannot occur in play. */
  position: (id, position) => ask(id, { position, any: true, picture: true }),
  /** The value of a position as found by a short search, if the solution leaves it open. */
  search: (id, position, plies) => ask(id, { position, picture: true, search_plies: plies }),
  /** The values of many positions; with `moves`, also their moves. */
  positions: (id, positions, moves = true) => batch(id, positions, moves),
  line: (id, position) => ask(`${id}/line`, { position }),
  choose: (id, wish) => ask(`${id}/choose`, wish),
  sample: (id, wish) => ask(`${id}/sample`, wish),
  /** A page of all positions of a value and depth. */
  listed: (id, wish) => ask(`${id}/positions`, wish),
  stats: (id) => ask(`${id}/stats`),
  set: (id, name, position) => ask(`${id}/sets/${name}`, { position }),
  setup: (id, position) => ask(`${id}/setup`, { position }),
  offers: () => ask("offers"),
  solve: (game) => send("offers", "POST", { game }),
  cancel: (id) => send(`offers/${id}`, "DELETE"),
  /** The address of a drawing of a position. */
  pictureOf: (id, position) => `${BASE}${id}/board?${new URLSearchParams({ position })}`,
};

/** Replaces methods of `service` by those of another source. */
export const answerFrom = (source) => Object.assign(service, source);

const send = (path, method, body) => answer(BASE + path, { method, headers: { "Content-Type": "application/json" }, body: body && JSON.stringify(body) });

function ask(path, parameters = {}) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null)).toString();
  return answer(BASE + path + (query ? "?" + query : ""));
}

async function batch(id, positions, moves) {
  if (positions.length === 0) return [];
  const body = positions.map((position) => position + "\n").join("");
  const response = await sent(`${BASE}${id}?any=true${moves ? "&moves=true" : ""}`, { method: "POST", body });
  if (!response.ok) throw refused(response, await documentOf(response));
  const text = await response.text();
  return text.trim().split("\n").map((line) => JSON.parse(line));
}

async function answer(address, how) {
  const response = await sent(address, how);
  const body = await documentOf(response);
  if (!response.ok || body === null) throw refused(response, body);
  return body;
}

/** Returns the document of a response, or null if it is not one, as from a proxy whose service does not respond. */
const documentOf = (response) => response.json().catch(() => null);

const refused = ({ status }, body) => Object.assign(new Error(body?.detail ?? `the service does not respond (status ${status}); try again`), body);

async function sent(address, how) {
  try {
    return await fetch(address, how);
  } catch {
    throw new Error("the service does not respond; check that it is still running");
  }
}
