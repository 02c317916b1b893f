//! Compares a solution of a whole morris game as sets with a directory of its sectors, position by position.

use nerode_games::morris::{Rules, State};
use nerode_games::{Position, Side};

use crate::tables::{SectorSolution, SectorTable};
use nerode_solver::archive::stored_run::StoredRun;
use nerode_solver::check::{Report, agrees};
use nerode_solver::error::{Error, Result};
use nerode_solver::outcome::{code16, plies};
use nerode_solver::solve::resources::Resources;

/// Compares the value and depth of every position of every sector in `sectors`, in all symmetric images and with either
/// side to move, with those of the solution.
///
/// *Cost*: one look-up in an automaton of values for each position, which is twice the number of positions on the
/// board.
///
/// # Errors
/// Returns [`Error::WrongRules`] if the directory belongs to another game, or an error if files are damaged, if the
/// solution contains no depths, or if memory runs out.
pub fn against_sectors(
    solution: &StoredRun,
    sectors: &SectorSolution,
    resources: &Resources,
) -> Result<Report> {
    let game = solution.game.as_ref();
    if sectors.dir.game().fingerprint != game.fingerprint() {
        return Err(Error::WrongRules {
            path: sectors.dir.path().into(),
            found: format!("{} ({})", sectors.dir.game().fingerprint, sectors.dir.game().spec),
            expected: format!("{} ({})", game.fingerprint(), game.spec()),
        });
    }
    let files = sectors.dir.sectors()?;
    let mut report = Report::default();
    for side in Side::BOTH {
        let map = solution.value_map(side, resources)?;
        for file in &files {
            let table = sectors.table(file.sector)?;
            for slot in (0..table.index.num_slots()).filter(|&slot| table.index.hole(slot).is_none()) {
                let depth = table.depth_at(slot);
                let expected = plies::outcome(depth);
                for board in boards(&sectors.rules, &table, slot, side) {
                    let found = code16::outcome(map.get(&game.word_of(&board)));
                    report.checked += 1;
                    report.wrong(u128::from(!agrees(solution, found, expected)), || {
                        let text = game.format_position(&Position { board: board.clone(), side });
                        format!("{text}: the run says {found}, but sector {} says {expected}", table.sector)
                    });
                }
            }
            sectors.forget();
        }
    }
    Ok(report)
}

/// Returns the distinct images of the position in `slot` under the symmetries, as boards with `side` to move.
fn boards(rules: &Rules, table: &SectorTable, slot: u64, side: Side) -> Vec<Vec<u8>> {
    let state = table.state(slot);
    let symmetries = table.index.symmetries();
    let image = |op: u8| (symmetries.apply(op, state.own), symmetries.apply(op, state.other));
    let mut images: Vec<(u32, u32)> = (0..symmetries.len() as u8).map(image).collect();
    images.sort_unstable();
    images.dedup();
    images.into_iter().map(|(own, other)| rules.board_of(State { own, other, ..state }, side)).collect()
}
