//! Files as a fuzzer can change them: without digest, with zstd frames unpacked; and back.

use serde_json::Value;

/// How a file is put together around what a fuzzer changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Bytes, then their digest.
    Plain,
    /// Layers of symbols in zstd frames and low bits, behind a head of so many numbers after the alphabets.
    Layers,
    /// A header with its length, one zstd frame, its length, digest.
    Sector,
    /// A header with its length, the length of one zstd frame, the frame, digest.
    Ranks,
    /// JSON with its digest inside.
    Json,
}

impl Form {
    /// Of the file called `name`.
    pub fn of(name: &str) -> Self {
        match name.rsplit('.').next() {
            Some("dfa" | "map") => Self::Layers,
            Some("sector") => Self::Sector,
            Some("ranks") => Self::Ranks,
            Some("json") => Self::Json,
            _ => Self::Plain,
        }
    }

    /// The file.
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

    /// What [`Form::sealed`] makes the file `closed` of.
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

/// Where the header ends whose length is in bytes 12 to 15.
fn header_end(bytes: &[u8]) -> usize {
    number(bytes, 12).map_or(bytes.len(), |length| length.saturating_add(16)).min(bytes.len())
}

/// Every first counted part of a layer as `change` makes it; what does not fit the format stays as it is.
fn layers(bytes: &[u8], change: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Vec<u8> {
    let mut out = Vec::new();
    let rest = walk(bytes, &mut out, change).unwrap_or_default();
    out.extend_from_slice(&bytes[bytes.len() - rest..]);
    out
}

/// Writes all layers that are whole; the number of bytes that are left.
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

/// A manifest with its digest in it; what is no object stays as it is.
pub fn sealed_json(text: &[u8]) -> Vec<u8> {
    let Ok(Value::Object(mut fields)) = serde_json::from_slice(text) else { return text.to_vec() };
    fields.remove("blake3");
    let digest = blake3::hash(Value::Object(fields.clone()).to_string().as_bytes());
    fields.insert("blake3".into(), digest.to_hex().to_string().into());
    Value::Object(fields).to_string().into_bytes()
}

/// A manifest that names a file by the digest `from`, made to name it by the digest and length of `to`.
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
