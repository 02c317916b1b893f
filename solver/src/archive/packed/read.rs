//! Look-ups in packed values.

use std::path::Path;
use std::sync::{Arc, OnceLock};

#[cfg(feature = "engine")]
use nerode_dfa::disk::File;
use nerode_dfa::packed::{PackedMap, PackedReader, ReadAt};
use nerode_dfa::{Letter, Problem};
use nerode_games::{Game, Side, Value, grouped, side_at};

use super::mirror::Mirror;
use super::{DIGEST_BYTES, FORMAT_VERSION, Header, INSIDE, MAGIC, MapPlace, PREFIX_BYTES, TRAILER_BYTES};
use crate::archive::codec;
use crate::archive::resolver::Resolver;
use crate::error::{Error, Result};
use crate::outcome::{Depth, Outcome, code2};

/// The number of bytes that are verified at a time.
const PART_BYTES: usize = 1 << 20;

/// Packed values opened for reading. Several threads may query them at the same time.
pub struct Packed {
    game: Arc<dyn Game>,
    header: Header,
    reader: PackedReader,
    mirrors: Vec<Mirror>,
    /// The maps, each of which is opened when it is first needed.
    maps: Vec<OnceLock<PackedMap>>,
}

impl Packed {
    /// Opens the file `path` of values of `game`. Blocks that were read last are kept in about `memory` bytes.
    ///
    /// Cost: reads the header.
    ///
    /// # Errors
    /// Returns the same errors as [`Packed::read_from`], or [`Error::Io`].
    #[cfg(feature = "engine")]
    pub fn open(path: &Path, game: Arc<dyn Game>, memory: u64) -> Result<Self> {
        let file = File::open(path).map_err(|e| Error::io(path, e))?;
        Self::read_from(Box::new(file), path, game, memory)
    }

    /// Opens values that are read by random access. Errors name `path`.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::OtherContents`] if it is another kind of file, [`Error::WrongVersion`],
    /// [`Error::WrongRules`] if the game has other rules or another letter order, or [`Error::Corrupt`] if the header is
    /// damaged or does not fit the file.
    pub fn read_from(file: Box<dyn ReadAt>, path: &Path, game: Arc<dyn Game>, memory: u64) -> Result<Self> {
        Self::resolved(file, path, memory, |_| Ok(game))
    }

    /// Opens values of the game that `resolver` finds, which are read by random access. Errors name `path`.
    ///
    /// # Errors
    /// Returns the same errors as [`Packed::read_from`], and those of `resolver`.
    pub fn open_with(
        file: Box<dyn ReadAt>,
        path: &Path,
        resolver: &dyn Resolver,
        memory: u64,
    ) -> Result<Self> {
        Self::resolved(file, path, memory, |header| resolver.resolve(&header.spec, &header.order))
    }

    fn resolved(
        file: Box<dyn ReadAt>,
        path: &Path,
        memory: u64,
        game: impl FnOnce(&Header) -> Result<Arc<dyn Game>>,
    ) -> Result<Self> {
        let reader = PackedReader::new(file, path.into(), memory);
        let header = read_header(&reader)?;
        let game = game(&header)?;
        let corrupt = |reason: &str| Error::corrupt(path, reason);
        let found = format!("{} ({}, order {})", header.fingerprint, header.spec, header.order);
        let expected = format!("{} ({}, order {})", game.fingerprint(), game.spec(), game.order());
        if found != expected {
            return Err(Error::WrongRules { path: path.into(), found, expected });
        }
        let is_there = |map: u32| (map as usize) < header.maps.len();
        let maps_are_there = header.plies.iter().all(|ply| {
            [Some(ply.reached), Some(ply.values), ply.admissible].into_iter().flatten().all(is_there)
        });
        if !maps_are_there || header.plies.is_empty() {
            return Err(corrupt("its header does not name the maps of every ply"));
        }
        let mirrors = header.mirrors.iter().map(|image| Mirror::new(game.as_ref(), image.clone()));
        let mirrors =
            mirrors.collect::<Option<_>>().ok_or_else(|| corrupt("it names a mirror that does not fit"))?;
        let maps = header.maps.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { game, header, reader, mirrors, maps })
    }

    /// Returns the header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the game, in the letter order of the values.
    pub fn game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    /// Returns the last ply.
    pub fn last_ply(&self) -> u32 {
        self.header.plies.len() as u32 - 1
    }

    /// Returns the outcome of a word with `side` to move, with a bound of its depth, or `None` if it is not reached. As in a
    /// run, a board at which the game is over has its value by the rules even if it is not reached.
    ///
    /// Cost: a look-up in up to three maps for each ply at which the board may be reached. A map takes one block for each
    /// letter at most, from the cache or from the file.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or an error if the file is damaged.
    pub fn get(&self, word: &[Letter], side: Side) -> Result<Option<Outcome>> {
        let of = |(ply, value): (u32, Option<Value>)| {
            let most = self.last_ply() - ply + self.header.retrograde_plies;
            value.map_or(Outcome::Unknown, |value| Outcome::new(value, Depth::AtMost(most)))
        };
        if let Some(known) = self.reached(word, side)? {
            return Ok(Some(of(known)));
        }
        let over = self.game.outcome(&self.game.board_of(word), side);
        Ok(over.map(|value| Outcome::new(value, Depth::Exact(0))))
    }

    /// Returns the first ply at which a word is reached and decided, with its value. If it is decided at none of them,
    /// returns the last ply at which it is reached, and if it is never reached, `None`.
    ///
    /// # Errors
    /// Returns the same errors as [`Packed::get`].
    pub fn reached(&self, word: &[Letter], side: Side) -> Result<Option<(u32, Option<Value>)>> {
        let mut reached = None;
        let shown = self.game.plies_played(&self.game.board_of(word));
        let plies = shown.map_or(0..=self.last_ply(), |ply| ply..=ply.min(self.last_ply()));
        for ply in plies.filter(|&ply| side_at(self.game.as_ref(), ply) == side) {
            match self.at_ply(word, ply)? {
                None => {}
                Some(None) => reached = Some((ply, None)),
                Some(value) => return Ok(Some((ply, value))),
            }
        }
        Ok(reached)
    }

    /// Returns the value of a word at a ply, or `None` if it is not in `R_i`. The inner value is `None` if it is unknown.
    ///
    /// # Errors
    /// Returns the same errors as [`Packed::get`].
    ///
    /// # Panics
    /// Panics if `ply` is greater than [`Packed::last_ply`].
    pub fn at_ply(&self, word: &[Letter], ply: u32) -> Result<Option<Option<Value>>> {
        let maps = self.header.plies[ply as usize];
        let chosen = self.chosen(word);
        for map in [maps.admissible, Some(maps.reached)].into_iter().flatten() {
            if self.look_up(map, &chosen)? != INSIDE {
                return Ok(None);
            }
        }
        self.value(word, &chosen, ply).map(Some)
    }

    /// Returns the value of a word of `R_i`, or `None` if it is unknown. The value of any other word means nothing.
    ///
    /// # Errors
    /// Returns the same errors as [`Packed::get`].
    ///
    /// # Panics
    /// Panics if `ply` is greater than [`Packed::last_ply`].
    #[cfg(feature = "engine")]
    pub(crate) fn value_of_reached(&self, word: &[Letter], ply: u32) -> Result<Option<Value>> {
        self.value(word, &self.chosen(word), ply)
    }

    fn value(&self, word: &[Letter], chosen: &[Letter], ply: u32) -> Result<Option<Value>> {
        let side = side_at(self.game.as_ref(), ply);
        if let Some(value) = self.game.outcome(&self.game.board_of(word), side) {
            return Ok(Some(value));
        }
        let code = self.look_up(self.header.plies[ply as usize].values, chosen)?;
        let no_code = || Error::corrupt(self.reader.path(), format!("{code} is not the code of a value"));
        Ok(code2::outcome(code).ok_or_else(no_code)?.value())
    }

    /// Returns the word that is looked up: a word or one of its mirror images.
    pub(crate) fn chosen(&self, word: &[Letter]) -> Vec<Letter> {
        let mut chosen = word.to_vec();
        self.mirrors.iter().for_each(|mirror| mirror.choose(&mut chosen));
        chosen
    }

    fn look_up(&self, map: u32, word: &[Letter]) -> Result<u8> {
        Ok(self.map(map as usize)?.get(&self.reader, word)?)
    }

    /// Returns the reader of the blocks of all maps.
    #[cfg(feature = "engine")]
    pub(crate) fn reader(&self) -> &PackedReader {
        &self.reader
    }

    /// Returns a map by its number in the header.
    pub(crate) fn map(&self, number: usize) -> Result<&PackedMap> {
        let slot = &self.maps[number];
        if let Some(map) = slot.get() {
            return Ok(map);
        }
        let MapPlace { at, bytes, index_bytes, index_blake3, .. } = self.header.maps[number];
        let (end, len) = (at.saturating_add(bytes), usize::try_from(index_bytes).unwrap_or(usize::MAX));
        let index = self.reader.read(end, len, |index| *blake3::hash(index).as_bytes() == index_blake3)?;
        let damaged = |problem: Problem| Error::corrupt(self.reader.path(), String::from(problem));
        let map = PackedMap::parse(self.game.shape(), at, bytes, &index).map_err(damaged)?;
        // Another thread may have opened the same map in the meantime.
        Ok(slot.get_or_init(|| map))
    }

    /// Reads the whole file twice, and returns an error if any byte was changed or a block does not match the index.
    ///
    /// # Errors
    /// Returns the same errors as [`Packed::get`].
    pub fn verify(&self) -> Result<()> {
        let bytes = self.reader.num_bytes()?;
        let end = bytes.saturating_sub(DIGEST_BYTES);
        let mut hasher = blake3::Hasher::new();
        for at in (0..end).step_by(PART_BYTES) {
            let part = (end - at).min(PART_BYTES as u64) as usize;
            hasher.update(&self.reader.read(at, part, |_| true)?);
        }
        let digest = hasher.finalize();
        self.reader.read(end, DIGEST_BYTES as usize, |stored| stored == digest.as_bytes())?;
        (0..self.maps.len()).try_for_each(|number| Ok(self.map(number)?.verify(&self.reader)?))
    }
}

/// Reads and verifies the header, and checks that the maps fill the space before it.
fn read_header(reader: &PackedReader) -> Result<Header> {
    let path = reader.path();
    let corrupt = |reason: String| Error::corrupt(path, reason);
    let bytes = reader.num_bytes()?;
    if bytes < PREFIX_BYTES + TRAILER_BYTES {
        return Err(corrupt(format!(
            "{} bytes are too few for packed values: it is truncated",
            grouped(bytes.into())
        )));
    }
    let prefix = reader.read(0, PREFIX_BYTES as usize, |_| true)?;
    let (magic, version) = prefix.split_at(MAGIC.len());
    if magic != MAGIC {
        return Err(Error::OtherContents {
            path: path.into(),
            found: "another kind of file, which does not begin with NERODRPK".into(),
            expected: "packed values".into(),
        });
    }
    let found = version.iter().rev().fold(0, |x, &b| x << 8 | u32::from(b));
    if found != FORMAT_VERSION {
        return Err(Error::WrongVersion { path: path.into(), found, supported: FORMAT_VERSION });
    }
    let trailer = reader.read(bytes - TRAILER_BYTES, TRAILER_BYTES as usize, |_| true)?;
    let (length, digests) = trailer.split_at(4);
    let digest = &digests[..DIGEST_BYTES as usize];
    let len = length.iter().rev().fold(0, |x, &b| x << 8 | u64::from(b));
    let at = (bytes - TRAILER_BYTES).checked_sub(len).filter(|&at| at >= PREFIX_BYTES);
    let at = at.filter(|_| len <= codec::MAX_BYTES as u64);
    let at = at.ok_or_else(|| {
        corrupt(format!("a header of {len} bytes does not fit: it is truncated or damaged"))
    })?;
    let encoded = reader.read(at, len as usize, |_| true)?;
    if digest != header_digest(&encoded).as_bytes() {
        return Err(corrupt("its header does not match its digest: it is truncated or damaged".into()));
    }
    let header: Header = codec::decode(&encoded).map_err(|e| corrupt(e.to_string()))?;
    let mut end = PREFIX_BYTES;
    for map in &header.maps {
        if map.at != end {
            return Err(corrupt("its maps do not follow each other".into()));
        }
        end = end.saturating_add(map.bytes).saturating_add(map.index_bytes);
    }
    if end != at {
        return Err(corrupt(format!("its maps end at byte {end}, and its header begins at byte {at}")));
    }
    Ok(header)
}

/// Returns the digest of an encoded header, together with the magic, the version and its length.
pub(in crate::archive) fn header_digest(encoded: &[u8]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(MAGIC).update(&FORMAT_VERSION.to_le_bytes());
    // The encoder produces at most one megabyte.
    hasher.update(encoded).update(&(encoded.len() as u32).to_le_bytes());
    hasher.finalize()
}
