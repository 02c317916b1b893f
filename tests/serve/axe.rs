//! Accessibility: axe-core, a checker in a script of its own, has no findings in any view of the page.

use std::path::Path;

use serde_json::{Value, json};

use crate::browser::{RECORD, url};
use crate::driver::Browser;
use crate::kinds::kinds;
use crate::service::Service;

/// The version of the script is the one that `.ci/run` installs.
const SCRIPT: &str = "target/axe/node_modules/axe-core/axe.min.js";
const VALUES: &str = "document.querySelectorAll('#moves .tag').length > 0";
const COUNTED: &str = "document.querySelector('#counts h2') && !document.querySelector('#depths:not([hidden]) [role=status]:empty')";

/// A view: its name, its link, what must be true then, and what is clicked to reach it, each with what it leads to.
type View = (&'static str, &'static str, &'static str, &'static [(&'static str, &'static str)]);

const VIEWS: [View; 19] = [
    ("home", "", "document.querySelectorAll('#solved .thumbnail').length > 10", &[]),
    (
        "help",
        "",
        "!document.querySelector('#view-home').hidden",
        &[("#help-open", "document.querySelector('#help').open")],
    ),
    ("board", "#s=run&values=1", VALUES, &[]),
    ("rack", "#s=rules&moves=b2", "document.querySelector('#moves button')", &[]),
    ("hexagons", "#s=hexagons&values=1", VALUES, &[]),
    ("heaps", "#s=heaps&values=1", VALUES, &[]),
    ("points", "#s=points&values=1", VALUES, &[]),
    ("hands", "#s=ranked&values=1", VALUES, &[]),
    ("scores", "#s=scores&values=1", VALUES, &[]),
    (
        "proof",
        "#s=run&values=1",
        VALUES,
        &[
            ("#why summary", "document.querySelector('#why .proof details')"),
            ("#why .proof summary", "document.querySelector('#why .proof .proof li')"),
        ],
    ),
    (
        "live",
        "#s=run&values=1",
        VALUES,
        &[("#live summary", "document.querySelector('#live canvas')?.dataset.heard")],
    ),
    (
        "quiz",
        "#s=run",
        "document.querySelector('#moves button')",
        &[("#quiz", "!document.querySelector('#quiz-panel').hidden")],
    ),
    (
        "set-up",
        "#s=table",
        "document.querySelector('#moves button')",
        &[
            ("#set-up", "!document.querySelector('#setup-bar').hidden"),
            (".place[data-place=\"0\"]", "document.querySelector('#setup-bar .good, #setup-bar .bad')"),
        ],
    ),
    (
        "record",
        "#s=table&values=1&moves=b2+a1+b1+b3+c1+a2+c3",
        "document.querySelector('#record .mark')",
        &[
            ("#back", "!document.querySelector('#forward').disabled"),
            ("#moves li:first-child button", "!document.querySelector('#variations').hidden"),
        ],
    ),
    ("solution", "#s=run&view=solution", COUNTED, &[]),
    ("sectors", "#s=ranked&view=solution", "document.querySelector('#sectors .sector')", &[]),
    ("values", "#s=values&view=solution", COUNTED, &[]),
    ("unfinished", "#s=unfinished&view=solution", COUNTED, &[]),
    ("error", "#s=nothing", "!document.querySelector('#message').hidden", &[]),
];

/// Returns the script of axe-core. Without it, prints a message and returns `None`, or fails if `NERODE_AXE` is set.
fn script() -> Option<String> {
    let script = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(SCRIPT)).ok();
    if script.is_none() {
        assert!(std::env::var_os("NERODE_AXE").is_none(), "axe-core is not installed");
        eprintln!("skipped: axe-core is not installed: npm install --prefix target/axe --no-save axe-core");
    }
    script
}

/// Returns the findings about the page as it is: the rule, and the first element that breaks it.
fn findings(browser: &Browser, script: &str) -> (u64, Vec<Value>) {
    browser.eval(script);
    browser.eval(
        "window.found = null; axe.run(document).then((all) => { window.found = [all.passes.length, \
         all.violations.map((one) => [one.id, one.nodes[0].html])]; })",
    );
    browser.until("window.found");
    let found = browser.eval("return window.found");
    (found[0].as_u64().unwrap(), found[1].as_array().unwrap().clone())
}

/// Every view, light on a wide screen and dark on a narrow one, with every panel open; the other way round too if
/// `NERODE_EXHAUSTIVE` is set.
#[test]
#[ignore = "slow: .ci/slow"]
fn every_view_is_accessible() {
    let Some(script) = script() else { return };
    let service = Service::of(&kinds().iter().map(|kind| kind.path.as_path()).collect::<Vec<_>>());
    let looks = [(1280, false), (400, true), (1280, true), (400, false)];
    let number = if std::env::var_os("NERODE_EXHAUSTIVE").is_some() { looks.len() } else { 2 };
    for (width, is_dark) in looks.into_iter().take(number) {
        let Some(browser) = Browser::start(width, 900, is_dark) else { return };
        for (name, link, begin, steps) in VIEWS {
            browser.open("about:blank");
            browser.open(&url(&service, link));
            browser.until(begin);
            for (selector, end) in steps {
                browser.eval(&format!(
                    "document.querySelector({}).scrollIntoView({{ block: 'center' }})",
                    json!(selector)
                ));
                browser.click(selector);
                browser.until(end);
            }
            browser.eval("for (const one of document.querySelectorAll('.side details, #sectors details')) if (!['why', 'live'].includes(one.id)) one.open = true");
            let (passed, found) = findings(&browser, &script);
            assert!(
                passed > 20 && found.is_empty(),
                "{name}, {width}, dark: {is_dark}: {passed} passed, {found:?}"
            );
            assert_eq!(
                browser.eval("return document.documentElement.scrollWidth <= innerWidth"),
                true,
                "{name} is wider than {width}"
            );
            browser.screenshot(&format!("axe-{name}-{width}-{is_dark}"));
        }
        // The check can fail: a picture without a text, and letters that are too faint.
        browser.open(&url(&service, "#s=run&values=1"));
        browser.until(&format!("{VALUES} && {RECORD} === 0"));
        browser.eval("document.querySelector('#home img').removeAttribute('alt'); document.querySelector('#verdict').style.color = 'var(--line)'");
        let (_, found) = findings(&browser, &script);
        let rules: Vec<&Value> = found.iter().map(|one| &one[0]).collect();
        assert_eq!(rules, ["color-contrast", "image-alt"]);
    }
}
