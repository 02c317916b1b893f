//! The canonical text of rules: the contents of a file with macros and repetitions expanded. Reading it yields the same rules,
//! and its hash is their fingerprint.

use std::fmt::Write;

use super::board::{Board, Shape, Square};
use super::book::{Action, Arithmetic, Bounded, Comparison, Mover, Rulebook, Rules, Value};
use super::names::squares;
use super::read::{DRAWN_AT, MISERE, STARTS_WITH};
use super::turns::first_text;

impl Rulebook {
    /// Returns the canonical text. Equal rules have equal texts, regardless of the macros, comments and repetitions in the file.
    ///
    /// # Examples
    /// ```
    /// use nerode_rules::rbg::read;
    /// let text = "#players = me(1) #pieces = e #variables = #board = a[e]{r:a}
    ///     #go(x) = (r~x) // a macro
    ///     #rules = (go())^2";
    /// let canonical = read("", text).unwrap().canonical();
    /// assert_eq!(canonical, "#players = me(1)\n#pieces = e\n#variables =\n#board =\na[e]{r:a}\n#rules =\nr r\n");
    /// assert_eq!(read("", &canonical).unwrap().canonical(), canonical);
    /// ```
    #[must_use]
    pub fn canonical(&self) -> String {
        let mut out = String::new();
        let bounded = |list: &[Bounded]| {
            list.iter().map(|b| format!("{}({})", b.name, b.bound)).collect::<Vec<_>>().join(", ")
        };
        line(&mut out, "players", &bounded(&self.players));
        line(&mut out, "pieces", &self.pieces.join(", "));
        line(&mut out, "variables", &bounded(&self.variables));
        out += "#board =\n";
        self.print_board(&self.board, &mut out);
        out += "#rules =\n";
        self.print_rules(&self.rules, &mut out);
        out.push('\n');
        if let Some(first) = &self.first {
            out += &format!("// {STARTS_WITH}: {}\n", first_text(self, &squares(&self.board), first));
        }
        if self.misere {
            out += &format!("// {MISERE}\n");
        }
        out
    }

    /// Returns the canonical text with the drawing positions of squares as a comment. This text is stored with solutions.
    #[must_use]
    pub fn canonical_and_drawn(&self) -> String {
        let mut text = self.canonical();
        if let Some(points) = self.points() {
            let square =
                |(square, (right, up)): (&Square, &(usize, usize))| format!("{} {right} {up}", square.name);
            let listed: Vec<String> = self.board.squares.iter().zip(points).map(square).collect();
            text += &format!("// {DRAWN_AT}: {}\n", listed.join(", "));
        }
        text
    }

    /// Returns the fingerprint of the rules: 16 hexadecimal digits of a hash of [`Rulebook::canonical`].
    #[must_use]
    pub fn fingerprint(&self) -> String {
        blake3::hash(self.canonical().as_bytes()).to_hex()[..16].to_string()
    }

    fn print_board(&self, board: &Board, out: &mut String) {
        let head = |shape: &str| format!("{shape}({},\n", board.directions.join(","));
        match &board.shape {
            Shape::Rectangle(rows) => {
                *out += &head("rectangle");
                self.print_rows(rows, out);
                *out += ")\n";
            }
            Shape::Hexagon(rows) => {
                *out += &head("hexagon");
                self.print_rows(rows, out);
                *out += ")\n";
            }
            Shape::Cuboid(layers) => {
                *out += &head("cuboid");
                for layer in layers {
                    *out += "[\n";
                    self.print_rows(layer, out);
                    *out += "]\n";
                }
                *out += ")\n";
            }
            Shape::Graph => self.print_squares(board, out),
        }
    }

    fn print_rows(&self, rows: &[Vec<Option<usize>>], out: &mut String) {
        let piece = |square: usize| self.pieces[self.board.squares[square].piece].as_str();
        for row in rows {
            let row: Vec<&str> = row.iter().map(|square| square.map_or("", piece)).collect();
            *out += &format!("[{}]\n", row.join(","));
        }
    }

    fn print_squares(&self, board: &Board, out: &mut String) {
        for square in &board.squares {
            let to = |(direction, to): (usize, &Option<usize>)| {
                to.map(|to| format!("{}:{}", board.directions[direction], board.squares[to].name))
            };
            let edges: Vec<String> = square.next.iter().enumerate().filter_map(to).collect();
            *out += &format!("{}[{}]{{{}}}\n", square.name, self.pieces[square.piece], edges.join(","));
        }
    }

    /// Prints rules. A space follows every action and a line break every switch, except at the end of a group.
    fn print_rules(&self, rules: &Rules, out: &mut String) {
        match rules {
            Rules::Action(action, _) => self.print_action(action, out),
            Rules::Sequence(parts) => {
                for (number, part) in parts.iter().enumerate() {
                    if number > 0 {
                        let switch = matches!(parts[number - 1], Rules::Action(Action::Switch(_), _));
                        out.push(if switch { '\n' } else { ' ' });
                    }
                    self.print_within(part, matches!(part, Rules::Choice(_)), out);
                }
            }
            Rules::Choice(parts) => {
                for (number, part) in parts.iter().enumerate() {
                    *out += if number > 0 { " + " } else { "" };
                    self.print_rules(part, out);
                }
            }
            Rules::Repeated(part) => {
                self.print_within(part, !matches!(**part, Rules::Action(..)), out);
                out.push('*');
            }
        }
    }

    fn print_within(&self, rules: &Rules, brackets: bool, out: &mut String) {
        *out += if brackets { "(" } else { "" };
        self.print_rules(rules, out);
        *out += if brackets { ")" } else { "" };
    }

    fn print_action(&self, action: &Action, out: &mut String) {
        match action {
            Action::Shift(direction) => *out += &self.board.directions[*direction],
            Action::On(pieces) => {
                let pieces: Vec<&str> = pieces.iter().map(|&piece| self.pieces[piece].as_str()).collect();
                *out += &format!("{{{}}}", pieces.join(","));
            }
            Action::Put(piece) => *out += &format!("[{}]", self.pieces[*piece]),
            Action::Assign(register, value) => {
                *out += &format!("[$ {}=", self.register(*register).name);
                self.print_value(value, out);
                out.push(']');
            }
            Action::Compare(left, comparison, right) => {
                *out += "{$ ";
                self.print_value(left, out);
                *out += sign(*comparison);
                self.print_value(right, out);
                out.push('}');
            }
            Action::Switch(Mover::Keeper) => *out += "->>",
            Action::Switch(Mover::Player(player)) => *out += &format!("->{}", self.players[*player].name),
            Action::Pattern { negated, path } => {
                *out += if *negated { "{! " } else { "{? " };
                self.print_rules(path, out);
                out.push('}');
            }
            Action::Skip => out.push('.'),
        }
    }

    fn print_value(&self, value: &Value, out: &mut String) {
        match value {
            Value::Number(number) => _ = write!(out, "{number}"),
            Value::Register(register) => *out += &self.register(*register).name,
            Value::Count(piece) => *out += &self.pieces[*piece],
            Value::Joined(operator, parts) => {
                for (number, part) in parts.iter().enumerate() {
                    *out += if number > 0 { operator_sign(*operator) } else { "" };
                    let brackets = matches!(part, Value::Joined(..));
                    *out += if brackets { "(" } else { "" };
                    self.print_value(part, out);
                    *out += if brackets { ")" } else { "" };
                }
            }
        }
    }
}

fn line(out: &mut String, section: &str, text: &str) {
    *out += format!("#{section} = {text}").trim_end();
    out.push('\n');
}

fn sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "==",
        Comparison::Unequal => "!=",
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
        Comparison::More => ">",
        Comparison::AtLeast => ">=",
    }
}

fn operator_sign(operator: Arithmetic) -> &'static str {
    match operator {
        Arithmetic::Plus => "+",
        Arithmetic::Minus => "-",
        Arithmetic::Times => "*",
        Arithmetic::Over => "/",
    }
}
