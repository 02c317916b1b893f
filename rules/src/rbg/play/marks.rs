//! Tracks the (place, square) pairs that a path has visited since its last change.

/// Marks, organised in frames. Every change of a move and every pattern opens a frame, and closes it when it ends.
#[derive(Debug)]
pub(super) struct Marks {
    /// The stamp of the frame that last set a mark, by frame and by (join, square).
    frames: Vec<Vec<u32>>,
    stamps: Vec<u32>,
    last_stamp: u32,
    slots: usize,
    most: usize,
}

/// The maximum number of bytes of all frames together, and the maximum number of frames.
const BYTES: usize = 256 << 20;
const FRAMES: usize = 4000;

impl Marks {
    /// Creates marks with the given number of (join, square) slots in each frame.
    pub(super) fn new(slots: usize) -> Self {
        let most = (BYTES / (4 * slots.max(1))).clamp(64, FRAMES);
        Self { frames: Vec::new(), stamps: Vec::new(), last_stamp: 0, slots, most }
    }

    /// Opens an empty frame. Returns `false` if there are too many frames.
    pub(super) fn open(&mut self) -> bool {
        if self.stamps.is_empty() && self.last_stamp > u32::MAX / 2 {
            self.frames.clear();
            self.last_stamp = 0;
        }
        if self.stamps.len() >= self.most || self.last_stamp == u32::MAX {
            return false;
        }
        self.last_stamp += 1;
        self.stamps.push(self.last_stamp);
        while self.frames.len() < self.stamps.len() {
            self.frames.push(vec![0; self.slots]);
        }
        true
    }

    pub(super) fn close(&mut self) {
        self.stamps.pop();
    }

    /// Closes all frames except the first `depth`.
    pub(super) fn close_to(&mut self, depth: usize) {
        self.stamps.truncate(depth);
    }

    pub(super) fn depth(&self) -> usize {
        self.stamps.len()
    }

    /// Marks a slot of the last frame. Returns `true` if it was unmarked before.
    pub(super) fn mark(&mut self, slot: usize) -> bool {
        let Some(depth) = self.stamps.len().checked_sub(1) else { return true };
        let (old, stamp) = (&mut self.frames[depth][slot], self.stamps[depth]);
        let new = *old != stamp;
        *old = stamp;
        new
    }

    /// Returns the maximum number of open frames.
    pub(super) fn most(&self) -> usize {
        self.most
    }
}
