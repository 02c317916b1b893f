//! Whole numbers from Python, refused in words that name what was given.

use std::fmt::Display;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyInt;

/// A whole number from 0 to the greatest that a `T` holds.
pub struct Whole<T>(pub T);

/// Numbers without a sign.
pub trait Unsigned: for<'a, 'py> FromPyObject<'a, 'py> {
    /// The greatest.
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

impl<T: Unsigned + Display> FromPyObject<'_, '_> for Whole<T> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(number) = given.extract::<T>() {
            return Ok(Self(number));
        }
        let message = format!("{} is not a whole number from 0 to {}", given.repr()?, T::MOST);
        Err(match given.cast::<PyInt>() {
            Ok(_) => PyValueError::new_err(message),
            Err(_) => PyTypeError::new_err(message),
        })
    }
}
