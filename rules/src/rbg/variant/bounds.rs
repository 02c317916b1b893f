//! Changes the bounds of variables and scores, including the places in the rules that mention the old bound.

use nerode_games::nearest;

use super::super::book::{Action, Bounded, Register, Rulebook, Rules, Value};

/// Sets the bound of a variable or of the score of a player.
pub(super) fn set(book: &mut Rulebook, name: &str, bound: u32) -> Result<(), String> {
    let of = |list: &[Bounded]| list.iter().position(|known| known.name == name);
    let register = match (of(&book.variables), of(&book.players)) {
        (Some(variable), _) => Register::Variable(variable),
        (None, Some(player)) => Register::Score(player),
        (None, None) => return Err(unknown(book, name)),
    };
    if let Some(given) = book.start_value(register).filter(|given| *given > bound) {
        return Err(format!("the start position has {name}={given}, which is more than {bound}"));
    }
    let bounded = match register {
        Register::Variable(index) => &mut book.variables[index],
        Register::Score(index) => &mut book.players[index],
    };
    let old = std::mem::replace(&mut bounded.bound, bound);
    let mut change = Change { register, old, new: bound, beyond: None, coincides: false, in_test: false };
    change.rules(&mut book.rules);
    if let Some(number) = change.beyond {
        return Err(format!(
            "the rules compare '{name}' with {number}, which is neither its bound of {old} nor at most {bound}"
        ));
    }
    if change.coincides && old != bound {
        return Err(format!(
            "the rules compare '{name}' both with {bound} and with its bound of {old}, so that two different tests would \
             become equal; choose another bound"
        ));
    }
    Ok(())
}

fn unknown(book: &Rulebook, name: &str) -> String {
    let known = || book.variables.iter().chain(&book.players).map(|known| known.name.as_str());
    let known = match nearest(name, known()) {
        Some(meant) => format!("did you mean '{meant}'?"),
        None => format!("known variables and players: {}", known().collect::<Vec<&str>>().join(", ")),
    };
    format!("unknown variable or player '{name}'; {known}")
}

struct Change {
    register: Register,
    old: u32,
    new: u32,
    /// A number greater than the new bound that is not the old bound.
    beyond: Option<u32>,
    /// If `true`, a comparison mentions the new bound.
    coincides: bool,
    /// If `true`, the current number is part of a comparison.
    in_test: bool,
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
            Action::Assign(register, value) if *register == self.register => {
                self.in_test = false;
                self.number(value);
            }
            Action::Compare(left, _, right) if self.is_in(left) || self.is_in(right) => {
                self.in_test = true;
                self.number(left);
                self.number(right);
            }
            Action::Pattern { path, .. } => self.rules(path),
            _ => {}
        }
    }

    /// Returns `true` if a value depends on the register.
    fn is_in(&self, value: &Value) -> bool {
        value.any(&|part| matches!(part, Value::Register(register) if *register == self.register))
    }

    /// Replaces the old bound in a number that is assigned to the register or compared with it.
    fn number(&mut self, value: &mut Value) {
        match value {
            Value::Number(number) if *number == self.old => *number = self.new,
            Value::Number(number) if *number > self.new => self.beyond = Some(*number),
            Value::Number(number) => self.coincides |= self.in_test && *number == self.new,
            _ => {}
        }
    }
}
