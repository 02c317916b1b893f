//! Changes the bounds of variables, including the places in the rules that mention the old bound.

use nerode_games::nearest;

use super::super::book::{Action, Register, Rulebook, Rules, Value};

/// Sets the bound of a variable.
pub(super) fn set(book: &mut Rulebook, name: &str, bound: u32) -> Result<(), String> {
    let Some(index) = book.variables.iter().position(|variable| variable.name == name) else {
        let known: Vec<&str> = book.variables.iter().map(|variable| variable.name.as_str()).collect();
        let known = match nearest(name, known.iter().copied()) {
            _ if known.is_empty() => "the rules have no variables".into(),
            Some(meant) => format!("did you mean '{meant}'?"),
            None => format!("known variables: {}", known.join(", ")),
        };
        return Err(format!("unknown variable '{name}'; {known}"));
    };
    let old = std::mem::replace(&mut book.variables[index].bound, bound);
    let mut change = Change { register: Register::Variable(index), old, new: bound, beyond: None };
    change.rules(&mut book.rules);
    match change.beyond {
        Some(number) => Err(format!(
            "the rules compare '{name}' with {number}, which is neither its bound of {old} nor at most {bound}"
        )),
        None => Ok(()),
    }
}

struct Change {
    register: Register,
    old: u32,
    new: u32,
    /// A number greater than the new bound that is not the old bound.
    beyond: Option<u32>,
}

impl Change {
    fn rules(&mut self, rules: &mut Rules) {
        match rules {
            Rules::Action(action, _) => self.action(action),
            Rules::Sequence(parts) | Rules::Choice(parts) => {
                parts.iter_mut().for_each(|part| self.rules(part))
            }
            Rules::Repeated(part) => self.rules(part),
        }
    }

    fn action(&mut self, action: &mut Action) {
        match action {
            Action::Assign(register, value) if *register == self.register => self.number(value),
            Action::Compare(left, _, right) if self.is_in(left) || self.is_in(right) => {
                self.number(left);
                self.number(right);
            }
            Action::Pattern { path, .. } => self.rules(path),
            _ => {}
        }
    }

    /// Returns `true` if a value depends on the variable.
    fn is_in(&self, value: &Value) -> bool {
        match value {
            Value::Register(register) => *register == self.register,
            Value::Joined(_, parts) => parts.iter().any(|part| self.is_in(part)),
            Value::Number(_) | Value::Count(_) => false,
        }
    }

    /// Replaces the old bound in a number that is assigned to the variable or compared with it.
    fn number(&mut self, value: &mut Value) {
        match value {
            Value::Number(number) if *number == self.old => *number = self.new,
            Value::Number(number) if *number > self.new => self.beyond = Some(*number),
            _ => {}
        }
    }
}
