//! The names of families alone: the board that people mean, which is often out of reach.

use anyhow::{Result, bail};
use nerode_games::registry;

use super::args::Args;
use crate::cli::output::grouped;

/// Refuses the bare name of a family whose usual board is out of reach, with what it would take and a board that is not. Whoever
/// names the board, or bounds the work, is let through.
pub(super) fn must_be_in_reach(args: &Args) -> Result<()> {
    let Some(family) = registry::family_named(&args.game) else { return Ok(()) };
    let (Some(instead), false) = (family.in_reach, args.is_bounded()) else { return Ok(()) };
    let usual = family.usual;
    let (why, tries) = match registry::open(usual) {
        Err(error) => (error.to_string(), String::new()),
        Ok(game) if game.forward_only() => {
            let count = format!("; 'nerode reach {usual} --plies 4' counts its positions");
            ("the whole game has too many positions to be solved".into(), count)
        }
        Ok(game) => {
            let words = game.shape().num_words().map_or("more than 2^128".into(), grouped);
            let tries = format!(
                "; 'nerode estimate {usual}' says more, and 'nerode solve {usual}' tries all the same"
            );
            (format!("a side has {words} boards to decide"), tries)
        }
    };
    bail!(
        "{} alone is {usual}, which is out of reach: {why}; 'nerode solve {instead}' solves a smaller one{tries}",
        family.family
    )
}
