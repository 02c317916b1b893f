//! A way through the tokens of a section.

use std::sync::Arc;

use super::super::fault::{At, Fault};
use super::lex::{Kind, RESERVED, Token};

/// The tokens that are left.
pub(super) struct Cursor {
    tokens: Vec<Token>,
    at: usize,
    section: &'static str,
    /// Where the section stands, should it be empty.
    home: At,
}

impl Cursor {
    pub(super) fn new(tokens: Vec<Token>, section: &'static str, home: At) -> Self {
        Self { tokens, at: 0, section, home }
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    pub(super) fn sees(&self, sign: &str) -> bool {
        self.peek().is_some_and(|token| token.is(sign))
    }

    pub(super) fn advance(&mut self) {
        self.at += 1;
    }

    /// Takes `sign` if it is next.
    pub(super) fn take(&mut self, sign: &str) -> bool {
        let seen = self.sees(sign);
        self.at += usize::from(seen);
        seen
    }

    /// Takes the sign that must be next.
    pub(super) fn expect(&mut self, sign: &str) -> Result<(), Fault> {
        if self.take(sign) { Ok(()) } else { Err(self.expected(&format!("'{sign}'"))) }
    }

    /// Takes the sign that closes the bracket at `open`, and must be next; `others`: what might stand there instead.
    pub(super) fn close(&mut self, sign: &str, open: At, others: &str) -> Result<(), Fault> {
        if self.take(sign) {
            return Ok(());
        }
        if self.peek().is_none() {
            let message = format!("a bracket without its '{sign}'");
            return Err(Fault::new(open, message, "opened here, and never closed").opened(open));
        }
        Err(self.expected(&format!("{others} or '{sign}'")).opened(open))
    }

    /// Takes the name that must be next: of `what`.
    pub(super) fn name(&mut self, what: &str) -> Result<(Arc<str>, At), Fault> {
        match self.peek().map(|token| (&token.kind, token.at)) {
            Some((Kind::Name(name), at)) => {
                let found = (Arc::clone(name), at);
                self.at += 1;
                Ok(found)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// Takes the name of something new.
    pub(super) fn new_name(&mut self, what: &str) -> Result<(Arc<str>, At), Fault> {
        let (name, at) = self.name(what)?;
        if RESERVED.contains(&&*name) {
            return Err(Fault::new(at, format!("'{name}' is a word of the language"), "cannot be a name"));
        }
        Ok((name, at))
    }

    /// Takes the number that must be next, at least 1.
    pub(super) fn positive(&mut self, what: &str) -> Result<u32, Fault> {
        match self.peek().map(|token| &token.kind) {
            Some(Kind::Number(number)) if *number > 0 => {
                let number = *number;
                self.at += 1;
                Ok(number)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// Nothing may be left.
    pub(super) fn end(&self) -> Result<(), Fault> {
        if self.peek().is_none() { Ok(()) } else { Err(self.expected("the end of the section")) }
    }

    /// Where the next token is, or the last where none is left.
    pub(super) fn here(&self) -> At {
        self.peek().or(self.tokens.last()).map_or(self.home, |token| token.at)
    }

    /// Where the token before the next one is.
    pub(super) fn before(&self) -> At {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(self.home, |token| token.at)
    }

    /// What is wrong with the next token: it is not `what`.
    pub(super) fn expected(&self, what: &str) -> Fault {
        let found = match self.peek() {
            Some(token) => format!("'{}'", token.text()),
            None => format!("the end of the section '{}'", self.section),
        };
        let label = match self.peek() {
            Some(_) => format!("expected {what}"),
            None => format!("expected {what} after this"),
        };
        Fault::new(self.here(), format!("expected {what}, found {found}"), label)
    }
}
