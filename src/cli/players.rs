//! Parsing of players from the command line, in the format `NAME[,KEY=VALUE...][:REST]`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::ValueEnum;
use nerode_games::Game;

use super::hints::advised;
use super::output::Output;
use super::query::{Model, model_of};
use super::solutions::{solution_at, tell_stopped};
use super::words::shell;
use crate::facade::open_solution;
use nerode_play::alphabeta::Budget;
use nerode_play::players::{ExternalProgram, PlayerKind};
use nerode_play::traps::Traps;
use nerode_solver::stored::Solution;

/// The description of players in help texts.
pub(super) const PLAYERS: &str = "perfect:DIR, ranked[,plies=2|4][,model=...]:DIR, trapping[,plies=2|4][,model=random|distance][,lower=L][,upper=U]:DIR, \
    fallible[,lower=L][,upper=U]:DIR, alphabeta[,nodes=N][,plies=N][,seconds=S], random, or external[,seconds=S]:COMMAND. DIR is a solution, or a game that is solved in 'runs'";

/// The default number of positions that the alpha-beta player searches for a move.
const USUAL_NODES: u64 = 100_000;
/// The default time that another program has for a move.
const USUAL_SECONDS: Duration = Duration::from_secs(5);

/// The solutions that players query, each opened once.
pub(super) struct Solutions<'a> {
    open: HashMap<PathBuf, Arc<Solution>>,
    out: &'a Output,
}

impl<'a> Solutions<'a> {
    /// Opens no solution yet.
    pub(super) fn new(out: &'a Output) -> Self {
        Self { open: HashMap::new(), out }
    }

    /// Returns the solution that `named` names, by its path or by its game.
    pub(super) fn open(&mut self, named: &Path) -> Result<Arc<Solution>> {
        let dir = solution_at(named, self.out)?;
        if let Some(open) = self.open.get(&dir) {
            return Ok(Arc::clone(open));
        }
        let solution = Arc::new(open_solution(&dir)?);
        tell_stopped(&solution, &dir, self.out);
        self.open.insert(dir, Arc::clone(&solution));
        Ok(solution)
    }

    /// Returns the player that `text` names. `usual` is the solution of a player that does not name one, and the game that is
    /// played.
    ///
    /// # Errors
    /// Returns an error if `text` is not a player, or if its solution is of another game than `usual`.
    pub(super) fn player(&mut self, text: &str, usual: Option<&Arc<Solution>>) -> Result<PlayerKind> {
        let (head, rest) = text.split_once(':').map_or((text, None), |(head, rest)| (head, Some(rest)));
        let mut words = head.split(',');
        let name = words.next().unwrap_or_default();
        let mut options = Options::new(text, words)?;
        let mut solution = || match (rest, usual) {
            (Some(dir), usual) if !dir.is_empty() => {
                let solution = self.open(Path::new(dir))?;
                usual.map_or(Ok(()), |usual| must_be_of(text, &solution, usual.game()))?;
                Ok(solution)
            }
            (_, Some(usual)) => Ok(Arc::clone(usual)),
            _ => Err(advised(
                format!("player '{text}' names no solution"),
                format!("name its directory or its game: {name}:DIR"),
            )),
        };
        let player = match name {
            "perfect" => PlayerKind::Perfect(solution()?),
            "ranked" => {
                let solution = solution()?;
                if !solution.ranks_draws() {
                    return Err(advised(
                        format!("player '{text}': its solution does not rank draws"),
                        how_to_rank(solution.game()),
                    ));
                }
                let traps = if options.are_given() { Some(options.traps()?) } else { None };
                PlayerKind::Ranked(solution, traps)
            }
            "trapping" => PlayerKind::Trapping(solution()?, options.traps()?),
            "fallible" => PlayerKind::Fallible(
                solution()?,
                model_of(Model::Distance, options.number("lower")?, options.number("upper")?)?,
            ),
            "alphabeta" => PlayerKind::AlphaBeta(options.budget()?),
            "random" => PlayerKind::Random,
            "external" => PlayerKind::External(options.program(rest.unwrap_or_default())?),
            _ => {
                return Err(advised(
                    format!("unknown player '{name}'"),
                    format!("the players are {PLAYERS}"),
                ));
            }
        };
        options.must_be_used()?;
        if rest.is_some() && matches!(player, PlayerKind::AlphaBeta(_) | PlayerKind::Random) {
            bail!("player '{text}': unexpected text after '{name}:'");
        }
        Ok(player)
    }
}

/// Checks that the solution of the player `text` is one of `game`.
pub(super) fn must_be_of(text: &str, solution: &Solution, game: &dyn Game) -> Result<()> {
    if solution.game().fingerprint() == game.fingerprint() {
        return Ok(());
    }
    let (found, expected) = (solution.game().spec(), game.spec());
    if found == expected {
        return Err(advised(
            format!("player '{text}' has a solution of other rules for {found}"),
            format!("'nerode solve {} --overwrite' solves the present rules", shell(found.as_ref())),
        ));
    }
    Err(advised(
        format!("two different games: player '{text}' has a solution of {found}, but the game is {expected}"),
        format!("name a solution of {expected}"),
    ))
}

/// Returns the hint for a player that needs ranked draws in `game`.
fn how_to_rank(game: &dyn Game) -> String {
    match game.sector_rules() {
        Ok(_) => format!("'nerode solve {} --ranked' creates one that does", shell(game.spec().as_ref())),
        Err(_) => "only morris games have ranked draws; 'perfect' and 'trapping' play every game".into(),
    }
}

/// The options of a player, in the format `KEY=VALUE`.
struct Options<'a> {
    text: &'a str,
    left: Vec<(&'a str, &'a str)>,
}

impl<'a> Options<'a> {
    fn new(text: &'a str, words: impl Iterator<Item = &'a str>) -> Result<Self> {
        let mut left = Vec::new();
        for word in words {
            let Some(pair) = word.split_once('=') else {
                bail!("player '{text}': '{word}' is not an option; options have the form KEY=VALUE");
            };
            left.push(pair);
        }
        Ok(Self { text, left })
    }

    fn are_given(&self) -> bool {
        !self.left.is_empty()
    }

    /// Returns the value of an option and removes it from the unused ones.
    fn take(&mut self, key: &str) -> Option<&'a str> {
        let at = self.left.iter().position(|(name, _)| *name == key)?;
        Some(self.left.remove(at).1)
    }

    fn number<T: std::str::FromStr>(&mut self, key: &str) -> Result<Option<T>> {
        let Some(value) = self.take(key) else { return Ok(None) };
        match value.parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => bail!("player '{}': '{value}' is not a valid number for {key}", self.text),
        }
    }

    fn must_be_used(&self) -> Result<()> {
        match self.left.first() {
            None => Ok(()),
            Some((key, _)) => Err(advised(
                format!("player '{}': unknown or repeated option '{key}'", self.text),
                format!("the players are {PLAYERS}"),
            )),
        }
    }

    fn traps(&mut self) -> Result<Traps> {
        let model = match self.take("model") {
            None => Model::Random,
            Some(name) => match Model::from_str(name, false) {
                Ok(model) => model,
                Err(_) => bail!("player '{}': the model must be random or distance, not '{name}'", self.text),
            },
        };
        let model = model_of(model, self.number("lower")?, self.number("upper")?)?;
        match self.number("plies")?.unwrap_or(2) {
            plies @ (2 | 4) => Ok(Traps { model, plies }),
            plies => bail!("player '{}': plies must be 2 or 4, not {plies}", self.text),
        }
    }

    fn budget(&mut self) -> Result<Budget> {
        let (nodes, plies, time) = (self.number("nodes")?, self.number("plies")?, self.seconds()?);
        let usual = if plies.is_some() || time.is_some() { u64::MAX } else { USUAL_NODES };
        let budget = Budget::of_nodes(nodes.unwrap_or(usual));
        Ok(Budget { plies: plies.unwrap_or(budget.plies), time, ..budget })
    }

    /// Returns the time for a move.
    fn seconds(&mut self) -> Result<Option<Duration>> {
        let Some(seconds) = self.number("seconds")? else { return Ok(None) };
        match Duration::try_from_secs_f64(seconds).ok().filter(|limit| !limit.is_zero()) {
            None => bail!("player '{}': '{seconds}' is not a valid number of seconds for a move", self.text),
            limit => Ok(limit),
        }
    }

    fn program(&mut self, command: &str) -> Result<ExternalProgram> {
        let limit = self.seconds()?.unwrap_or(USUAL_SECONDS);
        let Some(command) = shlex::split(command).filter(|words| !words.is_empty()) else {
            return Err(advised(
                format!("player '{}' names no program", self.text),
                "name it as in a shell: external:'PROGRAM ARGUMENTS'",
            ));
        };
        Ok(ExternalProgram { command, limit })
    }
}
