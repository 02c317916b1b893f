//! Checks packed values against the sets of their run: every block by its checksum, and every position of small runs, or
//! positions at equal distances in the sets of large ones, together with words in which two of their letters are exchanged.

use nerode_dfa::{Letter, Ranking};
use nerode_games::{Position, Value};
use rayon::prelude::*;

use crate::archive::packed::Packed;
use crate::archive::stored_run::{PlySets, StoredRun};
use crate::check::Report;
use crate::check::distinct::Distinct;
use crate::error::{Error, Result};
use crate::solve::resources::Resources;

/// The maximum number of positions of a ply that are compared.
const MOST: u128 = 1 << 20;
/// The number of positions that a thread takes at a time.
const CHUNK: u128 = 1 << 12;

/// Compares packed values with the sets of their run.
///
/// Cost: reads the file once. For each ply, reads its sets and looks up at most some two million words.
///
/// # Errors
/// Returns an error if a file is damaged, the run lacks a ply, or the check is interrupted.
pub(super) fn check(packed: &Packed, source: &StoredRun, resources: &Resources) -> Result<Report> {
    packed.verify()?;
    let last = source.run.progress().forward.unwrap_or(0);
    if packed.last_ply() != last {
        return Err(Error::Mismatch {
            what: "packed values".into(),
            found: format!("plies 0 to {}", packed.last_ply()),
            expected: format!("plies 0 to {last}"),
        });
    }
    let pool = resources.pool()?;
    let mut report = Report::default();
    let mut distinct = Distinct::new(source, resources)?;
    for ply in 0..=last {
        let sets = PlySets::read(source, ply)?;
        let ranking = sets.all().ranking()?;
        let step = ranking.count().div_ceil(MOST).max(1);
        let of_ply = OfPly { packed, source, sets: &sets, ply, distinct: &distinct };
        let chunks = ranking.count().div_ceil(step * CHUNK) as u64;
        let of_chunk = |chunk: u64| {
            resources.must_go_on()?;
            let first = u128::from(chunk) * step * CHUNK;
            let end = (first + step * CHUNK).min(ranking.count());
            of_ply.compare(&ranking, (first..end).step_by(step as usize))
        };
        let reports: Vec<Report> =
            pool.install(|| (0..chunks).into_par_iter().map(of_chunk).collect::<Result<_>>())?;
        reports.into_iter().for_each(|of_chunk| report.merge(of_chunk));
        distinct.add(source.side_at(ply), sets.all())?;
    }
    Ok(report)
}

struct OfPly<'a> {
    packed: &'a Packed,
    source: &'a StoredRun,
    sets: &'a PlySets,
    ply: u32,
    distinct: &'a Distinct,
}

impl OfPly<'_> {
    /// Compares the words of the given ranks, and for each of them a word in which two of its letters are exchanged, which does not
    /// count as checked.
    fn compare(&self, ranking: &Ranking, ranks: impl Iterator<Item = u128>) -> Result<Report> {
        let mut report = Report::default();
        let shape = self.source.game.shape();
        for rank in ranks {
            let Some(mut word) = ranking.unrank(rank) else { break };
            let expected = self.compare_word(&word, &mut report)?;
            let is_new = self.distinct.is_new(self.source.side_at(self.ply), &word);
            report.checked += u128::from(is_new && expected.flatten().is_some());
            let length = word.len().max(1) as u128;
            let [one, other] = [rank % length, (rank + 1 + rank / length % length) % length];
            word.swap(one as usize, other as usize);
            // A board that shows another number of plies is never looked up at this one.
            let shown = self.source.game.plies_played(&self.source.game.board_of(&word));
            if shape.check_word(&word).is_ok() && shown.is_none_or(|shown| shown == self.ply) {
                self.compare_word(&word, &mut report)?;
            }
        }
        Ok(report)
    }

    /// Compares one word. Returns its value in the sets, or `None` if they do not contain it.
    fn compare_word(&self, word: &[Letter], report: &mut Report) -> Result<Option<Option<Value>>> {
        let game = self.source.game.as_ref();
        let board = game.board_of(word);
        let expected = self.sets.value_of(word).map(|outcome| outcome.value());
        let found = self.packed.at_ply(word, self.ply)?;
        let side = self.source.side_at(self.ply);
        let is_wrong = found != expected && self.distinct.is_newly_wrong(side, word);
        report.wrong(is_wrong.into(), || {
            let position = Position { board, side };
            format!(
                "ply {}, {}: the packed values say {}, but the sets say {}",
                self.ply,
                game.format_position(&position),
                said(found),
                said(expected)
            )
        });
        Ok(expected)
    }
}

fn said(found: Option<Option<Value>>) -> String {
    match found {
        None => "not reached".into(),
        Some(None) => "unknown".into(),
        Some(Some(value)) => value.to_string(),
    }
}
