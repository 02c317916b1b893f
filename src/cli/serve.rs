//! The command `nerode serve DIR...`.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use schemars::JsonSchema;
use serde::Serialize;

use super::choices::{number, threads};
use super::hints::advised;
use super::interrupt::interrupt_flag;
use super::log;
use super::output::{Outcome, Output};
use super::resources::{parse_bytes, usable_memory};
use super::solutions::{solution_at, solutions_in};
use crate::facade::library;
use nerode_serve::{Access, Settings, Shelf, Shown, serve};
use nerode_solver::archive::kind_of;

/// The time between two checks for a signal.
const LOOK: Duration = Duration::from_millis(50);
/// The time that a client may leave an answer unread.
const UNREAD: Duration = Duration::from_secs(20);
/// The maximum number of threads for blocking requests.
const BLOCKING: usize = 64;

/// Arguments of `serve`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Solutions: runs, values, scores, sectors, sectors as sets, packed sectors, or table files; folders of them; or
    /// games
    #[arg(value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// Allow the page to solve small games, in a folder that is removed when the service stops. This is the default if no
    /// DIR is named. Only for loopback addresses
    #[arg(long)]
    allow_solve: bool,
    /// The port to listen on; 0 chooses a free one
    #[arg(long, default_value_t = 7878, value_parser = number(0..=u16::MAX))]
    port: u16,
    /// The address to listen on. Any address other than a loopback address allows other machines to query the service
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// An additional name by which browsers may address this service, such as that of this machine
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// An origin whose pages may query the service, such as https://example.org; '*' allows every page. Such pages cannot
    /// solve games
    #[arg(long, value_name = "ORIGIN", value_parser = parse_origin)]
    allow_origin: Vec<String>,
    /// The path below which the page and all requests are served, such as /nerode, for a proxy that passes on several
    /// services. A proxy that removes the path needs no such option
    #[arg(long, value_name = "PATH", value_parser = parse_base_path, default_value = "/")]
    base_path: String,
    /// The number of threads that look up positions [default: all cores]
    #[arg(long, value_parser = threads)]
    threads: Option<u16>,
    /// Memory cap for tables of sectors, such as 2GiB; the least recently used are dropped first [default: three quarters
    /// of the available memory]
    #[arg(long, value_parser = parse_bytes)]
    memory: Option<u64>,
}

/// The address of the service.
#[derive(JsonSchema, Serialize)]
pub(super) struct Started {
    /// The address of the page.
    url: String,
    /// The solutions.
    solutions: Vec<Served>,
}

/// A solution that is served.
#[derive(JsonSchema, Serialize)]
struct Served {
    /// The name of the solution in addresses.
    id: String,
    /// The game, or null if the solution cannot be opened.
    game: Option<String>,
}

pub(super) fn run(args: &Args, out: &Output) -> Result<Outcome> {
    let allow_solve = args.allow_solve || args.dirs.is_empty();
    if allow_solve && !args.bind.is_loopback() {
        bail!(
            "{} is not a loopback address, so the page cannot solve games: name the solutions to serve",
            args.bind
        );
    }
    let memory = args.memory.unwrap_or_else(usable_memory);
    let mut report = |path: &Path, error: &crate::Error| {
        out.warn(&format!("{} is not served until it has been mended: {error}", path.display()));
    };
    let shelf = Shelf::open(library(), &with_folders(&args.dirs, out)?, memory, &mut report)?;
    if !args.bind.is_loopback() {
        out.warn(&format!("{} is not a loopback address: other machines can query this service", args.bind));
    }
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let settings = Settings {
        bind: SocketAddr::new(args.bind, args.port),
        access: Access {
            hosts: args.host.clone(),
            host_advice: " with --host NAME when it was started".into(),
            origins: args.allow_origin.clone(),
            base_path: args.base_path.clone(),
        },
        threads: args.threads.map_or(cores, usize::from),
        allow_solve,
        unread: UNREAD,
    };
    log::start(out);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(settings.threads.clamp(1, cores))
        .max_blocking_threads(BLOCKING)
        .enable_all()
        .build()
        .context("cannot start threads")?;
    let solutions = shelf.all().into_iter().map(|(id, shown)| served(&id, &shown)).collect();
    let mut said = Ok(());
    let ready = |address: SocketAddr| {
        let url = format!("http://{}{}/", reachable(address), args.base_path);
        let started = Started { url, solutions };
        said = out.result(&started, text);
    };
    let ended = runtime.block_on(serve(shelf, &settings, ready, stopped()));
    runtime.shutdown_timeout(LOOK);
    ended.map_err(|error| not_listening(error, settings.bind))?;
    said?;
    Ok(Outcome::Done)
}

/// Returns an address that can be opened on this machine: the loopback address if the service listens on all addresses.
fn reachable(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => SocketAddr::from((Ipv4Addr::LOCALHOST, address.port())),
        IpAddr::V6(ip) if ip.is_unspecified() => SocketAddr::from((Ipv6Addr::LOCALHOST, address.port())),
        _ => address,
    }
}

/// Parses an origin: a scheme and a host, and a port unless it is the usual one, or `*`.
fn parse_origin(text: &str) -> Result<String> {
    let is_origin = text.split_once("://").is_some_and(|(scheme, host)| {
        ["http", "https"].contains(&scheme) && !host.is_empty() && !host.contains(['/', ' ', '*'])
    });
    match text == "*" || is_origin {
        true => Ok(text.into()),
        false => bail!("expected an origin without a path, such as https://example.org, or *"),
    }
}

/// Parses a path of simple words, and removes its last slash.
fn parse_base_path(text: &str) -> Result<String> {
    let is_simple = |c: char| c.is_ascii_alphanumeric() || ['/', '-', '_', '.', '~'].contains(&c);
    match text.starts_with('/') && !text.contains("//") && text.chars().all(is_simple) {
        true => Ok(text.trim_end_matches('/').into()),
        false => bail!("expected a path of letters, digits and slashes, such as /nerode"),
    }
}

/// Replaces each folder that is not itself a solution by the solutions in it, and each game by its solution.
pub(super) fn with_folders(paths: &[PathBuf], out: &Output) -> Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for path in paths {
        match path.is_dir() && kind_of(path).is_none() {
            true => all.extend(
                Some(solutions_in(path)?).filter(|found| !found.is_empty()).unwrap_or(vec![path.clone()]),
            ),
            false => all.push(solution_at(path, out)?),
        }
    }
    Ok(all)
}

/// Explains why the service cannot listen, and what to do if another program uses the port.
fn not_listening(error: io::Error, at: SocketAddr) -> anyhow::Error {
    let what = format!("cannot listen on {at}: {error}");
    match error.kind() {
        io::ErrorKind::AddrInUse => advised(
            what,
            "another program uses this port, perhaps another 'nerode serve'; choose another one with --port, or a free one with --port 0",
        ),
        io::ErrorKind::PermissionDenied => {
            advised(what, "choose a port above 1023 with --port, or a free one with --port 0")
        }
        io::ErrorKind::AddrNotAvailable => {
            advised(what, "--bind accepts an address of this machine, such as 127.0.0.1")
        }
        _ => anyhow::Error::new(error).context(format!("cannot listen on {at}")),
    }
}

fn served(id: &str, shown: &Shown) -> Served {
    let game = match shown {
        Shown::Open(solution) => Some(solution.game().spec()),
        Shown::NotYet(_) | Shown::Broken => None,
    };
    Served { id: id.into(), game }
}

fn text(started: &Started) -> String {
    let line = |served: &Served| {
        format!("  {}  {}\n", served.id, served.game.as_deref().unwrap_or("(cannot be queried yet)"))
    };
    let lines: String = started.solutions.iter().map(line).collect();
    format!("open {} in a browser; Ctrl-C stops the service\n{lines}", started.url)
}

/// Completes when a signal has been received.
async fn stopped() {
    let flag = interrupt_flag();
    while !flag.load(Ordering::Relaxed) {
        tokio::time::sleep(LOOK).await;
    }
}
