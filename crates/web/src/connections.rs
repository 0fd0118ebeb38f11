//! Connections: how many may be open, and how long each may keep the server waiting.
//!
//! A client that stops in the middle costs a server as much as one that goes on. So the head
//! and the body of a request must come within a time, and a client that stops reading is
//! disconnected. A stream lives as long as its tab reads it.

use crate::limits::{Addresses, Limits};
use crate::refusal::{Denied, Reader};
use crate::security::{Event, Security};
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::{self, Next};
use axum::{Router, response::Response};
use fracas_live::{ending::ends, origin::From, wire::Wire};
use futures_util::{StreamExt, stream};
use hyper::service::{Service, service_fn};
use hyper::{body::Incoming, server::conn::http1};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::{server::graceful::GracefulShutdown, service::TowerToHyperService};
#[cfg(target_os = "linux")]
use socket2::SockRef;
use std::io::{self, ErrorKind, IoSlice};
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};
use std::task::{Context, Poll, ready};
use std::{collections::HashMap, net::SocketAddr, pin::Pin, time::Duration};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout_at};
use tokio_io_timeout::TimeoutStream;

/// How long sent data may stay unacknowledged before the connection is broken. (On other
/// systems than Linux, the system decides.)
const UNHEARD: Duration = Duration::from_secs(20);
/// How long to wait if the system has no room for another connection.
const FULL: Duration = Duration::from_secs(1);
/// A body that comes at this rate or faster, in bytes a second, may take as long as it
/// needs.
const PACE: usize = 32 << 10;

/// The open connections, counted in all and by address.
pub(crate) struct Connections {
    limits: Limits,
    addresses: Addresses,
    security: Arc<Security>,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    all: usize,
    from: HashMap<From, usize>,
}

impl Connections {
    pub(crate) fn new(limits: &Limits, addresses: Addresses, security: Arc<Security>) -> Arc<Connections> {
        Arc::new(Connections { limits: limits.clone(), addresses, security, open: Mutex::default() })
    }

    /// The number of open connections.
    pub(crate) fn count(&self) -> usize {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).all
    }

    /// Adds a connection, if there is room. Dropping the result frees its place.
    fn enter(self: &Arc<Self>, address: SocketAddr) -> Option<Connected> {
        let from = From::of(address.ip());
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let here = open.from.get(&from).copied().unwrap_or(0);
        // All requests through a proxy come from the proxy's address.
        let each = match self.addresses {
            Addresses::Connected => self.limits.connections_from,
            Addresses::Proxy => usize::MAX,
        };
        if open.all >= self.limits.connections || here >= each {
            return None;
        }
        open.all += 1;
        open.from.insert(from, here + 1);
        Some(Connected { connections: self.clone(), from })
    }
}

/// An open connection.
struct Connected {
    connections: Arc<Connections>,
    from: From,
}

impl Drop for Connected {
    fn drop(&mut self) {
        let mut open = self.connections.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.all = open.all.saturating_sub(1);
        match open.from.get_mut(&self.from) {
            Some(count) if *count > 1 => *count -= 1,
            _ => drop(open.from.remove(&self.from)),
        }
    }
}

/// A connection whose end is recorded.
struct Watched<S> {
    io: S,
    wire: Wire,
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let (before, room) = (into.filled().len(), into.remaining());
        let read = ready!(Pin::new(&mut self.io).poll_read(cx, into));
        if read.is_ok() && room > 0 && into.filled().len() == before {
            self.wire.hang_up();
        }
        Poll::Ready(read)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, from: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(cx, from)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        from: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(cx, from)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }
}

/// Serves until the server ends and the requests in progress are answered.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    connections: Arc<Connections>,
    mut ending: watch::Receiver<bool>,
) -> io::Result<()> {
    let limits = &connections.limits;
    let router = router.layer(middleware::from_fn_with_state(limits.body, in_time));
    let mut http = http1::Builder::new();
    // The time for a head also limits an idle connection, which waits for the next one.
    http.timer(TokioTimer::new()).header_read_timeout(limits.head);
    let graceful = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = ends(&mut ending) => break,
        };
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            // The client has gone.
            Err(error) if is_theirs(&error) => continue,
            Err(error) => {
                tracing::warn!(%error, "no more connections can be taken");
                sleep(FULL).await;
                continue;
            }
        };
        let Some(connected) = connections.enter(address) else {
            connections.security.note(Event::Connections, From::of(address.ip()), "");
            refuse(&stream);
            continue;
        };
        notice_silence(&stream);
        let (router, wire) = (TowerToHyperService::new(router.clone()), Wire::default());
        let watched = wire.clone();
        let service = service_fn(move |mut request: hyper::Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(address));
            request.extensions_mut().insert(watched.clone());
            router.call(request)
        });
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(limits.unread));
        let io = TokioIo::new(Watched { io: Box::pin(stream), wire });
        let served = graceful.watch(http.serve_connection(io, service));
        tokio::spawn(async move {
            // Errors of a connection that breaks, or is too slow, are the client's.
            if let Err(error) = served.await {
                tracing::debug!(%error, "a connection was let go");
            }
            drop(connected);
        });
    }
    drop(listener);
    graceful.shutdown().await;
    Ok(())
}

/// Has the system break a connection that leaves data unacknowledged; by default it would
/// try for a quarter of an hour.
fn notice_silence(stream: &TcpStream) {
    #[cfg(target_os = "linux")]
    if let Err(error) = SockRef::from(stream).set_tcp_user_timeout(Some(UNHEARD)) {
        tracing::debug!(%error, "a silent connection will be noticed late");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (stream, UNHEARD);
}

fn is_theirs(error: &io::Error) -> bool {
    use ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Sends that there is no room, as far as the socket takes it without waiting.
fn refuse(stream: &TcpStream) {
    const TOLD: &str = "Too many connections are open: close some, or try again in a moment.\n";
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\n\
         content-length: {}\r\nretry-after: 10\r\nconnection: close\r\n\r\n{TOLD}",
        TOLD.len()
    );
    let _ = stream.try_write(answer.as_bytes());
}

/// Limits the time of a request's body; a large one has longer. A body that takes longer is
/// cut off, with a response that says so.
async fn in_time(State(time): State<Duration>, request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let reader = Reader::of(&request);
    let late = Arc::new(AtomicBool::new(false));
    let noted = late.clone();
    let response = next.run(request.map(|body| limited(body, time, noted))).await;
    if late.load(Ordering::Relaxed) {
        return Denied::TooSlow.to(reader);
    }
    response
}

/// A body that ends with an error if it takes too long.
fn limited(body: Body, time: Duration, late: Arc<AtomicBool>) -> Body {
    let begun = Instant::now();
    let frames = body.into_data_stream();
    let limited = stream::unfold(Some((frames, 0usize)), move |state| {
        let late = late.clone();
        async move {
            let (mut frames, came) = state?;
            let until = begun + time + Duration::from_secs((came / PACE) as u64);
            match timeout_at(until, frames.next()).await {
                Ok(Some(Ok(bytes))) => {
                    let came = came + bytes.len();
                    Some((Ok(bytes), Some((frames, came))))
                }
                Ok(Some(Err(error))) => Some((Err(io::Error::other(error)), None)),
                Ok(None) => None,
                Err(_) => {
                    late.store(true, Ordering::Relaxed);
                    Some((Err::<Bytes, _>(ErrorKind::TimedOut.into()), None))
                }
            }
        }
    });
    Body::from_stream(limited)
}
