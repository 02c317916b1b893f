//! Counts as decimal strings in JSON, because many readers parse JSON numbers as floats, which are exact only up to
//! 2^53.

use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serializer};

/// The form of a field with `#[serde(with = "Decimal")]`: a count as a string of decimal digits.
pub enum Decimal {}

impl Decimal {
    /// Writes a count as a string.
    pub fn serialize<T: Display, S: Serializer>(count: &T, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(count)
    }

    /// Reads a count from a string.
    pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Decimal {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Decimal".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[0-9]+$" })
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    #[derive(serde::Serialize, serde::Deserialize, Debug, PartialEq)]
    struct Counted {
        #[serde(with = "Decimal")]
        positions: u128,
    }

    #[test]
    fn counts_are_strings_and_come_back() {
        let most = Counted { positions: u128::MAX };
        let text = serde_json::to_string(&most).unwrap();
        assert_eq!(text, format!("{{\"positions\":\"{}\"}}", u128::MAX));
        assert_eq!(serde_json::from_str::<Counted>(&text).unwrap(), most);
        for wrong in ["\"-1\"", "\"\"", "\"1e3\"", "1", "\"340282366920938463463374607431768211456\""] {
            assert!(
                serde_json::from_str::<Counted>(&format!("{{\"positions\":{wrong}}}")).is_err(),
                "{wrong}"
            );
        }
    }
}
