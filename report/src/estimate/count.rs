//! Numbers that follow from the shape of a game without solving it: words, admissible positions, and the largest
//! possible number of states of a set.

use std::sync::Arc;
use std::time::Instant;

use nerode_dfa::{Shape, Store};
use nerode_games::{Game, Side};
use serde::{Serialize, Serializer};

use super::probe::within;
use nerode_solver::archive::decimal::Decimal;
use nerode_solver::error::Result;
use nerode_solver::solve::method::{Chains, Method};
use nerode_solver::solve::resources::Resources;

/// The numbers of positions with either side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BySide {
    /// The number with `P1` to move.
    #[serde(rename = "P1", with = "Decimal")]
    pub p1: u128,
    /// The number with `P2` to move.
    #[serde(rename = "P2", with = "Decimal")]
    pub p2: u128,
}

/// Serializes an optional count as a decimal string.
pub(super) fn optional<S: Serializer>(count: &Option<u128>, to: S) -> std::result::Result<S::Ok, S::Error> {
    match count {
        Some(count) => to.collect_str(count),
        None => to.serialize_none(),
    }
}

/// Returns the numbers of admissible positions of both sides, or `None` if the game has no rule for them or they could
/// not be counted in time.
pub(super) fn admissible(game: &dyn Game, resources: &Resources, until: Instant) -> Result<Option<BySide>> {
    let count = |side, resources: &Resources| -> Option<u128> {
        let mut store = Store::new(game.shape().clone(), resources.memory).ok()?;
        store.set_threads(resources.threads).ok()?;
        store.set_interrupt(Arc::clone(&resources.interrupt));
        let set = game.admissible(&mut store, side).ok()??;
        store.count(&set).ok()
    };
    within(until, resources, |resources| {
        Some(BySide { p1: count(Side::P1, resources)?, p2: count(Side::P2, resources)? })
    })
}

/// Returns the number of admissible positions of both sides, or of words if the game has no rule for admissible positions.
/// Returns `None` if there are too many, or if they could not be counted in time.
pub(super) fn positions(game: &dyn Game, resources: &Resources, until: Instant) -> Result<Option<f64>> {
    Ok(sum_or_words(game, admissible(game, resources, until)?, until))
}

/// Returns the sum of `admissible`, which was counted until now, or the number of words.
///
/// After `until`, the result is `None` instead of the words: they may exceed the admissible positions by many orders of
/// magnitude, and the law compares the same number of all boards.
pub(super) fn sum_or_words(game: &dyn Game, admissible: Option<BySide>, until: Instant) -> Option<f64> {
    let count = match admissible {
        Some(count) => count.p1.checked_add(count.p2),
        None if Instant::now() < until => game.shape().num_words().and_then(|words| words.checked_mul(2)),
        None => None,
    };
    count.map(|count| count as f64)
}

/// Returns the largest possible total number of states of the sets of one ply. A layer cannot have more states than
/// there are prefixes of words, or than there are sets of suffixes.
pub(super) fn most_states(shape: &Shape, method: Method, chains: Chains) -> f64 {
    let letters: Vec<f64> = (0..shape.num_layers()).map(|layer| shape.num_letters(layer) as f64).collect();
    let mut endings = 1.0;
    let mut most = 0.0;
    for layer in (0..letters.len()).rev() {
        let beginnings: f64 = letters[..layer].iter().product();
        endings *= letters[layer];
        // Neither the empty set of suffixes nor the set of all suffixes has a state.
        most += beginnings.min((endings * std::f64::consts::LN_2).exp() - 2.0);
    }
    let sets = match (method, chains) {
        (Method::Retrograde, Chains::One) => 2.0,
        (Method::Retrograde, Chains::Both) => 4.0,
        (Method::Meet, _) => 5.0,
    };
    sets * most
}

#[cfg(test)]
mod tests {
    use nerode_games::registry::open;

    use super::*;
    use nerode_solver::archive::run_dir::Request;
    use nerode_solver::run::{Existing, solve};

    #[test]
    fn admissible_positions_are_counted_where_there_is_a_rule() {
        let never = Instant::now() + std::time::Duration::from_secs(3600);
        let count = |spec| admissible(open(spec).unwrap().as_ref(), &Resources::default(), never).unwrap();
        assert_eq!(count("nim:2x3"), None);
        // These are the boards with as many crosses as noughts.
        let even: u128 = (0..=2).map(|k| [1, 12, 6][k]).sum();
        assert_eq!(count("tictactoe:2x2,k=2").unwrap().p1, even);
    }

    /// Checks that the words never stand for admissible positions that were not counted in time.
    #[test]
    fn words_are_counted_only_for_games_without_a_rule() {
        let hour = std::time::Duration::from_secs(3600);
        let count =
            |spec, until| positions(open(spec).unwrap().as_ref(), &Resources::default(), until).unwrap();
        let now = Instant::now();
        assert_eq!(count("connect:5x5", now + hour), Some(171_976_899.0));
        assert_eq!(count("nim:2x3", now + hour), Some(32.0));
        assert_eq!(sum_or_words(open("connect:5x5").unwrap().as_ref(), None, now), None);
    }

    #[test]
    fn no_ply_has_more_states_than_its_words_allow() {
        for spec in ["nim:3x7", "tictactoe:3x3", "breakthrough:3x4", "chess:KRvK,board=4x4"] {
            let game = open(spec).unwrap();
            let folder = tempfile::tempdir().unwrap();
            let request = Request::new(game.as_ref(), Method::Retrograde, None, None);
            let mut seen = 0;
            let mut watch = |done: &nerode_solver::solve::progress::PlyDone| seen = seen.max(done.states);
            let shape = game.shape().clone();
            solve(game, request, folder.path(), Existing::Refuse, &Resources::default(), &mut watch).unwrap();
            assert!(seen as f64 <= most_states(&shape, Method::Retrograde, Chains::Both), "{spec}: {seen}");
        }
    }
}
