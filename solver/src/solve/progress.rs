//! Progress reports of a solve.

/// A progress report about a finished ply.
#[derive(Clone, Debug)]
pub struct PlyDone {
    /// The phase of the solve: `retrograde`, `forward` or `back up`.
    pub phase: &'static str,
    /// The ply i.
    pub ply: u32,
    /// The total number of states of the sets of this ply.
    pub states: u64,
    /// The number of positions that have a value now, or that are reachable at this ply.
    pub positions: u128,
    /// The number of bytes held by the engine.
    pub bytes: u64,
}

/// An observer that is called after every ply by the thread that has written it.
pub type Watch<'a> = &'a mut (dyn FnMut(&PlyDone) + Send);
