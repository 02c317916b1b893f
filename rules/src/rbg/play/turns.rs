//! The places at which turns may begin, disregarding what the squares contain.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::PoisonError;

use super::super::book::{Mover, Value};
use super::super::turns::TurnKey;
use super::Interpreter;
use super::known::{Known, NarrowTurn, PossibleTurn};
use super::program::{NOWHERE, Op, PlaceId};
use super::rest::ahead;
use super::state::{Begin, State};
use super::values::Numbers;

/// The maximum number of visited places on squares with scores.
const VISITS: usize = 1 << 21;

/// The maximum number of places on squares from which the keeper is followed to find the turn of a position.
const ENTRIES: usize = 1 << 14;

/// A place on a square, with the number of a list of scores, and whether it is on a path of the keeper.
type Spot = (PlaceId, u16, usize, bool);

impl Interpreter {
    /// Returns the turns that may occur in a game that begins at the beginning of the rules, or `None` if there are too many. Tests
    /// of squares, variables and patterns may have any result.
    pub(in super::super) fn possible_turns(&self) -> Option<&[PossibleTurn]> {
        self.known_turns().map(|known| known.turns.as_slice())
    }

    /// Returns the turns, as players and keys, that can begin with these pieces and values of variables: those that the keeper reaches
    /// without changing them. The set is empty if there are too many possibilities.
    pub(in super::super) fn turns_with(&self, board: &[u8], values: &[u32]) -> BTreeSet<(usize, TurnKey)> {
        let mut found = BTreeSet::new();
        let Some(known) = self.known_turns() else { return found };
        let mut walker = self.walker();
        for (place, square, scores) in &known.entries {
            let registers = [values, scores].concat();
            let state = State {
                board: board.to_vec(),
                registers,
                mover: Mover::Keeper,
                place: *place,
                square: *square,
                over: false,
            };
            let Ok((state, switch)) = self.continue_keeper(&mut walker, state, 0) else { continue };
            let (after, scores) = state.registers.split_at(values.len());
            if let (Mover::Player(player), Some(begin)) = (state.mover, self.begin_of(&state, switch))
                && state.board == board
                && after == values
            {
                found.insert((player, TurnKey::new(&self.book, begin.switch, begin.square, scores)));
            }
        }
        found
    }

    fn known_turns(&self) -> Option<&Known> {
        self.turns.get_or_init(|| self.find_turns()).as_ref()
    }

    fn find_turns(&self) -> Option<Known> {
        let mut search = Search {
            game: self,
            scores: vec![vec![0; self.book.players().len()]],
            index: HashMap::from([(vec![0; self.book.players().len()], 0)]),
            visits: 0,
            entries: BTreeSet::from([(self.program.start, 0, 0)]),
        };
        let first = search.begins_after(vec![(self.program.start, 0, 0, true)])?;
        let (mut later, mut left) = (HashSet::new(), first.clone());
        while !left.is_empty() {
            let spots =
                left.iter().map(|&(switch, square, scores)| (self.after(switch), square, scores, false));
            let found = search.begins_after(spots.collect())?;
            left = found.into_iter().filter(|begin| later.insert(*begin)).collect();
        }
        let reads_scores = self.program.places.iter().any(|place| match &place.op {
            Op::Compare(left, _, right) => self.reads_score(left) || self.reads_score(right),
            Op::Assign(_, value) => self.reads_score(value),
            _ => false,
        });
        let mut turns: BTreeMap<(usize, PlaceId, u16, Vec<u32>), PossibleTurn> = BTreeMap::new();
        let mut rests = self.rests.lock().unwrap_or_else(PoisonError::into_inner);
        for &(switch, square, scores) in first.iter().chain(&later) {
            let place = self.program.switches[switch as usize];
            let Op::Switch(Mover::Player(player)) = self.program.places[place as usize].op else { continue };
            let (spot, at) = rests.of(&self.program, &self.next, (self.after(switch), square));
            let scores_of = &search.scores[scores];
            let kind = match scores_of.as_slice() {
                // If play does not depend on scores, only the result of the game does.
                &[one, other] if !reads_scores => vec![one.cmp(&other) as i8 as u32],
                all => all.to_vec(),
            };
            let turn = turns.entry((player, spot, at, kind)).or_insert_with(|| PossibleTurn {
                player,
                begins: BTreeMap::new(),
                only_first: true,
            });
            turn.only_first &= !later.contains(&(switch, square, scores));
            turn.begins.insert(TurnKey::new(&self.book, switch, square, scores_of), Begin { switch, square });
        }
        let mut turns: Vec<PossibleTurn> = turns.into_values().collect();
        let first_key = |turn: &PossibleTurn| (turn.player, turn.begins.keys().next().cloned());
        turns.sort_by_cached_key(first_key);
        if search.entries.len() > ENTRIES {
            search.entries.clear();
        }
        let entry =
            |&(place, square, scores): &(PlaceId, u16, usize)| (place, square, search.scores[scores].clone());
        Some(Known { turns, entries: search.entries.iter().map(entry).collect() })
    }

    /// Returns the switches after which a path tests few squares if the turn begins on a certain square, although it tests most of
    /// the board from another one.
    pub(in super::super) fn narrow_turns(&self) -> Vec<NarrowTurn> {
        let mut squares: BTreeMap<u32, BTreeSet<u16>> = BTreeMap::new();
        for begin in self.possible_turns().into_iter().flatten().flat_map(|turn| turn.begins.values()) {
            squares.entry(begin.switch).or_default().insert(begin.square);
        }
        let num_squares = self.book.board().squares.len();
        let mut found = Vec::new();
        for (switch, squares) in squares {
            let tested = |&square: &u16| {
                let spots = ahead(&self.program, &self.next, (self.after(switch), square));
                let tests =
                    |spot: &&(PlaceId, u16)| matches!(self.program.places[spot.0 as usize].op, Op::On(_));
                let tested: HashSet<u16> = spots.iter().filter(tests).map(|spot| spot.1).collect();
                (tested.len(), square)
            };
            let counts: Vec<(usize, u16)> = squares.iter().map(tested).collect();
            let (Some(&(few, square)), Some(&(most, _))) = (counts.iter().min(), counts.iter().max()) else {
                continue;
            };
            if 2 * most >= num_squares && 2 * few < most {
                let at = self.program.places[self.program.switches[switch as usize] as usize].at;
                found.push(NarrowTurn { at, square: usize::from(square), few, most });
            }
        }
        found
    }

    /// Returns the place after a switch.
    fn after(&self, switch: u32) -> PlaceId {
        self.program.places[self.program.switches[switch as usize] as usize].next
    }

    fn reads_score(&self, value: &Value) -> bool {
        value.any(&|part| matches!(part, Value::Register(super::super::book::Register::Score(_))))
    }
}

/// A begin: the number of the switch, the square, and the number of the list of scores.
type Found = (u32, u16, usize);

struct Search<'a> {
    game: &'a Interpreter,
    scores: Vec<Vec<u32>>,
    index: HashMap<Vec<u32>, usize>,
    visits: usize,
    /// The spots of the keeper at which a path begins, or right after a change.
    entries: BTreeSet<(PlaceId, u16, usize)>,
}

impl Search<'_> {
    /// Returns the beginnings of turns that paths reach from these spots, or `None` if there are too many spots.
    fn begins_after(&mut self, spots: Vec<Spot>) -> Option<Vec<Found>> {
        let mut seen: HashSet<Spot> = spots.iter().copied().collect();
        let mut left = VecDeque::from(spots);
        let (mut found, mut next) = (HashSet::new(), Vec::new());
        while let Some(spot) = left.pop_front() {
            self.visits += 1;
            if self.visits > VISITS {
                return None;
            }
            next.clear();
            if let Some(begin) = self.follow(spot, &mut next) {
                found.insert(begin);
            }
            left.extend(next.drain(..).filter(|&spot| seen.insert(spot)));
        }
        let mut found: Vec<Found> = found.into_iter().collect();
        found.sort_unstable();
        Some(found)
    }

    /// Adds the spots after a spot. Returns the beginning of a turn if the spot is a switch to a player.
    fn follow(&mut self, (at, square, scores, keepers): Spot, next: &mut Vec<Spot>) -> Option<Found> {
        let program = &self.game.program;
        let place = &program.places[at as usize];
        let after = (place.next, square, scores, keepers);
        match &place.op {
            Op::Split(starts) => next.extend(starts.iter().map(|&start| (start, square, scores, keepers))),
            Op::Shift(direction) => {
                let to = self.game.next[*direction][usize::from(square)];
                next.extend((to != NOWHERE).then_some((place.next, to, scores, keepers)));
            }
            Op::On(pieces) => next.extend(pieces.contains(&true).then_some(after)),
            Op::Compare(left, comparison, right) => {
                let known = is_known(left) && is_known(right);
                let holds =
                    !known || self.with_scores(scores, |numbers| numbers.holds(left, *comparison, right));
                next.extend(holds.then_some(after));
            }
            Op::Assign(register, value) => {
                let player = register.checked_sub(self.game.book.variables().len());
                for scores in self.assigned(scores, player, value) {
                    next.push((place.next, square, scores, keepers));
                    self.enter(place.next, square, scores, keepers);
                }
            }
            Op::Switch(Mover::Player(_)) => {
                let number = program.switches.iter().position(|&known| known == at)?;
                return Some((number as u32, square, scores));
            }
            Op::Switch(Mover::Keeper) => {
                next.push((place.next, square, scores, true));
                self.enter(place.next, square, scores, true);
            }
            Op::Put(_) => {
                next.push(after);
                self.enter(place.next, square, scores, keepers);
            }
            Op::Pattern { .. } => next.push(after),
            Op::Accept | Op::End => {}
        }
        None
    }

    fn enter(&mut self, place: PlaceId, square: u16, scores: usize, keepers: bool) {
        if keepers && self.entries.len() <= ENTRIES {
            self.entries.insert((place, square, scores));
        }
    }

    /// Returns the scores after a value is assigned to the score of `player`, or to a variable if it is `None`.
    fn assigned(&mut self, scores: usize, player: Option<usize>, value: &Value) -> Vec<usize> {
        let Some(player) = player else { return vec![scores] };
        let bound = i64::from(self.game.book.players()[player].bound);
        let (low, high) = if is_known(value) {
            let Some(number) = self.with_scores(scores, |numbers| numbers.value(value)) else {
                return Vec::new();
            };
            (number, number)
        } else {
            self.game.book.range(value).unwrap_or((0, bound))
        };
        let values = low.max(0)..=high.min(bound);
        if values.end() - values.start() > VISITS as i64 {
            self.visits = VISITS;
            return Vec::new();
        }
        values.map(|score| self.changed(scores, player, score as u32)).collect()
    }

    fn changed(&mut self, scores: usize, player: usize, score: u32) -> usize {
        let mut after = self.scores[scores].clone();
        after[player] = score;
        let new = self.scores.len();
        let number = *self.index.entry(after.clone()).or_insert(new);
        if number == new {
            self.scores.push(after);
        }
        number
    }

    fn with_scores<T>(&self, scores: usize, read: impl FnOnce(&Numbers<'_>) -> T) -> T {
        let book = &self.game.book;
        let registers = [vec![0; book.variables().len()], self.scores[scores].clone()].concat();
        let counts = vec![0; book.pieces().len()];
        read(&Numbers { registers: &registers, counts: &counts, num_variables: book.variables().len() })
    }
}

/// Returns `true` if a value depends only on scores.
fn is_known(value: &Value) -> bool {
    use super::super::book::Register;
    !value.any(&|part| matches!(part, Value::Count(_) | Value::Register(Register::Variable(_))))
}
