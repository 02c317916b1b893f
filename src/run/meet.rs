//! Meet in the middle: forward from the start, and values back over the positions reached.

use nerode_dfa::Dfa;
use nerode_games::Side;

use super::Solver;
use super::record::name;
use crate::archive::run_dir::Kind;
use crate::error::Result;
use crate::solve::meet::ReachedLayer;
use crate::solve::progress::PlyDone;
use crate::solve::reach::{Reach, admissible_at, side_at};
use crate::solve::retrograde::Level;

impl Solver<'_> {
    /// R_i up to the end of the game or the plies asked for.
    pub(super) fn forward(&mut self) -> Result<()> {
        let limit = self.record.run.request().forward_plies;
        let mut iteration = match self.record.run.manifest.progress.forward {
            Some(ply) => self.reach_from(ply)?,
            None => {
                let iteration = self.reach_from_start()?;
                self.store_reach(&iteration)?;
                iteration
            }
        };
        while !self.record.run.manifest.progress.forward_complete
            && limit.is_none_or(|most| iteration.ply() < most)
        {
            if self.reach_on(&mut iteration)? {
                self.store_reach(&iteration)?;
            } else {
                self.record.run.manifest.progress.forward_complete = true;
                self.record.run.commit()?;
            }
        }
        // The last ply asked for may be the last there is.
        if self.engine.playing(iteration.set(), iteration.side())?.is_empty() {
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

    /// The next R_i; `false` when there is none.
    pub(super) fn reach_on(&mut self, iteration: &mut Reach) -> Result<bool> {
        match self.record.run.request().admissible_from {
            Some(ply) if ply <= iteration.ply() + 1 => iteration.step_admissible(&mut self.engine),
            _ => iteration.step(&mut self.engine),
        }
    }

    fn store_reach(&mut self, iteration: &Reach) -> Result<()> {
        let ply = iteration.ply();
        let (states, positions) = self.record.store(name(Kind::R, iteration.side(), ply), iteration.set())?;
        self.record.run.manifest.progress.forward = Some(ply);
        self.record.run.commit()?;
        self.units_are_kept()?;
        let bytes = self.engine.bytes();
        self.record.ply_done(&PlyDone { phase: "forward", ply, states, positions, bytes })
    }

    /// Values of every R_i from the last ply back to the start.
    pub(super) fn back_up(&mut self, backward: &Level) -> Result<()> {
        let last = self.record.run.manifest.progress.forward.unwrap_or(0);
        let (mut ply, mut layer) = match self.record.run.manifest.progress.backed_up {
            Some(ply) => (ply, self.layer_on_disk(ply)?),
            None => {
                let (side, layer) = self.last_layer(last, backward)?;
                self.store_layer(last, side, &layer)?;
                (last, layer)
            }
        };
        while ply > 0 {
            ply -= 1;
            let (side, before) = self.layer_before(ply, &layer)?;
            layer = before;
            self.store_layer(ply, side, &layer)?;
        }
        Ok(())
    }

    /// The values of a ply that are on disk.
    pub(super) fn layer_on_disk(&self, ply: u32) -> Result<ReachedLayer> {
        let side = side_at(self.engine.game.as_ref(), ply);
        let get = |kind| self.get(name(kind, side, ply));
        Ok(ReachedLayer { all: get(Kind::R)?, win: get(Kind::RW)?, loss: get(Kind::RL)? })
    }

    /// The values of the last ply, where forward and backward search meet, with the side to move.
    pub(super) fn last_layer(&mut self, last: u32, backward: &Level) -> Result<(Side, ReachedLayer)> {
        let side = side_at(self.engine.game.as_ref(), last);
        let all = self.get(name(Kind::R, side, last))?;
        let (win, loss) = (&backward.win[side.index()], &backward.loss[side.index()]);
        Ok((side, ReachedLayer::meeting(&mut self.engine, all, win, loss)?))
    }

    /// The values of a ply from those of the ply after it, with the side to move.
    pub(super) fn layer_before(&mut self, ply: u32, after: &ReachedLayer) -> Result<(Side, ReachedLayer)> {
        let side = side_at(self.engine.game.as_ref(), ply);
        let all = self.get(name(Kind::R, side, ply))?;
        Ok((side, after.back_up(&mut self.engine, all, side)?))
    }

    /// All sets of the values of a ply: wins, losses, draws, unknown.
    pub(super) fn sets_of_layer(&mut self, side: Side, layer: &ReachedLayer) -> Result<[(Kind, Dfa); 4]> {
        // What is undecided is a draw if every line was followed to its end or the retrograde sets are final.
        let progress = self.record.run.manifest.progress;
        let undecided = layer.undecided(&mut self.engine)?;
        let (draw, unknown) = self.split(&undecided, side, progress.forward_complete || progress.fixpoint)?;
        let (win, loss) = (layer.win.clone(), layer.loss.clone());
        Ok([(Kind::RW, win), (Kind::RL, loss), (Kind::RD, draw), (Kind::RU, unknown)])
    }

    fn store_layer(&mut self, ply: u32, side: Side, layer: &ReachedLayer) -> Result<()> {
        let (mut states, mut positions) = (0, 0u128);
        for (kind, set) in self.sets_of_layer(side, layer)? {
            let (s, n) = self.record.store(name(kind, side, ply), &set)?;
            states += s;
            positions = positions.saturating_add(n);
        }
        self.record.run.manifest.progress.backed_up = Some(ply);
        self.record.run.commit()?;
        self.units_are_kept()?;
        let bytes = self.engine.bytes();
        self.record.ply_done(&PlyDone { phase: "back up", ply, states, positions, bytes })
    }
}
