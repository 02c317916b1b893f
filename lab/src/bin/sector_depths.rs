//! Counts the positions of sectors by their depth: `sector_depths DIR SECTOR...`.
//!
//! The output is CSV, with one line for every depth that occurs, and one for the draws. Depths are in plies: those of
//! wins are odd and those of losses even. Positions are counted up to symmetry.

use std::error::Error;
use std::path::Path;

use nerode_morris::tables::SectorSolution;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let dir = arguments.next().ok_or("usage: sector_depths DIR SECTOR...")?;
    let solution = SectorSolution::open(Path::new(&dir))?;
    println!("sector,depth,positions");
    for name in arguments {
        let counts = solution.table(name.parse()?)?.counts();
        println!("{name},draw,{}", counts.draws);
        for (depth, positions) in counts.by_depth.iter().enumerate().filter(|(_, positions)| **positions > 0)
        {
            println!("{name},{depth},{positions}");
        }
    }
    Ok(())
}
