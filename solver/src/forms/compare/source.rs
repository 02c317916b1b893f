//! The sets of reached positions that a comparison measures: those that a run stores by ply, or those that are built from a table by
//! side.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Instant;

use nerode_dfa::{Dfa, Letter};
use nerode_games::{Game, Side};

use crate::archive::run_dir::Kind;
use crate::archive::stored_run::{PlySets, StoredRun};
use crate::archive::table::keyed::KeyedTable;
use crate::error::{Error, Result};
use crate::outcome::{code2, code16};
use crate::solve::resources::Resources;

/// The number of bytes for each listed position besides those of its word while sets are built: a slice for each of two lists, and
/// a code.
const BYTES_BESIDES_WORD: usize = 2 * 24 + 1;

/// Where sets of reached positions come from. Their parts are numbered from 0.
pub(super) enum Source<'a> {
    /// A run from the start, whose parts are its plies.
    Run(&'a StoredRun),
    /// A table of reached positions by key, whose parts are the sides.
    Table { table: &'a KeyedTable, sides: Box<[SideSets; 2]>, build_seconds: f64 },
}

/// The reached positions of a side, and those of each value.
pub(super) struct SideSets {
    all: Dfa,
    win: Dfa,
    loss: Dfa,
    draw: Dfa,
}

/// The sets of a part.
pub(super) enum Sets<'a> {
    Ply(Box<PlySets>),
    Side(&'a SideSets),
}

impl Sets<'_> {
    /// Returns the positions of the part.
    pub(super) fn all(&self) -> &Dfa {
        match self {
            Self::Ply(sets) => sets.all(),
            Self::Side(sets) => &sets.all,
        }
    }

    /// Returns the 2-bit code of a position.
    pub(super) fn code(&self, word: &[Letter]) -> u8 {
        match self {
            Self::Ply(sets) => code2::code(sets.value_of(word).unwrap_or_default().value()),
            Self::Side(sets) => {
                let by_code = [(code2::WIN, &sets.win), (code2::LOSS, &sets.loss), (code2::DRAW, &sets.draw)];
                let found = by_code.iter().find(|(_, set)| set.contains(word));
                found.map_or(code2::UNKNOWN, |(code, _)| *code)
            }
        }
    }
}

impl<'a> Source<'a> {
    /// Builds the sets of a table of reached positions.
    ///
    /// # Errors
    /// Returns [`Error::TooLarge`] if the words of all positions do not fit into memory, or an error of the table.
    pub(super) fn of_table(table: &'a KeyedTable, resources: &Resources) -> Result<Self> {
        let began = Instant::now();
        let game = table.game.as_ref();
        let layers = game.shape().num_layers();
        let needed_bytes = u128::from(table.header().num_positions) * (layers + BYTES_BESIDES_WORD) as u128;
        if needed_bytes > resources.memory.into() {
            let what = format!("the list of words of {}", table.path().display());
            return Err(Error::TooLarge { what, needed_bytes, limit_bytes: resources.memory });
        }
        let mut lists: [(Vec<Letter>, Vec<u8>); 2] = Default::default();
        for (number, row) in table.rows()?.enumerate() {
            if number.is_multiple_of(1 << 12) {
                resources.must_go_on()?;
            }
            let (position, code) = row?;
            let (words, codes) = &mut lists[position.side.index()];
            words.extend(game.word_of(&position.board));
            codes.push(code2::code(code16::outcome(code).value()));
        }
        let [first, second] = &lists;
        let sides = Box::new([SideSets::of(game, first)?, SideSets::of(game, second)?]);
        Ok(Self::Table { table, sides, build_seconds: began.elapsed().as_secs_f64() })
    }

    pub(super) fn game(&self) -> &dyn Game {
        match self {
            Self::Run(run) => run.game.as_ref(),
            Self::Table { table, .. } => table.game.as_ref(),
        }
    }

    /// Returns the name of a part.
    pub(super) fn part(&self) -> &'static str {
        match self {
            Self::Run(_) => "ply",
            Self::Table { .. } => "side",
        }
    }

    /// Describes the sets by which forms number positions.
    pub(super) fn reached(&self) -> &'static str {
        match self {
            Self::Run(_) => "the files of R_i",
            Self::Table { .. } => "the sets of reached positions",
        }
    }

    /// Returns the number of positions of each part.
    pub(super) fn counts(&self) -> Result<Vec<u128>> {
        match self {
            Self::Run(run) => {
                let plies = 0..=run.run.progress().forward.unwrap_or(0);
                plies.map(|ply| Ok(run.entry(Kind::R, run.side_at(ply), ply)?.num_positions())).collect()
            }
            Self::Table { sides, .. } => sides.iter().map(|sets| Ok(sets.all.count()?)).collect(),
        }
    }

    /// Returns the sets of a part.
    pub(super) fn sets(&self, part: u32) -> Result<Sets<'_>> {
        match self {
            Self::Run(run) => PlySets::read(run, part).map(|sets| Sets::Ply(Box::new(sets))),
            Self::Table { sides, .. } => Ok(Sets::Side(of_part(sides, part))),
        }
    }

    /// Returns the won, lost, drawn or unknown positions of a part.
    pub(super) fn read(&self, kind: Kind, part: u32) -> Result<Cow<'_, Dfa>> {
        match self {
            Self::Run(run) => run.read(kind, run.side_at(part), part).map(Cow::Owned),
            Self::Table { sides, .. } => {
                let sets = of_part(sides, part);
                Ok(match kind {
                    Kind::RW => Cow::Borrowed(&sets.win),
                    Kind::RL => Cow::Borrowed(&sets.loss),
                    Kind::RD => Cow::Borrowed(&sets.draw),
                    _ => Cow::Owned(Dfa::empty(self.game().shape())),
                })
            }
        }
    }

    /// Returns `true` if every position has a value.
    #[cfg(feature = "bdd")]
    pub(super) fn is_complete(&self) -> bool {
        match self {
            Self::Run(run) => run.is_complete(),
            Self::Table { .. } => true,
        }
    }

    /// Returns the number of bytes of the file of the positions of a part.
    pub(super) fn reached_bytes(&self, part: u32) -> Result<u128> {
        match self {
            Self::Run(run) => Ok(run.entry(Kind::R, run.side_at(part), part)?.stored().bytes().into()),
            Self::Table { sides, .. } => Ok(of_part(sides, part).all.to_bytes()?.len() as u128),
        }
    }

    /// Returns the number of bytes of the files of all sets.
    pub(super) fn bytes(&self) -> Result<u128> {
        match self {
            Self::Run(run) => {
                let mut files: BTreeMap<&str, u64> = BTreeMap::new();
                for ply in 0..=run.run.progress().forward.unwrap_or(0) {
                    for kind in [Kind::R, Kind::RW, Kind::RL, Kind::RD] {
                        let entry = run.entry(kind, run.side_at(ply), ply)?;
                        files.insert(entry.file(), entry.stored().bytes());
                    }
                }
                Ok(files.values().map(|&bytes| u128::from(bytes)).sum())
            }
            Self::Table { sides, .. } => {
                let sets = sides.iter().flat_map(|sets| [&sets.all, &sets.win, &sets.loss, &sets.draw]);
                sets.map(|set| Ok(set.to_bytes()?.len() as u128)).sum()
            }
        }
    }

    /// Describes the sets, and returns the time to build them unless the solve has written them.
    pub(super) fn of_automata(&self) -> (String, Option<f64>) {
        match self {
            Self::Run(_) => ("files of the reached, won, lost and drawn positions by ply".into(), None),
            Self::Table { build_seconds, .. } => {
                let note = "sets of the reached, won, lost and drawn positions by side, built from the table";
                (note.into(), Some(*build_seconds))
            }
        }
    }
}

fn of_part(sides: &[SideSets; 2], part: u32) -> &SideSets {
    &sides[if part == 0 { Side::P1 } else { Side::P2 }.index()]
}

impl SideSets {
    /// Builds the sets of listed words and their codes.
    fn of(game: &dyn Game, (words, codes): &(Vec<Letter>, Vec<u8>)) -> Result<Self> {
        let shape = game.shape();
        let mut rows: Vec<(&[Letter], u8)> =
            words.chunks_exact(shape.num_layers()).zip(codes.iter().copied()).collect();
        // Keys are in the order of cells, and so are words unless the letter order differs.
        if !rows.is_sorted() {
            rows.sort_unstable();
        }
        let with = |code: Option<u8>| -> Result<Dfa> {
            let of_code = |row: &&(&[Letter], u8)| code.is_none_or(|code| row.1 == code);
            let words: Vec<&[Letter]> = rows.iter().filter(of_code).map(|row| row.0).collect();
            Ok(Dfa::from_sorted_words(shape, &words)?)
        };
        Ok(Self {
            all: with(None)?,
            win: with(Some(code2::WIN))?,
            loss: with(Some(code2::LOSS))?,
            draw: with(Some(code2::DRAW))?,
        })
    }
}
