//! [`Forms`]: a collection of stored sectors, in memory or in files. Look-ups are in [`super::probe`].

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use nerode_games::morris::Rules;

use super::automaton::Automaton;
#[cfg(feature = "solve")]
use super::automaton::MultiRoot;
use super::blocks::Blocks;
use super::header::{Header, hex, rules_digest};
use super::words::Words;
use super::worth::{Detail, Worth};
use crate::tables::{IndexMaker, Sector};
use nerode_solver::error::{Error, Result};

/// The representation of one sector.
#[derive(Debug)]
pub(super) enum Representation {
    #[cfg(feature = "solve")]
    Stored(Box<(Words, MultiRoot)>),
    /// An automaton that is read from its file when it is first needed.
    Filed(Box<Filed>),
    /// A derived sector, with the worths of its positions in ascending order.
    Derived(Vec<Worth>),
}

/// A sector whose automaton is in a file.
#[derive(Debug)]
pub(super) struct Filed {
    sector: Sector,
    /// The worths of its positions, in ascending order.
    worths: Vec<Worth>,
    read: OnceLock<(Words, FiledAutomaton)>,
}

/// An automaton from a file.
#[derive(Debug)]
pub(super) enum FiledAutomaton {
    /// It was read completely.
    #[cfg(feature = "solve")]
    Whole(MultiRoot),
    /// Its parts are read when they are needed.
    InParts(Automaton<Blocks>),
}

impl FiledAutomaton {
    fn header(&self) -> &Header {
        match self {
            #[cfg(feature = "solve")]
            Self::Whole(automaton) => automaton.header(),
            Self::InParts(automaton) => automaton.header(),
        }
    }

    fn num_classes(&self) -> u32 {
        match self {
            #[cfg(feature = "solve")]
            Self::Whole(automaton) => automaton.outline.num_classes,
            Self::InParts(automaton) => automaton.outline.num_classes,
        }
    }
}

/// A function that reads the automaton of a sector.
pub(super) type Load = dyn Fn(Sector) -> Result<FiledAutomaton> + Send + Sync;

/// The source of automata that are not in memory.
struct Files {
    maker: IndexMaker,
    load: Box<Load>,
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Files")
    }
}

impl Representation {
    /// Returns the worths of the positions of the sector, in ascending order.
    pub(super) fn worths(&self) -> &[Worth] {
        match self {
            #[cfg(feature = "solve")]
            Self::Stored(stored) => stored.1.worths(),
            Self::Filed(filed) => &filed.worths,
            Self::Derived(worths) => worths,
        }
    }
}

/// The worths of all positions of several sectors.
#[derive(Debug)]
pub struct Forms<'a> {
    pub(super) rules: Cow<'a, Rules>,
    pub(super) detail: Detail,
    sectors: BTreeMap<Sector, Representation>,
    files: Option<Files>,
}

impl<'a> Forms<'a> {
    /// Creates an empty collection.
    pub fn new(rules: &'a Rules, detail: Detail) -> Self {
        Self { rules: Cow::Borrowed(rules), detail, sectors: BTreeMap::new(), files: None }
    }

    /// Creates an empty collection that owns its rules.
    pub fn owning(rules: Rules, detail: Detail) -> Forms<'static> {
        Forms { rules: Cow::Owned(rules), detail, sectors: BTreeMap::new(), files: None }
    }

    /// Adds an automaton, and replaces any existing representation of its sector.
    ///
    /// # Errors
    /// Returns [`Error::WrongRules`], or [`Error::Mismatch`] if the automaton belongs to another board or gives worths
    /// of another detail.
    #[cfg(feature = "solve")]
    pub fn store(&mut self, maker: &IndexMaker, automaton: MultiRoot) -> Result<()> {
        let words = self.words_of(maker, automaton.header(), automaton.outline.num_classes)?;
        self.sectors.insert(automaton.header().sector, Representation::Stored(Box::new((words, automaton))));
        Ok(())
    }

    /// Returns the words of an automaton, if it belongs to these rules and has the detail of this collection.
    fn words_of(&self, maker: &IndexMaker, header: &Header, num_classes: u32) -> Result<Words> {
        let what = format!("automaton of sector {}", header.sector);
        let mismatch = |found, expected| Error::Mismatch { what: what.clone(), found, expected };
        let digest = rules_digest(&self.rules);
        if header.rules != digest {
            return Err(Error::WrongRules {
                path: what.into(),
                found: hex(&header.rules),
                expected: hex(&digest),
            });
        }
        if header.detail != self.detail {
            return Err(mismatch(header.detail.to_string(), self.detail.to_string()));
        }
        let other_board = || mismatch("another board".into(), "the board of these rules".into());
        if header.order.points().len() != maker.num_points() || !header.sector.is_played(&self.rules) {
            return Err(other_board());
        }
        let words = Words::new(maker, header.sector, header.root_side, header.order.clone());
        if words.num_classes() as u32 != num_classes {
            return Err(other_board());
        }
        Ok(words)
    }

    /// Sets the function `load` that reads the sectors added by [`Forms::file`].
    #[must_use]
    pub(super) fn reading(self, maker: IndexMaker, load: Box<Load>) -> Self {
        Self { files: Some(Files { maker, load }), ..self }
    }

    /// Adds a sector whose automaton is read when it is first needed. `worths` are those of its positions.
    pub(super) fn file(&mut self, sector: Sector, worths: Vec<Worth>) {
        self.sectors
            .insert(sector, Representation::Filed(Box::new(Filed { sector, worths, read: OnceLock::new() })));
    }

    /// Returns the automaton of a file, from memory if it has been read before.
    pub(super) fn read<'f>(&self, filed: &'f Filed) -> Result<&'f (Words, FiledAutomaton)> {
        if let Some(read) = filed.read.get() {
            return Ok(read);
        }
        let files = self.files.as_ref().ok_or_else(|| missing(filed.sector))?;
        let automaton = (files.load)(filed.sector)?;
        if automaton.header().sector != filed.sector {
            return Err(Error::Mismatch {
                what: format!("the file of sector {}", filed.sector),
                found: format!("sector {}", automaton.header().sector),
                expected: "the sector in its name".into(),
            });
        }
        let words = self.words_of(&files.maker, automaton.header(), automaton.num_classes())?;
        Ok(filed.read.get_or_init(|| (words, automaton)))
    }

    /// Adds a derived sector, for which only `worths`, the worths of its positions, are stored. All sectors that its
    /// turns lead to must be in the collection when it is looked up.
    pub fn derive(&mut self, sector: Sector, mut worths: Vec<Worth>) {
        worths.sort_unstable();
        worths.dedup();
        self.sectors.insert(sector, Representation::Derived(worths));
    }

    /// Returns the number of bytes of all automata in memory and of the lists of worths of derived sectors.
    pub fn bytes(&self) -> u64 {
        let each = self.sectors.values().map(|form| match form {
            #[cfg(feature = "solve")]
            Representation::Stored(stored) => stored.1.bytes(),
            Representation::Filed(filed) => match filed.read.get() {
                #[cfg(feature = "solve")]
                Some((_, FiledAutomaton::Whole(automaton))) => automaton.bytes(),
                // Its parts are in a cache, which is bounded.
                Some((_, FiledAutomaton::InParts(_))) | None => 0,
            },
            Representation::Derived(worths) => size_of_val(worths.as_slice()) as u64,
        });
        each.sum()
    }

    /// Returns the representation of a sector.
    pub(super) fn representation(&self, sector: Sector) -> Result<&Representation> {
        self.sectors.get(&sector).ok_or_else(|| missing(sector))
    }

    /// Returns whether worths include depths.
    pub fn detail(&self) -> Detail {
        self.detail
    }

    /// Returns the size in bytes of the representation of a sector, and a description of its look-up. Also returns
    /// `None` for a sector that is in a file.
    pub fn size_and_note(&self, sector: Sector) -> Option<(u64, String)> {
        match self.sectors.get(&sector)? {
            #[cfg(feature = "solve")]
            Representation::Stored(stored) => Some((stored.1.bytes(), stored.1.header().how())),
            Representation::Filed(_) => None,
            Representation::Derived(worths) => {
                Some((size_of_val(worths.as_slice()) as u64, "all turns examined".into()))
            }
        }
    }

    /// Returns the automaton of a sector and its words.
    ///
    /// # Errors
    /// Returns [`Error::MissingSector`] if the sector has no automaton in memory, or the errors of reading a file.
    #[cfg(feature = "solve")]
    pub(super) fn stored(&self, sector: Sector) -> Result<(&Words, &MultiRoot)> {
        match self.representation(sector)? {
            Representation::Stored(stored) => Ok((&stored.0, &stored.1)),
            Representation::Filed(filed) => match self.read(filed)? {
                (words, FiledAutomaton::Whole(automaton)) => Ok((words, automaton)),
                (_, FiledAutomaton::InParts(_)) => Err(missing(sector)),
            },
            Representation::Derived(_) => Err(missing(sector)),
        }
    }
}

fn missing(sector: Sector) -> Error {
    Error::MissingSector { sector: sector.to_string(), needed_by: None, folder: None }
}
