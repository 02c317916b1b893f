//! The row of binary decision diagrams in the comparison.

use std::time::Instant;

use nerode_games::{Side, grouped};

use super::comparison::Comparison;
use super::form::Form;
use super::row::{Measured, Row};
use crate::archive::run_dir::Kind;
use crate::error::Result;
use crate::forms::represent::bdd::Bdd;
use crate::forms::represent::{DRAW, UNKNOWN};

impl Comparison<'_> {
    /// Measures the diagrams of the won and lost positions of both sides.
    pub(super) fn bdd(&self) -> Result<Row> {
        let mut measured = Measured::default();
        let mut nodes = 0;
        for side in Side::BOTH {
            let probes = self.probes(side)?;
            let (win, loss) = (self.last(Kind::W, side)?, self.last(Kind::L, side)?);
            let began = Instant::now();
            let bdd = Bdd::build_while(win, loss, self.resources.memory, &|| self.resources.must_go_on())?;
            measured.build_seconds += began.elapsed().as_secs_f64();
            measured.bytes += u128::from(bdd.bytes());
            nodes += bdd.num_nodes();
            let rest = if self.solution.is_complete() { DRAW } else { UNKNOWN };
            let began = Instant::now();
            let got = self.look_up(&probes.words, |word| bdd.get(word, rest))?;
            measured.lookup_seconds += began.elapsed().as_secs_f64();
            measured.lookups += got.len();
            if self.solution.is_complete() {
                self.check(Form::Bdd, side, &probes, &got)?;
            }
        }
        Ok(measured.row(Form::Bdd, self.positions, format!("{} nodes, win and loss", grouped(nodes.into()))))
    }
}
