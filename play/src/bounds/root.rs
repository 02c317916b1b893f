//! The search from a position by iterative deepening, with the window of the goal for every move, until the goal is
//! reached.

use std::collections::HashSet;

use nerode_games::{Position, Value};

use super::ground::Ground;
use super::terms::{Bounds, Goal, Now, Search};
use super::tree::{Known, Stop, Tree, Window};
use nerode_solver::error::{Error, Result};
use nerode_solver::outcome::ValueRange;
use nerode_solver::stored::{Answer, Reply, Solution};

/// The maximum number of moves of a line.
const LONGEST_LINE: usize = 64;

/// The results for the root position.
struct Root<'a> {
    answer: &'a Answer,
    /// The value that the solution or the rules give without a search.
    given: Option<ValueRange>,
    /// The stored range.
    stored: ValueRange,
    /// The results for each move, for the side that makes it.
    moves: Vec<Known>,
    goal: Goal,
}

impl<'a> Root<'a> {
    fn new<G: Ground>(solution: &Solution, ground: &G, answer: &'a Answer, goal: Goal) -> Result<Self> {
        let Position { board, side } = answer.position();
        // Values that only follow from others are found again by the search, with the line that shows them.
        let contained = answer.value().filter(|_| answer.is_covered());
        let value = contained.or_else(|| solution.game().outcome(board, *side));
        let known = |reply: &Reply| match reply.value().filter(|_| reply.is_covered()) {
            Some(value) => Known { range: ValueRange::exact(value), whole: true },
            None => Known { range: ValueRange::UNKNOWN, whole: false },
        };
        let given = value.map(ValueRange::exact);
        let stored = if given.is_some() { None } else { ground.stored(&ground.at(answer.position()))? };
        Ok(Self {
            answer,
            given,
            stored: stored.map_or(ValueRange::UNKNOWN, |stored| stored.range),
            moves: answer.moves().iter().map(known).collect(),
            goal,
        })
    }

    /// Returns the range that the moves imply.
    fn of_moves(&self) -> ValueRange {
        self.moves.iter().map(|mv| mv.range).reduce(ValueRange::max).unwrap_or(ValueRange::UNKNOWN)
    }

    fn range(&self) -> ValueRange {
        let best = self.of_moves();
        self.given.unwrap_or_else(|| best.both(self.stored).unwrap_or(best))
    }

    /// Returns an error if the moves contradict the stored range.
    fn must_agree(&self) -> Result<()> {
        let found = self.of_moves();
        if self.given.is_some() || found.both(self.stored).is_some() {
            return Ok(());
        }
        Err(Error::Mismatch {
            what: "the stored range of the position".into(),
            found: self.stored.to_string(),
            expected: found.to_string(),
        })
    }

    /// Returns `true` if the search can stop. If the value of the position was known in advance, the moves are what
    /// matters.
    fn is_settled(&self) -> bool {
        self.given.is_none() && self.reaches_goal(self.of_moves()) || self.is_complete()
    }

    fn is_proved(&self) -> bool {
        self.given.is_none() && self.reaches_goal(self.range())
    }

    fn reaches_goal(&self, range: ValueRange) -> bool {
        range.value().is_some() || self.goal == Goal::Draw && range.least() >= Value::Draw
    }

    fn is_complete(&self) -> bool {
        self.moves.iter().all(|mv| mv.whole || mv.range.value().is_some())
    }

    /// Searches every open move to `plies` plies.
    fn deepen<G: Ground>(&mut self, tree: &mut Tree<'_, G>, plies: u32) -> std::result::Result<(), Stop> {
        let window = match self.goal {
            Goal::Value => Window::FULL,
            Goal::Draw => Window::DRAW,
        };
        for (at, reply) in self.answer.moves().iter().enumerate() {
            if self.is_settled() {
                return Ok(());
            }
            let before = self.moves[at];
            if before.whole || before.range.value().is_some() {
                continue;
            }
            let found = tree.range(&tree.ground.at(reply.position()), plies - 1, window)?;
            let range = found.range.negated();
            let range = range.both(before.range).ok_or_else(|| Error::Mismatch {
                what: format!("the values of the solution after {}", reply.text()),
                found: format!("{} and {range}", before.range),
                expected: "one value".into(),
            })?;
            self.moves[at] = Known { range, whole: found.whole };
        }
        Ok(())
    }
}

pub(super) fn search<G: Ground>(
    search: &Search<'_>,
    solution: &Solution,
    ground: &G,
    answer: &Answer,
    watch: &mut dyn FnMut(Now),
) -> Result<Bounds> {
    let loads = ground.loads();
    let mut tree = Tree::new(search, ground);
    let mut root = Root::new(solution, ground, answer, search.goal)?;
    // The values of all moves may be known in advance, which counts as one ply.
    let mut plies = u32::from(root.given.is_none() && root.is_settled());
    // One ply shows the known values of the moves. Further plies are needed only for values that are not yet proved.
    while plies < search.plies && !root.is_settled() && (plies == 0 || !root.is_proved()) {
        watch(Now { plies: plies + 1, nodes: tree.nodes, range: root.range() });
        match root.deepen(&mut tree, plies + 1) {
            Ok(()) => plies += 1,
            Err(Stop::Time) => break,
            Err(Stop::Error(error)) => return Err(error),
        }
        root.must_agree()?;
    }
    Ok(Bounds {
        range: root.range(),
        line: line(solution, &tree, &root)?,
        plies,
        complete: root.is_settled() || root.is_proved(),
        stored: root.stored,
        nodes: tree.nodes,
        looked_up: tree.looked_up,
        missed: tree.missed,
        loads: ground.loads() - loads,
        moves: root.moves.into_iter().map(|mv| mv.range).collect(),
    })
}

/// Returns the best moves of both sides as far as they are known.
fn line<G: Ground>(solution: &Solution, tree: &Tree<'_, G>, root: &Root<'_>) -> Result<Vec<Reply>> {
    let mut line: Vec<Reply> = Vec::new();
    if root.given.is_some() || root.range() == ValueRange::UNKNOWN {
        return Ok(line);
    }
    let ranges: Vec<ValueRange> = root.moves.iter().map(|mv| mv.range).collect();
    let mut best = best_of(root.answer, &ranges);
    let mut seen = HashSet::from([root.answer.position().clone()]);
    while let Some(reply) = best.take() {
        let at = tree.ground.at(reply.position());
        let goes_on = tree.ground.known(&at)?.is_none() && seen.insert(reply.position().clone());
        let position = reply.position().clone();
        line.push(reply);
        if goes_on && line.len() < LONGEST_LINE {
            let answer = solution.query(&position)?;
            let known = |reply: &Reply| Ok(tree.so_far(&tree.ground.at(reply.position()))?.negated());
            let ranges = answer.moves().iter().map(known).collect::<Result<Vec<_>>>()?;
            best = best_of(&answer, &ranges);
        }
    }
    Ok(line)
}

/// Returns the first of the best moves, or `None` if nothing is known about any move.
fn best_of(answer: &Answer, ranges: &[ValueRange]) -> Option<Reply> {
    let (at, range) = ranges.iter().enumerate().rev().max_by_key(|(_, range)| range.order())?;
    (*range != ValueRange::UNKNOWN).then(|| answer.moves()[at].clone())
}
