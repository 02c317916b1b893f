// Measures a site in Chromium: `node measure.mjs SITE [ID]`, where SITE is a folder that `nerode site` has written and ID a
// solution of breakthrough in it. Needs chromedriver and python3, whose web server offers the site.
import { spawn } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";

const [site, id = "breakthrough-4x5"] = process.argv.slice(2);
const [driverPort, sitePort] = [9517, 8017];
const processes = [
  spawn("chromedriver", [`--port=${driverPort}`], { stdio: "ignore" }),
  spawn("python3", ["-m", "http.server", String(sitePort), "--directory", site, "--bind", "127.0.0.1"], { stdio: "ignore" }),
];
const base = `http://127.0.0.1:${sitePort}/`;

async function request(method, path, body) {
  const response = await fetch(`http://127.0.0.1:${driverPort}${path}`, { method, body: body && JSON.stringify(body) });
  const { value } = await response.json();
  if (value?.error) throw new Error(`${path}: ${value.message}`);
  return value;
}

/** Runs `work` with a browser that has no cache. */
async function withBrowser(work) {
  const args = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,900"];
  const { sessionId } = await request("POST", "/session", { capabilities: { alwaysMatch: { pageLoadStrategy: "none", timeouts: { script: 120000 }, "goog:chromeOptions": { args } } } });
  const path = `/session/${sessionId}`;
  try {
    await request("POST", `${path}/url`, { url: "about:blank" });
    return await work({
      open: (url) => request("POST", `${path}/url`, { url }),
      // The time of the page begins with its navigation.
      when: (condition) => request("POST", `${path}/execute/async`, { script: `const done = arguments[0]; const look = () => { if (${condition}) done(performance.now()); else setTimeout(look, 2); }; look();`, args: [] }),
      run: (script) => request("POST", `${path}/execute/async`, { script, args: [] }),
    });
  } finally {
    await request("DELETE", path);
  }
}

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

try {
  await wait(1500);
  const first = [], second = [];
  for (let round = 0; round < 7; round++) {
    await withBrowser(async ({ open, when, run }) => {
      await open(`${base}#s=${id}&values=1`);
      first.push(await when("location.href.startsWith('http') && document.querySelector('#moves .tag')"));
      // A position of which the site contains no answer needs the module and the packed files.
      second.push(await run(`const done = arguments[0], began = performance.now(); document.querySelector("#moves button").click();
        const look = () => { if (document.querySelectorAll("#record button").length === 1) done(performance.now() - began); else setTimeout(look, 2); }; look();`));
    });
  }
  const third = [];
  for (let round = 0; round < 7; round++) {
    await withBrowser(async ({ open, when }) => {
      // A link to a later position, which needs the module before anything is shown.
      await open(`${base}#s=${id}&values=1&p=bbbb/1bbb/bw2/w1ww/wwww+w`);
      third.push(await when("location.href.startsWith('http') && document.querySelector('#moves .tag')"));
    });
  }
  const show = (numbers) => `${median(numbers).toFixed(0)} ms (${numbers.map((one) => one.toFixed(0)).join(", ")})`;
  console.log(`start position, cold: first move shown after ${show(first)}`);
  console.log(`its first move made: next values after ${show(second)}`);
  console.log(`later position, cold: first move shown after ${show(third)}`);
  const rate = await withBrowser(async ({ open, run }) => {
    await open(base);
    await wait(2000);
    return run(`
      const done = arguments[0], base = ${JSON.stringify(base)}, id = ${JSON.stringify(id)};
      const worker = new Worker(URL.createObjectURL(new Blob([\`
        import { Solution } from "\${base}nerode.js";
        const { solutions } = await (await fetch("\${base}data/site.json")).json();
        const { files } = solutions.find((one) => one.id === "\${id}");
        const loaded = await Promise.all(files.map(async ({ name }) => [name, await (await fetch("\${base}data/\${id}/packed/" + name)).arrayBuffer()]));
        const solution = await Solution.open(Object.fromEntries(loaded));
        let seed = 1, at = "start";
        const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
        const texts = [];
        while (texts.length < 5000) {
          const [{ moves }] = solution.evaluateAll([at], { moves: true });
          at = moves.length > 0 ? moves[Math.floor(random() * moves.length)].position : "start";
          if (at !== "start") texts.push(at);
        }
        const cells = texts.map((text) => {
          const [board, side] = text.split(" "), of = [];
          for (const rank of board.split("/").reverse()) for (const one of rank) one >= "0" && one <= "9" ? of.push(...Array(Number(one)).fill(0)) : of.push(one === "w" ? 1 : 2);
          return [Uint8Array.from(of), side === "w" ? "P1" : "P2"];
        });
        const timed = (work) => {
          work();
          const began = performance.now();
          let rounds = 0;
          for (; performance.now() - began < 3000; rounds++) work();
          return Math.round(rounds * texts.length / (performance.now() - began) * 1000);
        };
        const byCells = timed(() => { for (const [board, side] of cells) solution.evaluateCells(board, side); });
        const byText = timed(() => solution.evaluateAll(texts));
        postMessage({ byCells, byText });
      \`], { type: "text/javascript" })), { type: "module" });
      worker.onmessage = ({ data }) => done(data);
      worker.onerror = (error) => done({ error: error.message });`);
  });
  console.log("look-ups a second in one worker:", rate);
} finally {
  for (const one of processes) one.kill();
}
