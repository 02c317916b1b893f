//! Prints digests of the strong Malom files of all sectors with few stones: `malom_digests MOST`, where MOST is the
//! total number of stones of both sides, on the board and in hand. The output is CSV with one line per sector. Every
//! entry is then checked, including its counters, against those of the positions to which its turns lead.
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nerode_games::morris::rules::{FEWEST_STONES, MOST_STONES};
use nerode_games::morris::{Preset, Rules};
use nerode_morris::malom::{FileName, check_ultra, export_sec, open};
use nerode_morris::tables::{IndexMaker, Sector, SectorTables, plan, solve_unit};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let most: u8 = std::env::args().nth(1).ok_or("how many stones?")?.parse()?;
    println!("file,bytes,overflows,blake3");
    for name in ["nine", "morabaraba", "lasker"] {
        let preset = Preset::named(name).ok_or("no such preset")?;
        digests(&preset.rules(), most)?;
    }
    Ok(())
}

/// Processes all sectors that can occur in games from the empty board with up to `most` stones of both sides.
fn digests(rules: &Rules, most: u8) -> Outcome<()> {
    let totals = FEWEST_STONES..=MOST_STONES;
    let pairs = totals.clone().flat_map(|a| totals.clone().map(move |b| (a, b)));
    let roots: Vec<Sector> = pairs
        .filter(|(a, b)| a + b <= most)
        .map(|(own_hand, other_hand)| Sector { own: 0, other: 0, own_hand, other_hand })
        .collect();
    let (maker, never) = (IndexMaker::new(&rules.board), AtomicBool::new(false));
    let mut known = SectorTables::new();
    for unit in plan(rules, &roots)? {
        for table in solve_unit(rules, &unit, &maker, &known, &never)? {
            known.insert(table.sector, Arc::new(table));
        }
    }
    let dir = tempfile::tempdir()?;
    let mut files = BTreeMap::new();
    for &sector in known.keys() {
        let name = FileName::strong(rules, sector)?.to_string();
        let path = dir.path().join(&name);
        export_sec(rules, &[], &known, sector, &path, &never)?;
        let bytes = std::fs::read(&path)?;
        let file = open(&path, rules, &maker)?;
        println!("{name},{},{},{}", bytes.len(), file.num_overflows(), blake3::hash(&bytes));
        files.insert(sector, file);
    }
    for &sector in files.keys() {
        if let Some(wrong) = check_ultra(rules, &files, sector, &never)?.first_mismatch {
            return Err(wrong.into());
        }
    }
    Ok(())
}
