//! [`Spans`]: where the edges of every stage are. Small automata hold them in half the bytes.
//!
//! Invariant: what was given is what is got, whichever way it is held.

/// Where the edges of a stage, or those with or without a stone, are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    /// Mark of the first edge.
    pub(super) start: u32,
    /// What is added, modulo 2^32, to the number of new edges before to get the state led to.
    pub(super) bias: u32,
    /// Where the first pointer of the whole automaton would be, modulo 2^32, if all had this width.
    pub(super) pointers: u32,
    /// Bits of what is written out.
    pub(super) width: u8,
}

/// Edges of the states of a stage: without a stone on the next point, and with one.
pub(super) type Stage = [Span; 2];

/// A span whose numbers fit 16 bits, the last two with their sign.
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

/// The spans of all stages. Small automata have many stages for their edges, so that half the bytes of a span count.
#[derive(Clone, Debug)]
pub(super) struct Spans {
    /// Stages of a layer.
    per_layer: usize,
    held: Held,
}

#[derive(Clone, Debug)]
enum Held {
    Narrow(Vec<[Narrow; 2]>),
    Wide(Vec<Stage>),
}

impl Spans {
    /// Those of `stages`, by layer and by stones, as many in every layer.
    pub(super) fn new(stages: &[Vec<Stage>]) -> Self {
        let per_layer = stages.first().map_or(0, Vec::len);
        let narrow = |stage: &Stage| Some([Narrow::of(&stage[0])?, Narrow::of(&stage[1])?]);
        let held = match stages.iter().flatten().map(narrow).collect() {
            Some(narrow) => Held::Narrow(narrow),
            None => Held::Wide(stages.concat()),
        };
        Self { per_layer, held }
    }

    /// The edges of the stage with these stones in `layer`, with a stone on the next point (1) or without (0).
    #[inline]
    pub(super) fn get(&self, layer: usize, stones: usize, stone: usize) -> Span {
        let at = layer * self.per_layer + stones;
        match &self.held {
            Held::Narrow(spans) => spans[at][stone].wide(),
            Held::Wide(spans) => spans[at][stone],
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        let bytes = match &self.held {
            Held::Narrow(spans) => size_of_val(spans.as_slice()),
            Held::Wide(spans) => size_of_val(spans.as_slice()),
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
