//! Maps of boards that preserve values: symmetries, relabellings and the exchange of the sides. Also, classes of positions.

/// A symmetry of the board: a permutation of the cells that preserves the value of every position, with the same side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// The name, such as `mirror`.
    pub name: String,
    /// The permutation: `image[cell]` is the cell to which the content of `cell` moves.
    pub image: Vec<usize>,
}

/// A map of boards that preserves values by permuting the cells and rewriting their contents.
///
/// If the contents stay the same, this is a [`Symmetry`]. It is more general if a content is a place, such as the
/// square of a man.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relabelling {
    /// The name, such as `mirror`.
    pub name: String,
    /// The permutation: `image[cell]` is the cell to which the content of `cell` moves.
    pub image: Vec<usize>,
    /// The rewriting of contents: `contents[cell][x]` is the new content for content `x` of `cell`.
    pub contents: Vec<Vec<u8>>,
}

impl Relabelling {
    /// Returns the composition of this map followed by `next`.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        let onward = |(&to, contents): (&usize, &Vec<u8>)| {
            contents.iter().map(|&content| next.contents[to][usize::from(content)]).collect()
        };
        Self {
            name: format!("{} {}", self.name, next.name),
            image: self.image.iter().map(|&to| next.image[to]).collect(),
            contents: self.image.iter().zip(&self.contents).map(onward).collect(),
        }
    }

    /// Returns the image of `board`.
    pub fn apply(&self, board: &[u8]) -> Vec<u8> {
        rewritten(&self.image, &self.contents, board)
    }
}

/// A map of boards that exchanges the sides.
///
/// It maps positions of one side to move to positions of the other side, and legal moves to legal moves, and it
/// preserves the value for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideSwap {
    /// The permutation: `image[cell]` is the cell to which the content of `cell` moves.
    pub image: Vec<usize>,
    /// The rewriting of contents: `contents[cell][x]` is the new content for content `x` of `cell`.
    pub contents: Vec<Vec<u8>>,
}

impl SideSwap {
    /// Creates the map that moves cells by `image` and rewrites the contents of every cell by the same table `contents`.
    pub fn uniform(image: Vec<usize>, contents: &[u8]) -> Self {
        Self { contents: vec![contents.to_vec(); image.len()], image }
    }

    /// Returns the image of `board`.
    pub fn apply(&self, board: &[u8]) -> Vec<u8> {
        rewritten(&self.image, &self.contents, board)
    }
}

fn rewritten(image: &[usize], contents: &[Vec<u8>], board: &[u8]) -> Vec<u8> {
    let mut after = vec![0; board.len()];
    for ((&to, contents), &content) in image.iter().zip(contents).zip(board) {
        after[to] = contents[usize::from(content)];
    }
    after
}

/// A class of positions that statistics count together, such as the positions with the same material in chess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionClass {
    /// The name of the class.
    pub name: String,
    /// The products whose union is the class. A product lists some cells, each with the contents that it may have.
    pub products: Vec<Vec<(usize, Vec<u8>)>>,
}
