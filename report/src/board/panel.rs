//! A board with some of the moves: either all of them, or those of one figure.

use nerode_games::Picture;

use super::arrows::{Arrow, Spot, is_crowded, plain_spots, spots};
use super::figures::figure;
use super::geometry::{Board, Point};
use super::marks::Mark;
use super::style::{INK, Style, badge, escaped, halo};

pub(super) struct Panel<'a> {
    picture: &'a Picture,
    board: Board,
    marks: Vec<Mark>,
    spots: Vec<Spot>,
    /// The origin of these moves, if this is one of several boards.
    source: Option<Option<usize>>,
}

impl<'a> Panel<'a> {
    /// Creates a board with its upper left corner at `corner` and all moves.
    pub(super) fn whole(picture: &'a Picture, cell: f64, corner: Point, marks: &[Mark]) -> Self {
        let board = Board::new(picture, cell, corner);
        let spots = spots(&board, picture, marks);
        Self { picture, board, marks: marks.to_vec(), spots, source: None }
    }

    /// Creates one of several boards, with the moves from one place.
    pub(super) fn of_source(
        picture: &'a Picture,
        cell: f64,
        corner: Point,
        marks: &[Mark],
        source: Option<usize>,
    ) -> Self {
        let board = Board::new(picture, cell, corner);
        let spots = plain_spots(&board, picture, marks);
        Self { picture, board, marks: marks.to_vec(), spots, source: Some(source) }
    }

    pub(super) fn is_crowded(&self) -> bool {
        is_crowded(&self.board, &self.marks, &self.spots)
    }

    pub(super) fn draw(&self) -> String {
        let mut parts = vec![self.title(), self.board.ground(self.picture)];
        if let Some(Some(source)) = self.source {
            parts.push(halo(self.board.centre(source), self.board.cell));
        }
        for (at, place) in self.picture.places.iter().enumerate() {
            let shown = place.figure.map(|it| figure(it, self.board.centre(at), self.board.cell));
            parts.extend(shown);
        }
        // Arrows are drawn before values, so that they do not hide any value.
        if self.source.is_none() {
            parts.extend(self.marks.iter().zip(&self.spots).filter_map(|(mark, spot)| {
                let from = self.board.centre(mark.from?);
                Some(Arrow::new(&self.board, from, spot).draw(&Style::of(mark.outcome), mark.best))
            }));
        }
        let badges =
            self.marks.iter().zip(&self.spots).map(|(mark, spot)| badge(mark.outcome, mark.best, spot.at));
        parts.extend(badges);
        parts.concat()
    }

    /// Returns a title that names the moving figure.
    fn title(&self) -> String {
        let Some(source) = self.source else { return String::new() };
        let text = source.map_or_else(
            || "new on the board".to_string(),
            |place| format!("from {}", self.picture.name_of(place)),
        );
        let (x, y) = self.board.corner();
        format!(
            "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"15\" font-weight=\"650\" fill=\"{INK}\">{}</text>\n",
            y - 9.0,
            escaped(&text)
        )
    }
}
