//! Macro expansion and joining of tokens.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use super::super::fault::{At, Fault, Use};
use super::super::limits;
use super::lex::{Kind, Token, first};
use super::macros::{Macro, Section};
use nerode_games::counted;

/// An argument of a macro: tokens of the file, with the arguments that apply within them.
struct Argument {
    tokens: Range<usize>,
    place: Place,
}

/// The context in which tokens are read: the macros defined so far, the arguments of parameters, and the enclosing macro use.
#[derive(Clone)]
struct Place {
    order: usize,
    arguments: Rc<Vec<(Arc<str>, Argument)>>,
    used: Option<u32>,
    depth: usize,
}

/// The macro expander.
pub(super) struct Expander<'a> {
    tokens: &'a [Token],
    macros: &'a HashMap<Arc<str>, Vec<Macro>>,
    /// Every macro use so far.
    pub(super) uses: Vec<Use>,
    steps: usize,
    out: Vec<Token>,
}

impl<'a> Expander<'a> {
    pub(super) fn new(tokens: &'a [Token], macros: &'a HashMap<Arc<str>, Vec<Macro>>) -> Self {
        Self { tokens, macros, uses: Vec::new(), steps: 0, out: Vec::new() }
    }

    /// Returns the tokens of the file.
    pub(super) fn tokens(&self) -> &'a [Token] {
        self.tokens
    }

    /// Returns the tokens of a section after macro expansion.
    pub(super) fn section(&mut self, section: &Section) -> Result<Vec<Token>, Fault> {
        let place = Place { order: section.order, arguments: Rc::default(), used: None, depth: 0 };
        self.out.clear();
        self.slice(section.body.clone(), &place)?;
        Ok(std::mem::take(&mut self.out))
    }

    /// Appends the expansion of `slice`.
    fn slice(&mut self, slice: Range<usize>, place: &Place) -> Result<(), Fault> {
        if place.depth > limits::MACRO_DEPTH {
            let message = format!("macros nested more than {} levels deep", limits::MACRO_DEPTH);
            return Err(self.fault(slice.start, place, message, "too deep here"));
        }
        // `left` is set if the part before a '~' expands to at least one token.
        let (mut left, mut join) = (false, false);
        let mut at = slice.start;
        while at < slice.end {
            self.step(1, at, place)?;
            if self.tokens[at].is("~") {
                if at == slice.start || at + 1 == slice.end || join {
                    let what = "expected a token on both sides of '~'";
                    return Err(self.fault(at, place, what, "joins two tokens"));
                }
                join = true;
                at += 1;
                continue;
            }
            let before = self.out.len();
            at = self.part(at, slice.end, place)?;
            let added = self.out.len() > before;
            if join && left && added {
                self.join(before, at, place)?;
            }
            left = added || (join && left);
            join = false;
        }
        Ok(())
    }

    /// Appends the expansion of the token at `at` and its arguments. Returns the index at which reading continues.
    fn part(&mut self, at: usize, end: usize, place: &Place) -> Result<usize, Fault> {
        let tokens = self.tokens;
        let Kind::Name(name) = &tokens[at].kind else { return self.plain(at, place) };
        let arguments = Rc::clone(&place.arguments);
        if let Some((_, argument)) = arguments.iter().find(|(parameter, _)| parameter == name) {
            let inner = Place { depth: place.depth + 1, ..argument.place.clone() };
            self.slice(argument.tokens.clone(), &inner)?;
            return Ok(at + 1);
        }
        let macros = self.macros;
        let known: Vec<&Macro> =
            macros.get(name).into_iter().flatten().filter(|m| m.order < place.order).collect();
        match known.first() {
            None => self.plain(at, place),
            Some(only) if only.parameters.is_empty() => {
                self.body(only, at, Vec::new(), place)?;
                Ok(at + 1)
            }
            Some(_) => {
                let (given, next) = self.arguments(at, end, place)?;
                let Some(found) = known.iter().find(|m| m.parameters.len() == given.len()) else {
                    let mut takes: Vec<usize> = known.iter().map(|m| m.parameters.len()).collect();
                    takes.sort_unstable();
                    let takes: Vec<String> = takes.iter().map(usize::to_string).collect();
                    let noun = if takes == ["1"] { "argument" } else { "arguments" };
                    let message = format!(
                        "the macro '{name}' takes {} {noun}, not {}",
                        takes.join(" or "),
                        given.len()
                    );
                    let label = format!("{} here", counted(given.len(), "argument"));
                    let fault = self.fault(at, place, message, label);
                    let comma = given.iter().any(|one| tokens[one.tokens.clone()].iter().any(|t| t.is(",")));
                    return Err(if comma {
                        fault.help("arguments are separated by ';', not by ','")
                    } else {
                        fault
                    });
                };
                self.body(found, at, given, place)?;
                Ok(next)
            }
        }
    }

    fn plain(&mut self, at: usize, place: &Place) -> Result<usize, Fault> {
        if self.out.len() >= limits::TOKENS {
            let message = format!("more than {} tokens after macro expansion", limits::TOKENS);
            return Err(self.fault(at, place, message, "limit exceeded here"));
        }
        let token = &self.tokens[at];
        self.out.push(Token { kind: token.kind.clone(), at: At { used: place.used, ..token.at } });
        Ok(at + 1)
    }

    /// Appends the body of a macro that is used at `at`.
    fn body(&mut self, of: &Macro, at: usize, given: Vec<Argument>, place: &Place) -> Result<(), Fault> {
        let used = u32::try_from(self.uses.len()).ok().filter(|_| self.uses.len() < limits::USES);
        if used.is_none() {
            let message = format!("more than {} uses of macros", limits::USES);
            return Err(self.fault(at, place, message, "limit exceeded here"));
        }
        let token = &self.tokens[at];
        self.uses.push(Use { name: token.text().into(), at: At { used: place.used, ..token.at } });
        let arguments = Rc::new(of.parameters.iter().cloned().zip(given).collect());
        self.slice(of.body.clone(), &Place { order: of.order, arguments, used, depth: place.depth + 1 })
    }

    /// Returns the arguments of the macro named at `at`, and the index at which reading continues.
    fn arguments(&mut self, at: usize, end: usize, place: &Place) -> Result<(Vec<Argument>, usize), Fault> {
        if at + 1 >= end || !self.tokens[at + 1].is("(") {
            let message = format!("the macro '{}' needs arguments", self.tokens[at].text());
            return Err(self.fault(at, place, message, "expected '(' after this"));
        }
        let mut given = Vec::new();
        let (mut open, mut start) = (0_usize, at + 2);
        for i in at + 2..end {
            self.step(1, i, place)?;
            let token = &self.tokens[i];
            if token.is("(") {
                open += 1;
            } else if token.is(")") && open > 0 {
                open -= 1;
            } else if open == 0 && (token.is(")") || token.is(";")) {
                given.push(Argument { tokens: start..i, place: place.clone() });
                start = i + 1;
                if token.is(")") {
                    return Ok((given, start));
                }
            }
        }
        let message = format!("unterminated arguments of the macro '{}'", self.tokens[at].text());
        Err(self.fault(at + 1, place, message, "missing ')' for this bracket"))
    }

    /// Joins the token before `middle` in the output with the one after it. In the file, `at` follows the second one.
    fn join(&mut self, middle: usize, at: usize, place: &Place) -> Result<(), Fault> {
        let right = self.out.remove(middle);
        self.step(self.out.len() - middle, at - 1, place)?;
        let left = &mut self.out[middle - 1];
        let text = left.text() + &right.text();
        match first(&text) {
            Ok(Some((kind, length))) if length == text.len() => {
                left.kind = kind;
                Ok(())
            }
            _ => {
                let message = format!("'{}' and '{}' do not join to a token", left.text(), right.text());
                Err(self.fault(at - 1, place, message, format!("'{text}' is not a token")))
            }
        }
    }

    fn step(&mut self, steps: usize, at: usize, place: &Place) -> Result<(), Fault> {
        self.steps += steps;
        if self.steps <= limits::STEPS {
            return Ok(());
        }
        Err(self.fault(at, place, "macro expansion takes too long", "stopped here"))
    }

    fn fault(&self, at: usize, place: &Place, message: impl Into<String>, label: impl Into<String>) -> Fault {
        let at = at.min(self.tokens.len().saturating_sub(1));
        let at = self.tokens.get(at).map_or_else(At::default, |token| token.at);
        Fault::new(At { used: place.used, ..at }, message, label)
    }
}
