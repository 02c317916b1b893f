//! `nerode export RUN_DIR`.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::ValueEnum;
use nerode_dfa::{Dfa, ValueMap};
use nerode_games::Side;
use serde::Serialize;

use super::output::{Outcome, Output, grouped};
use super::resources::ResourceArgs;
use super::sectors::export_sectors;
use crate::archive::files::write_atomic;
use crate::archive::stored_run::StoredRun;
use crate::archive::table::{TableHeader, write_table};
use crate::error::Error;
use crate::explicit::Indexer;
use crate::forms::tabulate::runs;
use crate::morris::tables::SectorDir;
use crate::report::export::{Format, rows_of, write_rows};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// Value and depth of every position, our checksummed table file
    Table,
    /// Value and depth of every position as text
    Csv,
    /// Value and depth of every position as a NumPy array
    Npy,
    /// Value and depth of every position as Parquet (a build with --features parquet)
    Parquet,
    /// A set as a Graphviz drawing
    Dot,
    /// A set as a finite-state acceptor in AT&T text, as OpenFst reads it
    Fst,
    /// Sectors of a morris game as Malom's strong files, under Malom's names, into the folder --out
    Sec,
}

/// Arguments of `export`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The run directory of a solved game
    run_dir: PathBuf,
    /// Format of the file
    #[arg(long, value_enum)]
    format: FormatArg,
    /// The set to draw or write as an acceptor, as manifest.json names it [default: the last W of P1]
    #[arg(long)]
    set: Option<String>,
    /// The file to write, or the folder for Malom's files
    #[arg(long)]
    out: PathBuf,
    /// The sectors to write as Malom's files [default: all of the directory]
    #[arg(long, value_delimiter = ',')]
    sector: Vec<String>,
    #[command(flatten)]
    resources: ResourceArgs,
}

#[derive(Serialize)]
struct Written {
    game: String,
    file: PathBuf,
    /// Rows of a table, states of a set.
    rows: u64,
    bytes: u64,
}

/// Most states that a drawing may have: Graphviz does not lay out more in a time that anyone waits.
const MAX_DOT_STATES: usize = 5000;

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    if SectorDir::exists(&args.run_dir) != (args.format == FormatArg::Sec) {
        bail!("sectors of morris games are exported with --format sec, and only they are");
    }
    if args.format == FormatArg::Sec {
        let resources = args.resources.resolve()?;
        return export_sectors(&args.run_dir, &args.sector, &args.out, &resources, out);
    }
    let solution = StoredRun::open(&args.run_dir)?;
    let (rows, bytes) = match args.format {
        FormatArg::Sec => bail!("sectors are exported from a directory of sectors"),
        FormatArg::Dot | FormatArg::Fst => automaton(&solution, args)?,
        FormatArg::Table => positions(&solution, args, None)?,
        FormatArg::Csv => positions(&solution, args, Some(Format::Csv))?,
        FormatArg::Npy => positions(&solution, args, Some(Format::Npy))?,
        FormatArg::Parquet => positions(&solution, args, Some(Format::Parquet))?,
    };
    let game = solution.game.spec();
    out.result(&Written { game, file: args.out.clone(), rows, bytes }, |w| {
        format!(
            "{}: {} rows, {} bytes\n",
            w.file.display(),
            grouped(u128::from(w.rows)),
            grouped(u128::from(w.bytes))
        )
    })?;
    Ok(Outcome::Done)
}

/// Codes of every position of both sides, in index order, to a table or to rows.
fn positions(solution: &StoredRun, args: &Args, format: Option<Format>) -> Result<(u64, u64)> {
    let game = solution.game.as_ref();
    let resources = args.resources.resolve()?;
    let indexer = Indexer::new(game, &game.spec())?;
    let maps = Side::BOTH.map(|side| solution.value_map(side, &resources));
    let [first, second] = maps;
    let (first, second) = (first?, second?);
    let codes = |map| codes(solution, map, &indexer);
    let num_positions = indexer.num_positions();
    match format {
        None => {
            let header = TableHeader::of(game)?;
            let bytes = write_table(&args.out, &header, codes(&first), codes(&second))?;
            Ok((2 * num_positions, bytes))
        }
        Some(format) => {
            let rows = |side, map| rows_of(game, &indexer, side, codes(map), format.shows_positions());
            let all = rows(Side::P1, &first).chain(rows(Side::P2, &second));
            let exported = write_rows(&args.out, format, num_positions, all)?;
            Ok((exported.rows, exported.bytes))
        }
    }
}

fn codes<'a>(
    solution: &StoredRun,
    map: &'a ValueMap,
    indexer: &Indexer,
) -> impl Iterator<Item = crate::error::Result<u16>> + 'a {
    let runs = runs(solution.game.as_ref(), map, indexer);
    // Runs are as long as what fits in 64 bits of index; repeating a code is what a table does.
    runs.flat_map(|(code, len)| (0..len).map(move |_| Ok(code)))
}

/// One set, drawn or as an acceptor; returns its states and the bytes written.
fn automaton(solution: &StoredRun, args: &Args) -> Result<(u64, u64)> {
    let sets = &solution.run.manifest.sets;
    let name = args.set.clone().unwrap_or_else(|| {
        // Plies beyond 999 have longer names.
        let last = |prefix: &str| {
            sets.keys().filter(|k| k.starts_with(prefix)).max_by_key(|k| (k.len(), *k)).cloned()
        };
        last("RW-P1-").or_else(|| last("W-P1-")).unwrap_or_default()
    });
    let Some(entry) = sets.get(&name) else {
        let known: Vec<&str> = sets.keys().map(String::as_str).collect();
        bail!("the run has no set '{name}'; it has {}", known.join(", "));
    };
    let dfa = solution.run.read(entry)?;
    if args.format == FormatArg::Dot && dfa.num_states() > MAX_DOT_STATES {
        bail!(
            "{name} has {} states; a drawing may have {MAX_DOT_STATES}; take a set of an earlier ply with --set, or \
             --format fst",
            dfa.num_states()
        );
    }
    let states = write_automaton(solution, &dfa, args, &args.out)?;
    let bytes = std::fs::metadata(&args.out)?.len();
    Ok((states, bytes))
}

fn write_automaton(solution: &StoredRun, dfa: &Dfa, args: &Args, path: &Path) -> crate::error::Result<u64> {
    let layers = solution.game.layers();
    write_atomic(path, |w| {
        let written = if args.format == FormatArg::Dot {
            let label = |layer: usize, letter: u8| layers[layer].letters[usize::from(letter)].clone();
            dfa.write_dot(w, label).map(|()| dfa.num_states() as u64)
        } else {
            dfa.write_att(w)
        };
        written.and_then(|n| w.flush().map(|()| n)).map_err(|e| Error::io(path, e))
    })
}
