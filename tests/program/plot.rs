//! The command `nerode plot`: figures of several solutions, their numbers, and the laws that it fits.

use std::path::Path;

use crate::common::program::{count, ends, json, list, refused, run_program, with_run};

/// Solves each game into a folder of its name without the family.
fn solved(at: &Path, specs: &[&str], options: &[&str]) {
    for spec in specs {
        let folder = spec.split(':').nth(1).unwrap();
        ends(at, 0, &[&["solve", spec, "--run-dir", folder], options].concat());
    }
}

#[test]
fn the_numbers_are_those_of_the_statistics() {
    let dir = with_run("breakthrough:3x4", &["--method", "retrograde"]);
    let at = dir.path();
    let stats = json(at, &["stats", "run", "--plies"]);
    let plotted = json(at, &["plot", "run", "--csv", "run.csv"]);
    let growth = &list(&plotted["solutions"])[0];
    assert_eq!((&growth["solution"], &growth["step"]), (&"breakthrough:3x4".into(), &"ply".into()));
    let rows = list(&growth["rows"]);
    assert!(rows.len() > 40, "{}", rows.len());
    for (row, line) in rows.iter().zip(list(&stats["plies"])) {
        assert_eq!((&row["set"], &row["step"]), (&line["set"], &line["ply"]));
        assert_eq!(count(&row["positions"]), count(&line["positions"]));
        assert_eq!(count(&row["states"]), line["num_states"].as_u64().unwrap().into());
        assert_eq!(count(&row["bytes"]), line["bytes"].as_u64().unwrap().into());
    }
    // All positions are added at some ply.
    for set in ["L-P1", "W-P2"] {
        let of_set: Vec<_> = rows.iter().filter(|row| row["set"] == set).collect();
        let added: u128 = of_set.iter().map(|row| count(&row["new"])).sum();
        assert_eq!(added, count(&of_set.last().unwrap()["positions"]));
    }
    // What was written is read as the same numbers.
    assert_eq!(json(at, &["plot", "run.csv", "--csv", "again.csv"])["solutions"], plotted["solutions"]);
    let [first, second] = ["run.csv", "again.csv"].map(|name| std::fs::read(at.join(name)).unwrap());
    assert_eq!(first, second);
    assert_eq!(ends(at, 0, &["plot", "run", "--csv", "-"]).as_bytes(), first);
}

/// There are two panels by default, and the legend explains the sets in words, after the parameters of each game.
#[test]
fn a_figure_shows_several_solutions_in_every_format() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    solved(at, &["breakthrough:3x4", "breakthrough:2x4"], &["--method", "retrograde"]);
    solved(at, &["connect:3x3,row=3"], &["--method", "meet"]);
    let svg = ends(at, 0, &["plot", "3x4", "2x4", "--out", "-"]);
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    for label in [
        ">\nbreakthrough\n<",
        "New positions by ply",
        "States by ply",
        "3x4 lost, P1 to move",
        "2x4 won, P2 to move",
    ] {
        assert!(svg.contains(label), "{label}");
    }
    let of_meet = ends(at, 0, &["plot", "3x3,row=3", "--out", "-", "--y", "positions,bytes"]);
    for label in ["Positions by ply", "Bytes by ply", ">\nreached\n<", ">\nwon\n<", "connect:3x3,row=3"] {
        assert!(of_meet.contains(label), "{label}");
    }
    let by_layer = ends(at, 0, &["plot", "3x3,row=3", "--out", "-", "--x", "layer", "--sets", "R-P1-006"]);
    assert!(
        by_layer.contains(">\na1\n<")
            && by_layer.contains("reached, P1 to move, ply 6")
            && by_layer.contains(">\nc3\n<")
            && !by_layer.contains("won"),
        "{by_layer}"
    );
    for (name, start) in [("x.png", &b"\x89PNG"[..]), ("x.pdf", b"%PDF-"), ("X.SVG", b"<svg")] {
        assert_eq!(ends(at, 0, &["plot", "3x4", "2x4", "--out", name]), format!("plot: {name}\n"));
        assert!(std::fs::read(at.join(name)).unwrap().starts_with(start), "{name}");
    }
}

/// Of retrograde runs, the last sets of several boards make a series; of a search, the plies do.
#[test]
fn laws_are_fitted() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    solved(at, &["breakthrough:2x4", "breakthrough:3x4", "breakthrough:2x5"], &["--method", "retrograde"]);
    let fits = json(at, &["plot", "2x4", "3x4", "2x5", "--fit", "--sets", "W-P1", "--out", "law.svg"]);
    let [fit] = &list(&fits["fits"])[..] else { panic!("{fits}") };
    assert_eq!(
        (&fit["solution"], &fit["set"], &fit["points"]),
        (&"breakthrough".into(), &"W-P1".into(), &3.into())
    );
    // The line of least squares, by the formula for three points.
    let points: Vec<(f64, f64)> = ["2x4", "3x4", "2x5"]
        .iter()
        .map(|run| {
            let plies = json(at, &["stats", run, "--plies"]);
            let last = list(&plies["plies"]).iter().rfind(|line| line["set"] == "W-P1").unwrap().clone();
            let states = last["num_states"].as_f64().unwrap();
            ((count(&last["positions"]) as f64).log10(), states.log10())
        })
        .collect();
    let sum = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>();
    let (x, y, xy, xx) = (sum(&|p| p.0), sum(&|p| p.1), sum(&|p| p.0 * p.1), sum(&|p| p.0 * p.0));
    let exponent = (3.0 * xy - x * y) / (3.0 * xx - x * x);
    assert!((fit["exponent"].as_f64().unwrap() - exponent).abs() < 1e-9, "{fit}");
    let svg = std::fs::read_to_string(at.join("law.svg")).unwrap();
    assert!(svg.contains("States by positions") && svg.contains(&format!(" x^{exponent:.3}")), "{svg}");

    ends(at, 0, &["reach", "connect:3x3,row=3", "--run-dir", "search"]);
    let found = json(at, &["plot", "search", "--fit"]);
    assert_eq!(list(&found["fits"]).len(), 1);
    assert!(ends(at, 0, &["plot", "search", "--fit"]).contains("positions^0."));
    assert!(refused(at, &["plot", "2x4", "--fit"]).contains("no series has two points"));
    assert!(refused(at, &["plot", "search", "--fit", "--x", "ply"]).contains("--x positions"));
}

#[test]
fn what_cannot_be_plotted_is_explained() {
    let dir = with_run("breakthrough:2x4", &["--method", "retrograde"]);
    let at = dir.path();
    std::fs::write(at.join("bad.csv"), "set,states\nR,1\n").unwrap();
    for (arguments, reason) in [
        (&["plot", "run"][..], "--out, --csv or --fit"),
        (&["plot", "run", "--out", "x.jpg"], ".svg, .png or .pdf"),
        (&["plot", "run", "--out", "x"], ".svg, .png or .pdf"),
        (&["plot", "run", "--out", "x.svg", "--y", "seconds"], "they have new, positions, states, bytes"),
        (&["plot", "run", "--out", "x.svg", "--sets", "RW"], "L-P1, L-P2, W-P1, W-P2"),
        (&["plot", "bad.csv", "--out", "x.svg"], "no column 'ply'"),
        (&["plot", "absent.csv", "--out", "x.svg"], "absent.csv"),
        (&["plot", "run", "--out", "-", "--csv", "-"], "both"),
    ] {
        let errors = refused(at, arguments);
        assert!(errors.contains(reason), "{arguments:?}: {errors}");
    }
    assert!(!at.join("x.svg").exists());
}

#[test]
fn a_plot_replaces_nothing_unless_it_is_told_to() {
    let dir = with_run("breakthrough:2x4", &["--method", "retrograde"]);
    let at = dir.path();
    for option in ["--out", "--csv"] {
        let file = if option == "--out" { "p.svg" } else { "p.csv" };
        let plot = |file| ["plot", "run", option, file];
        ends(at, 0, &plot(file));
        assert!(refused(at, &plot(file)).contains(file));
        ends(at, 0, &[&plot(file)[..], &["--overwrite"]].concat());
        let inside = refused(at, &plot(&format!("run/{file}")));
        assert!(inside.contains("found a run"), "{inside}");
    }
    // If standard output receives the figure, the document goes to standard error, if it is requested.
    let drawn = ["plot", "run", "--out", "-"];
    let output = run_program(at, &[&drawn[..], &["--json"]].concat());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), ends(at, 0, &drawn));
    let aside: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!((&aside["command"], &aside["out"]), (&"plot".into(), &"-".into()));
    assert!(run_program(at, &drawn).stderr.is_empty());
    assert!(!at.join("-").exists());
}
