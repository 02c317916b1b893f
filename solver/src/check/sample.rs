//! Checks random positions against the plain rules, one ply deep: the explicit description generates the moves, the run
//! supplies the values, and the definition of value and depth must hold between them. This also works for games whose
//! tables would be too large.

use nerode_dfa::Dfa;
use nerode_games::explicit::apply;
use nerode_games::{Position, Side, Value};

use crate::archive::stored_run::{PlySets, StoredRun};
use crate::check::Report;
use crate::error::Result;
use crate::outcome::{Depth, Outcome};
use crate::solve::method::Method;

/// Checks `n` positions for each side, drawn uniformly with `seed` from all words, or from all reachable positions in a
/// meet-in-the-middle run.
///
/// Cost: one query per move.
///
/// # Errors
/// Returns an error if a file is damaged or there are too many positions to number.
pub fn check(solution: &StoredRun, n: usize, seed: u64) -> Result<Report> {
    check_while(solution, n, seed, &mut |_, _| Ok(()))
}

/// Checks positions as [`check`] does, and calls `go_on` before each position with the number of positions checked and
/// the total. An error of `go_on` ends the check. Only one position is in memory at a time.
///
/// # Errors
/// Returns the same errors as [`check`], or the error of `go_on`.
pub fn check_while(
    solution: &StoredRun,
    n: usize,
    seed: u64,
    go_on: &mut dyn FnMut(u64, u64) -> Result<()>,
) -> Result<Report> {
    let mut sample = Sample { solution, n, seed, report: Report::default(), done: 0, total: 0 };
    if solution.method() == Method::Meet {
        sample.by_ply(go_on)?;
        return Ok(sample.report);
    }
    sample.total = (n as u64).saturating_mul(2);
    let full = Dfa::full(solution.game.shape());
    for side in Side::BOTH {
        let look_up = |board: &[u8], side| solution.get(board, side);
        sample.draw(side, &full, &look_up, go_on)?;
    }
    Ok(sample.report)
}

/// A function that returns the outcome of a board with a side to move.
type LookUp<'a> = &'a dyn Fn(&[u8], Side) -> Result<Outcome>;

struct Sample<'a> {
    solution: &'a StoredRun,
    n: usize,
    seed: u64,
    report: Report,
    /// The number of positions that have been or are being checked, out of `total`.
    done: u64,
    total: u64,
}

impl Sample<'_> {
    /// Checks positions of every ply against those of the next one, with the sets of two plies in memory. In a run with
    /// a limited number of plies, the last ply has no next one and is skipped.
    fn by_ply(&mut self, go_on: &mut dyn FnMut(u64, u64) -> Result<()>) -> Result<()> {
        let solution = self.solution;
        solution.must_be_finished()?;
        let progress = solution.run.progress();
        let plies = progress.forward.unwrap_or(0) + u32::from(progress.forward_complete);
        self.total = (self.n as u64).saturating_mul(plies.into());
        let mut next: Option<PlySets<'_>> = None;
        for ply in (0..=progress.forward.unwrap_or(0)).rev() {
            let now = PlySets::read(solution, ply)?;
            let side = solution.side_at(ply);
            let look_up = |board: &[u8], of: Side| {
                let sets = if of == side { Some(&now) } else { next.as_ref() };
                sets.map_or(Ok(None), |sets| sets.value(board)).map(Option::unwrap_or_default)
            };
            if ply < plies {
                self.draw(side, now.all()?, &look_up, go_on)?;
            }
            next = Some(now);
        }
        Ok(())
    }

    /// Checks random positions of one set.
    fn draw(
        &mut self,
        side: Side,
        population: &Dfa,
        look_up: LookUp<'_>,
        go_on: &mut dyn FnMut(u64, u64) -> Result<()>,
    ) -> Result<()> {
        let solution = self.solution;
        let ranking = population.ranking()?;
        for word in ranking.draws(self.seed).take(self.n) {
            go_on(self.done, self.total)?;
            self.done += 1;
            let position = Position { board: solution.game.board_of(&word), side };
            self.report.checked += 1;
            if let Some(problem) = problem(solution, &position, look_up)? {
                self.report.wrong(1, || format!("{}: {problem}", solution.game.format_position(&position)));
            }
        }
        Ok(())
    }
}

/// Returns a description of the contradiction to the definition at this position, if there is one.
fn problem(solution: &StoredRun, position: &Position, look_up: LookUp<'_>) -> Result<Option<String>> {
    let game = solution.game.as_ref();
    let stored = look_up(&position.board, position.side)?;
    let expected = match game.outcome(&position.board, position.side) {
        Some(value) => Outcome::new(value, Depth::Exact(0)),
        None => {
            let mut moves = Vec::new();
            game.legal_moves(&position.board, position.side, &mut moves);
            let other = position.side.other();
            let values: Vec<Outcome> =
                moves.iter().map(|mv| look_up(&apply(&position.board, mv), other)).collect::<Result<_>>()?;
            match from_moves(&values) {
                Some(known) => known,
                None if solution.is_complete() => {
                    return Ok(Some(format!("stored {stored}, but one of its moves has no value")));
                }
                None => return Ok(None),
            }
        }
    };
    let depths_known = stored.depth().is_some() && expected.depth().is_some();
    let agrees = stored.value() == expected.value() && (!depths_known || stored.depth() == expected.depth());
    // A run with a limited number of plies may know less than its successors imply, but must not contradict them.
    let cut_short = !solution.is_complete() && stored == Outcome::Unknown;
    Ok((!agrees && !cut_short).then(|| format!("stored {stored}, but its moves imply {expected}")))
}

/// Returns value and depth by the definition, or `None` if undecided successors leave them open.
fn from_moves(outcomes: &[Outcome]) -> Option<Outcome> {
    let has = |value: Value| outcomes.iter().any(|found| found.value() == Some(value));
    // Returns `None` if one of the depths is not known.
    let depths = |value: Value| -> Option<Vec<u32>> {
        outcomes.iter().filter(|found| found.value() == Some(value)).map(|found| found.depth()).collect()
    };
    let after = |depth: Option<u32>| Depth::of(depth.map(|plies| plies + 1));
    if has(Value::Loss) {
        return Some(Outcome::Win(after(depths(Value::Loss).and_then(|all| all.into_iter().min()))));
    }
    if outcomes.contains(&Outcome::Unknown) {
        return None;
    }
    if !has(Value::Draw) {
        return Some(Outcome::Loss(after(depths(Value::Win).and_then(|all| all.into_iter().max()))));
    }
    Some(Outcome::DRAW)
}
