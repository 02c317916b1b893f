//! Pictures of boards. Because a rules file names pieces but does not describe their appearance, the appearance follows from the
//! names.

use std::collections::BTreeSet;

use nerode_games::grid::letters_of;
use nerode_games::{Figure, Ground, Look, Picture, Place, Side};

use super::super::board::{Board, Shape};
use super::super::book::Rulebook;
use super::super::names::{squares, vacant};

/// Words in names of pieces, with the appearance of such pieces.
const LOOKS: [(&str, Look); 11] = [
    ("pawn", Look::Pawn),
    ("knight", Look::Man('N')),
    ("king", Look::Man('K')),
    ("queen", Look::Man('Q')),
    ("rook", Look::Man('R')),
    ("bishop", Look::Man('B')),
    ("amazon", Look::Amazon),
    ("arrow", Look::Block),
    ("block", Look::Block),
    ("wall", Look::Block),
    ("cross", Look::Cross),
];

type Rows = [Vec<Option<usize>>];

/// Returns the figure of each piece, or `None` for the empty piece. `players` contains the players that are P1 and P2.
pub(super) fn figures(book: &Rulebook, players: [usize; 2]) -> Vec<Option<Figure>> {
    let vacant = vacant(book);
    let names = players.map(|player| book.players()[player].name.to_ascii_lowercase());
    let is_dark = [names[0].starts_with("black"), !names[1].starts_with("white")];
    let pieces: Vec<String> = book.pieces().iter().map(|name| name.to_ascii_lowercase()).collect();
    let seen = |piece: &usize| Some(*piece) != vacant;
    let mut owners: Vec<Option<Side>> = pieces.iter().map(|piece| owner(piece, &names)).collect();
    let shown: Vec<usize> = (0..pieces.len()).filter(seen).collect();
    // If there are exactly two pieces and their names indicate no owner, each player owns one of them, in order.
    if let &[first, second] = &shown[..]
        && owners[first].is_none()
        && owners[second].is_none()
    {
        owners[first] = Some(Side::P1);
        owners[second] = Some(Side::P2);
    }
    let mut figures: Vec<Option<Figure>> = vec![None; pieces.len()];
    for &piece in &shown {
        let owner = owners[piece];
        let light = owner.is_some_and(|side| !is_dark[side.index()]);
        let figure = Figure { look: look(&pieces[piece]), owner, light };
        let letter = pieces[piece].chars().last().unwrap_or('?').to_ascii_uppercase();
        // Every piece has a different figure.
        let is_new = !figures.contains(&Some(figure));
        figures[piece] = Some(if is_new { figure } else { Figure { look: Look::Man(letter), ..figure } });
    }
    figures
}

/// Returns the player with the longer common prefix of the names, unless both are equal.
fn owner(piece: &str, players: &[String; 2]) -> Option<Side> {
    let same = |player: &String| player.chars().zip(piece.chars()).take_while(|(a, b)| a == b).count();
    let [first, second] = [same(&players[0]), same(&players[1])];
    match first.cmp(&second) {
        std::cmp::Ordering::Greater => Some(Side::P1),
        std::cmp::Ordering::Less => Some(Side::P2),
        std::cmp::Ordering::Equal => None,
    }
}

fn look(piece: &str) -> Look {
    match piece {
        "x" => Look::Cross,
        "o" | "nought" | "ring" => Look::Ring,
        _ => LOOKS.iter().find(|(word, _)| piece.contains(word)).map_or(Look::Disc, |&(_, look)| look),
    }
}

/// Returns a picture of the board with a figure for each square, or `None` for a board that is written square by square with
/// neither drawing positions nor squares named by file and rank.
pub(super) fn picture(
    book: &Rulebook,
    figure: impl Fn(usize) -> Option<Figure>,
    note: Option<String>,
) -> Option<Picture> {
    let board = book.board();
    let mut at = vec![(0, 0); board.squares.len()];
    let (files, ranks, ground) = match &board.shape {
        Shape::Rectangle(rows) => {
            let width = put(rows, &mut at, |_, column| column, 0);
            let files = (0..width).map(letters_of).collect();
            (files, numbers(rows.len()), Ground::Squares { chequered: false })
        }
        Shape::Hexagon(rows) => {
            let longest = rows.iter().map(Vec::len).max().unwrap_or_default();
            put(rows, &mut at, |row, column| longest - row.len() + 2 * column, 0);
            // The files of a hexagon cross the ranks diagonally, so that there is no place for their names below the board.
            (vec![String::new(); 2 * longest], numbers(rows.len()), Ground::Hexagons)
        }
        Shape::Cuboid(layers) => {
            let (mut width, mut below) = (0, 0);
            for rows in layers.iter().rev() {
                width = put(rows, &mut at, |_, column| column, below).max(width);
                below += rows.len() + 1;
            }
            let height = below.saturating_sub(1);
            (vec![String::new(); width], vec![String::new(); height], Ground::Squares { chequered: false })
        }
        Shape::Graph => {
            let drawn = book.points();
            at = match drawn {
                Some(points) => points.to_vec(),
                None => board.squares.iter().map(|square| named(&square.name)).collect::<Option<_>>()?,
            };
            let [width, height] = [at.iter().map(|at| at.0).max()?, at.iter().map(|at| at.1).max()?];
            let unnamed = |length: usize| vec![String::new(); length];
            let (files, ranks) = match drawn {
                Some(_) => (unnamed(width + 1), unnamed(height + 1)),
                None => ((0..=width).map(letters_of).collect(), numbers(height + 1)),
            };
            (files, ranks, Ground::Lines(lines(board)))
        }
    };
    let is_named = matches!(board.shape, Shape::Hexagon(_) | Shape::Cuboid(_)) || book.points().is_some();
    let names = if is_named { squares(board) } else { Vec::new() };
    let places = at.into_iter().enumerate().map(|(square, at)| Place { at, figure: figure(square) });
    Some(Picture { files, ranks, ground, places: places.collect(), names, note })
}

/// Returns the coordinates of a square that is named like `b4`.
fn named(name: &str) -> Option<(usize, usize)> {
    let (file, rank) = name.split_at_checked(1)?;
    let file = file.chars().next().filter(char::is_ascii_lowercase)?;
    let rank: usize = rank.parse().ok().filter(|rank| (1..=99).contains(rank))?;
    Some((usize::from(file as u8 - b'a'), rank - 1))
}

/// Returns the pairs of adjacent squares.
fn lines(board: &Board) -> Vec<(usize, usize)> {
    let ways = board.squares.iter().enumerate();
    let pair = |(from, to): (usize, usize)| (from.min(to), from.max(to));
    let pairs = ways.flat_map(|(from, square)| square.next.iter().flatten().map(move |&to| (from, to)));
    pairs.map(pair).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Sets the positions of squares to their row and column, and returns the length of the longest row.
fn put(
    rows: &Rows,
    at: &mut [(usize, usize)],
    file: impl Fn(&[Option<usize>], usize) -> usize,
    below: usize,
) -> usize {
    for (above, row) in rows.iter().enumerate() {
        for (column, square) in row.iter().enumerate() {
            if let Some(square) = square {
                at[*square] = (file(row, column), below + rows.len() - 1 - above);
            }
        }
    }
    rows.iter().map(Vec::len).max().unwrap_or_default()
}

fn numbers(ranks: usize) -> Vec<String> {
    (1..=ranks).map(|rank| rank.to_string()).collect()
}
