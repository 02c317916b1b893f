//! Values as solutions: automata of the values of all words, and packed values of reached positions with bounds of depths.

use std::sync::Arc;

#[cfg(feature = "engine")]
use nerode_dfa::Letter;
#[cfg(feature = "engine")]
use nerode_games::Side;
use nerode_games::{Game, Position};

#[cfg(feature = "engine")]
use super::{Automaton, ListedAutomaton, value_automata};
use super::{Coverage, DepthSource, Stored};
use crate::archive::Contents;
use crate::archive::packed::{Packed, REACHED};
#[cfg(feature = "engine")]
use crate::archive::stored_run::OutcomeMap;
use crate::archive::values::Values;
use crate::error::Result;
use crate::outcome::Evaluation;
use crate::solve::method::Method;
#[cfg(feature = "engine")]
use crate::solve::resources::Resources;

impl Stored for Values {
    fn shared_game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    fn form(&self) -> String {
        Contents::Values.to_string()
    }

    fn look_up(&self, Position { board, side }: &Position) -> Result<Evaluation> {
        Ok(Evaluation::of(self.get(&self.game.word_of(board), *side)?))
    }

    fn is_complete(&self) -> bool {
        self.packed().is_ok_and(|packed| packed.is_none_or(|packed| packed.header().is_complete))
    }

    fn method(&self) -> Option<Method> {
        Some(self.manifest().request().method)
    }

    fn coverage(&self) -> Coverage {
        match self.manifest().care() {
            None => Coverage::AllBoards,
            Some(REACHED) => Coverage::of(self.manifest().request()),
            Some(_) => Coverage::CareSet,
        }
    }

    fn depth_source(&self) -> DepthSource {
        match self.manifest().care() {
            Some(REACHED) => DepthSource::Bounds,
            _ if self.manifest().has_depths() => DepthSource::Stored,
            _ => DepthSource::Absent,
        }
    }

    #[cfg(feature = "engine")]
    fn outcome_map(&self, side: Side, _resources: &Resources) -> Result<Option<OutcomeMap<'_>>> {
        if self.manifest().care().is_some() {
            return Ok(None);
        }
        Ok(Some(OutcomeMap::of_map(self.game.as_ref(), self.map(side)?, self.manifest().has_depths())))
    }

    #[cfg(feature = "engine")]
    fn automata(&self) -> Result<Vec<ListedAutomaton>> {
        value_automata::listed(self)
    }

    #[cfg(feature = "engine")]
    fn automaton(&self, name: &str) -> Result<Option<Automaton<'_>>> {
        value_automata::read(self, name)
    }

    #[cfg(feature = "engine")]
    fn automaton_word(&self, position: &Position) -> Vec<Letter> {
        value_automata::word(self, &position.board)
    }
}

impl Stored for Packed {
    fn shared_game(&self) -> &Arc<dyn Game> {
        Self::game(self)
    }

    fn form(&self) -> String {
        "packed values".into()
    }

    fn look_up(&self, Position { board, side }: &Position) -> Result<Evaluation> {
        Ok(Evaluation::of(self.get(&self.game().word_of(board), *side)?))
    }

    fn is_complete(&self) -> bool {
        self.header().is_complete
    }

    fn method(&self) -> Option<Method> {
        Some(Method::Meet)
    }

    fn coverage(&self) -> Coverage {
        Coverage::ReachedPositions
    }

    fn depth_source(&self) -> DepthSource {
        DepthSource::Bounds
    }
}
