//! The view of a solution on the page, in a browser: sets as automata, lists of positions, and plots.

use crate::browser::{open, text, url};
use crate::driver::Browser;
use crate::kinds::kinds;
use crate::record_view::saved;
use crate::service::{Service, solved};

/// The first set shown contains the position on the board. A click on a piece that cannot move is explained.
#[test]
fn the_solution_begins_with_a_set_of_the_position() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[&solved("breakthrough:3x4")]);
    browser.open(&url(&service, "#view=solution"));
    browser.until("document.querySelector('#automaton canvas')");
    let said = "document.querySelector('#automaton').textContent.includes('is one of them')";
    assert_eq!(browser.eval(&format!("return {said}")), true);
    let empty =
        "[...document.querySelectorAll('#set option')].some((set) => set.textContent.includes(': 0 states'))";
    assert_eq!(browser.eval(&format!("return {empty}")), false);
    // Every curve of the chart has a name, and the chart shows positions too.
    browser.until("document.querySelectorAll('.curve-name').length === document.querySelectorAll('.legend .curve').length");
    browser.eval("[...document.querySelectorAll('#growth button')].find((one) => one.textContent === 'Positions').click()");
    assert_eq!(text(&browser, "#growth h2"), "Positions by ply");
    browser.click(".tab[data-view=board]");
    browser.click("[data-place][aria-label*=black]");
    browser.until("document.querySelector('#hint').textContent === 'First (white) is to move.'");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// An automaton of several hundred states fills its frame, and its letters stay on top when it is zoomed. Without Ctrl,
/// the wheel scrolls the page.
#[test]
fn an_automaton_fills_its_frame() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[&solved("tictactoe:3x3")]);
    browser.open(&url(&service, "#s=tictactoe-3x3&view=solution"));
    browser.until("document.querySelector('#automaton canvas')?.dataset.heard");
    assert!(text(&browser, "#automaton").contains("556 states"));
    // The rows and columns of the canvas that differ from its background, below its head or in it.
    let inked = "const net = document.querySelector('#automaton canvas'); \
        const { data, width, height } = net.getContext('2d').getImageData(0, 0, net.width, net.height); \
        const head = 52 * devicePixelRatio, rows = new Set(), columns = new Set(); let letters = 0; \
        const same = (a, b) => [0, 1, 2].every((n) => Math.abs(data[a + n] - data[b + n]) < 8); \
        for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) { const at = 4 * (y * width + x); \
        if (data[at + 3] > 40 && !same(at, 0)) { if (y < head) letters += 1; else { rows.add(y); columns.add(x); } } } \
        return [rows.size / (height - head), columns.size / width, letters]";
    let fills = |ink: &serde_json::Value| ink[0].as_f64().unwrap() > 0.85 && ink[1].as_f64().unwrap() > 0.85;
    let ink = browser.eval(inked);
    assert!(fills(&ink) && ink[2].as_u64().unwrap() > 50, "{ink}");
    browser.eval(
        "[...document.querySelectorAll('#automaton button')].find((one) => one.textContent === '+').click()",
    );
    let ink = browser.eval(inked);
    assert!(ink[2].as_u64().unwrap() > 30, "{ink}");
    let wheel = |keys: &str| {
        browser.eval(&format!(
            "const wheel = new WheelEvent('wheel', {{ deltaY: 100, cancelable: true, bubbles: true, {keys} }}); \
             document.querySelector('#automaton canvas').dispatchEvent(wheel); return wheel.defaultPrevented"
        ))
    };
    assert_eq!((wheel(""), wheel("ctrlKey: true")), (false.into(), true.into()));
    // The position is read letter by letter.
    browser.eval("[...document.querySelectorAll('#automaton button')].find((one) => one.textContent.startsWith('Read')).click()");
    assert_eq!(browser.eval("return document.querySelector('#automaton canvas').dataset.heard"), "0");
    browser.until("document.querySelector('#automaton canvas').dataset.heard === '9'");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Next to the board, the automaton of a set that contains the position follows the game, unless values are hidden.
#[test]
fn the_automaton_next_to_the_board_follows_the_game() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[&solved("tictactoe:3x3")]);
    open(&browser, &service, "#s=tictactoe-3x3&values=1");
    browser.until("!document.querySelector('#live').hidden");
    browser.click("#live summary");
    browser.until("document.querySelector('#live').textContent.includes('D-P1')");
    browser.until("document.querySelector('#live canvas').dataset.heard === '9'");
    browser.click("#moves button");
    browser.until("document.querySelector('#live').textContent.includes('D-P2')");
    browser.click("#values");
    browser.until("document.querySelector('#live').hidden");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// All positions of a depth are listed page by page, and shown on the board.
#[test]
fn all_positions_of_a_depth_are_listed() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[&solved("tictactoe:3x3")]);
    browser.open(&url(&service, "#s=tictactoe-3x3&view=solution"));
    // The longest wins of the first side come first: 72 positions.
    let says = |part: &str| {
        browser.until(&format!("document.querySelector('#depths').textContent.includes('{part}')"))
    };
    says("1 to 20 of 72 positions");
    let row = "document.querySelector('#depths li button').textContent";
    browser.eval(&format!("window.first = {row}"));
    for page in ["21 to 40", "41 to 60", "61 to 72"] {
        browser.click("#depths .bar:last-child button:last-child");
        says(page);
    }
    assert_eq!(
        browser.eval("return document.querySelector('#depths .bar:last-child button:last-child').disabled"),
        true
    );
    assert_eq!(browser.eval(&format!("return {row} === window.first")), false);
    browser.eval("const depth = document.querySelector('#depth'); depth.value = 4; depth.dispatchEvent(new Event('change'))");
    says("No position that can occur in play has this value and depth");
    // The sets contain more boards than play reaches, which is said where numbers of both kinds are shown.
    let all = "to move, of all boards, including those that play cannot reach";
    browser.until(&format!("document.querySelector('#counts').textContent.includes('{all}')"));
    for part in ["#counts", "#depths"] {
        assert!(
            text(&browser, part).contains("the sets and the counts by value also contain the others"),
            "{part}"
        );
    }

    browser.eval("const value = document.querySelector('#depth-value'); value.value = 'loss'; value.dispatchEvent(new Event('change'))");
    says("1 to 20 of 36 positions");
    browser.click("#depths li button");
    browser.until("document.querySelector('#view-board').hidden === false");
    browser.eval("document.querySelector('#values').click()");
    browser.until("document.querySelector('#verdict').textContent.includes('loss in 4 plies')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The sets of two solutions in one plot, with their names and in one CSV file.
#[test]
fn two_solutions_are_compared_in_one_plot() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&[&solved("breakthrough:3x4"), &solved("tictactoe:3x3")]);
    browser.open(&url(&service, "#s=breakthrough-3x4&view=solution"));
    browser.until("document.querySelector('#compared option[value=\"tictactoe-3x3\"]')");
    let curves = |of: &str| {
        browser.eval(&format!("return document.querySelectorAll('#growth .chart path{of}').length"))
    };
    assert_eq!((curves(""), curves(".other")), (4.into(), 0.into()));
    browser.eval("const other = document.querySelector('#compared'); other.value = 'tictactoe-3x3'; other.dispatchEvent(new Event('change'))");
    browser.until("document.querySelectorAll('#growth .chart path.other').length === 6");
    assert_eq!((curves(":not(.other)"), curves("")), (4.into(), 10.into()));
    assert!(text(&browser, "#growth .legend").contains("won, the first player to move, Tic-tac-toe 3"));
    let saved = saved(
        &browser,
        "[...document.querySelectorAll('#growth button')].find((one) => one.textContent === 'CSV')",
    );
    for row in [
        "solution,set,kind,side,ply,states,positions\n",
        "\nbreakthrough-3x4,W-P1-",
        "\ntictactoe-3x3,D-P1-006,D,P1,6,556,1388\n",
    ] {
        assert!(saved.contains(row), "{row}: {saved}");
    }
    browser.eval("const other = document.querySelector('#compared'); other.value = ''; other.dispatchEvent(new Event('change'))");
    browser.until("document.querySelectorAll('#growth .chart path').length === 4");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Values and sectors consist of automata too, of which the first one shown belongs to the position.
#[test]
#[ignore = "slow: .ci/slow"]
fn values_and_sectors_are_drawn_as_automata() {
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let service = Service::of(&kinds().iter().map(|kind| kind.path.as_path()).collect::<Vec<_>>());
    for (kind, parts) in [
        ("values", ["values of all positions: ", " is a loss in 12 plies."]),
        ("sector-sets", ["3-3-0-0, won in exactly ", " is one of them."]),
        ("packed-run", ["reached after 0 plies: ", "that can occur at this point of the game"]),
    ] {
        browser.open("about:blank");
        browser.open(&url(&service, &format!("#s={kind}&view=solution")));
        browser.until("document.querySelector('#automaton canvas')?.dataset.heard");
        for part in parts {
            let shown = text(&browser, "#automaton");
            assert!(shown.contains(part), "{kind}: {part}: {shown}");
        }
        browser.screenshot(&format!("automaton-{kind}"));
    }
    // Next to the board, the run ends at the value of the position.
    open(&browser, &service, "#s=values&values=1");
    browser.until("!document.querySelector('#live').hidden");
    browser.click("#live summary");
    browser.until("document.querySelector('#live').textContent.includes('values-P1')");
    browser.click("#moves button");
    browser.until("document.querySelector('#live').textContent.includes('values-P2')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
