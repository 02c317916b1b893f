//! All sectors of Malom's databases: planned, solved, exported, and compared.

use std::path::Path;

use crate::common::program::{count, ends, json, list, num_boards, refused};
use crate::common::{assert_same_files, files, scratch};

/// Four stones against three: a complete game in which captures by number lead to more sectors than play does.
const GAME: &str = "morris:nine,stones=4-3";

fn num_sectors(at: &Path, game: &str, sector: &str) -> u64 {
    json(at, &["plan", game, "--sector", sector])["num_sectors"].as_u64().unwrap()
}

/// The numbers of files in the published databases are from the lists of sector values that accompany them.
#[test]
fn plans_have_the_sectors_of_the_published_databases() {
    let dir = scratch();
    for (game, listed, played) in
        [("morris:nine", 498, 318), ("morris:lasker", 3070, 2482), ("morris:morabaraba", 1216, 838)]
    {
        assert_eq!(num_sectors(dir.path(), game, "malom"), listed, "{game}");
        assert_eq!(num_sectors(dir.path(), game, "start"), played, "{game}");
        assert_eq!(num_sectors(dir.path(), game, "start,malom"), listed, "{game}");
    }
    let said = refused(dir.path(), &["plan", "morris:six", "--sector", "malom"]);
    assert!(said.contains("boards of fewer than 24 points"), "{said}");
    let said = refused(dir.path(), &["unit", "morris:nine", "malom", "--run-dir", "d"]);
    assert!(said.contains("one sector"), "{said}");
}

#[test]
#[ignore = "slow: .ci/slow"]
fn a_whole_game_is_solved_exported_and_compared_with_the_list() {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &["solve", GAME, "--run-dir", "d"]);
    assert_eq!((num_sectors(at, GAME, "start"), num_sectors(at, GAME, "malom")), (11, 15));
    let export = ["export", "d", "--format", "sec", "--out", "malom"];
    let listed = [&export[..], &["--sector", "malom"]].concat();
    let said = refused(at, &listed);
    for part in [
        "4 of the 15 sectors of Malom's list are not in d; the first is 0-1-3-2",
        "--sector malom --run-dir d",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!at.join("malom").exists());
    let solved = json(at, &["solve", GAME, "--sector", "malom", "--run-dir", "d", "--check"]);
    assert_eq!(solved["solved_units"], 4);
    assert_eq!(list(&json(at, &listed)["files"]).len(), 15);
    // Without the list, all sectors of the directory are exported, which are the same by now.
    assert!(ends(at, 0, &export).contains("of which 15 already existed intact"));
    let compared = json(at, &["verify", "d", "--table", "malom"]);
    assert_eq!((list(&compared["files"]).len(), &compared["mismatches"]), (15, &"0".into()));
    let verified = json(at, &["verify", "d", "--sector", "malom"]);
    let stats = json(at, &["stats", "d"]);
    let boards: u128 = list(&stats["sectors"]).iter().map(|line| num_boards(24, &line["sector"])).sum();
    assert_eq!((&verified["mismatches"], count(&verified["checked"])), (&"0".into(), boards));
    // The folder contains everything that a directory requires.
    ends(at, 0, &["import", GAME, "malom", "--run-dir", "back"]);
    ends(at, 0, &["export", "back", "--format", "sec", "--out", "again", "--sector", "malom"]);
    let [first, second] = ["malom", "again"].map(|folder| {
        let mut found = files(&at.join(folder));
        found.retain(|name, _| name.ends_with(".sec"));
        found
    });
    assert_eq!(first.len(), 15);
    assert_same_files(&first, &second, "exported, imported, exported");
}
