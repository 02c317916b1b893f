//! Checks a packed database on its own: its files, and its answers for random positions against its answers for their
//! successors.

use std::sync::atomic::AtomicBool;

use chacha20::ChaCha12Rng;
use nerode_games::morris::State;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use super::reading::PackedSectors;
use super::{Entry, file_name};
use crate::compressed::automaton::MultiRoot;
use crate::tables::{IndexMaker, Sector};
use nerode_solver::check::Report;
use nerode_solver::check::sample::Shuffled;
use nerode_solver::error::{Result, check_interrupt};

impl PackedSectors {
    /// Reads every file and checks all guarantees of the format. Then compares the values of `count` different random positions,
    /// or of all positions up to symmetry if there are fewer, in sectors that have a file, with those of their successors one ply later. Values of derived sectors are
    /// computed in this way, so that a check could not find any errors in them. `watch` is called when the check of a
    /// sector begins.
    ///
    /// # Errors
    /// Returns the [errors](nerode_solver::error::Error) `Corrupt`, `WrongRules`, `MissingSector` if turns lead to a
    /// sector that is not packed, `Interrupted`, or `Io`.
    pub fn check(
        &self,
        count: u64,
        seed: u64,
        interrupt: &AtomicBool,
        watch: &mut dyn FnMut(Sector, usize),
    ) -> Result<Report> {
        let maker = IndexMaker::new(&self.rules.board);
        let sectors: Vec<(Sector, &Entry)> = self.manifest.by_sector().collect::<Result<_>>()?;
        let sectors: Vec<_> = sectors.into_iter().filter(|(_, entry)| entry.file.is_some()).collect();
        let orbits: u64 = sectors.iter().map(|(_, entry)| entry.orbits).sum();
        let mut report = Report::default();
        // The share of a sector is that of its positions, and all shares add up to `count`.
        let up_to = |before: u64| u128::from(count) * u128::from(before) / u128::from(orbits.max(1));
        let mut before = 0u64;
        for (at, &(sector, entry)) in sectors.iter().enumerate() {
            check_interrupt(interrupt)?;
            watch(sector, at);
            if let Some(stored) = &entry.file {
                let path = self.path.join(file_name(sector));
                MultiRoot::from_bytes(&stored.whole.read(&path)?, &path)?;
            }
            let share = up_to(before + entry.orbits) - up_to(before);
            before += entry.orbits;
            let share = share.max(1).min(entry.orbits.into());
            report.merge(self.check_sample(sector, &maker, share as usize, seed)?);
        }
        Ok(report)
    }

    fn check_sample(&self, sector: Sector, maker: &IndexMaker, count: usize, seed: u64) -> Result<Report> {
        let index = maker.index(sector.own, sector.other);
        let mut rng = ChaCha12Rng::seed_from_u64(seed);
        let symmetries = index.symmetries();
        // The numbers are below that of the slots.
        let slots = Shuffled::new(index.num_slots().into(), seed).map(|slot| slot as u64);
        let positions = slots.filter(|&slot| index.hole(slot).is_none()).map(|slot| index.position(slot));
        let image = |(own, other)| {
            let op = rng.random_range(0..symmetries.len()) as u8;
            sector.state(symmetries.apply(op, own), symmetries.apply(op, other))
        };
        let states: Vec<State> = positions.take(count).map(image).collect();
        let play = |state| Ok((state, self.forms.worth(state)?, self.forms.by_all_turns(state)?));
        let played: Vec<_> = states.into_par_iter().map(play).collect::<Result<_>>()?;
        let mut report = Report::default();
        for (state, said, found) in played {
            report.checked += 1;
            report.wrong(u128::from(said != found), || {
                let [said, found] = [said, found].map(|worth| worth.in_words(self.manifest.detail()));
                format!("sector {sector}: {said}, but its turns imply {found}, {state:?}")
            });
        }
        Ok(report)
    }
}
