//! The command `nerode export RUN_DIR`.

use std::cell::Cell;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::ValueEnum;
use nerode_dfa::{Dfa, ValueMap};
use nerode_games::{Game, LayerInfo, Side};
use schemars::JsonSchema;
use serde::Serialize;

use super::destination::{Destination, Sent};
use super::hints::advised;
use super::output::{Outcome, Output, Progress, counted, grouped};
use super::resources::ResourceArgs;
use super::sectors::{Exporting, export_sectors};
use super::solutions::stored_solution;
use crate::registry;
use nerode_morris::malom::Kind;
use nerode_oracle::Indexer;
use nerode_report::export::{
    Format, Order, Row, Watched, foreseen_bytes, foreseen_bytes_by_ply, put_rows, rows_of, rows_of_keys,
    rows_of_ply,
};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::archive::table::keyed::KeyedTable;
use nerode_solver::archive::table::reached::{Listing, put_reached};
use nerode_solver::archive::table::{TableHeader, put_table};
use nerode_solver::archive::{Contents, kind_of};
use nerode_solver::error::Error;
use nerode_solver::forms::tabulate::runs;
use nerode_solver::solve::method::Method;
use nerode_solver::solve::resources::Resources;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatArg {
    /// Value and depth of every position as a table file with checksums. For a run by meet in the middle, this and the next
    /// three formats list only the reached positions
    Table,
    /// Value and depth of every position as text
    Csv,
    /// Value and depth of every position as a NumPy array
    Npy,
    /// Value and depth of every position as Parquet
    #[cfg_attr(not(feature = "parquet"), value(hide = true))]
    Parquet,
    /// A set as a Graphviz drawing
    Dot,
    /// A set as a finite-state acceptor in the AT&T text format, which OpenFst reads
    Fst,
    /// Sectors of a morris game as Malom's strong files, under Malom's names in the folder --out
    Sec,
    /// Ranked sectors of a morris game as Malom's ultra-strong files, with the required list of sector values
    Sec2,
}

impl FormatArg {
    /// Returns the kind of Malom file, if it is one.
    fn malom(self) -> Option<Kind> {
        match self {
            Self::Sec => Some(Kind::Strong),
            Self::Sec2 => Some(Kind::Ultra),
            _ => None,
        }
    }
}

/// Arguments of `export`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The run directory of a solved game, or a table of reached positions; for --format sec and sec2, a directory of sectors; or a
    /// game that is solved in 'runs'
    run_dir: PathBuf,
    /// The format of the file
    #[arg(long, value_enum)]
    format: FormatArg,
    /// The set to draw or write as an acceptor, by its name in manifest.json [default: the last W of P1]
    #[arg(long)]
    set: Option<String>,
    /// The file to write, '-' for standard output, or the folder for Malom's files
    #[arg(long)]
    out: PathBuf,
    /// Replace an existing file
    #[arg(long)]
    overwrite: bool,
    /// The sectors to write as Malom's files; 'malom' for all sectors of Malom's database [default: all in the directory]
    #[arg(long, value_delimiter = ',')]
    sector: Vec<String>,
    #[command(flatten)]
    resources: ResourceArgs,
}

/// A file written for other programs.
#[derive(JsonSchema, Serialize)]
pub(super) struct Written {
    /// The game with its parameters, such as `breakthrough:4x5`.
    game: String,
    /// The path of the file, or `-` for standard output.
    file: PathBuf,
    /// The number of rows of a table, or of states of a set.
    rows: u64,
    /// The size of the file in bytes.
    bytes: u64,
    /// The number of rows of each ply in a list of reached positions, or null.
    plies: Option<Vec<u64>>,
    /// The digits of the index of a board, the most significant one first, if every board has a row for either side; otherwise null.
    index: Option<Vec<Digit>>,
}

/// A digit of the index of a board.
#[derive(JsonSchema, Serialize)]
struct Digit {
    /// The cell.
    label: String,
    /// The contents of the cell that the digits 0, 1, ... stand for. Their order may differ from that of letters.
    contents: Vec<String>,
}

/// Returns the digits of the index of a board of `game`.
fn digits(game: &dyn Game, indexer: &Indexer) -> Vec<Digit> {
    let mut cells: Vec<_> = game.cell_of_layer().iter().copied().zip(game.layers()).collect();
    cells.sort_by_key(|(cell, _)| *cell);
    let of = |(digits, (_, layer)): (Vec<u8>, (usize, LayerInfo))| {
        let mut contents: Vec<(u8, String)> = digits.into_iter().zip(layer.letters).collect();
        contents.sort();
        Digit { label: layer.label, contents: contents.into_iter().map(|(_, content)| content).collect() }
    };
    indexer.digits().into_iter().zip(cells).map(of).collect()
}

/// The formats for rows, of which this program may lack the last one.
const ROW_FORMATS: &str = if cfg!(feature = "parquet") { "csv, npy and parquet" } else { "csv and npy" };

/// The number of rows between two progress reports.
const STRETCH: u64 = 1 << 16;

/// The maximum number of sets that an error message lists.
const LISTED_SETS: usize = 12;

/// The maximum number of states in a drawing: Graphviz takes unreasonably long to lay out more.
const MAX_DOT_STATES: usize = 5000;

pub(super) fn run(mut args: Args, out: &Output) -> Result<Outcome> {
    args.run_dir = stored_solution(&args.run_dir)?;
    let args = &args;
    let resources = args.resources.resolve()?;
    if args.set.is_some() && !matches!(args.format, FormatArg::Dot | FormatArg::Fst) {
        bail!("--set applies to --format dot and fst; the other formats list positions");
    }
    if args.format == FormatArg::Parquet && !cfg!(feature = "parquet") {
        return Err(Error::NotBuilt { feature: "parquet" }.into());
    }
    if let Some(kind) = args.format.malom() {
        if let Some(other) = kind_of(&args.run_dir).filter(|kind| *kind != Contents::Sectors) {
            return Err(advised(
                format!(
                    "--format {} exports tables of sectors, and {} contains {other}",
                    kind.extension(),
                    args.run_dir.display()
                ),
                format!("the formats for runs are table, dot, fst, {ROW_FORMATS}"),
            ));
        }
        if args.out.is_file() {
            return Err(advised(
                format!("{}: this is a file, not a folder", args.out.display()),
                "Malom's files are written into a folder, which is created if necessary: name one with --out",
            ));
        }
        let work = Exporting {
            run_dir: &args.run_dir,
            sectors: &args.sector,
            folder: &args.out,
            overwrite: args.overwrite,
            kind,
        };
        return export_sectors(&work, &resources, out);
    }
    if kind_of(&args.run_dir) == Some(Contents::Sectors) {
        return Err(advised(
            format!(
                "{} contains sectors of a morris game, which this format cannot represent",
                args.run_dir.display()
            ),
            "the formats for sectors are sec and sec2; 'nerode pack' makes smaller files of them for nerode itself",
        ));
    }
    if !args.sector.is_empty() {
        bail!("--sector applies only to --format sec and sec2");
    }
    let destination = Destination::of(&args.out, args.overwrite)?;
    let progress = out.progress("export");
    let format = match args.format {
        FormatArg::Csv => Some(Format::Csv),
        FormatArg::Npy => Some(Format::Npy),
        FormatArg::Parquet => Some(Format::Parquet),
        _ => None,
    };
    let is_table = kind_of(&args.run_dir).is_none() && args.run_dir.is_file();
    if is_table && KeyedTable::is_one(&args.run_dir)? {
        let Some(format) = format else {
            return Err(advised(
                format!("{} is a table already, and contains no sets", args.run_dir.display()),
                format!("the formats for tables of reached positions are {ROW_FORMATS}"),
            ));
        };
        let table = KeyedTable::open(&args.run_dir, registry())?;
        table.verify_digest()?;
        let sent = listed(&table, &destination, format, &resources)?;
        progress.finish();
        return report(args, table.game.spec(), sent, (None, None), &destination, out);
    }
    let solution = StoredRun::open_with(&args.run_dir, registry())?.with_memory(resources.memory);
    let (mut plies, mut index) = (None, None);
    let sent = if matches!(args.format, FormatArg::Dot | FormatArg::Fst) {
        automaton(&solution, args, &destination)?
    } else if solution.method() == Method::Meet {
        let (sent, counts) = reached(&solution, &destination, format, &resources, &progress)?;
        plies = Some(counts);
        sent
    } else {
        let indexer = Indexer::new(solution.game.as_ref(), &solution.game.spec()).map_err(Error::from)?;
        index = Some(digits(solution.game.as_ref(), &indexer));
        positions(&solution, &indexer, &destination, format, &resources, &progress)?
    };
    progress.finish();
    report(args, solution.game.spec(), sent, (plies, index), &destination, out)
}

/// Prints what was written, unless the reader of standard output has gone.
fn report(
    args: &Args,
    game: String,
    sent: Option<Sent<u64>>,
    (plies, index): (Option<Vec<u64>>, Option<Vec<Digit>>),
    destination: &Destination,
    out: &Output,
) -> Result<Outcome> {
    let Some(Sent { value: rows, bytes }) = sent else { return Ok(Outcome::Done) };
    let written = Written { game, file: args.out.clone(), rows, bytes, plies, index };
    let say = |written: &Written| text(written, args.format);
    match destination {
        Destination::File { .. } => out.result(&written, say)?,
        Destination::StandardOutput => out.result_aside(&written, say)?,
    }
    Ok(Outcome::Done)
}

fn text(w: &Written, format: FormatArg) -> String {
    let (one, many) = match format {
        FormatArg::Dot | FormatArg::Fst => ("state", "states"),
        _ => ("row", "rows"),
    };
    let counts = [counted(w.rows.into(), one, many), counted(w.bytes.into(), "byte", "bytes")];
    format!("{}: {}\n", w.file.display(), counts.join(", "))
}

/// Writes the codes of all positions of both sides, in index order, as a table or as rows.
fn positions(
    solution: &StoredRun,
    indexer: &Indexer,
    destination: &Destination,
    format: Option<Format>,
    resources: &Resources,
    progress: &Progress,
) -> Result<Option<Sent<u64>>> {
    solution.must_be_finished()?;
    solution.must_have_maps(true)?;
    let game = solution.game.as_ref();
    let header = TableHeader::of(game)?;
    progress.message("reading the sets".into());
    let [first, second] = Side::BOTH.map(|side| solution.value_map(side, resources));
    let (first, second) = (first?, second?);
    progress.message("rows".into());
    let order = Order::Boards(indexer.num_positions());
    let written = Cell::new(0_u64);
    let codes = |map| {
        codes(game, map, indexer, resources).inspect(|_| {
            let done = written.get() + 1;
            written.set(done);
            if done.is_multiple_of(STRETCH) {
                progress.steps(done, order.num_rows());
            }
        })
    };
    let pool = resources.pool()?;
    // A table has two bytes per row, as an array does.
    let bytes = foreseen_bytes(format.unwrap_or(Format::Npy), game, indexer);
    let fill = |file: &mut (dyn Write + Send), path: &Path| match format {
        None => put_table(file, path, &header, codes(&first), codes(&second)).map(|_| order.num_rows()),
        Some(format) => {
            let rows = |side, map| rows_of(game, indexer, side, codes(map), format.shows_positions(), &pool);
            let all = rows(Side::P1, &first).chain(rows(Side::P2, &second));
            put_rows(file, path, format, order, all)
        }
    };
    write_watched(destination, resources, bytes, fill)
}

/// Writes the reached positions of a run by meet in the middle, ply by ply, as a table or as rows. Returns their number
/// at each ply.
fn reached(
    solution: &StoredRun,
    destination: &Destination,
    format: Option<Format>,
    resources: &Resources,
    progress: &Progress,
) -> Result<(Option<Sent<u64>>, Vec<u64>)> {
    let scratch = match destination {
        Destination::File { path, .. } => path.parent().map(|folder| Path::new(".").join(folder)),
        Destination::StandardOutput => None,
    };
    let scratch = scratch.unwrap_or_else(std::env::temp_dir);
    let mut steps = |done, total| progress.steps(done, total);
    let listing = Listing::new(solution, &scratch, resources, &mut steps)?;
    let game = solution.game.as_ref();
    let counts: Vec<u64> = listing.counts().collect();
    let bytes = foreseen_bytes_by_ply(format.unwrap_or(Format::Npy), game, &counts);
    let sent = write_watched(destination, resources, bytes, |file, path| {
        let Some(format) = format else { return put_reached(file, path, &listing, resources) };
        type Rows<'a> = Box<dyn Iterator<Item = nerode_solver::error::Result<Row>> + 'a>;
        let rows = (0..counts.len() as u32).flat_map(|ply| -> Rows<'_> {
            match resources.must_go_on().and_then(|()| listing.ply(ply)) {
                Ok(list) => Box::new(rows_of_ply(game, list, format.shows_positions()).map(Ok)),
                Err(error) => Box::new(std::iter::once(Err(error))),
            }
        });
        put_rows(file, path, format, Order::Plies(&counts), rows)
    })?;
    Ok((sent, counts))
}

/// Writes the positions of a table of reached positions as rows.
fn listed(
    table: &KeyedTable,
    destination: &Destination,
    format: Format,
    resources: &Resources,
) -> Result<Option<Sent<u64>>> {
    let count = table.header().num_positions;
    let bytes = foreseen_bytes_by_ply(format, table.game.as_ref(), &[count]);
    write_watched(destination, resources, bytes, |file, path| {
        let rows = rows_of_keys(table, format.shows_positions())?;
        let rows = rows.map(|row| resources.must_go_on().and(row));
        put_rows(file, path, format, Order::Keys(count), rows)
    })
}

/// Writes to a destination with `fill`. Before the disk is full, writing a file of about `bytes` bytes ends with an error.
fn write_watched(
    destination: &Destination,
    resources: &Resources,
    bytes: u64,
    fill: impl FnOnce(&mut (dyn Write + Send), &Path) -> nerode_solver::error::Result<u64>,
) -> Result<Option<Sent<u64>>> {
    destination.write(|file, path| match destination {
        Destination::StandardOutput => fill(file, path),
        Destination::File { .. } => fill(&mut Watched::new(file, path, &resources.disk, bytes)?, path),
    })
}

fn codes<'a>(
    game: &dyn Game,
    map: &'a ValueMap,
    indexer: &Indexer,
    resources: &'a Resources,
) -> impl Iterator<Item = nerode_solver::error::Result<u16>> + 'a {
    // Runs can be as long as a 64-bit index allows, while a table needs each code repeated.
    let codes = runs(game, map, indexer).flat_map(|(code, len)| (0..len).map(move |_| code));
    codes.map(|code| resources.must_go_on().map(|()| code))
}

/// Writes one set as a drawing or as an acceptor, and returns its number of states.
fn automaton(solution: &StoredRun, args: &Args, destination: &Destination) -> Result<Option<Sent<u64>>> {
    let run = &solution.run;
    let name = args.set.clone().unwrap_or_else(|| {
        // Plies beyond 999 have longer names.
        let last = |prefix: &str| {
            let names = run.sets().map(|(name, _)| name).filter(|name| name.starts_with(prefix));
            names.max_by_key(|name| (name.len(), *name)).map(str::to_string)
        };
        last("RW-P1-").or_else(|| last("W-P1-")).unwrap_or_default()
    });
    let Some(entry) = run.entry_named(&name) else {
        let some: Vec<&str> = run.sets().map(|(name, _)| name).take(LISTED_SETS).collect();
        let more = run.sets().count().checked_sub(LISTED_SETS).filter(|more| *more > 0);
        let more = more.map_or(String::new(), |more| format!(" and {more} more"));
        bail!("the run has no set '{name}'; it has {}{more}", some.join(", "));
    };
    let dfa = solution.read_entry(entry)?;
    if args.format == FormatArg::Dot && dfa.num_states() > MAX_DOT_STATES {
        bail!(
            "{name} has {}, and a drawing may have at most {}; choose a set of an earlier ply \
                 with --set, or use --format fst",
            counted(dfa.num_states() as u128, "state", "states"),
            grouped(MAX_DOT_STATES as u128)
        );
    }
    destination.write(|file, path| write_automaton(solution, &dfa, args.format, file, path))
}

fn write_automaton(
    solution: &StoredRun,
    dfa: &Dfa,
    format: FormatArg,
    mut file: &mut (dyn Write + Send),
    path: &Path,
) -> nerode_solver::error::Result<u64> {
    let layers = solution.game.layers();
    let label = |layer: usize, letter: u8| layers[layer].letters[usize::from(letter)].clone();
    let written = match format {
        FormatArg::Dot => dfa.write_dot(&mut file, label).map(|()| dfa.num_states() as u64),
        _ => dfa.write_att(&mut file),
    };
    written.map_err(|e| Error::io(path, e))
}
