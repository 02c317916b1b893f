//! JSON documents that carry their own digest: the manifests of runs and of values folders.
//!
//! Invariant: a document that [`check`] accepts has the contents that [`text`] was given; only its white space may differ.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Error, Result as LibraryResult};

/// Name of the field that holds the digest of the others.
const DIGEST: &str = "blake3";

/// The digest of a document without one. Cost: one pass.
///
/// # Errors
/// What the serialiser says of a value that JSON cannot hold.
pub(crate) fn digest<T: Serialize>(document: &T) -> serde_json::Result<String> {
    // A value first: its keys are in alphabetical order, whatever the order of the fields.
    let value = serde_json::to_value(document)?;
    Ok(blake3::hash(&serde_json::to_vec(&value)?).to_hex().to_string())
}

/// The document as text, with its digest.
///
/// # Errors
/// As [`digest`].
pub(crate) fn text<T: Serialize>(document: &T) -> serde_json::Result<Vec<u8>> {
    let mut value = serde_json::to_value(document)?;
    let digest = digest(&value)?;
    if let Some(fields) = value.as_object_mut() {
        fields.insert(DIGEST.into(), digest.into());
    }
    let mut text = serde_json::to_vec_pretty(&value)?;
    text.push(b'\n');
    Ok(text)
}

/// Takes the digest out of a document and compares it with the rest.
///
/// # Errors
/// Why the document is not what was written.
pub(crate) fn check(value: &mut Value) -> Result<(), String> {
    let stored = value.as_object_mut().and_then(|fields| fields.remove(DIGEST));
    let found = digest(value).map_err(|e| e.to_string())?;
    match stored {
        Some(d) if d.as_str() == Some(found.as_str()) => Ok(()),
        _ => Err("its contents do not match its digest: the file was changed".into()),
    }
}

/// The document that `text`, the contents of `path`, holds, if it has the version `supported` and its own digest.
///
/// # Errors
/// [`Error::WrongVersion`]; [`Error::Corrupt`].
pub(crate) fn read<T: DeserializeOwned>(text: &[u8], path: &Path, supported: u32) -> LibraryResult<T> {
    let corrupt = |reason: String| Error::corrupt(path, reason);
    let mut value: Value = serde_json::from_slice(text).map_err(|e| corrupt(e.to_string()))?;
    match value.get("format_version").and_then(Value::as_u64) {
        Some(found) if found != u64::from(supported) => {
            let found = u32::try_from(found).unwrap_or(u32::MAX);
            return Err(Error::WrongVersion { path: path.into(), found, supported });
        }
        _ => check(&mut value).map_err(corrupt)?,
    }
    serde_json::from_value(value).map_err(|e| corrupt(e.to_string()))
}
