// Solutions by sectors: a map of the sectors for each number of stones in hand, and a table.

import { $, grouped, h, s, scrolled } from "./dom.js";
import { letter } from "./values.js";

const CELL = 26;
const VALUES = ["win", "draw", "loss"];

/** Draws all sectors. `show` shows a position of a sector. */
export function drawSectors({ sectors }, show) {
  $("sectors").hidden = sectors.length === 0;
  if (sectors.length === 0) return;
  const groups = new Map();
  for (const one of sectors) {
    const [own, other, ...hands] = one.sector.split("-").map(Number);
    const name = hands.join(" and ");
    groups.set(name, [...(groups.get(name) ?? []), { ...one, own, other }]);
  }
  const maps = [...groups].sort((a, b) => sum(a[0]) - sum(b[0])).map(([name, group]) => h("figure", { class: "map" }, map(group, show), h("figcaption", {}, `in hand ${name}`)));
  $("sectors").replaceChildren(
    h("h2", {}, `${sectors.length} ${sectors.length === 1 ? "sector" : "sectors"}`),
    h("p", { class: "faint" }, legendOf(sectors)),
    h("div", { class: "legend" }, VALUES.map((name) => h("span", {}, h("span", { class: `tag ${letter(name)}` }, letter(name)), ` ${name}`))),
    h("div", { class: "maps" }, maps), table(sectors, show));
}

const sum = (name) => name.split(" and ").reduce((all, part) => all + Number(part), 0);

function legendOf(sectors) {
  const isCounted = sectors.some((one) => one.win !== null);
  const what = isCounted ? "Each square shows the shares of wins, draws and losses for the side to move." : "Each square shows which values occur for the side to move.";
  const orbits = sectors.some((one) => one.orbits !== null) ? " The shares are those of orbits, in which symmetric positions count once." : "";
  return `A sector contains all positions with the same numbers of stones. The horizontal axis gives the stones of the opponent, the vertical axis those of the side to move. ${what}${orbits} Click a square to see one of its positions.`;
}

/**
 * Returns the fractions of wins, draws and losses, each from 0 to 1. If they are not counted, all values that occur
 * get the same fraction.
 */
function shares({ values, ...counts }) {
  if (counts.win === null) return VALUES.map((name) => (values.includes(name) ? 1 / values.length : 0));
  const numbers = VALUES.map((name) => Number(counts[name])), all = numbers.reduce((a, b) => a + b, 0) || 1;
  return numbers.map((number) => number / all);
}

function words(one) {
  const counted = VALUES.filter((name) => one[name] !== null && one[name] !== "0").map((name) => `${name} ${grouped(one[name])}`);
  const said = counted.length > 0 ? counted : one.values;
  return `${one.sector}: ${said.join(", ") || "values not counted"}`;
}

function map(group, show) {
  const most = (key) => Math.max(...group.map((one) => one[key])), least = (key) => Math.min(...group.map((one) => one[key]));
  const [left, low] = [least("other"), least("own")];
  const width = (most("other") - left + 1) * CELL, height = (most("own") - low + 1) * CELL;
  const x = (other) => 22 + (other - left) * CELL, y = (own) => height - (own - low + 1) * CELL;
  const svg = s("svg", { width: width + 26, height: height + 22, role: "img", "aria-label": `${group.length} sectors` });
  for (let own = low; own <= most("own"); own++) svg.append(s("text", { x: 10, y: y(own) + 18 }, own));
  for (let other = left; other <= most("other"); other++) svg.append(s("text", { x: x(other) + CELL / 2, y: height + 16 }, other));
  for (const one of group) {
    const square = s("g", { class: "sector", onclick: () => show(one.sector) }, s("title", {}, words(one)),
      s("rect", { x: x(one.other) + 1, y: y(one.own) + 1, width: CELL - 2, height: CELL - 2, rx: 3, class: "share-none" }));
    let at = y(one.own) + 1;
    shares(one).forEach((share, n) => {
      const tall = share * (CELL - 2);
      if (tall > 0.2) square.append(s("rect", { x: x(one.other) + 1, y: at, width: CELL - 2, height: tall, class: `share-${VALUES[n]}` }));
      at += tall;
    });
    svg.append(square);
  }
  return svg;
}

function table(sectors, show) {
  // Tables of sectors count orbits.
  const hasOrbits = sectors.some((one) => one.orbits !== null);
  const heads = ["Sector", "Positions", ...(hasOrbits ? ["Orbits"] : []), "Win", "Draw", "Loss", "Longest win", "Longest loss", "Bytes"];
  const number = (text) => (text === null ? "" : grouped(text));
  const row = (one) => h("tr", {}, h("td", {}, h("button", { type: "button", onclick: () => show(one.sector) }, one.sector)), h("td", {}, grouped(one.positions)),
    hasOrbits ? h("td", {}, number(one.orbits)) : "",
    ...VALUES.map((name) => h("td", {}, one.win === null && one.values.includes(name) ? "some" : number(one[name]))),
    h("td", {}, number(one.longest_win)), h("td", {}, number(one.longest_loss)), h("td", {}, grouped(one.bytes)));
  return h("details", {}, h("summary", {}, "All sectors as a table"),
    scrolled("sectors", h("table", {}, h("tr", {}, heads.map((name) => h("th", { scope: "col" }, name))), sectors.map(row))));
}
