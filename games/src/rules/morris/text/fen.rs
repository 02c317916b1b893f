//! Positions in the format of programs for nine men's morris (Sanmill's FEN), which is only read.
//!
//! The format is `BOARD SIDE PHASE ACTION WB WH BB BH [WR BR ...]`: three rings of eight symbols, the side `w|b`, the
//! phase `r|p|m|o|n`, the action `p|s|r|?`, white's stones on the board and in hand, the same for black, and the
//! numbers of stones that white and black still have to capture. The following fields (last mills, counters,
//! `ids:nodes`, `c: i: l: p: s:`) do not describe the position and are skipped.
//!
//! The rings are listed from the innermost outwards, each clockwise from the middle of its upper side: symbol j of part
//! i is the point `8 (2 - i) + (2 + j) mod 8` of [`crate::morris::Board`].

use super::parts::{Parsed, colour, contents_of, side_of};
use crate::game::Position;
use crate::notation::counted;
use crate::rules::morris::{BLACK, EMPTY, Morris, WHITE};
use crate::side::Side;
use crate::spec::digits;

/// The number of counts that every dialect contains: stones on the board and in hand of white, then of black.
pub(super) const COUNTS: usize = 4;
/// The number of points of the boards that have this notation.
const NUM_POINTS: usize = 24;

impl Morris {
    /// Reads a position from its fields. `action` is the fourth field, and `counts` are the fields from the fifth on,
    /// at least [`COUNTS`] of them.
    pub(super) fn parse_fen(
        &self,
        rings: &str,
        side: &str,
        action: &str,
        counts: &[&str],
    ) -> Parsed<Position> {
        if self.num_points() != NUM_POINTS {
            return Err("only boards with 24 points have a FEN".into());
        }
        let mut board = points_of(rings)?;
        for (of_side, stone) in Side::BOTH.into_iter().zip([WHITE, BLACK]) {
            let [on_board, in_hand] = [counts[2 * of_side.index()], counts[2 * of_side.index() + 1]];
            let found = board[..NUM_POINTS].iter().filter(|&&content| content == stone).count();
            if digits(on_board) != Some(found) {
                let colour = colour(of_side);
                return Err(format!(
                    "{} on the board, but the FEN counts {on_board}",
                    counted(found, &format!("{colour} stone"))
                ));
            }
            board.push(self.hand(of_side, in_hand)?);
        }
        if action == "r"
            || counts.len() > COUNTS + 2 && counts[COUNTS..COUNTS + 2].iter().any(|&left| left != "0")
        {
            return Err("a capture is pending; enter the position before or after the whole turn".into());
        }
        Ok(Position { board, side: side_of(side)? })
    }
}

fn points_of(rings: &str) -> Parsed<Vec<u8>> {
    let parts: Vec<&str> = rings.split('/').collect();
    let mut points = vec![EMPTY; NUM_POINTS];
    let contents = parts.iter().map(|part| contents_of(part)).collect::<Parsed<Vec<_>>>()?;
    if contents.len() != 3 || contents.iter().any(|ring| ring.len() != 8) {
        return Err("the board is not three rings of eight symbols separated by '/'".into());
    }
    for (i, ring) in contents.iter().enumerate() {
        for (j, &content) in ring.iter().enumerate() {
            points[8 * (2 - i) + (2 + j) % 8] = content;
        }
    }
    Ok(points)
}
