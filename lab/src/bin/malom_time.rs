//! Measures writing, reading, comparing and checking one sector as a strong Malom file: `malom_time PRESET SECTOR`. The
//! unit of the sector and all units on which it depends are solved first.
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use nerode_games::morris::Preset;
use nerode_morris::malom::{self, FileName};
use nerode_morris::tables::{IndexMaker, Sector, SectorTables, plan, solve_unit};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn timed<T>(
    what: &str,
    num_slots: u64,
    work: impl FnOnce() -> nerode_solver::error::Result<T>,
) -> Outcome<T> {
    let began = Instant::now();
    let value = work()?;
    let seconds = began.elapsed().as_secs_f64();
    println!("{what}: {seconds:.2} s, {:.1} million slots a second", num_slots as f64 / seconds / 1e6);
    Ok(value)
}

fn main() -> Outcome<()> {
    let mut args = std::env::args().skip(1);
    let rules = Preset::named(&args.next().ok_or("preset?")?).ok_or("no such preset")?.rules();
    let sector: Sector = args.next().ok_or("sector?")?.parse()?;
    let (maker, never) = (IndexMaker::new(&rules.board), AtomicBool::new(false));
    let mut known = SectorTables::new();
    for unit in plan(&rules, &[sector])? {
        for table in solve_unit(&rules, &unit, &maker, &known, &never)? {
            known.insert(table.sector, Arc::new(table));
        }
    }
    let table = Arc::clone(known.get(&sector).ok_or("not solved")?);
    let num_slots = table.index.num_slots();
    let dir = tempfile::tempdir()?;
    let path_of = |sector| FileName::strong(&rules, sector).map(|name| dir.path().join(name.to_string()));
    let path = path_of(sector)?;
    println!("sector {sector}: {num_slots} slots");
    timed("export", num_slots, || malom::export_sec(&rules, &[], &known, sector, &path, &never))?;
    let foreign = timed("open", num_slots, || malom::open(&path, &rules, &maker))?;
    let report = timed("compare", num_slots, || malom::compare(&rules, &table, &foreign, &never))?;
    println!("{} slots compared, {} mismatches", report.checked, report.mismatches);
    timed("import", num_slots, || malom::import(&foreign, &never))?;
    let mut files = BTreeMap::from([(sector, foreign)]);
    for child in sector.children(&rules).into_iter().filter(|&child| child != sector) {
        let path = path_of(child)?;
        malom::export_sec(&rules, &[], &known, child, &path, &never)?;
        files.insert(child, malom::open(&path, &rules, &maker)?);
    }
    let report = timed("equations", num_slots, || malom::check_ultra(&rules, &files, sector, &never))?;
    println!("{} slots checked, {} mismatches", report.checked, report.mismatches);
    Ok(())
}
