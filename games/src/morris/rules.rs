//! The rules of the morris family as options, and the presets that name combinations of them.

use crate::morris::board::{Board, BoardKind};

/// What a closed mill may take where every stone of the opponent on the board is in a mill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Capture {
    /// Any stone.
    Always,
    /// Nothing: stones in mills are never taken, and the move stands without a capture.
    Protected,
}

/// How stones come on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phases {
    /// A side places while it has stones in hand, and moves from then on.
    Separate,
    /// A side with stones in hand places or moves.
    Mixed,
}

/// What a side that cannot move gets when the whole board is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FullBoard {
    /// It loses, as on any other board.
    Loss,
    /// The game is drawn.
    Draw,
}

/// Most stones of a side.
pub const MOST_STONES: u8 = 12;
/// A side with fewer stones, on the board and in hand together, has lost.
pub const FEWEST_STONES: u8 = 3;

/// A game of the family with every option fixed.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Where it is played.
    pub board: Board,
    /// Stones that P1 and P2 have in hand at the start.
    pub stones: [u8; 2],
    /// What a mill takes where all stones are in mills.
    pub capture: Capture,
    /// Stones taken by one placement that closes two mills: 1 or 2.
    pub take: u8,
    /// How stones come on the board.
    pub phases: Phases,
    /// Whether a side with three stones in all may jump to any empty point.
    pub fly: bool,
    /// What a full board means for the side to move.
    pub full_board: FullBoard,
}

/// A named combination of options.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// What follows `morris:`.
    pub name: &'static str,
    /// The board.
    pub board: BoardKind,
    /// Stones of each side.
    pub stones: u8,
    /// Phases.
    pub phases: Phases,
    /// Whether a side with three stones flies.
    pub fly: bool,
}

const fn preset(name: &'static str, board: BoardKind, stones: u8) -> Preset {
    Preset { name, board, stones, phases: Phases::Separate, fly: true }
}

/// Every preset. In all of them two mills take one stone, stones in mills may be taken if there are no others, and a full
/// board is lost for the side to move. On boards smaller than that of nine men's morris nobody flies, as is usual there.
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
    /// The preset called `name`.
    pub fn named(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// Its rules, before any option changes them.
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
    /// Whether a side with that many stones on the board and in hand jumps instead of sliding.
    #[inline]
    pub fn flies(&self, on_board: u8, in_hand: u8) -> bool {
        self.fly && on_board + in_hand <= FEWEST_STONES
    }

    /// Whether a side with this many stones on the board and in hand may place, and whether it may move.
    #[inline]
    pub fn may_place_and_move(&self, on_board: u8, in_hand: u8) -> (bool, bool) {
        let moves = in_hand == 0 || self.phases == Phases::Mixed;
        (in_hand > 0, moves && on_board > 0)
    }
}
