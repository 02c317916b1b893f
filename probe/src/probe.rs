//! A packed solution, opened for queries.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "disk")]
use nerode_dfa::disk;
use nerode_games::Registry;
use nerode_games::registry::{Language, families};
use nerode_morris::compressed::PackedSectors;
use nerode_solver::archive::Contents;
use nerode_solver::archive::packed::Packed;
use nerode_solver::archive::values::Values;
use nerode_solver::stored::{Solution, Stored};

use crate::frames::decompress;
use crate::{
    Answer, Bytes, Coverage, DepthSource, Error, Evaluation, Folder, Game, Picture, Position, Reply,
    Resolver, Result, Side,
};

/// The games that are known unless others are named.
static GAMES: Registry = Registry::new(families(), LANGUAGES);

#[cfg(feature = "rules")]
const LANGUAGES: &[Language] = &[nerode_rules::rbg::LANGUAGE];
#[cfg(not(feature = "rules"))]
const LANGUAGES: &[Language] = &[];

/// The options for opening a solution.
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// The memory for parts of packed values of reached positions and of sectors of a morris game, in bytes. Values as
    /// automata are read completely.
    pub cache_bytes: u64,
    /// The name of the solution in error messages.
    pub name: &'a Path,
    /// The source of the games. The default contains the built-in games and, with the feature `rules`, reads other games from
    /// the text of their rules, which the solution contains.
    pub games: &'a dyn Resolver,
}

impl Default for Settings<'_> {
    fn default() -> Self {
        Self { cache_bytes: 16 << 20, name: Path::new("solution"), games: &GAMES }
    }
}

impl fmt::Debug for Settings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cache_bytes, name, .. } = self;
        f.debug_struct("Settings").field("cache_bytes", cache_bytes).field("name", name).finish()
    }
}

/// A packed solution. Several threads may query it at the same time.
///
/// All values and depths in answers are for the side to move, as documented for [`Evaluation`] and [`Answer`].
pub struct Probe {
    stored: Arc<Solution>,
}

impl fmt::Debug for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Probe").field("game", &self.game().spec()).field("form", &self.form()).finish()
    }
}

/// # Opening
impl Probe {
    /// Opens packed values of reached positions, which are a single file.
    ///
    /// Cost: three small reads, whatever the length of the file.
    ///
    /// # Errors
    /// Returns [`Error::OtherContents`] if it is another kind of file, [`Error::WrongVersion`], [`Error::Game`] if its game is
    /// unknown, [`Error::WrongRules`] if the game has other rules here, [`Error::Corrupt`], or [`Error::Io`].
    pub fn open(file: Box<dyn Bytes>, settings: &Settings<'_>) -> Result<Self> {
        let packed = Packed::open_with(file, settings.name, settings.games, settings.cache_bytes)?;
        Ok(Self::of(Box::new(packed)))
    }

    /// Opens a folder of values or of packed sectors. Other files than its manifest are opened when they are first needed.
    ///
    /// # Errors
    /// Returns [`Error::OtherContents`] if the folder has no manifest of either kind, and otherwise the same errors as
    /// [`Probe::open`].
    pub fn open_folder(folder: Arc<dyn Folder>, settings: &Settings<'_>) -> Result<Self> {
        let has = |kind: Contents| match folder.open(kind.manifest()) {
            Ok(_) => Ok(true),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(e) => Err(Error::io(kind.file(settings.name), e)),
        };
        if has(Contents::PackedSectors)? {
            return Ok(Self::of(Box::new(PackedSectors::open_in(
                folder,
                settings.name,
                settings.cache_bytes,
            )?)));
        }
        if has(Contents::Values)? {
            let mut values = Values::open_in(folder, settings.name, decompress, settings.games)?;
            values.limit_cache(settings.cache_bytes);
            return Ok(Self::of(Box::new(values)));
        }
        let [values, sectors] = [Contents::Values, Contents::PackedSectors].map(Contents::manifest);
        Err(Error::OtherContents {
            path: settings.name.into(),
            found: format!("neither {values} nor {sectors}"),
            expected: "a packed solution".into(),
        })
    }

    /// Opens a folder on disk as [`Probe::open_folder`] does, or a file as [`Probe::open`] does. Errors name the path, and
    /// not the name in `settings`.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if there is nothing at the path, and otherwise the errors of these methods.
    #[cfg(feature = "disk")]
    pub fn open_path(path: &Path, settings: &Settings<'_>) -> Result<Self> {
        let settings = Settings { name: path, ..*settings };
        let io = |e| Error::io(path, e);
        if disk::metadata(path).map_err(io)?.is_dir() {
            return Self::open_folder(Arc::new(path.to_path_buf()), &settings);
        }
        Self::open(Box::new(disk::File::open(path).map_err(io)?), &settings)
    }
}

/// # The solution
impl Probe {
    fn of(stored: Box<dyn Stored>) -> Self {
        Self { stored: Arc::new(Solution::new(stored, String::new())) }
    }

    /// Returns the solution, with which players and reports of the crate `nerode` work. Its digest is empty.
    pub fn solution(&self) -> &Arc<Solution> {
        &self.stored
    }

    /// Returns the game, with its notation and rules.
    pub fn game(&self) -> &dyn Game {
        self.stored.game()
    }

    /// Describes the form of the solution in words.
    pub fn form(&self) -> String {
        self.stored.form()
    }

    /// Returns which positions have values.
    pub fn coverage(&self) -> Coverage {
        self.stored.coverage()
    }

    /// Returns where depths come from.
    pub fn depth_source(&self) -> DepthSource {
        self.stored.depth_source()
    }

    /// Returns `true` if every covered position has a proved value.
    pub fn is_complete(&self) -> bool {
        self.stored.is_complete()
    }
}

/// # Positions
impl Probe {
    /// Reads a position in the notation of the game.
    ///
    /// # Errors
    /// Returns [`Error::Game`] with the expected form.
    pub fn position(&self, text: &str) -> Result<Position> {
        Ok(self.game().parse_position(text)?)
    }

    /// Returns the position with the given contents of cells, in the order of the rules on one board.
    ///
    /// # Errors
    /// Returns [`Error::Mismatch`] if the game has no such board.
    pub fn position_of(&self, board: &[u8], side: Side) -> Result<Position> {
        let position = Position { board: board.to_vec(), side };
        self.must_fit(&position)?;
        Ok(position)
    }

    /// Returns the reason why a position certainly cannot occur in play, or `None` if no such reason is known.
    ///
    /// # Errors
    /// Returns [`Error::Mismatch`] if the game has no such board.
    pub fn why_illegal(&self, position: &Position) -> Result<Option<String>> {
        self.must_fit(position)?;
        Ok(self.game().why_illegal(&position.board, position.side))
    }

    /// Returns the position after a legal move in the notation of the game.
    ///
    /// # Errors
    /// Returns [`Error::Game`], which lists the legal moves, or [`Error::Mismatch`] if the game has no such board.
    pub fn play(&self, position: &Position, mv: &str) -> Result<Position> {
        self.must_fit(position)?;
        let mv = self.game().parse_move(position, mv)?;
        let board = nerode_games::explicit::apply(&position.board, &mv);
        Ok(Position { board, side: position.side.other() })
    }

    /// Returns the data of a drawing of the board, or `None` if the game has no picture.
    ///
    /// # Errors
    /// Returns [`Error::Mismatch`] if the game has no such board.
    pub fn picture(&self, position: &Position) -> Result<Option<Picture>> {
        self.must_fit(position)?;
        Ok(self.game().picture(position))
    }

    /// Rejects a board that the game does not have, because callers may create any.
    fn must_fit(&self, position: &Position) -> Result<()> {
        let states = self.game().cell_states();
        let has_all =
            position.board.iter().zip(states).all(|(&content, &states)| u16::from(content) < states);
        if position.board.len() == states.len() && has_all {
            return Ok(());
        }
        let most = states.iter().max().map_or(0, |most| most.saturating_sub(1));
        Err(Error::Mismatch {
            what: "the board".into(),
            found: format!("{} cells {:?}", position.board.len(), position.board),
            expected: format!(
                "{} cells, each with a content that the game has, at most {most}",
                states.len()
            ),
        })
    }
}

/// # Queries
impl Probe {
    /// Returns value and depth of a position. If the solution does not contain the value, it is inferred from the moves as
    /// far as possible.
    ///
    /// Cost: one look-up, and one for each move if the value is not stored.
    ///
    /// # Errors
    /// Returns [`Error::Mismatch`] if the game has no such board, [`Error::Corrupt`] if a file is damaged, or [`Error::Io`].
    pub fn evaluate(&self, position: &Position) -> Result<Evaluation> {
        self.must_fit(position)?;
        self.stored.infer(position)
    }

    /// Returns value and depth of a position and of every legal move, best move first.
    ///
    /// Cost: one look-up for the position and one for each move.
    ///
    /// # Errors
    /// Returns the same errors as [`Probe::evaluate`].
    pub fn query(&self, position: &Position) -> Result<Answer> {
        self.must_fit(position)?;
        self.stored.query(position)
    }

    /// Returns the principal variation: the best move of each position, or the first of several, up to the end of the game,
    /// to a position that occurred before, or to `most` moves.
    ///
    /// # Errors
    /// Returns the same errors as [`Probe::evaluate`].
    pub fn best_line(&self, position: &Position, most: usize) -> Result<Vec<Reply>> {
        self.must_fit(position)?;
        self.stored.best_line_while(position, &|line| line.len() < most)
    }

    /// Returns the name of the sector that a look-up of the position needs and the solution lacks, if there is one.
    ///
    /// # Errors
    /// Returns the same errors as [`Probe::evaluate`].
    pub fn missing_sector(&self, position: &Position) -> Result<Option<String>> {
        self.must_fit(position)?;
        self.stored.missing_sector(position)
    }
}
