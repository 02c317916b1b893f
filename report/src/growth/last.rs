//! Growth by positions: of sets that contain the positions of earlier plies, only the last ones count.

use super::naming::title;
use super::{Growth, Row, Step, is_cumulative};

/// Returns the growths as their sets are compared by the number of positions. Most positions of `W_i` are those of earlier plies, so that
/// only the last of these sets counts, and the last sets of all solutions make a series.
pub fn by_positions(growths: &[Growth]) -> Vec<Growth> {
    let mut last = Growth { solution: title(growths), ..Growth::default() };
    let mut others = Vec::new();
    for growth in growths {
        let is_single = |row: &&Row| growth.step != Step::Ply || !is_cumulative(&row.set);
        let rows: Vec<Row> = growth.rows.iter().filter(is_single).cloned().collect();
        for set in growth.sets().into_iter().filter(|set| growth.step == Step::Ply && is_cumulative(set)) {
            let row = growth.rows.iter().rev().find(|row| row.set == set);
            last.rows.extend(row.map(|row| Row {
                label: Some(growth.solution.clone()),
                new: None,
                ..row.clone()
            }));
        }
        if !rows.is_empty() {
            others.push(Growth { solution: growth.solution.clone(), step: growth.step, rows });
        }
    }
    last.rows.sort_by(|a, b| a.set.cmp(&b.set));
    let last = Some(last).filter(|last| !last.rows.is_empty());
    last.into_iter().chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::row;
    use super::*;

    #[test]
    fn the_last_sets_of_several_runs_make_a_series() {
        let run = |name: &str, positions| {
            let rows = vec![row("W-P1", 0, 1), row("W-P1", 1, positions), row("R", 0, 2), row("R", 1, 3)];
            Growth::new(name.into(), Step::Ply, rows)
        };
        let found = by_positions(&[run("nim:3x7", 10), run("nim:3x8", 20)]);
        let names: Vec<(&str, usize)> =
            found.iter().map(|growth| (growth.solution.as_str(), growth.rows.len())).collect();
        assert_eq!(names, [("nim", 2), ("nim:3x7", 2), ("nim:3x8", 2)]);
        let last: Vec<_> =
            found[0].rows.iter().map(|row| (row.label.as_deref(), row.positions, row.new)).collect();
        assert_eq!(last, [(Some("nim:3x7"), Some(10), None), (Some("nim:3x8"), Some(20), None)]);
        assert_eq!(by_positions(&found[1..]), found[1..]);
        let sectors = [Growth::new("a".into(), Step::Sector, vec![row("W", 0, 1), row("W", 1, 2)])];
        assert_eq!(by_positions(&sectors), sectors);
    }
}
