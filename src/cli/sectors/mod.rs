//! Code that the commands for sectors of morris games share: names of sectors, and counts as text and JSON.

pub(super) mod compare;
pub(super) mod export;
mod foreign;
mod missing;
pub(super) mod pack;
mod set_counts;
pub(super) mod sets_stats;
mod share;
pub(super) mod stats;

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{Result, bail};
use nerode_games::morris::Rules;
use schemars::JsonSchema;
use serde::Serialize;

use super::hints::advised;
use super::output::{Count, counted, grouped, table};
use super::words::shell;
use nerode_morris::malom::listed;
use nerode_morris::tables::ask::SectorSolution;
use nerode_morris::tables::{Sector, SectorCounts, roots_of};
use nerode_report::run::Start;

pub(super) use compare::compare_sectors;
pub(super) use export::{Exporting, export_sectors};
pub(super) use foreign::{MalomFile, import_command, malom_files};
pub(super) use missing::{must_be_closed, nothing_to_do, tell_missing, tell_open};
pub(super) use pack::{Packing, pack_sectors};
pub(super) use set_counts::{SetCounts, TITLES};
pub(super) use sets_stats::sets_stats;
pub(super) use share::Share;
pub(super) use stats::sector_stats;

/// Describes the start position and its value.
pub(super) fn start_text(start: &Start) -> String {
    let depth = start.dtw.map_or(String::new(), |plies| format!(" in {plies}"));
    format!("{} to move: {}{depth}", start.side, start.category)
}

/// The name of the sector of the empty board, for `--sector`.
const START: &str = "start";
/// The name that stands for all sectors of Malom's database of the game.
const MALOM: &str = "malom";

/// Returns sectors by name. `start` is the sector of the empty board, and `malom` stands for the sectors on which all
/// of Malom's sectors depend. Rejects sectors with more stones than the game has.
pub(super) fn sectors_named(rules: &Rules, names: &[String]) -> Result<Vec<Sector>> {
    named(rules, names, |listed| roots_of(rules, listed))
}

/// Returns sectors by name. `of_list` returns the sectors for which `malom` stands.
fn named(
    rules: &Rules,
    names: &[String],
    of_list: impl Fn(&BTreeSet<Sector>) -> Vec<Sector>,
) -> Result<Vec<Sector>> {
    let mut sectors = Vec::new();
    for name in names {
        match name.as_str() {
            START => sectors.push(Sector::of(rules.start())),
            MALOM => sectors.extend(of_list(&listed(rules)?)),
            name => sectors.push(has_stones(rules, name.parse()?)?),
        }
    }
    Ok(sectors)
}

/// Returns the sector if the sides have enough stones for it, on the board and in hand together. Either side may be
/// to move.
fn has_stones(rules: &Rules, sector: Sector) -> Result<Sector> {
    let sums = [(sector.own, sector.own_hand), (sector.other, sector.other_hand)];
    let [own, other] = sums.map(|(board, hand)| u16::from(board) + u16::from(hand));
    let [first, second] = rules.stones.map(u16::from);
    if own <= first && other <= second || own <= second && other <= first {
        return Ok(sector);
    }
    match first == second {
        true => bail!(
            "sector {sector} does not exist: the game has {first} stones per side, on the board and in hand"
        ),
        false => bail!(
            "sector {sector} does not exist: the sides have {first} and {second} stones, on the board and in hand"
        ),
    }
}

/// Returns the named sectors, which must exist, or all sectors of the directory.
pub(super) fn sectors_or_all(solution: &SectorSolution, names: &[String]) -> Result<Vec<Sector>> {
    match names {
        [] => Ok(solution.dir.sectors()?.into_iter().map(|file| file.sector).collect()),
        names => {
            let sectors = named(&solution.rules, names, |listed| listed.iter().copied().collect())?;
            if names.iter().any(|name| name == MALOM) {
                must_have_list(solution, &sectors)?;
            }
            sectors.iter().try_for_each(|&sector| solution.must_have(sector))?;
            Ok(sectors)
        }
    }
}

/// Rejects a directory that lacks some of Malom's sectors, with the command that solves all of them.
fn must_have_list(solution: &SectorSolution, sectors: &[Sector]) -> Result<()> {
    let is_missing = |sector: &&Sector| !solution.dir.file(**sector).is_file();
    let missing: Vec<&Sector> = sectors.iter().filter(is_missing).collect();
    let Some(first) = missing.first() else { return Ok(()) };
    let (dir, game) = (solution.dir.path(), solution.game.spec());
    Err(advised(
        format!(
            "{} of the {} are not in {}; the first is {first}",
            grouped(missing.len() as u128),
            counted(sectors.len() as u128, "sector of Malom's list", "sectors of Malom's list"),
            dir.display()
        ),
        format!("'nerode solve {game} --sector {MALOM} --run-dir {}' solves them", shell(dir)),
    ))
}

/// The counts of one sector, for the side to move. Symmetric positions count once.
#[derive(JsonSchema, Serialize)]
pub(super) struct SectorLine {
    /// The sector: the stones on the board of the side to move and of the other side, then the stones in hand of both,
    /// such as `4-3-0-0`.
    pub(super) sector: String,
    /// The number of positions.
    orbits: Count,
    /// The number of won positions.
    win: Count,
    /// The number of drawn positions.
    draw: Count,
    /// The number of lost positions.
    loss: Count,
    /// Wins, draws and losses as percentages of the positions.
    #[schemars(with = "[Option<f64>; 3]")]
    percent: [f64; 3],
    /// The number of plies of the longest win, or null if there is none.
    longest_win: Option<usize>,
    /// The number of plies of the longest loss, or null if there is none.
    longest_loss: Option<usize>,
    /// The file of the sector.
    pub(super) file: PathBuf,
    /// The size of the file in bytes.
    pub(super) bytes: u64,
}

impl SectorLine {
    pub(super) fn new(sector: Sector, counts: &SectorCounts, file: PathBuf, bytes: u64) -> Self {
        let (longest_win, longest_loss) = counts.longest();
        let three = [counts.wins(), counts.draws, counts.losses()];
        let percent = |n: u64| (n as f64 / counts.num_positions as f64 * 10_000.0).round() / 100.0;
        Self {
            sector: sector.to_string(),
            orbits: counts.num_positions.into(),
            win: three[0].into(),
            draw: three[1].into(),
            loss: three[2].into(),
            percent: three.map(percent),
            longest_win,
            longest_loss,
            file,
            bytes,
        }
    }

    /// Returns the longest win and the longest loss in plies, or a dash.
    pub(super) fn longest(&self) -> [String; 2] {
        [self.longest_win, self.longest_loss]
            .map(|longest| longest.map_or_else(|| "-".to_string(), |plies| plies.to_string()))
    }
}

/// Formats sectors as columns.
pub(super) fn sector_table(lines: &[SectorLine]) -> String {
    let rows: Vec<Vec<String>> = lines
        .iter()
        .map(|line| {
            let percent = line.percent.map(|p| format!("{p:.2}")).join(" / ");
            let counts = [line.orbits, line.win, line.draw, line.loss].map(|count| grouped(count.0));
            let longest = line.longest();
            [line.sector.clone()].into_iter().chain(counts).chain([percent]).chain(longest).collect()
        })
        .collect();
    table(&["sector", "orbits", "win", "draw", "loss", "percent", "longest win", "loss"], &rows)
}
