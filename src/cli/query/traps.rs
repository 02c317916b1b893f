//! The option `nerode query DIR POSITION --traps`, which prints, for each move, how likely a fallible opponent is to
//! err.

use anyhow::Result;
use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;

use crate::cli::choices::number;
use crate::cli::hints::advised;
use crate::cli::output::counted;
use nerode_play::traps::{Chance, Horizon, MOST_PLIES, TrapAnswer, TrapModel, TrapMove, Traps};
use nerode_report::lines::MoveLine;
use nerode_solver::stored::{Answer, Solution};

/// The default horizon of a fallible side, in plies to the end: it sees all losses up to the first number, and none
/// from the second number on.
const USUAL_HORIZON: (u32, u32) = (2, 12);

/// Options of traps.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct TrapArgs {
    /// Show for each move how likely a fallible opponent is to go wrong; the most demanding move comes first
    #[arg(long, conflicts_with = "batch")]
    traps: bool,
    /// With --traps: the number of plies examined from the position on. With 1 and 3, the side to move is the fallible one
    #[arg(long, value_name = "N", default_value_t = 2, requires = "traps", value_parser = number(1..=MOST_PLIES))]
    trap_plies: u8,
    /// With --traps: how the fallible side chooses its moves
    #[arg(long, value_name = "MODEL", value_enum, default_value_t = Model::Random, requires = "traps")]
    trap_model: Model,
    /// With the distance model: the fallible side sees every loss in this many plies or fewer, including its own move
    /// [default: 2]
    #[arg(long, value_name = "L", requires = "traps", value_parser = number(0..=u32::MAX))]
    trap_lower: Option<u32>,
    /// With the distance model: the fallible side sees no loss in this many plies or more [default: 12]
    #[arg(long, value_name = "U", requires = "traps", value_parser = number(0..=u32::MAX))]
    trap_upper: Option<u32>,
}

/// How a fallible side chooses among its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::cli) enum Model {
    /// All moves are equally likely
    Random,
    /// Short losses are seen and long ones missed
    Distance,
}

/// A probability.
#[derive(JsonSchema, Serialize)]
struct ChanceText {
    /// The probability as a rounded number.
    #[schemars(range(min = 0, max = 1))]
    chance: f64,
    /// The probability as an exact fraction, such as `3/8`.
    exact: String,
}

/// How likely a side goes wrong that chooses its moves according to a model.
#[derive(JsonSchema, Serialize)]
pub(super) struct Summary {
    /// The number of plies considered.
    #[schemars(range(min = 1, max = 4))]
    plies: u8,
    /// How the fallible side chooses among its moves.
    model: Model,
    /// For the model `distance`: the fallible side sees losses in at most this number of plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<u32>,
    /// For the model `distance`: the fallible side misses losses in at least this number of plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    upper: Option<u32>,
    /// The fallible side.
    #[schemars(extend("enum" = ["P1", "P2"]))]
    side: String,
    /// The chance that this side goes wrong after the best trap, or with its own move, or null if it is not known.
    goes_wrong: Option<ChanceText>,
}

/// The traps after a move, with `--traps`.
#[derive(JsonSchema, Serialize)]
pub(super) struct OfMove {
    /// The chance that the fallible side has gone wrong after this move or with it, or null if it is not known.
    goes_wrong: Option<ChanceText>,
    /// The chance that the fallible side makes this move, if it is to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<ChanceText>,
}

impl TrapArgs {
    /// Computes the traps in the position of `answer`, if they are requested.
    pub(super) fn ask(&self, solution: &Solution, answer: &Answer) -> Result<Option<(Traps, TrapAnswer)>> {
        if !self.traps {
            return Ok(None);
        }
        let traps = Traps { model: self.model()?, plies: self.trap_plies };
        Ok(Some((traps, traps.of(solution, answer)?)))
    }

    fn model(&self) -> Result<TrapModel> {
        model_of(self.trap_model, self.trap_lower, self.trap_upper)
    }
}

/// Returns the model with a horizon. Each end of the horizon has a default.
pub(in crate::cli) fn model_of(model: Model, lower: Option<u32>, upper: Option<u32>) -> Result<TrapModel> {
    match model {
        Model::Random if lower.or(upper).is_some() => Err(advised(
            "a horizon applies to an opponent that sees short losses, not to one that moves at random",
            "use --trap-model distance, or omit --trap-lower and --trap-upper",
        )),
        Model::Random => Ok(TrapModel::Random),
        Model::Distance => {
            let (usual_lower, usual_upper) = USUAL_HORIZON;
            let horizon = Horizon::new(lower.unwrap_or(usual_lower), upper.unwrap_or(usual_upper))?;
            Ok(TrapModel::Distance(horizon))
        }
    }
}

impl ChanceText {
    fn new(chance: &Chance) -> Self {
        Self { chance: chance.as_f64(), exact: chance.to_string() }
    }
}

impl Summary {
    pub(super) fn new(traps: Traps, answer: &TrapAnswer) -> Self {
        let (model, horizon) = match traps.model {
            TrapModel::Random => (Model::Random, None),
            TrapModel::Distance(horizon) => (Model::Distance, Some(horizon)),
        };
        Self {
            plies: traps.plies,
            model,
            lower: horizon.map(Horizon::lower),
            upper: horizon.map(Horizon::upper),
            side: answer.fallible.to_string(),
            goes_wrong: answer.goes_wrong.as_ref().map(ChanceText::new),
        }
    }

    /// Explains the table of moves in words.
    pub(super) fn text(&self) -> String {
        let plies = match self.plies {
            1 => "it goes wrong with its move".to_string(),
            plies if plies % 2 == 1 => {
                format!("it goes wrong within {}", counted(plies.into(), "ply", "plies"))
            }
            plies => {
                let plies = counted(plies.into(), "ply", "plies");
                format!("after the first move below it goes wrong within {plies}")
            }
        };
        let how = match (self.lower, self.upper) {
            (Some(lower), Some(upper)) => {
                let lower = counted(lower.into(), "ply", "plies");
                format!("sees losses in {lower} or fewer and misses those in {upper} or more")
            }
            _ => "moves at random".to_string(),
        };
        format!("{} {how}; {plies} with probability {}\n\n", self.side, said(self.goes_wrong.as_ref()))
    }
}

impl OfMove {
    pub(super) fn new(mv: &TrapMove) -> Self {
        Self {
            goes_wrong: mv.goes_wrong.as_ref().map(ChanceText::new),
            played: mv.played.as_ref().map(ChanceText::new),
        }
    }

    /// Returns the titles of the additional columns of a move.
    pub(super) fn titles(&self) -> Vec<&'static str> {
        let mut titles = vec!["goes wrong"];
        titles.extend(self.played.as_ref().map(|_| "played"));
        titles
    }

    /// Returns the contents of these columns.
    pub(super) fn cells(&self) -> Vec<String> {
        let mut cells = vec![said(self.goes_wrong.as_ref())];
        cells.extend(self.played.as_ref().map(|played| said(Some(played))));
        cells
    }
}

/// Formats a probability as `3/8 (37.5 %)`, or only as a percentage if the fraction is long.
fn said(chance: Option<&ChanceText>) -> String {
    const LONG: usize = 9;
    let Some(ChanceText { chance, exact }) = chance else { return "unknown".into() };
    let percent = format!("{:.1} %", chance * 100.0);
    match exact.as_str() {
        "0" => "0".into(),
        "1" => "1".into(),
        exact if exact.len() > LONG => percent,
        exact => format!("{exact} ({percent})"),
    }
}

/// Returns the moves of `answer` in its order, with their evaluations.
pub(super) fn lines(game: &dyn nerode_games::Game, answer: &TrapAnswer) -> Vec<(MoveLine, OfMove)> {
    answer.moves.iter().map(|mv| (MoveLine::new(game, &mv.reply), OfMove::new(mv))).collect()
}
