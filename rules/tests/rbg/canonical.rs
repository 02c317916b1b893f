//! The canonical text, which is equal for equal rules and can be read back.

use nerode_rules::rbg::{bundled, read};
use proptest::prelude::*;

use crate::words::{book, rules_of, with_rules};

#[test]
fn equivalent_rules_have_the_same_text() {
    for (one, other) in [
        ("up^3", "up up up"),
        ("(up)(down)", "up down"),
        ("(up + (down + left))", "up + down + left"),
        ("[e,x] up", "([e] + [x]) up"),
        ("[$ n=1, a=2]", "[$ n=1] [$ a=2]"),
        ("{x,e,x}", "{e,x}"),
        ("up // to the end\n down", "up /* * */ down"),
        ("{$ n-1-1 == 0}", "{$ ((n)-1)-1 == 0}"),
        ("{$ n*2/2 == 0}", "{$ n*(2/2) == 0}"),
        ("(up (down)*)*", "(up down*)*"),
    ] {
        assert_eq!(rules_of(one), rules_of(other), "{one}");
    }
    assert_ne!(rules_of("{$ n-(1-1) == 0}"), rules_of("{$ n-1-1 == 0}"));
    assert_ne!(rules_of("(up down)*"), rules_of("up down*"));
    assert_eq!(
        rules_of("(up + down)* left ->> ->a {! {e} [x]} . {}"),
        "(up + down)* left ->>\n->a\n{! {e} [x]} . {}"
    );
}

#[test]
fn macros_are_replaced_and_tokens_joined() {
    let rules = |macros: &str, rules: &str| {
        let canonical = book(&with_rules(rules).replace("#rules", &format!("{macros}\n#rules"))).canonical();
        canonical.split("#rules =\n").nth(1).unwrap().trim_end().to_string()
    };
    assert_eq!(
        rules("#two(d) = d d #four(d) = two(two(d))", "four(up left)"),
        "up left up left up left up left"
    );
    assert_eq!(rules("#join(a;b) = a~b", "join(u;p) join(up;) join(;up) join(up do;wn)"), "up up up up down");
    assert_eq!(rules("#three(a;b;c) = a~b~c", "three(d;o;wn) three(d;;own) three(;;up)"), "down down up");
    assert_eq!(
        rules("#m(d) = d #m(d;f) = d f #m(d;f;g) = d f g", "m(up) m(up;down) m(up;down;up)"),
        "up up down up down up"
    );
    // A macro can only use macros defined before it, and a parameter hides a macro with the same name.
    assert_eq!(rules("#m = down #f(m) = m up m", "f(left) m"), "left up left down");
    assert_eq!(rules("#e = left", "->a e"), "->a\nleft");
    // Semicolons inside parentheses belong to the argument.
    assert_eq!(rules("#f(a;b) = b a #g(a) = a a", "f(g(up); f(up;down))"), "down up up up");
    // The result of joining tokens is not expanded again.
    assert_eq!(rules("#u = left #j(a;b) = a~b", "->a j(d;own)"), "->a\ndown");
    // Symbols and numbers can be joined as well.
    assert_eq!(rules("#j(a;b) = a~b", "up^j(1;2)"), ["up"; 12].join(" "));
    assert_eq!(rules("#j(a;b) = a~b", "j(->;>) j({;?) up}"), "->>\n{? up}");
}

#[test]
fn boards_lead_where_their_shapes_say() {
    let next = |board: &str, from: usize| -> Vec<Option<usize>> {
        let text = with_rules("->a").replace("rectangle(up,down,left,right,[e,x])", board);
        let book = book(&text);
        assert_eq!(super::words::book(&book.canonical()), book);
        book.board().squares[from].next.clone()
    };
    // Squares:  0 1
    //          2 3 4
    //           5 6
    let hexagon = "hexagon(nw,ne,east,se,sw,west,[e,e][e,e,e][e,e])";
    assert_eq!(next(hexagon, 3), [0, 1, 4, 6, 5, 2].map(Some));
    assert_eq!(next(hexagon, 0), [None, None, Some(1), Some(3), Some(2), None]);
    assert_eq!(next(hexagon, 2), [None, Some(0), Some(3), Some(5), None, None]);
    assert_eq!(next(hexagon, 6), [Some(3), Some(4), None, None, None, Some(5)]);
    // Squares: 0 . 1
    //          2 3 4
    let holes = "rectangle(up,down,left,right,[e,,e][e,x,e])";
    assert_eq!(next(holes, 0), [None, Some(2), None, None]);
    assert_eq!(next(holes, 3), [None, None, Some(2), Some(4)]);
    let cuboid = "cuboid(up,down,left,right,front,back,[[e,e][e,e]][[x,x][x,x]])";
    assert_eq!(next(cuboid, 1), [None, Some(3), Some(0), None, Some(5), None]);
    assert_eq!(next(cuboid, 6), [Some(4), None, None, Some(7), None, Some(2)]);
    let graph = "p[e]{go:q,back:p} q[x]{back:p} r[o]{}";
    assert_eq!((next(graph, 0), next(graph, 1)), (vec![Some(1), Some(0)], vec![None, Some(0)]));
    assert_eq!(next(graph, 2), [None, None]);
}

/// Checks that fingerprints are stable. If these numbers change although the rules do not, the format has changed, and
/// existing directories with rules would be rejected.
#[test]
fn fingerprints_stay() {
    let fingerprint = |name: &str| {
        let game = bundled().iter().find(|game| game.name == name).unwrap();
        read(name, game.text).unwrap().fingerprint()
    };
    assert_eq!(fingerprint("tictactoe"), "57ff2d5578ff6c9d");
    assert_eq!(fingerprint("breakthrough"), "3d13c0920e7d1347");
}

/// Generates values as text.
fn values() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["0", "7", "n", "a", "x", "e"]).prop_map(String::from);
    leaf.prop_recursive(3, 12, 3, |inner| {
        (inner.clone(), prop::sample::select(vec!["+", "-", "*", "/"]), inner, any::<bool>()).prop_map(
            |(left, operator, right, brackets)| {
                if brackets {
                    format!("({left}{operator}{right})")
                } else {
                    format!("{left} {operator} {right}")
                }
            },
        )
    })
}

/// Generates paths without switches as text.
pub fn paths() -> impl Strategy<Value = String> {
    let plain =
        prop::sample::select(vec!["up", "down", "left", "right", ".", "{e}", "{e,x}", "{}", "[o]", "[e,x]"]);
    let atom = prop_oneof![
        4 => plain.prop_map(String::from),
        1 => values().prop_map(|value| format!("[$ n = {value}, b={value}]")),
        1 => (values(), prop::sample::select(vec!["==", "!=", "<", "<=", ">", ">="]), values())
            .prop_map(|(left, sign, right)| format!("{{$ {left} {sign} {right}}}")),
    ];
    atom.prop_recursive(4, 40, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.join(" ")),
            prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| format!("({})", parts.join(" + "))),
            inner.clone().prop_map(|part| format!("({part})*")),
            (inner.clone(), 1..4).prop_map(|(part, n)| format!("({part})^{n}")),
            inner.clone().prop_map(|part| format!("{{? {part}}}")),
            inner.prop_map(|part| format!("{{! {part}}}")),
        ]
    })
}

/// Generates rules as text, with switches only outside patterns.
fn rules() -> impl Strategy<Value = String> {
    let switch = prop::sample::select(vec!["->a", "->b", "->>"]);
    prop::collection::vec((switch, paths()), 1..4).prop_map(|turns| {
        let turns: Vec<String> = turns.into_iter().map(|(switch, turn)| format!("{switch} {turn}")).collect();
        format!("({})*", turns.join(" "))
    })
}

proptest! {
    #[test]
    fn printing_and_reading_again_gives_the_same(rules in rules()) {
        let text = with_rules(&rules);
        let first = book(&text);
        let canonical = first.canonical();
        let again = book(&canonical);
        prop_assert_eq!(&again, &first);
        prop_assert_eq!(again.canonical(), canonical);
        prop_assert_eq!(again.fingerprint(), first.fingerprint());
    }

    #[test]
    fn no_text_makes_the_reader_panic(parts in prop::collection::vec(prop::sample::select(vec![
        "#", "rules", "players", "=", "(", ")", "[", "]", "{", "}", "{?", "{$", "[$", "->", "->>", "~", "*", "^", "3", "+", ",",
        ";", ":", "m", "up", "e", "a", "rectangle", "hexagon", "cuboid", "ä", "\n", "//", "/*", "<", "board", "pieces",
    ]), 0..60)) {
        let text = parts.join(" ");
        for text in [text.clone(), parts.concat(), with_rules(&text), format!("#m(e;up) = {text}\n{}", with_rules("m(up;m(a;b))"))] {
            if let Err(error) = read("soup", &text) {
                let span = error.span();
                prop_assert!(span.start <= span.end && span.end <= text.len());
                prop_assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
            }
        }
    }

    #[test]
    fn a_file_cut_short_is_an_error(game in 0..bundled().len(), share in 0.0..0.98_f64) {
        let text = bundled()[game].text;
        let cut = &text[..(text.len() as f64 * share) as usize];
        let _ = read("cut", cut);
    }
}

#[test]
fn a_byte_order_mark_is_ignored() {
    let text = crate::words::with_rules("->a up");
    assert_eq!(read("marked", &format!("\u{feff}{text}")).unwrap(), read("plain", &text).unwrap());
    let error = read("marked", &format!("\u{feff}{}", with_rules("->a pu"))).unwrap_err();
    assert!(error.to_string().starts_with("marked:5:14: unknown name 'pu'"), "{error}");
}
