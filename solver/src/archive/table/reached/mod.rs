//! Tables of the reached positions of a run (`.tbl`, format version 2): value and depth of every position of
//! `R_0`, `R_1`, ..., as one 16-bit code each. In a run with admissible positions, `R_i` contains these from some ply on.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `NERODTBL` |
//! | 4 | format version, u32 little-endian |
//! | 4 | length of the header in bytes, u32 little-endian |
//! | as given | [`ReachedHeader`], see [`crate::archive::codec`] |
//! | for each ply i | the automaton file of `R_i`, then a code for each of its words in lexicographic order, u16 little-endian |
//! | 32 | BLAKE3 of everything before |
//!
//! Codes are those of [`code16`], and two more for wins and losses whose depth is unknown, see
//! [`outcome`]. The rank of a word in `R_i` is the index of its code, so a file answers queries without the run.
//!
//! A run by meet in the middle contains no depths. A [`Listing`] derives them from the last ply to the first: all moves
//! lead to the next ply, whose depths are known by then.

mod listing;
mod read;
mod write;

use std::io::{self, Read, Seek, SeekFrom, Write};

use nerode_dfa::disk::File;
use nerode_games::{Game, Side, Value};
use serde::{Deserialize, Serialize};

use crate::outcome::{Depth, Outcome, code16};
pub(crate) use listing::ply_by_moves;
pub use listing::{Listing, PlyList};
pub use read::ReachedTable;
pub(crate) use write::put_plies;
pub use write::put_reached;

/// The version of the format that this program reads and writes.
pub const FORMAT_VERSION: u32 = 2;

/// The meaning of the codes, which is stored in every header so that the file is self-explanatory.
const CODING: &str = "u16 LE: 0 draw; 1+2d loss in d plies; 2+2d win in d plies; 65533 loss and 65534 win of unknown \
                      depth; 65535 unknown";

/// The number of codes that are read or written at once.
const CODES: usize = 1 << 15;

/// The code of a loss whose depth is unknown.
const LOSS: u16 = u16::MAX - 2;
/// The code of a win whose depth is unknown.
const WIN: u16 = u16::MAX - 1;
/// The greatest depth that has a code.
const MAX_DEPTH: u16 = code16::MAX_DEPTH - 1;

/// The header of a table of reached positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachedHeader {
    /// The spec of the game, such as `connect:5x4`.
    pub spec: String,
    /// The complete rules in force.
    pub rules: String,
    /// The fingerprint of spec and rules.
    pub fingerprint: String,
    /// The letter order of the automata.
    pub order: String,
    /// The side to move at ply 0: 1 or 2.
    pub start_side: u8,
    /// The number of positions whose value is unknown.
    pub num_unknown: u64,
    /// The number of won and lost positions whose depth is unknown.
    pub num_without_depth: u64,
    /// The plies, from ply 0 on.
    pub plies: Vec<PlyHeader>,
    /// The meaning of the codes.
    pub coding: String,
}

/// The sizes of one ply in a table of reached positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlyHeader {
    /// The number of positions, which is the number of codes.
    pub num_positions: u64,
    /// The length of the automaton file in bytes.
    pub set_bytes: u64,
}

impl ReachedHeader {
    fn of(game: &dyn Game, plies: Vec<PlyHeader>, (num_unknown, num_without_depth): (u64, u64)) -> Self {
        Self {
            spec: game.spec(),
            rules: game.rules(),
            fingerprint: game.fingerprint(),
            order: game.order().to_string(),
            start_side: if game.start().1 == Side::P1 { 1 } else { 2 },
            num_unknown,
            num_without_depth,
            plies,
            coding: CODING.to_string(),
        }
    }

    /// Returns the total number of positions, once for each ply at which they are reached.
    pub fn num_positions(&self) -> u64 {
        self.plies.iter().map(|ply| ply.num_positions).sum()
    }
}

/// Returns the outcome of a code. Every number is a valid code.
///
/// # Examples
/// ```
/// use nerode_solver::archive::table::reached::outcome;
/// use nerode_solver::outcome::{Depth, Outcome};
/// assert_eq!(outcome(8), Outcome::win_in(3));
/// assert_eq!(outcome(65534), Outcome::Win(Depth::Unknown));
/// ```
pub fn outcome(code: u16) -> Outcome {
    match code {
        LOSS => Outcome::Loss(Depth::Unknown),
        WIN => Outcome::Win(Depth::Unknown),
        _ => code16::outcome(code),
    }
}

/// Reads `count` codes from a place in a file.
fn read_codes(file: &mut File, at: u64, count: u64) -> io::Result<Vec<u16>> {
    file.seek(SeekFrom::Start(at))?;
    let mut codes = Vec::new();
    let mut bytes = vec![0; 2 * CODES];
    while (codes.len() as u64) < count {
        let part = (count - codes.len() as u64).min(CODES as u64) as usize;
        file.read_exact(&mut bytes[..2 * part])?;
        codes.extend(bytes[..2 * part].chunks_exact(2).map(|code| u16::from_le_bytes([code[0], code[1]])));
    }
    Ok(codes)
}

/// Writes codes to a file.
fn write_codes(out: &mut impl Write, codes: &[u16]) -> io::Result<()> {
    for codes in codes.chunks(CODES) {
        let bytes: Vec<u8> = codes.iter().flat_map(|code| code.to_le_bytes()).collect();
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// Returns the code of a win or loss of the given depth, or the code of unknown depth if there is none.
pub(crate) fn code_of(value: Value, depth: Option<u16>) -> u16 {
    let depth = depth.filter(|&depth| depth <= MAX_DEPTH);
    match value {
        Value::Win => depth.and_then(code16::win_in).unwrap_or(WIN),
        Value::Loss => depth.and_then(code16::loss_in).unwrap_or(LOSS),
        Value::Draw => code16::DRAW,
    }
}
