//! The game in progress: the side to move, the display and the record.

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use nerode_games::{Move, Position, Side, Value};
use schemars::JsonSchema;
use serde::Serialize;

use super::sides::Sides;
use crate::cli::output::{Output, table};
use nerode_play::course::{Course, End, Limits};
use nerode_play::players::{Chosen, Player, PlayerKind};
use nerode_play::record::write;
use nerode_report::board::key;
use nerode_report::line::leads_on;
use nerode_report::lines::{Known, MoveLine, RANKS_IN_WORDS};
use nerode_solver::archive::files::write_bytes_for_user;
use nerode_solver::stored::{Reply, Solution};

/// The maximum number of moves of a refutation.
const MOST_SHOWN: usize = 20;

/// The state of a game when the user leaves it.
#[derive(JsonSchema, Serialize)]
pub(in crate::cli) struct Left {
    /// The game with its parameters, such as `breakthrough:4x5`.
    game: String,
    /// The hash of the rules.
    fingerprint: String,
    /// The position in which the game began.
    start: String,
    /// The moves.
    moves: Vec<String>,
    /// The current position.
    last: String,
    /// How the game ended, or null if it is not over.
    end: Option<String>,
    /// The file that contains the record of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<PathBuf>,
    /// The seed with which the program chose among equally good moves.
    seed: u64,
}

/// The setup of a game.
pub(super) struct Start {
    /// The name of the player that makes the moves of the program.
    pub(super) name: String,
    pub(super) strength: PlayerKind,
    pub(super) computer: Sides,
    pub(super) seed: u64,
    pub(super) record: Option<PathBuf>,
}

/// The game in progress.
pub(super) struct Table<'a> {
    solution: Arc<Solution>,
    course: Course<'a>,
    player: Box<dyn Player>,
    /// The kind of the player, and its name.
    strength: PlayerKind,
    name: String,
    computer: Sides,
    seed: u64,
    record: Option<PathBuf>,
    out: &'a Output,
    /// `false` if the reader of the output has closed it.
    is_read: Cell<bool>,
    /// `true` once the meaning of ranks was printed.
    ranks_are_explained: Cell<bool>,
}

impl<'a> Table<'a> {
    pub(super) fn new(
        solution: Arc<Solution>,
        course: Course<'a>,
        start: Start,
        out: &'a Output,
    ) -> Result<Self> {
        let player = start.strength.start(course.game(), start.seed)?;
        let Start { name, strength, computer, seed, record } = start;
        Ok(Self {
            solution,
            course,
            player,
            strength,
            name,
            computer,
            seed,
            record,
            out,
            is_read: Cell::new(true),
            ranks_are_explained: Cell::new(false),
        })
    }

    /// Checks what the game needs before the first move: values of the solution, a player that can move, and a record that can
    /// be written.
    pub(super) fn check(&mut self) -> Result<()> {
        self.solution.look_up(self.course.position())?;
        // Another player of the same kind, so that the choices of the first one stay the same.
        if self.strength.solution().is_some() && self.end().is_none() {
            self.strength.start(self.course.game(), self.seed)?.choose(&self.course)?;
        }
        self.keep()
    }

    /// Says which sides the user and the program play, and how to get help if a user types.
    pub(super) fn introduce(&self, is_typed: bool) -> Result<()> {
        let help = if is_typed { "; 'help' lists the commands" } else { "" };
        let key = key(self.course.game(), self.course.position());
        let key = key.map_or_else(String::new, |key| format!("\nthe board: {key}"));
        self.say(&format!("{}, seed {}\n{}{help}{key}", self.course.game().spec(), self.seed, self.sides()))
    }

    /// Returns in words which sides the user and the program play.
    pub(super) fn sides(&self) -> String {
        match self.computer {
            Sides::Both => format!("the program plays both sides ({})", self.name),
            Sides::None => "you play both sides".into(),
            Sides::P1 => format!("you are {}, and the program is P1 ({})", self.named(Side::P2), self.name),
            Sides::P2 => format!("you are {}, and the program is P2 ({})", self.named(Side::P1), self.name),
        }
    }

    /// Returns the name of a side, and the word for it in positions if that is another one.
    fn named(&self, side: Side) -> String {
        let game = self.course.game();
        let text = game.format_position(&Position { side, ..self.course.position().clone() });
        let word = text.split_whitespace().nth(1).unwrap_or_default();
        if word.is_empty() || word == side.to_string() {
            side.to_string()
        } else {
            format!("{side} ({word})")
        }
    }

    pub(super) fn course(&self) -> &Course<'a> {
        &self.course
    }

    /// Returns the solution that is queried for hints.
    pub(super) fn solution(&self) -> &Arc<Solution> {
        &self.solution
    }

    /// Returns the side to move.
    pub(super) fn side(&self) -> Side {
        self.course.position().side
    }

    /// Prints a line, unless a JSON document is requested.
    pub(super) fn say(&self, text: &str) -> Result<()> {
        self.is_read.set(self.out.part(|| format!("{}\n", text.trim_end()))?);
        Ok(())
    }

    /// Says why a line was not obeyed. With a JSON document, which contains only what was played, this goes to standard error.
    pub(super) fn refuse(&self, reason: &str) -> Result<()> {
        if self.out.is_json() {
            self.out.warn(reason);
            return Ok(());
        }
        self.say(reason)
    }

    /// Returns `false` if the reader of the output has closed it.
    pub(super) fn is_read(&self) -> bool {
        self.is_read.get()
    }

    /// Returns how the game has ended, if it is over.
    pub(super) fn end(&self) -> Option<End> {
        self.course.end(Limits { plies: u32::MAX, ..Limits::default() })
    }

    /// Prints the board, and how the game has ended if it is over.
    pub(super) fn show(&self) -> Result<()> {
        let game = self.course.game();
        let at = self.course.position();
        let end = self.end().map_or_else(String::new, |end| format!("\nthe game is over: {end}"));
        self.say(&format!("\n{}\n{}{end}", game.draw(at).trim_end(), game.format_position(at)))
    }

    pub(super) fn is_computers_turn(&self) -> bool {
        self.computer.has(self.side()) && self.end().is_none()
    }

    /// Returns `true` if `text` is a legal move.
    pub(super) fn has_move(&self, text: &str) -> bool {
        self.course.game().parse_move(self.course.position(), text).is_ok()
    }

    /// Sets the sides that the program plays from now on.
    pub(super) fn give(&mut self, computer: Sides) {
        self.computer = computer;
    }

    /// Replaces the player that plays for the program from now on.
    pub(super) fn change_strength(&mut self, name: &str, strength: PlayerKind) -> Result<()> {
        self.player = strength.start(self.course.game(), self.seed)?;
        (self.strength, self.name) = (strength, name.into());
        Ok(())
    }

    /// Makes a move.
    pub(super) fn play(&mut self, mv: &Move) -> Result<()> {
        self.course.play(mv);
        self.keep()?;
        self.show()
    }

    /// Makes a move of the user, and says why it loses if it does.
    pub(super) fn play_own(&mut self, mv: &Move) -> Result<()> {
        let before = self.value();
        self.play(mv)?;
        match (before, self.value()) {
            (Some(Value::Win | Value::Draw), Some(Value::Win)) => self.refute(),
            (Some(Value::Win), Some(Value::Draw)) => self.say("that move gives away the win"),
            _ => Ok(()),
        }
    }

    /// Returns the value of the position for the side to move, if the solution knows it.
    fn value(&self) -> Option<Value> {
        self.solution.look_up(self.course.position()).ok()?.value()
    }

    /// Shows the shortest win of the side to move in one line.
    fn refute(&self) -> Result<()> {
        let (game, at) = (self.course.game(), self.course.position());
        let evaluation = self.solution.evaluate(at)?;
        let known = Known::new(game, at, &evaluation);
        let line = match leads_on(game, at, &evaluation) {
            true => self.solution.best_line_while(at, &|moves| moves.len() < MOST_SHOWN)?,
            false => Vec::new(),
        };
        let more = if line
            .last()
            .is_some_and(|last| game.outcome(&last.position().board, last.position().side).is_none())
        {
            " ..."
        } else {
            ""
        };
        let moves: Vec<&str> = line.iter().map(Reply::text).collect();
        let moves = if moves.is_empty() { String::new() } else { format!(": {}{more}", moves.join(" ")) };
        self.say(&format!("that move loses, because {} has a {}{moves}", known.side, known.value_text()))
    }

    /// Makes a move of the program, regardless of the side to move.
    pub(super) fn answer(&mut self) -> Result<()> {
        match self.player.choose(&self.course)? {
            Chosen::Move(mv) => {
                let text = self.course.game().format_move(self.course.position(), &mv);
                self.say(&format!("{} plays {text}", self.side()))?;
                self.play(&mv)
            }
            Chosen::Fails(failure) => {
                // The user has to take over, because otherwise the game could not continue.
                self.computer = Sides::None;
                self.say(&format!("{} makes no move: {failure}; you now play both sides", self.side()))
            }
        }
    }

    /// Takes back the last move, together with the preceding moves of the program.
    pub(super) fn take_back(&mut self) -> Result<()> {
        let mut taken = 0;
        while self.course.take_back() {
            taken += 1;
            if !self.computer.has(self.side()) {
                break;
            }
        }
        match taken {
            0 => return self.say("no move has been made yet"),
            1 => self.say("took back one move")?,
            _ => self.say(&format!("took back {taken} moves"))?,
        }
        // Otherwise the program would make the first move immediately.
        if self.computer.has(self.side()) {
            self.computer = Sides::None;
            self.say("you now play both sides")?;
        }
        self.keep()?;
        self.show()
    }

    /// Starts a game from the usual start, with another seed.
    pub(super) fn begin_anew(&mut self) -> Result<()> {
        self.seed = self.seed.wrapping_add(1);
        self.player = self.strength.start(self.course.game(), self.seed)?;
        let game = self.course.game();
        self.say(&format!("another game, seed {}", self.seed))?;
        self.begin(Course::new(game, game.start_position()))
    }

    /// Starts another game.
    pub(super) fn begin(&mut self, course: Course<'a>) -> Result<()> {
        self.course = course;
        self.keep()?;
        self.show()
    }

    /// Prints the value of the position, and of the best move or of all moves.
    pub(super) fn tell(&self, all: bool) -> Result<()> {
        if let Some(end) = self.end() {
            return self.say(&format!("the game is over: {end}"));
        }
        let (game, at) = (self.course.game(), self.course.position());
        let answer = self.solution.query(at)?;
        let known = Known::new(game, at, &answer.evaluation());
        self.say(&format!("{} to move: {}", known.side, known.value_text()))?;
        let shown = if all { answer.moves().len() } else { 1 };
        let lines: Vec<MoveLine> =
            answer.moves().iter().take(shown).map(|reply| MoveLine::new(game, reply)).collect();
        let row = |line: &MoveLine| vec![line.r#move.clone(), line.seen_by_mover()];
        if !lines.is_empty() {
            self.say(&table(&["move", "value"], &lines.iter().map(row).collect::<Vec<_>>()))?;
        }
        let is_ranked = known.is_ranked_draw() || lines.iter().any(MoveLine::is_ranked_draw);
        if is_ranked && !self.ranks_are_explained.replace(true) {
            self.say(RANKS_IN_WORDS.trim_end())?;
        }
        Ok(())
    }

    /// Returns the record of the game.
    pub(super) fn text(&self) -> String {
        write(&self.course, &[], self.end())
    }

    /// Writes the record, if one was requested.
    fn keep(&self) -> Result<()> {
        match &self.record {
            Some(path) => Ok(write_bytes_for_user(path, true, self.text().as_bytes())?),
            None => Ok(()),
        }
    }

    /// Returns the state of the game when the user leaves it.
    pub(super) fn left(&self) -> Left {
        let game = self.course.game();
        Left {
            game: game.spec(),
            fingerprint: game.fingerprint(),
            start: game.format_position(self.course.start()),
            moves: self.course.plies().iter().map(|ply| ply.text.clone()).collect(),
            last: game.format_position(self.course.position()),
            end: self.end().map(|end| end.to_string()),
            record: self.record.clone(),
            seed: self.seed,
        }
    }
}
