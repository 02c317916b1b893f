//! Families of games and their specs, `family:parameters[,key=value...]`: a spec is split here and read by its family.
//!
//! Invariant: every error names the spec, what is wrong with it, the form that the family accepts and an example that opens.

use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::error::{Error, Result, did_you_mean};
use crate::game::Game;

/// Makes the game of a spec in a letter order.
pub type Build = fn(&Spec<'_>, Option<&str>) -> Result<Arc<dyn Game>>;

/// A family of games: what users are told about it, and how its games are made.
#[derive(Clone, Copy, Debug)]
pub struct FamilyInfo {
    /// The name before the colon.
    pub family: &'static str,
    /// Form of what follows the colon, with the range of each part.
    pub parameters: &'static str,
    /// Options that may be left out, with the values they then have. Empty when there are none.
    pub defaults: &'static str,
    /// A spec that opens.
    pub example: &'static str,
    /// The game that the family's name alone stands for: the board that people mean, whether or not anybody can solve it.
    pub usual: &'static str,
    /// Where the usual game is out of reach: one that a laptop solves within a minute or two.
    pub in_reach: Option<&'static str>,
    /// Specs of games so small that tests visit every board. All tests of the registry run on them.
    pub small: &'static [&'static str],
    /// What a layer and its letters stand for.
    pub layers: &'static str,
    /// The rules in a sentence.
    pub note: &'static str,
    /// Makes the game of a spec, in the letter order of that name or in the family's first.
    pub build: Build,
    /// Names of the letter orders of the game of a spec, the usual one first.
    pub orders: fn(&Spec<'_>) -> Result<Vec<String>>,
}

impl FamilyInfo {
    /// The accepted form of a spec, for error messages: `family:parameters`.
    pub fn form(&self) -> String {
        format!("{}:{}", self.family, self.parameters)
    }

    /// The game of this family that `spec` names, in the letter order `order` or in the family's first.
    ///
    /// For a family that is not in the registry: a program that has some opens their games with this.
    ///
    /// # Errors
    /// [`Error::Spec`] for a spec of another family or with wrong parameters; [`Error::UnknownOrder`] and [`Error::Order`].
    pub fn open(&self, spec: &str, order: Option<&str>) -> Result<Arc<dyn Game>> {
        (self.build)(&Spec::parse(spec.trim(), self)?, order)
    }
}

/// A spec of a known family, split at its separators.
#[derive(Debug)]
pub struct Spec<'a> {
    text: &'a str,
    parameters: &'a str,
    options: Vec<(&'a str, &'a str)>,
    info: &'a FamilyInfo,
}

/// The family in a spec: everything before the first `:` or `,`.
pub(crate) fn family_of(text: &str) -> &str {
    text.split([':', ',']).next().unwrap_or(text)
}

impl<'a> Spec<'a> {
    /// Splits `text` into parameters and options.
    ///
    /// # Errors
    /// [`Error::Spec`] when `text` is not of the family `info`, or an option is malformed or given twice.
    pub fn parse(text: &'a str, info: &'a FamilyInfo) -> Result<Self> {
        let mut spec = Spec { text, parameters: "", options: Vec::new(), info };
        let Some(rest) = text.strip_prefix(info.family).and_then(|rest| rest.strip_prefix(':')) else {
            return Err(spec.error("there is no ':' with parameters after the family"));
        };
        let mut parts = rest.split(',');
        spec.parameters = parts.next().unwrap_or_default();
        for part in parts {
            let Some((key, value)) = part.split_once('=') else {
                return Err(spec.error(format!("option '{part}' is not of the form key=value")));
            };
            if spec.options.iter().any(|(known, _)| *known == key) {
                return Err(spec.error(format!("option '{key}' is given twice")));
            }
            spec.options.push((key, value));
        }
        Ok(spec)
    }

    /// The family.
    pub fn info(&self) -> &'a FamilyInfo {
        self.info
    }

    /// An [`Error::Spec`] for this spec.
    pub fn error(&self, reason: impl Into<String>) -> Error {
        Error::Spec {
            spec: self.text.to_string(),
            reason: reason.into(),
            form: self.info.form(),
            example: self.info.example.to_string(),
        }
    }

    /// The whole text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The text between the family and the options.
    pub fn parameters(&self) -> &'a str {
        self.parameters
    }

    /// The parameters as `N` numbers with an `x` between them, each with a name and a range.
    ///
    /// # Errors
    /// [`Error::Spec`].
    pub fn numbers<const N: usize>(&self, wanted: [(&str, RangeInclusive<usize>); N]) -> Result<[usize; N]> {
        let parts: Vec<&str> = self.parameters.split('x').collect();
        if parts.len() != N {
            return Err(self.error(format!("'{}' is not {N} numbers with 'x' between them", self.parameters)));
        }
        let mut numbers = [0; N];
        for ((number, part), (name, range)) in numbers.iter_mut().zip(parts).zip(wanted) {
            *number = self.number(name, part, &range)?;
        }
        Ok(numbers)
    }

    /// Option `key` as a number in `range`, `default` when it is not given. The default may lie outside the range.
    ///
    /// # Errors
    /// [`Error::Spec`].
    pub fn number_option(&self, key: &str, default: usize, range: RangeInclusive<usize>) -> Result<usize> {
        self.option(key).map_or(Ok(default), |value| self.number(key, value, &range))
    }

    /// The parameters as one of `words`.
    ///
    /// # Errors
    /// [`Error::Spec`].
    pub fn word<T: Copy>(&self, name: &str, words: &[(&'static str, T)]) -> Result<T> {
        self.one_of(name, self.parameters, words)
    }

    /// Option `key` as one of `words`, `default` when it is not given.
    ///
    /// # Errors
    /// [`Error::Spec`].
    pub fn word_option<T: Copy>(&self, key: &str, default: T, words: &[(&'static str, T)]) -> Result<T> {
        self.option(key).map_or(Ok(default), |value| self.one_of(key, value, words))
    }

    /// Option `key` as a pair, each number in `range`: `7-5`, or `7` for `7-7`. `default` when it is not given.
    ///
    /// # Errors
    /// [`Error::Spec`].
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

    /// The value of option `key`, where it is given.
    pub fn option(&self, key: &str) -> Option<&'a str> {
        self.options.iter().find(|(known, _)| *known == key).map(|(_, value)| *value)
    }

    /// Refuses options other than `known`.
    ///
    /// # Errors
    /// [`Error::Spec`].
    pub fn only_options(&self, known: &[&str]) -> Result<()> {
        match self.options.iter().find(|(key, _)| !known.contains(key)) {
            None => Ok(()),
            Some((key, _)) if known.is_empty() => {
                Err(self.error(format!("unknown option '{key}'; this family has no options")))
            }
            Some((key, _)) => {
                Err(self.error(format!("unknown option '{key}'; this family has: {}", known.join(", "))))
            }
        }
    }

    fn one_of<T: Copy>(&self, name: &str, text: &str, words: &[(&'static str, T)]) -> Result<T> {
        if let Some((_, meaning)) = words.iter().find(|(word, _)| *word == text) {
            return Ok(*meaning);
        }
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let nearest = nearest(text, known.iter().copied());
        let asked = format!("{name} '{text}' is none of {}; {}", known.join(", "), did_you_mean(nearest));
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

/// The name among `known` that is nearest to `text` by number of corrections, the first of several; none where even that one
/// is a different word: with more corrections than a third of its letters.
pub(crate) fn nearest<'a>(text: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let corrections = |name: &str| strsim::damerau_levenshtein(&text.to_lowercase(), name);
    known
        .map(|name| (corrections(name), name))
        .min_by_key(|(corrections, _)| *corrections)
        .filter(|(corrections, name)| 3 * corrections <= name.chars().count())
        .map(|(_, name)| name)
}

/// The number that `text` writes, in decimal digits and nothing else. Numbers beyond `usize` saturate.
pub fn digits(text: &str) -> Option<usize> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(usize::MAX))
}
