//! What a solve tells whoever watches it.

/// One finished ply, for whoever watches.
#[derive(Clone, Debug)]
pub struct PlyDone {
    /// What was computed: `retrograde`, `forward` or `back up`.
    pub phase: &'static str,
    /// i.
    pub ply: u32,
    /// States of the sets of this ply together.
    pub states: u64,
    /// Positions that have a value now, or that are reachable at this ply.
    pub positions: u128,
    /// Bytes held by the engine.
    pub bytes: u64,
}

/// Called after every ply, by whichever thread has written it.
pub type Watch<'a> = &'a mut (dyn FnMut(&PlyDone) + Send);
