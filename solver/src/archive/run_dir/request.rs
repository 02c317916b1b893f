//! What a run is asked to solve, and how far it is.

use std::fmt;

use nerode_games::Game;
use serde::{Deserialize, Serialize};

use crate::archive::resolver::GameId;
use crate::error::{Error, Result};
use crate::solve::method::{Chains, Keep, Method};

/// What a run solves; a resumed run must ask for the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// Canonical game spec.
    pub(crate) game: String,
    /// The rules in words, for people: no part of what identifies the request.
    pub(crate) rules: String,
    /// Fingerprint of the rules.
    pub(crate) fingerprint: String,
    /// Name of the letter order.
    pub(crate) order: String,
    /// Labels of the layers in that order.
    pub(crate) layers: Vec<String>,
    /// Method.
    pub method: Method,
    /// Chains computed.
    #[serde(default)]
    pub chains: Chains,
    /// Plies whose sets stay on disk. Retrograde only.
    #[serde(default, skip_serializing_if = "Keep::is_all")]
    pub keep: Keep,
    /// Retrograde plies at most; `None` runs to the fixpoint.
    pub backward_plies: Option<u32>,
    /// Forward plies at most; `None` runs to the end of the game. Meet in the middle only.
    pub forward_plies: Option<u32>,
    /// From this ply on `R_i` is what is admissible after i plies, which holds all that can be reached. Meet only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub admissible_from: Option<u32>,
    /// The text of the rules, where the game is read from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
}

impl Request {
    /// The request to solve `game` by `method`.
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

    /// Whether both ask for the same. The rules in words and as a text do not count: the fingerprint tells rules apart.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Self { rules: other.rules.clone(), text: other.text.clone(), ..self.clone() } == *other
    }

    /// How many plies are computed at most, retrograde or, where the method is to meet, forward; `None` goes to the end.
    pub fn plies(&self) -> Option<u32> {
        match self.method {
            Method::Retrograde => self.backward_plies,
            Method::Meet => self.forward_plies,
        }
    }

    /// The same request with another number of plies.
    #[must_use]
    pub(crate) fn with_plies(&self, most: Option<u32>) -> Self {
        match self.method {
            Method::Retrograde => Self { backward_plies: most, ..self.clone() },
            Method::Meet => Self { forward_plies: most, ..self.clone() },
        }
    }

    /// Whether this asks for what `earlier` asked for, and for more plies.
    pub(crate) fn goes_further_than(&self, earlier: &Self) -> bool {
        let further = match (self.plies(), earlier.plies()) {
            (None, Some(_)) => true,
            (Some(most), Some(before)) => most > before,
            (_, None) => false,
        };
        further && self.is_same(&earlier.with_plies(self.plies()))
    }

    /// Whether the run holds sets of positions that play reaches and none of all words: it searches forward and works back over what it
    /// found, without retrograde plies.
    pub(crate) fn is_in_play(&self) -> bool {
        self.method == Method::Meet && self.backward_plies == Some(0)
    }

    /// Refuses a request of another game, other rules or another letter order.
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

    /// What finds the game that the run was made for.
    pub(crate) fn id(&self) -> GameId<'_> {
        GameId {
            spec: &self.game,
            fingerprint: &self.fingerprint,
            order: &self.order,
            text: self.text.as_deref(),
        }
    }

    /// Canonical game spec.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The rules in words, for people.
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// Fingerprint of the rules.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Name of the letter order.
    pub fn order(&self) -> &str {
        &self.order
    }

    /// Labels of the layers in that order.
    pub fn layers(&self) -> &[String] {
        &self.layers
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, fingerprint, order, method, chains, .. } = self;
        write!(f, "{game} (rules {fingerprint}, order {order}, method {method}, chains {chains}")?;
        match (self.backward_plies, self.forward_plies) {
            (None, None) => f.write_str(", to the end")?,
            (Some(back), None) => write!(f, ", {back} plies back")?,
            (None, Some(forward)) => write!(f, ", {forward} plies forward")?,
            (Some(back), Some(forward)) => write!(f, ", {back} plies back and {forward} forward")?,
        }
        if self.keep == Keep::Last {
            f.write_str(", the last plies alone kept")?;
        }
        if let Some(ply) = self.admissible_from {
            write!(f, ", admissible positions from ply {ply} on")?;
        }
        f.write_str(")")
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Last retrograde ply on disk.
    pub backward: Option<u32>,
    /// The fixpoint was reached: what is in neither W nor L is a draw.
    pub fixpoint: bool,
    /// Last forward ply on disk.
    pub forward: Option<u32>,
    /// No position is reachable after the last forward ply.
    pub forward_complete: bool,
    /// Lowest ply whose reachable positions have values.
    pub backed_up: Option<u32>,
    /// Nothing is left to do for the request.
    pub finished: bool,
}

impl Progress {
    /// Whether more plies would change nothing: the last one there is, is on disk.
    pub(crate) fn is_at_the_end(&self, method: Method) -> bool {
        match method {
            Method::Retrograde => self.fixpoint,
            Method::Meet => self.forward_complete,
        }
    }
}
