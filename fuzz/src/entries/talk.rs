//! Protocols of programs: lines of JSON, the UCI dialect, and HTTP requests.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::channel;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use nerode::Solution;
use nerode_serve::{Access, Settings, Shelf, Talk, Word, answer_line, serve};
use serde_json::Value;

use super::folders::solutions;

/// The time limit for an answer that never comes, for example because the head announces a missing body.
const WAIT: Duration = Duration::from_millis(500);

static RUN: LazyLock<Arc<Solution>> =
    LazyLock::new(|| Arc::new(nerode::open_solution(solutions().join("run")).unwrap()));
static PACKED: LazyLock<Arc<Solution>> =
    LazyLock::new(|| Arc::new(nerode::open_solution(solutions().join("packed")).unwrap()));

/// Checks that a line is answered by a line of JSON.
pub fn json_lines(bytes: &[u8]) {
    for line in String::from_utf8_lossy(bytes).lines().take(8) {
        let answer = answer_line(&RUN, line);
        let answer: Value = serde_json::from_str(&answer).unwrap_or_else(|e| panic!("{answer}: {e}"));
        assert!(answer.get("answer").is_some() != answer.get("error").is_some());
    }
}

pub fn json_seeds() -> Vec<Vec<u8>> {
    let asks = [
        r#"{"what":"about"}"#,
        r#"{"what":"position","position":"start","search_plies":1}"#,
        r#"{"what":"line","position":"start"}"#,
        r#"{"what":"choose","position":null,"moves":[],"player":"perfect","seed":1}"#,
        r#"{"what":"sample","count":2,"seed":3}"#,
        r#"{"what":"stats"}"#,
    ];
    asks.map(|ask| format!(r#"{{"schema_version":1,"id":7,"ask":{ask}}}"#).into_bytes()).to_vec()
}

/// Checks that every line except the last is answered by lines.
pub fn uci(bytes: &[u8]) {
    let mut talk = Talk::new(Arc::clone(&PACKED), true);
    for line in String::from_utf8_lossy(bytes).lines().take(12) {
        match talk.hear(line) {
            Word::Say(lines) => assert!(lines.iter().all(|line| !line.contains('\n'))),
            Word::End => break,
        }
    }
}

pub fn uci_seeds() -> Vec<Vec<u8>> {
    let start = PACKED.game().format_position(&PACKED.game().start_position());
    vec![
        b"uci\nisready\nucinewgame\nposition startpos\ngo\nquit".to_vec(),
        format!("position fen {start} moves a1\ngo\nposition startpos moves a1 b2\ngo").into_bytes(),
    ]
}

/// The address of a local service of two solutions, which runs as long as the process.
static ADDRESS: LazyLock<SocketAddr> = LazyLock::new(|| {
    let paths = [solutions().join("run"), solutions().join("packed")];
    let shelf = Shelf::open(nerode::library(), &paths, 1 << 28, &mut |_, _| ()).unwrap();
    let settings = Settings {
        bind: ([127, 0, 0, 1], 0).into(),
        access: Access::default(),
        threads: 1,
        allow_solve: false,
        unread: Duration::from_secs(2),
    };
    let (tell, told) = channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let ready = move |address| tell.send(address).unwrap();
        runtime.block_on(serve(shelf, &settings, ready, std::future::pending())).unwrap();
    });
    told.recv().unwrap()
});

/// Sends a request: method and path, header lines, an empty line, and a body. Headers that are required for an immediate answer
/// are added. The answer must have a status and must not be an internal error.
pub fn http(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (head, body) = text.split_once("\n\n").unwrap_or((&text, ""));
    let (first, fields) = head.split_once('\n').unwrap_or((head, ""));
    let fields: String = fields.lines().map(|field| format!("{field}\r\n")).collect();
    let length = body.len();
    let request = format!(
        "{first} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{fields}Content-Length: {length}\r\n\r\n{body}"
    );
    let mut stream = TcpStream::connect(*ADDRESS).unwrap();
    stream.set_read_timeout(Some(WAIT)).unwrap();
    let _ = stream.write_all(request.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1."), "{answer}");
    assert!(!answer.starts_with("HTTP/1.1 500"), "{answer}");
}

pub fn http_seeds() -> Vec<Vec<u8>> {
    let get = [
        "/healthz",
        "/",
        "/api/v1/solutions",
        "/api/v1/openapi.json",
        "/api/v1/offers",
        "/api/v1/run?position=start",
        "/api/v1/run?position=start&search_plies=1",
        "/api/v1/run/about",
        "/api/v1/run/line?position=start",
        "/api/v1/run/sample?count=2&seed=1",
        "/api/v1/run/stats",
        "/api/v1/run/board?position=start",
        "/api/v1/run/setup?position=start&place=a1:W",
        "/api/v1/run/choose?position=start&player=perfect",
        "/api/v1/run/sets/W-P1-001",
        "/api/v1/packed?position=start",
    ];
    let get = get.iter().map(|path| format!("GET {path}\nAccept-Encoding: gzip"));
    let post =
        "POST /api/v1/run\nContent-Type: application/json\n\nstart\n{\"position\":\"start\"}".to_string();
    get.chain([post]).map(String::into_bytes).collect()
}
