//! A network of places connected by actions. It shrinks by eliminating places with a single incoming or outgoing way.

use std::collections::BTreeSet;

use nerode_dfa::{MoveGraph, Result};

use super::action::Action;
use super::sets::Sets;

/// The place where every path begins, and the place where it ends.
pub(super) const SOURCE: usize = 0;
pub(super) const SINK: usize = 1;

#[derive(Debug)]
struct Way {
    from: usize,
    to: usize,
    action: Action,
}

/// Places and the ways between them. Ways lead from places of lower rank to places of higher rank.
#[derive(Debug, Default)]
pub(super) struct Network {
    ways: Vec<Option<Way>>,
    /// The incoming and the outgoing ways of each place.
    into: Vec<BTreeSet<usize>>,
    out: Vec<BTreeSet<usize>>,
}

impl Network {
    /// Creates a network with the given number of places, including source and sink, and no ways.
    pub(super) fn new(places: usize) -> Self {
        Self { ways: Vec::new(), into: vec![BTreeSet::new(); places], out: vec![BTreeSet::new(); places] }
    }

    pub(super) fn add(&mut self, from: usize, to: usize, action: Action) {
        self.into[to].insert(self.ways.len());
        self.out[from].insert(self.ways.len());
        self.ways.push(Some(Way { from, to, action }));
    }

    fn remove(&mut self, way: usize) -> Option<Way> {
        let way_at = self.ways[way].take()?;
        self.into[way_at.to].remove(&way);
        self.out[way_at.from].remove(&way);
        Some(way_at)
    }

    /// Eliminates places as long as this makes the network smaller.
    pub(super) fn shrink(&mut self, sets: &mut Sets<'_>) -> Result<()> {
        let mut left: BTreeSet<usize> = (SINK + 1..self.into.len()).collect();
        while let Some(place) = left.pop_first() {
            if self.into[place].len() > 1 && self.out[place].len() > 1 {
                continue;
            }
            let ways = |list: &BTreeSet<usize>| list.iter().copied().collect::<Vec<usize>>();
            let (into, out) = (ways(&self.into[place]), ways(&self.out[place]));
            let before: Vec<Way> = into.into_iter().filter_map(|way| self.remove(way)).collect();
            let after: Vec<Way> = out.into_iter().filter_map(|way| self.remove(way)).collect();
            for first in &before {
                for next in &after {
                    if let Some(action) = first.action.then(&next.action, sets)? {
                        self.add(first.from, next.to, action);
                    }
                }
            }
            let beside = before.iter().map(|way| way.from).chain(after.iter().map(|way| way.to));
            left.extend(beside.filter(|&place| place > SINK));
        }
        Ok(())
    }

    /// Converts the network to moves. `order` lists all places except source and sink, each before the targets of its ways.
    pub(super) fn moves(&self, sets: &Sets<'_>, order: &[usize]) -> Result<MoveGraph> {
        let mut graph = MoveGraph::new(sets.store.shape().clone());
        // The steps that lead to each place.
        let mut arrived: Vec<Vec<usize>> = vec![Vec::new(); self.into.len()];
        for &place in std::iter::once(&SOURCE).chain(order) {
            let ways: Vec<&Way> = self.out[place].iter().filter_map(|&way| self.ways[way].as_ref()).collect();
            if ways.is_empty() || place != SOURCE && arrived[place].is_empty() {
                continue;
            }
            let junction = if place == SOURCE {
                None
            } else {
                let junction = graph.add(nerode_dfa::Step::identity())?;
                for &step in &arrived[place] {
                    graph.connect(step, junction)?;
                }
                Some(junction)
            };
            for way in ways {
                let step = graph.add(way.action.step(sets))?;
                if let Some(junction) = junction {
                    graph.connect(junction, step)?;
                }
                arrived[way.to].push(step);
            }
        }
        Ok(graph)
    }
}
