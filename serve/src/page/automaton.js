// Sets as automata: small ones completely, large ones as the widths of their layers, with the run of a position.

import { ask } from "/api.js";
import { $, grouped, h, s, scrolled } from "/dom.js";
import { sideName, state } from "/game.js";

/** The aspect ratio of a drawing (width to height). */
const WIDE = 2.6;

/** The number of states above which sets are not drawn completely. */
const DRAWN = 600;

/** Descriptions of sets by kind. */
const KINDS = {
  W: (ply) => `won within ${plies(ply)}`, L: (ply) => `lost within ${plies(ply)}`, D: () => "drawn", U: (ply) => `undecided within ${plies(ply)}`,
  R: (ply) => `reached after ${plies(ply)}`, RW: (ply) => `reached after ${plies(ply)}, won`, RL: (ply) => `reached after ${plies(ply)}, lost`,
  RD: (ply) => `reached after ${plies(ply)}, drawn`, RU: (ply) => `reached after ${plies(ply)}, undecided`,
};

const plies = (ply) => `${ply} ${ply === 1 ? "ply" : "plies"}`;

/** Draws the list of sets, and the selected set. */
export async function drawAutomaton({ sets }, position) {
  // Empty sets show nothing, so they are hidden unless all sets are empty.
  const full = sets.filter((set) => set.num_states > 0);
  const shown = full.length > 0 ? full : sets;
  $("automaton").hidden = shown.length === 0;
  if (shown.length === 0) return;
  const body = h("div", {});
  const pick = h("select", { id: "set", onchange: () => show(pick.value) }, shown.map((set) => h("option", { value: set.set }, nameOf(set))));
  const show = async (name) => {
    const automaton = await ask(`${state.id}/sets/${name}`, { position });
    const isWhole = automaton.layers.some((layer) => layer.states) && automaton.num_states > 0;
    body.replaceChildren(
      h("p", {}, said(automaton, shown.find((set) => set.set === name))),
      scrolled("the automaton", isWhole ? net(automaton) : river(automaton)),
      h("p", { class: "faint" }, isWhole ? "Drag to move the drawing, and use the mouse wheel to zoom. Each column is a layer, and each circle is a state. The thick line is the path of the current position."
        : "Each column is a layer, and its height is the number of states. The letters above it are those of the current position."));
  };
  pick.value = firstOf(shown).set;
  $("automaton").replaceChildren(h("h2", {}, "A set as an automaton"), h("label", { for: "set" }, "Set"), h("div", { class: "bar" }, pick), body);
  await show(pick.value);
}

/** Describes a set in words, with its name in the files. */
function nameOf({ set, kind, side, ply, num_states: states, positions }) {
  return `${sideName(side)} to move, ${KINDS[kind](ply)}: ${grouped(states)} states, ${grouped(positions)} positions (${set})`;
}

/**
 * Returns the set that is selected first: a small one that contains the position, otherwise a small one of its side,
 * otherwise the largest one.
 */
function firstOf(sets) {
  const { side, category, dtw } = state.answer;
  const own = sets.filter((set) => set.side === side && set.num_states <= DRAWN);
  const kind = { win: "W", loss: "L", draw: "D", unknown: "U" }[category];
  const holding = own.find((set) => set.kind === kind && set.ply >= (dtw ?? 0));
  const small = own.filter((set) => set.num_states > 8 && set.num_states <= 150).at(-1);
  return holding ?? small ?? sets.reduce((best, set) => (set.num_states > best.num_states ? set : best));
}

function said({ positions, num_states: states, run }, { side }) {
  const mover = state.answer.side;
  const held = `${grouped(positions)} positions with ${sideName(side)} to move, represented by ${grouped(states)} states.`;
  if (!run) return held;
  if (side === mover) return `${held} The position ${run.position} is ${run.accepted ? "one of them" : "not one of them"}.`;
  return `${held} In the position ${run.position}, ${sideName(mover)} is to move. With the other side to move, it would ${run.accepted ? "be" : "not be"} one of them.`;
}

/** Draws the letters of the position above the layers. */
function letters({ layers, run }, x) {
  return layers.flatMap((layer, at) => {
    const label = run ? layer.letters[run.letters[at]] ?? "" : "";
    const isRead = run && at < run.through.length - 1;
    return [s("text", { x: x(at), y: 24 }, layer.label), s("text", { x: x(at), y: 46, class: isRead ? "run" : "" }, label)];
  });
}

/** Draws a small automaton completely. */
function net(automaton) {
  const { layers, run, root } = automaton;
  const widest = Math.max(2, ...layers.map((layer) => layer.width));
  const step = layers.length > 12 ? 84 : 120;
  const height = Math.max(300, widest * 34, (layers.length * step) / WIDE);
  const x = (layer) => 70 + layer * step;
  const y = (layer, target) => {
    const width = layer < layers.length ? layers[layer].width : 0;
    if (target === -2) return 90;
    if (target === -1) return 90 + height;
    return 90 + height * ((target + 1) / (width + 1));
  };
  const ends = run ? run.through.slice(1).map((target, at) => `${at}:${run.through[at]}:${target}`) : [];
  const edges = [], circles = [];
  layers.forEach((layer, at) => layer.states.forEach((row, from) => {
    circles.push(s("circle", { cx: x(at), cy: y(at, from), r: 7, class: run?.through[at] === from ? "state run" : "state" }));
    for (const to of new Set(row)) {
      if (to === -1 && !ends.includes(`${at}:${from}:-1`)) continue;
      const [x1, y1, x2, y2] = [x(at), y(at, from), x(at + 1), y(at + 1, to)];
      const d = `M${x1},${y1}C${(x1 + x2) / 2},${y1} ${(x1 + x2) / 2},${y2} ${x2},${y2}`;
      const isRun = ends.includes(`${at}:${from}:${to}`);
      const names = row.flatMap((goal, letter) => (goal === to ? [layer.letters[letter]] : [])).join(", ");
      edges.push(s("path", { d, class: isRun ? "edge run" : "edge" }, s("title", {}, `${layer.label}: ${names}`)));
      if (to < 0) circles.push(s("circle", { cx: x2, cy: y2, r: 5, class: to === -2 ? "accept" : "reject" }));
    }
  }));
  const box = { x: 0, y: 0, width: x(layers.length) + 60, height: height + 120 };
  const svg = s("svg", { class: "net", role: "img", "aria-label": `automaton of ${automaton.num_states} states`, tabindex: 0 },
    edges, circles, letters(automaton, x), typeof root === "number" && root < 0 ? s("text", { x: 70, y: 90 }, root === -2 ? "every word" : "no word") : null);
  zoomable(svg, box);
  return svg;
}

/** Draws a large automaton as a river, whose width at each layer is the number of states. */
function river(automaton) {
  const { layers } = automaton;
  const most = Math.max(1, ...layers.map((layer) => layer.width));
  const width = Math.max(760, layers.length * 46), middle = 210, tall = 130;
  const x = (layer) => 40 + (width - 80) * (layer / Math.max(1, layers.length - 1));
  const half = (layer) => Math.max(1.5, (tall * layers[layer].width) / most);
  const top = layers.map((_, at) => `${at ? "L" : "M"}${x(at)},${middle - half(at)}`).join("");
  const low = layers.map((_, at) => at).reverse().map((at) => `L${x(at)},${middle + half(at)}`).join("");
  const widths = layers.map((layer, at) => s("text", { x: x(at), y: middle + half(at) + 22 }, grouped(layer.width)));
  return s("svg", { viewBox: `0 0 ${width} 400`, class: "net", role: "img", "aria-label": `states by layer, at most ${most}` },
    s("path", { d: `${top}${low}Z`, class: "river" }), widths, letters(automaton, x));
}

/** Lets the user move and zoom a drawing by dragging, the mouse wheel, the arrow keys, + and -. */
function zoomable(svg, box) {
  const set = () => svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
  const zoom = (factor, at = 0.5, up = 0.5) => {
    box.x += box.width * at * (1 - factor);
    box.y += box.height * up * (1 - factor);
    box.width *= factor;
    box.height *= factor;
    set();
  };
  set();
  let held = null;
  svg.addEventListener("wheel", (event) => {
    const area = svg.getBoundingClientRect();
    zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, (event.clientX - area.left) / area.width, (event.clientY - area.top) / area.height);
    event.preventDefault();
  }, { passive: false });
  svg.addEventListener("pointerdown", (event) => { held = [event.clientX, event.clientY]; svg.setPointerCapture(event.pointerId); });
  svg.addEventListener("pointermove", (event) => {
    if (!held) return;
    const scale = Math.max(box.width / svg.clientWidth, box.height / svg.clientHeight);
    box.x -= (event.clientX - held[0]) * scale;
    box.y -= (event.clientY - held[1]) * scale;
    held = [event.clientX, event.clientY];
    set();
  });
  for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, () => { held = null; });
  svg.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[event.key];
    if (by) { box.x += box.width * by[0]; box.y += box.height * by[1]; set(); }
    else if (event.key === "+") zoom(1 / 1.25);
    else if (event.key === "-") zoom(1.25);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
