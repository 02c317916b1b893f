//! Text forms for other programs: Graphviz DOT, and the AT&T format of finite-state tools such as OpenFst.

use std::io::{self, Write};

use crate::automaton::Dfa;
use crate::shape::Letter;
use crate::unique::{ACCEPT, FIRST, REJECT};

impl Dfa {
    /// Writes a Graphviz drawing with one rank per layer and edges labelled by `label(layer, letter)`. Omits rejecting
    /// edges.
    ///
    /// # Errors
    /// Returns the errors of `out`.
    pub fn write_dot(&self, out: &mut impl Write, label: impl Fn(usize, Letter) -> String) -> io::Result<()> {
        writeln!(out, "digraph automaton {{\n  rankdir=LR;\n  node [shape=circle, label=\"\"];")?;
        writeln!(out, "  accept [shape=doublecircle, label=\"all\"];")?;
        match self.raw_root() {
            REJECT => writeln!(out, "  start [shape=plaintext, label=\"empty set\"];")?,
            ACCEPT => writeln!(out, "  start [shape=point]; start -> accept;")?,
            _ => writeln!(out, "  start [shape=point]; start -> \"0.0\";")?,
        }
        for layer in 0..self.shape().num_layers() {
            for (state, row) in self.raw_rows(layer).chunks(self.shape().num_letters(layer)).enumerate() {
                for target in distinct(row).filter(|&t| t != REJECT) {
                    let labels: Vec<String> = (0..row.len())
                        .filter(|&a| row[a] == target)
                        .map(|a| label(layer, a as Letter).replace('\\', "\\\\").replace('"', "\\\""))
                        .collect();
                    let to = match target {
                        ACCEPT => "accept".to_string(),
                        s => format!("\"{}.{}\"", layer + 1, s - FIRST),
                    };
                    writeln!(out, "  \"{layer}.{state}\" -> {to} [label=\"{}\"];", labels.join(","))?;
                }
            }
        }
        writeln!(out, "}}")
    }

    /// Writes the automaton in AT&T text form, which has one line `source target symbol` per transition, followed by
    /// the final states. Returns the number of states written.
    ///
    /// Each symbol is the letter plus 1, because 0 stands for epsilon in this format. The shared accept state is
    /// expanded into one state per remaining layer, because these tools have no notion of a fixed length.
    ///
    /// # Errors
    /// Returns the errors of `out`.
    pub fn write_att(&self, out: &mut impl Write) -> io::Result<u64> {
        let n = self.shape().num_layers();
        // The start state comes first in the file. Numbers are assigned to the root (0), then to the other states layer
        // by layer, and then to the chain of full states. The chain begins in the first layer from which every
        // continuation is accepted.
        let mut offsets = vec![0u64];
        for layer in 0..n {
            offsets.push(offsets[layer] + self.num_states_in(layer) as u64);
        }
        let chain = offsets[n];
        let first_full = match self.raw_root() {
            ACCEPT => 0,
            _ => (0..n).find(|&l| self.raw_rows(l).contains(&ACCEPT)).map_or(n + 1, |l| l + 1),
        };
        let full = |layer: usize| chain + (layer - first_full) as u64;
        for layer in 0..n {
            for (state, row) in self.raw_rows(layer).chunks(self.shape().num_letters(layer)).enumerate() {
                for (letter, &target) in row.iter().enumerate().filter(|(_, t)| **t != REJECT) {
                    let to = if target == ACCEPT {
                        full(layer + 1)
                    } else {
                        offsets[layer + 1] + u64::from(target - FIRST)
                    };
                    writeln!(out, "{} {to} {}", offsets[layer] + state as u64, letter + 1)?;
                }
            }
        }
        for layer in first_full..n {
            for letter in 0..self.shape().num_letters(layer) {
                writeln!(out, "{} {} {}", full(layer), full(layer + 1), letter + 1)?;
            }
        }
        if first_full <= n {
            writeln!(out, "{}", full(n))?;
        }
        Ok(chain + (n + 1 - first_full) as u64)
    }
}

fn distinct(row: &[u32]) -> impl Iterator<Item = u32> + '_ {
    (0..row.len()).filter(|&i| !row[..i].contains(&row[i])).map(|i| row[i])
}
