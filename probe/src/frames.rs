//! Decompression of the zstd frames of automata, in Rust alone.

use std::io::{self, Read};

use ruzstd::decoding::StreamingDecoder;

/// Decompresses the frame at the beginning of `bytes`; see [`nerode_dfa::Decompress`].
pub(crate) fn decompress(bytes: &[u8], most: u64) -> io::Result<(Vec<u8>, &[u8])> {
    let mut rest = bytes;
    let mut contents = Vec::new();
    let decoder = StreamingDecoder::new(&mut rest).map_err(io::Error::other)?;
    decoder.take(most).read_to_end(&mut contents)?;
    Ok((contents, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_after_a_frame_remain() {
        let frame: Vec<u8> = [&raw_frame(b"abc")[..], b"rest"].concat();
        assert_eq!(decompress(&frame, 4).unwrap(), (b"abc".to_vec(), &b"rest"[..]));
        assert_eq!(decompress(&frame, 2).unwrap().0, b"ab");
        for len in 0..raw_frame(b"abc").len() {
            assert!(decompress(&frame[..len], 4).is_err(), "{len} bytes");
        }
    }

    /// Returns a frame with one block that is not compressed.
    fn raw_frame(contents: &[u8]) -> Vec<u8> {
        let header = [0x28, 0xb5, 0x2f, 0xfd, 0x20, contents.len() as u8];
        let block = ((contents.len() as u32) << 3 | 1).to_le_bytes();
        [&header[..], &block[..3], contents].concat()
    }
}
