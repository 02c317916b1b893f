// The view of a solution: counts, growth by ply, the longest games, and its sets as automata.

import { drawAutomaton } from "./automaton.js";
import { $, counted, grouped, h, refill, s, save, scrolled, sentence } from "./dom.js";
import { here, sideInside, sideName, state } from "./game.js";
import { LEFT_OUT, drawDepths } from "./depths.js";
import { titleOf } from "./names.js";
import { drawSectors } from "./sectors.js";
import { service } from "./service.js";
import { letter } from "./values.js";

/** The solution that the view shows. */
let drawn = null;

/** Draws the whole view. `show` shows a position on the board. */
export async function drawSolution(show, showSector) {
  const { id } = state;
  // What is shown already stays until the new numbers arrive.
  if (drawn !== id) {
    $("counts").replaceChildren(h("p", { class: "faint" }, "Counting\u2026"));
    for (const part of ["depths", "sectors", "growth", "automaton"]) $(part).hidden = true;
    other = { id: null, stats: null };
  }
  try {
    const stats = await service.stats(id);
    if (id !== state.id) return;
    drawCounts(stats, show);
    drawDepths(stats, show, drawn !== id);
    drawSectors(stats, showSector);
    drawGrowth(stats);
    await drawAutomaton(state.about.has_sets ? stats : { sets: [] }, here());
    drawn = id;
  } catch (error) {
    if (drawn !== id) $("counts").replaceChildren(h("p", { class: "faint" }, "The statistics are not available."));
    throw error;
  }
}

/** What the counts by value count. */
const COUNTED = {
  "all-boards": "of all boards, including those that play cannot reach", "reached-positions": "of the reached positions",
  "admissible-positions": "of the admissible positions", "care-set": "of the positions of the care set", sectors: "of the positions of the stored sectors",
};

function drawCounts({ game, covers, counts, longest, complete }, show) {
  const sides = counts.map((one) => [h("h3", {}, `${sideName(one.side)} to move, ${COUNTED[covers]}`), share(one), numbers(one)]);
  const rows = longest.map((one) => h("tr", {}, h("td", {}, h("span", { class: `tag ${letter(one.category)}` }, letter(one.category) + one.dtw)),
    h("td", {}, sideName(one.side)), h("td", {}, grouped(one.positions ?? one.orbits)),
    h("td", {}, h("button", { type: "button", onclick: () => show(one.position) }, one.position))));
  const hasOrbits = longest.some((one) => one.orbits !== null);
  const heads = ["Value", "To move", hasOrbits ? "Orbits" : "Positions", "Example"].map((name) => h("th", { scope: "col" }, name));
  $("counts").replaceChildren(
    h("h2", {}, game, complete ? "" : " \u2013 unfinished"), ...sides.flat(),
    rows.length > 0 ? h("h3", {}, "Longest wins and losses") : "",
    rows.length > 0 && covers === "all-boards" ? h("p", { class: "faint" }, LEFT_OUT) : "",
    rows.length > 0 ? scrolled("longest wins and losses", h("table", {}, h("tr", {}, heads), rows)) : "",
    h("p", { class: "faint" }, keptAs()),
    h("p", { class: "faint" }, `To cite this solution: nerode, ${game}, rules ${state.about.fingerprint}, solution ${state.about.digest}.`));
}

function keptAs() {
  const { form, warning, coverage_text: covered, has_sets: hasSets } = state.about;
  const said = `This solution is stored as ${form}${hasSets || !service.isServed ? "" : ", which has no automata to draw"} (${covered}).`;
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
function classOf({ kind, side, isOther }) {
  const value = { W: "win", L: "loss", U: "unknown" }[kind.at(-1)] ?? "";
  return `curve ${value} ${side === "P2" ? "second" : ""} ${isOther ? "other" : ""}`;
}

const KINDS = { W: "won", L: "lost", D: "drawn", U: "undecided", V: "values", R: "reached", RW: "reached and won", RL: "reached and lost", RD: "reached and drawn", RU: "reached and undecided" };

/** The sides of a solution with which the chart compares. */
const ORDER = { P1: "the first player", P2: "the second player" };

/** What a chart shows by ply: a number of each set, and its name. */
const MEASURES = { states: ["States by ply", (set) => set.num_states], positions: ["Positions by ply", (set) => Number(set.positions)] };
/** The measure that the chart shows, and the solution with which it compares. */
let measure = "states", other = { id: null, stats: null };

/** Groups sets by kind, side and sector. `name` distinguishes those of two solutions. */
function groupsOf(sets, name, isOther) {
  const groups = new Map();
  for (const set of sets.filter((one) => one.num_states > 0)) {
    const key = `${set.kind} ${set.side} ${set.sector}`;
    if (!groups.has(key)) groups.set(key, { ...set, points: [], name, isOther });
    groups.get(key).points.push(set);
  }
  return [...groups.values()];
}

/** Lists the other solutions, with which the chart can compare. */
async function offerOthers(pick, again) {
  const { solutions } = await service.solutions();
  const others = solutions.filter((one) => one.game && one.id !== state.id);
  pick.replaceChildren(h("option", { value: "" }, "no other solution"), ...others.map((one) => h("option", { value: one.id }, `${titleOf(one.game)} (${one.id})`)));
  pick.value = other.id ?? "";
  pick.parentNode.hidden = others.length === 0;
  pick.onchange = async () => {
    try {
      const id = pick.value || null;
      other = { id, stats: id && (await service.stats(id)), name: others.find((one) => one.id === id)?.game };
      again();
    } catch (error) {
      pick.after(h("span", { class: "bad" }, ` ${sentence(error.message)}`));
    }
  };
}

/** Draws the states or positions of the sets by ply, with a curve for each kind of set and side. */
function drawGrowth(stats) {
  const own = stats.sets, isCounted = own.every((set) => set.positions !== null);
  const compared = other.stats?.sets ?? [];
  const groups = [...groupsOf(own, "", false), ...groupsOf(compared, other.id ? `, ${titleOf(other.name)}` : "", true)];
  const sets = [...own, ...compared];
  // A curve needs at least two plies.
  $("growth").hidden = !own.some((set) => set.ply > 0);
  if ($("growth").hidden) return;
  if (!isCounted) measure = "states";
  const [title, of] = MEASURES[measure];
  // Letters keep their size if there is little space.
  const width = Math.max(320, Math.min(900, $("growth").clientWidth - 32 || 760));
  const [height, left, bottom, right] = [320, 84, 48, groups.some((one) => one.sector) ? 120 : 64];
  const plies = Math.max(1, ...sets.map((set) => set.ply)), most = Math.max(2, ...sets.map(of));
  const x = (ply) => left + (width - left - right) * (ply / plies);
  const y = (number) => 12 + (height - bottom - 12) * (1 - Math.log10(Math.max(number, 1)) / Math.log10(most));
  const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": `${measure} of the sets by ply, at most ${most}` });
  // A line for each power of ten, or for every second or third one if there are many.
  const powers = Math.ceil(Math.log10(most) / 8);
  for (let power = 1; power <= most; power *= 10 ** powers) {
    svg.append(s("line", { x1: left, x2: width - right, y1: y(power), y2: y(power), class: "grid" }),
      s("text", { x: left - 8, y: y(power) + 4, "text-anchor": "end" }, power < 1e6 ? grouped(power) : `10^${Math.round(Math.log10(power))}`));
  }
  for (let ply = 0; ply <= plies; ply += Math.max(1, Math.ceil(plies / (width / 60)))) svg.append(s("text", { x: x(ply), y: height - 26, "text-anchor": "middle" }, ply));
  svg.append(s("text", { x: left + (width - left - right) / 2, y: height - 6, "text-anchor": "middle" }, "ply"),
    s("text", { x: 14, y: (height - bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 14 ${(height - bottom) / 2})` }, measure));
  const legend = h("p", { class: "legend" }), ends = [];
  for (const one of groups) {
    const name = `${KINDS[one.kind] ?? one.kind}, ${one.isOther ? ORDER[one.side] : sideInside(one.side)} to move${one.name}`;
    const points = one.points.sort((a, b) => a.ply - b.ply);
    svg.append(s("path", { d: points.map((set, at) => `${at ? "L" : "M"}${x(set.ply).toFixed(1)},${y(of(set)).toFixed(1)}`).join(""), class: classOf(one) }));
    for (const set of points) {
      svg.append(s("circle", { cx: x(set.ply), cy: y(of(set)), r: 4, class: `${classOf(one)} dot` },
        s("title", {}, `${name}, ply ${set.ply}: ${counted(set.num_states, "state")}${set.positions === null ? "" : `, ${counted(set.positions, "position")}`}`)));
    }
    ends.push({ at: y(of(points.at(-1))), x: x(points.at(-1).ply), name: `${one.kind} ${one.side}${one.sector ? ` ${one.sector}` : ""}${one.isOther ? "\u2032" : ""}` });
    legend.append(h("span", {}, s("svg", { width: 30, height: 10, "aria-hidden": "true" }, s("path", { d: "M0,5H28", class: classOf(one) })), ` ${ends.at(-1).name}: ${name}`));
  }
  // Each curve is named at its end; names that would cover each other move apart.
  const lasts = new Map();
  for (const end of ends.sort((a, b) => a.at - b.at)) {
    const last = Math.max(end.at + 4, (lasts.get(end.x) ?? -Infinity) + 14);
    lasts.set(end.x, last);
    svg.append(s("text", { x: end.x + 8, y: last, class: "curve-name" }, end.name));
  }
  const choose = (name) => h("button", { type: "button", "aria-pressed": String(name === measure), onclick: () => { measure = name; drawGrowth(stats); } }, name[0].toUpperCase() + name.slice(1));
  const rowsOf = (id, all) => all.map((set) => [id, set.set, set.kind, set.side, set.ply, set.num_states, set.positions].join(","));
  const rows = [...rowsOf(state.id, own), ...rowsOf(other.id, compared)];
  const saveCsv = () => save(["solution,set,kind,side,ply,states,positions", ...rows].join("\n") + "\n", "text/csv", `${state.id}.csv`);
  const pick = h("select", { id: "compared" });
  refill($("growth"), h("h2", {}, title), svg, legend, h("div", { class: "bar" }, isCounted ? Object.keys(MEASURES).map(choose) : [], h("button", { type: "button", onclick: saveCsv }, "CSV"),
    h("label", { class: "check", hidden: true }, "Compare with ", pick)));
  offerOthers(pick, () => drawGrowth(stats)).catch(() => {});
}
