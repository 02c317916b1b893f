//! Counts of moves and positions by ply from the start, by the plain rules of any game.

use std::collections::HashMap;

use nerode_games::explicit::apply;
use nerode_games::{Game, Side};
use nerode_rules::rbg::Ply;

/// The maximum number of positions of a ply that are stored.
const KEPT: usize = 1 << 21;

/// The number of positions between two questions whether to continue.
const ASK_EVERY: usize = 1 << 12;

/// The positions of a ply, each with the numbers of move sequences and of sequences of positions that lead to it.
type Level = HashMap<Vec<u8>, (u128, u128)>;

/// Counts up to `depth` plies. `told` is called after every completed ply, and from time to time with `None`. It returns `false` to
/// stop the counting. Returns `None` if it was stopped.
///
/// Equal positions of a ply are expanded once, unless there are too many to store.
///
/// # Examples
/// ```
/// use nerode_report::perft::perft;
/// let game = nerode_games::registry::open("tictactoe:3x3")?;
/// let plies = perft(game.as_ref(), 3, &mut |_| true).unwrap();
/// assert_eq!(plies.iter().map(|ply| ply.paths).collect::<Vec<_>>(), [1, 9, 72, 504]);
/// assert_eq!(plies[2].positions, Some(72));
/// # Ok::<(), nerode_games::Error>(())
/// ```
pub fn perft(game: &dyn Game, depth: usize, told: &mut dyn FnMut(Option<&Ply>) -> bool) -> Option<Vec<Ply>> {
    perft_keeping(KEPT, game, depth, told)
}

/// Counts like [`perft`], but stores at most `kept` positions of a ply. Later plies have no number of positions, and take longer.
pub fn perft_keeping(
    kept: usize,
    game: &dyn Game,
    depth: usize,
    told: &mut dyn FnMut(Option<&Ply>) -> bool,
) -> Option<Vec<Ply>> {
    let start = game.start_position();
    let mut count = Count { game, told, asked: 0 };
    let mut level = Level::from([(start.board, (1, 1))]);
    let (mut plies, mut side) = (Vec::new(), start.side);
    let mut ply = Ply { paths: 1, results: 1, positions: Some(1), ended: None };
    while plies.len() < depth {
        let is_last = plies.len() + 1 == depth;
        let (mut next, mut now) = (Level::new(), Ply::default());
        let mut ended = 0;
        for (board, &(paths, results)) in &level {
            count.go_on()?;
            let Some(after) = count.after(board, side) else {
                ended += paths;
                continue;
            };
            for (board, ways) in after {
                now.paths += paths * ways;
                now.results += results;
                if !is_last && next.len() <= kept {
                    let sums = next.entry(board).or_default();
                    *sums = (sums.0 + paths * ways, sums.1 + results);
                }
            }
        }
        ply.ended = Some(ended);
        count.tell(&ply)?;
        plies.push(ply);
        ply = now;
        side = side.other();
        if next.len() > kept {
            // The positions of this ply are expanded again, one by one.
            let mut rest = vec![Ply::default(); depth - plies.len()];
            for (board, &sums) in &level {
                for (board, ways) in count.after(board, side.other()).into_iter().flatten() {
                    count.deep(&board, side, (sums.0 * ways, sums.1), &mut rest)?;
                }
            }
            for below in rest {
                let ended = Some(below.ended.unwrap_or_default());
                ply = Ply { ended, ..ply };
                count.tell(&ply)?;
                plies.push(ply);
                ply = Ply { ended: None, ..below };
            }
            break;
        }
        ply.positions = (!is_last).then_some(next.len() as u64);
        level = next;
    }
    count.tell(&ply)?;
    plies.push(ply);
    Some(plies)
}

struct Count<'a> {
    game: &'a dyn Game,
    told: &'a mut dyn FnMut(Option<&Ply>) -> bool,
    asked: usize,
}

impl Count<'_> {
    fn tell(&mut self, ply: &Ply) -> Option<()> {
        (self.told)(Some(ply)).then_some(())
    }

    /// Returns `None` if the counting should stop.
    fn go_on(&mut self) -> Option<()> {
        self.asked += 1;
        (!self.asked.is_multiple_of(ASK_EVERY) || (self.told)(None)).then_some(())
    }

    /// Returns the boards after all moves, each with the number of moves to it, or `None` if the game is over.
    fn after(&self, board: &[u8], side: Side) -> Option<Vec<(Vec<u8>, u128)>> {
        if self.game.outcome(board, side).is_some() {
            return None;
        }
        let mut moves = Vec::new();
        self.game.legal_moves(board, side, &mut moves);
        let mut boards: Vec<Vec<u8>> = moves.iter().map(|mv| apply(board, mv)).collect();
        boards.sort_unstable();
        let groups = boards.chunk_by(|a, b| a == b);
        Some(groups.map(|group| (group[0].clone(), group.len() as u128)).collect())
    }

    /// Adds the plies below a board to `rest`: how often the game is over there, to the first one, and the numbers of the next ply.
    fn deep(&mut self, board: &[u8], side: Side, sums: (u128, u128), rest: &mut [Ply]) -> Option<()> {
        let Some((first, others)) = rest.split_first_mut() else { return Some(()) };
        self.go_on()?;
        let Some(after) = self.after(board, side) else {
            *first.ended.get_or_insert(0) += sums.0;
            return Some(());
        };
        for (board, ways) in after {
            first.paths += sums.0 * ways;
            first.results += sums.1;
            self.deep(&board, side.other(), (sums.0 * ways, sums.1), others)?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_do_not_depend_on_the_positions_that_are_stored() {
        for (spec, depth) in
            [("breakthrough:3x4", 6), ("othello:4x4", 6), ("nim:3x3", 12), ("tictactoe:3x3", 9)]
        {
            let game = nerode_games::registry::open(spec).unwrap();
            let counted = |kept| {
                let plies = perft_keeping(kept, game.as_ref(), depth, &mut |_| true).unwrap();
                plies.into_iter().map(|ply| Ply { positions: None, ..ply }).collect::<Vec<_>>()
            };
            let all = counted(usize::MAX);
            assert_eq!(all.len(), depth + 1, "{spec}");
            assert_eq!([counted(0), counted(3), counted(40)], [all.clone(), all.clone(), all], "{spec}");
        }
    }

    #[test]
    fn published_counts_are_reached() {
        // Othello 8x8 and Connect Four 7x6.
        let paths = |spec: &str, depth| {
            let game = nerode_games::registry::open(spec).unwrap();
            let plies = perft(game.as_ref(), depth, &mut |_| true).unwrap();
            plies.iter().map(|ply| ply.paths).collect::<Vec<_>>()
        };
        assert_eq!(paths("connect:7x6", 7), [1, 7, 49, 343, 2401, 16807, 117_649, 823_536]);
        assert_eq!(paths("nim:1x3", 3), [1, 3, 3, 1]);
        assert_eq!(perft(nerode_games::registry::open("nim:1x3").unwrap().as_ref(), 9, &mut |_| false), None);
    }
}
