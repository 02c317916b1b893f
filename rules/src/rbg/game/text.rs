//! Position notation: rows of symbols, the side to move, and options.

use std::borrow::Cow;
use std::cmp::Ordering;

use nerode_games::{LayerInfo, Position, Side, side_named};

use super::super::compile::{Part, Standing};
use super::super::rows::Placement;
use super::super::turns::{AT, DRAW, OVER, PASSES, TURN};
use super::RuleGame;
use super::turns::Request;

/// The option for a letter of the status that does not occur with the side to move.
const UNUSED: &str = "unused";

impl RuleGame {
    /// Returns the names of the players, in the order in which they first move.
    pub(super) fn sides(&self) -> [&str; 2] {
        self.plan.players.map(|player| self.book.players()[player].name.as_str())
    }

    /// Returns the name of the winner, or the word for a draw.
    fn winner(&self, outcome: Ordering) -> &str {
        match outcome {
            Ordering::Greater => self.sides()[0],
            Ordering::Less => self.sides()[1],
            Ordering::Equal => DRAW,
        }
    }

    fn placement(&self) -> Placement<'_> {
        Placement { board: self.book.board(), symbols: Cow::Borrowed(&self.symbols) }
    }

    pub(super) fn form_text(&self) -> String {
        let [first, second] = self.sides();
        let mut text = format!(
            "{}; then a space and the side to move, {first} or {second}",
            self.placement().form(&self.book)
        );
        for &part in &self.cells.parts {
            match part {
                Part::Variable(variable) => {
                    text += &format!("; then {}=N", self.book.variables()[variable].name)
                }
                Part::Status(_) | Part::Square(_) => {}
            }
        }
        if self.turns.differ() {
            text += &format!(
                "; where turns differ, {TURN}=N for the N-th '->' of the rules to the side to move, {AT}=SQUARE for the walker's \
                 square, and scores, such as {first}=1"
            );
        }
        let waits = |side: usize| {
            (0..self.cells.num_letters())
                .any(|letter| matches!(self.plan.standing(side, letter), Standing::Wait(_)))
        };
        if waits(0) || waits(1) {
            text += &format!("; {PASSES} if the other side moves again");
        }
        if self.cells.cell(Part::Status(0)).is_some() {
            text += &format!("; {OVER}=NAME or {OVER}={DRAW} if the game is over");
        }
        text
    }

    pub(super) fn position_text(&self, position: &Position) -> String {
        let pieces = self.cells.pieces(&position.board);
        let placed = self.placement().text(&pieces);
        format!("{placed} {}{}", self.sides()[position.side.index()], self.options_text(position))
    }

    /// Returns the options of a position, each after a space.
    fn options_text(&self, position: &Position) -> String {
        let mut text = String::new();
        for (cell, &part) in self.cells.parts.iter().enumerate() {
            if let Part::Variable(variable) = part {
                let value = self.cells.contents[cell][usize::from(position.board[cell])];
                text += &format!(" {}={value}", self.book.variables()[variable].name);
            }
        }
        let letter = self.cells.status(&position.board);
        let side = position.side.index();
        let said = match self.plan.standing(side, letter) {
            Standing::Over(outcome) => format!("{OVER}={}", self.winner(outcome)),
            // No game reaches this word, but its text must be distinct.
            Standing::Nothing => format!("{UNUSED}={letter}"),
            standing => self.turns.text(side, standing),
        };
        if !said.is_empty() {
            text += &format!(" {said}");
        }
        text
    }

    pub(super) fn read_position(&self, text: &str) -> Result<Position, String> {
        let mut words = text.split_whitespace();
        let pieces = self.placement().pieces(words.next().ok_or("the text is empty")?)?;
        let [first, second] = self.sides();
        let side = words.next().ok_or_else(|| {
            format!("the side to move is missing after the rows; expected {first} or {second}")
        })?;
        let side = side_named(side, self.sides())
            .ok_or_else(|| format!("the side to move is '{side}', not {first} or {second}"))?;
        let mut variables: Vec<u32> = vec![0; self.book.variables().len()];
        for (cell, &part) in self.cells.parts.iter().enumerate() {
            if let Part::Variable(variable) = part {
                variables[variable] = self.cells.contents[cell][0];
            }
        }
        let (mut request, mut status) = (Request::default(), None);
        for word in words {
            self.read_option(word, side, &mut variables, &mut request, &mut status)?;
        }
        let out = "a square or a variable has contents that cannot occur in this game";
        let held = self.cells.board(&pieces, &variables, 0).ok_or(out)?;
        let status = match status {
            Some(status) => status,
            None => {
                let held = self.cells.values(&held);
                let with = || self.oracle.interpreter.turns_with(&pieces, &variables);
                self.turns.letter(&self.plan, side.index(), &request, &held, with)?
            }
        };
        let board = self.cells.board(&pieces, &variables, status).ok_or(out)?;
        Ok(Position { board, side })
    }

    fn read_option(
        &self,
        word: &str,
        side: Side,
        variables: &mut [u32],
        request: &mut Request,
        status: &mut Option<usize>,
    ) -> Result<(), String> {
        if word == PASSES {
            request.passes = true;
            return Ok(());
        }
        let (name, value) =
            word.split_once('=').ok_or_else(|| format!("unexpected '{word}' after the side to move"))?;
        if let Some(variable) = self.book.variables().iter().position(|known| known.name == name) {
            variables[variable] = value.parse().map_err(|_| format!("{name} is '{value}', not a number"))?;
            return Ok(());
        }
        if request.given.read(&self.book, &self.squares, name, value)? {
            return Ok(());
        }
        let standing = |letter: usize| self.plan.standing(side.index(), letter);
        let mut letters = 0..self.cells.num_letters();
        let found = match name {
            OVER => letters.find(
                |&letter| matches!(standing(letter), Standing::Over(outcome) if self.winner(outcome) == value),
            ),
            UNUSED => letters.find(|&letter| {
                standing(letter) == Standing::Nothing && value.parse() == Ok(letter)
            }),
            _ => {
                return Err(format!(
                    "unknown name '{name}'; expected {TURN}, {AT}, {OVER}, a variable, or the score of a player"
                ));
            }
        };
        *status = Some(found.ok_or_else(|| format!("'{word}' cannot occur in this game"))?);
        Ok(())
    }

    /// Returns the meaning of a letter of the status, for both sides.
    fn status_text(&self, letter: usize) -> String {
        let of = |side: usize| match self.plan.standing(side, letter) {
            Standing::Over(outcome) => format!("{OVER}={}", self.winner(outcome)),
            Standing::Nothing => String::new(),
            standing => match self.turns.text(side, standing) {
                text if text.is_empty() => TURN.to_string(),
                text => text.replace(' ', ","),
            },
        };
        let mut texts = vec![of(0), of(1)];
        texts.retain(|text| !text.is_empty());
        texts.dedup();
        texts.join("|")
    }

    /// Returns the label and the letters of a cell.
    pub(super) fn layer_info(&self, cell: usize) -> LayerInfo {
        let contents = &self.cells.contents[cell];
        match self.cells.parts[cell] {
            Part::Square(square) => LayerInfo {
                label: self.squares[square].clone(),
                letters: contents.iter().map(|&piece| self.symbols[piece as usize].to_string()).collect(),
            },
            Part::Variable(variable) => LayerInfo {
                label: self.book.variables()[variable].name.clone(),
                letters: contents.iter().map(u32::to_string).collect(),
            },
            Part::Status(digit) if self.cells.cell(Part::Status(1)).is_some() => LayerInfo {
                label: if digit == 0 { "status".into() } else { "status x 256".into() },
                letters: contents.iter().map(u32::to_string).collect(),
            },
            Part::Status(_) => {
                let letter = |&letter: &u32| self.status_text(letter as usize);
                LayerInfo { label: "status".into(), letters: contents.iter().map(letter).collect() }
            }
        }
    }
}
