//! Exact counts, which documents contain as strings of decimal digits.

use std::borrow::Cow;
use std::iter::Sum;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

use nerode_solver::archive::decimal::Decimal;

/// An exact count. It is a string in JSON, because many readers parse numbers as floats, which are exact only up to
/// 2^53.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::cli) struct Count(pub(in crate::cli) u128);

impl From<u64> for Count {
    fn from(count: u64) -> Self {
        Self(count.into())
    }
}

impl From<u128> for Count {
    fn from(count: u128) -> Self {
        Self(count)
    }
}

impl Sum for Count {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        Self(counts.map(|count| count.0).sum())
    }
}

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Decimal::serialize(&self.0, to)
    }
}

impl JsonSchema for Count {
    fn schema_name() -> Cow<'static, str> {
        Decimal::schema_name()
    }

    fn inline_schema() -> bool {
        Decimal::inline_schema()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Decimal::json_schema(generator)
    }
}
