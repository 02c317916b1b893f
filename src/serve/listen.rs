//! Connections: accepted, bounded in number and time, and let go in order at the end.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutStream;

use super::kept::Kept;
use super::router::router;
use super::shelf::Shelf;
use super::solving::Solving;
use super::state::State;
use super::work::Workers;

/// Connections at once; more wait to be accepted.
const CONNECTIONS: usize = 1024;
/// Time for the head of a request, and for the next one on a connection that is kept.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// A connection that is older is closed after the answer that it waits for.
const CONNECTION_TIME: Duration = Duration::from_secs(600);
/// Time that requests have to end when the service stops.
const STOP_TIME: Duration = Duration::from_millis(500);
/// How often directories are looked at for changes.
const REFRESH: Duration = Duration::from_secs(1);
/// Bytes of a request's head.
const HEAD_BYTES: usize = 64 << 10;

/// How the service behaves.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where it listens.
    pub bind: SocketAddr,
    /// Names that a request may give in its `Host` field, beside numeric addresses and `localhost`.
    pub hosts: Vec<String>,
    /// Threads that look up positions.
    pub threads: usize,
    /// Whether small games are solved when the page asks for them.
    pub allow_solve: bool,
    /// Time that a client may let an answer wait without reading any of it.
    pub unread: Duration,
}

/// Serves `shelf` until `stop` is done. `ready` is told the address when connections are accepted.
///
/// # Errors
/// An address that cannot be listened at; no folder for temporary files, where solving is allowed.
pub async fn serve(
    shelf: Shelf,
    settings: &Settings,
    ready: impl FnOnce(SocketAddr),
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let listener = TcpListener::bind(settings.bind).await?;
    let state = Arc::new(State {
        shelf: Arc::new(shelf),
        workers: Workers::new(settings.threads),
        stats: Kept::default(),
        solving: if settings.allow_solve { Some(Solving::new(settings.threads)?) } else { None },
        hosts: settings.hosts.clone(),
    });
    let refreshing = tokio::spawn(refresh(Arc::clone(&state.shelf)));
    let app = router(&state);
    ready(listener.local_addr()?);
    let open = GracefulShutdown::new();
    tokio::pin!(stop);
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let accepted = tokio::select! {
            accepted = next(&listener, &room) => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, permit)) => {
                let watched = open.watcher();
                tokio::spawn(connection(stream, app.clone(), settings.unread, watched, permit));
            }
            // Such as too many open files: it passes.
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
    refreshing.abort();
    drop(listener);
    if tokio::time::timeout(STOP_TIME, open.shutdown()).await.is_err() {
        tracing::warn!("some requests were cut off");
    }
    if state.solving.is_some() {
        let stopped = tokio::task::spawn_blocking(move || state.solving.as_ref().map(Solving::stop)).await;
        stopped.map_err(io::Error::other)?;
    }
    Ok(())
}

/// The next connection, once there is room for it.
async fn next(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> io::Result<(TcpStream, OwnedSemaphorePermit)> {
    let permit = Arc::clone(room).acquire_owned().await.map_err(io::Error::other)?;
    Ok((listener.accept().await?.0, permit))
}

/// Serves a connection to its end.
async fn connection(
    stream: TcpStream,
    app: Router,
    unread: Duration,
    watcher: hyper_util::server::graceful::Watcher,
    permit: OwnedSemaphorePermit,
) {
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(unread));
    let served = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(Box::pin(stream)), TowerToHyperService::new(app));
    let served = tokio::time::timeout(CONNECTION_TIME, watcher.watch(served)).await;
    if let Ok(Err(error)) = served {
        tracing::debug!(%error, "a connection has broken");
    }
    drop(permit);
}

/// Looks for changes on disk now and then.
async fn refresh(shelf: Arc<Shelf>) {
    loop {
        tokio::time::sleep(REFRESH).await;
        let shelf = Arc::clone(&shelf);
        let _ = tokio::task::spawn_blocking(move || shelf.refresh()).await;
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::Ipv4Addr;
    use std::sync::mpsc;
    use std::time::Instant;

    use super::*;

    /// The service would write some hundred megabytes.
    #[test]
    fn who_reads_no_answers_is_let_go() {
        let settings = Settings {
            bind: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            hosts: Vec::new(),
            threads: 1,
            allow_solve: false,
            unread: Duration::from_millis(200),
        };
        let (tell, told) = mpsc::channel();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let service = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
            let ready = |address| tell.send(address).unwrap();
            let stopped = async { drop(stopped.await) };
            runtime.block_on(serve(Shelf::default(), &settings, ready, stopped)).unwrap();
        });
        let mut client = std::net::TcpStream::connect(told.recv().unwrap()).unwrap();
        client.set_write_timeout(Some(Duration::from_secs(1))).unwrap();
        let request = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
        // It reads nothing, so the service can send nothing more at some time, and then lets it go: what it sends is refused.
        let give_up = Instant::now() + Duration::from_secs(60);
        let ended = loop {
            match client.write(&request.repeat(1000)) {
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => break error.kind(),
                _ if Instant::now() > give_up => panic!("it was not let go"),
                _ => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        assert!(matches!(ended, io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe), "{ended}");
        stop.send(()).unwrap();
        service.join().unwrap();
    }
}
