//! Moves of whole sets of positions, for callers that do not solve the game.

use nerode_dfa::Dfa;
use nerode_games::Side;
use nerode_solver::error::Result;
use nerode_solver::solve::engine::Engine;
use nerode_solver::solve::operand::Operand;

use super::options::Options;
use super::solver::Solver;

impl Solver {
    /// Returns the positions, with the opponent to move, to which a legal move of `side` leads from a position of `set`:
    /// `{ q : p ∈ set, p → q }`. No move leads out of a position in which the game is over. A pass counts as a move.
    ///
    /// The words of `set` are boards in the letter order of the game. Only the options for memory, threads and
    /// interruption have an effect.
    ///
    /// Cost: compiles the moves and the terminal positions of the game, and computes one image.
    ///
    /// # Errors
    /// Returns an error if the words of `set` do not fit the game, if memory is exhausted, or after an interruption.
    ///
    /// # Examples
    /// ```
    /// use nerode::{Options, Side, dfa::Dfa};
    /// let nim = nerode::open("nim:2x3")?;
    /// let start = Dfa::word(nim.game().shape(), &nim.game().word_of(&nim.game().start_position().board))?;
    /// let after = nim.image(&start, Side::P1, &Options::default())?;
    /// assert_eq!(after.count()?, 6);
    /// assert!(start.is_subset(&nim.preimage(&after, Side::P1, &Options::default())?)?);
    /// # Ok::<(), nerode::Error>(())
    /// ```
    pub fn image(&self, set: &Dfa, side: Side, options: &Options<'_>) -> Result<Dfa> {
        self.moved(set, options, |engine| {
            let playing = engine.playing(set, side)?;
            engine.image(Operand::from(&playing, side), &[], |x, _| x)
        })
    }

    /// Returns the positions with `side` to move from which a legal move leads to a position of `set`, where the
    /// opponent is to move: `{ p : p → q, q ∈ set }`. See [`Solver::image`].
    ///
    /// # Errors
    /// Returns the same errors as [`Solver::image`].
    pub fn preimage(&self, set: &Dfa, side: Side, options: &Options<'_>) -> Result<Dfa> {
        self.moved(set, options, |engine| {
            let before = engine.image(Operand::into(set, side), &[], |x, _| x)?;
            engine.playing(&before, side)
        })
    }

    fn moved(
        &self,
        set: &Dfa,
        options: &Options<'_>,
        work: impl FnOnce(&mut Engine) -> Result<Dfa>,
    ) -> Result<Dfa> {
        // This fails, and names both shapes, if the words do not fit the game.
        set.is_subset(&Dfa::empty(self.game().shape()))?;
        options.guarded(|| {
            let (game, resources) = (self.shared_game(), options.resources());
            // Games that are only searched forward have no set of all terminal positions.
            let mut engine = match game.forward_only() {
                true => Engine::in_play(game, resources, None)?,
                false => Engine::new(game, resources, None)?,
            };
            work(&mut engine)
        })
    }
}
