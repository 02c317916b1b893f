//! The certificate of a search: the moves that it has proved.

use std::io::Write;
use std::path::Path;

use nerode_games::explicit::apply;
use nerode_games::{Position, Side, Value};

use super::certificate::{Choices, Header};
use super::search::Search;
use super::strategy::{Claim, Goal, Player, Stop, StrategySize, Walk};
use crate::archive::files::{Hashing, write_for_user};
use crate::error::{Error, Result};

/// The file of a certificate.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The path.
    pub path: &'a Path,
    /// Whether an existing file may be replaced.
    pub overwrite: bool,
}

/// The player that plays, and writes, the moves that a search proves.
struct Proven<'s, 'a, W: Write> {
    search: &'s mut Search<'a>,
    choices: Choices<W>,
    path: &'s Path,
}

impl<W: Write> Player for Proven<'_, '_, W> {
    fn choose(&mut self, position: &Position, replies: &[Vec<u8>]) -> Result<usize> {
        let board = self.search.move_that_proves(position)?.map(|mv| apply(&position.board, &mv));
        let choice = board.and_then(|board| replies.iter().position(|reply| *reply == board));
        let choice = choice.ok_or_else(|| self.search.why_unproved())?;
        self.choices.put(choice).map_err(|e| Error::io(self.path, e))?;
        Ok(choice)
    }
}

/// Writes the certificate that `position` has `value`, which `search` has just proved. The walk is one over the sets of `ply`.
pub(super) fn write_certificate(
    search: &mut Search<'_>,
    mut walk: Walk<'_>,
    (position, value, ply): (&Position, Value, u32),
    target: Target<'_>,
) -> Result<StrategySize> {
    let Target { path, overwrite } = target;
    let io = |e| Error::io(path, e);
    write_for_user(path, overwrite, |file| {
        let mut out = Hashing::new(file);
        Header::new(walk.game(), position, value, ply).write_to(&mut out, path)?;
        let last_attacker = search.attacker();
        let mut player = Proven { search, choices: Choices::new(&mut out).map_err(io)?, path };
        for claim in Claim::of(value, position.side) {
            player.search.set_attacker(attacker(claim, last_attacker));
            match walk.go(position, claim, &mut player) {
                Ok(()) => {}
                Err(Stop::Failed(error)) => return Err(error),
                Err(Stop::Wrong(reason)) => return Err(Error::NoStrategy { reason }),
            }
        }
        player.choices.finish().map_err(io)?;
        out.finish().map_err(io)?;
        Ok(walk.size)
    })
}

/// Returns the side whose win the searches for a claim are about. In a game without draws, the table contains the proof that the
/// attacker does not win, which is the proof that the other side does.
fn attacker(claim: Claim, last: Side) -> Side {
    match claim.goal {
        Goal::Win => last,
        Goal::NoLoss => claim.holder.other(),
    }
}
