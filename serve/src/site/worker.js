// The worker of a site without a server: it answers requests with the module, and fetches the parts of packed files that the
// module reads. Within a worker, the module can wait for a request.

import { load, Solution } from "./nerode.js";

/** The length of the parts of large files that are fetched at once: longer ones save few requests of scattered reads. */
const BLOCK = 8 << 10;
/** The length up to which a file is fetched completely when it is first read. */
const SMALL = 256 << 10;
/** The length up to which a file is fetched completely once this number of its parts have been fetched. */
const MEDIUM = 2 << 20, ENOUGH = 32;
/** The number of parts of a file that are kept. */
const KEPT = 4096;

load().catch(() => {});

/** Fetches the bytes of a file from `from` up to, but excluding, `to`. */
function fetched(address, from, to, length) {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  request.responseType = "arraybuffer";
  const isPart = to - from < length;
  if (isPart) request.setRequestHeader("Range", `bytes=${from}-${to - 1}`);
  request.send();
  const bytes = new Uint8Array(request.response ?? new ArrayBuffer(0));
  // A server without range requests sends the whole file.
  if (request.status === 200 && bytes.length === length) return { bytes, isWhole: true };
  if (isPart && request.status === 206 && bytes.length === to - from) return { bytes, isWhole: false };
  throw new Error(`the file ${address} cannot be read: status ${request.status}, ${bytes.length} bytes`);
}

/** Returns a file of the site as a source of ranges. */
function remote(address, length) {
  let whole = null, requests = 0;
  const blocks = new Map();
  const part = (from, to) => {
    const got = fetched(address, from, to, length);
    requests += 1;
    if (got.isWhole) whole = got.bytes;
    return got.isWhole ? got.bytes.subarray(from, to) : got.bytes;
  };
  const block = (at) => {
    const bytes = blocks.get(at) ?? part(at * BLOCK, Math.min(length, (at + 1) * BLOCK));
    blocks.delete(at);
    blocks.set(at, bytes);
    if (blocks.size > KEPT) blocks.delete(blocks.keys().next().value);
    return bytes;
  };
  return {
    length,
    read(at, to) {
      const isAll = at === 0 && to.length === length;
      if (!whole && (isAll || length <= (requests < ENOUGH ? SMALL : MEDIUM))) {
        const { bytes } = fetched(address, 0, length, length);
        // The module keeps what it reads completely.
        if (isAll) return to.set(bytes);
        whole = bytes;
      }
      for (let done = 0; done < to.length;) {
        const from = at + done;
        const bytes = whole ? whole.subarray(from, at + to.length) : block(Math.floor(from / BLOCK)).subarray(from % BLOCK);
        const some = bytes.subarray(0, to.length - done);
        if (some.length === 0) throw new Error(`the file ${address} is shorter than ${at + to.length} bytes`);
        to.set(some, done);
        done += some.length;
      }
    },
  };
}

/** The solutions that have been opened. */
const solutions = new Map();

function opened({ id, folder, version, files }) {
  if (!solutions.has(id)) {
    const address = (name) => new URL(`${folder}packed/${encodeURIComponent(name)}?${version}`, import.meta.url).href;
    const sources = files.map(({ name, bytes }) => [name, remote(address(name), bytes)]);
    solutions.set(id, Solution.open(Object.fromEntries(sources)));
    solutions.get(id).catch(() => solutions.delete(id));
  }
  return solutions.get(id);
}

onmessage = async ({ data }) => {
  const { number, request, id } = data;
  try {
    postMessage({ number, answer: (await opened(data)).ask(request) });
  } catch (error) {
    // After a failure that the module cannot handle, the solution is opened anew.
    if (error instanceof WebAssembly.RuntimeError) solutions.delete(id);
    const message = [error.message, error.cause?.message].filter(Boolean).join(": ");
    postMessage({ number, error: { message, accepted: error.accepted } });
  }
};
