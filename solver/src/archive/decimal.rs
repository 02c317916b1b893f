//! Serialises counts as decimal strings in JSON, because many readers parse JSON numbers as floats, which are exact
//! only up to 2^53.
//!
//! Intended for fields with `#[serde(with = "crate::archive::decimal")]`.

use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serializer};

/// Writes a count as a string.
pub fn serialize<T: Display, S: Serializer>(count: &T, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(count)
}

/// Reads a count from a string.
pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    #[derive(serde::Serialize, serde::Deserialize, Debug, PartialEq)]
    struct Counted {
        #[serde(with = "super")]
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
