//! Whole sets against the rules, one ply at a time, without enumerating positions.
//!
//! For a retrograde run, with `T` the terminal positions, every ply i and both sides p (q the opponent):
//!
//! - `W[0] = W0`, `L[0] = L0`, and `W[i] ∩ L[i] = ∅`, `W[i] ⊆ W[i+1]`, `L[i] ⊆ L[i+1]`;
//! - every new win has a winning move: `W[p][i+1] \ W0 ⊆ preimage_p(L[q][i]) \ T`;
//! - no win is missing: `image_p(¬W[p][i+1] \ T) ∩ L[q][i] = ∅`;
//! - no loss escapes: `image_p(L[p][i+1] \ T) ⊆ W[q][i]`;
//! - no loss is missing: `¬T \ L[p][i+1] ⊆ preimage_p(¬W[q][i])`;
//! - what is over is lost only by the rules: `L[p][i+1] ∩ T ⊆ L0`;
//! - at the fixpoint the same holds with the last sets on both sides, and nothing is unknown;
//! - win, loss, draw and unknown partition all words, and in a run cut short only `D0` is drawn.
//!
//! Two of the four use the image, which solving does not: an error in one direction of the moves shows.

use nerode_dfa::Set;
use nerode_games::Side;

use crate::error::{Error, Result};
use crate::reach::side_at;
use crate::rules::{Resources, Rules};
use crate::run_dir::{Kind, Method};
use crate::solution::Solution;
use crate::verify::Report;

/// Checks every set of a finished run against the rules.
///
/// Cost: about as much as solving. `watch` is called with each ply checked.
///
/// # Errors
/// A run that is not finished, damaged files, running out of memory, interruption.
pub fn check(solution: &Solution, resources: &Resources, watch: &mut dyn FnMut(u32)) -> Result<Report> {
    if !solution.run.manifest.progress.finished {
        return Err(Error::RunDir {
            path: solution.run.path().into(),
            reason: "the solve is not finished; continue it with 'nerode solve ... --resume'".into(),
        });
    }
    let rules = Rules::new(solution.game.clone(), resources)?;
    let mut checker = Checker { rules, solution, report: Report::default() };
    checker.manifest()?;
    checker.retrograde(watch)?;
    if solution.method() == Method::Meet {
        checker.meet(watch)?;
    }
    Ok(checker.report)
}

struct Checker<'a> {
    rules: Rules,
    solution: &'a Solution,
    report: Report,
}

impl Checker<'_> {
    fn load(&mut self, kind: Kind, side: Side, ply: u32) -> Result<Set> {
        let name = crate::run_dir::SetName { kind, side, ply };
        let dfa = self.solution.run.get(name)?;
        Ok(self.rules.store.import(&dfa)?)
    }

    /// The manifest's counts are those of the files.
    fn manifest(&mut self) -> Result<()> {
        for (name, entry) in &self.solution.run.manifest.sets {
            let dfa = self.solution.run.read(entry)?;
            let counts = (dfa.count()?, dfa.num_states() as u64);
            let claimed = (entry.positions()?, entry.num_states);
            self.report.wrong(u128::from(counts != claimed), || {
                format!(
                    "{name} has {} positions and {} states, the manifest says {} and {}",
                    counts.0, counts.1, claimed.0, claimed.1
                )
            });
        }
        Ok(())
    }

    /// `inner ⊆ outer`, else the number of words that stick out and one of them.
    fn subset(&mut self, inner: &Set, outer: &Set, side: Side, claim: &str) -> Result<()> {
        if self.rules.store.is_subset(inner, outer) {
            return Ok(());
        }
        let bad = self.rules.store.difference(inner, outer)?;
        let dfa = self.rules.freeze(&bad);
        let example = dfa.words().next().map(|word| {
            let position = nerode_games::Position { board: self.rules.game.board_of(&word), side };
            self.rules.game.format_position(&position)
        });
        let count = dfa.count()?;
        self.report.wrong(count, || format!("{claim}: fails for {}", example.unwrap_or_default()));
        Ok(())
    }

    fn equal(&mut self, a: &Set, b: &Set, side: Side, claim: &str) -> Result<()> {
        self.subset(a, b, side, claim)?;
        self.subset(b, a, side, claim)
    }

    fn disjoint(&mut self, a: &Set, b: &Set, side: Side, claim: &str) -> Result<()> {
        if self.rules.store.is_disjoint(a, b) {
            return Ok(());
        }
        let common = self.rules.store.intersection(a, b)?;
        let empty = self.rules.store.empty();
        self.subset(&common, &empty, side, claim)
    }

    fn retrograde(&mut self, watch: &mut dyn FnMut(u32)) -> Result<()> {
        let last = self.solution.last_ply();
        for side in Side::BOTH {
            let own = self.rules.side(side).clone();
            let (win, loss) = (self.load(Kind::W, side, 0)?, self.load(Kind::L, side, 0)?);
            self.equal(&win, &own.win, side, "W_0 = W0")?;
            self.equal(&loss, &own.loss, side, "L_0 = L0")?;
        }
        for ply in 0..last {
            for side in Side::BOTH {
                self.pair(side, ply, ply + 1)?;
            }
            watch(ply + 1);
        }
        if self.solution.run.manifest.progress.fixpoint {
            for side in Side::BOTH {
                self.pair(side, last, last)?;
            }
        }
        if self.solution.method() == Method::Retrograde {
            for side in Side::BOTH {
                self.partition(side, last)?;
            }
        }
        Ok(())
    }

    /// The four laws between the opponent's sets of ply `from` and the side's sets of ply `to`.
    fn pair(&mut self, side: Side, from: u32, to: u32) -> Result<()> {
        let other = side.other();
        let (their_win, their_loss) = (self.load(Kind::W, other, from)?, self.load(Kind::L, other, from)?);
        let (win, loss) = (self.load(Kind::W, side, to)?, self.load(Kind::L, side, to)?);
        let own = self.rules.side(side).clone();
        self.disjoint(&win, &loss, side, &format!("W_{to} and L_{to} are disjoint"))?;
        if from < to {
            for (kind, now) in [(Kind::W, &win), (Kind::L, &loss)] {
                let before = self.load(kind, side, from)?;
                self.subset(&before, now, side, &format!("{kind:?}_{from} ⊆ {kind:?}_{to}"))?;
            }
        }
        let winners = self.rules.store.difference(&win, &own.win)?;
        let can_win = self.rules.preimage(&their_loss, side)?;
        self.subset(&winners, &can_win, side, &format!("every win of W_{to} has a move into L_{from}"))?;
        let not_won = self.rules.store.complement(&win)?;
        let reached = self.rules.image(&not_won, side)?;
        self.disjoint(&reached, &their_loss, other, &format!("no move from outside W_{to} enters L_{from}"))?;
        let reached = self.rules.image(&loss, side)?;
        self.subset(&reached, &their_win, other, &format!("every move from L_{to} enters W_{from}"))?;
        let their_rest = self.rules.store.complement(&their_win)?;
        let can_escape = self.rules.preimage(&their_rest, side)?;
        let lost_or_over = self.rules.store.union(&loss, &own.terminal)?;
        let rest = self.rules.store.complement(&lost_or_over)?;
        self.subset(&rest, &can_escape, side, &format!("outside L_{to} some move avoids W_{from}"))?;
        self.over(side, &loss, &format!("what is over in L_{to} is in L0"))
    }

    /// `loss ∩ T ⊆ L0`.
    fn over(&mut self, side: Side, loss: &Set, claim: &str) -> Result<()> {
        let own = self.rules.side(side).clone();
        let over = self.rules.store.intersection(loss, &own.terminal)?;
        self.subset(&over, &own.loss, side, claim)
    }

    /// Win, loss, draw and unknown partition all words.
    fn partition(&mut self, side: Side, last: u32) -> Result<()> {
        let (win, loss) = (self.load(Kind::W, side, last)?, self.load(Kind::L, side, last)?);
        let full = self.rules.store.full();
        self.undecided([Kind::D, Kind::U], side, last, &full, [&win, &loss])?;
        self.report.checked = self.report.checked.saturating_add(self.rules.store.count(&full)?);
        Ok(())
    }

    /// The stored draws and unknown positions make up what `all` holds beside wins and losses. In a complete run all of it is
    /// drawn; in one cut short only what is over and drawn by the rules: unknown is not drawn.
    fn undecided(
        &mut self,
        kinds: [Kind; 2],
        side: Side,
        ply: u32,
        all: &Set,
        decided: [&Set; 2],
    ) -> Result<()> {
        let (draw, unknown) = (self.load(kinds[0], side, ply)?, self.load(kinds[1], side, ply)?);
        let decided = self.rules.store.union(decided[0], decided[1])?;
        let rest = self.rules.store.difference(all, &decided)?;
        let over = self.rules.side(side).draw.clone();
        let drawn = if self.solution.is_complete() {
            rest.clone()
        } else {
            self.rules.store.intersection(&rest, &over)?
        };
        let open = self.rules.store.difference(&rest, &drawn)?;
        self.equal(&draw, &drawn, side, &format!("{:?} of ply {ply} is what is proved drawn", kinds[0]))?;
        self.equal(&unknown, &open, side, &format!("{:?} of ply {ply} is what is not decided", kinds[1]))
    }

    /// The forward sets, and the values backed up over them.
    fn meet(&mut self, watch: &mut dyn FnMut(u32)) -> Result<()> {
        let progress = self.solution.run.manifest.progress;
        let last = progress.forward.unwrap_or(0);
        let (start, _) = self.rules.start()?;
        let first = self.load(Kind::R, side_at(&self.rules, 0), 0)?;
        self.equal(&first, &start, side_at(&self.rules, 0), "R_0 is the start position")?;
        for ply in 0..=last {
            let side = side_at(&self.rules, ply);
            let all = self.load(Kind::R, side, ply)?;
            let (win, loss) = (self.load(Kind::RW, side, ply)?, self.load(Kind::RL, side, ply)?);
            self.disjoint(&win, &loss, side, &format!("RW and RL of ply {ply} are disjoint"))?;
            let decided = self.rules.store.union(&win, &loss)?;
            self.subset(&decided, &all, side, &format!("RW and RL of ply {ply} are reachable"))?;
            self.terminal_values(side, ply, &all, &win, &loss)?;
            if ply < last {
                self.backed_up(side, ply, &all, &win, &loss)?;
            } else {
                let known = self.solution.last_ply();
                for (kind, set) in [(Kind::W, &win), (Kind::L, &loss)] {
                    let whole = self.load(kind, side, known)?;
                    let expected = self.rules.store.intersection(&all, &whole)?;
                    self.equal(set, &expected, side, &format!("R{kind:?} of the last ply is R ∩ {kind:?}"))?;
                }
                if progress.forward_complete {
                    let after = self.rules.image(&all, side)?;
                    let empty = self.rules.store.empty();
                    self.equal(&after, &empty, side.other(), "nothing is reachable after the last ply")?;
                }
            }
            self.report.checked = self.report.checked.saturating_add(self.rules.store.count(&all)?);
            watch(ply);
        }
        Ok(())
    }

    /// Reachable positions where the game is over have the rules' value, and draws complete the partition.
    fn terminal_values(&mut self, side: Side, ply: u32, all: &Set, win: &Set, loss: &Set) -> Result<()> {
        let own = self.rules.side(side).clone();
        for (rule, set) in [(&own.win, win), (&own.loss, loss)] {
            let over = self.rules.store.intersection(all, rule)?;
            self.subset(&over, set, side, &format!("what is over at ply {ply} has the rules' value"))?;
        }
        self.over(side, loss, &format!("what is over in RL of ply {ply} is in L0"))?;
        self.undecided([Kind::RD, Kind::RU], side, ply, all, [win, loss])
    }

    /// `R_{i+1}` is the image of `R_i`, and the values of `R_i` follow from those of `R_{i+1}`.
    fn backed_up(&mut self, side: Side, ply: u32, all: &Set, win: &Set, loss: &Set) -> Result<()> {
        let other = side.other();
        let own = self.rules.side(side).clone();
        let next = self.load(Kind::R, other, ply + 1)?;
        let (their_win, their_loss) =
            (self.load(Kind::RW, other, ply + 1)?, self.load(Kind::RL, other, ply + 1)?);
        let image = self.rules.image(all, side)?;
        self.equal(&image, &next, other, &format!("R_{} is the image of R_{ply}", ply + 1))?;
        let winners = self.rules.store.difference(win, &own.win)?;
        let can_win = self.rules.preimage(&their_loss, side)?;
        self.subset(&winners, &can_win, side, &format!("every win of ply {ply} has a winning move"))?;
        let not_won = self.rules.store.difference(all, win)?;
        let reached = self.rules.image(&not_won, side)?;
        self.disjoint(&reached, &their_loss, other, &format!("no win of ply {ply} is missing"))?;
        let reached = self.rules.image(loss, side)?;
        self.subset(&reached, &their_win, other, &format!("no loss of ply {ply} escapes"))?;
        let their_rest = self.rules.store.difference(&next, &their_win)?;
        let can_escape = self.rules.preimage(&their_rest, side)?;
        let lost_or_over = self.rules.store.union(loss, &own.terminal)?;
        let rest = self.rules.store.difference(all, &lost_or_over)?;
        self.subset(&rest, &can_escape, side, &format!("no loss of ply {ply} is missing"))
    }
}
