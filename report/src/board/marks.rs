//! Conversion of moves to marks on places, by comparing the pictures before and after each move.

use nerode_games::{Figure, Game, Picture, Position, Side};

use nerode_solver::outcome::Outcome;

/// A move for a drawing.
#[derive(Clone, Debug)]
pub struct MoveValue {
    /// The move in the notation of the game.
    pub text: String,
    /// The position after the move.
    pub after: Position,
    /// The value for the side that makes the move, or `None` if the solution does not cover the position after it.
    pub outcome: Option<Outcome>,
}

/// The moves between two places, or onto a single place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// The place that a figure leaves, unless one is put on the board.
    pub(super) from: Option<usize>,
    /// The place at which it arrives.
    pub(super) to: usize,
    pub(super) outcome: Option<Outcome>,
    /// Whether the move is one of the best.
    pub(super) best: bool,
}

/// All moves of a position.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    pub(super) on_board: Vec<Mark>,
    /// The moves that do not change any place: their text, their value, and whether they are among the best.
    pub(super) others: Vec<(String, Option<Outcome>, bool)>,
    /// Whether some move is hidden because a better move has the same origin and destination.
    pub(super) hides_some: bool,
}

/// How the moves of a position compare with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ranking {
    SomeAreBetter,
    AllAreEqual,
    /// There is nothing to compare, because there is at most one move or no move has a known value.
    OneOrNone,
}

impl Marks {
    /// Creates the marks for `moves`, best first, of `mover` on the board `before`.
    pub(super) fn new(game: &dyn Game, before: &Picture, mover: Side, moves: &[MoveValue]) -> Self {
        let mut marks = Self::default();
        // If all moves are equal, none is highlighted.
        let best =
            moves.first().map(|mv| mv.outcome).filter(|&best| moves.iter().any(|mv| mv.outcome != best));
        for mv in moves {
            let after = game.picture(&mv.after);
            let places = after.as_ref().and_then(|after| way(before, after, mover));
            let is_best = best == Some(mv.outcome);
            let Some((from, to)) = places else {
                marks.others.push((mv.text.clone(), mv.outcome, is_best));
                continue;
            };
            if marks.on_board.iter().any(|mark| (mark.from, mark.to) == (from, to)) {
                marks.hides_some = true;
            } else {
                marks.on_board.push(Mark { from, to, outcome: mv.outcome, best: is_best });
            }
        }
        marks
    }

    /// Returns the values that occur.
    pub(super) fn outcomes(&self) -> impl Iterator<Item = Option<Outcome>> + '_ {
        self.on_board.iter().map(|mark| mark.outcome).chain(self.others.iter().map(|other| other.1))
    }

    pub(super) fn ranking(&self) -> Ranking {
        let best = self.on_board.iter().map(|mark| mark.best).chain(self.others.iter().map(|other| other.2));
        let (all, some) = (best.clone().count(), best.filter(|best| *best).count());
        match (all, some) {
            _ if self.outcomes().all(|outcome| outcome.and_then(Outcome::value).is_none()) => {
                Ranking::OneOrNone
            }
            (0 | 1, _) if !self.hides_some => Ranking::OneOrNone,
            (_, 0) => Ranking::AllAreEqual,
            _ => Ranking::SomeAreBetter,
        }
    }

    /// Groups the marks by the place that the figure leaves, starting with the group that has the best move.
    pub(super) fn by_source(&self) -> Vec<(Option<usize>, Vec<Mark>)> {
        let mut groups: Vec<(Option<usize>, Vec<Mark>)> = Vec::new();
        for mark in &self.on_board {
            match groups.iter_mut().find(|(source, _)| *source == mark.from) {
                Some((_, marks)) => marks.push(mark.clone()),
                None => groups.push((mark.from, vec![mark.clone()])),
            }
        }
        groups
    }
}

/// Returns the origin and the destination of a move. The destination is the arrival of a figure of the mover,
/// preferably on an empty place. If no figure arrives, as in games whose objects have no owner, the destination is the
/// lowest place that the move empties.
pub(super) fn way(before: &Picture, after: &Picture, mover: Side) -> Option<(Option<usize>, usize)> {
    let own = |figure: Option<Figure>| figure.is_some_and(|figure| figure.owner == Some(mover));
    let changed: Vec<usize> = (0..before.places.len().min(after.places.len()))
        .filter(|&place| before.places[place].figure != after.places[place].figure)
        .collect();
    let was = |place: usize| before.places[place].figure;
    let is = |place: usize| after.places[place].figure;
    let arrivals = || changed.iter().copied().filter(|&place| own(is(place)));
    let arrival = arrivals().find(|&place| was(place).is_none()).or_else(|| arrivals().next());
    if let Some(to) = arrival {
        return Some((changed.iter().copied().find(|&place| own(was(place)) && !own(is(place))), to));
    }
    let emptied = changed.iter().copied().filter(|&place| is(place).is_none());
    emptied.min_by_key(|&place| before.places[place].at.1).map(|place| (None, place))
}

#[cfg(test)]
mod tests {
    use nerode_games::explicit::apply;
    use nerode_games::registry;

    use super::*;

    /// Returns every move of `position` with the names of its origin and destination.
    fn ways(spec: &str, position: &str) -> Vec<String> {
        let game = registry::open(spec).unwrap();
        let position = game.parse_position(position).unwrap();
        let before = game.picture(&position).unwrap();
        let name = |place: usize| {
            let (file, rank) = before.places[place].at;
            format!("{}{}", before.files[file], before.ranks[rank])
        };
        let mut moves = Vec::new();
        game.legal_moves(&position.board, position.side, &mut moves);
        let mut ways = Vec::new();
        for mv in moves {
            let next = Position { board: apply(&position.board, &mv), side: position.side.other() };
            let way = way(&before, &game.picture(&next).unwrap(), position.side);
            let (text, names) =
                (game.format_move(&position, &mv), way.map(|(from, to)| (from.map(name), name(to))));
            ways.push(match names {
                Some((Some(from), to)) => format!("{text}={from}{to}"),
                Some((None, to)) => format!("{text}={to}"),
                None => text,
            });
        }
        ways
    }

    #[test]
    fn moves_have_their_places_in_every_game() {
        assert_eq!(ways("tictactoe:2x2,k=2", "X1/2 O"), ["a1=a1", "b1=b1", "b2=b2"]);
        assert_eq!(ways("breakthrough:2x4", "2/1b/w1/2 w"), ["a2a3=a2a3", "a2xb3=a2b3"]);
        assert_eq!(ways("connect:2x2,row=2", "2/X1 O"), ["a=a2", "b=b1"]);
        assert_eq!(ways("connect:2x2,row=2,encoding=columns", "2/X1 O"), ["a=a2", "b=b1"]);
        assert_eq!(ways("nim:2x3", "2/1 P2"), ["a-1=a2", "a-2=a1", "b-1=b1"]);
        assert!(ways("othello:4x4", "4/1wb1/1bw1/4 b").contains(&"a3=a3".to_string()));
        assert_eq!(ways("othello:4x4", "bbbw/bbbb/bbbb/bbb1 w").len(), 1);
        assert_eq!(ways("chess:KRvK,board=4x4", "3k/4/4/KR2 b - -").len(), 3);
        assert_eq!(ways("amazons:2x2,start=1b/w1", "1b/w1 w")[0], "a1-b1/a2=a1b1");
        assert!(ways("morris:three", "O@O*@***/* b 1-1").iter().all(|way| way.contains('=')));
    }
}
