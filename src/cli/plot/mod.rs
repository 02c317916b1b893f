//! The command `nerode plot SOLUTION…`, which plots how solutions grow.

mod sources;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::ValueEnum;
use clap::builder::{PathBufValueParser, TypedValueParser};
use schemars::JsonSchema;
use serde::Serialize;

use super::destination::{Destination, is_standard_output};
use super::hints::advised;
use super::output::{Count, Outcome, Output, table};
use super::resources::MemoryArg;
use nerode_report::growth::{
    Axes, Fit, Growth, Measure, Row, Step, by_positions, fits, panels, significant, title, write,
};
use nerode_report::plot::{Format, draw};
use nerode_solver::error::Error;

/// Arguments of `plot`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Solutions: directories of runs, of searches from the start, of sectors or of scores; games that are solved in 'runs'; or
    /// CSV files that --csv wrote
    #[arg(value_name = "SOLUTION", required = true)]
    solutions: Vec<PathBuf>,
    /// The x axis: plies (or sectors), a number on a logarithmic scale, or the layers of the largest sets [default: ply, or
    /// positions with --fit]
    #[arg(long, value_enum)]
    x: Option<Across>,
    /// The y axes, logarithmic, each in a panel of its own [default: new (or positions) and states by ply; otherwise states]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "MEASURES")]
    y: Vec<Up>,
    /// Only these series, such as W-P1,L-P1 or RW
    #[arg(long, value_delimiter = ',', value_name = "SETS")]
    sets: Vec<String>,
    /// Fit a power law to each series: its factor and exponent, and the residual
    #[arg(long)]
    fit: bool,
    /// The file of the plot, with the ending .svg, .png or .pdf; '-' writes SVG to standard output
    #[arg(long, value_name = "FILE", value_parser = plot_file())]
    out: Option<PathBuf>,
    /// Write the numbers to a CSV file, or with '-' to standard output
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
    /// Replace existing files
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    memory: MemoryArg,
}

/// The x axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Across {
    Ply,
    Positions,
    States,
    Layer,
}

impl Across {
    fn measure(self) -> Option<Measure> {
        match self {
            Self::Ply | Self::Layer => None,
            Self::Positions => Some(Measure::Positions),
            Self::States => Some(Measure::States),
        }
    }
}

/// A y axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Up {
    /// Positions that a ply adds
    New,
    Positions,
    States,
    Bytes,
    /// Seconds, from a CSV file that has them
    Seconds,
}

impl Up {
    fn measure(self) -> Measure {
        match self {
            Self::New => Measure::New,
            Self::Positions => Measure::Positions,
            Self::States => Measure::States,
            Self::Bytes => Measure::Bytes,
            Self::Seconds => Measure::Seconds,
        }
    }
}

/// Returns the value parser of `--out`, which rejects files of other formats.
fn plot_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match format_of(&path) {
        Some(_) => Ok(path),
        None => Err("plots are SVG, PNG or PDF files; name a file that ends in .svg, .png or .pdf"),
    })
}

fn format_of(path: &Path) -> Option<Format> {
    if is_standard_output(path) {
        return Some(Format::Svg);
    }
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "svg" => Some(Format::Svg),
        "png" => Some(Format::Png),
        "pdf" => Some(Format::Pdf),
        _ => None,
    }
}

/// The numbers of a set at a step.
#[derive(JsonSchema, Serialize)]
struct Line {
    /// The name of the series of sets.
    set: String,
    /// The number of the step.
    step: u32,
    /// The name of the step.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    /// The number of positions that the step adds.
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<Count>,
    /// The number of positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<Count>,
    /// The number of states.
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<Count>,
    /// The size of the files in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<Count>,
    /// The time in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

impl Line {
    fn new(row: &Row) -> Self {
        Self {
            set: row.set.clone(),
            step: row.step,
            label: row.label.clone(),
            new: row.new.map(Count),
            positions: row.positions.map(Count),
            states: row.states.map(Count),
            bytes: row.bytes.map(Count),
            seconds: row.seconds,
        }
    }
}

/// The numbers of a solution.
#[derive(JsonSchema, Serialize)]
struct Numbers {
    /// The game with its parameters, or another name of the solution.
    solution: String,
    /// What the rows follow: `ply`, `sector` or `layer`.
    step: String,
    /// The numbers, by set and step.
    rows: Vec<Line>,
}

/// A plot: its numbers, its fits, and the files that were written.
#[derive(JsonSchema, Serialize)]
pub(super) struct Plotted {
    /// The numbers of each solution.
    solutions: Vec<Numbers>,
    /// The power laws y = c x^e, with `--fit`.
    #[serde(skip_serializing_if = "Option::is_none")]
    fits: Option<Vec<Fit>>,
    /// The file of the plot.
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<PathBuf>,
    /// The file of the numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    csv: Option<PathBuf>,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    if args.out.is_none() && args.csv.is_none() && !args.fit {
        return Err(advised(
            "plot writes nothing without --out, --csv or --fit",
            "name the file of the plot with --out FILE.svg",
        ));
    }
    let is_printed = |path: &Option<PathBuf>| path.as_deref().is_some_and(is_standard_output);
    if is_printed(&args.out) && is_printed(&args.csv) {
        bail!("--out and --csv cannot both write to standard output");
    }
    let destination = |path: &Option<PathBuf>| {
        path.as_deref().map(|path| Destination::of(path, args.overwrite)).transpose()
    };
    let (plot, csv) = (destination(&args.out)?, destination(&args.csv)?);
    let x = args.x.unwrap_or(if args.fit { Across::Positions } else { Across::Ply });
    if args.fit && x.measure().is_none() {
        bail!("--fit needs an x axis of numbers: --x positions or --x states");
    }
    let growths = sources::growths(&args.solutions, x == Across::Layer, args.memory.resolve()?.memory, out)?;
    let growths = with_sets(growths, &args.sets)?;
    let axes = axes(args, x, &growths)?;
    if let Some((csv, path)) = csv.zip(args.csv.as_ref()) {
        csv.write(|file, _| write(&growths, file, path))?;
    }
    let shown = if x == Across::Positions { by_positions(&growths) } else { growths.clone() };
    let fits =
        x.measure().filter(|_| args.fit).map(|x| axes.y.iter().flat_map(|&y| fits(&shown, x, y)).collect());
    if fits.as_ref().is_some_and(Vec::is_empty) {
        return Err(advised(
            "no series has two points, so that a law could be fitted",
            "of a retrograde run, only the last sets count: name several solutions, or a search from the start that 'nerode reach --run-dir' stored",
        ));
    }
    if let Some((plot, path)) = plot.zip(args.out.as_ref()) {
        let format = format_of(path).unwrap_or(Format::Svg);
        let bytes = draw(&title(&growths), &panels(&shown, &axes), format)?;
        plot.write(|file, name| file.write_all(&bytes).map_err(|e| Error::io(name, e)))?;
    }
    let plotted = Plotted {
        solutions: growths.iter().map(numbers).collect(),
        fits,
        out: args.out.clone(),
        csv: args.csv.clone(),
    };
    match is_printed(&args.out) || is_printed(&args.csv) {
        true if args.fit => out.result_aside(&plotted, text)?,
        true => out.document_aside(&plotted),
        false => out.result(&plotted, text)?,
    }
    Ok(Outcome::Done)
}

fn numbers(growth: &Growth) -> Numbers {
    Numbers {
        solution: growth.solution.clone(),
        step: growth.step.to_string(),
        rows: growth.rows.iter().map(Line::new).collect(),
    }
}

/// Keeps the series with these names, or all if none are named.
fn with_sets(mut growths: Vec<Growth>, names: &[String]) -> Result<Vec<Growth>> {
    let mut known: Vec<&str> = growths.iter().flat_map(Growth::sets).collect();
    known.sort_unstable();
    known.dedup();
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(advised(
            format!("the solutions have no sets {name}"),
            format!("their sets are {}", known.join(", ")),
        ));
    }
    if !names.is_empty() {
        growths.iter_mut().for_each(|growth| growth.retain_sets(names));
        growths.retain(|growth| !growth.rows.is_empty());
    }
    Ok(growths)
}

/// Returns the axes that the arguments select, with the default measures of these solutions.
fn axes(args: &Args, x: Across, growths: &[Growth]) -> Result<Axes> {
    let has = |measure: Measure| growths.iter().any(|growth| growth.measures().contains(&measure));
    let steps = |step| growths.iter().any(|growth| growth.step == step);
    if steps(Step::Sector) && (steps(Step::Ply) || steps(Step::Layer)) && x.measure().is_none() {
        bail!("sectors and plies cannot share an axis; plot them with --x positions, or one after the other");
    }
    let mut y: Vec<Measure> = args.y.iter().map(|y| y.measure()).collect();
    y.dedup();
    if y.is_empty() {
        let first = [Measure::New, Measure::Positions].into_iter().find(|&measure| has(measure));
        y.extend(first.filter(|_| x == Across::Ply));
        y.extend([Measure::States, Measure::Bytes].into_iter().find(|&measure| has(measure)));
    }
    let needed = y.iter().copied().chain(x.measure());
    if let Some(missing) = needed.into_iter().find(|&measure| !has(measure)) {
        let known: Vec<&str> =
            Measure::ALL.into_iter().filter(|&measure| has(measure)).map(Measure::name).collect();
        return Err(advised(
            format!("the solutions have no {}", missing.name()),
            format!("they have {}", known.join(", ")),
        ));
    }
    Ok(Axes { x: x.measure(), y, has_fits: args.fit })
}

fn text(plotted: &Plotted) -> String {
    let mut text = String::new();
    if let Some(fits) = &plotted.fits {
        let row = |fit: &Fit| {
            let mut row = vec![fit.solution.clone(), fit.set.clone(), fit.y.to_string()];
            row.push(format!("{} {}^{:.4}", significant(fit.coefficient), fit.x, fit.exponent));
            row.push(format!("{:.4}", fit.residual));
            row.push(fit.points.to_string());
            row.extend([fit.exponent_at_greatest_y, fit.exponent_at_greatest_x].map(|e| format!("{e:.4}")));
            row
        };
        let header = ["solution", "set", "measure", "law", "residual", "points", "e at most", "e at most x"];
        text += &table(&header, &fits.iter().map(row).collect::<Vec<_>>());
        text += "\nThe residual is in decades. The last two columns are log y / log x of the row with the greatest y, and of that with the \
                 greatest x.\n";
    }
    for (name, path) in [("plot", &plotted.out), ("csv", &plotted.csv)] {
        if let Some(path) = path {
            text += &format!("{name}: {}\n", path.display());
        }
    }
    text
}
