use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nerode_games::morris::Preset;

use super::unit::solve_in;
use super::work::Work;
use crate::tables::{IndexMaker, SectorTable, SectorTables, Unit, Width, plan};

/// Codes of both widths give the same depths for every unit under `root`.
#[test]
fn wide_codes_give_the_same_depths() {
    let rules = Preset::named("nine").unwrap().rules();
    let maker = IndexMaker::new(&rules.board);
    let mut known = SectorTables::new();
    for unit in plan(&rules, &["4-3-0-0".parse().unwrap()]).unwrap() {
        let never = AtomicBool::new(false);
        let solve = |width| solve_in(width, &rules, &unit, &maker, &known, &never).unwrap().unwrap();
        let (narrow, wide) = (solve(Width::One), solve(Width::Two));
        for (one, two) in narrow.into_iter().zip(wide) {
            assert_eq!(one.counts(), two.counts());
            assert!((0..one.index.num_slots()).all(|slot| one.depth_at(slot) == two.depth_at(slot)));
            known.insert(one.sector, Arc::new(two));
        }
    }
}

/// A run stops and reports a depth that does not fit.
#[test]
fn depths_that_do_not_fit_are_noticed() {
    let rules = Preset::named("nine").unwrap().rules();
    let maker = IndexMaker::new(&rules.board);
    let unit = Unit::of(&rules, "3-3-0-0".parse().unwrap());
    let index = Arc::new(maker.index(3, 3));
    let tables = [SectorTable::open(unit.first(), index, Width::One).unwrap()];
    let (known, never) = (SectorTables::new(), AtomicBool::new(false));
    let work = Work::new(&rules, &tables, &maker, &known, &never).unwrap();
    assert!(work.fits(253));
    assert!(!work.fits(254));
    assert!(!work.run().unwrap());
}
