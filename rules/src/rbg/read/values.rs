//! Reads numeric expressions, which are compared and assigned.

use super::super::book::{Action, Arithmetic, Comparison, Value};
use super::super::fault::{At, Fault};
use super::super::limits;
use super::cursor::Cursor;
use super::lex::Kind;
use super::names::{Meaning, Names};

/// The operators in ascending precedence: `a*b/c` is `a*(b/c)`, and `a+b-c` is `a+(b-c)`.
const OPERATORS: [(&str, Arithmetic); 4] =
    [("+", Arithmetic::Plus), ("-", Arithmetic::Minus), ("*", Arithmetic::Times), ("/", Arithmetic::Over)];

const COMPARISONS: [(&str, Comparison); 6] = [
    ("==", Comparison::Equal),
    ("!=", Comparison::Unequal),
    ("<", Comparison::Less),
    ("<=", Comparison::AtMost),
    (">", Comparison::More),
    (">=", Comparison::AtLeast),
];

/// Reads `value < value}`, whose bracket was opened at `open`.
pub(super) fn comparison(cursor: &mut Cursor, names: &Names, open: At) -> Result<Action, Fault> {
    let left = value(cursor, names, 0)?;
    let Some(&(_, kind)) = COMPARISONS.iter().find(|(sign, _)| cursor.take(sign)) else {
        return Err(cursor.expected("a comparison: == != < <= > >="));
    };
    let right = value(cursor, names, 0)?;
    cursor.close("}", open, "an operator")?;
    Ok(Action::Compare(left, kind, right))
}

/// Reads a value.
pub(super) fn value(cursor: &mut Cursor, names: &Names, depth: usize) -> Result<Value, Fault> {
    operands(cursor, names, depth, 0)
}

/// Reads a single operand, or several that are joined by the operator of the given rank.
fn operands(cursor: &mut Cursor, names: &Names, depth: usize, rank: usize) -> Result<Value, Fault> {
    let Some(&(sign, operator)) = OPERATORS.get(rank) else { return operand(cursor, names, depth) };
    let first = operands(cursor, names, depth, rank + 1)?;
    let mut parts = vec![first];
    while cursor.take(sign) {
        parts.push(operands(cursor, names, depth, rank + 1)?);
    }
    Ok(joined(operator, parts))
}

/// Joins values. A first operand that is joined by the same operator is merged into the group.
fn joined(operator: Arithmetic, mut parts: Vec<Value>) -> Value {
    if parts.len() == 1
        && let Some(only) = parts.pop()
    {
        return only;
    }
    match parts.first_mut() {
        Some(Value::Joined(inner, first)) if *inner == operator => {
            let mut all = std::mem::take(first);
            all.extend(parts.into_iter().skip(1));
            Value::Joined(operator, all)
        }
        _ => Value::Joined(operator, parts),
    }
}

fn operand(cursor: &mut Cursor, names: &Names, depth: usize) -> Result<Value, Fault> {
    const WHAT: &str = "a number, a variable, a player, a piece or '('";
    if depth > limits::NESTING {
        let message = format!("more than {} nested brackets", limits::NESTING);
        return Err(Fault::new(cursor.here(), message, "too deep here"));
    }
    let open = cursor.here();
    if cursor.take("(") {
        let inner = value(cursor, names, depth + 1)?;
        cursor.close(")", open, "an operator")?;
        return Ok(inner);
    }
    if let Some(Kind::Number(number)) = cursor.peek().map(|token| &token.kind) {
        let number = *number;
        cursor.advance();
        return Ok(Value::Number(number));
    }
    let (name, at) = cursor.name(WHAT)?;
    match (names.register(&name), names.meaning(&name)) {
        (Some(register), _) => Ok(Value::Register(register)),
        (None, Some(Meaning::Piece(piece))) => Ok(Value::Count(piece)),
        _ => Err(names.wrong(&name, at, WHAT)),
    }
}
