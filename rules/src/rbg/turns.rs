//! The notation of turns: the place in the rules, the square and the scores with which a turn begins.

use super::book::{Bounded, First, Mover, Rulebook, Stage};

/// The option for the place in the rules.
pub(super) const TURN: &str = "turn";
/// The option for the square on which the walker stands.
pub(super) const AT: &str = "at";
/// The word for a side that passes because the other side moves again.
pub(super) const PASSES: &str = "passes";
/// The option for the result of a game that is over.
pub(super) const OVER: &str = "over";
pub(super) const DRAW: &str = "draw";

/// The beginning of a turn of a known player.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TurnKey {
    /// The number of the switch among the switches to this player, counted from 1 in reading order.
    pub(super) number: usize,
    /// The square on which the path begins.
    pub(super) square: usize,
    /// The scores by player.
    pub(super) scores: Vec<u32>,
}

impl TurnKey {
    /// Creates the key of a turn that a switch begins. `switch` is the number of the switch among all switches.
    pub(super) fn new(book: &Rulebook, switch: u32, square: u16, scores: &[u32]) -> Self {
        let movers = book.rules().movers();
        let at = (switch as usize).min(movers.len().saturating_sub(1));
        let number = movers.iter().take(at + 1).filter(|mover| Some(*mover) == movers.get(at)).count();
        Self { number, square: usize::from(square), scores: scores.to_vec() }
    }
}

/// Returns the number among all switches of the switch that passes the turn to a player for the `number`-th time in the rules.
pub(super) fn switch_of(book: &Rulebook, player: usize, number: usize) -> Option<u32> {
    let movers = book.rules().movers().into_iter().enumerate();
    let mut own = movers.filter(|(_, mover)| *mover == Mover::Player(player));
    own.nth(number.checked_sub(1)?).map(|(at, _)| at as u32)
}

/// The parts of a turn that a text gives.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    pub(super) number: Option<usize>,
    pub(super) square: Option<usize>,
    /// The scores by player, or empty if none are given.
    scores: Vec<Option<u32>>,
}

impl Given {
    /// Reads an option. Returns `false` if `name` is not the name of an option for turns.
    ///
    /// # Errors
    /// Returns a description of the problem if the value is invalid.
    pub(super) fn read(
        &mut self,
        book: &Rulebook,
        squares: &[String],
        name: &str,
        value: &str,
    ) -> Result<bool, String> {
        let number = || value.parse::<u32>().map_err(|_| format!("{name} is '{value}', not a number"));
        if name == TURN {
            self.number = Some(number()? as usize);
        } else if name == AT {
            let square = squares.iter().position(|known| known == value);
            self.square = Some(square.ok_or_else(|| format!("unknown square '{value}'"))?);
        } else if let Some(player) = book.players().iter().position(|known| known.name == name) {
            let (score, bound) = (number()?, book.players()[player].bound);
            if score > bound {
                return Err(format!("the score of '{name}' is {score}, but its bound is {bound}"));
            }
            self.scores.resize(book.players().len(), None);
            self.scores[player] = Some(score);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Returns `true` if no part is given.
    pub(super) fn is_empty(&self) -> bool {
        self.number.is_none() && self.square.is_none() && self.scores.is_empty()
    }

    /// Returns `true` if a turn has all the given parts.
    pub(super) fn fits(&self, key: &TurnKey) -> bool {
        let scores = self.scores.iter().zip(&key.scores);
        self.number.is_none_or(|number| number == key.number)
            && self.square.is_none_or(|square| square == key.square)
            && scores.into_iter().all(|(given, score)| given.is_none_or(|given| given == *score))
    }

    /// Returns the given score of a player, or 0.
    pub(super) fn score(&self, player: usize) -> u32 {
        self.scores.get(player).copied().flatten().unwrap_or_default()
    }
}

/// Returns for each turn of a player the shortest text that distinguishes it from the others: the place, the square and the scores,
/// as far as they differ.
pub(super) fn texts(book: &Rulebook, squares: &[String], keys: &[&TurnKey]) -> Vec<String> {
    let text = |&key: &&TurnKey| {
        let mut parts = Vec::new();
        let mut alike: Vec<&TurnKey> = keys.to_vec();
        if alike.iter().any(|other| other.number != key.number) {
            parts.push(format!("{TURN}={}", key.number));
        }
        alike.retain(|other| other.number == key.number);
        if alike.iter().any(|other| other.square != key.square) {
            parts.push(format!("{AT}={}", squares[key.square]));
        }
        alike.retain(|other| other.square == key.square);
        if alike.iter().any(|other| other.scores != key.scores) {
            let score = |(player, score): (usize, &u32)| format!("{}={score}", book.players()[player].name);
            parts.extend(key.scores.iter().enumerate().map(score));
        }
        parts.join(" ")
    };
    keys.iter().map(text).collect()
}

/// Returns the winner that the result of a game names, or `None` for a draw.
///
/// # Errors
/// Returns a description of the problem if the name is unknown.
pub(super) fn winner_named(book: &Rulebook, name: &str) -> Result<Option<usize>, String> {
    if name == DRAW {
        return Ok(None);
    }
    let winner = book.players().iter().position(|player| player.name == name);
    winner.map(Some).ok_or_else(|| {
        let players: Vec<&str> = book.players().iter().map(|player| player.name.as_str()).collect();
        format!("the result is '{name}', not {} or {DRAW}", players.join(", "))
    })
}

/// Returns the text of a first position, with all its parts.
pub(super) fn first_text(book: &Rulebook, squares: &[String], first: &First) -> String {
    let name = |player: usize| book.players()[player].name.as_str();
    let (values, scores) = first.registers.split_at(book.variables().len());
    let written = |registers: &[Bounded], values: &[u32]| -> String {
        registers.iter().zip(values).map(|(register, value)| format!(" {}={value}", register.name)).collect()
    };
    let variables = written(book.variables(), values);
    match first.stage {
        Stage::Turn { switch, square, passes } => {
            let mover = book.rules().movers().get(switch as usize).copied();
            let (player, passes) = match mover {
                Some(Mover::Player(player)) if passes => (name(1 - player.min(1)), format!(" {PASSES}")),
                Some(Mover::Player(player)) => (name(player), String::new()),
                _ => ("", String::new()),
            };
            let number = TurnKey::new(book, switch, square as u16, scores).number;
            let scores = written(book.players(), scores);
            format!("{player}{passes} {TURN}={number} {AT}={}{variables}{scores}", squares[square])
        }
        Stage::Over { player, winner } => {
            let winner = winner.map_or(DRAW, name);
            format!("{} {OVER}={winner}{variables}", name(player))
        }
    }
}
