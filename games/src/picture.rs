//! Pictures of boards: the locations of places, the connections between them, and the figures on them.
//!
//! A picture describes the contents of a drawing, and leaves colours and sizes to the program that draws it.

use crate::grid::{Grid, letters_of};
use crate::side::Side;

/// The appearance of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// A round stone.
    Disc,
    /// The mark `X`.
    Cross,
    /// The mark `O`.
    Ring,
    /// A pawn.
    Pawn,
    /// An amazon.
    Amazon,
    /// A permanently blocked cell.
    Block,
    /// An object of a heap.
    Thing,
    /// A chess piece, given by its English letter in upper case.
    Man(char),
}

/// A figure on a place of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Its appearance.
    pub look: Look,
    /// Its owner, or `None` if it belongs to neither side.
    pub owner: Option<Side>,
    /// Whether the figure is light or dark.
    pub light: bool,
}

impl Figure {
    /// Creates a figure of `owner`.
    pub const fn of(look: Look, owner: Side, light: bool) -> Self {
        Self { look, owner: Some(owner), light }
    }
}

/// A place of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file and the rank, both counted from 0, with the lowest rank at the bottom.
    pub at: (usize, usize),
    /// The figure on the place, if there is one.
    pub figure: Option<Figure>,
}

/// The background of the places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ground {
    /// A square for each place.
    Squares {
        /// Whether every second square is dark.
        chequered: bool,
    },
    /// Lines between places, given by pairs of place numbers.
    Lines(Vec<(usize, usize)>),
    /// A hexagon for each place, with a corner at the top. A hexagon spans two files: its own file is its left half,
    /// and the next file is its right half.
    Hexagons,
}

/// A board with the figures on it. All positions of a game have the same places in the same order.
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
    /// The names of the files from the left.
    pub files: Vec<String>,
    /// The names of the ranks from the bottom.
    pub ranks: Vec<String>,
    /// The background of the places.
    pub ground: Ground,
    /// The places.
    pub places: Vec<Place>,
    /// The names of the places if these do not consist of file and rank, and otherwise empty.
    pub names: Vec<String>,
    /// Further parts of the position in words, such as the stones in hand.
    pub note: Option<String>,
}

impl Picture {
    /// Creates a picture of a rectangular board of plain squares. The places are its cells in order.
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

    /// Returns the name of a place.
    pub fn name_of(&self, place: usize) -> String {
        if let Some(name) = self.names.get(place) {
            return name.clone();
        }
        let (file, rank) = self.places[place].at;
        let part = |names: &[String], at: usize| names.get(at).cloned().unwrap_or_default();
        part(&self.files, file) + &part(&self.ranks, rank)
    }

    /// Returns the same picture with every second square dark.
    #[must_use]
    pub fn chequered(self) -> Self {
        Self { ground: Ground::Squares { chequered: true }, ..self }
    }
}
