//! Tests of rows that image pairs share, and of the places of states.

use super::super::budget::Budget;
use super::super::expand::{Expansion, Within};
use super::super::steps::Steps;
use super::*;
use crate::formula::Formula;
use crate::relation::{Limits, compile};
use crate::{Dfa, MoveGraph, Shape, Step};

/// Backwards along a move of a stone from cell 0 to cell 3, only suffixes with a stone on cell 3 matter.
#[test]
fn image_pairs_in_a_move_share_a_row_unless_its_changes_distinguish_them() -> Result<()> {
    let shape = Shape::uniform(5, 3)?;
    let mut graph = MoveGraph::new(shape.clone());
    graph.add(Step::identity().change(0, 1, 0).change(3, 0, 1))?;
    let relations: Vec<_> =
        compile(&graph, Limits::NONE)?.into_iter().map(|(_, backward)| backward).collect();
    let steps = Steps::new(&shape, &relations);
    // The set depends on the letter of cell 1: with a stone on cell 3, the first two letters are equivalent, and
    // otherwise all three differ.
    let kept = |w: &[u8]| match (w[3], w[1]) {
        (1, before) => (w[4] + w[2]) % 3 == before / 2,
        (_, before) => w[4] == before,
    };
    let words = (0..243u32).map(|n| (0..5).map(|i| (n / 3u32.pow(i) % 3) as u8).collect::<Vec<_>>());
    let set =
        Dfa::from_step(&shape, Vec::new(), |_, w: &Vec<u8>, a| Some([&w[..], &[a]].concat()), |w| kept(w))?;
    assert_eq!(words.filter(|w| set.contains(w)).count() as u128, set.count()?);
    let formula = Formula::new(0, &|image, _| image);
    let expansion =
        Expansion::new((&set, false), &steps, &[], &formula, true, Within { bits: 31, last: usize::MAX })?;
    let inputs = Inputs::new(&expansion, 2);
    let states: Vec<u32> = (FIRST..FIRST + set.num_states_in(2) as u32).collect();
    let under_way: Vec<u32> = (1..=steps.layers[2].num_states() as u32)
        .flat_map(|m| states.iter().map(move |&q| (m, q)))
        .map(|(m, q)| expansion.view(2).here.pack(m, q))
        .collect();
    let wanted = inputs.none(2);
    under_way.iter().for_each(|&pair| wanted.states[IMAGE].add(pair));
    let residuals = Residuals::new(&inputs, wanted, (usize::MAX, u64::MAX), &Budget::new(u64::MAX).lend(0))?;
    let rows = &residuals.rows[IMAGE];
    let numbers: std::collections::BTreeSet<u32> = under_way.iter().map(|&pair| rows.number(pair)).collect();
    let different: std::collections::BTreeSet<&[u64]> =
        under_way.iter().map(|&pair| rows.row(pair)).collect();
    assert_eq!((states.len(), under_way.len()), (3, 3 * steps.layers[2].num_states()));
    assert_eq!(numbers.len(), different.len());
    assert!(different.len() < under_way.len(), "{} rows of {} image pairs", different.len(), under_way.len());
    Ok(())
}

#[test]
fn places_count_the_states_before() {
    let collector = Collector::new(1000);
    let wanted: Vec<u32> = (0..1000).filter(|n| n * n % 7 == 2 || n % 64 == 63).collect();
    wanted.iter().rev().for_each(|&n| collector.add(n));
    wanted.iter().for_each(|&n| collector.add(n));
    let Found { states, places } = collector.finish();
    assert_eq!(states, wanted);
    for (place, &pair) in states.iter().enumerate() {
        assert_eq!(places.of(pair), place);
    }
}
