//! Boards as pictures: where places lie, what joins them, and what stands on each.
//!
//! A picture says what is to be seen and nothing about colours or sizes.

use crate::grid::{Grid, letters_of};
use crate::side::Side;

/// What a figure looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A round stone.
    Disc,
    /// The mark X.
    Cross,
    /// The mark O.
    Ring,
    /// A pawn.
    Pawn,
    /// An amazon.
    Amazon,
    /// A cell blocked for ever.
    Block,
    /// A thing of a heap.
    Thing,
    /// A chess man by its letter in English, upper case.
    Man(char),
}

/// What stands on a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// What it looks like.
    pub look: Look,
    /// Whose it is; `None` for what is nobody's.
    pub owner: Option<Side>,
    /// Whether it is light or dark.
    pub light: bool,
}

impl Figure {
    /// A figure of `owner`.
    pub const fn of(look: Look, owner: Side, light: bool) -> Self {
        Self { look, owner: Some(owner), light }
    }
}

/// A place of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// File and rank, both from 0, the lowest rank at the bottom.
    pub at: (usize, usize),
    /// What stands there.
    pub figure: Option<Figure>,
}

/// What the places lie on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ground {
    /// A square for each place.
    Squares {
        /// Whether every second one is dark.
        chequered: bool,
    },
    /// Lines between places, as pairs of their numbers.
    Lines(Vec<(usize, usize)>),
    /// A hexagon for each place, with a corner above. A hexagon takes two files: its own, which is its left half, and the next.
    Hexagons,
}

/// A board with what stands on it. Every position of a game has the same places in the same order.
///
/// # Examples
/// ```
/// let game = nerode_games::registry::open("breakthrough:2x4").unwrap();
/// let picture = game.picture(&game.start_position()).unwrap();
/// assert_eq!((picture.files.join(""), picture.ranks.join("")), ("ab".into(), "1234".into()));
/// assert!(picture.places[0].figure.is_some_and(|pawn| pawn.light));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Names of the files, from the left.
    pub files: Vec<String>,
    /// Names of the ranks, from below.
    pub ranks: Vec<String>,
    /// What the places lie on.
    pub ground: Ground,
    /// The places.
    pub places: Vec<Place>,
    /// Names of the places, where those are not file and rank; else none.
    pub names: Vec<String>,
    /// What else belongs to the position, in words, such as the stones in hand.
    pub note: Option<String>,
}

impl Picture {
    /// A rectangular board of plain squares; places are its cells in order.
    pub fn of_grid(grid: Grid, figure: impl Fn(usize) -> Option<Figure>) -> Self {
        let place = |cell| Place { at: (grid.file(cell), grid.rank(cell)), figure: figure(cell) };
        Self {
            files: (0..grid.width()).map(letters_of).collect(),
            ranks: (1..=grid.height()).map(|rank| rank.to_string()).collect(),
            ground: Ground::Squares { chequered: false },
            places: (0..grid.num_cells()).map(place).collect(),
            names: Vec::new(),
            note: None,
        }
    }

    /// The name of a place.
    pub fn name_of(&self, place: usize) -> String {
        if let Some(name) = self.names.get(place) {
            return name.clone();
        }
        let (file, rank) = self.places[place].at;
        let part = |names: &[String], at: usize| names.get(at).cloned().unwrap_or_default();
        part(&self.files, file) + &part(&self.ranks, rank)
    }

    /// The same with every second square dark.
    #[must_use]
    pub fn chequered(self) -> Self {
        Self { ground: Ground::Squares { chequered: true }, ..self }
    }
}
