//! Packs a directory of sectors. Each sector is compared before it is recorded, so that interrupted work can be
//! resumed.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nerode_games::counted;

use super::ahead::{LookAhead, derived};
use super::looking::look_up;
use super::part::Part;
use super::reading::{PackedSectors, Reading, forms_in};
use super::{Entry, Manifest, PackedFile};
use crate::compressed::candidates::best;
use crate::compressed::entries::worths;
use crate::compressed::forms::Forms;
use crate::compressed::header::Probe;
use crate::compressed::sector_demands::SectorDemands;
use crate::compressed::words::PointOrder;
use crate::compressed::worth::Detail;
use crate::tables::{Sector, SectorSolution, SectorTable, num_slots, plan};
use nerode_solver::archive::stored::StoredFile;
use nerode_solver::error::{Error, Result, check_interrupt};

/// The observed memory use per slot of building the automaton of a sector, without depths and with them.
const BYTES_A_SLOT: [u64; 2] = [3, 24];

/// The options for packing sectors.
#[derive(Clone, Copy, Debug)]
pub struct Packing<'a> {
    /// The sectors to be packed, with all their dependencies.
    pub sectors: &'a [Sector],
    /// The folder of the database.
    pub folder: &'a Path,
    /// Whether existing packed sectors are replaced.
    pub overwrite: bool,
    /// The choice of the sectors without automata.
    pub look_ahead: LookAhead,
    /// Whether depths are stored.
    pub depths: bool,
    /// Another database of this game. Sectors that have a file there and were built from the same tables are copied.
    pub reuse: Option<&'a PackedSectors>,
    /// Set to stop packing.
    pub interrupt: &'a AtomicBool,
}

/// A packed sector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedSector {
    /// The sector.
    pub sector: Sector,
    /// The number of positions up to symmetry.
    pub num_positions: u64,
    /// The number of positions that were looked up and compared with the table: all of them, or a sample of a large
    /// derived sector.
    pub looked_up: u64,
    /// The number of bytes of the file.
    pub bytes: u64,
    /// A description of its look-up.
    pub how: String,
}

/// The progress of packing.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The sector that is being packed.
    pub sector: Sector,
    /// The number of packed sectors.
    pub packed: usize,
    /// The total number of sectors.
    pub all: usize,
    /// The number of slots of the packed sectors.
    pub slots: u64,
    /// The number of slots of all sectors.
    pub all_slots: u64,
}

/// Packs sectors of a solution and all their dependencies. A sector with a file is compared at every position. A large
/// derived sector is compared at a sample of positions, because its values follow from those of other sectors. Sectors
/// that an earlier, interrupted call has packed are not packed again.
///
/// *Cost*: builds an automaton of every stored sector and four automata of a part of it, and looks up each of its
/// positions. Needs memory for the sector, for the sectors that its turns lead to, and about three bytes for each slot.
///
/// # Errors
/// Returns [`Error::MissingSector`] if a required sector is not in the directory, [`Error::Occupied`] if there are
/// packed sectors already, [`Error::OtherContents`] if the folder holds something else, [`Error::Busy`] if another
/// process is packing, [`Error::WrongRules`] if the database to be reused belongs to another game, [`Error::Rules`] if
/// a file disagrees with the table, the errors of building, [`Error::DiskFull`], [`Error::Interrupted`], or
/// [`Error::Io`].
pub fn pack_directory(
    solution: &SectorSolution,
    packing: &Packing<'_>,
    watch: &mut dyn FnMut(&Progress),
) -> Result<Vec<PackedSector>> {
    let units = plan(&solution.rules, packing.sectors)?;
    let derived = derived(&solution.rules, &units, packing.look_ahead);
    // The first sector of a unit may be derived from the other one, which therefore has to be packed first.
    let sectors: Vec<Sector> = units.iter().flat_map(|unit| unit.sectors().iter().rev()).copied().collect();
    let game = solution.dir.game().clone();
    if let Some(other) = packing.reuse.filter(|other| other.manifest.game != game) {
        return Err(Error::WrongRules {
            path: other.path.clone(),
            found: other.manifest.game.fingerprint.clone(),
            expected: game.fingerprint,
        });
    }
    let manifest = Manifest {
        game,
        look_ahead: packing.look_ahead,
        depths: packing.depths,
        left: sectors.len(),
        sectors: BTreeMap::new(),
    };
    let mut part = Part::begin(packing.folder, packing.overwrite, manifest)?;
    part.keep_only(&sectors);
    let mut packer = Packer { solution, packing, derived, part };
    packer.pack_all(&sectors, watch)?;
    let packed = sectors.iter().filter_map(|sector| packer.packed(*sector)).collect();
    packer.part.finish()?;
    Ok(packed)
}

struct Packer<'a> {
    solution: &'a SectorSolution,
    packing: &'a Packing<'a>,
    /// The derived sectors, with the number of plies that they search ahead.
    derived: BTreeMap<Sector, u32>,
    part: Part,
}

impl Packer<'_> {
    fn pack_all(&mut self, sectors: &[Sector], watch: &mut dyn FnMut(&Progress)) -> Result<()> {
        let slots = |sector: &Sector| num_slots(self.solution.maker(), &self.solution.rules, *sector);
        let slots: Vec<u64> = sectors.iter().map(slots).collect();
        let all_slots = slots.iter().sum();
        for (at, &sector) in sectors.iter().enumerate() {
            let done = slots[..at].iter().sum();
            watch(&Progress { sector, packed: at, all: sectors.len(), slots: done, all_slots });
            check_interrupt(self.packing.interrupt)?;
            let source = self.solution.digest(sector)?;
            if !self.part.has(sector, &source)? {
                let entry = match self.reused(sector, &source)? {
                    Some(entry) => entry,
                    None => self.pack(sector, source)?,
                };
                self.part.manifest.sectors.insert(sector.to_string(), entry);
                self.part.manifest.left = sectors.len() - self.part.manifest.sectors.len();
                self.part.note()?;
                self.solution.forget();
            }
        }
        Ok(())
    }

    fn detail(&self) -> Detail {
        self.part.manifest.detail()
    }

    /// Copies the sector from another database, if it must have a file.
    fn reused(&self, sector: Sector, source: &str) -> Result<Option<Entry>> {
        match self.packing.reuse {
            Some(other)
                if !self.derived.contains_key(&sector) && other.has_depths() == self.packing.depths =>
            {
                self.part.take(other, sector, source)
            }
            _ => Ok(None),
        }
    }

    /// Packs a sector and compares it with its table.
    fn pack(&self, sector: Sector, source: String) -> Result<Entry> {
        match self.derived.get(&sector) {
            Some(&plies) => self.derive(sector, plies, source),
            None => self.store(sector, source),
        }
    }

    fn derive(&self, sector: Sector, plies: u32, source: String) -> Result<Entry> {
        let how = counted(plies as usize, "ply");
        let table = self.solution.table(sector)?;
        let entry = entry(&table, self.detail(), None, format!("derived, {how} ahead"), source);
        let looked_up = look_up(&self.forms(sector, &entry)?, &table, None, self.packing.interrupt)?;
        Ok(Entry { looked_up, ..entry })
    }

    fn store(&self, sector: Sector, source: String) -> Result<Entry> {
        self.must_fit(sector)?;
        let (rules, maker, detail) = (&self.solution.rules, self.solution.maker(), self.detail());
        let (table, mut known) = self.solution.with_children(sector)?;
        known.insert(sector, Arc::clone(&table));
        let demands = SectorDemands::new(rules, maker, &table, &known, Probe::Captures, detail)?;
        let automaton = best(rules, maker, &table, &demands, &PointOrder::best(maker.num_points()), detail)?;
        let how = automaton.header().how();
        let encoded = automaton.encoded();
        let head = &encoded.bytes[..encoded.head_bytes];
        let head = StoredFile::of(head.len() as u64, blake3::hash(head));
        let file = PackedFile { whole: self.part.write(sector, &encoded.bytes)?, head };
        drop(encoded);
        drop(automaton);
        let entry = entry(&table, detail, Some(file), how, source);
        let looked_up =
            look_up(&self.forms(sector, &entry)?, &table, Some(&demands), self.packing.interrupt)?;
        Ok(Entry { looked_up, ..entry })
    }

    /// Rejects a sector whose tables and automata exceed the memory limit.
    fn must_fit(&self, sector: Sector) -> Result<()> {
        let slots = num_slots(self.solution.maker(), &self.solution.rules, sector);
        let needed = self.solution.bytes_with_children(sector)?
            + BYTES_A_SLOT[usize::from(self.packing.depths)] * slots;
        let limit = self.solution.memory();
        if needed <= limit {
            return Ok(());
        }
        let what = format!("packing sector {sector} with the sectors that it leads to");
        Err(Error::TooLarge { what, needed_bytes: needed.into(), limit_bytes: limit })
    }

    /// Opens the packed sectors and `sector`, as they are read from the files.
    fn forms(&self, sector: Sector, entry: &Entry) -> Result<Forms<'static>> {
        let packed = &self.part.manifest.sectors;
        let packed = packed.iter().map(|(name, entry)| Ok((name.parse()?, entry)));
        let folder = Arc::new(self.part.path().to_path_buf());
        forms_in(
            folder,
            self.part.path(),
            &self.solution.rules,
            self.detail(),
            Reading::Whole,
            packed.chain([Ok((sector, entry))]),
        )
    }

    fn packed(&self, sector: Sector) -> Option<PackedSector> {
        let entry = self.part.manifest.sectors.get(&sector.to_string())?;
        Some(PackedSector {
            sector,
            num_positions: entry.orbits,
            looked_up: entry.looked_up,
            bytes: entry.bytes(),
            how: entry.how.clone(),
        })
    }
}

/// Creates the entry of a sector that has not been looked up yet.
fn entry(
    table: &SectorTable,
    detail: Detail,
    file: Option<PackedFile>,
    how: String,
    source: String,
) -> Entry {
    let worths = worths(table, detail).iter().map(|worth| worth.code()).collect();
    Entry { file, worths, orbits: table.counts().num_positions, looked_up: 0, how, source }
}
