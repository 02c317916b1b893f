//! The declared names: players, pieces, variables and directions. Every name is unique.

use std::collections::HashMap;
use std::sync::Arc;

use nerode_games::nearest;

use super::super::book::{Bounded, Register};
use super::super::fault::{At, Fault, Places, Span};
use super::super::limits;
use super::cursor::Cursor;

/// The meaning of a name, with its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Player(usize),
    Piece(usize),
    Variable(usize),
    Direction(usize),
}

impl Meaning {
    fn kind(self) -> &'static str {
        match self {
            Self::Player(_) => "a player",
            Self::Piece(_) => "a piece",
            Self::Variable(_) => "a variable",
            Self::Direction(_) => "a direction",
        }
    }
}

/// The names of a game.
#[derive(Debug, Default)]
pub(super) struct Names {
    meanings: HashMap<Arc<str>, Meaning>,
    pub(super) players: Vec<Bounded>,
    pub(super) pieces: Vec<String>,
    pub(super) variables: Vec<Bounded>,
    pub(super) directions: Vec<String>,
    /// The positions of declarations.
    pub(super) places: Places,
    /// The macros with the span of their definitions, used to report a macro that is used where it is not defined.
    macros: Vec<(Arc<str>, Span)>,
}

impl Names {
    /// Creates an empty table of names. `macros` are the macros of the file.
    pub(super) fn with_macros(mut macros: Vec<(Arc<str>, Span)>) -> Self {
        macros.sort_unstable_by(|a, b| (&a.0, a.1.start).cmp(&(&b.0, b.1.start)));
        Self { macros, ..Self::default() }
    }

    fn declare(&mut self, name: &Arc<str>, at: At, meaning: Meaning) -> Result<(), Fault> {
        if let Some(old) = self.meanings.get(name) {
            let message = format!("'{name}' already names {}", old.kind());
            let label = match (old.kind() == meaning.kind(), meaning.kind().strip_prefix("a ")) {
                (true, Some(kind)) => format!("cannot name another {kind}"),
                _ => format!("cannot name {}", meaning.kind()),
            };
            return Err(Fault::new(at, message, label));
        }
        let count = match meaning {
            Meaning::Player(n) | Meaning::Piece(n) | Meaning::Variable(n) | Meaning::Direction(n) => n,
        };
        if count >= limits::NAMES {
            let message = format!("more than {} names of the same kind", limits::NAMES);
            return Err(Fault::new(at, message, "one too many"));
        }
        self.meanings.insert(Arc::clone(name), meaning);
        self.places.names.insert(Arc::clone(name), at);
        Ok(())
    }

    /// Reads `name(bound), ...` for players.
    pub(super) fn read_players(&mut self, cursor: &mut Cursor) -> Result<(), Fault> {
        let found = bounded(cursor, "the name of a player", "the largest score, a number of at least 1")?;
        for (name, at, bound) in found {
            self.declare(&name, at, Meaning::Player(self.players.len()))?;
            self.players.push(Bounded { name: name.to_string(), bound });
        }
        if self.players.is_empty() { Err(cursor.expected("the name of a player")) } else { Ok(()) }
    }

    /// Reads `name(bound), ...` for variables. The list may be empty.
    pub(super) fn read_variables(&mut self, cursor: &mut Cursor) -> Result<(), Fault> {
        let found = bounded(cursor, "the name of a variable", "the largest value, a number of at least 1")?;
        for (name, at, bound) in found {
            self.declare(&name, at, Meaning::Variable(self.variables.len()))?;
            self.variables.push(Bounded { name: name.to_string(), bound });
        }
        Ok(())
    }

    /// Reads `name, ...` for pieces.
    pub(super) fn read_pieces(&mut self, cursor: &mut Cursor) -> Result<(), Fault> {
        loop {
            let (name, at) = cursor.new_name("the name of a piece")?;
            self.declare(&name, at, Meaning::Piece(self.pieces.len()))?;
            self.pieces.push(name.to_string());
            if !cursor.take(",") {
                return cursor.end();
            }
        }
    }

    /// Declares a direction.
    pub(super) fn add_direction(&mut self, name: &Arc<str>, at: At) -> Result<usize, Fault> {
        let index = self.directions.len();
        self.declare(name, at, Meaning::Direction(index))?;
        self.directions.push(name.to_string());
        Ok(index)
    }

    /// Returns a direction, and declares it if it is new.
    pub(super) fn direction(&mut self, name: &Arc<str>, at: At) -> Result<usize, Fault> {
        match self.meanings.get(name) {
            Some(Meaning::Direction(index)) => Ok(*index),
            _ => self.add_direction(name, at),
        }
    }

    /// Returns the piece of the given name.
    pub(super) fn piece(&self, name: &Arc<str>, at: At) -> Result<usize, Fault> {
        match self.meanings.get(name) {
            Some(Meaning::Piece(index)) => Ok(*index),
            _ => Err(self.wrong(name, at, "a piece")),
        }
    }

    /// Returns the register of the given name.
    pub(super) fn register(&self, name: &Arc<str>) -> Option<Register> {
        match self.meanings.get(name)? {
            Meaning::Player(index) => Some(Register::Score(*index)),
            Meaning::Variable(index) => Some(Register::Variable(*index)),
            _ => None,
        }
    }

    pub(super) fn meaning(&self, name: &Arc<str>) -> Option<Meaning> {
        self.meanings.get(name).copied()
    }

    /// Creates the fault for a name that is not the name of an `expected` item.
    pub(super) fn wrong(&self, name: &Arc<str>, at: At, expected: &str) -> Fault {
        if let Some(meaning) = self.meanings.get(name) {
            let message = format!("'{name}' is {}, not {expected}", meaning.kind());
            return Fault::new(at, message, format!("expected {expected}"));
        }
        let fault = Fault::new(at, format!("unknown name '{name}'"), format!("expected {expected}"));
        let mut of_name =
            self.macros.iter().filter(|(known, _)| known == name).map(|(_, span)| span).peekable();
        if of_name.peek().is_some() {
            let own = of_name.any(|span| span.start <= at.span.start && at.span.end <= span.end);
            return fault.help(if own {
                format!(
                    "the macro '{name}' cannot use itself: '(...)*' repeats the contents of the parentheses"
                )
            } else {
                format!("the macro '{name}' is defined below: move its definition before this use")
            });
        }
        let known = self.meanings.keys().chain(self.macros.iter().map(|(name, _)| name)).map(|name| &**name);
        match nearest(name, known) {
            Some(meant) => fault.help(format!("did you mean '{meant}'?")),
            None => fault,
        }
    }
}

type Declaration = (Arc<str>, At, u32);

/// Reads `name(number), ...`.
fn bounded(cursor: &mut Cursor, name: &str, number: &str) -> Result<Vec<Declaration>, Fault> {
    let mut found = Vec::new();
    while cursor.peek().is_some() {
        let (new, at) = cursor.new_name(name)?;
        cursor.expect("(")?;
        let bound = cursor.positive(number)?;
        cursor.expect(")")?;
        found.push((new, at, bound));
        if !cursor.take(",") {
            cursor.end()?;
        }
    }
    Ok(found)
}
