//! Board games with two descriptions each, as relations on sets of positions ([`SymbolicGame`]) and as plain rules on a
//! single position ([`ExplicitGame`]), and a notation that reads and prints positions and moves.
//!
//! The crate defines boards, sides and rules, and it does not depend on any solver. [`registry::open`] creates a
//! built-in game from a spec such as `breakthrough:5x6`.
//!
//! # Features
//! | feature | default | adds |
//! |---|---|---|
//! | `sets` | yes | [`SymbolicGame`] and the symbolic description of every game, which need the engine of `nerode-dfa` |
//!
//! Without `sets`, the crate consists of boards, notation and plain rules, and depends on no automata. Code that implements
//! [`Game`] depends on `sets`, because any other crate of the same program may enable it.
//!
//! # Stability
//! The traits [`Game`], [`SymbolicGame`], [`ExplicitGame`] and [`Notation`], the types in their signatures, [`registry`],
//! [`grid`], [`GridNotation`], [`Layout`], [`Spec`] and [`find_move`] change only in a new minor version while the crate is
//! below 1.0. The fingerprints and canonical specs of built-in games change only together with their rules. The module
//! [`morris`] supports the sector solver and may change in every version, as may the texts of errors and of [`Game::rules`].
//!
//! # Implementing a game
//! A game implements four traits. In this example, each side takes one or two objects from a heap, and a player who
//! cannot move loses.
//! ```
//! use nerode_dfa::{MoveGraph, Shape, Step, Store};
//! use nerode_games::{
//!     CellChange, Error, ExplicitGame, Game, LayerInfo, Layout, Move, Notation, Position, Result, Side, SymbolicGame, Symmetry,
//!     Terminal, Value,
//! };
//!
//! struct Heap {
//!     most: u8,
//!     shape: Shape,
//!     layout: Layout,
//! }
//!
//! impl SymbolicGame for Heap {
//!     // The game ends only when the side to move has no move.
//!     fn terminal(&self, store: &mut Store, _side: Side) -> nerode_dfa::Result<Terminal> {
//!         Ok(Terminal { win: store.empty(), loss: store.empty(), draw: store.empty() })
//!     }
//!     fn no_move_value(&self) -> Value {
//!         Value::Loss
//!     }
//!     fn moves(&self, _store: &mut Store, _side: Side) -> nerode_dfa::Result<MoveGraph> {
//!         let mut graph = MoveGraph::new(self.shape.clone());
//!         for taken in [1, 2] {
//!             let pairs: Vec<(u8, u8)> = (taken..=self.most).map(|left| (left, left - taken)).collect();
//!             graph.add(Step::identity().change_any(0, &pairs))?;
//!         }
//!         Ok(graph)
//!     }
//! }
//!
//! impl ExplicitGame for Heap {
//!     fn cell_states(&self) -> &[u16] {
//!         self.shape.alphabets()
//!     }
//!     fn start(&self) -> (Vec<u8>, Side) {
//!         (vec![self.most], Side::P1)
//!     }
//!     fn outcome(&self, board: &[u8], _side: Side) -> Option<Value> {
//!         (board[0] == 0).then_some(Value::Loss)
//!     }
//!     fn legal_moves(&self, board: &[u8], _side: Side, out: &mut Vec<Move>) {
//!         for after in board[0].saturating_sub(2)..board[0] {
//!             out.push(Move::from_slice(&[CellChange { cell: 0, after }]));
//!         }
//!     }
//! }
//!
//! impl Notation for Heap {
//!     fn position_form(&self) -> String {
//!         format!("the things left, at most {}, then P1 or P2", self.most)
//!     }
//!     fn parse_position(&self, text: &str) -> Result<Position> {
//!         let error = || self.position_error(text, "it is not a number and a side".into());
//!         let (left, side) = text.split_once(' ').ok_or_else(error)?;
//!         let left = left.parse().ok().filter(|&left| left <= self.most).ok_or_else(error)?;
//!         let side = Side::BOTH.into_iter().find(|known| known.to_string() == side).ok_or_else(error)?;
//!         Ok(Position { board: vec![left], side })
//!     }
//!     fn format_position(&self, position: &Position) -> String {
//!         format!("{} {}", position.board[0], position.side)
//!     }
//!     fn draw(&self, position: &Position) -> String {
//!         "|".repeat(position.board[0].into()) + "\n"
//!     }
//!     fn format_move(&self, position: &Position, mv: &Move) -> String {
//!         format!("take {}", position.board[0] - mv[0].after)
//!     }
//! }
//!
//! impl Game for Heap {
//!     fn spec(&self) -> String {
//!         format!("heap:{}", self.most)
//!     }
//!     fn rules(&self) -> String {
//!         format!("A heap of {} things. A move takes one or two. A side without a move has lost.", self.most)
//!     }
//!     fn rules_version(&self) -> u32 {
//!         1
//!     }
//!     fn symmetries(&self) -> Vec<Symmetry> {
//!         Vec::new()
//!     }
//!     fn shape(&self) -> &Shape {
//!         &self.shape
//!     }
//!     fn layers(&self) -> Vec<LayerInfo> {
//!         let letters = (0..=self.most).map(|left| left.to_string()).collect();
//!         vec![LayerInfo { label: "heap".into(), letters }]
//!     }
//!     fn cell_of_layer(&self) -> &[usize] {
//!         self.layout.cells()
//!     }
//!     fn order(&self) -> &str {
//!         self.layout.name()
//!     }
//! }
//!
//! let shape = Shape::uniform(1, 8)?;
//! let game = Heap { most: 7, shape, layout: Layout::choose(vec![("heap", vec![0])], None)? };
//! let start = game.start_position();
//! let mv = game.parse_move(&start, "take 2")?;
//! assert_eq!(nerode_games::explicit::apply(&start.board, &mv), [5]);
//! // The symbolic description agrees: a move of P1 leads from 7 to 5 or to 6.
//! let mut store = Store::unbounded(game.shape().clone());
//! let moves = game.moves(&mut store, Side::P1)?;
//! let moves = store.relation(&moves)?;
//! let seven = store.word(&game.word_of(&start.board))?;
//! let image = store.image(&seven, &moves)?;
//! assert_eq!(store.freeze(&image).words().collect::<Vec<_>>(), [[5], [6]]);
//! # Ok::<(), Error>(())
//! ```
//! `Spec` and `FamilyInfo` read parameters and options; `GridNotation` and [`grid`] provide the notation and geometry
//! of rectangular boards.
#![forbid(unsafe_code)]

pub mod error;
pub mod explicit;
pub mod grid;
pub mod morris;
pub mod outcome;
pub mod registry;
pub mod side;

mod game;
mod layer;
mod layout;
mod maps;
mod misere;
mod moves;
mod notation;
mod picture;
mod rules;
mod spec;
#[cfg(feature = "sets")]
mod symbolic;

pub use error::{Error, Result};
pub use explicit::{CellChange, ExplicitGame, Move};
pub use game::{Described, Game, Notation, Position, SolvedBy, find_move};
pub use layer::LayerInfo;
pub use layout::{Layout, Order, names as order_names};
pub use maps::{PositionClass, Relabelling, SideSwap, Symmetry};
pub use moves::{after_moves, first_move, move_words, side_at};
pub use notation::{GridNotation, content_of, counted, escaped, grouped, side_named};
pub use picture::{Figure, Ground, Look, Picture, Place};
pub use registry::Registry;
pub use side::{Side, Value};
pub use spec::{Build, FamilyInfo, Spec, digits, nearest};
#[cfg(feature = "sets")]
pub use symbolic::{OverInPlay, SymbolicGame, Terminal};
