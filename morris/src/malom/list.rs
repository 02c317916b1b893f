//! The sectors in Malom's database of a game.

use std::collections::BTreeSet;

use nerode_games::morris::Rules;

use super::name::Variant;
use crate::tables::Sector;
use nerode_solver::error::Result;

/// Returns the sectors in Malom's database of a game with `rules`, in order: 498 for nine men's morris, 3070 for Lasker
/// morris, and 1216 for Morabaraba.
///
/// These are the sectors reachable from the empty board by numbers of stones alone. Captures therefore count even if
/// the side to move has fewer than three stones on the board, and hence no mill. No game reaches the sectors after such
/// captures, but their positions have values by the rules nonetheless, and the list contains the sectors that their
/// turns lead to.
///
/// # Errors
/// Returns [`nerode_solver::error::Error::Unrepresentable`] if the rules do not exist in Malom.
pub fn listed(rules: &Rules) -> Result<BTreeSet<Sector>> {
    Variant::of(rules)?;
    let start = Sector::of(rules.start());
    let (mut found, mut open) = (BTreeSet::from([start]), vec![start]);
    while let Some(sector) = open.pop() {
        open.extend(sector.children_by_counts(rules).into_iter().filter(|&child| found.insert(child)));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use nerode_games::morris::Preset;

    use super::*;
    use crate::tables::{plan, roots_of};

    #[test]
    fn a_plan_from_the_roots_of_a_list_is_the_list() {
        for (name, num_listed, num_played) in
            [("nine", 498, 318), ("lasker", 3070, 2482), ("morabaraba", 1216, 838)]
        {
            let rules = Preset::named(name).unwrap().rules();
            let list = listed(&rules).unwrap();
            let of = |roots: &[Sector]| -> BTreeSet<Sector> {
                plan(&rules, roots).unwrap().iter().flat_map(|unit| unit.sectors().to_vec()).collect()
            };
            let roots = roots_of(&rules, &list);
            assert_eq!(roots[0], Sector::of(rules.start()), "{name}");
            assert!(roots.len() < list.len() / 10, "{name}: {} roots", roots.len());
            assert_eq!((list.len(), of(&roots[..1]).len()), (num_listed, num_played), "{name}");
            assert!(of(&roots) == list, "{name}");
        }
        let six = Preset::named("six").unwrap().rules();
        assert!(listed(&six).unwrap_err().to_string().contains("24 points"));
    }
}
