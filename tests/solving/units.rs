//! Plies in work units: the files of a run are byte for byte the same as without units. A run that is interrupted within a ply
//! resumes with the finished units, and rebuilds files of units that are damaged or belong to another plan.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use crate::common::{Files, Plan, assert_same_files, files, game, scratch, stride};
use nerode_solver::archive::run_dir::{Request, RunDir};
use nerode_solver::error::Error;
use nerode_solver::run::unit::Worker;
use nerode_solver::run::{Existing, solve};
use nerode_solver::solve::disk::Disk;
use nerode_solver::solve::method::Chains;
use nerode_solver::solve::resources::{Backend, Resources};
use nerode_solver::units::{Offer, UnitSizes, UnitsBy, UnitsDone, UnitsWatch};

/// Unit sizes that are small enough for tests.
const SMALL: UnitSizes = UnitSizes { from_states: 1, key_bytes: 600, states_a_unit: 40 };

fn run(
    (spec, plan, chains): (&str, Plan, Chains),
    path: &Path,
    existing: Existing,
    resources: &Resources,
) -> Result<RunDir, Error> {
    let game = game(spec);
    let mut request = Request::new(game.as_ref(), plan.method, plan.backward, plan.forward);
    request.chains = chains;
    solve(game, request, path, existing, resources, &mut |_| ())
}

fn passes(units: Option<UnitSizes>) -> Resources {
    Resources { backend: Backend::Passes, units, ..Resources::default() }
}

/// Returns the files of an uninterrupted run.
fn straight(what: (&str, Plan, Chains), resources: &Resources) -> Files {
    let dir = scratch();
    run(what, dir.path(), Existing::Refuse, resources).unwrap();
    files(dir.path())
}

/// Returns the unit files of a run.
fn unit_files(path: &Path) -> Vec<PathBuf> {
    let below = |folder: &Path| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    below(&path.join("units")).iter().flat_map(|folder| below(folder)).collect()
}

#[test]
#[ignore = "slow: .ci/slow"]
fn units_of_every_size_give_the_same_files() {
    let large = UnitSizes { from_states: 20, key_bytes: u64::MAX, states_a_unit: usize::MAX };
    let tiny = UnitSizes { from_states: 1, key_bytes: 0, states_a_unit: 3 };
    for (at, what) in [
        ("breakthrough:3x4", Plan::RETROGRADE, Chains::Both),
        ("breakthrough:3x5", Plan::RETROGRADE, Chains::One),
        ("breakthrough:2x5", Plan::meet(Some(3), None), Chains::Both),
        ("tictactoe:3x3,k=3", Plan::RETROGRADE, Chains::Both),
        ("connect:4x3,row=3", Plan::meet(Some(0), None), Chains::Both),
        ("othello:4x4", Plan::retrograde(2), Chains::Both),
    ]
    .into_iter()
    .enumerate()
    {
        let expected = straight(what, &passes(None));
        let sizes = [(1, SMALL), (2, large), (2, tiny), (1, UnitSizes::from_states(100))];
        for (threads, sizes) in sizes.into_iter().skip(at % stride(4)).step_by(stride(4)) {
            let resources = Resources { threads, ..passes(Some(sizes)) };
            assert_same_files(&straight(what, &resources), &expected, &format!("{} with {sizes:?}", what.0));
        }
    }
}

/// Returns resources that record every unit file before it is written, and interrupt the work at the file with number `stop`.
fn watched(stop: usize) -> (Resources, Arc<Mutex<Vec<PathBuf>>>) {
    let resources = passes(Some(SMALL));
    let (flag, seen) = (Arc::clone(&resources.interrupt), Arc::new(Mutex::new(Vec::new())));
    let note = Arc::clone(&seen);
    let told = move |path: &Path| {
        if is_named(path, "unit-") {
            let mut seen = note.lock().unwrap();
            seen.push(path.to_path_buf());
            flag.store(seen.len() >= stop, Ordering::Relaxed);
        }
        None
    };
    (Resources { disk: Disk::with_free_space(told), ..resources }, seen)
}

#[test]
#[ignore = "slow: .ci/slow"]
fn stopped_within_a_ply_it_goes_on_with_what_is_finished() {
    let what = ("breakthrough:4x4", Plan::RETROGRADE, Chains::One);
    let expected = straight(what, &passes(None));
    let (resources, seen) = watched(usize::MAX);
    assert_same_files(&straight(what, &resources), &expected, "watched");
    let all = seen.lock().unwrap().len();
    assert!(all > 100, "{all} units");
    let (mut stops, mut gone_on) = (0, 0);
    for stop in (1..all).step_by(all / 6) {
        let dir = scratch();
        let stopped = run(what, dir.path(), Existing::Refuse, &watched(stop).0);
        assert!(matches!(stopped, Err(Error::Interrupted)), "{stopped:?}");
        let left: Vec<PathBuf> =
            unit_files(dir.path()).into_iter().filter(|f| is_named(f, "unit-")).collect();
        assert!(!left.is_empty());
        let (resources, made) = watched(usize::MAX);
        run(what, dir.path(), Existing::Resume, &resources).unwrap();
        assert_same_files(&files(dir.path()), &expected, &format!("stopped at unit {stop} of {all}"));
        let made = made.lock().unwrap();
        assert!(!left.iter().any(|file| made.contains(file)), "a finished unit was computed again");
        stops += 1;
        gone_on += usize::from(made.iter().any(|file| left.iter().any(|l| l.parent() == file.parent())));
    }
    // In late plies, an interrupted run may choose another method with other units, and the unit may have been the last one.
    assert!(gone_on * 2 > stops, "{gone_on} of {stops}");
}

#[test]
fn whoever_watches_is_told_of_every_unit() {
    for (chains, units_by) in
        [(Chains::One, UnitsBy::Itself), (Chains::One, UnitsBy::Anyone), (Chains::Both, UnitsBy::Itself)]
    {
        let told = Arc::new(Mutex::new(Vec::new()));
        let note = Arc::clone(&told);
        let on_units = Some(UnitsWatch::new(move |now| note.lock().unwrap().push(now)));
        let resources = Resources { threads: 2, on_units, units_by, ..passes(Some(SMALL)) };
        straight(("breakthrough:3x5", Plan::RETROGRADE, chains), &resources);
        let told = told.lock().unwrap();
        assert_eq!(told.last(), Some(&UnitsDone::default()), "all units must be done in the end");
        assert!(told.iter().all(|now| now.done <= now.total));
        let images: Vec<&[UnitsDone]> = told.split(|now| now.total == 0).filter(|i| !i.is_empty()).collect();
        assert!(images.len() > 10, "{} images", images.len());
        for image in images.iter().filter(|_| chains == Chains::One) {
            let done: Vec<usize> = image.iter().map(|now| now.done).collect();
            assert_eq!(done, (0..=image[0].total).collect::<Vec<_>>(), "{units_by:?}");
        }
    }
}

/// The step back of a run by meet combines sets in units, in which no position is moved. A worker does all units here.
#[test]
fn workers_combine_sets_for_a_run_by_meet() {
    let what = ("connect:4x3,row=3", Plan::meet(Some(0), None), Chains::Both);
    let dir = scratch();
    let home = dir.path();
    let shared = Resources { units_by: UnitsBy::Others, ..passes(Some(UnitSizes::from_states(20))) };
    let mut done = 0;
    std::thread::scope(|scope| {
        let solver = scope.spawn(|| run(what, home, Existing::Refuse, &shared));
        while !RunDir::exists(home) {
            std::thread::yield_now();
        }
        let worker = Worker::new(home, &nerode_games::registry::BUILT_IN, None, &shared).unwrap();
        while !solver.is_finished() {
            worker.do_all(&mut |_| done += 1).unwrap();
            std::thread::yield_now();
        }
        solver.join().unwrap().unwrap();
    });
    assert!(done > 100, "{done} units");
    assert_same_files(&files(home), &straight(what, &passes(None)), "combined by a worker");
}

/// Processes that share the work merge only a few fragments at once. A process that continues alone reuses such merges, although
/// it would merge more fragments at once itself.
#[test]
fn what_others_have_merged_is_not_made_again() {
    let what = ("breakthrough:4x4", Plan::RETROGRADE, Chains::One);
    let dir = scratch();
    let home = dir.path();
    let shared = Resources { units_by: UnitsBy::Others, ..passes(Some(UnitSizes::from_states(2))) };
    let mut merge = None;
    std::thread::scope(|scope| {
        let solver = scope.spawn(|| run(what, home, Existing::Refuse, &shared));
        while !home.join("units/sizes").exists() {
            std::thread::yield_now();
        }
        let worker = Worker::new(home, &nerode_games::registry::BUILT_IN, None, &shared).unwrap();
        while merge.is_none() && !solver.is_finished() {
            let stopped = worker.do_all(&mut |done| {
                if done.merges > Some(1) {
                    let offer = Offer::open(home, &done.image).unwrap().unwrap();
                    let units = (0..offer.num_units()).filter(|&unit| offer.num_merged(unit) == 1).count();
                    merge = Some((done.clone(), units));
                    shared.interrupt.store(true, Ordering::Relaxed);
                }
            });
            shared.interrupt.fetch_or(stopped.is_err(), Ordering::Relaxed);
            assert!(stopped.is_ok() || merge.is_some(), "{stopped:?}");
        }
        assert!(matches!(solver.join().unwrap(), Err(Error::Interrupted)));
    });
    let (merge, num_units) = merge.unwrap();
    let file = |unit: usize| home.join("units").join(&merge.image).join(format!("unit-{unit:06}"));
    let units: Vec<PathBuf> = (0..num_units).map(file).collect();
    units.iter().filter(|unit| unit.exists()).for_each(|unit| std::fs::remove_file(unit).unwrap());
    let (resources, made) = watched(usize::MAX);
    run(what, home, Existing::Resume, &resources).unwrap();
    let made = made.lock().unwrap();
    assert!(!made.contains(&file(merge.unit)), "the merge was computed again");
    let not_made = units.iter().filter(|unit| !made.contains(unit)).count();
    assert_eq!(Some(not_made), merge.merges, "units of the merge were computed again");
    assert_same_files(&files(home), &straight(what, &passes(None)), "merged by others, finished alone");
}

#[test]
fn damaged_units_and_those_of_other_plans_are_made_again() {
    let what = ("breakthrough:4x4", Plan::RETROGRADE, Chains::One);
    let expected = straight(what, &passes(None));
    let damage: [(&str, Damage); 5] = [
        ("half a unit", |path| cut_off(path, "unit-", 2)),
        ("an empty unit", |path| cut_off(path, "unit-", usize::MAX)),
        ("half a plan", |path| cut_off(path, "plan", 2)),
        ("a unit under the name of another", |path| {
            let units: Vec<PathBuf> =
                unit_files(path).into_iter().filter(|file| is_named(file, "unit-")).collect();
            std::fs::copy(&units[0], &units[1]).unwrap();
        }),
        ("what a killed writer left", |path| {
            let unit = unit_files(path).into_iter().find(|file| is_named(file, "unit-")).unwrap();
            std::fs::write(unit.with_extension("unfinished-1-0.tmp"), b"half").unwrap();
            std::fs::remove_file(unit).unwrap();
        }),
    ];
    for (name, damage) in damage {
        let dir = scratch();
        let (resources, _) = watched(150);
        assert!(run(what, dir.path(), Existing::Refuse, &resources).is_err());
        damage(dir.path());
        run(what, dir.path(), Existing::Resume, &passes(Some(SMALL))).unwrap();
        assert_same_files(&files(dir.path()), &expected, name);
    }
    // Plans with other sizes are used unchanged. Without units, their files are removed.
    for units in [Some(UnitSizes { key_bytes: 0, states_a_unit: 1, ..SMALL }), None] {
        let dir = scratch();
        assert!(run(what, dir.path(), Existing::Refuse, &watched(150).0).is_err());
        run(what, dir.path(), Existing::Resume, &passes(units)).unwrap();
        assert_same_files(&files(dir.path()), &expected, &format!("{units:?}"));
    }
}

#[test]
fn a_disk_without_room_for_a_unit_keeps_those_that_are_finished() {
    let what = ("breakthrough:4x4", Plan::RETROGRADE, Chains::One);
    let dir = scratch();
    let written = Mutex::new(0);
    let told = move |path: &Path| {
        let mut written = written.lock().unwrap();
        *written += usize::from(path.to_string_lossy().contains("unit-"));
        Some(if *written > 60 { 0 } else { u64::MAX })
    };
    let resources = Resources { disk: Disk::with_free_space(told), ..passes(Some(SMALL)) };
    let stopped = run(what, dir.path(), Existing::Refuse, &resources);
    assert!(stopped.as_ref().is_err_and(Error::is_full_disk), "{stopped:?}");
    run(what, dir.path(), Existing::Resume, &passes(Some(SMALL))).unwrap();
    assert_same_files(&files(dir.path()), &straight(what, &passes(None)), "after a full disk");
}

#[test]
fn a_run_that_is_replaced_takes_its_units_with_it() {
    let what = ("breakthrough:4x4", Plan::RETROGRADE, Chains::One);
    let dir = scratch();
    assert!(run(what, dir.path(), Existing::Refuse, &watched(150).0).is_err());
    assert!(!unit_files(dir.path()).is_empty());
    run(
        ("breakthrough:2x4", Plan::retrograde(1), Chains::Both),
        dir.path(),
        Existing::Overwrite,
        &passes(None),
    )
    .unwrap();
    assert!(!dir.path().join("units").exists());
}

/// A modification of an interrupted run.
type Damage = fn(&Path);

fn is_named(path: &Path, name: &str) -> bool {
    path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name))
}

/// Truncates the first file whose name begins with `name` to a part of its length.
fn cut_off(path: &Path, name: &str, part: usize) {
    let file = unit_files(path).into_iter().find(|file| is_named(file, name)).unwrap();
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() / part]).unwrap();
}
