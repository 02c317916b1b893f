// Packed solutions of board games in browsers and Node. `index.d.ts` documents every function.

const encoder = new TextEncoder(), decoder = new TextDecoder();

/** The module, compiled once. */
let compiled = null;

/** Compiles the module from an address, a response, bytes, or the file next to this script. */
async function compile(source = new URL("nerode.wasm", import.meta.url)) {
  const given = await source;
  if (given instanceof WebAssembly.Module) return given;
  if (given instanceof URL || typeof given === "string") {
    const address = new URL(given, import.meta.url);
    if (address.protocol !== "file:") return compile(fetch(address));
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(address));
  }
  if (!(typeof Response === "function" && given instanceof Response)) return WebAssembly.compile(given);
  if (!given.ok) throw new Error(`the module cannot be loaded: status ${given.status}`);
  // Servers that do not know the media type of modules do not allow them to be compiled while they arrive.
  const isKnown = given.headers.get("Content-Type")?.startsWith("application/wasm");
  return isKnown ? WebAssembly.compileStreaming(given) : WebAssembly.compile(await given.arrayBuffer());
}

/** Loads the module, once. Calling it early hides the time that this takes. */
export function load(source) {
  compiled ??= compile(source).catch((error) => { compiled = null; throw error; });
  return compiled;
}

/** A failure of a request, with a description of what would be accepted. */
export class NerodeError extends Error {
  constructor({ detail, accepted }) {
    super(detail);
    this.name = "NerodeError";
    this.accepted = accepted;
  }
}

/** A file in memory as a source of ranges. */
const inMemory = (bytes) => ({
  length: bytes.byteLength,
  read: (at, to) => to.set(new Uint8Array(bytes.buffer ?? bytes, (bytes.byteOffset ?? 0) + at, to.length)),
});

/** Accepts bytes, or an object with `length` and `read`. */
const sourceOf = (file) => (file instanceof ArrayBuffer || ArrayBuffer.isView(file) ? inMemory(file) : file);

const VALUES = [null, "loss", "draw", "win"];

export class Solution {
  #exports;
  #handle;
  #files;
  #failure = null;

  /** Opens a packed solution. */
  static async open(files, { module, cacheBytes = 16 << 20 } = {}) {
    const solution = new Solution();
    solution.#files = new Map(Object.entries(files).map(([name, file]) => [name, sourceOf(file)]));
    const instance = await WebAssembly.instantiate(await load(module), { host: solution.#host() });
    solution.#exports = instance.exports;
    // Packed values of reached positions are a single file; everything else has a manifest.
    const names = [...solution.#files.keys()];
    const single = names.includes("values.json") || names.includes("packed.json") ? "" : names.length === 1 ? names[0] : "";
    solution.#write(single);
    solution.#handle = Number(solution.#result(solution.#run(() => solution.#exports.open(0, cacheBytes))));
    return solution;
  }

  /** The functions that the module calls. What they throw becomes the cause of the failure of the request. */
  #host() {
    const bytes = (at, count) => new Uint8Array(this.#exports.memory.buffer, at >>> 0, count);
    const file = (name, count) => this.#files.get(decoder.decode(bytes(name, count)));
    const guarded = (failed, work) => {
      try {
        return work();
      } catch (error) {
        this.#failure = error;
        return failed;
      }
    };
    return {
      file_length: (_, name, count) => guarded(-2, () => file(name, count)?.length ?? -1),
      file_read: (_, name, count, at, to, length) => guarded(1, () => {
        const returned = file(name, count).read(at, bytes(to, length));
        if (typeof returned?.then === "function") throw new TypeError("read must copy the bytes before it returns, but it returned a promise");
        return 0;
      }),
    };
  }

  /** Calls the module. After a failure that it cannot handle, such as a lack of memory, it is not called again. */
  #run(work) {
    if (!this.#exports) throw new Error("the solution is closed");
    try {
      this.#failure = null;
      return work();
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) this.#exports = null;
      throw error;
    }
  }

  /** Writes bytes or text for the next call. */
  #write(what) {
    const given = typeof what === "string" ? encoder.encode(what) : what;
    const at = this.#run(() => this.#exports.reserve(given.length));
    if (at === 0) throw new Error("out of memory");
    new Uint8Array(this.#exports.memory.buffer, at >>> 0, given.length).set(given);
  }

  /** Reads the result of a call with this code, or throws its failure. */
  #result(code) {
    const { memory, result, result_bytes: count } = this.#exports;
    const said = JSON.parse(decoder.decode(new Uint8Array(memory.buffer, result() >>> 0, count())));
    if (code === 0) return said;
    throw Object.assign(new NerodeError(said), this.#failure ? { cause: this.#failure } : {});
  }

  /** Answers a request. */
  ask(request) {
    this.#write(JSON.stringify(request));
    return this.#result(this.#run(() => this.#exports.ask(this.#handle)));
  }

  about() {
    return this.ask({ request: "about" });
  }

  query(position, options = {}) {
    return this.ask({ request: "position", position, ...options });
  }

  evaluate(position, { any = false } = {}) {
    const [found] = this.evaluateAll([position], { any });
    if (found.error) throw new NerodeError(found.error);
    return found;
  }

  evaluateAll(positions, { any = false, moves = false } = {}) {
    return this.ask({ request: "positions", positions, any, moves });
  }

  evaluateCells(cells, side) {
    this.#write(cells);
    const found = this.#run(() => this.#exports.look_up(this.#handle, side === "P2" ? 1 : 0));
    if (found === -1) this.#result(found);
    const depth = found >> 5;
    return { value: VALUES[found & 3], covered: (found & 4) !== 0, depth: found & 8 ? depth : null, depthAtMost: found & 16 ? depth : null };
  }

  cells(position) {
    const { cells, side } = this.ask({ request: "cells", position, any: true });
    return { cells: Uint8Array.from(cells), side };
  }

  bestLine(position, { any = false } = {}) {
    return this.ask({ request: "line", position, any });
  }

  choose(player, { position, moves = [], any = false, seed = 0 } = {}) {
    return this.ask({ request: "choose", player, position, moves: moves.join(" "), any, seed }).move;
  }

  setup(position) {
    return this.ask({ request: "setup", position, any: true });
  }

  draw(position) {
    return this.ask({ request: "board", position, any: true }).svg;
  }

  close() {
    this.#exports?.close(this.#handle);
    this.#exports = null;
    this.#files = new Map();
  }
}
