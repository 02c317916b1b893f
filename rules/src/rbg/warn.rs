//! Warnings about readable rules: parts that can never happen or are never used. Such rules may be intentional.

use std::collections::HashSet;

use nerode_games::counted;

use super::book::{Action, Arithmetic, Comparison, Mover, Register, Rulebook, Rules, Value};
use super::fault::{At, Error, Fault, Result};
use super::names::squares;
use super::play::{Interpreter, NarrowTurn};

/// The minimum and maximum of a value.
type Range = (i64, i64);

impl Rulebook {
    /// Returns warnings about the rules in file order: unused pieces and variables, numbers that are always out of range, scores
    /// that no player can get, a game that is over at its start, turns that find few squares, and a drawing that lacks a square.
    ///
    /// # Errors
    /// Returns an error if the rules run forever before a player can move, or during the first move.
    ///
    /// # Examples
    /// ```
    /// use nerode_rules::rbg::read;
    /// let text = "#players = me(1), you(1) #pieces = e, x, o #variables =
    ///     #board = rectangle(up,down,left,right,[e,e])
    ///     #rules = ->me {e} [x] ->> [$ me=2] {}";
    /// let found = read("line", text).unwrap().warnings().unwrap();
    /// assert_eq!(found[0].message(), "no player ever gets a score: every game is a draw");
    /// assert_eq!(found[1].message(), "the piece 'o' is never used");
    /// assert_eq!(found[2].message(), "2 is not a value of 'me', which ranges from 0 to 1: no path continues here");
    /// ```
    pub fn warnings(&self) -> Result<Vec<Error>> {
        let mut usage = Usage::of(self);
        usage.rules(&self.rules);
        let mut found = std::mem::take(&mut usage.faults);
        found.extend(usage.unused());
        found.extend(self.over_at_start()?);
        found.extend(self.lost_walkers());
        found.extend(self.origin.drawing.odd.clone());
        let mut known = HashSet::new();
        found.retain(|fault| known.insert((fault.at.span.start, fault.message.clone())));
        found.sort_by_key(|fault| fault.at.span.start);
        Ok(found.into_iter().map(|fault| self.error(fault)).collect())
    }

    /// Returns warnings about turns that find almost no squares if the last turn ended on a certain square.
    fn lost_walkers(&self) -> Vec<Fault> {
        let (names, play) = (squares(&self.board), Interpreter::new(self));
        let fault = |turn: NarrowTurn| {
            let name = &names[turn.square];
            let message = format!(
                "a turn that begins on '{name}' tests {}, but up to {} from other squares",
                counted(turn.few, "square"),
                turn.most
            );
            let label = format!("the path after this may begin on '{name}', where the last turn ended");
            Fault::new(turn.at, message, label)
                .help("let the path reach every square from each square, or end turns on another square")
        };
        play.narrow_turns().into_iter().map(fault).collect()
    }

    /// Returns the range of a value over all positions, or `None` if it is not known.
    pub(super) fn range(&self, value: &Value) -> Option<Range> {
        match value {
            Value::Number(number) => Some((i64::from(*number), i64::from(*number))),
            Value::Register(register) => Some((0, i64::from(self.register(*register).bound))),
            Value::Count(_) => Some((0, self.board.squares.len() as i64)),
            Value::Joined(operator, parts) => {
                let mut parts = parts.iter();
                let first = self.range(parts.next()?)?;
                parts.try_fold(first, |range, part| joined(*operator, range, self.range(part)?))
            }
        }
    }

    /// Returns the position at which a name is declared.
    pub(super) fn place_of(&self, name: &str) -> At {
        self.origin.places.names.get(name).copied().unwrap_or_default()
    }

    /// Returns the warning about a game that is over at its start, if it is.
    fn over_at_start(&self) -> Result<Option<Fault>> {
        let play = Interpreter::new(self);
        let (state, begin) = play.begin()?;
        let place = self.origin.places.rules;
        let (Some(_), Mover::Player(player)) = (begin, state.mover()) else {
            let message = "the game is over before any player moves";
            return Ok(Some(Fault::new(place, message, "no path leads to a player's turn")));
        };
        if !play.moves(&state)?.is_empty() {
            return Ok(None);
        }
        let message =
            format!("'{}' cannot move at the start: the game is over immediately", self.players[player].name);
        Ok(Some(Fault::new(place, message, "no path leads on from the first turn")))
    }
}

/// The names that rules use.
struct Usage<'a> {
    book: &'a Rulebook,
    /// The pieces that are on the board at the start or can be placed, and the pieces that are tested.
    present: HashSet<usize>,
    tested: HashSet<usize>,
    assigned: HashSet<Register>,
    read: HashSet<Register>,
    /// Set if some score can become greater than 0.
    has_scores: bool,
    faults: Vec<Fault>,
}

impl<'a> Usage<'a> {
    fn of(book: &'a Rulebook) -> Self {
        Self {
            book,
            present: book.board.squares.iter().map(|square| square.piece).collect(),
            tested: HashSet::new(),
            assigned: HashSet::new(),
            read: HashSet::new(),
            has_scores: false,
            faults: Vec::new(),
        }
    }

    fn rules(&mut self, rules: &Rules) {
        match rules {
            Rules::Action(action, at) => self.action(action, *at),
            Rules::Sequence(parts) | Rules::Choice(parts) => parts.iter().for_each(|part| self.rules(part)),
            Rules::Repeated(part) => self.rules(part),
        }
    }

    fn action(&mut self, action: &Action, at: At) {
        match action {
            Action::On(pieces) => self.tested.extend(pieces),
            Action::Put(piece) => _ = self.present.insert(*piece),
            Action::Assign(register, value) => self.assignment(*register, value, at),
            Action::Compare(left, comparison, right) => {
                self.value(left, None);
                self.value(right, None);
                if let (Some(one), Some(other)) = (self.book.range(left), self.book.range(right))
                    && never_holds(one, *comparison, other)
                {
                    let message = "this comparison is never true: no path continues here";
                    let label = format!("compares {} with {}", range_text(one), range_text(other));
                    self.faults.push(Fault::new(at, message, label));
                }
            }
            Action::Pattern { path, .. } => self.rules(path),
            Action::Shift(_) | Action::Switch(_) | Action::Skip => {}
        }
    }

    fn assignment(&mut self, register: Register, value: &Value, at: At) {
        self.assigned.insert(register);
        self.value(value, Some(register));
        let of = self.book.register(register);
        let most = i64::from(of.bound);
        let Some((low, high)) = self.book.range(value) else {
            self.has_scores |= matches!(register, Register::Score(_));
            return;
        };
        if high < 0 || low > most {
            let message = format!(
                "{} is not a value of '{}', which ranges from 0 to {most}: no path continues here",
                range_text((low, high)),
                of.name
            );
            let fault = Fault::new(at, message, "never possible");
            self.faults
                .push(fault.help("to raise the bound, change the number in parentheses in the declaration"));
        } else {
            if low < 0 || high > most {
                // The bound of the register is significant, because a path fails if it exceeds the bound.
                self.read.insert(register);
            }
            self.has_scores |= matches!(register, Register::Score(_)) && high > 0;
        }
    }

    /// Records the names that a value reads. A register that is only used to compute its own new value counts as unused.
    fn value(&mut self, value: &Value, given: Option<Register>) {
        match value {
            Value::Register(register) if given != Some(*register) => _ = self.read.insert(*register),
            Value::Count(piece) => _ = self.tested.insert(*piece),
            Value::Joined(_, parts) => parts.iter().for_each(|part| self.value(part, given)),
            Value::Register(_) | Value::Number(_) => {}
        }
    }

    /// Returns warnings about unused names.
    fn unused(&self) -> Vec<Fault> {
        let book = self.book;
        let mut found = Vec::new();
        for (piece, name) in book.pieces.iter().enumerate().filter(|(piece, _)| !self.present.contains(piece))
        {
            let (message, label) = if self.tested.contains(&piece) {
                (
                    format!("the piece '{name}' is never on the board"),
                    "not on the board at the start and never placed",
                )
            } else {
                (format!("the piece '{name}' is never used"), "declared here")
            };
            found.push(Fault::new(book.place_of(name), message, label));
        }
        for (index, variable) in book.variables.iter().enumerate() {
            let register = Register::Variable(index);
            let said = match (self.assigned.contains(&register), self.read.contains(&register)) {
                (true, true) => continue,
                (true, false) => "is assigned but never read",
                (false, true) => "is never assigned: it stays 0",
                (false, false) => "is never used",
            };
            let message = format!("the variable '{}' {said}", variable.name);
            found.push(Fault::new(book.place_of(&variable.name), message, "declared here"));
        }
        if !self.has_scores {
            let message = "no player ever gets a score: every game is a draw";
            let fault = Fault::new(book.origin.places.players, message, "scores stay 0");
            found.push(fault.help("'[$ NAME = 1]' gives the player NAME a score"));
        }
        found
    }
}

fn range_text((low, high): Range) -> String {
    if low == high { low.to_string() } else { format!("{low} to {high}") }
}

fn joined(operator: Arithmetic, one: Range, other: Range) -> Option<Range> {
    let join = match operator {
        Arithmetic::Plus => i64::checked_add,
        Arithmetic::Minus => i64::checked_sub,
        Arithmetic::Times => i64::checked_mul,
        // If the range of the divisor contains 0, the quotient can be any number.
        Arithmetic::Over if other.0 <= 0 && other.1 >= 0 => return None,
        Arithmetic::Over => i64::checked_div,
    };
    let corners = [(one.0, other.0), (one.0, other.1), (one.1, other.0), (one.1, other.1)];
    let values: Option<Vec<i64>> = corners.into_iter().map(|(a, b)| join(a, b)).collect();
    let values = values?;
    Some((values.iter().copied().min()?, values.iter().copied().max()?))
}

fn never_holds(one: Range, comparison: Comparison, other: Range) -> bool {
    match comparison {
        Comparison::Equal => one.1 < other.0 || other.1 < one.0,
        Comparison::Unequal => one.0 == one.1 && one == other,
        Comparison::Less => one.0 >= other.1,
        Comparison::AtMost => one.0 > other.1,
        Comparison::More => one.1 <= other.0,
        Comparison::AtLeast => one.1 < other.0,
    }
}
