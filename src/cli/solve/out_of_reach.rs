//! Bare names of families, whose standard board is often infeasible.

use anyhow::Result;

use super::args::Args;
use crate::cli::hints::advised;
use crate::cli::output::grouped;
use crate::registry;

/// Refuses the bare name of a family whose standard board is infeasible, and prints the resources that it would
/// require and a board that is feasible. A request that names the board or limits the work is allowed.
pub(super) fn must_be_in_reach(args: &Args) -> Result<()> {
    let Some(family) = registry().family_named(&args.game) else { return Ok(()) };
    let (Some(instead), false) = (family.in_reach, args.is_bounded()) else { return Ok(()) };
    let (name, usual) = (family.family, family.usual);
    let smaller = format!("'nerode solve {instead}' solves a smaller game");
    let (why, hint) = match registry().open(usual) {
        Err(_) => ("its board has too many cells".into(), smaller),
        Ok(game) if game.forward_only() => (
            "the whole game has too many positions".into(),
            format!("{smaller}; 'nerode reach {usual} --plies 4' counts the first positions"),
        ),
        Ok(game) => (
            format!(
                "it has {} boards for each side",
                game.shape().num_words().map_or("more than 2^128".into(), grouped)
            ),
            format!(
                "{smaller}; 'nerode estimate {usual}' gives details; 'nerode solve {usual}' tries anyway"
            ),
        ),
    };
    Err(advised(format!("{usual}, which '{name}' stands for, is out of reach: {why}"), hint))
}
