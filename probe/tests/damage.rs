//! Damaged, truncated and exchanged files, and hosts that fail: an error or the right answer, and never another answer.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, RwLock};

use nerode::{Method, Options};
use nerode_morris::compressed::{LookAhead, Packing, pack_directory};
use nerode_morris::tables::{SectorSolution, SectorSolve};
use nerode_probe::{Bytes, Error, Evaluation, Files, Folder, Position, Probe, Settings};
use nerode_solver::archive::compact::write_maps;
use nerode_solver::archive::packing::write_reached;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::solve::resources::Resources;

fn run(spec: &str, method: Method, folder: &Path) -> StoredRun {
    nerode::open(spec).unwrap().solve(Options::default().method(method).directory(folder)).unwrap();
    StoredRun::open_with(folder, nerode::registry()).unwrap()
}

/// Returns the packed reached positions of a game.
fn reached(spec: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let stored = run(spec, Method::Meet, &folder.path().join("run"));
    let packed = folder.path().join("packed");
    write_reached(&stored, &packed, false, &Resources::default(), &mut |_, _| ()).unwrap();
    fs::read(packed.join("reached.packed")).unwrap()
}

/// A file whose bytes a test exchanges while it is open, with the number of bytes that were read.
#[derive(Clone, Default)]
struct Exchanged(Arc<RwLock<Vec<u8>>>, Arc<AtomicU64>, Arc<AtomicUsize>);

impl Bytes for Exchanged {
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.1.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.2.fetch_add(1, Ordering::Relaxed);
        self.0.read().unwrap().read_at(at, bytes)
    }

    fn num_bytes(&self) -> io::Result<u64> {
        self.0.read().unwrap().num_bytes()
    }
}

/// Returns the start of a game and the positions after the moves of the first `most` positions.
fn some(probe: &Probe, most: usize) -> Vec<Position> {
    let mut all = vec![probe.game().start_position()];
    for at in 0..most {
        let Some(position) = all.get(at).cloned() else { break };
        let answer = probe.query(&position).unwrap();
        all.extend(answer.moves().iter().map(|reply| reply.position().clone()));
    }
    all
}

#[test]
fn a_changed_byte_is_an_error_or_has_no_effect() {
    let good = reached("tictactoe:3x3");
    let settings = Settings { cache_bytes: 0, ..Settings::default() };
    let probe = Probe::open(Box::new(good.clone()), &settings).unwrap();
    let positions = some(&probe, 40);
    let expected: Vec<Evaluation> = positions.iter().map(|p| probe.evaluate(p).unwrap()).collect();
    let mut refused = 0;
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 1 << (at % 8);
        let Ok(probe) = Probe::open(Box::new(bad), &settings) else {
            refused += 1;
            continue;
        };
        for (position, expected) in positions.iter().zip(&expected).step_by(11) {
            match probe.evaluate(position) {
                Ok(found) => assert_eq!(found, *expected, "byte {at}"),
                Err(error) => {
                    assert!(matches!(error, Error::Corrupt { .. } | Error::Dfa(_)), "{error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > good.len() / 4, "{refused} of {} bytes matter", good.len());
    for len in 0..good.len() {
        assert!(Probe::open(Box::new(good[..len].to_vec()), &settings).is_err(), "{len} bytes");
    }
}

#[test]
fn a_file_that_is_replaced_while_it_is_open_gives_errors() {
    let (first, second) = (reached("connect:4x4"), reached("connect:4x5"));
    let file = Exchanged::default();
    *file.0.write().unwrap() = first.clone();
    let settings = Settings { cache_bytes: 0, ..Settings::default() };
    let probe = Probe::open(Box::new(file.clone()), &settings).unwrap();
    // More plies than a cache of a few blocks can hold.
    let positions = some(&probe, 600);
    let expected: Vec<Evaluation> = positions.iter().map(|p| probe.evaluate(p).unwrap()).collect();
    for other in [second, Vec::new(), first[..100].to_vec()] {
        *file.0.write().unwrap() = other;
        let mut errors = 0;
        for (position, expected) in positions.iter().zip(&expected) {
            match probe.evaluate(position) {
                Ok(found) => assert_eq!(found, *expected),
                Err(_) => errors += 1,
            }
        }
        assert!(errors > 0);
    }
    *file.0.write().unwrap() = first;
    assert!(positions.iter().zip(&expected).all(|(p, expected)| probe.evaluate(p).unwrap() == *expected));
}

/// A look-up reads a small part of the file, and the cache saves reads.
#[test]
fn look_ups_read_blocks_and_keep_them() {
    let file = Exchanged::default();
    *file.0.write().unwrap() = reached("connect:5x4");
    let probe = Probe::open(Box::new(file.clone()), &Settings::default()).unwrap();
    let (whole, start) = (file.0.read().unwrap().len() as u64, probe.game().start_position());
    assert!(file.1.load(Ordering::Relaxed) < whole / 4, "opening reads the header");
    probe.evaluate(&start).unwrap();
    let (bytes, reads) = (file.1.load(Ordering::Relaxed), file.2.load(Ordering::Relaxed));
    assert!(bytes < whole / 2, "{bytes} of {whole} bytes");
    probe.evaluate(&start).unwrap();
    assert_eq!(reads, file.2.load(Ordering::Relaxed), "the second time, everything is in the cache");
}

/// A directory with the number of bytes that were read from its files.
struct Counted(PathBuf, Arc<AtomicU64>);

/// A file of such a directory.
struct CountedFile(Box<dyn Bytes>, Arc<AtomicU64>);

impl Folder for Counted {
    fn open(&self, name: &str) -> io::Result<Box<dyn Bytes>> {
        Ok(Box::new(CountedFile(self.0.open(name)?, Arc::clone(&self.1))))
    }
}

impl Bytes for CountedFile {
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.1.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.0.read_at(at, bytes)
    }

    fn num_bytes(&self) -> io::Result<u64> {
        self.0.num_bytes()
    }
}

/// A look-up in packed sectors reads the heads and some blocks of the files that it needs, and the cache saves reads.
#[test]
fn look_ups_in_sectors_read_parts_of_files() {
    let folder = tempfile::tempdir().unwrap();
    let (tables, packed) = (folder.path().join("tables"), folder.path().join("packed"));
    let sectors = vec!["5-5-0-0".parse().unwrap()];
    let solve = SectorSolve::open("morris:six").unwrap().of(sectors.clone()).unwrap();
    solve.solve_into(&tables, &Resources::default(), &mut |_| ()).unwrap();
    let packing = Packing {
        sectors: &sectors,
        folder: &packed,
        overwrite: false,
        look_ahead: LookAhead::default(),
        depths: true,
        reuse: None,
        interrupt: &Resources::default().interrupt,
    };
    pack_directory(&SectorSolution::open(&tables).unwrap(), &packing, &mut |_| ()).unwrap();
    let solution = nerode::open_solution(&packed).unwrap();
    let len = |name: &str| fs::metadata(packed.join(name)).unwrap().len();
    let whole = len("5-5-0-0.packed");
    assert!(whole > 50_000);
    let mut counts = Vec::new();
    for position in solution.sample_in("5-5-0-0", 300, 1).unwrap().unwrap() {
        let read = Arc::new(AtomicU64::new(0));
        let counted = Arc::new(Counted(packed.clone(), Arc::clone(&read)));
        let probe = Probe::open_folder(counted, &Settings::default()).unwrap();
        assert_eq!(read.load(Ordering::Relaxed), len("packed.json"), "opening reads the manifest");
        assert_eq!(probe.evaluate(&position).unwrap(), solution.evaluate(&position).unwrap());
        let cold = read.load(Ordering::Relaxed);
        assert_eq!(probe.evaluate(&position).unwrap(), solution.evaluate(&position).unwrap());
        assert_eq!(read.load(Ordering::Relaxed), cold, "the second time, everything is in the cache");
        counts.push(cold - len("packed.json"));
    }
    let (most, sum) = (counts.iter().max().copied().unwrap(), counts.iter().sum::<u64>());
    assert!(
        most < whole && sum < whole / 2 * counts.len() as u64,
        "at most {most} of {whole} bytes, {sum} in all"
    );
}

/// A host that fails, or that claims impossible lengths.
struct Failing(Files, &'static str);

struct Claims(u64);

impl Bytes for Claims {
    fn read_at(&self, _at: u64, _bytes: &mut [u8]) -> io::Result<()> {
        Err(io::Error::other("the host is offline"))
    }

    fn num_bytes(&self) -> io::Result<u64> {
        Ok(self.0)
    }
}

impl Folder for Failing {
    fn open(&self, name: &str) -> io::Result<Box<dyn Bytes>> {
        match self.1 {
            "offline" => Err(io::Error::other("the host is offline")),
            "huge" if name.ends_with(".map") => Ok(Box::new(Claims(u64::MAX / 4))),
            "silent" if name.ends_with(".map") => Ok(Box::new(Claims(100))),
            "missing" if name.ends_with(".map") => Err(io::ErrorKind::NotFound.into()),
            _ => self.0.open(name),
        }
    }
}

#[test]
fn hosts_that_fail_give_errors() {
    let folder = tempfile::tempdir().unwrap();
    let stored = run("nim:3x4", Method::Retrograde, &folder.path().join("run"));
    let packed = folder.path().join("packed");
    write_maps(&stored, &packed, true, false, &Resources::default(), &mut |_, _| ()).unwrap();
    let names = ["values.json", "values-P1.map", "values-P2.map"];
    let files = |names: &[&str]| -> Files {
        names.iter().map(|name| (*name, fs::read(packed.join(name)).unwrap())).collect()
    };
    let settings = Settings::default();
    let offline = Probe::open_folder(Arc::new(Failing(files(&names), "offline")), &settings);
    assert!(offline.is_err_and(|e| e.to_string().contains("offline")));
    for how in ["huge", "silent", "missing"] {
        let probe = Probe::open_folder(Arc::new(Failing(files(&names), how)), &settings).unwrap();
        let error = probe.evaluate(&probe.game().start_position()).unwrap_err();
        assert!(matches!(error, Error::Io { .. }), "{how}: {error}");
    }
    let claims = Probe::open(Box::new(Claims(u64::MAX)), &settings);
    assert!(claims.is_err_and(|e| matches!(e, Error::Dfa(_) | Error::Io { .. })));
    // Every damaged byte of an automaton shows, because its digest is in the manifest.
    for at in (0..fs::read(packed.join(names[1])).unwrap().len()).step_by(5) {
        let mut damaged = files(&names);
        let mut bytes = fs::read(packed.join(names[1])).unwrap();
        bytes[at] ^= 4;
        damaged.insert(names[1], bytes);
        let probe = Probe::open_folder(Arc::new(damaged), &settings).unwrap();
        let answer = probe.evaluate(&probe.game().start_position());
        assert!(matches!(answer, Err(Error::Corrupt { .. })), "byte {at}: {answer:?}");
    }
}
