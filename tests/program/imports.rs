//! `import` and `export` of Malom's files never write into a directory with other contents, nor overwrite files
//! without a request.

use std::fs;

use crate::common::program::{ends, refused};
use crate::common::{assert_same_files, files, scratch};

#[test]
fn nothing_is_imported_into_a_directory_that_holds_something_else() {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &["solve", "morris:nine", "--sector", "3-3-0-0", "--run-dir", "nine"]);
    ends(at, 0, &["export", "nine", "--format", "sec", "--out", "malom"]);
    let file = "malom/std_3_3_0_0.sec";
    ends(at, 0, &["solve", "nim:2x3", "--method", "retrograde", "--run-dir", "run"]);
    ends(at, 0, &["pack", "run", "--out", "values"]);
    ends(at, 0, &["solve", "othello:3x3", "--score", "--run-dir", "scores"]);
    fs::create_dir(at.join("damaged")).unwrap();
    fs::write(at.join("damaged/manifest.json"), "").unwrap();
    let before = files(at);
    for other in ["run", "values", "scores", "damaged"] {
        for more in [&[][..], &["--overwrite"]] {
            let command = [&["import", "morris:nine", file, "--run-dir", other], more].concat();
            let errors = refused(at, &command);
            assert!(errors.contains("expected sectors, found"), "{other}: {errors}");
        }
    }
    assert_same_files(&files(at), &before, "after all these refusals");
    ends(at, 0, &["verify", "run"]);
    for arguments in [
        &["import", "morris:nine", file, file, "--run-dir", "new"][..],
        &["import", "morris:lasker", file, "--run-dir", "new"],
        &["import", "morris:nine", "absent/std_3_3_0_0.sec", "--run-dir", "new"],
        &["export", "nine", "--format", "sec", "--out", "nine"],
        &["export", "nine", "--format", "sec", "--out", "run/malom", "--overwrite"],
        &["export", "nine", "--format", "sec", "--out", file, "--overwrite"],
        &["export", "nine", "--format", "csv", "--out", "x.csv"],
        &["export", "absent", "--format", "sec", "--out", "x"],
    ] {
        refused(at, arguments);
        assert_same_files(&files(at), &before, &format!("{arguments:?}"));
    }
    ends(at, 0, &["import", "morris:nine", file, "--run-dir", "nine"]);
    ends(at, 0, &["export", "nine", "--format", "sec", "--out", "malom"]);
    ends(at, 0, &["import", "morris:nine", file, "--run-dir", "nine", "--overwrite"]);
    ends(at, 0, &["export", "nine", "--format", "sec", "--out", "malom", "--overwrite"]);
    assert_same_files(&files(at), &before, "the same sectors there and back");
}
