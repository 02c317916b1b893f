//! Files that are read from bytes alone.

use std::path::Path;

use nerode::dfa::{Dfa, ValueMap};
use nerode_morris::compressed::{Detail, Forms, MultiRoot};
use nerode_morris::tables::IndexMaker;
use nerode_morris::tables::name::named_game;

use super::folders::{files_of, read_seed};
use super::seal::Form;

const FILE: &str = "fuzzed";

/// Reads an automaton. If it is valid, it is written and must be read back unchanged.
pub fn set(bytes: &[u8]) {
    if let Ok(set) = Dfa::from_bytes(&Form::Layers.sealed(bytes), Path::new(FILE)) {
        let again = Dfa::from_bytes(&set.to_bytes().unwrap(), Path::new(FILE)).unwrap();
        assert!(set == again);
        let words: Vec<_> = set.words().take(20).collect();
        assert!(words.iter().all(|word| set.contains(word)) && words.is_sorted());
    }
}

pub fn set_seeds() -> Vec<Vec<u8>> {
    read_seed("run", |name| name.ends_with(".dfa"), Form::Layers)
}

/// Reads a value map.
pub fn value_map(bytes: &[u8]) {
    if let Ok(map) = ValueMap::from_bytes(&Form::Layers.sealed(bytes), Path::new(FILE)) {
        let again = ValueMap::from_bytes(&map.to_bytes().unwrap(), Path::new(FILE)).unwrap();
        assert!(map == again);
        let _ = map.get(&vec![0; map.shape().num_layers()]);
    }
}

pub fn value_map_seeds() -> Vec<Vec<u8>> {
    let mut seeds = read_seed("values", |name| name.ends_with(".map"), Form::Layers);
    seeds.extend(read_seed("scores", |name| name.ends_with(".map"), Form::Layers));
    seeds
}

/// Reads the automaton of a sector, which checks all its invariants.
pub fn packed(bytes: &[u8]) {
    if let Ok(automaton) = MultiRoot::from_bytes(&Form::Plain.sealed(bytes), Path::new(FILE)) {
        let again = MultiRoot::from_bytes(&automaton.to_bytes(), Path::new(FILE)).unwrap();
        assert_eq!(automaton.to_bytes(), again.to_bytes());
        let (_, rules, _) = named_game("morris:three").unwrap();
        for detail in [Detail::Values, Detail::Depths] {
            let _ =
                Forms::owning(rules.clone(), detail).store(&IndexMaker::new(&rules.board), automaton.clone());
        }
    }
}

pub fn packed_seeds() -> Vec<Vec<u8>> {
    let is_packed = |name: &str| name.ends_with(".packed");
    assert!(files_of("packed").iter().any(|(name, _)| is_packed(name)));
    read_seed("packed", is_packed, Form::Plain)
}
