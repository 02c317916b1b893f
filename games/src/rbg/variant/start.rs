//! Another start: the pieces are put, variables given, and the rules begin where that side moves.

use super::super::board::Board;
use super::super::book::{Action, Mover, Register, Rulebook, Rules, Value};
use super::super::fault::At;
use super::super::game::Written;
use super::super::play::Interpreter;

/// A position in which somebody begins.
struct Wanted {
    pieces: Vec<u8>,
    player: Option<usize>,
    /// By variable.
    values: Vec<u32>,
}

/// The rules from a position on.
pub(super) fn from(book: &Rulebook, text: &str) -> Result<Rulebook, String> {
    let wanted = read(book, text)?;
    let mut found = book.clone();
    found.board = set_up(&book.board, &wanted.pieces);
    for rules in beginnings(&book.rules) {
        let given = wanted.values.iter().enumerate().filter(|(_, value)| **value > 0);
        let given = given.map(|(variable, &value)| {
            let action = Action::Assign(Register::Variable(variable), Value::Number(value));
            Rules::Action(action, At::default())
        });
        found.rules = Rules::sequence(given.chain(std::iter::once(rules)).collect());
        if begins(&found, &wanted) {
            return Ok(found);
        }
    }
    let who = wanted.player.map_or("nobody", |player| book.players[player].name.as_str());
    Err(format!("the rules have no place where a turn begins with '{text}': {who} begins there"))
}

fn set_up(board: &Board, pieces: &[u8]) -> Board {
    let mut board = board.clone();
    for (square, &piece) in board.squares.iter_mut().zip(pieces) {
        square.piece = usize::from(piece);
    }
    board
}

/// The rules, and the loop around a whole game from every part of it on. What the keeper does before the loop stays.
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
        found.extend((0..parts.len()).map(|at| Rules::sequence(from(at))));
    }
    found
}

/// Whether play begins with that position.
fn begins(book: &Rulebook, wanted: &Wanted) -> bool {
    let Ok((state, Some(_))) = Interpreter::new(book).begin() else { return false };
    let moves = |player: usize| state.mover() == Mover::Player(player);
    wanted.player.is_none_or(moves)
        && state.board() == wanted.pieces
        && state.registers()[..book.variables.len()] == wanted.values
}

fn read(book: &Rulebook, text: &str) -> Result<Wanted, String> {
    let mut words = text.split_whitespace();
    let rows = words.next().ok_or("the start is empty")?;
    let pieces = Written::new(book).pieces(rows)?;
    let (mut player, mut values) = (None, vec![0; book.variables.len()]);
    for word in words {
        let named = |name: &str| book.variables.iter().position(|variable| variable.name == name);
        match word.split_once('=').map(|(name, value)| (named(name), value.parse())) {
            Some((Some(variable), Ok(value))) if value <= book.variables[variable].bound => {
                values[variable] = value;
            }
            None if player.is_none() => {
                let found = book.players.iter().position(|known| known.name == word);
                player = Some(found.ok_or_else(|| format!("'{word}' is no player"))?);
            }
            _ => {
                return Err(format!(
                    "'{word}' is neither a player nor a variable with a value in its bounds"
                ));
            }
        }
    }
    Ok(Wanted { pieces, player, values })
}
