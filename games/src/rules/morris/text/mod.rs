//! Positions, moves and drawings of the morris family as text.

use super::{BLACK, EMPTY, Morris, WHITE};
use crate::error::{Error, Result};
use crate::explicit::Move;
use crate::game::{Notation, Position, find_move};
use crate::notation::counted;
use crate::picture::Picture;
use crate::side::Side;
use crate::spec::digits;

mod drawing;
mod fen;
mod parts;

pub(super) use parts::colour;
use parts::{Parsed, SIDES, SYMBOLS, contents_of, side_of};

impl Morris {
    fn parse(&self, text: &str) -> Parsed<Position> {
        let drawn = drawing::line_of(&self.rules.board, text)?;
        let parts: Vec<&str> = drawn.as_deref().unwrap_or(text).split_whitespace().collect();
        match parts[..] {
            [rings, side, hands] => self.parse_rings(rings, side, hands),
            [rings, side, _, _, ref counts @ ..] if counts.len() >= fen::COUNTS => {
                self.parse_fen(rings, side, parts[3], counts)
            }
            [] => Err("the text is empty".into()),
            [_, _] => Err("the stones in hand are missing after the side to move, such as 0-0".into()),
            _ => Err(format!(
                "expected points, side to move and stones in hand separated by spaces, found {}",
                counted(parts.len(), "part")
            )),
        }
    }

    /// Reads a position in the form `RING/RING/RING w WH-BH`.
    fn parse_rings(&self, rings: &str, side: &str, hands: &str) -> Parsed<Position> {
        let mut board = Vec::with_capacity(self.num_points() + 2);
        let wanted = self.ring_lengths();
        let given: Vec<&str> = rings.split('/').collect();
        if given.len() != wanted.len() {
            let parts = counted(wanted.len(), "part");
            return Err(format!("expected {parts} separated by '/', found {}", given.len()));
        }
        for (at, (ring, num_points)) in given.into_iter().zip(wanted).enumerate() {
            let contents = contents_of(ring)?;
            if contents.len() != num_points {
                return Err(format!(
                    "part {}, '{ring}', has {} instead of {num_points}",
                    at + 1,
                    counted(contents.len(), "point")
                ));
            }
            board.extend(contents);
        }
        let (white, black) = hands
            .split_once('-')
            .ok_or_else(|| format!("the stones in hand are '{hands}', not two numbers separated by '-'"))?;
        board.push(self.hand(Side::P1, white)?);
        board.push(self.hand(Side::P2, black)?);
        Ok(Position { board, side: side_of(side)? })
    }

    /// Returns the number of points in each part of the text of a board: the rings, outermost first, and then the centre.
    fn ring_lengths(&self) -> Vec<usize> {
        let (rings, centre) = (self.num_points() / 8, self.num_points() % 8);
        let mut lengths = vec![8; rings];
        lengths.extend((centre > 0).then_some(centre));
        lengths
    }

    fn hand(&self, side: Side, text: &str) -> Parsed<u8> {
        let most = self.rules.stones[side.index()];
        let found =
            digits(text).and_then(|number| u8::try_from(number).ok()).filter(|&number| number <= most);
        found.ok_or_else(|| {
            format!("the stones in hand of {} are '{text}', not a number from 0 to {most}", colour(side))
        })
    }
}

impl Notation for Morris {
    fn position_form(&self) -> String {
        let rings = self
            .ring_lengths()
            .iter()
            .map(|&points| if points == 8 { "RING" } else { "C" })
            .collect::<Vec<_>>();
        let fen = if self.num_points() == 24 {
            "; or a FEN as used by nine men's morris programs, inner ring first"
        } else {
            ""
        };
        format!(
            "{} w|b WH-BH: {}the rings from the outermost inwards, each clockwise from the middle of its left \
             side, with the symbols * (empty), O (white) and @ (black); the side to move; the stones in hand \
             of white and black, at most {} and {}{fen}",
            rings.join("/"),
            if rings.contains(&"C") { "the centre is C; " } else { "" },
            self.rules.stones[0],
            self.rules.stones[1],
        )
    }

    fn parse_position(&self, text: &str) -> Result<Position> {
        self.parse(text).map_err(|reason| self.position_error(text, reason))
    }

    fn format_position(&self, position: &Position) -> String {
        let (on_points, hands) = position.board.split_at(self.num_points());
        let ring = |contents: &[u8]| -> String {
            contents.iter().map(|&content| SYMBOLS[usize::from(content)]).collect()
        };
        let rings: Vec<String> = on_points.chunks(8).map(ring).collect();
        format!("{} {} {}-{}", rings.join("/"), SIDES[position.side.index()], hands[0], hands[1])
    }

    fn draw(&self, position: &Position) -> String {
        let (on_points, hands) = position.board.split_at(self.num_points());
        let symbols: Vec<char> = on_points.iter().map(|&content| SYMBOLS[usize::from(content)]).collect();
        format!(
            "{}in hand: white O {}, black @ {}\n{} to move\n",
            drawing::draw(&self.rules.board, &symbols),
            hands[0],
            hands[1],
            SIDES[position.side.index()]
        )
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(drawing::picture(&self.rules.board, &position.board))
    }

    /// Formats a move as `d6` or `d6-d5`, followed by `x` and the point of every captured stone: `d6-d5xb4`, `d6xb4xf2`.
    fn format_move(&self, position: &Position, mv: &Move) -> String {
        let own = [WHITE, BLACK][position.side.index()];
        let label = |cell: u16| self.rules.board.labels().get(usize::from(cell)).copied();
        let (mut from, mut to, mut taken) = (String::new(), "", Vec::new());
        for change in mv {
            let Some(label) = label(change.cell) else { continue };
            match position.board.get(usize::from(change.cell)) {
                _ if change.after != EMPTY => to = label,
                Some(&before) if before == own => from = format!("{label}-"),
                _ => taken.push(format!("x{label}")),
            }
        }
        format!("{from}{to}{}", taken.concat())
    }

    /// Reads a move, whose captures may be separated, as in `d6-d5 xb4`, and may be in any order.
    fn parse_move(&self, position: &Position, text: &str) -> Result<Move> {
        let joined: String = text.split_whitespace().collect::<String>().to_lowercase();
        let (turn, taken) = joined.split_once('x').unwrap_or((&joined, ""));
        let mut taken: Vec<&str> = taken.split('x').filter(|label| !label.is_empty()).collect();
        taken.sort_by_key(|label| self.rules.board.point(label));
        let sorted = taken.iter().fold(turn.to_string(), |text, label| text + "x" + label);
        find_move(self, position, &sorted).map_err(|error| match error {
            Error::Move { reason, .. } => Error::Move { text: text.to_string(), reason },
            other => other,
        })
    }
}
