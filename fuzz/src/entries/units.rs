//! Plans and fragments of an image that is computed in work units.

use std::fs;
use std::path::PathBuf;

use nerode::dfa::{
    Condition, Cutting, Dfa, Direction, FragmentFile, Image, Job, MoveGraph, PassMoves, Passes, Plan,
    Planned, Shape, Step,
};
use tempfile::TempDir;

use super::seal::Form;

/// A test case: a stone moves by one cell, on all words with two stones on five cells.
struct Case {
    passes: Passes,
    moves: PassMoves,
    set: Dfa,
    folder: TempDir,
}

impl Case {
    fn new() -> Self {
        let shape = Shape::uniform(5, 2).unwrap();
        let mut graph = MoveGraph::new(shape.clone());
        for cell in 0..4 {
            graph.add(Step::identity().change(cell, 1, 0).change(cell + 1, 0, 1)).unwrap();
        }
        let set = Condition::count(&[0, 1, 2, 3, 4], &[1], 2..=3).compile(&shape).unwrap();
        let (passes, moves) = (Passes::new(1 << 28, 1).unwrap(), PassMoves::new(&graph).unwrap());
        Self { passes, moves, set, folder: tempfile::tempdir().unwrap() }
    }

    fn job(&self) -> Job<'_> {
        let (set, moves) = (&self.set, &self.moves);
        let image = Image { set, complement: false, moves, direction: Direction::Forward };
        self.passes.job(image, &[set], |moved, sides| moved && !sides[0]).unwrap()
    }

    fn plan(&self) -> Plan {
        match self.job().plan(Cutting { bytes: 0, units: 2 }).unwrap() {
            Planned::Parted(plan) => plan,
            Planned::Whole(_) => panic!("the image has units"),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

thread_local! {
    static CASE: Case = Case::new();
}

/// Reads a plan, and computes its first unit if the plan belongs to the job.
pub fn plan(bytes: &[u8]) {
    CASE.with(|case| {
        let path = case.path("plan");
        fs::write(&path, Form::Plain.sealed(bytes)).unwrap();
        if let Ok(plan) = Plan::read(&path) {
            plan.write(&path).unwrap();
            assert!(Plan::read(&path).unwrap() == plan);
            if plan.num_units() > 0 && plan.num_keys() < 1000 {
                let _ = case.job().unit(&plan, 0);
            }
        }
    });
}

pub fn plan_seeds() -> Vec<Vec<u8>> {
    CASE.with(|case| {
        case.plan().write(&case.path("plan")).unwrap();
        vec![Form::Plain.opened(&fs::read(case.path("plan")).unwrap())]
    })
}

/// Returns the number of bytes before the first layer of a fragment.
fn head_bytes(case: &Case, plan: &Plan) -> usize {
    let num_layers = case.set.shape().num_layers();
    8 + 4 + 4 + 2 * num_layers + 4 + 32 + 4 + 4 + 4 + 4 * (num_layers - plan.cut())
}

/// Reads a fragment, in which a layer is a length followed by its targets, and merges it with the others.
pub fn fragment(bytes: &[u8]) {
    CASE.with(|case| {
        let plan = case.plan();
        let at = head_bytes(case, &plan).min(bytes.len());
        let (mut file, mut rest) = (bytes[..at].to_vec(), &bytes[at..]);
        while let Some((&[low, high], after)) = rest.split_first_chunk() {
            let Some((rows, after)) = after.split_at_checked(usize::from(u16::from_le_bytes([low, high])))
            else {
                break;
            };
            let frame = zstd::bulk::compress(rows, 1).unwrap();
            file.extend_from_slice(&(frame.len() as u64).to_le_bytes());
            file.extend_from_slice(&frame);
            rest = after;
        }
        file.extend_from_slice(rest);
        fs::write(case.path("unit-0"), Form::Plain.sealed(&file)).unwrap();
        for unit in 1..plan.num_units() {
            let path = case.path(&format!("unit-{unit}"));
            if !path.exists() {
                case.job().unit(&plan, unit).unwrap().write(&path, &plan.origin(unit)).unwrap();
            }
        }
        let open = |unit| FragmentFile::open(&case.path(&format!("unit-{unit}")), &plan.origin(unit));
        if let Ok(fragments) = (0..plan.num_units()).map(open).collect::<Result<Vec<_>, _>>() {
            let _ = case.job().merge(&plan, fragments);
        }
    });
}

pub fn fragment_seeds() -> Vec<Vec<u8>> {
    CASE.with(|case| {
        let plan = case.plan();
        case.job().unit(&plan, 0).unwrap().write(&case.path("seed"), &plan.origin(0)).unwrap();
        let body = Form::Plain.opened(&fs::read(case.path("seed")).unwrap());
        let (mut open, mut rest) =
            (body[..head_bytes(case, &plan)].to_vec(), &body[head_bytes(case, &plan)..]);
        for _ in plan.cut()..case.set.shape().num_layers() {
            let (length, after) = rest.split_first_chunk().unwrap();
            let (frame, after) = after.split_at(u64::from_le_bytes(*length) as usize);
            let rows = zstd::bulk::decompress(frame, 1 << 16).unwrap();
            open.extend_from_slice(&(rows.len() as u16).to_le_bytes());
            open.extend_from_slice(&rows);
            rest = after;
        }
        open.extend_from_slice(rest);
        vec![open]
    })
}
