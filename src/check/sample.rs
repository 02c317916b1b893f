//! Random positions against the plain rules, one ply deep: the explicit description makes the moves, the run gives the
//! values, and the definition of value and depth must hold between them. Works where no table fits.

use nerode_dfa::Dfa;
use nerode_games::explicit::apply;
use nerode_games::{Position, Side, Value};

use crate::archive::run_dir::Kind;
use crate::archive::solution::{Known, Solution};
use crate::check::Report;
use crate::error::Result;
use crate::solve::method::Method;

/// Checks `n` positions for each side, drawn uniformly with `seed`: of all words, or of all reachable positions in a
/// meet-in-the-middle run.
///
/// Cost: one query per move.
///
/// # Errors
/// Damaged files; more positions than can be numbered.
pub fn check(solution: &Solution, n: usize, seed: u64) -> Result<Report> {
    let mut report = Report::default();
    for (side, population) in populations(solution)? {
        for word in population.ranking()?.sample(seed, n) {
            let position = Position { board: solution.game.board_of(&word), side };
            report.checked += 1;
            if let Some(problem) = problem(solution, &position)? {
                report.wrong(1, || format!("{}: {problem}", solution.game.format_position(&position)));
            }
        }
    }
    Ok(report)
}

fn populations(solution: &Solution) -> Result<Vec<(Side, Dfa)>> {
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
fn problem(solution: &Solution, position: &Position) -> Result<Option<String>> {
    let game = solution.game.as_ref();
    let stored = solution.get(&position.board, position.side)?;
    let expected = match game.outcome(&position.board, position.side) {
        Some(value) => Known { value: Some(value), depth: depth_if_decided(value, 0) },
        None => {
            let mut moves = Vec::new();
            game.legal_moves(&position.board, position.side, &mut moves);
            let other = position.side.other();
            let values: Vec<Known> = moves
                .iter()
                .map(|mv| solution.get(&apply(&position.board, mv), other))
                .collect::<Result<_>>()?;
            match from_moves(&values) {
                Some(known) => known,
                None => return Ok(None),
            }
        }
    };
    let depths_known = stored.depth.is_some() && expected.depth.is_some();
    let agrees = stored.value == expected.value && (!depths_known || stored.depth == expected.depth);
    // A run cut short may know less than its successors imply, never something else.
    let cut_short = !solution.is_complete() && stored.value.is_none();
    Ok((!agrees && !cut_short).then(|| {
        format!(
            "stored {} {:?}, its moves imply {} {:?}",
            stored.category(),
            stored.depth,
            expected.category(),
            expected.depth
        )
    }))
}

fn depth_if_decided(value: Value, depth: u32) -> Option<u32> {
    (value != Value::Draw).then_some(depth)
}

/// Value and depth by the definition, or `None` when undecided successors leave them open.
fn from_moves(values: &[Known]) -> Option<Known> {
    let depths = |value: Value| values.iter().filter(move |k| k.value == Some(value)).map(|k| k.depth);
    let plus_one = |depth: Option<Option<u32>>| depth.flatten().map(|d| d + 1);
    if values.iter().any(|k| k.value == Some(Value::Loss)) {
        let known: Option<Vec<u32>> = depths(Value::Loss).collect();
        let least = known.and_then(|all| all.into_iter().min());
        return Some(Known { value: Some(Value::Win), depth: plus_one(Some(least)) });
    }
    if values.iter().any(|k| k.value.is_none()) {
        return None;
    }
    if values.iter().all(|k| k.value == Some(Value::Win)) {
        let known: Option<Vec<u32>> = depths(Value::Win).collect();
        let greatest = known.and_then(|all| all.into_iter().max());
        return Some(Known { value: Some(Value::Loss), depth: plus_one(Some(greatest)) });
    }
    Some(Known { value: Some(Value::Draw), depth: None })
}
