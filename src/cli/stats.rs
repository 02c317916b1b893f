//! x
use super::output::{Outcome, Output};
/// x
#[derive(Debug, clap::Args)]
pub(super) struct Args {}
pub(super) fn run(_a: &Args, _o: &Output) -> anyhow::Result<Outcome> { Ok(Outcome::Done) }
