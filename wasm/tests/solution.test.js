// Answers of the module, compared with those of the program. `.ci/wasm` provides the program and the solutions: NERODE is the
// program, and NERODE_DATA a folder of packed solutions.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { load, NerodeError, Solution } from "../npm/index.js";

const { NERODE: program, NERODE_DATA: data } = process.env;
assert(program && data, "set NERODE to the program and NERODE_DATA to the folder of packed solutions");

const filesOf = (name) => Object.fromEntries(readdirSync(join(data, name)).map((file) => [file, readFileSync(join(data, name, file))]));
const open = (name, options) => Solution.open(filesOf(name), options);

/** A small generator of numbers, so that a failure can be repeated. */
const random = (seed) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};

/** Returns what the program answers for positions, with their moves. */
function expected(name, positions) {
  const input = positions.map((position) => position + "\n").join("");
  const done = spawnSync(program, ["query", join(data, name), "--batch", "--moves", "--any"], { input, encoding: "utf8", maxBuffer: 1 << 30 });
  assert.equal(done.status, 0, done.stderr);
  return done.stdout.trim().split("\n").map((line) => JSON.parse(line));
}

/** Returns every position that play reaches. */
function reached(solution) {
  const found = new Set([solution.about().start]);
  for (const position of found) for (const move of solution.evaluateAll([position], { moves: true })[0].moves) found.add(move.position);
  return [...found];
}

/** Returns the positions of random games. */
function walked(solution, most) {
  const draw = random(7), found = new Set();
  while (found.size < most) {
    let at = solution.about().start;
    for (let moves; (moves = solution.evaluateAll([at], { moves: true })[0].moves).length > 0 && found.size < most;) {
      found.add(at);
      at = moves[Math.floor(draw() * moves.length)].position;
    }
  }
  return [...found];
}

const keys = ["position", "side", "category", "dtw", "dtw_at_most", "score", "lower", "upper", "move"];
const known = (one) => Object.fromEntries(keys.filter((key) => one[key] !== undefined).map((key) => [key, one[key]]));

/** Compares all answers, with moves in any order of equally good ones. */
function agree(name, solution, positions) {
  const answers = solution.evaluateAll(positions, { any: true, moves: true });
  for (const [n, want] of expected(name, positions).entries()) {
    assert.deepEqual(known(answers[n]), known(want), positions[n]);
    assert.deepEqual(answers[n].moves.map(known), want.moves.map(known), positions[n]);
  }
  return answers;
}

test("every position of tic-tac-toe has the value, the depth and the moves that the program prints", async () => {
  const solution = await open("tictactoe");
  const positions = reached(solution);
  assert.equal(positions.length, 5478);
  agree("tictactoe", solution, positions);
});

test("positions of random games of breakthrough have the values that the program prints", async () => {
  const solution = await open("breakthrough");
  const answers = agree("breakthrough", solution, walked(solution, 3000));
  for (const category of ["win", "loss"]) assert(answers.filter((one) => one.category === category).length > 300, category);
});

test("positions of a game from a file have the values that the program prints", async () => {
  const solution = await open("file");
  agree("file", solution, walked(solution, 1000));
  assert.equal(solution.query("start", { picture: true }).picture.places.length, 9);
  assert(solution.draw("start").startsWith("<svg"));
});

test("positions in sectors have the values that the program prints", async () => {
  const solution = await open("sectors");
  agree("sectors", solution, walked(solution, 1000));
});

test("reached positions have values, and bounds that the program's searches confirm", async () => {
  const solution = await Solution.open({ "reached.packed": readFileSync(join(data, "reached", "reached.packed")) });
  const positions = walked(solution, 300);
  const found = solution.evaluateAll(positions);
  for (const [n, want] of expected("reached", positions).entries()) {
    assert.equal(found[n].category, want.category, positions[n]);
    if (found[n].dtw_at_most === undefined) assert.equal(found[n].dtw, want.dtw, positions[n]);
    else assert((want.dtw ?? want.dtw_at_most) <= found[n].dtw_at_most, positions[n]);
  }
});

test("cells are looked up as texts are", async () => {
  const solution = await open("tictactoe");
  for (const position of reached(solution)) {
    const [board, side] = position.split(" ");
    const cells = [];
    for (const rank of board.split("/").reverse()) {
      for (const mark of rank) /\d/.test(mark) ? cells.push(...Array(Number(mark)).fill(0)) : cells.push(mark.toLowerCase() === "x" ? 1 : 2);
    }
    const text = solution.evaluate(position, { any: true });
    const { value, depth, covered } = solution.evaluateCells(Uint8Array.from(cells), side === "X" ? "P1" : "P2");
    assert.deepEqual([value, depth ?? null, covered], [text.category, text.dtw, true], position);
  }
  assert.throws(() => solution.evaluateCells(Uint8Array.of(1, 2), "P1"), NerodeError);
  assert.throws(() => solution.evaluateCells(new Uint8Array(9).fill(9), "P1"), NerodeError);
});

test("the line, the players, the editor and the drawing follow the answers", async () => {
  const solution = await open("breakthrough");
  const start = solution.query("start", { picture: true });
  const line = solution.bestLine("start");
  assert.equal(line.line.length, start.dtw);
  assert.equal(line.end, "over");
  assert.equal(start.picture.places.length, 20);
  assert.deepEqual(solution.about().players, ["perfect", "trapping", "fallible"]);
  for (const player of solution.about().players) {
    const move = solution.choose(player, { position: "start", seed: 3 });
    assert(start.moves.some((one) => one.move === move), `${player}: ${move}`);
    assert.equal(solution.choose(player, { position: line.last }), null);
  }
  assert.throws(() => solution.choose("ranked"), /does not rank draws/);
  const first = start.moves[0];
  assert.equal(solution.query("start", { moves: first.move }).position, first.position);
  assert(solution.setup("start").changes.length > 20);
  assert(solution.draw("start").startsWith("<svg"));
});

test("mistakes are errors that say what is accepted, and the solution still answers", async () => {
  const solution = await open("tictactoe");
  assert.throws(() => solution.query("nonsense"), (error) => error instanceof NerodeError && error.accepted.length > 10);
  assert.throws(() => solution.query("xxx/3/3 o"), NerodeError);
  assert.equal(solution.query("xxx/3/3 o", { any: true }).legal, false);
  assert.throws(() => solution.ask({ request: "nothing" }), /malformed request/);
  assert.equal(solution.evaluateAll(["start", "?"])[1].error.detail.length > 0, true);
  assert.equal(solution.query().category, "draw");
  solution.close();
  assert.throws(() => solution.query(), /closed/);
  await assert.rejects(Solution.open({}), NerodeError);
  await assert.rejects(Solution.open({ "values.json": new Uint8Array(0) }), NerodeError);
});

test("damaged and truncated files are errors and never traps", async () => {
  const draw = random(11);
  for (const name of ["tictactoe", "reached", "sectors"]) {
    const files = filesOf(name);
    const solution = await Solution.open(files);
    const positions = walked(solution, 20);
    const right = JSON.stringify(solution.evaluateAll(positions));
    let failed = 0;
    for (let round = 0; round < 150; round++) {
      const names = Object.keys(files), damaged = { ...files };
      const at = names[Math.floor(draw() * names.length)];
      const bytes = Uint8Array.from(files[at]);
      if (round % 3 === 0) damaged[at] = bytes.subarray(0, Math.floor(draw() * bytes.length));
      else {
        for (let n = 0; n <= round % 5; n++) bytes[Math.floor(draw() * bytes.length)] ^= 1 << Math.floor(draw() * 8);
        damaged[at] = bytes;
      }
      try {
        const said = JSON.stringify((await Solution.open(damaged)).evaluateAll(positions));
        if (said.includes('"error"')) failed += 1;
        else assert.equal(said, right, `${name}: ${at}, round ${round}`);
      } catch (error) {
        assert(error instanceof NerodeError, `${name}: ${at}, round ${round}: ${error.stack}`);
        failed += 1;
      }
    }
    assert(failed > 100, `${name}: only ${failed} of 150 damaged solutions failed`);
  }
});

test("files are read in parts, and the failure of a source is the cause of the error", async () => {
  const bytes = readFileSync(join(data, "reached", "reached.packed"));
  let read = 0, isBroken = false;
  const source = {
    length: bytes.length,
    read(at, to) {
      if (isBroken) throw new Error("the network is down");
      read += to.length;
      to.set(bytes.subarray(at, at + to.length));
    },
  };
  const solution = await Solution.open({ "reached.packed": source }, { cacheBytes: 1 << 12 });
  const opened = read;
  assert(opened < bytes.length, `${opened} of ${bytes.length} bytes`);
  assert.notEqual(solution.evaluate("start").category, "unknown");
  isBroken = true;
  const broken = await Solution.open({ "reached.packed": { ...source, read: () => { throw new Error("the network is down"); } } }).catch((error) => error);
  assert(broken instanceof NerodeError);
  assert.equal(broken.cause.message, "the network is down");
});

test("two solutions are independent, and a lying source does not harm", async () => {
  const [one, other] = await Promise.all([open("tictactoe"), open("breakthrough")]);
  one.close();
  assert.equal(other.query().category, "loss");
  for (const length of [Number.NaN, -5, Infinity, 2 ** 52, 2 ** 32]) {
    const liar = { length, read: () => {} };
    await assert.rejects(Solution.open({ "values.json": liar }), NerodeError, String(length));
    await assert.rejects(Solution.open({ "reached.packed": liar }), NerodeError, String(length));
  }
});

test("the module is compiled once", async () => {
  assert.equal(await load(), await load());
});
