//! Boards as text: rows with numbers for runs of empty cells, and drawings with labels.
//!
//! Invariant: [`Grid::parse_rows`] reads the output of [`Grid::format_rows`], and it never panics.

use super::{Grid, letters_of};
use crate::notation::{content_of, counted};
use crate::spec::digits;

impl Grid {
    /// Formats the board as rows from the top rank to the first, separated by `/`. Runs of content 0 become numbers (10 is ten
    /// empty cells), and other contents become `symbols[content]`, or `?` if a content has no symbol or the cell is missing.
    ///
    /// # Examples
    /// ```
    /// use nerode_games::grid::Grid;
    /// let board = [0, 0, 2, 1, 0, 0];
    /// assert_eq!(Grid::new(3, 2).format_rows(&board, &['.', 'X', 'O']), "X2/2O");
    /// ```
    pub fn format_rows(self, board: &[u8], symbols: &[char]) -> String {
        let mut text = String::new();
        for rank in (0..self.height).rev() {
            let mut empties = 0;
            for file in 0..self.width {
                let content = board.get(self.cell(file, rank)).copied();
                if content == Some(0) {
                    empties += 1;
                    continue;
                }
                push_run(&mut text, &mut empties);
                text.push(symbol(symbols, content));
            }
            push_run(&mut text, &mut empties);
            if rank > 0 {
                text.push('/');
            }
        }
        text
    }

    /// Reads rows in the format of [`Grid::format_rows`]. An empty cell may also be written as `symbols[0]`.
    ///
    /// # Errors
    /// Returns what is wrong with the text, and where, as part of a sentence. Rows are counted from the top.
    ///
    /// # Examples
    /// ```
    /// use nerode_games::grid::Grid;
    /// let grid = Grid::new(3, 2);
    /// assert_eq!(grid.parse_rows("X2/..O", &['.', 'X', 'O']), Ok(vec![0, 0, 2, 1, 0, 0]));
    /// assert!(grid.parse_rows("X2/4", &['.', 'X', 'O']).is_err());
    /// ```
    pub fn parse_rows(self, text: &str, symbols: &[char]) -> Result<Vec<u8>, String> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != self.height {
            let expected = counted(self.height, "row");
            return Err(format!("expected {expected} separated by '/', found {}", rows.len()));
        }
        let mut board = Vec::with_capacity(self.num_cells());
        for (above, row) in rows.iter().enumerate().rev() {
            self.parse_row(row, symbols, &mut board)
                .map_err(|reason| format!("row {} from the top, '{row}': {reason}", above + 1))?;
        }
        Ok(board)
    }

    /// Converts a drawing to a line: the rows separated by `/`, then the text below the board, where `X to move`
    /// becomes `X`. Returns `None` if `text` is not a drawing. A drawing has one line for each row, with or without its
    /// number, and may have the letters of the files below.
    ///
    /// # Examples
    /// ```
    /// use nerode_games::grid::Grid;
    /// let grid = Grid::new(3, 2);
    /// assert_eq!(grid.line_of_drawing("2  X . .\n1  . . O\n   a b c\nX to move\n").unwrap(), "X../..O X");
    /// assert_eq!(grid.line_of_drawing("X . .\n. . O\nX").unwrap(), "X../..O X");
    /// assert_eq!(grid.line_of_drawing("X../..O X"), None);
    /// ```
    pub fn line_of_drawing(self, text: &str) -> Option<String> {
        let mut lines = lines_of_drawing(text)?.into_iter().peekable();
        let mut rows = Vec::with_capacity(self.height);
        for rank in (1..=self.height).rev() {
            let words = lines.next()?;
            let is_numbered = words.len() > 1 && words[0] == rank.to_string();
            rows.push(words[usize::from(is_numbered)..].concat());
        }
        lines.next_if(|words| is_files(words, self.width));
        let rest: Vec<&str> = lines.flatten().collect();
        let rest = match rest[..] {
            [side, "to", "move", ..] => side.to_string(),
            _ => rest.join(" "),
        };
        rows.iter().all(|row| !row.contains('/')).then(|| format!("{} {rest}", rows.join("/")))
    }

    fn parse_row(self, row: &str, symbols: &[char], board: &mut Vec<u8>) -> Result<(), String> {
        let end = board.len() + self.width;
        let mut rest = row;
        while let Some(first) = rest.chars().next() {
            let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            if let Some(run) = digits(&rest[..length]) {
                if run == 0 || run > end - board.len() {
                    let digits = &rest[..length];
                    let (at, left) = (character(row, rest), end - board.len());
                    return Err(match left {
                        0 => format!("more than {} cells", self.width),
                        1 => format!(
                            "character {at} stands for {digits} empty cells, but the row has room for 1"
                        ),
                        _ => format!(
                            "character {at} stands for {digits} empty cells, but the row has room for 1 to {left}"
                        ),
                    });
                }
                board.resize(board.len() + run, 0);
                rest = &rest[length..];
                continue;
            }
            let content = content_of(first, symbols).and_then(|content| u8::try_from(content).ok());
            let content = content.ok_or_else(|| unknown_symbol(character(row, rest), first, symbols))?;
            if board.len() == end {
                return Err(format!("more than {} cells", self.width));
            }
            board.push(content);
            rest = &rest[first.len_utf8()..];
        }
        match end - board.len() {
            0 => Ok(()),
            missing => Err(format!("only {} of {} cells", self.width - missing, self.width)),
        }
    }

    /// Draws the board with the top rank first, rank numbers on the left and file letters below. Every line ends with `\n`.
    ///
    /// # Examples
    /// ```
    /// use nerode_games::grid::Grid;
    /// let drawing = Grid::new(2, 2).draw(&[1, 0, 0, 2], &['.', 'X', 'O']);
    /// assert_eq!(drawing, "2  . O\n1  X .\n   a b\n");
    /// ```
    pub fn draw(self, board: &[u8], symbols: &[char]) -> String {
        let of = |cell| symbol(symbols, board.get(cell).copied()).to_string();
        self.draw_texts(&(0..self.num_cells()).map(of).collect::<Vec<_>>())
    }

    /// Draws the board like [`Grid::draw`], with a text for every cell. Cells beyond the end of `texts` stay blank.
    ///
    /// # Examples
    /// ```
    /// use nerode_games::grid::Grid;
    /// let texts = ["10", "2", "3", "4"].map(String::from);
    /// assert_eq!(Grid::new(2, 2).draw_texts(&texts), "2   3  4\n1  10  2\n    a  b\n");
    /// ```
    pub fn draw_texts(self, texts: &[String]) -> String {
        let label = self.height.to_string().len();
        let widest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        let column = letters_of(self.width - 1).len().max(widest);
        let mut text = String::new();
        for rank in (0..self.height).rev() {
            let cells = (0..self.width).map(|file| {
                let text = texts.get(self.cell(file, rank)).map_or("", String::as_str);
                format!("{text:>column$}")
            });
            text.push_str(&format!("{:>label$}  {}\n", rank + 1, cells.collect::<Vec<_>>().join(" ")));
        }
        let files: Vec<String> =
            (0..self.width).map(|file| format!("{:>column$}", letters_of(file))).collect();
        text + &format!("{:label$}  {}\n", "", files.join(" "))
    }
}

/// Splits each non-empty line into words, or returns `None` if there is only one line, because it cannot be a drawing.
pub(crate) fn lines_of_drawing(text: &str) -> Option<Vec<Vec<&str>>> {
    let text = text.trim();
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let lines = lines.map(|line| line.split_whitespace().collect());
    text.contains('\n').then(|| lines.collect())
}

/// Returns `true` if `words` are the letters of `width` files, as they appear below a drawing.
pub(crate) fn is_files(words: &[&str], width: usize) -> bool {
    words.len() == width && words.iter().enumerate().all(|(file, word)| *word == letters_of(file))
}

/// Returns the number, counted from 1, of the character of `row` at which its suffix `rest` begins.
fn character(row: &str, rest: &str) -> usize {
    row.chars().count() - rest.chars().count() + 1
}

/// Describes the unexpected character `found`, which is character number `at`, if the contents of cells are `symbols`.
fn unknown_symbol(at: usize, found: char, symbols: &[char]) -> String {
    let known: Vec<String> = symbols.iter().skip(1).map(char::to_string).collect();
    format!("unexpected '{found}' at character {at}; expected {} or a digit", known.join(", "))
}

fn push_run(text: &mut String, empties: &mut usize) {
    if *empties > 0 {
        text.push_str(&empties.to_string());
        *empties = 0;
    }
}

fn symbol(symbols: &[char], content: Option<u8>) -> char {
    content.and_then(|content| symbols.get(usize::from(content))).copied().unwrap_or('?')
}
