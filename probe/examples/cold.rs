//! Counts the bytes that a cold look-up in a packed solution reads: `cold FOLDER COUNT [SECTOR|all [PART]]`. For each of COUNT
//! random positions, of all sectors or of one, the solution is opened anew and evaluates the position, and the same once more
//! with all moves. Every answer is compared with that of the crate `nerode`. All bytes are counted, those of manifests and
//! indices included. Then prints the time of look-ups once everything has been read. With PART, files are read in aligned parts of that many bytes, each of which is read once.

use std::collections::BTreeSet;
use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use nerode_probe::{Bytes, Folder, Position, Probe, Settings};

/// The bytes that were read, and the number of reads.
#[derive(Clone, Default)]
struct Count(Arc<[AtomicU64; 2]>);

impl Count {
    fn add(&self, bytes: u64) {
        self.0[0].fetch_add(bytes, Ordering::Relaxed);
        self.0[1].fetch_add(1, Ordering::Relaxed);
    }
}

/// A folder that counts what is read.
struct Counted {
    folder: PathBuf,
    /// The length of the parts in which files are read, if they are.
    part: Option<u64>,
    count: Count,
}

struct CountedFile {
    file: Box<dyn Bytes>,
    part: Option<u64>,
    count: Count,
    /// The parts that were read.
    parts: Mutex<BTreeSet<u64>>,
}

impl Folder for Counted {
    fn open(&self, name: &str) -> io::Result<Box<dyn Bytes>> {
        let file = self.folder.open(name)?;
        let (part, count) = (self.part, self.count.clone());
        Ok(Box::new(CountedFile { file, part, count, parts: Mutex::default() }))
    }
}

impl Bytes for CountedFile {
    fn read_at(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        let (len, mut parts) =
            (bytes.len() as u64, self.parts.lock().map_err(|e| io::Error::other(e.to_string()))?);
        match self.part {
            None => self.count.add(len),
            Some(part) => {
                for number in at / part..(at + len).div_ceil(part) {
                    if parts.insert(number) {
                        self.count.add(part.min(self.num_bytes()? - number * part));
                    }
                }
            }
        }
        self.file.read_at(at, bytes)
    }

    fn num_bytes(&self) -> io::Result<u64> {
        self.file.num_bytes()
    }
}

/// Returns the bytes that `ask` reads from a solution that it opens, and the number of reads.
fn cold<T>(
    folder: &Path,
    part: Option<u64>,
    ask: impl FnOnce(&Probe) -> nerode_probe::Result<T>,
) -> nerode_probe::Result<([u64; 2], T)> {
    let count = Count::default();
    let counted = Counted { folder: folder.into(), part, count: count.clone() };
    let probe = Probe::open_folder(Arc::new(counted), &Settings::default())?;
    let answer = ask(&probe)?;
    Ok(([0, 1].map(|i| count.0[i].load(Ordering::Relaxed)), answer))
}

fn print(what: &str, counts: &[[u64; 2]]) {
    let of = |i: usize| {
        let mut all: Vec<u64> = counts.iter().map(|count| count[i]).collect();
        all.sort_unstable();
        let mean = all.iter().sum::<u64>() as f64 / all.len() as f64;
        (mean, all[all.len() / 2], all[all.len() * 99 / 100], all[all.len() - 1])
    };
    for (i, unit) in ["bytes", "reads"].into_iter().enumerate() {
        let (mean, median, most_of_them, most) = of(i);
        println!(
            "{what}: {unit}: mean {mean:.0}, median {median}, 99 of 100 at most {most_of_them}, maximum {most}"
        );
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, count, rest @ ..] = arguments.as_slice() else {
        return Err("usage: cold FOLDER COUNT [SECTOR|all [PART]]".into());
    };
    let (folder, count) = (Path::new(folder), count.parse()?);
    let sector = rest.first().filter(|sector| *sector != "all");
    let part: Option<u64> = rest.get(1).map(|bytes| bytes.parse()).transpose()?;
    let solution = nerode::open_solution(folder)?;
    let positions: Vec<Position> = match sector {
        None => solution.sample(count, 1)?,
        Some(sector) => solution.sample_in(sector, count, 1)?.ok_or("the solution has no such sector")?,
    };
    if positions.is_empty() {
        return Err("no positions".into());
    }
    let (mut one, mut with_moves) = (Vec::new(), Vec::new());
    for position in &positions {
        let (bytes, found) = cold(folder, part, |probe| probe.evaluate(position))?;
        one.push(bytes);
        let (bytes, answer) = cold(folder, part, |probe| probe.query(position))?;
        with_moves.push(bytes);
        let expected = solution.evaluate(position)?;
        if (found, answer.evaluation()) != (expected, expected) {
            return Err(format!("{position:?}: {found:?} instead of {expected:?}").into());
        }
    }
    println!("{} positions, each in a solution opened anew", positions.len());
    print("the position alone", &one);
    print("with all moves", &with_moves);
    let settings = Settings { cache_bytes: 256 << 20, ..Settings::default() };
    let probe = Probe::open_folder(Arc::new(folder.to_path_buf()), &settings)?;
    let in_parts = warm(&positions, |position| probe.evaluate(position).map(drop))?;
    let whole = warm(&positions, |position| solution.evaluate(position).map(drop))?;
    println!(
        "once everything has been read: {in_parts:.0} ns in parts, {whole:.0} ns with whole files in memory"
    );
    Ok(())
}

/// Returns the nanoseconds that a look-up takes once everything that it needs has been read: the least of six rounds.
fn warm<E>(positions: &[Position], look_up: impl Fn(&Position) -> Result<(), E>) -> Result<f64, E> {
    let mut best = f64::INFINITY;
    for _ in 0..6 {
        let began = Instant::now();
        positions.iter().try_for_each(&look_up)?;
        best = best.min(began.elapsed().as_secs_f64() * 1e9 / positions.len() as f64);
    }
    Ok(best)
}
