//! Writes tables of reached positions by key atomically in one pass.

use std::path::Path;

use nerode_games::Game;
use nerode_oracle::ReachedRows;

use super::{CODE_BYTES, FORMAT_VERSION, KeyedHeader};
use crate::archive::codec;
use crate::archive::files::{Hashing, write_for_user};
use crate::archive::table::prefix::put_prefix;
use crate::error::{Error, Result};
use crate::solve::resources::Resources;

/// Writes `rows`, which must be a solution of `game`, to `path`, and returns the number of bytes written. Calls `progress`
/// with the numbers of positions written and in total. Without `overwrite`, a file that exists when writing completes is an
/// error.
///
/// Cost: that of [`ReachedRows::write`].
///
/// # Errors
/// Returns [`Error::Io`], [`Error::DiskFull`], or [`Error::Interrupted`]. If it fails, no new file appears at `path`.
pub fn write_keyed(
    path: &Path,
    game: &dyn Game,
    rows: ReachedRows,
    overwrite: bool,
    resources: &Resources,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<u64> {
    let total = rows.num_positions();
    let header = KeyedHeader::of(game, rows.packing(), rows.stats(), total);
    let row = rows.packing().num_bytes() + CODE_BYTES;
    resources.disk.must_hold(path, total.saturating_mul(row as u64))?;
    let encoded = codec::encode(&header).map_err(|e| Error::corrupt(path, e.to_string()))?;
    write_for_user(path, overwrite, |file| {
        let io = |e| Error::io(path, e);
        let mut out = Hashing::new(file);
        put_prefix(&mut out, path, FORMAT_VERSION, &encoded)?;
        let mut go_on = |done| {
            progress(done, total);
            resources.must_go_on().is_ok()
        };
        let written = rows.write(&mut out, &mut go_on);
        resources.must_go_on()?;
        written.map_err(io)?;
        out.finish().map(|(_, written)| written.bytes).map_err(io)
    })
}
