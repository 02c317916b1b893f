//! Reads whole numbers from Python, with error messages that name the invalid argument.

use std::fmt::Display;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyInt;

/// The unsigned integer types.
pub trait Unsigned: for<'a, 'py> FromPyObject<'a, 'py> {
    /// The largest value.
    const MOST: Self;
}

impl Unsigned for u32 {
    const MOST: Self = Self::MAX;
}

impl Unsigned for u64 {
    const MOST: Self = Self::MAX;
}

impl Unsigned for usize {
    const MOST: Self = Self::MAX;
}

/// Reads a whole number from 0 to the largest value of `T`.
pub fn whole<T: Unsigned + Display>(given: &Bound<'_, PyAny>) -> PyResult<T> {
    if let Ok(number) = given.extract::<T>() {
        return Ok(number);
    }
    let message = format!("{} is not a whole number from 0 to {}", given.repr()?, T::MOST);
    Err(match given.cast::<PyInt>() {
        Ok(_) => PyValueError::new_err(message),
        Err(_) => PyTypeError::new_err(message),
    })
}

/// Reads a whole number or `None`.
pub fn whole_or_none<T: Unsigned + Display>(given: &Bound<'_, PyAny>) -> PyResult<Option<T>> {
    if given.is_none() { Ok(None) } else { whole(given).map(Some) }
}
