//! Bare names of families, whose standard board is often infeasible.

use anyhow::Result;
use nerode_games::FamilyInfo;

use super::args::Args;
use crate::cli::hints::advised;
use crate::cli::output::grouped;
use crate::registry;

/// Refuses the bare name of a family whose standard board is infeasible, and prints the resources that it would
/// require and a board that is feasible. A request that names the board or limits the work is allowed.
pub(super) fn must_be_in_reach(args: &Args) -> Result<()> {
    let family = registry().family_named(&args.game).filter(|_| !args.is_bounded());
    match family.and_then(|family| Some((family, beyond_reach(family)?))) {
        None => Ok(()),
        Some((family, (why, hint))) => {
            let (name, usual) = (family.family, family.usual);
            Err(advised(format!("{usual}, which '{name}' stands for, is out of reach: {why}"), hint))
        }
    }
}

/// Returns the reason why the standard board of a family is infeasible, and what can be done instead. Returns `None` if it is
/// feasible.
pub(in crate::cli) fn beyond_reach(family: &FamilyInfo) -> Option<(String, String)> {
    let usual = family.usual;
    let smaller = format!("'nerode solve {}' solves a smaller game", family.in_reach?);
    Some(match registry().open(usual) {
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
    })
}
