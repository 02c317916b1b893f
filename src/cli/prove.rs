//! The command `nerode prove RUN [POSITION]`, which searches for the value of a position that an unfinished run has not decided, and
//! checks certificates of such values.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use schemars::JsonSchema;
use serde::Serialize;

use super::destination::{Destination, is_standard_output};
use super::output::{Count, Outcome, Output, counted, duration, grouped};
use super::query::seconds;
use super::resources::ResourceArgs;
use super::solutions::solution_at;
use crate::registry;
use nerode_dfa::disk;
use nerode_report::lines::Known;
use nerode_report::position::position_of;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::depth::Deadline;
use nerode_solver::outcome::{Depth, Evaluation, Outcome as Value};
use nerode_solver::prove::{Proving, Sought, StrategySize, Target, check_certificate, prove};
use nerode_solver::solve::resources::Resources;

/// Arguments of `prove`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The directory of a retrograde run, finished or not; or a game that is solved in 'runs'
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The position in the notation of 'nerode info'; '_' counts as a space; 'start' is the start position [default: start]
    position: Vec<String>,
    /// Also prove positions that the rules of the game exclude
    #[arg(long)]
    any: bool,
    /// Stop after this many seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<Duration>,
    /// Write a certificate of the value to this file: the moves of a strategy, which --check checks without a search
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Replace an existing certificate
    #[arg(long, requires = "certificate")]
    overwrite: bool,
    /// Keep the search in this file, and continue the one that it contains. It is written every ten minutes and at the end
    #[arg(long, value_name = "FILE")]
    search: Option<PathBuf>,
    /// Check a certificate by the rules and the sets of the run, without a search
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "any", "seconds", "certificate", "search"])]
    check: Option<PathBuf>,
    #[command(flatten)]
    resources: ResourceArgs,
}

/// What a search has shown about a position.
#[derive(JsonSchema, Serialize)]
pub(super) struct Proof {
    /// The game with its parameters, such as `breakthrough:6x6`.
    game: String,
    /// The hash of the rules.
    fingerprint: String,
    #[serde(flatten)]
    known: Known,
    /// The ply i of the sets `W_i` and `L_i` in which the search ended.
    ply: u32,
    /// The size of the tables of these sets in bytes, in memory or in files.
    set_bytes: u64,
    /// Whether the time was over before the value was proved, or null for a check.
    out_of_time: Option<bool>,
    /// The number of positions that the search entered, or null for a check.
    nodes: Option<Count>,
    /// The certificate that was written or checked, or null.
    certificate: Option<Certificate>,
    /// The elapsed time in seconds, which includes reading the sets.
    seconds: f64,
    #[serde(skip)]
    board: String,
}

/// A certificate: a strategy of one side, or of both if the position is drawn.
#[derive(JsonSchema, Serialize)]
struct Certificate {
    /// The file.
    file: PathBuf,
    /// The size of the file in bytes.
    bytes: u64,
    /// The number of positions without a known value, each counted once.
    positions: Count,
    /// The number of positions among them in which the strategy has a move.
    choices: Count,
    /// The number of moves that lead to a position in the sets or to the end of the game.
    leaves: Count,
    /// For a check, the first mistake, or null if the certificate proves the value.
    mistake: Option<String>,
}

impl Certificate {
    fn new(file: &Path, size: StrategySize, mistake: Option<String>) -> Result<Self> {
        let bytes = disk::metadata(file).with_context(|| format!("cannot read {}", file.display()))?.len();
        let [positions, choices, leaves] =
            [size.positions, size.choices, size.leaves].map(|number| Count(number.into()));
        Ok(Self { file: file.into(), bytes, positions, choices, leaves, mistake })
    }
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let resources = args.resources.resolve()?;
    let dir = solution_at(&args.dir, out)?;
    let run = StoredRun::open_with(&dir, registry())?.with_memory_for_search(resources.memory).so_far()?;
    if let Some(file) = &args.check {
        return check(&run, file, &resources, out);
    }
    if let Some(file) = &args.certificate {
        if is_standard_output(file) {
            bail!("standard output cannot hold a certificate; name a file");
        }
        Destination::of(file, args.overwrite)?;
    }
    if args.search.as_deref().is_some_and(is_standard_output) {
        bail!("standard output cannot hold a search; name a file");
    }
    let game = run.game.as_ref();
    let position = match args.position.as_slice() {
        [] => game.start_position(),
        words => position_of(game, &words.join(" "), args.any)?,
    };
    let progress = out.progress("search");
    let began = Instant::now();
    let mut watch = |now: Sought| {
        if now.choices > 0 {
            return progress.so_far(format!(
                "the value is proved, {} in the certificate, {} visited",
                moves(now.choices),
                counted(now.nodes.into(), "position", "positions")
            ));
        }
        let share = 100.0 * now.table.0 as f64 / now.table.1.max(1) as f64;
        progress.so_far(format!(
            "{} visited, {share:.0} % of the table in use, proof number {}, disproof number {}",
            counted(now.nodes.into(), "position", "positions"),
            grouped(now.open.0.into()),
            grouped(now.open.1.into())
        ));
    };
    let deadline = args.seconds.map_or(Deadline::NEVER, Deadline::after);
    let certificate = args.certificate.as_deref().map(|path| Target { path, overwrite: args.overwrite });
    let proving = Proving { resources: &resources, deadline, certificate, kept: args.search.as_deref() };
    let proved = prove(&run, &position, proving, &mut watch);
    progress.finish();
    let proved = proved?;
    let value = proved.value.map_or(Value::Unknown, |value| Value::new(value, Depth::Unknown));
    let proof = Proof {
        game: game.spec(),
        fingerprint: game.fingerprint(),
        known: Known::new(game, &position, &Evaluation::of(Some(value))),
        ply: proved.ply,
        set_bytes: proved.set_bytes,
        out_of_time: Some(proved.is_out_of_time && proved.value.is_none()),
        nodes: Some(Count(proved.nodes.into())),
        certificate: match (&args.certificate, proved.strategy) {
            (Some(file), Some(size)) => Some(Certificate::new(file, size, None)?),
            _ => None,
        },
        seconds: began.elapsed().as_secs_f64(),
        board: game.draw(&position),
    };
    if args.certificate.is_some() && proof.certificate.is_none() {
        out.warn("the value is not proved, so no certificate was written");
    }
    out.result(&proof, text)?;
    Ok(Outcome::Done)
}

/// Returns a number of moves of a certificate.
fn moves(number: u64) -> String {
    counted(number.into(), "move", "moves")
}

/// Checks a certificate.
fn check(run: &StoredRun, file: &Path, resources: &Resources, out: &Output) -> Result<Outcome> {
    let began = Instant::now();
    let progress = out.progress("check");
    let mut watch = |choices| progress.so_far(format!("{} played", moves(choices)));
    let checked = check_certificate(run, file, resources, &mut watch);
    progress.finish();
    let checked = checked?;
    let is_proof = checked.mistake.is_none();
    let game = run.game.as_ref();
    let value = if is_proof { Value::new(checked.value, Depth::Unknown) } else { Value::Unknown };
    let proof = Proof {
        game: game.spec(),
        fingerprint: game.fingerprint(),
        known: Known::new(game, &checked.position, &Evaluation::of(Some(value))),
        ply: checked.ply,
        set_bytes: checked.set_bytes,
        out_of_time: None,
        nodes: None,
        certificate: Some(Certificate::new(file, checked.size, checked.mistake)?),
        seconds: began.elapsed().as_secs_f64(),
        board: game.draw(&checked.position),
    };
    out.result(&proof, text)?;
    Ok(if is_proof { Outcome::Done } else { Outcome::Mismatch })
}

fn text(proof: &Proof) -> String {
    let mut text = format!(
        "{}\n\n{}\n{}\n{} to move: {}\n",
        proof.game,
        proof.board.trim_end(),
        proof.known.position,
        proof.known.side,
        proof.known.value_text()
    );
    let sets = format!(
        "the sets of ply {} ({} expanded)",
        grouped(u128::from(proof.ply)),
        counted(proof.set_bytes.into(), "byte", "bytes")
    );
    let seconds = duration(proof.seconds);
    if let Some(nodes) = &proof.nodes {
        text += &format!(
            "{} visited in {seconds}, ending in {sets}\n",
            counted(nodes.0, "position", "positions")
        );
    }
    if proof.nodes.is_some() && proof.known.category == "unknown" {
        text += match proof.out_of_time {
            Some(true) => {
                "the time was over: --seconds allows more, --search FILE keeps the search, and sets of later plies shorten it\n"
            }
            _ => {
                "the search is complete, but a proof would have to repeat positions: sets of later plies may decide it\n"
            }
        };
    }
    let Some(certificate) = &proof.certificate else { return text };
    let size = format!(
        "{}, {} of them with a chosen move, {}",
        counted(certificate.positions.0, "position", "positions"),
        grouped(certificate.choices.0),
        counted(certificate.leaves.0, "leaf", "leaves")
    );
    let (file, bytes) = (certificate.file.display(), counted(certificate.bytes.into(), "byte", "bytes"));
    text + &match (&proof.nodes, &certificate.mistake) {
        (Some(_), _) => format!("certificate: {file}, {bytes}, {size}\n"),
        (None, None) => format!("{file} proves this: {size}; checked in {seconds} against {sets}\n"),
        (None, Some(mistake)) => format!("{file} proves nothing: {mistake}; checked so far: {size}\n"),
    }
}
