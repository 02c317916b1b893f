// The view of a solution: counts, growth by ply, the longest games, and its sets as automata.

import { ask } from "/api.js";
import { drawAutomaton } from "/automaton.js";
import { $, grouped, h, s, scrolled } from "/dom.js";
import { here, sideName, state } from "/game.js";
import { drawSectors } from "/sectors.js";
import { letter } from "/values.js";

/** Draws the whole view. `show` shows a position on the board. */
export async function drawSolution(show, showSector) {
  $("counts").replaceChildren(h("p", { class: "faint" }, "Counting\u2026"));
  const stats = await ask(`${state.id}/stats`);
  drawCounts(stats, show);
  drawSectors(stats, showSector);
  drawGrowth(stats);
  await drawAutomaton(stats, here());
}

function drawCounts({ game, counts, longest, sets, complete }, show) {
  const sides = counts.map((one) => [h("h3", {}, `${sideName(one.side)} to move`), share(one), numbers(one)]);
  const rows = longest.map((one) => h("tr", {}, h("td", {}, h("span", { class: `tag ${letter(one.category)}` }, letter(one.category) + one.dtw)),
    h("td", {}, sideName(one.side)), h("td", {}, grouped(one.positions)),
    h("td", {}, h("button", { type: "button", onclick: () => show(one.position) }, one.position))));
  const heads = ["Value", "To move", "Positions", "Example"].map((name) => h("th", { scope: "col" }, name));
  $("counts").replaceChildren(
    h("h2", {}, game, complete ? "" : " \u2013 unfinished"), ...sides.flat(),
    rows.length > 0 ? h("h3", {}, "Longest wins and losses") : "",
    rows.length > 0 ? scrolled("longest wins and losses", h("table", {}, h("tr", {}, heads), rows)) : "",
    h("p", { class: "faint" }, keptAs(sets)));
}

function keptAs(sets) {
  const { form, warning, coverage_text: covered } = state.about;
  const said = `This solution is stored as ${form}${sets.length === 0 ? ", which contains values but no sets" : ""} (${covered}).`;
  return warning ? `${said} ${warning}.` : said;
}

/** Draws wins, draws and losses as a bar. */
function share(counts) {
  const of = (name) => BigInt(counts[name]);
  const all = ["win", "draw", "loss", "unknown"].reduce((sum, name) => sum + of(name), 0n) || 1n;
  const bar = h("div", { class: "share", role: "img", "aria-label": ["win", "draw", "loss"].map((name) => `${name} ${percent(of(name), all)}`).join(", ") });
  for (const name of ["win", "draw", "loss", "unknown"]) {
    const part = h("span", { class: `tag ${letter(name)}` }, of(name) * 12n > all ? `${letter(name)} ${percent(of(name), all)}` : "");
    part.style.cssText = `width:${Number(of(name) * 100000n / all) / 1000}%;min-width:0;padding:0;border-radius:0`;
    bar.append(part);
  }
  return bar;
}

const percent = (part, all) => `${(Number(part * 10000n / all) / 100).toFixed(1)}%`;

function numbers(counts) {
  const texts = ["win", "draw", "loss", "unknown"].filter((name) => counts[name] !== "0");
  return h("p", { class: "faint" }, texts.map((name, at) => [at ? " \u00b7 " : "", h("span", { class: "whole" }, `${name} ${grouped(counts[name])}`)]).flat());
}

/** Returns the style of a curve: colours distinguish values, dashes distinguish sides. */
function classOf(name) {
  const value = { W: "win", L: "loss", U: "unknown" }[name.split(",")[0].at(-1)] ?? "";
  return `curve ${value} ${name.endsWith("second") ? "second" : ""}`;
}

/** Draws the number of states by ply, with a curve for each kind of set and side. */
function drawGrowth({ sets }) {
  const groups = new Map();
  for (const set of sets.filter((one) => one.num_states > 0)) {
    const name = `${set.kind}, ${set.side === "P1" ? "first" : "second"}`;
    groups.set(name, [...(groups.get(name) ?? []), [set.ply, set.num_states]]);
  }
  $("growth").hidden = groups.size === 0;
  // Letters keep their size if there is little space.
  const width = Math.max(320, Math.min(760, $("growth").clientWidth - 32 || 760));
  const [height, left, bottom] = [300, 64, 36];
  const plies = Math.max(1, ...sets.map((set) => set.ply)), most = Math.max(2, ...sets.map((set) => set.num_states));
  const x = (ply) => left + (width - left - 16) * (ply / plies);
  const y = (states) => 12 + (height - bottom - 12) * (1 - Math.log10(Math.max(states, 1)) / Math.log10(most));
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": `states of the sets by ply, at most ${most}` });
  for (let power = 1; power <= most; power *= 10) {
    svg.append(s("line", { x1: left, x2: width - 16, y1: y(power), y2: y(power), class: "grid" }), s("text", { x: left - 8, y: y(power) + 4, "text-anchor": "end" }, grouped(power)));
  }
  for (let ply = 0; ply <= plies; ply += Math.max(1, Math.ceil(plies / (width / 60)))) svg.append(s("text", { x: x(ply), y: height - 14, "text-anchor": "middle" }, ply));
  const legend = h("p", { class: "legend" });
  [...groups].forEach(([name, points]) => {
    const d = points.sort((a, b) => a[0] - b[0]).map(([ply, states], at) => `${at ? "L" : "M"}${x(ply).toFixed(1)},${y(states).toFixed(1)}`).join("");
    svg.append(s("path", { d, class: classOf(name) }));
    legend.append(h("span", {}, s("svg", { width: 30, height: 10, "aria-hidden": "true" }, s("path", { d: "M0,5H28", class: classOf(name) })), ` ${name}`));
  });
  $("growth").replaceChildren(h("h2", {}, "States by ply"), svg, legend);
}
