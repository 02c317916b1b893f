//! Meet in the middle: forward from the start, and values back over the positions reached.

use super::Solver;
use super::record::{Phase, UnwrittenReached, name, stop_if};
use crate::archive::run_dir::{Kind, Request};
use crate::error::Result;
use crate::solve::engine::Engine;
use crate::solve::meet::ReachedLayer;
use crate::solve::reach::{Reach, admissible_at, side_at};
use crate::solve::retrograde::Level;

impl Solver<'_> {
    /// R_i up to the end of the game or the plies asked for. While a ply is written the next is computed.
    pub(super) fn forward(&mut self) -> Result<()> {
        let Request { forward_plies: limit, admissible_from, .. } = self.record.run.manifest.request;
        let mut unwritten = None;
        let mut iteration = match self.record.run.manifest.progress.forward {
            Some(ply) => self.reach_from(ply)?,
            None => {
                let iteration = self.reach_from_start()?;
                unwritten = Some(of_reach(&iteration));
                iteration
            }
        };
        let mut complete = self.record.run.manifest.progress.forward_complete;
        while !complete && limit.is_none_or(|most| iteration.ply() < most) {
            let written = unwritten.take();
            let step = |engine: &mut Engine| reach_on(engine, &mut iteration, admissible_from);
            complete = !self.beside(|record, bytes| record.store_reached(written, bytes), step)?;
            unwritten = (!complete).then(|| of_reach(&iteration));
        }
        self.write_reached(unwritten)?;
        // The last ply asked for may be the last there is.
        if complete || self.engine.playing(iteration.set(), iteration.side())?.is_empty() {
            self.record.run.manifest.progress.forward_complete = true;
            self.record.run.commit()?;
        }
        Ok(())
    }

    /// The first R_i.
    pub(super) fn reach_from_start(&mut self) -> Result<Reach> {
        match self.record.run.request().admissible_from {
            Some(0) => {
                let room = self.engine.room();
                Ok(Reach::resume(&self.engine, 0, admissible_at(self.engine.game.as_ref(), 0, room)?))
            }
            _ => Reach::new(&self.engine),
        }
    }

    /// The iteration as it was after a ply that is on disk.
    pub(super) fn reach_from(&self, ply: u32) -> Result<Reach> {
        let side = side_at(self.engine.game.as_ref(), ply);
        let now = self.get(name(Kind::R, side, ply))?;
        Ok(Reach::resume(&self.engine, ply, now))
    }

    /// Values of every R_i from the last ply back to the start. While a ply is written the one before it is computed.
    pub(super) fn back_up(&mut self, backward: &Level) -> Result<()> {
        let last = self.record.run.manifest.progress.forward.unwrap_or(0);
        let mut unwritten = None;
        let (mut ply, mut layer) = match self.record.run.manifest.progress.backed_up {
            Some(ply) => (ply, self.layer_on_disk(ply)?),
            None => {
                let layer = self.last_layer(last, backward)?;
                unwritten = Some(self.of_layer(last, &layer)?);
                (last, layer)
            }
        };
        while ply > 0 {
            ply -= 1;
            let side = side_at(self.engine.game.as_ref(), ply);
            let all = self.get(name(Kind::R, side, ply))?;
            let written = unwritten.take();
            let step = |engine: &mut Engine| layer.back_up(engine, all.clone(), side);
            layer = self.beside(|record, bytes| record.store_reached(written, bytes), step)?;
            unwritten = Some(self.of_layer(ply, &layer)?);
        }
        self.write_reached(unwritten)
    }

    /// Writes what is left when nothing more is to be computed.
    fn write_reached(&mut self, unwritten: Option<UnwrittenReached>) -> Result<()> {
        self.record.store_reached(unwritten, self.engine.bytes())?;
        self.units_are_kept()?;
        stop_if(&self.record.interrupt)
    }

    /// The values of a ply that are on disk.
    pub(super) fn layer_on_disk(&mut self, ply: u32) -> Result<ReachedLayer> {
        let side = side_at(self.engine.game.as_ref(), ply);
        let get = |kind| self.get(name(kind, side, ply));
        let (all, win, loss) = (get(Kind::R)?, get(Kind::RW)?, get(Kind::RL)?);
        ReachedLayer::new(&mut self.engine, all, win, loss)
    }

    /// The values of the last ply, where forward and backward search meet.
    pub(super) fn last_layer(&mut self, last: u32, backward: &Level) -> Result<ReachedLayer> {
        let side = side_at(self.engine.game.as_ref(), last);
        let all = self.get(name(Kind::R, side, last))?;
        let (win, loss) = (&backward.win[side.index()], &backward.loss[side.index()]);
        ReachedLayer::meeting(&mut self.engine, all, win, loss)
    }

    /// The sets of the values of a ply: wins, losses, draws, unknown.
    pub(super) fn of_layer(&mut self, ply: u32, layer: &ReachedLayer) -> Result<UnwrittenReached> {
        let side = side_at(self.engine.game.as_ref(), ply);
        // What is undecided is a draw if every line was followed to its end or the retrograde sets are final.
        let progress = self.record.run.manifest.progress;
        let settled = progress.forward_complete || progress.fixpoint;
        let (draw, unknown) = self.split(&layer.undecided, side, settled)?;
        let (win, loss) = (layer.win.clone(), layer.loss.clone());
        let sets = [(Kind::RW, win), (Kind::RL, loss), (Kind::RD, draw), (Kind::RU, unknown)];
        let sets = sets.map(|(kind, set)| (name(kind, side, ply), set)).into();
        Ok(UnwrittenReached { phase: Phase::BackUp, ply, sets })
    }
}

/// Goes on to the next R_i; `false` when there is none.
pub(super) fn reach_on(
    engine: &mut Engine,
    iteration: &mut Reach,
    admissible_from: Option<u32>,
) -> Result<bool> {
    match admissible_from {
        Some(ply) if ply <= iteration.ply() + 1 => iteration.step_admissible(engine),
        _ => iteration.step(engine),
    }
}

/// R_i, to be written.
fn of_reach(iteration: &Reach) -> UnwrittenReached {
    let ply = iteration.ply();
    let sets = vec![(name(Kind::R, iteration.side(), ply), iteration.set().clone())];
    UnwrittenReached { phase: Phase::Forward, ply, sets }
}
