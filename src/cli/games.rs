//! The command `nerode games`.

use anyhow::Result;
use serde::Serialize;

use super::output::{Outcome, Output};
use crate::registry;

#[derive(Serialize)]
struct Family {
    family: &'static str,
    parameters: &'static str,
    defaults: &'static str,
    example: &'static str,
    layers: &'static str,
    note: &'static str,
}

#[derive(Serialize)]
struct Games {
    families: Vec<Family>,
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
    out.result(&Games { families }, |games| {
        let mut text = String::new();
        for f in &games.families {
            text += &format!("{}:{}\n  example   {}\n", f.family, f.parameters, f.example);
            for (label, value) in [("defaults", f.defaults), ("layers", f.layers), ("note", f.note)] {
                if !value.is_empty() {
                    text += &format!("  {label:<9} {value}\n");
                }
            }
        }
        text
    })?;
    Ok(Outcome::Done)
}
