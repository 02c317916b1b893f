//! Runs one of six fixed jobs on one thread, whose instructions `.ci/instructions` counts. Instruction counts reveal
//! changes that cost time, and they do not depend on other activity of the machine.
//!
//! ```text
//! instructions prepare FOLDER   creates the input of the jobs: a solved game and packed sectors
//! instructions JOB FOLDER       recursion, pass, look-up, sector-unit, packed-look-up, reader
//! ```
//! Each job prints its result, so that the compiler cannot omit any work and a wrong result is visible.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nerode::dfa::Dfa;
use nerode::games::registry;
use nerode::{Backend, Chains, Existing, Method, Side, Value};
use nerode_morris::compressed::{LookAhead, PackedSectors, Packing, pack_directory};
use nerode_morris::tables::name::named_game;
use nerode_morris::tables::{
    IndexMaker, Sector, SectorSolution, SectorSolve, SectorTables, plan, solve_unit,
};
use nerode_solver::archive::run_dir::{Kind, Request};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::run::solve;
use nerode_solver::solve::engine::Engine;
use nerode_solver::solve::resources::Resources;
use nerode_solver::solve::retrograde::Retrograde;

type Outcome<T> = Result<T, Box<dyn Error>>;

const GAME: &str = "breakthrough:3x5";
const SECTOR: &str = "4-3-0-0";
const LOOK_UPS: usize = 10_000;
const READS: usize = 40;

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [job, folder] = &args[..] else { return Err("instructions prepare|JOB FOLDER".into()) };
    let folder = Path::new(folder);
    let found = match job.as_str() {
        "prepare" => prepare(folder)?,
        "recursion" => in_memory(Backend::Recursion)?,
        "pass" => in_memory(Backend::Passes)?,
        "look-up" => look_up(folder)?,
        "sector-unit" => sector_unit()?,
        "packed-look-up" => packed_look_up(folder)?,
        "reader" => reader(folder)?,
        other => return Err(format!("no job {other}").into()),
    };
    println!("{job}: {found}");
    Ok(())
}

fn prepare(folder: &Path) -> Outcome<String> {
    let game = registry::open(GAME)?;
    let request = Request::new(game.as_ref(), Method::Retrograde, None, None);
    solve(game, request, &folder.join("run"), Existing::Refuse, &Resources::default(), &mut |_| ())?;

    let (never, sectors) = (AtomicBool::new(false), [SECTOR.parse::<Sector>()?]);
    let solve = SectorSolve::open("morris:six")?.of(sectors.to_vec())?;
    solve.solve_into(&folder.join("six"), &Resources::default(), &mut |_| ())?;
    let packing = Packing {
        sectors: &sectors,
        folder: &folder.join("packed"),
        overwrite: false,
        look_ahead: LookAhead { plies: 0, in_hand: None },
        depths: false,
        reuse: None,
        interrupt: &never,
    };
    let packed = pack_directory(&SectorSolution::open(&folder.join("six"))?, &packing, &mut |_| ())?;
    Ok(format!("{GAME}, and {} packed sectors", packed.len()))
}

/// Computes the sets of won and lost positions up to the fixpoint without writing files.
fn in_memory(backend: Backend) -> Outcome<String> {
    let resources = Resources { backend, ..Resources::default() };
    let mut engine = Engine::new(registry::open(GAME)?, &resources, None)?;
    let mut iteration = Retrograde::new(&engine, Chains::Both);
    while iteration.step(&mut engine)? {}
    let states: usize = iteration.level().win.iter().map(Dfa::num_states).sum();
    Ok(format!("{} plies, {states} states", iteration.ply()))
}

/// Returns a fixed sequence of numbers below `bound`, from a linear congruential generator.
fn numbers(bound: u64) -> impl Iterator<Item = u64> {
    let mut state = 1u64;
    std::iter::from_fn(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Some((state >> 33) % bound)
    })
}

fn look_up(folder: &Path) -> Outcome<String> {
    let game = registry::open(GAME)?;
    let run = StoredRun::open(&folder.join("run"))?;
    let mut letters = numbers(3);
    let mut won = 0;
    for _ in 0..LOOK_UPS {
        let word: Vec<u8> = letters.by_ref().take(game.shape().num_layers()).map(|n| n as u8).collect();
        won += usize::from(run.get(&game.board_of(&word), Side::P1)?.value() == Some(Value::Win));
    }
    Ok(format!("{won} of {LOOK_UPS} won"))
}

fn sector_unit() -> Outcome<String> {
    let (_, rules, _) = named_game("morris:six")?;
    let (maker, never) = (IndexMaker::new(&rules.board), AtomicBool::new(false));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut known = SectorTables::new();
    for unit in plan(&rules, &[SECTOR.parse()?])? {
        let tables = pool.install(|| solve_unit(&rules, &unit, &maker, &known, &never))?;
        known.extend(tables.into_iter().map(|table| (table.sector, Arc::new(table))));
    }
    let positions: u64 = known.values().map(|table| table.counts().num_positions).sum();
    Ok(format!("{} sectors, {positions} positions", known.len()))
}

fn packed_look_up(folder: &Path) -> Outcome<String> {
    let packed = PackedSectors::open(&folder.join("packed"))?;
    let sector: Sector = SECTOR.parse()?;
    let mut points = numbers(16);
    let mut won = 0;
    for _ in 0..LOOK_UPS {
        let mut stones = [0u32; 2];
        for (side, count) in [(0, 4), (1, 3)] {
            while stones[side].count_ones() < count {
                stones[side] |= 1 << points.next().unwrap_or_default() & !stones[1 - side];
            }
        }
        won += usize::from(packed.get(sector.state(stones[0], stones[1]))?.0 == Value::Win);
    }
    Ok(format!("{won} of {LOOK_UPS} won"))
}

/// Reads and checks the last set of the run repeatedly.
fn reader(folder: &Path) -> Outcome<String> {
    let run = StoredRun::open(&folder.join("run"))?;
    let entry = run.entry(Kind::W, Side::P1, run.last_ply())?;
    let mut states = 0;
    for _ in 0..READS {
        states += run.run.read_file(entry)?.num_states();
    }
    Ok(format!("{states} states in {READS} readings"))
}
