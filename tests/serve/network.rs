//! The page on a network that delays and fails: a proxy stands between the browser and the service.

use std::thread::sleep;
use std::time::Duration;

use serde_json::json;

use crate::browser::{RECORD, open, record, text};
use crate::driver::Browser;
use crate::proxy::{Fate, Proxy};
use crate::service::{Service, solved};

/// The address of positions, as opposed to that of the choices of players.
const POSITIONS: &str = "/api/v1/tictactoe-3x3?";
/// A time in which anything that should not happen would happen.
const LONG: Duration = Duration::from_millis(400);

const fn after(milliseconds: u64) -> Fate {
    Fate::After(Duration::from_millis(milliseconds))
}

fn position(browser: &Browser) -> String {
    let value = browser.eval("return document.querySelector('#position').value");
    value.as_str().unwrap().to_string()
}

fn message(browser: &Browser, part: &str) {
    browser.until(&format!(
        "!document.querySelector('#message').hidden && document.querySelector('#message').textContent.includes({})",
        json!(part)
    ));
}

/// A second click before the answer makes no second move, and a request that fails makes none at all.
#[test]
fn the_record_changes_only_with_the_answer() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[&solved("tictactoe:3x3")]);
    let proxy = Proxy::of(&service);
    open(&browser, &proxy, "#s=tictactoe-3x3");
    proxy.set("/api/", Fate::Held);
    browser.eval("const first = document.querySelector('#moves button'); first.click(); first.click()");
    browser.click("[data-place=\"8\"]");
    assert_eq!(proxy.wait_for(1).len(), 1);
    sleep(LONG);
    assert_eq!(proxy.wait_for(1).len(), 1);
    assert_eq!(browser.eval(&format!("return {RECORD}")), 0);
    proxy.set("/", after(0));
    record(&browser, 1);
    for (fate, said) in [(Fate::Dropped, "does not respond"), (Fate::BadGateway, "status 502")] {
        let before = position(&browser);
        proxy.set("/api/", fate);
        browser.eval("document.querySelector('#moves button').click()");
        message(&browser, said);
        assert_eq!((browser.eval(&format!("return {RECORD}")), position(&browser)), (1.into(), before));
    }
    // The game goes on with the same position.
    proxy.set("/", after(0));
    browser.eval("document.querySelector('#moves button').click()");
    record(&browser, 2);
    assert_eq!(browser.eval("return document.querySelector('#message').hidden"), true);
}

/// However slow the answers are, a double click makes one move.
#[test]
#[ignore = "slow: .ci/slow"]
fn a_double_click_makes_one_move_on_a_slow_network() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[&solved("tictactoe:3x3")]);
    let proxy = Proxy::of(&service);
    for delay in [100, 350] {
        open(&browser, &proxy, "#s=tictactoe-3x3");
        proxy.set("/api/", after(delay));
        for place in ["[data-place=\"4\"]", "#moves button"] {
            let made = browser.eval(&format!("return {RECORD}")).as_u64().unwrap();
            browser.double_click(place);
            browser.until(&format!("{RECORD} > {made}"));
            sleep(LONG + Duration::from_millis(delay));
            assert_eq!(browser.eval(&format!("return {RECORD}")), made + 1, "{place}, {delay} ms");
        }
    }
}

/// While the program chooses its move, clicks on the board and in the list of moves make none.
#[test]
fn clicks_during_the_turn_of_the_program_make_no_move() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[&solved("tictactoe:3x3")]);
    let proxy = Proxy::of(&service);
    open(&browser, &proxy, "#s=tictactoe-3x3");
    browser.eval("const seat = document.querySelector('#seat-P2'); seat.value = 'perfect'; seat.dispatchEvent(new Event('change'))");
    proxy.set("/api/v1/tictactoe-3x3/choose", Fate::Held);
    browser.eval("document.querySelector('#moves button').click()");
    record(&browser, 1);
    proxy.wait_for(1);
    browser.click("[data-place=\"8\"]");
    browser.eval("for (const one of document.querySelectorAll('#moves button')) one.click()");
    sleep(LONG);
    assert_eq!(browser.eval(&format!("return {RECORD}")), 1);
    // A choice that fails is reported, and *Take back* goes on.
    proxy.set("/api/v1/tictactoe-3x3/choose", Fate::Dropped);
    message(&browser, "does not respond");
    proxy.set("/", after(0));
    browser.click("#take-back");
    record(&browser, 0);
    browser.click("#moves button");
    record(&browser, 2);
}

/// Both sides are given to programs before an answer has arrived, and the answers are slow: the game goes on to its end.
#[test]
#[ignore = "slow: .ci/slow"]
fn two_programs_switched_on_at_once_play_to_the_end() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[&solved("tictactoe:3x3")]);
    let proxy = Proxy::of(&service);
    open(&browser, &proxy, "#s=tictactoe-3x3");
    proxy.set("/api/", after(60));
    browser.eval(
        "for (const side of ['P1', 'P2']) { const seat = document.querySelector(`#seat-${side}`); seat.value = 'perfect'; \
         seat.dispatchEvent(new Event('change')); }",
    );
    browser.until("document.querySelector('#verdict').textContent.startsWith('The game is over')");
    record(&browser, 9);
}

/// The Back button overtakes an answer that is still on its way, which then changes nothing.
#[test]
fn a_late_answer_does_not_undo_the_back_button() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[&solved("tictactoe:3x3")]);
    let proxy = Proxy::of(&service);
    open(&browser, &proxy, "#s=tictactoe-3x3");
    browser.click("#moves button");
    record(&browser, 1);
    proxy.set(POSITIONS, Fate::Held);
    browser.click("#moves button");
    proxy.wait_for(1);
    browser.eval("history.back()");
    proxy.wait_for(2);
    proxy.set("/", after(0));
    record(&browser, 0);
    sleep(LONG);
    assert_eq!(
        browser.eval(&format!("return [{RECORD}, location.hash.includes('moves')]")),
        json!([0, false])
    );
}

/// A position that cannot be shown does not replace the game, and neither does another solution.
#[test]
#[ignore = "slow: .ci/slow"]
fn a_request_that_fails_leaves_the_game_as_it_is() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[&solved("tictactoe:3x3"), &solved("connect:4x4")]);
    let proxy = Proxy::of(&service);
    open(&browser, &proxy, "#s=tictactoe-3x3&moves=b2+a1&values=1");
    record(&browser, 2);
    browser.until("document.querySelector('#why, #moves .tag')");
    let before = position(&browser);
    let change = "const list = document.querySelector('#solutions'); list.value = 'connect-4x4'; list.dispatchEvent(new Event('change'))";
    let forms = "document.querySelector('#pasted').value = 'a1 b1'; document.querySelector('#moves-form').requestSubmit()";
    let random = "document.querySelector('#random').click()";
    for (what, script, below) in [
        ("random position", random, "/api/v1/tictactoe-3x3/sample"),
        ("its value", random, POSITIONS),
        ("quiz", "document.querySelector('#quiz').click()", "/api/v1/tictactoe-3x3"),
        ("set up", "document.querySelector('#set-up').click()", "/api/v1/tictactoe-3x3/setup"),
        ("best play", "document.querySelector('#best').click()", "/api/v1/tictactoe-3x3/line"),
        ("record", forms, POSITIONS),
        ("description", change, "/api/v1/connect-4x4/about"),
        ("first position", change, "/api/v1/connect-4x4?"),
        ("new game", "document.querySelector('#new').click()", POSITIONS),
    ] {
        proxy.set(below, Fate::Dropped);
        browser.eval(&format!("document.querySelector('#message').hidden = true; {script}"));
        message(&browser, "does not respond");
        proxy.set("/", after(0));
        // Stepping back and forth shows that the game can still be played.
        browser.click("#back");
        browser.until("!document.querySelector('#forward').disabled");
        browser.click("#forward");
        browser.until("document.querySelector('#forward').disabled");
        assert_eq!(position(&browser), before, "{what}");
        assert_eq!(
            browser.eval(&format!(
                "return [{RECORD}, document.querySelector('#kept').hidden, document.querySelector('#quiz-panel').hidden, \
                 document.querySelector('#setup-bar').hidden, document.querySelector('#solutions').value]"
            )),
            json!([2, true, true, true, "tictactoe-3x3"]),
            "{what}"
        );
        assert!(text(&browser, "#title").starts_with("Tic-tac-toe"), "{what}");
    }
}

/// The gallery shows what it can, and says what it cannot.
#[test]
fn a_gallery_whose_boards_fail_says_so() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[&solved("tictactoe:3x3"), &solved("connect:4x4")]);
    let proxy = Proxy::of(&service);
    proxy.set("/api/v1/connect-4x4", Fate::BadGateway);
    browser.open(&crate::browser::url(&proxy, ""));
    browser.until("document.querySelectorAll('#solved .thumbnail').length === 1");
    message(&browser, "status 502");
    proxy.set("/", after(0));
    browser.click("[data-play=\"connect-4x4\"]");
    browser.until("document.title.startsWith('Connect Four')");
}
