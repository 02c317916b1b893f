// Sets as automata: those of up to a few thousand states completely, larger ones as the widths of their layers, with the
// run of the position on the board.

import { $, counted, grouped, h, save, sentence } from "./dom.js";
import { here, sideInside, sideName, state } from "./game.js";
import { service } from "./service.js";
import { letter, words } from "./values.js";

/** Descriptions of sets by kind. */
const KINDS = {
  W: (ply) => `won within ${plies(ply)}`, L: (ply) => `lost within ${plies(ply)}`, D: () => "drawn", U: (ply) => `undecided within ${plies(ply)}`,
  R: (ply) => `reached after ${plies(ply)}`, RW: (ply) => `reached after ${plies(ply)}, won`, RL: (ply) => `reached after ${plies(ply)}, lost`,
  RD: (ply) => `reached after ${plies(ply)}, drawn`, RU: (ply) => `reached after ${plies(ply)}, undecided`,
};
/** The kind of an automaton that returns values instead of accepting, and the number of its first value among the targets. */
const VALUES = "V", FIRST_END = -3;
/** The kind of set that contains positions of a value. */
const HOLDS = { win: "W", loss: "L", draw: "D", unknown: "U" };
/** The height of the names and letters above a drawing, and of the margin around it, in pixels. */
const HEAD = 52, MARGIN = 34;
/** The maximum number of states of a set that is drawn next to the board. */
const LIVE = 5000;
/** The time for which a letter of the run is shown, in milliseconds. */
const BEAT = 350;

const plies = (ply) => `${ply} ${ply === 1 ? "ply" : "plies"}`;

/** Draws the list of sets, and the selected set. A set that was selected stays selected. */
export async function drawAutomaton({ sets }, position) {
  // Empty sets show nothing, so they are hidden unless all sets are empty.
  const full = sets.filter((set) => set.num_states > 0);
  const shown = full.length > 0 ? full : sets;
  $("automaton").hidden = shown.length === 0;
  if (shown.length === 0) return;
  const before = $("automaton").dataset.id === state.id ? $("set")?.value : null;
  const body = h("div", {});
  const option = (set) => h("option", { value: set.set }, nameOf(set) + (contains(set) ? ", contains this position" : ""));
  const pick = h("select", { id: "set", onchange: () => show(pick.value).catch(failed) }, shown.map(option));
  const failed = (error) => { body.replaceChildren(h("p", { class: "bad" }, sentence(error.message))); };
  const show = async (name) => {
    const automaton = await service.set(state.id, name, position);
    if (pick.value !== name) return;
    body.replaceChildren(h("p", {}, said(automaton, shown.find((set) => set.set === name))), drawing(automaton));
  };
  pick.value = shown.some((set) => set.set === before) ? before : firstOf(shown).set;
  $("automaton").dataset.id = state.id;
  $("automaton").replaceChildren(h("h2", {}, "A set as an automaton"),
    h("p", { class: "faint" }, "The automaton reads a position from left to right, one letter for each square, and accepts it if it belongs to the set, or ends at its value. Each column of circles is a layer; beginnings that can continue in the same ways share a circle, so that few circles stand for many positions. The thick line is the run of the position on the board."),
    h("label", { for: "set" }, "Set"), h("div", { class: "bar" }, pick), body);
  await show(pick.value);
}

/**
 * Draws the first set that contains the position on the board, next to the board. If all of these sets are large, says
 * so instead.
 */
export async function drawLive(into, { sets }, position) {
  const small = sets.filter((set) => set.num_states > 0 && set.num_states <= LIVE);
  const holding = small.filter(contains).sort((a, b) => a.ply - b.ply)[0] ?? small.find(covers);
  if (!holding) {
    into.replaceChildren(h("p", { class: "faint" }, "No set that contains this position is small enough to be drawn here."));
    return;
  }
  const automaton = await service.set(state.id, holding.set, position);
  if (here() !== position) return;
  into.replaceChildren(h("p", { class: "faint" }, `${nameOf(holding)}.`), drawing(automaton));
}

/** Describes what an automaton says about positions. */
function saysOf({ kind, side, ply, sector, partial }) {
  if (sector) return `${sector}, ${kind === "W" ? "won" : "lost"} in exactly ${plies(ply)}`;
  if (kind !== VALUES) return `${sideName(side)} to move, ${KINDS[kind](ply)}`;
  return `${sideName(side)} to move, values of ${partial ? `positions after ${plies(ply)}` : "all positions"}`;
}

/** Describes a set in words, with its name in the files. */
function nameOf(one) {
  const size = one.positions === null ? "" : `, ${counted(one.positions, "position")}`;
  return `${saysOf(one)}: ${counted(one.num_states, "state")}${size} (${one.set})`;
}

/** Returns the sector of the position on the board, in which all stones are placed. */
function sectorHere() {
  const { answer } = state;
  const owners = (answer.picture.places ?? []).map((place) => place.figure?.owner).filter(Boolean);
  const own = owners.filter((owner) => owner === answer.side).length;
  return `${own}-${owners.length - own}-0-0`;
}

/** Returns true if an automaton returns the value of the position on the board. */
const covers = (one) => one.kind === VALUES && one.side === state.answer.side && !one.partial;

/** Returns true if a set contains the position on the board, as far as its value tells. */
function contains({ kind, side, ply, sector }) {
  const { answer } = state;
  if (sector) return sector === sectorHere() && kind === HOLDS[answer.category] && answer.dtw === ply;
  if (side !== answer.side || kind !== HOLDS[answer.category]) return false;
  return kind === "W" || kind === "L" ? answer.dtw !== null && answer.dtw !== undefined && ply >= answer.dtw : kind === "D";
}

/** Returns the set that is selected first: the first one that contains the position, otherwise one of its side. */
function firstOf(sets) {
  const holding = sets.filter(contains).sort((a, b) => a.ply - b.ply)[0];
  const own = sets.filter((set) => set.side === state.answer.side);
  const isNow = (set) => set.partial && set.ply === state.at && state.start === "start";
  return holding ?? own.find((set) => isNow(set) && set.kind === VALUES) ?? own.find(isNow) ?? own.find(covers) ?? own.find((set) => set.kind === HOLDS[state.answer.category]) ?? own.find((set) => set.num_states > 8) ?? sets[0];
}

function said({ positions, num_states: states, run, ends }, listed) {
  const { side, sector } = listed, mover = state.answer.side;
  const whose = sector ? `in which the side to move is drawn as ${sideInside(side)}` : `with ${sideInside(side)} to move`;
  const held = positions === null ? `The positions ${whose}, represented by ${counted(states, "state")}.` : `${counted(positions, "position")} ${whose}, represented by ${counted(states, "state")}.`;
  if (!run) return held;
  if (listed.partial) return `${held} It is right only for positions that can occur at this point of the game, which is why it is small.`;
  if (run.accepted === null) {
    const end = ends[FIRST_END - run.through.at(-1)], is = side === mover ? "is" : "would be, with the other side to move,";
    return `${held} The position ${run.position} ${is} a ${words({ ...end, depth: end.dtw })}.`;
  }
  if (side === mover || sector) return `${held} The position ${run.position} is ${run.accepted ? "one of them" : "not one of them"}.`;
  return `${held} In the position ${run.position}, ${sideInside(mover)} is to move. With the other side to move, it would ${run.accepted ? "be" : "not be"} one of them.`;
}

/**
 * Computes where everything is, in units of the drawing's width and height: states are spread evenly over each layer, so
 * that the drawing fills its frame.
 */
function sceneOf({ layers, run, root, ends = [] }) {
  const isWhole = typeof root === "number" && layers.some((layer) => layer.states?.length);
  const x = (layer) => layer / Math.max(1, layers.length);
  const y = (layer, target) => (target < 0 ? 0.5 : (target + 0.5) / (layers[layer]?.width || 1));
  // Values are a column after the last layer, in which wins are above draws and losses, and short ones above long ones.
  const rank = ({ category, dtw }) => ({ win: 0, draw: 1e6, unknown: 2e6, loss: 3e6 })[category] + (dtw ?? 0);
  const sorted = [...ends.keys()].sort((a, b) => rank(ends[a]) - rank(ends[b]));
  const endOf = (target) => ({ x: 1, y: (sorted.indexOf(FIRST_END - target) + 0.5) / ends.length, target });
  const path = (run?.through ?? []).map((target, at) => (target <= FIRST_END ? endOf(target) : { x: x(at), y: isWhole ? y(at, target) : 0.5, target }));
  const edges = [], states = [];
  if (isWhole) {
    layers.forEach((layer, at) => layer.states.forEach((row, from) => {
      states.push({ x: x(at), y: y(at, from), layer: at, state: from, row });
      for (const to of new Set(row)) if (to !== -1 && (to > FIRST_END || at === layers.length - 1)) edges.push([x(at), y(at, from), x(at + 1), to <= FIRST_END ? endOf(to).y : y(at + 1, to)]);
    }));
  }
  const most = Math.max(1, ...layers.map((layer) => layer.width));
  const values = sorted.map((end) => ({ ...endOf(FIRST_END - end), ...ends[end] }));
  return { layers, run, path, edges, states, values, ends, isWhole, x, most, widest: Math.max(2, ...layers.map((layer) => layer.width)) };
}

/** Draws a scene into an area with the methods of a pen. */
function paint(pen, scene, { left, top, width, height, scale, full }, colours, heard) {
  const px = (x) => left + x * width, py = (y) => top + y * height;
  const { layers, run } = scene;
  const room = Math.min(height / scene.widest, width / Math.max(1, layers.length));
  const r = Math.max(1.4, Math.min(9, room * 0.36));
  if (scene.isWhole) {
    pen.curves(scene.edges.map(([a, b, c, d]) => [px(a), py(b), px(c), py(d)]), colours.edge, Math.max(0.35, Math.min(1.3, room / 8)), scene.edges.length > 1500 ? 0.45 : 0.75);
    pen.circles(scene.states.map(({ x, y }) => [px(x), py(y)]), r, r > 4 ? colours.state : colours.accent, r > 4 ? colours.edge : colours.accent);
  } else {
    const half = (layer) => Math.max(0.004, layer.width / scene.most / 2);
    const upper = layers.map((layer, at) => [px(scene.x(at)), py(0.5 - half(layer))]);
    const lower = layers.map((layer, at) => [px(scene.x(at)), py(0.5 + half(layer))]).reverse();
    pen.area([...upper, ...lower], colours.river);
    layers.forEach((layer, at) => pen.text(grouped(layer.width), px(scene.x(at)), py(0.5 + half(layer)) + 18, colours.faint, 12));
  }
  const path = scene.path.slice(0, heard + 1);
  pen.curves(path.slice(1).map((to, at) => [px(path[at].x), py(path[at].y), px(to.x), py(to.y)]), colours.run, 4, 1);
  for (const category of new Set(scene.values.map((value) => value.category))) {
    const those = scene.values.filter((value) => value.category === category);
    pen.circles(those.map(({ x, y }) => [px(x), py(y)]), Math.max(2.5, Math.min(9, (height * 0.4) / scene.values.length)), colours[category] ?? colours.faint, colours.ground);
  }
  pen.circles(path.map(({ x, y }) => [px(x), py(y)]), Math.max(5, r), colours.run, colours.ink);
  const end = path.at(-1), value = scene.ends[FIRST_END - (end?.target ?? 0)];
  if (value) {
    pen.circles([[px(end.x), py(end.y)]], 13, colours[value.category] ?? colours.faint, colours.ink);
    pen.text(letter(value.category) + (value.dtw ?? ""), px(end.x), py(end.y) + 4.5, colours.value, 11, true);
  } else if (end && end.target < 0) pen.circles([[px(end.x), py(end.y)]], 10, end.target === -2 ? colours.win : colours.loss, colours.ink);
  // The names of the layers and the letters of the position stay on top.
  pen.box(0, 0, full, HEAD, colours.ground);
  const step = width * (scene.x(1) - scene.x(0)), every = Math.ceil(30 / Math.max(1, step));
  layers.forEach((layer, at) => {
    const middle = px(scene.x(at) + 0.5 / layers.length);
    if (middle < 0 || middle > full || at % every > 0) return;
    pen.text(layer.label, middle, 20, colours.faint, 13);
    if (run) pen.text(layer.letters[run.letters[at]] ?? "", middle, 42, at < heard ? colours.ink : colours.faint, 15, at < heard);
  });
  return { r, px, py, scale };
}

/** Returns a pen that draws on a canvas. */
function canvasPen(context) {
  const curve = ([x1, y1, x2, y2]) => { context.moveTo(x1, y1); context.bezierCurveTo((x1 + x2) / 2, y1, (x1 + x2) / 2, y2, x2, y2); };
  return {
    curves(list, colour, width, alpha) {
      context.beginPath();
      list.forEach(curve);
      Object.assign(context, { strokeStyle: colour, lineWidth: width, globalAlpha: alpha, lineCap: "round" });
      context.stroke();
      context.globalAlpha = 1;
    },
    circles(list, r, fill, line) {
      context.beginPath();
      for (const [x, y] of list) { context.moveTo(x + r, y); context.arc(x, y, r, 0, 2 * Math.PI); }
      Object.assign(context, { fillStyle: fill, strokeStyle: line, lineWidth: r > 3 ? 1.2 : 0.5 });
      context.fill();
      context.stroke();
    },
    area(points, colour) {
      context.beginPath();
      points.forEach(([x, y]) => context.lineTo(x, y));
      context.fillStyle = colour;
      context.fill();
    },
    box(x, y, width, height, colour) { context.fillStyle = colour; context.fillRect(x, y, width, height); },
    text(text, x, y, colour, size, isBold) {
      Object.assign(context, { fillStyle: colour, textAlign: "center", font: `${isBold ? "600 " : ""}${size}px system-ui, "DejaVu Sans", sans-serif` });
      context.fillText(text, x, y);
    },
  };
}

/** Returns a pen that writes SVG into a list. */
function svgPen(out) {
  const n = (number) => number.toFixed(1), safe = (text) => String(text).replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign]);
  const curve = ([x1, y1, x2, y2]) => `M${n(x1)},${n(y1)}C${n((x1 + x2) / 2)},${n(y1)} ${n((x1 + x2) / 2)},${n(y2)} ${n(x2)},${n(y2)}`;
  return {
    curves: (list, colour, width, alpha) => out.push(`<path d="${list.map(curve).join("")}" fill="none" stroke="${colour}" stroke-width="${n(width)}" stroke-opacity="${alpha}"/>`),
    circles: (list, r, fill, line) => out.push(`<g fill="${fill}" stroke="${line}">${list.map(([x, y]) => `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}"/>`).join("")}</g>`),
    area: (points, colour) => out.push(`<path d="M${points.map((point) => point.map(n).join(",")).join("L")}Z" fill="${colour}"/>`),
    box: (x, y, width, height, colour) => out.push(`<rect x="${x}" y="${y}" width="${n(width)}" height="${height}" fill="${colour}"/>`),
    text: (text, x, y, colour, size, isBold) => out.push(`<text x="${n(x)}" y="${n(y)}" fill="${colour}" font-family="sans-serif" font-size="${size}"${isBold ? ' font-weight="600"' : ""} text-anchor="middle">${safe(text)}</text>`),
  };
}

/** Returns an automaton in the language DOT. */
function dotOf({ set, layers, root, ends = [] }) {
  const node = (layer, target) => (target === -2 ? "accept" : target <= FIRST_END ? `v${FIRST_END - target}` : `s${layer}_${target}`);
  const values = ends.map(({ category, dtw }, at) => `  v${at} [shape=box, label="${category} ${dtw ?? ""}"];`);
  const lines = layers.flatMap((layer, at) => (layer.states ?? []).flatMap((row, from) => [...new Set(row)].filter((to) => to !== -1).map((to) => {
    const letters = row.flatMap((goal, letter) => (goal === to ? [layer.letters[letter]] : []));
    return `  ${node(at, from)} -> ${node(at + 1, to)} [label=${JSON.stringify(`${layer.label}: ${letters.join(" ")}`)}];`;
  })));
  return `digraph ${JSON.stringify(set)} {\n  rankdir=LR;\n  node [shape=circle, label=""];\n  ${ends.length > 0 ? values.join("\n") : "accept [shape=doublecircle];"}\n${typeof root === "number" && root !== -1 ? `  begin [shape=point];\n  begin -> ${node(0, root)};\n` : ""}${lines.join("\n")}\n}\n`;
}

function coloursOf(element) {
  const style = getComputedStyle(element);
  const of = (name) => style.getPropertyValue(`--${name}`).trim();
  return { edge: of("edge"), state: of("panel"), run: of("halo"), accent: of("accent"), ink: of("ink"), faint: of("faint"), ground: of("ground"), win: of("win"), draw: of("draw"), loss: of("loss"), value: of("on-value"), river: of("river") };
}

/** Returns the drawing of an automaton, with its controls. */
function drawing(automaton) {
  const scene = sceneOf(automaton);
  const canvas = h("canvas", { class: "net", tabindex: 0, role: "img", "aria-label": `automaton of ${counted(automaton.num_states, "state")} in ${counted(automaton.layers.length, "layer")}` });
  const tip = h("p", { class: "faint tip", "aria-live": "off" });
  const view = { x: 0, y: 0, zoom: 1 };
  const last = Math.max(0, scene.path.length - 1);
  let heard = last, timer = null, placed = null;
  const area = (width, height) => ({
    left: MARGIN + view.x, top: HEAD + MARGIN / 2 + view.y, width: (width - 2 * MARGIN) * view.zoom, height: (height - HEAD - MARGIN - (scene.isWhole ? 0 : 18)) * view.zoom, scale: view.zoom, full: width,
  });
  const draw = () => {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    Object.assign(canvas, { width: width * ratio, height: height * ratio });
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    placed = paint(canvasPen(context), scene, area(width, height), coloursOf(canvas), heard);
    canvas.dataset.heard = heard;
  };
  const play = () => {
    clearInterval(timer);
    heard = 0;
    draw();
    timer = setInterval(() => {
      heard += 1;
      if (heard >= last || !canvas.isConnected) clearInterval(timer);
      draw();
    }, BEAT);
  };
  const zoom = (factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) => {
    const next = Math.max(1, Math.min(60, view.zoom * factor)), by = next / view.zoom;
    view.x = x - MARGIN - (x - MARGIN - view.x) * by;
    view.y = y - HEAD - MARGIN / 2 - (y - HEAD - MARGIN / 2 - view.y) * by;
    view.zoom = next;
    if (next === 1) Object.assign(view, { x: 0, y: 0 });
    draw();
  };
  const shift = (x, y) => { view.x += x; view.y += y; draw(); };
  listen(canvas, { zoom, shift, at: (x, y) => { tip.textContent = placed ? described(scene, placed, x, y) : ""; } });
  const saveAs = (data, kind, ending) => save(data, kind, `${automaton.set}.${ending}`);
  const saveSvg = () => {
    const out = [], { clientWidth: width, clientHeight: height } = canvas;
    paint(svgPen(out), scene, area(width, height), coloursOf(canvas), heard);
    saveAs(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${out.join("\n")}</svg>\n`, "image/svg+xml", "svg");
  };
  const button = (name, onclick, title) => h("button", { type: "button", onclick, title: title ?? false, "aria-label": title ?? false }, name);
  const bar = h("div", { class: "bar" },
    automaton.run ? button("Read the position", play) : null, button("+", () => zoom(1.5), "Zoom in"), button("\u2212", () => zoom(1 / 1.5), "Zoom out"), button("Whole", () => zoom(1e-9)),
    button("SVG", saveSvg), button("PNG", () => canvas.toBlob((blob) => saveAs(blob, "image/png", "png"))), scene.isWhole ? button("DOT", () => saveAs(dotOf(automaton), "text/vnd.graphviz", "dot")) : null);
  const root = typeof automaton.root === "number" && automaton.root < 0 ? h("p", {}, automaton.root === -2 ? "Every word is accepted." : automaton.root === -1 ? "No word is accepted." : "Every word has the same value.") : null;
  new ResizeObserver(draw).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  return h("div", {}, root, canvas, tip, bar, h("p", { class: "faint" }, `${scene.isWhole ? "Each circle is a state." : "The height of each layer is its number of states."} Drag to move the drawing; to zoom, use the buttons, + and \u2212, or the mouse wheel with Ctrl.`));
}

/** Describes the state at a point. */
function described({ states, layers, ends, values }, { px, py, r }, x, y) {
  const value = values.find((one) => Math.hypot(px(one.x) - x, py(one.y) - y) < 9);
  if (value) return `Value: ${words({ ...value, depth: value.dtw })}`;
  let best = null, least = (r + 6) ** 2;
  for (const one of states) {
    const distance = (px(one.x) - x) ** 2 + (py(one.y) - y) ** 2;
    if (distance < least) { least = distance; best = one; }
  }
  if (!best) return "";
  const { label, letters } = layers[best.layer];
  const goals = [...new Set(best.row)].map((to) => {
    const by = best.row.flatMap((goal, letter) => (goal === to ? [letters[letter]] : [])).join(", ");
    return `${by} \u2192 ${to === -1 ? "reject" : to === -2 ? "accept" : to <= FIRST_END ? letter(ends[FIRST_END - to].category) + (ends[FIRST_END - to].dtw ?? "") : `state ${to}`}`;
  });
  return `Layer ${label}, state ${best.state}: ${goals.join("; ")}`;
}

/** Handles drags, the mouse wheel with Ctrl, and keys. Without Ctrl, the wheel scrolls the page. */
function listen(canvas, { zoom, shift, at }) {
  let held = null;
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    const area = canvas.getBoundingClientRect();
    zoom(event.deltaY > 0 ? 1 / 1.15 : 1.15, event.clientX - area.left, event.clientY - area.top);
    event.preventDefault();
  }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => { held = [event.clientX, event.clientY]; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", (event) => {
    const area = canvas.getBoundingClientRect();
    at(event.clientX - area.left, event.clientY - area.top);
    if (!held) return;
    shift(event.clientX - held[0], event.clientY - held[1]);
    held = [event.clientX, event.clientY];
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { held = null; });
  canvas.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[event.key];
    if (by) shift(...by);
    else if (event.key === "+") zoom(1.25);
    else if (event.key === "-") zoom(1 / 1.25);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
