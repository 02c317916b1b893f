//! Tips for arguments that cannot be parsed.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue};

use super::hints::name_of_words;
use crate::registry;

/// Rejects arguments that are not UTF-8, because JSON documents could not contain them.
pub(super) fn must_be_text(program: &mut clap::Command, arguments: &[OsString]) -> Result<(), clap::Error> {
    let Some(word) = arguments.iter().skip(1).find(|word| word.to_str().is_none()) else { return Ok(()) };
    let reason = format!("the argument '{}' is not UTF-8 text; rename the file", word.to_string_lossy());
    Err(program.error(clap::error::ErrorKind::InvalidUtf8, reason))
}

/// Adds a tip to the error if two words should be one, as in `solve breakthrough 4x5`, and for a negative number.
pub(super) fn with_tip(mut error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let tip = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(word)) => {
            let one = before(word, arguments).find_map(|first| one_word(first, word));
            let one = one.or_else(|| of_several_words(word, arguments));
            one.or_else(|| of_negative(word, arguments))
        }
        _ => None,
    };
    if let Some(tip) = tip {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// Returns the arguments that precede occurrences of `word`.
fn before<'a>(word: &'a str, arguments: &'a [OsString]) -> impl Iterator<Item = &'a str> {
    let pairs = arguments.windows(2).filter_map(|pair| Some((pair[0].to_str()?, pair[1].to_str()?)));
    pairs.filter_map(move |(first, second)| (second == word).then_some(first))
}

/// Returns the tip if `first` and `second` should be one word.
fn one_word(first: &str, second: &str) -> Option<String> {
    if first == "--units" {
        return second
            .parse::<u32>()
            .ok()
            .map(|states| format!("its number follows '=': '--units={states}'"));
    }
    registry().family_named(first)?;
    let game = format!("{first}:{second}");
    registry().open(&game).is_ok().then(|| format!("a game is one word: '{game}'"))
}

/// Returns the tip if `word` is the second one of a name of a game, as in `solve connect four`.
fn of_several_words(word: &str, arguments: &[OsString]) -> Option<String> {
    let at = arguments.iter().skip(2).position(|given| given.to_str() == Some(word))? + 2;
    let first = arguments[at - 1].to_str()?;
    let (name, game) = name_of_words(first, arguments[at..].iter().filter_map(|word| word.to_str()))?;
    Some(format!("'{name}' is the game '{game}'"))
}

/// Returns the tip for a negative number, which the parser takes for an option.
fn of_negative(word: &str, arguments: &[OsString]) -> Option<String> {
    let begin = |text: &str| {
        text.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    // The parser names the first letter only.
    let is_meant = |given: &&str| begin(given) && given.starts_with(word);
    let number = arguments.iter().skip(1).filter_map(|given| given.to_str()).find(is_meant)?;
    let option = before(number, arguments).find(|first| first.starts_with("--"));
    Some(match option {
        Some(option) => format!("{option} takes no negative number"),
        None => "no argument is a negative number".into(),
    })
}
