//! The page, in a browser.

use crate::driver::Browser;
use crate::service::{Service, solved};

const ARROW_UP: &str = "\u{e013}";
const ARROW_RIGHT: &str = "\u{e014}";
const ENTER: &str = "\u{e007}";
const READY: &str = "document.querySelector('#verdict').textContent";

fn url(service: &Service, rest: &str) -> String {
    format!("http://{}/{rest}", service.address)
}

#[test]
fn every_family_opens_and_plays_a_move() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    for spec in ["tictactoe:3x3", "breakthrough:3x4", "nim:2x3", "connect:3x3,row=3", "othello:3x3"] {
        let service = Service::of(&[&solved(spec)]);
        browser.open(&url(&service, ""));
        browser.until(READY);
        browser.until("document.querySelectorAll('.badge').length > 0");
        browser.screenshot(&spec.replace([':', ',', '='], "-"));
        browser.click("#moves button");
        browser.until("document.querySelectorAll('#record button').length === 1");
        browser.click(".tab[data-view=solution]");
        browser.until("document.querySelector('#automaton svg')");
        assert_eq!(browser.complaints(), Vec::<String>::new(), "{spec}");
    }
}

/// Clicks on the board: the pawn, then where it goes.
#[test]
fn a_game_against_the_program_goes_to_its_end_and_its_link_opens_again() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[&solved("breakthrough:3x4")]);
    browser.open(&url(&service, ""));
    browser.until(READY);
    browser.eval("const seat = document.querySelector('#seat-P2'); seat.value = 'perfect'; seat.dispatchEvent(new Event('change'))");
    let over = "document.querySelector('#verdict').textContent.includes('over')";
    let mine = format!(
        "{over} || (document.querySelectorAll('#record button').length % 2 === 0 && document.querySelector('.place.can'))"
    );
    for _ in 0..20 {
        browser.until(&mine);
        if browser.eval(&format!("return {over}")) == true {
            break;
        }
        let made = browser.eval("return document.querySelectorAll('#record button').length");
        browser.click(".place.can");
        browser.until("document.querySelector('.place.chosen')");
        browser.click(".place.can:not(.chosen)");
        browser.until(&format!("document.querySelectorAll('#record button').length > {made}"));
    }
    assert_eq!(browser.eval(&format!("return {over}")), true);
    let link = browser.eval("return location.href").as_str().unwrap().to_string();
    let position = browser.eval("return document.querySelector('#position').value");
    browser.open("about:blank");
    browser.open(&link);
    browser.until(over);
    assert_eq!(browser.eval("return document.querySelector('#position').value"), position);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_keyboard_is_enough() {
    let Some(browser) = Browser::start(1280, 900, true) else { return };
    let service = Service::of(&[&solved("breakthrough:3x4")]);
    browser.open(&url(&service, ""));
    browser.until("document.querySelector('.place[tabindex=\"0\"]')");
    browser.eval("document.querySelector('.place[tabindex=\"0\"]').focus()");
    browser.keys(&[ENTER]);
    browser.until("document.querySelector('.place.chosen')");
    browser.keys(&[ARROW_UP, ARROW_RIGHT]);
    browser.keys(&[ENTER]);
    browser.until("document.querySelectorAll('#record button').length === 1");
    browser.eval("document.activeElement.blur()");
    browser.keys(&[","]);
    browser.until("document.querySelector('#forward').disabled === false");
    browser.screenshot("dark");
}

#[test]
fn a_position_is_set_up_and_told_what_is_wrong_with_it_on_a_narrow_screen() {
    let Some(browser) = Browser::start(400, 850, false) else { return };
    let service = Service::of(&[&solved("tictactoe:3x3")]);
    browser.open(&url(&service, ""));
    browser.until(READY);
    assert_eq!(browser.eval("return document.documentElement.scrollWidth <= innerWidth"), true);
    browser.click("#set-up");
    browser.until("!document.querySelector('#setup-bar').hidden");
    for place in ["0", "1", "2", "4"] {
        browser.click(&format!(".place[data-place=\"{place}\"]"));
        browser.until(&format!("document.querySelector('.place[data-place=\"{place}\"]').getAttribute('aria-label').match(/cross|ring/)"));
    }
    browser.until("document.querySelector('#setup-bar .bad')");
    browser.screenshot("narrow");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
