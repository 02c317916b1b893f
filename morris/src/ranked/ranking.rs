//! The ranking of draws in a directory of sectors: the requested heuristic and, once they are known, the values of its
//! sectors.
//!
//! Invariant: the values are written only once. Files of ranks name the digest of the values, so that files for other
//! values are rejected.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use nerode_dfa::disk;
use nerode_games::morris::Rules;
use serde::{Deserialize, Serialize};

use super::values::{by_difference, by_ratio};
use crate::malom::SectorValues;
use crate::tables::{GameName, Sector, SectorDir, SectorSolution};
pub use nerode_solver::archive::contents::{self, Contents};
use nerode_solver::error::{Error, Result};

/// The source of the values of sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Heuristic {
    /// The shares of wins and draws in each sector.
    ///
    /// See [`by_ratio`].
    Ratio,
    /// The difference of the numbers of stones.
    ///
    /// See [`by_difference`].
    Difference,
    /// An external list.
    #[cfg_attr(feature = "clap", value(skip))]
    List,
}

impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ratio => "ratio",
            Self::Difference => "difference",
            Self::List => "list",
        })
    }
}

/// The ranking of draws in a directory of sectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// The source of the values.
    pub by: Heuristic,
    /// The values; `None` until all sectors that they depend on are solved.
    pub values: Option<SectorValues>,
}

/// The file name of the manifest.
const MANIFEST: &str = "ranks.json";

/// The manifest, which is sealed in the same way as that of the directory and has the same kind.
#[derive(Serialize, Deserialize)]
struct Stored {
    #[serde(flatten)]
    game: GameName,
    by: Heuristic,
    #[serde(skip_serializing_if = "Option::is_none")]
    win: Option<i32>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    values: BTreeMap<String, i32>,
}

impl Ranking {
    /// Reads the ranking of the directory `dir`. Returns `None` if draws are not ranked.
    ///
    /// # Errors
    /// Returns [`Error::WrongRules`] if the ranking belongs to another game, [`Error::WrongVersion`],
    /// [`Error::Corrupt`], or [`Error::Io`].
    pub fn read(dir: &SectorDir, rules: &Rules) -> Result<Option<Self>> {
        let file = dir.path().join(MANIFEST);
        if !disk::exists(&file).map_err(|e| Error::io(&file, e))? {
            return Ok(None);
        }
        let stored: Stored = contents::read(&file, Contents::Sectors)?;
        if stored.game != *dir.game() {
            return Err(Error::WrongRules {
                path: file,
                found: stored.game.fingerprint,
                expected: dir.game().fingerprint.clone(),
            });
        }
        let Some(win) = stored.win else { return Ok(Some(Self { by: stored.by, values: None })) };
        let value = |(name, value): (String, i32)| name.parse().map(|sector: Sector| (sector, value));
        let values = stored.values.into_iter().map(value).collect::<Result<_>>();
        let values = values.and_then(|values| SectorValues::new(win, values, rules));
        let values = values.map_err(|e| Error::corrupt(&file, e.to_string()))?;
        Ok(Some(Self { by: stored.by, values: Some(values) }))
    }

    /// Writes this ranking to `dir`.
    ///
    /// # Errors
    /// Returns [`Error::Io`].
    pub fn write(&self, dir: &SectorDir) -> Result<()> {
        let pairs = self.values.iter().flat_map(SectorValues::iter);
        let stored = Stored {
            game: dir.game().clone(),
            by: self.by,
            win: self.values.as_ref().map(SectorValues::win),
            values: pairs.map(|(sector, value)| (sector.to_string(), value)).collect(),
        };
        contents::write(&dir.path().join(MANIFEST), Contents::Sectors, &stored)
    }

    /// Removes the ranking of `dir`. Files of ranks stay, and are replaced when ranks are computed again.
    ///
    /// # Errors
    /// Returns [`Error::Io`].
    pub fn remove(dir: &SectorDir) -> Result<()> {
        let file = dir.path().join(MANIFEST);
        disk::remove_file(&file).map_err(|e| Error::io(&file, e))
    }
}

/// Computes the values of `sectors`, which are solved in `dir`, with a built-in heuristic.
///
/// # Errors
/// Returns the errors of [`SectorSolution::open`], [`SectorSolution::table`] and [`SectorValues::new`].
pub fn values_by(
    by: Heuristic,
    rules: &Rules,
    sectors: &BTreeSet<Sector>,
    dir: &SectorDir,
) -> Result<SectorValues> {
    if by == Heuristic::Difference {
        return by_difference(rules, sectors);
    }
    let solution = SectorSolution::open(dir.path())?;
    let counts = |&sector: &Sector| {
        let counts = solution.table(sector)?.counts();
        // The tables are large, and each is needed once.
        solution.forget();
        Ok((sector, counts))
    };
    let all = sectors.iter().map(counts).collect::<Result<_>>()?;
    by_ratio(rules, &all)
}

/// Returns the digest by which files of ranks name the values.
pub(super) fn digest_of(values: &SectorValues) -> [u8; 32] {
    *blake3::hash(values.text().as_bytes()).as_bytes()
}

/// Reads values from `path` and checks that they include one for each of `sectors`.
///
/// # Errors
/// Returns the errors of [`SectorValues::read`], or [`Error::NoValue`].
pub fn values_from(path: &Path, rules: &Rules, sectors: &BTreeSet<Sector>) -> Result<SectorValues> {
    let values = SectorValues::read(path, rules)?;
    sectors.iter().try_for_each(|&sector| values.must_have(sector).map(drop))?;
    Ok(values)
}
