//! The command `nerode compare GAME|RUN_DIR|TABLE`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::builder::PossibleValuesParser;
use nerode_games::Game;
use schemars::JsonSchema;
use serde::Serialize;

use super::hints::advised;
use super::output::{Columns, Outcome, Output, Progress, grouped, per_byte};
use super::resources::ResourceArgs;
use super::sectors::compare_sectors;
use super::solutions::{default_path, existing_solution, tell};
use super::words::shell;
use crate::registry;
use nerode_morris::compressed::FormKind;
use nerode_morris::tables::SectorDir;
use nerode_solver::archive::run_dir::{Request, RunDir};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::archive::table::keyed::KeyedTable;
use nerode_solver::error::{Error, Lack};
use nerode_solver::forms::compare::{Form, Row, Step, compare, compare_table, must_be_comparable};
use nerode_solver::run::{Existing, solve};
use nerode_solver::solve::choose::needs_sectors;
use nerode_solver::solve::method::Method;
use nerode_solver::solve::resources::Resources;

/// Arguments of `compare`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// A run directory; a table of reached positions; a directory of sectors; or a game. Of a game, the forms are those of its
    /// retrograde run in 'runs', which covers all positions, so the game is solved there by this method first if necessary, unless
    /// its solution there is a table or sectors
    game_or_run_dir: String,
    /// The sectors whose forms are compared, in a directory of sectors [default: all]
    #[arg(long, value_delimiter = ',')]
    sector: Vec<String>,
    /// Compare only these forms, such as automata,zstd [default: all]
    #[arg(long, value_delimiter = ',', value_name = "FORMS", value_parser = form_names())]
    forms: Vec<String>,
    #[command(flatten)]
    resources: ResourceArgs,
}

/// Returns the value parser of `--forms`, which accepts the forms of runs and those of sectors.
fn form_names() -> PossibleValuesParser {
    let mut names: Vec<&str> = FormKind::ALL.map(FormKind::name).into_iter().collect();
    names.extend(Form::ALL.map(Form::name));
    names.sort_unstable();
    names.dedup();
    PossibleValuesParser::new(names)
}

/// Returns the `named` forms among `all` without duplicates, or all if none are named. `name` returns the name of a form, and
/// `of` names what has these forms.
///
/// # Errors
/// Returns an error if a form is not among them.
fn wanted<F: Copy>(named: &[String], all: &[F], name: fn(F) -> &'static str, of: &str) -> Result<Vec<F>> {
    let is_known = |named: &&String| all.iter().any(|&form| name(form) == named.as_str());
    if let Some(other) = named.iter().find(|named| !is_known(named)) {
        let known: Vec<&str> = all.iter().map(|&form| name(form)).collect();
        return Err(advised(
            format!("'{other}' is not a form of {of}"),
            format!("{of} have the forms {}", known.join(", ")),
        ));
    }
    let is_wanted = |&form: &F| named.is_empty() || named.iter().any(|named| named == name(form));
    Ok(all.iter().copied().filter(is_wanted).collect())
}

/// The forms of a run: size, and time of a look-up.
#[derive(JsonSchema, Serialize)]
pub(super) struct Compared {
    /// The game with its parameters, such as `breakthrough:4x5`.
    game: String,
    /// The forms.
    forms: Vec<Row>,
    /// Requested forms that were not measured because the comparison was interrupted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<&'static str>,
}

/// The columns of the rows, which are printed one by one.
const COLUMNS: Columns<6> = Columns([
    ("form", 15),
    ("bytes", 19),
    ("positions/byte", 14),
    ("look-up ns", 10),
    ("build s", 8),
    ("note", 0),
]);

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let resources = args.resources.resolve()?;
    let progress = out.progress("compare");
    let given = Path::new(&args.game_or_run_dir);
    // Runs are found, or made, below.
    let is_other = |path: &PathBuf| {
        SectorDir::exists(path) || path.is_file() && KeyedTable::is_one(path).unwrap_or(false)
    };
    let path = existing_solution(given).filter(is_other).unwrap_or_else(|| given.into());
    if SectorDir::exists(&path) {
        let kinds = wanted(&args.forms, &FormKind::ALL, FormKind::name, "sectors")?;
        return compare_sectors(&path, &args.sector, &kinds, &resources, &progress, out);
    }
    if !args.sector.is_empty() {
        bail!("--sector applies to directories of sectors, and {} is not one", path.display());
    }
    let forms = wanted(&args.forms, &Form::ALL, Form::name, "runs")?;
    if path.is_file() && KeyedTable::is_one(&path)? {
        let table = KeyedTable::open(&path, registry())?;
        let about = (table.game.spec(), "the reached positions");
        print_all(about, &forms, &progress, out, &mut |forms, tell| {
            compare_table(&table, &resources, forms, tell)
        })?;
        return Ok(Outcome::Done);
    }
    let path = match registry().open(&args.game_or_run_dir) {
        Ok(game) if !RunDir::exists(&path) => solved(game, &shell(&path), &resources, &progress, out)?,
        // An argument that is neither a game nor an existing path is a misspelt game name.
        Err(error) if !path.exists() => return Err(error.into()),
        _ => path,
    };
    let solution = StoredRun::open_with(&path, registry())?.with_memory(resources.memory);
    must_be_comparable(&solution)?;
    let covered = match solution.method() {
        Method::Retrograde => "both sides",
        Method::Meet => "the reached positions",
    };
    print_all((solution.game.spec(), covered), &forms, &progress, out, &mut |forms, tell| {
        compare(&solution, &resources, forms, tell)
    })?;
    Ok(Outcome::Done)
}

/// Measures forms, and calls its second argument with every step.
type Measure<'a> = dyn FnMut(&[Form], &mut dyn FnMut(Step) -> Result<bool>) -> Result<()> + 'a;

/// Measures the forms and prints each row as soon as it is available. Rows already printed stay valid if the
/// comparison is interrupted.
fn print_all(
    (game, covered): (String, &str),
    forms: &[Form],
    progress: &Progress,
    out: &Output,
    measure: &mut Measure<'_>,
) -> Result<()> {
    out.part(|| format!("{game}, win/draw/loss of {covered}\n{}", COLUMNS.header()))?;
    let mut rows: Vec<Row> = Vec::new();
    let measured = measure(forms, &mut |step| -> Result<bool> {
        match step {
            Step::Begun(form) => {
                progress.item(form.to_string(), rows.len(), forms.len());
                Ok(true)
            }
            Step::Done(row) => {
                let goes_on = out.part(|| COLUMNS.row(&cells(&row)));
                rows.push(row);
                goes_on
            }
        }
    });
    progress.finish();
    let missing: Vec<&str> = forms.iter().skip(rows.len()).map(|form| form.name()).collect();
    let printed = match missing.is_empty() {
        true => Ok(true),
        false => out.part(|| format!("not measured: {}\n", missing.join(", "))),
    };
    let printed = printed.and_then(|_| out.document(&Compared { game, forms: rows, missing }));
    // The error that occurred first is reported.
    measured.and(printed)
}

/// Returns the directory of the game's solution, and solves the game if the directory does not exist. Rejects games
/// whose solution could not be compared.
fn solved(
    game: Arc<dyn Game>,
    named: &str,
    resources: &Resources,
    progress: &Progress,
    out: &Output,
) -> Result<PathBuf> {
    if needs_sectors(game.as_ref()) {
        return Err(Error::NotForGame { game: game.spec(), lack: Lack::WholeSets }.into());
    }
    let request = Request::new(game.as_ref(), Method::Retrograde, None, None);
    let plain = default_path(game.as_ref(), "");
    // A run of another kind under the default name is left unchanged.
    let path = match RunDir::open(&plain) {
        Ok(run) if *run.request() != request => plain.with_extension("retrograde"),
        _ => plain,
    };
    if !RunDir::exists(&path) {
        tell(game.as_ref(), out);
    }
    out.continue_in(format!("nerode compare {named}"), &path);
    solve(game, request, &path, Existing::Resume, resources, &mut |done| progress.ply(done))?;
    Ok(path)
}

fn cells(row: &Row) -> [String; 6] {
    let dash = || "-".to_string();
    [
        row.form.clone(),
        row.bytes.map_or_else(dash, grouped),
        row.positions_per_byte.map_or_else(dash, per_byte),
        row.lookup_ns.map_or_else(dash, |ns| format!("{ns:.0}")),
        row.build_seconds.map_or_else(dash, |seconds| format!("{seconds:.2}")),
        row.note.clone(),
    ]
}
