//! Reads the rules section.

use super::super::book::{Action, Mover, Rules};
use super::super::fault::{At, Fault};
use super::super::limits;
use super::cursor::Cursor;
use super::lex::Kind;
use super::names::{Meaning, Names};
use super::values::{comparison, value};

/// Reads rules up to the end of the section.
pub(super) fn rules(cursor: &mut Cursor, names: &Names) -> Result<Rules, Fault> {
    let mut reader = Reader { cursor, names, actions: 0, patterns: 0 };
    let rules = reader.choice(0)?;
    if cursor.peek().is_some() {
        return Err(cursor.expected("an action, '+' or the end of the section"));
    }
    Ok(rules)
}

struct Reader<'a> {
    cursor: &'a mut Cursor,
    names: &'a Names,
    /// The number of actions so far, with repetitions expanded.
    actions: usize,
    /// The number of open patterns.
    patterns: usize,
}

impl Reader<'_> {
    /// Reads alternatives separated by '+'.
    fn choice(&mut self, depth: usize) -> Result<Rules, Fault> {
        if depth > limits::NESTING {
            let message = format!("more than {} nested brackets", limits::NESTING);
            return Err(Fault::new(self.cursor.here(), message, "too deep here"));
        }
        let mut parts = vec![self.sequence(depth)?];
        while self.cursor.take("+") {
            parts.push(self.sequence(depth)?);
        }
        Ok(Rules::choice(parts))
    }

    fn sequence(&mut self, depth: usize) -> Result<Rules, Fault> {
        let mut parts = Vec::new();
        while let Some(part) = self.atom(depth)? {
            parts.push(self.repeated(part)?);
        }
        if parts.is_empty() { Err(self.cursor.expected("an action")) } else { Ok(Rules::sequence(parts)) }
    }

    /// Reads the `*` or `^n` that may follow a part.
    fn repeated(&mut self, part: Rules) -> Result<Rules, Fault> {
        if self.cursor.take("*") {
            return Ok(Rules::Repeated(Box::new(part)));
        }
        if !self.cursor.take("^") {
            return Ok(part);
        }
        let at = self.cursor.here();
        let times = self.cursor.positive("the number of repetitions, at least 1")? as usize;
        let more = (times - 1).saturating_mul(part.size());
        self.count(more, at)?;
        Ok(Rules::sequence(vec![part; times]))
    }

    /// Counts actions towards the limit.
    fn count(&mut self, more: usize, at: At) -> Result<(), Fault> {
        self.actions = self.actions.saturating_add(more);
        if self.actions <= limits::ACTIONS {
            return Ok(());
        }
        let message = format!("rules with more than {} actions", limits::ACTIONS);
        Err(Fault::new(at, message, "limit exceeded here"))
    }

    /// Reads the next atom, if there is one.
    fn atom(&mut self, depth: usize) -> Result<Option<Rules>, Fault> {
        let Some(token) = self.cursor.peek() else { return Ok(None) };
        let at = token.at;
        let sign = match &token.kind {
            Kind::Name(_) => return self.shift().map(Some),
            Kind::Number(_) => return Ok(None),
            Kind::Sign(sign) => *sign,
        };
        if !["(", ".", "{", "[", "[$", "{$", "{?", "{!", "->", "->>"].contains(&sign) {
            return Ok(None);
        }
        self.count(1, at)?;
        self.cursor.advance();
        if sign == "(" {
            self.actions -= 1;
            let inner = self.choice(depth + 1)?;
            self.close(")", at)?;
            return Ok(Some(inner));
        }
        let action = match sign {
            "{" => Action::On(self.pieces(at)?),
            "[" => return self.puts(at).map(Some),
            "[$" => return self.assignments(at).map(Some),
            "{$" => comparison(self.cursor, self.names, at)?,
            "{?" => self.pattern(false, depth, at)?,
            "{!" => self.pattern(true, depth, at)?,
            "->" => self.switch(at)?,
            "->>" => self.checked_switch(Mover::Keeper, at)?,
            _ => Action::Skip,
        };
        Ok(Some(Rules::Action(action, at.to(self.cursor.before()))))
    }

    fn close(&mut self, bracket: &str, open: At) -> Result<(), Fault> {
        self.cursor.close(bracket, open, "an action, '+'")
    }

    fn shift(&mut self) -> Result<Rules, Fault> {
        let (name, at) = self.cursor.name("an action")?;
        self.count(1, at)?;
        match self.names.meaning(&name) {
            Some(Meaning::Direction(direction)) => Ok(Rules::Action(Action::Shift(direction), at)),
            found => {
                let fault = self.names.wrong(&name, at, "a direction");
                Err(match found {
                    Some(Meaning::Piece(_)) => {
                        fault.help(format!("'{{{name}}}' tests for this piece, and '[{name}]' places it"))
                    }
                    Some(Meaning::Player(_)) => fault.help(format!("'->{name}' gives this player the turn")),
                    _ => fault,
                })
            }
        }
    }

    /// Reads pieces up to the closing brace, sorted and without duplicates.
    fn pieces(&mut self, open: At) -> Result<Vec<usize>, Fault> {
        let mut pieces = Vec::new();
        if !self.cursor.sees("}") {
            pieces = self.list()?.into_iter().map(|(piece, _)| piece).collect();
        }
        self.cursor.close("}", open, "','")?;
        pieces.sort_unstable();
        pieces.dedup();
        Ok(pieces)
    }

    fn list(&mut self) -> Result<Vec<(usize, At)>, Fault> {
        let mut pieces = Vec::new();
        loop {
            let (name, at) = self.cursor.name("a piece")?;
            pieces.push((self.names.piece(&name, at)?, at));
            if !self.cursor.take(",") {
                return Ok(pieces);
            }
        }
    }

    /// Reads `[p,q]`, which places one of the pieces.
    fn puts(&mut self, at: At) -> Result<Rules, Fault> {
        let pieces = self.list()?;
        self.cursor.close("]", at, "','")?;
        self.count(pieces.len() - 1, at)?;
        let only = pieces.len() == 1;
        let whole = at.to(self.cursor.before());
        let put = |(piece, at)| Rules::Action(Action::Put(piece), if only { whole } else { at });
        Ok(Rules::choice(pieces.into_iter().map(put).collect()))
    }

    /// Reads `[$ v=e, w=e]`, a sequence of assignments.
    fn assignments(&mut self, open: At) -> Result<Rules, Fault> {
        let mut parts = Vec::new();
        loop {
            let (name, place) = self.cursor.name("a variable or a player")?;
            let Some(register) = self.names.register(&name) else {
                return Err(self.names.wrong(&name, place, "a variable or a player"));
            };
            self.cursor.expect("=")?;
            let value = value(self.cursor, self.names, 0)?;
            self.count(1, open)?;
            let at = place.to(self.cursor.before());
            parts.push(Rules::Action(Action::Assign(register, value), at));
            if !self.cursor.take(",") {
                self.cursor.close("]", open, "an operator, ','")?;
                return Ok(Rules::sequence(parts));
            }
        }
    }

    fn pattern(&mut self, negated: bool, depth: usize, open: At) -> Result<Action, Fault> {
        self.patterns += 1;
        let path = Box::new(self.choice(depth + 1)?);
        self.close("}", open)?;
        self.patterns -= 1;
        Ok(Action::Pattern { negated, path })
    }

    fn switch(&mut self, at: At) -> Result<Action, Fault> {
        let (name, place) = self.cursor.name("the name of a player")?;
        match self.names.meaning(&name) {
            Some(Meaning::Player(player)) => self.checked_switch(Mover::Player(player), at),
            _ => Err(self.names.wrong(&name, place, "a player")),
        }
    }

    fn checked_switch(&self, mover: Mover, at: At) -> Result<Action, Fault> {
        if self.patterns == 0 {
            return Ok(Action::Switch(mover));
        }
        let at = at.to(self.cursor.before());
        Err(Fault::new(at, "a pattern cannot give the turn to a player or the keeper", "inside a pattern"))
    }
}
