//! Meet in the middle: forward from the start, and values back over the positions reached.

use nerode_games::Side;

use super::Solver;
use super::record::name;
use crate::archive::run_dir::{Kind, Request};
use crate::error::Result;
use crate::solve::meet::ReachedLayer;
use crate::solve::progress::PlyDone;
use crate::solve::reach::{Reach, admissible_at, side_at};
use crate::solve::retrograde::Level;

impl Solver<'_> {
    /// R_i up to the end of the game or the plies asked for.
    pub(super) fn forward(&mut self) -> Result<()> {
        let Request { forward_plies: limit, admissible_from, .. } = self.record.run.manifest.request;
        let mut iteration = match self.record.run.manifest.progress.forward {
            Some(ply) => {
                let side = side_at(self.engine.game.as_ref(), ply);
                let now = self.record.run.get(name(Kind::R, side, ply))?;
                Reach::resume(&self.engine, ply, now)
            }
            None => {
                let iteration = match admissible_from {
                    Some(0) => {
                        let room = self.engine.room();
                        Reach::resume(&self.engine, 0, admissible_at(self.engine.game.as_ref(), 0, room)?)
                    }
                    _ => Reach::new(&self.engine)?,
                };
                self.store_reach(&iteration)?;
                iteration
            }
        };
        while !self.record.run.manifest.progress.forward_complete
            && limit.is_none_or(|most| iteration.ply() < most)
        {
            let went_on = match admissible_from {
                Some(ply) if ply <= iteration.ply() + 1 => iteration.step_admissible(&mut self.engine)?,
                _ => iteration.step(&mut self.engine)?,
            };
            if went_on {
                self.store_reach(&iteration)?;
            } else {
                self.record.run.manifest.progress.forward_complete = true;
                self.record.run.commit()?;
            }
        }
        // The last ply asked for may be the last there is.
        let over = self.engine.ended(iteration.side()).all.clone();
        if self.engine.combine(&[iteration.set(), &over], |x| x[0] && !x[1])?.is_empty() {
            self.record.run.manifest.progress.forward_complete = true;
            self.record.run.commit()?;
        }
        Ok(())
    }

    fn store_reach(&mut self, iteration: &Reach) -> Result<()> {
        let ply = iteration.ply();
        let (states, positions) = self.record.store(name(Kind::R, iteration.side(), ply), iteration.set())?;
        self.record.run.manifest.progress.forward = Some(ply);
        self.record.run.commit()?;
        let bytes = self.engine.bytes();
        self.record.ply_done(&PlyDone { phase: "forward", ply, states, positions, bytes })
    }

    /// Values of every R_i from the last ply back to the start.
    pub(super) fn back_up(&mut self, backward: &Level) -> Result<()> {
        let last = self.record.run.manifest.progress.forward.unwrap_or(0);
        let (mut ply, mut layer) = match self.record.run.manifest.progress.backed_up {
            Some(ply) => {
                let side = side_at(self.engine.game.as_ref(), ply);
                let all = self.record.run.get(name(Kind::R, side, ply))?;
                let win = self.record.run.get(name(Kind::RW, side, ply))?;
                let loss = self.record.run.get(name(Kind::RL, side, ply))?;
                (ply, ReachedLayer { all, win, loss })
            }
            None => {
                let side = side_at(self.engine.game.as_ref(), last);
                let all = self.record.run.get(name(Kind::R, side, last))?;
                let p = side.index();
                let layer =
                    ReachedLayer::meeting(&mut self.engine, all, &backward.win[p], &backward.loss[p])?;
                self.store_layer(last, side, &layer)?;
                (last, layer)
            }
        };
        while ply > 0 {
            ply -= 1;
            let side = side_at(self.engine.game.as_ref(), ply);
            let all = self.record.run.get(name(Kind::R, side, ply))?;
            layer = layer.back_up(&mut self.engine, all, side)?;
            self.store_layer(ply, side, &layer)?;
        }
        Ok(())
    }

    fn store_layer(&mut self, ply: u32, side: Side, layer: &ReachedLayer) -> Result<()> {
        // What is undecided is a draw if every line was followed to its end or the retrograde sets are final.
        let progress = self.record.run.manifest.progress;
        let undecided = layer.undecided(&mut self.engine)?;
        let (draw, unknown) = self.split(&undecided, side, progress.forward_complete || progress.fixpoint)?;
        let mut states = 0;
        let mut positions = 0u128;
        let sets = [(Kind::RW, &layer.win), (Kind::RL, &layer.loss), (Kind::RD, &draw), (Kind::RU, &unknown)];
        for (kind, set) in sets {
            let (s, n) = self.record.store(name(kind, side, ply), set)?;
            states += s;
            positions = positions.saturating_add(n);
        }
        self.record.run.manifest.progress.backed_up = Some(ply);
        self.record.run.commit()?;
        let bytes = self.engine.bytes();
        self.record.ply_done(&PlyDone { phase: "back up", ply, states, positions, bytes })
    }
}
