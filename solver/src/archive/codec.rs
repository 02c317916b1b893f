//! Binary encoding of small headers. This is the only module that depends on the serialiser and its configuration, so
//! that replacing the serialiser requires only a change here and a new format version.
//!
//! Invariants: integers are fixed-width and little-endian, so a value has the same encoding on every machine. At most
//! [`MAX_BYTES`] are read or allocated for a value, regardless of the lengths that the bytes claim.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The maximum number of bytes of an encoded header.
pub const MAX_BYTES: usize = 1 << 20;

/// An error for a header that cannot be encoded or decoded.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct CodecError(String);

fn config() -> impl bincode::config::Config {
    bincode::config::standard().with_little_endian().with_fixed_int_encoding().with_limit::<MAX_BYTES>()
}

/// Encodes `value`.
///
/// *Cost*: linear in the number of bytes.
///
/// # Errors
/// Returns an error if the encoding exceeds [`MAX_BYTES`].
///
/// # Examples
/// ```
/// use nerode_solver::archive::codec;
/// let bytes = codec::encode(&(7u32, "nim:3x7".to_string()))?;
/// assert_eq!(codec::decode::<(u32, String)>(&bytes)?, (7, "nim:3x7".to_string()));
/// # Ok::<(), codec::CodecError>(())
/// ```
pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, CodecError> {
    let bytes = bincode::serde::encode_to_vec(value, config())
        .map_err(|_| CodecError(format!("its header does not fit in {MAX_BYTES} bytes")))?;
    if bytes.len() > MAX_BYTES {
        return Err(CodecError(format!(
            "its header has {} bytes, but at most {MAX_BYTES} are allowed",
            bytes.len()
        )));
    }
    Ok(bytes)
}

/// Decodes a value that was encoded by [`encode`].
///
/// *Cost*: linear in the number of bytes.
///
/// # Errors
/// Returns an error if the bytes are not exactly one encoded value, or are more than [`MAX_BYTES`].
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CodecError> {
    let (value, used) =
        bincode::serde::decode_from_slice(bytes, config()).map_err(|e| CodecError(reason(&e)))?;
    if used != bytes.len() {
        return Err(CodecError(format!("its header ends after {used} of its {} bytes", bytes.len())));
    }
    Ok(value)
}

/// Returns a readable message for bytes that are not a valid header.
fn reason(error: &bincode::error::DecodeError) -> String {
    match error {
        bincode::error::DecodeError::UnexpectedEnd { .. } => "its header is truncated".into(),
        bincode::error::DecodeError::LimitExceeded => {
            format!("its header claims more than {MAX_BYTES} bytes")
        }
        _ => "its header is damaged".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_described_in_words() {
        let bytes = encode(&(1_u32, "rules".to_string())).unwrap();
        let said = |bytes: &[u8]| decode::<(u32, String)>(bytes).unwrap_err().to_string();
        assert_eq!(said(&bytes[..bytes.len() - 1]), "its header is truncated");
        assert_eq!(
            said(&[0, 0, 0, 0, 255, 255, 255, 255, 255, 0, 0, 0]),
            "its header claims more than 1048576 bytes"
        );
    }

    #[test]
    fn layout_is_fixed_width_little_endian() {
        let bytes = encode(&(0x0102_u16, 3_u64, vec![5_u8], "a".to_string())).unwrap();
        let expected: &[u8] =
            &[2, 1, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5, 1, 0, 0, 0, 0, 0, 0, 0, b'a'];
        assert_eq!(bytes, expected);
    }

    #[test]
    fn every_prefix_and_every_extension_is_refused() {
        let value = (vec![1_u16, 2, 3], "rules".to_string());
        let mut bytes = encode(&value).unwrap();
        for len in 0..bytes.len() {
            assert!(decode::<(Vec<u16>, String)>(&bytes[..len]).is_err(), "prefix of {len}");
        }
        bytes.push(0);
        assert!(decode::<(Vec<u16>, String)>(&bytes).is_err());
    }

    #[test]
    fn a_claimed_length_beyond_the_limit_is_refused_without_allocating_it() {
        let bytes = u64::MAX.to_le_bytes();
        assert!(decode::<Vec<u8>>(&bytes).is_err());
        assert!(decode::<String>(&(1_u64 << 40).to_le_bytes()).is_err());
        assert!(encode(&vec![0_u8; MAX_BYTES]).is_err());
    }
}
