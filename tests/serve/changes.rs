//! Directories that change while they are served, and the end of the service.

use std::fs;
use std::thread;
use std::time::Duration;

use nerode::{Existing, Options};

use crate::service::{Service, solved};

/// Polls until a condition holds. Otherwise the test ends by its own time limit.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..1200 {
        if is_so() {
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("{what} did not happen");
}

#[test]
fn a_run_is_served_while_it_is_solved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let solver = nerode::open("tictactoe:3x3").unwrap();
    let begin = || Options::default().directory(&path).threads(1).method(nerode::Method::Retrograde);
    let stopped = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let flag = std::sync::Arc::clone(&stopped);
    let stop = move |done: &nerode::PlyDone| flag.store(done.ply >= 2, std::sync::atomic::Ordering::Relaxed);
    solver.solve(begin().interrupt(stopped).on_ply(stop)).unwrap_err();
    let service = Service::of(&[&path]);
    let early = service.document("/api/v1/run");
    assert_eq!((&early["category"], early["ply_so_far"].is_u64()), (&"unknown".into(), true), "{early}");
    let tag = service.get("/api/v1/run").header("etag").unwrap().to_string();
    let line = &service.document("/api/v1/solutions")["solutions"][0];
    assert_eq!(line["complete"], false);
    solver.solve(begin().existing(Existing::Resume)).unwrap();
    until("the finished run is served", || service.document("/api/v1/run")["category"] == "draw");
    assert_ne!(service.get("/api/v1/run").header("etag"), Some(tag.as_str()));
}

#[test]
fn a_damaged_solution_is_an_error_and_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    nerode::open("tictactoe:3x3").unwrap().solve(Options::default().directory(&path).threads(1)).unwrap();
    let service = Service::of(&[&path, &solved("nim:2x3")]);
    for file in fs::read_dir(path.join("sets")).unwrap() {
        fs::write(file.unwrap().path(), b"nothing").unwrap();
    }
    let problem = service.problem("/api/v1/run", 500);
    assert!(!problem.to_string().contains(folder.path().to_str().unwrap()), "{problem}");
    // The other solution is still served, and the directory is served again when it is complete.
    assert_eq!(service.get("/api/v1/nim-2x3").status, 200);
    fs::remove_dir_all(&path).unwrap();
    assert_eq!(service.get("/healthz").status, 200);
    nerode::open("nim:2x2").unwrap().solve(Options::default().directory(&path).threads(1)).unwrap();
    until("the new solution is served", || service.get("/api/v1/run").status == 200);
    assert_eq!(service.document("/api/v1/run")["game"], "nim:2x2");
}

/// The other solutions are served, and the damaged one too as soon as it is mended.
#[test]
fn a_damaged_directory_does_not_keep_the_service_from_starting() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let solve = || nerode::open("nim:2x2").unwrap().solve(Options::default().directory(&path).threads(1));
    solve().unwrap();
    fs::write(path.join("manifest.json"), b"nothing").unwrap();
    let service = Service::of(&[&path, &solved("nim:2x3")]);
    assert_eq!(service.get("/api/v1/nim-2x3").status, 200);
    let problem = service.problem("/api/v1/run", 500);
    assert!(!problem.to_string().contains(folder.path().to_str().unwrap()), "{problem}");
    let line = &service.document("/api/v1/solutions")["solutions"][0];
    assert!(line["not_yet"].as_str().unwrap().contains("damaged"), "{line}");
    fs::remove_dir_all(&path).unwrap();
    solve().unwrap();
    until("the mended solution is served", || service.get("/api/v1/run").status == 200);
    // If no directory can be opened, there is nothing to serve.
    fs::write(path.join("manifest.json"), b"nothing").unwrap();
    let alone = std::process::Command::new(env!("CARGO_BIN_EXE_nerode"))
        .args(["serve", "--port", "0"])
        .arg(&path)
        .output()
        .unwrap();
    assert_eq!(alone.status.code(), Some(2), "{alone:?}");
}

#[cfg(unix)]
#[test]
fn a_signal_stops_it_in_order() {
    let service = Service::of(&[&solved("tictactoe:3x3")]);
    let open = service.connect();
    let id = rustix::process::Pid::from_raw(service.id().try_into().unwrap()).unwrap();
    rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
    assert_eq!(service.wait().code(), Some(0));
    drop(open);
}
