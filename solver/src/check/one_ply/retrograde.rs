//! The laws of retrograde analysis, which relate the sets of consecutive plies.

use nerode_dfa::Dfa;
use nerode_games::Side;

use super::Checker;
use crate::archive::run_dir::Kind;
use crate::error::Result;
use crate::solve::method::{Chains, Method};
use crate::solve::operand::Operand;

impl Checker<'_> {
    pub(super) fn retrograde(&mut self, watch: &mut dyn FnMut(u32)) -> Result<()> {
        let last = self.solution.last_ply();
        let chains = self.solution.run.manifest.request.chains;
        for side in Side::BOTH {
            let own = self.engine.terminal(side).clone();
            if chains.has_wins(side) {
                self.equal(&self.load(Kind::W, side, 0)?, &own.win, side, "W_0 = W0")?;
            }
            if chains.has_losses(side) {
                self.equal(&self.load(Kind::L, side, 0)?, &own.loss, side, "L_0 = L0")?;
            }
        }
        for ply in 0..last {
            self.plies(ply, ply + 1)?;
            watch(ply + 1);
        }
        if self.solution.run.manifest.progress.fixpoint {
            self.plies(last, last)?;
        }
        if self.solution.method() == Method::Retrograde {
            for side in Side::BOTH {
                self.partition(chains, side, last)?;
            }
        }
        Ok(())
    }

    /// Checks the laws between the sets of ply `from` and those of ply `to`, in every chain of the run.
    pub(super) fn plies(&mut self, from: u32, to: u32) -> Result<()> {
        let chains = self.solution.run.manifest.request.chains;
        for side in Side::BOTH {
            if chains.has_wins(side) {
                self.wins(side, from, to)?;
            }
            if chains.has_losses(side) {
                self.losses(side, from, to)?;
            }
            if chains == Chains::Both {
                let (win, loss) = (self.load(Kind::W, side, to)?, self.load(Kind::L, side, to)?);
                self.disjoint(&win, &loss, side, &format!("W_{to} and L_{to} are disjoint"))?;
            }
        }
        Ok(())
    }

    fn grows(&mut self, kind: Kind, side: Side, from: u32, to: u32) -> Result<()> {
        if self.file(kind, side, from)? == self.file(kind, side, to)? {
            return Ok(());
        }
        let (before, now) = (self.load(kind, side, from)?, self.load(kind, side, to)?);
        self.subset(&before, &now, side, &format!("{kind:?}_{from} ⊆ {kind:?}_{to}"))
    }

    /// Checks the two laws between `W[side]` and the losses of the opponent.
    fn wins(&mut self, side: Side, from: u32, to: u32) -> Result<()> {
        self.grows(Kind::W, side, from, to)?;
        if !self.are_new(Kind::W, side, from, to)? {
            return Ok(());
        }
        let other = side.other();
        let (win, their_loss) = (self.load(Kind::W, side, to)?, self.load(Kind::L, other, from)?);
        let own = self.engine.terminal(side).clone();
        let unfounded = |x: bool, s: &[bool]| s[0] && !s[1] && !(x && s[2]);
        let sides = [&win, &own.win, &own.playing];
        let breaking = self.engine.image(Operand::into(&their_loss, side), &sides, unfounded)?;
        self.none(&breaking, side, &format!("every win of W_{to} has a move into L_{from}"))?;
        let not_won = self.engine.combine(&[&win, &own.playing], |x| !x[0] && x[1])?;
        let breaking = self.engine.image(Operand::from(&not_won, side), &[&their_loss], |x, s| x && s[0])?;
        self.no_move(&not_won, &breaking, side, &format!("no move from outside W_{to} enters L_{from}"))
    }

    /// Checks the three laws between `L[side]` and the wins of the opponent.
    fn losses(&mut self, side: Side, from: u32, to: u32) -> Result<()> {
        self.grows(Kind::L, side, from, to)?;
        if !self.are_new(Kind::L, side, from, to)? {
            return Ok(());
        }
        let other = side.other();
        let (loss, their_win) = (self.load(Kind::L, side, to)?, self.load(Kind::W, other, from)?);
        let own = self.engine.terminal(side).clone();
        let lost = self.engine.combine(&[&loss, &own.playing], |x| x[0] && x[1])?;
        let breaking = self.engine.image(Operand::from(&lost, side), &[&their_win], |x, s| x && !s[0])?;
        self.no_move(&lost, &breaking, side, &format!("every move from L_{to} enters W_{from}"))?;
        let caught = |x: bool, s: &[bool]| !s[0] && s[1] && !x;
        let sides = [&loss, &own.playing];
        let breaking = self.engine.image(Operand::avoiding(&their_win, side), &sides, caught)?;
        self.none(
            &breaking,
            side,
            &format!("every position outside L_{to} has a move that avoids W_{from}"),
        )?;
        self.over(side, &loss, &format!("terminal positions in L_{to} are in L0"))
    }

    /// Checks that win, loss, draw and unknown partition all words.
    pub(super) fn partition(&mut self, chains: Chains, side: Side, last: u32) -> Result<()> {
        let full = Dfa::full(self.engine.game.shape());
        // An unfinished run has no sets of draws and unknown positions.
        if chains == Chains::Both && !self.solution.is_so_far() {
            let (win, loss) = (self.load(Kind::W, side, last)?, self.load(Kind::L, side, last)?);
            let over = self.engine.terminal(side).draw.clone();
            self.undecided([Kind::D, Kind::U], side, last, (&full, &over), [&win, &loss])?;
        }
        Ok(())
    }
}
