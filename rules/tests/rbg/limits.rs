//! Files that exceed the limits are rejected quickly, with the location of the cause.

use crate::words::{book, with_rules, wrong};

fn refused(text: &str, begins: &str) {
    let error = wrong(text);
    assert!(error.message().starts_with(begins), "{error}");
}

#[test]
fn macros_that_explode_are_refused() {
    let doubling = |first: &str| {
        let step = |i: usize| format!("#m{} = m{i} m{i}\n", i + 1);
        format!("#m0 = {first}\n") + &(0..60).map(step).collect::<String>() + &with_rules("m60")
    };
    refused(&doubling("up"), "more than 262144 uses of macros");
    refused(&doubling(""), "more than 262144 uses of macros");
    let arguments = "#m(x) = x x\n".to_string() + &with_rules(&("m(".repeat(60) + "up" + &")".repeat(60)));
    refused(&arguments, "more than 262144 uses of macros");
    let wide = format!("#m(x) = {}\n", "x ".repeat(1000)) + &with_rules("m(m(m(up)))");
    refused(&wide, "more than 1048576 tokens");
    let chain: String = (0..1000).map(|i| format!("#m{} = m{i}\n", i + 1)).collect();
    refused(&(format!("#m0 = up\n{chain}") + &with_rules("m1000")), "macros nested more than");
    let unused = format!("#no(x) =\n#f(x) = {}\n", "no(x) ".repeat(100_000));
    let long = "up ".repeat(1000);
    refused(&(unused + &with_rules(&format!("f(f(f({long})))"))), "expected an action");
}

#[test]
fn brackets_and_repetitions_have_a_limit() {
    let deep = |open: &str, inner: &str, close: &str| {
        with_rules(&(open.repeat(100_000) + inner + &close.repeat(100_000)))
    };
    refused(&deep("(", "up", ")"), "more than 100 nested brackets");
    refused(&deep("{? ", "up", "}"), "more than 100 nested brackets");
    let values = with_rules(&format!("{{$ {}1{} == 1}}", "(".repeat(100_000), ")".repeat(100_000)));
    refused(&values, "more than 100 nested brackets");
    refused(&with_rules("((((up^100)^100)^100)^100)"), "rules with more than 200000 actions");
    refused(&with_rules("up^1000000000"), "rules with more than 200000 actions");
    let right = with_rules(&("(".repeat(90) + "up" + &")".repeat(90)));
    assert_eq!(book(&right).rules().size(), 1);
}

#[test]
fn long_flat_rules_are_read() {
    let sum = with_rules(&format!("up{}", " + up".repeat(100_000)));
    assert_eq!(book(&sum).rules().size(), 100_001);
    let value = with_rules(&format!("{{$ 1{} == 1}}", " - 1".repeat(100_000)));
    let again = book(&value).canonical();
    assert_eq!(book(&again).canonical(), again);
}

#[test]
fn boards_and_files_have_a_limit() {
    let row = format!("[{}]", vec!["e"; 100].join(","));
    let large = with_rules("up").replace("[e,x]", &row.repeat(60));
    refused(&large, "a board with more than 4096 squares");
    refused(&" ".repeat(5 << 20), "the file has 5 242 880 bytes");
    let pieces: Vec<String> = (0..300).map(|i| format!("p{i}")).collect();
    refused(&with_rules("up").replace("e, x, o", &pieces.join(",")), "more than 250 names");
}
