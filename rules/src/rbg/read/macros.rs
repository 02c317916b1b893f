//! The parts of a file: sections, and macros with their parameters.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::super::fault::{At, Fault, Span};
use super::lex::{Kind, RESERVED, Token};

/// A section, as a range of tokens of the file.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub(super) body: Range<usize>,
    /// The number of parts before the section, which can use the macros among them.
    pub(super) order: usize,
    /// The position of the section name.
    pub(super) at: At,
}

/// A macro.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    pub(super) parameters: Vec<Arc<str>>,
    pub(super) body: Range<usize>,
    pub(super) order: usize,
    pub(super) at: At,
}

/// The parts of a file.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) sections: HashMap<&'static str, Section>,
    /// The macros by name. Macros of the same name differ in their number of parameters.
    pub(super) macros: HashMap<Arc<str>, Vec<Macro>>,
}

impl Parts {
    /// Returns the macros with the span of their definitions.
    pub(super) fn places_of_macros(&self, tokens: &[Token]) -> Vec<(Arc<str>, Span)> {
        let span = |found: &Macro| {
            let end = tokens[..found.body.end].last().map_or(found.at.span.end, |token| token.at.span.end);
            Span { start: found.at.span.start, end }
        };
        let of = |(name, all): (&Arc<str>, &Vec<Macro>)| {
            all.iter().map(|found| (Arc::clone(name), span(found))).collect::<Vec<_>>()
        };
        self.macros.iter().flat_map(of).collect()
    }

    /// Returns the fault of the first macro with unbalanced brackets.
    pub(super) fn unbalanced_macro(&self, tokens: &[Token]) -> Option<Fault> {
        let mut all: Vec<(&Arc<str>, &Macro)> =
            self.macros.iter().flat_map(|(name, all)| all.iter().map(move |found| (name, found))).collect();
        all.sort_by_key(|(_, found)| found.body.start);
        all.into_iter().find_map(|(name, found)| unbalanced(name, &tokens[found.body.clone()]))
    }
}

/// Returns the sign that closes a bracket.
fn closes(sign: &str) -> Option<&'static str> {
    match sign {
        "(" => Some(")"),
        "[" | "[$" => Some("]"),
        "{" | "{?" | "{!" | "{$" => Some("}"),
        _ => None,
    }
}

/// Returns the first unbalanced bracket in the body of a macro.
fn unbalanced(name: &str, body: &[Token]) -> Option<Fault> {
    let mut open: Vec<(&Token, &str)> = Vec::new();
    let unclosed = |(token, end): (&Token, &str)| {
        let message = format!("unclosed bracket in the macro '{name}': missing '{end}'");
        Fault::new(token.at, message, "opened here but never closed")
    };
    for token in body {
        let Kind::Sign(sign) = token.kind else { continue };
        if let Some(end) = closes(sign) {
            open.push((token, end));
        } else if [")", "]", "}"].contains(&sign) {
            match open.pop() {
                Some((_, end)) if end == sign => {}
                Some(other) => return Some(unclosed(other)),
                None => {
                    let message = format!("unmatched closing bracket in the macro '{name}'");
                    return Some(Fault::new(token.at, message, "no bracket is open here"));
                }
            }
        }
    }
    open.pop().map(unclosed)
}

/// The names of the sections.
const SECTIONS: [&str; 5] = ["players", "pieces", "variables", "board", "rules"];

/// Splits a file into its parts.
pub(super) fn parts(tokens: &[Token]) -> Result<Parts, Fault> {
    let mut parts = Parts::default();
    let mut at = 0;
    let mut order = 0;
    while at < tokens.len() {
        at = part(tokens, at, order, &mut parts)?;
        order += 1;
    }
    let end = tokens.last().map_or_else(At::default, |token| token.at);
    for name in SECTIONS {
        if !parts.sections.contains_key(name) {
            let fault = Fault::new(end, format!("missing section '#{name} = ...'"), "the file ends here");
            let empty = ["variables"].contains(&name);
            return Err(if empty {
                fault.help("'#variables =' may be empty, but it is required")
            } else {
                fault
            });
        }
    }
    Ok(parts)
}

/// Reads the part that begins at `start`, and returns the index at which the next part begins.
fn part(tokens: &[Token], start: usize, order: usize, parts: &mut Parts) -> Result<usize, Fault> {
    if !tokens[start].is("#") {
        let message = format!("expected '#', found '{}'", tokens[start].text());
        return Err(Fault::new(tokens[start].at, message, "a section or a macro begins with '#'"));
    }
    let body_end = |from: usize| (from..tokens.len()).find(|&i| tokens[i].is("#")).unwrap_or(tokens.len());
    let end = body_end(start + 1);
    let name = tokens[start + 1..end].first();
    let Some((Kind::Name(name), at)) = name.map(|token| (&token.kind, token.at)) else {
        let fault = Fault::new(tokens[start].at, "expected a name after '#'", "no name follows");
        return Err(fault.help(format!("sections are {}; any other name is a macro", SECTIONS.join(", "))));
    };
    let (parameters, equals) = parameters(tokens, start + 2, end)?;
    if !tokens[..end].get(equals).is_some_and(|token| token.is("=")) {
        let found = tokens[..end].get(equals).map_or(tokens[equals - 1].at, |token| token.at);
        return Err(Fault::new(found, format!("expected '=' in the definition of '{name}'"), "expected '='"));
    }
    let body = equals + 1..end;
    match SECTIONS.into_iter().find(|section| **section == **name) {
        Some(section) if parameters.is_some() => {
            Err(Fault::new(at, format!("the section '{section}' takes no parameters"), "a section"))
        }
        Some(section) => {
            if parts.sections.insert(section, Section { body, order, at }).is_some() {
                return Err(Fault::new(
                    at,
                    format!("duplicate section '{section}'"),
                    "the second definition",
                ));
            }
            Ok(end)
        }
        None => {
            let parameters = parameters.unwrap_or_default();
            add_macro(name, Macro { parameters, body, order, at }, parts).map(|()| end)
        }
    }
}

type Parameters = Option<Vec<Arc<str>>>;

/// Reads the parameters in parentheses at `start`, if there are any, and returns the index at which reading continues.
fn parameters(tokens: &[Token], start: usize, end: usize) -> Result<(Parameters, usize), Fault> {
    if !tokens[..end].get(start).is_some_and(|token| token.is("(")) {
        return Ok((None, start));
    }
    let mut names: Vec<Arc<str>> = Vec::new();
    let mut at = start + 1;
    loop {
        let expected = |what: &str, at: usize| {
            let found = tokens[..end].get(at).map_or(tokens[at - 1].at, |token| token.at);
            Fault::new(
                found,
                format!("expected {what} in the list of parameters"),
                format!("expected {what}"),
            )
        };
        let Some(Kind::Name(name)) = tokens[..end].get(at).map(|token| &token.kind) else {
            return Err(expected("the name of a parameter", at));
        };
        if names.contains(name) {
            return Err(Fault::new(tokens[at].at, format!("duplicate parameter '{name}'"), "repeated here"));
        }
        names.push(Arc::clone(name));
        match tokens[..end].get(at + 1) {
            Some(token) if token.is(")") => return Ok((Some(names), at + 2)),
            Some(token) if token.is(";") => at += 2,
            _ => return Err(expected("';' or ')'", at + 1)),
        }
    }
}

fn add_macro(name: &Arc<str>, new: Macro, parts: &mut Parts) -> Result<(), Fault> {
    if RESERVED.contains(&&**name) {
        return Err(Fault::new(new.at, format!("'{name}' is a reserved word"), "cannot name a macro"));
    }
    let known = parts.macros.entry(Arc::clone(name)).or_default();
    for old in known.iter() {
        if old.parameters.len() == new.parameters.len() {
            let message = format!("the macro '{name}' is defined twice");
            return Err(Fault::new(new.at, message, "the second definition"));
        }
        if old.parameters.is_empty() || new.parameters.is_empty() {
            let message = format!("the macro '{name}' is defined with and without parameters");
            return Err(Fault::new(new.at, message, "the second definition"));
        }
    }
    known.push(new);
    Ok(())
}
