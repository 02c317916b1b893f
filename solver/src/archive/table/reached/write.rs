//! Writes tables of reached positions.

use std::borrow::Borrow;
use std::io::Write;
use std::path::Path;

use nerode_games::Game;

use super::{FORMAT_VERSION, Listing, PlyHeader, PlyList, ReachedHeader, write_codes};
use crate::archive::codec;
use crate::archive::files::Hashing;
use crate::archive::run_dir::Kind;
use crate::archive::table::prefix::put_prefix;
use crate::error::{Error, Result};
use crate::solve::resources::Resources;

/// Writes a listing as a table to `out`, and returns the number of positions. Errors refer to `path`.
///
/// Cost: constant memory, except for the codes and the automaton of one ply.
///
/// # Errors
/// Returns [`Error::Io`], [`Error::Interrupted`], or an error if a file of the run is damaged. After an error, `out` may contain part of a
/// table.
pub fn put_reached(
    out: &mut dyn Write,
    path: &Path,
    listing: &Listing<'_>,
    resources: &Resources,
) -> Result<u64> {
    let run = listing.run();
    let mut plies = Vec::new();
    for (ply, num_positions) in (0..).zip(listing.counts()) {
        let set = run.read(Kind::R, run.side_at(ply), ply)?;
        plies.push(PlyHeader { num_positions, set_bytes: set.to_bytes()?.len() as u64 });
    }
    let header = ReachedHeader::of(run.game.as_ref(), plies, listing.num_open());
    put(out, path, &header, resources, &mut |ply| listing.ply(ply))?;
    Ok(header.num_positions())
}

/// Writes the table of the given plies, from ply 0 on, to `out`. Errors refer to `path`.
///
/// # Errors
/// Returns [`Error::Io`] or [`Error::Interrupted`].
pub(crate) fn put_plies(
    out: &mut dyn Write,
    path: &Path,
    game: &dyn Game,
    plies: &[PlyList],
    resources: &Resources,
) -> Result<()> {
    let mut headers = Vec::new();
    let mut num_open = (0, 0);
    for list in plies {
        let set_bytes = list.set.to_bytes()?.len() as u64;
        headers.push(PlyHeader { num_positions: list.codes.len() as u64, set_bytes });
        let of_ply = list.num_open();
        num_open = (num_open.0 + of_ply.0, num_open.1 + of_ply.1);
    }
    let header = ReachedHeader::of(game, headers, num_open);
    put(out, path, &header, resources, &mut |ply| Ok(&plies[ply as usize]))
}

/// Writes a table whose plies `list` returns.
fn put<L: Borrow<PlyList>>(
    out: &mut dyn Write,
    path: &Path,
    header: &ReachedHeader,
    resources: &Resources,
    list: &mut dyn FnMut(u32) -> Result<L>,
) -> Result<()> {
    let io = |e| Error::io(path, e);
    let encoded = codec::encode(header).map_err(|e| Error::corrupt(path, e.to_string()))?;
    let mut out = Hashing::new(out);
    put_prefix(&mut out, path, FORMAT_VERSION, &encoded)?;
    for ply in 0..header.plies.len() as u32 {
        let list = list(ply)?;
        let list = list.borrow();
        out.write_all(&list.set.to_bytes()?).map_err(io)?;
        for codes in list.codes().chunks(1 << 20) {
            resources.must_go_on()?;
            write_codes(&mut out, codes).map_err(io)?;
        }
    }
    out.finish().map_err(io)?;
    Ok(())
}
