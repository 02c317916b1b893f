//! The types of the C interface: data and opaque handles.
#![expect(non_camel_case_types, reason = "the names are those of the C interface")]

use std::ffi::c_char;

/// The version of the interface, and of every struct with a field `version`.
pub const NERODE_INTERFACE: u32 = 1;

/// The result of a call.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum nerode_status {
    /// Success.
    NERODE_OK = 0,
    /// An argument is null, is not UTF-8, or is out of range, or a struct has another version.
    NERODE_ARGUMENT = 1,
    /// A handle is null or a handle of another kind.
    NERODE_HANDLE = 2,
    /// The file, folder or sector does not exist.
    NERODE_MISSING = 3,
    /// The operating system or the source could not read.
    NERODE_IO = 4,
    /// A file is damaged, truncated, or was replaced while it was open.
    NERODE_DAMAGED = 5,
    /// A file has a version of its format that this library does not read.
    NERODE_VERSION = 6,
    /// A file was made under other rules of a game of this name.
    NERODE_RULES = 7,
    /// A file or folder does not contain a packed solution.
    NERODE_CONTENTS = 8,
    /// A position or move cannot be read, is not legal, or does not belong to the game.
    NERODE_POSITION = 9,
    /// Memory was exhausted.
    NERODE_MEMORY = 10,
    /// The library failed; the message describes how. Please report it.
    NERODE_INTERNAL = 11,
}

/// The value of a position for the side to move.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum nerode_value {
    /// The solution does not say.
    NERODE_UNKNOWN = 0,
    /// The side to move loses.
    NERODE_LOSS = 1,
    /// The game is drawn.
    NERODE_DRAW = 2,
    /// The side to move wins.
    NERODE_WIN = 3,
}

/// What the field `depth` of an evaluation means.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum nerode_depth {
    /// Nothing: the depth is not known, or the game is drawn.
    NERODE_DEPTH_NONE = 0,
    /// The exact number of plies to the end, if the winner hurries and the loser delays.
    NERODE_DEPTH_EXACT = 1,
    /// An upper bound of that number.
    NERODE_DEPTH_AT_MOST = 2,
}

/// The positions that a solution covers.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum nerode_coverage {
    /// Every board, whether it can be reached or not.
    NERODE_ALL_BOARDS = 0,
    /// The positions that play reaches from the start.
    NERODE_REACHED = 1,
    /// The positions of a care set.
    NERODE_CARE_SET = 2,
    /// The positions of some sectors of a morris game.
    NERODE_SECTORS = 3,
}

/// The background of a drawing.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum nerode_ground {
    /// A square for each place.
    NERODE_SQUARES = 0,
    /// A square for each place, every second one dark.
    NERODE_CHEQUERED = 1,
    /// Points that lines connect.
    NERODE_LINES = 2,
    /// A hexagon for each place, which is two files wide.
    NERODE_HEXAGONS = 3,
}

/// The figure on a place of a drawing.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum nerode_look {
    /// No figure.
    NERODE_EMPTY = 0,
    /// A round stone.
    NERODE_DISC = 1,
    /// The mark X.
    NERODE_CROSS = 2,
    /// The mark O.
    NERODE_RING = 3,
    /// A pawn.
    NERODE_PAWN = 4,
    /// An amazon.
    NERODE_AMAZON = 5,
    /// A blocked cell.
    NERODE_BLOCK = 6,
    /// An object of a heap.
    NERODE_THING = 7,
    /// A chess piece, whose English letter is in the field `letter`.
    NERODE_MAN = 8,
}

/// A packed solution that is open. Any number of threads may use it at the same time, except to close it.
pub struct nerode_probe(());

/// A list of moves. Any number of threads may read it at the same time.
pub struct nerode_moves(());

/// The data of a drawing of a board. Any number of threads may read it at the same time.
pub struct nerode_drawing(());

/// A text of the library: UTF-8, followed by a null byte that `length` does not count. The caller frees it with
/// `nerode_text_free` and changes neither field.
#[repr(C)]
pub struct nerode_text {
    /// The bytes, or null in place of a text.
    pub data: *mut c_char,
    /// The number of bytes.
    pub length: usize,
}

/// The evaluation of a position. Set `version` to `NERODE_INTERFACE` before the call.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct nerode_evaluation {
    /// `NERODE_INTERFACE`.
    pub version: u32,
    /// 1 if the solution covers the position, and otherwise 0. The value of other positions may follow from the rules.
    pub is_covered: u32,
    /// The value for the side to move.
    pub value: nerode_value,
    /// The meaning of `depth`.
    pub depth_kind: nerode_depth,
    /// The number of plies to the end of the game.
    pub depth: u32,
    /// The worst value that is possible, which is `value` if that is known.
    pub least: nerode_value,
    /// The best value that is possible.
    pub most: nerode_value,
    /// 0.
    pub reserved: u32,
}

/// A move of a list. The texts belong to the list. Set `version` to `NERODE_INTERFACE` before the call.
#[repr(C)]
pub struct nerode_move {
    /// `NERODE_INTERFACE`.
    pub version: u32,
    /// 0.
    pub reserved: u32,
    /// The evaluation for the side that makes the move.
    pub evaluation: nerode_evaluation,
    /// The move in the notation of the game: UTF-8, not terminated by a null byte.
    pub text: *const c_char,
    /// The number of bytes of `text`.
    pub text_length: usize,
    /// The position after the move: UTF-8, not terminated by a null byte.
    pub position: *const c_char,
    /// The number of bytes of `position`.
    pub position_length: usize,
}

/// The properties of a solution. Set `version` to `NERODE_INTERFACE` before the call.
#[repr(C)]
pub struct nerode_description {
    /// `NERODE_INTERFACE`.
    pub version: u32,
    /// The positions that it covers.
    pub coverage: nerode_coverage,
    /// 1 if every covered position has a value, and otherwise 0.
    pub is_complete: u32,
    /// 1 if it contains exact depths or bounds of them, and otherwise 0.
    pub has_depths: u32,
    /// The number of cells of a board.
    pub num_cells: usize,
}

/// The properties of a drawing. Set `version` to `NERODE_INTERFACE` before the call.
#[repr(C)]
pub struct nerode_drawing_description {
    /// `NERODE_INTERFACE`.
    pub version: u32,
    /// The background of the places.
    pub ground: nerode_ground,
    /// The number of files.
    pub num_files: usize,
    /// The number of ranks.
    pub num_ranks: usize,
    /// The number of places.
    pub num_places: usize,
    /// The number of lines between places.
    pub num_lines: usize,
}

/// A place of a drawing. The name belongs to the drawing. Set `version` to `NERODE_INTERFACE` before the call.
#[repr(C)]
pub struct nerode_place {
    /// `NERODE_INTERFACE`.
    pub version: u32,
    /// The file, counted from 0 at the left.
    pub file: u32,
    /// The rank, counted from 0 at the bottom.
    pub rank: u32,
    /// The figure.
    pub look: nerode_look,
    /// The side that owns the figure: 1, 2, or 0 for neither.
    pub owner: u32,
    /// 1 for a light figure, and 0 for a dark one.
    pub is_light: u32,
    /// The Unicode number of the letter of a chess piece, and otherwise 0.
    pub letter: u32,
    /// 0.
    pub reserved: u32,
    /// The name of the place: UTF-8, not terminated by a null byte.
    pub name: *const c_char,
    /// The number of bytes of `name`.
    pub name_length: usize,
}
