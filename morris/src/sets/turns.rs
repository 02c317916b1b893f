//! The turns of P1 without stones in hand, compiled, and their preimages.

use nerode_dfa::{Dfa, Direction, Image, MoveGraph, PassMoves, Passes, Step};
use nerode_games::morris::{FullBoard, Rules, sector_moves};
use nerode_games::{Game, Side};

use super::sector_sets::Stones;
use nerode_solver::error::Result;

// The letters of the points: empty, a stone of P1, a stone of P2.
const EMPTY: u8 = 0;
const FIRST: u8 = 1;
const SECOND: u8 = 2;

/// The turns of P1, either flying or not, compiled.
pub(super) struct Moves {
    quiet: PassMoves,
    closing: PassMoves,
    captures: PassMoves,
    /// The positions that `closing` leads to.
    pub(super) mills: Dfa,
    /// Whether P1 flies. In that case quiet moves lead outside `mills`, but the relation `quiet` does not check this.
    pub(super) flies: bool,
    /// The positions in which a mill just closed takes nothing.
    pub(super) kept: Option<Dfa>,
}

/// All turns of P1 in one game, and the exchange of sides.
pub(super) struct Turns {
    /// The turns without and with flying.
    moves: [Moves; 2],
    exchange: PassMoves,
    /// The layers of the points, and those of the hands.
    layers: [Vec<usize>; 2],
    /// The number of points if a full board is a draw.
    drawn_when_full: Option<usize>,
}

impl Turns {
    pub(super) fn new(game: &dyn Game, rules: &Rules) -> Result<Self> {
        let (cells, num_points) = (game.cell_of_layer(), rules.board.num_points());
        let (points, hands): (Vec<_>, Vec<_>) =
            (0..cells.len()).partition(|layer: &usize| cells[*layer] < num_points);
        let exchanged = [(EMPTY, EMPTY), (FIRST, SECOND), (SECOND, FIRST)];
        let exchange =
            points.iter().fold(Step::identity(), |step, &layer| step.change_any(layer, &exchanged));
        let mut graph = MoveGraph::new(game.shape().clone());
        graph.add(exchange)?;
        Ok(Self {
            moves: [Moves::new(game, false)?, Moves::new(game, true)?],
            exchange: PassMoves::new(&graph)?,
            layers: [points, hands],
            drawn_when_full: (rules.full_board == FullBoard::Draw).then_some(num_points),
        })
    }

    /// Returns the turns of P1, either flying or not.
    pub(super) fn of(&self, flies: bool) -> &Moves {
        &self.moves[usize::from(flies)]
    }

    /// Returns `true` if a side without a move draws.
    pub(super) fn no_move_draws(&self, stones: Stones) -> bool {
        self.drawn_when_full == Some(usize::from(stones[0]) + usize::from(stones[1]))
    }

    /// Returns `{ w : P1 and P2 have that many stones on the points and none in hand }`.
    pub(super) fn all(&self, passes: &Passes, stones: Stones) -> Result<Dfa> {
        let (shape, [points, hands]) = (self.moves[0].mills.shape(), &self.layers);
        let count = |letter, n: u8| Dfa::letter_count(shape, letter, points, n.into()..=n.into());
        let hands: Vec<_> = hands.iter().map(|&layer| (layer, vec![0])).collect();
        let parts = [Dfa::cube(shape, &hands)?, count(FIRST, stones[0])?, count(SECOND, stones[1])?];
        Ok(passes.combine(&[&parts[0], &parts[1], &parts[2]], |x| x[0] && x[1] && x[2])?)
    }

    /// Returns `{ w : w with the sides exchanged ∈ set }`.
    pub(super) fn exchanged(&self, passes: &Passes, set: &Dfa) -> Result<Dfa> {
        Ok(passes.image(image(set, &self.exchange, Direction::Forward), &[], |x, _| x)?)
    }
}

/// Returns the image of a set that is not complemented.
fn image<'a>(set: &'a Dfa, moves: &'a PassMoves, direction: Direction) -> Image<'a> {
    Image { set, complement: false, moves, direction }
}

impl Moves {
    fn new(game: &dyn Game, flies: bool) -> Result<Self> {
        let moves = sector_moves(game, Side::P1, flies)?;
        Ok(Self {
            quiet: PassMoves::new(&moves.quiet)?,
            closing: PassMoves::new(&moves.closing)?,
            captures: PassMoves::new(&moves.captures)?,
            mills: moves.mills,
            flies: moves.flies,
            kept: moves.kept,
        })
    }

    /// Returns `{ w : f(w has a quiet move into set, [w in side for each of sides]) }`. If the side flies, `set` must
    /// not contain mills.
    pub(super) fn before_quiet(
        &self,
        passes: &Passes,
        set: &Dfa,
        sides: &[&Dfa],
        f: impl Fn(bool, &[bool]) -> bool,
    ) -> Result<Dfa> {
        Ok(passes.image(image(set, &self.quiet, Direction::Backward), sides, f)?)
    }

    /// Returns the part of `set` from which every quiet move leads into `barred`. If the side flies, `barred` must
    /// contain all words with mills.
    pub(super) fn quiet_all_into(&self, passes: &Passes, set: &Dfa, barred: &Dfa) -> Result<Dfa> {
        let image = Image { complement: true, ..image(barred, &self.quiet, Direction::Backward) };
        Ok(passes.image(image, &[set], |x, s| s[0] && !x)?)
    }

    /// Returns the words with a mill just closed from which a capture leads into `there`, or from which nothing is
    /// taken and which are in `here`.
    pub(super) fn before_capture(&self, passes: &Passes, here: &Dfa, there: &Dfa) -> Result<Dfa> {
        let there = passes.combine(&[there, &self.mills], |x| x[0] && x[1])?;
        let image = image(&there, &self.captures, Direction::Backward);
        match &self.kept {
            Some(kept) => {
                Ok(passes.image(image, &[here, kept, &self.mills], |x, s| x || s[0] && s[1] && s[2])?)
            }
            None => Ok(passes.image(image, &[], |x, _| x)?),
        }
    }

    /// Returns `{ w : f(w has a move that closes a mill into closed, [w in side for each of sides]) }`.
    pub(super) fn before_closing(
        &self,
        passes: &Passes,
        closed: &Dfa,
        sides: &[&Dfa],
        f: impl Fn(bool, &[bool]) -> bool,
    ) -> Result<Dfa> {
        Ok(passes.image(image(closed, &self.closing, Direction::Backward), sides, f)?)
    }

    /// Returns the part of `set` from which every turn that closes a mill leads into `won` with nothing taken, or into
    /// `child_won`.
    pub(super) fn closing_all_into(
        &self,
        passes: &Passes,
        set: &Dfa,
        won: &Dfa,
        child_won: &Dfa,
    ) -> Result<Dfa> {
        if set.is_empty() {
            return Ok(set.clone());
        }
        let closed =
            passes.image(image(set, &self.closing, Direction::Forward), &[&self.mills], |x, s| x && s[0])?;
        let captures = Image { complement: true, ..image(child_won, &self.captures, Direction::Backward) };
        let escapes = match &self.kept {
            Some(kept) => {
                passes.image(captures, &[&closed, kept, won], |x, s| s[0] && (x || s[1] && !s[2]))?
            }
            None => passes.image(captures, &[&closed], |x, s| x && s[0])?,
        };
        self.before_closing(passes, &escapes, &[set], |x, s| s[0] && !x)
    }
}
