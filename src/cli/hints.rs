//! What to do about an error of the library, in terms of this program's commands and flags.

use crate::error::{Error, Lack, RunNeeds};

/// A hint for the first error in the chain that has one.
pub(super) fn hint(error: &anyhow::Error) -> Option<String> {
    error.chain().find_map(|cause| {
        let library = cause.downcast_ref::<Error>().and_then(of_library);
        library.or_else(|| cause.downcast_ref::<nerode_dfa::Error>().and_then(of_engine))
    })
}

fn of_library(error: &Error) -> Option<String> {
    Some(match error {
        Error::Dfa(error) => return of_engine(error),
        Error::TooLarge { .. } => "raise --memory".into(),
        Error::NoOrderFits { .. } => "raise --memory or lower --plies".into(),
        Error::Interrupted => "continue with --resume".into(),
        Error::MissingSector { sector, folder: Some(folder), .. } => {
            format!("solve it with 'nerode explicit GAME --sector {sector} --run-dir {}'", folder.display())
        }
        Error::NotForGame { game, lack: Lack::BackwardMoves } => {
            format!("'nerode reach {game} --plies N' counts its positions")
        }
        Error::NotForGame { lack: Lack::AdmissiblePositions, .. } => "leave --admissible-from away".into(),
        Error::NotForGame { game, lack: Lack::Scores } => format!("solve it with 'nerode solve {game}'"),
        Error::WrongRun { needs: RunNeeds::Fixpoint, .. } => "solve without --plies and --method meet".into(),
        Error::WrongRun { needs: RunNeeds::BothChains, .. } => "solve with --chains both".into(),
        Error::WrongOrder { needed, .. } => format!("solve with --order {needed}"),
        Error::NotBuilt { feature } => format!("build it with --features {feature}"),
        _ => return None,
    })
}

fn of_engine(error: &nerode_dfa::Error) -> Option<String> {
    match error {
        nerode_dfa::Error::OutOfMemory { .. } => Some("raise --memory".into()),
        _ => None,
    }
}
