//! The automata in a folder of values: one for each side, the sets of a care set, or those of packed values.

use nerode_dfa::Letter;
use nerode_games::{Side, side_at};

use super::{Automaton, Holds, ListedAutomaton};
use crate::archive::packed::Packed;
use crate::archive::values::{VALUES, Values, map_name, set_name};
use crate::error::Result;

/// What the automata of packed values hold at a ply.
#[derive(Clone, Copy)]
enum Part {
    Reached,
    Values,
}

impl Part {
    const ALL: [(&'static str, Self); 2] = [("reached", Self::Reached), ("values", Self::Values)];

    /// Returns the number of its map at a ply.
    fn map(self, packed: &Packed, ply: u32) -> Option<u32> {
        let maps = packed.header().plies.get(ply as usize)?;
        Some(match self {
            Self::Reached => maps.reached,
            Self::Values => maps.values,
        })
    }
}

/// Describes the automata of a folder.
pub(super) fn listed(values: &Values) -> Result<Vec<ListedAutomaton>> {
    if let Some(packed) = values.packed()? {
        return Ok(Part::ALL.into_iter().flat_map(|part| of_packed(packed, part)).collect());
    }
    let of_file = |(name, holds, side): (String, Holds, Side)| {
        let (_, entry) = values.manifest().files().find(|(file, _)| *file == name)?;
        let name = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem).to_string();
        let num_states = entry.num_states();
        let is_partial = values.manifest().care().is_some();
        Some(ListedAutomaton {
            name,
            holds,
            side,
            ply: 0,
            sector: None,
            is_partial,
            num_states,
            num_positions: None,
        })
    };
    Ok(files(values).into_iter().filter_map(of_file).collect())
}

fn of_packed<'a>(
    packed: &'a Packed,
    (name, part): (&'static str, Part),
) -> impl Iterator<Item = ListedAutomaton> + 'a {
    let listed = move |ply| {
        let map = packed.header().maps.get(part.map(packed, ply)? as usize)?;
        Some(ListedAutomaton {
            name: format!("{name}-{ply:03}"),
            holds: match part {
                Part::Reached => Holds::Reached,
                Part::Values => Holds::Values,
            },
            side: side_at(packed.game().as_ref(), ply),
            ply,
            sector: None,
            is_partial: true,
            num_states: map.num_states,
            num_positions: None,
        })
    };
    (0..=packed.last_ply()).filter_map(listed)
}

/// Returns the files of a folder that can contain automata, whether they exist or not.
fn files(values: &Values) -> Vec<(String, Holds, Side)> {
    let of = |side| match values.manifest().care() {
        None => vec![(map_name(side), Holds::Values, side)],
        Some(_) => VALUES.map(|(kind, _)| (set_name(kind, side), Holds::Set(kind), side)).to_vec(),
    };
    Side::BOTH.into_iter().flat_map(of).collect()
}

/// Reads one of the automata of a folder, or returns `None` if none has this name.
pub(super) fn read<'a>(values: &'a Values, name: &str) -> Result<Option<Automaton<'a>>> {
    if let Some(packed) = values.packed()? {
        let part = |(prefix, part): (&str, Part)| {
            let ply = name.strip_prefix(prefix)?.strip_prefix('-')?.parse().ok()?;
            Some((part, part.map(packed, ply)?))
        };
        let Some((part, map)) = Part::ALL.into_iter().find_map(part) else { return Ok(None) };
        let (map, reader) = (packed.map(map as usize)?, packed.reader());
        return Ok(Some(match part {
            Part::Reached => Automaton::PackedSet(map, reader),
            Part::Values => Automaton::PackedValues(map, reader),
        }));
    }
    let is_it = |file: &str| file.rsplit_once('.').is_some_and(|(stem, _)| stem == name);
    let Some((_, holds, side)) = files(values).into_iter().find(|(file, ..)| is_it(file)) else {
        return Ok(None);
    };
    Ok(Some(match holds {
        Holds::Set(kind) => Automaton::Set(values.set(kind, side)?.clone()),
        _ => Automaton::Values(values.map(side)?, values.manifest().has_depths()),
    }))
}

/// Returns the word by which the automata of a folder know a board: packed values contain one of its mirror images.
pub(super) fn word(values: &Values, board: &[u8]) -> Vec<Letter> {
    let word = values.game.word_of(board);
    match values.packed() {
        Ok(Some(packed)) => packed.chosen(&word),
        _ => word,
    }
}
