//! Fingerprints depend on the spec, the version of the rules and every option, and on nothing else.

use std::collections::BTreeSet;
use std::sync::Arc;

use nerode_dfa::{MoveGraph, Shape, Store};
use nerode_games::registry::{open, open_with_order};
use nerode_games::{
    ExplicitGame, Game, LayerInfo, Move, Notation, Position, Result, Side, SymbolicGame, Symmetry, Terminal,
    Value,
};

use crate::common::examples;

/// A game with another description, another version or other options.
struct Changed {
    game: Arc<dyn Game>,
    words: &'static str,
    version: u32,
    option: Option<&'static str>,
}

impl Changed {
    fn new(spec: &str) -> Self {
        let game = open(spec).unwrap();
        Self { version: game.rules_version(), game, words: "other words", option: None }
    }
}

impl SymbolicGame for Changed {
    fn terminal(&self, store: &mut Store, side: Side) -> nerode_dfa::Result<Terminal> {
        self.game.terminal(store, side)
    }

    fn no_move_value(&self) -> Value {
        self.game.no_move_value()
    }

    fn moves(&self, store: &mut Store, side: Side) -> nerode_dfa::Result<MoveGraph> {
        self.game.moves(store, side)
    }
}

impl ExplicitGame for Changed {
    fn cell_states(&self) -> &[u16] {
        self.game.cell_states()
    }

    fn start(&self) -> (Vec<u8>, Side) {
        self.game.start()
    }

    fn outcome(&self, board: &[u8], side: Side) -> Option<Value> {
        self.game.outcome(board, side)
    }

    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>) {
        self.game.legal_moves(board, side, out);
    }
}

impl Notation for Changed {
    fn position_form(&self) -> String {
        self.game.position_form()
    }

    fn parse_position(&self, text: &str) -> Result<Position> {
        self.game.parse_position(text)
    }

    fn format_position(&self, position: &Position) -> String {
        self.game.format_position(position)
    }

    fn draw(&self, position: &Position) -> String {
        self.game.draw(position)
    }

    fn format_move(&self, position: &Position, mv: &Move) -> String {
        self.game.format_move(position, mv)
    }
}

impl Game for Changed {
    fn spec(&self) -> String {
        self.game.spec()
    }

    fn rules(&self) -> String {
        self.words.into()
    }

    fn rules_version(&self) -> u32 {
        self.version
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        let mut options = self.game.options();
        if let (Some(last), Some(value)) = (options.last_mut(), self.option) {
            last.1 = value.into();
        }
        options
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.game.symmetries()
    }

    fn shape(&self) -> &Shape {
        self.game.shape()
    }

    fn layers(&self) -> Vec<LayerInfo> {
        self.game.layers()
    }

    fn cell_of_layer(&self) -> &[usize] {
        self.game.cell_of_layer()
    }

    fn order(&self) -> &str {
        self.game.order()
    }
}

#[test]
fn rewording_the_rules_changes_nothing() {
    for spec in examples() {
        let game = open(spec).unwrap();
        let reworded = Changed::new(spec);
        assert_ne!(reworded.rules(), game.rules());
        assert_eq!(reworded.fingerprint(), game.fingerprint(), "{spec}");
    }
}

#[test]
fn another_version_or_option_is_another_game() {
    for spec in examples() {
        let game = open(spec).unwrap();
        assert!(!game.options().is_empty(), "{spec} does not list its options");
        let version = Changed { version: game.rules_version() + 1, ..Changed::new(spec) };
        assert_ne!(version.fingerprint(), game.fingerprint(), "{spec}");
        let option = Changed { option: Some("something else"), ..Changed::new(spec) };
        assert_ne!(option.fingerprint(), game.fingerprint(), "{spec}");
    }
}

/// Checks that the default values of options are part of the fingerprint, although a canonical spec omits them.
#[test]
fn options_are_complete() {
    let named = |spec: &str| -> Vec<String> {
        open(spec).unwrap().options().into_iter().map(|(name, value)| format!("{name}={value}")).collect()
    };
    assert_eq!(named("tictactoe:3x4"), ["width=3", "height=4", "k=3"]);
    assert_eq!(named("connect:7x6"), ["width=7", "height=6", "row=4", "encoding=cells"]);
    assert_eq!(named("othello:4x4"), ["width=4", "height=4", "margin=none", "empties=nobody"]);
    assert_eq!(named("amazons:4x4"), ["width=4", "height=4", "start=1bb1/b2b/w2w/1ww1"]);
    assert_eq!(named("chess:KRvK"), ["men=KRvK", "width=8", "height=8"]);
    let lasker = [
        "board=nine",
        "stones=10-10",
        "capture=always",
        "take=1",
        "phases=mixed",
        "fly=yes",
        "fullboard=loss",
    ];
    assert_eq!(named("morris:lasker"), lasker);
}

/// Checks that the letter order is not part of the rules.
#[test]
fn fingerprints_tell_games_apart() {
    let specs = [
        "nim:7x3",
        "tictactoe:3x4",
        "tictactoe:4x3",
        "tictactoe:4x3,k=4",
        "breakthrough:4x5",
        "othello:4x5",
        "othello:5x4",
        "othello:4x5,empties=winner",
        "othello:4x5,margin=0",
        "othello:4x5,margin=1",
        "connect:4x5",
        "connect:5x4",
        "connect:4x5,row=3",
        "connect:4x5,encoding=columns",
        "morris:nine",
        "morris:nine,stones=8-9",
        "morris:nine,stones=9-8",
        "morris:nine,capture=protected",
        "morris:nine,take=2",
        "morris:nine,phases=mixed",
        "morris:nine,fly=no",
        "morris:nine,fullboard=draw",
        "morris:three,diagonals=no",
        "chess:KvKR",
        "chess:KRvK,board=8x7",
        "chess:start",
        "amazons:4x5",
        "amazons:5x4",
        "amazons:4x5,start=1bb1/b2b/w2w/1ww1/4",
    ];
    let specs: BTreeSet<&str> = specs.into_iter().chain(examples()).collect();
    let prints: BTreeSet<String> = specs.iter().map(|spec| open(spec).unwrap().fingerprint()).collect();
    assert_eq!(prints.len(), specs.len());
    let columns = open_with_order("tictactoe:4x3", Some("columns")).unwrap();
    assert_eq!(columns.fingerprint(), open("tictactoe:4x3,k=3").unwrap().fingerprint());
}
