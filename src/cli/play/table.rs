//! The board that is played on: whose turn it is, what is shown, what is kept.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use nerode_games::{Move, Side};
use serde::Serialize;

use super::sides::Sides;
use crate::cli::output::{Output, table};
use crate::cli::query::{Known, MoveLine};
use crate::facade::Solution;
use crate::play::course::{Course, End, Limits};
use crate::play::players::{Chosen, Player, PlayerKind};
use crate::play::record::write;
use nerode_solver::archive::files::write_bytes_for_user;

/// The game when it is left.
#[derive(Serialize)]
pub(super) struct Left {
    game: String,
    fingerprint: String,
    /// Where it began.
    start: String,
    moves: Vec<String>,
    /// Where it is.
    last: String,
    /// How it ended, if it did.
    end: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<PathBuf>,
}

/// How play begins.
pub(super) struct Start {
    pub(super) strength: PlayerKind,
    pub(super) computer: Sides,
    pub(super) seed: u64,
    pub(super) record: Option<PathBuf>,
}

/// The board that is played on.
pub(super) struct Table<'a> {
    solution: Arc<Solution>,
    course: Course<'a>,
    player: Box<dyn Player>,
    computer: Sides,
    seed: u64,
    record: Option<PathBuf>,
    out: &'a Output,
}

impl<'a> Table<'a> {
    pub(super) fn new(
        solution: Arc<Solution>,
        course: Course<'a>,
        start: Start,
        out: &'a Output,
    ) -> Result<Self> {
        let player = start.strength.start(course.game(), start.seed)?;
        let Start { computer, seed, record, .. } = start;
        Ok(Self { solution, course, player, computer, seed, record, out })
    }

    pub(super) fn course(&self) -> &Course<'a> {
        &self.course
    }

    /// The solution that is asked for hints.
    pub(super) fn solution(&self) -> &Arc<Solution> {
        &self.solution
    }

    /// Who moves.
    pub(super) fn side(&self) -> Side {
        self.course.position().side
    }

    /// Says a line, unless a document is wanted in the end.
    pub(super) fn say(&self, text: &str) -> Result<()> {
        self.out.part(|| format!("{}\n", text.trim_end())).map(|_| ())
    }

    /// How the game has ended.
    pub(super) fn end(&self) -> Option<End> {
        self.course.end(Limits { plies: u32::MAX, ..Limits::default() })
    }

    /// The board, and how the game has ended where it has.
    pub(super) fn show(&self) -> Result<()> {
        let game = self.course.game();
        let at = self.course.position();
        let end = self.end().map_or_else(String::new, |end| format!("\nthe game is over: {end}"));
        self.say(&format!("\n{}\n{}{end}", game.draw(at).trim_end(), game.format_position(at)))
    }

    pub(super) fn is_computers_turn(&self) -> bool {
        self.computer.has(self.side()) && self.end().is_none()
    }

    /// Lets the program play these sides from now on.
    pub(super) fn give(&mut self, computer: Sides) {
        self.computer = computer;
    }

    /// Lets another player play for the program from now on.
    pub(super) fn change_strength(&mut self, strength: &PlayerKind) -> Result<()> {
        self.player = strength.start(self.course.game(), self.seed)?;
        Ok(())
    }

    /// Makes a move.
    pub(super) fn play(&mut self, mv: &Move) -> Result<()> {
        self.course.play(mv);
        self.keep()?;
        self.show()
    }

    /// Makes the program's move, whoever is to move.
    pub(super) fn answer(&mut self) -> Result<()> {
        match self.player.choose(&self.course)? {
            Chosen::Move(mv) => {
                let text = self.course.game().format_move(self.course.position(), &mv);
                self.say(&format!("{} plays {text}", self.side()))?;
                self.play(&mv)
            }
            Chosen::Fails(failure) => {
                // Somebody has to go on with the game.
                self.computer = Sides::None;
                self.say(&format!("{} makes no move: {failure}; both sides are yours now", self.side()))
            }
        }
    }

    /// Takes back the last move, and those of the program before it.
    pub(super) fn take_back(&mut self) -> Result<()> {
        let mut taken = 0;
        while self.course.take_back() {
            taken += 1;
            if !self.computer.has(self.side()) {
                break;
            }
        }
        match taken {
            0 => return self.say("there is no move to take back"),
            1 => self.say("one move is taken back")?,
            _ => self.say(&format!("{taken} moves are taken back"))?,
        }
        // The program would make the first move at once.
        if self.computer.has(self.side()) {
            self.computer = Sides::None;
            self.say("both sides are yours now")?;
        }
        self.keep()?;
        self.show()
    }

    /// Begins another game.
    pub(super) fn begin(&mut self, course: Course<'a>) -> Result<()> {
        self.course = course;
        self.keep()?;
        self.show()
    }

    /// The value of the position, and of the best move or of all moves.
    pub(super) fn tell(&self, all: bool) -> Result<()> {
        let (game, at) = (self.course.game(), self.course.position());
        let answer = self.solution.query(at)?;
        let known = Known::new(game, at, &answer.found());
        self.say(&format!("{} to move: {}", known.side, known.value_text()))?;
        let shown = if all { answer.moves().len() } else { 1 };
        let row = |line: MoveLine| vec![line.r#move.clone(), line.seen_by_mover()];
        let rows: Vec<Vec<String>> =
            answer.moves().iter().take(shown).map(|reply| row(MoveLine::new(game, reply))).collect();
        if rows.is_empty() { Ok(()) } else { self.say(&table(&["move", "value"], &rows)) }
    }

    /// The game as a record.
    pub(super) fn text(&self) -> String {
        write(&self.course, &[], self.end())
    }

    /// Writes the record, where one is kept.
    fn keep(&self) -> Result<()> {
        match &self.record {
            Some(path) => Ok(write_bytes_for_user(path, true, self.text().as_bytes())?),
            None => Ok(()),
        }
    }

    /// The game as it is left.
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
        }
    }
}
