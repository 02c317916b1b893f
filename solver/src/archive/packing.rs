//! Packs the reached positions of a run, ply by ply.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use nerode_dfa::packed::{PartialMap, Workspace, WrittenMap};
use nerode_dfa::{Dfa, Hashing, Store};
use nerode_games::{Game, Side, Value};

use super::packed::{
    FILE, FORMAT_VERSION, Header, INSIDE, MAGIC, MapPlace, Mirror, OUTSIDE, PREFIX_BYTES, PlyMaps, REACHED,
    header_digest,
};
use crate::archive::codec;
use crate::archive::contents::Contents;
use crate::archive::draft::Draft;
use crate::archive::files::{Counted, write_atomic};
use crate::archive::run_dir::Kind;
use crate::archive::stored::StoredFile;
use crate::archive::stored_run::StoredRun;
use crate::archive::values::{FileEntry, Manifest};
use crate::error::{Error, Result, RunNeeds};
use crate::outcome::code2;
use crate::solve::engine::Engine;
use crate::solve::method::Method;
use crate::solve::resources::Resources;

/// The largest number of states of the set on which mirrors and admissible positions are tried.
const MOST_STATES: u64 = 1 << 16;

/// The kinds of sets that hold the values of a ply.
const VALUES: [(Kind, Option<Value>); 4] = [
    (Kind::RW, Some(Value::Win)),
    (Kind::RL, Some(Value::Loss)),
    (Kind::RD, Some(Value::Draw)),
    (Kind::RU, None),
];

/// Returns an error unless the reached positions of a run can be packed.
///
/// A run of a limited number of plies that was decided by retrograde plies cannot: its values depend on positions beyond
/// the last ply, which packed values do not contain.
///
/// # Errors
/// Returns [`Error::NotFinished`], or [`Error::WrongRun`].
pub fn must_be_packable(run: &StoredRun) -> Result<()> {
    if run.method() != Method::Meet {
        return Err(Error::WrongRun { wanted: "packed values of reached positions", needs: RunNeeds::Meet });
    }
    run.must_be_finished()?;
    if run.last_ply() > 0 && !run.run.progress().forward_complete {
        return Err(Error::WrongRun { wanted: "packed values", needs: RunNeeds::MeetWithoutRetrogradeEnd });
    }
    Ok(())
}

/// Writes the values of all reached positions of a finished run by meet in the middle to the folder `path`, as one file
/// for look-ups by random access. With `overwrite`, existing values in `path` are replaced. Calls `progress` with the
/// number of plies done and the total number.
///
/// The file appears when it is complete. Its bytes do not depend on threads and memory.
///
/// Cost: for each ply, the sets of positions in which the game goes on, and a product with the sets of the values. Rows
/// that do not fit into the memory go to unnamed files in the folder.
///
/// # Errors
/// Returns the errors of [`must_be_packable`]; [`Error::Occupied`] if `path` already contains values, or
/// [`Error::OtherContents`] if it has other contents; [`Error::Interrupted`]; or an error if memory or the disk is
/// exhausted or a file of the run is damaged.
pub fn write_reached(
    run: &StoredRun,
    path: &Path,
    overwrite: bool,
    resources: &Resources,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<Manifest> {
    must_be_packable(run)?;
    let draft = Draft::begin(path, Contents::Values, overwrite)?;
    let file = draft.file(FILE);
    let mut packer = Packer::new(run, path, resources)?;
    let (header, written) = write_atomic(&file, |out| {
        let mut out = Counted::new(Hashing::new(out));
        let header = packer.write(&mut out, progress)?;
        let (_, written) = out.into_inner().finish().map_err(|e| Error::io(&file, e))?;
        Ok((header, written))
    })?;
    resources.must_go_on()?;
    let entry = FileEntry { num_states: header.num_states(), stored: StoredFile::from(written) };
    let manifest = Manifest {
        request: run.run.request().clone(),
        source: header.source,
        depths: false,
        care: Some(REACHED.into()),
        files: BTreeMap::from([(FILE.to_string(), entry)]),
    };
    draft.finish(&manifest)?;
    Ok(manifest)
}

/// The sets of a ply.
struct Ply {
    admissible: Option<Dfa>,
    reached: Dfa,
    /// The positions in which the game goes on.
    playing: Dfa,
    classes: Vec<(u8, Dfa)>,
    rest: u8,
}

/// The choices that are the same for all plies.
struct Choices {
    mirrors: Vec<Mirror>,
    /// The words that are looked up themselves, for each mirror.
    kept: Vec<Dfa>,
    uses_admissible: bool,
}

struct Packer<'a> {
    run: &'a StoredRun,
    engine: Engine,
    memory: u64,
    work: Workspace,
    resources: &'a Resources,
}

impl<'a> Packer<'a> {
    fn new(run: &'a StoredRun, folder: &Path, resources: &'a Resources) -> Result<Self> {
        let memory = resources.memory / 2;
        let half = Resources { memory, ..resources.clone() };
        let engine = Engine::in_play(Arc::clone(&run.game), &half, Some(folder.into()))?;
        let interrupt = Arc::clone(&resources.interrupt);
        let work = Workspace { memory, folder: Some(folder.into()), interrupt };
        Ok(Self { run, engine, memory, work, resources })
    }

    fn write<W: Write>(
        &mut self,
        out: &mut Counted<W>,
        progress: &mut dyn FnMut(u32, u32),
    ) -> Result<Header> {
        let mut header = self.header()?;
        let io = |e| Error::io(FILE, e);
        out.write_all(MAGIC).and_then(|()| out.write_all(&FORMAT_VERSION.to_le_bytes())).map_err(io)?;
        debug_assert_eq!(out.bytes(), PREFIX_BYTES);
        let last = self.run.run.progress().forward.unwrap_or(0);
        let choices = self.choose(last)?;
        header.mirrors = choices.mirrors.iter().map(|mirror| mirror.image.clone()).collect();
        // The maps of admissible words that have been written. Many plies share one.
        let mut admissible: Vec<(Dfa, u32)> = Vec::new();
        for ply in 0..=last {
            progress(ply, last + 1);
            self.resources.must_go_on()?;
            let sets = self.read(ply, choices.uses_admissible)?;
            let mut put = |written: WrittenMap, out: &mut Counted<W>| -> Result<u32> {
                out.write_all(&written.index).map_err(io)?;
                header.maps.push(MapPlace {
                    at: out.bytes() - written.bytes - written.index.len() as u64,
                    bytes: written.bytes,
                    index_bytes: written.index.len() as u64,
                    num_states: written.num_states,
                    index_blake3: *blake3::hash(&written.index).as_bytes(),
                });
                Ok(header.maps.len() as u32 - 1)
            };
            let shared = match &sets.admissible {
                Some(set) => match admissible.iter().find(|(known, _)| known == set) {
                    Some((_, map)) => Some(*map),
                    None => {
                        let map = put(self.write_admissible(&choices, set, out)?, out)?;
                        admissible.push((set.clone(), map));
                        Some(map)
                    }
                },
                None => None,
            };
            let reached = put(self.write_reached(&choices, &sets, out)?, out)?;
            let values = put(self.write_values(&choices, &sets, out)?, out)?;
            header.plies.push(PlyMaps { admissible: shared, reached, values });
        }
        progress(last + 1, last + 1);
        let encoded = codec::encode(&header).map_err(|e| Error::corrupt(FILE, e.to_string()))?;
        out.write_all(&encoded)
            .and_then(|()| out.write_all(&(encoded.len() as u32).to_le_bytes()))
            .and_then(|()| out.write_all(header_digest(&encoded).as_bytes()))
            .map_err(io)?;
        Ok(header)
    }

    /// Returns a header without maps.
    fn header(&self) -> Result<Header> {
        let game: &dyn Game = self.run.game.as_ref();
        Ok(Header {
            spec: game.spec(),
            fingerprint: game.fingerprint(),
            order: game.order().into(),
            source: self.run.run.digest()?,
            retrograde_plies: self.run.last_ply(),
            is_complete: self.run.is_complete(),
            mirrors: Vec::new(),
            plies: Vec::new(),
            maps: Vec::new(),
        })
    }

    /// Tries which mirrors and whether admissible words make a ply smaller that is neither tiny nor large.
    fn choose(&mut self, last: u32) -> Result<Choices> {
        let states = |ply: u32| -> Result<u64> {
            Ok(self.run.entry(Kind::R, self.run.side_at(ply), ply)?.num_states())
        };
        let mut sample = (0, 0);
        for ply in 0..=last {
            let states = states(ply)?;
            if states > sample.1 && states <= MOST_STATES {
                sample = (ply, states);
            }
        }
        let mut choices = Choices { mirrors: Vec::new(), kept: Vec::new(), uses_admissible: false };
        let sets = self.read(sample.0, true)?;
        let mut least = self.bytes_of(&choices, &sets)?;
        if sets.admissible.is_some() {
            choices.uses_admissible = true;
            let bytes = self.bytes_of(&choices, &sets)?;
            choices.uses_admissible = bytes < least;
            least = least.min(bytes);
        }
        // Admissible positions need not be closed under the symmetries of the board.
        if self.run.run.request().admissible_from.is_some() {
            return Ok(choices);
        }
        for mirror in Mirror::of_game(self.run.game.as_ref()) {
            if !choices.mirrors.iter().all(|other| mirror.respects(other)) {
                continue;
            }
            choices.kept.push(mirror.kept(self.run.game.shape())?);
            let bytes = self.bytes_of(&choices, &sets)?;
            if bytes < least {
                choices.mirrors.push(mirror);
                least = bytes;
            } else {
                choices.kept.pop();
            }
        }
        Ok(choices)
    }

    /// Returns the number of bytes that a ply takes.
    fn bytes_of(&mut self, choices: &Choices, sets: &Ply) -> Result<u64> {
        let mut bytes = 0;
        let mut count = |written: WrittenMap| bytes += written.bytes + written.index.len() as u64;
        if let Some(set) = sets.admissible.as_ref().filter(|_| choices.uses_admissible) {
            count(self.write_admissible(choices, set, &mut io::sink())?);
        }
        count(self.write_reached(choices, sets, &mut io::sink())?);
        count(self.write_values(choices, sets, &mut io::sink())?);
        Ok(bytes)
    }

    /// Reads the sets of a ply.
    fn read(&mut self, ply: u32, uses_admissible: bool) -> Result<Ply> {
        let side = self.run.side_at(ply);
        let reached = self.run.read(Kind::R, side, ply)?;
        let playing = self.engine.playing(&reached, side)?;
        let mut stored = Vec::new();
        let mut rest = None;
        for (kind, value) in VALUES {
            let entry = self.run.entry(kind, side, ply)?;
            if entry.is_remainder() && rest.is_none() {
                rest = Some(code2::code(value));
            } else if entry.num_positions() > 0 {
                stored.push((code2::code(value), self.run.read_entry(entry)?));
            }
        }
        // Every position of R_i is in one of the sets, so the largest one need not be looked up.
        if rest.is_none() {
            let largest = (0..stored.len()).max_by_key(|&i| stored[i].1.num_states());
            rest = largest.map(|i| stored.remove(i).0);
        }
        let admissible = if uses_admissible { self.admissible(ply, side)? } else { None };
        Ok(Ply { admissible, reached, playing, classes: stored, rest: rest.unwrap_or(code2::UNKNOWN) })
    }

    /// Returns the admissible words of a ply, if the game has such a rule.
    fn admissible(&self, ply: u32, side: Side) -> Result<Option<Dfa>> {
        let mut store = Store::new(self.run.game.shape().clone(), self.memory)?;
        store.set_interrupt(Arc::clone(&self.resources.interrupt));
        let set = match self.run.game.admissible_at(&mut store, ply)? {
            None => self.run.game.admissible(&mut store, side)?,
            set => set,
        };
        Ok(set.map(|set| store.freeze(&set)))
    }

    fn write_admissible(&mut self, choices: &Choices, set: &Dfa, out: &mut dyn Write) -> Result<WrittenMap> {
        let care = self.within(choices, Dfa::full(set.shape()))?;
        let map = PartialMap { care: &care, classes: &[(INSIDE, set)], rest: OUTSIDE };
        Ok(map.write(out, &self.work)?)
    }

    fn write_reached(&mut self, choices: &Choices, sets: &Ply, out: &mut dyn Write) -> Result<WrittenMap> {
        let admissible = sets.admissible.clone().filter(|_| choices.uses_admissible);
        let care = self.within(choices, admissible.unwrap_or_else(|| Dfa::full(sets.reached.shape())))?;
        let map = PartialMap { care: &care, classes: &[(INSIDE, &sets.reached)], rest: OUTSIDE };
        Ok(map.write(out, &self.work)?)
    }

    fn write_values(&mut self, choices: &Choices, sets: &Ply, out: &mut dyn Write) -> Result<WrittenMap> {
        let care = self.within(choices, sets.playing.clone())?;
        let classes: Vec<(u8, &Dfa)> = sets.classes.iter().map(|(code, set)| (*code, set)).collect();
        Ok(PartialMap { care: &care, classes: &classes, rest: sets.rest }.write(out, &self.work)?)
    }

    /// Returns the words of `set` that are looked up themselves.
    fn within(&mut self, choices: &Choices, mut set: Dfa) -> Result<Dfa> {
        for kept in &choices.kept {
            set = self.engine.combine(&[&set, kept], |x| x[0] && x[1])?;
        }
        Ok(set)
    }
}
