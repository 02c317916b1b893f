// All positions of a value and depth, page by page.

import { $, counted, grouped, h, refill, sentence } from "./dom.js";
import { sideName, state } from "./game.js";
import { service } from "./service.js";
import { brief, letter } from "./values.js";

/** The number of positions of a page. */
const PAGE = 20;

export const LEFT_OUT = "Only boards that may occur in play are counted here; the sets and the counts by value also contain the others.";

/** What is listed. */
let wish = { side: "P1", category: "win", dtw: null, from: 0 };

/** What a list begins with if the longest wins are not known. */
const SHORT = ["P1", "P2"].flatMap((side) => [{ side, category: "win", dtw: 1 }, { side, category: "loss", dtw: 2 }]);

/** Draws the list, which begins with the longest wins of a new solution. `show` shows a position on the board. */
export function drawDepths({ covers, longest, sets }, show, isNew) {
  const isComplete = sets.some((set) => set.kind === "V" && !set.partial);
  const known = isComplete ? SHORT : longest.filter((one) => one.positions !== null);
  $("depths").hidden = known.length === 0 || !state.about.has_sets || !service.isServed;
  if ($("depths").hidden) return;
  if (isNew || !known.some((one) => one.side === wish.side && one.category === wish.category)) wish = { ...wishOf(known[0]), from: 0 };
  const most = (side, category) => known.find((one) => one.side === side && one.category === category)?.dtw ?? 0;
  const body = h("div", { role: "status" }), number = h("input", { id: "depth", type: "number", min: 0, step: 1, value: wish.dtw });
  const pick = (id, name, options) => {
    const list = h("select", { id }, options.map(([value, text]) => h("option", { value }, text)));
    list.value = wish[name];
    list.onchange = () => {
      wish = { ...wish, [name]: list.value, from: 0 };
      number.value = wish.dtw = most(wish.side, wish.category);
      request();
    };
    return list;
  };
  const request = async (from = 0) => {
    wish.from = from;
    const { side, category, dtw } = wish, asked = { ...wish };
    try {
      const page = await service.listed(state.id, { side, category, dtw, from, count: PAGE });
      if (Object.keys(asked).every((key) => asked[key] === wish[key])) refill(body, ...pageOf(page, show, request));
    } catch (error) {
      body.replaceChildren(h("p", { class: "bad" }, sentence(error.message)));
    }
  };
  number.onchange = () => { wish.dtw = Math.max(0, Math.floor(Number(number.value))); request(); };
  const sides = [...new Set(known.map((one) => one.side))].map((side) => [side, sideName(side)]);
  $("depths").replaceChildren(h("h2", {}, "All positions of a depth"),
    h("div", { class: "bar" }, h("label", {}, "To move ", pick("depth-side", "side", sides)), h("label", {}, "Value ", pick("depth-value", "category", [["win", "win"], ["loss", "loss"]])),
      h("label", {}, "in plies ", number)), covers === "all-boards" ? h("p", { class: "faint" }, LEFT_OUT) : "", body);
  request(wish.from);
}

const wishOf = ({ side, category, dtw }) => ({ side, category, dtw });

function pageOf({ total, from, positions }, show, request) {
  const last = from + positions.length;
  const step = (name, to, isPossible) => h("button", { type: "button", disabled: !isPossible, onclick: () => request(to) }, name);
  const tag = (one) => h("span", { class: `tag ${letter(one.category)}`, "aria-hidden": "true" }, brief({ ...one, depth: one.dtw }));
  return [
    h("p", { class: "faint" }, total === "0" ? "No position that can occur in play has this value and depth." : `${grouped(from + 1)} to ${grouped(last)} of ${counted(total, "position")}.`),
    h("ol", { class: "moves", start: from + 1 }, positions.map((one) => h("li", {}, h("button", { type: "button", onclick: () => show(one.position) }, tag(one), h("span", { class: "text" }, one.position))))),
    h("div", { class: "bar" }, step("Previous", Math.max(0, from - PAGE), from > 0), step("Next", last, BigInt(last) < BigInt(total))),
  ];
}
