//! What is said before a solve that seems hopeless. It is begun all the same, and stops cleanly where something runs out.

use std::path::Path;

use anyhow::Result;
use nerode_games::registry;

use super::args::Args;
use crate::cli::estimate;
use crate::cli::output::Output;
use crate::report::estimate::{Asked, EngineName, Limits, hopeless};
use crate::solve::resources::Resources;

/// Tells what a solve as sets would take, if that is more than there is. Boards of which nobody doubts it cost no time.
pub(super) fn tell(args: &Args, path: &Path, resources: &Resources, out: &Output) -> Result<()> {
    if args.is_bounded() || args.resume {
        return Ok(());
    }
    let game = registry::open_with_order(&args.game, args.order.as_deref())?;
    if game.forward_only() {
        return Ok(());
    }
    let asked = Asked {
        engine: Some(EngineName::Sets),
        method: args.method(),
        chains: args.chains(),
        ..Asked::default()
    };
    let progress = out.progress("estimate");
    let found = hopeless(&game, &asked, resources, &Limits::new(resources, resources.disk.room(path)))?;
    progress.finish();
    if let Some((found, shortages)) = found {
        let short: Vec<String> = shortages.iter().map(estimate::shortage_text).collect();
        out.note(&format!(
            "{}\nthis seems out of reach here: {}; the solve begins all the same, and keeps every ply that it finishes",
            estimate::text(&found).trim_end(),
            short.join(", and ")
        ));
    }
    Ok(())
}
