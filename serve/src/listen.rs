//! Connections: accepting them, limiting their number and duration, and closing them in an orderly way at the end.

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

use super::access::Access;
use super::answer_cache::AnswerCache;
use super::router::router;
use super::shelf::Shelf;
use super::solving::Solving;
use super::state::State;
use super::work::Workers;

/// The maximum number of simultaneous connections. Further ones wait to be accepted.
const CONNECTIONS: usize = 1024;
/// The time limit for receiving the head of a request, and for the next request on a persistent connection.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// The age at which a connection is closed after its current answer.
const CONNECTION_TIME: Duration = Duration::from_secs(600);
/// The time that requests have to finish when the service stops.
const STOP_TIME: Duration = Duration::from_millis(500);
/// The interval at which directories are checked for changes.
const REFRESH: Duration = Duration::from_secs(1);
/// The maximum size of the head of a request in bytes.
const HEAD_BYTES: usize = 64 << 10;

/// The settings of the service.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address on which it listens.
    pub bind: SocketAddr,
    /// The rules by which requests are admitted.
    pub access: Access,
    /// The number of threads for look-ups.
    pub threads: usize,
    /// Whether the service solves small games on request of the page.
    pub allow_solve: bool,
    /// The time that a client may leave an answer unread.
    pub unread: Duration,
}

/// Serves `shelf` until `stop` completes. Calls `ready` with the address when connections are accepted.
///
/// # Errors
/// Returns an error if the address cannot be used, or if solving is allowed and no temporary folder can be created.
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
        stats: AnswerCache::default(),
        solving: if settings.allow_solve { Some(Solving::new(settings.threads)?) } else { None },
        access: settings.access.clone(),
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
            // The error is temporary, for example too many open files.
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
    refreshing.abort();
    drop(listener);
    if tokio::time::timeout(STOP_TIME, open.shutdown()).await.is_err() {
        tracing::warn!("some requests were aborted");
    }
    if state.solving.is_some() {
        let stopped = tokio::task::spawn_blocking(move || state.solving.as_ref().map(Solving::stop)).await;
        stopped.map_err(io::Error::other)?;
    }
    Ok(())
}

/// Accepts the next connection, as soon as the number of connections allows it.
async fn next(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> io::Result<(TcpStream, OwnedSemaphorePermit)> {
    let permit = Arc::clone(room).acquire_owned().await.map_err(io::Error::other)?;
    Ok((listener.accept().await?.0, permit))
}

/// Serves a connection until it is closed.
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
        tracing::debug!(%error, "a connection failed");
    }
    drop(permit);
}

/// Checks for changes on disk periodically.
async fn refresh(shelf: Arc<Shelf>) {
    loop {
        tokio::time::sleep(REFRESH).await;
        let shelf = Arc::clone(&shelf);
        let _ = tokio::task::spawn_blocking(move || shelf.refresh()).await;
    }
}

#[cfg(test)]
mod tests {
    use nerode_games::Registry;
    use nerode_games::registry::families;
    use nerode_solver::stored::Library;

    static REGISTRY: Registry = Registry::new(families(), &[]);

    use std::io::Write;
    use std::net::Ipv4Addr;
    use std::sync::mpsc;
    use std::time::Instant;

    use super::*;

    /// The service would write several hundred megabytes.
    #[test]
    fn who_reads_no_answers_is_let_go() {
        let settings = Settings {
            bind: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            access: Access::default(),
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
            let library = Library { openers: &[], registry: &REGISTRY, resolver: &REGISTRY };
            let shelf = Shelf::open(library, &[], 0, &mut |_, _| ()).unwrap();
            runtime.block_on(serve(shelf, &settings, ready, stopped)).unwrap();
        });
        let mut client = std::net::TcpStream::connect(told.recv().unwrap()).unwrap();
        client.set_write_timeout(Some(Duration::from_secs(1))).unwrap();
        let request = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
        // The client reads nothing, so that eventually the service cannot send more and drops the connection. From
        // then on, sending fails.
        let give_up = Instant::now() + Duration::from_secs(60);
        let ended = loop {
            match client.write(&request.repeat(1000)) {
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => break error.kind(),
                _ if Instant::now() > give_up => panic!("the connection was not closed"),
                _ => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        assert!(matches!(ended, io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe), "{ended}");
        stop.send(()).unwrap();
        service.join().unwrap();
    }
}
