//! Writes tables of reached positions.

use std::io::Write;
use std::path::Path;

use super::{FORMAT_VERSION, Listing, PlyHeader, ReachedHeader, write_codes};
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
    let io = |e| Error::io(path, e);
    let mut plies = Vec::new();
    for (ply, num_positions) in (0..).zip(listing.counts()) {
        let set = run.read(Kind::R, run.side_at(ply), ply)?;
        plies.push(PlyHeader { num_positions, set_bytes: set.to_bytes()?.len() as u64 });
    }
    let header = ReachedHeader::of(run.game.as_ref(), plies, listing.num_open());
    let encoded = codec::encode(&header).map_err(|e| Error::corrupt(path, e.to_string()))?;
    let mut out = Hashing::new(out);
    put_prefix(&mut out, path, FORMAT_VERSION, &encoded)?;
    for ply in 0..header.plies.len() as u32 {
        let list = listing.ply(ply)?;
        out.write_all(&list.set.to_bytes()?).map_err(io)?;
        for codes in list.codes().chunks(1 << 20) {
            resources.must_go_on()?;
            write_codes(&mut out, codes).map_err(io)?;
        }
    }
    out.finish().map_err(io)?;
    Ok(header.num_positions())
}
