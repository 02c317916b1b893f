//! A proxy between the browser and the service, which delays requests, holds them back, or makes them fail.
//!
//! The page is not touched, so its requests fail and wait as they do on a real network.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use crate::browser::Place;
use crate::service::Service;

/// The longest time for which a test waits for a request.
const PATIENCE: Duration = Duration::from_secs(60);

/// What happens to a request that the proxy receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is passed on after this time.
    After(Duration),
    /// It waits until the fate of requests changes.
    Held,
    /// The connection is closed without an answer, as by a network that fails.
    Dropped,
    /// It is answered with status 502 and a text that is not JSON, as by a proxy whose service has ended.
    BadGateway,
}

struct Traffic {
    fate: Fate,
    /// The requests to which the fate applies begin with this path.
    below: String,
    /// The requests to which it has applied so far.
    met: Vec<String>,
}

/// A proxy, with the address at which the browser reaches it.
pub struct Proxy {
    address: String,
    traffic: Arc<(Mutex<Traffic>, Condvar)>,
}

impl Place for Proxy {
    fn base(&self) -> String {
        format!("http://{}/", self.address)
    }
}

fn lock(traffic: &Mutex<Traffic>) -> MutexGuard<'_, Traffic> {
    traffic.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Proxy {
    /// Starts a proxy of a service that passes on every request at once.
    pub fn of(service: &Service) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let begin = Traffic { fate: Fate::After(Duration::ZERO), below: "/".into(), met: Vec::new() };
        let traffic = Arc::new((Mutex::new(begin), Condvar::new()));
        let (shared, to) = (Arc::clone(&traffic), service.address.clone());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (shared, to) = (Arc::clone(&shared), to.clone());
                thread::spawn(move || pass(stream, &to, &shared));
            }
        });
        Self { address, traffic }
    }

    /// Decides what happens from now on to requests whose path begins with `below`; requests that were held are passed on
    /// unless they are held again. The list of requests begins anew.
    pub fn set(&self, below: &str, fate: Fate) {
        let (traffic, changed) = &*self.traffic;
        *lock(traffic) = Traffic { fate, below: below.into(), met: Vec::new() };
        changed.notify_all();
    }

    /// Waits until the fate has applied to a number of requests, and returns them.
    pub fn wait_for(&self, number: usize) -> Vec<String> {
        let (traffic, changed) = &*self.traffic;
        let until = Instant::now() + PATIENCE;
        let mut now = lock(traffic);
        while now.met.len() < number {
            assert!(Instant::now() < until, "only {:?}", now.met);
            now = changed.wait_timeout(now, Duration::from_millis(100)).unwrap().0;
        }
        now.met.clone()
    }
}

/// Passes on one request, and closes the connection.
fn pass(mut from: TcpStream, to: &str, traffic: &(Mutex<Traffic>, Condvar)) {
    let Some((path, request)) = read(&from, to) else { return };
    let (traffic, changed) = traffic;
    let mut now = lock(traffic);
    if path.starts_with(&now.below) {
        now.met.push(path.clone());
        changed.notify_all();
        while now.fate == Fate::Held && path.starts_with(&now.below) {
            now = changed.wait(now).unwrap();
        }
    }
    let fate = if path.starts_with(&now.below) { now.fate } else { Fate::After(Duration::ZERO) };
    drop(now);
    match fate {
        Fate::After(delay) => thread::sleep(delay),
        Fate::Held | Fate::Dropped => {
            let _ = from.shutdown(Shutdown::Both);
            return;
        }
        Fate::BadGateway => {
            let body = "<h1>502 Bad Gateway</h1>";
            let head = "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nConnection: close";
            let _ = write!(from, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
            let _ = from.read(&mut [0]);
            return;
        }
    }
    let Ok(mut service) = TcpStream::connect(to) else { return };
    let mut answer = Vec::new();
    if service.write_all(&request).and_then(|()| service.read_to_end(&mut answer)).is_ok() {
        let _ = from.write_all(&answer);
        // The browser closes the connection when it has read everything.
        let _ = from.read(&mut [0]);
    }
}

/// Reads a request. Returns its path, and the request as it is passed on: to the other host, with one answer.
fn read(from: &TcpStream, to: &str) -> Option<(String, Vec<u8>)> {
    let mut reader = BufReader::new(from);
    let (mut request, mut length) = (String::new(), 0);
    reader.read_line(&mut request).ok().filter(|&bytes| bytes > 0)?;
    let path = request.split(' ').nth(1)?.to_string();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|&bytes| bytes > 0)?;
        let field = line.to_lowercase();
        if line.trim().is_empty() {
            break;
        }
        if let Some(number) = field.strip_prefix("content-length:") {
            length = number.trim().parse().ok()?;
        }
        // The origin of the page is that of the service.
        if !["host:", "connection:", "origin:"].iter().any(|name| field.starts_with(name)) {
            request += &line;
        }
    }
    request += &format!("Host: {to}\r\nConnection: close\r\n\r\n");
    let mut request = request.into_bytes();
    let head = request.len();
    request.resize(head + length, 0);
    reader.read_exact(&mut request[head..]).ok()?;
    Some((path, request))
}
