//! Requests, which describe the task of a run, and its progress.

use std::fmt;

use nerode_games::Game;
use serde::{Deserialize, Serialize};

use crate::archive::resolver::GameId;
#[cfg(feature = "engine")]
use crate::error::{Error, Result};
use crate::solve::method::{Chains, Keep, Method};

/// The task of a run. A run can only be resumed with the same request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The canonical game spec.
    pub(crate) game: String,
    /// The rules in words, for human readers; not part of the identity of the request.
    pub(crate) rules: String,
    /// The fingerprint of the rules.
    pub(crate) fingerprint: String,
    /// The name of the letter order.
    pub(crate) order: String,
    /// The labels of the layers in that order.
    pub(crate) layers: Vec<String>,
    /// The method.
    pub method: Method,
    /// The chains that are computed.
    #[serde(default)]
    pub chains: Chains,
    /// The plies whose sets stay on disk. Retrograde only.
    #[serde(default, skip_serializing_if = "Keep::is_all")]
    pub keep: Keep,
    /// The maximum number of retrograde plies; `None` continues to the fixpoint.
    pub backward_plies: Option<u32>,
    /// The maximum number of forward plies; `None` continues to the end of the game. Meet in the middle only.
    pub forward_plies: Option<u32>,
    /// From this ply on, `R_i` is the set of positions that are admissible after i plies, which contains all reachable
    /// ones. Meet in the middle only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub admissible_from: Option<u32>,
    /// The text of the rules, if the game is read from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
}

impl Request {
    /// Creates the request to solve `game` by `method`.
    pub fn new(
        game: &dyn Game,
        method: Method,
        backward_plies: Option<u32>,
        forward_plies: Option<u32>,
    ) -> Self {
        Self {
            game: game.spec(),
            rules: game.rules(),
            fingerprint: game.fingerprint(),
            order: game.order().to_string(),
            layers: game.layers().into_iter().map(|l| l.label).collect(),
            method,
            chains: Chains::Both,
            keep: Keep::All,
            backward_plies,
            forward_plies,
            admissible_from: None,
            text: game.rules_text(),
        }
    }

    /// Returns the maximum number of plies: retrograde plies or, if the method is meet in the middle, forward plies.
    /// `None` means to the end.
    pub fn plies(&self) -> Option<u32> {
        match self.method {
            Method::Retrograde => self.backward_plies,
            Method::Meet => self.forward_plies,
        }
    }

    /// Returns the data that identify the game of the run.
    pub(crate) fn id(&self) -> GameId<'_> {
        GameId {
            spec: &self.game,
            fingerprint: &self.fingerprint,
            order: &self.order,
            text: self.text.as_deref(),
        }
    }

    /// Returns the canonical game spec.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// Returns the rules in words, for human readers.
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// Returns the fingerprint of the rules.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Returns the name of the letter order.
    pub fn order(&self) -> &str {
        &self.order
    }

    /// Returns the labels of the layers in that order.
    pub fn layers(&self) -> &[String] {
        &self.layers
    }
}

/// # For runs
#[cfg(feature = "engine")]
impl Request {
    /// Returns `true` if both requests are the same. The rules in words and as a text are ignored, because the
    /// fingerprint identifies them.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Self { rules: other.rules.clone(), text: other.text.clone(), ..self.clone() } == *other
    }

    /// Returns the same request with another number of plies.
    #[must_use]
    pub(crate) fn with_plies(&self, most: Option<u32>) -> Self {
        match self.method {
            Method::Retrograde => Self { backward_plies: most, ..self.clone() },
            Method::Meet => Self { forward_plies: most, ..self.clone() },
        }
    }

    /// Returns `true` if this request equals `earlier` except for a greater number of plies.
    pub(crate) fn goes_further_than(&self, earlier: &Self) -> bool {
        let further = match (self.plies(), earlier.plies()) {
            (None, Some(_)) => true,
            (Some(most), Some(before)) => most > before,
            (_, None) => false,
        };
        further && self.is_same(&earlier.with_plies(self.plies()))
    }

    /// Returns `true` if the run contains only sets of positions that are reachable in play, and no sets over all
    /// words. Such a run searches forward and propagates values back over the positions it found, without retrograde
    /// plies.
    pub(crate) fn is_in_play(&self) -> bool {
        self.method == Method::Meet && self.backward_plies == Some(0)
    }

    /// Returns an error for a request of another game, other rules or another letter order.
    pub(crate) fn must_be_of(&self, game: &dyn Game) -> Result<()> {
        let (fingerprint, order) = (game.fingerprint(), game.order());
        if self.game == game.spec() && self.fingerprint == fingerprint && self.order == order {
            return Ok(());
        }
        Err(Error::Mismatch {
            what: "the request".into(),
            found: format!("one for {} (rules {}, order {})", self.game, self.fingerprint, self.order),
            expected: format!("one for {} (rules {fingerprint}, order {order})", game.spec()),
        })
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, fingerprint, order, method, chains, .. } = self;
        write!(f, "{game} (rules {fingerprint}, order {order}, method {method}, chains {chains}")?;
        match (self.backward_plies, self.forward_plies) {
            (None, None) => f.write_str(", to the end")?,
            (Some(back), None) => write!(f, ", backward plies {back}")?,
            (None, Some(forward)) => write!(f, ", forward plies {forward}")?,
            (Some(back), Some(forward)) => write!(f, ", backward plies {back}, forward plies {forward}")?,
        }
        if self.keep == Keep::Last {
            f.write_str(", keeping only the last plies")?;
        }
        if let Some(ply) = self.admissible_from {
            write!(f, ", admissible positions from ply {ply} on")?;
        }
        f.write_str(")")
    }
}

/// The progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// The last retrograde ply on disk.
    pub backward: Option<u32>,
    /// The fixpoint was reached, so that positions in neither W nor L are draws.
    pub fixpoint: bool,
    /// The last forward ply on disk.
    pub forward: Option<u32>,
    /// No position is reachable after the last forward ply.
    pub forward_complete: bool,
    /// The lowest ply whose reachable positions have values.
    pub backed_up: Option<u32>,
    /// The request is completely solved.
    pub finished: bool,
}

#[cfg(feature = "engine")]
impl Progress {
    /// Returns `true` if more plies would change nothing, because the last possible ply is on disk.
    pub(crate) fn is_at_the_end(&self, method: Method) -> bool {
        match method {
            Method::Retrograde => self.fixpoint,
            Method::Meet => self.forward_complete,
        }
    }
}
