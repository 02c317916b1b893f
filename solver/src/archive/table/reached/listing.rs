//! Lists the reached positions of a run with their values and depths.

use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use nerode_dfa::disk::File;
use nerode_dfa::{Dfa, Letter, Ranking};
use nerode_games::{Move, Position, Side, Value, grouped};
use rayon::ThreadPool;
use rayon::prelude::*;

use super::{LOSS, WIN, code_of, outcome, read_codes, write_codes};
use crate::archive::run_dir::Kind;
use crate::archive::stored_run::{PlySets, StoredRun};
use crate::error::{Error, Result, RunNeeds};
use crate::outcome::{Outcome, code16};
use crate::solve::method::Method;
use crate::solve::resources::Resources;

/// The number of positions that a thread takes at a time.
const CHUNK: usize = 1 << 14;
/// The number of these parts between two progress reports.
const CHUNKS: usize = 64;
/// The number of bytes that the ranking of an automaton takes for each state.
const RANKING_BYTES: u64 = 16;

/// The codes of all reached positions of a run, in an unnamed file.
pub struct Listing<'a> {
    run: &'a StoredRun,
    folder: PathBuf,
    codes: Mutex<File>,
    /// For each ply, the number of positions and the offset of its codes in the file.
    plies: Vec<(u64, u64)>,
    /// The number of positions of unknown value, and of those with a value and an unknown depth.
    num_open: (u64, u64),
}

/// The positions of one ply in the order of their ranks.
pub struct PlyList {
    /// The ply.
    pub ply: u32,
    /// The side to move.
    pub side: Side,
    /// `R_i`.
    pub set: Dfa,
    pub(super) codes: Vec<u16>,
}

impl PlyList {
    /// Returns the words with their codes, see [`outcome`].
    pub fn iter(&self) -> impl Iterator<Item = (Vec<Letter>, u16)> + '_ {
        self.set.words().zip(self.codes.iter().copied())
    }

    /// Returns the words with their codes, like [`PlyList::iter`].
    pub fn into_rows(self) -> impl Iterator<Item = (Vec<Letter>, u16)> {
        self.set.words().zip(self.codes)
    }

    /// Returns the list of the positions `set` of a ply with the given codes, one for each word.
    pub(crate) fn new(ply: u32, side: Side, set: Dfa, codes: Vec<u16>) -> Self {
        Self { ply, side, set, codes }
    }

    /// Returns the number of positions of unknown value, and of those with a value and an unknown depth.
    pub(crate) fn num_open(&self) -> (u64, u64) {
        let count = |is_one: fn(u16) -> bool| self.codes.iter().filter(|&&code| is_one(code)).count() as u64;
        (count(|code| code == code16::UNKNOWN), count(|code| code == WIN || code == LOSS))
    }

    /// Returns the codes in the order of the words.
    pub fn codes(&self) -> &[u16] {
        &self.codes
    }
}

impl<'a> Listing<'a> {
    /// Determines value and depth of every position that a run by meet in the middle has reached. The codes go to an
    /// unnamed file in `folder`. Calls `progress` with the number of positions done and the total number.
    ///
    /// A depth stays unknown only in a run of a limited number of plies, if it depends on positions beyond the last one.
    ///
    /// Cost: one look-up for each move of each position. The codes and automata of two plies are in memory, except for
    /// automata that the run keeps in files because they are large in comparison with its memory.
    ///
    /// # Errors
    /// Returns [`Error::WrongRun`] for a retrograde run, whose values are those of all positions;
    /// [`Error::NotFinished`]; [`Error::TooLarge`] if two plies do not fit into memory; [`Error::Corrupt`] if a value in
    /// the sets contradicts those of the next ply; or an error if a file is damaged or the disk is full.
    pub fn new(
        run: &'a StoredRun,
        folder: &Path,
        resources: &Resources,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self> {
        if run.method() != Method::Meet {
            return Err(Error::WrongRun { wanted: "a list of reached positions", needs: RunNeeds::Meet });
        }
        run.must_be_finished()?;
        let plies = places(run)?;
        let total = plies.iter().map(|(count, _)| count).sum();
        resources.disk.must_hold(folder, 2 * total)?;
        let io = |e| Error::io(folder, e);
        let mut codes = File::nameless(folder).map_err(io)?;
        let pool = resources.pool()?;
        let (mut done, mut num_open) = (0, (0, 0));
        let mut next: Option<PlyList> = None;
        for (ply, &(count, at)) in (0..plies.len() as u32).zip(&plies).rev() {
            let mut watch = |of_ply: u64| progress(done + of_ply, total);
            let now = ply_by_moves(run, ply, next.as_ref(), resources, &pool, &mut watch)?;
            codes.seek(SeekFrom::Start(at)).and_then(|_| write_codes(&mut codes, &now.codes)).map_err(io)?;
            let of_ply = now.num_open();
            num_open = (num_open.0 + of_ply.0, num_open.1 + of_ply.1);
            done += count;
            next = Some(now);
        }
        progress(done, total);
        Ok(Self { run, folder: folder.into(), codes: Mutex::new(codes), plies, num_open })
    }

    /// Returns the number of positions of each ply.
    pub fn counts(&self) -> impl Iterator<Item = u64> + '_ {
        self.plies.iter().map(|(count, _)| *count)
    }

    /// Returns the number of positions of unknown value, and of those with a value and an unknown depth.
    pub fn num_open(&self) -> (u64, u64) {
        self.num_open
    }

    /// Returns the run.
    pub fn run(&self) -> &'a StoredRun {
        self.run
    }

    /// Reads the positions of a ply.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or an error if the file of `R_i` is damaged.
    ///
    /// # Panics
    /// Panics if the run does not have so many plies.
    pub fn ply(&self, ply: u32) -> Result<PlyList> {
        let side = self.run.side_at(ply);
        let set = self.run.read(Kind::R, side, ply)?;
        let (count, at) = self.plies[ply as usize];
        let mut file = self.codes.lock().unwrap_or_else(PoisonError::into_inner);
        let codes = read_codes(&mut file, at, count).map_err(|e| Error::io(&self.folder, e))?;
        Ok(PlyList { ply, side, set, codes })
    }
}

/// Returns the number of positions of each ply, and the offset of their codes.
fn places(run: &StoredRun) -> Result<Vec<(u64, u64)>> {
    let mut at = 0u64;
    let mut places = Vec::new();
    let too_many = |needed_bytes| Error::TooLarge {
        what: "the codes of all reached positions".into(),
        needed_bytes,
        limit_bytes: i64::MAX as u64,
    };
    for ply in 0..=run.run.progress().forward.unwrap_or(0) {
        let count = run.entry(Kind::R, run.side_at(ply), ply)?.num_positions;
        let end = count.saturating_mul(2).saturating_add(at.into());
        if end > i64::MAX as u128 {
            return Err(too_many(end));
        }
        places.push((count as u64, at));
        at = end as u64;
    }
    Ok(places)
}

/// Determines the codes of a ply from those of the next one, whose list may lack some depths. Calls `watch` with the
/// number of positions done.
///
/// # Errors
/// Returns the errors of [`Listing::new`] that concern one ply.
pub(crate) fn ply_by_moves(
    run: &StoredRun,
    ply: u32,
    next: Option<&PlyList>,
    resources: &Resources,
    pool: &ThreadPool,
    watch: &mut dyn FnMut(u64),
) -> Result<PlyList> {
    let sets = PlySets::read(run, ply)?;
    let set = sets.all().clone();
    let count = run.entry(Kind::R, run.side_at(ply), ply)?.num_positions;
    let states = set.num_states() + next.map_or(0, |next| next.set.num_states());
    let needed_bytes = 2 * count
        + 2 * next.map_or(0, |next| next.codes.len() as u128)
        + u128::from(RANKING_BYTES) * states as u128;
    if needed_bytes > u128::from(resources.memory) {
        let what = format!("the codes of two plies with {} positions in one of them", grouped(count));
        return Err(Error::TooLarge { what, needed_bytes, limit_bytes: resources.memory });
    }
    let ranking = set.ranking()?;
    if ranking.count() != count {
        let [listed, has] = [count, ranking.count()].map(grouped);
        let reason = format!("it lists {listed} positions of ply {ply}, but the set has {has}");
        return Err(Error::corrupt(run.run.manifest_path(), reason));
    }
    let after = next.map(|next| Ok::<_, Error>((next.set.ranking()?, next.codes()))).transpose()?;
    let maker = Maker { run, ply, sets: &sets, after, layer_of_cell: run.game.layer_of_cell() };
    let mut codes = vec![code16::UNKNOWN; count as usize];
    for (group, codes) in codes.chunks_mut(CHUNK * CHUNKS).enumerate() {
        resources.must_go_on()?;
        let first = group * CHUNK * CHUNKS;
        watch(first as u64);
        let of_chunk = |(chunk, codes): (usize, &mut [u16])| {
            maker.chunk(&ranking, &set, (first + chunk * CHUNK) as u128, codes)
        };
        pool.install(|| codes.par_chunks_mut(CHUNK).enumerate().try_for_each(of_chunk))?;
    }
    Ok(PlyList { ply, side: run.side_at(ply), set, codes })
}

/// The positions of a ply, and the codes of the next one with the numbering of its positions.
struct Maker<'a> {
    run: &'a StoredRun,
    ply: u32,
    sets: &'a PlySets,
    after: Option<(Ranking, &'a [u16])>,
    layer_of_cell: Vec<usize>,
}

impl Maker<'_> {
    /// Determines the codes of the words from rank `first` on.
    fn chunk(&self, ranking: &Ranking, set: &Dfa, first: u128, codes: &mut [u16]) -> Result<()> {
        let Some(word) = ranking.unrank(first) else { return Ok(()) };
        let rest = set.words_after(&word)?;
        let mut moves = Vec::new();
        for (code, mut word) in codes.iter_mut().zip(std::iter::once(word).chain(rest)) {
            let position =
                Position { board: self.run.game.board_of(&word), side: self.run.side_at(self.ply) };
            *code = self.code(&position, &mut word, &mut moves)?;
        }
        Ok(())
    }

    /// Determines the code of a position and its word, whose value by the sets must be that by its moves.
    fn code(&self, position: &Position, word: &mut [Letter], moves: &mut Vec<Move>) -> Result<u16> {
        let stored = self.sets.value_of_reached(word);
        let shown = self.by_moves(position, word, moves);
        match (stored.value(), shown) {
            (Some(value), Some(code)) if outcome(code).value() == Some(value) => Ok(code),
            (Some(value), None) => Ok(code_of(value, None)),
            (None, None) => Ok(code16::UNKNOWN),
            (_, Some(code)) => Err(self.contradiction(position, stored, code)),
        }
    }

    /// Returns the code of a position that its moves imply, or `None` if they do not decide it.
    fn by_moves(&self, position: &Position, word: &mut [Letter], moves: &mut Vec<Move>) -> Option<u16> {
        let game = self.run.game.as_ref();
        let Position { board, side } = position;
        if let Some(value) = game.outcome(board, *side) {
            return Some(code16::terminal(value));
        }
        moves.clear();
        game.legal_moves(board, *side, moves);
        // The least code of a loss after a move, and the greatest code of a win. A code of unknown depth is greater than
        // all others, but that depth may be less.
        let (mut loss, mut win) = (None::<u16>, None::<u16>);
        let (mut has_draw, mut is_open, mut is_deep) = (false, false, false);
        for mv in moves.iter() {
            let outcome = self.code_after(board, word, mv).map(|code| (code, outcome(code)));
            match outcome {
                None | Some((_, Outcome::Unknown)) => is_open = true,
                Some((_, Outcome::Draw { .. })) => has_draw = true,
                Some((code, Outcome::Loss(depth))) => {
                    is_deep |= depth.exact().is_none();
                    loss = Some(loss.map_or(code, |least| least.min(code)));
                }
                Some((code, Outcome::Win(_))) => win = win.max(Some(code)),
            }
        }
        let one_more = |code: u16| outcome(code).depth().and_then(|plies| u16::try_from(plies + 1).ok());
        match (loss, win) {
            (Some(loss), _) => {
                // Another move may lead to a loss of unknown depth, which may be the quickest one.
                Some(code_of(Value::Win, one_more(loss).filter(|_| !is_deep && !is_open)))
            }
            _ if is_open => None,
            _ if has_draw => Some(code16::DRAW),
            (None, Some(win)) => Some(code_of(Value::Loss, one_more(win))),
            (None, None) => None,
        }
    }

    /// Returns the code of the position after a move, or `None` if it is not among those of the next ply. `word` is that of `board`.
    fn code_after(&self, board: &[u8], word: &mut [Letter], mv: &Move) -> Option<u16> {
        let (ranking, codes) = self.after.as_ref()?;
        let layer = |cell: u16| self.layer_of_cell[usize::from(cell)];
        mv.iter().for_each(|change| word[layer(change.cell)] = change.after);
        let rank = ranking.rank(word);
        mv.iter().for_each(|change| word[layer(change.cell)] = board[usize::from(change.cell)]);
        codes.get(usize::try_from(rank?).ok()?).copied()
    }

    fn contradiction(&self, position: &Position, stored: Outcome, code: u16) -> Error {
        let reason = format!(
            "ply {}, {}: the sets say {stored}, but the moves imply {}",
            self.ply,
            self.run.game.format_position(position),
            outcome(code)
        );
        Error::corrupt(self.run.run.manifest_path(), reason)
    }
}
