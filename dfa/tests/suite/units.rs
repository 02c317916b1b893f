//! Tests of images in units: they must equal the results of one pass, and their files may be created at any time, in
//! any order and repeatedly.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::common::pass_case::Case;
use nerode_dfa::{
    Cutting, Dfa, Direction, Error, FragmentFile, Image, Job, MoveGraph, PassMoves, Passes, Plan, Planned,
    Shape, UnitInput, UnitList,
};

/// Returns the plan of a job for which work remains.
fn plan(job: &Job<'_>, bytes: u64, units: usize) -> Plan {
    match job.plan(Cutting { bytes, units }).unwrap() {
        Planned::Parted(plan) => plan,
        Planned::Whole(_) => panic!("no work remains for this job"),
    }
}

fn file(folder: &Path, unit: usize) -> PathBuf {
    folder.join(format!("unit-{unit}"))
}

fn do_units(job: &Job<'_>, plan: &Plan, units: impl Iterator<Item = usize>, folder: &Path) {
    for unit in units {
        job.unit(plan, unit).unwrap().write(&file(folder, unit), &plan.origin(unit)).unwrap();
    }
}

fn merge(job: &Job<'_>, plan: &Plan, folder: &Path) -> Result<Dfa, Error> {
    let open = |unit| FragmentFile::open(&file(folder, unit), &plan.origin(unit));
    job.merge(plan, (0..plan.num_units()).map(open).collect::<Result<_, _>>()?)
}

#[test]
#[ignore = "slow: .ci/slow"]
fn units_make_the_bytes_of_one_pass_for_every_cut_and_number_of_units() {
    let folder = tempfile::tempdir().unwrap();
    for case in [Case::new(5), Case::monotone(5)] {
        let (one, two) = (Passes::new(u64::MAX, 1).unwrap(), Passes::new(u64::MAX, 2).unwrap());
        let expected = &case.run(&one).unwrap()[..3];
        for (i, expected) in expected.iter().enumerate() {
            let bytes = expected.to_bytes().unwrap();
            let mut cuts = Vec::new();
            for (key_bytes, units, passes) in
                [(0, 1, &one), (60, 2, &two), (1 << 11, 7, &one), (1 << 12, 12, &two), (u64::MAX, 30, &one)]
            {
                let job = &case.jobs(passes).unwrap()[i];
                let plan = plan(job, key_bytes, units);
                assert!(plan.num_units() <= units);
                cuts.push(plan.cut());
                do_units(job, &plan, (0..plan.num_units()).rev(), folder.path());
                let merged = merge(job, &plan, folder.path()).unwrap();
                assert!(merged.to_bytes().unwrap() == bytes, "image {i}, cut {}, {units} units", plan.cut());
            }
            assert!(cuts[0] == 1 && cuts[4] == 7 && cuts.is_sorted() && cuts[2] > 1, "{cuts:?}");
        }
    }
}

/// The result must not depend on how fragments are grouped, whether they are merged from several units, from other
/// merged fragments, or from all units.
#[test]
fn fragments_are_merged_in_any_groups_and_by_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
    let (one, two) = (Passes::new(u64::MAX, 1).unwrap(), Passes::new(u64::MAX, 2).unwrap());
    for case in [Case::new(5), Case::monotone(5)] {
        let expected = case.run(&one).unwrap();
        for (job, expected) in case.jobs(&one).unwrap().iter().zip(&expected) {
            let plan = plan(job, 1 << 11, 9);
            let all = plan.num_units();
            do_units(job, &plan, 0..all, folder.path());
            let open = |unit| FragmentFile::open(&file(folder.path(), unit), &plan.origin(unit)).unwrap();
            for bounds in [vec![0, all], vec![0, all / 2, all], vec![0, 1, all / 3 + 1, all]] {
                let mut merged = Vec::new();
                for (at, ends) in bounds.windows(2).enumerate() {
                    let (units, path) = (ends[0]..ends[1], folder.path().join(format!("merged-{at}")));
                    let origin = plan.origin_of(units.clone());
                    assert_eq!(plan.list().origin_of(units.clone()), origin);
                    let fragments = || units.clone().map(open).collect::<Vec<_>>();
                    one.merge_some(fragments()).unwrap().write(&a, &origin).unwrap();
                    let states = two.merge_some(fragments()).unwrap().num_states();
                    two.merge_some(fragments()).unwrap().write(&b, &origin).unwrap();
                    assert!(std::fs::read(&a).unwrap() == std::fs::read(&b).unwrap());
                    let separate: usize = fragments().iter().map(FragmentFile::num_states).sum();
                    assert!(states <= separate, "{states} states after merging, {separate} before");
                    std::fs::rename(&a, &path).unwrap();
                    merged.push(FragmentFile::open(&path, &origin).unwrap());
                    if units.len() > 1 {
                        let other = plan.origin(units.start);
                        assert!(matches!(FragmentFile::open(&path, &other), Err(Error::Corrupt { .. })));
                    }
                }
                if merged.len() == 3 {
                    let rest = merged.split_off(1);
                    two.merge_some(rest).unwrap().write(&b, &plan.origin_of(1..all)).unwrap();
                    merged.push(FragmentFile::open(&b, &plan.origin_of(1..all)).unwrap());
                }
                assert!(job.merge(&plan, merged).unwrap() == *expected, "{bounds:?}");
            }
        }
    }
}

#[test]
fn a_small_cap_changes_only_the_location_of_rows() {
    let folder = tempfile::tempdir().unwrap();
    let case = Case::monotone(5);
    let expected = case.run(&Passes::new(u64::MAX, 1).unwrap()).unwrap();
    let large = Passes::new(u64::MAX, 2).unwrap();
    let (mut on_disk, mut refused, mut in_files) = (0, 0, 0);
    for (i, job) in case.jobs(&large).unwrap().iter().enumerate() {
        let plan = plan(job, u64::MAX, 12);
        do_units(job, &plan, 0..plan.num_units(), folder.path());
        // The rows of a layer take more than a quarter of this, while the buffers of the files take less.
        let cap = case.bytes() + expected[i].bytes() + (700 << 10);
        let small = |folder: &str, room| {
            let mut small = Passes::new(cap, 2).unwrap();
            small.set_scratch(folder.into());
            small.set_scratch_room(move |_| room);
            small
        };
        let merged = |passes: &Passes| merge(&case.jobs(passes).unwrap()[i], &plan, folder.path());
        let together = |passes: &Passes| {
            let open = |unit| FragmentFile::open(&file(folder.path(), unit), &plan.origin(unit)).unwrap();
            passes.merge_some((0..plan.num_units()).map(open).collect()).unwrap()
        };
        let here = folder.path().to_str().unwrap();
        let result = merged(&small(here, None)).unwrap();
        assert!(result == expected[i], "wrong set for image {i}");
        in_files += usize::from(result.bytes() < expected[i].bytes());
        assert!(together(&small(here, None)) == together(&large), "wrong fragment for image {i}");
        on_disk += usize::from(matches!(merged(&small("/nowhere", None)), Err(Error::Io { .. })));
        let full = merged(&small(here, Some(1000)));
        refused += usize::from(
            matches!(full, Err(Error::Io { source, .. }) if source.kind() == ErrorKind::StorageFull),
        );
        let mut tiny = small(here, None);
        tiny.set_memory_limit(1 << 10);
        assert!(matches!(merged(&tiny), Err(Error::OutOfMemory { .. })));
    }
    assert!(
        on_disk > 0 && on_disk == refused,
        "the rows of {on_disk} images went to files, {refused} images were refused"
    );
    assert!(in_files > 0, "no result was stored in files");
}

#[test]
fn plans_and_fragments_depend_on_the_job_alone() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
    let case = Case::new(7);
    let (one, mut three) = (Passes::new(u64::MAX, 1).unwrap(), Passes::new(u64::MAX, 3).unwrap());
    three.set_deal_bytes(1 << 10);
    three.set_max_bits(100);
    let (jobs, others) = (case.jobs(&one).unwrap(), case.jobs(&three).unwrap());
    for (job, other) in jobs.iter().zip(&others) {
        assert_eq!(job.fingerprint(), other.fingerprint());
        let (plan, same) = (plan(job, 1 << 11, 5), plan(other, 1 << 11, 5));
        assert!(plan == same);
        plan.write(&a).unwrap();
        assert!(Plan::read(&a).unwrap() == plan && plan.fingerprint() == &job.fingerprint());
        for unit in 0..plan.num_units() {
            let fragment = job.unit(&plan, unit).unwrap();
            let states = fragment.num_states();
            fragment.write(&a, &plan.origin(unit)).unwrap();
            other.unit(&same, unit).unwrap().write(&b, &plan.origin(unit)).unwrap();
            assert!(std::fs::read(&a).unwrap() == std::fs::read(&b).unwrap());
            assert_eq!(FragmentFile::open(&a, &plan.origin(unit)).unwrap().num_states(), states);
        }
    }
    let mut all: Vec<_> = jobs.iter().map(Job::fingerprint).collect();
    all.extend(Case::new(8).jobs(&one).unwrap().iter().map(Job::fingerprint));
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 6);
}

#[test]
fn a_unit_needs_only_its_input() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b, at] = ["a", "b", "input"].map(|name| folder.path().join(name));
    let none = PassMoves::new(&MoveGraph::new(Case::new(7).set.shape().clone())).unwrap();
    let (one, mut three) = (Passes::new(u64::MAX, 1).unwrap(), Passes::new(u64::MAX, 3).unwrap());
    three.set_deal_bytes(1 << 10);
    for case in [Case::new(7), Case::monotone(6)] {
        for job in &case.jobs(&one).unwrap() {
            let plan = plan(job, 1 << 11, 5);
            plan.list().write(&at).unwrap();
            assert!(
                UnitList::read(&at).unwrap() == plan.list() && plan.list().words().len() == plan.num_units()
            );
            for unit in 0..plan.num_units() {
                job.unit(&plan, unit).unwrap().write(&a, &plan.origin(unit)).unwrap();
                job.input(&plan, unit, 4).unwrap().write(&at).unwrap();
                let input = UnitInput::read(&at).unwrap();
                assert_eq!((input.moves(), input.origin()), (4, &plan.origin(unit)));
                let own = case.image(false, Direction::Forward).moves;
                let made = three.unit(&input, own).unwrap();
                made.write(&b, input.origin()).unwrap();
                assert!(std::fs::read(&a).unwrap() == std::fs::read(&b).unwrap());
            }
        }
    }
    let case = Case::new(8);
    let job = &case.jobs(&one).unwrap()[0];
    let plan = plan(job, 1 << 11, 5);
    let input = job.input(&plan, 0, 4).unwrap();
    assert!(matches!(one.unit(&input, &none), Err(Error::Corrupt { .. })), "other moves must be refused");
    input.write(&at).unwrap();
    let whole = std::fs::read(&at).unwrap();
    for cut in (0..whole.len()).step_by(whole.len() / 300 + 1) {
        let mut flipped = whole.clone();
        flipped[cut] ^= 1;
        for bytes in [&whole[..cut], &flipped] {
            std::fs::write(&at, bytes).unwrap();
            let read = UnitInput::read(&at);
            assert!(matches!(read, Err(Error::Corrupt { .. } | Error::Version { .. })), "byte {cut}");
        }
    }
}

#[test]
fn damaged_files_and_those_of_other_plans_are_refused_and_recreated() {
    let folder = tempfile::tempdir().unwrap();
    let case = Case::new(9);
    let passes = Passes::new(u64::MAX, 1).unwrap();
    let jobs = case.jobs(&passes).unwrap();
    let job = &jobs[1];
    let (here, coarse) = (plan(job, 1 << 10, 4), plan(job, 1 << 10, 3));
    do_units(job, &here, 0..here.num_units(), folder.path());
    let path = file(folder.path(), 2);
    let whole = std::fs::read(&path).unwrap();
    let refused = |bytes: &[u8], plan: &Plan, unit| {
        std::fs::write(&path, bytes).unwrap();
        matches!(
            FragmentFile::open(&path, &plan.origin(unit)),
            Err(Error::Corrupt { .. } | Error::Version { .. })
        )
    };
    assert!(!refused(&whole, &here, 2));
    assert!(
        refused(&whole, &here, 1)
            && refused(&whole, &coarse, 2)
            && refused(&whole, &plan(&jobs[0], 1 << 10, 4), 2)
    );
    for cut in (0..whole.len()).step_by(whole.len() / 300 + 1) {
        let mut flipped = whole.clone();
        flipped[cut] ^= 1;
        assert!(refused(&whole[..cut], &here, 2) && refused(&flipped, &here, 2), "byte {cut}");
    }
    assert!(
        matches!(jobs[0].unit(&here, 2), Err(Error::Corrupt { .. })),
        "a plan of another job must be refused"
    );
    do_units(job, &here, 2..3, folder.path());
    assert!(std::fs::read(&path).unwrap() == whole);
    assert!(merge(job, &here, folder.path()).unwrap() == case.run(&passes).unwrap()[1]);

    let path = folder.path().join("plan");
    here.write(&path).unwrap();
    let whole = std::fs::read(&path).unwrap();
    for cut in (0..whole.len()).step_by(whole.len() / 300 + 1) {
        let mut flipped = whole.clone();
        flipped[cut] ^= 1;
        for bytes in [&whole[..cut], &flipped] {
            std::fs::write(&path, bytes).unwrap();
            assert!(
                matches!(Plan::read(&path), Err(Error::Corrupt { .. } | Error::Version { .. })),
                "byte {cut}"
            );
        }
    }
}

/// A fuzzer found a plan in which a key contained the number of the empty set.
#[test]
#[ignore = "slow: .ci/slow"]
fn a_plan_with_any_wrong_number_and_a_right_digest_is_refused_or_done() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan");
    let (case, passes) = (Case::new(4), Passes::new(u64::MAX, 1).unwrap());
    let (mut refused, mut done) = (0, 0);
    for job in &case.jobs(&passes).unwrap() {
        plan(job, 60, 2).write(&path).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let body = &whole[..whole.len() - 32];
        // Start from the end, where all numbers have four bytes; the head is tested above.
        for at in (1..body.len() / 4).map(|back| body.len() - 4 * back) {
            for number in [0u32, 2, u32::MAX] {
                let mut wrong = body.to_vec();
                wrong[at..at + 4].copy_from_slice(&number.to_le_bytes());
                let digest = blake3::hash(&wrong);
                wrong.extend_from_slice(digest.as_bytes());
                std::fs::write(&path, &wrong).unwrap();
                let made = Plan::read(&path).and_then(|plan| {
                    (0..plan.num_units()).try_for_each(|unit| job.unit(&plan, unit).map(drop))
                });
                match made {
                    Ok(()) => done += 1,
                    Err(Error::Corrupt { .. } | Error::Version { .. }) => refused += 1,
                    Err(other) => panic!("{at}, {number}: {other}"),
                }
            }
        }
    }
    assert!(refused > 100 && done > 0, "{refused} plans were refused, {done} were completed");
}

#[test]
fn a_result_that_nothing_has_to_be_done_for_is_whole_at_once() {
    let case = Case::new(3);
    let passes = Passes::new(u64::MAX, 1).unwrap();
    let none = Dfa::empty(case.set.shape());
    let image = Image { set: &none, ..case.image(false, Direction::Forward) };
    let whole = |sides: &[&Dfa], f: fn(bool, &[bool]) -> bool| match passes
        .job(image, sides, f)
        .unwrap()
        .plan(Cutting { bytes: 0, units: 2 })
        .unwrap()
    {
        Planned::Whole(set) => set,
        Planned::Parted(_) => panic!("a plan was created although no work remains"),
    };
    assert!(whole(&[], |x, _| x) == none);
    assert!(whole(&[], |x, _| !x) == Dfa::full(none.shape()));
    let short = Shape::uniform(1, 3).unwrap();
    let set = Dfa::word(&short, &[2]).unwrap();
    let moves = PassMoves::new(&MoveGraph::new(short)).unwrap();
    let image = Image { set: &set, complement: false, moves: &moves, direction: Direction::Forward };
    let job = passes.job(image, &[&set], |x, s| x || s[0]).unwrap();
    assert!(matches!(job.plan(Cutting { bytes: 0, units: 2 }).unwrap(), Planned::Whole(same) if same == set));
}

#[test]
#[ignore = "slow: .ci/slow"]
fn sets_too_large_for_one_pass_are_moved_in_units() {
    let folder = tempfile::tempdir().unwrap();
    for case in [Case::new(5), Case::monotone(6)] {
        let expected = case.run(&Passes::new(u64::MAX, 1).unwrap()).unwrap();
        for (i, expected) in expected[..3].iter().enumerate() {
            // The largest number of bits that is too small for one pass.
            let passes = |bits| {
                let mut passes = Passes::new(u64::MAX, 1).unwrap();
                passes.set_pair_bits(bits);
                passes
            };
            let is_refused =
                |bits: &u32| matches!(case.run_one(&passes(*bits), i), Err(Error::TooManyStates { .. }));
            let bits = (5..31).rev().find(is_refused).unwrap();
            let passes = passes(bits);
            let job = &case.jobs(&passes).unwrap()[i];
            let plan = plan(job, u64::MAX, 40);
            do_units(job, &plan, 0..plan.num_units(), folder.path());
            assert!(merge(job, &plan, folder.path()).unwrap() == *expected, "image {i} with {bits} bits");
        }
    }
}
