//! Specs: `family:parameters[,key=value...]`, taken apart once and read by the family's own file.
//!
//! Invariant: every error names the spec, what is wrong with it, the family's form and an example that opens.

use std::ops::RangeInclusive;

use crate::error::{Error, Result};
use crate::registry::FamilyInfo;

/// A spec of a known family, split at its separators.
#[derive(Debug)]
pub(crate) struct Spec<'a> {
    text: &'a str,
    parameters: &'a str,
    options: Vec<(&'a str, &'a str)>,
    info: &'static FamilyInfo,
}

/// The family part of a spec: all before the first `:` or `,`.
pub(crate) fn family_of(text: &str) -> &str {
    text.split([':', ',']).next().unwrap_or(text)
}

impl<'a> Spec<'a> {
    /// Splits `text`, whose family is `info`'s, into parameters and options.
    pub(crate) fn parse(text: &'a str, info: &'static FamilyInfo) -> Result<Self> {
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
    pub(crate) fn info(&self) -> &'static FamilyInfo {
        self.info
    }

    /// An [`Error::Spec`] for this spec.
    pub(crate) fn error(&self, reason: impl Into<String>) -> Error {
        Error::Spec {
            spec: self.text.to_string(),
            reason: reason.into(),
            form: self.info.form(),
            example: self.info.example.to_string(),
        }
    }

    /// The parameters as `N` numbers with an `x` between them, each with a name and a range.
    pub(crate) fn numbers<const N: usize>(
        &self,
        wanted: [(&str, RangeInclusive<usize>); N],
    ) -> Result<[usize; N]> {
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

    /// Option `key` as a number in `range`, `default` when it is not given. The default is not held against the range.
    pub(crate) fn number_option(
        &self,
        key: &str,
        default: usize,
        range: RangeInclusive<usize>,
    ) -> Result<usize> {
        match self.options.iter().find(|(known, _)| *known == key) {
            Some((_, value)) => self.number(key, value, &range),
            None => Ok(default),
        }
    }

    /// Refuses options other than `known`.
    pub(crate) fn only_options(&self, known: &[&str]) -> Result<()> {
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

/// The number that `text` writes in decimal digits and nothing else; those beyond the range of `usize` saturate.
pub(crate) fn digits(text: &str) -> Option<usize> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(usize::MAX))
}
