//! Parts of the text of a position: the symbols of points and the names of sides.

use crate::notation::{content_of, side_of as side_in};
use crate::side::Side;

/// The symbols of an empty point, a white stone and a black stone.
pub(super) const SYMBOLS: [char; 3] = ['*', 'O', '@'];
pub(super) const SIDES: [&str; 2] = ["w", "b"];

/// A parsed value, or an error text.
pub(super) type Parsed<T> = std::result::Result<T, String>;

/// Returns the colour of the stones of a side.
pub(in crate::rules::morris) fn colour(side: Side) -> &'static str {
    ["white", "black"][side.index()]
}

pub(super) fn side_of(text: &str) -> Parsed<Side> {
    side_in(text, SIDES)
}

pub(super) fn contents_of(symbols: &str) -> Parsed<Vec<u8>> {
    let content = |(before, symbol): (usize, char)| {
        content_of(symbol, &SYMBOLS).map(|content| content as u8).ok_or_else(|| match symbol {
            'X' => "points marked X (captured, but still occupied) do not occur under these rules".to_string(),
            _ => format!(
                "'{symbols}': unexpected '{symbol}' at character {}; expected * (empty), O (white) or @ (black)",
                before + 1
            ),
        })
    };
    symbols.chars().enumerate().map(content).collect()
}
