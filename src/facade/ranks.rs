//! Ranking of the draws of morris games, after their sectors have been solved.

use std::collections::BTreeSet;

use nerode_games::morris::Rules;

use nerode_morris::ranked::{Heuristic, Ranker, Ranking, values_by};
use nerode_morris::tables::{Sector, SectorDir, Unit};
use nerode_solver::error::{Error, Result};
use nerode_solver::solve::resources::Resources;

/// Ranks the draws of `units`, whose sectors are solved in `dir`. Draws that are already
/// ranked in the directory are kept.
pub(super) fn rank(
    rules: &Rules,
    dir: &SectorDir,
    units: &[Unit],
    by: Heuristic,
    resources: &Resources,
) -> Result<()> {
    let sectors: BTreeSet<Sector> = units.iter().flat_map(|unit| unit.sectors().iter().copied()).collect();
    let mut values = values_by(by, rules, &sectors, dir)?;
    if let Some(Ranking { by: before, values: Some(known) }) = Ranking::read(dir, rules)? {
        let told = |by| format!("draws ranked by {by}");
        let (found, request) = match before == by {
            true => (format!("{} of other sectors", told(before)), format!("{} of these", told(by))),
            false => (told(before), told(by)),
        };
        let both = if before == by { known.joined(&values, rules)? } else { None };
        values = both.ok_or_else(|| Error::OtherRequest { path: dir.path().into(), found, request })?;
    }
    Ranking { by, values: Some(values.clone()) }.write(dir)?;
    Ranker::new(rules, dir, &values, resources).rank_all(units, &mut |_| ())
}
