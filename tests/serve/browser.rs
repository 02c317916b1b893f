//! The page, in a browser.

use std::path::Path;

use crate::driver::Browser;
use crate::kinds::{Kind, kinds};
use crate::service::{Service, solved};
use crate::site::{Host, module, site};

const ARROW_UP: &str = "\u{e013}";
const ARROW_RIGHT: &str = "\u{e014}";
const ENTER: &str = "\u{e007}";
const READY: &str = "document.querySelector('#verdict').textContent";

/// What a browser opens: the service, or a site without one.
pub trait Place {
    /// The address of the page, with its last slash.
    fn base(&self) -> String;
}

impl Place for Service {
    fn base(&self) -> String {
        format!("http://{}/", self.address)
    }
}

impl Place for Host {
    fn base(&self) -> String {
        self.url.clone()
    }
}

pub fn url(place: &(impl Place + ?Sized), rest: &str) -> String {
    place.base() + rest
}

/// Returns the service of these solutions, and a site of them if the module has been built.
pub fn both(dirs: &[&Path]) -> Vec<Box<dyn Place>> {
    let mut places: Vec<Box<dyn Place>> = vec![Box::new(Service::of(dirs))];
    if let Some(module) = module() {
        places.push(Box::new(Host::of(site(&module, dirs), true)));
    }
    places
}

/// Every kind of solution: its board, a move, a random position, and the view of the solution.
#[test]
#[ignore = "slow: .ci/slow"]
fn every_kind_opens_and_plays_a_move() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&kinds().iter().map(|kind| kind.path.as_path()).collect::<Vec<_>>());
    for Kind { name, covers_start, has_sets, has_sectors, .. } in kinds() {
        browser.open("about:blank");
        browser.open(&url(&service, &format!("#s={name}&values=1")));
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
            browser.until("document.querySelector('#automaton canvas')");
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
#[ignore = "slow: .ci/slow"]
fn a_game_against_the_program_goes_to_its_end_and_its_link_opens_again() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    for service in both(&[&solved("breakthrough:3x4")]) {
        browser.open(&url(&*service, ""));
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
}

#[test]
fn the_keyboard_is_enough() {
    let Some(browser) = Browser::start(1280, 900, true) else { return };
    for service in both(&[&solved("breakthrough:3x4")]) {
        browser.open(&url(&*service, ""));
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
}

#[test]
#[ignore = "slow: .ci/slow"]
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
                browser.until(&format!("!{has_sets} || document.querySelector('#automaton canvas')"));
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
        browser.until(&format!("document.querySelector('.place[data-place=\"{place}\"]').getAttribute('aria-label').match(/cross|nought/)"));
    }
    browser.until("document.querySelector('#setup-bar .bad')");
    // The reason is shown instead of values.
    browser.until("document.querySelector('#verdict').textContent.includes('cannot occur in a game')");
    assert_eq!(browser.eval("return document.querySelectorAll('#verdict .tag, #moves .tag').length"), 0);
    browser.screenshot("narrow");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The gallery draws the games that can be solved, solves one, and cancels another one, which frees the service.
#[test]
fn a_game_is_solved_at_once_and_opened() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[]);
    browser.open(&url(&service, ""));
    browser.until("document.querySelectorAll('#offers .thumbnail').length > 5");
    // There is no solution yet, and no view of one, even if a link asks for it.
    assert_eq!(browser.eval("return document.querySelector('#message').hidden"), true);
    browser.open("about:blank");
    browser.open(&url(&service, "#view=solution"));
    browser.until("document.querySelectorAll('#offers .thumbnail').length > 5");
    assert_eq!(
        browser.eval("return [document.querySelector('#message').hidden, document.querySelector('#view-solution').hidden, document.body.textContent.includes('Counting')]"),
        serde_json::json!([true, true, false])
    );
    assert_eq!(
        browser.eval("return [...document.querySelectorAll('.tab')].every((tab) => tab.hidden)"),
        true
    );
    browser.screenshot("offers");
    let of = |game: &str, rest: &str| format!("[data-game=\"{game}\"] {rest}");
    let slow = of("breakthrough:4x5", "button");
    browser.click(&slow);
    browser.until(&format!("document.querySelector('{slow}').textContent === 'Cancel'"));
    // Its clock runs, and every other game says why it has to wait.
    assert_eq!(
        browser.eval(&format!("return document.querySelector('{}').title", of("tictactoe:3x3", "button"))),
        "Another game is being solved."
    );
    let clock = format!(
        "document.querySelector('{}').textContent.match(/[0-9.]+ s$/)?.[0]",
        of("breakthrough:4x5", ".progress")
    );
    browser.until(&clock);
    browser.eval(&format!("window.clock = {clock}"));
    browser.until(&format!("{clock} && {clock} !== window.clock"));
    browser.eval(&format!("document.querySelector('{slow}').click()"));
    browser.until(&format!(
        "document.querySelector('{}').textContent.startsWith('Cancelled')",
        of("breakthrough:4x5", ".progress")
    ));
    // The cards are drawn anew when the solve has ended.
    let small = format!("document.querySelector('{}')", of("tictactoe:3x3", "button"));
    browser.until(&format!("!{small}.disabled"));
    browser.eval(&format!("{small}.focus()"));
    browser.keys(&[ENTER]);
    browser.until("document.querySelector('[data-explore=\"tictactoe-3x3\"]')");
    browser.until("document.querySelector('#solved .result').textContent.includes('draw')");
    browser.until("document.activeElement.matches('[data-play=\"tictactoe-3x3\"]')");
    browser.eval("document.querySelector('[data-explore=\"tictactoe-3x3\"]').click()");
    browser.until("document.querySelectorAll('.badge').length === 9");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The proof opens step by step; the quiz hides values until a move is made.
#[test]
fn a_loss_is_explained_and_a_quiz_asks_for_the_only_move() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    for service in both(&[&solved("breakthrough:3x4")]) {
        browser.open(&url(&*service, "#s=breakthrough-3x4&values=1"));
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
        // After a wrong answer, the right move is played on the board, where its proof can be opened.
        let says = "document.querySelector('#quiz-panel').textContent";
        while browser.eval(&format!("return {says}.includes('Correct')")) == true {
            browser.eval("window.question = document.querySelector('#position').value");
            browser.click("#quiz-panel button");
            browser.until(&format!("{says}.includes('Only one move') && document.querySelector('#position').value !== window.question"));
            browser.click("#moves button");
            browser.until(&format!("{says}.match(/Correct|Wrong/)"));
        }
        browser.eval("[...document.querySelectorAll('#quiz-panel button')].find((one) => one.textContent.startsWith('Show ')).click()");
        browser.until("!document.querySelector('#why').hidden && document.querySelector('#why').textContent.includes('lost')");
        assert_eq!(browser.eval(&format!("return {says}.includes('Wrong')")), true);
        browser.click("#quiz-panel button:last-child");
        browser.until("document.querySelector('#quiz-panel').hidden");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}

pub const RECORD: &str = "document.querySelectorAll('#record button').length";

pub fn record(browser: &Browser, length: usize) {
    browser.until(&format!("{RECORD} === {length}"));
}

pub fn text(browser: &Browser, selector: &str) -> String {
    let script = format!("return document.querySelector('{selector}').textContent");
    browser.eval(&script).as_str().unwrap_or_default().to_string()
}

/// Opens a link, and waits for the position.
pub fn open(browser: &Browser, place: &(impl Place + ?Sized), link: &str) {
    browser.open("about:blank");
    browser.open(&url(place, link));
    browser.until(READY);
}

/// The answer to the first click arrives before the second one, which would make a move of the next position.
#[test]
fn a_double_click_makes_one_move() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    for service in both(&[&solved("connect:4x4")]) {
        for place in ["#moves button", "[data-place=\"2\"]"] {
            open(&browser, &*service, "#s=connect-4x4");
            browser.double_click(place);
            record(&browser, 1);
            std::thread::sleep(std::time::Duration::from_millis(300));
            assert_eq!(browser.eval(&format!("return {RECORD}")), 1, "{place}");
        }
    }
}

/// The focus stays on the board, or in the list of moves, after every move, and follows from the gallery to the board.
#[test]
fn the_focus_is_never_lost() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[&solved("connect:4x4"), &solved("tictactoe:3x3")]);
    let at = |selector: &str| {
        browser.until(&format!("document.activeElement.matches({})", serde_json::json!(selector)))
    };
    let focus = |selector: &str| browser.eval(&format!("document.querySelector('{selector}').focus()"));
    open(&browser, &service, "#s=connect-4x4&values=1");
    for made in 1..4 {
        focus("[data-place=\"0\"]");
        browser.keys(&[ENTER]);
        record(&browser, made);
        at("[data-place=\"0\"]");
        browser.keys(&[ARROW_RIGHT]);
        at("[data-place=\"1\"]");
    }
    // A move lands on the focused place, whose piece is then animated.
    open(&browser, &service, "#s=tictactoe-3x3");
    focus("[data-place=\"4\"]");
    browser.keys(&[ENTER]);
    record(&browser, 1);
    at("[data-place=\"4\"]");
    browser.keys(&[ARROW_RIGHT]);
    at("[data-place=\"5\"]");
    focus("#moves li:nth-child(3) button");
    for made in 2..5 {
        browser.keys(&[ENTER]);
        record(&browser, made);
        at("#moves li:first-child button");
    }
    focus("#record li:nth-child(2) button");
    browser.keys(&[ENTER]);
    browser.until("document.querySelector('#record li:nth-child(2) [aria-current]')");
    at("#record li:nth-child(2) button");
    // A button that is disabled passes the focus to the next one, so that another Enter makes no move.
    focus("#first");
    browser.keys(&[ENTER]);
    at("#forward");
    for (game, place) in [("tictactoe-3x3", "4"), ("connect-4x4", "0")] {
        browser.open("about:blank");
        browser.open(&url(&service, ""));
        browser.until(&format!("document.querySelector('[data-play=\"{game}\"]')"));
        focus(&format!("[data-play=\"{game}\"]"));
        browser.keys(&[ENTER]);
        at("#board .place");
        focus(&format!("#board [data-place=\"{place}\"]"));
        browser.keys(&[ENTER]);
        record(&browser, 2);
        at(&format!("[data-place=\"{place}\"]"));
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A position that cannot occur has a reason instead of a value, a result or moves.
#[test]
fn a_position_that_cannot_occur_has_no_value() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let endgame = kinds().iter().find(|kind| kind.name == "endgame").unwrap();
    let service = Service::of(&[&solved("connect:4x4"), &solved("rbg:hexapawn"), &endgame.path]);
    for (id, position, reason) in [
        ("connect-4x4", "4/4/X3/4_O", "a disc floats above an empty cell of column a"),
        ("connect-4x4", "4/4/4/XX2_O", "X has 2 discs and O has 0"),
        ("endgame", "3k/2K1/4/1R2_w", "the kings are on adjacent squares"),
        ("rbg-hexapawn", "w.b/.../w.._black", "play from the start never leads to these pieces"),
    ] {
        open(&browser, &service, &format!("#s={id}&p={position}&values=1&second=perfect"));
        assert!(text(&browser, "#verdict").contains(reason), "{}", text(&browser, "#verdict"));
        let shown = browser.eval(
            "return [document.querySelectorAll('.tag, .badge, .place.can, #moves button').length, \
             document.querySelector('#top').textContent + document.querySelector('#bottom').textContent + document.querySelector('#moves').textContent]",
        );
        assert_eq!(shown[0], 0, "{position}");
        let words = shown[1].as_str().unwrap();
        assert!(words.contains("has no value and no moves"), "{words}");
        assert!(!["draw", "won", "over", "to move"].iter().any(|word| words.contains(word)), "{words}");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// At the end of a game against the computer, the page says whether the person has won, with the numbers of discs if they decide it.
#[test]
fn the_end_of_a_game_is_told_to_the_person() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let scores = kinds().iter().find(|kind| kind.name == "scores").unwrap();
    let service = Service::of(&[&solved("tictactoe:3x3"), &scores.path]);
    let line = "a1 a2 b3 pass d1 d2 a3 pass c3 pass d3".replace(' ', "+");
    for (link, end) in [
        ("tictactoe-3x3&moves=a1+b1+a2+b2+a3", "First (crosses) has won"),
        ("tictactoe-3x3&moves=a1+b1+a2+b2+a3&first=perfect", "you lost"),
        ("tictactoe-3x3&moves=a1+b1+a2+b2+a3&second=perfect", "you won"),
        (&format!("scores&moves={line}"), "First (black) has won, 12 to 0"),
    ] {
        open(&browser, &service, &format!("#s={link}"));
        assert_eq!(text(&browser, "#verdict"), format!("The game is over: {end}"));
    }
}

/// The address of the page contains who plays, so that a game against the computer goes on after a reload.
#[test]
fn a_reload_keeps_the_opponent() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    for service in both(&[&solved("tictactoe:3x3")]) {
        open(&browser, &*service, "#s=tictactoe-3x3&second=nemesis");
        assert_eq!(browser.eval("return document.querySelector('#seat-P2').value"), "");
        browser.eval("const seat = document.querySelector('#seat-P2'); seat.value = 'perfect'; seat.dispatchEvent(new Event('change'))");
        browser.eval("document.querySelector('#moves button').click()");
        record(&browser, 2);
        browser.eval("window.isOld = true; location.reload()");
        browser.until("!window.isOld && document.querySelectorAll('#record button').length === 2");
        assert_eq!(
            browser.eval("return ['P1', 'P2'].map((side) => document.querySelector(`#seat-${side}`).value)"),
            serde_json::json!(["", "perfect"])
        );
        assert!(text(&browser, "#player-P2").contains("computer (perfect)"));
        browser.eval("document.querySelector('#moves button').click()");
        record(&browser, 4);
    }
}

/// The browser's Back button takes back moves, views and solutions, and does not leave the page.
#[test]
fn back_returns_to_what_was_shown_before() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[&solved("tictactoe:3x3"), &solved("connect:4x4")]);
    open(&browser, &service, "#s=tictactoe-3x3");
    browser.click("#moves button");
    record(&browser, 1);
    browser.click("#moves li:nth-child(3) button");
    record(&browser, 2);
    browser.eval("history.back()");
    record(&browser, 1);
    browser.eval("history.forward()");
    record(&browser, 2);
    browser.click(".tab[data-view=solution]");
    browser.until("document.querySelector('#automaton canvas')");
    browser.eval("history.back()");
    browser.until("!document.querySelector('#view-board').hidden");
    browser.eval("const list = document.querySelector('#solutions'); list.value = 'connect-4x4'; list.dispatchEvent(new Event('change'))");
    browser.until("document.title.startsWith('Connect Four')");
    browser.eval("history.back()");
    browser.until("document.title.startsWith('Tic-tac-toe')");
    record(&browser, 2);
    browser.eval("history.go(-2)");
    record(&browser, 0);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A position from elsewhere leaves the game, which is one step away.
#[test]
fn a_game_is_kept_while_another_position_is_shown() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    for service in both(&[&solved("tictactoe:3x3")]) {
        open(&browser, &*service, "#s=tictactoe-3x3&moves=b2+a1&values=1");
        record(&browser, 2);
        let position = browser.eval("return document.querySelector('#position').value");
        let is_back = |what: &str| {
            record(&browser, 2);
            assert_eq!(browser.eval("return document.querySelector('#position').value"), position, "{what}");
        };
        browser.click("#random");
        record(&browser, 0);
        browser.click("#resume");
        is_back("random position");
        browser.click("#quiz");
        browser.until("!document.querySelector('#quiz-panel').hidden");
        record(&browser, 0);
        browser.click("#moves button");
        browser.until("document.querySelector('#quiz-panel').textContent.match(/Correct|Wrong/)");
        browser.click("#quiz-panel button:last-child");
        is_back("quiz");
        browser.click(".tab[data-view=solution]");
        browser.until("document.querySelector('#counts td button')");
        browser.click("#counts td button");
        record(&browser, 0);
        browser.click("#resume");
        is_back("longest wins");
        // A proof shows its positions on the board.
        open(&browser, &*service, "#s=tictactoe-3x3&moves=b2+a2&values=1");
        browser.until("!document.querySelector('#why').hidden");
        browser.click("#why summary");
        browser.until("document.querySelector('#why .proof summary')");
        browser.eval("document.querySelector('#why .proof details').open = true");
        browser.until("document.querySelector('#why .proof details button')");
        browser.click("#why .proof details button");
        record(&browser, 0);
        browser.click("#resume");
        record(&browser, 2);
    }
}

/// Leads and ranks are read without a pointer, and differ between moves that have the same value.
#[test]
fn scores_and_ranks_are_shown() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&kinds().iter().map(|kind| kind.path.as_path()).collect::<Vec<_>>());
    let tags = "return [...document.querySelectorAll('#moves .tag')].map((tag) => tag.textContent)";
    open(&browser, &service, "#s=scores&values=1");
    browser.until("document.querySelector('#moves .tag')");
    let scores = browser.eval(tags);
    assert!(scores.as_array().unwrap().iter().any(|tag| tag.as_str().unwrap().starts_with("W+")), "{scores}");
    assert!(
        scores.as_array().unwrap().iter().any(|tag| tag.as_str().unwrap().starts_with("L\u{2212}")),
        "{scores}"
    );
    open(&browser, &service, "#s=ranked&values=1&moves=a3");
    browser.until("document.querySelector('#moves .tag')");
    let ranks = browser.eval(tags);
    let is_ranked = |tag: &serde_json::Value| {
        tag.as_str().unwrap().strip_prefix('D').is_some_and(|rank| !rank.is_empty())
    };
    assert!(ranks.as_array().unwrap().iter().any(is_ranked), "{ranks}");
}

/// A link that is wrong says so: to a solution that is not served, or with a move that is not legal.
#[test]
fn a_link_that_is_wrong_is_not_followed_silently() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[&solved("tictactoe:3x3")]);
    browser.open(&url(&service, "#s=chess"));
    browser.until("document.querySelector('#message').textContent.includes(\"no solution 'chess'\")");
    open(&browser, &service, "#s=tictactoe-3x3&moves=b2+zz+a1");
    browser.until("document.querySelector('#message').textContent.includes(\"'zz'\")");
    record(&browser, 1);
}

/// A king is not put on the rook, and it moves to an empty square; both in one set-up.
#[test]
fn men_of_an_endgame_are_set_up() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&kinds().iter().map(|kind| kind.path.as_path()).collect::<Vec<_>>());
    open(&browser, &service, "#s=endgame");
    browser.click("#set-up");
    browser.until("!document.querySelector('#setup-bar').hidden");
    // The whole board is on the screen.
    let fits = "return document.querySelector('#board svg').getBoundingClientRect().bottom <= innerHeight";
    assert_eq!(browser.eval(fits), true);
    browser.click("[aria-label=\"white king\"]");
    browser.click(".place[data-place=\"1\"]");
    browser.until("!document.querySelector('#message').hidden");
    assert_eq!(browser.eval("return document.querySelector('#position').value"), "3k/4/4/KR2 w - -");
    browser.click(".place[data-place=\"10\"]");
    browser.until("document.querySelector('#position').value === '3k/2K1/4/1R2 w - -'");
    // A second white stone comes from the hand, although a black one is missing then.
    open(&browser, &service, "#s=ranked");
    browser.click("#set-up");
    browser.until("!document.querySelector('#setup-bar').hidden");
    browser.click("[aria-label=\"white disc\"]");
    for (place, stones) in [("0", 1), ("4", 2)] {
        browser.click(&format!(".place[data-place=\"{place}\"]"));
        browser.until(&format!("document.querySelectorAll('#board .figure').length === {stones}"));
    }
    browser.until("document.querySelector('#setup-bar .bad')");
    assert_eq!(browser.eval("return document.querySelector('#message').hidden"), true);
}

/// Sides of rules from a file have their names and colours, and a hexagonal board shows whose edges are whose.
#[test]
fn sides_of_rules_from_a_file_have_names_and_colours() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&kinds().iter().map(|kind| kind.path.as_path()).collect::<Vec<_>>());
    open(&browser, &service, "#s=hexagons");
    assert_eq!(text(&browser, "#verdict"), "Red to move");
    browser.click("#moves button");
    browser.until("document.querySelector('#board .figure .own-red')");
    browser.until("document.querySelector('#verdict').textContent === 'Blue to move'");
    // Red owns north-west and south-east.
    let edges = browser.eval(
        "return ['red', 'blue'].map((colour) => document.querySelectorAll('.goal.own-' + colour).length)",
    );
    assert!(edges[0].as_u64().unwrap() > 5 && edges[0] == edges[1], "{edges}");
}

/// A value that a stopped run leaves open has a reason, and values on the board are legible on a phone.
#[test]
#[ignore = "slow: .ci/slow"]
fn open_values_have_a_reason_and_badges_are_legible() {
    let Some(browser) = Browser::start(400, 850, false) else { return };
    let service = Service::of(&kinds().iter().map(|kind| kind.path.as_path()).collect::<Vec<_>>());
    open(&browser, &service, "#s=unfinished&values=1");
    browser.until("document.querySelector('#verdict').textContent.includes('(the run stopped before it decided this position)')");
    for name in ["run", "hexagons", "points", "ranked", "heaps"] {
        open(&browser, &service, &format!("#s={name}&values=1"));
        browser.until("document.querySelector('#board .badge text')");
        for (letters, least) in [(".badge text", 11.0), (".name, .point-name", 8.0)] {
            let height = browser.eval(&format!(
                "return Math.min(...[...document.querySelectorAll('#board {letters}')].map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a))"
                , letters = letters.replace(", ", ", #board ")
            ));
            assert!(height.as_f64().unwrap() >= least, "{name}, {letters}: {height} pixels");
        }
    }
}

/// Connect Four is played with red and yellow discs, which the texts name.
#[test]
fn discs_in_a_rack_are_red_and_yellow() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[&solved("connect:4x4")]);
    open(&browser, &service, "#s=connect-4x4");
    assert_eq!(text(&browser, "#verdict"), "First (red) to move");
    assert_eq!(text(&browser, "#side-P2"), "Second (yellow)");
    for colour in ["red", "yellow"] {
        browser.click("#moves button");
        browser.until(&format!("document.querySelector('#board .figure .own-{colour}')"));
        browser.until(&format!("document.querySelector('#board [aria-label*=\"{colour} disc\"]')"));
    }
    browser.until("document.querySelector('#verdict').textContent.includes('First (red)')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
    browser.screenshot("connect-four");
}

/// What is shown of a run in progress stays until the numbers of the next ply arrive.
#[test]
#[ignore = "slow: .ci/slow"]
fn a_run_in_progress_is_never_blank() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&kinds().iter().map(|kind| kind.path.as_path()).collect::<Vec<_>>());
    browser.open(&url(&service, "#s=unfinished&view=solution"));
    browser.until("document.querySelector('#automaton:not([hidden]) option')");
    // From now on, the run seems to make progress, and its statistics take for ever.
    browser.eval(
        "const real = window.fetch; window.isAsked = false; window.fetch = async (address, ...how) => { \
         if (String(address).includes('/stats')) { window.isAsked = true; return new Promise(() => {}); } \
         const answer = await real(address, ...how); if (!String(address).includes('/about')) return answer; \
         return new Response(JSON.stringify({ ...(await answer.json()), digest: String(Math.random()) })); }",
    );
    browser.until("window.isAsked");
    assert!(text(&browser, "#counts").contains("to move"), "{}", text(&browser, "#counts"));
}

/// A person plays the program: values are hidden, the program's moves are announced, a move is taken back, a hint is
/// given, and in a rematch the other side begins.
#[test]
#[ignore = "slow: .ci/slow"]
fn a_game_is_played_with_all_that_belongs_to_it() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    for service in both(&[&solved("tictactoe:3x3"), &solved("connect:4x4")]) {
        browser.open(&url(&*service, ""));
        browser.until("document.querySelectorAll('#solved .thumbnail').length === 2");
        assert!(text(&browser, "#solved").contains("Connect Four"));
        browser.until("document.querySelector('#solved').textContent.includes('Best play ends in a draw.')");
        browser.screenshot("gallery");
        browser.click("[data-play=\"tictactoe-3x3\"]");
        browser.until("document.querySelector('#moves button')");
        assert_eq!(browser.eval("return document.querySelectorAll('.tag, .badge').length"), 0);
        browser.click("#moves button");
        record(&browser, 2);
        assert!(text(&browser, "#announce").starts_with("Second (noughts) plays "));
        browser.until("document.querySelector('#verdict').textContent.endsWith('to move (you)')");
        browser.click("#hint-button");
        browser.until("document.querySelector('#hint').textContent.match(/^Hint: [a-d][1-4]? (wins in|draws|holds out longest and loses in)/)");
        browser.click("#take-back");
        record(&browser, 0);
        // The game goes on to its end.
        for made in 0..9 {
            browser.until(&format!(
                "{RECORD} >= {made} && document.querySelector('#verdict').textContent.match(/you|over/)"
            ));
            if text(&browser, "#verdict").contains("over") {
                break;
            }
            let made = browser.eval(&format!("return {RECORD}"));
            browser.eval("document.querySelector('#moves button').click()");
            browser.until(&format!("{RECORD} > {made}"));
        }
        let verdict = text(&browser, "#verdict");
        assert!(
            verdict == "The game is over: you lost" || verdict == "The game is over: a draw",
            "{verdict}"
        );
        browser.click("#rematch");
        record(&browser, 1);
        browser.until("document.querySelector('#seat-P1').value === 'perfect' && document.querySelector('#seat-P2').value === ''");
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}

/// The list of the next position appears under a pointer that rests, which points at no move.
#[test]
fn a_resting_pointer_reveals_no_move() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    for service in both(&[&solved("breakthrough:3x4")]) {
        open(&browser, &*service, "#s=breakthrough-3x4&values=1");
        browser.until("document.querySelector('#moves button')");
        let arrows = |event: &str| {
            browser.eval(&format!(
                "document.querySelector('#moves button').dispatchEvent({event}); return document.querySelectorAll('.arrow').length"
            ))
        };
        assert_eq!(arrows("new MouseEvent('mouseenter')"), 0);
        assert_eq!(arrows("new PointerEvent('pointermove', { movementX: 3, bubbles: true })"), 1);
    }
}

/// The page names its files and requests relative to its own address.
#[test]
fn the_page_works_below_a_base_path() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::with(&["--base-path", "/boards"], &[&solved("tictactoe:3x3")]);
    browser.open(&url(&service, "boards"));
    browser.until(READY);
    browser.click("#moves button");
    record(&browser, 1);
    let link = browser.eval("return location.href").as_str().unwrap().to_string();
    assert!(link.starts_with(&url(&service, "boards/#s=")), "{link}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
