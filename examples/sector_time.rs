//! Times one sector and all that it depends on: `sector_time PRESET SECTOR`.
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use nerode::sectors::{IndexMaker, plan, solve_unit};
use nerode_games::morris::Preset;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let preset = args.next().ok_or("preset")?;
    let sector = args.next().ok_or("sector")?.parse()?;
    let rules = Preset::named(&preset).ok_or("no such preset")?.rules();
    let maker = IndexMaker::new(&rules.board);
    let mut known = BTreeMap::new();
    for unit in plan(&rules, &[sector])? {
        let began = Instant::now();
        let tables = solve_unit(&rules, &unit, &maker, &known, &AtomicBool::new(false))?;
        let seconds = began.elapsed().as_secs_f64();
        for table in tables {
            let c = table.counts();
            println!(
                "{} {} / {} / {} longest {:?} {:.2} s, {:.1} M/s",
                table.sector,
                c.wins(),
                c.draws,
                c.losses(),
                c.longest(),
                seconds,
                c.num_positions as f64 / seconds / 1e6
            );
            known.insert(table.sector, Arc::new(table));
        }
    }
    Ok(())
}
