//! The exchange of the sides of a game from a file: squares, pieces and players with other names, and the same rules.

use super::super::compile::{Names, Part};
use super::RuleGame;
use super::symmetry::{Image, candidates};
use crate::maps::SideSwap;

/// Most pieces and most variables whose exchanges are tried, and most ways to exchange all together.
const NAMES: usize = 6;
const TRIES: usize = 1024;

impl RuleGame {
    /// The first exchange of the sides that the rules keep, of all that undo themselves.
    pub(super) fn found_swap(&self) -> Option<SideSwap> {
        let board = self.book.board();
        let same: Image = (0..board.squares.len()).collect();
        let images = std::iter::once(same).chain(candidates(board).into_iter().map(|(_, image)| image));
        let images: Vec<Image> = images.filter(|image| undoes_itself(image)).collect();
        let (pieces, variables) =
            (exchanges(self.book.pieces().len()), exchanges(self.book.variables().len()));
        let with_squares =
            variables.iter().flat_map(|variables| images.iter().map(move |squares| (variables, squares)));
        let all = with_squares.flat_map(|(variables, squares)| {
            pieces.iter().map(move |pieces| Names { squares, pieces, variables, exchanges: true })
        });
        all.take(TRIES).find_map(|names| self.swap_by(&names))
    }

    fn swap_by(&self, names: &Names<'_>) -> Option<SideSwap> {
        let image = self.image_of_cells(names)?;
        let letters = self.plan.exchanged(names)?;
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

/// Every way to exchange some of so many things in pairs, none of them twice. Of many things, all keep their names.
fn exchanges(things: usize) -> Vec<Vec<usize>> {
    let same: Vec<usize> = (0..things).collect();
    if things > NAMES {
        return vec![same];
    }
    let mut found = vec![same];
    for one in 0..things {
        for at in 0..found.len() {
            let free: Vec<usize> = (one + 1..things)
                .filter(|&other| [one, other].iter().all(|&it| found[at][it] == it))
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
