//! Input in blocks of complete lines, as they arrive.
//!
//! Only the beginning of an overlong line is stored, so that memory is bounded for any input.

use std::io::{ErrorKind, Read, Result};

/// The maximum number of bytes that are read at once.
const BLOCK_BYTES: usize = 1 << 18;
/// The maximum length of a line in bytes. Positions have a few dozen.
pub(super) const LINE_BYTES: usize = 1 << 16;

/// An input, with the beginning of a line that has not arrived completely.
pub(super) struct Blocks<R> {
    input: R,
    held: Vec<u8>,
    /// Whether the input is skipped up to the end of the line.
    skips: bool,
}

impl<R: Read> Blocks<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, held: Vec::new(), skips: false }
    }

    /// Returns the complete lines that are available. Waits until there is at least one, and returns nothing at the
    /// end. An overlong line may be cut off after `LINE_BYTES` bytes and one more.
    ///
    /// # Errors
    /// Returns an error if the input cannot be read.
    pub(super) fn next_block(&mut self) -> Result<Vec<u8>> {
        loop {
            let before = self.held.len();
            self.held.resize(before + BLOCK_BYTES, 0);
            let read = self.input.read(&mut self.held[before..]);
            self.held.truncate(before + *read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) => return Ok(std::mem::take(&mut self.held)),
                Ok(_) => {}
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(e) => return Err(e),
            }
            self.skip_from(before);
            let end = self.held[before..].iter().rposition(|&byte| byte == b'\n');
            if let Some(end) = end {
                let rest = self.held.split_off(before + end + 1);
                return Ok(std::mem::replace(&mut self.held, rest));
            }
            if self.held.len() > LINE_BYTES {
                self.held.truncate(LINE_BYTES + 1);
                self.skips = true;
            }
        }
    }

    /// Drops the input from `before` to the end of the line while the remainder of a line is being skipped.
    fn skip_from(&mut self, before: usize) {
        if !self.skips {
            return;
        }
        match self.held[before..].iter().position(|&byte| byte == b'\n') {
            Some(end) => {
                self.held.drain(before..before + end);
                self.skips = false;
            }
            None => self.held.truncate(before),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that returns one of its parts per call.
    struct Parts(Vec<&'static str>);

    impl Read for Parts {
        fn read(&mut self, into: &mut [u8]) -> Result<usize> {
            let Some(part) = (!self.0.is_empty()).then(|| self.0.remove(0)) else { return Ok(0) };
            into[..part.len()].copy_from_slice(part.as_bytes());
            Ok(part.len())
        }
    }

    fn blocks(parts: &[&'static str]) -> Vec<String> {
        let mut blocks = Blocks::new(Parts(parts.to_vec()));
        let next =
            || Some(String::from_utf8(blocks.next_block().unwrap()).unwrap()).filter(|b| !b.is_empty());
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn lines_come_as_soon_as_they_are_whole() {
        assert_eq!(blocks(&["a\nb", "c", "d\n", "e\nf\ng"]), ["a\n", "bcd\n", "e\nf\n", "g"]);
        assert_eq!(blocks(&["\n", "\r\n"]), ["\n", "\r\n"]);
        assert_eq!(blocks(&[]), Vec::<String>::new());
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_off_and_what_follows_is_not() {
        let long = "x".repeat(3 * BLOCK_BYTES) + "\na\n";
        let mut blocks = Blocks::new(long.as_bytes());
        assert_eq!(blocks.next_block().unwrap(), ("x".repeat(LINE_BYTES + 1) + "\na\n").as_bytes());
        assert!(blocks.next_block().unwrap().is_empty());
        // The end of the input also ends the line, and memory does not grow with it.
        let mut blocks = Blocks::new(std::io::repeat(b'x').take(20 * BLOCK_BYTES as u64));
        let block = blocks.next_block().unwrap();
        assert_eq!(block.len(), LINE_BYTES + 1);
        assert!(block.capacity() <= 4 * BLOCK_BYTES);
        assert!(blocks.next_block().unwrap().is_empty());
    }
}
