// The record of the game, with the value after every move: which moves threw away a win or a draw, and a curve.

import { $, h, refill, s } from "./dom.js";
import { positionAt, sideName, values } from "./game.js";
import { height, judged, ofMove, words } from "./values.js";

const TURNED = { win: "loss", loss: "win" };

/** Returns the value of a position for a side. */
const valueFor = (known, side) => {
  const value = { ...known, depth: known.dtw };
  return known.side === side ? value : { ...value, category: TURNED[known.category] ?? known.category, rank: known.rank === undefined ? undefined : -known.rank };
};

/** Judges the move after `at` moves of a game. Returns null if its values are not known. */
export function judgementAt(game, at) {
  const before = values.get(positionAt(game, at)), after = values.get(positionAt(game, at + 1));
  if (!before?.side || !after?.side) return null;
  const { side } = game.course[at];
  return judged(valueFor(before, side), valueFor(after, side));
}

/** Lists the moves made so far. `isTold` says whether the values of the moves are shown. */
export function drawStory(state, isTold, go) {
  const { course, at } = state;
  const row = (ply, n) => {
    const told = isTold ? judgementAt(state, n) : null;
    const title = [`${sideName(ply.side)}: ${ply.move}`, told?.words].filter(Boolean).join(", ");
    return h("li", {}, n % 2 === 0 ? `${n / 2 + 1}.` : "",
      h("button", { type: "button", title, "aria-current": n + 1 === at ? "step" : false, onclick: () => go(n + 1) }, ply.move,
        told?.mark ? h("b", { class: `mark ${told.mark === "??" ? "bad" : "poor"}`, "aria-label": told.words }, told.mark) : null));
  };
  refill($("record"), ...course.map(row));
  // The current move stays in view, without moving the page.
  const current = $("record").querySelector("[aria-current]");
  if (current) $("record").scrollTop = current.offsetTop - $("record").clientHeight / 2;
  const now = isTold && at > 0 ? judgementAt(state, at - 1) : null;
  $("remark").textContent = now?.words ? `${sideName(course[at - 1].side)} ${now.words} with ${course[at - 1].move}.` : "";
  drawCurve(state, isTold, go);
}

/** Draws the values of all positions of the game as a curve. */
function drawCurve({ start, course, at }, isTold, go) {
  const known = [start, ...course.map((ply) => ply.position)].map((position) => values.get(position));
  const most = Math.max(1, ...known.map((one) => Math.abs(one?.score ?? one?.dtw ?? 0)));
  const heights = known.map((one) => (one?.side ? height(one, most) : null));
  const isShown = isTold && course.length > 1 && heights.some((one) => one !== null);
  $("curve").hidden = !isShown;
  if (!isShown) return;
  const [width, tall, edge] = [320, 84, 8];
  const x = (n) => edge + ((width - 2 * edge) * n) / course.length, y = (value) => tall / 2 - (tall / 2 - edge) * value;
  const line = heights.map((value, n) => (value === null ? "" : `${n > 0 && heights[n - 1] !== null ? "L" : "M"}${x(n).toFixed(1)},${y(value).toFixed(1)}`)).join("");
  const svg = s("svg", { viewBox: `0 0 ${width} ${tall}`, role: "img", "aria-label": `value after each of ${course.length} moves`, class: "curve-box" },
    s("line", { x1: edge, x2: width - edge, y1: tall / 2, y2: tall / 2, class: "grid" }), s("path", { d: line, class: "value-line" }));
  heights.forEach((value, n) => {
    if (value === null) return;
    const told = n > 0 ? judgementAt({ start, course }, n - 1) : null;
    const dot = s("circle", { cx: x(n), cy: y(value), r: n === at ? 5.5 : told?.mark ? 4.5 : 2.5, class: `value-dot${n === at ? " now" : ""}${told?.mark ? " slip" : ""}` });
    // As in the list of moves, a value is that for the side which made the move.
    const title = n > 0 ? `${course[n - 1].move}: ${words(ofMove(known[n]))}` : `${sideName(known[n].side)} to move: ${words({ ...known[n], depth: known[n].dtw })}`;
    dot.append(s("title", {}, [title, told?.words].filter(Boolean).join(", ")));
    svg.append(dot);
  });
  svg.onclick = (event) => {
    const area = svg.getBoundingClientRect();
    go(Math.round(Math.max(0, Math.min(1, ((event.clientX - area.left) / area.width * width - edge) / (width - 2 * edge))) * course.length));
  };
  $("curve").replaceChildren(h("span", { class: "curve-side" }, sideName("P1")), svg, h("span", { class: "curve-side low" }, sideName("P2")));
}
