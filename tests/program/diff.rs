//! The command `nerode diff`: its output and its errors.

use crate::common::program::{count, ends, json, list, refused};
use crate::common::scratch;
use serde_json::Value;

/// Solves the game with both capture rules, and creates the directories for the error cases.
fn solved() -> tempfile::TempDir {
    let dir = scratch();
    for (spec, sector, run) in [
        ("morris:six,capture=protected", "4-4-0-0", "protected"),
        ("morris:six", "4-3-0-0", "always"),
        ("morris:nine", "3-3-0-0", "nine"),
    ] {
        ends(dir.path(), 0, &["solve", spec, "--sector", sector, "--run-dir", run]);
    }
    dir
}

/// With the directories exchanged, every change is reversed. The totals are the sums over the sectors.
#[test]
fn changes_add_up_and_turn_round() {
    let dir = solved();
    let [there, back] = [["protected", "always"], ["always", "protected"]]
        .map(|[first, second]| json(dir.path(), &["diff", first, second, "--examples", "2"]));
    let kind = |line: &Value| [&line["from"], &line["to"]].map(|value| value.as_str().unwrap().to_string());
    let mut changed = 0;
    for line in list(&there["changes"]) {
        let [from, to] = kind(line);
        let opposite = list(&back["changes"]).iter().find(|other| kind(other) == [to.clone(), from.clone()]);
        assert_eq!(line["orbits"], opposite.unwrap()["orbits"], "{from} to {to}");
        let of_sectors =
            list(&there["sectors"]).iter().map(|sector| count(&sector["changed"][format!("{from}_to_{to}")]));
        assert_eq!(of_sectors.sum::<u128>(), count(&line["orbits"]));
        assert_eq!(list(&line["examples"]).len() as u128, count(&line["orbits"]).min(2));
        changed += count(&line["orbits"]);
    }
    assert!(changed > 0);
    assert_eq!((count(&there["changed"]), &there["other_dtw"]), (changed, &back["other_dtw"]));
    // The counts of every sector add up.
    for sector in list(&there["sectors"]) {
        for value in ["win", "draw", "loss"] {
            let gained = |document: &Value| -> u128 {
                let fields = document.as_object().unwrap().iter();
                fields.filter(|(name, _)| name.ends_with(&format!("to_{value}"))).map(|(_, n)| count(n)).sum()
            };
            let lost: u128 = sector["changed"]
                .as_object()
                .unwrap()
                .iter()
                .filter(|(name, _)| name.starts_with(value))
                .map(|(_, n)| count(n))
                .sum();
            let [before, after] = ["first", "second"].map(|side| count(&sector[side][value]));
            assert_eq!(before + gained(&sector["changed"]), after + lost, "{sector}");
        }
    }
    assert_eq!(there["only_in_first"], back["only_in_second"]);
    assert!(list(&there["only_in_first"]).iter().any(|sector| sector == "4-4-0-0"));
    assert!(list(&there["only_in_second"]).is_empty());
}

/// The values of an example agree with queries of both directories.
#[test]
fn examples_are_what_both_directories_say() {
    let dir = solved();
    let diff = json(dir.path(), &["diff", "protected", "always", "--examples", "5"]);
    let mut seen = 0;
    for line in list(&diff["changes"]) {
        for example in list(&line["examples"]) {
            let position = example["position"].as_str().unwrap();
            for (run, value, depth) in [("protected", "from", "first_dtw"), ("always", "to", "second_dtw")] {
                let said = json(dir.path(), &["query", run, position, "--any"]);
                assert_eq!((&said["category"], &said["dtw"]), (&line[value], &example[depth]), "{position}");
            }
            seen += 1;
        }
    }
    assert!(seen > 0);
    let text = ends(dir.path(), 0, &["diff", "protected", "always"]);
    assert!(text.contains("draw to win") && text.contains("only in morris:six,capture=protected"), "{text}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let dir = solved();
    ends(dir.path(), 0, &["solve", "nim:2x3", "--run-dir", "nim"]);
    ends(dir.path(), 0, &["solve", "tictactoe:3x3", "--run-dir", "tictactoe"]);
    ends(dir.path(), 0, &["solve", "morris:six,fly=yes", "--sector", "5-3-0-0", "--run-dir", "flying"]);
    for sector in ["3-3-0-0", "4-3-0-0", "3-4-0-0"] {
        std::fs::remove_file(dir.path().join(format!("flying/{sector}.sector"))).unwrap();
    }
    for (first, second, word) in [
        ("always", "nine", "sectors on the board of morris:six"),
        ("always", "always", "another set of rules"),
        ("nim", "tictactoe", "a game on the board of nim:2x3"),
        ("always", "nim", "sectors can only be compared with other sectors, and "),
        ("nim", "always", "sectors can only be compared with other sectors, and "),
        ("always", "absent", "absent"),
        ("always", "flying", "at least one of the sectors"),
    ] {
        let said = refused(dir.path(), &["diff", first, second]);
        assert!(said.contains(word), "{first} {second}: {said}");
    }
    let said = refused(dir.path(), &["diff", "protected", "always", "--sector", "4-4-0-0"]);
    assert!(said.contains("sector 4-4-0-0 is not in"), "{said}");
}

/// Runs of other methods, letter orders, forms and rules, and unfinished ones, are compared position by position.
#[test]
fn any_two_solutions_for_the_same_boards_are_compared() {
    let dir = scratch();
    let at = dir.path();
    let solve = |options: &[&str]| ends(at, 0, &[&["solve"], options].concat());
    solve(&["tictactoe:3x3", "--method", "retrograde", "--run-dir", "back"]);
    solve(&["tictactoe:3x3", "--method", "meet", "--run-dir", "meet"]);
    solve(&["tictactoe:3x3", "--engine", "table", "--out", "all.tbl"]);
    solve(&["tictactoe:3x3", "--engine", "reached", "--out", "reached.tbl"]);
    solve(&["tictactoe:3x3,k=2", "--method", "retrograde", "--run-dir", "two"]);
    solve(&["connect:3x3,row=3", "--method", "retrograde", "--run-dir", "columns"]);
    solve(&["connect:3x3,row=3", "--method", "retrograde", "--order", "rows", "--run-dir", "rows"]);
    solve(&["connect:3x3,row=3", "--method", "retrograde", "--plies", "4", "--run-dir", "part"]);
    let changes = |first: &str, second: &str| {
        let found = json(at, &["diff", first, second]);
        let lines = list(&found["changes"]).iter();
        let changes: Vec<(String, u128)> = lines
            .map(|line| {
                (
                    format!("{} to {}", line["from"].as_str().unwrap(), line["to"].as_str().unwrap()),
                    count(&line["positions"]),
                )
            })
            .collect();
        assert_eq!(changes.iter().map(|change| change.1).sum::<u128>(), count(&found["changed"]), "{found}");
        let depths = found["other_dtw"].as_str().map(|number| number.parse::<u128>().unwrap());
        (changes, count(&found["compared"]), depths, found)
    };
    // The same game in other forms: nothing changes where both cover a position.
    for (first, second, compared) in [("back", "all.tbl", 2 * 19_683), ("columns", "rows", 2 * 19_683)] {
        let (changes, all, depths, _) = changes(first, second);
        assert_eq!((changes, all, depths), (Vec::new(), compared, Some(0)), "{first} {second}");
    }
    let (of_meet, all, depths, _) = changes("meet", "back");
    assert!(
        of_meet.iter().all(|(kind, _)| kind.starts_with("not covered to "))
            && all == 2 * 19_683
            && depths.is_none()
    );
    let (of_reached, ..) = changes("reached.tbl", "meet");
    // Terminal positions have values by the rules, also those that play does not reach.
    assert!(of_reached.iter().all(|(kind, _)| kind.starts_with("not covered to ")), "{of_reached:?}");
    // Of two runs from the start, the positions that play reaches are compared, and no others that the rules decide.
    solve(&["tictactoe:3x3,misere", "--method", "meet", "--run-dir", "misere"]);
    let (of_misere, all, ..) = changes("meet", "misere");
    assert!(!of_misere.is_empty() && all == 5_478, "{all} {of_misere:?}");
    // Depths of early positions are in no set, so this run is compared by look-ups, in the same positions.
    let (of_meet, all, ..) = changes("meet", "all.tbl");
    ends(at, 0, &["bounds", "meet", "--plies", "3"]);
    let (of_depths, all_with_depths, ..) = changes("meet", "all.tbl");
    assert_eq!((of_depths, all_with_depths), (of_meet, all));
    assert_eq!(changes("meet", "misere").1, 5_478);
    // The same holds in other letter orders, and for a table of other rules.
    for (order, run) in [("columns", "by-columns"), ("rows", "by-rows")] {
        solve(&["connect:3x3,row=3", "--method", "meet", "--order", order, "--run-dir", run]);
    }
    let reachable = json(at, &["stats", "by-rows", "--reachable"])["reachable"]["rows"].clone();
    let of_row = |row: &Value| {
        ["win", "draw", "loss"].map(|value| count(&row[value]["positions"])).iter().sum::<u128>()
    };
    let expected: u128 = list(&reachable).iter().map(of_row).sum();
    assert!(expected > 0);
    assert_eq!(changes("by-columns", "by-rows").1, expected);
    let (.., all, _, _) = changes("reached.tbl", "misere");
    assert_eq!(all, 5_478);
    // An unfinished run leaves positions unknown, and decides the others in the same way.
    let (of_part, _, depths, _) = changes("part", "columns");
    assert!(
        !of_part.is_empty()
            && depths == Some(0)
            && of_part.iter().all(|(kind, _)| kind.starts_with("unknown to ")),
        "{of_part:?}"
    );
    // A run without depths has none that could be compared.
    solve(&["tictactoe:3x3", "--method", "retrograde", "--keep", "last", "--run-dir", "last"]);
    let (of_last, _, depths, _) = changes("last", "back");
    assert!(of_last.is_empty() && depths.is_none());
    assert!(ends(at, 0, &["diff", "last", "back"]).contains("0 changed, depths not compared"));
    // Other rules: the examples are what the solutions say.
    let (of_rules, .., found) = changes("back", "two");
    assert!(of_rules.iter().any(|(kind, n)| kind == "draw to win" && *n > 0), "{of_rules:?}");
    for line in list(&found["changes"]) {
        let example = &list(&line["examples"])[0];
        for (run, value, depth) in [("back", "from", "first_dtw"), ("two", "to", "second_dtw")] {
            let said = json(at, &["query", run, example["position"].as_str().unwrap(), "--any"]);
            assert_eq!((&said["category"], &said["dtw"]), (&line[value], &example[depth]), "{example}");
        }
    }
    for example in list(&found["other_dtw_examples"]) {
        assert!(
            example["from"] == example["to"] && example["first_dtw"] != example["second_dtw"],
            "{example}"
        );
    }
    assert!(!list(&found["other_dtw_examples"]).is_empty());
    let text = ends(at, 0, &["diff", "back", "two"]);
    assert!(text.contains("to tictactoe:3x3,k=2") && text.contains("draw to win"), "{text}");
}

/// Sets are compared as sets: the boards of this game are too many to be compared one by one.
#[test]
fn runs_of_a_large_game_are_compared_by_their_sets() {
    let dir = scratch();
    let at = dir.path();
    for (plies, run) in [("1", "one"), ("2", "two")] {
        ends(
            at,
            0,
            &["solve", "breakthrough:5x5", "--method", "retrograde", "--plies", plies, "--run-dir", run],
        );
    }
    let found = json(at, &["diff", "one", "two"]);
    assert_eq!(count(&found["compared"]), 2 * 3_u128.pow(25));
    let of = |run: &str, kind: &str| -> u128 {
        let manifest: Value =
            serde_json::from_slice(&std::fs::read(at.join(run).join("manifest.json")).unwrap()).unwrap();
        ["P1", "P2"]
            .iter()
            .map(|side| {
                count(
                    &manifest["sets"][format!("{kind}-{side}-{}", if run == "one" { "001" } else { "002" })]
                        ["num_positions"],
                )
            })
            .sum()
    };
    for (kind, value) in [("W", "win"), ("L", "loss")] {
        let line = list(&found["changes"]).iter().find(|line| line["to"] == value);
        let found = line.map_or(0, |line| count(&line["positions"]));
        assert_eq!(found, of("two", kind) - of("one", kind), "{value}");
        assert!(line.is_none_or(|line| line["from"] == "unknown"));
    }
}
