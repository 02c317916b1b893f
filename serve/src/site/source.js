// The answers of a site without a server. Documents that never change are files; all others come from a module in a worker.

/** The requests that wait for the worker, by number. */
const waiting = new Map();
let worker = null;
let asked = 0;

function started() {
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data: { number, answer, error } }) => {
    const { done, failed } = waiting.get(number);
    waiting.delete(number);
    if (error) failed(Object.assign(new Error(error.message), error)); else done(answer);
  };
  worker.onerror = () => {
    for (const { failed } of waiting.values()) failed(new Error("this browser cannot run the module of this site"));
    waiting.clear();
    worker = null;
  };
  return worker;
}

/** The documents that have been requested, by address. */
const documents = new Map();

/** Returns a file of the site. */
function file(name) {
  const address = new URL(name, import.meta.url);
  if (!documents.has(name)) {
    documents.set(name, fetch(address).then((response) => {
      if (response.ok) return response.json();
      throw new Error(`the file ${name} of this site cannot be read: status ${response.status}`);
    }, () => {
      throw new Error(`the file ${name} of this site cannot be read; check the connection`);
    }));
    documents.get(name).catch(() => documents.delete(name));
  }
  return documents.get(name);
}

const folder = (id) => `data/${encodeURIComponent(id)}/`;

/** Asks the module about a solution. */
async function ask(id, request) {
  const { solutions } = await file("data/site.json");
  const one = solutions.find((known) => known.id === id);
  if (!one) throw new Error(`this site has no solution '${id}'`);
  const number = asked++;
  return new Promise((done, failed) => {
    waiting.set(number, { done, failed });
    (worker ?? started()).postMessage({ number, id, folder: folder(id), version: one.version, files: one.files, request });
  });
}

async function position(id, text) {
  const about = await file(`${folder(id)}about.json`);
  // The first position needs no module.
  if (text === about.begin || (text === "start" && about.covers_start)) return file(`${folder(id)}first.json`);
  return ask(id, { request: "position", position: text, any: true, picture: true });
}

const positions = async (id, texts, moves = true) =>
  (texts.length === 0 ? [] : ask(id, { request: "positions", positions: texts, any: true, moves }));

/** Draws positions from those that the site contains. Equal seeds lead to equal positions. */
async function sample(id, { count = 10, sector, seed = 0 }) {
  const { positions: all, sectors } = await file(`${folder(id)}sample.json`);
  const from = [...(sector ? sectors[sector] ?? [] : all)];
  const drawn = [];
  for (let state = seed >>> 0; drawn.length < count && from.length > 0;) {
    // The generator of Numerical Recipes, whose upper bits are good enough to choose positions.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    drawn.push(...from.splice(Math.floor(state / 2 ** 32 * from.length), 1));
  }
  return { positions: await positions(id, drawn, false) };
}

const absent = (what) => async () => { throw new Error(`${what} needs the service: run 'nerode serve'`); };

/** Returns the methods of the service, answered by the files of the site and the module. */
export function filesOfSite() {
  started();
  return {
    isServed: false,
    solutions: () => file("data/site.json"),
    about: (id) => file(`${folder(id)}about.json`),
    position,
    // A search needs the program.
    search: position,
    positions,
    line: (id, text) => ask(id, { request: "line", position: text, any: true }),
    choose: (id, wish) => ask(id, { request: "choose", any: true, ...wish }),
    sample,
    stats: (id) => file(`${folder(id)}stats.json`),
    listed: absent("a list of positions"),
    set: absent("the automaton of a set"),
    setup: (id, text) => ask(id, { request: "setup", position: text, any: true }),
    offers: async () => ({ offers: [], solves: [] }),
    solve: absent("solving a game"),
    cancel: absent("solving a game"),
    pictureOf: () => "#",
    drawing: async (id, text) => (await ask(id, { request: "board", position: text, any: true })).svg,
  };
}
