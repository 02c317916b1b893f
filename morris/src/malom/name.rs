//! The names of files, and the rules that they stand for.

use std::fmt;
use std::path::Path;

use nerode_games::morris::rules::MOST_STONES;
use nerode_games::morris::{BoardKind, Capture, Phases, Rules};

use crate::tables::Sector;
use nerode_solver::error::{Error, Result};

/// The rules for which files are created. The number of stones at the start is not part of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Nine men's morris.
    Std,
    /// The same board, on which stones are placed and moved in any order.
    Lask,
    /// The board with lines and mills along the corners.
    Mora,
}

impl Variant {
    /// All variants.
    pub const ALL: [Self; 3] = [Self::Std, Self::Lask, Self::Mora];

    /// Returns the prefix of file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::Std => "std",
            Self::Lask => "lask",
            Self::Mora => "mora",
        }
    }

    /// Returns the spec of the game that has these rules.
    pub fn game(self) -> &'static str {
        match self {
            Self::Std => "morris:nine",
            Self::Lask => "morris:lasker",
            Self::Mora => "morris:morabaraba",
        }
    }

    /// Returns the number of stones of a side at the start.
    pub fn stones(self) -> i32 {
        match self {
            Self::Std => 9,
            Self::Lask => 10,
            Self::Mora => 12,
        }
    }

    /// Returns the variant with `rules`, regardless of the result of a full board, because files of both kinds have the
    /// same names.
    ///
    /// # Errors
    /// Returns [`Error::Unrepresentable`] with the rule that no variant has.
    pub fn of(rules: &Rules) -> Result<Self> {
        let none = |rule: &str| {
            Err(Error::Unrepresentable {
                what: format!("a game with {rule}"),
                format: "Malom's files",
                limit: "nine, lasker and morabaraba, with capture=always, take=1 and flying".into(),
            })
        };
        let variant = match (rules.board.kind(), rules.phases) {
            (BoardKind::Nine, Phases::Separate) => Self::Std,
            (BoardKind::Nine, Phases::Mixed) => Self::Lask,
            (BoardKind::Morabaraba, Phases::Separate) => Self::Mora,
            (BoardKind::Morabaraba, Phases::Mixed) => return none("mixed phases on the Morabaraba board"),
            _ => return none("boards of fewer than 24 points"),
        };
        match rules.capture {
            Capture::Protected => none("capture=protected"),
            Capture::Always if rules.take != 1 => none("two stones captured in one turn"),
            Capture::Always if !rules.fly => none("sides that never fly"),
            Capture::Always => Ok(variant),
        }
    }

    /// Checks that `rules` belong to this variant.
    pub(super) fn check(self, rules: &Rules, path: &Path) -> Result<()> {
        let expected = Self::of(rules)?;
        if expected == self {
            return Ok(());
        }
        Err(Error::WrongRules {
            path: path.into(),
            found: self.name().into(),
            expected: expected.name().into(),
        })
    }
}

/// The information stored about a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Value and depth.
    Strong,
    /// Value and depth, and ranks of draws.
    Ultra,
}

impl Kind {
    /// Returns the extension of file names.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Strong => "sec",
            Self::Ultra => "sec2",
        }
    }
}

/// A parsed file name such as `std_4_3_0_0.sec2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileName {
    /// The rules.
    pub variant: Variant,
    /// The sector.
    pub sector: Sector,
    /// The kind of the file.
    pub kind: Kind,
}

impl FileName {
    /// Returns the name of the strong file of `sector` under `rules`.
    ///
    /// # Errors
    /// Returns [`Error::Unrepresentable`] if no variant has the rules, or [`Error::NoSuchSector`] if the sector cannot
    /// occur.
    pub fn strong(rules: &Rules, sector: Sector) -> Result<Self> {
        Self::new(rules, sector, Kind::Strong)
    }

    /// Returns the name of the ultra-strong file of `sector` under `rules`, which also ranks draws.
    ///
    /// # Errors
    /// Returns the same errors as [`FileName::strong`].
    pub fn ultra(rules: &Rules, sector: Sector) -> Result<Self> {
        Self::new(rules, sector, Kind::Ultra)
    }

    /// Returns the name of the file of the given kind of `sector` under `rules`.
    ///
    /// # Errors
    /// Returns the same errors as [`FileName::strong`].
    pub fn new(rules: &Rules, sector: Sector, kind: Kind) -> Result<Self> {
        let name = Self { variant: Variant::of(rules)?, sector, kind };
        name.check_sector(rules)?;
        Ok(name)
    }

    /// Parses the last component of `path`.
    ///
    /// # Errors
    /// Returns [`Error::Malformed`] with the form of a name.
    pub fn of(path: &Path) -> Result<Self> {
        path.file_name().and_then(|name| Self::parse(name.to_str()?)).ok_or_else(|| {
Error::Malformed {
                what: "the name of a sector file",
                text: path.display().to_string(),
                form: "the form is VARIANT_W_B_WF_BF.sec or .sec2, where VARIANT is std, lask or mora, and the \
                    numbers, up to 12, are the stones of the side to move and of the other side on the board, \
                    then in hand",
            }
        })
    }

    fn parse(name: &str) -> Option<Self> {
        let (stem, extension) = name.split_once('.')?;
        let kind = match extension {
            "sec" => Kind::Strong,
            "sec2" => Kind::Ultra,
            _ => return None,
        };
        let mut parts = stem.split('_');
        let first = parts.next()?;
        let variant = Variant::ALL.into_iter().find(|variant| variant.name() == first)?;
        let numbers: Vec<u8> = parts.map(|part| part.parse().ok()).collect::<Option<_>>()?;
        let &[own, other, own_hand, other_hand] = numbers.as_slice() else { return None };
        let fits = |a: u8, b: u8| a.checked_add(b).is_some_and(|sum| sum <= MOST_STONES);
        let sector = Sector { own, other, own_hand, other_hand };
        (fits(own, own_hand) && fits(other, other_hand)).then_some(Self { variant, sector, kind })
    }

    /// Checks that there are positions in the sector.
    pub(super) fn check_sector(&self, rules: &Rules) -> Result<()> {
        let s = self.sector;
        let fits = |a: u8, b: u8| a.checked_add(b).is_some_and(|sum| sum <= MOST_STONES);
        if fits(s.own, s.own_hand) && fits(s.other, s.other_hand) && s.is_played(rules) {
            return Ok(());
        }
        let limits =
            format!("each side has 3 to {MOST_STONES} stones in all, and those on the board must fit");
        Err(Error::NoSuchSector { sector: s.to_string(), limits })
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sector { own, other, own_hand, other_hand } = self.sector;
        let extension = self.kind.extension();
        write!(f, "{}_{own}_{other}_{own_hand}_{other_hand}.{extension}", self.variant.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nerode_games::morris::Preset;

    #[test]
    fn names_are_read_back_and_others_refused() {
        for name in ["std_3_3_0_0.sec", "std_4_3_0_0.sec2", "lask_0_0_10_10.sec", "mora_12_12_0_0.sec2"] {
            assert_eq!(FileName::of(Path::new("some/where").join(name).as_path()).unwrap().to_string(), name);
        }
        for name in [
            "",
            "std",
            "std.sec",
            "std_3_3_0.sec",
            "std_3_3_0_0",
            "std_3_3_0_0.secval",
            "nine_3_3_0_0.sec",
            "std_3_3_0_0_0.sec",
            "std_3_3_-1_0.sec",
            "std_200_3_100_0.sec",
            "std_13_3_0_0.sec",
            "std_3_3_0_0.sec.tmp",
        ] {
            let refused = FileName::of(Path::new(name)).unwrap_err().to_string();
            assert!(refused.contains("VARIANT_W_B_WF_BF"), "{refused}");
        }
    }

    #[test]
    fn rules_have_one_variant_or_a_reason() {
        let rules = |name: &str| Preset::named(name).unwrap().rules();
        for (name, variant) in [
            ("nine", Variant::Std),
            ("lasker", Variant::Lask),
            ("morabaraba", Variant::Mora),
            ("eleven", Variant::Mora),
        ] {
            assert_eq!(Variant::of(&rules(name)).unwrap(), variant);
        }
        let reason = |rules: Rules| Variant::of(&rules).unwrap_err().to_string();
        assert!(reason(rules("six")).contains("24 points"));
        assert!(reason(Rules { capture: Capture::Protected, ..rules("nine") }).contains("capture=protected"));
        assert!(reason(Rules { take: 2, ..rules("nine") }).contains("two stones"));
        assert!(reason(Rules { fly: false, ..rules("nine") }).contains("never fly"));
        assert!(reason(Rules { phases: Phases::Mixed, ..rules("morabaraba") }).contains("mixed phases"));
    }
}
