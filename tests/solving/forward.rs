//! Forward search with several sets of terminal positions instead of one set of all terminal words reaches the same positions at
//! every ply.

use std::path::Path;
use std::sync::Arc;

use crate::common::{assert_same_files, files, game, scratch};
use nerode_dfa::{Dfa, Store};
use nerode_games::registry::{self, families};
use nerode_games::{Game, Side};
use nerode_solver::archive::run_dir::Request;
use nerode_solver::run::forward::StoredReach;
use nerode_solver::run::{Existing, solve};
use nerode_solver::solve::engine::Engine;
use nerode_solver::solve::method::Method;
use nerode_solver::solve::reach::Reach;
use nerode_solver::solve::resources::{Backend, Resources};

/// The maximum number of plies, because games may run forever.
const MOST_PLIES: usize = 16;

fn reached(mut engine: Engine) -> Vec<Dfa> {
    let mut reach = Reach::new(&engine).unwrap();
    let mut sets = vec![reach.set().clone()];
    while sets.len() <= MOST_PLIES && reach.step(&mut engine).unwrap() {
        sets.push(reach.set().clone());
    }
    sets
}

fn compare(game: &Arc<dyn Game>) {
    for backend in [Backend::Recursion, Backend::Passes] {
        let resources = Resources { backend, ..Resources::default() };
        let whole = reached(Engine::new(Arc::clone(game), &resources, None).unwrap());
        let forward = reached(Engine::in_play(Arc::clone(game), &resources, None).unwrap());
        assert!(forward == whole, "{}, {backend:?}", game.spec());
    }
}

#[test]
fn forward_search_reaches_the_same_positions_in_every_small_game() {
    for spec in families().iter().flat_map(|info| info.small) {
        compare(&game(spec));
    }
}

#[test]
fn rows_in_every_direction_and_order_of_letters_end_connect_four() {
    for (spec, order) in [
        ("connect:4x3,row=3", "rows"),
        ("connect:3x4,row=3", "diagonals"),
        ("connect:4x4,row=4", "columns-middle-out"),
        ("connect:3x3,row=3,encoding=columns", "rows-down"),
        ("connect:3x2,row=1", "columns"),
        ("connect:2x2,row=3", "columns"),
    ] {
        let game = registry::open_with_order(spec, Some(order)).unwrap();
        let mut store = Store::new(game.shape().clone(), u64::MAX).unwrap();
        let parts = game.over_in_play(&mut store, Side::P1).unwrap();
        assert_eq!(parts.map(|parts| parts.loss.len()), Some(3), "{spec}");
        compare(&game);
    }
}

/// Continues the search in `path` for at most the given number of plies, and returns the number of positions at each ply from the
/// first on.
fn walk(game: &Arc<dyn Game>, path: &Path, most: usize) -> Vec<u128> {
    let (mut kept, mut engine) = StoredReach::new(Arc::clone(game), path, &Resources::default()).unwrap();
    let mut positions = vec![kept.reach().set().count().unwrap()];
    while positions.len() <= most && kept.step(&mut engine).unwrap() {
        positions.push(kept.reach().set().count().unwrap());
    }
    positions
}

#[test]
fn a_kept_search_goes_on_after_a_stop_and_becomes_the_solve() {
    let game = game("connect:3x3,row=3");
    let (dir, straight) = (scratch(), scratch());
    let first = walk(&game, dir.path(), 4);
    assert_eq!(first.len(), 5);
    let all = walk(&game, dir.path(), usize::MAX);
    assert_eq!((&all[..5], all.iter().sum::<u128>()), (&first[..], 694));
    std::fs::write(dir.path().join("sets/R-P2-003.dfa"), b"not a set").unwrap();
    assert_eq!(walk(&game, dir.path(), usize::MAX), all);
    for path in [dir.path(), straight.path()] {
        let request = Request::new(game.as_ref(), Method::Meet, Some(0), None);
        let resources = Resources::default();
        solve(Arc::clone(&game), request, path, Existing::Resume, &resources, &mut |_| ()).unwrap();
    }
    assert_same_files(&files(dir.path()), &files(straight.path()), "kept");
}

#[test]
fn a_search_without_end_is_not_kept() {
    let kept = StoredReach::new(game("chess:KRvK"), scratch().path(), &Resources::default());
    assert!(kept.is_err_and(|error| error.to_string().contains("repeat positions")));
}
