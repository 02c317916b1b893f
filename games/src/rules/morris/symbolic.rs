//! The morris family as sets and moves of letters, written apart from plain play: of [`crate::morris`] it takes the board alone.
//!
//! A turn is a path of steps. One that closes no mill is a placement, a slide, or a stone lifted and dropped elsewhere. One that
//! does goes on through a junction to the captures, a second junction and a second capture where the rules take two.

use std::ops::RangeInclusive;

use nerode_dfa::{Condition, Dfa, Letter, MoveGraph, NodeIndex, Result, Set, Shape, Step, Store};

use super::{BLACK, EMPTY, Morris, WHITE};
use crate::morris::{Capture, FullBoard, Phases};
use crate::side::{Side, Value};
use crate::symbolic::{LayerInfo, SymbolicGame, Terminal};

/// A side with fewer stones has lost; with exactly as many it may fly.
const FEW: usize = 3;

impl SymbolicGame for Morris {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn layers(&self) -> Vec<LayerInfo> {
        let num_points = self.num_points();
        let layer = |&cell: &usize| match self.rules.board.labels().get(cell) {
            Some(label) => {
                LayerInfo { label: (*label).to_string(), letters: ["*", "O", "@"].map(String::from).into() }
            }
            None => LayerInfo {
                label: ["hand O", "hand @"][cell - num_points].to_string(),
                letters: (0..self.cell_states[cell]).map(|stones| stones.to_string()).collect(),
            },
        };
        self.layout.cells().iter().map(layer).collect()
    }

    fn cell_of_layer(&self) -> &[usize] {
        self.layout.cells()
    }

    fn terminal(&self, store: &mut Store, side: Side) -> Result<Terminal> {
        let possible = store.import(&self.possible(side)?)?;
        let few = |side: Side| View::new(self, side).stones_up_to(FEW - 1);
        let own = store.import(&few(side)?)?;
        let other = store.import(&few(side.other())?)?;
        let other = store.difference(&other, &own)?;
        let loss = store.intersection(&own, &possible)?;
        let win = store.intersection(&other, &possible)?;
        let mut draw = store.complement(&possible)?;
        if self.rules.full_board == FullBoard::Draw {
            let full = store.letter_count(EMPTY, &self.point_layers(), 0..=0)?;
            let decided = store.union(&own, &other)?;
            let undecided = store.difference(&full, &decided)?;
            draw = store.union(&draw, &undecided)?;
        }
        Ok(Terminal { win, loss, draw })
    }

    fn no_move_value(&self) -> Value {
        Value::Loss
    }

    /// Those with no more stones of a side than it has in the game and, where a side places all before it moves, hands that
    /// belong to a turn: every position of play, whoever began.
    fn admissible(&self, store: &mut Store, side: Side) -> Result<Option<Set>> {
        store.import(&self.possible(side)?).map(Some)
    }

    fn moves(&self, side: Side) -> Result<MoveGraph> {
        let mut turns = Turns::new(self, side);
        turns.add_all()?;
        Ok(turns.graph)
    }
}

impl Morris {
    /// See [`SymbolicGame::admissible`]. Nothing else is a position of play; the rules count it as drawn.
    fn possible(&self, side: Side) -> Result<Dfa> {
        let most = self.rules.stones.map(usize::from);
        let num_points = self.num_points();
        // Stones of each side on the points passed and in hand.
        let step = |layer: usize, counts: &[[usize; 2]; 2], letter: Letter| {
            let ([mut on_board, mut in_hand], letter) = (*counts, usize::from(letter));
            match self.layout.cells()[layer].checked_sub(num_points) {
                Some(player) => in_hand[player] = letter,
                None if letter > 0 => on_board[letter - 1] += 1,
                None => {}
            }
            let fits = (0..2).all(|player| on_board[player] + in_hand[player] <= most[player]);
            fits.then_some([on_board, in_hand])
        };
        let in_step = |[_, in_hand]: &[[usize; 2]; 2]| {
            self.rules.phases == Phases::Mixed || turns_fit(most, *in_hand, side.index())
        };
        Dfa::from_step(&self.shape, [[0; 2]; 2], step, in_step)
    }

    fn point_layers(&self) -> Vec<usize> {
        (0..self.num_points()).map(|point| self.layout.layer(point)).collect()
    }
}

/// Whether both sides can have placed what is not in hand in equally many turns, or the one not to move in one more: its
/// opponent began then. A side that still has stones in hand had one turn for each that it has not; one that has none had at
/// least so many.
fn turns_fit(stones: [usize; 2], in_hand: [usize; 2], to_move: usize) -> bool {
    let turns = |player: usize| {
        let placed = stones[player] - in_hand[player];
        placed..=if in_hand[player] > 0 { placed } else { stones[0] + stones[1] }
    };
    turns(to_move).any(|n| turns(1 - to_move).contains(&n) || turns(1 - to_move).contains(&(n + 1)))
}

/// The game as one side sees it, in layers and letters.
pub(super) struct View<'a> {
    pub(super) game: &'a Morris,
    pub(super) own: Letter,
    other: Letter,
    own_hand: usize,
}

impl<'a> View<'a> {
    pub(super) fn new(game: &'a Morris, side: Side) -> Self {
        let (own, other) = if side == Side::P1 { (WHITE, BLACK) } else { (BLACK, WHITE) };
        Self { game, own, other, own_hand: game.layout.layer(game.num_points() + side.index()) }
    }

    pub(super) fn num_points(&self) -> usize {
        self.game.num_points()
    }

    pub(super) fn layer(&self, point: usize) -> usize {
        self.game.layout.layer(point)
    }

    /// The point that `layer` holds, unless it holds a hand.
    pub(super) fn point(&self, layer: usize) -> Option<usize> {
        Some(self.game.layout.cells()[layer]).filter(|&cell| cell < self.num_points())
    }

    /// Mills through `point`.
    fn mills(&self, point: usize) -> Vec<u32> {
        self.game.rules.board.mills().iter().copied().filter(|mill| mill >> point & 1 == 1).collect()
    }

    /// `{ w : the side has at most that many stones on the points and in hand }`
    fn stones_up_to(&self, most: usize) -> Result<Dfa> {
        let step = |layer: usize, seen: &usize, letter: Letter| {
            let more = match self.point(layer) {
                Some(_) => usize::from(letter == self.own),
                None if layer == self.own_hand => usize::from(letter),
                None => 0,
            };
            Some(seen + more).filter(|&seen| seen <= most)
        };
        Dfa::from_step(&self.game.shape, 0, step, |_| true)
    }

    /// `{ w : the number of mills through point that hold only letter is in counts }`
    fn mills_through(&self, point: usize, letter: Letter, counts: Mills) -> Result<Dfa> {
        let mills = self.mills(point);
        let step = |layer: usize, broken: &u32, found: Letter| match self.point(layer) {
            Some(point) if found != letter => {
                let through = (0..mills.len()).filter(|&i| mills[i] >> point & 1 == 1);
                Some(through.fold(*broken, |broken, i| broken | 1 << i))
            }
            _ => Some(*broken),
        };
        let whole = |broken: &u32| counts.contains(&(mills.len() as u32 - broken.count_ones()));
        Dfa::from_step(&self.game.shape, 0u32, step, whole)
    }

    /// `{ w : the opponent has no stone on the board }`
    fn others_gone(&self) -> Result<Dfa> {
        Dfa::letter_count(&self.game.shape, self.other, &self.game.point_layers(), 0..=0)
    }

    /// An own stone arrives on the empty `point` and closes so many mills.
    fn arrival(&self, point: usize, mills: Mills) -> Result<Step> {
        let closed = self.mills_through(point, self.own, mills)?;
        let step = Step::identity().change(self.layer(point), EMPTY, self.own);
        Ok(step.then(Condition::any().within(closed)))
    }

    fn are_neighbours(&self, a: usize, b: usize) -> bool {
        self.game.rules.board.neighbours(a) >> b & 1 == 1
    }

    /// `{ w : every stone of the opponent on the board is in a mill }`
    pub(super) fn others_in_mills(&self) -> Result<Dfa> {
        let mills = self.game.rules.board.mills();
        let indices = |set: u32| (0..mills.len()).filter(move |&i| set >> i & 1 == 1);
        let through = |point: usize| {
            (0..mills.len()).filter(|&i| mills[i] >> point & 1 == 1).fold(0u32, |set, i| set | 1 << i)
        };
        let points_of = |set: u32| indices(set).fold(0, |points, i| points | mills[i]);
        // Points passed, mills that can still be whole, and stones that wait for one of them to be.
        let step = |layer: usize, &(passed, open, waiting): &(u32, u32, u32), letter: Letter| {
            let Some(point) = self.point(layer) else { return Some((passed, open, waiting)) };
            let passed = passed | 1 << point;
            if letter != self.other {
                let open = open & !through(point);
                return (waiting & !points_of(open) == 0).then_some((passed, open, waiting));
            }
            let whole = indices(open).filter(|&i| mills[i] & !passed == 0).fold(0, |set, i| set | 1 << i);
            let waiting = (waiting | 1 << point) & !points_of(whole);
            let open = open & !whole;
            (waiting & !points_of(open) == 0).then_some((passed, open, waiting))
        };
        let all = (1u32 << mills.len()) - 1;
        Dfa::from_step(&self.game.shape, (0u32, all, 0u32), step, |&(_, _, waiting)| waiting == 0)
    }
}

/// Numbers of mills closed by a stone that arrives.
pub(super) type Mills = RangeInclusive<u32>;
pub(super) const NO_MILL: Mills = 0..=0;
const ONE_MILL: Mills = 1..=1;
pub(super) const SOME_MILLS: Mills = 1..=u32::MAX;
const SEVERAL_MILLS: Mills = 2..=u32::MAX;

/// The move graph of one side under construction.
pub(super) struct Turns<'a> {
    pub(super) view: View<'a>,
    pub(super) graph: MoveGraph,
}

impl<'a> Turns<'a> {
    /// No moves yet.
    pub(super) fn new(game: &'a Morris, side: Side) -> Self {
        Self { view: View::new(game, side), graph: MoveGraph::new(game.shape.clone()) }
    }

    fn add_all(&mut self) -> Result<()> {
        let lifts = self.lifts()?;
        // Turns that close no mill end here: no edge leaves their last steps.
        self.placements(NO_MILL)?;
        self.moves(NO_MILL, &lifts)?;
        let double =
            if self.view.game.rules.take == 2 { self.placements(SEVERAL_MILLS)? } else { Vec::new() };
        let mut single = self.moves(SOME_MILLS, &lifts)?;
        single.extend(self.placements(if double.is_empty() { SOME_MILLS } else { ONE_MILL })?);
        let protected = self.view.game.rules.capture == Capture::Protected;
        let in_mills = self.view.others_in_mills()?;
        self.captures(&single, &in_mills, protected.then_some(&in_mills))?;
        if !double.is_empty() {
            let first = self.captures(&double, &in_mills, protected.then_some(&in_mills))?;
            let none_left = self.view.others_gone()?;
            self.captures(&first, &in_mills, Some(if protected { &in_mills } else { &none_left }))?;
        }
        Ok(())
    }

    /// Condition on a side that moves a stone on the board: no stone in hand, unless placing and moving mix.
    fn may_move(&self) -> Condition {
        match self.view.game.rules.phases {
            Phases::Separate => Condition::any().with(self.view.own_hand, &[0]),
            Phases::Mixed => Condition::any(),
        }
    }

    /// A stone leaves its point to fly, for every point; none where nobody flies.
    fn lifts(&mut self) -> Result<Vec<NodeIndex>> {
        if !self.view.game.rules.fly {
            return Ok(Vec::new());
        }
        let may_fly = self.may_move().within(self.view.stones_up_to(FEW)?);
        let lift = |point| {
            Step::identity().change(self.view.layer(point), self.view.own, EMPTY).when(may_fly.clone())
        };
        let steps: Vec<Step> = (0..self.view.num_points()).map(lift).collect();
        steps.into_iter().map(|step| self.graph.add(step)).collect()
    }

    /// A stone from the hand arrives on an empty point and closes so many mills.
    fn placements(&mut self, mills: Mills) -> Result<Vec<NodeIndex>> {
        let hand = self.view.own_hand;
        let from_hand: Vec<(Letter, Letter)> =
            (1..self.view.game.shape.num_letters(hand)).map(|n| (n as Letter, n as Letter - 1)).collect();
        let mut nodes = Vec::new();
        for point in 0..self.view.num_points() {
            let step = self.view.arrival(point, mills.clone())?.change_any(hand, &from_hand);
            nodes.push(self.graph.add(step)?);
        }
        Ok(nodes)
    }

    /// A stone of the board arrives on another point, by a slide or in flight, and closes so many mills.
    pub(super) fn moves(&mut self, mills: Mills, lifts: &[NodeIndex]) -> Result<Vec<NodeIndex>> {
        let mut nodes = Vec::new();
        for to in 0..self.view.num_points() {
            let arrival = self.view.arrival(to, mills.clone())?;
            for from in (0..self.view.num_points()).filter(|&from| self.view.are_neighbours(from, to)) {
                let from = self.view.layer(from);
                let slide = arrival.clone().change(from, self.view.own, EMPTY).when(self.may_move());
                nodes.push(self.graph.add(slide)?);
            }
            if !lifts.is_empty() {
                let drop = self.graph.add(arrival)?;
                // A stone that comes down where it was has not moved.
                for (_, &lift) in lifts.iter().enumerate().filter(|&(from, _)| from != to) {
                    self.graph.connect(lift, drop)?;
                }
                nodes.push(drop);
            }
        }
        Ok(nodes)
    }

    /// After the steps `before`: a stone of the opponent that is in no mill is taken, or any where all are and the rules let it;
    /// or none, on words of `or_nothing`.
    pub(super) fn captures(
        &mut self,
        before: &[NodeIndex],
        in_mills: &Dfa,
        or_nothing: Option<&Dfa>,
    ) -> Result<Vec<NodeIndex>> {
        let junction = self.graph.add(Step::identity())?;
        for &node in before {
            self.graph.connect(node, junction)?;
        }
        let mut conditions = Vec::new();
        for point in 0..self.view.num_points() {
            conditions.push((point, self.view.mills_through(point, self.view.other, NO_MILL)?));
            if self.view.game.rules.capture == Capture::Always {
                conditions.push((point, in_mills.clone()));
            }
        }
        let taken = |(point, condition): (usize, Dfa)| {
            let change = Step::identity().change(self.view.layer(point), self.view.other, EMPTY);
            change.when(Condition::any().within(condition))
        };
        let mut steps: Vec<Step> = conditions.into_iter().map(taken).collect();
        steps.extend(or_nothing.map(|set| Step::identity().when(Condition::any().within(set.clone()))));
        let mut nodes = Vec::with_capacity(steps.len());
        for step in steps {
            nodes.push(self.graph.add(step)?);
            self.graph.connect(junction, nodes[nodes.len() - 1])?;
        }
        Ok(nodes)
    }
}
