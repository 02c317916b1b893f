//! Random positions against the plain rules, one ply deep: the explicit description makes the moves, the run gives the
//! values, and the definition of value and depth must hold between them. Works where no table fits.

use nerode_dfa::Dfa;
use nerode_games::explicit::apply;
use nerode_games::{Position, Side, Value};

use crate::archive::run_dir::Kind;
use crate::archive::stored_run::StoredRun;
use crate::check::Report;
use crate::error::Result;
use crate::outcome::{Depth, Outcome};
use crate::solve::method::Method;

/// Checks `n` positions for each side, drawn uniformly with `seed`: of all words, or of all reachable positions in a
/// meet-in-the-middle run.
///
/// Cost: one query per move.
///
/// # Errors
/// Damaged files; more positions than can be numbered.
pub fn check(solution: &StoredRun, n: usize, seed: u64) -> Result<Report> {
    check_while(solution, n, seed, &mut |_, _| Ok(()))
}

/// The same, with `go_on` asked before each position whether to; it is told how many are checked, and of how many. One position
/// at a time is in memory.
///
/// # Errors
/// As for [`check`]; the error of `go_on`.
pub fn check_while(
    solution: &StoredRun,
    n: usize,
    seed: u64,
    go_on: &mut dyn FnMut(u64, u64) -> Result<()>,
) -> Result<Report> {
    let mut report = Report::default();
    let populations = populations(solution)?;
    let total = (n as u64).saturating_mul(populations.len() as u64);
    for (done, (side, population)) in populations.iter().enumerate() {
        let side = *side;
        let before = (n as u64).saturating_mul(done as u64);
        let ranking = population.ranking()?;
        for (drawn, word) in (0u64..).zip(ranking.draws(seed).take(n)) {
            go_on(before.saturating_add(drawn), total)?;
            let position = Position { board: solution.game.board_of(&word), side };
            report.checked += 1;
            if let Some(problem) = problem(solution, &position)? {
                report.wrong(1, || format!("{}: {problem}", solution.game.format_position(&position)));
            }
        }
    }
    Ok(report)
}

fn populations(solution: &StoredRun) -> Result<Vec<(Side, Dfa)>> {
    if solution.method() == Method::Retrograde {
        let full = Dfa::full(solution.game.shape());
        return Ok(Side::BOTH.map(|side| (side, full.clone())).into());
    }
    let last = solution.run.manifest.progress.forward.unwrap_or(0);
    // The last ply has no successors in the run.
    (0..last)
        .map(|ply| {
            let side = solution.side_at(ply);
            Ok((side, solution.set(Kind::R, side, ply)?.clone()))
        })
        .collect()
}

/// What contradicts the definition at this position, if anything.
fn problem(solution: &StoredRun, position: &Position) -> Result<Option<String>> {
    let game = solution.game.as_ref();
    let stored = solution.get(&position.board, position.side)?;
    let expected = match game.outcome(&position.board, position.side) {
        Some(value) => Outcome::new(value, Depth::Exact(0)),
        None => {
            let mut moves = Vec::new();
            game.legal_moves(&position.board, position.side, &mut moves);
            let other = position.side.other();
            let values: Vec<Outcome> = moves
                .iter()
                .map(|mv| solution.get(&apply(&position.board, mv), other))
                .collect::<Result<_>>()?;
            match from_moves(&values) {
                Some(known) => known,
                None => return Ok(None),
            }
        }
    };
    let depths_known = stored.depth().is_some() && expected.depth().is_some();
    let agrees = stored.value() == expected.value() && (!depths_known || stored.depth() == expected.depth());
    // A run cut short may know less than its successors imply, never something else.
    let cut_short = !solution.is_complete() && stored == Outcome::Unknown;
    Ok((!agrees && !cut_short).then(|| format!("stored {stored}, its moves imply {expected}")))
}

/// Value and depth by the definition, or `None` when undecided successors leave them open.
fn from_moves(outcomes: &[Outcome]) -> Option<Outcome> {
    let has = |value: Value| outcomes.iter().any(|found| found.value() == Some(value));
    // `None` where one of the depths is not known.
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
