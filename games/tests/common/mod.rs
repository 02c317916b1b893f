//! Helpers shared by several test files: all boards of a game, successors, indices, and the corpora.
#![allow(dead_code, reason = "each test file uses only some of the helpers")]

use std::collections::BTreeSet;
use std::sync::Arc;

use nerode_dfa::{Moves, Set, Store};
use nerode_games::explicit::apply;
use nerode_games::registry::families;
use nerode_games::{Game, Side, Terminal, Value};

/// Returns the specs of small games of every family of the registry.
pub fn small() -> impl Iterator<Item = &'static str> {
    families().iter().flat_map(|info| info.small.iter().copied())
}

/// Returns the specs of the small games and of the example of every family.
pub fn examples() -> impl Iterator<Item = &'static str> {
    families().iter().map(|info| info.example).chain(small())
}

/// Iterates over all boards of `game`, with cell 0 changing fastest.
pub fn boards(game: &dyn Game) -> impl Iterator<Item = Vec<u8>> {
    let states = game.cell_states().to_vec();
    let mut next = Some(vec![0u8; states.len()]);
    std::iter::from_fn(move || {
        let board = next.take()?;
        let mut after = board.clone();
        for (content, &count) in after.iter_mut().zip(&states) {
            if u16::from(*content) + 1 < count {
                *content += 1;
                next = Some(after);
                break;
            }
            *content = 0;
        }
        Some(board)
    })
}

/// Returns the boards after each legal move of `side`, and checks that the moves satisfy the contract of
/// [`nerode_games::Move`].
pub fn successors(game: &dyn Game, board: &[u8], side: Side) -> BTreeSet<Vec<u8>> {
    let mut moves = Vec::new();
    game.legal_moves(board, side, &mut moves);
    let mut after = BTreeSet::new();
    for mv in &moves {
        let cells: BTreeSet<u16> = mv.iter().map(|change| change.cell).collect();
        assert_eq!(cells.len(), mv.len(), "{mv:?} changes a cell twice on {board:?}");
        for change in mv {
            let cell = usize::from(change.cell);
            assert_ne!(board[cell], change.after, "{mv:?} does not change cell {cell} of {board:?}");
            assert!(u16::from(change.after) < game.cell_states()[cell], "{mv:?} writes an invalid content");
        }
        after.insert(apply(board, mv));
    }
    assert_eq!(after.len(), moves.len(), "a move is listed twice on {board:?}");
    after
}

/// Returns the index of a board as defined by [`nerode_games::ExplicitGame::digit`], with cell 0 as the most significant digit.
pub fn index(game: &dyn Game, board: &[u8]) -> u128 {
    board.iter().enumerate().zip(game.cell_states()).fold(0, |index, ((cell, &content), &states)| {
        index * u128::from(states) + u128::from(game.digit(cell, content))
    })
}

/// The symbolic description of one side, built in its own store.
pub struct Symbolic {
    pub store: Store,
    pub win: Set,
    pub loss: Set,
    pub draw: Set,
    /// The words on which the side has neither a move nor a pass.
    pub no_move: Set,
    /// The words on which the side passes.
    pub passes: Set,
    /// The words on which the game is over by a rule other than the lack of moves.
    pub ended: Set,
    pub moves: Moves,
    /// The words to which moves must lead.
    arrivals: Set,
    /// The values of words without a move, if they differ between words.
    no_move_values: Option<Terminal>,
    steps: usize,
}

impl Symbolic {
    pub fn new(game: &Arc<dyn Game>, side: Side) -> Self {
        let mut store = Store::unbounded(game.shape().clone());
        let Terminal { win, loss, draw } = game.terminal(&mut store, side).unwrap();
        let graph = game.moves(&mut store, side).unwrap();
        let moves = store.relation(&graph).unwrap();
        let arrivals = game.arrivals(&mut store, side).unwrap().unwrap_or_else(|| store.full());
        let movable = movable(&**game, &mut store, side);
        let mut no_move = store.complement(&movable).unwrap();
        let ended = store.union_all(&[win.clone(), loss.clone(), draw.clone()]).unwrap();
        let passes = if game.has_passes() { passes(&**game, &mut store, side) } else { store.empty() };
        no_move = store.difference(&no_move, &passes).unwrap();
        let no_move_values = game.no_move(&mut store, side).unwrap();
        Self { store, win, loss, draw, no_move, passes, ended, moves, arrivals, no_move_values, steps: 0 }
    }

    /// Returns the value of a terminal position `word`, and checks that the terminal sets are disjoint.
    pub fn outcome(&self, game: &dyn Game, word: &[u8]) -> Option<Value> {
        let by_rule = self.value_in([&self.win, &self.loss, &self.draw], word);
        let no_move = || {
            let by_value = self.no_move_values.as_ref();
            by_value
                .and_then(|t| self.value_in([&t.win, &t.loss, &t.draw], word))
                .unwrap_or(game.no_move_value())
        };
        by_rule.or_else(|| self.store.contains(&self.no_move, word).then(no_move))
    }

    fn value_in(&self, sets: [&Set; 3], word: &[u8]) -> Option<Value> {
        let values = [Value::Win, Value::Loss, Value::Draw].into_iter().zip(sets);
        let mut values = values.filter(|(_, set)| self.store.contains(set, word)).map(|(value, _)| value);
        let value = values.next();
        assert_eq!(values.next(), None, "{word:?} is in two terminal sets");
        value
    }

    /// Returns the words to which one move leads from `word` if `forward` is set, and otherwise the words from which
    /// one move leads to it.
    pub fn neighbours(&mut self, word: &[u8], forward: bool) -> BTreeSet<Vec<u8>> {
        self.steps += 1;
        if self.steps.is_multiple_of(200) {
            self.store.collect();
        }
        let one = self.store.word(word).unwrap();
        let set = if forward {
            let image = self.store.image(&one, &self.moves).unwrap();
            self.store.intersection(&image, &self.arrivals).unwrap()
        } else {
            let arrived = self.store.intersection(&one, &self.arrivals).unwrap();
            self.store.preimage(&arrived, &self.moves).unwrap()
        };
        let mut words: BTreeSet<Vec<u8>> = self.store.freeze(&set).words().collect();
        if self.store.contains(&self.passes, word) {
            words.insert(word.to_vec());
        }
        words
    }
}

/// Returns the words on which `side` has a move other than a pass.
fn movable(game: &dyn Game, store: &mut Store, side: Side) -> Set {
    let graph = game.moves(store, side).unwrap();
    let moves = store.relation(&graph).unwrap();
    let arrivals = game.arrivals(store, side).unwrap().unwrap_or_else(|| store.full());
    store.preimage(&arrivals, &moves).unwrap()
}

/// Returns the words on which `side` passes, in a game with passes that ends only by the lack of moves.
pub fn passes(game: &dyn Game, store: &mut Store, side: Side) -> Set {
    let (own, other) = (movable(game, store, side), movable(game, store, side.other()));
    store.difference(&other, &own).unwrap()
}

/// One game of a corpus: the numbers of positions, of move paths, and of paths that end the game, by ply from the start.
#[derive(Debug, Default, PartialEq)]
pub struct Perft {
    pub game: String,
    pub distinct: Vec<u128>,
    pub paths: Vec<u128>,
    pub ended: Vec<u128>,
    /// The sum of `distinct`, if the list covers all games to their end.
    pub positions: Option<u128>,
    /// The sum of `ended`, if the list covers all games to their end.
    pub games: Option<u128>,
}

/// Reads a corpus of `key value...` lines, in which `game` starts a new entry and `#` starts a comment.
pub fn corpus(text: &str) -> Vec<Perft> {
    let mut all: Vec<Perft> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (key, rest) = line.split_once(' ').unwrap();
        if key == "game" {
            all.push(Perft { game: rest.to_string(), ..Perft::default() });
            continue;
        }
        let entry = all.last_mut().expect("the first line names a game");
        let numbers: Vec<u128> = rest.split(' ').map(|number| number.parse().unwrap()).collect();
        match key {
            "distinct" => entry.distinct = numbers,
            "paths" => entry.paths = numbers,
            "ended" => entry.ended = numbers,
            "positions" => entry.positions = Some(numbers[0]),
            "games" => entry.games = Some(numbers[0]),
            _ => panic!("unknown line '{line}'"),
        }
    }
    all
}
