//! Measures the cost of splitting one retrograde step into units for several cuts: how many states the fragments of
//! different units share, how many of those are states of an earlier set, and how long the units take.
//!
//! `cargo run --release -p nerode-lab --bin unit_cuts -- RUN PLY win|loss UNITS BYTES...` splits the step to `W[P1]` (or `L[P2]`)
//! of ply + 1 at the layers where keys take the given numbers of bytes. Results are in `lab/engine-log.md`.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::time::Instant;

use nerode_dfa::{Cutting, Dfa, Direction, Fragment, Image, Job, PassMoves, Planned, Store, Target};
use nerode_games::Side;
use nerode_solver::archive::run_dir::Kind;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::solve::engine::Engine;
use nerode_solver::solve::operand::Operand;
use nerode_solver::solve::resources::{Backend, Resources};

/// The language of a state, as a hash that does not depend on the automaton.
type Language = u64;

fn mix(row: impl Iterator<Item = Language>) -> Language {
    row.fold(0x243F_6A88_85A3_08D3, |h, x| {
        let p = u128::from(h ^ x) * 0x9E37_79B9_7F4A_7C15;
        (p >> 64) as u64 ^ p as u64
    })
}

/// Returns the languages of all states of a set, by layer.
fn languages(set: &Dfa) -> Vec<Vec<Language>> {
    let shape = set.shape();
    let mut all: Vec<Vec<Language>> = vec![Vec::new(); shape.num_layers() + 1];
    for layer in (0..shape.num_layers()).rev() {
        let of = |state: usize| {
            mix((0..shape.num_letters(layer)).map(|letter| {
                match set.target(layer, state as u32, letter as u8) {
                    Target::Reject => 0,
                    Target::Accept => 1,
                    Target::State(next) => all[layer + 1][next as usize],
                }
            }))
        };
        let here = (0..set.num_states_in(layer)).map(of).collect();
        all[layer] = here;
    }
    all
}

/// Returns the languages of all states of a fragment, by layer.
fn of_fragment(fragment: &Fragment, set: &Dfa) -> Vec<Vec<Language>> {
    let shape = set.shape();
    let mut all: Vec<Vec<Language>> = vec![Vec::new(); shape.num_layers() + 1];
    for layer in (fragment.cut()..shape.num_layers()).rev() {
        let of = |target: u32| match target {
            0 | 1 => u64::from(target),
            state => all[layer + 1][state as usize - 2],
        };
        let rows = fragment.rows(layer).chunks(shape.num_letters(layer));
        let here = rows.map(|row| mix(row.iter().map(|&target| of(target)))).collect();
        all[layer] = here;
    }
    all
}

fn measure(
    job: &Job<'_>,
    set: &Dfa,
    earlier: &[Vec<Vec<Language>>],
    cutting: Cutting,
) -> nerode_dfa::Result<()> {
    let Planned::Parted(plan) = job.plan(cutting)? else { return Ok(()) };
    let layers = set.shape().num_layers();
    let mut met: Vec<HashMap<Language, u32>> = vec![HashMap::new(); layers];
    let (mut seconds, mut states, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    for unit in 0..plan.num_units() {
        let began = Instant::now();
        let fragment = job.unit(&plan, unit)?;
        seconds.push(began.elapsed().as_secs_f64());
        states.push(fragment.num_states());
        weights.push(plan.size_of(unit));
        for (met, languages) in met.iter_mut().zip(of_fragment(&fragment, set)) {
            languages.into_iter().for_each(|language| *met.entry(language).or_default() += 1);
        }
    }
    let distinct: usize = met.iter().map(HashMap::len).sum();
    let all: usize = states.iter().sum();
    let mut sorted = seconds.clone();
    sorted.sort_by(f64::total_cmp);
    println!(
        "cut {} units {}: {} keys; fragments {all} states, different {distinct}, factor {:.3}; seconds {:.2}, least {:.3}, median {:.3}, most {:.3}",
        plan.cut(),
        plan.num_units(),
        plan.num_keys(),
        all as f64 / distinct as f64,
        seconds.iter().sum::<f64>(),
        sorted[0],
        sorted[sorted.len() / 2],
        sorted[sorted.len() - 1],
    );
    for (name, earlier) in ["side", "two plies before"].iter().zip(earlier) {
        let sets: Vec<HashSet<Language>> =
            earlier.iter().map(|layer| layer.iter().copied().collect()).collect();
        let known = |(layer, met): (usize, &HashMap<Language, u32>)| {
            met.iter()
                .filter(|(language, _)| sets[layer].contains(language))
                .map(|(_, &n)| (1, n as usize))
                .fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
        };
        let (known, times) = met.iter().enumerate().map(known).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        println!("  states of {name}: {known} different, {times} in all fragments");
    }
    for (layer, met) in met.iter().enumerate().filter(|(_, met)| !met.is_empty()) {
        let all: u32 = met.values().sum();
        print!("  {layer}: {} of {all} ({:.2})", met.len(), f64::from(all) / met.len() as f64);
    }
    println!();
    for unit in 0..plan.num_units() {
        print!("  {:?}:{}:{:.3}", weights[unit], states[unit], seconds[unit]);
    }
    println!();
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [run, ply, kind, units, bytes @ ..] = arguments.as_slice() else {
        return Err("usage: unit_cuts RUN PLY win|loss UNITS BYTES...".into());
    };
    let (ply, loss) = (ply.parse::<u32>()?, kind == "loss");
    let solution = StoredRun::open(&PathBuf::from(run))?;
    let (side, input, output) =
        if loss { (Side::P2, Kind::W, Kind::L) } else { (Side::P1, Kind::L, Kind::W) };
    let set = solution.set(input, side.other(), ply)?;
    let before = solution.set(output, side, ply)?;
    let resources = Resources { backend: Backend::Passes, ..Resources::default() };
    let mut engine = Engine::new(solution.game.clone(), &resources, None)?;
    let terminal = engine.terminal(side).clone();
    let lost = engine.terminal(side.other()).loss.clone();
    let at_once = engine
        .image(Operand::into(&lost, side), &[&terminal.win, &terminal.all], |x, s| s[0] || x && !s[1])?;
    let open = engine.combine(&[&terminal.playing, &at_once], |x| x[0] && !x[1])?;
    let mut store = Store::new(solution.game.shape().clone(), 1 << 30)?;
    let moves = PassMoves::new(&solution.game.moves(&mut store, side)?)?;
    let image = Image { set, complement: loss, moves: &moves, direction: Direction::Backward };
    let passes = engine.passes();
    let sides = if loss { [&terminal.loss, &open] } else { [&at_once, &terminal.all] };
    let f = |x: bool, s: &[bool]| s[0] || if loss { s[1] && !x } else { x && !s[1] };
    let began = Instant::now();
    let result = passes.image(image, &sides, f)?;
    println!(
        "{input:?} of ply {ply}: {} states; result {}, {:.2} s; before {}; {:?}",
        set.num_states(),
        result.num_states(),
        began.elapsed().as_secs_f64(),
        before.num_states(),
        passes.stats()
    );
    let earlier = [languages(sides[0]), languages(before)];
    let job = passes.job(image, &sides, f)?;
    for bytes in bytes {
        measure(&job, set, &earlier, Cutting { bytes: bytes.parse()?, units: units.parse()? })?;
    }
    Ok(())
}
