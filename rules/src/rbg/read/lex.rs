//! The lexer: splits text into tokens.

use std::sync::Arc;

use nerode_games::grouped;

use super::super::fault::{At, Fault, Span};
use super::super::limits;

/// The kind of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name(Arc<str>),
    Number(u32),
    Sign(&'static str),
}

/// A token with its position.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) at: At,
}

impl Token {
    pub(super) fn is(&self, sign: &str) -> bool {
        matches!(&self.kind, Kind::Sign(own) if *own == sign)
    }

    /// Returns the text of the token.
    pub(super) fn text(&self) -> String {
        match &self.kind {
            Kind::Name(name) => name.to_string(),
            Kind::Number(number) => number.to_string(),
            Kind::Sign(sign) => (*sign).to_string(),
        }
    }
}

/// The signs. A sign comes before all signs that are prefixes of it.
const SIGNS: [&str; 32] = [
    "->>", "->", "{?", "{!", "{$", "[$", "==", "!=", "<=", ">=", "(", ")", "[", "]", "{", "}", "~", "#", "-",
    "+", "^", "/", "*", ".", ",", ";", ":", "=", "<", ">", "!", "?",
];

/// The reserved words of the language, which cannot be used as names.
pub(super) const RESERVED: [&str; 8] =
    ["players", "pieces", "variables", "board", "rules", "rectangle", "hexagon", "cuboid"];

/// Returns the first token of `text` and its length, or `None` if the text does not begin with a token.
pub(super) fn first(text: &str) -> Result<Option<(Kind, usize)>, &'static str> {
    let length = |of: fn(&u8) -> bool| text.bytes().take_while(of).count();
    let letter = |byte: &u8| byte.is_ascii_alphanumeric();
    match text.bytes().next() {
        Some(byte) if byte.is_ascii_alphabetic() => {
            let end = length(letter);
            Ok(Some((Kind::Name(text[..end].into()), end)))
        }
        Some(byte) if byte.is_ascii_digit() => {
            let end = length(u8::is_ascii_digit);
            let number = text[..end].parse().ok().filter(|&number| number <= limits::NUMBER);
            number.map(|number| Some((Kind::Number(number), end))).ok_or("number too large")
        }
        _ => {
            let sign = SIGNS.iter().find(|sign| text.starts_with(**sign)).copied();
            Ok(sign.map(|sign| (Kind::Sign(sign), sign.len())))
        }
    }
}

/// Returns the number of bytes of white space and comments at the beginning of `text`. The error is the position of an
/// unterminated comment.
fn blank(text: &str) -> Result<usize, usize> {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let white = rest.len() - rest.trim_start().len();
        let rest = &rest[white..];
        at += white;
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if let Some(comment) = rest.strip_prefix("/*") {
            at += 4 + comment.find("*/").ok_or(at)?;
        } else {
            return Ok(at);
        }
    }
}

/// Splits a file into tokens.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Fault> {
    let place = |start: usize, length: usize| At { span: Span { start, end: start + length }, used: None };
    if text.len() > limits::FILE_BYTES {
        let bytes = |number: usize| grouped(number as u128);
        let message = format!(
            "the file has {} bytes, but at most {} are allowed",
            bytes(text.len()),
            bytes(limits::FILE_BYTES)
        );
        return Err(Fault::new(place(0, 0), message, ""));
    }
    let (mut found, mut at) = (Vec::new(), 0);
    loop {
        at += blank(&text[at..]).map_err(|open| {
            Fault::new(place(at + open, 2), "unterminated comment", "it begins here").help("end it with '*/'")
        })?;
        let Some(character) = text[at..].chars().next() else { return Ok(found) };
        match first(&text[at..]) {
            Ok(Some((kind, length))) => {
                found.push(Token { kind, at: place(at, length) });
                at += length;
            }
            Ok(None) => return Err(stray(character, place(at, character.len_utf8()))),
            Err(what) => {
                let digits = text[at..].bytes().take_while(u8::is_ascii_digit).count();
                let most = format!("the maximum is {}", limits::NUMBER);
                return Err(Fault::new(place(at, digits), what, most));
            }
        }
    }
}

fn stray(character: char, at: At) -> Fault {
    let fault = Fault::new(at, format!("unexpected character '{character}'"), "not part of the language");
    match character {
        '_' => fault.help("names consist of letters and digits and begin with a letter"),
        '"' => fault.help("names need no quotes"),
        _ => fault,
    }
}
