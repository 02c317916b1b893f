//! A nearly full disk: a run stops before a ply that does not fit, and can be resumed once there is room.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use nerode_games::registry::open;
use nerode_solver::archive::run_dir::Request;
use nerode_solver::error::Error;
use nerode_solver::run::{Existing, solve};
use nerode_solver::solve::disk::{Disk, MARGIN};
use nerode_solver::solve::method::Method;
use nerode_solver::solve::resources::Resources;

use crate::common::scratch;

/// Creates a disk with the given number of free bytes above the margin, which decreases by 1000 at every query.
fn shrinking(bytes: u64) -> Disk {
    let left = AtomicU64::new(MARGIN + bytes);
    Disk::with_free_space(move |_| Some(left.fetch_sub(1000, Ordering::Relaxed)))
}

#[test]
fn a_run_stops_before_the_ply_that_does_not_fit_and_goes_on_later() {
    let folder = scratch();
    let game = open("breakthrough:3x5").unwrap();
    for method in [Method::Retrograde, Method::Meet] {
        let path = folder.path().join(format!("{method:?}"));
        let whole = folder.path().join(format!("{method:?}-whole"));
        let request = || Request::new(game.as_ref(), method, (method == Method::Meet).then_some(0), None);
        let run = |path, existing, disk| {
            let resources = Resources { disk, ..Resources::default() };
            solve(Arc::clone(&game), request(), path, existing, &resources, &mut |_| ())
        };
        let stopped = run(path.as_path(), Existing::Refuse, shrinking(40_000)).unwrap_err();
        let Error::DiskFull { needed_bytes, free_bytes, margin_bytes, .. } = stopped else {
            panic!("{stopped}")
        };
        assert!(needed_bytes + margin_bytes > free_bytes);
        let resumed = run(path.as_path(), Existing::Resume, Disk::with_free_space(|_| None)).unwrap();
        let other = run(whole.as_path(), Existing::Refuse, Disk::default()).unwrap();
        assert_eq!(resumed.digest().unwrap(), other.digest().unwrap());
    }
}

#[test]
fn nothing_is_begun_on_a_full_disk() {
    let folder = scratch();
    let path = folder.path().join("run");
    let game = open("nim:2x3").unwrap();
    let request = Request::new(game.as_ref(), Method::Retrograde, None, None);
    let resources = Resources { disk: Disk::with_free_space(|_| Some(1000)), ..Resources::default() };
    let refused = solve(game, request, &path, Existing::Refuse, &resources, &mut |_| ()).unwrap_err();
    assert!(matches!(refused, Error::DiskFull { free_bytes: 1000, .. }), "{refused}");
    assert!(!path.exists());
}
