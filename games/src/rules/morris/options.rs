//! Conversion of a spec such as `morris:nine,capture=protected` to the rules and back to the canonical spec, and a
//! description of the rules in words.

use crate::error::Result;
use crate::morris::{Board, BoardKind, Capture, FullBoard, PRESETS, Phases, Preset, Rules};
use crate::spec::Spec;

/// The smallest number of stones with which a side may start.
const FEWEST: usize = 3;
const MOST: usize = 12;
/// The version of the rules, incremented with every change of the rules; see [`crate::Game::rules_version`].
pub(super) const RULES_VERSION: u32 = 1;

const KNOWN: [&str; 7] = ["stones", "capture", "take", "phases", "fly", "fullboard", "diagonals"];

const CAPTURES: [(&str, Capture); 2] = [("always", Capture::Always), ("protected", Capture::Protected)];
const PHASES: [(&str, Phases); 2] = [("separate", Phases::Separate), ("mixed", Phases::Mixed)];
const FULL_BOARDS: [(&str, FullBoard); 2] = [("loss", FullBoard::Loss), ("draw", FullBoard::Draw)];
const YES_NO: [(&str, bool); 2] = [("yes", true), ("no", false)];

/// Returns the preset and the rules of a spec.
pub(super) fn read(spec: &Spec<'_>) -> Result<(&'static Preset, Rules)> {
    let presets = PRESETS.each_ref().map(|preset| (preset.name, preset));
    let preset = spec.word("preset", &presets)?;
    spec.only_options(&KNOWN)?;
    let usual = preset.rules();
    let rules = Rules {
        stones: stones(spec, usual.stones, board(spec, preset)?.num_points())?,
        board: board(spec, preset)?,
        capture: spec.word_option("capture", usual.capture, &CAPTURES)?,
        take: spec.number_option("take", usize::from(usual.take), 1..=2)? as u8,
        phases: spec.word_option("phases", usual.phases, &PHASES)?,
        fly: spec.word_option("fly", usual.fly, &YES_NO)?,
        full_board: spec.word_option("fullboard", usual.full_board, &FULL_BOARDS)?,
    };
    Ok((preset, rules))
}

fn board(spec: &Spec<'_>, preset: &Preset) -> Result<Board> {
    let has_choice = matches!(preset.board, BoardKind::Three | BoardKind::ThreeDiagonals);
    if spec.option("diagonals").is_some() && !has_choice {
        return Err(spec.error("option 'diagonals' is available only for preset three"));
    }
    let diagonals = spec.word_option("diagonals", preset.board == BoardKind::ThreeDiagonals, &YES_NO)?;
    Ok(Board::new(match (has_choice, diagonals) {
        (false, _) => preset.board,
        (true, true) => BoardKind::ThreeDiagonals,
        (true, false) => BoardKind::Three,
    }))
}

fn stones(spec: &Spec<'_>, usual: [u8; 2], num_points: usize) -> Result<[u8; 2]> {
    let [first, second] = spec.pair_option("stones", usual.map(usize::from), FEWEST..=MOST)?;
    if first + second > num_points {
        return Err(spec.error(format!(
            "{first} and {second} stones are {} in all, but the board has only {num_points} points",
            first + second
        )));
    }
    // Both numbers are at most 12.
    Ok([first as u8, second as u8])
}

/// Returns the options in which `rules` differs from the preset, as text for the spec in a fixed order.
pub(super) fn differences(preset: &Preset, rules: &Rules) -> String {
    let usual = preset.rules();
    let mut text = String::new();
    let mut add = |differs: bool, option: String| {
        if differs {
            text += &format!(",{option}");
        }
    };
    let [first, second] = rules.stones;
    let stones = if first == second { first.to_string() } else { format!("{first}-{second}") };
    add(rules.stones != usual.stones, format!("stones={stones}"));
    add(rules.capture != usual.capture, format!("capture={}", name_of(rules.capture, &CAPTURES)));
    add(rules.take != usual.take, format!("take={}", rules.take));
    add(rules.phases != usual.phases, format!("phases={}", name_of(rules.phases, &PHASES)));
    add(rules.fly != usual.fly, format!("fly={}", name_of(rules.fly, &YES_NO)));
    add(
        rules.full_board != usual.full_board,
        format!("fullboard={}", name_of(rules.full_board, &FULL_BOARDS)),
    );
    let kind = rules.board.kind();
    add(kind != preset.board, format!("diagonals={}", name_of(kind == BoardKind::ThreeDiagonals, &YES_NO)));
    text
}

/// Returns every option of `rules` by name, including the shape of the board and the hands at the start.
pub(super) fn named(rules: &Rules) -> Vec<(&'static str, String)> {
    let board = match rules.board.kind() {
        BoardKind::Nine => "nine",
        BoardKind::Morabaraba => "morabaraba",
        BoardKind::Six => "six",
        BoardKind::Seven => "seven",
        BoardKind::Three => "three",
        BoardKind::ThreeDiagonals => "three with diagonals",
    };
    vec![
        ("board", board.to_string()),
        ("stones", format!("{}-{}", rules.stones[0], rules.stones[1])),
        ("capture", name_of(rules.capture, &CAPTURES).to_string()),
        ("take", rules.take.to_string()),
        ("phases", name_of(rules.phases, &PHASES).to_string()),
        ("fly", name_of(rules.fly, &YES_NO).to_string()),
        ("fullboard", name_of(rules.full_board, &FULL_BOARDS).to_string()),
    ]
}

fn name_of<T: PartialEq>(value: T, names: &[(&'static str, T)]) -> &'static str {
    names.iter().find(|(_, known)| *known == value).map_or("", |(name, _)| name)
}

/// Describes the rules in words, including every option.
pub(super) fn in_words(rules: &Rules) -> String {
    [opening(rules), moving(rules), taking(rules), ending(rules)].join(" ")
}

fn opening(rules: &Rules) -> String {
    let board = &rules.board;
    let lines: u32 = (0..board.num_points()).map(|p| board.neighbours(p).count_ones()).sum::<u32>() / 2;
    let shape = match board.kind() {
        BoardKind::Nine => "three rings joined at the middles of their sides",
        BoardKind::Morabaraba => "three rings joined at the middles of their sides and at their corners",
        BoardKind::Six => "two rings joined at the middles of their sides",
        BoardKind::Seven => {
            "two rings joined at the middles of their sides, and a centre joined to the inner middles"
        }
        BoardKind::Three => "three by three points with rows and columns",
        BoardKind::ThreeDiagonals => "three by three points with rows, columns and both diagonals",
    };
    let [first, second] = rules.stones;
    format!(
        "morris, rules version {RULES_VERSION}. Board of {} points, {lines} lines and {} mills ({shape}), \
         empty at the start. White (P1, moves first) has {first} stones in hand, and black (P2) has {second}.",
        board.num_points(),
        board.mills().len()
    )
}

fn moving(rules: &Rules) -> String {
    let may = match rules.phases {
        Phases::Separate => {
            "A side with stones in hand places one on an empty point; a side without stones in hand moves"
        }
        Phases::Mixed => {
            "A side with stones in hand places one on an empty point, or it moves; a side without stones in \
             hand moves"
        }
    };
    let fly = if rules.fly {
        "or to any empty point if it has exactly three stones, on the board and in hand together"
    } else {
        "but never farther, however few stones it has"
    };
    format!("{may}. A move takes one of its stones along a line to an adjacent empty point, {fly}.")
}

fn taking(rules: &Rules) -> String {
    let capture = match rules.capture {
        Capture::Always => {
            "This stone must not be in a mill, unless all of the opponent's stones on the board are in mills. \
             A mill may not be closed while the opponent has no stone on the board."
        }
        Capture::Protected => {
            "This stone must not be in a mill. If the opponent has no stone outside mills, the turn is legal \
             and captures nothing."
        }
    };
    let take = if rules.take == 2 {
        "A placement that closes two or more mills captures two stones, one after the other, the second only \
         if one can be captured."
    } else {
        "A turn that closes two mills at once captures only one stone."
    };
    format!(
        "A turn that completes a line of three own stones (a mill) captures a stone of the opponent. {capture} \
         {take}"
    )
}

fn ending(rules: &Rules) -> String {
    let full = match rules.full_board {
        FullBoard::Loss => "also when the board is full",
        FullBoard::Draw => "but the game is drawn when the board is full",
    };
    let step = match rules.phases {
        Phases::Separate => ", or the stones in hand do not fit the side to move, whichever side began",
        Phases::Mixed => "",
    };
    format!(
        "The side to move has lost if it has fewer than three stones, on the board and in hand together. \
         Otherwise, it has won if the opponent has fewer than three. Otherwise, it has lost if it has no legal \
         turn, {full}. A side that cannot force a win may repeat positions forever, which is a draw. Positions \
         that cannot occur count as drawn: a side has more stones, on the board and in hand together, than at \
         the start{step}."
    )
}
