//! The title of a figure.

use super::Growth;

/// Returns the title of a figure of these solutions: their names, without parameters if there are several of a family.
pub fn title(growths: &[Growth]) -> String {
    let names: Vec<&str> = growths.iter().map(|growth| growth.solution.as_str()).collect();
    match family(&names) {
        Some(family) => family.to_string(),
        None => names.join(", "),
    }
}

/// Returns the family of games to which all of several names belong.
pub(super) fn family<'a>(names: &[&'a str]) -> Option<&'a str> {
    let (family, _) = names.first()?.split_once(':')?;
    let is_same = |name: &&str| name.split_once(':').is_some_and(|(other, _)| other == family);
    (names.len() > 1 && names.iter().all(is_same)).then_some(family)
}
