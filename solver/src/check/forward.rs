//! Checks every position of a table file by playing forward: compares its value and depth, by the plain rules, with
//! those stored for the positions to which its moves lead.
//!
//! No code that created the table is used here. The index of a board is computed independently from the header of the
//! file.
//!
//! A table that passes is correct. By induction over depths, every stored win and loss is correct with its exact depth.
//! A stored draw has a move to a draw and none to a loss, so neither side can force a win.
//!
//! A table of reached positions is checked ply by ply. The automata in it say which positions it lists. Unless the number
//! of plies was limited, the same argument shows that the values and depths of these positions are correct.

use std::path::Path;
use std::sync::Arc;

use nerode_dfa::Ranking;
use nerode_games::{Game, Move, Position, Registry, Side};
use rayon::prelude::*;

use super::{Report, fits};
use crate::archive::table::keyed::KeyedTable;
use crate::archive::table::reached::{self, PlyHeader, ReachedTable};
use crate::archive::table::{TableFile, TableHeader};
use crate::error::{Error, Result};
use crate::outcome::code16::{self, DRAW, UNKNOWN};
use crate::outcome::{Depth, Outcome};
use crate::solve::resources::Resources;

/// The number of positions that a thread takes at a time.
const CHUNK: u64 = 1 << 14;
/// The number of chunks between two progress reports.
const CHUNKS: u64 = 64;

/// Opens a table and the game named in its header, which `registry` opens.
///
/// # Errors
/// Returns an error for a damaged table and for a table of a game or rules that this program does not know, or
/// [`Error::Corrupt`] if its boards or its start position are not those of the game.
pub fn open_table(path: &Path, registry: &Registry) -> Result<(TableFile, Arc<dyn Game>)> {
    let table = TableFile::open(path)?;
    let header = table.header();
    let game = registry.open(&header.spec)?;
    table.check_rules(&game.fingerprint())?;
    let (board, side) = game.start();
    let boards = Boards::of(header);
    let start_side = if side == Side::P1 { 1 } else { 2 };
    if header.cell_states != game.cell_states() {
        return Err(Error::corrupt(path, format!("its boards are not those of {}", header.spec)));
    }
    if (header.start_side, Some(header.start_index)) != (start_side, boards.index(&board)) {
        return Err(Error::corrupt(path, format!("its start is not that of {}", header.spec)));
    }
    Ok((table, game))
}

/// Checks every position of both sides. Calls `progress` with the number of positions done and the total number.
///
/// Cost: 4 bytes of memory per board for the codes, and one look-up for every position to which a move leads, on the
/// threads of the current pool.
///
/// # Errors
/// Returns [`Error::TooLarge`], an error if the digest differs, or [`Error::Interrupted`].
pub fn check(
    table: &mut TableFile,
    game: &dyn Game,
    resources: &Resources,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Report> {
    let num_positions = table.header().num_positions;
    let needed_bytes = 4 * u128::from(num_positions);
    if needed_bytes > u128::from(resources.memory) {
        let what = "this table in memory".to_string();
        return Err(Error::TooLarge { what, needed_bytes, limit_bytes: resources.memory });
    }
    table.verify_digest()?;
    let boards = Boards::of(table.header());
    let codes = [read(table, Side::P1)?, read(table, Side::P2)?];
    // A table of a run of limited length leaves positions unknown, but only those beyond the depths that it contains.
    let all = || codes.iter().flatten().map(|&code| code16::outcome(code));
    let is_limited = all().any(|outcome| outcome == Outcome::Unknown);
    let cut_after = is_limited.then(|| all().filter_map(Outcome::depth).max().unwrap_or(0));
    let player = Player { game, boards, codes, cut_after };
    let mut report = Report::default();
    for side in Side::BOTH {
        for first in (0..num_positions).step_by((CHUNK * CHUNKS) as usize) {
            resources.must_go_on()?;
            let last = num_positions.min(first + CHUNK * CHUNKS);
            let chunks: Vec<u64> = (first..last).step_by(CHUNK as usize).collect();
            let chunk = |&at: &u64| player.chunk(side, at..last.min(at + CHUNK));
            let found: Vec<Report> = chunks.par_iter().map(chunk).collect();
            found.into_iter().for_each(|part| report.merge(part));
            progress(last + if side == Side::P2 { num_positions } else { 0 }, 2 * num_positions);
        }
    }
    Ok(report)
}

fn read(table: &mut TableFile, side: Side) -> Result<Vec<u16>> {
    table.codes(side)?.collect()
}

/// A player that plays forward from the positions of a table.
struct Player<'a> {
    game: &'a dyn Game,
    boards: Boards,
    codes: [Vec<u16>; 2],
    /// The greatest depth, if some positions are unknown.
    cut_after: Option<u32>,
}

impl Player<'_> {
    fn chunk(&self, side: Side, indices: std::ops::Range<u64>) -> Report {
        let mut report = Report::default();
        let (mut board, mut next, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        for index in indices {
            self.boards.board(index, &mut board);
            let stored = self.code(side, index);
            let code_after =
                |board: &[u8]| self.boards.index(board).and_then(|index| self.code(side.other(), index));
            let expected = one_ply(self.game, &board, side, code_after, &mut next, &mut moves);
            let [said, implied] = [stored, expected].map(|code| code.map(code16::outcome));
            let fits = match (said, implied) {
                (Some(said), Some(implied)) => fits(said, implied, self.cut_after),
                _ => stored == expected,
            };
            report.position(said == Some(Outcome::Unknown), !fits, || {
                let position = Position { board: board.clone(), side };
                let said = expected.map_or("a depth that no table can represent".to_string(), |code| {
                    code16::outcome(code).to_string()
                });
                let stored = stored.map_or("nothing".to_string(), |code| code16::outcome(code).to_string());
                format!(
                    "{}: the table says {stored}, but its moves imply {said}\n{}",
                    self.game.format_position(&position),
                    self.game.draw(&position)
                )
            });
        }
        report
    }

    fn code(&self, side: Side, index: u64) -> Option<u16> {
        self.codes[side.index()].get(usize::try_from(index).ok()?).copied()
    }
}

/// Returns the code of a board derived from the codes of its successors, or `None` if the rules and the table do not
/// determine it.
fn one_ply(
    game: &dyn Game,
    board: &[u8],
    side: Side,
    code_after: impl Fn(&[u8]) -> Option<u16>,
    next: &mut Vec<u8>,
    moves: &mut Vec<Move>,
) -> Option<u16> {
    if let Some(value) = game.outcome(board, side) {
        return Some(code16::terminal(value));
    }
    moves.clear();
    game.legal_moves(board, side, moves);
    let (mut quickest_loss, mut slowest_win, mut drawn, mut open) = (None, None, false, false);
    for mv in moves.iter() {
        next.clear();
        next.extend_from_slice(board);
        mv.iter().for_each(|change| next[usize::from(change.cell)] = change.after);
        match code_after(next) {
            None | Some(UNKNOWN) => open = true,
            Some(DRAW) => drawn = true,
            Some(code) if code16::is_loss(code) => {
                quickest_loss = Some(quickest_loss.map_or(code, |least: u16| least.min(code)));
            }
            Some(code) => slowest_win = slowest_win.max(Some(code)),
        }
    }
    match (quickest_loss, slowest_win) {
        (Some(loss), _) => code16::win_in(code16::depth(loss) + 1),
        _ if open => None,
        _ if drawn => Some(DRAW),
        (None, Some(win)) => code16::loss_in(code16::depth(win) + 1),
        (None, None) => None,
    }
}

/// Checks every position of a table of reached positions by key. Calls `progress` with the number of positions done and the
/// total number. Every move must lead to a listed position, and the start must be listed.
///
/// Cost: constant memory, and one look-up in the file for every position to which a move leads.
///
/// # Errors
/// Returns an error if the digest differs or the file is damaged, or [`Error::Interrupted`].
pub fn check_keyed(
    table: &KeyedTable,
    resources: &Resources,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Report> {
    table.verify_digest()?;
    let game = table.game.as_ref();
    let total = table.header().num_positions;
    let mut report = Report::default();
    let (start, side) = game.start();
    let is_listed = table.get(&start, side)?.is_some();
    report.wrong(u128::from(!is_listed), || "the start is not among the positions".to_string());
    let (mut next, mut moves, mut done) = (Vec::new(), Vec::new(), 0);
    table.each(&mut |(position, code)| {
        resources.must_go_on()?;
        let (failure, unlisted) = (std::cell::RefCell::new(None), std::cell::Cell::new(false));
        let code_after = |board: &[u8]| match table.get(board, position.side.other()) {
            Ok(found) => {
                unlisted.set(unlisted.get() || found.is_none());
                found.and_then(code16::code)
            }
            Err(error) => {
                failure.replace(Some(error));
                None
            }
        };
        let expected = one_ply(game, &position.board, position.side, code_after, &mut next, &mut moves);
        if let Some(error) = failure.into_inner() {
            return Err(error);
        }
        report.checked += 1;
        report.wrong(u128::from(unlisted.get() || expected != Some(code)), || {
            let implied = match (unlisted.get(), expected.map(code16::outcome)) {
                (true, _) => "one of its moves leads to a position that is not listed".into(),
                (false, Some(outcome)) => format!("its moves imply {outcome}"),
                (false, None) => "its moves imply a depth that no table can represent".into(),
            };
            let stored = code16::outcome(code);
            let (text, drawing) = (game.format_position(&position), game.draw(&position));
            format!("{text}: the table says {stored}, but {implied}\n{drawing}")
        });
        done += 1;
        if done % CHUNK == 0 || done == total {
            progress(done, total);
        }
        Ok(())
    })?;
    Ok(report)
}

/// Checks every position of a table of reached positions. Calls `progress` with the number of positions done and the
/// total number. If the depth of a position is unknown, only its value is checked. Positions of the last ply whose moves
/// lead beyond the table are not checked, and must not have a depth.
///
/// Cost: the codes and automata of two plies in memory, and one look-up for every position to which a move leads, on
/// the threads of the current pool.
///
/// # Errors
/// Returns an error if the digest differs or the file is damaged, [`Error::TooLarge`], or [`Error::Interrupted`].
pub fn check_reached(
    table: &ReachedTable,
    resources: &Resources,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Report> {
    check_plies(table, false, resources, progress)
}

/// Checks a table as [`check_reached`] does. If the table `is_early` and ends before the positions do, the positions of its last ply
/// may have depths, which are not checked.
pub(super) fn check_plies(
    table: &ReachedTable,
    is_early: bool,
    resources: &Resources,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Report> {
    let plies = &table.header().plies;
    let codes = |plies: &[PlyHeader]| plies.iter().map(|ply| 2 * u128::from(ply.num_positions)).sum();
    let needed_bytes: u128 = plies.windows(2).map(codes).max().unwrap_or_else(|| codes(plies));
    if needed_bytes > u128::from(resources.memory) {
        let what = "the codes of two plies".to_string();
        return Err(Error::TooLarge { what, needed_bytes, limit_bytes: resources.memory });
    }
    table.verify_digest()?;
    let total = table.header().num_positions();
    let mut report = Report::default();
    let mut done = 0;
    let (start, _) = table.game.start();
    let mut now = table.ply(0)?;
    report.wrong(u128::from(!now.set.contains(&table.game.word_of(&start))), || {
        "the start is not among the positions of ply 0".to_string()
    });
    for ply in 0..table.num_plies() {
        let next = (ply + 1 < table.num_plies()).then(|| table.ply(ply + 1)).transpose()?;
        let after =
            next.as_ref().map(|next| Ok::<_, Error>((next.set.ranking()?, next.codes()))).transpose()?;
        let checker = ReachedPly { game: table.game.as_ref(), ply, side: now.side, after, is_early };
        let mut rows = now.iter();
        loop {
            let batch: Vec<(Vec<u8>, u16)> = rows.by_ref().take((CHUNK * CHUNKS) as usize).collect();
            if batch.is_empty() {
                break;
            }
            resources.must_go_on()?;
            let parts: Vec<Report> =
                batch.par_chunks(CHUNK as usize).map(|chunk| checker.chunk(chunk)).collect();
            parts.into_iter().for_each(|part| report.merge(part));
            done += batch.len() as u64;
            progress(done, total);
        }
        drop(rows);
        match next {
            Some(next) => now = next,
            None => break,
        }
    }
    Ok(report)
}

/// A ply of a table of reached positions, and the codes of the next one with the numbering of its positions.
struct ReachedPly<'a> {
    game: &'a dyn Game,
    ply: u32,
    side: Side,
    after: Option<(Ranking, &'a [u16])>,
    /// Whether positions of the last ply may have depths.
    is_early: bool,
}

impl ReachedPly<'_> {
    fn chunk(&self, rows: &[(Vec<u8>, u16)]) -> Report {
        let mut report = Report::default();
        let (mut next, mut moves) = (Vec::new(), Vec::new());
        for (word, code) in rows {
            let board = self.game.board_of(word);
            let stored = reached::outcome(*code);
            let has_depth = stored.depth().is_some();
            // Without a depth, only the values are compared, and all depths count as 0.
            // Whether the table lists all positions to which a move leads, and whether none may be a loss of unknown depth.
            let (is_complete, is_exact) = (std::cell::Cell::new(true), std::cell::Cell::new(true));
            let code_after = |board: &[u8]| {
                let code = self.code(board);
                is_complete.set(is_complete.get() && code.is_some());
                let code = code?;
                let may_be_quicker =
                    matches!(reached::outcome(code), Outcome::Unknown | Outcome::Loss(Depth::Unknown));
                is_exact.set(is_exact.get() && !may_be_quicker);
                let value = reached::outcome(code).value();
                Some(if has_depth { code } else { value.map_or(UNKNOWN, code16::terminal) })
            };
            let expected = one_ply(self.game, &board, self.side, code_after, &mut next, &mut moves);
            if expected.is_none() && self.after.is_none() && (self.is_early || !has_depth) {
                continue;
            }
            if !is_complete.get() {
                report.position(false, true, || {
                    format!("ply {}: a move leads to a position that is not listed", self.ply)
                });
                continue;
            }
            let expected = expected.map(code16::outcome);
            let fits = match has_depth {
                true => expected == Some(stored) && is_exact.get(),
                false => expected.map_or(stored == Outcome::Unknown, |it| it.value() == stored.value()),
            };
            report.position(stored == Outcome::Unknown, !fits, || {
                let position = Position { board: board.clone(), side: self.side };
                let said = expected.map_or("nothing".to_string(), |said| said.to_string());
                format!(
                    "ply {}, {}: the table says {stored}, but its moves imply {said}\n{}",
                    self.ply,
                    self.game.format_position(&position),
                    self.game.draw(&position)
                )
            });
        }
        report
    }

    /// Returns the code of a board of the next ply, or `None` if the table does not list it.
    fn code(&self, board: &[u8]) -> Option<u16> {
        let (ranking, codes) = self.after.as_ref()?;
        let rank = ranking.rank(&self.game.word_of(board))?;
        codes.get(usize::try_from(rank).ok()?).copied()
    }
}

/// The correspondence of boards and indices defined by the header of a table.
struct Boards(Vec<Cell>);

/// One cell of a board.
struct Cell {
    /// The content of each digit.
    content: Vec<u8>,
    /// The contribution of each content to the index.
    share: Vec<u64>,
    /// The contribution of the digit 1.
    weight: u64,
}

impl Boards {
    fn of(header: &TableHeader) -> Self {
        let mut weight = 1u64;
        let mut cells = Vec::with_capacity(header.digits.len());
        for digits in header.digits.iter().rev() {
            let mut content = vec![0; digits.len()];
            for (value, &digit) in (0..=u8::MAX).zip(digits) {
                // The digits of an opened table are a permutation.
                content[usize::from(digit)] = value;
            }
            let share = digits.iter().map(|&digit| u64::from(digit) * weight).collect();
            cells.push(Cell { content, share, weight });
            // Their product is the number of positions, which fits.
            weight = weight.saturating_mul(digits.len() as u64);
        }
        cells.reverse();
        Self(cells)
    }

    fn board(&self, index: u64, board: &mut Vec<u8>) {
        board.clear();
        board.extend(self.0.iter().map(|cell| {
            let digit = (index / cell.weight) % cell.content.len() as u64;
            cell.content[digit as usize]
        }));
    }

    /// Returns `None` if `board` is not a board of the game.
    fn index(&self, board: &[u8]) -> Option<u64> {
        if board.len() != self.0.len() {
            return None;
        }
        self.0.iter().zip(board).map(|(cell, &content)| cell.share.get(usize::from(content))).sum()
    }
}
