//! Othello as sets of words and moves that rewrite letters.
//!
//! A move is a path of steps: the disc is placed, and then, for each direction, either a row is turned over or no row
//! can be. The paths form two strands, one for paths that have not yet turned over a row and one for paths that have.
//! Only the second strand reaches the end.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

use nerode_dfa::{Condition, Dfa, Letter, MoveGraph, NodeIndex, Result, Set, Step, Store};

use super::{BLACK, EMPTY, Othello, WHITE};
use crate::side::{Side, Value};
use crate::symbolic::{SymbolicGame, Terminal};

/// The possible effects of a new disc in one direction.
struct Ray {
    /// The cases in which no row can be turned over.
    idle: Vec<Step>,
    /// The cases in which a row is turned over.
    turning: Vec<Step>,
}

impl Othello {
    /// Returns the layers from next to `cell` to the edge of the board, for each direction in which a row can be turned over.
    fn rays(&self, cell: usize) -> Vec<Vec<usize>> {
        let (file, rank) = (self.grid.file(cell), self.grid.rank(cell));
        let (left, right) = (file, self.grid.width() - 1 - file);
        let (down, up) = (rank, self.grid.height() - 1 - rank);
        let ray = |length: usize, at: &dyn Fn(usize) -> (usize, usize)| -> Vec<usize> {
            (1..=length).map(at).map(|(file, rank)| self.layout.layer(self.grid.cell(file, rank))).collect()
        };
        let all = [
            ray(left, &|i| (file - i, rank)),
            ray(right, &|i| (file + i, rank)),
            ray(down, &|i| (file, rank - i)),
            ray(up, &|i| (file, rank + i)),
            ray(left.min(down), &|i| (file - i, rank - i)),
            ray(left.min(up), &|i| (file - i, rank + i)),
            ray(right.min(down), &|i| (file + i, rank - i)),
            ray(right.min(up), &|i| (file + i, rank + i)),
        ];
        all.into_iter().filter(|layers| layers.len() > 1).collect()
    }

    /// Returns the set `{ w : accept(score of w) }`.
    fn scored(&self, accept: impl Fn(i32) -> bool) -> Result<Dfa> {
        let step = |_: usize, counts: &[i32; 3], letter: Letter| {
            let mut counts = *counts;
            counts[usize::from(letter)] += 1;
            Some(counts)
        };
        let score = |&[empty, black, white]: &[i32; 3]| {
            let prize = if self.scoring.empties_to_winner { empty } else { 0 };
            match black.cmp(&white) {
                Ordering::Greater => black + prize - white,
                Ordering::Equal => 0,
                Ordering::Less => black - white - prize,
            }
        };
        Dfa::from_step(&self.shape, [0; 3], step, |counts| accept(score(counts)))
    }
}

impl Ray {
    fn new(layers: &[usize], own: Letter, other: Letter) -> Self {
        // The first `row` layers hold opposing discs, and the next layer decides.
        let row_then = |row: usize, next: &[Letter]| {
            let start = layers[..row].iter().fold(Condition::any(), |all, &layer| all.with(layer, &[other]));
            match layers.get(row) {
                Some(&layer) => start.with(layer, next),
                None => start,
            }
        };
        let mut idle = vec![Step::identity().when(row_then(0, &[EMPTY, own]))];
        idle.extend((1..=layers.len()).map(|row| Step::identity().when(row_then(row, &[EMPTY]))));
        let turned = |row: usize| {
            let all = Step::identity().when(row_then(row, &[own]));
            layers[..row].iter().fold(all, |step, &layer| step.change(layer, other, own))
        };
        Self { idle, turning: (1..layers.len()).map(turned).collect() }
    }
}

/// The last nodes of both strands of the moves to one cell, after some of the directions.
struct Strands {
    none_turned: NodeIndex,
    some_turned: Option<NodeIndex>,
}

/// Adds a node that follows a choice: any of the `steps` after its `from`.
fn choice(graph: &mut MoveGraph, choices: &[(NodeIndex, &[Step])]) -> Result<NodeIndex> {
    let mut ends = Vec::new();
    for (from, steps) in choices {
        for step in *steps {
            let node = graph.add(step.clone())?;
            graph.connect(*from, node)?;
            ends.push(node);
        }
    }
    let junction = graph.add(Step::identity())?;
    for end in ends {
        graph.connect(end, junction)?;
    }
    Ok(junction)
}

impl Strands {
    /// Adds one direction. After the last direction, the strand without a turned row ends.
    fn go_on(&mut self, graph: &mut MoveGraph, ray: &Ray, is_last: bool) -> Result<()> {
        let mut choices = vec![(self.none_turned, &ray.turning[..])];
        if let Some(some) = self.some_turned {
            choices.extend([(some, &ray.idle[..]), (some, &ray.turning[..])]);
        }
        self.some_turned = Some(choice(graph, &choices)?);
        if !is_last {
            self.none_turned = choice(graph, &[(self.none_turned, &ray.idle)])?;
        }
        Ok(())
    }
}

impl SymbolicGame for Othello {
    /// Returns empty sets, because the game ends only when neither side has a move.
    fn terminal(&self, store: &mut Store, _side: Side) -> Result<Terminal> {
        Ok(Terminal { win: store.empty(), loss: store.empty(), draw: store.empty() })
    }

    fn no_move_value(&self) -> Value {
        Value::Draw
    }

    fn has_passes(&self) -> bool {
        true
    }

    fn no_move(&self, store: &mut Store, side: Side) -> Result<Option<Terminal>> {
        // Black wins with scores from `wins_from` and loses with scores up to `loses_to`.
        let (wins_from, loses_to) = self.scoring.margin.map_or((1, -1), |margin| (margin, margin - 1));
        let black_wins = store.import(&self.scored(|score| score >= wins_from)?)?;
        let white_wins = store.import(&self.scored(|score| score <= loses_to)?)?;
        let draw = store.import(&self.scored(|score| loses_to < score && score < wins_from)?)?;
        let (win, loss) = if side == Side::P1 { (black_wins, white_wins) } else { (white_wins, black_wins) };
        Ok(Some(Terminal { win, loss, draw }))
    }

    /// Returns the boards on which the middle four cells are occupied.
    fn admissible(&self, store: &mut Store, _side: Side) -> Result<Option<Set>> {
        let discs = self.middle().map(|cell| (self.layout.layer(cell), vec![BLACK, WHITE]));
        store.cube(&discs).map(Some)
    }

    fn moves(&self, _store: &mut Store, side: Side) -> Result<MoveGraph> {
        let (own, other) = if side == Side::P1 { (BLACK, WHITE) } else { (WHITE, BLACK) };
        let mut graph = MoveGraph::new(self.shape.clone());
        for cell in 0..self.grid.num_cells() {
            let rays: Vec<Ray> = self.rays(cell).iter().map(|layers| Ray::new(layers, own, other)).collect();
            if rays.is_empty() {
                continue;
            }
            let placed = graph.add(Step::identity().change(self.layout.layer(cell), EMPTY, own))?;
            let mut strands = Strands { none_turned: placed, some_turned: None };
            for (i, ray) in rays.iter().enumerate() {
                strands.go_on(&mut graph, ray, i + 1 == rays.len())?;
            }
        }
        Ok(graph)
    }

    /// Returns the range of the disc difference from black's point of view. With a margin, only the values count.
    fn scores(&self) -> Option<RangeInclusive<i32>> {
        // There are at most 80 cells.
        let most = self.grid.num_cells() as i32;
        self.scoring.margin.is_none().then_some(-most..=most)
    }

    fn score_at_least(&self, store: &mut Store, least: i32) -> Result<Set> {
        store.import(&self.scored(|score| score >= least)?)
    }
}
