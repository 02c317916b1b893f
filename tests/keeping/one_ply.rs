//! `verify` finds nothing in correct runs and something in every faulty one: a word added to or missing from a stored set,
//! exchanged wins and losses, exchanged plies, and unknown positions stored as draws.

use std::collections::HashSet;
use std::path::Path;

use crate::common::program::run_program;
use crate::common::{
    Plan, boards, edit_manifest, game, replace_sets, scratch, set_name, set_names, solve_in, solved, stride,
    toggled,
};
use nerode_dfa::Dfa;
use nerode_games::Side;
use nerode_solver::archive::run_dir::{Kind, RunDir, SetName};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::archive::table::keyed::write_keyed;
use nerode_solver::check::{Report, one_ply, sample, tables};
use nerode_solver::error::Error;
use nerode_solver::solve::method::Method;
use nerode_solver::solve::reached::at_most;
use nerode_solver::solve::resources::Resources;

fn check(path: &Path) -> Report {
    let solution = StoredRun::open(path).unwrap();
    one_ply::check(&solution, &Resources::default(), &mut |_| ()).unwrap()
}

fn plans(spec: &str) -> Vec<Plan> {
    let (_dir, whole) = solved(spec, None, Plan::RETROGRADE);
    let last = whole.last_ply();
    let mut all = vec![Plan::RETROGRADE, Plan::meet(None, None), Plan::meet(Some(0), None)];
    all.extend([0, 1, last / 2, last].map(Plan::retrograde));
    for (backward, forward) in [(0, 0), (0, 3), (2, 2), (1, 5), (last, 2)] {
        all.push(Plan::meet(Some(backward), Some(forward)));
    }
    all
}

#[test]
#[ignore = "slow: .ci/slow"]
fn good_runs_have_no_mismatch() {
    for spec in [
        "nim:3x3",
        "nim:1x5",
        "tictactoe:2x2,k=2",
        "tictactoe:3x3",
        "breakthrough:2x4",
        "breakthrough:2x5",
        "othello:3x3",
    ] {
        for plan in plans(spec) {
            let (dir, solution) = solved(spec, None, plan);
            let mut plies = Vec::new();
            let found = one_ply::check(&solution, &Resources::default(), &mut |ply| plies.push(ply)).unwrap();
            assert_eq!((found.mismatches, &found.first_mismatch), (0, &None), "{spec} {plan:?}");
            let run = RunDir::open(dir.path()).unwrap();
            let covered: u128 = match plan.method {
                Method::Retrograde => {
                    let unknown = Side::BOTH.map(|side| solution.num_unknown(side).unwrap());
                    2 * solution.game.shape().num_words().unwrap() - unknown.iter().sum::<u128>()
                }
                // A position that is reached at several plies counts once.
                Method::Meet => {
                    let decided = run.sets().filter_map(|(name, _)| SetName::parse(name));
                    let decided = decided.filter(|name| [Kind::RW, Kind::RL, Kind::RD].contains(&name.kind));
                    let mut words = HashSet::new();
                    for name in decided {
                        words.extend(run.get(name).unwrap().words().map(|word| (name.side, word)));
                    }
                    words.len() as u128
                }
            };
            assert_eq!(found.checked, covered, "{spec} {plan:?}");
            let found = sample::check(&solution, 60, 1).unwrap();
            assert_eq!((found.mismatches, &found.first_mismatch), (0, &None), "{spec} {plan:?} by sample");
        }
    }
}

#[test]
fn good_runs_agree_with_the_oracle_and_its_table() {
    for spec in ["nim:3x3", "tictactoe:3x3", "breakthrough:2x5"] {
        let (dir, solution) = solved(spec, None, Plan::RETROGRADE);
        let table = dir.path().join("values.tbl");
        let explicit = crate::common::oracle(solution.game.as_ref());
        nerode_solver::archive::table::write_solution(&table, solution.game.as_ref(), &explicit, true)
            .unwrap();
        let all = 2 * solution.game.shape().num_words().unwrap();
        let clean = Report { checked: all, ..Report::default() };
        let resources = Resources::default();
        assert_eq!(tables::against_oracle(&solution, &resources, &mut |_, _| ()).unwrap(), clean, "{spec}");
        assert_eq!(
            tables::against_table(&solution, &table, nerode::registry(), &resources).unwrap(),
            clean,
            "{spec}"
        );
    }
}

/// A table of reached positions finds a word added to or missing from the sets of a run from the start.
#[test]
fn a_table_of_reached_positions_finds_positions_added_and_missing() {
    let (dir, solution) = solved("tictactoe:3x3", None, Plan::meet(Some(0), None));
    let (spec, resources) = (solution.game.as_ref(), Resources::default());
    let table = dir.path().join("reached.tbl");
    let reached = at_most(spec, 1 << 20, &resources).unwrap().unwrap();
    write_keyed(&table, spec, reached.into_rows(), false, &resources, &mut |_, _| ()).unwrap();
    let against = || {
        let solution = StoredRun::open(dir.path()).unwrap();
        tables::against_table(&solution, &table, nerode::registry(), &resources).unwrap()
    };
    assert_eq!(against(), Report { checked: 5478, ..Report::default() });
    let [all, won] = ["R-P1-004", "RW-P1-004"].map(set_name);
    let run = RunDir::open(dir.path()).unwrap();
    let good = [all, won].map(|name| (name, run.get(name).unwrap()));
    let is_other =
        |word: &Vec<u8>| !good[0].1.contains(word) && spec.plies_played(&spec.board_of(word)) == Some(4);
    let unreached = boards(spec).map(|board| spec.word_of(&board)).find(is_other).unwrap();
    let missing = good[1].1.words().next().unwrap();
    for word in [unreached, missing] {
        let new: Vec<_> = good.iter().map(|(name, set)| (*name, toggled(set, &word))).collect();
        replace_sets(dir.path(), &new);
        assert_eq!(against().mismatches, 1, "{word:?}");
        replace_sets(dir.path(), &good);
    }
    assert_eq!(against().mismatches, 0);
}

/// Toggles the membership of words in every stored set, one at a time: of every eleventh word, or of all if tests are exhaustive.
fn single_faults(spec: &str, plan: Plan) {
    let (dir, solution) = solved(spec, None, plan);
    let words: Vec<Vec<u8>> =
        boards(solution.game.as_ref()).map(|board| solution.game.word_of(&board)).collect();
    for (at, name) in set_names(dir.path()).into_iter().enumerate() {
        let good = RunDir::open(dir.path()).unwrap().get(name).unwrap();
        // Every set begins with another word.
        for word in words.iter().skip(at % stride(11)).step_by(stride(11)) {
            replace_sets(dir.path(), &[(name, toggled(&good, word))]);
            let found = check(dir.path());
            let what = if good.contains(word) { "without" } else { "with" };
            assert!(found.mismatches > 0, "{spec} {plan:?}: {name} {what} {word:?} passes");
            assert!(found.first_mismatch.is_some());
        }
        replace_sets(dir.path(), &[(name, good)]);
    }
    assert_eq!(check(dir.path()).mismatches, 0, "the restored run must have no mismatches");
}

#[test]
#[ignore = "slow: .ci/slow"]
fn single_faults_in_nim_are_found() {
    for plan in plans("nim:2x2") {
        single_faults("nim:2x2", plan);
    }
}

#[test]
fn single_faults_in_tictactoe_are_found() {
    for plan in
        [Plan::RETROGRADE, Plan::retrograde(1), Plan::meet(Some(0), None), Plan::meet(Some(1), Some(2))]
    {
        single_faults("tictactoe:3x1,k=2", plan);
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn single_faults_in_a_game_of_four_cells_are_found() {
    for plan in [Plan::RETROGRADE, Plan::retrograde(1), Plan::meet(Some(1), Some(2))] {
        single_faults("tictactoe:2x2,k=2", plan);
    }
}

/// Solves `breakthrough:2x4` and replaces some sets by the result of `change` on the correct sets.
fn damaged(
    plan: Plan,
    change: impl Fn(&dyn Fn(&str) -> Dfa) -> Vec<(&'static str, Dfa)>,
) -> tempfile::TempDir {
    let dir = scratch();
    solve_in(dir.path(), &game("breakthrough:2x4"), plan).unwrap();
    let run = RunDir::open(dir.path()).unwrap();
    let new = change(&|name| run.get(set_name(name)).unwrap());
    let new: Vec<(SetName, Dfa)> = new.into_iter().map(|(name, dfa)| (set_name(name), dfa)).collect();
    for (name, dfa) in &new {
        assert!(&run.get(*name).unwrap() != dfa, "{name} is not changed");
    }
    replace_sets(dir.path(), &new);
    dir
}

fn assert_found(dir: &tempfile::TempDir, what: &str) {
    let found = check(dir.path());
    assert!(found.mismatches > 0, "{what} passes");
    let output = run_program(dir.path(), &["verify", "."]);
    assert_eq!(output.status.code(), Some(1), "{what}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("first: "), "{what}: {text}");
}

#[test]
fn sets_changed_for_one_another_are_found_and_the_program_says_so() {
    type Change = fn(&dyn Fn(&str) -> Dfa) -> Vec<(&'static str, Dfa)>;
    let changes: [(&str, Change); 6] = [
        ("wins and losses of a ply swapped", |get| {
            vec![("W-P1-004", get("L-P1-004")), ("L-P1-004", get("W-P1-004"))]
        }),
        ("sides swapped", |get| vec![("W-P1-005", get("W-P2-005")), ("W-P2-005", get("W-P1-005"))]),
        ("wins of two plies less", |get| vec![("W-P1-006", get("W-P1-004"))]),
        ("wins of two plies more", |get| vec![("W-P2-003", get("W-P2-005"))]),
        ("losses of two plies more", |get| vec![("L-P2-002", get("L-P2-004"))]),
        ("no wins at all", |get| vec![("W-P1-003", Dfa::empty(get("W-P1-003").shape()))]),
    ];
    for (what, change) in changes {
        assert_found(&damaged(Plan::RETROGRADE, change), what);
    }
    let meet: [(&str, Change); 5] = [
        ("wins and losses of a ply swapped", |get| {
            vec![("RW-P1-004", get("RL-P1-004")), ("RL-P1-004", get("RW-P1-004"))]
        }),
        ("a lost ply", |get| vec![("RL-P2-003", Dfa::empty(get("RL-P2-003").shape()))]),
        ("unreached positions", |get| vec![("R-P1-002", get("R-P1-004"))]),
        ("wins of another ply", |get| vec![("RW-P1-002", get("RW-P1-004"))]),
        ("nothing reached", |get| vec![("R-P2-001", Dfa::empty(get("R-P2-001").shape()))]),
    ];
    for (what, change) in meet {
        assert_found(&damaged(Plan::meet(Some(0), None), change), what);
    }
}

/// In a run that was cut short, undecided positions must not be stored as draws.
#[test]
fn unknown_positions_called_draws_are_found() {
    let dir = damaged(Plan::retrograde(3), |get| {
        vec![("D-P1-003", get("U-P1-003")), ("U-P1-003", get("D-P1-003"))]
    });
    assert_found(&dir, "unknown stored as a draw");
    let dir = damaged(Plan::meet(Some(0), Some(4)), |get| {
        vec![("RD-P1-002", get("RU-P1-002")), ("RU-P1-002", get("RD-P1-002"))]
    });
    assert_found(&dir, "reachable unknown stored as a draw");
}

/// Queries read the last sets. If these are swapped, nearly every position has the wrong value.
#[test]
fn the_sample_and_the_comparisons_find_swapped_values() {
    let (dir, solution) = solved("breakthrough:2x4", None, Plan::RETROGRADE);
    let last = solution.last_ply();
    let run = RunDir::open(dir.path()).unwrap();
    let name = |kind| SetName { kind, side: Side::P1, ply: last };
    let (win, loss) = (run.get(name(Kind::W)).unwrap(), run.get(name(Kind::L)).unwrap());
    replace_sets(dir.path(), &[(name(Kind::W), loss), (name(Kind::L), win)]);
    let solution = StoredRun::open(dir.path()).unwrap();
    let found = sample::check(&solution, 50, 7).unwrap();
    assert_eq!(found.checked, 100);
    assert!(found.mismatches >= 25, "{found:?}");
    assert_eq!(sample::check(&solution, 50, 7).unwrap(), found, "the seed must select the positions");

    let at = dir.path();
    let out = run_program(at, &["solve", "breakthrough:2x4", "--engine", "table", "--out", "values.tbl"]);
    assert_eq!(out.status.code(), Some(0));
    for arguments in [
        &["verify", ".", "--sample", "50"][..],
        &["verify", ".", "--explicit"],
        &["verify", ".", "--table", "values.tbl"],
        &["verify", ".", "--sample", "5", "--explicit", "--table", "values.tbl"],
    ] {
        let output = run_program(at, arguments);
        assert_eq!(
            output.status.code(),
            Some(1),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn an_unfinished_run_is_not_verified() {
    let dir = scratch();
    solve_in(dir.path(), &game("nim:2x3"), Plan::RETROGRADE).unwrap();
    edit_manifest(dir.path(), |manifest| manifest["progress"]["finished"] = false.into());
    let solution = StoredRun::open(dir.path()).unwrap();
    let refused = one_ply::check(&solution, &Resources::default(), &mut |_| ());
    assert!(matches!(&refused, Err(Error::NotFinished { path }) if path == dir.path()), "{refused:?}");
    let output = run_program(dir.path(), &["verify", "."]);
    assert_eq!(output.status.code(), Some(2));
}

/// An unfinished run is verified up to its last ply, by one-ply conditions and by samples. Every changed word of its last sets is
/// detected.
#[test]
fn an_unfinished_run_is_verified_so_far() {
    for (spec, plies) in [("nim:2x3", 2), ("breakthrough:3x4", 3)] {
        let (dir, solution) = solved(spec, None, Plan::retrograde(plies));
        edit_manifest(dir.path(), |manifest| manifest["progress"]["finished"] = false.into());
        let so_far = |code, more: &[&str]| {
            let output = run_program(dir.path(), &[&["verify", ".", "--so-far"], more].concat());
            assert_eq!(output.status.code(), Some(code), "{spec} {more:?}");
            String::from_utf8(output.stdout).unwrap()
        };
        let text = so_far(0, &[]);
        assert!(text.contains("(so far, one-ply)") && text.contains(" 0 mismatches"), "{text}");
        assert!(so_far(0, &["--sample", "200"]).contains("(so far, sample)"));
        so_far(2, &["--last"]);
        assert!(!RunDir::open(dir.path()).unwrap().progress().finished, "a check must not change the run");
        for (kind, side) in [(Kind::W, Side::P1), (Kind::L, Side::P2)] {
            let name = SetName { kind, side, ply: solution.last_ply() };
            let good = RunDir::open(dir.path()).unwrap().get(name).unwrap();
            let word = good.words().next().unwrap();
            replace_sets(dir.path(), &[(name, toggled(&good, &word))]);
            so_far(1, &[]);
            replace_sets(dir.path(), &[(name, good)]);
        }
        so_far(0, &[]);
    }
    // A finished run is not affected. An unfinished meet-in-the-middle run has no values yet.
    let (dir, _) = solved("nim:2x3", None, Plan::meet(None, None));
    let so_far = || StoredRun::open(dir.path()).and_then(StoredRun::so_far);
    assert!(!so_far().unwrap().is_so_far());
    edit_manifest(dir.path(), |manifest| manifest["progress"]["finished"] = false.into());
    assert!(matches!(so_far(), Err(Error::NoValuesYet { path }) if path == dir.path()));
}

/// With the last sets alone, any word added to or missing from W or L is detected. Runs that were cut short and games that may
/// cycle are rejected.
#[test]
#[ignore = "slow: .ci/scheduled"]
fn the_last_sets_alone_show_every_wrong_word() {
    let resources = Resources::default();
    let spec = "breakthrough:2x4";
    let (_kept, solution) = solved(spec, None, Plan::RETROGRADE);
    assert_eq!(one_ply::check_last(&solution, &resources).unwrap().mismatches, 0);
    let last = solution.last_ply();
    let words: Vec<Vec<u8>> = Dfa::full(solution.game.shape()).words().collect();
    for side in Side::BOTH {
        for kind in [Kind::W, Kind::L] {
            for word in words.iter().step_by(97) {
                let (dir, solution) = solved(spec, None, Plan::RETROGRADE);
                let name = SetName { kind, side, ply: last };
                let set = toggled(&solution.run.get(name).unwrap(), word);
                replace_sets(dir.path(), &[(name, set)]);
                let solution = StoredRun::open(dir.path()).unwrap();
                let report = one_ply::check_last(&solution, &resources).unwrap();
                assert!(report.mismatches > 0, "{name} with {word:?} toggled");
            }
        }
    }
    for plan in [Plan::retrograde(3), Plan::meet(Some(0), None)] {
        let (_dir, solution) = solved(spec, None, plan);
        assert!(one_ply::check_last(&solution, &resources).unwrap_err().to_string().contains("last sets"));
    }
}

/// Draws and unknown positions are stored, but most queries do not read them. Every check that compares positions does.
#[test]
fn forged_and_missing_sets_of_draws_and_unknown_positions_are_found() {
    for (plies, names) in [(None, ["D-P1-", "D-P2-", "U-P1-"]), (Some(2), ["D-P2-", "U-P1-", "U-P2-"])] {
        let dir = scratch();
        let at = dir.path();
        let plan = plies.map_or(Plan::RETROGRADE, Plan::retrograde);
        let (_, last) = {
            solve_in(at, &game("tictactoe:3x2,k=2"), plan).unwrap();
            let solution = StoredRun::open(at).unwrap();
            (solution.game.spec(), solution.last_ply())
        };
        let table = run_program(at, &["solve", "tictactoe:3x2,k=2", "--engine", "table", "--out", "t.tbl"]);
        assert_eq!(table.status.code(), Some(0));
        let all = [&["--explicit"][..], &["--sample", "1000000"], &["--table", "t.tbl"], &[]];
        for kind in names {
            let name = set_name(&format!("{kind}{last:03}"));
            let good = RunDir::open(at).unwrap().get(name).unwrap();
            let start = game("tictactoe:3x2,k=2").word_of(&game("tictactoe:3x2,k=2").start().0);
            replace_sets(at, &[(name, toggled(&good, &start))]);
            for options in all {
                let found = run_program(at, &[&["verify", "."], options].concat());
                assert_eq!(found.status.code(), Some(1), "{plies:?} {name} {options:?}");
                let text = String::from_utf8(found.stdout).unwrap();
                assert!(text.contains(" 1 mismatch"), "{plies:?} {name} {options:?}: {text}");
            }
            replace_sets(at, &[(name, good)]);
            let path = at.join(RunDir::open(at).unwrap().entry(name).unwrap().file());
            let bytes = std::fs::read(&path).unwrap();
            std::fs::remove_file(&path).unwrap();
            for options in all {
                let found = run_program(at, &[&["verify", "."], options].concat());
                assert_eq!(found.status.code(), Some(2), "{plies:?} {name} {options:?}");
            }
            std::fs::write(&path, bytes).unwrap();
            for options in all {
                let found = run_program(at, &[&["verify", "."], options].concat());
                assert_eq!(found.status.code(), Some(0), "{plies:?} {name} {options:?}");
            }
        }
    }
}

/// The number of mismatches is the number of positions that are wrong: however many laws a position breaks, it counts once.
#[test]
fn a_wrong_position_counts_once() {
    let (dir, solution) = solved("tictactoe:3x3", None, Plan::RETROGRADE);
    let last = solution.last_ply();
    let name = SetName { kind: Kind::L, side: Side::P1, ply: last };
    let good = RunDir::open(dir.path()).unwrap().get(name).unwrap();
    // The empty board is a draw, to which no move leads, so only it becomes wrong.
    let empty = solution.game.word_of(&solution.game.start().0);
    replace_sets(dir.path(), &[(name, toggled(&good, &empty))]);
    let found = check(dir.path());
    assert_eq!((found.checked, found.mismatches), (2 * 19_683, 1), "{found:?}");
    // At every ply of a run from the start, the positions of nim occur at several plies.
    let (dir, solution) = solved("nim:3x3", None, Plan::meet(Some(0), None));
    let mut distinct = HashSet::new();
    let last = solution.run.progress().forward.unwrap();
    let mut occurrences = 0;
    for ply in 0..=last {
        let side = solution.side_at(ply);
        let set = solution.read(Kind::R, side, ply).unwrap();
        occurrences += set.count().unwrap();
        distinct.extend(set.words().map(|word| (side, word)));
    }
    assert!(occurrences > distinct.len() as u128);
    let resources = Resources::default();
    let reports = [
        check(dir.path()),
        sample::check(&solution, 1000, 1).unwrap(),
        tables::against_oracle(&solution, &resources, &mut |_, _| ()).unwrap(),
    ];
    for (at, report) in reports.iter().enumerate() {
        assert_eq!((report.checked, report.mismatches), (distinct.len() as u128, 0), "{at}: {report:?}");
    }
}
