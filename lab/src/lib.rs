//! What several experiments share.
#![forbid(unsafe_code)]

use std::error::Error;

use nerode_dfa::{Set, Store};

/// Returns `{ w : w ≤ mirror(w) }`, which contains at least one of every pair of boards that are mirror images of each other. Ranks are
/// compared in the order of layers, and the cells of a rank from its first file. `labels` are those of the layers, such as `a1`.
///
/// # Errors
/// Returns an error if a rank lacks a file, or if memory is exhausted.
pub fn not_above_mirror(store: &mut Store, labels: &[String]) -> Result<Set, Box<dyn Error>> {
    let layer_of = |label: &str| labels.iter().position(|other| other == label);
    let file = |label: &str| label.bytes().next().unwrap_or_default();
    let rank = |label: &str| label[1..].to_owned();
    let (mut least, mut most) = (u8::MAX, 0);
    let mut ranks: Vec<String> = Vec::new();
    for label in labels {
        (least, most) = (least.min(file(label)), most.max(file(label)));
        if !ranks.contains(&rank(label)) {
            ranks.push(rank(label));
        }
    }
    let (mut equal, mut not_above) = (store.full(), store.empty());
    for rank in &ranks {
        for left in least..=most {
            let right = least + most - left;
            if left >= right {
                break;
            }
            let [left, right] = [left, right].map(|file| layer_of(&format!("{}{rank}", char::from(file))));
            let (Some(left), Some(right)) = (left, right) else { return Err("a rank lacks a file".into()) };
            let (mut below, mut same) = (store.empty(), store.empty());
            for a in 0..3 {
                let here = store.letter_count(a, &[left], 1..=1)?;
                for b in a..3 {
                    let there = store.letter_count(b, &[right], 1..=1)?;
                    let both = store.intersection(&here, &there)?;
                    let found = if a == b { &mut same } else { &mut below };
                    *found = store.union(found, &both)?;
                }
            }
            let decided = store.intersection(&equal, &below)?;
            not_above = store.union(&not_above, &decided)?;
            equal = store.intersection(&equal, &same)?;
        }
    }
    Ok(store.union(&not_above, &equal)?)
}
