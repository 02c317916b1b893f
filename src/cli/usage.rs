//! What helps with arguments that cannot be read.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue};
use nerode_games::registry;

/// The error with a tip where a family and its board are two words, as in `solve breakthrough 4x5`.
pub(super) fn with_tip(mut error: clap::Error, arguments: &[OsString]) -> clap::Error {
    if let Some(game) = split_game(&error, arguments) {
        let tip = format!("a game is one word: '{game}'");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// The game that the word too much and the one before it make together.
fn split_game(error: &clap::Error, arguments: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(board)) = error.get(ContextKind::InvalidArg) else { return None };
    let mut pairs = arguments.windows(2).filter_map(|pair| Some((pair[0].to_str()?, pair[1].to_str()?)));
    let (family, board) =
        pairs.find(|(family, word)| word == board && registry::family_named(family).is_some())?;
    let game = format!("{family}:{board}");
    registry::open(&game).is_ok().then_some(game)
}
