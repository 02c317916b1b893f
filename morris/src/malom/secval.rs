//! The values of sectors, to which the ranks of draws in ultra-strong files refer.
//!
//! The file is a text with the value of a loss, the value of a win, the number of sectors, and then one line for each
//! sector with its value, in ascending order.
//!
//! Invariants: the value of a win is greater than that of every sector, and the value of a loss is its negation. If
//! play can go back and forth between a sector and its mirror, their values are the negations of each other. In a file
//! no two sectors share a value other than 0, whereas differences of stones are shared by many sectors and have no
//! file.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use nerode_games::morris::Rules;

use super::name::Variant;
use nerode_dfa::disk::File;

use crate::tables::Sector;
use nerode_solver::error::{Error, Result};

/// The largest number of bytes of a file that is read. The largest of the three published files is a twentieth of this.
const MOST_BYTES: u64 = 1 << 20;
/// The largest value for which the fields of a file can hold the difference of two values.
const MOST_VALUE: i32 = 1 << 12;

/// The values of the sectors of a variant, for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectorValues {
    win: i32,
    values: BTreeMap<Sector, i32>,
}

impl SectorValues {
    /// Creates a list of values of sectors, with the value of a win.
    ///
    /// # Errors
    /// Returns [`Error::Unrepresentable`] if the values break the invariants of such a list or are too large for the
    /// fields of files.
    pub fn new(win: i32, values: BTreeMap<Sector, i32>, rules: &Rules) -> Result<Self> {
        let wrong = |what: String| Error::Unrepresentable {
            what,
            format: "a list of sector values",
            limit: format!(
                "a win value of at most {MOST_VALUE}, smaller values for sectors, and opposite values for \
                 mirrors"
            ),
        };
        if !(1..=MOST_VALUE).contains(&win) {
            return Err(wrong(format!("the win value {win}")));
        }
        if let Some((sector, value)) = values.iter().find(|(_, value)| value.abs() >= win) {
            return Err(wrong(format!("the value {value} of sector {sector} with the win value {win}")));
        }
        let list = Self { win, values };
        list.check_mirrors(rules).map_err(|reason| wrong(format!("a list in which {reason}")))?;
        Ok(list)
    }

    /// Merges these values with `others`. Returns `None` if they differ for a sector or for a win.
    ///
    /// # Errors
    /// Returns the errors of [`SectorValues::new`].
    pub fn joined(&self, others: &Self, rules: &Rules) -> Result<Option<Self>> {
        let agree = others.iter().all(|(sector, value)| self.get(sector).is_none_or(|own| own == value));
        if self.win != others.win || !agree {
            return Ok(None);
        }
        Self::new(self.win, self.iter().chain(others.iter()).collect(), rules).map(Some)
    }

    /// Returns the text of the file, in ascending order of values.
    pub fn text(&self) -> String {
        let mut lines: Vec<(i32, Sector)> = self.iter().map(|(sector, value)| (value, sector)).collect();
        lines.sort_unstable();
        let head = format!("virt_loss_val: {}\nvirt_win_val: {}\n{}\n", -self.win, self.win, lines.len());
        lines.iter().fold(head, |text, (value, Sector { own, other, own_hand, other_hand })| {
            text + &format!("{own} {other} {own_hand} {other_hand}  {value}\n")
        })
    }

    /// Reads the list for the variant with the rules `rules`.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::WrongRules`] if the name of the file belongs to another variant, or
    /// [`Error::Corrupt`] with the line if the file is not such a list.
    pub fn read(path: &Path, rules: &Rules) -> Result<Self> {
        let named = path.file_stem().and_then(|stem| stem.to_str());
        let variant = Variant::ALL.into_iter().find(|variant| Some(variant.name()) == named);
        variant.map_or(Ok(()), |variant| variant.check(rules, path))?;
        let file = File::open(path).map_err(|e| Error::io(path, e))?;
        let mut bytes = Vec::new();
        file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|e| Error::io(path, e))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(Error::corrupt(
                path,
                format!("a list of sector values has at most {MOST_BYTES} bytes"),
            ));
        }
        let text = std::str::from_utf8(&bytes).map_err(|_| Error::corrupt(path, "it is not UTF-8 text"))?;
        Self::parse(text, rules).map_err(|reason| Error::corrupt(path, reason))
    }

    fn parse(text: &str, rules: &Rules) -> std::result::Result<Self, String> {
        let mut lines = (1..).zip(text.lines());
        let mut head = |before: &str| -> std::result::Result<i32, String> {
            let (at, line) = lines.next().ok_or("it ends within its first three lines")?;
            let number = line.strip_prefix(before).and_then(|rest| rest.trim().parse().ok());
            number.ok_or(format!("line {at} is '{}', not '{before}' and a number", line.escape_debug()))
        };
        let (loss, win, count) = (head("virt_loss_val: ")?, head("virt_win_val: ")?, head("")?);
        if !(1..=MOST_VALUE).contains(&win) || loss != -win {
            return Err(format!(
                "the win value {win} and the loss value {loss} are not opposite numbers up to {MOST_VALUE}"
            ));
        }
        let (mut values, mut last) = (BTreeMap::new(), -win);
        for (at, line) in lines {
            let (sector, value) = entry(line)
                .ok_or(format!("line {at} is '{}', not W B WF BF and a value", line.escape_debug()))?;
            let in_order = value > last || value == 0 && last == 0;
            if !in_order || value >= win {
                return Err(format!(
                    "line {at}: value {value} after {last}, with the win value {win}, is out of order"
                ));
            }
            if values.insert(sector, value).is_some() {
                return Err(format!("line {at}: duplicate sector {sector}"));
            }
            last = value;
        }
        if usize::try_from(count) != Ok(values.len()) {
            return Err(format!("it claims {count} sectors, but has {}", values.len()));
        }
        let list = Self { win, values };
        list.check_mirrors(rules)?;
        Ok(list)
    }

    fn check_mirrors(&self, rules: &Rules) -> std::result::Result<(), String> {
        for (&sector, &value) in self.values.iter().filter(|(sector, _)| sector.is_cyclic(rules)) {
            let mirror = sector.mirrored();
            match self.values.get(&mirror) {
                Some(&other) if other == -value => {}
                Some(other) => {
                    return Err(format!(
                        "sector {sector} has value {value}, but its mirror has value {other}, which should \
                         cancel it"
                    ));
                }
                None => return Err(format!("sector {sector} has a value, but its mirror {mirror} has none")),
            }
        }
        Ok(())
    }

    /// Returns the value of a won position. A lost position has the negated value.
    pub fn win(&self) -> i32 {
        self.win
    }

    /// Returns the value of `sector`, if it has one.
    pub fn get(&self, sector: Sector) -> Option<i32> {
        self.values.get(&sector).copied()
    }

    /// Returns the value of `sector`, which must have one.
    ///
    /// # Errors
    /// Returns [`Error::NoValue`] if it has none.
    pub fn must_have(&self, sector: Sector) -> Result<i32> {
        self.get(sector).ok_or_else(|| Error::NoValue { sector: sector.to_string() })
    }

    /// Returns an iterator over the sectors and their values.
    pub fn iter(&self) -> impl Iterator<Item = (Sector, i32)> {
        self.values.iter().map(|(sector, value)| (*sector, *value))
    }
}

/// Parses a line of the list.
fn entry(line: &str) -> Option<(Sector, i32)> {
    let parts: Vec<&str> = line.split_ascii_whitespace().collect();
    let &[own, other, own_hand, other_hand, value] = parts.as_slice() else { return None };
    let count = |text: &str| {
        text.parse().ok().filter(|&stones: &u8| stones <= nerode_games::morris::rules::MOST_STONES)
    };
    let sector = Sector {
        own: count(own)?,
        other: count(other)?,
        own_hand: count(own_hand)?,
        other_hand: count(other_hand)?,
    };
    Some((sector, value.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nerode_games::morris::Preset;

    fn parse(text: &str) -> std::result::Result<SectorValues, String> {
        SectorValues::parse(text, &Preset::named("nine").unwrap().rules())
    }

    const GOOD: &str =
        "virt_loss_val: -9\nvirt_win_val: 9\n4\n3 4 0 0  -2\n3 3 0 0  0\n4 4 0 0  0\n4 3 0 0  2\n";

    #[test]
    fn a_list_is_read() {
        let values = parse(GOOD).unwrap();
        assert_eq!(values.win(), 9);
        let of = |name: &str| values.get(name.parse().unwrap());
        assert_eq!(
            (of("3-4-0-0"), of("4-3-0-0"), of("3-3-0-0"), of("5-5-0-0")),
            (Some(-2), Some(2), Some(0), None)
        );
        assert_eq!(values.iter().count(), 4);
    }

    #[test]
    fn a_list_is_written_as_it_is_read_whatever_its_line_ends() {
        let values = parse(GOOD).unwrap();
        assert_eq!(values.text(), GOOD);
        assert_eq!(parse(&GOOD.replace('\n', "\r\n")).unwrap(), values);
    }

    #[test]
    fn computed_values_obey_the_laws() {
        let rules = Preset::named("nine").unwrap().rules();
        let of = |win, list: &[(&str, i32)]| {
            let values = list.iter().map(|(name, value)| (name.parse().unwrap(), *value)).collect();
            SectorValues::new(win, values, &rules)
        };
        // Differences of stones may be shared. Sectors that play does not return to have no mirror.
        of(3, &[("3-3-0-0", 0), ("4-3-0-0", 1), ("3-4-0-0", -1), ("5-4-0-0", 1), ("4-5-0-0", -1)]).unwrap();
        of(3, &[("2-3-2-1", 2)]).unwrap();
        for (win, list) in [(0, &[][..]), (4097, &[]), (2, &[("3-3-0-0", 2)]), (2, &[("4-3-0-0", 1)])] {
            assert!(matches!(of(win, list), Err(Error::Unrepresentable { .. })), "{win} {list:?}");
        }
        assert!(of(3, &[("4-3-0-0", 1), ("3-4-0-0", 1)]).unwrap_err().to_string().contains("should cancel"));
        let [few, more] =
            [&[("2-3-2-1", 2)][..], &[("2-3-2-1", 2), ("3-3-0-0", 0)]].map(|list| of(3, list).unwrap());
        assert_eq!(few.joined(&more, &rules).unwrap().as_ref(), Some(&more));
        assert_eq!(more.joined(&few, &rules).unwrap().as_ref(), Some(&more));
        for other in [of(3, &[("2-3-2-1", 1)]), of(4, &[("2-3-2-1", 2)])] {
            assert_eq!(more.joined(&other.unwrap(), &rules).unwrap(), None);
        }
        let missing = of(3, &[]).unwrap().must_have("3-3-0-0".parse().unwrap()).unwrap_err();
        assert!(missing.to_string().contains("no value for sector 3-3-0-0"), "{missing}");
    }

    #[test]
    fn what_breaks_a_law_is_refused_with_its_line() {
        for (from, to, reason) in [
            ("4 3 0 0  2", "4 3 0 0  3", "should cancel"),
            ("\n4 3 0 0  2\n", "\n", "claims 4 sectors, but has 3"),
            ("3 3 0 0  0", "3 3 0 0  -3", "line 5: value -3 after -2"),
            ("4 3 0 0  2", "4 3 0 0  9", "line 7: value 9 after 0"),
            ("4 3 0 0  2", "3 4 0 0  2", "duplicate sector"),
            ("4 3 0 0  2", "4 3 0  2", "line 7 is"),
            ("4 3 0 0  2", "4 3 0 300  2", "line 7 is"),
            ("-9", "-8", "the win value 9"),
            ("-9", "-999999999999", "line 1 is"),
            ("virt_win_val: 9", "9", "line 2 is"),
            ("4\n", "4", "line 3 is"),
        ] {
            let refused = parse(&GOOD.replacen(from, to, 1)).unwrap_err();
            assert!(refused.contains(reason), "{to}: {refused}");
        }
        let alone = parse("virt_loss_val: -9\nvirt_win_val: 9\n1\n4 3 0 0  2\n").unwrap_err();
        assert!(alone.contains("its mirror 3-4-0-0 has none"), "{alone}");
        for cut in 0..GOOD.len() - 1 {
            assert!(parse(&GOOD[..cut]).is_err(), "{:?}", &GOOD[..cut]);
        }
    }
}
