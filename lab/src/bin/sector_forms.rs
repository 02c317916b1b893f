//! Measures all forms of all sectors of a preset with up to STONES stones and none in hand, and the stored automata:
//! `sector_forms build|kept|time|depths PRESET STONES FOLDER`.
//!
//! The sectors are solved first, and their codes remain in FOLDER. `build` builds every form, looks up every position
//! in it and writes `forms.csv`. `kept` writes the stored automata and `kept.csv`. `time` measures random look-ups and
//! writes `times.csv`. `depths` builds automata with depths and writes `depths.csv`.
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nerode_games::Value;
use nerode_games::morris::{Rules, State};
use nerode_morris::compressed::{
    Candidate, Detail, Forms, Keep, Listed, ListedKind, MultiRoot, PointOrder, RootSide, Row, SectorForm,
    Worth, candidates, check, choose, compare_sector, mean_lookup_ns, sample,
};
use nerode_morris::tables::file::{read_sector, write_sector};
use nerode_morris::tables::name::named_game;
use nerode_morris::tables::{
    GameName, IndexMaker, Sector, SectorTable, SectorTables, Unit, plan, solve_unit,
};
use nerode_solver::archive::files::write_bytes_atomic;

/// The interrupt flag, which is never set. The example can only be stopped by ending the process.
static NEVER: AtomicBool = AtomicBool::new(false);

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// The number of timed look-ups of each sector, and of those that decode a block.
const LOOKUPS: usize = 100_000;
const SLOW_LOOKUPS: usize = 5_000;

struct Run {
    rules: Rules,
    game: GameName,
    maker: IndexMaker,
    folder: PathBuf,
    units: Vec<Unit>,
    known: SectorTables,
}

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [verb, preset, stones, folder] = args.as_slice() else {
        return Err("sector_forms build|kept|time|depths PRESET STONES FOLDER".into());
    };
    let (_, rules, game) = named_game(&format!("morris:{preset}"))?;
    let stones: u8 = stones.parse()?;
    let roots: Vec<Sector> = (3..=stones.saturating_sub(3))
        .map(|own| Sector { own, other: stones - own, own_hand: 0, other_hand: 0 })
        .collect();
    let units = plan(&rules, &roots)?;
    std::fs::create_dir_all(folder)?;
    let maker = IndexMaker::new(&rules.board);
    let mut run = Run { rules, game, maker, folder: folder.into(), units, known: BTreeMap::new() };
    run.solve()?;
    match verb.as_str() {
        "build" => run.build(),
        "kept" => run.kept(),
        "time" => run.time(),
        "depths" => run.depths(),
        other => Err(format!("no such verb: {other}").into()),
    }
}

impl Run {
    /// Solves every sector, or reads its codes if an earlier call has stored them.
    fn solve(&mut self) -> Outcome<()> {
        for unit in &self.units {
            let read = |sector: &Sector| -> Option<SectorTable> {
                read_sector(&self.file(*sector), &self.game, *sector, &self.maker).ok()
            };
            let tables = match unit.sectors().iter().map(read).collect() {
                Some(tables) => tables,
                None => {
                    let stop = AtomicBool::new(false);
                    let tables = solve_unit(&self.rules, unit, &self.maker, &self.known, &stop)?;
                    for table in &tables {
                        write_sector(&self.file(table.sector), &self.game, table, false)?;
                    }
                    tables
                }
            };
            self.known.extend(tables.into_iter().map(|table| (table.sector, Arc::new(table))));
        }
        Ok(())
    }

    fn file(&self, sector: Sector) -> PathBuf {
        self.folder.join(format!("{sector}.sector"))
    }

    fn tables(&self, unit: &Unit) -> Outcome<Vec<Arc<SectorTable>>> {
        let table = |sector| self.known.get(sector).cloned().ok_or("not solved");
        Ok(unit.sectors().iter().map(table).collect::<Result<_, _>>()?)
    }

    fn candidates(&self, table: &SectorTable, detail: Detail) -> Outcome<Vec<Candidate>> {
        let order = PointOrder::best(self.maker.num_points());
        Ok(candidates(&self.rules, &self.maker, table, &self.known, detail, &order)?)
    }

    /// Stores the automata of a unit: writes them, reads them back and adds them to the collection.
    fn keep(
        &self,
        tables: &[Arc<SectorTable>],
        of: &[Vec<Candidate>],
        keep: Keep,
        forms: &mut Forms<'_>,
    ) -> Outcome<()> {
        let borrowed: Vec<&SectorTable> = tables.iter().map(Arc::as_ref).collect();
        for ((table, chosen), of) in tables.iter().zip(choose(&self.rules, &borrowed, of, keep)).zip(of) {
            let path = self.automaton(table.sector, keep);
            if let Some(i) = chosen {
                of[i].automaton.write(&path)?;
                forms.store(&self.maker, MultiRoot::read(&path)?)?;
            } else {
                forms.derive(table.sector, of[0].automaton.worths().to_vec());
            }
        }
        Ok(())
    }

    fn all_candidates(&self, tables: &[Arc<SectorTable>]) -> Outcome<Vec<Vec<Candidate>>> {
        tables.iter().map(|table| self.candidates(table, Detail::Values)).collect()
    }

    fn build(&self) -> Outcome<()> {
        let mut forms = Forms::new(&self.rules, Detail::Values);
        let mut rows = Vec::new();
        for unit in &self.units {
            let tables = self.tables(unit)?;
            let each = self.all_candidates(&tables)?;
            self.keep(&tables, &each, Keep::OneOfPair, &mut forms)?;
            for (table, of) in tables.iter().zip(&each) {
                let these = compare_sector(&self.maker, table, &forms, of, &[3, 19], 0, &NEVER)?;
                print(&these);
                rows.extend(these);
                self.write("forms.csv", &rows)?;
            }
        }
        Ok(())
    }

    /// Builds the stored automata in both ways, looks up every position in them, and writes their sizes.
    fn kept(&self) -> Outcome<()> {
        let mut both =
            [Keep::All, Keep::OneOfPair].map(|keep| (keep, Forms::new(&self.rules, Detail::Values)));
        let mut rows = Vec::new();
        for unit in &self.units {
            let tables = self.tables(unit)?;
            let each = self.all_candidates(&tables)?;
            for (keep, forms) in &mut both {
                self.keep(&tables, &each, *keep, forms)?;
                for table in &tables {
                    check(&mut KeptForms(forms), table)?;
                    let (bytes, note) = forms.size_and_note(table.sector).ok_or("not kept")?;
                    rows.push(Row {
                        sector: table.sector.to_string(),
                        form: name(*keep).into(),
                        bytes: Some(bytes),
                        orbits_per_byte: None,
                        lookup_ns: None,
                        build_seconds: None,
                        smallest: false,
                        note,
                    });
                }
            }
            self.write("kept.csv", &rows)?;
        }
        print(&rows);
        Ok(())
    }

    fn automaton(&self, sector: Sector, keep: Keep) -> PathBuf {
        self.folder.join(format!("{sector}.{}", if keep == Keep::All { "all" } else { "pair" }))
    }

    fn write(&self, name: &str, rows: &[Row]) -> Outcome<()> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        rows.iter().try_for_each(|row| writer.serialize(row))?;
        Ok(write_bytes_atomic(&self.folder.join(name), &writer.into_inner()?)?)
    }

    /// Reads the automata that an earlier call has stored.
    fn read_kept(&self, keep: Keep) -> Outcome<Forms<'_>> {
        let mut forms = Forms::new(&self.rules, Detail::Values);
        for (sector, table) in &self.known {
            let path = self.automaton(*sector, keep);
            if path.exists() {
                forms.store(&self.maker, MultiRoot::read(&path)?)?;
                continue;
            }
            let counts = table.counts();
            let there = [(None, counts.draws), (Some(0), counts.losses()), (Some(1), counts.wins())];
            let worths =
                there.into_iter().filter(|(_, n)| *n > 0).map(|(depth, _)| Worth::of(depth, Detail::Values));
            forms.derive(*sector, worths.collect());
        }
        Ok(forms)
    }

    /// Measures random look-ups in the stored automata and in lists.
    fn time(&self) -> Outcome<()> {
        let both = [Keep::All, Keep::OneOfPair];
        let forms = [self.read_kept(both[0])?, self.read_kept(both[1])?];
        let mut rows = Vec::new();
        for table in self.known.values() {
            let (states, few) = (sample(table, LOOKUPS, 7), sample(table, SLOW_LOOKUPS, 7));
            for (keep, forms) in both.iter().zip(&forms) {
                let row = self.timed(table, &mut KeptForms(forms), &states)?;
                rows.push(Row {
                    form: name(*keep).into(),
                    bytes: forms.size_and_note(table.sector).map(|kept| kept.0),
                    ..row
                });
            }
            for kind in [ListedKind::TwoBits, ListedKind::RunLength, ListedKind::Zstd(3)] {
                let mut listed = Listed::new(&self.maker, table, RootSide::Own, kind, u64::MAX)?;
                let states = if matches!(kind, ListedKind::Zstd(_)) { &few } else { &states };
                rows.push(self.timed(table, &mut listed, states)?);
            }
        }
        print(&rows);
        self.write("times.csv", &rows)
    }

    fn timed(&self, table: &SectorTable, form: &mut dyn SectorForm, states: &[State]) -> Outcome<Row> {
        // Untimed look-ups come first, so that the tables of the index are cached for every form.
        mean_lookup_ns(form, &states[..states.len() / 10])?;
        Ok(Row {
            sector: table.sector.to_string(),
            form: form.name(),
            bytes: Some(form.bytes()),
            orbits_per_byte: None,
            lookup_ns: Some(mean_lookup_ns(form, states)?),
            build_seconds: None,
            smallest: false,
            note: table.counts().num_positions.to_string(),
        })
    }

    /// Builds automata with depths and looks up every position.
    fn depths(&self) -> Outcome<()> {
        let mut forms = Forms::new(&self.rules, Detail::Depths);
        let mut rows = Vec::new();
        for unit in &self.units {
            for table in self.tables(unit)? {
                let of = self.candidates(&table, Detail::Depths)?;
                let smallest = of.iter().min_by_key(|c| c.automaton.bytes()).ok_or("no candidate")?;
                forms.store(&self.maker, smallest.automaton.clone())?;
                let all = compare_sector(&self.maker, &table, &forms, &of, &[], 0, &NEVER)?;
                let these: Vec<Row> = all.into_iter().filter(|row| !row.form.contains("plain")).collect();
                print(&these);
                rows.extend(these);
                self.write("depths.csv", &rows)?;
            }
        }
        Ok(())
    }
}

/// The stored automata as one form.
struct KeptForms<'a>(&'a Forms<'a>);

impl SectorForm for KeptForms<'_> {
    fn name(&self) -> String {
        "kept".into()
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn value(&mut self, state: State) -> nerode_solver::error::Result<Value> {
        Ok(self.0.worth(state)?.value())
    }
}

fn name(keep: Keep) -> &'static str {
    match keep {
        Keep::All => "kept: all sectors",
        Keep::OneOfPair => "kept: one of each pair",
    }
}

fn print(rows: &[Row]) {
    for row in rows {
        let number = |x: Option<f64>| x.map_or("-".to_string(), |x| format!("{x:.1}"));
        println!(
            "{} | {} | {} | {} ns | {} s | {}",
            row.sector,
            row.form,
            row.bytes.map_or("-".to_string(), |b| b.to_string()),
            number(row.lookup_ns),
            number(row.build_seconds),
            row.note
        );
    }
}
