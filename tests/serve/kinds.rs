//! A small solution of every kind, created once by the program.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use tempfile::TempDir;

/// A solution, with its properties for tests.
pub struct Kind {
    /// The last part of its path, which is also its id.
    pub name: &'static str,
    pub path: PathBuf,
    /// Whether the solution covers the start.
    pub covers_start: bool,
    /// Whether it consists of sets that can be displayed.
    pub has_sets: bool,
    /// Whether it consists of sectors.
    pub has_sectors: bool,
}

/// Name, whether it covers the start, has sets, has sectors, and the arguments that create it, in which `@` stands
/// for the folder.
type Recipe = (&'static str, [bool; 3], &'static str);

const RECIPES: [Recipe; 20] = [
    ("run", [true, true, false], "solve breakthrough:3x4 --run-dir @/run"),
    ("forward", [true, true, false], "solve amazons:3x3,start=1b1/3/1w1 --method meet --run-dir @/forward"),
    (
        "unfinished",
        [true, true, false],
        "solve breakthrough:3x4 --method retrograde --plies 3 --run-dir @/unfinished",
    ),
    ("values", [true, true, false], "pack @/run --out @/values"),
    ("packed-run", [true, true, false], "pack @/forward --out @/packed-run"),
    ("table", [true, false, false], "solve tictactoe:3x3 --engine table --out @/table"),
    ("reached", [true, false, false], "solve tictactoe:3x3 --engine reached --out @/reached"),
    ("scores", [true, false, false], "solve othello:4x3 --score --run-dir @/scores"),
    ("endgame", [true, true, false], "solve chess:KRvK,board=4x4 --run-dir @/endgame"),
    ("sectors", [false, false, true], "solve morris:six --sector 3-3-0-0 --run-dir @/sectors"),
    ("ranked", [true, false, true], "solve morris:three --engine sectors --ranked --run-dir @/ranked"),
    ("packed", [true, false, true], "pack @/ranked --out @/packed"),
    ("packed-depths", [true, false, true], "pack @/ranked --depths --out @/packed-depths"),
    ("packed-sector", [false, false, true], "pack @/sectors --out @/packed-sector"),
    (
        "sector-sets",
        [false, true, true],
        "solve morris:three --engine sets --sector 3-3-0-0 --run-dir @/sector-sets",
    ),
    ("morris-run", [true, true, false], "solve morris:three --run-dir @/morris-run"),
    ("rules", [true, true, false], "solve rbg:tictactoe --run-dir @/rules"),
    ("hexagons", [true, true, false], "solve rbg:hex --run-dir @/hexagons"),
    // The board is drawn from data stored with the solution. A few pieces are sufficient.
    (
        "points",
        [true, true, false],
        "solve rbg:laukatakati --start 1b5b1.1w5w1_white_quiet=0 --bound quiet=2 --run-dir @/points",
    ),
    ("heaps", [true, true, false], "solve nim:3x3 --run-dir @/heaps"),
];

/// Returns all kinds.
pub fn kinds() -> &'static [Kind] {
    static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());
    static KINDS: LazyLock<Vec<Kind>> =
        LazyLock::new(|| RECIPES.into_iter().map(|recipe| made(FOLDER.path(), recipe)).collect());
    &KINDS
}

fn made(folder: &Path, (name, [covers_start, has_sets, has_sectors], arguments): Recipe) -> Kind {
    let folder_name = folder.to_str().unwrap();
    let arguments = arguments.split(' ').map(|word| word.replace('@', folder_name));
    let mut command = Command::new(env!("CARGO_BIN_EXE_nerode"));
    let output = command.args(arguments).args(["--threads", "1", "--quiet"]).output().unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    Kind { name, path: folder.join(name), covers_start, has_sets, has_sectors }
}
