//! Compares sectors solved as sets with the tables of the same sectors.

use nerode_games::{Game, Position, Side};

use super::sector_sets::SectorSets;
use crate::tables::SectorTable;
use nerode_solver::check::Report;
use nerode_solver::error::Result;

/// Compares sets with the table of the same sector, on every position. Each position of the table must be in the set of
/// its depth with all its images under the symmetries, and the sets must not contain any other positions.
///
/// *Cost*: one look-up for each image of each decided position.
///
/// # Errors
/// Returns an error if a count exceeds 128 bits.
pub fn compare(game: &dyn Game, sets: &SectorSets, table: &SectorTable) -> Result<Report> {
    let mut report = Report::default();
    let by_depth = &sets.by_depth;
    let symmetries = table.index.symmetries();
    let mut expected = vec![0u128; by_depth.len()];
    let mut matched = vec![0u128; by_depth.len()];
    // The positions that are in the set of another depth.
    let mut elsewhere = 0u128;
    let (mut positions, mut board) = (0u128, game.start().0);
    for slot in (0..table.index.num_slots()).filter(|&slot| table.index.hole(slot).is_none()) {
        let state = table.state(slot);
        let images = table.index.num_images(state.own, state.other);
        positions += images;
        let Some(depth) = table.depth_at(slot).map(usize::from) else { continue };
        if let Some(expected) = expected.get_mut(depth) {
            *expected += images;
        }
        let times = u128::from(table.index.num_stabilisers(state.own, state.other));
        let (mut there, mut in_others) = (0u128, 0u128);
        for op in 0..symmetries.len() as u8 {
            let (own, other) = (symmetries.apply(op, state.own), symmetries.apply(op, state.other));
            for (point, cell) in board.iter_mut().enumerate() {
                let on = |set: u32| point < 32 && set >> point & 1 == 1;
                *cell = u8::from(on(own)) + 2 * u8::from(on(other));
            }
            let word = game.word_of(&board);
            if by_depth.get(depth).is_some_and(|set| set.contains(&word)) {
                there += 1;
                continue;
            }
            in_others += u128::from(by_depth.iter().any(|set| set.contains(&word)));
            report.first_mismatch.get_or_insert_with(|| {
                format!(
                    "{}: not in the set of depth {depth}",
                    game.format_position(&Position { board: board.clone(), side: Side::P1 })
                )
            });
        }
        // Every image occurs once for each symmetry that fixes the position.
        report.mismatches += images - there / times;
        elsewhere += in_others / times;
        if let Some(matched) = matched.get_mut(depth) {
            *matched += there / times;
        }
    }
    report.checked = positions;
    let found = sets.all.count()?;
    report.wrong(found.abs_diff(positions), || {
        format!("positions in all: {found} in the sets, {positions} in the table")
    });
    let (mut more, mut first) = (0u128, None);
    for (depth, (set, (expected, matched))) in by_depth.iter().zip(expected.iter().zip(&matched)).enumerate()
    {
        let found = set.count()?;
        more += found.saturating_sub(*matched);
        if found != *expected {
            first.get_or_insert((depth, found, *expected));
        }
    }
    // Positions of a set that have another depth in the table are counted already, and those that are draws there are not.
    report.wrong(more.saturating_sub(elsewhere), || {
        let (depth, found, expected) = first.unwrap_or_default();
        format!("positions of depth {depth}: {found} in the sets, {expected} in the table")
    });
    Ok(report)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use nerode_games::morris::rules_of;
    use nerode_games::registry::open;

    use super::*;
    use crate::sets::SectorSolver;
    use crate::tables::{IndexMaker, SectorTables, plan, solve_unit};
    use nerode_solver::solve::resources::Resources;

    /// Sectors of small games, with and without flying, with and without protection, and from both points of view,
    /// equal their tables, and differ from tables with one changed value.
    #[test]
    fn sets_and_tables_agree_on_every_position() {
        let never = AtomicBool::new(false);
        let mut planted = 0;
        for (spec, stones) in [
            ("morris:six", [3, 3]),
            ("morris:six,capture=protected", [3, 3]),
            ("morris:three,fly=yes,stones=4-4", [4, 4]),
            ("morris:three,fly=yes,stones=4-4,capture=protected", [4, 4]),
            ("morris:six,fly=yes", [3, 4]),
            ("morris:three,stones=5-4,fullboard=draw", [5, 4]),
        ] {
            let (_, rules) = rules_of(spec).unwrap();
            let maker = IndexMaker::new(&rules.board);
            let root = format!("{}-{}-0-0", stones[0], stones[1]).parse().unwrap();
            let mut known = SectorTables::new();
            for unit in plan(&rules, &[root]).unwrap() {
                let tables = solve_unit(&rules, &unit, &maker, &known, &never).unwrap();
                known.extend(tables.into_iter().map(|table| (table.sector, Arc::new(table))));
            }
            let resources = Resources { threads: 2, ..Resources::default() };
            let mut solver = SectorSolver::new(open(spec).unwrap(), &resources).unwrap();
            for (stones, sector) in [(stones, root), ([stones[1], stones[0]], root.mirrored())] {
                let sets = solver.solve(stones).unwrap();
                let table = &known[&sector];
                let report = compare(solver.game(), &sets, table).unwrap();
                assert_eq!(report.mismatches, 0, "{spec} {sector}: {:?}", report.first_mismatch);
                assert!(report.checked > u128::from(table.counts().num_positions));
                // In some sectors, all positions are draws.
                let mut slots = 0..table.index.num_slots();
                let Some(slot) = slots.find(|&slot| table.depth_at(slot).is_some()) else { continue };
                planted += 1;
                let right = table.codes.get(slot);
                table.codes.set(slot, table.codes.width().open());
                assert!(compare(solver.game(), &sets, table).unwrap().mismatches > 0, "{spec}");
                table.codes.set(slot, right + 2);
                assert!(compare(solver.game(), &sets, table).unwrap().mismatches > 0, "{spec}");
                table.codes.set(slot, right);
            }
        }
        assert!(planted > 4, "only {planted} sectors have wins or losses");
        assert!(
            SectorSolver::new(open("morris:six").unwrap(), &Resources::default())
                .unwrap()
                .solve([7, 3])
                .is_err()
        );
    }
}
