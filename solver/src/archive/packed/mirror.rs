//! Mirror images: of two positions that a symmetry of the board turns into each other, only one is looked up.
//!
//! The choice does not compare words but counts: the board has a first half and a second half, and a position is looked up
//! itself if at least as many cells of the first half are occupied as of the second. In an order by columns, this number
//! is known after half of the letters, so the choice costs hardly any states; a comparison of words would have to
//! remember the first half.

use nerode_dfa::Letter;
#[cfg(feature = "engine")]
use nerode_dfa::{Dfa, Shape};
use nerode_games::Game;
#[cfg(feature = "engine")]
use nerode_games::Relabelling;

#[cfg(feature = "engine")]
use crate::error::Result;

/// The maximum number of symmetries that are tried.
#[cfg(feature = "engine")]
const MOST: usize = 64;

/// A symmetry that is its own inverse and leaves contents as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::archive) struct Mirror {
    /// The cell to which the content of each cell moves.
    #[cfg(feature = "engine")]
    pub(in crate::archive) image: Vec<u16>,
    /// The layer to which the letter of each layer moves.
    to: Vec<usize>,
    /// For each layer, 1 in the first half, -1 in the second, and 0 for layers that stay in place.
    half: Vec<i32>,
}

impl Mirror {
    /// Returns the symmetries of a game that keep its start position.
    #[cfg(feature = "engine")]
    pub(in crate::archive) fn of_game(game: &dyn Game) -> Vec<Self> {
        let generators = game.relabellings();
        let mut all: Vec<Relabelling> = generators.clone();
        let mut next = 0;
        while next < all.len() && all.len() < MOST {
            for generator in &generators {
                let map = all[next].then(generator);
                if !all.iter().any(|known| known.image == map.image && known.contents == map.contents) {
                    all.push(map);
                }
            }
            next += 1;
        }
        let start = game.start().0;
        let keeps =
            |map: &&Relabelling| map.apply(&start) == start && map.contents.iter().all(|c| is_identity(c));
        let image = |map: &Relabelling| map.image.iter().map(|&cell| cell as u16).collect();
        all.iter().filter(keeps).filter_map(|map| Self::new(game, image(map))).collect()
    }

    /// Returns the symmetry that moves the contents of cells as given. Returns `None` for any other map than one that is its
    /// own inverse and moves contents between cells with as many contents.
    pub(in crate::archive) fn new(game: &dyn Game, image: Vec<u16>) -> Option<Self> {
        let (shape, cells) = (game.shape(), game.cell_of_layer());
        if image.len() != cells.len() || image.iter().any(|&cell| usize::from(cell) >= cells.len()) {
            return None;
        }
        let mut layer_of = vec![0; cells.len()];
        cells.iter().enumerate().for_each(|(layer, &cell)| layer_of[cell] = layer);
        let to: Vec<usize> = cells.iter().map(|&cell| layer_of[usize::from(image[cell])]).collect();
        let is_sound = |(layer, &other): (usize, &usize)| {
            to[other] == layer && shape.num_letters(layer) == shape.num_letters(other)
        };
        if !to.iter().enumerate().all(is_sound) || to.iter().enumerate().all(|(layer, &other)| layer == other)
        {
            return None;
        }
        let half = to.iter().enumerate().map(|(layer, other)| other.cmp(&layer) as i32).collect();
        Some(Self {
            #[cfg(feature = "engine")]
            image,
            to,
            half,
        })
    }

    /// Returns `true` if this symmetry does not change which half `other` prefers.
    #[cfg(feature = "engine")]
    pub(in crate::archive) fn respects(&self, other: &Self) -> bool {
        self.to.iter().zip(&other.half).all(|(&to, half)| other.half[to] == *half)
    }

    /// Returns the words that are looked up themselves.
    #[cfg(feature = "engine")]
    pub(in crate::archive) fn kept(&self, shape: &Shape) -> Result<Dfa> {
        let step = |layer: usize, lead: &i32, letter: Letter| Some(lead + self.change(layer, letter));
        Ok(Dfa::from_step(shape, 0, step, |lead| *lead >= 0)?)
    }

    /// Replaces a word by its mirror image unless it is looked up itself.
    pub(in crate::archive) fn choose(&self, word: &mut [Letter]) {
        let lead: i32 = word.iter().enumerate().map(|(layer, &letter)| self.change(layer, letter)).sum();
        if lead < 0 {
            let before = word.to_vec();
            before.iter().zip(&self.to).for_each(|(&letter, &to)| word[to] = letter);
        }
    }

    fn change(&self, layer: usize, letter: Letter) -> i32 {
        if letter == 0 { 0 } else { self.half[layer] }
    }
}

#[cfg(feature = "engine")]
fn is_identity(contents: &[u8]) -> bool {
    contents.iter().enumerate().all(|(content, &image)| content == usize::from(image))
}

#[cfg(test)]
mod tests {
    use chacha20::ChaCha12Rng;
    use nerode_games::registry;
    use rand::{RngExt, SeedableRng};

    use super::*;

    #[test]
    fn one_of_two_mirror_images_is_kept() {
        for (spec, count) in
            [("connect:4x4", 1), ("tictactoe:4x3,k=3", 3), ("tictactoe:3x3", 5), ("othello:4x4", 3)]
        {
            let game = registry::open(spec).unwrap();
            let mirrors = Mirror::of_game(game.as_ref());
            assert_eq!(mirrors.len(), count, "{spec}");
            let (shape, mut rng) = (game.shape(), ChaCha12Rng::seed_from_u64(1));
            for mirror in &mirrors {
                let kept = mirror.kept(shape).unwrap();
                for _ in 0..1000 {
                    let letter = |layer| rng.random_range(0..shape.num_letters(layer)) as u8;
                    let word: Vec<u8> = (0..shape.num_layers()).map(letter).collect();
                    let mut chosen = word.clone();
                    mirror.choose(&mut chosen);
                    assert!(kept.contains(&chosen), "{spec} {word:?}");
                    assert_eq!(chosen == word, kept.contains(&word), "{spec} {word:?}");
                    let image: Vec<u8> = mirror.to.iter().map(|&to| word[to]).collect();
                    assert!(chosen == word || chosen == image, "{spec} {word:?}");
                }
            }
        }
    }

    #[test]
    fn left_and_right_do_not_depend_on_top_and_bottom() {
        let game = registry::open("tictactoe:4x3,k=3").unwrap();
        let mirrors = Mirror::of_game(game.as_ref());
        let pairs = mirrors.iter().flat_map(|a| mirrors.iter().map(move |b| (a, b)));
        assert_eq!(pairs.filter(|(a, b)| a.respects(b)).count(), 2, "each axis respects the other");
        let square = registry::open("tictactoe:3x3").unwrap();
        let mirrors = Mirror::of_game(square.as_ref());
        assert!(
            mirrors.iter().any(|a| mirrors.iter().any(|b| !a.respects(b))),
            "a diagonal exchanges the axes"
        );
    }
}
