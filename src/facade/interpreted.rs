//! Games from files whose rules cannot be compiled to sets: the interpreter plays them, one position at a time.
//!
//! A position is the piece on every square, followed by numbers: the variables, the scores, the switch that passed the turn and
//! the square on which the next path begins. A number takes as many cells as it has digits to the base 256. If a side moves
//! twice in a row, the other side passes in between, as in compiled games.

use std::cmp::Ordering;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};

use nerode_dfa::{MoveGraph, Set, Shape, Store};
use nerode_games::{
    CellChange, ExplicitGame, Game, LayerInfo, Move, Notation, Position, Result, Side, SymbolicGame,
    Symmetry, Terminal, Value,
};
use nerode_rules::rbg::{Begin, Interpreter, Mover, Rulebook};

/// The name of the letter order, by which stored solutions tell these games from compiled ones.
pub(crate) const ORDER: &str = "interpreted";

/// The version of the representation of positions.
const VERSION: u32 = 1;

/// A game that the interpreter plays.
#[derive(Debug)]
pub(crate) struct Interpreted {
    spec: String,
    interpreter: Interpreter,
    /// The player who moves first, and the other one.
    players: [usize; 2],
    /// The names of the squares.
    squares: Vec<String>,
    numbers: Vec<Number>,
    states: Vec<u16>,
    cells: Vec<usize>,
    shape: Shape,
    start: Vec<u8>,
    failure: Mutex<Option<nerode_rules::rbg::Error>>,
}

/// A number that is part of a position.
#[derive(Debug)]
struct Number {
    name: String,
    most: u32,
    /// The first of its cells, which contains the lowest digit.
    cell: usize,
    digits: usize,
}

/// The number of digits of a number to the base 256.
fn digits(most: u32) -> usize {
    (1..4).find(|&digits| most >> (8 * digits) == 0).unwrap_or(4)
}

impl Interpreted {
    /// Creates the game of a book, which must have two players.
    ///
    /// # Errors
    /// Returns an error if the interpreter cannot begin the game, or if a position has too many parts.
    pub(crate) fn new(spec: &str, book: &Rulebook) -> Result<Self> {
        let interpreter = Interpreter::new(book);
        let (state, begin) = interpreter.begin()?;
        let first = interpreter.first_player()?.unwrap_or_default();
        let squares = book.board().squares.len();
        let mut bounds: Vec<(String, u32)> = Vec::new();
        bounds.extend(book.variables().iter().map(|known| (known.name.clone(), known.bound)));
        bounds.extend(book.players().iter().map(|known| (known.name.clone(), known.bound)));
        // The number of switches stands for the end of the game.
        bounds.push(("switch".into(), book.rules().num_switches()));
        bounds.push(("square".into(), squares.saturating_sub(1) as u32));
        let pieces = u16::try_from(book.pieces().len()).unwrap_or(u16::MAX);
        let mut states = vec![pieces; squares];
        let mut numbers = Vec::new();
        for (name, most) in bounds {
            let (cell, digits) = (states.len(), digits(most));
            states.extend((1..=digits).map(|digit| {
                // Only the highest digit has fewer than 256 contents.
                if digit < digits { 256 } else { (most >> (8 * (digits - 1))) as u16 + 1 }
            }));
            numbers.push(Number { name, most, cell, digits });
        }
        let shape = Shape::new(states.clone())?;
        let mut game = Self {
            spec: spec.to_string(),
            interpreter,
            players: [first, 1 - first.min(1)],
            squares: book.square_names(),
            numbers,
            cells: (0..states.len()).collect(),
            states,
            shape,
            start: Vec::new(),
            failure: Mutex::default(),
        };
        game.start = game.board(state.board(), state.registers(), begin);
        Ok(game)
    }

    /// Returns the first failure of the interpreter. A position in which it failed has no moves.
    #[cfg(any(feature = "cli", test))]
    pub(crate) fn failure(&self) -> Option<nerode_rules::rbg::Error> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn book(&self) -> &Rulebook {
        self.interpreter.book()
    }

    fn num_squares(&self) -> usize {
        self.book().board().squares.len()
    }

    fn board(&self, pieces: &[u8], registers: &[u32], begin: Option<Begin>) -> Vec<u8> {
        let mut board = pieces.to_vec();
        let over = Begin { switch: self.book().rules().num_switches(), square: 0 };
        let Begin { switch, square } = begin.unwrap_or(over);
        let values = registers.iter().copied().chain([switch, square.into()]);
        for (number, value) in self.numbers.iter().zip(values) {
            board.extend_from_slice(&value.to_le_bytes()[..number.digits]);
        }
        board
    }

    fn number(&self, number: &Number, board: &[u8]) -> u32 {
        let mut bytes = [0; 4];
        bytes[..number.digits].copy_from_slice(&board[number.cell..number.cell + number.digits]);
        u32::from_le_bytes(bytes)
    }

    /// Returns the variables, the scores, the switch and the square of a position.
    fn values(&self, board: &[u8]) -> Vec<u32> {
        self.numbers.iter().map(|number| self.number(number, board)).collect()
    }

    /// Returns the result for the side that moves first: `Greater` if it has won. The higher score wins, and under misère the lower
    /// one.
    fn result(&self, board: &[u8]) -> Ordering {
        self.lead(board).cmp(&0)
    }

    /// Returns the lead in scores of the side that moves first, or of the other one under misère.
    fn lead(&self, board: &[u8]) -> i64 {
        let score = |player: usize| self.number(&self.numbers[self.book().variables().len() + player], board);
        let [first, second] = self.players.map(score).map(i64::from);
        if self.book().is_misere() { second - first } else { first - second }
    }

    /// Returns the least and the greatest score of the side that moves first: the difference of the scores of both players.
    fn score_bounds(&self) -> Option<[i32; 2]> {
        let bound = |player: usize| i32::try_from(self.book().players()[player].bound).ok();
        let [first, second] = self.players.map(bound);
        let bounds = [-second?, first?];
        Some(if self.book().is_misere() { bounds.map(|bound| -bound) } else { bounds })
    }

    fn sides(&self) -> [&str; 2] {
        self.players.map(|player| self.book().players()[player].name.as_str())
    }

    /// Returns the parts of a position in which a move changes it, with their new contents.
    fn changes(&self, position: &Position, mv: &Move, all: bool) -> String {
        let after = nerode_games::explicit::apply(&position.board, mv);
        let squares = self.squares.iter().enumerate();
        let mut parts: Vec<String> = squares
            .filter(|(square, _)| after[*square] != position.board[*square])
            .map(|(at, name)| format!("{name}={}", self.book().pieces()[usize::from(after[at])]))
            .collect();
        let shown = if all { self.numbers.len() } else { self.numbers.len() - 2 };
        for number in &self.numbers[..shown] {
            let value = self.number(number, &after);
            if value != self.number(number, &position.board) {
                parts.push(format!("{}={value}", number.name));
            }
        }
        if parts.is_empty() { "pass".into() } else { parts.join(",") }
    }

    fn read(&self, text: &str) -> std::result::Result<Position, String> {
        let mut words = text.split_whitespace();
        let mut board = self.book().parse_placement(words.next().ok_or("the text is empty")?)?;
        let [first, second] = self.sides();
        let side = match words.next() {
            Some(side) if side == first => Side::P1,
            Some(side) if side == second => Side::P2,
            other => return Err(format!("the side to move is {other:?}, not {first} or {second}")),
        };
        for number in &self.numbers {
            let word = words.next().unwrap_or_default();
            let value = word.split_once('=').filter(|(name, _)| *name == number.name);
            let value = value.and_then(|(_, value)| value.parse().ok()).filter(|value| *value <= number.most);
            let value: u32 = value.ok_or_else(|| {
                format!("expected {}=N with N from 0 to {}, found '{word}'", number.name, number.most)
            })?;
            board.extend_from_slice(&value.to_le_bytes()[..number.digits]);
        }
        match words.next() {
            None => Ok(Position { board, side }),
            Some(word) => Err(format!("unexpected '{word}' at the end")),
        }
    }
}

impl ExplicitGame for Interpreted {
    fn cell_states(&self) -> &[u16] {
        &self.states
    }

    fn start(&self) -> (Vec<u8>, Side) {
        (self.start.clone(), Side::P1)
    }

    fn outcome(&self, board: &[u8], side: Side) -> Option<Value> {
        let mut moves = Vec::new();
        self.legal_moves(board, side, &mut moves);
        let seen = if side == Side::P1 { self.result(board) } else { self.result(board).reverse() };
        moves.is_empty().then_some(match seen {
            Ordering::Less => Value::Loss,
            Ordering::Equal => Value::Draw,
            Ordering::Greater => Value::Win,
        })
    }

    fn score(&self, board: &[u8]) -> Option<i32> {
        i32::try_from(self.lead(board)).ok()
    }

    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>) {
        let mut registers = self.values(board);
        let (Some(square), Some(switch)) = (registers.pop(), registers.pop()) else { return };
        // A number of squares fits into 16 bits.
        let begin = Begin { switch, square: square as u16 };
        let pieces = board[..self.num_squares()].to_vec();
        let Some(state) = self.interpreter.state_at(begin, pieces, registers) else { return };
        if state.mover() != Mover::Player(self.players[side.index()]) {
            out.push(Move::new());
            return;
        }
        let found = match self.interpreter.successors(&state) {
            Ok(found) => found,
            Err(error) => {
                self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                return;
            }
        };
        let change = |after: Vec<u8>| -> Move {
            let cells = board.iter().zip(&after).enumerate().filter(|(_, (before, after))| before != after);
            cells.map(|(cell, (_, &after))| CellChange { cell: cell as u16, after }).collect()
        };
        let first = out.len();
        out.extend(
            found.iter().map(|(_, next, begin)| change(self.board(next.board(), next.registers(), *begin))),
        );
        out[first..].sort_unstable();
        out.dedup();
    }
}

impl Notation for Interpreted {
    fn position_form(&self) -> String {
        let numbers: Vec<String> = self.numbers.iter().map(|number| format!("{}=N", number.name)).collect();
        let [first, second] = self.sides();
        format!(
            "{}; then a space and the side to move, {first} or {second}; then {}",
            self.book().placement_form(),
            numbers.join(" ")
        )
    }

    fn parse_position(&self, text: &str) -> Result<Position> {
        self.read(text).map_err(|reason| self.position_error(text, reason))
    }

    fn format_position(&self, position: &Position) -> String {
        let placed = self.book().placement(&position.board[..self.num_squares()]);
        let numbers = self.numbers.iter().zip(self.values(&position.board));
        let numbers: String = numbers.map(|(number, value)| format!(" {}={value}", number.name)).collect();
        format!("{placed} {}{numbers}", self.sides()[position.side.index()])
    }

    fn draw(&self, position: &Position) -> String {
        let mut text = self.book().drawing(&position.board[..self.num_squares()]);
        for (number, value) in self.numbers.iter().zip(self.values(&position.board)) {
            text += &format!("{:>6}  {value}\n", number.name);
        }
        text + &format!("{} to move\n", self.sides()[position.side.index()])
    }

    fn format_move(&self, position: &Position, mv: &Move) -> String {
        let text = self.changes(position, mv, false);
        let mut moves = Vec::new();
        self.legal_moves(&position.board, position.side, &mut moves);
        let is_other = |other: &&Move| *other != mv && self.changes(position, other, false) == text;
        if moves.iter().any(|other| is_other(&other)) { self.changes(position, mv, true) } else { text }
    }
}

/// Returns the error for a use of the rules as sets.
fn no_sets<T>() -> nerode_dfa::Result<T> {
    Err(nerode_dfa::Error::Move(
        "these rules cannot be compiled to sets; only reached positions are solved".into(),
    ))
}

impl SymbolicGame for Interpreted {
    fn terminal(&self, _: &mut Store, _: Side) -> nerode_dfa::Result<Terminal> {
        no_sets()
    }

    fn no_move_value(&self) -> Value {
        Value::Loss
    }

    fn admissible(&self, _: &mut Store, _: Side) -> nerode_dfa::Result<Option<Set>> {
        no_sets()
    }

    fn forward_only(&self) -> bool {
        true
    }

    fn may_cycle(&self) -> bool {
        true
    }

    fn moves(&self, _: &mut Store, _: Side) -> nerode_dfa::Result<MoveGraph> {
        no_sets()
    }

    fn scores(&self) -> Option<RangeInclusive<i32>> {
        let [one, other] = self.score_bounds()?;
        Some(one.min(other)..=one.max(other))
    }

    fn score_at_least(&self, _: &mut Store, _: i32) -> nerode_dfa::Result<Set> {
        no_sets()
    }
}

impl Game for Interpreted {
    fn spec(&self) -> String {
        self.spec.clone()
    }

    fn rules(&self) -> String {
        let [first, second] = self.sides();
        format!(
            "{}, rules from a file, fingerprint {}, played by the interpreter. {first} is P1 and moves first, {second} is P2. If \
             a side moves twice in a row, the other side passes in between.{}",
            self.spec,
            self.book().fingerprint(),
            if self.book().is_misere() { " Misère: the player with the higher score has lost." } else { "" }
        )
    }

    fn rules_version(&self) -> u32 {
        VERSION
    }

    fn options(&self) -> Vec<(&'static str, String)> {
        vec![("rules", self.book().fingerprint()), ("positions", ORDER.into())]
    }

    fn rules_text(&self) -> Option<String> {
        Some(self.book().canonical_and_drawn())
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Vec::new()
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn layers(&self) -> Vec<LayerInfo> {
        let square =
            |name: &String| LayerInfo { label: name.clone(), letters: self.book().pieces().to_vec() };
        let squares = self.squares.iter().map(square);
        let digit = |number: &Number, digit: usize| LayerInfo {
            label: if digit == 0 { number.name.clone() } else { format!("{} x 256^{digit}", number.name) },
            letters: (0..self.states[number.cell + digit]).map(|letter| letter.to_string()).collect(),
        };
        let numbers =
            self.numbers.iter().flat_map(|number| (0..number.digits).map(move |at| digit(number, at)));
        squares.chain(numbers).collect()
    }

    fn cell_of_layer(&self) -> &[usize] {
        &self.cells
    }

    fn order(&self) -> &str {
        ORDER
    }
}

/// Opens the game of a book for the interpreter, if it has two players.
///
/// # Errors
/// Returns the errors of the interpreter.
pub(crate) fn interpreted(spec: &str, book: &Rulebook) -> Result<Option<Arc<Interpreted>>> {
    if book.players().len() != 2 {
        return Ok(None);
    }
    Interpreted::new(spec, book).map(|game| Some(Arc::new(game)))
}

/// Random games; the tests of the compiler contain the generator.
#[cfg(test)]
#[allow(dead_code, reason = "some functions are used by the tests of the compiler only")]
#[path = "../../rules/tests/rbg/generated.rs"]
mod generated;

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::collections::HashSet;

    use nerode_games::explicit::apply;
    use nerode_games::outcome::code16;
    use nerode_rules::rbg::{bundled, open_text, read, varied};
    use nerode_solver::solve::method::Method;
    use nerode_solver::solve::reached::reached;
    use nerode_solver::solve::resources::Resources;
    use proptest::prelude::*;
    use proptest::test_runner::TestRunner;

    use super::*;

    fn opened(name: &str, variant: &str) -> (Arc<Interpreted>, Arc<dyn Game>) {
        let text = bundled().iter().find(|game| game.name == name).unwrap().text;
        let book = read(name, text).unwrap();
        let book = if variant.is_empty() { book } else { varied(&book, name, variant).unwrap() };
        let game = interpreted(name, &book).unwrap().unwrap();
        let compiled = open_text(name, &book.canonical(), None).unwrap();
        (game, compiled)
    }

    fn start(game: &dyn Game) -> nerode_solver::outcome::Outcome {
        let solution =
            reached(game, &mut std::iter::empty(), None, &Resources::default(), &mut |_| ()).unwrap();
        solution.stats().start
    }

    #[test]
    fn the_start_has_the_value_and_depth_of_the_compiled_game() {
        for (name, variant) in [
            ("tictactoe", ""),
            ("breakthrough", "board=3x4"),
            ("knightthrough", "board=3x4"),
            ("hex", "board=3x3"),
            ("laukatakati", "quiet=1"),
            ("hexapawn", "misere"),
            ("hex", "board=3x3,misere"),
            ("laukatakati", "quiet=1,misere"),
        ] {
            let (game, compiled) = opened(name, variant);
            assert_eq!(start(game.as_ref()), start(compiled.as_ref()), "{name} {variant}");
            assert!(game.failure().is_none(), "{name}");
        }
    }

    /// The largest number of words of a random game that is solved.
    const MOST_WORDS: u128 = 6000;

    /// Solves random games in three ways. Sets and the search of reached positions agree on value and depth of every reached
    /// position, and the interpreter, which does not use the compiler, on those of the start.
    #[test]
    fn random_games_are_solved_alike_in_three_ways() {
        let cases = generated::cases() / 4;
        let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
        let (solved, rows, refused) = (Cell::new(0u32), Cell::new(0u64), Cell::new(0u32));
        let result = TestRunner::new(config).run(&generated::games(), |text| {
            let Ok(compiled) = open_text("random", &text, None) else {
                refused.set(refused.get() + 1);
                return Ok(());
            };
            if compiled.shape().num_words().is_none_or(|words| words > MOST_WORDS)
                || generated::writes_in_a_loop(&text)
            {
                return Ok(());
            }
            let by_reached =
                reached(compiled.as_ref(), &mut std::iter::empty(), None, &Resources::default(), &mut |_| ())
                    .unwrap();
            let options = crate::Options::default().method(Method::Retrograde);
            let sets = crate::open_game(Arc::clone(&compiled)).solve(options).unwrap();
            let (packing, begins) = (by_reached.packing().clone(), by_reached.stats().start);
            let mut bytes = Vec::new();
            by_reached.into_rows().write(&mut bytes, &mut |_| true).unwrap();
            for row in bytes.chunks(packing.num_bytes() + 2) {
                let (key, code) = row.split_at(packing.num_bytes());
                let (board, side) = packing.unpack(key).unwrap();
                let expected = code16::outcome(u16::from_le_bytes([code[0], code[1]]));
                let found = sets.look_up(&Position { board, side }).unwrap();
                let both = [(found.value(), found.depth()), (expected.value(), expected.depth())];
                prop_assert!(both[0] == both[1], "{text}\n{key:?}: sets and reached positions say {both:?}");
                rows.set(rows.get() + 1);
            }
            let book = read("random", &text).unwrap();
            let game = interpreted("random", &book).unwrap().unwrap();
            let alone = start(game.as_ref());
            prop_assert!(alone == begins, "{text}\nthe interpreter says {alone:?}, not {begins:?}");
            prop_assert!(game.failure().is_none(), "{text}");
            solved.set(solved.get() + 1);
            Ok(())
        });
        if let Err(error) = result {
            panic!("{error}");
        }
        let (solved, rows, refused) = (solved.get(), rows.get(), refused.get());
        assert!(
            solved > cases / 10 && rows > u64::from(solved),
            "{solved} games solved in three ways with {rows} reached positions, {refused} refused"
        );
    }

    #[test]
    fn positions_and_moves_are_read_as_they_are_printed() {
        let (game, compiled) = opened("breakthrough", "board=2x4");
        let mut left = vec![game.start_position()];
        let mut seen = HashSet::new();
        while let Some(position) = left.pop() {
            if !seen.insert(position.clone()) {
                continue;
            }
            let text = game.format_position(&position);
            assert_eq!(game.parse_position(&text).unwrap(), position);
            let mut moves = Vec::new();
            game.legal_moves(&position.board, position.side, &mut moves);
            for mv in moves {
                assert_eq!(game.parse_move(&position, &game.format_move(&position, &mv)).unwrap(), mv);
                let board = apply(&position.board, &mv);
                left.push(Position { board, side: position.side.other() });
            }
        }
        assert!(seen.len() > 20);
        // The board of the start is printed and drawn as that of the compiled game.
        let [own, other] = [&*game as &dyn Game, &*compiled].map(|game| {
            let start = game.start_position();
            (game.format_position(&start), game.draw(&start))
        });
        assert_eq!(own.0.split(' ').next(), other.0.split(' ').next());
        let rows = other.1.lines().take_while(|line| line.starts_with(|digit: char| digit.is_ascii_digit()));
        assert_eq!(rows.clone().count(), 4);
        rows.for_each(|row| assert!(own.1.contains(row), "{own:?} {row}"));
        for wrong in ["", "x", "bb/bb white", &(game.format_position(&game.start_position()) + " x")] {
            assert!(game.parse_position(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_of_any_size_take_as_many_cells_as_digits() {
        assert_eq!([0, 255, 256, 65_535, 65_536, u32::MAX].map(digits), [1, 1, 2, 2, 3, 4]);
        let text = "#players = me(300), you(1) #pieces = e, x #variables = long(70000)
            #board = rectangle(up,down,left,right,[e,e])
            #rules = ->me {e} [x] [$ me = 300] [$ long = 65537] ->> {}";
        let game = interpreted("mine", &read("mine", text).unwrap()).unwrap().unwrap();
        let mut moves = Vec::new();
        let Position { board, side } = game.start_position();
        game.legal_moves(&board, side, &mut moves);
        let after = apply(&board, &moves[0]);
        assert_eq!(game.values(&after)[..3], [65_537, 300, 0]);
        assert_eq!(game.outcome(&after, side.other()), Some(Value::Loss));
    }
}
