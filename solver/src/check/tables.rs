//! Compares a run position by position with explicit values: the solution of the oracle, or a table file.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use nerode_dfa::{Dfa, Letter, ValueMap};
use nerode_games::explicit::apply;
use nerode_games::{Position, Registry, Side, Value, grouped};
use nerode_oracle::{Control, Indexer, Step, solve};
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::archive::run_dir::Kind;
use crate::archive::stored_run::{PlySets, StoredRun};
use crate::archive::table::TableFile;
use crate::archive::table::keyed::{KeyedRow, KeyedTable};
use crate::archive::table::reached::{ReachedTable, outcome};
use crate::check::distinct::Distinct;
use crate::check::values::SetsOfMap;
use crate::check::{Report, agrees};
use crate::error::{Error, Result};
use crate::forms::tabulate::runs;
use crate::outcome::{Outcome, code16};
use crate::solve::method::Method;
use crate::solve::reached::reached;
use crate::solve::resources::Resources;

/// The number of positions that are read before they are compared, and the number of parts for the threads.
const BATCH: usize = 1 << 16;
const CHUNKS: usize = 64;

/// Solves the game explicitly and compares value and depth of every position of both sides, and the sets of the run with the
/// values and depths that they imply. In a meet-in-the-middle
/// run, which contains no depths, compares the reachable positions of every ply and their values. Only the reached positions are
/// solved for this.
///
/// Cost: the explicit solve, and one comparison per position.
///
/// # Errors
/// Returns the errors of [`StoredRun::must_have_maps`], [`Error::TooLarge`] or [`Error::Reached`] if the explicit solution does
/// not fit into memory, or an error if a file is damaged or the computation is interrupted.
pub fn against_oracle(
    solution: &StoredRun,
    resources: &Resources,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Report> {
    if solution.method() == Method::Meet {
        return reachable(solution, resources, progress);
    }
    // The explicit solve can take hours, so that a run without the necessary sets is rejected before it.
    solution.must_have_maps(solution.has_depths())?;
    let game = solution.game.as_ref();
    let control = Control { memory_limit: resources.memory, interrupt: &resources.interrupt, progress };
    let explicit = solve(game, &game.spec(), control)?;
    let mut report = Report::default();
    for side in Side::BOTH {
        let codes = explicit.codes(side);
        let map = map_of(solution, side, resources)?;
        let mut index = 0u64;
        for (code, len) in runs(game, &map, explicit.indexer()) {
            // Both numbers are below the length of a table in memory.
            let expected = &codes[index as usize..(index + len) as usize];
            let is_wrong = |&e: &u16| is_wrong(solution, code, e);
            let wrong = expected.iter().filter(|e| is_wrong(e)).count() as u128;
            report.checked += if code == code16::UNKNOWN { wrong } else { u128::from(len) };
            let first = expected.iter().position(is_wrong);
            report.wrong(wrong, || {
                let at = first.unwrap_or(0);
                difference(solution, explicit.indexer(), side, index + at as u64, code, expected[at])
            });
            index += len;
        }
        let is_counted = |word: &[Letter]| {
            let index = explicit.indexer().index_of(&game.board_of(word));
            let expected = index.and_then(|index| codes.get(usize::try_from(index).ok()?));
            expected.is_some_and(|&expected| is_wrong(solution, map.get(word), expected))
        };
        sets_of_map(solution, &map, side, resources, &is_counted, &mut report)?;
    }
    Ok(report)
}

/// Checks that the sets of the run are those of a map that was derived from them, so that no word is in two sets of different
/// values, and draws and unknown positions are stored as such. Words for which `is_counted` returns `true` are wrong already.
fn sets_of_map(
    solution: &StoredRun,
    map: &ValueMap,
    side: Side,
    resources: &Resources,
    is_counted: &dyn Fn(&[Letter]) -> bool,
    report: &mut Report,
) -> Result<()> {
    let mut maps = SetsOfMap::new(solution, resources)?;
    maps.compare(map, side, solution.has_depths())?;
    let Some(first) = maps.first_mismatch else { return Ok(()) };
    let more = maps.wrong[side.index()].words().filter(|word| !is_counted(word)).count();
    report.wrong(more as u128, || first);
    Ok(())
}

/// The number of positions of a ply between two progress reports.
const STRETCH: usize = 1 << 16;

/// Plays forward from the start by the plain rules, ply by ply. Compares the positions reached with `R_i`, and the
/// explicit value of each of them with RW, RL and RD. A run with a limited number of plies may leave positions unknown.
///
/// Cost: the explicit solve of the reached positions, one set of packed positions per ply, and look-ups in three sets per
/// position.
fn reachable(
    solution: &StoredRun,
    resources: &Resources,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Report> {
    let game = solution.game.as_ref();
    let last = solution.run.manifest.progress.forward.unwrap_or(0);
    let is_admissible = |ply| solution.run.manifest.request.admissible_from.is_some_and(|from| from <= ply);
    // If the run contains all admissible positions, some unreachable ones have values too.
    let admissible = (0..=last).filter(|&ply| is_admissible(ply)).map(|ply| {
        let side = solution.side_at(ply);
        Ok((side, solution.set(Kind::R, side, ply)?))
    });
    let admissible = admissible.collect::<Result<Vec<_>>>()?;
    let positions = |&(side, set): &(Side, &Dfa)| set.words().map(move |word| (game.board_of(&word), side));
    let mut starts = admissible.iter().flat_map(positions);
    // The search finds as many positions as the run has, unless some are reached at several plies or one of both is wrong.
    let count = |sum: u128, ply| -> Result<u128> {
        Ok(sum.saturating_add(solution.set(Kind::R, solution.side_at(ply), ply)?.count()?))
    };
    let in_run = u64::try_from((0..=last).try_fold(0, count)?).unwrap_or(u64::MAX);
    let explicit = reached(game, &mut starts, None, resources, &mut |step| match step {
        Step::Search { positions, .. } => progress(positions.min(in_run), in_run),
        Step::Decide { done, total } => progress(done, total),
        Step::OnDisk => {}
    })?;
    let packing = explicit.packing();
    let total = explicit.num_positions();
    let mut distinct = Distinct::new(solution, resources)?;
    let mut report = Report::default();
    let (start, side) = game.start();
    let mut now: HashSet<Vec<u8>> = packing.pack(&start, side).into_iter().collect();
    for ply in 0..=last {
        let side = solution.side_at(ply);
        let all = solution.set(Kind::R, side, ply)?;
        let values = [(Kind::RW, Value::Win), (Kind::RL, Value::Loss), (Kind::RD, Value::Draw)];
        let sets = values.map(|(kind, value)| solution.set(kind, side, ply).map(|set| (set, value)));
        let sets = sets.into_iter().collect::<Result<Vec<_>>>()?;
        let unknown = solution.set(Kind::RU, side, ply)?;
        if is_admissible(ply) {
            now.extend(all.words().filter_map(|word| packing.pack(&game.board_of(&word), side)));
        }
        let mut next = HashSet::new();
        let mut moves = Vec::new();
        for (done, key) in now.iter().enumerate() {
            if done.is_multiple_of(STRETCH) {
                resources.must_go_on()?;
                progress((report.checked as u64).min(total), total);
            }
            let Some((board, _)) = packing.unpack(key) else { continue };
            let word = game.word_of(&board);
            let expected = explicit.get(&board, side).and_then(Outcome::value);
            let said: Vec<Value> =
                sets.iter().filter(|(set, _)| set.contains(&word)).map(|(_, v)| *v).collect();
            let is_unknown = unknown.contains(&word);
            let fits = if is_unknown { said.is_empty() } else { said.as_slice() == expected.as_slice() };
            report.checked += u128::from(!is_unknown && distinct.is_new(side, &word));
            let is_wrong = (!fits || !all.contains(&word)) && distinct.is_newly_wrong(side, &word);
            report.wrong(is_wrong.into(), || {
                let position = Position { board: board.clone(), side };
                format!(
                    "ply {ply}, {}: the run says {}, the oracle says {}",
                    game.format_position(&position),
                    named(&said),
                    named(expected.as_slice())
                )
            });
            moves.clear();
            game.legal_moves(&board, side, &mut moves);
            next.extend(moves.iter().filter_map(|mv| packing.pack(&apply(&board, mv), side.other())));
        }
        if all.count()? > now.len() as u128 {
            let is_reached = |word: &[Letter]| {
                packing.pack(&game.board_of(word), side).is_some_and(|key| now.contains(&key))
            };
            let unreached = all.words().filter(|word| !is_reached(word));
            let extra = unreached.filter(|word| distinct.is_newly_wrong(side, word)).count() as u128;
            report.wrong(extra, || format!("ply {ply}: unreachable positions in the run: {extra}"));
        }
        distinct.add(side, all)?;
        now = next;
    }
    if solution.run.manifest.progress.forward_complete {
        report.wrong(now.len() as u128, || format!("positions reachable after ply {last}: {}", now.len()));
    }
    Ok(report)
}

/// Compares a run with a table file, after verifying that the table is undamaged and was created for the same rules. Value
/// and depth of every position that both contain are compared; a run by meet in the middle contains no depths. If both
/// list the reached positions, they must list the same ones.
///
/// Cost: one pass over the file for the digest, and one for the comparison.
///
/// # Errors
/// Returns an error for a table of another game or other rules, for a damaged table, or for damaged files of the run.
pub fn against_table(
    solution: &StoredRun,
    path: &Path,
    registry: &Registry,
    resources: &Resources,
) -> Result<Report> {
    if ReachedTable::is_one(path)? {
        return against_reached(solution, &ReachedTable::open(path, registry)?, resources);
    }
    if KeyedTable::is_one(path)? {
        return against_keyed(solution, &KeyedTable::open(path, registry)?, resources);
    }
    let mut table = TableFile::open(path)?;
    table.check_rules(&solution.game.fingerprint())?;
    let is_meet = solution.method() == Method::Meet;
    if !is_meet {
        solution.must_have_maps(solution.has_depths())?;
    }
    table.verify_digest()?;
    if is_meet {
        return reached_against_all(solution, &mut table, resources);
    }
    let game = solution.game.as_ref();
    let indexer = table.indexer().clone();
    let mut report = Report::default();
    let mut wrong = HashSet::new();
    for side in Side::BOTH {
        let map = map_of(solution, side, resources)?;
        let mut codes = table.codes(side)?;
        let mut index = 0u64;
        for (code, len) in runs(game, &map, &indexer) {
            for at in index..index + len {
                let expected = codes
                    .next()
                    .unwrap_or_else(|| Err(Error::corrupt(path, "it ends before the last position")))?;
                let is_wrong = is_wrong(solution, code, expected);
                if is_wrong {
                    wrong.insert((side, at));
                }
                report.position(code == code16::UNKNOWN, is_wrong, || {
                    difference(solution, &indexer, side, at, code, expected)
                });
            }
            index += len;
            resources.must_go_on()?;
        }
        let is_counted = |word: &[Letter]| {
            indexer.index_of(&game.board_of(word)).is_some_and(|at| wrong.contains(&(side, at)))
        };
        sets_of_map(solution, &map, side, resources, &is_counted, &mut report)?;
    }
    Ok(report)
}

/// Returns [`Error::WrongRules`] if a table of the game `spec` has other rules than the run.
fn must_have_rules(solution: &StoredRun, path: &Path, fingerprint: &str, spec: &str) -> Result<()> {
    let expected = solution.game.fingerprint();
    if fingerprint == expected {
        return Ok(());
    }
    Err(Error::WrongRules { path: path.into(), found: format!("{fingerprint} ({spec})"), expected })
}

/// Compares a run with a table of reached positions.
fn against_reached(solution: &StoredRun, table: &ReachedTable, resources: &Resources) -> Result<Report> {
    table.verify_digest()?;
    let header = table.header();
    must_have_rules(solution, table.path(), &header.fingerprint, &header.spec)?;
    let is_meet = solution.method() == Method::Meet;
    let pool = resources.pool()?;
    let mut report = Report::default();
    let mut distinct = Distinct::new(solution, resources)?;
    if is_meet {
        let plies = u128::from(solution.run.progress().forward.unwrap_or(0)) + 1;
        let found = u128::from(table.num_plies());
        report.wrong(plies.abs_diff(found), || {
            format!("the number of plies is {plies} in the run and {found} in the table")
        });
    }
    for ply in 0..table.num_plies() {
        let list = table.ply(ply)?;
        let sets = match is_meet {
            true if ply <= solution.run.progress().forward.unwrap_or(0) => {
                Some(PlySets::read(solution, ply)?)
            }
            true => break,
            false => None,
        };
        if let Some(sets) = &sets {
            let extra = sets.all().count()?.saturating_sub(list.codes().len() as u128);
            report.wrong(extra, || format!("ply {ply}: {}", not_in_table(extra)));
        }
        let of_row = |(word, code): &(Vec<u8>, u16), report: &mut Report| {
            let position = Position { board: table.game.board_of(word), side: list.side };
            let said = match &sets {
                Some(sets) => sets.value_of(&solution.game.word_of(&position.board)),
                None => Some(solution.get(&position.board, position.side)?),
            };
            compare_one(solution, Some(&distinct), &position, said, outcome(*code), report);
            Ok(())
        };
        of_rows(list.iter().map(Ok), &of_row, &mut report, resources, &pool)?;
        distinct.add(list.side, &list.set)?;
    }
    Ok(report)
}

/// Compares a run with a table of reached positions by key. A run of all plies must cover every listed position, and the table must
/// list every position that a run from the start reaches.
fn against_keyed(solution: &StoredRun, table: &KeyedTable, resources: &Resources) -> Result<Report> {
    table.verify_digest()?;
    let header = table.header();
    must_have_rules(solution, table.path(), &header.fingerprint, &header.spec)?;
    let mut report = Report::default();
    let mut contained = Vec::new();
    // Some admissible positions cannot be reached.
    if solution.run.manifest.request.admissible_from.is_none() {
        for side in Side::BOTH {
            contained.extend(solution.contained(side, resources)?);
        }
    }
    let num_listed = AtomicU64::new(0);
    let of_row = |(position, code): &KeyedRow, report: &mut Report| {
        let said = solution.look_up(&position.board, position.side)?;
        let is_contained = |set: &Dfa| set.contains(&solution.game.word_of(&position.board));
        if contained.get(position.side.index()).is_some_and(is_contained) {
            num_listed.fetch_add(1, Ordering::Relaxed);
        }
        if said.is_some() || solution.is_complete() {
            compare_one(solution, None, position, said, code16::outcome(*code), report);
        }
        Ok(())
    };
    of_rows(table.rows()?, &of_row, &mut report, resources, &resources.pool()?)?;
    let mut extra = 0u128;
    for set in &contained {
        extra = extra.saturating_add(set.count()?);
    }
    extra = extra.saturating_sub(num_listed.into_inner().into());
    report.wrong(extra, || not_in_table(extra));
    Ok(report)
}

/// Describes positions of a run that a table lacks.
fn not_in_table(extra: u128) -> String {
    format!("the number of positions of the run that are not in the table is {}", grouped(extra))
}

/// Calls `of_row` with each row, on all threads, and adds what it reports.
fn of_rows<T: Send + Sync>(
    mut rows: impl Iterator<Item = Result<T>>,
    of_row: &(dyn Fn(&T, &mut Report) -> Result<()> + Sync),
    report: &mut Report,
    resources: &Resources,
    pool: &ThreadPool,
) -> Result<()> {
    loop {
        let batch: Vec<T> = rows.by_ref().take(BATCH).collect::<Result<_>>()?;
        if batch.is_empty() {
            return Ok(());
        }
        resources.must_go_on()?;
        let of_chunk = |chunk: &[T]| {
            let mut report = Report::default();
            chunk.iter().try_for_each(|row| of_row(row, &mut report))?;
            Ok(report)
        };
        let parts: Result<Vec<_>> = pool.install(|| batch.par_chunks(BATCH / CHUNKS).map(of_chunk).collect());
        parts?.into_iter().for_each(|part| report.merge(part));
    }
}

/// Compares the reached positions of a run by meet in the middle with a table of all positions.
fn reached_against_all(solution: &StoredRun, table: &mut TableFile, resources: &Resources) -> Result<Report> {
    let indexer = table.indexer().clone();
    let mut report = Report::default();
    let mut distinct = Distinct::new(solution, resources)?;
    for ply in 0..=solution.run.progress().forward.unwrap_or(0) {
        resources.must_go_on()?;
        let sets = PlySets::read(solution, ply)?;
        let side = solution.side_at(ply);
        for word in sets.all().words() {
            let position = Position { board: solution.game.board_of(&word), side };
            let index = indexer.index_of(&position.board).ok_or_else(|| Error::Mismatch {
                what: "a board of the run".into(),
                found: solution.game.format_position(&position),
                expected: "a board of the table".into(),
            })?;
            let said = sets.value_of(&word);
            let expected = table.value(side, index)?;
            compare_one(solution, Some(&distinct), &position, said, expected, &mut report);
        }
        distinct.add(side, sets.all())?;
    }
    Ok(report)
}

/// Compares what a run says about a position with the outcome in a table. Depths are compared if both contain them.
/// If positions occur at several plies, `distinct` holds those of the plies compared before.
fn compare_one(
    solution: &StoredRun,
    distinct: Option<&Distinct>,
    position: &Position,
    said: Option<Outcome>,
    expected: Outcome,
    report: &mut Report,
) {
    let has_depths = said.and_then(Outcome::depth).is_some() && expected.depth().is_some();
    // A table of a run with a limited number of plies claims nothing about the positions that it leaves unknown.
    let fits = said.is_some_and(|said| match (expected, has_depths) {
        (Outcome::Unknown, _) => true,
        (_, true) => agrees(solution, said, expected),
        (_, false) => said.value() == expected.value() || agrees(solution, said, expected),
    });
    let word = solution.game.word_of(&position.board);
    let is_unknown = [said.unwrap_or_default(), expected].contains(&Outcome::Unknown);
    let is_new = distinct.is_none_or(|distinct| distinct.is_new(position.side, &word));
    let is_wrong = !fits && distinct.is_none_or(|distinct| distinct.is_newly_wrong(position.side, &word));
    report.checked += u128::from(is_new && !is_unknown);
    report.wrong(is_wrong.into(), || {
        let said = said.map_or("nothing".to_string(), |said| said.to_string());
        let text = solution.game.format_position(position);
        format!("{text}: the run says {said}, the table says {expected}\n{}", solution.game.draw(position))
    });
}

/// Returns the values of the run, with depths if it has them.
fn map_of(solution: &StoredRun, side: Side, resources: &Resources) -> Result<ValueMap> {
    if solution.has_depths() {
        solution.value_map(side, resources)
    } else {
        solution.category_map(side, resources)
    }
}

/// Returns `true` if the code `said` of a run contradicts `expected`.
fn is_wrong(solution: &StoredRun, said: u16, expected: u16) -> bool {
    if said == expected {
        return false;
    }
    let [said, expected] = [said, expected].map(code16::outcome);
    let is_of_value = !solution.has_depths() && said.value() == expected.value();
    !is_of_value && !agrees(solution, said, expected)
}

fn difference(
    solution: &StoredRun,
    indexer: &Indexer,
    side: Side,
    index: u64,
    stored: u16,
    expected: u16,
) -> String {
    let board = indexer.board_of(index).unwrap_or_default();
    let position = Position { board, side };
    format!(
        "{}: the run says {}, the table says {}\n{}",
        solution.game.format_position(&position),
        code16::outcome(stored),
        code16::outcome(expected),
        solution.game.draw(&position)
    )
}

/// Returns the names of the values of a position, of which there should be exactly one.
fn named(values: &[Value]) -> String {
    let names: Vec<String> = values.iter().map(Value::to_string).collect();
    if names.is_empty() { "unknown".into() } else { names.join(" and ") }
}
