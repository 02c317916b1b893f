//! The option `nerode stats DIR --plot FILE`, which draws positions and states by ply, and states by layer.

use anyhow::Result;

use super::layers::LayerLine;
use super::set_lines::SetLine;
use nerode_solver::archive::stored_run::StoredRun;

/// Draws the sets by ply and by layer, and returns the text of an SVG file.
#[cfg(feature = "plots")]
pub(super) fn draw(solution: &StoredRun, plies: &[SetLine], layers: &[LayerLine]) -> Result<String> {
    use super::panels::{by_layer, new_positions, reached_positions, states};
    use nerode_solver::solve::method::Method;

    let positions = match solution.method() {
        Method::Retrograde => new_positions(plies),
        Method::Meet => reached_positions(plies),
    };
    let panels = [positions, states(plies), by_layer(layers)];
    Ok(nerode_report::plot::draw(&solution.game.spec(), &panels)?)
}

/// Explains how to obtain a program with support for drawings.
#[cfg(not(feature = "plots"))]
pub(super) fn draw(_: &StoredRun, _: &[SetLine], _: &[LayerLine]) -> Result<String> {
    anyhow::bail!(
        "this program was built without support for drawings; build it with: cargo build --release --features plots"
    )
}
