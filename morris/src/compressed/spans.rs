//! [`Spans`]: the positions of the edges of every stage, stored in half the bytes for small automata.
//!
//! Invariant: both representations return the spans that were stored.

/// The position of the edges of a stage, or of those with or without a stone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The mark of the first edge.
    pub(super) start: u32,
    /// The number added, modulo 2^32, to the number of earlier new edges to get the destination state.
    pub(super) bias: u32,
    /// The position, modulo 2^32, that the first pointer of the whole automaton would have if all pointers had this
    /// width.
    pub(super) pointers: u32,
    /// The number of bits of a pointer.
    pub(super) width: u8,
}

impl Span {
    /// Returns the number, among all edges, of the edge with the number `edge` in this span.
    #[inline]
    pub(super) fn edge(&self, edge: u32) -> u64 {
        u64::from(self.start) + u64::from(edge)
    }

    /// Returns the bit position of a pointer of this span, given the number of all pointers before it.
    #[inline]
    pub(super) fn pointer(&self, before: u32) -> u32 {
        self.pointers.wrapping_add(before.wrapping_mul(self.width.into()))
    }
}

/// The edges of the states of a stage: without a stone on the next point, and with one.
pub(super) type Stage = [Span; 2];

/// A span whose numbers fit into 16 bits, the last two of them signed.
#[derive(Clone, Copy, Debug)]
struct Narrow {
    start: u16,
    bias: i16,
    pointers: i16,
    width: u8,
}

impl Narrow {
    fn of(span: &Span) -> Option<Self> {
        let signed = |number: u32| i16::try_from(number.cast_signed()).ok();
        let (start, bias) = (u16::try_from(span.start).ok()?, signed(span.bias)?);
        Some(Self { start, bias, pointers: signed(span.pointers)?, width: span.width })
    }

    #[inline]
    fn wide(self) -> Span {
        let unsigned = |number: i16| i32::from(number).cast_unsigned();
        let (bias, pointers) = (unsigned(self.bias), unsigned(self.pointers));
        Span { start: self.start.into(), bias, pointers, width: self.width }
    }
}

/// The spans of all stages. Small automata have many stages relative to their edges, so that halving the size of a span
/// is worthwhile.
#[derive(Clone, Debug)]
pub(super) struct Spans {
    /// The number of stages in a layer.
    per_layer: usize,
    layout: Layout,
}

#[derive(Clone, Debug)]
enum Layout {
    Narrow(Vec<[Narrow; 2]>),
    Wide(Vec<Stage>),
}

impl Spans {
    /// Stores `stages`, by layer and by stones. Every layer must have the same number of stages.
    pub(super) fn new(stages: &[Vec<Stage>]) -> Self {
        let per_layer = stages.first().map_or(0, Vec::len);
        let narrow = |stage: &Stage| Some([Narrow::of(&stage[0])?, Narrow::of(&stage[1])?]);
        let layout = match stages.iter().flatten().map(narrow).collect() {
            Some(narrow) => Layout::Narrow(narrow),
            None => Layout::Wide(stages.concat()),
        };
        Self { per_layer, layout }
    }

    /// Returns the edges of the stage with `stones` stones in `layer`, with a stone on the next point (1) or without
    /// one (0).
    #[inline]
    pub(super) fn get(&self, layer: usize, stones: usize, stone: usize) -> Span {
        let at = layer * self.per_layer + stones;
        match &self.layout {
            Layout::Narrow(spans) => spans[at][stone].wide(),
            Layout::Wide(spans) => spans[at][stone],
        }
    }

    /// Returns the number of bytes in memory.
    #[cfg(feature = "solve")]
    pub(super) fn bytes(&self) -> u64 {
        let bytes = match &self.layout {
            Layout::Narrow(spans) => size_of_val(spans.as_slice()),
            Layout::Wide(spans) => size_of_val(spans.as_slice()),
        };
        bytes as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: u32, bias: i32, pointers: i32) -> Span {
        Span { start, bias: bias.cast_unsigned(), pointers: pointers.cast_unsigned(), width: 7 }
    }

    #[test]
    fn spans_come_back_from_either_width() {
        let small = [span(0, -7, -32_768), span(65_535, 32_767, 0)];
        let cases =
            [span(65_536, 0, 0), span(0, 32_768, 0), span(0, 0, -32_769), span(u32::MAX, -1, i32::MAX)];
        let layers = |large| vec![vec![small, small], vec![small, [large, small[1]]]];
        let narrow = Spans::new(&layers(small[0]));
        assert_eq!(narrow.bytes(), 4 * 16);
        assert_eq!((narrow.get(0, 0, 0), narrow.get(1, 1, 1)), (small[0], small[1]));
        for large in cases {
            let wide = Spans::new(&layers(large));
            assert_eq!(wide.bytes(), 4 * 32, "{large:?}");
            assert_eq!((wide.get(1, 1, 0), wide.get(0, 1, 1)), (large, small[1]));
        }
    }
}
