// Drawings of pieces: one for each look, on a square of 100 by 100 around the origin.

import { s } from "./dom.js";

const PAWN = "M-24,34Q-24,24 -15,20Q-6,12 -7,-1L-13,-1Q-15,-7 -9,-9A14.5,14.5 0 1 1 9,-9Q15,-7 13,-1L7,-1Q6,12 15,20Q24,24 24,34Z";
const AMAZON = "M-25,34L-25,26Q-20,24 -21,18L-32,-14L-14,2L-11,-24L0,-3L11,-24L14,2L32,-14L21,18Q20,24 25,26L25,34Z";
const MEN = { K: "\u265a", Q: "\u265b", R: "\u265c", B: "\u265d", N: "\u265e", P: "\u265f" };
const NAMES = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn", thing: "object", ring: "nought" };

/** Draws a piece. `colours` contains the colours of sides whose names are colours. */
export function figure({ look, light, owner }, colours = {}) {
  const own = colours[owner];
  const isBright = own ? own === "yellow" : light;
  const piece = own ? `own-${own}` : light ? "light" : "dark-piece";
  switch (look) {
    case "disc":
      return s("g", { class: "figure" }, s("circle", { r: 35, class: piece, "stroke-width": 2.5 }),
        s("circle", { r: 33, fill: isBright ? "url(#shine-light)" : "url(#shine-dark)" }),
        s("circle", { r: 24, class: isBright ? "groove" : "groove dark" }));
    case "cross": return s("path", { d: "M-24,-24L24,24M24,-24L-24,24", class: "figure stroke" });
    case "ring": return s("circle", { r: 27, class: "figure stroke" });
    case "pawn": return s("path", { d: PAWN, class: `figure ${piece}`, "stroke-width": 2.5, "stroke-linejoin": "round" });
    case "amazon": return s("path", { d: AMAZON, class: `figure ${piece}`, "stroke-width": 2.5, "stroke-linejoin": "round" });
    case "block":
      return s("g", { class: "figure" }, s("rect", { x: -40, y: -40, width: 80, height: 80, rx: 8, class: "block" }),
        s("path", { d: "M-18,-18L18,18M18,-18L-18,18", class: "block-cross" }));
    case "thing":
      return s("g", { class: "figure" }, s("ellipse", { rx: 40, ry: 34, class: "thing", "stroke-width": 2.5 }),
        s("ellipse", { cx: -10, cy: -11, rx: 17, ry: 9, class: "gleam" }));
    default: return s("text", { y: 27, class: `figure man ${piece}` }, (MEN[look] ?? look) + "\ufe0e");
  }
}

/** Describes a piece in words. */
export function nameOf({ look, light, owner }, colours = {}) {
  const name = NAMES[look] ?? look;
  const colour = colours[owner] ?? (light ? "white" : "black");
  return owner && !["cross", "ring"].includes(look) ? `${colour} ${name}` : name;
}
