//! The output of `info` for a game.

use anyhow::Result;
use nerode_games::Position;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::output::{Count, Outcome, Output, grouped};
use crate::registry;
use nerode_report::board::key;

/// A layer of a word.
#[derive(JsonSchema, Serialize)]
struct LayerRow {
    /// What the layer represents, such as a square.
    label: String,
    /// The letters of the layer.
    letters: Vec<String>,
}

/// The rules of a game, the letters of its words and the order of its layers.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Game")]
pub(in crate::cli) struct Info {
    /// The game with its parameters, such as `breakthrough:4x5`.
    game: String,
    /// The rules in words.
    rules: String,
    /// The hash of the rules.
    fingerprint: String,
    /// The letter order in use.
    order: String,
    /// The letter orders that have a name.
    orders: Vec<String>,
    /// The layers of a word, in order.
    layers: Vec<LayerRow>,
    /// The start position.
    start: String,
    /// How positions are written, in words.
    position_form: String,
    /// The number of words, each of which is a position with either side to move, or null if it exceeds 2^128.
    positions_per_side: Option<Count>,
    /// The names of the symmetries.
    symmetries: Vec<String>,
    #[serde(skip)]
    board: String,
    /// The letters of the sides in the drawing, if there are any at the start.
    #[serde(skip)]
    sides: Option<String>,
}

/// Prints the board, letters, orders and rules of the game that `spec` names.
pub(super) fn run(spec: &str, order: Option<&str>, out: &Output) -> Result<Outcome> {
    let game = registry().open_with_order(spec, order)?;
    let (board, side) = game.start();
    let start = Position { board, side };
    let info = Info {
        game: game.spec(),
        rules: game.rules(),
        fingerprint: game.fingerprint(),
        order: game.order().to_string(),
        orders: registry().orders(spec)?,
        layers: game.layers().into_iter().map(|l| LayerRow { label: l.label, letters: l.letters }).collect(),
        start: game.format_position(&start),
        position_form: game.position_form(),
        positions_per_side: game.shape().num_words().map(Count),
        symmetries: game.relabellings().into_iter().map(|s| s.name).collect(),
        board: game.draw(&start),
        sides: key(game.as_ref(), &start),
    };
    out.result(&info, |i| {
        let labels: Vec<&str> = i.layers.iter().map(|l| l.label.as_str()).collect();
        let letters = letters(&i.layers);
        format!(
            "{}\n\n{}\n{}start        {}\nwritten as   {}\nrules        {}\nfingerprint  {}\norder        {} (known: {})\nlayers       {}\n\
             letters      {}\npositions    {} for each side\nsymmetries   {}\n",
            i.game,
            i.board,
            i.sides.as_ref().map_or_else(String::new, |sides| format!("sides        {sides}\n")),
            i.start,
            i.position_form,
            i.rules.replace('\n', "\n             "),
            i.fingerprint,
            i.order,
            i.orders.join(", "),
            labels.join(" "),
            letters,
            i.positions_per_side.map_or("more than 2^128".into(), |count| grouped(count.0)),
            i.symmetries.join(", "),
        )
    })?;
    Ok(Outcome::Done)
}

/// The maximum number of layers that are listed by name with the same letters. Larger groups are shown as a number.
const NAMED: usize = 4;

/// The length of a row of numbers above which only its first and last elements are shown.
const NUMBERS: usize = 12;

/// Describes the letters of the layers, grouped by equal alphabets.
fn letters(layers: &[LayerRow]) -> String {
    let mut groups: Vec<(&[String], Vec<&str>)> = Vec::new();
    for layer in layers {
        match groups.iter_mut().find(|(letters, _)| *letters == layer.letters) {
            Some((_, labels)) => labels.push(&layer.label),
            None => groups.push((&layer.letters, vec![&layer.label])),
        }
    }
    if groups.len() <= 2 {
        let texts: Vec<String> = groups.iter().map(|(letters, _)| listed(letters)).collect();
        return texts.join(", then ");
    }
    let group = |(letters, labels): &(&[String], Vec<&str>)| match labels.len() {
        0..=NAMED => format!("{}  in {}", listed(letters), labels.join(" ")),
        more => format!("{}  in {more} layers from {} on", listed(letters), labels[0]),
    };
    groups.iter().map(group).collect::<Vec<_>>().join("\n             ")
}

fn listed(letters: &[String]) -> String {
    let are_numbers = letters.iter().enumerate().all(|(number, letter)| *letter == number.to_string());
    match letters {
        [first, .., last] if are_numbers && letters.len() >= NUMBERS => format!("{first} to {last}"),
        _ => letters.join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_grouped() {
        let layer = |label: &str, letters: &[&str]| LayerRow {
            label: label.into(),
            letters: letters.iter().map(|letter| letter.to_string()).collect(),
        };
        let two = [layer("s", &["x", "y"]), layer("a1", &[".", "w"]), layer("a2", &[".", "w"])];
        assert_eq!(letters(&two), "x y, then . w");
        let numbers: Vec<String> = (0..=20).map(|n| n.to_string()).collect();
        let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
        let mut more = Vec::from(two);
        more.extend((3..9).map(|n| layer(&format!("a{n}"), &[".", "b"])));
        more.extend([layer("a9", &[".", "w"]), layer("quiet", &numbers)]);
        let said = letters(&more);
        let lines: Vec<&str> = said.lines().map(str::trim).collect();
        assert_eq!(
            lines,
            ["x y  in s", ". w  in a1 a2 a9", ". b  in 6 layers from a3 on", "0 to 20  in quiet"]
        );
    }
}
