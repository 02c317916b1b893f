//! Forward search with sets of where play is over in place of one set of all words: the same positions at every ply.

use std::sync::Arc;

use crate::common::game;
use nerode::solve::engine::Engine;
use nerode::solve::reach::Reach;
use nerode::solve::resources::{Backend, Resources};
use nerode_dfa::{Dfa, Store};
use nerode_games::registry::{self, families};
use nerode_games::{Game, Side};

/// Games may go on for ever.
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
        let forward = reached(Engine::forward(Arc::clone(game), &resources).unwrap());
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
        assert_eq!(parts.map(|parts| parts.len()), Some(3), "{spec}");
        compare(&game);
    }
}
