//! Parses the bytes of a sector automaton's file, see [`super::file`].

use nerode_dfa::Cursor;

use super::automaton::{MultiRoot, RowSpan, row_places};
use super::bits::{Bits, Marks, width_of};
use super::header::{Header, Probe};
use super::promises::Parsed;
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

/// Reads `bits` bits in whole words.
fn words(cursor: &mut Cursor<'_>, bits: u64) -> Parsed<Vec<u64>> {
    let bytes = usize::try_from(bits.div_ceil(64)).ok().and_then(|words| words.checked_mul(8));
    // No file has that many bytes, so the attempt to take them fails.
    let bytes = cursor.take(bytes.unwrap_or(usize::MAX))?;
    Ok(bytes.chunks_exact(8).map(|w| w.iter().rev().fold(0, |x, &b| x << 8 | u64::from(b))).collect())
}

/// Parses the data after the version, and checks everything except for what [`super::promises`] checks.
pub(super) fn parse(mut cursor: Cursor<'_>) -> Parsed<MultiRoot> {
    let header = header(&mut cursor)?;
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
    let num_states = num_states(&mut cursor, shape)?;
    let row_spans = row_spans(&mut cursor, shape, codes.len())?;
    let mut automaton = MultiRoot {
        header,
        shape,
        num_classes,
        codes: codes.into_iter().map(Worth::of_code).collect(),
        common,
        rare,
        num_states,
        root: Span::default(),
        stages: Spans::new(&[]),
        marks: Marks::default(),
        pointers: Bits::default(),
        row_spans,
        rows: Bits::default(),
        row_places: row_places(shape.row_points),
    };
    arrays(&mut cursor, &mut automaton)?;
    if !cursor.is_empty() {
        return Err("unexpected bytes after the last row".into());
    }
    Ok(automaton)
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

/// Reads the three arrays, and computes the spans of the stages from the marks.
fn arrays(cursor: &mut Cursor<'_>, automaton: &mut MultiRoot) -> Parsed<()> {
    let states: u64 = automaton.num_states.iter().flatten().map(|&n| u64::from(n)).sum();
    let num_edges = u64::from(automaton.num_classes) + 2 * states;
    let marks = words(cursor, 128 * num_edges.div_ceil(64))?;
    let not_clean = || "unused bits are set".to_string();
    automaton.marks = Marks::of_words(&marks, num_edges).ok_or_else(not_clean)?;
    let pointer_bits = spans(automaton)?;
    automaton.pointers = Bits::of_words(words(cursor, pointer_bits)?, pointer_bits).ok_or_else(not_clean)?;
    let width = u64::from(width_of(automaton.codes.len() as u64));
    let row_bits = automaton.row_spans.iter().map(|s| u64::from(s.len) * u64::from(s.count) * width).sum();
    automaton.rows = Bits::of_words(words(cursor, row_bits)?, row_bits).ok_or_else(not_clean)?;
    Ok(())
}

/// Returns the number of states, including rows, with `points` and `stones` remaining.
fn states_in(automaton: &MultiRoot, points: usize, stones: usize) -> u32 {
    match points.checked_sub(automaton.shape.row_points + 1) {
        Some(layer) => automaton.num_states[layer][stones],
        None => automaton.row_spans[stones].count,
    }
}

/// Computes the spans from the marks, and checks that there are as many new edges as states. Returns the number of bits
/// of all pointers.
fn spans(automaton: &mut MultiRoot) -> Parsed<u64> {
    let shape = automaton.shape;
    let mut laying = Laying { start: 0, bits: 0, rare: automaton.rare.len() as u64 };
    let mut named = vec![0; shape.stones + 1];
    let roots = states_in(automaton, shape.points, shape.stones);
    automaton.root = laying.span(&automaton.marks, automaton.num_classes, roots, &mut named[shape.stones]);
    let layers = shape.points - shape.row_points;
    let mut stages = vec![vec![Stage::default(); shape.stones + 1]; layers];
    for points in (shape.row_points..=shape.points).rev() {
        let complete = |(stones, &named): (usize, &u32)| named == states_in(automaton, points, stones);
        if !named.iter().enumerate().all(complete) {
            return Err(format!("not every state with {points} points left has exactly one first edge"));
        }
        named.fill(0);
        let Some(layer) = points.checked_sub(shape.row_points + 1) else { break };
        for stones in 1..=shape.stones {
            for stone in [0, 1] {
                let below = states_in(automaton, points - 1, stones - stone);
                let edges = automaton.num_states[layer][stones];
                let span = laying.span(&automaton.marks, edges, below, &mut named[stones - stone]);
                stages[layer][stones][stone] = span;
            }
        }
    }
    automaton.stages = Spans::new(&stages);
    // Positions of pointers and of marks are numbers of 32 bits.
    match u32::try_from(laying.bits) {
        Ok(_) if u32::try_from(laying.start).is_ok() => Ok(laying.bits),
        _ => Err("too many edges".into()),
    }
}

/// The start of the next span, in marks and in bits of pointers.
struct Laying {
    start: u64,
    bits: u64,
    rare: u64,
}

impl Laying {
    /// Returns the span of `edges` edges to a stage of `states` states, of which `named` already have incoming edges.
    fn span(&mut self, marks: &Marks, edges: u32, states: u32, named: &mut u32) -> Span {
        let end = self.start + u64::from(edges);
        let ((new, pointers), (new_end, pointers_end)) = (marks.ranks(self.start), marks.ranks(end));
        let width = width_of(self.rare + u64::from(states));
        let span = Span {
            start: self.start as u32,
            bias: named.wrapping_sub(new),
            pointers: (self.bits as u32).wrapping_sub(pointers.wrapping_mul(width)),
            width: width as u8,
        };
        *named = named.saturating_add(new_end - new);
        self.start = end;
        self.bits += u64::from(pointers_end - pointers) * u64::from(width);
        span
    }
}
