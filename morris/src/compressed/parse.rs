//! Parses the bytes of a sector automaton's file, see [`super::file`].

use nerode_dfa::Cursor;

#[cfg(feature = "solve")]
use super::automaton::Arrays;
use super::automaton::{Outline, RowSpan, row_places};
use super::bits::width_of;
#[cfg(feature = "solve")]
use super::bits::{Bits, Marks};
#[cfg(feature = "solve")]
use super::blocks::{EdgeBlock, Page, words_of};
use super::blocks::{Layout, Parsed};
use super::header::{Header, Probe};
use super::shape::WordShape;
use super::spans::{Span, Spans, Stage};
use super::words::{PointOrder, RootSide};
use super::worth::{Detail, Worth};
use crate::tables::Sector;

fn flag(cursor: &mut Cursor<'_>) -> Parsed<bool> {
    match cursor.u8()? {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(format!("found {other}, expected 0 or 1")),
    }
}

/// The head of a file: all that precedes its pages.
pub(super) struct Head {
    pub(super) outline: Outline,
    pub(super) layout: Layout,
    /// The numbers of new edges and of pointers of each span.
    #[cfg(feature = "solve")]
    pub(super) counts: Vec<[u32; 2]>,
    /// The number of bits of all pointers.
    #[cfg(feature = "solve")]
    pub(super) pointer_bits: u64,
}

/// Parses the head, which begins after the version, and leaves `cursor` at the first page.
pub(super) fn head(cursor: &mut Cursor<'_>) -> Parsed<Head> {
    let mut outline = outline(cursor)?;
    let num_spans = 1 + 2 * outline.num_states.len() * outline.shape.stones;
    let counts: Vec<[u32; 2]> =
        (0..num_spans).map(|_| Ok([cursor.u32()?, cursor.u32()?])).collect::<nerode_dfa::Parsed<_>>()?;
    let laid = spans(&mut outline, &counts)?;
    let width = u64::from(outline.code_width());
    let rows = outline.row_spans.iter().map(|s| u64::from(s.len) * u64::from(s.count) * width);
    let row_bits = rows.fold(0u64, u64::saturating_add);
    let layout = Layout::parse(cursor, laid.start, row_bits)?;
    Ok(Head {
        outline,
        layout,
        #[cfg(feature = "solve")]
        counts,
        #[cfg(feature = "solve")]
        pointer_bits: laid.bits,
    })
}

/// Reads the edges and rows in the pages and blocks after a head. They need not be intact: a look-up may give any answer then,
/// but must not panic.
#[cfg(feature = "solve")]
pub(super) fn arrays(cursor: &mut Cursor<'_>, layout: &Layout, pointer_bits: u64) -> Parsed<Arrays> {
    let mut lengths = Vec::new();
    for number in 0..layout.num_pages() {
        let words = words_of(cursor.take(layout.page_bytes(number))?);
        let page = Page::of(&words, layout.blocks_in(number)).ok_or("a page has the wrong length")?;
        lengths.extend(page.lengths());
    }
    let mut planes = Vec::new();
    let mut pointers = Bits::default();
    // The pointers of a block, and the bit at which they begin, are known once the next block shows where they end.
    let mut pending = (Vec::new(), 0);
    let mut rows = Vec::new();
    for (number, len) in lengths.into_iter().enumerate() {
        let words = words_of(cursor.take(8 * len)?);
        let Some(num_edges) = layout.edges_in(number as u64) else {
            rows.extend(words);
            continue;
        };
        let block = EdgeBlock::of(&words, num_edges).ok_or("a block has the wrong length")?;
        append(&mut pointers, &pending, block.first_bit)?;
        planes.extend(block.planes);
        pending = (block.pointers.to_vec(), block.first_bit);
    }
    append(&mut pointers, &pending, pointer_bits)?;
    let rows = Bits::of_words(rows, layout.row_bits).ok_or("unused bits are set, or rows are missing")?;
    if !cursor.is_empty() {
        return Err("unexpected bytes after the last row".into());
    }
    Ok(Arrays { marks: Marks::of_planes(planes, layout.num_edges), pointers, rows })
}

/// Appends the pointers of a block, which begin at the bit `pending.1` and end at `end`.
#[cfg(feature = "solve")]
fn append(pointers: &mut Bits, pending: &(Vec<u64>, u64), end: u64) -> Parsed<()> {
    match end.checked_sub(pending.1) {
        Some(len) if len.div_ceil(64) == pending.0.len() as u64 => {
            pointers.extend(&pending.0, 0, len);
            Ok(())
        }
        _ => Err("the pointers of a block do not end where those of the next one begin".into()),
    }
}

/// Parses what precedes the counts of edges. The spans are still missing.
fn outline(cursor: &mut Cursor<'_>) -> Parsed<Outline> {
    let header = header(cursor)?;
    let (roots, letters) = header.root_side.split(header.sector.own, header.sector.other);
    let free = header.order.points().len().checked_sub(roots.into());
    let fits = free.is_some_and(|free| usize::from(letters) <= free);
    let shape = match free {
        Some(free) if fits => WordShape::new(free, letters.into()),
        _ => return Err("the stones do not fit on the board".into()),
    };
    let num_classes = cursor.u32()?;
    let codes: Vec<u16> = (0..cursor.u16()?).map(|_| cursor.u16()).collect::<nerode_dfa::Parsed<_>>()?;
    if codes.is_empty() || codes.len() > usize::from(u16::MAX / 2) || !codes.is_sorted_by(|a, b| a < b) {
        return Err("the codes are not in ascending order".into());
    }
    let common = [cursor.u16()?, cursor.u16()?];
    let known = |code: u16| usize::from(code) < codes.len();
    if !common.iter().all(|&code| known(code)) || (common[0] == common[1]) != (codes.len() == 1) {
        return Err("the common codes are not among the codes".into());
    }
    let rare = (0..codes.len() as u16).filter(|code| !common.contains(code)).collect();
    let num_states = num_states(cursor, shape)?;
    let row_spans = row_spans(cursor, shape, codes.len())?;
    Ok(Outline {
        header,
        shape,
        num_classes,
        codes: codes.into_iter().map(Worth::of_code).collect(),
        common,
        rare,
        num_states,
        root: Span::default(),
        stages: Spans::new(&[]),
        row_spans,
        row_places: row_places(shape.row_points),
    })
}

fn header(cursor: &mut Cursor<'_>) -> Parsed<Header> {
    let mut rules = [0; 32];
    rules.copy_from_slice(cursor.take(32)?);
    let sector =
        Sector { own: cursor.u8()?, other: cursor.u8()?, own_hand: cursor.u8()?, other_hand: cursor.u8()? };
    let root_side = if flag(cursor)? { RootSide::Other } else { RootSide::Own };
    let detail = if flag(cursor)? { Detail::Depths } else { Detail::Values };
    let probe = if flag(cursor)? { Probe::Captures } else { Probe::Nothing };
    let num_points = cursor.u8()?.into();
    let order = PointOrder::new(cursor.take(num_points)?.to_vec()).map_err(|e| e.to_string())?;
    Ok(Header { rules, sector, root_side, detail, probe, order })
}

/// Reads the numbers of states of the stages, by points remaining above those of the rows and by stones.
fn num_states(cursor: &mut Cursor<'_>, shape: WordShape) -> Parsed<Vec<Vec<u32>>> {
    let mut layers = Vec::new();
    for points in (shape.row_points + 1..=shape.points).rev() {
        let layer: Vec<u32> = (0..=shape.stones).map(|_| cursor.u32()).collect::<nerode_dfa::Parsed<_>>()?;
        if layer.iter().zip(0..).any(|(&count, stones)| count > 0 && !shape.is_open(points, stones)) {
            return Err("a stage with one word has states".into());
        }
        layers.push(layer);
    }
    layers.reverse();
    Ok(layers)
}

fn row_spans(cursor: &mut Cursor<'_>, shape: WordShape, num_codes: usize) -> Parsed<Vec<RowSpan>> {
    let (mut start, width) = (0, u64::from(width_of(num_codes as u64)));
    let span = |stones: usize| {
        let (len, count) = (WordShape::num_words(shape.row_points, stones) as u32, cursor.u32()?);
        if count > 0 && !shape.is_open(shape.row_points, stones) {
            return Err("a stage with one word has rows".to_string());
        }
        let span = RowSpan { start, len, count };
        start += u64::from(len) * u64::from(count) * width;
        Ok(span)
    };
    (0..=shape.stones).map(span).collect()
}

/// Returns the number of states, including rows, with `points` and `stones` remaining.
fn states_in(outline: &Outline, points: usize, stones: usize) -> u32 {
    match points.checked_sub(outline.shape.row_points + 1) {
        Some(layer) => outline.num_states[layer][stones],
        None => outline.row_spans[stones].count,
    }
}

/// Computes the spans from the numbers of new edges and of pointers of each, and checks that there are as many new edges as
/// states. Returns the end of the last span.
fn spans(outline: &mut Outline, counts: &[[u32; 2]]) -> Parsed<Laying> {
    let shape = outline.shape;
    let mut counts = counts.iter();
    let mut laying = Laying { rare: outline.rare.len() as u64, ..Laying::default() };
    let mut named = vec![0; shape.stones + 1];
    let roots = states_in(outline, shape.points, shape.stones);
    outline.root = laying.span(outline.num_classes, roots, counts.next(), &mut named[shape.stones])?;
    let layers = shape.points - shape.row_points;
    let mut stages = vec![vec![Stage::default(); shape.stones + 1]; layers];
    for points in (shape.row_points..=shape.points).rev() {
        let complete = |(stones, &named): (usize, &u32)| named == states_in(outline, points, stones);
        if !named.iter().enumerate().all(complete) {
            return Err(format!("not every state with {points} points left has exactly one first edge"));
        }
        named.fill(0);
        let Some(layer) = points.checked_sub(shape.row_points + 1) else { break };
        for stones in 1..=shape.stones {
            for stone in [0, 1] {
                let below = states_in(outline, points - 1, stones - stone);
                let edges = outline.num_states[layer][stones];
                let span = laying.span(edges, below, counts.next(), &mut named[stones - stone])?;
                stages[layer][stones][stone] = span;
            }
        }
    }
    outline.stages = Spans::new(&stages);
    // Positions of pointers and of marks are numbers of 32 bits.
    match u32::try_from(laying.bits) {
        Ok(_) if u32::try_from(laying.start).is_ok() => Ok(laying),
        _ => Err("too many edges".into()),
    }
}

/// The start of the next span: its first edge, the new edges and pointers before it, and the bits of these pointers.
#[derive(Default)]
struct Laying {
    start: u64,
    new: u32,
    pointers: u32,
    bits: u64,
    /// The number of rare codes.
    rare: u64,
}

impl Laying {
    /// Returns the span of `edges` edges to a stage of `states` states, of which `named` already have incoming edges.
    fn span(&mut self, edges: u32, states: u32, counts: Option<&[u32; 2]>, named: &mut u32) -> Parsed<Span> {
        let &[new, pointers] = counts.unwrap_or(&[0, 0]);
        if new.checked_add(pointers).is_none_or(|marked| marked > edges) {
            return Err("a stage has more first edges and pointers than edges".into());
        }
        let width = width_of(self.rare + u64::from(states));
        let span = Span {
            start: self.start as u32,
            bias: named.wrapping_sub(self.new),
            pointers: (self.bits as u32).wrapping_sub(self.pointers.wrapping_mul(width)),
            width: width as u8,
        };
        *named = named.saturating_add(new);
        self.start += u64::from(edges);
        self.new = self.new.wrapping_add(new);
        self.pointers = self.pointers.wrapping_add(pointers);
        self.bits += u64::from(pointers) * u64::from(width);
        Ok(span)
    }
}
