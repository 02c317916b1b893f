//! The row of binary decision diagrams.

use std::time::Instant;

use nerode_games::Side;

use super::comparison::{BDD, Comparison};
use super::row::Measured;
use crate::archive::run_dir::Kind;
use crate::error::Result;
use crate::forms::represent::bdd::Bdd;
use crate::forms::represent::{DRAW, UNKNOWN};

impl Comparison<'_> {
    /// Measures the diagrams of the won and the lost positions of both sides.
    pub(super) fn bdd(&mut self) -> Result<()> {
        let mut measured = Measured::default();
        let mut nodes = 0;
        for side in Side::BOTH {
            let probes = self.probes(side)?;
            let (win, loss) = (self.last(Kind::W, side)?, self.last(Kind::L, side)?);
            let began = Instant::now();
            let bdd = Bdd::build(win, loss, self.resources.memory)?;
            measured.build_seconds += began.elapsed().as_secs_f64();
            measured.bytes += u128::from(bdd.bytes());
            nodes += bdd.num_nodes();
            let rest = if self.solution.is_complete() { DRAW } else { UNKNOWN };
            let began = Instant::now();
            let got: Vec<u8> = probes.words.iter().map(|w| bdd.get(w, rest)).collect::<Result<_>>()?;
            measured.lookup_seconds += began.elapsed().as_secs_f64();
            measured.lookups += got.len();
            if self.solution.is_complete() {
                self.check("BDD", side, &probes, &got)?;
            }
        }
        self.rows.push(measured.row(BDD, self.positions, format!("{nodes} nodes, win and loss")));
        Ok(())
    }
}
