//! The layers of words: their labels and the names of their letters.

/// A description of one layer of the word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerInfo {
    /// The label of the layer, such as the name of a square.
    pub label: String,
    /// A readable name for each letter.
    pub letters: Vec<String>,
}
