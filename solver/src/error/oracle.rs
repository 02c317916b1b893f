//! Conversion of the oracle's errors.

use nerode_oracle::Error as OracleError;

use super::{Error, Lack};

impl From<OracleError> for Error {
    fn from(error: OracleError) -> Self {
        match error {
            OracleError::Rules { game, reason } => Self::Rules { game, reason },
            OracleError::TooLarge { what, needed_bytes, limit_bytes } => {
                Self::TooLarge { what, needed_bytes, limit_bytes }
            }
            OracleError::TooDeep { what, most } => Self::TooDeep { what, most },
            OracleError::PastTheEnd { index, num_positions } => Self::PastTheEnd { index, num_positions },
            OracleError::Interrupted => Self::Interrupted,
            OracleError::Repeats { game, .. } => Self::NotForGame { game, lack: Lack::EndOfScores },
            other @ (OracleError::TooManyReached { .. }
            | OracleError::TooManyPositions { .. }
            | OracleError::TooWide { .. }
            | OracleError::Disk { .. }) => Self::Reached(other),
        }
    }
}
