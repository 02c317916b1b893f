//! The rules as a nondeterministic automaton, whose edges are the operations of a path.

use super::super::book::{Action, Comparison, Mover, Register, Rules, Value};
use super::super::fault::At;

/// The number of a state.
pub(super) type StateId = u32;

/// The number of an edge.
pub(super) type EdgeId = u32;

/// The operation on an edge.
#[derive(Clone, Debug)]
pub(super) enum Label {
    Nothing,
    Shift(usize),
    On(Vec<usize>),
    Put(usize),
    Assign(Register, Value),
    Compare(Value, Comparison, Value),
    /// Ends the move. `number` counts the switches in reading order.
    Switch {
        mover: Mover,
        number: u32,
    },
    /// Checks whether a path from `start` to [`Label::Accept`] exists.
    Pattern {
        negated: bool,
        start: StateId,
    },
    /// The end of a pattern.
    Accept,
}

/// An edge of the automaton.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) label: Label,
    pub(super) to: StateId,
    /// The position of the operation in the file.
    pub(super) at: At,
}

/// The automaton of the rules. The edges of a state are in the order of the rules.
#[derive(Debug, Default)]
pub(super) struct Nfa {
    edges: Vec<Edge>,
    of: Vec<Vec<EdgeId>>,
    switches: u32,
}

impl Nfa {
    /// Creates the automaton of rules, whose start state is 0.
    pub(super) fn new(rules: &Rules) -> Self {
        let mut nfa = Self::default();
        let start = nfa.state();
        nfa.part(rules, start);
        nfa
    }

    pub(super) fn edge(&self, edge: EdgeId) -> &Edge {
        &self.edges[edge as usize]
    }

    /// Returns the outgoing edges of a state.
    pub(super) fn leaving(&self, state: StateId) -> &[EdgeId] {
        &self.of[state as usize]
    }

    /// Returns the player to whom the switch of the given number passes the turn, and the state after it. Returns `None` if
    /// no switch has that number.
    pub(super) fn player_switch(&self, wanted: u32) -> Option<(usize, StateId)> {
        self.edges.iter().find_map(|edge| match edge.label {
            Label::Switch { mover: Mover::Player(player), number } if number == wanted => {
                Some((player, edge.to))
            }
            _ => None,
        })
    }

    fn state(&mut self) -> StateId {
        self.of.push(Vec::new());
        self.of.len() as StateId - 1
    }

    fn add(&mut self, from: StateId, label: Label, to: StateId, at: At) {
        self.of[from as usize].push(self.edges.len() as EdgeId);
        self.edges.push(Edge { label, to, at });
    }

    /// Adds the automaton of `rules` after a state, and returns its last state.
    fn part(&mut self, rules: &Rules, from: StateId) -> StateId {
        match rules {
            Rules::Sequence(parts) => parts.iter().fold(from, |from, part| self.part(part, from)),
            Rules::Choice(parts) => {
                let end = self.state();
                for part in parts {
                    let last = self.part(part, from);
                    self.add(last, Label::Nothing, end, At::default());
                }
                end
            }
            Rules::Repeated(part) => {
                let (again, end) = (self.state(), self.state());
                self.add(from, Label::Nothing, again, At::default());
                let last = self.part(part, again);
                self.add(last, Label::Nothing, again, At::default());
                self.add(again, Label::Nothing, end, At::default());
                end
            }
            Rules::Action(action, at) => {
                let label = self.label(action);
                let end = self.state();
                self.add(from, label, end, *at);
                end
            }
        }
    }

    fn label(&mut self, action: &Action) -> Label {
        match action {
            Action::Shift(direction) => Label::Shift(*direction),
            Action::On(pieces) => Label::On(pieces.clone()),
            Action::Put(piece) => Label::Put(*piece),
            Action::Assign(register, value) => Label::Assign(*register, value.clone()),
            Action::Compare(left, comparison, right) => {
                Label::Compare(left.clone(), *comparison, right.clone())
            }
            Action::Switch(mover) => {
                self.switches += 1;
                Label::Switch { mover: *mover, number: self.switches - 1 }
            }
            Action::Pattern { negated, path } => {
                let start = self.state();
                let end = self.part(path, start);
                self.add(end, Label::Accept, end, At::default());
                Label::Pattern { negated: *negated, start }
            }
            Action::Skip => Label::Nothing,
        }
    }
}
