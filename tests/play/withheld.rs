//! Directories of sectors from which some are withheld, and the values of their positions from a search and the plain
//! rules.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::common::scratch;
use nerode::games::Game;
use nerode::games::explicit::apply;
use nerode::games::morris::State;
use nerode::{Position, Side, Solution, Value};
use nerode_morris::tables::{Sector, SectorDir, SectorSolution, SectorSolve};
use nerode_play::bounds::{Bounds, Goal, Means, Search};
use nerode_solver::outcome::ValueRange;
use nerode_solver::solve::resources::Resources;

/// An interrupt flag that is never set.
pub static GO_ON: AtomicBool = AtomicBool::new(false);

/// A small game in which most positions are draws.
pub const MANY_DRAWS: &str = "morris:six,fly=yes,fullboard=draw";

/// A search without optimisations.
pub const PLAIN: Means = Means { table: false, windows: false, order: false };

pub fn search(solution: &Solution, position: &Position, plies: u32, means: Means) -> Bounds {
    search_within(solution, position, plies, means, u64::MAX)
}

/// Calls [`search`] with a table of `memory` bytes.
pub fn search_within(
    solution: &Solution,
    position: &Position,
    plies: u32,
    means: Means,
    memory: u64,
) -> Bounds {
    let search = Search { plies, deadline: None, interrupt: &GO_ON, memory, means, goal: Goal::Value };
    search.run(solution, &solution.query(position).unwrap(), &mut |_| ()).unwrap()
}

fn solve_sectors(path: &Path, spec: &str, root: &str) {
    let solve = SectorSolve::open(spec).unwrap().of(vec![root.parse().unwrap()]).unwrap();
    solve.solve_into(path, &Resources::default(), &mut |_| ()).unwrap();
}

/// A complete directory, and one without some of its sectors.
pub struct Withheld {
    pub full: SectorSolution,
    pub part: Solution,
    pub missing: Vec<Sector>,
    pub dirs: [tempfile::TempDir; 2],
}

impl Withheld {
    /// Withholds the sectors that `is_missing` selects.
    pub fn new(spec: &str, root: &str, is_missing: impl Fn(usize, Sector) -> bool) -> Self {
        let dirs = [scratch(), scratch()];
        dirs.iter().for_each(|dir| solve_sectors(dir.path(), spec, root));
        let full = SectorSolution::open(dirs[0].path()).unwrap();
        let files = SectorDir::open(dirs[1].path()).unwrap().sectors().unwrap();
        let missing: Vec<_> = files
            .iter()
            .enumerate()
            .filter(|(at, file)| is_missing(*at, file.sector))
            .map(|(_, file)| file)
            .collect();
        missing.iter().for_each(|file| fs::remove_file(&file.path).unwrap());
        let missing = missing.iter().map(|file| file.sector).collect();
        Self { full, part: nerode::open_solution(dirs[1].path()).unwrap(), missing, dirs }
    }

    /// Returns every `step`-th position of the withheld sectors, with its value.
    pub fn positions(&self, step: usize) -> Vec<(Position, Value)> {
        let mut positions = Vec::new();
        for &sector in &self.missing {
            let table = self.full.table(sector).unwrap();
            for slot in
                (0..table.index.num_slots()).filter(|&slot| table.index.hole(slot).is_none()).step_by(step)
            {
                let state = table.state(slot);
                let board = self.full.rules.board_of(state, Side::P1);
                positions.push((Position { board, side: Side::P1 }, self.full.get(state).unwrap().0));
            }
        }
        positions
    }

    /// Returns the range from a search of all moves, by the plain rules and the available sectors.
    pub fn naive(&self, at: &Position, plies: u32) -> ValueRange {
        if let Some(value) = self.full.game.outcome(&at.board, at.side) {
            return ValueRange::exact(value);
        }
        let state = self.full.rules.state_of(&at.board, at.side);
        if !self.missing.contains(&Sector::of(state)) {
            return ValueRange::exact(self.full.get(state).unwrap().0);
        }
        if plies == 0 {
            return ValueRange::UNKNOWN;
        }
        let replies = next(self.full.game.as_ref(), at).into_iter();
        replies.map(|next| self.naive(&next, plies - 1).negated()).reduce(ValueRange::max).unwrap()
    }
}

fn next(game: &dyn Game, at: &Position) -> Vec<Position> {
    let mut moves = Vec::new();
    game.legal_moves(&at.board, at.side, &mut moves);
    moves.iter().map(|mv| Position { board: apply(&at.board, mv), side: at.side.other() }).collect()
}

pub fn holds(range: ValueRange, value: Value) -> bool {
    range.least() <= value && value <= range.most()
}

/// Returns pseudo-random bits, which are the same in every run.
pub fn chance(seed: u64, at: usize) -> bool {
    blake3::hash(format!("{seed} {at}").as_bytes()).as_bytes()[0] < 128
}

pub fn state_of(withheld: &Withheld, position: &Position) -> State {
    withheld.full.rules.state_of(&position.board, position.side)
}
