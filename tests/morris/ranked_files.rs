//! Ranked sectors as files of the reference program: written, read back, and compared byte by byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::malom::{GO_ON, Solved, assert_clean, rules, sector};
use crate::common::morris::real_files;
use crate::common::scratch;
use crate::ranked::{Ranked, all_ranked, difference, ratio};
use nerode_morris::malom::sec2::Values;
use nerode_morris::malom::{Entry, FileName, SectorValues, check_ultra};
use nerode_morris::ranked::{Sec2Export, Worth};
use nerode_morris::tables::Sector;
use nerode_solver::outcome::RankedDraw;

/// Returns artificial values that are all distinct, as in files.
fn apart(solved: &Solved) -> SectorValues {
    let mut values = BTreeMap::new();
    for (&sector, number) in solved.known.keys().zip(1..) {
        let (mirror, sign) = (sector.mirrored(), if number % 3 == 0 { -1 } else { 1 });
        let cyclic = sector.is_cyclic(&solved.rules);
        values.entry(sector).or_insert(if cyclic && mirror == sector { 0 } else { sign * number });
        if cyclic && mirror != sector {
            values.insert(mirror, -values[&sector]);
        }
    }
    SectorValues::new(99, values, &solved.rules).unwrap()
}

/// Writes all sectors, reads them back and checks them by the equations of the format.
fn written(ranked: &Ranked, values: Values) {
    let dir = scratch();
    fs::write(dir.path().join("std.secval"), ranked.values.text()).unwrap();
    let mut files = BTreeMap::new();
    for &sector in ranked.known.keys() {
        files.insert(sector, ranked.solved.open(&export(ranked, values, dir.path(), sector)));
    }
    for (sector, file) in &files {
        let table = &ranked.known[sector];
        assert_eq!(file.scale(), (table.win, table.value));
        let report = check_ultra(&ranked.solved.rules, &files, *sector, &GO_ON).unwrap();
        assert_clean(&report, file.index().num_slots());
        let draw = |rank, distance| Worth::Draw(RankedDraw { rank, distance, value: table.value });
        for slot in (0..file.index().num_slots()).filter(|&slot| file.index().hole(slot).is_none()) {
            let read = match file.entry(slot).unwrap() {
                Entry::Win(plies) => Worth::Win(plies),
                Entry::Loss(plies) => Worth::Loss(plies),
                Entry::Draw { rank, .. } => draw(rank, None),
                Entry::RankedDraw { rank, distance } => draw(rank, Some(distance)),
                Entry::Hole(_) => unreachable!("no hole"),
            };
            assert_eq!(read, table.worth_at(slot), "{sector} {slot}");
        }
    }
}

fn export(ranked: &Ranked, values: Values, dir: &Path, sector: Sector) -> PathBuf {
    let Solved { rules, maker, .. } = &ranked.solved;
    let path = dir.join(FileName::ultra(rules, sector).unwrap().to_string());
    let export = Sec2Export { rules, maker, values, interrupt: &GO_ON, overwrite: true, watch: &|_| () };
    export.write(&ranked.known, sector, &path, |_| Ok(())).unwrap();
    path
}

#[test]
#[ignore = "slow: .ci/scheduled"]
fn ranked_sectors_are_written_as_ultra_strong_files() {
    let roots = ["2-2-1-1", "1-2-2-2"];
    let solved = || Solved::new(rules("nine"), &roots);
    written(&all_ranked(solved(), &roots, ratio), Values::Listed);
    written(&all_ranked(solved(), &roots, apart), Values::Listed);
    written(&all_ranked(solved(), &roots, difference), Values::Differences);
}

/// Reproduces files of the reference program byte by byte, from our solver and the published list.
#[test]
fn published_ultra_strong_files_are_made_byte_by_byte() {
    let Some(published) = real_files() else { return };
    let list = |solved: &Solved| SectorValues::read(&published.join("std.secval"), &solved.rules).unwrap();
    let ranked = all_ranked(Solved::new(rules("nine"), &["4-3-0-0"]), &["4-3-0-0"], list);
    let dir = scratch();
    for name in ["3-3-0-0", "3-4-0-0", "4-3-0-0"] {
        let path = export(&ranked, Values::Listed, dir.path(), sector(name));
        let theirs = published.join(path.file_name().unwrap());
        assert!(fs::read(&path).unwrap() == fs::read(theirs).unwrap(), "{name}");
    }
}

/// Our values of sectors have the same order as the published ones. The numbers differ, because the published ones are
/// numbered among all sectors of the game.
#[test]
#[ignore = "slow: .ci/slow"]
fn values_by_ratio_have_the_published_order() {
    let Some(published) = real_files() else { return };
    let solved = Solved::new(rules("nine"), &["5-3-0-0", "2-2-1-1", "1-2-2-2", "3-3-1-1"]);
    let theirs = SectorValues::read(&published.join("std.secval"), &solved.rules).unwrap();
    let ours = ratio(&solved);
    let mut pairs: Vec<(i32, i32)> =
        ours.iter().map(|(sector, value)| (value, theirs.get(sector).unwrap())).collect();
    pairs.sort_unstable();
    println!("{pairs:?}");
    assert!(pairs.len() > 12);
    assert!(pairs.is_sorted_by(|a, b| a.0 == 0 && b.0 == 0 || a.1 < b.1), "{pairs:?}");
    assert!(pairs.iter().all(|(ours, theirs)| ours.signum() == theirs.signum()), "{pairs:?}");
}
