//! The command line: one file per command, each with its arguments and a function `run`.
//!
//! Results go to standard output, progress and errors to standard error. The exit codes are 0 for success, 1 if a
//! check found a mismatch, 2 for errors in usage, input or I/O, and 130 and 143 after Ctrl-C and SIGTERM. Only
//! [`main`] and a signal end the process.

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Result;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use output::{Early, Output, OutputArgs};

mod analyse;
mod bounds;
mod check;
mod choices;
mod compare;
mod destination;
mod diff;
#[cfg(feature = "serve")]
mod engine;
mod estimate;
mod examples;
mod export;
mod games;
mod hints;
mod import;
mod info;
mod interrupt;
mod line;
mod list;
#[cfg(feature = "serve")]
mod log;
mod man;
mod matches;
mod memory;
mod order;
mod output;
mod pack;
mod perft;
mod plan;
mod play;
mod players;
#[cfg(feature = "plots")]
mod plot;
mod prove;
mod query;
mod ranked;
mod reach;
mod resources;
mod resume;
mod rules;
mod schema;
mod sectors;
#[cfg(feature = "serve")]
mod serve;
mod signals;
#[cfg(feature = "serve")]
mod site;
mod solutions;
mod solve;
mod stats;
mod unit;
mod usage;
mod verify;
mod words;

pub use output::Outcome;

/// Strongly solves board games as regular languages.
#[derive(Debug, Parser)]
#[command(name = "nerode", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List game families, parameters and defaults
    Games,
    /// Describe a game (board, letters, rules), or the contents and progress of a directory
    Info(info::Args),
    /// List the solutions in a folder, with their sizes and states
    List(list::Args),
    /// Check the rules of a game in a file, and report errors or a summary
    Check(check::Args),
    /// Count moves and positions by ply from the start
    ///
    /// The column 'moves' counts sequences of moves. 'results' counts moves that lead to the same position only once, and 'positions'
    /// counts positions. 'ended' counts the sequences of moves after which the game is over.
    Perft(perft::Args),
    /// Compare letter orders by the number of states of a solution, and search for better ones
    Order(order::Args),
    /// Solve a game as sets, as one table, by reached positions, by sectors, or for its scores
    Solve(solve::Args),
    /// Resume an unfinished solve with its original options, and recompute damaged files
    Resume(resume::Args),
    /// Count reachable positions by ply
    Reach(reach::Args),
    /// Show value, depth and every move of a position, or of many positions from standard input
    Query(query::Args),
    /// Show best play from a position to the end of the game
    Line(line::Args),
    /// Play a solved game in the terminal, with hints and a record
    Play(play::Args),
    /// Serve solutions to browsers and other programs
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    /// Write a site of static files that shows solutions in a browser without a service
    #[cfg(feature = "serve")]
    Site(site::Args),
    /// Answer other programs over standard input and output
    #[cfg(feature = "serve")]
    Engine(engine::Args),
    /// Show what each move of a recorded game gave away
    Analyse(analyse::Args),
    /// Play a match of many games between two players, from short openings and with both colours
    Match(matches::Args),
    /// List the work units on which sectors of a morris game depend, each after its own dependencies
    Plan(plan::Args),
    /// Solve one work unit of a morris game from the files of its dependencies, or compute units of a ply for another
    /// process
    Unit(unit::Args),
    /// Check a solution: a run, sectors or a table
    Verify(verify::Args),
    /// Export a solution for other programs: positions as a table, or a set as an automaton
    Export(export::Args),
    /// Import databases of a morris game by other programs into a directory of sectors
    Import(import::Args),
    /// Pack the values of a solved game into few bytes: one automaton per side or ply for a run, one per sector for a
    /// morris game
    Pack(pack::Args),
    /// Search for what a solution lacks about early positions, and store it for 'query': bounds of values in sectors of a morris
    /// game, or exact depths in a run from the start
    Bounds(bounds::Args),
    /// Search for the value of a position that a run of a limited number of plies has not decided
    Prove(prove::Args),
    /// Compare forms of a solution: bytes, positions per byte, look-up time
    Compare(compare::Args),
    /// Compare two solutions for the same boards, such as those of two sets of rules
    Diff(diff::Args),
    /// Estimate what solving a game would take, or what the next ply of a run would decide
    Estimate(estimate::Args),
    /// Summarise a solution: its sizes, its longest wins, and its growth by ply and by layer
    Stats(stats::Args),
    /// Plot how solutions grow, by ply or against each other, and fit power laws
    #[cfg(feature = "plots")]
    Plot(plot::Args),
    /// Print the JSON Schemas of the documents that --json prints
    Schema(schema::Args),
    /// Write the manual pages
    Man(man::Args),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let early = Early::look(&arguments);
    let mut program = examples::with_examples(Cli::command()).color(early.choice());
    let parsed = usage::must_be_text(&mut program, &arguments);
    let parsed = parsed.and_then(|()| program.try_get_matches_from_mut(&arguments)).and_then(|matches| {
        let (command, threads) = (name_of(&matches), threads_of(&matches));
        Cli::from_arg_matches(&matches).map(|cli| (command, threads, cli))
    });
    match parsed {
        Ok((command, threads, cli)) => carry_out(command, threads, cli),
        Err(error) => {
            let error = usage::with_tip(error, &arguments);
            let names: Vec<String> = program.get_subcommands().map(|c| c.get_name().to_string()).collect();
            let command = output::command_among(&arguments, &names);
            ExitCode::from(output::print_usage(&error, &early, command.as_deref()))
        }
    }
}

/// Returns the words that name the command.
fn name_of(matches: &ArgMatches) -> String {
    match matches.subcommand() {
        Some((name, within)) => format!("{name} {}", name_of(within)).trim_end().to_string(),
        None => String::new(),
    }
}

/// Returns the number of threads that the command was given.
fn threads_of(matches: &ArgMatches) -> Option<u16> {
    match matches.subcommand() {
        Some((_, within)) => threads_of(within),
        None => matches.try_get_one("threads").ok().flatten().copied(),
    }
}

/// Runs the command and reports errors.
fn carry_out(command: String, threads: Option<u16>, cli: Cli) -> ExitCode {
    let out = Arc::new(Output::new(command, &cli.output));
    if let Some(said) = threads.and_then(resources::too_many_threads) {
        out.note(&said);
    }
    match signals::install(&out).and_then(|()| run(cli.command, &out)) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Mismatch) => ExitCode::from(1),
        Err(error) => {
            let error = Some(&error)
                .filter(|error| hints::is_interruption(error))
                .and_then(solve::instead_of)
                .unwrap_or(error);
            let error = hints::clearer(error);
            out.error(&error, hints::hint(&error, out.continuation()).as_deref());
            ExitCode::from(interrupt::exit_code().filter(|_| hints::is_interruption(&error)).unwrap_or(2))
        }
    }
}

fn run(command: Command, out: &Output) -> Result<Outcome> {
    match command {
        Command::Games => games::run(out),
        Command::Info(args) => info::run(&args, out),
        Command::List(args) => list::run(&args, out),
        Command::Check(args) => check::run(&args, out),
        Command::Perft(args) => perft::run(&args, out),
        Command::Order(args) => order::run(&args, out),
        Command::Solve(args) => solve::run(args, out),
        Command::Resume(args) => resume::run(args, out),
        Command::Reach(args) => reach::run(&args, out),
        Command::Query(args) => query::run(&args, out),
        Command::Line(args) => line::run(&args, out),
        Command::Play(args) => play::run(&args, out),
        Command::Analyse(args) => analyse::run(&args, out),
        Command::Match(args) => matches::run(&args, out),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(&args, out),
        #[cfg(feature = "serve")]
        Command::Site(args) => site::run(&args, out),
        #[cfg(feature = "serve")]
        Command::Engine(args) => engine::run(&args, out),
        Command::Plan(args) => plan::run(&args, out),
        Command::Unit(args) => unit::run(&args, out),
        Command::Verify(args) => verify::run(args, out),
        Command::Export(args) => export::run(args, out),
        Command::Import(args) => import::run(&args, out),
        Command::Pack(args) => pack::run(args, out),
        Command::Bounds(args) => bounds::run(args, out),
        Command::Prove(args) => prove::run(&args, out),
        Command::Compare(args) => compare::run(&args, out),
        Command::Diff(args) => diff::run(args, out),
        Command::Estimate(args) => estimate::run(&args, out),
        Command::Stats(args) => stats::run(&args, out),
        #[cfg(feature = "plots")]
        Command::Plot(args) => plot::run(&args, out),
        Command::Schema(args) => schema::run(&args),
        Command::Man(args) => man::run(&args, Cli::command(), out),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "nerode", &mut script);
            output::print(&script).map(|()| Outcome::Done)
        }
    }
}
