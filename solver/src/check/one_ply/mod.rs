//! Checks whole sets against the rules, one ply at a time, without enumerating positions.
//!
//! For a retrograde run, let `T` be the set of terminal positions. The following laws must hold for every ply i and
//! both sides p with opponent q:
//!
//! - `W[0] = W0`, `L[0] = L0`, and `W[i] ∩ L[i] = ∅`, `W[i] ⊆ W[i+1]`, `L[i] ⊆ L[i+1]`;
//! - every new win has a winning move: `W[p][i+1] \ W0 ⊆ preimage_p(L[q][i]) \ T`;
//! - no win is missing: `image_p(¬W[p][i+1] \ T) ∩ L[q][i] = ∅`;
//! - no lost position has an escape: `image_p(L[p][i+1] \ T) ⊆ W[q][i]`;
//! - no loss is missing: `¬T \ L[p][i+1] ⊆ preimage_p(¬W[q][i])`;
//! - a terminal position is lost only by the rules: `L[p][i+1] ∩ T ⊆ L0`;
//! - at the fixpoint, the same laws hold with the last sets on both sides, and no position is unknown;
//! - win, loss, draw and unknown partition all words, and in a run with a limited number of plies only `D0` is drawn.
//!
//! For each law, the set of positions that violate it is computed in a single operation, so that a solution is checked
//! completely regardless of the number of positions.
//!
//! # Shared code of checking and solving
//!
//! Both use the same description of the game: its moves compiled to relations, and its terminal sets. Retrograde
//! solving moves only backward and never forward.
//!
//! - "No win is missing" and "no lost position has an escape" are checked forward, by images, which solving never
//!   computes. They therefore detect every preimage that is too small: a missing win, or a position classified as lost
//!   although it has an escape.
//! - "Every new win has a winning move" and "no loss is missing" require for each position that some move exists, which
//!   the image of a set cannot express. They compute the preimages of `L` and of `¬W`, as solving does, by the same
//!   code. Hence they do not detect a preimage that is too large in the same way both times, which would mean an extra
//!   win or a missing loss.
//!
//! Images and preimages share their code, which reads the pairs of a relation in one direction or the other. A fault
//! that also adds positions to images violates the laws of the first kind. Only a fault that adds positions to
//! preimages alone is not detected. Samples and the oracle detect it too, because they use the plain rules, which share
//! no code with the sets.
//!
//! The same applies to the values of a meet-in-the-middle run that are propagated back. The sets `R_i` are computed as
//! images both in solving and in checking.
//!
//! In a game that always ends, the laws of the fixpoint have exactly one solution. In this case, the last sets alone
//! prove all values, and only depths need the laws of every ply.
//!
//! In a run of one chain, the laws of that chain are checked, and for the mirror image only the laws that involve the
//! terminal sets. The game guarantees that the sides are mirror images of each other, which is checked by samples of
//! positions.

mod meet;
mod retrograde;

use std::collections::HashSet;

use nerode_dfa::Dfa;
use nerode_games::{Side, grouped, side_at};

use crate::archive::run_dir::{Kind, SetName};
use crate::archive::stored_run::StoredRun;
use crate::check::Report;
use crate::check::distinct::num_decided;
use crate::error::{Error, Result, RunNeeds};
use crate::solve::engine::Engine;
use crate::solve::method::Method;
use crate::solve::operand::Operand;
use crate::solve::resources::Resources;

/// Checks every set of a finished run against the rules. If only the last plies are kept, checks them as [`check_last`]
/// does.
///
/// Cost: one image for each law between two files, which takes several times as long as solving. Calls `watch` after
/// each ply.
///
/// # Errors
/// Returns an error if the run is not finished, a file is damaged, memory is exhausted, or the computation is
/// interrupted.
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
    checker.report(resources)
}

/// Checks only the last sets, by the laws of the fixpoint, which only the correct values satisfy in a game that always
/// ends. Does not check depths.
///
/// Cost: a few images of the last sets, a small fraction of [`check`].
///
/// # Errors
/// Returns [`Error::WrongRun`] for a run that did not reach the fixpoint and for games that may never end, or the
/// errors of [`check`].
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
        let own = checker.engine.terminal(side).clone();
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
    checker.report(resources)
}

/// A file of the run, and whether it contains the mirror image.
type StoredSet = (String, bool);

struct Checker<'a> {
    engine: Engine,
    solution: &'a StoredRun,
    report: Report,
    /// The positions at which a law fails, by the side to move.
    wrong: [Dfa; 2],
    /// The pairs of files for which the laws of the wins or losses of a side have been checked. Many plies share their
    /// files.
    compared: HashSet<(Kind, Side, [StoredSet; 2])>,
}

impl<'a> Checker<'a> {
    fn new(solution: &'a StoredRun, resources: &Resources) -> Result<Self> {
        solution.must_be_finished()?;
        let begin = if solution.run.request().is_in_play() { Engine::in_play } else { Engine::new };
        let engine = begin(solution.game.clone(), resources, None)?;
        let wrong = [(); 2].map(|()| Dfa::empty(solution.game.shape()));
        Ok(Self { engine, solution, report: Report::default(), wrong, compared: HashSet::new() })
    }

    /// Returns the result: the number of positions that have a value, and the number of those at which a law fails.
    fn report(mut self, resources: &Resources) -> Result<Report> {
        self.report.checked = match self.solution.method() {
            Method::Meet => num_decided(self.solution, resources)?,
            Method::Retrograde => {
                let mut checked = 0u128;
                let all = Dfa::full(self.solution.game.shape()).count()?;
                for side in Side::BOTH {
                    let decided = all.saturating_sub(self.solution.num_unknown(side)?);
                    checked = checked.saturating_add(decided);
                }
                checked
            }
        };
        for wrong in &self.wrong {
            self.report.mismatches = self.report.mismatches.saturating_add(wrong.count()?);
        }
        Ok(self.report)
    }

    fn load(&self, kind: Kind, side: Side, ply: u32) -> Result<Dfa> {
        self.solution.read(kind, side, ply)
    }

    fn file(&self, kind: Kind, side: Side, ply: u32) -> Result<StoredSet> {
        let entry = self.solution.run.entry(SetName { kind, side, ply })?;
        Ok((entry.file.clone(), entry.mirror))
    }

    /// Records that the laws between `kind` of `side` at ply `to` and the set of the opponent at ply `from` are
    /// checked. Returns `false` if they have already been checked for the same files.
    fn are_new(&mut self, kind: Kind, side: Side, from: u32, to: u32) -> Result<bool> {
        let theirs = if kind == Kind::W { Kind::L } else { Kind::W };
        let files = [self.file(kind, side, to)?, self.file(theirs, side.other(), from)?];
        Ok(self.compared.insert((kind, side, files)))
    }

    fn side_at(&self, ply: u32) -> Side {
        side_at(self.engine.game.as_ref(), ply)
    }

    /// Checks that the counts in the manifest agree with the files.
    fn manifest(&mut self) -> Result<()> {
        for (name, entry) in self.solution.run.manifest.sets.iter().filter(|(_, entry)| !entry.dropped) {
            let dfa =
                if entry.mirror { self.solution.read_file(entry) } else { self.solution.read_entry(entry) }?;
            let counts = (dfa.count()?, dfa.num_states() as u64);
            let claimed = (entry.num_positions, entry.num_states);
            self.report.wrong(u128::from(counts != claimed), || {
                format!(
                    "the numbers of positions and states of {name} are {} and {}, but the manifest says {} and {}",
                    grouped(counts.0),
                    grouped(counts.1.into()),
                    grouped(claimed.0),
                    grouped(claimed.1.into())
                )
            });
        }
        Ok(())
    }

    /// Checks that no move of `side` from a position of `from` leads to one of `breaking`. Otherwise, the positions with such a move
    /// are wrong. `from` contains no terminal positions.
    fn no_move(&mut self, from: &Dfa, breaking: &Dfa, side: Side, claim: &str) -> Result<()> {
        if breaking.is_empty() {
            return Ok(());
        }
        let wrong = self.engine.image(Operand::into(breaking, side), &[from], |x, s| x && s[0])?;
        // If the moves cannot be taken back, the positions to which they lead are reported.
        if wrong.is_empty() {
            self.none(breaking, side.other(), claim)
        } else {
            self.none(&wrong, side, claim)
        }
    }

    /// Checks that `breaking` is empty. Otherwise, its words with `side` to move are wrong, and one of them is reported.
    fn none(&mut self, breaking: &Dfa, side: Side, claim: &str) -> Result<()> {
        if breaking.is_empty() {
            return Ok(());
        }
        let wrong = &self.wrong[side.index()];
        self.wrong[side.index()] = self.engine.combine(&[wrong, breaking], |x| x[0] || x[1])?;
        let example = breaking.words().next().map(|word| {
            let position = nerode_games::Position { board: self.engine.game.board_of(&word), side };
            self.engine.game.format_position(&position)
        });
        self.report
            .first_mismatch
            .get_or_insert_with(|| format!("{claim}: fails for {}", example.unwrap_or_default()));
        Ok(())
    }

    /// Checks that `a ⊆ b`.
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

    /// Checks that `loss ∩ T ⊆ L0`.
    fn over(&mut self, side: Side, loss: &Dfa, claim: &str) -> Result<()> {
        let own = self.engine.terminal(side).clone();
        let breaking = self.engine.combine(&[loss, &own.all, &own.loss], |x| x[0] && x[1] && !x[2])?;
        self.none(&breaking, side, claim)
    }

    /// Checks that the stored draws and unknown positions are exactly the positions of `all` that are neither won nor
    /// lost. In a complete run, all of these are draws. In a run with a limited number of plies, only those in `over`,
    /// which are drawn by the rules, are draws, and the others are unknown.
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
        self.equal(&draw, &drawn, side, &format!("{:?} of ply {ply} is the set of proved draws", kinds[0]))?;
        self.equal(
            &unknown,
            &open,
            side,
            &format!("{:?} of ply {ply} is the set of undecided positions", kinds[1]),
        )
    }
}
