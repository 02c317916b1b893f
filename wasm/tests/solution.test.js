// Answers of the module, compared with those of the program. `.ci/wasm` provides the program and the solutions: NERODE is the
// program, and NERODE_DATA a folder of packed solutions.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { load, NerodeError, Solution } from "../npm/index.js";
import { click, nextPlaces } from "../../serve/src/page/clicks.js";

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

test("the cells of a position are looked up as the position is, and begin with the places of the picture", async () => {
  for (const name of ["tictactoe", "breakthrough", "file", "large"]) {
    const solution = await open(name), figures = new Map();
    const positions = name === "large" ? ["OO*O@***/@O**@*** w 0-0", "start"] : walked(solution, 200);
    for (const position of positions) {
      const { cells, side } = solution.cells(position);
      const text = solution.evaluate(position, { any: true });
      const { value, depth, covered } = solution.evaluateCells(cells, side);
      assert.equal(side, text.side);
      assert.deepEqual([value ?? "unknown", depth], [covered ? text.category : "unknown", text.dtw], position);
      const { places } = solution.query(position, { any: true, picture: true }).picture;
      // The game from a file begins with a cell for the turn.
      const first = name === "file" ? 1 : 0;
      assert(first + places.length <= cells.length);
      for (const [n, { figure }] of places.entries()) {
        // Every content stands for one figure.
        const content = cells[first + n], text = JSON.stringify(figure);
        if (!figures.has(content)) figures.set(content, text);
        assert.equal(figures.get(content), text, `${position}, place ${n}`);
        assert.equal(content === 0, figure === null, `${position}, place ${n}`);
      }
    }
    assert.equal(figures.size, 3);
  }
  const solution = await open("large");
  assert.deepEqual([...solution.cells("OO*O@***/@O**@*** w 3-2").cells.slice(16)], [3, 2], "the stones in hand follow");
});

test("a piece that can leave the board and also move does both by clicks", async () => {
  const solution = await open("file");
  let found = 0;
  for (const position of walked(solution, 1000)) {
    const { moves, picture } = solution.query(position, { any: true, picture: true });
    // A piece that leaves changes only its own place.
    for (const leaving of moves.filter(({ places }) => places && places.from === null && places.others.length === 0)) {
      const at = leaving.places.to;
      const others = moves.filter(({ places }) => places?.from === at);
      if (others.length === 0) continue;
      found += 1;
      const first = click(moves, [], at, picture);
      assert.deepEqual(first, { clicks: [at] });
      assert(nextPlaces(moves, first.clicks).get(at).includes(leaving));
      assert.equal(click(moves, first.clicks, at, picture).play, leaving);
      assert.equal(click(moves, first.clicks, others[0].places.to, picture).play, others[0]);
    }
  }
  assert(found > 20, `${found} pieces`);
});

test("mistakes are errors that say what is accepted, and the solution still answers", async () => {
  const solution = await open("tictactoe");
  assert.throws(() => solution.query("nonsense"), (error) => error instanceof NerodeError && error.accepted.length > 10);
  assert.throws(() => solution.query("start", { moves: "nonsense" }), (error) => /move 'nonsense'/.test(error.message) && error.accepted === undefined);
  assert.throws(() => solution.choose("no such player"), (error) => error.accepted.split(", ").join() === solution.about().players.join());
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
  const late = await Solution.open({ "reached.packed": { ...source, read: async () => {} } }).catch((error) => error);
  assert(late instanceof NerodeError);
  assert.match(late.cause.message, /returned a promise/);
});

/** Returns a folder as sources of parts, which call `reading` with the number of bytes of every read. */
const inParts = (name, reading) => Object.fromEntries(Object.entries(filesOf(name)).map(([file, bytes]) => [file, {
  length: bytes.length,
  read(at, to) {
    reading(to.length);
    to.set(bytes.subarray(at, at + to.length));
  },
}]));

test("large sectors are read in parts, with the values that the program prints", async () => {
  const draw = random(5);
  const positions = Array.from({ length: 200 }, () => {
    const points = Array(16).fill("*").fill("O", 0, 5).fill("@", 5, 10);
    for (let n = 15; n > 0; n--) {
      const other = Math.floor(draw() * (n + 1));
      [points[n], points[other]] = [points[other], points[n]];
    }
    return `${points.slice(0, 8).join("")}/${points.slice(8).join("")} ${draw() < 0.5 ? "w" : "b"} 0-0`;
  });
  const wanted = expected("large", positions);
  assert(wanted.filter((one) => one.category !== "draw").length > 20);
  const manifest = filesOf("large")["packed.json"].length, whole = filesOf("large")["5-5-0-0.packed"].length;
  let all = 0;
  for (const [n, position] of positions.slice(0, 50).entries()) {
    let read = 0;
    const solution = await Solution.open(inParts("large", (bytes) => { read += bytes; }));
    assert.equal(read, manifest);
    assert.deepEqual(known(solution.evaluate(position, { any: true })), known(wanted[n]), position);
    assert(read - manifest < whole, `${read - manifest} of ${whole} bytes for ${position}`);
    all += read - manifest;
    const cold = read;
    solution.evaluate(position, { any: true });
    assert.equal(read, cold, "the second time, everything is in the cache");
    solution.close();
  }
  assert(all < 50 * whole / 2, `${all} bytes for 50 positions`);
  // A cache of some blocks, and many positions with their moves.
  agree("large", await Solution.open(inParts("large", () => {}), { cacheBytes: 1 << 16 }), positions);
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
