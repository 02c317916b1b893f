//! Compares other storage formats for the sectors of a morris game with a packed database. All are created from the
//! same tables, and their look-ups are timed.
//!
//! ```text
//! sector_baselines planes RUN WORK COUNT     writes two bits per slot under zstd -1 in blocks of 64 KiB (WORK/S.zst),
//!                                            one bit per slot without compression (WORK/S.bit, for xz), and COUNT
//!                                            random positions with their values (WORK/positions)
//! sector_baselines times PACKED WORK COUNT   times COUNT look-ups of those positions in the packed database and in
//!                                            the blocks, first cold, then warm
//! ```
//! In a cold look-up, the operating system was requested to drop the files from memory before. A look-up in the blocks
//! reads and decompresses one block.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use nerode::games::Value;
use nerode::games::morris::State;
use nerode_morris::compressed::{PackedSectors, sample};
use nerode_morris::tables::{IndexMaker, Sector, SectorIndex, SectorSolution, SectorTable, value_of};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rayon::prelude::*;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The size of a block in bytes before compression.
const BLOCK: usize = 64 << 10;
const SLOTS_A_BLOCK: u64 = 4 * BLOCK as u64;
/// The size in bytes of an entry in the file of positions: sector, stones of both sides, value.
const RECORD: usize = 13;

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["planes", run, work, count] => planes(Path::new(run), Path::new(work), count.parse()?),
        ["times", packed, work, count] => times(Path::new(packed), Path::new(work), count.parse()?),
        _ => Err("sector_baselines planes RUN WORK COUNT | times PACKED WORK COUNT".into()),
    }
}

fn planes(run: &Path, work: &Path, count: usize) -> Outcome<()> {
    let solution = SectorSolution::open(run)?;
    fs::create_dir_all(work)?;
    let sectors = solution.dir.sectors()?;
    let slots = |sector: Sector| solution.maker().index(sector.own, sector.other).num_slots();
    let all: u64 = sectors.iter().map(|file| slots(file.sector)).sum();
    let mut positions = File::create(work.join("positions"))?;
    println!("sector,slots,raw_2_bit,zstd_1_64k,raw_1_bit");
    for file in sectors {
        let table = solution.table(file.sector)?;
        let count = (count as u128 * u128::from(table.codes.num_slots())).div_ceil(all.into()) as usize;
        for state in sample(&table, count, 11) {
            positions.write_all(&record(file.sector, state, value_of(table.depth(state))))?;
        }
        let zstd = write_blocks(&table, &work.join(format!("{}.zst", file.sector)))?;
        write_bits(&table, &work.join(format!("{}.bit", file.sector)))?;
        let slots = table.codes.num_slots();
        println!("{},{slots},{},{zstd},{}", file.sector, slots.div_ceil(4), slots.div_ceil(8));
        drop(table);
        solution.forget();
    }
    Ok(())
}

fn code(table: &SectorTable, slot: u64) -> u8 {
    match value_of(table.depth_at(slot)) {
        Value::Loss => 1,
        Value::Draw => 2,
        Value::Win => 3,
    }
}

/// Writes the number of blocks, the end of each block, and the blocks.
fn write_blocks(table: &SectorTable, path: &Path) -> Outcome<u64> {
    let slots = table.codes.num_slots();
    let block = |at: u64| {
        let slots: Vec<u64> = (at * SLOTS_A_BLOCK..slots.min((at + 1) * SLOTS_A_BLOCK)).collect();
        let byte = |four: &[u64]| four.iter().rev().fold(0, |byte, &slot| byte << 2 | code(table, slot));
        let bytes: Vec<u8> = slots.chunks(4).map(byte).collect();
        zstd::bulk::compress(&bytes, 1)
    };
    let blocks: Vec<Vec<u8>> =
        (0..slots.div_ceil(SLOTS_A_BLOCK)).into_par_iter().map(block).collect::<Result<_, _>>()?;
    let mut out = std::io::BufWriter::new(File::create(path)?);
    let mut end = 8 * (blocks.len() as u64 + 1);
    out.write_all(&end.to_le_bytes())?;
    for block in &blocks {
        end += block.len() as u64;
        out.write_all(&end.to_le_bytes())?;
    }
    for block in &blocks {
        out.write_all(block)?;
    }
    out.into_inner()?.sync_all()?;
    Ok(end)
}

/// Writes, for each slot, whether the side to move wins.
fn write_bits(table: &SectorTable, path: &Path) -> Outcome<()> {
    let slots = table.codes.num_slots();
    let byte = |at: u64| {
        let slots = 8 * at..slots.min(8 * at + 8);
        slots.rev().fold(0u8, |byte, slot| byte << 1 | u8::from(code(table, slot) == 3))
    };
    let bytes: Vec<u8> = (0..slots.div_ceil(8)).into_par_iter().map(byte).collect();
    Ok(fs::write(path, bytes)?)
}

fn record(sector: Sector, state: State, value: Value) -> [u8; RECORD] {
    let mut record = [0; RECORD];
    record[..4].copy_from_slice(&[sector.own, sector.other, sector.own_hand, sector.other_hand]);
    record[4..8].copy_from_slice(&state.own.to_le_bytes());
    record[8..12].copy_from_slice(&state.other.to_le_bytes());
    record[12] = match value {
        Value::Loss => 1,
        Value::Draw => 2,
        Value::Win => 3,
    };
    record
}

struct Position {
    sector: Sector,
    state: State,
    code: u8,
}

fn read_positions(work: &Path, count: usize) -> Outcome<Vec<Position>> {
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, &byte| n << 8 | u32::from(byte));
    let position = |r: &[u8]| {
        let sector = Sector { own: r[0], other: r[1], own_hand: r[2], other_hand: r[3] };
        Position { sector, state: sector.state(number(&r[4..8]), number(&r[8..12])), code: r[12] }
    };
    let mut positions: Vec<Position> =
        fs::read(work.join("positions"))?.chunks_exact(RECORD).map(position).collect();
    positions.shuffle(&mut chacha20::ChaCha12Rng::seed_from_u64(5));
    positions.truncate(count);
    Ok(positions)
}

/// Requests that the operating system drop the files of a folder from memory.
fn drop_files(folder: &Path) -> Outcome<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_file() {
            let file = File::open(&path)?;
            file.sync_all()?;
            rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed)?;
        }
    }
    Ok(())
}

fn times(packed: &Path, work: &Path, count: usize) -> Outcome<()> {
    let positions = read_positions(work, count)?;
    drop_files(packed)?;
    let began = Instant::now();
    let database = PackedSectors::open(packed)?;
    println!("packed: opened in {:.1} ms", began.elapsed().as_secs_f64() * 1e3);
    let value = |position: &Position| -> Outcome<u8> {
        Ok(match database.get(position.state)?.0 {
            Value::Loss => 1,
            Value::Draw => 2,
            Value::Win => 3,
        })
    };
    for round in ["first time", "warm", "warm again"] {
        report("packed", round, &positions, value)?;
    }
    by_sector(&positions, value)?;
    drop_files(work)?;
    let mut blocks = Blocks { work, maker: IndexMaker::new(&rules(packed)?), files: BTreeMap::new() };
    for round in ["cold", "warm", "warm again"] {
        report("zstd blocks", round, &positions, |position| blocks.code(position))?;
    }
    Ok(())
}

fn rules(packed: &Path) -> Outcome<nerode::games::morris::board::Board> {
    let game = PackedSectors::open(packed)?.game.spec();
    Ok(nerode::games::morris::rules_of(&game)?.1.board)
}

fn report(
    what: &str,
    round: &str,
    positions: &[Position],
    mut value: impl FnMut(&Position) -> Outcome<u8>,
) -> Outcome<()> {
    let mut nanoseconds = Vec::with_capacity(positions.len());
    for position in positions {
        let began = Instant::now();
        let found = value(position)?;
        nanoseconds.push(began.elapsed().as_nanos() as u64);
        if found != position.code {
            return Err(
                format!("{what} answers {found}, not {}, in {}", position.code, position.sector).into()
            );
        }
    }
    let mean = nanoseconds.iter().sum::<u64>() as f64 / nanoseconds.len().max(1) as f64;
    nanoseconds.sort_unstable();
    let at = |share: usize| nanoseconds[(nanoseconds.len() - 1) * share / 1000] as f64 / 1e3;
    println!(
        "{what}, {round}: {} look-ups, mean {:.2} us, median {:.2}, 99 of 100 {:.2}, 999 of 1000 {:.2}, longest {:.2}",
        positions.len(),
        mean / 1e3,
        at(500),
        at(990),
        at(999),
        at(1000)
    );
    Ok(())
}

/// Prints the mean times of each sector as a table.
fn by_sector(positions: &[Position], value: impl Fn(&Position) -> Outcome<u8>) -> Outcome<()> {
    let mut of_sector: BTreeMap<Sector, (u64, u64)> = BTreeMap::new();
    for position in positions {
        let began = Instant::now();
        value(position)?;
        let (count, time) = of_sector.entry(position.sector).or_default();
        *count += 1;
        *time += began.elapsed().as_nanos() as u64;
    }
    println!("sector,look_ups,mean_ns");
    for (sector, (count, time)) in of_sector {
        println!("{sector},{count},{}", time / count);
    }
    Ok(())
}

/// The open files of blocks, with the ends of their blocks.
struct Blocks<'a> {
    work: &'a Path,
    maker: IndexMaker,
    files: BTreeMap<Sector, (File, Vec<u64>, SectorIndex)>,
}

impl Blocks<'_> {
    fn code(&mut self, position: &Position) -> Outcome<u8> {
        let sector = position.sector;
        if !self.files.contains_key(&sector) {
            let path: PathBuf = self.work.join(format!("{sector}.zst"));
            let file = File::open(path)?;
            let mut first = [0; 8];
            file.read_exact_at(&mut first, 0)?;
            let mut ends = vec![0; u64::from_le_bytes(first) as usize];
            file.read_exact_at(&mut ends, 0)?;
            let ends =
                ends.chunks_exact(8).map(|end| end.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b)));
            let index = self.maker.index(sector.own, sector.other);
            self.files.insert(sector, (file, ends.collect(), index));
        }
        let (file, ends, index) = self.files.get(&sector).ok_or("no file")?;
        let slot = index.slot(position.state.own, position.state.other);
        let (block, within) = ((slot / SLOTS_A_BLOCK) as usize, slot % SLOTS_A_BLOCK);
        let mut compressed = vec![0; (ends[block + 1] - ends[block]) as usize];
        file.read_exact_at(&mut compressed, ends[block])?;
        let bytes = zstd::bulk::decompress(&compressed, BLOCK)?;
        Ok(bytes[(within / 4) as usize] >> (2 * (within % 4)) & 3)
    }
}
