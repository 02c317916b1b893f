//! The arguments of `solve`, and their valid combinations.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;

use crate::cli::choices::{EngineArg, MethodArg, plies};
use crate::cli::hints::advised;
use crate::cli::ranked::{RankedArgs, RankingChoice};
use crate::cli::resources::{ResourceArgs, UnitArgs};
use crate::cli::rules::VariantArgs;
use crate::cli::words::directory;
use crate::facade::{Options, Solver};
use nerode_solver::run::Existing;
use nerode_solver::solve::choose::{suits_sectors, suits_table};
use nerode_solver::solve::method::{Chains, Keep, Method};
use nerode_solver::solve::resources::{Backend, Resources};

const SETS: &str = "Options for --engine sets";
const SECTORS: &str = "Options for sectors of morris games";
const TABLE: &str = "Options for --engine table and --engine reached";

/// Arguments of `solve`.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// The game, such as breakthrough:4x5
    pub(super) game: String,
    #[command(flatten)]
    pub(super) variant: VariantArgs,
    /// The engine that solves the game
    #[arg(long, value_enum, default_value_t = EngineArg::Auto)]
    pub(super) engine: EngineArg,
    /// Compute the score of every reachable position, in games that count more than win, draw and loss
    #[arg(long)]
    pub(super) score: bool,
    /// Compute the nimbers of an impartial game, in which both sides have the same moves and a side without a move loses.
    /// They are printed, and nothing is stored
    #[arg(long, conflicts_with = "score")]
    nimbers: bool,
    /// The directory of the solution [default: runs/GAME, with .sets added for sectors as sets and .scores for scores]
    #[arg(long, value_name = "DIR", value_parser = directory())]
    pub(super) run_dir: Option<PathBuf>,
    /// Resume the solve in the directory
    #[arg(long, conflicts_with = "overwrite")]
    pub(super) resume: bool,
    /// Replace the contents of the directory, or the table
    #[arg(long)]
    pub(super) overwrite: bool,
    /// The method of solving [default: auto]
    #[arg(long, value_enum, help_heading = SETS)]
    method: Option<MethodArg>,
    /// The maximum number of plies: retrograde plies, or forward plies of meet [default: to the end]
    #[arg(long, value_name = "N", value_parser = plies, allow_negative_numbers = true, help_heading = SETS)]
    pub(super) plies: Option<u32>,
    /// The number of retrograde plies to compute before the values are backed up (--method meet only) [default: 0]
    #[arg(long, value_name = "N", value_parser = plies, allow_negative_numbers = true, help_heading = SETS)]
    backward_plies: Option<u32>,
    /// From this ply on, solve all positions that the rules admit at the ply, not only the reachable ones. There are more
    /// of these positions, but often far fewer states (--method meet only)
    #[arg(
        long,
        value_name = "PLY",
        value_parser = plies,
        allow_negative_numbers = true,
        help_heading = SETS
    )]
    admissible_from: Option<u32>,
    /// Letter order of the layers: a name that 'nerode info' lists, or cells:C,C,... with every cell once
    #[arg(long, help_heading = SETS)]
    pub(super) order: Option<String>,
    /// The sets to compute. If the sides are mirror images, one chain is half the work, and every position still has its
    /// value and depth (--method retrograde only) [default: both]
    #[arg(long, value_enum, help_heading = SETS)]
    chains: Option<Chains>,
    /// The plies whose sets stay on disk. Keeping only the last ones takes less space; positions then have their values,
    /// but for most depths only a bound is known (--method retrograde only) [default: all]
    #[arg(long, value_enum, help_heading = SETS)]
    keep: Option<Keep>,
    /// How images of sets are computed, which does not affect results [default: auto]
    #[arg(long, value_enum, help_heading = SETS)]
    backend: Option<Backend>,
    #[command(flatten)]
    pub(super) units: UnitArgs,
    /// The sectors to solve, such as 4-3-0-0 (stones of the side to move and of the other side on the board, then in hand);
    /// 'start' for the whole game; or 'malom' for all sectors of Malom's database. Their dependencies are solved too
    /// [default: start]
    #[arg(long, value_delimiter = ',', value_name = "SECTOR", help_heading = SECTORS)]
    pub(super) sector: Vec<String>,
    /// Start even if the disk is too small for all sectors. The solve stops when the disk is full, and keeps the solved
    /// sectors
    #[arg(long, help_heading = SECTORS)]
    pub(super) anyway: bool,
    /// Check every position by forward play before a sector is written, while its successors are in memory. The directory
    /// stores this choice for 'nerode resume' and 'nerode unit'
    #[arg(long, help_heading = SECTORS)]
    pub(super) check: bool,
    #[command(flatten)]
    ranks: RankedArgs,
    /// The table file to write [default: runs/GAME.tbl]
    #[arg(long, value_name = "FILE", help_heading = TABLE)]
    pub(super) out: Option<PathBuf>,
    /// A position from which to search, in addition to the start of the game. May be given more than once (--engine reached only)
    #[arg(long, value_name = "POSITION", help_heading = TABLE)]
    pub(super) from: Vec<String>,
    #[command(flatten)]
    pub(super) resources: ResourceArgs,
}

/// The result to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    Sets,
    SectorSets,
    Table,
    Sectors,
    Reached,
    Scores,
    Nimbers,
}

impl Work {
    /// Returns its name, and the options that it accepts.
    fn takes(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Sets => (
                "a solution as sets",
                &[
                    "--run-dir",
                    "--resume",
                    "--overwrite",
                    "--method",
                    "--plies",
                    "--backward-plies",
                    "--admissible-from",
                    "--order",
                    "--chains",
                    "--keep",
                    "--backend",
                    "--units",
                ],
            ),
            Self::SectorSets => ("sectors as sets", &["--sector", "--run-dir", "--resume"]),
            Self::Table => ("a table", &["--out", "--overwrite"]),
            Self::Reached => ("reached positions", &["--from", "--out", "--overwrite"]),
            Self::Sectors => (
                "sectors as tables",
                &["--sector", "--check", "--ranked", "--run-dir", "--resume", "--anyway"],
            ),
            Self::Scores => ("scores", &["--order", "--run-dir", "--overwrite"]),
            Self::Nimbers => ("nimbers", &["--order"]),
        }
    }
}

impl Args {
    /// Returns the result to compute for the game of `solver`, after checking that the options can be combined.
    pub(super) fn work(&self, solver: &Solver) -> Result<Work> {
        let work = match self.engine {
            _ if self.score => {
                self.must_compute_scores()?;
                Work::Scores
            }
            EngineArg::Auto | EngineArg::Sets if self.nimbers => Work::Nimbers,
            _ if self.nimbers => {
                return Err(advised("nimbers are computed by sets", "omit --engine with --nimbers"));
            }
            EngineArg::Auto if !self.sector.is_empty() || self.ranks.is_given() => Work::Sectors,
            EngineArg::Auto if !self.from.is_empty() => Work::Reached,
            EngineArg::Auto if self.out.is_some() => Work::Table,
            EngineArg::Auto if suits_sectors(solver.game()) && !self.asks_for_sets() => Work::Sectors,
            EngineArg::Auto if self.may_take_reached() && suits_table(solver.game()) => Work::Table,
            EngineArg::Sets if !self.sector.is_empty() => Work::SectorSets,
            EngineArg::Auto | EngineArg::Sets => Work::Sets,
            EngineArg::Table => Work::Table,
            EngineArg::Reached => Work::Reached,
            EngineArg::Sectors => Work::Sectors,
        };
        self.must_suit(work)?;
        if work == Work::Sets {
            self.must_fit_method()?;
        }
        Ok(work)
    }

    /// Rejects engines that compute no scores.
    pub(super) fn must_compute_scores(&self) -> Result<()> {
        match self.engine {
            EngineArg::Auto | EngineArg::Sets | EngineArg::Reached => self.must_suit(Work::Scores),
            EngineArg::Table | EngineArg::Sectors => Err(advised(
                "scores are computed by sets or over reached positions",
                "omit --engine with --score, or choose --engine sets or --engine reached",
            )),
        }
    }

    /// Rejects options that do not apply to the result to compute.
    fn must_suit(&self, work: Work) -> Result<()> {
        let (name, takes) = work.takes();
        let replaces_ranks = |option: &str| option == "--overwrite" && self.ranks.is_given();
        let is_taken = |option: &&'static str| takes.contains(option) || replaces_ranks(option);
        if let Some((option, _)) = self.given().iter().find(|(option, given)| *given && !is_taken(option)) {
            return Err(advised(
                format!("{option} does not apply to {name}"),
                format!("the options for {name} are {}, --threads and --memory", takes.join(", ")),
            ));
        }
        Ok(())
    }

    /// Returns the options apart from those for the game, the engine and the resources, each with whether it is
    /// given.
    fn given(&self) -> [(&'static str, bool); 18] {
        [
            ("--method", self.method.is_some()),
            ("--plies", self.plies.is_some()),
            ("--backward-plies", self.backward_plies.is_some()),
            ("--admissible-from", self.admissible_from.is_some()),
            ("--order", self.order.is_some()),
            ("--chains", self.chains.is_some()),
            ("--keep", self.keep.is_some()),
            ("--backend", self.backend.is_some()),
            ("--units", self.units.are_asked_for()),
            ("--sector", !self.sector.is_empty()),
            ("--check", self.check),
            ("--ranked", self.ranks.is_given()),
            ("--from", !self.from.is_empty()),
            ("--out", self.out.is_some()),
            ("--run-dir", self.run_dir.is_some()),
            ("--resume", self.resume),
            ("--overwrite", self.overwrite),
            ("--anyway", self.anyway),
        ]
    }

    /// Returns whether and how draws are ranked.
    pub(super) fn ranking(&self) -> RankingChoice<'_> {
        self.ranks.choice(self.overwrite)
    }

    /// Returns `true` if the engine may be chosen by the number of reached positions, because no option requests sets or names
    /// their directory.
    pub(super) fn may_take_reached(&self) -> bool {
        self.engine == EngineArg::Auto && self.may_be_refused()
    }

    /// Returns `true` if the reached positions are solved if they are few.
    pub(super) fn may_take_few(&self) -> bool {
        self.may_take_reached() && self.from.is_empty()
    }

    /// Returns `true` if the interpreter may play rules that cannot be compiled, because all options apply to reached positions.
    pub(super) fn may_be_refused(&self) -> bool {
        let is_taken = |option: &str| Work::Reached.takes().1.contains(&option);
        matches!(self.engine, EngineArg::Auto | EngineArg::Reached)
            && !self.score
            && !self.nimbers
            && self.given().iter().all(|(option, given)| !given || is_taken(option))
    }

    /// Returns `true` if an option is given that only applies to sets.
    fn asks_for_sets(&self) -> bool {
        self.given()[..9].iter().any(|(_, given)| *given)
    }

    fn must_fit_method(&self) -> Result<()> {
        let meet = self.method == Some(MethodArg::Meet);
        if self.backward_plies.is_some() && !meet {
            return Err(advised(
                "--backward-plies only applies to a forward search that meets a backward one",
                "add --method meet",
            ));
        }
        if self.admissible_from.is_some() && !meet {
            return Err(advised("--admissible-from only applies to a forward search", "add --method meet"));
        }
        let retrograde_only =
            [("--chains", self.chains == Some(Chains::One)), ("--keep", self.keep == Some(Keep::Last))];
        if let Some((option, _)) = retrograde_only.into_iter().find(|&(_, given)| given && meet) {
            return Err(advised(
                format!("{option} only applies to retrograde analysis"),
                "omit it with --method meet",
            ));
        }
        Ok(())
    }

    /// Returns `true` if the arguments limit the work.
    pub(super) fn is_bounded(&self) -> bool {
        self.plies.is_some() || !self.sector.is_empty()
    }

    /// Returns the requested method, or `None` if the most suitable one is to be chosen.
    pub(super) fn method(&self) -> Option<Method> {
        self.method.and_then(MethodArg::method)
    }

    /// Returns the requested chains.
    pub(super) fn chains(&self) -> Chains {
        self.chains.unwrap_or_default()
    }

    /// Converts the arguments into options of the library, for a solution as sets.
    pub(super) fn options<'a>(&self, path: &Path, resources: &Resources) -> Result<Options<'a>> {
        let mut options = Options::default()
            .directory(path)
            .existing(match (self.resume, self.overwrite) {
                (true, _) => Existing::Resume,
                (_, true) => Existing::Overwrite,
                _ => Existing::Refuse,
            })
            .memory(resources.memory)
            .threads(resources.threads)
            .interrupt(Arc::clone(&resources.interrupt))
            .chains(self.chains())
            .keep(self.keep.unwrap_or_default())
            .units(self.units.sizes(self.resume.then_some(path))?)
            .units_by(self.units.by())
            .backend(self.backend.unwrap_or_default());
        if let Some(method) = self.method() {
            options = options.method(method);
        }
        if let Some(order) = &self.order {
            options = options.order(order);
        }
        if let Some(plies) = self.plies {
            options = options.plies(plies);
        }
        if let Some(plies) = self.backward_plies {
            options = options.backward_plies(plies);
        }
        Ok(match self.admissible_from {
            Some(ply) => options.admissible_from(ply),
            None => options,
        })
    }
}
