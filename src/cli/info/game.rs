//! What `info` says of a game.

use anyhow::Result;
use nerode_games::{Position, registry};
use serde::Serialize;

use crate::cli::output::{Outcome, Output};

#[derive(Serialize)]
struct LayerRow {
    label: String,
    letters: Vec<String>,
}

#[derive(Serialize)]
struct Info {
    game: String,
    rules: String,
    fingerprint: String,
    order: String,
    orders: Vec<String>,
    layers: Vec<LayerRow>,
    start: String,
    position_form: String,
    positions_per_side: Option<String>,
    symmetries: Vec<String>,
    #[serde(skip)]
    board: String,
}

/// Board, letters, orders and rules of the game that `spec` names.
pub(super) fn run(spec: &str, order: Option<&str>, out: &Output) -> Result<Outcome> {
    let game = registry::open_with_order(spec, order)?;
    let (board, side) = game.start();
    let start = Position { board, side };
    let info = Info {
        game: game.spec(),
        rules: game.rules(),
        fingerprint: game.fingerprint(),
        order: game.order().to_string(),
        orders: registry::orders(spec)?,
        layers: game.layers().into_iter().map(|l| LayerRow { label: l.label, letters: l.letters }).collect(),
        start: game.format_position(&start),
        position_form: game.position_form(),
        positions_per_side: game.shape().num_words().map(|n| n.to_string()),
        symmetries: game.relabellings().into_iter().map(|s| s.name).collect(),
        board: game.draw(&start),
    };
    out.result(&info, |i| {
        let labels: Vec<&str> = i.layers.iter().map(|l| l.label.as_str()).collect();
        let mut letters: Vec<String> = i.layers.iter().map(|l| l.letters.join(" ")).collect();
        letters.dedup();
        let letters = letters.join(", then ");
        format!(
            "{}\n\n{}\nstart        {}\nwritten as   {}\nrules        {}\nfingerprint  {}\norder        {} (known: {})\nlayers       {}\n\
             letters      {}\npositions    {} for each side\nsymmetries   {}\n",
            i.game,
            i.board,
            i.start,
            i.position_form,
            i.rules.replace('\n', "\n             "),
            i.fingerprint,
            i.order,
            i.orders.join(", "),
            labels.join(" "),
            letters,
            i.positions_per_side.as_deref().unwrap_or("more than 2^128"),
            i.symmetries.join(", "),
        )
    })?;
    Ok(Outcome::Done)
}
