//! The rules of the morris family as options, and the presets that name combinations of them.

use crate::morris::board::{Board, BoardKind};

/// The stones that a closed mill may capture if all stones of the opponent on the board are in mills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Capture {
    /// Any stone.
    Always,
    /// No stone: stones in mills are never captured, and the move is legal without a capture.
    Protected,
}

/// The order of placing and moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phases {
    /// A side places stones while it has any in hand, and moves from then on.
    Separate,
    /// A side with stones in hand places or moves.
    Mixed,
}

/// The result for the side to move if the board is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FullBoard {
    /// The side to move loses, as it does whenever it cannot move.
    Loss,
    /// The game is drawn.
    Draw,
}

/// The largest number of stones of a side.
pub const MOST_STONES: u8 = 12;
/// The number of stones, on the board and in hand together, below which a side has lost.
pub const FEWEST_STONES: u8 = 3;

/// The rules of one game of the family, with every option fixed.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The board.
    pub board: Board,
    /// The numbers of stones that P1 and P2 have in hand at the start.
    pub stones: [u8; 2],
    /// The stones that a mill may capture if all stones are in mills.
    pub capture: Capture,
    /// The number of stones captured by one placement that closes two mills: 1 or 2.
    pub take: u8,
    /// The order of placing and moving.
    pub phases: Phases,
    /// Whether a side with three stones in total may jump to any empty point.
    pub fly: bool,
    /// The result for the side to move if the board is full.
    pub full_board: FullBoard,
}

/// A named combination of options.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name after `morris:`.
    pub name: &'static str,
    /// The board.
    pub board: BoardKind,
    /// The number of stones of each side.
    pub stones: u8,
    /// The order of placing and moving.
    pub phases: Phases,
    /// Whether a side with three stones flies.
    pub fly: bool,
}

const fn preset(name: &'static str, board: BoardKind, stones: u8) -> Preset {
    Preset { name, board, stones, phases: Phases::Separate, fly: true }
}

/// All presets. In all of them, two mills capture one stone, stones in mills may be captured if there are no others, and the
/// side to move loses on a full board. On boards smaller than that of nine men's morris, sides do not fly, as is usual there.
pub const PRESETS: [Preset; 9] = [
    preset("nine", BoardKind::Nine, 9),
    Preset { phases: Phases::Mixed, ..preset("lasker", BoardKind::Nine, 10) },
    preset("morabaraba", BoardKind::Morabaraba, 12),
    Preset { fly: false, ..preset("three", BoardKind::ThreeDiagonals, 3) },
    Preset { fly: false, ..preset("five", BoardKind::Six, 5) },
    Preset { fly: false, ..preset("six", BoardKind::Six, 6) },
    Preset { fly: false, ..preset("seven", BoardKind::Seven, 7) },
    preset("eleven", BoardKind::Morabaraba, 11),
    preset("twelve", BoardKind::Morabaraba, 12),
];

impl Preset {
    /// Returns the preset with the given name.
    pub fn named(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// Returns its rules, before any option changes them.
    pub fn rules(&self) -> Rules {
        Rules {
            board: Board::new(self.board),
            stones: [self.stones; 2],
            capture: Capture::Always,
            take: 1,
            phases: self.phases,
            fly: self.fly,
            full_board: FullBoard::Loss,
        }
    }
}

impl Rules {
    /// Returns `true` if a side with this many stones on the board and in hand jumps instead of sliding.
    #[inline]
    pub fn flies(&self, on_board: u8, in_hand: u8) -> bool {
        self.fly && on_board + in_hand <= FEWEST_STONES
    }

    /// Returns whether a side with this many stones on the board and in hand may place, and whether it may move.
    #[inline]
    pub fn may_place_and_move(&self, on_board: u8, in_hand: u8) -> (bool, bool) {
        let moves = in_hand == 0 || self.phases == Phases::Mixed;
        (in_hand > 0, moves && on_board > 0)
    }
}
