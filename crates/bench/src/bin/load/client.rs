//! A client that looks like a browser to the server: one cookie, plain forms, streams.

use anyhow::{Context, Result, bail, ensure};
use form_urlencoded::Serializer;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Method, Request, Response, StatusCode, header};
use hyper_util::rt::TokioIo;
use std::sync::{Arc, Mutex};
use tokio::net::TcpStream;

/// A connection that is kept open, with its cookie.
pub(crate) struct Client {
    host: String,
    sender: SendRequest<Full<Bytes>>,
    cookie: Arc<Mutex<Option<String>>>,
}

/// A server's response.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    /// The target of a redirect.
    pub(crate) to: Option<String>,
    pub(crate) body: String,
}

impl Client {
    /// A browser without a cookie.
    pub(crate) async fn new(host: &str) -> Result<Client> {
        Ok(Client { host: host.to_owned(), sender: connect(host).await?, cookie: Arc::default() })
    }

    /// The same browser on another connection.
    pub(crate) async fn again(&self) -> Result<Client> {
        let sender = connect(&self.host).await?;
        Ok(Client { host: self.host.clone(), sender, cookie: self.cookie.clone() })
    }

    fn request(&self, method: Method, path: &str) -> hyper::http::request::Builder {
        let request = Request::builder().method(method).uri(path).header(header::HOST, &self.host);
        match self.cookie.lock().ok().and_then(|cookie| cookie.clone()) {
            Some(cookie) => request.header(header::COOKIE, cookie),
            None => request,
        }
    }

    async fn send(&mut self, request: Request<Full<Bytes>>) -> Result<Response<Incoming>> {
        // A server closes connections that were idle for a while.
        if self.sender.ready().await.is_err() {
            self.sender = connect(&self.host).await?;
        }
        let response = self.sender.send_request(request).await?;
        if let Some(given) = response.headers().get(header::SET_COOKIE) {
            let pair = given.to_str()?.split(';').next().unwrap_or_default().to_owned();
            if let Ok(mut cookie) = self.cookie.lock() {
                *cookie = Some(pair);
            }
        }
        Ok(response)
    }

    /// Loads a page.
    pub(crate) async fn get(&mut self, path: &str) -> Result<Reply> {
        let request = self.request(Method::GET, path).body(Full::default())?;
        let response = self.send(request).await?;
        read(response).await
    }

    /// Submits a form, like the page's script if `scripted`.
    pub(crate) async fn post(&mut self, path: &str, fields: &[(&str, &str)], how: How) -> Result<Reply> {
        let form = Serializer::new(String::new()).extend_pairs(fields).finish();
        let mut request = self
            .request(Method::POST, path)
            .header(header::ORIGIN, format!("http://{}", self.host))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        if how == How::Scripted {
            request = request.header(header::ACCEPT, "application/json");
        }
        let response = self.send(request.body(Full::from(form))?).await?;
        read(response).await
    }

    /// Submits a form that must redirect to another page; returns its path.
    pub(crate) async fn follow(&mut self, path: &str, fields: &[(&str, &str)]) -> Result<String> {
        let reply = self.post(path, fields, How::Plain).await?;
        ensure!(reply.status == StatusCode::SEE_OTHER, "{path}: {} {}", reply.status, reply.body);
        reply.to.with_context(|| format!("{path} leads nowhere"))
    }

    /// Opens a stream and hands the data of each message to `heard` until the stream ends.
    pub(crate) async fn listen(mut self, path: &str, mut heard: impl FnMut(&str)) -> Result<()> {
        let request = self.request(Method::GET, path).body(Full::default())?;
        let response = self.send(request).await?;
        if response.status() != StatusCode::OK {
            bail!("{path}: {}", response.status());
        }
        let mut body = response.into_body();
        let mut held: Vec<u8> = Vec::new();
        while let Some(frame) = body.frame().await {
            let Ok(data) = frame?.into_data() else { continue };
            held.extend_from_slice(&data);
            while let Some(end) = held.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = held.drain(..=end).collect();
                let line = String::from_utf8_lossy(&line);
                if let Some(data) = line.trim_end().strip_prefix("data: ") {
                    heard(data);
                }
            }
        }
        Ok(())
    }
}

/// How a form is submitted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    Plain,
    Scripted,
}

async fn connect(host: &str) -> Result<SendRequest<Full<Bytes>>> {
    let socket = TcpStream::connect(host).await?;
    socket.set_nodelay(true)?;
    let (sender, connection) = handshake(TokioIo::new(socket)).await?;
    tokio::spawn(connection);
    Ok(sender)
}

async fn read(response: Response<Incoming>) -> Result<Reply> {
    let to = response.headers().get(header::LOCATION).and_then(|to| to.to_str().ok()).map(str::to_owned);
    let status = response.status();
    let body = response.into_body().collect().await?.to_bytes();
    Ok(Reply { status, to, body: String::from_utf8_lossy(&body).into_owned() })
}
