//! Maps of boards that keep values: symmetries, relabellings, the exchange of the sides; and classes of positions.

/// A symmetry of the board: a permutation of the cells that keeps the value of every position, with the same side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// Its name, such as `mirror`.
    pub name: String,
    /// `image[cell]`: the cell where the content of `cell` goes.
    pub image: Vec<usize>,
}

/// A map of boards that keeps values: it permutes the cells and rewrites their contents.
///
/// Where contents stand for themselves this is a [`Symmetry`]. It is more where a content is a place, such as the square of a
/// man.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relabelling {
    /// Its name, such as `mirror`.
    pub name: String,
    /// `image[cell]`: the cell where the content of `cell` goes.
    pub image: Vec<usize>,
    /// `contents[cell][x]`: what the content `x` of `cell` becomes.
    pub contents: Vec<Vec<u8>>,
}

impl Relabelling {
    /// This map, then `next`.
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

    /// The image of `board`.
    pub fn apply(&self, board: &[u8]) -> Vec<u8> {
        rewritten(&self.image, &self.contents, board)
    }
}

/// A map of boards that exchanges the sides.
///
/// It takes positions of one side to move to positions of the other, legal moves to legal moves, and keeps the value for the
/// side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideSwap {
    /// `image[cell]`: the cell where the content of `cell` goes.
    pub image: Vec<usize>,
    /// `contents[cell][x]`: what the content `x` of `cell` becomes.
    pub contents: Vec<Vec<u8>>,
}

impl SideSwap {
    /// The map that moves cells by `image` and rewrites the contents of every cell by the same table `contents`.
    pub fn uniform(image: Vec<usize>, contents: &[u8]) -> Self {
        Self { contents: vec![contents.to_vec(); image.len()], image }
    }

    /// The image of `board`.
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

/// Positions that statistics count together, such as those of one material in chess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionClass {
    /// Its name.
    pub name: String,
    /// The class is the union of these products. A product lists some cells with the contents that each may have.
    pub products: Vec<Vec<(usize, Vec<u8>)>>,
}
