//! The panels that `stats --plot` draws: positions by ply, states by ply, and states by layer.

use std::collections::BTreeMap;

use super::layers::LayerLine;
use super::set_lines::SetLine;
use nerode_report::plot::{Panel, Series};

/// Returns the positions that each ply adds, and the total up to it. The sets contain those of all earlier plies.
pub(super) fn new_positions(plies: &[SetLine]) -> Panel {
    let added = |lines: &[&SetLine]| {
        let before = std::iter::once(0).chain(lines.iter().map(|line| positions(line)));
        lines
            .iter()
            .zip(before)
            .map(|(line, before)| (line.ply, positions(line).saturating_sub(before)))
            .collect()
    };
    let all = |lines: &[&SetLine]| points(lines, positions);
    let both = |(group, (set, lines)): (usize, (&str, Vec<&SetLine>))| {
        let series = |dashed, points| Series { name: named(set), group, dashed, points };
        [series(false, added(&lines)), series(true, all(&lines))]
    };
    Panel {
        title: "Positions by ply, new and cumulative".into(),
        y_label: "positions (logarithmic)".into(),
        series: sets(plies).into_iter().enumerate().flat_map(both).collect(),
        strokes: Some(["new at this ply".into(), "cumulative".into()]),
        ..by_ply()
    }
}

/// Returns the positions of each ply of a search from the start.
pub(super) fn reached_positions(plies: &[SetLine]) -> Panel {
    Panel {
        title: "Positions reached at each ply".into(),
        y_label: "positions (logarithmic)".into(),
        series: all_series(plies, positions),
        ..by_ply()
    }
}

/// Returns the states of every series of sets that is stored.
pub(super) fn states(plies: &[SetLine]) -> Panel {
    Panel {
        title: "States of each set by ply".into(),
        y_label: "states (logarithmic)".into(),
        series: all_series(plies, |line| line.num_states.into()),
        ..by_ply()
    }
}

/// Returns the states of the largest set of each series.
pub(super) fn by_layer(layers: &[LayerLine]) -> Panel {
    let names = layers.first().map_or_else(Vec::new, |line| line.num_states.keys().collect());
    let series = |(group, name): (usize, &String)| {
        let point = |(x, line): (u32, &LayerLine)| (x, line.num_states.get(name).map_or(0, |&n| n as u128));
        Series { name: named(name), group, dashed: false, points: (0..).zip(layers).map(point).collect() }
    };
    Panel {
        title: "States by layer, for the largest set of each series".into(),
        x_label: "layer".into(),
        x_names: layers.iter().map(|line| line.label.clone()).collect(),
        y_label: "states (logarithmic)".into(),
        series: names.into_iter().enumerate().map(series).collect(),
        strokes: None,
    }
}

fn by_ply() -> Panel {
    Panel { x_label: "ply".into(), ..Panel::default() }
}

/// Returns the stored sets by series.
fn sets(plies: &[SetLine]) -> BTreeMap<&str, Vec<&SetLine>> {
    let mut sets: BTreeMap<&str, Vec<&SetLine>> = BTreeMap::new();
    for line in plies.iter().filter(|line| !line.mirror) {
        sets.entry(&line.set).or_default().push(line);
    }
    sets
}

fn all_series(plies: &[SetLine], number: fn(&SetLine) -> u128) -> Vec<Series> {
    let series = |(group, (set, lines)): (usize, (&str, Vec<&SetLine>))| Series {
        name: named(set),
        group,
        dashed: false,
        points: points(&lines, number),
    };
    sets(plies).into_iter().enumerate().map(series).collect()
}

fn points(lines: &[&SetLine], number: fn(&SetLine) -> u128) -> Vec<(u32, u128)> {
    lines.iter().map(|line| (line.ply, number(line))).collect()
}

fn positions(line: &SetLine) -> u128 {
    line.positions.0
}

/// Returns the name of a set or a series of sets, such as `L-P1-007` or `L-P1`, with its contents in words.
fn named(set: &str) -> String {
    let mut parts = set.split('-');
    let (kind, side) = (parts.next().unwrap_or_default(), parts.next());
    let mover = side.unwrap_or("the mover");
    match kind {
        "W" => format!("{set}: {mover} to move, wins"),
        "L" => format!("{set}: {mover} to move, loses"),
        "R" => format!("{set}: all reached"),
        "RW" => format!("{set}: {mover} wins"),
        "RL" => format!("{set}: {mover} loses"),
        "RD" => format!("{set}: drawn"),
        _ => set.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::output::Count;

    fn line(set: &str, ply: u32, positions: u32) -> SetLine {
        SetLine {
            set: set.into(),
            ply,
            positions: Count(positions.into()),
            num_states: 7,
            bytes: 9,
            mirror: false,
        }
    }

    #[test]
    fn names_of_sets_are_explained() {
        assert_eq!(named("L-P1"), "L-P1: P1 to move, loses");
        assert_eq!(named("W-P2-011"), "W-P2-011: P2 to move, wins");
        assert_eq!(named("RW"), "RW: the mover wins");
        assert_eq!(named("RL-P1-004"), "RL-P1-004: P1 loses");
    }

    #[test]
    fn new_positions_are_what_a_ply_adds() {
        let lines = [line("L-P1", 0, 3), line("L-P1", 1, 3), line("L-P1", 2, 10), line("W-P1", 0, 1)];
        let panel = new_positions(&lines);
        let points: Vec<_> =
            panel.series.iter().map(|series| (series.dashed, series.points.clone())).collect();
        assert_eq!(
            points,
            [
                (false, vec![(0, 3), (1, 0), (2, 7)]),
                (true, vec![(0, 3), (1, 3), (2, 10)]),
                (false, vec![(0, 1)]),
                (true, vec![(0, 1)])
            ]
        );
    }
}
