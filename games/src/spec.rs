//! Families of games and their specs, `family:parameters[,key=value...][,misere]`. This module splits a spec, and the family
//! interprets its parts.
//!
//! Invariant: every error states the spec, what is wrong with it, the form that the family accepts, and an example that opens.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::error::{Error, Result, did_you_mean};
use crate::game::Game;
use crate::misere::{MISERE, Misere};

/// A function that creates the game of a spec in a letter order.
pub type Build = fn(&Spec<'_>, Option<&str>) -> Result<Arc<dyn Game>>;

/// A family of games: its description for users and the functions that create its games.
#[derive(Clone, Copy, Debug)]
pub struct FamilyInfo {
    /// The name before the colon.
    pub family: &'static str,
    /// The form of the parameters after the colon, with the range of each part.
    pub parameters: &'static str,
    /// The optional parameters with their default values, or an empty text if there are none.
    pub defaults: &'static str,
    /// A valid spec.
    pub example: &'static str,
    /// The game that the name of the family alone denotes. This is the board that people usually mean, even if it is
    /// too large to solve.
    pub usual: &'static str,
    /// If the usual game is out of reach, a game that a laptop solves within a minute or two.
    pub in_reach: Option<&'static str>,
    /// The specs of games so small that tests can visit every board. All tests of the registry run on them.
    pub small: &'static [&'static str],
    /// The meaning of a layer and its letters.
    pub layers: &'static str,
    /// A summary of the rules in one sentence.
    pub note: &'static str,
    /// Creates the game of a spec in the letter order with the given name, or in the first order of the family.
    pub build: Build,
    /// Returns the names of the letter orders of the game of a spec, starting with the usual one.
    pub orders: fn(&Spec<'_>) -> Result<Vec<String>>,
}

impl FamilyInfo {
    /// Returns the accepted form of a spec for error messages: `family:parameters`.
    pub fn form(&self) -> String {
        format!("{}:{}", self.family, self.parameters)
    }

    /// Opens the game of this family with the given spec, in the letter order `order` or in the first order of the family.
    ///
    /// Programs with families that are not in the registry use this method to open their games.
    ///
    /// # Errors
    /// Returns [`Error::Spec`] if the spec belongs to another family or has wrong parameters, or
    /// [`Error::UnknownOrder`] or [`Error::Order`] if the letter order is invalid.
    pub fn open(&self, spec: &str, order: Option<&str>) -> Result<Arc<dyn Game>> {
        Spec::parse(spec.trim(), self)?.build(order)
    }
}

/// A spec of a known family, split at its separators.
#[derive(Debug)]
pub struct Spec<'a> {
    text: &'a str,
    parameters: &'a str,
    options: Vec<(&'a str, &'a str)>,
    misere: bool,
    info: &'a FamilyInfo,
}

/// Returns the family in a spec: everything before the first `:` or `,`.
pub(crate) fn family_of(text: &str) -> &str {
    text.split([':', ',']).next().unwrap_or(text)
}

impl<'a> Spec<'a> {
    /// Splits `text` into parameters and options.
    ///
    /// # Errors
    /// Returns [`Error::Spec`] if `text` does not belong to the family `info`, or if an option is malformed or repeated.
    pub fn parse(text: &'a str, info: &'a FamilyInfo) -> Result<Self> {
        let mut spec = Spec { text, parameters: "", options: Vec::new(), misere: false, info };
        let Some(rest) = text.strip_prefix(info.family).and_then(|rest| rest.strip_prefix(':')) else {
            return Err(spec.error("missing ':' and parameters after the family"));
        };
        let mut parts = rest.split(',');
        spec.parameters = parts.next().unwrap_or_default();
        for part in parts {
            if part == MISERE && !spec.misere {
                spec.misere = true;
                continue;
            }
            let Some((key, value)) = part.split_once('=') else {
                let reason =
                    format!("option '{part}' is not of the form key=value, and not a single '{MISERE}'");
                return Err(spec.error(reason));
            };
            if spec.options.iter().any(|(known, _)| *known == key) {
                return Err(spec.error(format!("option '{key}' is given twice")));
            }
            spec.options.push((key, value));
        }
        Ok(spec)
    }

    /// Creates the game in the letter order with the given name, or in the first order of the family. Under misère play, a player
    /// who would have won by the rules of the family has lost.
    ///
    /// # Errors
    /// Returns [`Error::Spec`] if the parameters are wrong, or [`Error::UnknownOrder`] or [`Error::Order`] if the letter order is
    /// invalid.
    pub(crate) fn build(&self, order: Option<&str>) -> Result<Arc<dyn Game>> {
        let game = (self.info.build)(self, order)?;
        Ok(if self.misere { Arc::new(Misere::new(game)) } else { game })
    }

    /// Returns the family.
    pub fn info(&self) -> &'a FamilyInfo {
        self.info
    }

    /// Creates an [`Error::Spec`] for this spec.
    pub fn error(&self, reason: impl Into<String>) -> Error {
        Error::Spec {
            spec: self.text.to_string(),
            reason: reason.into(),
            form: self.info.form(),
            example: self.info.example.to_string(),
        }
    }

    /// Returns the complete text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the text between the family and the options.
    pub fn parameters(&self) -> &'a str {
        self.parameters
    }

    /// Reads the parameters as `N` numbers separated by `x`, each with a name and a range.
    ///
    /// # Errors
    /// Returns [`Error::Spec`] if the parameters do not have this form.
    pub fn numbers<const N: usize>(&self, wanted: [(&str, RangeInclusive<usize>); N]) -> Result<[usize; N]> {
        let parts: Vec<&str> = self.parameters.split('x').collect();
        if parts.len() != N {
            return Err(self.error(format!("'{}' is not {N} numbers separated by 'x'", self.parameters)));
        }
        let mut numbers = [0; N];
        for ((number, part), (name, range)) in numbers.iter_mut().zip(parts).zip(wanted) {
            *number = self.number(name, part, &range)?;
        }
        Ok(numbers)
    }

    /// Returns option `key` as a number in `range`, or `default` if the option is absent. The default may lie outside
    /// the range.
    ///
    /// # Errors
    /// Returns [`Error::Spec`] if the value is not a number in the range.
    pub fn number_option(&self, key: &str, default: usize, range: RangeInclusive<usize>) -> Result<usize> {
        self.option(key).map_or(Ok(default), |value| self.number(key, value, &range))
    }

    /// Reads the parameters as one of `words`.
    ///
    /// # Errors
    /// Returns [`Error::Spec`] if the parameters are not among the words.
    pub fn word<T: Copy>(&self, name: &str, words: &[(&'static str, T)]) -> Result<T> {
        self.one_of(name, self.parameters, words)
    }

    /// Returns option `key` as one of `words`, or `default` if the option is absent.
    ///
    /// # Errors
    /// Returns [`Error::Spec`] if the value is not among the words.
    pub fn word_option<T: Copy>(&self, key: &str, default: T, words: &[(&'static str, T)]) -> Result<T> {
        self.option(key).map_or(Ok(default), |value| self.one_of(key, value, words))
    }

    /// Returns option `key` as a pair of numbers in `range`, or `default` if the option is absent. The accepted forms
    /// are `7-5`, and `7` for `7-7`.
    ///
    /// # Errors
    /// Returns [`Error::Spec`] if the value is not such a pair.
    pub fn pair_option(
        &self,
        key: &str,
        default: [usize; 2],
        range: RangeInclusive<usize>,
    ) -> Result<[usize; 2]> {
        let Some(value) = self.option(key) else { return Ok(default) };
        let (first, second) = value.split_once('-').unwrap_or((value, value));
        Ok([self.number(key, first, &range)?, self.number(key, second, &range)?])
    }

    /// Returns the value of option `key` if it is present.
    pub fn option(&self, key: &str) -> Option<&'a str> {
        self.options.iter().find(|(known, _)| *known == key).map(|(_, value)| *value)
    }

    /// Rejects options other than `known`.
    ///
    /// # Errors
    /// Returns [`Error::Spec`] if there is another option.
    pub fn only_options(&self, known: &[&str]) -> Result<()> {
        match self.options.iter().find(|(key, _)| !known.contains(key)) {
            None => Ok(()),
            Some((key, value)) if *key == MISERE => Err(self.error(format!(
                "option '{MISERE}' has no value: write '{MISERE}' instead of '{key}={value}'"
            ))),
            Some((key, _)) if known.is_empty() => {
                Err(self.error(format!("unknown option '{key}'; this family has no options except {MISERE}")))
            }
            Some((key, _)) => Err(self
                .error(format!("unknown option '{key}'; this family has: {}, {MISERE}", known.join(", ")))),
        }
    }

    fn one_of<T: Copy>(&self, name: &str, text: &str, words: &[(&'static str, T)]) -> Result<T> {
        if let Some((_, meaning)) = words.iter().find(|(word, _)| *word == text) {
            return Ok(*meaning);
        }
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let nearest = nearest(text, known.iter().copied());
        let asked = format!("{name} '{text}' is not one of {}; {}", known.join(", "), did_you_mean(nearest));
        Err(self.error(asked.trim_end_matches([';', ' ']).to_string()))
    }

    fn number(&self, name: &str, text: &str, range: &RangeInclusive<usize>) -> Result<usize> {
        match digits(text) {
            Some(number) if range.contains(&number) => Ok(number),
            Some(_) => {
                let (low, high) = (range.start(), range.end());
                Err(self.error(format!("{name} is {text}, not between {low} and {high}")))
            }
            None => Err(self.error(format!("{name} is '{text}', not a whole number"))),
        }
    }
}

/// Returns the first name among `known` with the smallest edit distance to `text`. Returns `None` if this distance
/// exceeds a third of its letters, because it is then a different word.
pub fn nearest<'a>(text: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let corrections = |name: &str| strsim::damerau_levenshtein(&text.to_lowercase(), name);
    known
        .map(|name| (corrections(name), name))
        .min_by_key(|(corrections, _)| *corrections)
        .filter(|(corrections, name)| 3 * corrections <= name.chars().count())
        .map(|(_, name)| name)
}

/// Reads a number that consists of decimal digits only. Numbers that do not fit into `usize` saturate.
pub fn digits(text: &str) -> Option<usize> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(usize::MAX))
}
