//! Hand-drawn and random games: a graph for each side, with cycles, dead ends and terminal positions of every value, described to
//! both solvers. Among the families of the registry, only morris and chess may cycle.

use std::collections::{BTreeMap, BTreeSet};

use chacha20::ChaCha12Rng;
use nerode_dfa::{Dfa, MoveGraph, Set, Shape, Step, Store};
use nerode_games::{
    CellChange, ExplicitGame, Game, LayerInfo, Move, Notation, OverInPlay, Position, Side, SymbolicGame,
    Symmetry, Terminal, Value,
};
use rand::{Rng, RngExt, SeedableRng};

/// A board: the content of every cell.
pub type Board = Vec<u8>;

/// A game given as a graph.
#[derive(Clone, Debug)]
pub struct Drawn {
    states: Vec<u16>,
    shape: Shape,
    cells: Vec<usize>,
    no_move: Value,
    /// The boards where having no move has another value.
    stuck: [BTreeMap<Board, Value>; 2],
    start: (Board, Side),
    arrows: [BTreeSet<(Board, Board)>; 2],
    terminal: [BTreeMap<Board, Value>; 2],
}

impl Drawn {
    /// Creates boards of cells with the given numbers of contents, without arrows. P1 moves first, and all cells start at 0.
    pub fn new(states: &[u16], no_move: Value) -> Self {
        Self {
            states: states.to_vec(),
            shape: Shape::new(states.to_vec()).unwrap(),
            cells: (0..states.len()).collect(),
            no_move,
            stuck: Default::default(),
            start: (vec![0; states.len()], Side::P1),
            arrows: Default::default(),
            terminal: Default::default(),
        }
    }

    /// Adds a move of `side`.
    #[must_use]
    pub fn arrow(mut self, side: Side, from: &[u8], to: &[u8]) -> Self {
        assert_ne!(from, to, "a move must change the board");
        self.arrows[side.index()].insert((from.to_vec(), to.to_vec()));
        self
    }

    /// Makes a board terminal for `side` to move.
    #[must_use]
    pub fn over(mut self, side: Side, board: &[u8], value: Value) -> Self {
        self.terminal[side.index()].insert(board.to_vec(), value);
        self
    }

    /// Creates a random game. One board in six is terminal, and the others have up to three arrows for each side. In every other
    /// game, the value of having no move depends on the board.
    pub fn random(seed: u64, states: &[u16]) -> Self {
        let mut rng = ChaCha12Rng::seed_from_u64(seed);
        let values = [Value::Win, Value::Draw, Value::Loss];
        let mut game = Self::new(states, values[rng.random_range(0..3)]);
        let boards: Vec<Board> = super::boards(&game).collect();
        let any = |rng: &mut dyn Rng| boards[rng.random_range(0..boards.len())].clone();
        for side in Side::BOTH {
            for board in &boards {
                if rng.random_range(0..6) == 0 {
                    game = game.over(side, board, values[rng.random_range(0..3)]);
                }
                if seed % 2 == 1 && rng.random_range(0..2) == 0 {
                    game.stuck[side.index()].insert(board.clone(), values[rng.random_range(0..3)]);
                }
                for _ in 0..rng.random_range(0..4) {
                    let to = any(&mut rng);
                    if &to != board {
                        game = game.arrow(side, board, &to);
                    }
                }
            }
        }
        game.start.0 = any(&mut rng);
        game
    }

    /// Returns the boards of each value: wins, losses and draws.
    fn words(&self, store: &mut Store, valued: &BTreeMap<Board, Value>) -> nerode_dfa::Result<Terminal> {
        let mut set = |value| -> nerode_dfa::Result<Set> {
            let words: Vec<&Board> = valued.iter().filter(|e| *e.1 == value).map(|e| e.0).collect();
            store.import(&Dfa::from_sorted_words(&self.shape, &words)?)
        };
        Ok(Terminal { win: set(Value::Win)?, loss: set(Value::Loss)?, draw: set(Value::Draw)? })
    }
}

impl SymbolicGame for Drawn {
    fn terminal(&self, store: &mut Store, side: Side) -> nerode_dfa::Result<Terminal> {
        self.words(store, &self.terminal[side.index()])
    }

    /// Returns the terminal boards with a legal move, each value in two parts, which overlap if the value has several boards.
    fn over_in_play(&self, store: &mut Store, side: Side) -> nerode_dfa::Result<Option<OverInPlay>> {
        let mut parts = OverInPlay::default();
        for keep in [|at: usize| at != 0, |at: usize| at < 2] {
            let some = self.terminal[side.index()].iter().enumerate().filter(|(at, _)| keep(*at));
            let some = some.map(|(_, (board, &value))| (board.clone(), value)).collect();
            let Terminal { win, loss, draw } = self.words(store, &some)?;
            parts.win.push(win);
            parts.loss.push(loss);
            parts.draw.push(draw);
        }
        Ok(Some(parts))
    }

    fn no_move(&self, store: &mut Store, side: Side) -> nerode_dfa::Result<Option<Terminal>> {
        let stuck = &self.stuck[side.index()];
        if stuck.is_empty() { Ok(None) } else { self.words(store, stuck).map(Some) }
    }

    fn no_move_value(&self) -> Value {
        self.no_move
    }

    fn moves(&self, _store: &mut Store, side: Side) -> nerode_dfa::Result<MoveGraph> {
        let mut graph = MoveGraph::new(self.shape.clone());
        for (from, to) in &self.arrows[side.index()] {
            let step = (0..from.len()).fold(Step::identity(), |s, l| s.change(l, from[l], to[l]));
            graph.add(step)?;
        }
        Ok(graph)
    }
}

impl ExplicitGame for Drawn {
    fn cell_states(&self) -> &[u16] {
        &self.states
    }

    fn start(&self) -> (Vec<u8>, Side) {
        self.start.clone()
    }

    fn outcome(&self, board: &[u8], side: Side) -> Option<Value> {
        let no_move = !self.arrows[side.index()].iter().any(|(from, _)| from == board);
        let stuck = || self.stuck[side.index()].get(board).copied().unwrap_or(self.no_move);
        self.terminal[side.index()].get(board).copied().or_else(|| no_move.then(stuck))
    }

    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>) {
        if self.terminal[side.index()].contains_key(board) {
            return;
        }
        for (_, to) in self.arrows[side.index()].iter().filter(|(from, _)| from == board) {
            let changed = (0u16..).zip(board.iter().zip(to)).filter(|(_, (before, after))| before != after);
            out.push(changed.map(|(cell, (_, &after))| CellChange { cell, after }).collect());
        }
    }
}

impl Notation for Drawn {
    fn position_form(&self) -> String {
        "none: positions of drawn games are not read".into()
    }

    fn parse_position(&self, text: &str) -> nerode_games::Result<Position> {
        Err(self.position_error(text, "positions of drawn games are not read".into()))
    }

    fn format_position(&self, position: &Position) -> String {
        format!("{:?} {}", position.board, position.side)
    }

    fn draw(&self, position: &Position) -> String {
        self.format_position(position)
    }

    fn format_move(&self, _position: &Position, mv: &Move) -> String {
        format!("{mv:?}")
    }
}

impl Game for Drawn {
    fn spec(&self) -> String {
        "drawn".into()
    }

    fn rules(&self) -> String {
        format!("{self:?}")
    }

    fn rules_version(&self) -> u32 {
        1
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        vec![("drawing", format!("{self:?}"))]
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Vec::new()
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn layers(&self) -> Vec<LayerInfo> {
        let letters = |&k: &u16| (0..k).map(|a| a.to_string()).collect();
        let layer = |(l, k)| LayerInfo { label: format!("cell {l}"), letters: letters(k) };
        self.states.iter().enumerate().map(layer).collect()
    }

    fn cell_of_layer(&self) -> &[usize] {
        &self.cells
    }

    fn order(&self) -> &str {
        "cells"
    }
}
