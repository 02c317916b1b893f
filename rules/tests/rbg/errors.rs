//! Errors in rules: their messages, and the part of the text that they underline.

use crate::words::{with_rules, wrong};

/// Asserts the error message for `rules`, and the part of the text to which it refers.
fn says(rules: &str, message: &str, underlined: &str) {
    let text = with_rules(rules);
    let error = wrong(&text);
    assert_eq!(error.message(), message, "{rules}");
    assert_eq!(&text[error.span().start..error.span().end], underlined, "{rules}");
    assert!(!error.label().is_empty(), "{rules}");
}

#[test]
fn a_token_out_of_place_is_underlined() {
    says("->a {e", "unclosed bracket: missing '}'", "{");
    says("->a {$ n < 3", "unclosed bracket: missing '}'", "{$");
    says("->a [e up", "expected ',' or ']', found 'up'", "up");
    says("->a (up + )", "expected an action, found ')'", ")");
    says("->a (up", "unclosed bracket: missing ')'", "(");
    says("->a {? up", "unclosed bracket: missing '}'", "{?");
    says("->a up)", "expected an action, '+' or the end of the section, found ')'", ")");
    says("->a up 3", "expected an action, '+' or the end of the section, found '3'", "3");
    says("->a up^0", "expected the number of repetitions, at least 1, found '0'", "0");
    says("->a up**", "expected an action, '+' or the end of the section, found '*'", "*");
    says("", "expected an action, found the end of the section 'rules'", "rules");
    says("-> 3", "expected the name of a player, found '3'", "3");
    says("{$ n + < 3}", "expected a number, a variable, a player, a piece or '(', found '<'", "<");
    says("{$ n = 3}", "expected a comparison: == != < <= > >=, found '='", "=");
    says("[$ n = 3 up]", "expected an operator, ',' or ']', found 'up'", "up");
    says("[]", "expected a piece, found ']'", "]");
}

#[test]
fn the_unclosed_bracket_is_reported() {
    let error = wrong(&with_rules("->a (up\n{e} ] ->b)"));
    assert_eq!(
        error.to_string(),
        "test:6:5: expected an action, '+' or ')', found ']'; the bracket was opened on line 5"
    );
    let open = error.opened().unwrap();
    assert_eq!(&with_rules("->a (up\n{e} ] ->b)")[open.start..open.end], "(");
    // A bracket that a macro leaves open is reported in the macro, not where it is used.
    let text = "#m(x) = up (x {e}\n".to_string() + &with_rules("(->a m(down) m(up))*");
    let error = wrong(&text);
    assert_eq!(error.to_string(), "test:1:12: unclosed bracket in the macro 'm': missing ')'");
    let text = "#m = up )\n".to_string() + &with_rules("(->a (m up {e)");
    assert_eq!(wrong(&text).to_string(), "test:1:9: unmatched closing bracket in the macro 'm'");
}

#[test]
fn a_name_of_something_else_is_underlined() {
    says("->a x", "'x' is a piece, not a direction", "x");
    says("->a {up}", "'up' is a direction, not a piece", "up");
    says("->x", "'x' is a piece, not a player", "x");
    says("[$ x = 1]", "'x' is a piece, not a variable or a player", "x");
    says("{$ up == 1}", "'up' is a direction, not a number, a variable, a player, a piece or '('", "up");
    says("->a downn", "unknown name 'downn'", "downn");
    says("{? ->a}", "a pattern cannot give the turn to a player or the keeper", "->a");
    says("{! up {? ->>}}", "a pattern cannot give the turn to a player or the keeper", "->>");
}

#[test]
fn help_is_given_where_something_is_known() {
    let help = |rules: &str| wrong(&with_rules(rules)).help().unwrap().to_string();
    assert_eq!(help("->a dwon"), "did you mean 'down'?");
    assert_eq!(help("->a x"), "'{x}' tests for this piece, and '[x]' places it");
    assert_eq!(help("a up"), "'->a' gives this player the turn");
    assert_eq!(
        help("late\n#late = up"),
        "the macro 'late' is defined below: move its definition before this use"
    );
    let itself = "the macro 'again' cannot use itself: '(...)*' repeats the contents of the parentheses";
    assert_eq!(
        help("again\n#again = up again"),
        "the macro 'again' is defined below: move its definition before this use"
    );
    let text = "#again = up again\n".to_string() + &with_rules("again");
    assert_eq!(wrong(&text).help(), Some(itself));
    let text = "#two(x;y) = x y\n".to_string() + &with_rules("->a two(up, down)");
    assert_eq!(wrong(&text).help(), Some("arguments are separated by ';', not by ','"));
    assert_eq!(help("->a_b"), "names consist of letters and digits and begin with a letter");
    assert_eq!(help("up /* never"), "end it with '*/'");
}

#[test]
fn lines_and_columns_count_characters_from_one() {
    let error = wrong(&with_rules("\n  // äöü\n  /* ä */ ->a wrong"));
    assert_eq!(error.to_string(), "test:7:15: unknown name 'wrong'");
}

#[test]
fn uses_of_macros_are_reported_innermost_first() {
    let text = "#inner(x) = x wrong\n#outer(y) = up inner(y)\n".to_string() + &with_rules("->a outer(down)");
    let error = wrong(&text);
    let uses: Vec<&str> = error.uses().iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(uses, ["inner", "outer"]);
    let places: Vec<&str> = error.uses().iter().map(|(_, span)| &text[span.start..span.end]).collect();
    assert_eq!(places, uses);
    assert_eq!(error.to_string(), "test:1:15: unknown name 'wrong'");
    // An error in an argument is underlined where the argument is given.
    let text = "#m(x) = up x\n".to_string() + &with_rules("->a m(wrong)");
    let error = wrong(&text);
    assert_eq!(error.to_string(), "test:6:16: unknown name 'wrong'");
    assert!(error.uses().is_empty());
}

#[test]
fn macros_are_used_as_they_are_defined() {
    let said = |macros: &str, rules: &str| {
        wrong(&(macros.to_string() + "\n" + &with_rules(rules))).message().to_string()
    };
    assert_eq!(said("#m(x;y) = x", "m(up)"), "the macro 'm' takes 2 arguments, not 1");
    assert_eq!(said("#m(x) = x #m(x;y) = x", "m(a;b;c)"), "the macro 'm' takes 1 or 2 arguments, not 3");
    assert_eq!(said("#m(x) = x", "m up"), "the macro 'm' needs arguments");
    assert_eq!(said("#m(x) = x", "m(up"), "unterminated arguments of the macro 'm'");
    assert_eq!(said("#m = up #m = down", "m"), "the macro 'm' is defined twice");
    assert_eq!(said("#m = up #m(x) = x", "m"), "the macro 'm' is defined with and without parameters");
    assert_eq!(said("#m(x;x) = x", "m(a;a)"), "duplicate parameter 'x'");
    assert_eq!(said("#m(x) = x~", "m(up)"), "expected a token on both sides of '~'");
    assert_eq!(said("#m(x) = ~x", "m(up)"), "expected a token on both sides of '~'");
    assert_eq!(said("#m(x) = x~{", "m(up)"), "'up' and '{' do not join to a token");
    assert_eq!(said("#m(x) = x~up", "m(1)"), "'1' and 'up' do not join to a token");
    assert_eq!(said("#m = m", "m"), "unknown name 'm'");
    assert_eq!(said("#rectangle = up", "up"), "'rectangle' is a reserved word");
    assert_eq!(said("# = up", "up"), "expected a name after '#'");
    assert_eq!(said("#m up", "up"), "expected '=' in the definition of 'm'");
}

#[test]
fn sections_are_there_once() {
    let whole = with_rules("up");
    for name in ["players", "pieces", "variables", "board", "rules"] {
        let without: Vec<&str> =
            whole.lines().filter(|line| !line.starts_with(&format!("#{name}"))).collect();
        let message = format!("missing section '#{name} = ...'");
        assert_eq!(wrong(&without.join("\n")).message(), message);
    }
    assert_eq!(wrong("").message(), "missing section '#players = ...'");
    assert_eq!(wrong("up").message(), "expected '#', found 'up'");
    let twice = whole.clone() + "\n#rules = down";
    assert_eq!(wrong(&twice).message(), "duplicate section 'rules'");
}

#[test]
fn names_are_declared_once() {
    let said = |from: &str, to: &str| wrong(&with_rules("up").replace(from, to)).message().to_string();
    assert_eq!(said("e, x, o", "e, x, a"), "'a' already names a player");
    assert_eq!(said("e, x, o", "e, x, x"), "'x' already names a piece");
    assert_eq!(said("n(5)", "x(5)"), "'x' already names a piece");
    assert_eq!(said("up,down", "up,up"), "'up' already names a direction");
    assert_eq!(said("n(5)", "n(0)"), "expected the largest value, a number of at least 1, found '0'");
    assert_eq!(said("n(5)", "n(5) m(6)"), "expected the end of the section, found 'm'");
    assert_eq!(
        said("a(9), b(9)", ""),
        "expected the name of a player, found the end of the section 'players'"
    );
    assert_eq!(said("e, x, o", "e, board"), "'board' is a reserved word");
    assert_eq!(said("n(5)", "n(99999999999)"), "number too large");
}

#[test]
fn boards_that_do_not_fit_are_refused() {
    let said = |board: &str| {
        let text = with_rules("up").replace("rectangle(up,down,left,right,[e,x])", board);
        wrong(&text).message().to_string()
    };
    assert_eq!(said("rectangle(up,down,left,right,[e,x][e])"), "a row of length 1 after a row of length 2");
    assert_eq!(said("hexagon(a1,up,c,d,f,g,[e,x][e,e][e])"), "a row of length 2 after a row of length 2");
    assert_eq!(said("hexagon(a1,up,c,d,f,g,[e][e,e][e][e,e])"), "a row of length 2 after a row of length 1");
    let text = with_rules("up").replace("rectangle(up,down,left,right,[e,x])", "rectangle(up,down,left,[e])");
    let error = wrong(&text);
    assert_eq!(error.message(), "this board has 4 directions, not 3");
    assert_eq!(&text[error.span().start..error.span().end], "up,down,left,");
    assert_eq!(said("rectangle(a1,b1,c,d,f,[e])"), "this board has 4 directions, not 5");
    assert_eq!(said("rectangle([e])"), "this board has 4 directions, not 0");
    assert_eq!(said("rectangle(up,down,left,right,[,])"), "the board has no squares");
    assert_eq!(said("cuboid(up,down,l,r,f,g,[[e][e]][[e]])"), "layers of a cuboid must have the same size");
    assert_eq!(said("p[e]{up:q}"), "unknown square 'q'");
    assert_eq!(said("p[e]{up:p,up:p}"), "duplicate direction 'up'");
    assert_eq!(said("p[e]{up:p} p[e]{up:p}"), "duplicate square 'p'");
    assert_eq!(said("p[z]{up:p}"), "unknown name 'z'");
    assert_eq!(said("3"), "expected rectangle, hexagon, cuboid or the name of a square, found '3'");
}
