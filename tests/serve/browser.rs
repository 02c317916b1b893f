//! The page, in a browser.

use crate::driver::Browser;
use crate::kinds::{Kind, kinds};
use crate::service::{Service, solved};

const ARROW_UP: &str = "\u{e013}";
const ARROW_RIGHT: &str = "\u{e014}";
const ENTER: &str = "\u{e007}";
const READY: &str = "document.querySelector('#verdict').textContent";

fn url(service: &Service, rest: &str) -> String {
    format!("http://{}/{rest}", service.address)
}

/// Every kind of solution: its board, a move, a random position, and the view of the solution.
#[test]
fn every_kind_opens_and_plays_a_move() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&kinds().iter().map(|kind| kind.path.as_path()).collect::<Vec<_>>());
    for Kind { name, covers_start, has_sets, has_sectors, .. } in kinds() {
        browser.open("about:blank");
        browser.open(&url(&service, &format!("#s={name}")));
        browser.until("document.querySelectorAll('.badge').length > 0");
        assert_eq!(
            browser.eval("return document.querySelector('#hint').textContent === ''"),
            *covers_start,
            "{name}"
        );
        browser.screenshot(name);
        browser.click("#moves button");
        browser.until("document.querySelectorAll('#record button').length === 1");
        browser.click(".tab[data-view=solution]");
        browser.until("document.querySelector('#counts h2')");
        if *has_sets {
            browser.until("document.querySelector('#automaton svg')");
        }
        if *has_sectors {
            browser.until("document.querySelector('#sectors .sector')");
        }
        browser.screenshot(&format!("{name}-solution"));
        browser.click(".tab[data-view=board]");
        browser.click("#random");
        browser.until("document.querySelectorAll('#record button').length === 0");
        assert_eq!(browser.complaints(), Vec::<String>::new(), "{name}");
    }
}

/// The browser is terminated even if a test fails while it is running.
#[test]
fn no_browser_is_left_behind() {
    let (tell, told) = std::sync::mpsc::channel();
    let failing = std::thread::spawn(move || {
        let Some(browser) = Browser::start(400, 400, false) else { return };
        tell.send(browser.group()).unwrap();
        panic!("as a test that fails");
    });
    let _ = failing.join();
    let Ok(group) = told.recv() else { return };
    for _ in 0..600 {
        if rustix::process::test_kill_process_group(group).is_err() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("processes of the browser's group are still running");
}

/// Clicks on the board select the pawn, and then its destination.
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
    let service = Service::of(&kinds().iter().map(|kind| kind.path.as_path()).collect::<Vec<_>>());
    // Long names in the list, wide tables, maps: nothing is wider than the screen. The other kinds look like one of these.
    let looks = ["run", "scores", "ranked", "packed-sector", "hexagons", "points", "heaps"];
    for Kind { name, has_sets, .. } in kinds().iter().filter(|kind| looks.contains(&kind.name)) {
        for view in ["board", "solution"] {
            browser.open("about:blank");
            browser.open(&url(&service, &format!("#s={name}&view={view}")));
            browser.until(READY);
            if view == "solution" {
                browser.until("document.querySelector('#counts h2')");
                browser.until(&format!("!{has_sets} || document.querySelector('#automaton svg')"));
                browser.screenshot(&format!("narrow-{name}"));
            }
            let fits = browser.eval("return document.documentElement.scrollWidth <= innerWidth");
            assert_eq!(fits, true, "{name}, {view}");
        }
    }
    browser.open(&url(&service, "#s=table"));
    browser.until(READY);
    browser.click("#set-up");
    browser.until("!document.querySelector('#setup-bar').hidden");
    for place in ["0", "1", "2", "4"] {
        browser.click(&format!(".place[data-place=\"{place}\"]"));
        browser.until(&format!("document.querySelector('.place[data-place=\"{place}\"]').getAttribute('aria-label').match(/cross|ring/)"));
    }
    browser.until("document.querySelector('#setup-bar .bad')");
    // The reason is shown instead of values.
    browser.until("document.querySelector('#verdict').textContent.includes('cannot occur in a game')");
    assert_eq!(browser.eval("return document.querySelectorAll('#verdict .tag, #moves .tag').length"), 0);
    browser.screenshot("narrow");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The first set shown contains the position on the board. A click on a piece that cannot move is explained.
#[test]
fn the_solution_begins_with_a_set_of_the_position() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[&solved("breakthrough:3x4")]);
    browser.open(&url(&service, "#view=solution"));
    browser.until("document.querySelector('#automaton svg')");
    let said = "document.querySelector('#automaton p').textContent.includes('is one of them')";
    assert_eq!(browser.eval(&format!("return {said}")), true);
    let empty =
        "[...document.querySelectorAll('#set option')].some((set) => set.textContent.includes(': 0 states'))";
    assert_eq!(browser.eval(&format!("return {empty}")), false);
    browser.click(".tab[data-view=board]");
    browser.click("[data-place][aria-label*=black]");
    browser.until("document.querySelector('#hint').textContent === 'First (white) is to move.'");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_game_is_solved_at_once_and_opened() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[]);
    browser.open(&url(&service, ""));
    browser.until("document.querySelectorAll('#view-offers button').length > 5");
    browser.screenshot("offers");
    browser.click("#view-offers li:nth-child(1) button");
    browser.until("document.querySelectorAll('.badge').length === 9");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The proof opens step by step; the quiz hides values until a move is made.
#[test]
fn a_loss_is_explained_and_a_quiz_asks_for_the_only_move() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[&solved("breakthrough:3x4")]);
    browser.open(&url(&service, ""));
    browser.until("document.querySelector('#why summary')");
    browser.click("#why summary");
    browser.until("document.querySelector('#why .proof details')");
    browser.click("#why .proof summary");
    browser.until("document.querySelector('#why .proof .proof li')");
    browser.click("#quiz");
    browser.until("!document.querySelector('#quiz-panel').hidden");
    assert_eq!(browser.eval("return document.querySelectorAll('.badge, .tag').length"), 0);
    assert_eq!(browser.eval("return document.querySelector('#why').hidden"), true);
    // A question that is skipped counts neither as solved nor as missed.
    browser.eval("window.question = document.querySelector('#position').value");
    browser.click("#quiz-panel button");
    browser.until("document.querySelector('#position').value !== window.question");
    assert_eq!(
        browser.eval("return document.querySelector('#quiz-panel').textContent.includes(' solved')"),
        false
    );
    browser.click("#moves button");
    browser.until("document.querySelector('#quiz-panel').textContent.match(/Correct|Wrong/)");
    browser.until("document.querySelectorAll('.tag').length > 0");
    browser.screenshot("quiz");
    let one = "document.querySelector('#quiz-panel').textContent.match(/[01] of 1 solved/) !== null";
    assert_eq!(browser.eval(&format!("return {one}")), true);
    browser.click("#quiz-panel button:last-child");
    browser.until("document.querySelector('#quiz-panel').hidden");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Requests are held back or fail at will: `window.held` contains those that wait.
const HELD: &str = "window.held = []; window.isFailing = false; const real = window.fetch; \
    window.fetch = (...given) => window.isFailing ? Promise.reject(new TypeError('no network')) \
    : new Promise((done) => window.held.push(done)).then(() => real(...given)); \
    window.release = () => { for (const done of window.held.splice(0)) done(); }";
const RECORD: &str = "document.querySelectorAll('#record button').length";

/// A second click before the answer makes no second move, and a request that fails makes none at all.
#[test]
fn the_record_changes_only_with_the_answer() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[&solved("tictactoe:3x3")]);
    browser.open(&url(&service, ""));
    browser.until("document.querySelector('#moves button')");
    browser.eval(HELD);
    browser.eval("const first = document.querySelector('#moves button'); first.click(); first.click()");
    assert_eq!(browser.eval(&format!("return [window.held.length, {RECORD}]")), serde_json::json!([1, 0]));
    browser.eval("window.release()");
    browser.until(&format!("{RECORD} === 1"));
    browser.eval("window.isFailing = true; document.querySelector('#moves button').click()");
    browser.until("!document.querySelector('#message').hidden");
    assert_eq!(browser.eval(&format!("return {RECORD}")), 1);
    // The game goes on with the same position.
    browser
        .eval("window.isFailing = false; document.querySelector('#moves button').click(); window.release()");
    browser.until(&format!("{RECORD} === 2"));
}
