//! Which (place, square) a path has come by since its last change.

/// Marks in frames: every change of a move and every pattern opens one, and closes it in the end.
#[derive(Debug)]
pub(super) struct Marks {
    /// By frame, by (join, square): the stamp of the frame that marked it last.
    frames: Vec<Vec<u32>>,
    stamps: Vec<u32>,
    last_stamp: u32,
    slots: usize,
    most: usize,
}

/// Most bytes of all frames together, and most frames.
const BYTES: usize = 256 << 20;
const FRAMES: usize = 4000;

impl Marks {
    /// With room for that many (join, square) a frame.
    pub(super) fn new(slots: usize) -> Self {
        let most = (BYTES / (4 * slots.max(1))).clamp(64, FRAMES);
        Self { frames: Vec::new(), stamps: Vec::new(), last_stamp: 0, slots, most }
    }

    /// Opens a frame without marks; `false` where there are too many.
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

    /// Closes all but `depth` frames.
    pub(super) fn close_to(&mut self, depth: usize) {
        self.stamps.truncate(depth);
    }

    pub(super) fn depth(&self) -> usize {
        self.stamps.len()
    }

    /// Marks a slot of the last frame; whether it was not marked before.
    pub(super) fn mark(&mut self, slot: usize) -> bool {
        let Some(depth) = self.stamps.len().checked_sub(1) else { return true };
        let (old, stamp) = (&mut self.frames[depth][slot], self.stamps[depth]);
        let new = *old != stamp;
        *old = stamp;
        new
    }

    /// Most frames that can be open.
    pub(super) fn most(&self) -> usize {
        self.most
    }
}
