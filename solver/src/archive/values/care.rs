//! Values on a care set: the words of the care set, and look-ups in sets that are correct only on it.

use nerode_dfa::{Dfa, Letter, Set, Store};
use nerode_games::{Game, Side, Value};

use super::Values;
use crate::archive::run_dir::Kind;
use crate::error::{Error, Lack, Result};
use crate::outcome::Outcome;

/// The name of the only care set that games define: [`nerode_games::SymbolicGame::admissible`].
pub(in crate::archive) const ADMISSIBLE: &str = "admissible";

/// The kinds of sets in a folder with a care set, each with the value that it represents.
pub(crate) const VALUES: [(Kind, Value); 3] =
    [(Kind::W, Value::Win), (Kind::L, Value::Loss), (Kind::D, Value::Draw)];

/// Returns the care set `name` with `side` to move, in `store`.
///
/// # Errors
/// Returns [`Error::NotForGame`] if the game defines no care set of that name, or an error if memory is exhausted.
pub fn care_set(game: &dyn Game, name: &str, store: &mut Store, side: Side) -> Result<Set> {
    let found = if name == ADMISSIBLE { game.admissible(store, side)? } else { None };
    found.ok_or_else(|| Error::NotForGame { game: game.spec(), lack: Lack::CareSet(name.into()) })
}

/// Returns the file name of a final set in a folder with a care set.
pub fn set_name(kind: Kind, side: Side) -> String {
    format!("{kind:?}-{side}.dfa")
}

pub(in crate::archive) fn care_name(side: Side) -> String {
    format!("care-{side}.dfa")
}

impl Values {
    /// Returns the words that the folder covers with `side` to move, which are all words unless it has a care set.
    ///
    /// # Errors
    /// Returns the same errors as [`Values::map`].
    pub fn care(&self, side: Side) -> Result<&Dfa> {
        match self.manifest.care {
            Some(_) => self.set_of(&care_name(side)),
            None => Ok(self.all.get_or_init(|| Dfa::full(self.game.shape()))),
        }
    }

    /// Returns a final set of a folder with a care set. It is correct only on [`Values::care`].
    ///
    /// # Errors
    /// Returns the same errors as [`Values::map`].
    pub fn set(&self, kind: Kind, side: Side) -> Result<&Dfa> {
        self.set_of(&set_name(kind, side))
    }

    fn set_of(&self, name: &str) -> Result<&Dfa> {
        let slot = self.sets.get(name).ok_or_else(|| self.unnamed(name))?;
        slot.get_or_read(|| {
            let (bytes, path) = self.bytes(name)?;
            let set = Dfa::from_bytes(&bytes, &path)?;
            self.must_fit(set.shape(), path)?;
            Ok(set)
        })
    }

    pub(super) fn get_covered(&self, word: &[Letter], side: Side) -> Result<Option<Outcome>> {
        if !self.care(side)?.contains(word) {
            return Ok(None);
        }
        for (kind, value) in VALUES {
            if self.set(kind, side)?.contains(word) {
                return Ok(Some(Outcome::new(value, self.bound())));
            }
        }
        Ok(Some(Outcome::Unknown))
    }
}
