//! The laws of a meet-in-the-middle run: forward sets, and values propagated back over them.

use nerode_dfa::Dfa;
use nerode_games::Side;

use super::Checker;
use crate::archive::run_dir::Kind;
use crate::error::Result;
use crate::solve::engine::Partition;
use crate::solve::operand::Operand;
use crate::solve::reach::admissible_at;

impl Checker<'_> {
    /// Checks the forward sets, and the values propagated back over them.
    pub(super) fn meet(&mut self, watch: &mut dyn FnMut(u32)) -> Result<()> {
        let progress = self.solution.run.manifest.progress;
        let last = progress.forward.unwrap_or(0);
        let (start, side) = self.engine.start()?;
        self.forward(0, &start, &self.load(Kind::R, side, 0)?)?;
        for ply in 0..=last {
            let side = self.side_at(ply);
            let all = self.load(Kind::R, side, ply)?;
            let (win, loss) = (self.load(Kind::RW, side, ply)?, self.load(Kind::RL, side, ply)?);
            self.disjoint(&win, &loss, side, &format!("RW and RL of ply {ply} are disjoint"))?;
            let outside = self.engine.combine(&[&win, &loss, &all], |x| (x[0] || x[1]) && !x[2])?;
            self.none(&outside, side, &format!("RW and RL of ply {ply} are reachable"))?;
            let over = self.engine.partition(&all, side)?;
            self.terminal_values((side, ply), &all, &over, &win, &loss)?;
            if ply < last {
                self.backed_up((side, ply), &all, &over, &win, &loss)?;
            } else {
                for (kind, set) in [(Kind::W, &win), (Kind::L, &loss)] {
                    let expected = self.of_last_ply(kind, side, &all, &over)?;
                    self.equal(set, &expected, side, &format!("R{kind:?} of the last ply is R ∩ {kind:?}"))?;
                }
                if progress.forward_complete {
                    let (playing, after) = self.moves(&all, side)?;
                    self.no_move(&playing, &after, side, "nothing is reachable after the last ply")?;
                }
            }
            watch(ply);
        }
        Ok(())
    }

    /// Returns the won (`W`) or lost (`L`) positions of the last ply, which are determined by the retrograde sets, or
    /// by the rules if the run has none.
    fn of_last_ply(&mut self, kind: Kind, side: Side, all: &Dfa, over: &Partition) -> Result<Dfa> {
        if self.solution.run.request().is_in_play() {
            return if kind == Kind::W { Ok(over.win.clone()) } else { self.lost(all, over) };
        }
        let whole = self.load(kind, side, self.solution.last_ply())?;
        self.engine.combine(&[all, &whole], |x| x[0] && x[1])
    }

    /// Checks that `stored` is `R_ply`: the reachable positions or, if the run was requested so, the positions
    /// admissible at that ply, which must include all reachable ones.
    fn forward(&mut self, ply: u32, reached: &Dfa, stored: &Dfa) -> Result<()> {
        let side = self.side_at(ply);
        let Some(from) = self.solution.run.manifest.request.admissible_from.filter(|&from| from <= ply)
        else {
            return self.equal(
                reached,
                stored,
                side,
                &format!(
                    "R_{ply} is the set of positions reached at ply \
                {ply}"
                ),
            );
        };
        let room = self.engine.room();
        let admissible = admissible_at(self.engine.game.as_ref(), ply, room)?;
        self.equal(
            &admissible,
            stored,
            side,
            &format!("R_{ply} is the set of admissible positions, as from ply {from} on"),
        )?;
        self.subset(reached, stored, side, &format!("every position reached at ply {ply} is admissible"))
    }

    /// Returns the non-terminal positions of `set`, which is a subset of some `R_i`, and those to which a move of `side` leads from
    /// one of them.
    fn moves(&mut self, set: &Dfa, side: Side) -> Result<(Dfa, Dfa)> {
        let playing = self.engine.partition(set, side)?.playing;
        let after = self.engine.image(Operand::from(&playing, side), &[], |x, _| x)?;
        Ok((playing, after))
    }

    /// Checks that reachable terminal positions have the values given by the rules, and that draws complete the
    /// partition.
    fn terminal_values(
        &mut self,
        (side, ply): (Side, u32),
        all: &Dfa,
        over: &Partition,
        win: &Dfa,
        loss: &Dfa,
    ) -> Result<()> {
        let lost = self.lost(all, over)?;
        for (rule, set) in [(&over.win, win), (&lost, loss)] {
            let breaking = self.engine.combine(&[rule, set], |x| x[0] && !x[1])?;
            self.none(
                &breaking,
                side,
                &format!(
                    "terminal positions of ply {ply} have the values given by the \
                rules"
                ),
            )?;
        }
        let breaking = self.engine.combine(&[loss, &over.playing, &lost], |x| x[0] && !x[1] && !x[2])?;
        self.none(&breaking, side, &format!("terminal positions in RL of ply {ply} are in L0"))?;
        self.undecided([Kind::RD, Kind::RU], side, ply, (all, &over.draw), [win, loss])
    }

    /// Returns the terminal positions of `all` that are lost.
    fn lost(&mut self, all: &Dfa, over: &Partition) -> Result<Dfa> {
        let Partition { playing, win, draw } = over;
        self.engine.combine(&[all, playing, win, draw], |x| x[0] && !x[1..].contains(&true))
    }

    /// Checks that `R_{i+1}` follows from `R_i`, and the values of `R_i` from those of `R_{i+1}`.
    fn backed_up(
        &mut self,
        (side, ply): (Side, u32),
        all: &Dfa,
        over: &Partition,
        win: &Dfa,
        loss: &Dfa,
    ) -> Result<()> {
        let other = side.other();
        let next = self.load(Kind::R, other, ply + 1)?;
        let (their_win, their_loss) =
            (self.load(Kind::RW, other, ply + 1)?, self.load(Kind::RL, other, ply + 1)?);
        let (_, image) = self.moves(all, side)?;
        self.forward(ply + 1, &image, &next)?;
        let unfounded = |x: bool, s: &[bool]| s[0] && !s[1] && !(x && s[2]);
        let sides = [win, &over.win, &over.playing];
        let breaking = self.engine.image(Operand::into(&their_loss, side), &sides, unfounded)?;
        self.none(&breaking, side, &format!("every win of ply {ply} has a winning move"))?;
        let not_won = self.engine.combine(&[all, win], |x| x[0] && !x[1])?;
        let (from, reached) = self.moves(&not_won, side)?;
        let lost = self.engine.combine(&[&reached, &their_loss], |x| x[0] && x[1])?;
        self.no_move(&from, &lost, side, &format!("no win of ply {ply} is missing"))?;
        let (from, reached) = self.moves(loss, side)?;
        let not_won = self.engine.combine(&[&reached, &their_win], |x| x[0] && !x[1])?;
        self.no_move(&from, &not_won, side, &format!("every move from a loss of ply {ply} enters a win"))?;
        let their_rest = self.engine.combine(&[&next, &their_win], |x| x[0] && !x[1])?;
        let caught = |x: bool, s: &[bool]| s[0] && !s[1] && s[2] && !x;
        let sides = [all, loss, &over.playing];
        let breaking = self.engine.image(Operand::into(&their_rest, side), &sides, caught)?;
        self.none(&breaking, side, &format!("no loss of ply {ply} is missing"))
    }
}
