//! The colours, letters and lines of values, and the escaping of text for XML.

use nerode_games::Value;

use nerode_solver::outcome::Outcome;

/// The background of the whole drawing, and the colour of its text.
pub(super) const PAPER: &str = "#fcfbf8";
pub(super) const INK: &str = "#292524";
pub(super) const FAINT: &str = "#78716c";
/// The colours of squares, and of the lines between them.
pub(super) const SQUARES: [&str; 2] = ["#f4efe4", "#dfd5c0"];
pub(super) const LINES: &str = "#b8ad97";
pub(super) const FONT: &str = "font-family=\"system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif\"";

/// The appearance of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Style {
    /// The first letter of its badge.
    pub(super) letter: &'static str,
    /// Its explanation in the legend.
    pub(super) meaning: &'static str,
    pub(super) fill: &'static str,
    pub(super) line: &'static str,
    pub(super) text: &'static str,
    /// The dash pattern of its lines.
    pub(super) dashes: &'static str,
}

const WIN: Style = Style {
    letter: "W",
    meaning: "win for the mover",
    fill: "#0b62a8",
    line: "#0b62a8",
    text: "#ffffff",
    dashes: "none",
};
const DRAW: Style =
    Style { letter: "D", meaning: "draw", fill: "#e7e5e4", line: "#57534e", text: "#292524", dashes: "1 5" };
const LOSS: Style = Style {
    letter: "L",
    meaning: "loss for the mover",
    fill: "#fff7ed",
    line: "#c2410c",
    text: "#9a3412",
    dashes: "6 4",
};
const UNKNOWN: Style = Style {
    letter: "?",
    meaning: "unknown",
    fill: "#ffffff",
    line: "#a8a29e",
    text: "#57534e",
    dashes: "2 4",
};

impl Style {
    pub(super) fn of(outcome: Option<Outcome>) -> Self {
        match outcome.and_then(Outcome::value) {
            Some(Value::Win) => WIN,
            Some(Value::Draw) => DRAW,
            Some(Value::Loss) => LOSS,
            None => UNKNOWN,
        }
    }

    /// Returns the text of the badge of a value: its letter, and the number of plies if it is known.
    pub(super) fn label(outcome: Option<Outcome>) -> String {
        let plies = outcome.and_then(Outcome::depth).map_or(String::new(), |plies| plies.to_string());
        format!("{}{plies}", Self::of(outcome).letter)
    }
}

/// Draws a badge with a value, centred at (x, y).
pub(super) fn badge(outcome: Option<Outcome>, best: bool, (x, y): (f64, f64)) -> String {
    let (style, label) = (Style::of(outcome), Style::label(outcome));
    let (width, height) = badge_size(&label);
    let stroke = if best { 2.5 } else { 1.2 };
    format!(
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{:.1}\" fill=\"{}\" stroke=\"{}\" \
         stroke-width=\"{stroke}\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"13\" \
         font-weight=\"{}\" fill=\"{}\">{label}</text>\n",
        x - width / 2.0,
        y - height / 2.0,
        height / 2.0,
        style.fill,
        style.line,
        y + 4.6,
        if best { 700 } else { 500 },
        style.text,
    )
}

/// Draws a ring around the place in the middle of a cell of the given size, which marks the moving figure.
pub(super) fn halo((x, y): (f64, f64), cell: f64) -> String {
    format!(
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"#fde9a9\" stroke=\"#a16207\" stroke-width=\"2.5\"/>\n",
        cell * 0.46
    )
}

/// Returns the width and the height of a badge.
pub(super) fn badge_size(label: &str) -> (f64, f64) {
    (12.0 + 8.0 * label.chars().count() as f64, 20.0)
}

/// Escapes `text` for XML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
