//! Descriptions of positions and rules, for reports of differences.

use nerode_games::morris::{Rules, State};

use crate::tables::check;

/// Lists the stones by label and draws the board, with `X` for the side to move and `O` for the other side.
pub(super) fn position(rules: &Rules, state: State) -> String {
    format!("{}\n{}", check::describe(rules, state), draw(rules, state))
}

/// Draws one line for each rank, the highest first, with the points at the places given by their labels.
fn draw(rules: &Rules, state: State) -> String {
    let mut grid = vec![vec![' '; 13]; 7];
    for (p, label) in rules.board.labels().iter().enumerate() {
        if let &[file @ b'a'..=b'g', rank @ b'1'..=b'7'] = label.as_bytes() {
            let sign = match (state.own >> p & 1, state.other >> p & 1) {
                (1, _) => 'X',
                (_, 1) => 'O',
                _ => '.',
            };
            grid[usize::from(b'7' - rank)][2 * usize::from(file - b'a')] = sign;
        }
    }
    let line = |row: &Vec<char>| row.iter().collect::<String>().trim_end().to_string();
    let lines: Vec<String> =
        grid.iter().zip((1..=7).rev()).map(|(row, rank)| format!("{rank} {}", line(row))).collect();
    format!("{}\n  a b c d e f g", lines.join("\n"))
}

/// Describes the options in force.
pub(super) fn rules(rules: &Rules) -> String {
    let Rules { board, capture, take, phases, fly, full_board, .. } = rules;
    let text = format!(
        "board={:?} capture={capture:?} take={take} phases={phases:?} fly={fly} full-board={full_board:?}",
        board.kind()
    );
    text.to_lowercase()
}

#[cfg(test)]
mod tests {
    use nerode_games::morris::Preset;

    #[test]
    fn stones_are_drawn_where_their_labels_say() {
        let nine = Preset::named("nine").unwrap().rules();
        let at = |label: &str| 1 << nine.board.point(label).unwrap();
        let state = super::State { own: at("a7") | at("d5"), other: at("g1"), own_hand: 1, other_hand: 2 };
        let text = super::position(&nine, state);
        let expected = "side to move on [a7 d5], other side on [g1]\n\
            7 X     .     .\n\
            6   .   .   .\n\
            5     . X .\n\
            4 . . .   . . .\n\
            3     . . .\n\
            2   .   .   .\n\
            1 .     .     O\n  a b c d e f g";
        assert_eq!(text, expected);
        assert_eq!(
            super::rules(&nine),
            "board=nine capture=always take=1 phases=separate fly=true full-board=loss"
        );
    }
}
