//! Position notation: rows of symbols, the side to move, and options.

use std::borrow::Cow;
use std::cmp::Ordering;

use nerode_games::{LayerInfo, Position, Side, side_named};

use super::super::compile::{Part, Standing};
use super::super::names::rows;
use super::super::rows::Placement;
use super::RuleGame;

/// The option for the beginning of a turn.
const TURN: &str = "turn";
/// The option for the result of a game that is over.
const OVER: &str = "over";
const DRAW: &str = "draw";

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
        let symbols: Vec<String> =
            self.book.pieces().iter().zip(&self.symbols).map(|(p, s)| format!("{s} for {p}")).collect();
        let [first, second] = self.sides();
        let names: Vec<&str> = self.squares_in_order().map(|square| self.squares[square].as_str()).collect();
        let rows = match rows(self.book.board()).len() {
            1 => format!("one symbol per square, in the order {}", names.join(" ")),
            rows => format!("{rows} rows of symbols from the top, separated by '/'"),
        };
        let mut text = format!(
            "{rows}, with {}, and numbers for runs of empty squares; then a space and the side to move, \
             {first} or {second}",
            symbols.join(", ")
        );
        for &part in &self.cells.parts {
            match part {
                Part::Variable(variable) => {
                    text += &format!("; then {}=N", self.book.variables()[variable].name)
                }
                Part::Status => {
                    text += &format!(
                        "; {TURN}=N where turns differ; {OVER}=NAME or {OVER}={DRAW} if the game is over"
                    )
                }
                Part::Square(_) => {}
            }
        }
        text
    }

    fn squares_in_order(&self) -> impl Iterator<Item = usize> {
        rows(self.book.board()).into_iter().flatten().flatten()
    }

    pub(super) fn position_text(&self, position: &Position) -> String {
        let pieces = self.cells.pieces(&position.board);
        let row = |row: Vec<Option<usize>>| -> String {
            row.into_iter().flatten().map(|square| self.symbols[usize::from(pieces[square])]).collect()
        };
        let rows: Vec<String> = rows(self.book.board()).into_iter().map(row).collect();
        format!("{} {}{}", rows.join("/"), self.sides()[position.side.index()], self.options_text(position))
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
        match self.plan.standing(position.side.index(), letter) {
            Standing::Over(outcome) => text += &format!(" {OVER}={}", self.winner(outcome)),
            _ if letter > 0 => text += &format!(" {TURN}={letter}"),
            _ => {}
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
        let mut status = 0;
        for word in words {
            self.read_option(word, side, &mut variables, &mut status)?;
        }
        let board = self.cells.board(&pieces, &variables, status);
        let board = board.ok_or("a square or a variable has contents that cannot occur in this game")?;
        Ok(Position { board, side })
    }

    fn read_option(
        &self,
        word: &str,
        side: Side,
        variables: &mut [u32],
        status: &mut usize,
    ) -> Result<(), String> {
        let (name, value) =
            word.split_once('=').ok_or_else(|| format!("unexpected '{word}' after the side to move"))?;
        if let Some(variable) = self.book.variables().iter().position(|known| known.name == name) {
            variables[variable] = value.parse().map_err(|_| format!("{name} is '{value}', not a number"))?;
            return Ok(());
        }
        let letters = self.cells.cell(Part::Status).map_or(1, |cell| self.cells.contents[cell].len());
        let standing = |letter: &usize| self.plan.standing(side.index(), *letter);
        let found = match name {
            TURN => value
                .parse()
                .ok()
                .filter(|letter| *letter < letters && !matches!(standing(letter), Standing::Over(_))),
            OVER => (0..letters).find(
                |letter| matches!(standing(letter), Standing::Over(outcome) if self.winner(outcome) == value),
            ),
            _ => return Err(format!("unknown name '{name}'; expected {TURN}, {OVER} or a variable")),
        };
        *status = found.ok_or_else(|| format!("'{word}' cannot occur in this game"))?;
        Ok(())
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
            Part::Status => {
                let letter = |&letter: &u32| match self.plan.standing(0, letter as usize) {
                    Standing::Over(outcome) => format!("{OVER}={}", self.winner(outcome)),
                    _ => format!("{TURN}={letter}"),
                };
                LayerInfo { label: "status".into(), letters: contents.iter().map(letter).collect() }
            }
        }
    }
}
