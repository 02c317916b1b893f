//! The record of a game on the page, in a browser: what moves throw away, variations, and records as text.

use crate::browser::{RECORD, both, open, record, text};
use crate::driver::Browser;
use crate::service::{Service, solved};

/// Returns the text that a button saves as a file.
pub fn saved(browser: &Browser, button: &str) -> String {
    browser.eval(&format!(
        "window.saved = null; const real = URL.createObjectURL; \
         URL.createObjectURL = (blob) => {{ blob.text().then((text) => {{ window.saved = text; }}); return real.call(URL, blob); }}; \
         {button}.click()"
    ));
    browser.until("window.saved");
    browser.eval("return window.saved").as_str().unwrap().to_string()
}

/// The record shows which move threw the win away, and how long the win was.
#[test]
fn the_record_tells_what_was_thrown_away() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[&solved("connect:4x4"), &solved("breakthrough:3x4")]);
    let path = "/api/v1/breakthrough-3x4";
    // The second side answers the first move with its worst one, which loses.
    let first = service.document(path)["moves"][0].clone();
    let at = first["position"].as_str().unwrap().replace(' ', "_");
    let answer = service.document(&format!("{path}?position={at}"));
    let worst = answer["moves"].as_array().unwrap().iter().find(|one| one["category"] == "win").unwrap();
    let moves = format!("{}+{}", first["move"].as_str().unwrap(), worst["move"].as_str().unwrap());
    open(&browser, &service, &format!("#s=breakthrough-3x4&values=1&moves={moves}"));
    browser.until("document.querySelector('#record .mark')");
    assert_eq!(text(&browser, "#record .mark"), "??");
    let said = format!("threw away a win in {} plies", answer["dtw"]);
    assert!(text(&browser, "#remark").contains(&said), "{}", text(&browser, "#remark"));
    assert_eq!(browser.eval("return document.querySelectorAll('#curve .value-dot').length"), 3);
    // The curve speaks of a move from the point of view of the side that made it, as the list of moves does.
    let titles =
        browser.eval("return [...document.querySelectorAll('#curve title')].map((one) => one.textContent)");
    let depth = |one: &serde_json::Value| one["dtw"].as_u64().unwrap() + 1;
    assert_eq!(titles[1], format!("{}: loss in {} plies", first["move"].as_str().unwrap(), depth(&first)));
    let slip = format!("{}: loss in {} plies, {said}", worst["move"].as_str().unwrap(), depth(worst));
    assert_eq!(titles[2], slip);
    // Without values, it tells nothing.
    browser.click("#values");
    browser.until("!document.querySelector('#record .mark')");
    assert_eq!(browser.eval("return document.querySelector('#curve').hidden"), true);
}

/// A line that is left becomes a variation, to which one click returns. A saved record contains both, and is read again.
#[test]
#[ignore = "slow: .ci/slow"]
fn variations_are_kept_and_records_saved_and_read_again() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    for service in both(&[&solved("tictactoe:3x3")]) {
        open(&browser, &*service, "#s=tictactoe-3x3&moves=a1+b2+b1");
        record(&browser, 3);
        browser.click("#first");
        browser.until("!document.querySelector('#forward').disabled");
        // The move of the record is a step forward in it.
        browser.click("#moves li:first-child button");
        browser.until("document.querySelector('#record [aria-current]')?.textContent === 'a1'");
        record(&browser, 3);
        assert_eq!(browser.eval("return document.querySelector('#variations').hidden"), true);
        browser.click("[data-place=\"8\"]");
        record(&browser, 2);
        let variation = "document.querySelector('#variations button')?.textContent";
        browser.until(&format!("{variation} === '1... b2 2. b1'"));
        browser.click("#variations button");
        record(&browser, 3);
        browser.until(&format!("{variation} === '1... c3'"));
        // Steps in the record make no variations.
        browser.click("#take-back");
        record(&browser, 1);
        browser.eval("history.back()");
        record(&browser, 3);
        assert_eq!(browser.eval("return document.querySelectorAll('#variations li').length"), 1);
        let saved = saved(&browser, "document.querySelector('#save-record')");
        assert!(saved.ends_with("\n\n1. a1 b2 (1... c3) 2. b1 *\n"), "{saved}");
        // The program reads it too.
        let game = nerode_games::registry::open("tictactoe:3x3").unwrap();
        let (course, _) = nerode_play::record::read(game.as_ref(), &saved).unwrap();
        assert_eq!(course.plies().len(), 3);
        browser.click("#new");
        record(&browser, 0);
        let text = format!("{saved}; a comment\n{{another}} $1");
        browser.eval(&format!(
            "document.querySelector('#pasted').value = {}; document.querySelector('#moves-form').requestSubmit()",
            serde_json::json!(text)
        ));
        browser.until(&format!("{RECORD} === 3 && {variation} === '1... c3'"));
        browser.click("#variations .remove");
        browser.until("document.querySelector('#variations').hidden");
        browser.eval("document.querySelector('#pasted').value = '1. a1 a1'; document.querySelector('#moves-form').requestSubmit()");
        browser.until("document.querySelector('#message').textContent.includes(\"'a1' is not a legal move after 1 move\")");
        // The game that the record has replaced is one step away.
        browser.click("#resume");
        record(&browser, 3);
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}
