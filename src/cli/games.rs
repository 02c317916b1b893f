//! The command `nerode games`.

use anyhow::Result;
use nerode_rules::rbg::bundled;
use schemars::JsonSchema;
use serde::Serialize;

use super::output::{Outcome, Output};
use crate::registry;

/// A family of games.
#[derive(JsonSchema, Serialize)]
struct Family {
    /// The name of the family, with which the name of a game begins.
    family: &'static str,
    /// The form of the parameters after the colon.
    parameters: &'static str,
    /// The values of omitted parameters. May be empty.
    defaults: &'static str,
    /// A game of the family.
    example: &'static str,
    /// What the layers of a word represent.
    layers: &'static str,
    /// An additional remark. May be empty.
    note: &'static str,
}

/// The families of games, and how to name a game of each family.
#[derive(JsonSchema, Serialize)]
pub(super) struct Games {
    /// The families.
    families: Vec<Family>,
    /// The games whose rules come with the program as files, such as `rbg:hex`.
    rule_files: Vec<String>,
}

pub(super) fn run(out: &Output) -> Result<Outcome> {
    let families = registry()
        .families()
        .iter()
        .map(|f| Family {
            family: f.family,
            parameters: f.parameters,
            defaults: f.defaults,
            example: f.example,
            layers: f.layers,
            note: f.note,
        })
        .collect();
    let rule_files = bundled().iter().map(|game| format!("rbg:{}", game.name)).collect();
    out.result(&Games { families, rule_files }, |games| {
        let mut text = String::new();
        for f in &games.families {
            text += &format!("{}:{}\n  example   {}\n", f.family, f.parameters, f.example);
            for (label, value) in [("defaults", f.defaults), ("layers", f.layers), ("note", f.note)] {
                if !value.is_empty() {
                    text += &format!("  {label:<9} {value}\n");
                }
            }
        }
        text += "an option of every family\n  misere    a player who would have won has lost, as in tictactoe:3x3,misere\n";
        text +=
            &format!("rules from files, which 'nerode info' describes\n  {}\n", games.rule_files.join("  "));
        text
    })?;
    Ok(Outcome::Done)
}
