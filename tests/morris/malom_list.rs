//! The sectors of Malom's databases: the published lists of sector values, and every file of a small game.

use std::collections::BTreeSet;

use nerode_games::morris::rules_of;
use nerode_morris::malom::{self, SectorValues, listed};
use nerode_morris::tables::Sector;

use crate::common::malom::{GO_ON, Solved, assert_clean, rules};
use crate::common::morris::real_files;
use crate::common::scratch;

/// The numbers are those of the published files `std.secval`, `lask.secval` and `mora.secval`.
#[test]
fn numbers_of_sectors_are_the_published_ones() {
    for (game, published) in [("nine", 498), ("lasker", 3070), ("morabaraba", 1216)] {
        assert_eq!(listed(&rules(game)).unwrap().len(), published, "{game}");
    }
}

#[test]
fn the_sectors_are_those_of_the_published_lists() {
    let Some(folder) = real_files() else { return };
    for (game, file) in [("nine", "std"), ("lasker", "lask"), ("morabaraba", "mora")] {
        let rules = rules(game);
        let values = SectorValues::read(&folder.join(format!("{file}.secval")), &rules).unwrap();
        let published: BTreeSet<Sector> = values.iter().map(|(sector, _)| sector).collect();
        assert!(listed(&rules).unwrap() == published, "{game}");
    }
}

/// Sectors that no game reaches also have the values that their turns determine, in the files as well.
#[test]
fn every_file_of_a_small_game_follows_from_the_others() {
    let rules = rules_of("morris:nine,stones=4-3").unwrap().1;
    let sectors = listed(&rules).unwrap();
    let names: Vec<String> = sectors.iter().map(Sector::to_string).collect();
    let solved = Solved::new(rules, &names.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(solved.known.keys().eq(&sectors));
    let dir = scratch();
    let files = solved.export_all(dir.path());
    for (&sector, file) in &files {
        let slots = file.index().num_slots();
        assert_clean(&malom::check_ultra(&solved.rules, &files, sector, &GO_ON).unwrap(), slots);
        assert_clean(
            &malom::compare(&solved.rules, solved.table(&sector.to_string()), file, &GO_ON).unwrap(),
            sector.num_boards(solved.rules.board.num_points()),
        );
    }
}
