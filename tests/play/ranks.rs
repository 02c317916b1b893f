//! Ranked draws: the loss in rank that a move causes, and the order of traps.

use std::cmp::Ordering;

use crate::common::program::ends;
use crate::common::scratch;
use nerode::{Position, Side, Value};
use nerode_morris::tables::SectorSolution;
use nerode_play::analysis::{Given, judge};
use nerode_play::course::Course;
use nerode_play::traps::{TrapModel, Traps};

#[test]
fn a_better_draw_comes_first_and_a_worse_one_gives_rank_away() {
    let dir = scratch();
    // With flying, most positions are draws.
    let solve =
        ["solve", "morris:six,fly=yes", "--sector", "4-3-1-1", "--run-dir", "d", "--ranked=difference"];
    ends(dir.path(), 0, &solve);
    let path = dir.path().join("d");
    let solution = nerode::open_solution(&path).unwrap();
    assert!(solution.ranks_draws());
    let sectors = SectorSolution::open(&path).unwrap();
    let (mut apart, mut against_traps, mut draws_seen) = (0, 0, 0);
    for position in draws_of(&sectors) {
        let answer = solution.query(&position).unwrap();
        let found = Traps { model: TrapModel::Random, plies: 2 }.of(&solution, &answer).unwrap();
        let draws: Vec<_> = found.moves.iter().filter(|mv| mv.reply.value() == Some(Value::Draw)).collect();
        draws_seen += draws.len();
        for pair in draws.windows(2) {
            let order = pair[0].reply.draw().unwrap().compare(pair[1].reply.draw().unwrap());
            assert_ne!(order, Ordering::Less, "{position:?}");
            match order {
                Ordering::Greater => against_traps += usize::from(pair[0].goes_wrong < pair[1].goes_wrong),
                _ => assert!(pair[0].goes_wrong >= pair[1].goes_wrong, "{position:?}"),
            }
        }
        let (Some(best), Some(worst)) = (draws.first(), draws.last()) else { continue };
        let given = |mv| {
            let mut course = Course::new(solution.game(), position.clone());
            course.play(mv);
            judge(&solution, &course).unwrap()[0].given
        };
        assert_eq!(given(best.reply.mv()), Given::Nothing);
        let [could, got] = [best, worst].map(|mv| mv.reply.draw().unwrap());
        let expected = match could.compare(got) {
            Ordering::Greater => Given::Rank(could.rank.abs_diff(got.rank)),
            _ => Given::Nothing,
        };
        assert_eq!(given(worst.reply.mv()), expected, "{position:?}");
        apart += usize::from(could.rank != got.rank);
    }
    println!(
        "{apart} positions with draws of several ranks, {against_traps} pairs that traps alone would order otherwise"
    );
    assert!(draws_seen > 100 && apart > 10 && against_traps > 0, "{draws_seen} {apart} {against_traps}");
}

/// Returns some drawn positions of every sector.
fn draws_of(sectors: &SectorSolution) -> Vec<Position> {
    let mut positions = Vec::new();
    for file in sectors.dir.sectors().unwrap() {
        let table = sectors.table(file.sector).unwrap();
        let is_draw = |slot: &u64| table.depth_at(*slot).is_none() && table.index.hole(*slot).is_none();
        let draws: Vec<u64> = (0..table.index.num_slots()).filter(is_draw).collect();
        let board = |&slot: &u64| sectors.rules.board_of(table.state(slot), Side::P1);
        let some = draws.iter().step_by(1 + draws.len() / 60);
        positions.extend(some.map(board).map(|board| Position { board, side: Side::P1 }));
    }
    positions
}
