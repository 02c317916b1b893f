//! Statistics of a solved game in the style of endgame tables: for each class of positions, the numbers of positions
//! and of orbits under the symmetries by value, and the longest wins and losses.
//!
//! Orbits are counted without enumerating positions, by Burnside's lemma: their number is the mean, over the group, of
//! the number of positions that an element leaves unchanged.

use nerode_dfa::{Letter, Set, Store};
use nerode_games::{Game, Relabelling, Side, Value};
use serde::Serialize;

use nerode_solver::archive::run_dir::Kind;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::error::{Error, Result, RunNeeds};
use nerode_solver::solve::method::{Chains, Method};
use nerode_solver::solve::resources::Resources;
use nerode_solver::stored::for_each_reached;

/// A number of positions, in total and up to symmetry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counted {
    /// The number of positions.
    #[cfg_attr(feature = "schema", schemars(with = "nerode_solver::archive::decimal::Decimal"))]
    pub positions: String,
    /// The number of orbits under the symmetries of the game.
    #[cfg_attr(feature = "schema", schemars(with = "nerode_solver::archive::decimal::Decimal"))]
    pub orbits: String,
}

/// The deepest positions of one value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Longest {
    /// The number of plies to the end of the game.
    pub dtw: u32,
    /// The number of positions with this depth.
    pub count: Counted,
}

/// One class of positions with one side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Row {
    /// The name of the class.
    pub class: String,
    /// The side to move.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["P1", "P2"])))]
    pub side: String,
    /// The positions won for the side to move.
    pub win: Counted,
    /// The drawn positions.
    pub draw: Counted,
    /// The positions lost for the side to move.
    pub loss: Counted,
    /// The positions of unknown value, if a run of a limited number of plies has left any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<Counted>,
    /// The longest wins, if there are any wins.
    pub longest_win: Option<Longest>,
    /// The longest losses, if there are any losses.
    pub longest_loss: Option<Longest>,
}

/// The statistics of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Census {
    /// The number of symmetries, including the identity. Of reached positions, those that keep the start position.
    pub symmetries: usize,
    /// The counted positions: `admissible` if the game defines admissible positions, `all` words, or the distinct positions
    /// `reached` from the start. A run that contains all admissible positions from a ply on counts those, as `admissible`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["admissible", "all", "reached"])))]
    pub counted: String,
    /// The rows by class, each for both sides.
    pub rows: Vec<Row>,
}

/// Counts the positions of a finished retrograde run that computed both chains to the fixpoint.
///
/// Cost: for each class and symmetry, some operations on the last sets and on those of every ply down to the deepest.
///
/// # Errors
/// Returns [`Error::WrongRun`] for other runs, [`Error::Rules`] if a symmetry of the game is invalid, or an error if
/// files are damaged or memory is exhausted.
pub fn census(solution: &StoredRun, resources: &Resources) -> Result<Census> {
    if solution.method() != Method::Retrograde || !solution.is_complete() {
        return Err(Error::WrongRun { wanted: "orbits", needs: RunNeeds::Fixpoint });
    }
    if solution.run.request().chains == Chains::One {
        return Err(Error::WrongRun { wanted: "orbits", needs: RunNeeds::BothChains });
    }
    let game = solution.game.as_ref();
    let mut store = Store::new(game.shape().clone(), room(solution, resources.memory))?;
    store.set_threads(resources.threads)?;
    store.set_interrupt(std::sync::Arc::clone(&resources.interrupt));
    let group = group(game)?;
    let fixed = group.iter().map(|map| fixed_by(&mut store, game, map)).collect::<Result<Vec<_>>>()?;
    let classes = classes(&mut store, game)?;
    let mut counter = Counter { solution, store, fixed };
    let mut rows: Vec<Row> = Vec::new();
    let mut counted = "all";
    for side in Side::BOTH {
        let admissible = game.admissible(&mut counter.store, side)?;
        counted = if admissible.is_some() { "admissible" } else { counted };
        let mut members = Vec::new();
        for (name, class) in &classes {
            let set = match &admissible {
                Some(admissible) => counter.store.intersection(class, admissible)?,
                None => class.clone(),
            };
            members.push((name.clone(), set));
        }
        rows.extend(counter.rows(side, &members)?);
    }
    // The sort is stable: both sides of a class are adjacent, and classes keep the order of the game.
    rows.sort_by_key(|row| classes.iter().position(|(name, _)| *name == row.class));
    Ok(Census { symmetries: counter.fixed.len() + 1, counted: counted.into(), rows })
}

/// Counts the distinct positions of a finished run that play from the start reaches, by value. If a run contains all admissible
/// positions from a ply on, all positions that it contains are counted. They are not divided into classes, and the longest wins and losses are not determined.
///
/// Cost: [`for_each_reached`], and for each part and symmetry, some operations on its sets.
///
/// # Errors
/// Returns the errors of [`for_each_reached`], or [`Error::Rules`] if a symmetry of the game is invalid.
pub fn reached_census(solution: &StoredRun, resources: &Resources) -> Result<Census> {
    let game = solution.game.as_ref();
    let mut store = Store::new(game.shape().clone(), room(solution, resources.memory) / 2)?;
    store.set_threads(resources.threads)?;
    store.set_interrupt(std::sync::Arc::clone(&resources.interrupt));
    let start = game.start().0;
    let mut group = group(game)?;
    group.retain(|map| map.apply(&start) == start);
    let fixed = group.iter().map(|map| fixed_by(&mut store, game, map)).collect::<Result<Vec<_>>>()?;
    let mut counter = Counter { solution, store, fixed };
    let values = [Some(Value::Win), Some(Value::Draw), Some(Value::Loss), None];
    let mut sums = [[(0u128, 0u128); 4]; 2];
    let resources = Resources { memory: resources.memory / 2, ..resources.clone() };
    for_each_reached(solution, &resources, &mut |part| {
        for (value, sum) in values.iter().zip(&mut sums[part.side.index()]) {
            let set = counter.store.import(part.with_value(*value))?;
            let (positions, orbits) = counter.numbers(&set)?;
            let more = sum.0.checked_add(positions).zip(sum.1.checked_add(orbits));
            *sum = more.ok_or(nerode_dfa::Error::CountOverflow)?;
        }
        Ok(())
    })?;
    let counted = |(positions, orbits): (u128, u128)| Counted::new(positions, orbits);
    let row = |side: Side| {
        let [win, draw, loss, unknown] = sums[side.index()];
        Row {
            class: "all".into(),
            side: side.to_string(),
            win: counted(win),
            draw: counted(draw),
            loss: counted(loss),
            unknown: (!solution.is_complete()).then(|| counted(unknown)),
            longest_win: None,
            longest_loss: None,
        }
    };
    Ok(Census {
        symmetries: counter.fixed.len() + 1,
        counted: if solution.run.request().admissible_from.is_some() { "admissible" } else { "reached" }
            .into(),
        rows: Side::BOTH.map(row).into(),
    })
}

impl Counted {
    fn new(positions: u128, orbits: u128) -> Self {
        Self { positions: positions.to_string(), orbits: orbits.to_string() }
    }
}

/// Returns the part of `memory` that remains next to the largest set of the run, because sets are read one after the
/// other into the store.
fn room(solution: &StoredRun, memory: u64) -> u64 {
    let shape = solution.game.shape();
    let letters = (0..shape.num_layers()).map(|layer| shape.num_letters(layer) as u64).max().unwrap_or(0);
    let states = solution.run.sets().map(|(_, entry)| entry.num_states()).max().unwrap_or(0);
    memory.saturating_sub(states.saturating_mul(4 * letters))
}

/// The largest supported number of symmetries.
const MOST_SYMMETRIES: usize = 1000;

/// Returns all products of the maps of the game that preserve admissible positions, without the identity.
fn group(game: &dyn Game) -> Result<Vec<Relabelling>> {
    let mut generators = game.relabellings();
    generators.retain(|map| game.keeps_admissible(map));
    let is_same = |a: &Relabelling, b: &Relabelling| a.image == b.image && a.contents == b.contents;
    let is_identity = |map: &Relabelling| is_same(&map.then(map), map);
    let mut all: Vec<Relabelling> = Vec::new();
    let mut waiting = generators.clone();
    while let Some(map) = waiting.pop() {
        if is_identity(&map) || all.iter().any(|known| is_same(known, &map)) {
            continue;
        }
        if all.len() >= MOST_SYMMETRIES {
            return Err(Error::Unrepresentable {
                what: format!("{} with its symmetries", game.spec()),
                format: "a census",
                limit: format!("at most {MOST_SYMMETRIES} symmetries"),
            });
        }
        waiting.extend(generators.iter().map(|generator| map.then(generator)));
        all.push(map);
    }
    Ok(all)
}

/// Returns the set `{ w : map(w) = w }`.
fn fixed_by(store: &mut Store, game: &dyn Game, map: &Relabelling) -> Result<Set> {
    let cells = game.cell_of_layer();
    let mut fixed = store.full();
    for (layer, &cell) in cells.iter().enumerate() {
        let goes_to = cells.iter().position(|&other| other == map.image[cell]).unwrap_or(layer);
        let mut pairs = Vec::new();
        for (before, &after) in (0..=Letter::MAX).zip(&map.contents[cell]) {
            pairs.push(store.cube(&[(layer, vec![before]), (goes_to, vec![after])])?);
        }
        let agrees = store.union_all(&pairs)?;
        fixed = store.intersection(&fixed, &agrees)?;
    }
    Ok(fixed)
}

/// Returns the classes of the game as sets, or a single class of all words if there are none.
fn classes(store: &mut Store, game: &dyn Game) -> Result<Vec<(String, Set)>> {
    let mut all = Vec::new();
    for class in game.classes() {
        let mut cubes = Vec::new();
        for product in class.products {
            let place =
                |cell: usize| game.cell_of_layer().iter().position(|&other| other == cell).unwrap_or(cell);
            let cube: Vec<(usize, Vec<Letter>)> =
                product.into_iter().map(|(cell, contents)| (place(cell), contents)).collect();
            cubes.push(store.cube(&cube)?);
        }
        all.push((class.name, store.union_all(&cubes)?));
    }
    if all.is_empty() {
        all.push(("all".into(), store.full()));
    }
    Ok(all)
}

struct Counter<'a> {
    solution: &'a StoredRun,
    store: Store,
    /// For each symmetry except the identity, the set of words that it leaves unchanged.
    fixed: Vec<Set>,
}

impl Counter<'_> {
    fn rows(&mut self, side: Side, classes: &[(String, Set)]) -> Result<Vec<Row>> {
        let last = self.solution.last_ply();
        let longest_win = self.longest(Kind::W, side, classes)?;
        let longest_loss = self.longest(Kind::L, side, classes)?;
        let [win, draw, loss] = [
            self.load(Kind::W, side, last)?,
            self.load(Kind::D, side, last)?,
            self.load(Kind::L, side, last)?,
        ];
        let mut rows = Vec::new();
        for (((name, class), longest_win), longest_loss) in classes.iter().zip(longest_win).zip(longest_loss)
        {
            let mut of = |set: &Set| -> Result<Counted> {
                let members = self.store.intersection(set, class)?;
                self.count(&members)
            };
            rows.push(Row {
                class: name.clone(),
                side: side.to_string(),
                win: of(&win)?,
                draw: of(&draw)?,
                loss: of(&loss)?,
                unknown: None,
                longest_win,
                longest_loss,
            });
        }
        Ok(rows)
    }

    /// Returns, for each class, the deepest positions among the sets of `kind`.
    fn longest(&mut self, kind: Kind, side: Side, classes: &[(String, Set)]) -> Result<Vec<Option<Longest>>> {
        let last = self.solution.last_ply();
        let mut found: Vec<Option<Longest>> = vec![None; classes.len()];
        let mut later = self.load(kind, side, last)?;
        let all = later.clone();
        let mut sought: Vec<usize> =
            (0..classes.len()).filter(|&i| !self.store.is_disjoint(&all, &classes[i].1)).collect();
        for plies in (0..=last).rev() {
            if sought.is_empty() {
                break;
            }
            let before = match plies.checked_sub(1).map(|before| self.load(kind, side, before)) {
                None => self.store.empty(),
                Some(Err(Error::NotKept { .. })) => break,
                Some(before) => before?,
            };
            let new = self.store.difference(&later, &before)?;
            for i in sought.clone() {
                let members = self.store.intersection(&new, &classes[i].1)?;
                if !members.is_empty() {
                    found[i] = Some(Longest { dtw: plies, count: self.count(&members)? });
                    sought.retain(|&other| other != i);
                }
            }
            later = before;
        }
        Ok(found)
    }

    fn load(&mut self, kind: Kind, side: Side, ply: u32) -> Result<Set> {
        let set = self.solution.read(kind, side, ply)?;
        Ok(self.store.import(&set)?)
    }

    /// Counts the positions of `set` and their orbits.
    fn count(&mut self, set: &Set) -> Result<Counted> {
        let (positions, orbits) = self.numbers(set)?;
        Ok(Counted::new(positions, orbits))
    }

    /// Returns the number of positions of `set` and that of their orbits.
    fn numbers(&mut self, set: &Set) -> Result<(u128, u128)> {
        let positions = self.store.count(set)?;
        let mut sum = positions;
        for fixed in &self.fixed {
            let both = self.store.intersection(set, fixed)?;
            sum += self.store.count(&both)?;
        }
        let order = self.fixed.len() as u128 + 1;
        if !sum.is_multiple_of(order) {
            let reason =
                format!("{positions} positions are not a union of orbits under its {order} symmetries");
            return Err(Error::Rules { game: self.solution.game.spec(), reason });
        }
        Ok((positions, sum / order))
    }
}
