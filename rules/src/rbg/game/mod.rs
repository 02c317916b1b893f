//! A game defined by a rules text, with both descriptions: the compiled rules and the interpreter.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use nerode_dfa::Shape;
use nerode_games::{
    ExplicitGame, Figure, Game, LayerInfo, Layout, Move, Notation, Order, Picture, Position, Result, Side,
    SideSwap, Symmetry, Value,
};

use super::board::Shape as Form;
use super::book::Rulebook;
use super::compile::{LETTERS, Part, Plan, Standing};
use super::fault::Fault;
use super::names;
use cells::Cells;
use drawing::drawn;
use explicit::Oracle;
use turns::Turns;

mod cells;
mod drawing;
mod exchange;
mod explicit;
mod moves;
mod picture;
#[cfg(feature = "sets")]
mod symbolic;
mod symmetry;
mod text;
mod turns;

/// The version of the encoding of positions as words, which is increased with every change.
const RULES_VERSION: u32 = 2;

/// The moves of a position with their texts.
type Texts = HashMap<Move, String>;

/// A game defined by a rules text.
#[derive(Debug)]
pub(super) struct RuleGame {
    spec: String,
    book: Arc<Rulebook>,
    plan: Plan,
    cells: Cells,
    oracle: Oracle,
    turns: Turns,
    cell_states: Vec<u16>,
    shape: Shape,
    layout: Layout,
    start: Vec<u8>,
    /// The names of squares and the symbols of pieces.
    squares: Vec<String>,
    symbols: Vec<char>,
    /// The figures of pieces.
    figures: Vec<Option<Figure>>,
    /// The texts of the moves of the most recent position.
    texts: Mutex<Option<(Position, Arc<Texts>)>>,
    /// The exchange of the sides, computed on first use.
    swap: OnceLock<Option<SideSwap>>,
}

impl RuleGame {
    /// Creates the game of a book in a letter order.
    ///
    /// # Errors
    /// Returns an error with its location if the rules are unsupported, and [`Error::UnknownOrder`] or [`Error::Order`] for an
    /// invalid order.
    pub(super) fn new(spec: &str, book: Rulebook, order: Option<&str>) -> Result<Self> {
        let oracle = Oracle::new(&book)?;
        let plan = Plan::new(&book, &oracle.start)?;
        let cells = Cells::new(&book, &plan);
        let place = book.origin.places.rules;
        let refused = |message: &str| book.error(Fault::new(place, message, "these rules"));
        if cells.parts.is_empty() {
            let mover = &book.players()[oracle.start.player].name;
            return Err(refused(&match oracle.start.can_move {
                true => "nothing ever changes in this game".into(),
                false => format!("'{mover}' cannot move at the start: the game is over immediately"),
            })
            .into());
        }
        if plan.num_letters() > LETTERS * LETTERS {
            let message = "turns begin in more than 65 536 ways, and two letters cannot distinguish them";
            let fault = Fault::new(
                place,
                message,
                "a turn counts by its place in these rules, its square and its scores",
            );
            let help = "begin turns with a path to any square, so that the square does not matter, and assign scores only when the \
                        game is over";
            return Err(book.error(fault.help(help)).into());
        }
        let start = oracle
            .start(&plan, &cells)
            .ok_or_else(|| refused("play does not begin as these rules specify"))?;
        let cell_states: Vec<u16> = cells.contents.iter().map(|contents| contents.len() as u16).collect();
        let layout = Layout::choose(orders(&book, &cells), order)?;
        let shape = Shape::new(layout.cells().iter().map(|&cell| cell_states[cell]).collect())?;
        let squares = names::squares(book.board());
        Ok(Self {
            spec: spec.to_string(),
            turns: Turns::new(&book, &plan, &squares),
            squares,
            symbols: names::symbols(&book),
            figures: picture::figures(&book, plan.players),
            book: Arc::new(book),
            plan,
            cells,
            oracle,
            cell_states,
            shape,
            layout,
            start,
            texts: Mutex::new(None),
            swap: OnceLock::new(),
        })
    }

    /// Describes in words whether every game ends.
    fn end_of_play(&self) -> String {
        match &self.plan.progress {
            Some(measures) if measures.is_empty() => "Every game ends.".into(),
            Some(measures) => {
                format!("Every game ends, because {} as play continues.", measures.join(", or "))
            }
            None => "Games may last forever: no reason was found why they must end.".into(),
        }
    }

    fn texts(&self, position: &Position) -> Arc<Texts> {
        let mut known = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((asked, texts)) = &*known
            && asked == position
        {
            return Arc::clone(texts);
        }
        let texts = Arc::new(self.move_texts(position));
        *known = Some((position.clone(), Arc::clone(&texts)));
        texts
    }
}

/// Returns the letter orders of a game: the status first, then squares before variables or variables before squares.
fn orders(book: &Rulebook, cells: &Cells) -> Vec<Order> {
    let of = |wanted: &dyn Fn(Part) -> bool| -> Vec<usize> {
        (0..cells.parts.len()).filter(|&cell| wanted(cells.parts[cell])).collect()
    };
    let status = of(&|part| matches!(part, Part::Status(_)));
    let squares = of(&|part| matches!(part, Part::Square(_)));
    let numbers = of(&|part| matches!(part, Part::Variable(_)));
    let (usual, has_files) = match &book.board().shape {
        Form::Rectangle(_) => ("rows", true),
        Form::Hexagon(_) => ("rows", false),
        Form::Cuboid(_) | Form::Graph => ("squares", false),
    };
    let mut orders = vec![(usual, [status.clone(), squares.clone(), numbers.clone()].concat())];
    if !numbers.is_empty() {
        orders.push(("numbers-first", [status.clone(), numbers.clone(), squares.clone()].concat()));
    }
    if has_files {
        let rows = names::rows(book.board());
        let files = rows.iter().map(Vec::len).max().unwrap_or_default();
        let file = |file: usize| rows.iter().filter_map(move |row| row.get(file).copied().flatten());
        let by_files =
            (0..files).flat_map(file).filter_map(|square| cells.cell(Part::Square(square))).collect();
        orders.push(("columns", [status, by_files, numbers].concat()));
    }
    orders
}

/// Returns the names of the letter orders of a book.
///
/// # Errors
/// Returns an error if the rules are unsupported.
pub(super) fn order_names(book: &Rulebook) -> Result<Vec<String>> {
    let oracle = Oracle::new(book)?;
    let plan = Plan::new(book, &oracle.start)?;
    Ok(nerode_games::order_names(&orders(book, &Cells::new(book, &plan))))
}

impl ExplicitGame for RuleGame {
    fn cell_states(&self) -> &[u16] {
        &self.cell_states
    }

    fn start(&self) -> (Vec<u8>, Side) {
        (self.start.clone(), Side::P1)
    }

    fn outcome(&self, board: &[u8], side: Side) -> Option<Value> {
        self.oracle.outcome(&self.plan, &self.cells, board, side)
    }

    fn legal_moves(&self, board: &[u8], side: Side, out: &mut Vec<Move>) {
        self.oracle.moves(&self.plan, &self.cells, board, side, out);
    }

    /// The limits are those of the admissible positions.
    fn why_illegal(&self, board: &[u8], side: Side) -> Option<String> {
        let letter = self.cells.status(board);
        let is_excluded = match self.plan.standing(side.index(), letter) {
            Standing::Turn(_) | Standing::Wait(_) => {
                !self.plan.may_occur(side.index(), letter, &self.cells.values(board))
            }
            Standing::Over(_) => false,
            Standing::Nothing => true,
        };
        is_excluded.then(|| "play from the start never leads to these pieces".into())
    }
}

impl Notation for RuleGame {
    fn position_form(&self) -> String {
        self.form_text()
    }

    fn parse_position(&self, text: &str) -> Result<Position> {
        self.read_position(text).map_err(|reason| self.position_error(text, reason))
    }

    fn format_position(&self, position: &Position) -> String {
        self.position_text(position)
    }

    fn draw(&self, position: &Position) -> String {
        let pieces = self.cells.pieces(&position.board);
        let texts: Vec<String> =
            pieces.iter().map(|&piece| self.symbols[usize::from(piece)].to_string()).collect();
        let board = drawn(&self.book, &self.squares, &texts);
        let text = self.position_text(position);
        let rest = text.split_once(' ').map_or("", |(_, rest)| rest);
        let (side, more) = rest.split_once(' ').unwrap_or((rest, ""));
        let more = if more.is_empty() { String::new() } else { format!("  {more}") };
        format!("{board}{side} to move{more}\n")
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        let pieces = self.cells.pieces(&position.board);
        let text = self.position_text(position);
        let more = text.splitn(3, ' ').nth(2).map(String::from);
        picture::picture(&self.book, |square| self.figures[usize::from(pieces[square])], more)
    }

    fn side_names(&self) -> Option<[String; 2]> {
        Some(self.plan.players.map(|player| self.book.players()[player].name.clone()))
    }

    fn draw_texts(&self, texts: &[String]) -> String {
        let of = |square: usize| {
            let cell = self.cells.cell(Part::Square(square));
            cell.and_then(|cell| texts.get(cell)).cloned().unwrap_or_default()
        };
        let on_board: Vec<String> = (0..self.squares.len()).map(of).collect();
        let others = (0..texts.len()).filter(|&cell| !matches!(self.cells.parts[cell], Part::Square(_)));
        let listed: String =
            others.map(|cell| format!("{}  {}\n", self.layer_info(cell).label, texts[cell])).collect();
        drawn(&self.book, &self.squares, &on_board) + &listed
    }

    fn format_move(&self, position: &Position, mv: &Move) -> String {
        self.texts(position).get(mv).cloned().unwrap_or_default()
    }
}

impl Game for RuleGame {
    fn spec(&self) -> String {
        self.spec.clone()
    }

    fn rules(&self) -> String {
        let name = |player: usize| self.book.players()[player].name.as_str();
        let [first, second] = self.plan.players.map(name);
        format!(
            "{}, rules from a file, fingerprint {}. {first} is P1 and moves first, {second} is P2. If a side \
             moves twice in a row, the other side passes in between. {}{}",
            self.spec,
            self.book.fingerprint(),
            if self.book.is_misere() { "Misère: the player with the higher score has lost. " } else { "" },
            self.end_of_play(),
        )
    }

    fn rules_version(&self) -> u32 {
        RULES_VERSION
    }

    /// Returns the fingerprint of the canonical text.
    fn fingerprint(&self) -> String {
        self.book.fingerprint()
    }

    fn rules_text(&self) -> Option<String> {
        Some(self.book.canonical_and_drawn())
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.preserved_by_rules()
    }

    fn side_swap(&self) -> Option<SideSwap> {
        self.swap.get_or_init(|| self.exchange_of_sides()).clone()
    }

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn layers(&self) -> Vec<LayerInfo> {
        let layer = |&cell: &usize| self.layer_info(cell);
        self.layout.cells().iter().map(layer).collect()
    }

    fn cell_of_layer(&self) -> &[usize] {
        self.layout.cells()
    }

    fn order(&self) -> &str {
        self.layout.name()
    }
}
