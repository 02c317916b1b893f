//! A cursor over the tokens of a section.

use std::sync::Arc;

use super::super::fault::{At, Fault};
use super::lex::{Kind, RESERVED, Token};

/// The remaining tokens of a section.
pub(super) struct Cursor {
    tokens: Vec<Token>,
    at: usize,
    section: &'static str,
    /// The position of the section, which errors use if the section is empty.
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

    /// Consumes `sign` if it is next.
    pub(super) fn take(&mut self, sign: &str) -> bool {
        let seen = self.sees(sign);
        self.at += usize::from(seen);
        seen
    }

    /// Consumes the sign, which must be next.
    pub(super) fn expect(&mut self, sign: &str) -> Result<(), Fault> {
        if self.take(sign) { Ok(()) } else { Err(self.expected(&format!("'{sign}'"))) }
    }

    /// Consumes the sign that closes the bracket at `open`, which must be next. `others` lists the alternatives for the error
    /// message.
    pub(super) fn close(&mut self, sign: &str, open: At, others: &str) -> Result<(), Fault> {
        if self.take(sign) {
            return Ok(());
        }
        if self.peek().is_none() {
            let message = format!("unclosed bracket: missing '{sign}'");
            return Err(Fault::new(open, message, "opened here but never closed").opened(open));
        }
        Err(self.expected(&format!("{others} or '{sign}'")).opened(open))
    }

    /// Consumes a name, which must be next. `what` describes it in the error message.
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

    /// Consumes a name to be declared, which must not be reserved.
    pub(super) fn new_name(&mut self, what: &str) -> Result<(Arc<str>, At), Fault> {
        let (name, at) = self.name(what)?;
        if RESERVED.contains(&&*name) {
            return Err(Fault::new(at, format!("'{name}' is a reserved word"), "cannot be a name"));
        }
        Ok((name, at))
    }

    /// Consumes a number, which must be next and at least 1.
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

    /// Checks that no token remains.
    pub(super) fn end(&self) -> Result<(), Fault> {
        if self.peek().is_none() { Ok(()) } else { Err(self.expected("the end of the section")) }
    }

    /// Returns the position of the next token, or of the last token if none remains.
    pub(super) fn here(&self) -> At {
        self.peek().or(self.tokens.last()).map_or(self.home, |token| token.at)
    }

    /// Returns the position of the token before the next one.
    pub(super) fn before(&self) -> At {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(self.home, |token| token.at)
    }

    /// Creates the fault for a next token that is not `what`.
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
