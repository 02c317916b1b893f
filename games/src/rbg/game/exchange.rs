//! The exchange of the sides of a game from a file: squares, pieces and players with other names, and the same rules.

use super::super::compile::{Names, Part};
use super::RuleGame;
use super::symmetry::{Image, candidates};
use crate::maps::SideSwap;

/// Most pieces whose exchanges are tried, and most ways to exchange squares and pieces.
const PIECES: usize = 6;
const TRIES: usize = 1024;

impl RuleGame {
    /// The first exchange of the sides that the rules keep, of all that undo themselves.
    pub(super) fn found_swap(&self) -> Option<SideSwap> {
        let board = self.book.board();
        let squares: Image = (0..board.squares.len()).collect();
        let images = std::iter::once(squares).chain(candidates(board).into_iter().map(|(_, image)| image));
        let pieces = exchanges(self.book.pieces().len());
        let images = images.filter(|image| undoes_itself(image));
        let pairs = images.flat_map(|image| pieces.iter().map(move |pieces| (image.clone(), pieces)));
        pairs.take(TRIES).find_map(|(image, pieces)| self.swap_by(&image, pieces))
    }

    fn swap_by(&self, squares: &[usize], pieces: &[u32]) -> Option<SideSwap> {
        let names = Names { squares, pieces, exchanges: true };
        let image = self.image_of_cells(squares)?;
        let letters = self.plan.exchanged(&names)?;
        let letter = |cell: usize, content: u32| {
            let held = match self.cells.parts[cell] {
                Part::Status => letters.get(content as usize).map(|&letter| letter as u32)?,
                Part::Square(_) => names.piece(content),
                Part::Variable(_) => content,
            };
            self.cells.contents[image[cell]].iter().position(|&known| known == held).map(|at| at as u8)
        };
        let table = |(cell, held): (usize, &Vec<u32>)| held.iter().map(|&held| letter(cell, held)).collect();
        let contents = self.cells.contents.iter().enumerate().map(table).collect::<Option<_>>()?;
        Some(SideSwap { image, contents })
    }
}

fn undoes_itself(image: &[usize]) -> bool {
    image.iter().enumerate().all(|(from, &to)| image[to] == from)
}

/// Every way to exchange some pieces in pairs, none of them twice. Of many pieces, all keep their names.
fn exchanges(pieces: usize) -> Vec<Vec<u32>> {
    let same: Vec<u32> = (0..pieces as u32).collect();
    if pieces > PIECES {
        return vec![same];
    }
    let mut found = vec![same];
    for one in 0..pieces {
        for at in 0..found.len() {
            let free: Vec<usize> = (one + 1..pieces)
                .filter(|&other| [one, other].iter().all(|&it| found[at][it] as usize == it))
                .collect();
            for other in free {
                let mut pairs = found[at].clone();
                pairs.swap(one, other);
                found.push(pairs);
            }
        }
    }
    found
}
