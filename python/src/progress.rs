//! Progress reports to a function of the caller, and the memory that it allows.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;

use nerode::Options;
use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::errors::raised;
use crate::pool::watched;
use crate::whole::whole;

/// The function of the caller that is called with progress reports, if there is one.
#[derive(Default)]
pub struct Listener(Option<Py<PyAny>>);

impl Listener {
    /// Reads the argument `progress`: a function, or true for a progress bar with this title.
    pub fn new(py: Python<'_>, progress: Option<&Bound<'_, PyAny>>, title: &str) -> PyResult<Self> {
        Ok(Self(match progress {
            Some(given) if given.is_callable() => Some(given.clone().unbind()),
            Some(given) if given.is_truthy()? => {
                Some(py.import("nerode._progress")?.call_method1("bar", (title,))?.unbind())
            }
            _ => None,
        }))
    }

    /// Calls the function with a report, which is an object of the named class.
    pub fn tell<'py>(&self, py: Python<'py>, class: &str, parts: impl PyCallArgs<'py>) -> PyResult<()> {
        let Some(function) = &self.0 else { return Ok(()) };
        let report = py.import("nerode._progress")?.getattr(class)?.call1(parts)?;
        function.bind(py).call1((report,)).map(|_| ())
    }

    /// Ends the progress bar.
    pub fn close(&self, py: Python<'_>) -> PyResult<()> {
        match &self.0 {
            Some(function) if function.bind(py).hasattr("close")? => {
                function.bind(py).call_method0("close").map(|_| ())
            }
            _ => Ok(()),
        }
    }

    /// Does `work` and calls `tell` with every message that it sends. The progress bar ends with the work.
    ///
    /// # Errors
    /// Returns an exception in `tell`, which stops the work, and errors of `work` as exceptions.
    pub fn during<T: Send, M: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(Arc<AtomicBool>, Sender<M>) -> nerode::Result<T> + Send,
        tell: impl FnMut(M) -> PyResult<()>,
    ) -> PyResult<T> {
        let done = watched(py, work, tell);
        self.close(py)?;
        done?.map_err(|error| raised(py, error))
    }
}

/// Reads a number of bytes: a number, or a text such as `4GiB`.
pub fn bytes_of(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    let Ok(text) = given.cast::<PyString>() else { return whole(given) };
    let text = text.to_cow()?;
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let powers = [("", 0), ("B", 0), ("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40)];
    let unit = powers.iter().find(|(name, _)| *name == text[digits..].trim());
    let number = text[..digits].parse::<u64>().ok();
    let bytes = number.zip(unit).and_then(|(number, (_, power))| number.checked_mul(1 << power));
    bytes.ok_or_else(|| {
        PyValueError::new_err(format!(
            "unexpected memory '{text}': use a number of bytes, or a string such as '4GiB'"
        ))
    })
}

/// Reads a number of bytes or `None`.
pub fn bytes_or_none(given: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    if given.is_none() { Ok(None) } else { bytes_of(given).map(Some) }
}

/// Returns options that `stop` interrupts, and under which the process grows by at most `memory` bytes.
pub fn options<'a>(memory: Option<u64>, stop: Arc<AtomicBool>) -> Options<'a> {
    let options = Options::default().interrupt(stop);
    match memory {
        Some(bytes) => options.memory_cap(bytes),
        None => options,
    }
}
