//! The service, started on a free port, and a small client.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::time::Duration;

use nerode::{Method, Options};
use serde_json::Value;
use tempfile::TempDir;

/// A running service, which ends when the value is dropped.
pub struct Service {
    child: Child,
    pub address: String,
}

/// A parsed answer.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Response {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut fields = self.head.lines().filter_map(|line| line.split_once(": "));
        fields.find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }
}

impl Service {
    /// Starts a service for these directories.
    pub fn of(dirs: &[&Path]) -> Self {
        Self::with(&[], dirs)
    }

    /// Starts a service with options.
    pub fn with(options: &[&str], dirs: &[&Path]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_nerode"))
            .args(["serve", "--port", "0", "--json", "--quiet"])
            .args(options)
            .args(dirs)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let said = serde_json::Deserializer::from_reader(child.stdout.take().unwrap());
        let started = said.into_iter::<Value>().next().unwrap().unwrap();
        let url = started["url"].as_str().unwrap();
        let (address, path) = url.trim_start_matches("http://").split_once('/').unwrap();
        assert!(path.is_empty() || path.ends_with('/'), "{url}");
        Self { child, address: address.to_string() }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends bytes unchanged, and reads to the end of the connection.
    pub fn raw(&self, request: &[u8]) -> Response {
        let mut stream = self.connect();
        // The service may have rejected the request and closed the connection already.
        let _ = stream.write_all(request);
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        let end = all.windows(4).position(|part| part == b"\r\n\r\n").unwrap_or(all.len());
        let head = String::from_utf8_lossy(&all[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        let body = all.get(end + 4..).unwrap_or_default().to_vec();
        let chunked = head.to_lowercase().contains("transfer-encoding: chunked");
        Response { status, head, body: if chunked { joined(&body) } else { body } }
    }

    pub fn ask(&self, method: &str, path: &str, fields: &str, body: &str) -> Response {
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {length}\r\n{fields}\r\n{body}",
            self.address
        );
        self.raw(request.as_bytes())
    }

    pub fn get(&self, path: &str) -> Response {
        self.ask("GET", path, "", "")
    }

    /// Returns the document at a path, which must exist.
    pub fn document(&self, path: &str) -> Value {
        let response = self.get(path);
        assert_eq!(response.status, 200, "{path}: {response:?}");
        response.json()
    }

    /// Returns the problem document at a path.
    pub fn problem(&self, path: &str, status: u16) -> Value {
        let response = self.get(path);
        assert_eq!(response.status, status, "{path}: {response:?}");
        assert_eq!(response.header("content-type"), Some("application/problem+json"), "{path}");
        let problem = response.json();
        assert_eq!(problem["status"], status, "{path}");
        problem
    }

    /// Waits for the process to end after it was asked to.
    pub fn wait(mut self) -> std::process::ExitStatus {
        self.child.wait().unwrap()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Joins the parts of a chunked body.
fn joined(mut body: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    while let Some(end) = body.windows(2).position(|part| part == b"\r\n") {
        let length = usize::from_str_radix(std::str::from_utf8(&body[..end]).unwrap(), 16).unwrap();
        if length == 0 || body.len() < end + 4 + length {
            break;
        }
        all.extend(&body[end + 2..end + 2 + length]);
        body = &body[end + 4 + length..];
    }
    all
}

/// Returns a folder of solved games.
pub fn solved(spec: &str) -> PathBuf {
    static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());
    static SOLVING: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _one = SOLVING.lock().unwrap();
    let path = FOLDER.path().join(spec.replace([':', ',', '='], "-"));
    if !path.exists() {
        let options = Options::default().directory(&path).threads(1).method(Method::Retrograde);
        nerode::open(spec).unwrap().solve(options).unwrap();
    }
    path
}
