//! Changes the start: replaces the pieces and variables, and lets play begin with a turn of the given side, with a pass, or with a
//! game that is over.

use std::collections::BTreeSet;

use super::super::board::{Board, Square};
use super::super::book::{First, Mover, Rulebook, Stage};
use super::super::names::squares;
use super::super::play::{Begin, Interpreter, PossibleTurn, State};
use super::super::rows::Placement;
use super::super::turns::{AT, Given, OVER, PASSES, TURN, TurnKey, texts, winner_named};

/// The requested start position.
struct Request {
    pieces: Vec<u8>,
    player: Option<usize>,
    /// The values by variable.
    values: Vec<u32>,
    turn: Given,
    /// If `true`, the player to move passes.
    passes: bool,
    /// The winner of a game that is over, or `Some(None)` for a draw.
    winner: Option<Option<usize>>,
}

/// Returns the rules that begin with a position.
pub(super) fn from(book: &Rulebook, text: &str) -> Result<Rulebook, String> {
    let mut found = book.clone();
    let names = squares(&book.board);
    let request = read(book, &names, text)?;
    found.board = set_up(&book.board, &request.pieces);
    if let Some(winner) = request.winner {
        let player = request.player.ok_or_else(|| format!("add the side to move before '{OVER}='"))?;
        if !request.turn.is_empty() || request.passes {
            return Err(format!(
                "no turn begins in a game that is over; remove everything about turns or '{OVER}='"
            ));
        }
        let scores = vec![0; book.players.len()];
        let registers = [request.values, scores].concat();
        found.first = Some(First { stage: Stage::Over { player, winner }, registers });
        return Ok(found);
    }
    let interpreter = Interpreter::new(&found);
    let own = interpreter.begin().ok().and_then(|(state, begin)| Some((state, begin?)));
    let passes = request.passes;
    let as_before = |(square, &piece): (&Square, &u8)| square.piece == usize::from(piece);
    if let Some((state, begin)) = &own
        && !passes
        && book.board.squares.iter().zip(&request.pieces).all(as_before)
        && is_requested(&found, &request, state, *begin)
    {
        return Ok(found);
    }
    let mover = if passes { request.player.map(|player| 1 - player.min(1)) } else { request.player };
    let player = mover.or(match own.map(|(state, _)| state.mover()) {
        Some(Mover::Player(player)) => Some(player),
        _ => None,
    });
    let Some(turns) = interpreter.possible_turns() else {
        return Err("these rules have too many turns to find the one that begins with this position".into());
    };
    let of_player = |turn: &&PossibleTurn| player.is_none_or(|player| player == turn.player);
    let turns: Vec<&PossibleTurn> = turns.iter().filter(of_player).collect();
    let with = interpreter.turns_with(&request.pieces, &request.values);
    let (key, begin) = chosen(book, &names, &turns, &request.turn, &with).map_err(|why| {
        let of = player.map(|player| format!(" of {}", book.players[player].name)).unwrap_or_default();
        match why {
            Unclear::None => format!("no turn{of} can begin with '{text}' under these rules"),
            Unclear::Several(list) => {
                format!("several turns{of} can begin with '{text}'; add one of: {}", list.join("; "))
            }
        }
    })?;
    let registers = [request.values, key.scores.clone()].concat();
    let stage = Stage::Turn { switch: begin.switch, square: begin.square.into(), passes };
    found.first = Some(First { stage, registers });
    Ok(found)
}

/// The reason why a request does not determine a turn.
enum Unclear {
    None,
    /// The texts of the turns that fit.
    Several(Vec<String>),
}

/// Returns the turn that a request means. A turn to which the keeper does
/// not lead with this position is taken only if no other one fits, and so is a turn that occurs only as the first one. `with`
/// contains the turns to which the keeper leads.
fn chosen<'a>(
    book: &Rulebook,
    names: &[String],
    turns: &[&'a PossibleTurn],
    given: &Given,
    with: &BTreeSet<(usize, TurnKey)>,
) -> Result<(&'a TurnKey, Begin), Unclear> {
    let first = |turn: &&'a PossibleTurn| turn.begins.iter().next().filter(|(key, _)| given.fits(key));
    let any = |turn: &&'a PossibleTurn| turn.begins.iter().find(|(key, _)| given.fits(key));
    // The text of a turn gives the first of its beginnings.
    let mut fitting: Vec<_> = turns.iter().filter_map(|turn| Some((first(turn)?, *turn))).collect();
    if fitting.is_empty() {
        fitting = turns.iter().filter_map(|turn| Some((any(turn)?, *turn))).collect();
    }
    let keeper_agrees = |turn: &PossibleTurn| {
        with.iter().any(|(player, key)| *player == turn.player && turn.begins.contains_key(key))
    };
    let conditions: [&dyn Fn(&PossibleTurn) -> bool; 2] = [&keeper_agrees, &|turn| !turn.only_first];
    for condition in conditions {
        if fitting.iter().any(|(_, turn)| condition(turn)) {
            fitting.retain(|(_, turn)| condition(turn));
        }
    }
    match fitting.as_slice() {
        [] => Err(Unclear::None),
        [((key, begin), _)] => Ok((key, **begin)),
        several => {
            let keys: Vec<&TurnKey> = several.iter().map(|((key, _), _)| *key).collect();
            Err(Unclear::Several(texts(book, names, &keys)))
        }
    }
}

/// Returns `true` if a beginning of play is the requested one.
fn is_requested(book: &Rulebook, request: &Request, state: &State, begin: Begin) -> bool {
    let (values, scores) = state.registers().split_at(book.variables.len());
    request.player.is_none_or(|player| state.mover() == Mover::Player(player))
        && values == request.values
        && request.turn.fits(&TurnKey::new(book, begin.switch, begin.square, scores))
}

fn set_up(board: &Board, pieces: &[u8]) -> Board {
    let mut board = board.clone();
    for (square, &piece) in board.squares.iter_mut().zip(pieces) {
        square.piece = usize::from(piece);
    }
    board
}

fn read(book: &Rulebook, names: &[String], text: &str) -> Result<Request, String> {
    let mut words = text.split_whitespace();
    let rows = words.next().ok_or("the start position is empty")?;
    let pieces = Placement::new(book).pieces(rows)?;
    let mut request = Request {
        pieces,
        player: None,
        values: vec![0; book.variables.len()],
        turn: Given::default(),
        passes: false,
        winner: None,
    };
    for word in words {
        let Some((name, value)) = word.split_once('=') else {
            if word == PASSES {
                if request.player.is_none() || book.players.len() != 2 {
                    return Err(format!(
                        "'{PASSES}' does not follow the side to move of a game for two players"
                    ));
                }
                request.passes = true;
                continue;
            }
            if request.player.is_some() {
                return Err(format!("unexpected '{word}' after the side to move"));
            }
            let found = book.players.iter().position(|known| known.name == word);
            request.player = Some(found.ok_or_else(|| format!("unknown player '{word}'"))?);
            continue;
        };
        if let Some(variable) = book.variables.iter().position(|known| known.name == name) {
            let bound = book.variables[variable].bound;
            let value = value.parse().ok().filter(|value| *value <= bound);
            request.values[variable] =
                value.ok_or_else(|| format!("'{word}' is not within its bounds, 0 to {bound}"))?;
        } else if name == OVER {
            request.winner = Some(winner_named(book, value)?);
        } else if !request.turn.read(book, names, name, value)? {
            return Err(format!(
                "unknown name '{name}'; expected {TURN}, {AT}, {OVER}, a variable, or the score of a player"
            ));
        }
    }
    Ok(request)
}
