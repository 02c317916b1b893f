//! Evaluations and best moves of many positions by the sets of all plies, which are looked up by number instead of by name.

use std::cmp::Ordering;
use std::sync::Arc;

use nerode::dfa::Dfa;
use nerode::games::explicit::apply;
use nerode::games::{self, Move};
use nerode::{
    Depth, DepthSource, Evaluation, Kind, Method, Outcome, Position, Result, Side, Solution, Value,
};

/// Finds best moves by one or two look-ups in sets for each move, where the solution contains the sets of all plies, and by
/// evaluations of the positions after the moves otherwise.
///
/// Of several equally good moves, it is the first one in the order in which the rules list them.
pub struct BestMoves<'a> {
    pub solution: &'a Solution,
    game: Arc<dyn games::Game>,
    sets: Option<Sets>,
    layer_of_cell: Vec<usize>,
}

/// The sets of a retrograde run by side and ply.
struct Sets {
    won: [Vec<Dfa>; 2],
    lost: [Vec<Dfa>; 2],
}

impl Sets {
    /// Returns the sets, or `None` if the solution does not contain all of them.
    fn of(solution: &Solution) -> Option<Self> {
        let has_all = solution.method() == Some(Method::Retrograde)
            && solution.is_complete()
            && solution.depth_source() == DepthSource::Stored;
        let mut sets = Self { won: Default::default(), lost: Default::default() };
        if !has_all {
            return None;
        }
        let mut named: Vec<_> = solution.sets();
        named.sort_by_key(|set| set.ply());
        for set in named {
            let of_kind = match set.kind() {
                Kind::W => &mut sets.won,
                Kind::L => &mut sets.lost,
                _ => continue,
            };
            let by_ply = &mut of_kind[set.side().index()];
            // A mirror image has no automaton of its own.
            if by_ply.len() as u32 != set.ply() {
                return None;
            }
            by_ply.push(set.dfa().ok()?.clone());
        }
        let plies = sets.won[0].len();
        let is_whole = sets.won.iter().chain(&sets.lost).all(|by_ply| by_ply.len() == plies && plies > 0);
        is_whole.then_some(sets)
    }
}

impl<'a> BestMoves<'a> {
    pub fn new(solution: &'a Solution) -> Self {
        let game = Arc::clone(solution.shared_game());
        let layer_of_cell = game.layer_of_cell();
        Self { solution, game, sets: Sets::of(solution), layer_of_cell }
    }

    /// Returns the evaluation of a position by the sets, or `None` if the solution does not contain the sets of all plies.
    pub fn evaluation(&self, position: &Position) -> Option<Evaluation> {
        let sets = self.sets.as_ref()?;
        let side = position.side.index();
        let word = self.game.word_of(&position.board);
        for (by_ply, decided) in
            [(&sets.won[side], Outcome::Win as fn(Depth) -> Outcome), (&sets.lost[side], Outcome::Loss)]
        {
            if by_ply.last().is_some_and(|set| set.contains(&word)) {
                // The sets grow with the plies.
                let depth = by_ply.partition_point(|set| !set.contains(&word));
                let depth = Depth::Exact(u32::try_from(depth).ok()?);
                return Some(Evaluation::of(Some(decided(depth))));
            }
        }
        Some(Evaluation::of(Some(Outcome::DRAW)))
    }

    /// Returns the text of a best move of a position whose evaluation is `found`, or an empty text if the game is over or no
    /// move has a known value.
    pub fn best(&self, position: &Position, found: &Evaluation) -> Result<String> {
        let mut moves = Vec::new();
        self.game.legal_moves(&position.board, position.side, &mut moves);
        let best = match (&self.sets, found.value()) {
            (Some(sets), Some(value)) => self.in_sets(sets, position, (value, found.depth()), &moves),
            _ => None,
        };
        let best = match best {
            None => self.by_evaluation(position, &moves)?,
            best => best,
        };
        Ok(best.map_or_else(String::new, |best| self.game.format_move(position, best)))
    }

    /// Returns the first move that has the value and depth of the position.
    fn in_sets<'m>(
        &self,
        sets: &Sets,
        position: &Position,
        (value, depth): (Value, Option<u32>),
        moves: &'m [Move],
    ) -> Option<&'m Move> {
        let other = position.side.other().index();
        let (won, lost) = (&sets.won[other], &sets.lost[other]);
        let mut word = self.game.word_of(&position.board);
        let is_best = |word: &[u8]| match (value, depth) {
            // The opponent loses within one ply less; a quicker loss would be a quicker win.
            (Value::Win, Some(depth)) => {
                lost.get(depth.checked_sub(1)? as usize).map(|set| set.contains(word))
            }
            // The opponent wins after every move, and does not win any sooner after this one.
            (Value::Loss, Some(depth)) => match depth.checked_sub(2) {
                Some(sooner) => won.get(sooner as usize).map(|set| !set.contains(word)),
                None => Some(true),
            },
            (Value::Draw, _) => won.last().map(|set| !set.contains(word)),
            _ => None,
        };
        for mv in moves {
            for change in mv {
                word[self.layer_of_cell[usize::from(change.cell)]] = change.after;
            }
            if is_best(&word)? {
                return Some(mv);
            }
            for change in mv {
                let cell = usize::from(change.cell);
                word[self.layer_of_cell[cell]] = position.board[cell];
            }
        }
        None
    }

    /// Returns the first of the best moves by the evaluations of the positions after them, or `None` if no value is known.
    fn by_evaluation<'m>(&self, position: &Position, moves: &'m [Move]) -> Result<Option<&'m Move>> {
        let here = self.solution.sector_value(position).unwrap_or(0);
        let mut best: Option<(Evaluation, &Move)> = None;
        for mv in moves {
            let next = Position { board: apply(&position.board, mv), side: position.side.other() };
            let after = self.solution.infer(&next)?;
            let is_better = best
                .as_ref()
                .is_none_or(|(best, _)| better(&after, best, position.side, here) == Ordering::Greater);
            if is_better {
                best = Some((after, mv));
            }
        }
        Ok(best.filter(|(after, _)| after.value().is_some()).map(|(_, mv)| mv))
    }
}

/// Compares the evaluations after two moves of `mover`, where the greater one is better for that side: by score if there are
/// scores, and otherwise quick wins, draws by rank, unknown values and slow losses, in this order.
fn better(one: &Evaluation, other: &Evaluation, mover: Side, here: i32) -> Ordering {
    let scores = [one, other].map(|after| after.score().unwrap_or(0));
    let by_score = if mover == Side::P1 { scores[0].cmp(&scores[1]) } else { scores[1].cmp(&scores[0]) };
    let group = |after: &Evaluation| match after.value() {
        Some(Value::Loss) => 3,
        Some(Value::Draw) => 2,
        None => 1,
        Some(Value::Win) => 0,
    };
    let plies = |after: &Evaluation| after.depth().or(after.depth_bound()).unwrap_or(u32::MAX);
    by_score.then(group(one).cmp(&group(other))).then_with(|| match one.value() {
        Some(Value::Loss) => plies(other).cmp(&plies(one)),
        Some(Value::Win) => plies(one).cmp(&plies(other)),
        Some(Value::Draw) => match (one.draw(), other.draw()) {
            (Some(one), Some(other)) => one.seen_by_mover(here).compare(other.seen_by_mover(here)),
            _ => Ordering::Equal,
        },
        None => Ordering::Equal,
    })
}
