//! Malicious requests.

use std::io::{Read, Write};
use std::time::Duration;

use crate::service::{Service, solved};

fn service() -> Service {
    Service::of(&[&solved("tictactoe:3x3")])
}

/// Asserts that the service still answers.
fn is_well(service: &Service) {
    assert_eq!(service.document("/api/v1/tictactoe-3x3")["category"], "draw");
}

#[test]
fn a_name_that_is_not_ours_is_refused() {
    let service = service();
    for host in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", ""] {
        let request = format!("GET /api/v1/solutions HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let response = service.raw(request.as_bytes());
        assert!([400, 421].contains(&response.status), "{host}: {response:?}");
        assert!(!String::from_utf8_lossy(&response.body).contains("tictactoe"), "{host}");
    }
    let no_host = service.raw(b"GET /api/v1/solutions HTTP/1.0\r\n\r\n");
    assert_eq!(no_host.status, 421);
    assert!(no_host.json()["accepted"].as_str().unwrap().contains("--host NAME"), "{no_host:?}");
    is_well(&service);
}

#[test]
fn pages_of_others_send_nothing_here() {
    let service = service();
    let response = service.ask("POST", "/api/v1/tictactoe-3x3", "Origin: http://evil.example\r\n", "start\n");
    assert_eq!(response.status, 403);
    assert_eq!(service.get("/api/v1/solutions").header("access-control-allow-origin"), None);
    let own = format!("Origin: http://{}\r\n", service.address);
    assert_eq!(service.ask("POST", "/api/v1/tictactoe-3x3", &own, "start\n").status, 200);
}

/// Pages of an allowed origin read answers and send batches, and solve nothing.
#[test]
fn pages_of_allowed_origins_query_and_solve_nothing() {
    let options = ["--allow-origin", "https://board.example", "--allow-solve"];
    let service = Service::with(&options, &[&solved("tictactoe:3x3")]);
    let allowed = "access-control-allow-origin";
    let ask = |method: &str, path: &str, origin: &str, body: &str| {
        service.ask(method, path, &format!("Origin: {origin}\r\nContent-Type: application/json\r\n"), body)
    };
    let (at, own) = ("/api/v1/tictactoe-3x3", "https://board.example");
    for (method, body) in [("GET", ""), ("POST", "start\n")] {
        let response = ask(method, at, own, body);
        assert_eq!((response.status, response.header(allowed)), (200, Some(own)), "{method}");
    }
    let preflight = ask("OPTIONS", at, own, "");
    assert_eq!((preflight.status, preflight.header(allowed)), (204, Some(own)));
    assert_eq!(preflight.header("access-control-allow-methods"), Some("GET, POST"));
    assert_eq!(ask("POST", "/api/v1/offers", own, "{\"game\": \"nim:3x7\"}").status, 403);
    assert_eq!(ask("DELETE", "/api/v1/offers/nim-3x7", own, "").status, 403);
    let foreign = "https://evil.example";
    assert_eq!(ask("GET", at, foreign, "").header(allowed), None);
    assert_eq!(ask("POST", at, foreign, "start\n").status, 403);
    assert_eq!(ask("OPTIONS", at, foreign, "").status, 403);
}

#[test]
fn a_body_that_is_too_large_is_refused() {
    let service = service();
    let declared = format!(
        "POST /api/v1/tictactoe-3x3 HTTP/1.1\r\nHost: {}\r\nContent-Length: 99999999999\r\nConnection: close\r\n\r\nstart\n",
        service.address
    );
    let mut stream = service.connect();
    stream.write_all(declared.as_bytes()).unwrap();
    let mut head = [0; 12];
    stream.read_exact(&mut head).unwrap();
    assert_eq!(&head, b"HTTP/1.1 413");
    let sent = service.ask("POST", "/api/v1/tictactoe-3x3", "", &"start\n".repeat(1 << 20));
    // A client that continues to send may find the connection closed before the answer.
    assert!([413, 0].contains(&sent.status), "{sent:?}");
    is_well(&service);
}

#[test]
fn no_path_leads_out() {
    let service = service();
    let paths = [
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/api/v1/..%2f..%2fetc%2fpasswd",
        "/api/v1/tictactoe-3x3/sets/..%2fmanifest.json",
        "/api/v1/tictactoe-3x3/sets/%00",
        "/api/v1/%ff",
        "//etc/passwd",
        "/api/v1/tictactoe-3x3?position=../../etc/passwd",
        "/api/v1/tictactoe-3x3?position=%ff%fe",
    ];
    for path in paths {
        let response = service.get(path);
        assert!([400, 404].contains(&response.status), "{path}: {response:?}");
        assert!(!String::from_utf8_lossy(&response.body).contains("root:"), "{path}");
    }
    is_well(&service);
}

#[test]
fn nonsense_ends_with_its_connection() {
    let service = service();
    let long = [b"GET /".as_slice(), &[b'a'; 1 << 20], b" HTTP/1.1\r\n\r\n"].concat();
    for request in [b"\0\0\0\0\r\n\r\n".as_slice(), b"GET\r\n\r\n", &long, b"SSH-2.0-x\r\n\r\n"] {
        let response = service.raw(request);
        assert!(response.status == 0 || (400..500).contains(&response.status), "{response:?}");
    }
    let deep = format!("/api/v1/tictactoe-3x3?position={}", "a".repeat(20_000));
    service.problem(&deep, 400);
    is_well(&service);
}

#[test]
fn slow_clients_and_those_that_leave_hold_nobody_up() {
    let service = service();
    let mut slow = Vec::new();
    for _ in 0..200 {
        let mut stream = service.connect();
        stream.write_all(b"GET /api/v1/tictactoe-3x3 HTT").unwrap();
        slow.push(stream);
    }
    for _ in 0..500 {
        drop(service.connect());
    }
    // Batches whose answers are never read.
    let body = "start\n".repeat(100_000);
    let request = format!(
        "POST /api/v1/tictactoe-3x3?moves=true HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n\r\n{body}",
        service.address,
        body.len()
    );
    let mut unread = Vec::new();
    // Their number exceeds the places for heavy work.
    for _ in 0..5 {
        let mut stream = service.connect();
        stream.write_all(request.as_bytes()).unwrap();
        unread.push(stream);
    }
    std::thread::sleep(Duration::from_millis(50));
    is_well(&service);
    assert_eq!(service.ask("POST", "/api/v1/tictactoe-3x3", "", "start\n").status, 200);
    drop(unread);
}
