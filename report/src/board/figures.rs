//! Figures as SVG, each drawn with a few lines around its centre.

use nerode_games::{Figure, Look};

use super::style::FONT;

/// The fill and the outline of light and of dark figures.
const LIGHT: [&str; 2] = ["#fffdf7", "#44403c"];
const DARK: [&str; 2] = ["#44403c", "#1c1917"];

/// Draws a figure with its centre at (x, y), for a cell of the given size.
pub(super) fn figure(figure: Figure, (x, y): (f64, f64), cell: f64) -> String {
    let [fill, line] = if figure.light { LIGHT } else { DARK };
    let shape = match figure.look {
        Look::Disc => disc(0.34, fill, line),
        Look::Thing => disc(0.3, "#e8d9a8", "#7c6a2f"),
        Look::Cross => strokes("M-24,-24L24,24M24,-24L-24,24", "#1c1917"),
        Look::Ring => strokes("M-26,0A26,26 0 1 1 26,0A26,26 0 1 1 -26,0", "#1c1917"),
        Look::Pawn => outline(PAWN, fill, line),
        Look::Amazon => outline(AMAZON, fill, line),
        Look::Block => block(),
        Look::Man(letter) => man(letter, fill, line),
    };
    let scale = cell / UNITS;
    format!("<g transform=\"translate({x:.1} {y:.1}) scale({scale:.3})\">{shape}</g>\n")
}

/// The number of units in the edge of a cell, in which figures are drawn.
const UNITS: f64 = 100.0;

const PAWN: &str = "M-24,34Q-24,24 -15,20Q-6,12 -7,-1L-13,-1Q-15,-7 -9,-9A14.5,14.5 0 1 1 9,-9Q15,-7 13,-1L7,-1\
                    Q6,12 15,20Q24,24 24,34Z";
const AMAZON: &str =
    "M-25,34L-25,26Q-20,24 -21,18L-32,-14L-14,2L-11,-24L0,-3L11,-24L14,2L32,-14L21,18Q20,24 25,26L25,34Z";

fn disc(radius: f64, fill: &str, line: &str) -> String {
    let radius = radius * UNITS;
    format!(
        "<circle r=\"{radius:.1}\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"2.5\"/><circle r=\"{:.1}\" fill=\"none\" \
         stroke=\"{line}\" stroke-width=\"1.2\" opacity=\"0.35\"/>",
        radius * 0.72
    )
}

fn strokes(path: &str, line: &str) -> String {
    format!(
        "<path d=\"{path}\" fill=\"none\" stroke=\"{line}\" stroke-width=\"9\" stroke-linecap=\"round\"/>"
    )
}

fn outline(path: &str, fill: &str, line: &str) -> String {
    format!(
        "<path d=\"{path}\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"2.5\" stroke-linejoin=\"round\"/>"
    )
}

fn block() -> String {
    "<rect x=\"-40\" y=\"-40\" width=\"80\" height=\"80\" rx=\"8\" fill=\"#a8a29e\"/>\
     <path d=\"M-18,-18L18,18M18,-18L-18,18\" stroke=\"#57534e\" stroke-width=\"6\" stroke-linecap=\"round\"/>"
        .to_string()
}

/// Draws a chess piece as the solid sign of its kind, filled light or dark. The character after the sign requests text
/// style instead of an emoji.
fn man(letter: char, fill: &str, line: &str) -> String {
    let sign = match letter {
        'K' => '\u{265a}',
        'Q' => '\u{265b}',
        'R' => '\u{265c}',
        'B' => '\u{265d}',
        'N' => '\u{265e}',
        _ => '\u{265f}',
    };
    format!(
        "<text y=\"27\" text-anchor=\"middle\" font-size=\"78\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"2\" {FONT}>\
         {sign}\u{fe0e}</text>"
    )
}
