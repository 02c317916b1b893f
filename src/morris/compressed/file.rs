//! The sector automaton's file: versioned, checksummed, bytes a function of the automaton alone, arrays as look-ups use them.
//!
//! ```text
//! magic "NERODSF\n" | version u32 | digest of the rules, 32 bytes | sector u8 x 4 |
//! root side u8 (0 own, 1 other) | depths u8 | probe u8 (0 nothing, 1 captures) | points u8, the order of reading u8 each |
//! classes u32 | codes u16, each u16 ascending | the two common codes by number u16 x 2 |
//! states u32 of each stage, most points left first, within these fewest stones first | rows u32 of each number of stones |
//! words of marks, of pointers and of rows u64 | BLAKE3 of everything before it, 32 bytes      (all numbers little-endian)
//! ```
//! How many words there are follows from the counts and, for pointers, from the marks. Reading checks all that the format
//! promises: numbering, no two equal states or rows of a stage, no state that is one code, every bit not in use 0.

use std::collections::HashSet;
use std::path::Path;

use super::automaton::{Header, MultiRoot, RowSpan, Target, row_places};
use super::bits::{Bits, Marks, width_of};
use super::build::WordShape;
use super::probe::Probe;
use super::spans::{Span, Spans, Stage};
use super::words::{PointOrder, RootSide};
use super::worth::{Detail, Worth};
use crate::archive::files::write_bytes_atomic;
use crate::error::{Error, Result};
use crate::morris::tables::Sector;

/// Version of the format written by this program, the only one it reads.
pub const FORMAT_VERSION: u32 = 1;
const MAGIC: &[u8; 8] = b"NERODSF\n";
const DIGEST_BYTES: usize = 32;

type Parsed<T> = std::result::Result<T, String>;

impl MultiRoot {
    /// The bytes of the file. *Cost*: one pass.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(FORMAT_VERSION.to_le_bytes());
        let Header { rules, sector, root_side, detail, probe, order } = &self.header;
        out.extend(rules);
        out.extend([sector.own, sector.other, sector.own_hand, sector.other_hand]);
        out.push(u8::from(*root_side == RootSide::Other));
        out.push(u8::from(*detail == Detail::Depths));
        out.push(u8::from(*probe == Probe::Captures));
        out.push(order.points().len() as u8);
        out.extend(order.points());
        out.extend(self.num_classes.to_le_bytes());
        out.extend((self.codes.len() as u16).to_le_bytes());
        out.extend(self.codes.iter().flat_map(|worth| worth.code().to_le_bytes()));
        out.extend(self.common.iter().flat_map(|code| code.to_le_bytes()));
        let states = self.num_states.iter().rev().flatten();
        out.extend(states.flat_map(|count| count.to_le_bytes()));
        out.extend(self.row_spans.iter().flat_map(|span| span.count.to_le_bytes()));
        let words = self.marks.words().chain(self.pointers.words.iter().chain(&self.rows.words).copied());
        out.extend(words.flat_map(u64::to_le_bytes));
        let digest = blake3::hash(&out);
        out.extend(digest.as_bytes());
        out
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&self, path: &Path) -> Result<()> {
        write_bytes_atomic(path, &self.to_bytes())
    }

    /// Reads a file and checks all that the format promises. The arrays are those of the file; nothing is built again but the
    /// counts of marks. *Cost*: one pass, and a hash look-up for each state.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Corrupt`], [`Error::WrongVersion`].
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|e| Error::io(path, e))?;
        Self::from_bytes(&bytes, path)
    }

    /// As [`MultiRoot::read`], for bytes in memory; `path` names them in errors.
    ///
    /// # Errors
    /// [`Error::Corrupt`], [`Error::WrongVersion`].
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self> {
        let mut cursor = Cursor(bytes);
        if cursor.take(8).ok() != Some(MAGIC) {
            return Err(Error::corrupt(path, "not a sector automaton"));
        }
        let truncated = |reason: String| Error::corrupt(path, reason);
        let version = cursor.u32().map_err(truncated)?;
        if version != FORMAT_VERSION {
            return Err(Error::WrongVersion { path: path.into(), found: version, supported: FORMAT_VERSION });
        }
        let body = cursor.0.len().checked_sub(DIGEST_BYTES).ok_or_else(|| truncated(cut_off()))?;
        let (body, digest) = cursor.0.split_at(body);
        if blake3::hash(&bytes[..bytes.len() - DIGEST_BYTES]).as_bytes() != digest {
            return Err(Error::corrupt(path, "checksum mismatch: the file is damaged or truncated"));
        }
        parse(Cursor(body)).map_err(|reason| Error::corrupt(path, reason))
    }
}

fn cut_off() -> String {
    "the file is truncated".into()
}

/// Bytes read front to back.
struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn take(&mut self, n: usize) -> Parsed<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(n).ok_or_else(cut_off)?;
        self.0 = tail;
        Ok(head)
    }

    fn number(&mut self, bytes: usize) -> Parsed<u64> {
        Ok(self.take(bytes)?.iter().rev().fold(0, |x, &b| x << 8 | u64::from(b)))
    }

    fn u8(&mut self) -> Parsed<u8> {
        Ok(self.number(1)? as u8)
    }

    fn flag(&mut self) -> Parsed<bool> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(format!("{other} where 0 or 1 is due")),
        }
    }

    fn u16(&mut self) -> Parsed<u16> {
        Ok(self.number(2)? as u16)
    }

    fn u32(&mut self) -> Parsed<u32> {
        Ok(self.number(4)? as u32)
    }

    /// `bits` bits in whole words.
    fn words(&mut self, bits: u64) -> Parsed<Vec<u64>> {
        let bytes = usize::try_from(bits.div_ceil(64)).ok().and_then(|words| words.checked_mul(8));
        let bytes = self.take(bytes.ok_or_else(cut_off)?)?;
        Ok(bytes.chunks_exact(8).map(|w| w.iter().rev().fold(0, |x, &b| x << 8 | u64::from(b))).collect())
    }
}

fn parse(mut cursor: Cursor<'_>) -> Parsed<MultiRoot> {
    let header = header(&mut cursor)?;
    let (roots, letters) = header.root_side.split(header.sector.own, header.sector.other);
    let free = header.order.points().len().checked_sub(roots.into());
    let fits = free.is_some_and(|free| usize::from(letters) <= free);
    let shape = match free {
        Some(free) if fits => WordShape::new(free, letters.into()),
        _ => return Err("the stones do not fit the board".into()),
    };
    let num_classes = cursor.u32()?;
    let codes: Vec<u16> = (0..cursor.u16()?).map(|_| cursor.u16()).collect::<Parsed<_>>()?;
    if codes.is_empty() || codes.len() > usize::from(u16::MAX / 2) || !codes.is_sorted_by(|a, b| a < b) {
        return Err("the codes are not in ascending order".into());
    }
    let common = [cursor.u16()?, cursor.u16()?];
    let known = |code: u16| usize::from(code) < codes.len();
    if !common.iter().all(|&code| known(code)) || (common[0] == common[1]) != (codes.len() == 1) {
        return Err("the common codes are not two of the codes".into());
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
    if !cursor.0.is_empty() {
        return Err("bytes after the last row".into());
    }
    check_states(&automaton)?;
    check_rows(&automaton)?;
    Ok(automaton)
}

fn header(cursor: &mut Cursor<'_>) -> Parsed<Header> {
    let mut rules = [0; 32];
    rules.copy_from_slice(cursor.take(32)?);
    let sector =
        Sector { own: cursor.u8()?, other: cursor.u8()?, own_hand: cursor.u8()?, other_hand: cursor.u8()? };
    let root_side = if cursor.flag()? { RootSide::Other } else { RootSide::Own };
    let detail = if cursor.flag()? { Detail::Depths } else { Detail::Values };
    let probe = if cursor.flag()? { Probe::Captures } else { Probe::Nothing };
    let num_points = cursor.u8()?.into();
    let order = PointOrder::new(cursor.take(num_points)?.to_vec()).map_err(|e| e.to_string())?;
    Ok(Header { rules, sector, root_side, detail, probe, order })
}

/// States of the stages, by points left above the rows' and by stones.
fn num_states(cursor: &mut Cursor<'_>, shape: WordShape) -> Parsed<Vec<Vec<u32>>> {
    let mut layers = Vec::new();
    for points in (shape.row_points + 1..=shape.points).rev() {
        let layer: Vec<u32> = (0..=shape.stones).map(|_| cursor.u32()).collect::<Parsed<_>>()?;
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
            return Err("rows of one word".to_string());
        }
        let span = RowSpan { start, len, count };
        start += u64::from(len) * u64::from(count) * width;
        Ok(span)
    };
    (0..=shape.stones).map(span).collect()
}

/// The three arrays; and where the edges of each stage are, which the marks tell.
fn arrays(cursor: &mut Cursor<'_>, automaton: &mut MultiRoot) -> Parsed<()> {
    let states: u64 = automaton.num_states.iter().flatten().map(|&n| u64::from(n)).sum();
    let num_edges = u64::from(automaton.num_classes) + 2 * states;
    let words = cursor.words(128 * num_edges.div_ceil(64))?;
    let not_clean = || "bits that are not in use are set".to_string();
    automaton.marks = Marks::of_words(&words, num_edges).ok_or_else(not_clean)?;
    let pointer_bits = spans(automaton)?;
    automaton.pointers = Bits::of_words(cursor.words(pointer_bits)?, pointer_bits).ok_or_else(not_clean)?;
    let width = u64::from(width_of(automaton.codes.len() as u64));
    let row_bits = automaton.row_spans.iter().map(|s| u64::from(s.len) * u64::from(s.count) * width).sum();
    automaton.rows = Bits::of_words(cursor.words(row_bits)?, row_bits).ok_or_else(not_clean)?;
    Ok(())
}

/// States with `points` and `stones` left, rows among them.
fn states_in(automaton: &MultiRoot, points: usize, stones: usize) -> u32 {
    match points.checked_sub(automaton.shape.row_points + 1) {
        Some(layer) => automaton.num_states[layer][stones],
        None => automaton.row_spans[stones].count,
    }
}

/// Makes the spans from the marks and checks that as many edges are new as there are states; gives the bits of all pointers.
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
            return Err(format!("not every state with {points} points left is led to once first"));
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
    // Places of pointers are numbers of 32 bits, and so are those of marks.
    match u32::try_from(laying.bits) {
        Ok(_) if u32::try_from(laying.start).is_ok() => Ok(laying.bits),
        _ => Err("more edges than an automaton has".into()),
    }
}

/// Where the next span begins, in marks and in bits of pointers.
struct Laying {
    start: u64,
    bits: u64,
    rare: u64,
}

impl Laying {
    /// The span of so many edges to a stage of `states`, of which `named` were led to before.
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

/// Checks that pointers lead to states led to before, and that no two states of a stage are equal or one is one code.
fn check_states(automaton: &MultiRoot) -> Parsed<()> {
    let shape = automaton.shape;
    let mut named = vec![0; shape.stones + 1];
    targets(automaton, &automaton.root, automaton.num_classes, &mut named[shape.stones])?;
    for points in (shape.row_points + 1..=shape.points).rev() {
        let layer = points - shape.row_points - 1;
        named.fill(0);
        for stones in 1..=shape.stones {
            let edges = automaton.num_states[layer][stones];
            let [without, with] = [0, 1].map(|stone| automaton.stages.get(layer, stones, stone));
            let zeros = targets(automaton, &without, edges, &mut named[stones])?;
            let ones = targets(automaton, &with, edges, &mut named[stones - 1])?;
            let mut seen = HashSet::with_capacity(zeros.len());
            for pair in zeros.into_iter().zip(ones) {
                let one_code = matches!(pair, (Target::Code(a), Target::Code(b)) if a == b);
                if one_code || !seen.insert(pair) {
                    return Err(format!("two states with {points} points left are equal, or one is a code"));
                }
            }
        }
    }
    Ok(())
}

/// Where the edges of a span lead; `named` states of theirs were led to before.
fn targets(automaton: &MultiRoot, span: &Span, edges: u32, named: &mut u32) -> Parsed<Vec<Target>> {
    let target = |edge: u32| {
        let target = automaton.target(span, edge);
        if let Target::State(state) = target {
            // A first edge leads to the next state; a pointer to one that was led to.
            let is_new = automaton.marks.is_new(u64::from(span.start) + u64::from(edge));
            if is_new && state == *named {
                *named += 1;
            } else if is_new || state >= *named {
                return Err("an edge leads to a state that none led to first".to_string());
            }
        }
        Ok(target)
    };
    (0..edges).map(target).collect()
}

fn check_rows(automaton: &MultiRoot) -> Parsed<()> {
    for (stones, span) in automaton.row_spans.iter().enumerate() {
        let mut seen = HashSet::new();
        for row in 0..span.count {
            let codes: Vec<u16> = (0..span.len as u8).map(|i| automaton.row_entry(stones, row, i)).collect();
            if codes.iter().any(|&code| usize::from(code) >= automaton.codes.len()) {
                return Err("a row has a code that is not listed".into());
            }
            if codes.iter().all(|code| *code == codes[0]) || !seen.insert(codes) {
                return Err("two rows are equal, or one is a code".into());
            }
        }
    }
    Ok(())
}
