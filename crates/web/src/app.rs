//! The server: what it is told, what it holds, how it begins and ends.

use crate::{
    hall::Hall,
    room::{Carried, Command, Refusal, Room},
    routes,
};
use axum::http::{HeaderMap, header};
use fracas_kernel::Viewer;
use fracas_store::{Db, DbError};
use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};
use tokio::net::TcpListener;

/// How often the server looks for tables where nobody is.
const ROUND: Duration = Duration::from_secs(60);
/// How long nobody must have been at a table before it is put away.
const IDLE: Duration = Duration::from_secs(30 * 60);
/// How long requests under way may take when the server ends.
const FAREWELL: Duration = Duration::from_secs(10);

/// What a server is told.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens.
    pub listen: SocketAddr,
    /// The folder of its database.
    pub data: PathBuf,
    /// How it is reached from outside, such as `https://play.example.org`;
    /// the address it listens on where this is not said.
    pub base_url: Option<String>,
    /// How long the machine waits between two things it does, so that people can follow.
    pub pace: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            listen: (Ipv4Addr::LOCALHOST, 0).into(),
            data: PathBuf::from("fracas-data"),
            base_url: None,
            pace: Duration::from_millis(700),
        }
    }
}

/// Why a server cannot begin, or has ended.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is taken, or not ours.
    #[error("{listen}: {error}")]
    Listen {
        /// The address.
        listen: SocketAddr,
        /// What the system said.
        error: io::Error,
    },
    /// Its database cannot be used.
    #[error(transparent)]
    Db(#[from] DbError),
    /// It broke.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A server that runs.
pub struct Served {
    /// Where it listens: with the port it was given, where that was 0.
    pub address: SocketAddr,
    /// How it is reached.
    pub url: String,
    ended: tokio::task::JoinHandle<io::Result<()>>,
    app: Arc<App>,
    stop: tokio::sync::watch::Sender<bool>,
}

/// What every request has at hand.
pub(crate) struct App {
    pub(crate) db: Db,
    pub(crate) hall: Hall,
    /// How the server is reached from outside, where somebody said so.
    base_url: Option<String>,
    /// Which start of the server this is.
    pub(crate) boot: u64,
    /// Turns true when the server ends.
    pub(crate) ending: tokio::sync::watch::Receiver<bool>,
}

impl App {
    /// Whether cookies go over an encrypted connection alone.
    pub(crate) fn is_secure(&self) -> bool {
        self.base_url.as_ref().is_some_and(|url| url.starts_with("https://"))
    }

    /// Carries a command out at a table; see [`Room::command`].
    pub(crate) async fn carry_out(
        &self,
        room: &Arc<Room>,
        by: Viewer,
        key: Option<String>,
        command: Command,
    ) -> Result<Carried, Refusal> {
        room.command(by, key, command).await
    }

    /// How links begin: as somebody said, else as whoever asks came here.
    pub(crate) fn origin(&self, headers: &HeaderMap) -> String {
        let host = || headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("127.0.0.1");
        self.base_url.clone().unwrap_or_else(|| format!("http://{}", host()))
    }
}

/// Begins to serve.
///
/// # Errors
/// Where the address or the folder cannot be used.
pub async fn serve(config: Config) -> Result<Served, ServeError> {
    let db = Db::open(&config.data).await?;
    let failed = |error| ServeError::Listen { listen: config.listen, error };
    let listener = TcpListener::bind(config.listen).await.map_err(failed)?;
    let address = listener.local_addr()?;
    let base_url = config.base_url.map(|url| url.trim_end_matches('/').to_owned());
    let url = base_url.clone().unwrap_or_else(|| {
        let mut near = address;
        if near.ip().is_unspecified() {
            near.set_ip(Ipv4Addr::LOCALHOST.into());
        }
        format!("http://{near}")
    });
    let (stop, ending) = tokio::sync::watch::channel(false);
    let boot = std::time::SystemTime::now()
        .duration_since(std::time::SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_millis() as u64);
    let app = Arc::new(App {
        hall: Hall::new(db.clone(), boot, config.pace),
        db,
        base_url,
        boot,
        ending: ending.clone(),
    });
    let router = routes::router(app.clone());
    tokio::spawn(keep_house(app.clone()));
    let ended = tokio::spawn(async move {
        let mut ending = ending;
        axum::serve(listener, router).with_graceful_shutdown(async move { ends(&mut ending).await }).await
    });
    Ok(Served { address, url, ended, app, stop })
}

/// Wakes the tables that go on by themselves, and puts away those where nobody is.
async fn keep_house(app: Arc<App>) {
    if let Err(error) = app.hall.wake().await {
        tracing::warn!(%error, "tables with a deadline could not be looked for");
    }
    let mut ending = app.ending.clone();
    loop {
        tokio::select! {
            () = tokio::time::sleep(ROUND) => app.hall.put_away(IDLE).await,
            () = ends(&mut ending) => return,
        }
    }
}

/// Comes when the server ends.
pub(crate) async fn ends(ending: &mut tokio::sync::watch::Receiver<bool>) {
    let _ = ending.wait_for(|end| *end).await;
}

impl Served {
    /// Serves until it breaks, or until `until` comes; then requests under way
    /// are finished, streams are let go, and every table is left as it stands.
    ///
    /// # Errors
    /// Where it broke.
    pub async fn run(mut self, until: impl Future<Output = ()>) -> Result<(), ServeError> {
        tokio::select! {
            ended = &mut self.ended => { flat(ended)?; }
            () = until => {
                let _ = self.stop.send(true);
                // Whoever does not let go is not waited for: nothing that was
                // accepted hangs on them.
                match tokio::time::timeout(FAREWELL, &mut self.ended).await {
                    Ok(ended) => flat(ended)?,
                    Err(_) => self.ended.abort(),
                }
            }
        }
        self.app.hall.close().await;
        Ok(())
    }
}

fn flat(ended: Result<io::Result<()>, tokio::task::JoinError>) -> io::Result<()> {
    ended.unwrap_or_else(|error| Err(io::Error::other(error)))
}
