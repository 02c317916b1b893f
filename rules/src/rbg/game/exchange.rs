//! Finds the exchange of the sides of a game from a file: a renaming of squares, pieces and players that preserves the rules.

use nerode_games::SideSwap;

use super::super::compile::{Names, Part};
use super::RuleGame;
use super::symmetry::{Image, candidates};

/// The maximum numbers of pieces and of variables whose exchanges are tried, and the maximum number of combinations.
const NAMES: usize = 6;
const TRIES: usize = 1024;

impl RuleGame {
    /// Returns the first exchange of the sides that preserves the rules, among those that are their own inverse.
    pub(super) fn exchange_of_sides(&self) -> Option<SideSwap> {
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
        // The digits of a letter cannot be exchanged one by one.
        if self.cells.cell(Part::Status(1)).is_some() {
            return None;
        }
        let image = self.image_of_cells(names)?;
        let letters = self.plan.exchanged(names)?;
        let letter = |cell: usize, content: u32| {
            let held = match self.cells.parts[cell] {
                Part::Status(_) => letters.get(content as usize).map(|&letter| letter as u32)?,
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

/// Returns every self-inverse renaming of the given number of things. If there are too many things, returns only the identity.
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
