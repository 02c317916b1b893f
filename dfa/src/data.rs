//! Serialisation of an automaton as data, for formats such as JSON. It is meant for small sets inside other
//! descriptions; [`crate::io`] stores sets in files.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::automaton::Dfa;
use crate::builder::Builder;
use crate::error::{Error, Result};
use crate::shape::Shape;
use crate::unique::{ACCEPT, FIRST};

/// The transitions of an automaton: 0 rejects, 1 accepts, and `s + 2` leads to state `s` of the next layer.
#[derive(Serialize, Deserialize)]
struct Data {
    /// The number of letters of each layer.
    letters: Vec<u16>,
    root: u32,
    /// The concatenated rows of each layer.
    layers: Vec<Vec<u32>>,
}

impl Data {
    /// Builds the automaton, whose canonical form does not depend on the numbers used here.
    fn automaton(self) -> Result<Dfa> {
        let shape = Shape::new(self.letters)?;
        if self.layers.len() != shape.num_layers() {
            return Err(Error::Shape(format!("{} layers of transitions for {shape:?}", self.layers.len())));
        }
        let mut builder = Builder::new(&shape);
        // Maps each number of the layer below to its state.
        let mut below = vec![0, ACCEPT];
        let find = |below: &[u32], number: u32, layer: usize| {
            let state = below.get(number as usize).copied();
            state.ok_or_else(|| Error::Shape(format!("no state {} in layer {layer}", number - FIRST)))
        };
        for (layer, rows) in self.layers.iter().enumerate().rev() {
            let letters = shape.num_letters(layer);
            if rows.len() % letters != 0 {
                return Err(Error::Shape(format!("the last row of layer {layer} is too short")));
            }
            let mut here = vec![0, ACCEPT];
            for row in rows.chunks(letters) {
                let row: Vec<u32> =
                    row.iter().map(|&target| find(&below, target, layer + 1)).collect::<Result<_>>()?;
                here.push(builder.state(layer, &row)?);
            }
            below = here;
        }
        let root = find(&below, self.root, 0)?;
        Ok(builder.finish(root))
    }
}

impl Serialize for Dfa {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let layers = (0..self.shape().num_layers()).map(|layer| self.raw_rows(layer).to_vec());
        let letters = self.shape().alphabets().to_vec();
        Data { letters, root: self.raw_root(), layers: layers.collect() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Dfa {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        Data::deserialize(deserializer)?.automaton().map_err(D::Error::custom)
    }
}
