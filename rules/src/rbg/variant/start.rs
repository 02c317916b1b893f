//! Changes the start: replaces the pieces and variables, and lets the rules begin where the given side moves.

use super::super::board::Board;
use super::super::book::{Action, Mover, Register, Rulebook, Rules, Value};
use super::super::fault::At;
use super::super::play::Interpreter;
use super::super::rows::Placement;

/// The requested start position.
struct Request {
    pieces: Vec<u8>,
    player: Option<usize>,
    /// The values by variable.
    values: Vec<u32>,
}

/// Returns the rules that begin with a position.
pub(super) fn from(book: &Rulebook, text: &str) -> Result<Rulebook, String> {
    let request = read(book, text)?;
    let mut found = book.clone();
    found.board = set_up(&book.board, &request.pieces);
    for rules in beginnings(&book.rules) {
        let given = request.values.iter().enumerate().filter(|(_, value)| **value > 0);
        let given = given.map(|(variable, &value)| {
            let action = Action::Assign(Register::Variable(variable), Value::Number(value));
            Rules::Action(action, At::default())
        });
        found.rules = Rules::sequence(given.chain(std::iter::once(rules)).collect());
        if begins(&found, &request) {
            return Ok(found);
        }
    }
    let of = request.player.map(|player| format!(" of {}", book.players[player].name)).unwrap_or_default();
    Err(format!("no turn{of} can begin with '{text}' under these rules"))
}

fn set_up(board: &Board, pieces: &[u8]) -> Board {
    let mut board = board.clone();
    for (square, &piece) in board.squares.iter_mut().zip(pieces) {
        square.piece = usize::from(piece);
    }
    board
}

/// Returns the rules, and for a loop around the whole game its rotations, which begin at each of its parts. The keeper's actions
/// before the loop are preserved.
fn beginnings(rules: &Rules) -> Vec<Rules> {
    let mut found = vec![rules.clone()];
    let parts = match rules {
        Rules::Sequence(parts) => parts.as_slice(),
        other => std::slice::from_ref(other),
    };
    if let Some((Rules::Repeated(round), before)) = parts.split_last()
        && let Rules::Sequence(parts) = &**round
    {
        let before = if before.iter().any(|part| part.num_switches() > 0) { &[] } else { before };
        let from = |at: usize| [before, &parts[at..], &[Rules::Repeated(round.clone())]].concat();
        let places = (0..parts.len()).filter(|&at| only_numbers_since_switch(parts, at));
        found.extend(places.map(|at| Rules::sequence(from(at))));
    }
    found
}

/// Returns `true` if no shift and no placement occurs between the last switch before a part and the part, so that the actions
/// between them can be omitted.
fn only_numbers_since_switch(parts: &[Rules], at: usize) -> bool {
    for part in parts[..at].iter().rev().chain(parts[at..].iter().rev()) {
        if part.num_switches() > 0 {
            return ends_with_numbers(part);
        }
        if walks(part) {
            return false;
        }
    }
    false
}

/// Returns `true` if no shift and no placement follows the last switch on any path through a part.
fn ends_with_numbers(rules: &Rules) -> bool {
    match rules {
        Rules::Action(..) => !walks(rules),
        Rules::Sequence(parts) => {
            let last = parts.iter().rposition(|part| part.num_switches() > 0).unwrap_or_default();
            ends_with_numbers(&parts[last]) && !parts[last + 1..].iter().any(walks)
        }
        Rules::Choice(parts) => parts.iter().all(ends_with_numbers),
        Rules::Repeated(part) => ends_with_numbers(part),
    }
}

/// Returns `true` if a part contains a shift or a placement, not counting patterns.
fn walks(rules: &Rules) -> bool {
    match rules {
        Rules::Action(action, _) => matches!(action, Action::Shift(_) | Action::Put(_)),
        Rules::Sequence(parts) | Rules::Choice(parts) => parts.iter().any(walks),
        Rules::Repeated(part) => walks(part),
    }
}

/// Returns `true` if play begins with the requested position.
fn begins(book: &Rulebook, request: &Request) -> bool {
    let Ok((state, Some(_))) = Interpreter::new(book).begin() else { return false };
    let moves = |player: usize| state.mover() == Mover::Player(player);
    request.player.is_none_or(moves)
        && state.board() == request.pieces
        && state.registers()[..book.variables.len()] == request.values
}

fn read(book: &Rulebook, text: &str) -> Result<Request, String> {
    let mut words = text.split_whitespace();
    let rows = words.next().ok_or("the start position is empty")?;
    let pieces = Placement::new(book).pieces(rows)?;
    let (mut player, mut values) = (None, vec![0; book.variables.len()]);
    for word in words {
        let named = |name: &str| book.variables.iter().position(|variable| variable.name == name);
        match word.split_once('=').map(|(name, value)| (named(name), value.parse())) {
            Some((Some(variable), Ok(value))) if value <= book.variables[variable].bound => {
                values[variable] = value;
            }
            None if player.is_none() => {
                let found = book.players.iter().position(|known| known.name == word);
                player = Some(found.ok_or_else(|| format!("unknown player '{word}'"))?);
            }
            _ => {
                return Err(format!(
                    "'{word}' is neither a player nor a variable with a value within its bounds"
                ));
            }
        }
    }
    Ok(Request { pieces, player, values })
}
