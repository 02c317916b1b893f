//! Folders of solutions, solutions named by their games, and claims about runs that keep only their last sets.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::common::program::{ends, first_document, json, list, program, refused, run_program, with_run};
use crate::common::scratch;

#[test]
fn solutions_in_a_folder_are_listed_with_their_sizes_and_states() {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &["solve", "nim:2x2"]);
    ends(at, 0, &["solve", "nim:2x3", "--engine", "table"]);
    ends(at, 0, &["solve", "breakthrough:3x4", "--plies", "2"]);
    std::fs::create_dir(at.join("runs/empty")).unwrap();
    std::fs::write(at.join("runs/notes.txt"), "nothing").unwrap();
    let listed = json(at, &["list"]);
    let rows = list(&listed["solutions"]);
    let names: Vec<&str> = rows.iter().map(|row| row["path"].as_str().unwrap()).collect();
    assert_eq!(names, ["runs/breakthrough_3x4", "runs/nim_2x2", "runs/nim_2x3.tbl"]);
    let games: Vec<&str> = rows.iter().map(|row| row["game"].as_str().unwrap()).collect();
    assert_eq!(games, ["breakthrough:3x4", "nim:2x2", "nim:2x3"]);
    // A run of a requested number of plies is finished but not complete, as 'info' and 'stats' say.
    let of = |field: &str| -> Vec<bool> { rows.iter().map(|row| row[field].as_bool().unwrap()).collect() };
    assert_eq!((of("finished"), of("complete")), (vec![true; 3], vec![false, true, true]));
    let stopped = json(at, &["stats", "runs/breakthrough_3x4"]);
    assert_eq!((&stopped["finished"], &stopped["complete"]), (&true.into(), &false.into()));
    assert_eq!(json(at, &["info", "runs/breakthrough_3x4"])["finished"], true);
    let length = at.join("runs/nim_2x3.tbl").metadata().unwrap().len();
    assert_eq!(rows[2]["bytes"].as_u64(), Some(length));
    // The same list is shown where a folder is given to `info`.
    assert_eq!(json(at, &["info", "runs"])["solutions"], listed["solutions"]);
    assert!(ends(at, 0, &["list", "runs"]).contains("nim:2x3"));
    // A folder without solutions, and a solution.
    assert_eq!(ends(at, 0, &["list", "runs/empty"]), "runs/empty contains no solutions\n");
    assert!(refused(at, &["list", "runs/nim_2x2"]).contains("'nerode info runs/nim_2x2'"));
    assert!(refused(at, &["list", "nowhere"]).contains("the folder nowhere does not exist"));
    assert!(refused(at, &["list", "runs/notes.txt"]).contains("runs/notes.txt is a file, not a folder"));
    // A service of the folder serves all of them.
    let served = first_document(at, &["serve", "runs", "--port", "0", "--json"]);
    let games: Vec<&str> =
        list(&served["solutions"]).iter().map(|row| row["game"].as_str().unwrap()).collect();
    assert_eq!(games, ["breakthrough:3x4", "nim:2x2", "nim:2x3"]);
    // A command that needs one solution names one of them.
    let said = refused(at, &["query", "runs"]);
    assert!(said.contains("3 solutions") && said.contains("'nerode list runs'"), "{said}");
}

#[test]
fn a_damaged_solution_does_not_hide_the_others() {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &["solve", "nim:2x2"]);
    ends(at, 0, &["solve", "nim:2x3"]);
    std::fs::write(at.join("runs/nim_2x2/manifest.json"), "{}").unwrap();
    let listed = json(at, &["list"]);
    let rows = list(&listed["solutions"]);
    assert_eq!(rows.len(), 2);
    assert!(rows[0]["game"].is_null() && rows[0]["progress"].as_str().unwrap().contains("manifest.json"));
    assert_eq!(rows[1]["game"], "nim:2x3");
}

#[test]
fn a_solution_is_named_by_its_game() {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &["solve", "nim:2x2"]);
    ends(at, 0, &["solve", "nim:2x3", "--engine", "table"]);
    assert_eq!(ends(at, 0, &["query", "nim:2x2"]), ends(at, 0, &["query", "runs/nim_2x2", "start"]));
    assert_eq!(ends(at, 0, &["line", "nim:2x3"]), ends(at, 0, &["line", "runs/nim_2x3.tbl", "start"]));
    assert_eq!(ends(at, 0, &["stats", "nim:2x2"]), ends(at, 0, &["stats", "runs/nim_2x2"]));
    let said = refused(at, &["query", "connect:7x6"]);
    assert!(
        said.contains("no solution of connect:7x6 in runs") && said.contains("'nerode solve connect:7x6'"),
        "{said}"
    );
    for (name, game) in [("hex", "rbg:hex"), ("connect four", "connect:7x6"), ("reversi", "othello:4x4")] {
        let said = refused(at, &["query", name]);
        assert!(
            said.contains("no game has this name") && said.contains(&format!("'{game}' is a game")),
            "{said}"
        );
    }
    // Names of several words need quotes, which the messages say however the words are read.
    for (words, game) in [
        (&["query", "connect", "four"][..], "connect:7x6"),
        (&["line", "nine", "mens", "morris"], "morris:nine"),
        (&["play", "tic", "tac", "toe", "start"], "tictactoe:3x3"),
        (&["query", "tictactoe", "3x3"], "tictactoe:3x3"),
        (&["stats", "connect", "four"], "connect:7x6"),
        (&["solve", "nine", "mens", "morris"], "morris:nine"),
    ] {
        let said = refused(at, words);
        assert!(said.contains(&format!("'{game}'")), "{words:?}: {said}");
    }
    // A misspelt family and a wrong board are not taken for directories.
    for (name, word) in
        [("tictacto", "did you mean 'tictactoe'"), ("nim:99", "'nim:99'"), ("connect:4x4x4", "the form is")]
    {
        for command in ["query", "stats", "verify"] {
            let said = refused(at, &[command, name]);
            assert!(said.contains(word) && !said.contains("no such directory"), "{command} {name}: {said}");
        }
    }
    let said = refused(at, &["query", "nim:2x2", "four"]);
    assert!(!said.contains("is a game"), "{said}");
    let said = refused(at, &["check", "tictactoe"]);
    assert!(said.contains("a built-in game") && said.contains("'nerode info tictactoe'"), "{said}");
    assert!(ends(at, 0, &["--help"]).contains("nerode play tictactoe"));
    let said = refused(at, &["check", "no.rbg"]);
    assert!(said.contains("no.rbg: no such file") && said.contains("rbg:NAME"), "{said}");
    let said = refused(at, &["stats", "morris:nine"]);
    assert!(said.contains("no solution of morris:nine in runs"), "{said}");
}

/// The commands that ask a solution solve a small game that has none, once.
#[test]
fn a_small_game_is_solved_when_it_is_named() {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &["solve", "nim:2x4", "--run-dir", "by-hand"]);
    for command in ["query", "line", "stats"] {
        let output = run_program(at, &[command, "nim:2x4"]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{command}: {said}");
        assert_eq!(said.contains("is solved first"), command == "query", "{command}: {said}");
        assert_eq!(
            String::from_utf8(output.stdout).unwrap(),
            ends(at, 0, &[command, "runs/nim_2x4"]),
            "{command}"
        );
    }
    assert_eq!(std::fs::read_dir(at.join("runs")).unwrap().count(), 1, "nothing else remains");
    assert!(ends(at, 0, &["diff", "nim:2x4", "by-hand"]).contains("0"));
}

/// Commands that need a finished solution find it by its game as well, and otherwise say how to make it.
#[test]
fn every_command_on_solutions_takes_the_name_of_a_game() {
    let dir = scratch();
    let at = dir.path();
    let rows = ["--format", "csv", "--out", "-"];
    for (command, rest) in
        [("verify", &[][..]), ("export", &rows), ("pack", &[]), ("bounds", &[]), ("resume", &[])]
    {
        let said = refused(at, &[&[command, "nim:2x3"], rest].concat());
        assert!(said.contains("no solution of nim:2x3 in runs"), "{command}: {said}");
        assert!(said.contains("'nerode solve nim:2x3' creates one"), "{command}: {said}");
    }
    assert!(!at.join("runs").exists(), "nothing is solved unless a position is asked for");
    ends(at, 0, &["solve", "nim:2x3"]);
    ends(at, 0, &["solve", "nim:2x4", "--method", "meet"]);
    assert_eq!(json(at, &["verify", "nim:2x3"])["mismatches"], "0");
    let of = |named| ends(at, 0, &[&["export", named], &rows[..]].concat());
    assert_eq!(of("nim:2x3"), of("runs/nim_2x3"));
    assert_eq!(json(at, &["pack", "nim:2x3"])["folder"], "runs/nim_2x3/values");
    assert_eq!(json(at, &["resume", "nim:2x3"])["run_dir"], "runs/nim_2x3");
    ends(at, 0, &["bounds", "nim:2x4", "--plies", "1"]);
    std::fs::write(at.join("record"), "1. a1\n").unwrap();
    assert_eq!(json(at, &["analyse", "nim:2x3", "record"])["game"], "nim:2x3");
    assert_eq!(json(at, &["match", "perfect:nim:2x3", "random"])["game"], "nim:2x3");
    let mut engine = program();
    let engine = engine.current_dir(at).args(["engine", "nim:2x3"]).stdin(Stdio::null()).output().unwrap();
    assert!(engine.status.success(), "{engine:?}");
    let served = first_document(at, &["serve", "nim:2x3", "--port", "0", "--json"]);
    assert_eq!(served["solutions"][0]["game"], "nim:2x3");
}

/// Two directories of sectors are compared sector by sector, however they are named.
#[test]
fn sectors_are_found_by_their_game() {
    let dir = scratch();
    let at = dir.path();
    let other = "morris:six,capture=protected";
    for game in ["morris:six", other] {
        ends(at, 0, &["solve", game, "--sector", "3-3-0-0"]);
    }
    let by_name = json(at, &["diff", "morris:six", other]);
    assert_eq!(by_name["sectors"][0]["sector"], "3-3-0-0", "{by_name}");
    let compared = json(at, &["compare", "morris:six", "--forms", "zstd"]);
    assert_eq!(compared["game"], "morris:six", "{compared}");
}

/// A hint names a solve that the program makes: the bare name of a family may stand for a game that no machine solves.
#[test]
fn a_game_out_of_reach_is_not_advised() {
    let dir = scratch();
    let at = dir.path();
    for (name, smaller) in [
        ("chess", "chess:KRvK"),
        ("connect", "connect:5x5"),
        ("othello:8x8", "othello:4x4"),
        ("amazons", "amazons:4x4"),
    ] {
        for command in ["query", "verify"] {
            let said = refused(at, &[command, name]);
            assert!(said.contains("and it is out of reach"), "{command} {name}: {said}");
            assert!(said.contains(&format!("'nerode solve {smaller}'")), "{command} {name}: {said}");
            assert!(
                !said.contains(&format!("'nerode solve {name}' creates one")),
                "{command} {name}: {said}"
            );
        }
    }
}

/// A file of rules that has been edited does not answer from the solution of the old rules.
#[test]
fn edited_rules_are_not_answered_by_the_old_solution() {
    let dir = scratch();
    let at = dir.path();
    let rules = ends(at, 0, &["check", "rbg:tictactoe", "--canonical"]);
    std::fs::write(at.join("mine.rbg"), &rules).unwrap();
    ends(at, 0, &["solve", "mine.rbg"]);
    let old = ends(at, 0, &["query", "mine.rbg"]);
    std::fs::write(at.join("mine.rbg"), format!("// A comment does not change them.\n{rules}")).unwrap();
    assert_eq!(ends(at, 0, &["query", "mine.rbg"]), old);
    let other = ends(at, 0, &["check", "rbg:tictactoe", "--misere", "--canonical"]);
    std::fs::write(at.join("mine.rbg"), other).unwrap();
    let said = refused(at, &["query", "mine.rbg"]);
    assert!(said.contains("a solution of other rules than those in mine.rbg"), "{said}");
    assert!(said.contains("'nerode solve mine.rbg --overwrite'"), "{said}");
    assert_eq!(ends(at, 0, &["query", "runs/mine.rbg"]), old);
    ends(at, 0, &["solve", "mine.rbg", "--overwrite"]);
    assert_ne!(ends(at, 0, &["query", "mine.rbg"]), old);
}

#[test]
fn a_file_of_rules_names_its_solution_without_its_folders() {
    let dir = scratch();
    let at = dir.path();
    let rules = ends(at, 0, &["check", "rbg:tictactoe", "--canonical"]);
    std::fs::create_dir(at.join("games")).unwrap();
    std::fs::write(at.join("games/small.rbg"), rules).unwrap();
    let absolute = at.join("games/small.rbg").display().to_string();
    for path in ["./games/small.rbg", absolute.as_str()] {
        let solved = json(at, &["solve", path]);
        assert_eq!(solved["run_dir"], "runs/small.rbg", "{path}");
        std::fs::remove_dir_all(at.join("runs")).unwrap();
    }
}

/// A run that keeps only its last sets has neither early plies nor depths, so no check and no line may claim them.
#[test]
fn a_run_of_last_sets_claims_neither_depths_nor_best_play() {
    let dir = scratch();
    let at = dir.path();
    for (keep, checks, depths) in
        [("last", ["last sets", "explicit values"], "bounds"), ("all", ["one-ply", "explicit"], "stored")]
    {
        ends(at, 0, &["solve", "breakthrough:3x4", "--keep", keep, "--run-dir", keep]);
        for (options, check) in [(&[][..], checks[0]), (&["--explicit"], checks[1])] {
            let verified = json(at, &[&["verify", keep], options].concat());
            assert_eq!(verified["checks"], serde_json::json!([check]), "{keep}");
            let is_partial = verified.get("depths_checked").is_some();
            assert_eq!(is_partial, keep == "last", "{verified}");
        }
        let text = ends(at, 0, &["verify", keep]);
        assert_eq!(text.contains("depths and earlier plies were not checked"), keep == "last", "{text}");
        // The longest wins and losses do not vanish without a word.
        let text = ends(at, 0, &["stats", keep]);
        assert_eq!(text.contains("the run keeps only its last sets"), keep == "last", "{text}");
        let last = json(at, &["verify", keep, "--last"]);
        assert_eq!(last["depths_checked"], false, "{last}");
        let line = json(at, &["line", keep]);
        assert_eq!(line["depths"], depths);
        let text = ends(at, 0, &["line", keep]);
        assert_eq!(text.contains("not best play"), keep == "last", "{text}");
    }
}

#[test]
fn another_run_in_the_directory_is_named_with_its_game() {
    let dir = scratch();
    let at = dir.path();
    ends(at, 0, &["solve", "nim:2x2", "--run-dir", "run"]);
    let said = refused(at, &["solve", "breakthrough:3x4", "--run-dir", "run"]);
    assert!(said.contains("finished run of nim:2x2"), "{said}");
}

#[test]
fn quiet_hides_every_form_of_progress() {
    let dir = scratch();
    for progress in ["plain", "json", "auto"] {
        let run = ["solve", "nim:2x2", "--overwrite", "-q", "--progress", progress];
        let output = run_program(dir.path(), &run);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{progress}");
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn games_of_rule_files_are_listed() {
    let dir = scratch();
    let games = json(dir.path(), &["games"]);
    let files = list(&games["rule_files"]);
    assert!(files.iter().any(|name| name == "rbg:hex"), "{games}");
    for name in files {
        ends(dir.path(), 0, &["check", name.as_str().unwrap()]);
    }
    assert!(ends(dir.path(), 0, &["games"]).contains("rbg:hex"));
}

/// Splits a row, in which only the position may contain commas and is then quoted.
fn fields(row: &str) -> Vec<String> {
    let Some((before, rest)) = row.split_once('"') else { return row.split(',').map(String::from).collect() };
    let (position, after) = rest.split_once('"').unwrap();
    let outside = |part: &str| part.split(',').filter(|field| !field.is_empty()).map(String::from).collect();
    let [before, mut after]: [Vec<String>; 2] = [outside(before), outside(after)];
    after.resize(2, String::new());
    [before, vec![position.to_string()], after].concat()
}

/// A listing and a query agree on what a position of the game is.
#[test]
#[ignore = "slow: .ci/slow"]
fn every_exported_position_can_be_queried() {
    for (spec, step) in [
        ("breakthrough:2x4", 11),
        ("tictactoe:2x3,k=2", 1),
        ("connect:3x3,row=3", 23),
        ("nim:2x3", 1),
        ("othello:3x3", 97),
        ("amazons:3x3,start=1b1/3/1w1", 301),
        ("chess:KRvK,board=4x4", 37),
        ("morris:three", 601),
        ("rbg:tictactoe", 31),
    ] {
        let dir = with_run(spec, &["--method", "retrograde"]);
        let at = dir.path();
        ends(at, 0, &["export", "run", "--format", "csv", "--out", "rows.csv", "-q"]);
        let file = std::fs::File::open(at.join("rows.csv")).unwrap();
        let rows: Vec<Vec<String>> =
            BufReader::new(file).lines().skip(1).step_by(step).map(|row| fields(&row.unwrap())).collect();
        let input: String = rows.iter().map(|row| format!("{}\n", row[2])).collect();
        let mut child = program()
            .current_dir(at)
            .args(["query", "run", "--batch", "--any"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut to = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || to.write_all(input.as_bytes()));
        let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        writer.join().unwrap().unwrap();
        let answers: Vec<serde_json::Value> =
            output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(answers.len(), rows.len());
        for (row, answer) in rows.iter().zip(&answers) {
            assert_eq!(answer["category"], row[3].as_str(), "{spec}: {row:?}, {answer}");
            let dtw = answer["dtw"].as_u64().map_or(String::new(), |plies| plies.to_string());
            assert_eq!(dtw, row[4], "{spec}: {row:?}, {answer}");
        }
    }
}

#[test]
fn a_run_of_few_plies_is_not_called_finished() {
    let dir = scratch();
    ends(dir.path(), 0, &["solve", "breakthrough:3x4", "--plies", "4", "--run-dir", "run"]);
    let error = refused(dir.path(), &["solve", "breakthrough:3x4", "--run-dir", "run"]);
    assert!(error.contains("stopped at the requested number of plies"), "{error}");
    ends(dir.path(), 0, &["resume", "run", "--plies", "end"]);
    let error = refused(dir.path(), &["solve", "breakthrough:3x4", "--run-dir", "run"]);
    assert!(error.contains("the finished run"), "{error}");
}
