//! Positions as programs for nine men's morris write them (Sanmill's FEN), read only.
//!
//! `BOARD SIDE PHASE ACTION WB WH BB BH [WR BR ...]`: three rings of eight, side `w|b`, phase `r|p|m|o|n`, action `p|s|r|?`,
//! stones of white on the board and in hand, the same of black, stones that white and black still have to take; what follows
//! (last mills, counters, `ids:nodes`, `c: i: l: p: s:`) says nothing about the position and is passed over.
//!
//! The rings come innermost first, each from the middle of its upper side clockwise: symbol j of part i is the point
//! `8 (2 - i) + (2 + j) mod 8` of [`crate::morris::Board`].

use super::parts::{Parsed, colour, contents_of, side_of};
use crate::game::Position;
use crate::rules::morris::{BLACK, EMPTY, Morris, WHITE};
use crate::side::Side;
use crate::spec::digits;

/// Numbers that every dialect has: stones on the board and in hand of white, then of black.
pub(super) const COUNTS: usize = 4;
/// Points of the boards that have such a notation.
const NUM_POINTS: usize = 24;

impl Morris {
    /// `action` is the fourth field, `counts` are those from the fifth on, at least [`COUNTS`].
    pub(super) fn parse_fen(
        &self,
        rings: &str,
        side: &str,
        action: &str,
        counts: &[&str],
    ) -> Parsed<Position> {
        if self.num_points() != NUM_POINTS {
            return Err("a FEN is for the boards of 24 points".into());
        }
        let mut board = points_of(rings)?;
        for (of_side, stone) in Side::BOTH.into_iter().zip([WHITE, BLACK]) {
            let [on_board, in_hand] = [counts[2 * of_side.index()], counts[2 * of_side.index() + 1]];
            let found = board[..NUM_POINTS].iter().filter(|&&content| content == stone).count();
            if digits(on_board) != Some(found) {
                return Err(format!("{found} stones of {} on the board, not {on_board}", colour(of_side)));
            }
            board.push(self.hand(of_side, in_hand)?);
        }
        if action == "r"
            || counts.len() > COUNTS + 2 && counts[COUNTS..COUNTS + 2].iter().any(|&left| left != "0")
        {
            return Err(
                "a stone is still to be taken: give the position before or after the whole turn".into()
            );
        }
        Ok(Position { board, side: side_of(side)? })
    }
}

fn points_of(rings: &str) -> Parsed<Vec<u8>> {
    let parts: Vec<&str> = rings.split('/').collect();
    let mut points = vec![EMPTY; NUM_POINTS];
    let contents = parts.iter().map(|part| contents_of(part)).collect::<Parsed<Vec<_>>>()?;
    if contents.len() != 3 || contents.iter().any(|ring| ring.len() != 8) {
        return Err("the board is not three rings of eight symbols with '/' between them".into());
    }
    for (i, ring) in contents.iter().enumerate() {
        for (j, &content) in ring.iter().enumerate() {
            points[8 * (2 - i) + (2 + j) % 8] = content;
        }
    }
    Ok(points)
}
