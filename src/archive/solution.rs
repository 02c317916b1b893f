//! A finished (or unfinished) run, read back: values and depths of single positions, and of all at once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use nerode_dfa::{Dfa, Letter, Store, ValueMap};
use nerode_games::{Game, Side, Value, registry};

use crate::archive::run_dir::{Kind, RunDir, SetEntry, SetName};
use crate::archive::values::Attached;
use crate::error::{Error, Result};
use crate::explicit::Verdict;
use crate::solve::method::Method;
use crate::solve::resources::Resources;

/// What is known of a position: its value if proved, and its depth if computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// `None` when the run did not decide the position.
    pub value: Option<Value>,
    /// Plies to the end of the game; `None` for draws and where the run holds no depths.
    pub depth: Option<u32>,
}

impl Known {
    const UNKNOWN: Self = Self { value: None, depth: None };

    /// `win`, `draw`, `loss` or `unknown`.
    pub fn category(&self) -> String {
        self.value.map_or_else(|| "unknown".into(), |v| v.to_string())
    }
}

/// Code of an undecided position in a [`ValueMap`] made by [`Solution::value_map`]; others are codes of a [`Verdict`].
pub const UNKNOWN_CODE: u16 = u16::MAX;

/// A run opened for reading.
pub struct Solution {
    /// The game it solves, in the letter order of the run.
    pub game: Arc<dyn Game>,
    /// The directory.
    pub run: RunDir,
    /// Sets read so far, by file.
    sets: RefCell<HashMap<String, Rc<Dfa>>>,
    /// The values folder in the run directory, which answers faster.
    values: Attached,
}

impl Solution {
    /// Opens the run in `path`.
    ///
    /// # Errors
    /// As [`RunDir::open`], and [`Error::RunDir`] when this program knows the game under other rules.
    pub fn open(path: &Path) -> Result<Self> {
        let run = RunDir::open(path)?;
        let request = &run.manifest.request;
        let game = registry::open_with_order(&request.game, Some(&request.order))?;
        if game.fingerprint() != request.fingerprint {
            return Err(Error::RunDir {
                path: path.into(),
                reason: format!(
                    "it was solved under rules {} ({}), this program plays {} ({}); use the program that solved it",
                    request.fingerprint,
                    request.rules,
                    game.fingerprint(),
                    game.rules()
                ),
            });
        }
        let values = Attached::of(&run);
        Ok(Self { game, run, sets: RefCell::new(HashMap::new()), values })
    }

    /// Opens a retrograde run, finished or not, as one cut short after the last ply it has: what is not decided by then is
    /// unknown.
    ///
    /// # Errors
    /// As [`Solution::open`], and [`Error::Unsupported`] when the run has no such ply.
    pub fn open_so_far(path: &Path) -> Result<Self> {
        let mut solution = Self::open(path)?;
        if solution.method() != Method::Retrograde || solution.run.manifest.progress.backward.is_none() {
            return Err(Error::Unsupported(format!(
                "{} has no retrograde ply to look at so far; finish it with 'nerode solve ... --resume'",
                path.display()
            )));
        }
        solution.run.manifest.progress.finished = true;
        Ok(solution)
    }

    /// The method of the run.
    pub fn method(&self) -> Method {
        self.run.manifest.request.method
    }

    /// Whether every position that the run covers has a proved value.
    pub fn is_complete(&self) -> bool {
        let p = &self.run.manifest.progress;
        match self.method() {
            Method::Retrograde => p.finished && p.fixpoint,
            Method::Meet => p.finished && (p.forward_complete || p.fixpoint),
        }
    }

    /// Last retrograde ply.
    pub fn last_ply(&self) -> u32 {
        self.run.manifest.progress.backward.unwrap_or(0)
    }

    /// The manifest's entry of a set.
    ///
    /// # Errors
    /// When the run has no such set.
    pub fn entry(&self, kind: Kind, side: Side, ply: u32) -> Result<&SetEntry> {
        self.run.entry(SetName { kind, side, ply })
    }

    /// A set of the run, read once.
    ///
    /// # Errors
    /// As [`RunDir::get`].
    pub fn set(&self, kind: Kind, side: Side, ply: u32) -> Result<Rc<Dfa>> {
        let name = SetName { kind, side, ply };
        let entry = self.run.entry(name)?;
        if entry.mirror {
            self.run.read(entry)?;
        }
        self.of_file(entry)
    }

    /// The automaton of an entry's file, read once.
    fn of_file(&self, entry: &SetEntry) -> Result<Rc<Dfa>> {
        if let Some(set) = self.sets.borrow().get(&entry.file) {
            return Ok(Rc::clone(set));
        }
        let set = Rc::new(self.run.read_file(entry)?);
        self.sets.borrow_mut().insert(entry.file.clone(), Rc::clone(&set));
        Ok(set)
    }

    /// Whether a word is in a set of the run; for a mirror image the word with the sides swapped is looked up.
    fn contains(&self, kind: Kind, side: Side, ply: u32, word: &[Letter]) -> Result<bool> {
        let entry = self.entry(kind, side, ply)?;
        let set = self.of_file(entry)?;
        if !entry.mirror {
            return Ok(set.contains(word));
        }
        let swap = self.game.side_swap().ok_or_else(|| Error::RunDir {
            path: self.run.path().into(),
            reason: "it holds mirror images of sets, but the game's sides are not alike; solve it again"
                .into(),
        })?;
        Ok(set.contains(&self.game.word_of(&swap.apply(&self.game.board_of(word)))))
    }

    /// Side to move after `ply` plies.
    pub fn side_at(&self, ply: u32) -> Side {
        let first = self.game.start().1;
        if ply.is_multiple_of(2) { first } else { first.other() }
    }

    /// Refuses a run that is not finished.
    ///
    /// # Errors
    /// [`Error::RunDir`].
    pub fn must_be_finished(&self) -> Result<()> {
        if self.run.manifest.progress.finished {
            return Ok(());
        }
        Err(Error::RunDir {
            path: self.run.path().into(),
            reason: "the solve is not finished; continue it with 'nerode solve ... --resume'".into(),
        })
    }

    /// Value and depth of a board with `side` to move.
    ///
    /// Cost: a look-up in the run's values folder where it has one; else in one or two sets, and in a number of sets
    /// logarithmic in the plies for the depth.
    ///
    /// # Errors
    /// A run that is not finished, or whose files are damaged. A values folder that is damaged or of another run is no error:
    /// the sets answer, and [`Solution::values_problem`] says why.
    pub fn get(&self, board: &[u8], side: Side) -> Result<Known> {
        self.must_be_finished()?;
        let word = self.game.word_of(board);
        if let Some(known) = self.values.get(&word, side) {
            return self.with_depth(known, &word, side);
        }
        match self.method() {
            Method::Retrograde => self.get_retrograde(&word, side),
            Method::Meet => self.get_meet(&word, side),
        }
    }

    /// Why the values folder in the run directory is not used, if it is there and is not.
    pub fn values_problem(&self) -> Option<String> {
        self.values.problem()
    }

    /// What a values folder knows, with the depth from the sets where the folder holds none.
    fn with_depth(&self, known: Known, word: &[Letter], side: Side) -> Result<Known> {
        let kind = match known {
            Known { value: Some(Value::Win), depth: None } => Kind::W,
            Known { value: Some(Value::Loss), depth: None } => Kind::L,
            _ => return Ok(known),
        };
        Ok(Known { depth: Some(self.depth(kind, side, word)?), ..known })
    }

    fn get_retrograde(&self, word: &[Letter], side: Side) -> Result<Known> {
        let last = self.last_ply();
        for (kind, value) in [(Kind::W, Value::Win), (Kind::L, Value::Loss)] {
            if self.contains(kind, side, last, word)? {
                return Ok(Known { value: Some(value), depth: Some(self.depth(kind, side, word)?) });
            }
        }
        // At the fixpoint the rest is drawn; before it only what is stored as drawn.
        let name = SetName { kind: Kind::D, side, ply: last };
        let drawn = self.run.manifest.progress.fixpoint
            || (self.run.entry(name).is_ok() && self.contains(Kind::D, side, last, word)?);
        Ok(if drawn { Known { value: Some(Value::Draw), depth: None } } else { Known::UNKNOWN })
    }

    /// Least i with the word in the i-th of the cumulative sets, knowing that it is in the last.
    fn depth(&self, kind: Kind, side: Side, word: &[Letter]) -> Result<u32> {
        let (mut low, mut high) = (0, self.last_ply());
        while low < high {
            let middle = (low + high) / 2;
            if self.contains(kind, side, middle, word)? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Ok(low)
    }

    fn get_meet(&self, word: &[Letter], side: Side) -> Result<Known> {
        let last = self.run.manifest.progress.forward.unwrap_or(0);
        for ply in (0..=last).filter(|&ply| self.side_at(ply) == side) {
            if !self.set(Kind::R, side, ply)?.contains(word) {
                continue;
            }
            for (kind, value) in [(Kind::RW, Value::Win), (Kind::RL, Value::Loss), (Kind::RD, Value::Draw)] {
                if self.set(kind, side, ply)?.contains(word) {
                    return Ok(Known { value: Some(value), depth: None });
                }
            }
        }
        // Not reachable within the plies searched, or not decided: the retrograde sets may still know it.
        self.get_retrograde(word, side)
    }

    /// Value and depth of every word with `side` to move, as one automaton: codes of [`Verdict`], or [`UNKNOWN_CODE`].
    ///
    /// Cost: reading the sets of all plies, and that of [`Store::value_map`] over them.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a meet-in-the-middle run, which holds no depths; running out of memory; damaged files.
    pub fn value_map(&self, side: Side, resources: &Resources) -> Result<ValueMap> {
        self.classes(side, resources, true)
    }

    /// As [`Solution::value_map`] without depths: every decided position has the code of depth 0.
    ///
    /// # Errors
    /// As [`Solution::value_map`].
    pub fn category_map(&self, side: Side, resources: &Resources) -> Result<ValueMap> {
        self.classes(side, resources, false)
    }

    /// Refuses a run that does not cover every position.
    ///
    /// # Errors
    /// [`Error::Unsupported`].
    pub fn must_cover_all(&self) -> Result<()> {
        if self.method() == Method::Retrograde {
            return Ok(());
        }
        Err(Error::Unsupported(
            "this run covers reachable positions only; solve with --method retrograde for values of all positions"
                .into(),
        ))
    }

    fn classes(&self, side: Side, resources: &Resources, depths: bool) -> Result<ValueMap> {
        self.must_cover_all()?;
        let last = self.last_ply();
        let mut store = Store::new(self.game.shape().clone(), resources.memory)?;
        store.set_interrupt(Arc::clone(&resources.interrupt));
        let mut levels = Vec::new();
        let load = |store: &mut Store, kind, ply| -> Result<_> {
            Ok(store.import(&self.run.get(SetName { kind, side, ply })?)?)
        };
        // The first level that has a word counts: sets that contradict each other, which `verify` must be able to report,
        // still give each word one code.
        for (kind, value) in [(Kind::W, Value::Win), (Kind::L, Value::Loss)] {
            for ply in if depths { 0 } else { last }..=last {
                let depth = if depths { u16::try_from(ply).ok() } else { Some(0) };
                let code = (Verdict { value, depth }).code().ok_or_else(|| {
                    Error::Unsupported(format!("depth {ply} is more than a value map can hold"))
                })?;
                levels.push((code, load(&mut store, kind, ply)?));
            }
        }
        if !self.is_complete() {
            levels.push((0, load(&mut store, Kind::D, last)?));
            levels.push((UNKNOWN_CODE, store.full()));
        }
        Ok(store.value_map(&levels)?)
    }
}
