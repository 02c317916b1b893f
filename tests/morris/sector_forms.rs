//! Stored forms of sectors return every value, damaged automaton files are rejected, and derived sectors answer as
//! their tables do.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use nerode_games::Value;
use nerode_games::morris::{Preset, Rules, State};
use nerode_morris::compressed::{
    Candidate, Detail, FormKind, Forms, Keep, MultiRoot, Plan, PointOrder, Probe, RootSide, Row, Words,
    Worth, build, candidates, choose, compare_directory, compare_sector, mean_lookup_ns, plain_forms,
    rules_digest, sample,
};
use nerode_morris::tables::ask::SectorSolution;
use nerode_morris::tables::{IndexMaker, Sector, SectorTable, SectorTables, plan, solve_unit};
use nerode_solver::error::Error;

/// The interrupt flag of runs that are not interrupted.
static GO_ON: AtomicBool = AtomicBool::new(false);

struct World {
    rules: Rules,
    maker: IndexMaker,
    known: SectorTables,
}

fn solved(preset: &str, root: &str) -> World {
    let rules = Preset::named(preset).unwrap().rules();
    let maker = IndexMaker::new(&rules.board);
    let mut known: SectorTables = BTreeMap::new();
    for unit in plan(&rules, &[root.parse().unwrap()]).unwrap() {
        let tables = solve_unit(&rules, &unit, &maker, &known, &AtomicBool::new(false)).unwrap();
        known.extend(tables.into_iter().map(|table| (table.sector, Arc::new(table))));
    }
    World { rules, maker, known }
}

/// Returns nine men's morris with 4 and 3 stones, and the sectors that this leads to.
fn nine() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| solved("nine", "4-3-0-0"))
}

impl World {
    fn table(&self, sector: &str) -> &SectorTable {
        &self.known[&sector.parse::<Sector>().unwrap()]
    }

    fn order(&self) -> PointOrder {
        PointOrder::best(self.maker.num_points())
    }

    fn plan(&self, root_side: RootSide, probe: Probe, detail: Detail) -> Plan {
        Plan { root_side, probe, detail, order: self.order() }
    }

    fn build(&self, sector: &str, plan: &Plan) -> (Words, MultiRoot) {
        build(&self.rules, &self.maker, self.table(sector), &self.known, plan).unwrap()
    }

    fn positions<'a>(&self, table: &'a SectorTable) -> impl Iterator<Item = (State, Option<u16>)> + use<'a> {
        let slots = (0..table.codes.num_slots()).filter(|&slot| table.index.hole(slot).is_none());
        slots.map(|slot| (table.state(slot), table.depth_at(slot)))
    }

    /// Stores all sectors with captures left open, except for those in `derived`.
    fn forms(&self, detail: Detail, derived: &[&str]) -> Forms<'_> {
        let mut forms = Forms::new(&self.rules, detail);
        for sector in self.known.keys() {
            let name = sector.to_string();
            let root_side = if sector.own > sector.other { RootSide::Own } else { RootSide::Other };
            let (_, automaton) = self.build(&name, &self.plan(root_side, Probe::Captures, detail));
            if derived.contains(&name.as_str()) {
                forms.derive(*sector, automaton.worths().to_vec());
            } else {
                forms.store(&self.maker, automaton).unwrap();
            }
        }
        forms
    }

    fn assert_answers(&self, forms: &Forms<'_>) {
        for table in self.known.values() {
            for (state, depth) in self.positions(table) {
                let expected = Worth::of(depth, forms.detail());
                assert_eq!(forms.worth(state).unwrap(), expected, "{state:?}");
            }
        }
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn automata_say_every_value_and_depth_without_a_probe() {
    let world = nine();
    for table in world.known.values() {
        for root_side in RootSide::BOTH {
            for detail in [Detail::Values, Detail::Depths] {
                let plan = world.plan(root_side, Probe::Nothing, detail);
                let (words, automaton) = world.build(&table.sector.to_string(), &plan);
                for (state, depth) in world.positions(table) {
                    assert_eq!(automaton.says(&words, state), Worth::of(depth, detail), "{state:?}");
                }
            }
        }
    }
}

#[test]
#[ignore = "slow: .ci/slow"]
fn a_look_ahead_completes_what_is_left_open_or_not_stored() {
    let world = nine();
    world.assert_answers(&world.forms(Detail::Values, &[]));
    world.assert_answers(&world.forms(Detail::Depths, &[]));
    world.assert_answers(&world.forms(Detail::Values, &["4-3-0-0"]));
    world.assert_answers(&world.forms(Detail::Depths, &["3-4-0-0"]));
}

#[test]
fn sectors_with_stones_in_hand_and_small_boards_are_stored_too() {
    for (preset, root) in
        [("three", "0-0-3-3"), ("five", "2-2-2-2"), ("seven", "3-3-1-1"), ("morabaraba", "3-2-0-1")]
    {
        let world = solved(preset, root);
        world.assert_answers(&world.forms(Detail::Values, &[]));
        world.assert_answers(&world.forms(Detail::Depths, &[]));
    }
}

#[test]
fn open_captures_make_automata_smaller_and_symmetric_positions_have_one_word() {
    let world = nine();
    for sector in ["3-3-0-0", "4-3-0-0", "3-4-0-0"] {
        let all = candidates(
            &world.rules,
            &world.maker,
            world.table(sector),
            &world.known,
            Detail::Values,
            &world.order(),
        );
        let states: Vec<u64> = all.unwrap().iter().map(|c| c.automaton.num_states()).collect();
        assert!(states[1] < states[0] && states[3] < states[2], "{sector}: {states:?}");
    }
    let (words, automaton) =
        world.build("3-4-0-0", &world.plan(RootSide::Own, Probe::Nothing, Detail::Depths));
    let table = world.table("3-4-0-0");
    let symmetries = table.index.symmetries();
    for (state, depth) in world.positions(table).step_by(101) {
        for op in 0..symmetries.len() as u8 {
            let image = State {
                own: symmetries.apply(op, state.own),
                other: symmetries.apply(op, state.other),
                ..state
            };
            assert_eq!(automaton.says(&words, image), Worth::of(depth, Detail::Depths));
        }
    }
}

#[test]
fn every_form_is_compared_on_every_position_and_a_wrong_table_is_noticed() {
    let world = solved("five", "4-3-0-0");
    let forms = world.forms(Detail::Values, &["4-3-0-0"]);
    let table = world.table("4-3-0-0");
    let of =
        candidates(&world.rules, &world.maker, table, &world.known, Detail::Values, &world.order()).unwrap();
    let rows = compare_sector(&world.maker, table, &forms, &of, &[3], 100, &GO_ON).unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row.form.as_str()).collect();
    for part in
        ["1 byte", "2 bits", "run-length", "zstd -3", "plain automaton", "BDD", "captures left open", "kept"]
    {
        assert!(names.iter().any(|name| name.contains(part)), "{part}: {names:?}");
    }
    assert!(rows.iter().all(|row| row.bytes.is_some() && row.lookup_ns.is_some_and(|ns| ns > 0.0)));
    assert!(rows.last().unwrap().bytes < Some(100), "derived sectors store nothing");
    // An interrupt does not have to wait for a sector, because nothing more is built.
    let stopped = AtomicBool::new(true);
    let error = compare_sector(&world.maker, table, &forms, &of, &[3], 100, &stopped).unwrap_err();
    assert!(matches!(error, Error::Interrupted), "{error}");
    let wrong = solved("five", "4-3-0-0");
    let slot = (0..table.codes.num_slots()).find(|&slot| table.index.hole(slot).is_none()).unwrap();
    let other_value = u16::from(table.depth_at(slot).is_some_and(|depth| depth % 2 == 0));
    wrong.table("4-3-0-0").codes.set(slot, other_value);
    let error =
        compare_sector(&world.maker, wrong.table("4-3-0-0"), &forms, &of, &[], 0, &GO_ON).unwrap_err();
    assert!(matches!(error, Error::Rules { .. }), "{error}");
}

/// A comparison that is interrupted within a sector tells the forms that it has measured, none of which it calls the smallest.
#[test]
fn an_interrupted_comparison_tells_the_complete_rows() {
    let dir = tempfile::tempdir().unwrap();
    let (path, stop) = (dir.path().join("five"), AtomicBool::new(false));
    let options = nerode::Options::default().directory(&path).threads(1);
    nerode::open("morris:five").unwrap().solve_sectors(&["3-3-0-0"], options).unwrap();
    let sector = "3-3-0-0".parse().unwrap();
    let solution = SectorSolution::open(&path).unwrap();
    let (mut begun, mut told) = (Vec::new(), Vec::new());
    let mut watch = |_, kind| {
        begun.push(kind);
        if kind == Some(FormKind::Zstd) {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let mut tell = |rows: Vec<Row>| -> Result<(), Error> {
        told.extend(rows);
        Ok(())
    };
    let all = (&FormKind::ALL[..], 10);
    let stopped = compare_directory(&solution, &[sector], all, &stop, &mut watch, &mut tell);
    assert!(matches!(stopped, Err(Error::Interrupted)), "{stopped:?}");
    let forms: Vec<&str> = told.iter().map(|row| row.form.as_str()).collect();
    assert!(forms.len() == 4 && forms[3].starts_with("run-length"), "{forms:?}");
    assert!(told.iter().all(|row| !row.smallest));
    assert_eq!(begun[..3], [None, Some(FormKind::Bytes), Some(FormKind::TwoBits)]);
}

#[test]
fn plain_automata_and_diagrams_answer_alike() {
    let world = solved("five", "4-3-0-0");
    for table in world.known.values() {
        let mut forms = plain_forms(table, &world.order()).unwrap();
        let states: Vec<State> = world.positions(table).map(|(state, _)| state).collect();
        mean_lookup_ns(&mut forms.automaton, &states).unwrap();
        for (state, depth) in world.positions(table) {
            let expected = Worth::of(depth, Detail::Values).value();
            let both: [&mut dyn nerode_morris::compressed::SectorForm; 2] =
                [&mut forms.automaton, &mut forms.bdd];
            assert!(both.into_iter().all(|form| form.value(state).unwrap() == expected));
        }
    }
}

#[test]
fn what_is_kept_is_the_smallest_and_one_sector_of_a_pair_is_derived() {
    let world = nine();
    let tables = [world.table("4-3-0-0"), world.table("3-4-0-0")];
    let of: Vec<Vec<Candidate>> = tables
        .iter()
        .map(|t| {
            candidates(&world.rules, &world.maker, t, &world.known, Detail::Values, &world.order()).unwrap()
        })
        .collect();
    let chosen = choose(&world.rules, &tables, &of, Keep::OneOfPair);
    // Three flying stones have too many turns.
    assert_eq!(chosen[0], None);
    let kept = &of[1][chosen[1].unwrap()];
    assert!(of[1].iter().all(|c| 16 * c.automaton.bytes() >= 15 * kept.automaton.bytes()));
    assert!(choose(&world.rules, &tables, &of, Keep::All).iter().all(Option::is_some));
    let alone = choose(&world.rules, &[world.table("3-3-0-0")], &of[..1], Keep::OneOfPair);
    assert!(alone[0].is_some());
}

#[test]
fn samples_are_positions_and_repeat() {
    let world = nine();
    let table = world.table("4-3-0-0");
    let states = sample(table, 500, 3);
    assert_eq!(states, sample(table, 500, 3));
    assert_ne!(states, sample(table, 500, 4));
    assert!(
        states.len() == 500 && states.iter().all(|s| Sector::of(*s) == table.sector && s.own & s.other == 0)
    );
}

#[test]
fn files_come_back_whole() {
    let world = nine();
    let folder = tempfile::tempdir().unwrap();
    for (sector, detail) in
        [("3-3-0-0", Detail::Depths), ("4-3-0-0", Detail::Values), ("3-4-0-0", Detail::Depths)]
    {
        for probe in [Probe::Nothing, Probe::Captures] {
            let (words, automaton) = world.build(sector, &world.plan(RootSide::Other, probe, detail));
            let path = folder.path().join("a");
            automaton.write(&path).unwrap();
            let back = MultiRoot::read(&path).unwrap();
            assert_eq!((back.to_bytes(), back.header()), (automaton.to_bytes(), automaton.header()));
            assert_eq!((back.bytes(), back.num_states()), (automaton.bytes(), automaton.num_states()));
            for (state, _) in world.positions(world.table(sector)).step_by(7) {
                assert_eq!(back.says(&words, state), automaton.says(&words, state));
            }
        }
    }
}

/// Returns a small file, for three stones on both sides of a board with 16 points.
fn small_file() -> Vec<u8> {
    let world = solved("five", "3-3-0-0");
    world.build("3-3-0-0", &world.plan(RootSide::Own, Probe::Nothing, Detail::Values)).1.to_bytes()
}

#[test]
fn every_flipped_byte_and_every_truncation_is_refused() {
    let bytes = small_file();
    let read = |bytes: &[u8]| MultiRoot::from_bytes(bytes, Path::new("memory"));
    assert!(read(&bytes).is_ok());
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        assert!(read(&damaged).is_err(), "byte {at}");
        assert!(read(&bytes[..at]).is_err(), "cut at {at}");
    }
}

#[test]
fn files_with_a_right_digest_are_right_or_refused() {
    let bytes = small_file();
    let body = bytes.len() - 32;
    let (mut refused, mut accepted) = (0, 0);
    for at in 8..body {
        for bit in 0..8 {
            let mut crafted = bytes[..body].to_vec();
            crafted[at] ^= 1 << bit;
            let digest = blake3::hash(&crafted);
            crafted.extend(digest.as_bytes());
            match MultiRoot::from_bytes(&crafted, Path::new("memory")) {
                Ok(automaton) => {
                    assert_eq!(automaton.to_bytes(), crafted, "byte {at}: read as a different automaton");
                    accepted += 1;
                }
                Err(Error::Corrupt { .. } | Error::WrongVersion { .. }) => refused += 1,
                Err(other) => panic!("{other}"),
            }
        }
    }
    // Another digest of rules, another value of a row and another target are all valid automata.
    assert!(accepted > 256 && refused > 256, "{accepted} accepted, {refused} refused");
}

#[test]
fn equal_tables_give_equal_bytes_whatever_the_threads() {
    let world = nine();
    let plan = world.plan(RootSide::Own, Probe::Captures, Detail::Values);
    let once = || world.build("3-4-0-0", &plan).1.to_bytes();
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(once);
    assert_eq!(alone, once());
}

#[test]
fn wrong_rules_boards_details_and_missing_sectors_are_errors() {
    let world = nine();
    let (_, automaton) = world.build("3-4-0-0", &world.plan(RootSide::Own, Probe::Captures, Detail::Values));
    let protected = Rules { take: 2, ..world.rules.clone() };
    assert_ne!(rules_digest(&protected), rules_digest(&world.rules));
    let error = Forms::new(&protected, Detail::Values).store(&world.maker, automaton.clone()).unwrap_err();
    assert!(matches!(error, Error::WrongRules { .. }), "{error}");
    let error = Forms::new(&world.rules, Detail::Depths).store(&world.maker, automaton.clone()).unwrap_err();
    assert!(matches!(error, Error::Mismatch { .. }), "{error}");
    let six = Preset::named("six").unwrap().rules();
    let error =
        Forms::new(&world.rules, Detail::Values).store(&IndexMaker::new(&six.board), automaton.clone());
    assert!(matches!(error.unwrap_err(), Error::Mismatch { .. }));
    let mut forms = Forms::new(&world.rules, Detail::Values);
    forms.store(&world.maker, automaton).unwrap();
    let elsewhere = State { own: 0b111, other: 0b111_000, own_hand: 0, other_hand: 0 };
    assert!(forms.worth(elsewhere).is_err());
    assert_eq!(forms.worth(State { own: 0b11, ..elsewhere }).unwrap().value(), Value::Loss);
    let plan = world.plan(RootSide::Own, Probe::Captures, Detail::Values);
    assert!(
        build(&world.rules, &world.maker, world.table("4-3-0-0"), &SectorTables::new(), &plan).is_ok(),
        "captures win immediately"
    );
    assert!(PointOrder::new(vec![0, 2]).is_err() && PointOrder::new(vec![1, 1, 0]).is_err());
}

/// Gasser's files have as many entries as our index has slots if the class is that of the side with more stones.
#[test]
fn published_files_have_the_entries_of_our_index() {
    let text = std::fs::read_to_string("tests/data/gasser-run-length.json").unwrap();
    let data: serde_json::Value = serde_json::from_str(&text).unwrap();
    let maker = IndexMaker::new(&Preset::named("nine").unwrap().rules().board);
    let files = data["files"].as_object().unwrap();
    assert_eq!(files.len(), 8);
    for (name, sizes) in files {
        let stones: Vec<u8> = name.split('-').map(|n| n.parse().unwrap()).collect();
        let sides = if stones[0] == stones[1] { 1 } else { 2 };
        assert_eq!(sizes[0].as_u64(), Some(sides * maker.index(stones[0], stones[1]).num_slots()), "{name}");
    }
}

/// Sectors come from files, which may contain any four numbers.
#[test]
fn a_sector_has_no_more_stones_than_the_rules_give() {
    let rules = Preset::named("three").unwrap().rules();
    let sector = |[own, other, own_hand, other_hand]: [u8; 4]| Sector { own, other, own_hand, other_hand };
    for stones in [[3, 3, 0, 0], [1, 2, 2, 1], [0, 0, 3, 3]] {
        assert!(sector(stones).is_played(&rules), "{stones:?}");
        assert!(plan(&rules, &[sector(stones)]).is_ok(), "{stones:?}");
    }
    for stones in [[3, 3, 1, 0], [4, 3, 0, 0], [2, 3, 0, 0], [1, 3, 255, 0], [3, 255, 0, 0], [3, 3, 0, 253]] {
        assert!(!sector(stones).is_played(&rules), "{stones:?}");
        assert!(plan(&rules, &[sector(stones)]).is_err(), "{stones:?}");
    }
}
