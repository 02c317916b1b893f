//! All forms of all sectors of a preset with up to so many stones and none in hand, and the automata that are kept:
//! `sector_forms build|time|depths PRESET STONES FOLDER`.
//!
//! `build` solves the sectors (codes are kept in FOLDER), builds every form, looks up every position in it, and writes the automata
//! that are kept and `forms.csv`; `time` times random look-ups, `times.csv`; `depths` builds automata with depths, `depths.csv`.
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use nerode::files::write_bytes_atomic;
use nerode::sector_forms::{
    Candidate, Detail, Forms, Listed, ListedKind, MultiRoot, PointOrder, RootSide, Row, SectorForm,
    candidates, choose, compare_sector, mean_lookup_ns, sample,
};
use nerode::sectors::{Codes, IndexMaker, Known, Sector, SectorTable, Unit, Width, plan, solve_unit};
use nerode_games::Value;
use nerode_games::morris::{Preset, Rules, State};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Look-ups of each sector that are timed, and of those that decode a block.
const LOOKUPS: usize = 100_000;
const SLOW_LOOKUPS: usize = 5_000;

struct Run {
    rules: Rules,
    maker: IndexMaker,
    folder: PathBuf,
    units: Vec<Unit>,
    known: Known,
}

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [verb, preset, stones, folder] = args.as_slice() else {
        return Err("sector_forms build|time|depths PRESET STONES FOLDER".into());
    };
    let rules = Preset::named(preset).ok_or("no such preset")?.rules();
    let stones: u8 = stones.parse()?;
    let roots: Vec<Sector> = (3..=stones.saturating_sub(3))
        .map(|own| Sector { own, other: stones - own, own_hand: 0, other_hand: 0 })
        .collect();
    let units = plan(&rules, &roots)?;
    std::fs::create_dir_all(folder)?;
    let maker = IndexMaker::new(&rules.board);
    let mut run = Run { rules, maker, folder: folder.into(), units, known: BTreeMap::new() };
    run.solve()?;
    match verb.as_str() {
        "build" => run.build(),
        "time" => run.time(),
        "depths" => run.depths(),
        other => Err(format!("no such verb: {other}").into()),
    }
}

impl Run {
    /// Solves every sector, or reads its codes where an earlier call left them.
    fn solve(&mut self) -> Outcome<()> {
        for unit in &self.units {
            let read = |sector: &Sector| -> Option<SectorTable> {
                let bytes = std::fs::read(self.codes(*sector)).ok()?;
                let index = Arc::new(self.maker.index(sector.own, sector.other));
                let codes = Codes::from_bytes(&bytes, Width::One).ok()?;
                (codes.num_slots() == index.num_slots()).then_some(SectorTable {
                    sector: *sector,
                    index,
                    codes,
                })
            };
            let tables = match unit.sectors().iter().map(read).collect() {
                Some(tables) => tables,
                None => {
                    let stop = AtomicBool::new(false);
                    let tables = solve_unit(&self.rules, unit, &self.maker, &self.known, &stop)?;
                    tables.iter().try_for_each(|table| self.write_codes(table))?;
                    tables
                }
            };
            self.known.extend(tables.into_iter().map(|table| (table.sector, Arc::new(table))));
        }
        Ok(())
    }

    fn codes(&self, sector: Sector) -> PathBuf {
        self.folder.join(format!("{sector}.codes"))
    }

    fn write_codes(&self, table: &SectorTable) -> Outcome<()> {
        if table.codes.width() != Width::One {
            return Err("depths of more than a byte".into());
        }
        let mut bytes = Vec::new();
        table.codes.blocks(|block| {
            bytes.extend_from_slice(block);
            Ok(())
        })?;
        Ok(write_bytes_atomic(&self.codes(table.sector), &bytes)?)
    }

    fn tables(&self, unit: &Unit) -> Outcome<Vec<Arc<SectorTable>>> {
        let table = |sector| self.known.get(sector).cloned().ok_or("not solved");
        Ok(unit.sectors().iter().map(table).collect::<Result<_, _>>()?)
    }

    fn candidates(&self, table: &SectorTable, detail: Detail) -> Outcome<Vec<Candidate>> {
        let order = PointOrder::best(self.maker.num_points());
        Ok(candidates(&self.rules, &self.maker, table, &self.known, detail, &order)?)
    }

    fn build(&self) -> Outcome<()> {
        let mut forms = Forms::new(&self.rules, Detail::Values);
        let mut rows = Vec::new();
        for unit in &self.units {
            let tables = self.tables(unit)?;
            let each: Vec<Vec<Candidate>> = tables
                .iter()
                .map(|table| self.candidates(table, Detail::Values))
                .collect::<Result<_, _>>()?;
            let borrowed: Vec<&SectorTable> = tables.iter().map(Arc::as_ref).collect();
            for ((table, chosen), of) in tables.iter().zip(choose(&self.rules, &borrowed, &each)).zip(&each) {
                let path = self.automaton(table.sector);
                match chosen {
                    Some(i) => {
                        of[i].automaton.write(&path)?;
                        forms.store(&self.maker, MultiRoot::read(&path)?)?;
                    }
                    None => {
                        forms.derive(table.sector, of[0].automaton.worths().to_vec());
                        if path.exists() {
                            std::fs::remove_file(&path)?;
                        }
                    }
                }
            }
            for (table, of) in tables.iter().zip(&each) {
                let these = compare_sector(&self.maker, table, &forms, of, &[3, 19], 0)?;
                print(&these);
                rows.extend(these);
                self.write("forms.csv", &rows)?;
            }
        }
        println!("kept {} bytes", forms.bytes());
        Ok(())
    }

    fn automaton(&self, sector: Sector) -> PathBuf {
        self.folder.join(format!("{sector}.automaton"))
    }

    fn write(&self, name: &str, rows: &[Row]) -> Outcome<()> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        rows.iter().try_for_each(|row| writer.serialize(row))?;
        Ok(write_bytes_atomic(&self.folder.join(name), &writer.into_inner()?)?)
    }

    /// Times random look-ups of what was kept and of lists.
    fn time(&self) -> Outcome<()> {
        let mut forms = Forms::new(&self.rules, Detail::Values);
        for (sector, table) in &self.known {
            let path = self.automaton(*sector);
            if Path::new(&path).exists() {
                forms.store(&self.maker, MultiRoot::read(&path)?)?;
            } else {
                let all = [None, Some(0), Some(1)]
                    .map(|depth| nerode::sector_forms::Worth::of(depth, Detail::Values));
                let counts = table.counts();
                let there = [counts.draws > 0, counts.losses() > 0, counts.wins() > 0];
                forms.derive(
                    *sector,
                    all.into_iter().zip(there).filter(|pair| pair.1).map(|pair| pair.0).collect(),
                );
            }
        }
        let mut rows = Vec::new();
        for table in self.known.values() {
            let (states, few) = (sample(table, LOOKUPS, 7), sample(table, SLOW_LOOKUPS, 7));
            let mut kept = KeptForms(&forms);
            rows.push(self.timed(table, &mut kept, &states)?);
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
        // Once without the clock: tables of the index are in the caches for every form alike.
        mean_lookup_ns(form, &states[..states.len() / 10])?;
        Ok(Row {
            sector: table.sector.to_string(),
            form: form.name(),
            bytes: Some(form.bytes()),
            positions_per_byte: None,
            lookup_ns: Some(mean_lookup_ns(form, states)?),
            build_seconds: None,
            note: table.counts().num_positions.to_string(),
        })
    }

    /// Automata with depths, every position looked up.
    fn depths(&self) -> Outcome<()> {
        let mut forms = Forms::new(&self.rules, Detail::Depths);
        let mut rows = Vec::new();
        for unit in &self.units {
            for table in self.tables(unit)? {
                let of = self.candidates(&table, Detail::Depths)?;
                let smallest = of.iter().min_by_key(|c| c.automaton.bytes()).ok_or("no candidate")?;
                forms.store(&self.maker, smallest.automaton.clone())?;
                let all = compare_sector(&self.maker, &table, &forms, &of, &[], 0)?;
                let these: Vec<Row> = all.into_iter().filter(|row| !row.form.contains("plain")).collect();
                print(&these);
                rows.extend(these);
                self.write("depths.csv", &rows)?;
            }
        }
        Ok(())
    }
}

/// What is kept, as one form.
struct KeptForms<'a>(&'a Forms<'a>);

impl SectorForm for KeptForms<'_> {
    fn name(&self) -> String {
        "kept".into()
    }

    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn value(&mut self, state: State) -> nerode::error::Result<Value> {
        Ok(self.0.worth(state)?.value())
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
