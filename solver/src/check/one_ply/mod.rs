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
//! Each law is computed as the set of the positions that break it, in one operation, so that a solution of any number of positions
//! is checked completely.
//!
//! # What a check shares with solving
//!
//! Both take the same description of the game: its moves compiled to relations, and the sets where it is over. Retrograde solving
//! goes back along the moves and never forward.
//!
//! - "No win is missing" and "no loss escapes" go forward, by images. Solving computes none. So they show every preimage that came
//!   out too small: a win left out, or a position called lost that has a way out.
//! - "Every new win has a winning move" and "no loss is missing" ask for each position whether some move exists. The image of a set
//!   cannot say that. They take the preimages of `L` and of `¬W`, as solving does, by the same code. A preimage that comes out too
//!   large, the same both times, passes: a win too many, or a loss left out.
//!
//! Images and preimages are one piece of code, which reads the pairs of a relation one way or the other. A fault that
//! adds positions to images as well breaks the laws of the first kind. What passes is one that adds positions to preimages alone.
//! Samples and the oracle show that too: they play by the plain rules, which share nothing with the sets.
//!
//! For a meet run the same holds of the values that are backed up. The sets `R_i` are images of one another in solving and in the
//! check alike.
//!
//! In a game that always ends, the laws of the fixpoint have one solution: there the last sets alone prove all values, and only
//! depths need the laws of every ply.
//!
//! In a run of one chain the laws of that chain are checked, and of the mirror image only what the rules' own sets say of it;
//! that the sides are each other's mirror image is the game's claim, which samples of positions check.

mod meet;
mod retrograde;

use std::collections::HashSet;

use nerode_dfa::Dfa;
use nerode_games::Side;

use crate::archive::run_dir::{Kind, SetName};
use crate::archive::stored_run::StoredRun;
use crate::check::Report;
use crate::error::{Error, Result, RunNeeds};
use crate::solve::engine::Engine;
use crate::solve::method::Method;
use crate::solve::reach::side_at;
use crate::solve::resources::Resources;

/// Checks every set of a finished run against the rules; where the last plies alone are kept, as [`check_last`] does.
///
/// Cost: an image for each law between two files, several times that of solving. `watch` is called with each ply checked.
///
/// # Errors
/// A run that is not finished, damaged files, running out of memory, interruption.
pub fn check(solution: &StoredRun, resources: &Resources, watch: &mut dyn FnMut(u32)) -> Result<Report> {
    if !solution.has_depths() {
        let checked = check_last(solution, resources);
        let lacks_plies = |error| match error {
            Error::WrongRun { .. } => {
                Error::WrongRun { wanted: "checks of whole sets", needs: RunNeeds::AllPlies }
            }
            other => other,
        };
        return checked.map_err(lacks_plies);
    }
    let mut checker = Checker::new(solution, resources)?;
    checker.manifest()?;
    if !solution.run.request().is_in_play() {
        checker.retrograde(watch)?;
    }
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
pub fn check_last(solution: &StoredRun, resources: &Resources) -> Result<Report> {
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
    solution: &'a StoredRun,
    report: Report,
    /// Files between which the laws of the wins, or of the losses, of a side were looked at: many plies share theirs.
    compared: HashSet<(Kind, Side, [StoredSet; 2])>,
}

impl<'a> Checker<'a> {
    fn new(solution: &'a StoredRun, resources: &Resources) -> Result<Self> {
        solution.must_be_finished()?;
        let begin = if solution.run.request().is_in_play() { Engine::in_play } else { Engine::new };
        let engine = begin(solution.game.clone(), resources, None)?;
        Ok(Self { engine, solution, report: Report::default(), compared: HashSet::new() })
    }

    fn load(&self, kind: Kind, side: Side, ply: u32) -> Result<Dfa> {
        self.solution.read(kind, side, ply)
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
        for (name, entry) in self.solution.run.manifest.sets.iter().filter(|(_, entry)| !entry.dropped) {
            let dfa =
                if entry.mirror { self.solution.read_file(entry) } else { self.solution.read_entry(entry) }?;
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

    /// `loss ∩ T ⊆ L0`.
    fn over(&mut self, side: Side, loss: &Dfa, claim: &str) -> Result<()> {
        let own = self.engine.ended(side).clone();
        let breaking = self.engine.combine(&[loss, &own.all, &own.loss], |x| x[0] && x[1] && !x[2])?;
        self.none(&breaking, side, claim)
    }

    /// The stored draws and unknown positions make up what `all` holds beside wins and losses. In a complete run all of it is
    /// drawn; in one cut short only what is in `over`, drawn by the rules: unknown is not drawn.
    fn undecided(
        &mut self,
        kinds: [Kind; 2],
        side: Side,
        ply: u32,
        (all, over): (&Dfa, &Dfa),
        decided: [&Dfa; 2],
    ) -> Result<()> {
        let (draw, unknown) = (self.load(kinds[0], side, ply)?, self.load(kinds[1], side, ply)?);
        let rest = self.engine.combine(&[all, decided[0], decided[1]], |x| x[0] && !x[1] && !x[2])?;
        let complete = self.solution.is_complete();
        let drawn = self.engine.combine(&[&rest, over], |x| x[0] && (complete || x[1]))?;
        let open = self.engine.combine(&[&rest, &drawn], |x| x[0] && !x[1])?;
        self.equal(&draw, &drawn, side, &format!("{:?} of ply {ply} is what is proved drawn", kinds[0]))?;
        self.equal(&unknown, &open, side, &format!("{:?} of ply {ply} is what is not decided", kinds[1]))
    }
}
