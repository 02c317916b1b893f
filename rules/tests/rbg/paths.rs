//! The interpreter compared with an independent definition of the language: the effect of each part of the rules on a
//! set of walkers, one part after the other, without backtracking and without program locations.

use std::collections::BTreeSet;

use nerode_rules::rbg::{
    Action, Arithmetic, Comparison, Interpreter, Mover, Register, Rulebook, Rules, Value,
};
use proptest::prelude::*;

use crate::canonical::paths;
use crate::words::book;

/// A walker: its square, its actions so far, and the position that results from them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Walker {
    square: usize,
    /// The executed parts of the rules, by address, and the squares.
    done: Vec<(usize, usize)>,
    board: Vec<usize>,
    variables: Vec<u32>,
    scores: Vec<u32>,
}

type Walkers = BTreeSet<Walker>;

/// The largest number of walkers, and of changes of one walker. Cases beyond it are skipped.
const MOST: usize = 2000;

struct Meaning<'a>(&'a Rulebook);

impl Meaning<'_> {
    /// Returns the walkers at the end of `rules`, or `None` if there are too many.
    fn of(&self, rules: &Rules, walkers: &Walkers) -> Option<Walkers> {
        let found = match rules {
            Rules::Action(action, _) => {
                let mut found = Walkers::new();
                for walker in walkers {
                    found.extend(self.act(action, walker)?);
                }
                found
            }
            Rules::Sequence(parts) => {
                parts.iter().try_fold(walkers.clone(), |walkers, part| self.of(part, &walkers))?
            }
            Rules::Choice(parts) => {
                let mut found = Walkers::new();
                for part in parts {
                    found.extend(self.of(part, walkers)?);
                }
                found
            }
            Rules::Repeated(part) => {
                let (mut all, mut new) = (walkers.clone(), walkers.clone());
                while !new.is_empty() {
                    new = self.of(part, &new)?.difference(&all).cloned().collect();
                    all.extend(new.iter().cloned());
                    if all.len() > MOST {
                        return None;
                    }
                }
                all
            }
        };
        (found.len() <= MOST && found.iter().all(|walker| walker.done.len() < 40)).then_some(found)
    }

    fn act(&self, action: &Action, walker: &Walker) -> Option<Option<Walker>> {
        let mut after = walker.clone();
        let address = std::ptr::from_ref(action) as usize;
        let goes_on = match action {
            Action::Shift(direction) => match self.0.board().squares[walker.square].next[*direction] {
                Some(square) => {
                    after.square = square;
                    true
                }
                None => false,
            },
            Action::On(pieces) => pieces.contains(&walker.board[walker.square]),
            Action::Put(piece) => {
                after.board[walker.square] = *piece;
                after.done.push((address, walker.square));
                true
            }
            Action::Assign(register, value) => {
                let bound = i64::from(self.0.register(*register).bound);
                let value = number(value, walker).filter(|value| (0..=bound).contains(value));
                if let Some(value) = value {
                    let place = match register {
                        Register::Variable(index) => &mut after.variables[*index],
                        Register::Score(index) => &mut after.scores[*index],
                    };
                    *place = value as u32;
                }
                after.done.push((address, walker.square));
                value.is_some()
            }
            Action::Compare(left, comparison, right) => {
                let sides = number(left, walker).zip(number(right, walker));
                sides.is_some_and(|(left, right)| match comparison {
                    Comparison::Equal => left == right,
                    Comparison::Unequal => left != right,
                    Comparison::Less => left < right,
                    Comparison::AtMost => left <= right,
                    Comparison::More => left > right,
                    Comparison::AtLeast => left >= right,
                })
            }
            Action::Pattern { negated, path } => {
                self.of(path, &[walker.clone()].into())?.is_empty() == *negated
            }
            Action::Switch(_) => panic!("paths have no switches"),
            Action::Skip => true,
        };
        Some(goes_on.then_some(after))
    }
}

fn number(value: &Value, walker: &Walker) -> Option<i64> {
    match value {
        Value::Number(number) => Some((*number).into()),
        Value::Register(Register::Variable(index)) => Some(walker.variables[*index].into()),
        Value::Register(Register::Score(index)) => Some(walker.scores[*index].into()),
        Value::Count(piece) => Some(walker.board.iter().filter(|p| *p == piece).count() as i64),
        Value::Joined(operator, parts) => {
            let parts: Option<Vec<i64>> = parts.iter().map(|part| number(part, walker)).collect();
            let parts = parts?;
            parts[1..].iter().try_fold(parts[0], |sum, &part| match operator {
                Arithmetic::Plus => Some(sum + part),
                Arithmetic::Minus => Some(sum - part),
                Arithmetic::Times => Some(sum * part),
                Arithmetic::Over => (part != 0).then(|| sum / part),
            })
        }
    }
}

/// The board and the numbers after every move, one for each move, in order.
type Results = Vec<(Vec<usize>, Vec<u32>)>;

fn by_meaning(book: &Rulebook) -> Option<Results> {
    let Rules::Sequence(parts) = book.rules() else { panic!("a turn is a sequence") };
    let path = Rules::sequence(parts[1..parts.len() - 1].to_vec());
    let start = Walker {
        square: 0,
        done: Vec::new(),
        board: book.board().squares.iter().map(|square| square.piece).collect(),
        variables: vec![0; book.variables().len()],
        scores: vec![0; book.players().len()],
    };
    let found = Meaning(book).of(&path, &[start].into())?;
    // A move includes the square on which its walker ends.
    let mut results: Results =
        found.into_iter().map(|walker| (walker.board, [walker.variables, walker.scores].concat())).collect();
    results.sort_unstable();
    Some(results)
}

fn by_playing(book: &Rulebook) -> Results {
    let rules = Interpreter::new(book);
    let moves = rules.moves(&rules.start().unwrap()).unwrap();
    let turns: BTreeSet<_> = moves.iter().map(|(turn, _)| turn.clone()).collect();
    assert_eq!(turns.len(), moves.len(), "every move is reported once");
    let of = |state: &nerode_rules::rbg::State| {
        assert_eq!(state.mover(), Mover::Player(1));
        (state.board().iter().map(|&piece| usize::from(piece)).collect(), state.registers().to_vec())
    };
    let mut results: Results = moves.iter().map(|(_, state)| of(state)).collect();
    results.sort_unstable();
    results
}

/// Returns a file whose only turn is `path`, on four squares.
fn turn(path: &str) -> String {
    let whole = crate::words::with_rules(&format!("->a {path} ->b"));
    whole.replace("[e,x]", "[e,x][o,e]")
}

#[test]
fn a_path_by_hand() {
    let book = book(&turn("(up* + down*)(left* + right*) ({e} [x] + {x} [o,e] . [$ n = x+1]) (. + up)"));
    let found = by_playing(&book);
    assert_eq!(Some(&found), by_meaning(&book).as_ref());
    // There are two empty squares to fill, one of which is not below another. A cross can be replaced in two ways, and
    // it has nothing below it.
    assert_eq!(found.len(), 2 + 1 + 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn playing_is_what_the_language_means(path in paths()) {
        let book = book(&turn(&path));
        if let Some(expected) = by_meaning(&book) {
            prop_assert_eq!(by_playing(&book), expected, "{}", path);
        }
    }
}
