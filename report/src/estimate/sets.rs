//! Estimates of a solve by sets, derived from probes of the game and of smaller boards.

use super::board::Board;
use super::boards;
use super::expected::{Basis, Expected, NoEstimate, Range};
use super::law::{ERROR_FACTOR, Law};
use super::probe::Probe;
use nerode_solver::solve::method::Method;
use nerode_solver::solve::progress::PliesLeft;

/// The memory in bytes for each state of the largest ply, without the relations of the moves: 125 to 230 in the records
/// of Breakthrough by retrograde analysis, and 40 to 120 in those of Connect Four by meeting in the middle.
fn bytes_a_state(method: Method) -> f64 {
    match method {
        Method::Retrograde => 160.0,
        Method::Meet => 60.0,
    }
}

/// The memory in bytes for each state if a ply is processed in parts under a cap: `W_15` of 6x6 Breakthrough was computed
/// with 28; see `results/breakthrough-6x6`.
const CAPPED_BYTES_A_STATE: f64 = 28.0;

/// The memory in bytes for each state of a large ply in units: at most 13 for 6x6 Breakthrough (`results/work-units`), and 10
/// for Connect Four 7x6.
fn unit_bytes_a_state(method: Method) -> f64 {
    match method {
        Method::Retrograde => 13.0,
        Method::Meet => 10.0,
    }
}

/// The memory in bytes of units of the usual size, however many there are.
const UNIT_BYTES: f64 = 4e9;

/// The memory of the program and of recursions on small sets, in bytes.
const PROGRAM_BYTES: f64 = 1e7;

/// The file size in bytes for each state, and the number of states created per second, if nothing was observed.
const FILE_BYTES_A_STATE: f64 = 4.5;
const STATES_A_SECOND: f64 = 3e5;

/// The largest ratio of the cells of a board to those of the largest solved board.
const MOST_TIMES: usize = 2;

/// The largest such ratio at which the fitted slopes alone predict a board.
const COMPARABLE_TIMES: f64 = 1.5;

/// The number of plies that must be observed before their growth is meaningful.
const FEWEST_PLIES: usize = 4;

/// The largest duration of further growth, as a multiple of the observed plies.
const AGES: f64 = 3.0;

/// The largest useful ratio of the high end of the states to their low end.
const WIDEST: f64 = 1e4;

/// The board and the bounds of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds<'a> {
    /// The spec of the game.
    pub spec: &'a str,
    /// The number of positions with either side to move, if it can be counted.
    pub positions: Option<f64>,
    /// The number of states that the words allow for the sets of a ply.
    pub states: f64,
    /// The method of the solve.
    pub method: Method,
    /// A lower bound on the number of plies: the greatest depth of a reached position, if it is known.
    pub plies: u64,
}

/// Predicted numbers of a solve: the states of the largest ply and of all stored sets.
struct Sizes {
    basis: Basis,
    states: Range<f64>,
    all: Range<f64>,
    plies: Option<Range<u64>>,
    /// The seconds, if they do not follow from the states.
    seconds: Option<Range<f64>>,
}

/// Estimates the cost of a solve by sets from a probe of the game itself and from smaller boards. No number is below
/// the cost of the probe.
///
/// # Errors
/// Returns the reason why the solve cannot be estimated.
pub(super) fn expected(own: &Probe, boards: &[Board], bounds: Bounds<'_>) -> Result<Expected, NoEstimate> {
    if own.finished {
        return Ok(solved(own, bounds.method));
    }
    if let Some(left) = own.left {
        return Ok(from_sizes(by_rate(own, left, bounds.plies), own, boards, bounds.method));
    }
    let sizes = match by_law(boards, bounds)? {
        // A law that does not exceed the observed size is refuted.
        Some(sizes) if sizes.states.high > own.largest as f64 => sizes,
        _ => by_plies(own)?,
    };
    // The number of states is at least the observed number and at most what the words allow.
    let within = |states: f64| states.min(bounds.states).max(own.largest as f64);
    let states = Range { low: within(sizes.states.low), high: within(sizes.states.high) };
    if states.high > WIDEST * states.low.max(1.0) {
        return Err(NoEstimate::TooWide { states: whole(states) });
    }
    Ok(from_sizes(Sizes { states, ..sizes }, own, boards, bounds.method))
}

/// Predicts the numbers by the growth law. Returns `None` if the game has no board size.
fn by_law(boards: &[Board], bounds: Bounds<'_>) -> Result<Option<Sizes>, NoEstimate> {
    let Some((size, positions)) = boards::size(bounds.spec).zip(bounds.positions) else { return Ok(None) };
    let largest = boards.iter().max_by_key(|board| board.cells()).ok_or(NoEstimate::NoSmallerBoard)?;
    let (cells, solved_cells) = (size[0] * size[1], largest.cells());
    if cells > MOST_TIMES * solved_cells {
        return Err(NoEstimate::TooFar { solved: largest.game.clone(), solved_cells, cells });
    }
    let law = Law::new(boards, size, positions);
    let is_comparable = cells as f64 <= COMPARABLE_TIMES * solved_cells as f64;
    let range = |number: fn(&Board) -> u64| {
        let range = if is_comparable { law.range(number) } else { law.wide_range(number) };
        range.ok_or(NoEstimate::NoSmallerBoard)
    };
    Ok(Some(Sizes {
        basis: Basis::SmallerBoards,
        states: range(|board| board.num_states)?,
        all: range(|board| board.all_states)?,
        plies: None,
        seconds: None,
    }))
}

/// Extrapolates a solve that advances at a steady rate, whose remaining plies are at most `left`. At least `least` plies are
/// needed. At the high end, the sets of a ply grow to twice their size.
fn by_rate(own: &Probe, left: PliesLeft, least: u64) -> Sizes {
    let done = own.cost().plies as u64;
    let most = done.saturating_add(left.plies);
    let plies = Range { low: least.clamp(done, most), high: most };
    let more = plies.low - done;
    let (seen, all) = (own.largest.max(1) as f64, own.all as f64);
    let a_ply = left.seconds / left.plies.max(1) as f64;
    Sizes {
        basis: Basis::Rate,
        states: Range { low: seen, high: 2.0 * seen },
        all: Range {
            low: all * plies.low as f64 / done.max(1) as f64,
            high: all + 2.0 * seen * left.plies as f64,
        },
        plies: Some(plies),
        seconds: Some(Range {
            low: own.seconds + a_ply * more as f64,
            high: own.seconds + left.most_seconds,
        }),
    }
}

/// Extrapolates the growth over the observed plies. At the low end, no later set is larger. At the high end, the growth
/// rate decreases to zero over three times the observed plies.
///
/// The growth rate is the mean over all plies or over the last two, whichever is greater, because sets may stop growing
/// for a few plies and then continue.
fn by_plies(own: &Probe) -> Result<Sizes, NoEstimate> {
    let plies = own.last_phase();
    let moves = own.cost().plies;
    let [first, .., before, _, last] = plies[..] else {
        return Err(if moves == 0 { NoEstimate::NoPly } else { NoEstimate::FewPlies { plies: moves } });
    };
    if plies.len() < FEWEST_PLIES {
        return Err(NoEstimate::FewPlies { plies: moves });
    }
    let (seen, count) = (own.largest.max(1) as f64, plies.len() as f64);
    let rate = |from: u64, plies: f64| (last.max(1) as f64 / from.max(1) as f64).ln() / plies;
    let rate = rate(before, 2.0).max(rate(first, count - 1.0)).max(0.0);
    let high = seen * (rate * AGES * count / 2.0).exp().max(2.0);
    let all = own.all as f64;
    let all = Range { low: all + seen, high: all + high * (1.0 + AGES) * count };
    Ok(Sizes { basis: Basis::Growth, states: Range { low: seen, high }, all, plies: None, seconds: None })
}

/// Derives memory, disk space and time from the sizes.
fn from_sizes(sizes: Sizes, own: &Probe, boards: &[Board], method: Method) -> Expected {
    let board = boards.iter().max_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let first = own.first_bytes.max(board.map_or(0, |board| board.first_bytes));
    let a_state = bytes_a_state(method);
    let memory = widened(sizes.states, |states| PROGRAM_BYTES + first as f64 + states * a_state);
    let (states, bytes, seconds) = board
        .map_or((own.all, own.bytes, own.seconds), |board| (board.all_states, board.bytes, board.seconds));
    let file_bytes = if bytes > 0 { bytes as f64 / states.max(1) as f64 } else { FILE_BYTES_A_STATE };
    let speed = if states > 0 && seconds > 0.0 { states as f64 / seconds } else { STATES_A_SECOND };
    let least_memory = |states: f64| {
        let in_units = UNIT_BYTES.max(states * unit_bytes_a_state(method));
        (PROGRAM_BYTES + in_units.min(states * CAPPED_BYTES_A_STATE)) as u64
    };
    Expected {
        basis: sizes.basis,
        plies: sizes.plies,
        states: Some(whole(sizes.states)),
        all_states: Some(whole(sizes.all).at_least(own.all)),
        bytes: whole(widened(sizes.all, |states| states * file_bytes)).at_least(own.bytes),
        memory_bytes: whole(memory).at_least(own.held_bytes.max(least_memory(sizes.states.low))),
        least_memory_bytes: least_memory(sizes.states.low),
        most_least_memory_bytes: least_memory(sizes.states.high),
        seconds: sizes
            .seconds
            .unwrap_or_else(|| widened(sizes.all, |states| states / speed))
            .at_least(own.seconds),
    }
}

/// Returns the range of a number that depends on states, which is at least as wide as one of the law.
fn widened(states: Range<f64>, number: impl Fn(f64) -> f64) -> Range<f64> {
    let middle = number((states.low.max(1.0) * states.high.max(1.0)).sqrt());
    Range {
        low: number(states.low).min(middle / ERROR_FACTOR),
        high: number(states.high).max(middle * ERROR_FACTOR),
    }
}

/// Returns the measurements of a solve that finished. The memory is a range until it is measured as well.
fn solved(own: &Probe, method: Method) -> Expected {
    let known = |number: u64| Range::known(number as f64);
    let sizes = Sizes {
        basis: Basis::Solved,
        states: known(own.largest),
        all: known(own.all),
        plies: None,
        seconds: None,
    };
    let (bytes, seconds) = (Range::known(own.bytes), Range::known(own.seconds));
    Expected { bytes, seconds, ..from_sizes(sizes, own, &[], method) }
}

/// Returns a range of whole numbers.
fn whole(range: Range<f64>) -> Range<u64> {
    Range { low: range.low as u64, high: range.high as u64 }
}

#[cfg(test)]
mod tests {
    use super::super::probe::PlyGrowth;
    use super::*;

    fn probe(states: &[u64]) -> Probe {
        let line = |(ply, &states): (usize, &u64)| PlyGrowth {
            phase: "retrograde",
            ply: ply as u32,
            states,
            positions: 0,
            bytes: states * 5,
        };
        let all = states.iter().sum();
        Probe {
            plies: states.iter().enumerate().map(line).collect(),
            largest: states.iter().copied().max().unwrap_or(0),
            all,
            bytes: all * 5,
            held_bytes: 1 << 30,
            seconds: 500.0,
            ..Probe::default()
        }
    }

    fn bounds(spec: &str, states: f64) -> Bounds<'_> {
        let positions = boards::size(spec).map(|[width, height]| 2_f64.powi((width * height) as i32));
        Bounds { spec, positions, states, method: Method::Retrograde, plies: 0 }
    }

    /// Returns boards of three rows whose numbers of states are a power of their columns.
    fn boards(widths: std::ops::RangeInclusive<usize>) -> Vec<Board> {
        widths.map(|width| Board::of("nim", [width, 3], 10 << width)).collect()
    }

    #[test]
    fn growth_is_carried_on_and_its_end_is_between() {
        let expected = expected(&probe(&[10, 100, 300, 700]), &[], bounds("chess:KRvK", f64::MAX)).unwrap();
        let states = expected.states.unwrap();
        assert_eq!((expected.basis, states.low), (Basis::Growth, 700));
        assert!(states.contains(3000) && states.high > 10_000);
        // Sets that stop growing for a while may grow again, as those of morris do.
        let resting =
            super::expected(&probe(&[10, 1000, 900, 800]), &[], bounds("chess:KRvK", f64::MAX)).unwrap();
        assert!(resting.states.is_some_and(|states| states.low == 1000 && states.high > 10_000));
        // No set has more states than its words allow.
        let bounded =
            super::expected(&probe(&[10, 100, 300, 700]), &[], bounds("chess:KRvK", 1500.0)).unwrap();
        assert_eq!(bounded.states, Some(Range { low: 700, high: 1500 }));
    }

    #[test]
    fn no_low_end_is_below_the_cost_of_the_probe() {
        for (spec, smaller) in [("chess:KRvK", Vec::new()), ("nim:8x3", boards(3..=7))] {
            let own = probe(&[10, 100, 300, 700]);
            let expected = expected(&own, &smaller, bounds(spec, f64::MAX)).unwrap();
            assert!(expected.states.is_some_and(|states| states.low >= 700), "{spec}: {expected:?}");
            assert!(expected.bytes.low >= own.bytes && expected.bytes.high >= expected.bytes.low);
            assert!(expected.memory_bytes.low >= own.held_bytes);
            assert!(expected.seconds.low >= 500.0 && expected.seconds.high >= expected.seconds.low);
        }
    }

    #[test]
    fn a_steady_rate_bounds_the_plies_and_the_time() {
        let left = PliesLeft { plies: 996, seconds: 100.0, most_seconds: 900.0 };
        let own = Probe { left: Some(left), ..probe(&[10, 10, 10, 10, 10]) };
        let estimate = |plies| {
            // Smaller boards do not matter, whether there are any or not.
            let bounds = Bounds { plies, ..bounds("nim:8x3", 1e30) };
            let [few, many] = [vec![], boards(3..=7)].map(|boards| expected(&own, &boards, bounds).unwrap());
            assert_eq!((few.basis, few.plies), (many.basis, many.plies));
            few
        };
        let found = estimate(0);
        assert_eq!((found.basis, found.plies), (Basis::Rate, Some(Range { low: 4, high: 1000 })));
        assert_eq!(found.seconds, Range { low: 500.0, high: 1400.0 });
        assert_eq!(estimate(502).plies, Some(Range { low: 502, high: 1000 }));
        assert!((estimate(502).seconds.low - 550.0).abs() < 1e-9);
        assert_eq!(estimate(5000).plies, Some(Range { low: 1000, high: 1000 }));
    }

    #[test]
    fn there_is_no_estimate_from_too_little() {
        let basis = |spec, states: &[u64], smaller: &[Board]| {
            expected(&probe(states), smaller, bounds(spec, 1e30)).map(|expected| expected.basis)
        };
        let five = [10, 100, 400, 1000, 2000];
        assert_eq!(basis("chess:KRvK", &[], &[]), Err(NoEstimate::NoPly));
        // Terminal positions alone do not count as a ply.
        assert_eq!(basis("chess:KRvK", &[3], &[]), Err(NoEstimate::NoPly));
        assert_eq!(basis("chess:KRvK", &five[..3], &[]), Err(NoEstimate::FewPlies { plies: 2 }));
        assert_eq!(basis("nim:8x3", &five, &[]), Err(NoEstimate::NoSmallerBoard));
        let far = basis("nim:8x4", &five, &boards(2..=5));
        assert_eq!(far, Err(NoEstimate::TooFar { solved: "nim:5x3".into(), solved_cells: 15, cells: 32 }));
        assert!(matches!(basis("x", &[1, 100, 10_000, 1_000_000], &[]), Err(NoEstimate::TooWide { .. })));
        assert_eq!(basis("nim:8x3", &five, &boards(3..=7)), Ok(Basis::SmallerBoards));
        // A law that predicts fewer states than were observed is not used.
        let refuted = [10_000, 20_000, 40_000, 80_000, 160_000];
        assert_eq!(basis("nim:8x3", &refuted, &boards(3..=7)), Ok(Basis::Growth));
    }

    /// The states of Connect Four on small boards do not determine how those of larger boards grow: the law alone
    /// predicts at most half a million of the five million states of all sets of 6x4.
    #[test]
    fn boards_of_half_the_size_make_ranges_wide() {
        let solved = [(3, 3, 1146), (5, 2, 1807), (3, 4, 4443), (4, 3, 4767)];
        let words = |width: usize, height: usize| 3_f64.powi((width * height) as i32);
        let boards = solved.map(|(width, height, all_states)| Board {
            all_states,
            positions: words(width, height),
            ..Board::of("connect", [width, height], all_states / 5)
        });
        let narrow = Law::new(&boards, [6, 4], words(6, 4)).range(|board| board.all_states).unwrap();
        assert!(narrow.high < 1e6, "{narrow:?}");
        let bounds = Bounds { positions: Some(words(6, 4)), ..bounds("connect:6x4", 1e30) };
        let found = expected(&probe(&[]), &boards, bounds).unwrap();
        assert!(found.all_states.is_some_and(|all| all.contains(5_000_000)), "{found:?}");
    }

    #[test]
    fn a_game_that_was_solved_has_the_measured_numbers() {
        let finished = Probe { finished: true, ..probe(&[10, 100, 20]) };
        let expected = expected(&finished, &[], bounds("nim:8x3", f64::MAX)).unwrap();
        assert_eq!((expected.basis, expected.seconds), (Basis::Solved, Range::known(500.0)));
        assert_eq!((expected.states, expected.bytes), (Some(Range::known(100)), Range::known(650)));
    }
}
