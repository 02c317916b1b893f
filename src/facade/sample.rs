//! Random positions of a solution of any format.

use nerode_dfa::Dfa;
use nerode_games::explicit::apply;
use nerode_games::morris::Rules;
use nerode_games::{Game, Position, Side};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;

use super::sets::plies_of;
use super::solution::{Solution, Source};
use nerode_morris::tables::Sector;
use nerode_solver::archive::run_dir::Kind;
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::error::Result;
use nerode_solver::solve::method::Method;

/// The number of words drawn for each requested position before games are played instead.
const TRIES: usize = 64;
/// The number of plies of a random game.
const PLIES: u32 = 200;

impl Solution {
    /// Draws `n` positions that the solution covers, at random and independently. The same seed returns the same
    /// positions.
    ///
    /// - From a retrograde run: all words with either side to move, uniformly. From any other run: the reachable
    ///   positions, once for each ply.
    /// - From the sectors of a morris game: all boards of the available sectors, uniformly.
    /// - From a table, or a folder of values or scores: words, uniformly. If few words are covered, positions of
    ///   random games.
    ///
    /// The result may contain fewer positions if hardly any position is covered.
    ///
    /// # Errors
    /// Returns an error if a file is damaged or if a number does not fit into 128 bits.
    ///
    /// # Examples
    /// ```
    /// let solution = nerode::open("breakthrough:3x4")?.solve(nerode::Options::default())?;
    /// for position in solution.sample(10, 1)? {
    ///     assert!(solution.query(&position)?.value().is_some());
    /// }
    /// # Ok::<(), nerode::Error>(())
    /// ```
    pub fn sample(&self, n: usize, seed: u64) -> Result<Vec<Position>> {
        let mut rng = ChaCha12Rng::seed_from_u64(seed);
        if let Source::Run(run) = &self.source {
            return of_run(run, n, &mut rng);
        }
        match self.morris()? {
            Some((rules, sectors)) => Ok(of_sectors(rules, &sectors, n, &mut rng)),
            None => self.of_words(n, &mut rng),
        }
    }

    /// Draws positions in the same way from one sector of a morris game. Returns `None` if the solution has no sector
    /// of that name.
    ///
    /// # Errors
    /// Returns the same errors as [`Solution::sample`].
    #[cfg(feature = "serve")]
    pub(crate) fn sample_in(&self, sector: &str, n: usize, seed: u64) -> Result<Option<Vec<Position>>> {
        let Some((rules, sectors)) = self.morris()? else { return Ok(None) };
        let mut rng = ChaCha12Rng::seed_from_u64(seed);
        let found = sectors.into_iter().find(|known| known.to_string() == sector);
        Ok(found.map(|found| of_sectors(rules, &[found], n, &mut rng)))
    }

    /// Returns the rules of the morris game and the sectors that the solution contains, if it is a solution by
    /// sectors.
    fn morris(&self) -> Result<Option<(&Rules, Vec<Sector>)>> {
        Ok(match &self.source {
            Source::Sectors(tables) => {
                let sectors = tables.dir.sectors()?.into_iter().map(|file| file.sector).collect();
                Some((&tables.rules, sectors))
            }
            Source::Packed(packed) => {
                let sectors = packed.sectors().map(|(name, _)| name.parse()).collect::<Result<_>>()?;
                Some((packed.rules(), sectors))
            }
            Source::SectorSets(sets) => Some((sets.rules(), sets.sectors())),
            _ => None,
        })
    }

    /// Draws covered words, or positions of random games if few words are covered.
    fn of_words(&self, n: usize, rng: &mut ChaCha12Rng) -> Result<Vec<Position>> {
        let game = self.game();
        let shape = game.shape();
        let mut positions = Vec::with_capacity(n);
        for _ in 0..TRIES * n {
            if positions.len() == n {
                return Ok(positions);
            }
            let letter = |layer| rng.random_range(0..shape.num_letters(layer)) as u8;
            let word: Vec<u8> = (0..shape.num_layers()).map(letter).collect();
            let side = *Side::BOTH.choose(rng).unwrap_or(&Side::P1);
            let position = Position { board: game.board_of(&word), side };
            if self.look_up(&position)?.is_covered() {
                positions.push(position);
            }
        }
        for _ in 0..TRIES * n {
            if positions.len() == n {
                break;
            }
            let position = of_game(game, rng);
            if self.look_up(&position)?.is_covered() {
                positions.push(position);
            }
        }
        Ok(positions)
    }
}

/// Draws a position of a random game, with equal probability for each of its plies.
fn of_game(game: &dyn Game, rng: &mut ChaCha12Rng) -> Position {
    let mut course = vec![game.start_position()];
    for _ in 0..PLIES {
        let Some(at) = course.last() else { break };
        let mut moves = Vec::new();
        game.legal_moves(&at.board, at.side, &mut moves);
        let Some(mv) = moves.choose(rng) else { break };
        course.push(Position { board: apply(&at.board, mv), side: at.side.other() });
    }
    let at = rng.random_range(0..course.len());
    course.swap_remove(at)
}

/// Draws boards of sectors: first a sector, weighted by its number of boards, then the points of the stones.
fn of_sectors(rules: &Rules, sectors: &[Sector], n: usize, rng: &mut ChaCha12Rng) -> Vec<Position> {
    let points = rules.board.num_points();
    let sizes: Vec<u128> = sectors.iter().map(|sector| sector.num_boards(points)).collect();
    let all: u128 = sizes.iter().sum();
    let mut positions = Vec::with_capacity(n);
    while positions.len() < n && all > 0 {
        let mut rank = rng.random_range(0..all);
        for (sector, &size) in sectors.iter().zip(&sizes) {
            if rank < size {
                positions.push(of_sector(rules, *sector, rng));
                break;
            }
            rank -= size;
        }
    }
    positions
}

fn of_sector(rules: &Rules, sector: Sector, rng: &mut ChaCha12Rng) -> Position {
    let mut points: Vec<u32> = (0..rules.board.num_points() as u32).collect();
    points.shuffle(rng);
    let stones = |points: &[u32]| points.iter().fold(0, |set, point| set | 1 << point);
    let (own, rest) = points.split_at(usize::from(sector.own).min(points.len()));
    let other = &rest[..usize::from(sector.other).min(rest.len())];
    let side = *Side::BOTH.choose(rng).unwrap_or(&Side::P1);
    Position { board: rules.board_of(sector.state(stones(own), stones(other)), side), side }
}

fn of_run(run: &StoredRun, n: usize, rng: &mut ChaCha12Rng) -> Result<Vec<Position>> {
    let full = Dfa::full(run.game.shape());
    let covered: Vec<(Side, &Dfa)> = match run.method() {
        Method::Retrograde => Side::BOTH.map(|side| (side, &full)).into(),
        Method::Meet => Side::BOTH
            .into_iter()
            .flat_map(|side| plies_of(run, side).map(move |ply| (side, ply)))
            .map(|(side, ply)| Ok((side, run.set(Kind::R, side, ply)?)))
            .collect::<Result<_>>()?,
    };
    of_sets(run, &covered, n, rng)
}

/// Draws positions uniformly from the union of several sets.
fn of_sets(run: &StoredRun, sets: &[(Side, &Dfa)], n: usize, rng: &mut ChaCha12Rng) -> Result<Vec<Position>> {
    let rankings = sets.iter().map(|(_, set)| Ok(set.ranking()?)).collect::<Result<Vec<_>>>()?;
    let total = rankings.iter().try_fold(0u128, |sum, ranking| sum.checked_add(ranking.count()));
    let total = total.ok_or(nerode_dfa::Error::CountOverflow)?;
    if total == 0 {
        return Ok(Vec::new());
    }
    let mut positions = Vec::with_capacity(n);
    for _ in 0..n {
        let mut rank = rng.random_range(0..total);
        for ((side, _), ranking) in sets.iter().zip(&rankings) {
            if let Some(word) = ranking.unrank(rank) {
                positions.push(Position { board: run.game.board_of(&word), side: *side });
                break;
            }
            rank -= ranking.count();
        }
    }
    Ok(positions)
}
