//! Times look-ups of random boards: `rate SOLUTION COUNT`. Prints nanoseconds for one look-up and the number of wins, which
//! `capi/benches/rate.c` prints for the same boards.

use std::error::Error;
use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use nerode_probe::{Bytes, Folder, Position, Probe, Settings, Side, Value};

const BOARDS: usize = 1 << 16;

/// A folder whose files are read completely.
struct Files(PathBuf);

impl Folder for Files {
    fn open(&self, name: &str) -> std::io::Result<Box<dyn Bytes>> {
        Ok(Box::new(std::fs::read(self.0.join(name))?))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [solution, count] = arguments.as_slice() else { return Err("usage: rate SOLUTION COUNT".into()) };
    let count: usize = count.parse()?;
    let settings = Settings { cache_bytes: 256 << 20, ..Settings::default() };
    let probe = Probe::open_folder(Arc::new(Files(solution.into())), &settings)?;
    let mut state = 1u64;
    let mut content = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % 3) as u8
    };
    let cells = probe.game().cell_states().len();
    let board = |_| Position { board: (0..cells).map(|_| content()).collect(), side: Side::P1 };
    let positions: Vec<Position> = (0..BOARDS).map(board).collect();

    let (mut best, mut won) = (f64::INFINITY, 0);
    for _ in 0..5 {
        let began = Instant::now();
        won = 0;
        for position in positions.iter().cycle().take(count) {
            // The whole answer is made, as for a caller of the C interface.
            let found = black_box(probe.evaluate(position)?);
            won += usize::from(found.value() == Some(Value::Win));
        }
        best = best.min(began.elapsed().as_secs_f64() * 1e9 / count as f64);
    }
    println!("{best:.1} ns, {won} won");
    Ok(())
}
