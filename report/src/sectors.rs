//! The longest wins and losses of sectors of morris games, with an example position each.

use nerode_dfa::Dfa;
use nerode_games::{Game, Position, Side};

use super::summary::{Deepest, HowMany};
use nerode_morris::tables::{Sector, SectorCounts, SectorSolution};
use nerode_solver::error::Result;

/// Returns the longest win and the longest loss of the side to move in sectors with these counts. Positions are counted
/// up to symmetry.
///
/// Cost: reads the sectors that contain them once more.
///
/// # Errors
/// Returns the same errors as [`SectorSolution::table`].
pub fn longest_of_tables(
    solution: &SectorSolution,
    sectors: &[(Sector, SectorCounts)],
) -> Result<Vec<Deepest>> {
    let mut found = Vec::new();
    for (parity, category) in [(1, "win"), (0, "loss")] {
        let depth_of =
            |counts: &SectorCounts| if parity == 1 { counts.longest().0 } else { counts.longest().1 };
        let Some(depth) = sectors.iter().filter_map(|(_, counts)| depth_of(counts)).max() else { continue };
        let at = |counts: &SectorCounts| counts.by_depth.get(depth).copied().unwrap_or(0);
        let Some((sector, _)) = sectors.iter().find(|(_, counts)| at(counts) > 0) else { continue };
        let table = solution.table(*sector)?;
        let slot =
            (0..table.index.num_slots()).find(|&slot| table.depth_at(slot).map(usize::from) == Some(depth));
        let board = slot.map(|slot| solution.rules.board_of(table.state(slot), Side::P1));
        solution.forget();
        let orbits = HowMany::Orbits(sectors.iter().map(|(_, counts)| u128::from(at(counts))).sum());
        found.extend(board.map(|board| deepest(solution.game.as_ref(), category, depth, orbits, board)));
    }
    Ok(found)
}

/// Returns the longest win and the longest loss with P1 to move in sectors that are stored as sets by depth.
///
/// # Errors
/// Returns an error if a count does not fit into 128 bits.
pub fn longest_of_sets(game: &dyn Game, sectors: &[Vec<Dfa>]) -> Result<Vec<Deepest>> {
    let mut found = Vec::new();
    for (parity, category) in [(1, "win"), (0, "loss")] {
        let depth_of = |sets: &Vec<Dfa>| {
            (0..sets.len()).rev().find(|&depth| depth % 2 == parity && !sets[depth].is_empty())
        };
        let Some(depth) = sectors.iter().filter_map(depth_of).max() else { continue };
        let sets: Vec<&Dfa> = sectors.iter().filter_map(|sets| sets.get(depth)).collect();
        let mut positions = 0u128;
        for set in &sets {
            positions = positions.saturating_add(set.count()?);
        }
        let word = sets.iter().find_map(|set| set.words().next());
        let count = HowMany::Positions(positions);
        found.extend(word.map(|word| deepest(game, category, depth, count, game.board_of(&word))));
    }
    Ok(found)
}

fn deepest(game: &dyn Game, category: &'static str, depth: usize, count: HowMany, board: Vec<u8>) -> Deepest {
    Deepest {
        side: Side::P1.to_string(),
        category,
        // Depths are 16-bit numbers.
        dtw: depth as u32,
        count,
        position: game.format_position(&Position { board, side: Side::P1 }),
    }
}
