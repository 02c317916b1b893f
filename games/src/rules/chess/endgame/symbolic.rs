//! Endgames as sets. The movements of single men are steps, while forbidden combinations of squares and attacks on
//! kings are sets of words.
//!
//! A step requires that the squares between its ends are empty, but it checks neither the square that it enters nor
//! whether a king is attacked. Instead, words in which two men share a square, or a king is left in check, are excluded
//! from the arrivals. Every step is therefore a product of a few letters, and the relations stay small.

use std::collections::BTreeMap;

use nerode_dfa::{Condition, Letter, MoveGraph, Set, Step, Store};

use super::Endgame;
use crate::rules::chess::geometry::{Way, pawn_ways, ways};
use crate::rules::chess::material::{FORMS, Slot};
use crate::rules::chess::men::Kind;
use crate::side::{Side, Value};
use crate::symbolic::{SymbolicGame, Terminal};

/// Pairs of letters before and after a step.
type Pairs = Vec<(Letter, Letter)>;

/// A moving man in one of its forms.
struct Mover<'a> {
    slot: &'a Slot,
    form: Option<u8>,
    /// The form that a pawn takes on the last rank.
    becomes: Option<u8>,
}

impl Endgame {
    fn slots(&self, side: Side) -> impl Iterator<Item = &Slot> {
        self.material.slots.iter().filter(move |slot| slot.man.side == side)
    }

    /// Returns, for each man except those in `of`, its layer and the letters that leave the squares `over` empty.
    fn clear(&self, of: &[&Slot], over: &[usize]) -> Vec<(usize, Vec<Letter>)> {
        if over.is_empty() {
            return Vec::new();
        }
        let others =
            self.material.slots.iter().filter(|slot| of.iter().all(|known| known.square != slot.square));
        others
            .map(|slot| (self.layout.layer(slot.square), self.letters(slot.square, |x| !over.contains(&x))))
            .collect()
    }

    fn letters(&self, cell: usize, keep: impl Fn(usize) -> bool) -> Vec<Letter> {
        (0..self.material.cell_states[cell]).filter(|&x| keep(usize::from(x))).map(|x| x as Letter).collect()
    }

    /// Adds one step: `mover` moves along any of `pairs` over the empty squares `over`. If `victim` is given, it stands
    /// at the common destination of all `pairs` and is captured.
    fn step(
        &self,
        mover: &Mover<'_>,
        over: &[usize],
        pairs: &[(Letter, Letter)],
        victim: Option<&Slot>,
    ) -> Step {
        let layer = |cell: usize| self.layout.layer(cell);
        let mut free = Condition::any();
        for (layer, letters) in self.clear(&[mover.slot], over) {
            free = free.with(layer, &letters);
        }
        let mut step = Step::identity().change_any(layer(mover.slot.square), pairs);
        if let (Some(cell), Some(form)) = (mover.slot.form, mover.form) {
            step = step.change(layer(cell), form, mover.becomes.unwrap_or(form));
        }
        if let (Some(victim), Some(&(_, to))) = (victim, pairs.first()) {
            step = step.change(layer(victim.square), to, self.material.taken());
            if let Some(cell) = victim.form {
                let forgotten: Vec<(Letter, Letter)> =
                    (0..FORMS.len() as Letter).map(|form| (form, 0)).collect();
                step = step.change_any(layer(cell), &forgotten);
            }
        }
        step.when(free)
    }

    /// Adds the steps along `ways` without a capture. Ways over the same squares share one step.
    fn go(&self, graph: &mut MoveGraph, mover: &Mover<'_>, ways: &[Way]) -> nerode_dfa::Result<()> {
        let mut together: BTreeMap<&[usize], Pairs> = BTreeMap::new();
        for way in ways {
            together.entry(&way.over).or_default().push((way.from as Letter, way.to as Letter));
        }
        for (over, pairs) in together {
            graph.add(self.step(mover, over, &pairs, None))?;
        }
        Ok(())
    }

    /// Adds the steps along `ways` that capture a man of the opponent.
    fn take(&self, graph: &mut MoveGraph, mover: &Mover<'_>, ways: &[Way]) -> nerode_dfa::Result<()> {
        let mut together: BTreeMap<(usize, &[usize]), Pairs> = BTreeMap::new();
        for way in ways {
            together.entry((way.to, &way.over)).or_default().push((way.from as Letter, way.to as Letter));
        }
        let other = mover.slot.man.side.other();
        for victim in self.slots(other).filter(|slot| slot.man.kind != Kind::King) {
            for ((_, over), pairs) in &together {
                graph.add(self.step(mover, over, pairs, Some(victim)))?;
            }
        }
        Ok(())
    }

    fn pawn_steps(&self, graph: &mut MoveGraph, slot: &Slot, form: Option<u8>) -> nerode_dfa::Result<()> {
        let (grid, side) = (self.material.grid, slot.man.side);
        let ways = pawn_ways(grid, side);
        let goal = if side == Side::P1 { grid.height() - 1 } else { 0 };
        let arrives = |way: &Way| grid.rank(way.to) == goal;
        let all = [ways.single, ways.double].concat();
        let (last, ahead): (Vec<Way>, Vec<Way>) = all.into_iter().partition(arrives);
        let (last_taking, taking): (Vec<Way>, Vec<Way>) = ways.captures.into_iter().partition(arrives);
        let stays = Mover { slot, form, becomes: None };
        self.go(graph, &stays, &ahead)?;
        self.take(graph, &stays, &taking)?;
        for becomes in 1..FORMS.len() as u8 {
            let turns = Mover { slot, form, becomes: Some(becomes) };
            self.go(graph, &turns, &last)?;
            self.take(graph, &turns, &last_taking)?;
        }
        Ok(())
    }

    /// Returns the set `{ w : a man of by attacks the king of the other side }`.
    fn attacks(&self, store: &mut Store, by: Side) -> nerode_dfa::Result<Set> {
        let king = self.material.king(by.other());
        let mut cubes = Vec::new();
        for slot in self.slots(by) {
            for (kind, form) in slot.forms() {
                let all = match kind {
                    Kind::Pawn => pawn_ways(self.material.grid, by).captures,
                    kind => ways(self.material.grid, kind),
                };
                for way in &all {
                    let mut cube = self.clear(&[slot, &king], &way.over);
                    cube.push((self.layout.layer(slot.square), vec![way.from as Letter]));
                    cube.push((self.layout.layer(king.square), vec![way.to as Letter]));
                    cube.extend(
                        slot.form.zip(form).map(|(cell, form)| (self.layout.layer(cell), vec![form])),
                    );
                    cubes.push(store.cube(&cube)?);
                }
            }
        }
        store.union_all(&cubes)
    }

    /// Returns the set `{ w : two men share a square, or a pawn is on the first or last rank, or a taken pawn has
    /// another form }`.
    fn misfits(&self, store: &mut Store) -> nerode_dfa::Result<Set> {
        let (grid, slots) = (self.material.grid, &self.material.slots);
        let layer = |cell: usize| self.layout.layer(cell);
        let mut cubes = Vec::new();
        for (i, one) in slots.iter().enumerate() {
            for other in &slots[i + 1..] {
                for square in 0..grid.num_cells() as Letter {
                    let both = [(layer(one.square), vec![square]), (layer(other.square), vec![square])];
                    cubes.push(store.cube(&both)?);
                }
            }
            let Some(form) = one.form else { continue };
            let ends = self.letters(one.square, |x| {
                x < grid.num_cells() && (grid.rank(x) == 0 || grid.rank(x) + 1 == grid.height())
            });
            cubes.push(store.cube(&[(layer(form), vec![0]), (layer(one.square), ends)])?);
            let become_something = self.letters(form, |form| form > 0);
            let taken = vec![self.material.taken()];
            cubes.push(store.cube(&[(layer(form), become_something), (layer(one.square), taken)])?);
        }
        store.union_all(&cubes)
    }

    /// Returns the valid positions with `side` to move.
    fn positions(&self, store: &mut Store, side: Side) -> nerode_dfa::Result<Set> {
        let misfits = self.misfits(store)?;
        let attacks = self.attacks(store, side)?;
        let neither = store.union(&misfits, &attacks)?;
        store.complement(&neither)
    }
}

impl SymbolicGame for Endgame {
    /// Returns the invalid positions, which are terminal and drawn.
    fn terminal(&self, store: &mut Store, side: Side) -> nerode_dfa::Result<Terminal> {
        let positions = self.positions(store, side)?;
        Ok(Terminal { win: store.empty(), loss: store.empty(), draw: store.complement(&positions)? })
    }

    fn no_move_value(&self) -> Value {
        Value::Draw
    }

    /// Returns the positions in check as lost, because the lack of a legal move is then checkmate.
    fn no_move(&self, store: &mut Store, side: Side) -> nerode_dfa::Result<Option<Terminal>> {
        let loss = self.attacks(store, side.other())?;
        Ok(Some(Terminal { win: store.empty(), loss, draw: store.empty() }))
    }

    fn arrivals(&self, store: &mut Store, side: Side) -> nerode_dfa::Result<Option<Set>> {
        self.positions(store, side.other()).map(Some)
    }

    /// Returns the positions in which no two men share a square, pawns stand on possible ranks, and the side not to
    /// move is not in check.
    fn admissible(&self, store: &mut Store, side: Side) -> nerode_dfa::Result<Option<Set>> {
        self.positions(store, side).map(Some)
    }

    fn may_cycle(&self) -> bool {
        true
    }

    fn moves(&self, _store: &mut Store, side: Side) -> nerode_dfa::Result<MoveGraph> {
        let mut graph = MoveGraph::new(self.shape.clone());
        for slot in self.slots(side) {
            for (kind, form) in slot.forms() {
                if kind == Kind::Pawn {
                    self.pawn_steps(&mut graph, slot, form)?;
                    continue;
                }
                let (mover, ways) = (Mover { slot, form, becomes: None }, ways(self.material.grid, kind));
                self.go(&mut graph, &mover, &ways)?;
                self.take(&mut graph, &mover, &ways)?;
            }
        }
        Ok(graph)
    }
}
