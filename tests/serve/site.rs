//! Sites without a server: the page, with the module in the place of the service, from a host of static files.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::Value;
use tempfile::TempDir;

use crate::browser::open;
use crate::driver::Browser;
use crate::kinds::kinds;
use crate::service::solved;

/// The path below which the host serves the site, so that an absolute address would be missed.
const PREFIX: &str = "/some/where/";

/// Returns the folder of the module, which `.ci/wasm` builds. Without it, prints a message and returns `None`, or fails if
/// `NERODE_WASM` is set.
pub fn module() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("wasm/npm");
    if folder.join("nerode.wasm").is_file() {
        return Some(folder);
    }
    assert!(std::env::var_os("NERODE_WASM").is_none(), "the module has not been built");
    eprintln!("skipped: the module has not been built");
    None
}

/// Runs `nerode site` with these arguments.
fn run(arguments: &[&str], dirs: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nerode"))
        .args(["site", "--json", "--quiet", "--threads", "1"])
        .args(arguments)
        .args(dirs)
        .output()
        .unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Writes the site of these solutions.
pub fn site(module: &Path, dirs: &[&Path]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let done = run(&["--module", text(module), "--out", text(&folder.path().join("site"))], dirs);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    folder
}

/// A host of static files below a path, which ends with the test.
pub struct Host {
    pub url: String,
    /// The requests so far: the name of the file, and the number of bytes sent.
    sent: Arc<Mutex<Vec<(String, usize)>>>,
    /// The folder, which is removed with the host.
    folder: TempDir,
}

impl Host {
    /// Serves a site, with range requests if `has_ranges` is set.
    pub fn of(folder: TempDir, has_ranges: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}{PREFIX}", listener.local_addr().unwrap());
        let sent = Arc::new(Mutex::new(Vec::new()));
        let (root, log) = (folder.path().join("site"), Arc::clone(&sent));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (root, log) = (root.clone(), Arc::clone(&log));
                thread::spawn(move || answer(stream, &root, has_ranges, &log));
            }
        });
        Self { url, sent, folder }
    }

    /// Returns the number of requests and of bytes of files whose names contain `part`.
    fn sent(&self, part: &str) -> (usize, usize) {
        let sent = self.sent.lock().unwrap();
        let own = sent.iter().filter(|(name, _)| name.contains(part));
        own.fold((0, 0), |(requests, all), (_, bytes)| (requests + 1, all + bytes))
    }
}

/// Answers one request, and closes the connection.
fn answer(stream: TcpStream, root: &Path, has_ranges: bool, log: &Mutex<Vec<(String, usize)>>) {
    let mut reader = BufReader::new(stream);
    let (mut first, mut line, mut range) = (String::new(), String::new(), None);
    let _ = reader.read_line(&mut first);
    while reader.read_line(&mut line).is_ok_and(|bytes| bytes > 2) {
        if let Some(said) = line.to_lowercase().strip_prefix("range: bytes=") {
            let (from, to) = said.trim().split_once('-').unwrap();
            range = Some((from.parse::<usize>().unwrap(), to.parse::<usize>().unwrap() + 1));
        }
        line.clear();
    }
    let address = first.split(' ').nth(1).unwrap_or("/");
    let name = address.split(['?', '#']).next().unwrap().strip_prefix(PREFIX);
    let name = name.map(|name| if name.is_empty() { "index.html" } else { name });
    let file = name.filter(|name| !name.contains("..")).and_then(|name| std::fs::read(root.join(name)).ok());
    let kind = match name.and_then(|name| name.rsplit_once('.')).map_or("", |(_, ending)| ending) {
        "html" => "text/html",
        "js" => "text/javascript",
        "css" => "text/css",
        "svg" => "image/svg+xml",
        "json" => "application/json",
        // As hosts do that do not know the type.
        _ => "application/octet-stream",
    };
    let (status, body) = match (file, range.filter(|_| has_ranges)) {
        (None, _) => ("404 Not Found", Vec::new()),
        (Some(file), Some((from, to))) => ("206 Partial Content", file[from..to.min(file.len())].to_vec()),
        (Some(file), None) => ("200 OK", file),
    };
    let bytes = body.len();
    log.lock().unwrap().push((name.unwrap_or(address).to_string(), bytes));
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {bytes}\r\nConnection: close\r\n\r\n"
    );
    let mut stream = reader.into_inner();
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
    let _ = stream.read(&mut [0]);
}

/// The kinds of solutions that a site can contain.
const PACKABLE: [&str; 12] = [
    "run",
    "forward",
    "values",
    "endgame",
    "sectors",
    "ranked",
    "packed",
    "packed-depths",
    "rules",
    "hexagons",
    "points",
    "heaps",
];

/// Every kind that can be packed: its board, a move, a random position, a position to set up, and the view of the solution, on a
/// host with range requests and on one without.
#[test]
fn every_packed_kind_opens_and_plays_a_move() {
    let Some(module) = module() else { return };
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let own: Vec<_> = kinds().iter().filter(|kind| PACKABLE.contains(&kind.name)).collect();
    assert_eq!(own.len(), PACKABLE.len());
    let dirs: Vec<&Path> = own.iter().map(|kind| kind.path.as_path()).collect();
    for has_ranges in [true, false] {
        let host = Host::of(site(&module, &dirs), has_ranges);
        browser.open(&host.url);
        browser.until(&format!("document.querySelectorAll('#solved .thumbnail').length === {}", own.len()));
        // The gallery needs neither the packed files nor an answer of the module.
        let is_packed = |(name, _): &&(String, usize)| name.split('/').nth(2) == Some("packed");
        let packed: Vec<_> = host.sent.lock().unwrap().iter().filter(is_packed).cloned().collect();
        assert!(packed.is_empty(), "{packed:?}");
        assert_eq!(browser.eval("return document.querySelectorAll('#offers li').length"), 0);
        for kind in &own {
            let name = kind.name;
            open(&browser, &host, &format!("#s={name}&values=1"));
            browser.until("document.querySelectorAll('.badge').length > 0");
            assert_eq!(browser.eval("return document.querySelector('#live').hidden"), true, "{name}");
            browser.click("#moves button");
            browser.until("document.querySelectorAll('#record button').length === 1");
            browser.click("#random");
            browser.until("document.querySelectorAll('#record button').length === 0");
            browser.click("#set-up");
            browser.until("!document.querySelector('#setup-bar').hidden");
            browser.click(".tab[data-view=solution]");
            browser.until("document.querySelector('#counts h2')");
            assert_eq!(browser.eval("return document.querySelector('#automaton').hidden"), true, "{name}");
            if kind.has_sectors {
                browser.until("document.querySelector('#sectors .sector')");
                browser.eval("document.querySelector('#sectors .sector').dispatchEvent(new Event('click'))");
                browser.until("!document.querySelector('#view-board').hidden");
            }
            assert_eq!(browser.complaints(), Vec::<String>::new(), "{name}");
            browser.screenshot(&format!("site-{name}"));
        }
        // Everything that was requested exists, and nothing was requested elsewhere.
        assert_eq!(host.sent("api/"), (0, 0));
        let sent = host.sent.lock().unwrap();
        let absent: Vec<_> =
            sent.iter().filter(|(name, bytes)| *bytes == 0 && name != "favicon.ico").collect();
        assert!(absent.is_empty(), "{absent:?}");
    }
}

/// What a site does not offer is hidden, and what fails says why.
#[test]
fn a_site_hides_what_needs_the_service() {
    let Some(module) = module() else { return };
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let host = Host::of(site(&module, &[&solved("tictactoe:3x3"), &solved("connect:4x4")]), true);
    open(&browser, &host, "#s=tictactoe-3x3&values=1");
    browser.click("#help-open");
    browser.until("document.querySelector('#help dl')");
    assert_eq!(browser.eval("return document.querySelector('#help').textContent.includes('openapi')"), false);
    browser.eval("document.querySelector('#help').close()");
    // The file of a drawing is made by the module.
    browser.eval("window.saved = null; const real = URL.createObjectURL; URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return real(blob); }");
    browser.eval("document.querySelector('#picture').click()");
    browser.until("window.saved?.startsWith('<svg')");
    // Statistics are those of the run, with its growth, although its sets are not part of the site.
    browser.click(".tab[data-view=solution]");
    browser.until("document.querySelector('#growth svg')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
    // A packed file that is damaged is an error, and the page goes on.
    let packed = host.folder.path().join("site/data/connect-4x4/packed");
    for file in std::fs::read_dir(packed).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|ending| ending != "json") {
            let mut bytes = std::fs::read(&path).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            std::fs::write(&path, bytes).unwrap();
        }
    }
    open(&browser, &host, "#s=connect-4x4&values=1");
    browser.click("#moves button");
    browser.until("document.querySelector('#message').textContent.includes('digest differs')");
    open(&browser, &host, "#s=tictactoe-3x3&values=1");
    browser.click("#moves button");
    browser.until("document.querySelectorAll('#record button').length === 1");
}

/// A packed file is fetched once, when it is first needed.
#[test]
fn a_file_is_fetched_once() {
    let Some(module) = module() else { return };
    let Some(browser) = Browser::start(1280, 900, false) else { return };
    let host = Host::of(site(&module, &[&solved("breakthrough:3x4")]), true);
    open(&browser, &host, "#s=breakthrough-3x4&values=1");
    for made in 1..5 {
        browser.click("#moves button");
        browser.until(&format!("document.querySelectorAll('#record button').length === {made}"));
    }
    let names = std::fs::read_dir(host.folder.path().join("site/data/breakthrough-3x4/packed")).unwrap();
    for name in names {
        let name = name.unwrap().file_name().into_string().unwrap();
        assert!(host.sent(&name).0 <= 1, "{name}: {:?}", host.sent(&name));
    }
    assert_eq!(host.sent("nerode.wasm").0, 1);
}

/// Solutions that cannot be packed are left out with a reason, and a site is replaced only on request.
#[test]
fn the_command_says_what_is_left_out_and_replaces_nothing_unasked() {
    let Some(module) = module() else { return };
    let path = |name: &str| kinds().iter().find(|kind| kind.name == name).unwrap().path.clone();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("site");
    let arguments = ["--module", text(&module), "--out", text(&out)];
    let done = run(&arguments, &[&path("run"), &path("scores"), &path("table")]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let said: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(said["solutions"][0]["game"], "breakthrough:3x4");
    let reasons: Vec<&str> =
        said["left_out"].as_array().unwrap().iter().map(|one| one["reason"].as_str().unwrap()).collect();
    assert_eq!(reasons.len(), 2, "{reasons:?}");
    assert!(reasons.iter().all(|reason| reason.contains("can be packed")), "{reasons:?}");
    // Every file counts, and the index lists the packed ones with their lengths.
    let index: Value = serde_json::from_slice(&std::fs::read(out.join("data/site.json")).unwrap()).unwrap();
    for file in index["solutions"][0]["files"].as_array().unwrap() {
        let path = out.join("data/run/packed").join(file["name"].as_str().unwrap());
        assert_eq!(std::fs::metadata(path).unwrap().len(), file["bytes"].as_u64().unwrap());
    }
    let again = run(&arguments, &[&path("heaps")]);
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("--overwrite"));
    assert!(out.join("data/run").exists());
    let again = run(&[&arguments[..], &["--overwrite"]].concat(), &[&path("heaps")]);
    assert!(again.status.success());
    assert!(out.join("data/heaps").exists() && !out.join("data/run").exists());
    // Nothing else is replaced, and nothing is left behind.
    std::fs::remove_file(out.join("data/site.json")).unwrap();
    let refused = run(&[&arguments[..], &["--overwrite"]].concat(), &[&path("heaps")]);
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let none =
        run(&["--module", text(&module), "--out", text(&folder.path().join("none"))], &[&path("table")]);
    assert_eq!(none.status.code(), Some(2));
    assert!(!folder.path().join("none").exists());
}
