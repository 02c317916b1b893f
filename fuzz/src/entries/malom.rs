//! Sector files of other programs, for sectors with few positions, which are read completely.

use std::fs;
use std::sync::atomic::AtomicBool;

use nerode_morris::malom::{self, SectorValues};
use nerode_morris::tables::IndexMaker;
use nerode_morris::tables::name::named_game;

/// The file names, of which the first byte selects one. The last one is the list of the sectors' values.
const NAMES: [&str; 5] =
    ["std_0_0_9_9.sec", "std_0_1_9_8.sec", "std_0_0_9_9.sec2", "std_0_1_9_8.sec2", "std.secval"];
const VALUES: &str = "virt_loss_val: -299\nvirt_win_val: 299\n2\n0 0 9 9  0\n0 1 9 8  0\n";

pub fn malom(bytes: &[u8]) {
    let Some((&which, contents)) = bytes.split_first() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (_, rules, _) = named_game("morris:nine").unwrap();
    let list = folder.path().join(NAMES[4]);
    let name = NAMES[usize::from(which) % NAMES.len()];
    fs::write(&list, VALUES).unwrap();
    fs::write(folder.path().join(name), contents).unwrap();
    if name == NAMES[4] {
        if let Ok(values) = SectorValues::read(&list, &rules) {
            fs::write(&list, values.text()).unwrap();
            assert_eq!(SectorValues::read(&list, &rules).unwrap().text(), values.text());
        }
        return;
    }
    let never = AtomicBool::new(false);
    if let Ok(foreign) = malom::open(&folder.path().join(name), &rules, &IndexMaker::new(&rules.board)) {
        for slot in 0..foreign.index().num_slots() {
            let _ = (foreign.stored(slot), foreign.entry(slot));
        }
        let _ = (foreign.check(&never), malom::import(&foreign, &never));
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    let no_overflow = [0u8; 4];
    let head: Vec<u8> = [2i32, 3, 12].iter().flat_map(|n| n.to_le_bytes()).chain([0; 52]).collect();
    let one = [2u8, 0, 0, 0];
    vec![
        [&[0, 255][..], &no_overflow].concat(),
        [&[0, 179, 1, 0, 0, 0, 0, 0, 0, 0][..], &250i32.to_le_bytes()].concat(),
        [&[1][..], &[255; 24], &no_overflow].concat(),
        [&one[..1], &head, &[0, 0, 0], &no_overflow].concat(),
        [&[3][..], &head, &[0; 72], &no_overflow].concat(),
        [&[4][..], VALUES.as_bytes()].concat(),
    ]
}
