//! Resizes boards whose rows follow a recognisable rule.

use super::super::board::{Board, Shape};
use super::super::limits::SQUARES;

/// Returns the board with the given number of columns and rows. If `is_set_up` is set, the pieces are replaced later, so that any
/// rectangle can be resized.
pub(super) fn resized(board: &Board, columns: usize, rows: usize, is_set_up: bool) -> Result<Board, String> {
    let (Shape::Rectangle(old) | Shape::Hexagon(old)) = &board.shape else {
        return Err("only rectangles and rhombuses of hexagons can be resized".into());
    };
    if columns == 0 || rows == 0 || columns.saturating_mul(rows) > SQUARES {
        return Err(format!(
            "a board of {columns}x{rows} squares: the number of squares must be between 1 and \
            {SQUARES}"
        ));
    }
    if matches!(board.shape, Shape::Rectangle(_))
        && old.len() == rows
        && old.iter().all(|row| row.len() == columns)
    {
        return Ok(board.clone());
    }
    let piece = |square: &Option<usize>| square.map(|square| board.squares[square].piece);
    let old: Option<Vec<Vec<usize>>> = old.iter().map(|row| row.iter().map(piece).collect()).collect();
    let old = old.ok_or("boards with holes cannot be resized")?;
    if matches!(board.shape, Shape::Hexagon(_)) {
        let rows = rhomb(&old, columns, rows)?;
        return Ok(Board::hexagon(board.directions.clone(), rows));
    }
    let new = if is_set_up { Some(vec![vec![0; columns]; rows]) } else { stretched(&old, columns, rows) };
    let new = new.ok_or(
        "the start position on another board is ambiguous: neither do the rows have one piece each around a \
         middle, nor does a pattern of two by two squares repeat; add start=POSITION",
    )?;
    let rows = new.into_iter().map(|row| row.into_iter().map(Some).collect()).collect();
    Ok(Board::rectangle(board.directions.clone(), rows))
}

/// Returns the columns and rows of a board, if smaller boards can be derived from it.
pub(in super::super) fn size_of(board: &Board) -> Option<[usize; 2]> {
    let size = match &board.shape {
        Shape::Rectangle(rows) => [rows.first().map_or(0, Vec::len), rows.len()],
        Shape::Hexagon(rows) => [rows.len().div_ceil(2); 2],
        Shape::Cuboid(_) | Shape::Graph => return None,
    };
    let is_made = |fewer: [usize; 2]| {
        let [columns, rows] = [size[0].saturating_sub(fewer[0]), size[1].saturating_sub(fewer[1])];
        resized(board, columns, rows, false).is_ok()
    };
    [[1, 0], [0, 1], [1, 1], [2, 2]].into_iter().any(is_made).then_some(size)
}

/// Returns the rows of a rhombus of hexagons that stands on a corner. The old board must have the same piece on every square.
fn rhomb(old: &[Vec<usize>], columns: usize, rows: usize) -> Result<Vec<Vec<Option<usize>>>, String> {
    let lengths = |side: usize| (1..=side).chain((1..side).rev());
    let pieces = old.concat();
    let is_rhomb = old.iter().map(Vec::len).eq(lengths(old.len().div_ceil(2)));
    let Some(&piece) = pieces.first().filter(|&first| is_rhomb && pieces.iter().all(|piece| piece == first))
    else {
        return Err(
            "boards of hexagons can be resized only if they are rhombuses with the same piece on every square".into()
        );
    };
    if columns != rows {
        return Err(format!("a rhombus of hexagons has as many columns as rows, not {columns}x{rows}"));
    }
    Ok(lengths(columns).map(|length| vec![Some(piece); length]).collect())
}

/// Returns resized rows that follow the same rule: each row has a single piece and the middle rows are repeated, or the squares
/// repeat with period 2.
fn stretched(old: &[Vec<usize>], columns: usize, rows: usize) -> Option<Vec<Vec<usize>>> {
    let of_one_piece = |row: &Vec<usize>| row.iter().all(|piece| *piece == row[0]);
    if old.iter().all(of_one_piece) {
        let lines: Vec<usize> = old.iter().map(|row| row[0]).collect();
        let lines = with_middle(&lines, rows)?;
        return Some(lines.into_iter().map(|piece| vec![piece; columns]).collect());
    }
    let of_square = |row: usize, column: usize| old.get(row % 2)?.get(column % 2).copied();
    let repeats = |(row, pieces): (usize, &Vec<usize>)| {
        pieces.iter().enumerate().all(|(column, piece)| of_square(row, column) == Some(*piece))
    };
    if !old.iter().enumerate().all(repeats) {
        return None;
    }
    (0..rows).map(|row| (0..columns).map(|column| of_square(row, column)).collect()).collect()
}

/// Returns `rows` lines: equal lines in the middle are repeated or removed, and the other lines stay.
fn with_middle(lines: &[usize], rows: usize) -> Option<Vec<usize>> {
    let (above, below) = (lines[(lines.len() - 1) / 2], lines[lines.len() / 2]);
    if lines.len() == rows {
        return Some(lines.to_vec());
    }
    if above != below {
        return None;
    }
    let middle = lines.len() / 2;
    let begin = lines[..middle].iter().rposition(|&line| line != above).map_or(0, |at| at + 1);
    let end = lines[middle..].iter().position(|&line| line != above).map_or(lines.len(), |at| middle + at);
    let (before, after) = (&lines[..begin], &lines[end..]);
    let more = rows.checked_sub(before.len() + after.len())?;
    Some([before, &vec![above; more], after].concat())
}
