//! Solving by plain rules alone, for games that have no description as sets.

use nerode_games::ExplicitGame;
use nerode_oracle::{ReachedControl, ReachedSolution, solve_reached};
use nerode_solver::error::Result;

use super::options::Options;

/// Computes value and depth of every position that play from the start of `game` reaches, by its plain rules. `name` is the
/// name of the game in errors. Only the options for memory and interruption have an effect; the work runs on the current
/// thread pool.
///
/// Cost: about 20 bytes for each position, and some 8 more for each move if play can repeat positions. The rules are called
/// two or three times for each position.
///
/// # Errors
/// Returns [`Error::Rules`](crate::Error::Rules) if the game violates one of its guarantees, an error if memory is exhausted,
/// or [`Error::Interrupted`](crate::Error::Interrupted).
///
/// # Examples
/// ```
/// use nerode::games::{CellChange, ExplicitGame, Move};
/// use nerode::{Options, Side, Value};
/// /// A heap from which each side takes one or two objects.
/// struct Heap;
/// impl ExplicitGame for Heap {
///     fn cell_states(&self) -> &[u16] { &[8] }
///     fn start(&self) -> (Vec<u8>, Side) { (vec![7], Side::P1) }
///     fn outcome(&self, board: &[u8], _: Side) -> Option<Value> { (board[0] == 0).then_some(Value::Loss) }
///     fn legal_moves(&self, board: &[u8], _: Side, out: &mut Vec<Move>) {
///         out.extend((board[0].saturating_sub(2)..board[0]).map(|after| Move::from_slice(&[CellChange { cell: 0, after }])));
///     }
/// }
/// let solved = nerode::solve_explicit(&Heap, "heap", &Options::default())?;
/// assert_eq!(solved.get(&[7], Side::P1).and_then(|outcome| outcome.value()), Some(Value::Win));
/// assert_eq!(solved.get(&[6], Side::P2).and_then(|outcome| outcome.depth()), Some(4));
/// # Ok::<(), nerode::Error>(())
/// ```
pub fn solve_explicit(
    game: &(dyn ExplicitGame + Sync),
    name: &str,
    options: &Options<'_>,
) -> Result<ReachedSolution> {
    let resources = options.resources();
    options.guarded(|| {
        let control = ReachedControl {
            memory_limit: resources.memory,
            most_positions: None,
            interrupt: &resources.interrupt,
            progress: &mut |_| (),
        };
        Ok(solve_reached(game, name, &mut std::iter::empty(), control)?)
    })
}
