//! Meet in the middle: a forward search from the start, and the propagation of values back over the positions reached.

use super::Solver;
use super::put::name;
use super::reached;
use super::record::UnwrittenValues;
use nerode_games::side_at;

use crate::archive::run_dir::{Kind, Request};
use crate::error::{Result, check_interrupt};
use crate::solve::engine::Engine;
use crate::solve::meet::ReachedLayer;
use crate::solve::reach::Reach;
use crate::solve::retrograde::Level;

impl Solver<'_> {
    /// Computes R_i up to the end of the game or the requested number of plies. Each ply is written while the next one
    /// is computed.
    pub(super) fn forward(&mut self) -> Result<()> {
        let Request { forward_plies: limit, admissible_from, .. } = self.record.run.manifest.request;
        let mut unwritten = None;
        let mut iteration = match self.record.run.manifest.progress.forward {
            Some(ply) => self.reach_from(ply)?,
            None => {
                let iteration = reached::first(&mut self.engine, admissible_from)?;
                unwritten = Some(iteration.clone());
                iteration
            }
        };
        let mut complete = self.record.run.manifest.progress.forward_complete;
        while !complete && limit.is_none_or(|most| iteration.ply() < most) {
            let written = unwritten.take();
            let step = |engine: &mut Engine| reached::advance(engine, &mut iteration, admissible_from);
            complete = !self.beside(|record, bytes| record.store_reached(written, bytes), step)?;
            unwritten = (!complete).then(|| iteration.clone());
        }
        self.record.store_reached(unwritten, self.engine.bytes())?;
        self.last_is_written()?;
        // The last requested ply may coincide with the end of the game.
        if complete || self.engine.playing(iteration.set(), iteration.side())?.is_empty() {
            reached::complete(&mut self.record.run)?;
        }
        Ok(())
    }

    /// Returns the state of the iteration after a ply that is on disk.
    pub(super) fn reach_from(&self, ply: u32) -> Result<Reach> {
        let side = side_at(self.engine.game.as_ref(), ply);
        let now = self.get(name(Kind::R, side, ply))?;
        Ok(Reach::resume(&self.engine, ply, now))
    }

    /// Computes the values of every R_i from the last ply back to the start. Each ply is written while the previous one
    /// is computed.
    pub(super) fn back_up(&mut self, backward: Option<&Level>) -> Result<()> {
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
            layer = self.beside(|record, bytes| record.store_values(written, bytes), step)?;
            unwritten = Some(self.of_layer(ply, &layer)?);
        }
        self.record.store_values(unwritten, self.engine.bytes())?;
        self.last_is_written()
    }

    /// Removes the files of the units of the last computed ply, which is on disk.
    fn last_is_written(&self) -> Result<()> {
        self.remove_unit_files()?;
        check_interrupt(&self.record.interrupt)
    }

    /// Loads the values of a ply from disk. The set without a file is computed as the remainder of `R_i` after removing
    /// the other sets.
    pub(super) fn layer_on_disk(&mut self, ply: u32) -> Result<ReachedLayer> {
        let side = side_at(self.engine.game.as_ref(), ply);
        let get = |kind| self.get(name(kind, side, ply));
        let (all, draw, unknown) = (get(Kind::R)?, get(Kind::RD)?, get(Kind::RU)?);
        let undecided = self.engine.combine(&[&draw, &unknown], |x| x[0] || x[1])?;
        let is_win_stored = !self.record.run.entry(name(Kind::RW, side, ply))?.is_remainder();
        let stored = self.get(name(if is_win_stored { Kind::RW } else { Kind::RL }, side, ply))?;
        let other = self.engine.combine(&[&all, &stored, &undecided], |x| x[0] && !x[1] && !x[2])?;
        let (win, loss) = if is_win_stored { (stored, other) } else { (other, stored) };
        Ok(ReachedLayer { all, win, loss, undecided })
    }

    /// Returns the values of the last ply, where the forward and the backward search meet. `backward` is `None` if no
    /// retrograde ply was requested.
    pub(super) fn last_layer(&mut self, last: u32, backward: Option<&Level>) -> Result<ReachedLayer> {
        let side = side_at(self.engine.game.as_ref(), last);
        let all = self.get(name(Kind::R, side, last))?;
        let Some(backward) = backward else { return ReachedLayer::terminal(&mut self.engine, all, side) };
        let (win, loss) = (&backward.win[side.index()], &backward.loss[side.index()]);
        ReachedLayer::meeting(&mut self.engine, all, win, loss)
    }

    /// Returns the sets of the values of a ply: wins, losses, draws and unknown positions. Of the wins and the losses,
    /// the set with more states is not written.
    pub(super) fn of_layer(&mut self, ply: u32, layer: &ReachedLayer) -> Result<UnwrittenValues> {
        let side = side_at(self.engine.game.as_ref(), ply);
        // An undecided position is a draw if every line was followed to its end, or if the retrograde sets are final.
        let progress = self.record.run.manifest.progress;
        let settled = progress.forward_complete || progress.fixpoint;
        let over = |engine: &mut Engine| engine.partition(&layer.all, side).map(|parts| parts.draw);
        let (draw, unknown) = self.split(&layer.undecided, settled, over)?;
        let (mut written, mut other) = ((Kind::RW, layer.win.clone()), (Kind::RL, layer.loss.clone()));
        if other.1.num_states() < written.1.num_states() {
            std::mem::swap(&mut written, &mut other);
        }
        let sets = [written, (Kind::RD, draw), (Kind::RU, unknown)];
        let sets = sets.map(|(kind, set)| (name(kind, side, ply), set)).into();
        let remainder = Some((name(other.0, side, ply), name(Kind::R, side, ply), other.1));
        Ok(UnwrittenValues { ply, sets, remainder })
    }
}
