//! Probabilities of traps, compared with a naive enumeration of all lines of play, with values from the oracle and a
//! separate implementation of fractions.

use crate::common::oracle;
use nerode::games::explicit::apply;
use nerode::games::{Game, registry};
use nerode::{Error, Options, PlayError, Position, Solution, Value};
use nerode_oracle::ExplicitTable;
use nerode_play::traps::{Chance, Horizon, TrapModel, Traps};

/// Numerator and denominator, in lowest terms.
type Fraction = (u128, u128);

fn lowest((a, b): Fraction) -> Fraction {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x, b / x)
}

fn plus(a: Fraction, b: Fraction) -> Fraction {
    lowest((a.0 * b.1 + b.0 * a.1, a.1 * b.1))
}

fn times(a: Fraction, b: Fraction) -> Fraction {
    lowest((a.0 * b.0, a.1 * b.1))
}

fn less(a: Fraction, b: Fraction) -> bool {
    a.0 * b.1 < b.0 * a.1
}

/// The model of the opponent as the thesis states it: lower and upper bound, or `None` for an opponent that moves
/// randomly.
#[derive(Clone, Copy, Debug)]
struct Model(Option<(u32, u32)>);

struct Naive<'a> {
    game: &'a dyn Game,
    table: &'a ExplicitTable,
    model: Model,
}

impl Naive<'_> {
    /// Returns the value for the side to move, and the plies to the end.
    fn value(&self, at: &Position) -> (Value, Option<u32>) {
        let found = self.table.lookup(&at.board, at.side).unwrap();
        (found.value().unwrap(), found.depth())
    }

    fn next(&self, at: &Position) -> Vec<Position> {
        let mut moves = Vec::new();
        self.game.legal_moves(&at.board, at.side, &mut moves);
        moves.iter().map(|mv| Position { board: apply(&at.board, mv), side: at.side.other() }).collect()
    }

    /// Returns `true` if the move from `a` to `b` worsens the value for the side that makes it.
    fn wrong(&self, a: &Position, b: &Position) -> bool {
        let worth = |value| match value {
            Value::Loss => -1,
            Value::Draw => 0,
            Value::Win => 1,
        };
        worth(self.value(a).0) > -worth(self.value(b).0)
    }

    fn weight(&self, a: &Position, b: &Position) -> u128 {
        let Some((lower, upper)) = self.model.0 else { return 1 };
        let (after, depth) = self.value(b);
        if !self.wrong(a, b) || after != Value::Win {
            return u128::from(upper - lower);
        }
        // The losing move counts as a ply.
        let plies = depth.unwrap() + 1;
        if plies >= upper {
            u128::from(upper - lower)
        } else if plies <= lower {
            0
        } else {
            u128::from(plies - lower)
        }
    }

    /// Returns the probability that a fallible side errs within `plies` plies if it is to move.
    fn goes_wrong(&self, at: &Position, plies: u8) -> Fraction {
        let next = self.next(at);
        if plies == 0 || next.is_empty() {
            return (0, 1);
        }
        let sum: u128 = next.iter().map(|to| self.weight(at, to)).sum();
        next.iter().fold((0, 1), |all, to| {
            let then = if self.wrong(at, to) { (1, 1) } else { self.driven(to, plies - 1) };
            plus(all, times((self.weight(at, to), sum), then))
        })
    }

    /// Returns this probability if the other side is to move, which makes the most demanding of the moves that keep
    /// its value.
    fn driven(&self, at: &Position, plies: u8) -> Fraction {
        if plies == 0 {
            return (0, 1);
        }
        let keeping = self.next(at).into_iter().filter(|to| !self.wrong(at, to));
        keeping.map(|to| self.goes_wrong(&to, plies - 1)).fold((0, 1), |a, b| if less(a, b) { b } else { a })
    }
}

fn as_chance((part, whole): Fraction) -> Chance {
    Chance::of(part.try_into().unwrap(), whole.try_into().unwrap())
}

/// Returns all positions that are reachable from `from` within `plies` plies.
fn reached(naive: &Naive<'_>, from: Position, plies: u32) -> Vec<Position> {
    let mut all = vec![from];
    let mut begin = 0;
    for _ in 0..plies {
        let end = all.len();
        for at in begin..end {
            for to in naive.next(&all[at].clone()) {
                if !all.contains(&to) {
                    all.push(to);
                }
            }
        }
        begin = end;
    }
    all
}

fn compare(naive: &Naive<'_>, solution: &Solution, at: &Position, plies: u8) -> usize {
    let model = match naive.model.0 {
        None => TrapModel::Random,
        Some((lower, upper)) => TrapModel::Distance(Horizon::new(lower, upper).unwrap()),
    };
    let found = Traps { model, plies }.of(solution, &solution.query(at).unwrap()).unwrap();
    let odd = plies % 2 == 1;
    let what = || format!("{} {plies} plies, {:?}", naive.game.format_position(at), naive.model);
    assert_eq!(found.fallible, if odd { at.side } else { at.side.other() });
    let wanted = if odd { naive.goes_wrong(at, plies) } else { naive.driven(at, plies) };
    assert_eq!(found.goes_wrong, Some(as_chance(wanted)), "{}", what());
    assert_eq!(found.moves.len(), naive.next(at).len());
    for mv in &found.moves {
        let to = mv.reply.position();
        let wanted = match odd {
            true if naive.wrong(at, to) => (1, 1),
            true => naive.driven(to, plies - 1),
            false => naive.goes_wrong(to, plies - 1),
        };
        assert_eq!(mv.goes_wrong, Some(as_chance(wanted)), "{} after {}", what(), mv.reply.text());
        let sum = naive.next(at).iter().map(|to| naive.weight(at, to)).sum();
        let played = odd.then(|| as_chance((naive.weight(at, to), sum)));
        assert_eq!(mv.played, played, "{} {}", what(), mv.reply.text());
    }
    usize::from(found.goes_wrong.is_some_and(|chance| !chance.is_never()))
}

/// Some positions have traps under every model, and all probabilities equal those of the enumeration.
#[test]
fn chances_are_those_of_a_plain_enumeration() {
    let random = Model(None);
    for (spec, start, plies, most, models) in [
        ("tictactoe:3x3", "X2/1O1/3 X", 2, 4, vec![random, Model(Some((1, 4)))]),
        ("tictactoe:3x3", "start", 2, 2, vec![random, Model(Some((2, 5)))]),
        ("breakthrough:2x5", "start", 2, 4, vec![random, Model(Some((2, 12)))]),
        ("breakthrough:3x4", "start", 2, 3, vec![random, Model(Some((0, 6)))]),
        ("chess:KRvK,board=4x4", "3k/4/4/KR2 w", 2, 2, vec![random, Model(Some((1, 3)))]),
        ("chess:KRvK,board=4x4", "3k/4/4/KR2 b", 1, 3, vec![random, Model(Some((2, 8)))]),
        ("connect:4x3,row=3", "start", 2, 4, vec![random, Model(Some((1, 9)))]),
        ("nim:2x3", "start", 3, 4, vec![random, Model(Some((1, 4)))]),
    ] {
        let game = registry::open(spec).unwrap();
        let table = oracle(game.as_ref());
        let solution = nerode::open(spec).unwrap().solve(Options::default()).unwrap();
        let start =
            if start == "start" { game.start_position() } else { game.parse_position(start).unwrap() };
        for model in models {
            let naive = Naive { game: game.as_ref(), table: &table, model };
            let mut with_traps = 0;
            for at in reached(&naive, start.clone(), plies) {
                with_traps += (1..=most).map(|plies| compare(&naive, &solution, &at, plies)).sum::<usize>();
            }
            assert!(with_traps > 0, "{spec} has no trap");
        }
    }
}

/// The first move keeps the value and is the most demanding one; in a won position it is the quickest.
#[test]
fn the_move_that_asks_most_comes_first() {
    let spec = "breakthrough:3x4";
    let solution = nerode::open(spec).unwrap().solve(Options::default()).unwrap();
    let mut lost = 0;
    for at in solution.sample(4000, 1).unwrap() {
        let answer = solution.query(&at).unwrap();
        let traps = Traps { model: TrapModel::Random, plies: 2 }.of(&solution, &answer).unwrap();
        let Some(first) = traps.moves.first() else { continue };
        assert_eq!(first.reply.value(), answer.value());
        let keeping = || traps.moves.iter().filter(|mv| mv.reply.value() == answer.value());
        if answer.value() == Some(Value::Win) {
            assert_eq!((first.reply.depth(), &traps.goes_wrong), (answer.depth(), &Some(Chance::never())));
        } else {
            lost += 1;
            assert!(keeping().all(|mv| mv.goes_wrong <= first.goes_wrong));
            let as_hard = keeping().filter(|mv| mv.goes_wrong == first.goes_wrong);
            assert!(as_hard.map(|mv| mv.reply.depth()).max().unwrap() == first.reply.depth());
            assert_eq!(traps.goes_wrong, first.goes_wrong);
        }
    }
    assert!(lost > 20);
}

/// Values without depths are sufficient for an opponent that moves randomly, but not for other models.
#[test]
fn the_distance_model_needs_depths() {
    let options = Options::default().method(nerode::Method::Meet);
    let solution = nerode::open("tictactoe:3x3").unwrap().solve(options).unwrap();
    let at = solution.game().parse_position("X2/1O1/3 X").unwrap();
    let answer = solution.query(&at).unwrap();
    let random = Traps { model: TrapModel::Random, plies: 4 }.of(&solution, &answer).unwrap();
    assert!(random.goes_wrong.is_some_and(|chance| !chance.is_never()));
    let model = TrapModel::Distance(Horizon::new(2, 12).unwrap());
    let refused = Traps { model, plies: 2 }.of(&solution, &answer).unwrap_err();
    assert!(matches!(refused, Error::Play(PlayError::NoDepths { .. })), "{refused}");
}
