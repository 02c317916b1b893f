//! The option `nerode query DIR POSITION --plot FILE.svg`.

use std::path::Path;

use anyhow::{Result, bail};
use nerode_games::Game;

use crate::cli::output::print;
use nerode_report::board::picture;
use nerode_report::lines::Known;
use nerode_solver::archive::files::write_bytes_for_user;
use nerode_solver::archive::place::must_be_writable;
use nerode_solver::stored::Answer;

/// Draws the position and its moves to `file`, where `-` is standard output.
pub(super) fn draw(game: &dyn Game, answer: &Answer, file: &Path, overwrite: bool) -> Result<()> {
    let is_printed = is_printed(file);
    if !is_printed {
        must_be_writable(file, overwrite)?;
    }
    let known = Known::new(game, answer.position(), &answer.evaluation());
    let caption = format!("{} to move: {}", known.side, known.value_text());
    let Some(svg) = picture(game, answer.position(), &caption, Some(answer)) else {
        bail!("{} has no board to draw", game.spec());
    };
    if is_printed {
        print(svg.as_bytes())
    } else {
        Ok(write_bytes_for_user(file, overwrite, svg.as_bytes())?)
    }
}

/// Returns `true` if `file` stands for standard output.
pub(super) fn is_printed(file: &Path) -> bool {
    file == Path::new("-")
}
