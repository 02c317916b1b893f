//! Reads whole numbers and lists from Python, with error messages that name the invalid argument.

use std::fmt::Display;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString};

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

/// Reads a list with `read`. A string is refused, because it would be taken for the list of its characters. `what` describes the
/// items in error messages.
pub fn list_of<'py, T>(
    name: &str,
    what: &str,
    given: &Bound<'py, PyAny>,
    read: impl Fn(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    let wrong = || match given.repr() {
        Ok(text) => PyTypeError::new_err(format!("{name} must be a list of {what}, and {text} is not")),
        Err(error) => error,
    };
    if given.is_instance_of::<PyString>() || given.is_instance_of::<PyBytes>() {
        return Err(wrong());
    }
    let items = given.try_iter().map_err(|_| wrong())?;
    items.map(|item| read(&item?).map_err(|_| wrong())).collect()
}

/// Reads a list of texts.
pub fn texts_of(name: &str, what: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    list_of(name, what, given, |item| item.extract())
}

/// Reads a list of the numbers of layers.
pub fn layers_of(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    list_of(name, "numbers of layers", given, whole)
}
