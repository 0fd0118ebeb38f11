//! Enough of HTTP to send correct and incorrect requests.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::{fmt::Write as _, time::Duration};

/// How long a server may take to answer and to close the connection.
const PATIENCE: Duration = Duration::from_secs(20);
/// The most bytes of a response that are read.
const MOST: u64 = 8 << 20;

pub(super) const FORM: &str = "application/x-www-form-urlencoded";
pub(super) const JSON: &str = "application/json";
pub(super) const MULTIPART: &str = "multipart/form-data; boundary=mark";

/// When the client closes its sending half.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// When everything is sent.
    HalfClosed,
    /// When the response has come.
    AsAnswered,
}

/// A request that closes its connection. `who` is header lines.
pub(super) fn request(method: &str, path: &str, who: &str, kind: &str, body: &[u8]) -> Vec<u8> {
    let kind = if kind.is_empty() { String::new() } else { format!("content-type: {kind}\r\n") };
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\norigin: http://localhost\r\nconnection: close\r\n\
         {who}{kind}content-length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// A file as multipart form data.
pub(super) fn multipart(file: &[u8]) -> Vec<u8> {
    let head = b"--mark\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.fracas\"\r\n\r\n";
    [head, file, b"\r\n--mark--\r\n"].concat()
}

/// A text escaped for an address or a form.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => escaped.push(char::from(byte)),
            byte => drop(write!(escaped, "%{byte:02X}")),
        }
    }
    escaped
}

/// A response.
pub(super) struct Answered {
    pub(super) status: u16,
    /// Its header lines, with names in lower case.
    pub(super) head: String,
    pub(super) body: String,
}

impl Answered {
    /// The value of a header.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }
}

/// Sends bytes and reads the response until the server closes the connection; of an event
/// stream only the head is read. `None` if nothing came.
pub(super) fn send(server: SocketAddr, sent: &[u8], ends: Ends) -> Option<Answered> {
    let mut socket = TcpStream::connect(server).expect("a server that listens");
    socket.set_read_timeout(Some(PATIENCE)).expect("a time to wait");
    socket.set_write_timeout(Some(PATIENCE)).expect("a time to wait");
    // A server may answer, and close, before it has read everything.
    if socket.write_all(sent).is_ok() && ends == Ends::HalfClosed {
        let _ = socket.shutdown(Shutdown::Write);
    }
    let mut came = Vec::new();
    let mut part = [0; 16 << 10];
    loop {
        match socket.read(&mut part) {
            Ok(0) => break,
            Ok(n) => came.extend_from_slice(&part[..n]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                panic!("no answer, or no end of it, in {PATIENCE:?}: {}", String::from_utf8_lossy(&came));
            }
            // The server closed before it had read everything.
            Err(_) => break,
        }
        if came.len() as u64 > MOST || is_stream(&came) {
            break;
        }
    }
    read(&came)
}

fn is_stream(came: &[u8]) -> bool {
    let head = &came[..came.len().min(2048)];
    let text = String::from_utf8_lossy(head).to_ascii_lowercase();
    text.split("\r\n\r\n").next().is_some_and(|head| head.contains("content-type: text/event-stream"))
}

fn read(came: &[u8]) -> Option<Answered> {
    let text = String::from_utf8_lossy(came);
    let (head, body) = text.split_once("\r\n\r\n")?;
    let (status, head) = head.split_once("\r\n").unwrap_or((head, ""));
    let status = status.strip_prefix("HTTP/1.").and_then(|rest| rest.get(2..5)?.parse().ok());
    let status = status.unwrap_or_else(|| panic!("not the head of an answer: {text:.200}"));
    let head = head.split("\r\n").map(|line| match line.split_once(':') {
        Some((name, value)) => format!("{}: {}\n", name.to_ascii_lowercase(), value.trim()),
        None => panic!("not a header: {line}"),
    });
    Some(Answered { status, head: head.collect(), body: body.to_owned() })
}
