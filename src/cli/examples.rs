//! Examples of every command, for help texts and manual pages.

use clap::Command;

/// A command line, and what it does.
type Example = (&'static str, &'static str);

/// Examples by command.
pub(super) const EXAMPLES: &[(&str, &[Example])] = &[
    ("games", &[("nerode games --json", "List the games as a JSON document")]),
    (
        "info",
        &[
            ("nerode info breakthrough:4x5", "State the rules and the notation of a game"),
            ("nerode info runs/breakthrough_4x5", "Describe a solution"),
        ],
    ),
    ("list", &[("nerode list runs", "List the solutions that 'solve' has created")]),
    ("check", &[("nerode check dodgem.rbg", "Report errors in the rules of a file")]),
    (
        "perft",
        &[
            ("nerode perft breakthrough:4x5 --depth 5", "Count the moves of five plies"),
            ("nerode perft dodgem.rbg --depth 5", "Count the moves of five plies by the rules in a file"),
        ],
    ),
    ("order", &[("nerode order connect:4x4", "Compare the letter orders of a game")]),
    (
        "solve",
        &[
            ("nerode solve breakthrough:4x5", "Solve a game into runs/breakthrough_4x5"),
            ("nerode solve connect:6x5 --memory 4GiB", "Solve within four gibibytes of memory"),
            (
                "nerode solve morris:nine --sector 3-3-0-0",
                "Solve the morris positions with three stones a side",
            ),
        ],
    ),
    ("resume", &[("nerode resume runs/breakthrough_4x5", "Continue an interrupted solve")]),
    ("reach", &[("nerode reach connect:5x5", "Count the positions that play reaches, by ply")]),
    (
        "query",
        &[
            ("nerode query breakthrough:4x5", "Show the value of the start and of every move"),
            ("nerode query runs/breakthrough_4x5 '1bbb/4/1wb1/1ww1/4 w'", "Show the value of a position"),
            ("nerode query runs/breakthrough_4x5 --batch", "Answer one position per line of standard input"),
        ],
    ),
    ("line", &[("nerode line breakthrough:4x5", "Show best play from the start")]),
    ("play", &[("nerode play breakthrough:4x5 --computer p1", "Play the second side against perfect play")]),
    ("serve", &[("nerode serve runs", "Show all solutions of a folder in a browser")]),
    ("site", &[("nerode site runs --out public", "Write a site for all solutions of a folder")]),
    ("engine", &[("nerode engine runs/breakthrough_4x5", "Answer another program over a pipe")]),
    (
        "analyse",
        &[("nerode analyse runs/breakthrough_4x5 game.txt", "Show what each move of a game gave away")],
    ),
    (
        "match",
        &[("nerode match perfect:runs/breakthrough_4x5 random", "Play perfect play against random moves")],
    ),
    ("plan", &[("nerode plan morris:six", "List the work units of a morris game")]),
    (
        "unit",
        &[
            (
                "nerode unit morris:six 3-3-0-0 --run-dir six",
                "Solve one work unit, in a directory that is created if necessary",
            ),
            ("nerode unit six 4-3-0-0", "Solve another one in the same directory"),
            (
                "nerode unit runs/breakthrough_5x6 --wait",
                "Compute units of a solve with --units-by until it is finished",
            ),
        ],
    ),
    (
        "verify",
        &[
            ("nerode verify runs/breakthrough_4x5", "Check every set against the rules"),
            (
                "nerode verify runs/breakthrough_4x5 --sample 1000",
                "Check random positions against the plain rules",
            ),
        ],
    ),
    (
        "export",
        &[
            (
                "nerode export runs/breakthrough_4x4 --format csv --out positions.csv",
                "List every position with its value",
            ),
            (
                "nerode export nine --format sec --sector 3-3-0-0 --out malom",
                "Write a sector of a morris game as Malom's file in the folder malom",
            ),
        ],
    ),
    (
        "import",
        &[(
            "nerode import morris:nine std_3_3_0_0.sec2 --run-dir nine",
            "Read a database by another program",
        )],
    ),
    ("pack", &[("nerode pack runs/breakthrough_4x5", "Pack the values of a run")]),
    ("bounds", &[("nerode bounds six --placements 2", "Bound the values of early positions")]),
    (
        "prove",
        &[
            (
                "nerode prove runs/breakthrough_6x6 --seconds 3600",
                "Search an hour for the value of the start",
            ),
            (
                "nerode prove runs/breakthrough_5x5 --certificate start.proof",
                "Prove the value of the start, and write a strategy that shows it",
            ),
            (
                "nerode prove runs/breakthrough_5x5 --check start.proof",
                "Check the strategy, without a search",
            ),
        ],
    ),
    ("compare", &[("nerode compare runs/breakthrough_4x4", "Compare forms of a solution by size and speed")]),
    (
        "diff",
        &[
            ("nerode diff nine lasker", "Compare two sets of rules for one board"),
            ("nerode diff runs/connect_4x4 unfinished", "Compare a finished run with an unfinished one"),
        ],
    ),
    ("estimate", &[("nerode estimate connect:6x6", "Estimate the time, memory and disk space of a solve")]),
    ("stats", &[("nerode stats runs/breakthrough_4x5 --plies", "Show the sizes of the sets by ply")]),
    (
        "plot",
        &[
            ("nerode plot runs/breakthrough_4x5 --out growth.svg", "Plot new positions and states by ply"),
            (
                "nerode plot runs/breakthrough_4x4 runs/breakthrough_4x5 --x positions --fit --out law.pdf",
                "Plot states against positions with power laws",
            ),
        ],
    ),
    ("schema", &[("nerode schema query", "Print the JSON Schema of an answer")]),
    ("man", &[("nerode man ~/.local/share/man/man1", "Install the manual pages")]),
    ("completions", &[("nerode completions bash", "Print the completion script for bash")]),
];

/// First steps, for the help text of the program.
const FIRST_STEPS: &[Example] = &[
    ("nerode games", "List the games"),
    ("nerode play tictactoe", "Play against perfect play; a small game is solved first"),
    ("nerode solve breakthrough:4x5", "Solve a game into runs/breakthrough_4x5"),
    ("nerode query breakthrough:4x5", "Show the value of the start and of every move"),
    ("nerode help solve", "Describe a command and its options"),
];

/// Adds the examples to the help text of every command, and the first steps to that of the program.
pub(super) fn with_examples(mut program: Command) -> Command {
    for (name, examples) in EXAMPLES {
        if program.find_subcommand(name).is_some() {
            program = program.mut_subcommand(name, |command| command.after_help(text(examples)));
        }
    }
    program.after_help(text(FIRST_STEPS))
}

fn text(examples: &[Example]) -> String {
    let rows = examples.iter().map(|(line, what)| format!("  {line}\n      {what}"));
    format!("Examples:\n{}", rows.collect::<Vec<_>>().join("\n"))
}

/// Returns the examples of a command.
pub(super) fn of(command: &str) -> &'static [Example] {
    EXAMPLES.iter().find(|(name, _)| *name == command).map_or(&[], |(_, examples)| examples)
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn every_command_has_examples_that_parse() {
        for command in Cli::command().get_subcommands() {
            assert!(!of(command.get_name()).is_empty(), "{} has no example", command.get_name());
        }
        for (line, _) in FIRST_STEPS.iter().filter(|(line, _)| !line.contains(" help ")) {
            assert!(Cli::try_parse_from(shlex::split(line).unwrap()).is_ok(), "{line}");
        }
        for (name, examples) in EXAMPLES {
            for (line, _) in *examples {
                let words = shlex::split(line).unwrap();
                assert_eq!(words[..2], ["nerode", name], "{line}");
                let parsed = Cli::try_parse_from(&words);
                assert!(
                    parsed.is_ok() || !cfg!(all(feature = "serve", feature = "plots")),
                    "{line}: {}",
                    parsed.err().unwrap()
                );
            }
        }
    }
}
