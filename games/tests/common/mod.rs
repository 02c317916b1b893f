//! What several test files need: every board of a game, boards after a move, indices, and the corpora.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::collections::BTreeSet;
use std::sync::Arc;

use nerode_dfa::{Moves, Set, Store};
use nerode_games::explicit::apply;
use nerode_games::registry::families;
use nerode_games::{Game, Side, Terminal, Value};

/// Small games of every family of the registry.
pub fn small() -> impl Iterator<Item = &'static str> {
    families().iter().flat_map(|info| info.small.iter().copied())
}

/// The small games and the example of every family.
pub fn examples() -> impl Iterator<Item = &'static str> {
    families().iter().map(|info| info.example).chain(small())
}

/// Every board of `game`, cell 0 changing fastest.
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

/// Boards after each legal move of `side`; checks that the moves are what [`nerode_games::Move`] promises.
pub fn successors(game: &dyn Game, board: &[u8], side: Side) -> BTreeSet<Vec<u8>> {
    let mut moves = Vec::new();
    game.legal_moves(board, side, &mut moves);
    let mut after = BTreeSet::new();
    for mv in &moves {
        let cells: BTreeSet<u16> = mv.iter().map(|change| change.cell).collect();
        assert_eq!(cells.len(), mv.len(), "a cell rewritten twice by {mv:?} on {board:?}");
        for change in mv {
            let cell = usize::from(change.cell);
            assert_ne!(board[cell], change.after, "{mv:?} does not change cell {cell} of {board:?}");
            assert!(u16::from(change.after) < game.cell_states()[cell], "{mv:?} leaves the board's contents");
        }
        after.insert(apply(board, mv));
    }
    assert_eq!(after.len(), moves.len(), "a move listed twice on {board:?}");
    after
}

/// Index of a board as [`nerode_games::ExplicitGame::digit`] defines it, cell 0 the most significant.
pub fn index(game: &dyn Game, board: &[u8]) -> u128 {
    board.iter().enumerate().zip(game.cell_states()).fold(0, |index, ((cell, &content), &states)| {
        index * u128::from(states) + u128::from(game.digit(cell, content))
    })
}

/// The symbolic description of one side, built in a store of its own.
pub struct Symbolic {
    pub store: Store,
    pub win: Set,
    pub loss: Set,
    pub draw: Set,
    /// Words without a move, where the side does not pass either.
    pub no_move: Set,
    /// Words that the side passes on.
    pub passes: Set,
    /// Words that end the game by another rule than lack of moves.
    pub ended: Set,
    pub moves: Moves,
    /// What moves must lead to.
    arrivals: Set,
    /// The values of words where the lack of a move has not the same everywhere.
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

    /// Value of a finished game on `word`; checks that the terminal sets are disjoint.
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

    /// Words that one move leads to from `word` (`forward`), or from which one move leads to it.
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

/// The words that `side` has a move from, passes left out.
fn movable(game: &dyn Game, store: &mut Store, side: Side) -> Set {
    let graph = game.moves(store, side).unwrap();
    let moves = store.relation(&graph).unwrap();
    let arrivals = game.arrivals(store, side).unwrap().unwrap_or_else(|| store.full());
    store.preimage(&arrivals, &moves).unwrap()
}

/// Words on which `side` passes, in a game with passes that ends for lack of moves alone.
pub fn passes(game: &dyn Game, store: &mut Store, side: Side) -> Set {
    let (own, other) = (movable(game, store, side), movable(game, store, side.other()));
    store.difference(&other, &own).unwrap()
}

/// One game of a corpus: number of positions, of move paths, and of paths that end the game, by ply from the start.
#[derive(Debug, Default, PartialEq)]
pub struct Perft {
    pub game: String,
    pub distinct: Vec<u128>,
    pub paths: Vec<u128>,
    pub ended: Vec<u128>,
    /// Sum of `distinct`, when the list goes to the end of all games.
    pub positions: Option<u128>,
    /// Sum of `ended`, when the list goes to the end of all games.
    pub games: Option<u128>,
}

/// Reads a corpus: `key value...` lines, `game` beginning a new entry, `#` comments.
pub fn corpus(text: &str) -> Vec<Perft> {
    let mut all: Vec<Perft> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (key, rest) = line.split_once(' ').unwrap();
        if key == "game" {
            all.push(Perft { game: rest.to_string(), ..Perft::default() });
            continue;
        }
        let entry = all.last_mut().expect("a game line first");
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
