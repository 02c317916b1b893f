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
//! Two of the four use the image, which solving does not: an error in one direction of the moves shows. Each law is computed as
//! the set of the positions that break it, in one operation, so that a solution of any number of positions is checked completely.
//!
//! In a game that always ends, the laws of the fixpoint have one solution: there the last sets alone prove all values, and only
//! depths need the laws of every ply.
//!
//! In a run of one chain the laws of that chain are checked, and of the mirror image only what the rules' own sets say of it;
//! that the sides are each other's mirror image is the game's claim, which samples of positions check.

use std::collections::HashSet;

use nerode_dfa::Dfa;
use nerode_games::Side;

use crate::archive::run_dir::{Kind, SetName};
use crate::archive::solution::Solution;
use crate::check::Report;
use crate::error::{Error, Result, RunNeeds};
use crate::solve::engine::Engine;
use crate::solve::method::{Chains, Method};
use crate::solve::moved::Moved;
use crate::solve::reach::{admissible_at, side_at};
use crate::solve::resources::Resources;

/// Checks every set of a finished run against the rules.
///
/// Cost: an image for each law between two files, several times that of solving. `watch` is called with each ply checked.
///
/// # Errors
/// A run that is not finished, damaged files, running out of memory, interruption.
pub fn check(solution: &Solution, resources: &Resources, watch: &mut dyn FnMut(u32)) -> Result<Report> {
    let mut checker = Checker::new(solution, resources)?;
    checker.manifest()?;
    checker.retrograde(watch)?;
    if solution.method() == Method::Meet {
        checker.meet(watch)?;
    }
    Ok(checker.report)
}

/// Checks the last sets alone: by the laws of the fixpoint, which in a game that always ends only the true values obey. Says
/// nothing of depths.
///
/// Cost: a few images of the last sets; a small part of [`check`].
///
/// # Errors
/// [`Error::WrongRun`] for a run that did not reach the fixpoint, and for games that may go on for ever; otherwise as
/// [`check`].
pub fn check_last(solution: &Solution, resources: &Resources) -> Result<Report> {
    let progress = solution.run.manifest.progress;
    if solution.method() != Method::Retrograde || !progress.fixpoint || !solution.game.always_ends() {
        let wanted = "proofs by the last sets alone";
        return Err(Error::WrongRun { wanted, needs: RunNeeds::FixpointOfEndingGame });
    }
    let mut checker = Checker::new(solution, resources)?;
    checker.manifest()?;
    let last = solution.last_ply();
    let chains = solution.run.manifest.request.chains;
    for side in Side::BOTH {
        let own = checker.engine.ended(side).clone();
        if chains.has_wins(side) {
            checker.subset(&own.win, &checker.load(Kind::W, side, last)?, side, "W0 ⊆ W")?;
        }
        if chains.has_losses(side) {
            checker.subset(&own.loss, &checker.load(Kind::L, side, last)?, side, "L0 ⊆ L")?;
        }
    }
    checker.plies(last, last)?;
    for side in Side::BOTH {
        checker.partition(chains, side, last)?;
    }
    Ok(checker.report)
}

/// A file of the run, and whether what it holds is the mirror image.
type StoredSet = (String, bool);

struct Checker<'a> {
    engine: Engine,
    solution: &'a Solution,
    report: Report,
    /// Files between which the laws of the wins, or of the losses, of a side were looked at: many plies share theirs.
    compared: HashSet<(Kind, Side, [StoredSet; 2])>,
}

impl<'a> Checker<'a> {
    fn new(solution: &'a Solution, resources: &Resources) -> Result<Self> {
        solution.must_be_finished()?;
        let engine = Engine::new(solution.game.clone(), resources, None)?;
        Ok(Self { engine, solution, report: Report::default(), compared: HashSet::new() })
    }

    fn load(&self, kind: Kind, side: Side, ply: u32) -> Result<Dfa> {
        self.solution.run.get(SetName { kind, side, ply })
    }

    fn file(&self, kind: Kind, side: Side, ply: u32) -> Result<StoredSet> {
        let entry = self.solution.run.entry(SetName { kind, side, ply })?;
        Ok((entry.file.clone(), entry.mirror))
    }

    /// Notes that the laws between `kind` of `side` at ply `to` and what the opponent has at ply `from` are looked at; `false`
    /// if they are those of plies before.
    fn are_new(&mut self, kind: Kind, side: Side, from: u32, to: u32) -> Result<bool> {
        let theirs = if kind == Kind::W { Kind::L } else { Kind::W };
        let files = [self.file(kind, side, to)?, self.file(theirs, side.other(), from)?];
        Ok(self.compared.insert((kind, side, files)))
    }

    fn side_at(&self, ply: u32) -> Side {
        side_at(self.engine.game.as_ref(), ply)
    }

    /// The manifest's counts are those of the files.
    fn manifest(&mut self) -> Result<()> {
        for (name, entry) in &self.solution.run.manifest.sets {
            let dfa = self.solution.run.read_file(entry)?;
            let counts = (dfa.count()?, dfa.num_states() as u64);
            let claimed = (entry.num_positions, entry.num_states);
            self.report.wrong(u128::from(counts != claimed), || {
                format!(
                    "{name} has {} positions and {} states, the manifest says {} and {}",
                    counts.0, counts.1, claimed.0, claimed.1
                )
            });
        }
        Ok(())
    }

    /// Nothing breaks the claim: else the number of words that do, and one of them.
    fn none(&mut self, breaking: &Dfa, side: Side, claim: &str) -> Result<()> {
        if breaking.is_empty() {
            return Ok(());
        }
        let example = breaking.words().next().map(|word| {
            let position = nerode_games::Position { board: self.engine.game.board_of(&word), side };
            self.engine.game.format_position(&position)
        });
        self.report
            .wrong(breaking.count()?, || format!("{claim}: fails for {}", example.unwrap_or_default()));
        Ok(())
    }

    /// `a ⊆ b`.
    fn subset(&mut self, a: &Dfa, b: &Dfa, side: Side, claim: &str) -> Result<()> {
        let breaking = self.engine.combine(&[a, b], |x| x[0] && !x[1])?;
        self.none(&breaking, side, claim)
    }

    fn equal(&mut self, a: &Dfa, b: &Dfa, side: Side, claim: &str) -> Result<()> {
        if a == b {
            return Ok(());
        }
        let breaking = self.engine.combine(&[a, b], |x| x[0] != x[1])?;
        self.none(&breaking, side, claim)
    }

    fn disjoint(&mut self, a: &Dfa, b: &Dfa, side: Side, claim: &str) -> Result<()> {
        let breaking = self.engine.combine(&[a, b], |x| x[0] && x[1])?;
        self.none(&breaking, side, claim)
    }

    fn retrograde(&mut self, watch: &mut dyn FnMut(u32)) -> Result<()> {
        let last = self.solution.last_ply();
        let chains = self.solution.run.manifest.request.chains;
        for side in Side::BOTH {
            let own = self.engine.ended(side).clone();
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

    /// The laws between the sets of ply `from` and those of ply `to`, in every chain of the run.
    fn plies(&mut self, from: u32, to: u32) -> Result<()> {
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

    /// The two laws between `W[side]` and what the opponent loses.
    fn wins(&mut self, side: Side, from: u32, to: u32) -> Result<()> {
        self.grows(Kind::W, side, from, to)?;
        if !self.are_new(Kind::W, side, from, to)? {
            return Ok(());
        }
        let other = side.other();
        let (win, their_loss) = (self.load(Kind::W, side, to)?, self.load(Kind::L, other, from)?);
        let own = self.engine.ended(side).clone();
        let unfounded = |x: bool, s: &[bool]| s[0] && !s[1] && !(x && s[2]);
        let sides = [&win, &own.win, &own.playing];
        let breaking = self.engine.image(Moved::into(&their_loss, side), &sides, unfounded)?;
        self.none(&breaking, side, &format!("every win of W_{to} has a move into L_{from}"))?;
        let not_won = self.engine.combine(&[&win, &own.playing], |x| !x[0] && x[1])?;
        let breaking = self.engine.image(Moved::from(&not_won, side), &[&their_loss], |x, s| x && s[0])?;
        self.none(&breaking, other, &format!("no move from outside W_{to} enters L_{from}"))
    }

    /// The three laws between `L[side]` and what the opponent wins.
    fn losses(&mut self, side: Side, from: u32, to: u32) -> Result<()> {
        self.grows(Kind::L, side, from, to)?;
        if !self.are_new(Kind::L, side, from, to)? {
            return Ok(());
        }
        let other = side.other();
        let (loss, their_win) = (self.load(Kind::L, side, to)?, self.load(Kind::W, other, from)?);
        let own = self.engine.ended(side).clone();
        let lost = self.engine.combine(&[&loss, &own.playing], |x| x[0] && x[1])?;
        let breaking = self.engine.image(Moved::from(&lost, side), &[&their_win], |x, s| x && !s[0])?;
        self.none(&breaking, other, &format!("every move from L_{to} enters W_{from}"))?;
        let caught = |x: bool, s: &[bool]| !s[0] && s[1] && !x;
        let sides = [&loss, &own.playing];
        let breaking = self.engine.image(Moved::avoiding(&their_win, side), &sides, caught)?;
        self.none(&breaking, side, &format!("outside L_{to} some move avoids W_{from}"))?;
        self.over(side, &loss, &format!("what is over in L_{to} is in L0"))
    }

    /// `loss ∩ T ⊆ L0`.
    fn over(&mut self, side: Side, loss: &Dfa, claim: &str) -> Result<()> {
        let own = self.engine.ended(side).clone();
        let breaking = self.engine.combine(&[loss, &own.all, &own.loss], |x| x[0] && x[1] && !x[2])?;
        self.none(&breaking, side, claim)
    }

    /// Win, loss, draw and unknown partition all words.
    fn partition(&mut self, chains: Chains, side: Side, last: u32) -> Result<()> {
        let full = Dfa::full(self.engine.game.shape());
        if chains == Chains::Both {
            let (win, loss) = (self.load(Kind::W, side, last)?, self.load(Kind::L, side, last)?);
            self.undecided([Kind::D, Kind::U], side, last, &full, [&win, &loss])?;
        }
        self.report.checked = self.report.checked.saturating_add(full.count()?);
        Ok(())
    }

    /// The stored draws and unknown positions make up what `all` holds beside wins and losses. In a complete run all of it is
    /// drawn; in one cut short only what is over and drawn by the rules: unknown is not drawn.
    fn undecided(
        &mut self,
        kinds: [Kind; 2],
        side: Side,
        ply: u32,
        all: &Dfa,
        decided: [&Dfa; 2],
    ) -> Result<()> {
        let (draw, unknown) = (self.load(kinds[0], side, ply)?, self.load(kinds[1], side, ply)?);
        let rest = self.engine.combine(&[all, decided[0], decided[1]], |x| x[0] && !x[1] && !x[2])?;
        let over = self.engine.ended(side).draw.clone();
        let complete = self.solution.is_complete();
        let drawn = self.engine.combine(&[&rest, &over], |x| x[0] && (complete || x[1]))?;
        let open = self.engine.combine(&[&rest, &drawn], |x| x[0] && !x[1])?;
        self.equal(&draw, &drawn, side, &format!("{:?} of ply {ply} is what is proved drawn", kinds[0]))?;
        self.equal(&unknown, &open, side, &format!("{:?} of ply {ply} is what is not decided", kinds[1]))
    }

    /// The forward sets, and the values backed up over them.
    fn meet(&mut self, watch: &mut dyn FnMut(u32)) -> Result<()> {
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
            self.terminal_values(side, ply, &all, &win, &loss)?;
            if ply < last {
                self.backed_up(side, ply, &all, &win, &loss)?;
            } else {
                let known = self.solution.last_ply();
                for (kind, set) in [(Kind::W, &win), (Kind::L, &loss)] {
                    let whole = self.load(kind, side, known)?;
                    let expected = self.engine.combine(&[&all, &whole], |x| x[0] && x[1])?;
                    self.equal(set, &expected, side, &format!("R{kind:?} of the last ply is R ∩ {kind:?}"))?;
                }
                if progress.forward_complete {
                    let after = self.image(&all, side)?;
                    self.none(&after, side.other(), "nothing is reachable after the last ply")?;
                }
            }
            self.report.checked = self.report.checked.saturating_add(all.count()?);
            watch(ply);
        }
        Ok(())
    }

    /// `stored` is `R_ply`: what is reached, or, where the run says so, what is admissible at that ply, which holds all that is reached.
    fn forward(&mut self, ply: u32, reached: &Dfa, stored: &Dfa) -> Result<()> {
        let side = self.side_at(ply);
        let Some(from) = self.solution.run.manifest.request.admissible_from.filter(|&from| from <= ply)
        else {
            return self.equal(reached, stored, side, &format!("R_{ply} is what is reached at ply {ply}"));
        };
        let room = self.engine.room();
        let admissible = admissible_at(self.engine.game.as_ref(), ply, room)?;
        self.equal(
            &admissible,
            stored,
            side,
            &format!("R_{ply} is what is admissible, as from ply {from} on"),
        )?;
        self.subset(reached, stored, side, &format!("what is reached at ply {ply} is admissible"))
    }

    /// Positions that one move of `side` leads to from where the game goes on in `set`.
    fn image(&mut self, set: &Dfa, side: Side) -> Result<Dfa> {
        let playing = self.engine.ended(side).playing.clone();
        let playing = self.engine.combine(&[set, &playing], |x| x[0] && x[1])?;
        self.engine.image(Moved::from(&playing, side), &[], |x, _| x)
    }

    /// Reachable positions where the game is over have the rules' value, and draws complete the partition.
    fn terminal_values(&mut self, side: Side, ply: u32, all: &Dfa, win: &Dfa, loss: &Dfa) -> Result<()> {
        let own = self.engine.ended(side).clone();
        for (rule, set) in [(&own.win, win), (&own.loss, loss)] {
            let breaking = self.engine.combine(&[all, rule, set], |x| x[0] && x[1] && !x[2])?;
            self.none(&breaking, side, &format!("what is over at ply {ply} has the rules' value"))?;
        }
        self.over(side, loss, &format!("what is over in RL of ply {ply} is in L0"))?;
        self.undecided([Kind::RD, Kind::RU], side, ply, all, [win, loss])
    }

    /// `R_{i+1}` follows from `R_i`, and the values of `R_i` follow from those of `R_{i+1}`.
    fn backed_up(&mut self, side: Side, ply: u32, all: &Dfa, win: &Dfa, loss: &Dfa) -> Result<()> {
        let other = side.other();
        let own = self.engine.ended(side).clone();
        let next = self.load(Kind::R, other, ply + 1)?;
        let (their_win, their_loss) =
            (self.load(Kind::RW, other, ply + 1)?, self.load(Kind::RL, other, ply + 1)?);
        let image = self.image(all, side)?;
        self.forward(ply + 1, &image, &next)?;
        let unfounded = |x: bool, s: &[bool]| s[0] && !s[1] && !(x && s[2]);
        let sides = [win, &own.win, &own.playing];
        let breaking = self.engine.image(Moved::into(&their_loss, side), &sides, unfounded)?;
        self.none(&breaking, side, &format!("every win of ply {ply} has a winning move"))?;
        let not_won = self.engine.combine(&[all, win], |x| x[0] && !x[1])?;
        let reached = self.image(&not_won, side)?;
        self.disjoint(&reached, &their_loss, other, &format!("no win of ply {ply} is missing"))?;
        let reached = self.image(loss, side)?;
        self.subset(&reached, &their_win, other, &format!("no loss of ply {ply} escapes"))?;
        let their_rest = self.engine.combine(&[&next, &their_win], |x| x[0] && !x[1])?;
        let caught = |x: bool, s: &[bool]| s[0] && !s[1] && s[2] && !x;
        let sides = [all, loss, &own.playing];
        let breaking = self.engine.image(Moved::into(&their_rest, side), &sides, caught)?;
        self.none(&breaking, side, &format!("no loss of ply {ply} is missing"))
    }
}
