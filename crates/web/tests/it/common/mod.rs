//! A server in the test's own process, and browsers without a screen.

pub(crate) mod corpus;
pub(crate) mod play;
pub(crate) mod program;

use data_encoding::BASE32_NOPAD;
use fracas_kernel::Seat;
use fracas_table::{Note, Reader};
use fracas_web::{Config, Limits, serve};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};
use std::{cell::RefCell, net::SocketAddr, sync::mpsc, thread};
use ureq::{Agent, Body, http::Response};

/// A server on a free port, with a folder of its own.
pub(crate) struct Server {
    /// Its URL.
    pub(crate) url: String,
    /// The address that it listens on.
    pub(crate) address: SocketAddr,
    /// The address of its metrics.
    pub(crate) metrics: Option<SocketAddr>,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    ended: Option<thread::JoinHandle<()>>,
    /// The folder of its database.
    pub(crate) data: tempfile::TempDir,
}

impl Server {
    /// A new server.
    pub(crate) fn start() -> Server {
        Server::with(tempfile::tempdir().expect("a folder"))
    }

    /// A new server whose machine makes no pauses.
    pub(crate) fn hurried() -> Server {
        Server::configured(tempfile::tempdir().expect("a folder"), |config| config.pace = Duration::ZERO)
    }

    /// A server on the folder of another.
    pub(crate) fn with(data: tempfile::TempDir) -> Server {
        Server::configured(data, |_| {})
    }

    /// A server with a configuration of its own.
    pub(crate) fn configured(data: tempfile::TempDir, configure: impl FnOnce(&mut Config)) -> Server {
        // Tests run without limits; those of limits set their own.
        let limits = Limits::none();
        let mut config = Config { data: data.path().to_owned(), limits, ..Config::default() };
        configure(&mut config);
        let (begun, url) = mpsc::channel();
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let ended = thread::spawn(move || {
            // One thread for everybody: nothing may block it.
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
            let runtime = runtime.expect("a runtime");
            runtime.block_on(async {
                let served = serve(config).await.expect("a server");
                begun.send((served.url.clone(), served.address, served.metrics)).expect("somebody waits");
                let until = async { drop(stopped.await) };
                served.run(until).await.expect("a good end");
            });
        });
        let (url, address, metrics) = url.recv().expect("it begins");
        Server { url, address, metrics, stop: Some(stop), ended: Some(ended), data }
    }

    /// Stops it and starts it again on the same folder.
    pub(crate) fn again(self) -> Server {
        self.again_configured(|_| {})
    }

    /// The same, with a configuration of its own.
    pub(crate) fn again_configured(mut self, configure: impl FnOnce(&mut Config)) -> Server {
        self.end();
        let data = std::mem::replace(&mut self.data, tempfile::tempdir().expect("a folder"));
        Server::configured(data, configure)
    }

    /// Stops it and starts it again at the same address.
    pub(crate) fn again_there(mut self) -> Server {
        let port = self.url.rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        self.end();
        let data = std::mem::replace(&mut self.data, tempfile::tempdir().expect("a folder"));
        Server::configured(data, |config| config.listen.set_port(port))
    }

    fn end(&mut self) {
        drop(self.stop.take());
        if let Some(ended) = self.ended.take() {
            ended.join().expect("it ends without a panic");
        }
    }

    /// Opens a bundled encounter. Returns the gamemaster's browser and page.
    pub(crate) fn table(&self, system: &str, encounter: &str, fields: &[(&str, &str)]) -> (Browser, String) {
        let gm = Browser::new();
        let opened = gm.post(&format!("{}/open/{system}/{encounter}", self.url), fields);
        assert_eq!(opened.status, 303, "{}", opened.body);
        (gm, format!("{}{}", self.url, opened.to.expect("the table's page")))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

/// The key with which servers sign cookies if a test prepared their folder.
pub(crate) const KEY: [u8; 32] = [7; 32];

/// The cookie of a secret, signed with [`KEY`]; a signed one stays as it is.
pub(crate) fn signed(secret: &str) -> String {
    if secret.contains('.') {
        return secret.to_owned();
    }
    let mut mac = Hmac::<Sha256>::new_from_slice(&KEY).expect("a key");
    mac.update(format!("fracas={secret}").as_bytes());
    let mac = BASE32_NOPAD.encode(&mac.finalize().into_bytes()[..20]).to_ascii_lowercase();
    format!("{secret}.{mac}")
}

/// A server's reply.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: String,
    /// The address that it redirects to.
    pub(crate) to: Option<String>,
    /// Every header, a line each.
    pub(crate) headers: String,
}

/// A browser: it keeps cookies and sends its origin.
pub(crate) struct Browser {
    agent: Agent,
}

impl Browser {
    /// A browser without cookies.
    pub(crate) fn new() -> Browser {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            // The server may close a connection after a form that it did not read.
            .max_idle_connections(0)
            // Made anew for each connection, and filled with zeros.
            .input_buffer_size(16 * 1024)
            .output_buffer_size(16 * 1024)
            .timeout_global(Some(Duration::from_secs(30)))
            .build();
        Browser { agent: Agent::new_with_config(config) }
    }

    /// A browser with this cookie, or with the secret of one that was signed with [`KEY`].
    pub(crate) fn known(url: &str, cookie: &str) -> Browser {
        Browser::bringing(url, "fracas", &signed(cookie))
    }

    /// A browser with a cookie of its own choice.
    pub(crate) fn bringing(url: &str, name: &str, value: &str) -> Browser {
        let browser = Browser::new();
        let uri = url.parse().expect("an address");
        let cookie = ureq::Cookie::parse(format!("{name}={value}"), &uri).expect("a cookie");
        browser.agent.cookie_jar_lock().insert(cookie, &uri).expect("a jar");
        browser
    }

    /// The value of its cookie.
    pub(crate) fn secret(&self, url: &str) -> String {
        let host = url.split("://").nth(1).and_then(|rest| rest.split([':', '/']).next()).expect("a host");
        let jar = self.agent.cookie_jar_lock();
        jar.get(host, "/", "fracas").expect("a cookie").value().to_owned()
    }

    /// Loads a page.
    pub(crate) fn get(&self, url: &str) -> Reply {
        read(self.agent.get(url).call().expect("an answer"))
    }

    /// Sends a form as our pages do.
    pub(crate) fn post(&self, url: &str, fields: &[(&str, &str)]) -> Reply {
        let origin = url.split('/').take(3).collect::<Vec<_>>().join("/");
        let request = self.agent.post(url).header("origin", origin);
        read(request.send_form(fields.iter().copied()).expect("an answer"))
    }

    /// Sends a file as a form with a field `file` does, after these fields.
    pub(crate) fn bring(&self, url: &str, fields: &[(&str, &str)], file: &[u8]) -> Reply {
        self.bring_all(url, fields, &[("mine.toml", file)])
    }

    /// The same with several files, each with its name.
    pub(crate) fn bring_all(&self, url: &str, fields: &[(&str, &str)], files: &[(&str, &[u8])]) -> Reply {
        let origin = url.split('/').take(3).collect::<Vec<_>>().join("/");
        let mark = "--a-mark-that-is-in-no-file";
        let mut body = Vec::new();
        for (name, value) in fields {
            let head =
                format!("--{mark}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
            body.extend(head.as_bytes());
        }
        for (name, file) in files {
            let head = format!("content-disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n");
            body.extend(format!("--{mark}\r\n{head}").as_bytes());
            body.extend(*file);
            body.extend(b"\r\n");
        }
        body.extend(format!("--{mark}--\r\n").as_bytes());
        let request = self.agent.post(url).header("origin", origin);
        let request = request.header("content-type", format!("multipart/form-data; boundary={mark}"));
        read(request.send(&body[..]).expect("an answer"))
    }

    /// Sends a form as the script does.
    pub(crate) fn act(&self, url: &str, fields: &[(&str, &str)]) -> Reply {
        let origin = url.split('/').take(3).collect::<Vec<_>>().join("/");
        let request = self.agent.post(url).header("origin", origin).header("accept", "application/json");
        read(request.send_form(fields.iter().copied()).expect("an answer"))
    }

    /// The status of a page alone; a form is sent empty.
    pub(crate) fn status(&self, method: &str, url: &str) -> u16 {
        let origin = url.split('/').take(3).collect::<Vec<_>>().join("/");
        let sent = match method {
            "GET" => self.agent.get(url).call(),
            _ => self.agent.post(url).header("origin", origin).send_empty(),
        };
        sent.expect("an answer").status().as_u16()
    }

    /// Listens to a stream. Returns each message's data as it comes.
    pub(crate) fn listen(&self, url: &str, last: Option<&str>) -> Stream {
        let mut request = self.agent.get(url).config().timeout_global(None).build();
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        listen(request.call().expect("a stream"))
    }
}

/// The messages of a stream as they come.
pub(crate) fn listen(response: Response<Body>) -> Stream {
    assert_eq!(response.status(), 200);
    let (sender, messages) = mpsc::channel();
    thread::spawn(move || {
        let mut id = String::new();
        for line in BufReader::new(response.into_body().into_reader()).lines() {
            let Ok(line) = line else { return };
            if let Some(new) = line.strip_prefix("id: ") {
                id = new.to_owned();
            } else if let Some(data) = line.strip_prefix("data: ")
                && sender.send((id.clone(), data.to_owned())).is_err()
            {
                return;
            }
        }
    });
    Stream { messages, last: RefCell::default() }
}

/// An open stream.
pub(crate) struct Stream {
    messages: mpsc::Receiver<(String, String)>,
    /// The id of the last message that was read.
    last: RefCell<String>,
}

impl Stream {
    /// The next message: its id and its data.
    pub(crate) fn next(&self) -> (String, String) {
        let message = self.messages.recv_timeout(Duration::from_secs(20)).expect("a message");
        self.last.replace(message.0.clone());
        message
    }

    /// Reads messages until one contains these words, and returns it.
    pub(crate) fn until(&self, words: &str) -> (String, String) {
        loop {
            let (id, data) = self.next();
            if data.contains(words) {
                return (id, data);
            }
        }
    }

    /// The messages up to the one with this id; none if the last one had it.
    pub(crate) fn up_to(&self, id: &str) -> Vec<(String, String)> {
        let mut all = Vec::new();
        while *self.last.borrow() != id {
            all.push(self.next());
        }
        all
    }

    /// Waits until the stream ends, and drops what still comes.
    pub(crate) fn ends(&self) {
        while self.messages.recv_timeout(Duration::from_secs(20)).is_ok() {}
        let open = self.messages.try_recv() == Err(mpsc::TryRecvError::Empty);
        assert!(!open, "the stream goes on");
    }

    /// The messages that have come, or come within a moment.
    pub(crate) fn rest(&self) -> Vec<String> {
        let mut all = Vec::new();
        while let Ok((_, data)) = self.messages.recv_timeout(Duration::from_millis(600)) {
            all.push(data);
        }
        all
    }
}

/// Waits until this is so, for at most 20 seconds.
pub(crate) fn wait_until(is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it was not so within 20 seconds");
        thread::sleep(Duration::from_millis(20));
    }
}

fn read(mut response: Response<Body>) -> Reply {
    let header = |name: &str| Some(response.headers().get(name)?.to_str().ok()?.to_owned());
    Reply {
        status: response.status().as_u16(),
        to: header("location"),
        headers: response
            .headers()
            .iter()
            .map(|(k, v)| format!("{k}: {}\n", v.to_str().unwrap_or("?")))
            .collect(),
        body: response.body_mut().read_to_string().expect("text"),
    }
}

/// The value of the first field of this name on a page.
pub(crate) fn field(page: &str, name: &str) -> Option<String> {
    let at = page.find(&format!("name=\"{name}\" value=\""))?;
    let value = &page[at + name.len() + 15..];
    Some(plain(&value[..value.find('"')?]))
}

/// Every value of the fields of this name on a page.
pub(crate) fn fields(page: &str, name: &str) -> Vec<String> {
    let mark = format!("name=\"{name}\" value=\"");
    page.match_indices(&mark)
        .filter_map(|(at, _)| {
            let value = &page[at + mark.len()..];
            Some(plain(&value[..value.find('"')?]))
        })
        .collect()
}

/// Text without the escapes of a page.
fn plain(text: &str) -> String {
    text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// Makes a link for a role and comes in by it, admitted by the gamemaster.
pub(crate) fn join(gm: &Browser, table: &str, role: &str, name: &str) -> (Browser, String) {
    let link = link(gm, table, role);
    let browser = Browser::new();
    let url = table.split("/t/").next().expect("a server").to_owned();
    let door = browser.get(&link).to.expect("the door");
    let door = format!("{url}{door}");
    assert_eq!(browser.get(&door).status, 200);
    assert_eq!(browser.post(&door, &[("name", name)]).status, 303);
    let people = gm.get(&format!("{table}/people")).body;
    let at_door = field(&people, "browser").expect("somebody at the door");
    let admitted =
        gm.post(&format!("{table}/admit"), &[("browser", &at_door), ("role", role), ("in", "yes")]);
    assert_eq!(admitted.status, 303, "{}", admitted.body);
    let page = browser.get(&door).to.expect("the page");
    (browser, format!("{url}{page}"))
}

/// The address of the overlay of a table, from that of anybody's page there.
pub(crate) fn overlay_of(page: &str) -> String {
    format!("{}/overlay", page.rsplit_once('/').expect("a role").0)
}

/// A new link for a role.
pub(crate) fn link(gm: &Browser, table: &str, role: &str) -> String {
    let page = gm.post(&format!("{table}/links"), &[("role", role), ("kind", "invite")]).body;
    let at = page.find("id=\"fresh\" value=\"").expect("a fresh link") + 18;
    page[at..].split('"').next().expect("the link").to_owned()
}

/// The log of a table that was played under earlier rules of a system, in the format of then; the
/// gamemaster then wrote these words. `None` if the system is younger than that format.
pub(crate) fn earlier_log(system: &str, words: &str) -> Option<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../systems/tests/golden/format-1");
    let kept = std::fs::read_to_string(format!("{folder}/{system}.log")).ok()?;
    let lines: Vec<&str> = kept.split_inclusive('\n').collect();
    let last = lines.iter().rposition(|line| line.contains("\"snapshot\":{")).expect("where it stands");
    let note = Note { by: Seat::Gm, to: Reader::All, text: words.to_owned() };
    Some(format!("{}{}\n", lines[..=last].concat(), serde_json::json!({ "seq": last + 1, "note": note })))
}
