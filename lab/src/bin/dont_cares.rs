//! Measures how much a restriction to care sets saves on the final sets of Breakthrough runs, as CSV: `dont_cares
//! RUN_DIR [MEET_RUN_DIR|- [CARE...]]`, where the second run provides the care set of reachable positions. All care sets are measured
//! unless some are named.

use std::error::Error;
use std::path::Path;

use nerode_dfa::{Set, Store};
use nerode_games::Side;
use nerode_lab::not_above_mirror;
use nerode_solver::archive::run_dir::Kind;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::solve::method::Method;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let run = arguments.next().ok_or("usage: dont_cares RUN_DIR [MEET_RUN_DIR|- [CARE...]]")?;
    let solution = StoredRun::open(Path::new(&run))?;
    let meet = arguments.next().filter(|path| path != "-");
    let meet = meet.map(|path| StoredRun::open(Path::new(&path))).transpose()?;
    let wanted: Vec<String> = arguments.collect();
    let mut store = Store::unbounded(solution.game.shape().clone());
    println!(
        "game,side,set,care,care words,states,bytes,states within,bytes within,states restricted,bytes restricted,seconds"
    );
    for side in Side::BOTH {
        for (name, care) in care_sets(&mut store, &solution, meet.as_ref(), side)? {
            if !wanted.is_empty() && !wanted.iter().any(|care| care == name) {
                continue;
            }
            for kind in [Kind::W, Kind::L] {
                let set = store.import(solution.set(kind, side, solution.last_ply())?)?;
                let began = std::time::Instant::now();
                let small = store.restrict(&set, &care)?;
                let seconds = began.elapsed().as_secs_f64();
                let within = store.intersection(&set, &care)?;
                if store.intersection(&small, &care)? != within {
                    return Err("restriction changed a word that matters".into());
                }
                let words = store.count(&care)?;
                let sizes = [&set, &within, &small].map(|set| size(&store, set));
                let sizes: Vec<String> = sizes.into_iter().collect::<Result<_, _>>()?;
                println!(
                    "{},{side},{kind:?},{name},{words},{},{seconds:.3}",
                    solution.game.spec(),
                    sizes.join(",")
                );
            }
        }
    }
    Ok(())
}

/// Returns the number of states and the size of the file in bytes.
fn size(store: &Store, set: &Set) -> Result<String, Box<dyn Error>> {
    let dfa = store.freeze(set);
    Ok(format!("{},{}", dfa.num_states(), dfa.to_bytes()?.len()))
}

/// Returns the care sets. `counts` contains the admissible positions. `play` contains those of them without a pawn of
/// the side to move on its goal rank (the game would have ended one ply earlier), with at most one pawn of the opponent
/// on the opponent's goal rank (the first one ends the game), and with at least one pawn of the opponent (who has just
/// moved one). `mirror` contains one of every pair of mirror images, and `reached` the reachable positions.
fn care_sets(
    store: &mut Store,
    solution: &StoredRun,
    meet: Option<&StoredRun>,
    side: Side,
) -> Result<Vec<(&'static str, Set)>, Box<dyn Error>> {
    let game = solution.game.as_ref();
    let counts = game.admissible(store, side)?.ok_or("the game states no admissible positions")?;
    let (own, other) = if side == Side::P1 { (1, 2) } else { (2, 1) };
    let cells = game.cell_of_layer();
    let labels: Vec<String> = game.layers().into_iter().map(|layer| layer.label).collect();
    let rank = |label: &String| label.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse::<usize>();
    let ranks: Vec<usize> = labels.iter().map(rank).collect::<Result<_, _>>()?;
    let top = ranks.iter().copied().max().unwrap_or_default();
    let on = |rank: usize| (0..cells.len()).filter(|&layer| ranks[layer] == rank).collect::<Vec<_>>();
    let (goal, theirs) = if side == Side::P1 { (on(top), on(1)) } else { (on(1), on(top)) };
    let all: Vec<usize> = (0..cells.len()).collect();
    let none_through = store.letter_count(own, &goal, 0..=0)?;
    let one_through = store.letter_count(other, &theirs, 0..=1)?;
    let somewhere = store.letter_count(other, &all, 1..=cells.len())?;
    let play = store.intersection_all(&[counts.clone(), none_through, one_through, somewhere])?;
    let mirror = not_above_mirror(store, &labels)?;
    let both = store.intersection(&counts, &mirror)?;
    let mut found = vec![("counts", counts), ("play", play), ("mirror", mirror), ("counts and mirror", both)];
    if let Some(meet) = meet.filter(|meet| meet.method() == Method::Meet) {
        let last = meet.run.progress().forward.unwrap_or(0);
        let mut reached = store.empty();
        for ply in (0..=last).filter(|&ply| meet.side_at(ply) == side) {
            let set = store.import(meet.set(Kind::R, side, ply)?)?;
            reached = store.union(&reached, &set)?;
        }
        for (name, care) in found.iter().filter(|(name, _)| !name.contains("mirror")) {
            if !store.is_subset(&reached, care) {
                return Err(format!("play leaves the care set {name}").into());
            }
        }
        found.push(("reached", reached));
    }
    Ok(found)
}
