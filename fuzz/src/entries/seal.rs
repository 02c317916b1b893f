//! Converts files to a form that a fuzzer can change, without the digest and with zstd frames decompressed, and back.

use serde_json::Value;

/// The file structure around the bytes that a fuzzer changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The bytes, then their digest.
    Plain,
    /// A head with the alphabets and a few numbers, then layers, each as symbols in a zstd frame and low bits.
    Layers,
    /// A header with its length, a zstd frame, the length of the frame, and the digest.
    Sector,
    /// A header with its length, the length of a zstd frame, the frame, and the digest.
    Ranks,
    /// JSON that contains its own digest.
    Json,
}

impl Form {
    /// Returns the form of the file with the given name.
    pub fn of(name: &str) -> Self {
        match name.rsplit('.').next() {
            Some("dfa" | "map") => Self::Layers,
            Some("sector") => Self::Sector,
            Some("ranks") => Self::Ranks,
            Some("json") => Self::Json,
            _ => Self::Plain,
        }
    }

    /// Returns the file for an opened form.
    pub fn sealed(self, open: &[u8]) -> Vec<u8> {
        let body = match self {
            Self::Json => return sealed_json(open),
            Self::Plain => open.to_vec(),
            Self::Layers => layers(open, |part| zstd::bulk::compress(part, 1).ok()),
            Self::Sector | Self::Ranks => {
                let (head, blocks) = open.split_at(header_end(open));
                let frame = zstd::bulk::compress(blocks, 1).unwrap_or_default();
                let length = (frame.len() as u32).to_le_bytes();
                let parts = if self == Self::Sector { [&frame[..], &length] } else { [&length[..], &frame] };
                [head, parts[0], parts[1]].concat()
            }
        };
        let digest = blake3::hash(&body);
        [&body[..], digest.as_bytes()].concat()
    }

    /// Returns the opened form from which [`Form::sealed`] produces the file `closed`.
    pub fn opened(self, closed: &[u8]) -> Vec<u8> {
        if self == Self::Json {
            return closed.to_vec();
        }
        let body = &closed[..closed.len() - 32];
        let unpacked = |frame: &[u8]| zstd::bulk::decompress(frame, 1 << 20).ok();
        match self {
            Self::Layers => layers(body, unpacked),
            Self::Sector | Self::Ranks => {
                let (head, blocks) = body.split_at(header_end(body));
                let end = blocks.len() - 4;
                let frame = if self == Self::Sector { &blocks[..end] } else { &blocks[4..] };
                [head, &unpacked(frame).unwrap_or_default()].concat()
            }
            _ => body.to_vec(),
        }
    }
}

fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    Some(u32::from_le_bytes(bytes) as usize)
}

/// Returns the end of the header, whose length is in bytes 12 to 15.
fn header_end(bytes: &[u8]) -> usize {
    number(bytes, 12).map_or(bytes.len(), |length| length.saturating_add(16)).min(bytes.len())
}

/// Applies `change` to the first counted part of every layer. Bytes that do not fit the format are left unchanged.
fn layers(bytes: &[u8], change: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Vec<u8> {
    let mut out = Vec::new();
    let rest = walk(bytes, &mut out, change).unwrap_or_default();
    out.extend_from_slice(&bytes[bytes.len() - rest..]);
    out
}

/// Writes all complete layers, and returns the number of remaining bytes.
fn walk(bytes: &[u8], out: &mut Vec<u8>, change: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Option<usize> {
    let num_layers = number(bytes, 12).filter(|&n| n <= 512).unwrap_or_default();
    let mut at = 16 + 2 * num_layers;
    if bytes.get(4..7) == Some(b"DVM") {
        at += 4 + 2 * number(bytes, at).filter(|&n| n <= 1 << 16).unwrap_or_default();
    }
    at = (at + 4).min(bytes.len());
    out.extend_from_slice(&bytes[..at]);
    for _ in 0..num_layers {
        let Some((states, length)) = number(bytes, at).zip(number(bytes, at + 4)) else { break };
        let Some(part) = bytes.get(at + 8..(at + 8).saturating_add(length)) else { break };
        let Some(part) = change(part) else { break };
        out.extend_from_slice(&(states as u32).to_le_bytes());
        out.extend_from_slice(&(part.len() as u32).to_le_bytes());
        out.extend_from_slice(&part);
        at += 8 + length;
        let low = number(bytes, at).and_then(|low| bytes.get(at..at.checked_add(4)?.checked_add(low)?));
        let Some(low) = low else { break };
        out.extend_from_slice(low);
        at += low.len();
    }
    Some(bytes.len() - at)
}

/// Returns a manifest with its digest inserted. Anything that is not an object is left unchanged.
pub fn sealed_json(text: &[u8]) -> Vec<u8> {
    let Ok(Value::Object(mut fields)) = serde_json::from_slice(text) else { return text.to_vec() };
    fields.remove("blake3");
    let digest = blake3::hash(Value::Object(fields.clone()).to_string().as_bytes());
    fields.insert("blake3".into(), digest.to_hex().to_string().into());
    Value::Object(fields).to_string().into_bytes()
}

/// Replaces the digest `from` of a file in a manifest by the digest and length of `to`.
pub fn renamed(manifest: &mut Value, from: &str, to: &[u8]) {
    match manifest {
        Value::Array(items) => items.iter_mut().for_each(|item| renamed(item, from, to)),
        Value::Object(fields) => {
            if fields.get("blake3").and_then(Value::as_str) == Some(from) {
                fields.insert("blake3".into(), blake3::hash(to).to_hex().to_string().into());
                fields.insert("bytes".into(), to.len().into());
            }
            fields.values_mut().for_each(|field| renamed(field, from, to));
        }
        _ => {}
    }
}
