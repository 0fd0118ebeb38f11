//! The server: its configuration, how it starts and stops.

use crate::connections::{self, Connections};
use crate::hosts::{self, Hosts};
use crate::limits::{Addresses, Gates, Limits};
use crate::{app::App, cookies::Cookies, files, metrics::Metrics, page::Pages, routes, security::Security};
use axum::{Router, middleware, routing::get};
use fracas_live::nudger::{self, Nudger};
use fracas_live::{
    auth, ending::ends, hall::Hall, hindsight::Hindsight, passphrase::Lock, take_in::Queue, webhook::Reach,
};
use fracas_store::{Db, DbError, Loss};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};
use std::{io, path::PathBuf, sync::Arc};
use tokio::{net::TcpListener, sync::watch};

/// How often the server looks for tables that nobody uses.
const ROUND: Duration = Duration::from_secs(60);
/// How long a table must be unused before it is put away.
const IDLE: Duration = Duration::from_secs(30 * 60);
/// The most connections to the address of the metrics. The file limit leaves room for them.
const READERS: usize = 16;
/// How long requests in progress may take when the server ends.
const FAREWELL: Duration = Duration::from_secs(3);
/// How long tables may then take to record their state.
const CLOSING: Duration = Duration::from_secs(5);
/// The least time between two rewrites of the database that remove what was erased.
const SWEEP: Duration = Duration::from_secs(24 * 60 * 60);

/// A server's configuration.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The folder of its database.
    pub data: PathBuf,
    /// Whether to open a database that has lost its log of changes.
    pub loss: Loss,
    /// How long a deleted table can be restored before it is erased.
    pub keep_deleted: Duration,
    /// The server's address from outside, such as `https://play.example.org`. If absent, the
    /// address it listens on.
    pub base_url: Option<String>,
    /// The machine's address in its network, if others can reach it. Links begin with it if
    /// there is no `base_url`.
    pub in_the_network: Option<IpAddr>,
    /// The machine's pause between two steps, so that people can follow.
    pub pace: Duration,
    /// Whether the connection or a proxy's headers give a request's address.
    pub addresses: Addresses,
    /// The limits on requests and sizes.
    pub limits: Limits,
    /// The address of the metrics, open to everybody who can reach it. It has a few
    /// connections of its own.
    pub metrics: Option<SocketAddr>,
    /// The addresses that webhooks may lead to.
    pub webhooks: Reach,
    /// The command that starts this server again, without options.
    pub command: String,
    /// How long a player may take to answer before a webhook reports it.
    pub patience: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            listen: (Ipv4Addr::LOCALHOST, 0).into(),
            data: PathBuf::from("fracas-data"),
            loss: Loss::Refused,
            keep_deleted: Duration::from_secs(7 * 24 * 60 * 60),
            base_url: None,
            in_the_network: None,
            pace: Duration::from_millis(700),
            addresses: Addresses::default(),
            limits: Limits::default(),
            metrics: None,
            webhooks: Reach::default(),
            command: "fracas serve".to_owned(),
            patience: nudger::PATIENCE,
        }
    }
}

/// Why a server cannot start, or has stopped.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is taken, or belongs to another machine.
    #[error("{listen}: {error}")]
    Listen {
        /// The address.
        listen: SocketAddr,
        /// The system's error.
        error: io::Error,
    },
    /// The database cannot be used.
    #[error(transparent)]
    Db(#[from] DbError),
    /// The server failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A running server.
pub struct Served {
    /// The address it listens on, with the port that the system chose if 0 was given.
    pub address: SocketAddr,
    /// The server's URL.
    pub url: String,
    /// The address of the metrics.
    pub metrics: Option<SocketAddr>,
    ended: tokio::task::JoinHandle<io::Result<()>>,
    app: Arc<App>,
    stop: watch::Sender<bool>,
}

/// Starts a server.
///
/// # Errors
/// If the address or the folder cannot be used.
pub async fn serve(mut config: Config) -> Result<Served, ServeError> {
    if let Some(most) = files::room_for_connections()
        && most < config.limits.connections
    {
        tracing::info!(
            connections = most,
            "the system allows no more open files, so there are no more connections at once"
        );
        config.limits.connections = most;
    }
    let db = Db::open_as_is(&config.data, config.loss).await?;
    let mut key = [0; 32];
    getrandom::fill(&mut key).map_err(io::Error::other)?;
    let cookies = Cookies::new(db.key(key).await?, db.unsigned().await?)
        .ok_or_else(|| io::Error::other("nothing can be signed with the key in the database"))?;
    let listener = bind(config.listen).await?;
    let address = listener.local_addr()?;
    let base_url = config.base_url.map(|url| url.trim_end_matches('/').to_owned());
    let hosts = Hosts::new(base_url.as_deref(), config.addresses);
    let base_url = base_url.or_else(|| {
        config.in_the_network.map(|ip| format!("http://{}", SocketAddr::new(ip, address.port())))
    });
    let url = base_url.clone().unwrap_or_else(|| {
        let mut near = address;
        if near.ip().is_unspecified() {
            near.set_ip(Ipv4Addr::LOCALHOST.into());
        }
        format!("http://{near}")
    });
    let (stop, ending) = watch::channel(false);
    let nudger = Nudger::new(config.webhooks, base_url.clone(), config.patience);
    let security = Arc::new(Security::new());
    let app = Arc::new(App {
        hall: Hall::new(db.clone(), config.pace, nudger, &Pages),
        addresses: config.addresses,
        gates: Gates::new(&config.limits),
        connections: Connections::new(&config.limits, config.addresses, security.clone()),
        metrics: Arc::new(Metrics::new(&db)),
        lock: Lock::default(),
        hosts: Arc::new(hosts),
        cookies,
        keep_deleted: config.keep_deleted,
        security: security.clone(),
        taking: Queue::new(ending.clone()),
        hindsight: Hindsight::default(),
        db,
        base_url,
        command: config.command,
        ending: ending.clone(),
    });
    let connections = app.connections.clone();
    let metrics = match config.metrics {
        None => None,
        Some(at) => {
            let listener = bind(at).await?;
            let at = listener.local_addr()?;
            let guard = hosts::Guard { hosts: Arc::new(Hosts::nearby()), security: security.clone() };
            let own = middleware::from_fn_with_state(guard, hosts::guard_metrics);
            let read = app.clone();
            let page = move || async move { read.metrics.written(read.open()) };
            let router = Router::new().route("/metrics", get(page)).layer(own);
            // Readers of the metrics take no connections from players, and few in all.
            let few = Limits { connections: READERS, connections_from: READERS, ..config.limits.clone() };
            let own = Connections::new(&few, Addresses::Connected, security);
            tokio::spawn(connections::serve(listener, router, own, ending.clone()));
            Some(at)
        }
    };
    let router = routes::router(app.clone());
    tokio::spawn(keep_house(app.clone()));
    let ended = tokio::spawn(connections::serve(listener, router, connections, ending));
    Ok(Served { address, url, metrics, ended, app, stop })
}

async fn bind(listen: SocketAddr) -> Result<TcpListener, ServeError> {
    TcpListener::bind(listen).await.map_err(|error| ServeError::Listen { listen, error })
}

/// Opens tables that go on by themselves, puts away unused ones, and erases those whose time
/// to be restored is over.
async fn keep_house(app: Arc<App>) {
    if let Err(error) = app.hall.wake().await {
        tracing::warn!(%error, "tables with a deadline could not be looked for");
    }
    let (mut ending, mut swept) = (app.ending.clone(), None);
    loop {
        if let Err(error) = clear_away(&app, &mut swept).await {
            tracing::warn!(%error, "what was erased could not be cleared away: it is tried again");
        }
        tokio::select! {
            () = tokio::time::sleep(ROUND) => app.hall.put_away(IDLE).await,
            () = ends(&mut ending) => return,
        }
    }
}

/// Erases tables whose time to be restored is over. If any was erased, rewrites the
/// database, but no more often than [`SWEEP`].
async fn clear_away(app: &App, swept: &mut Option<Instant>) -> Result<(), DbError> {
    for table in app.db.ended(auth::now()).await? {
        if let Err(error) = app.hall.erase(&table).await {
            tracing::warn!(%table, %error, "a deleted table could not be erased from everywhere");
        }
    }
    if swept.is_none_or(|swept| swept.elapsed() >= SWEEP) && app.db.is_unswept().await? {
        app.db.sweep().await?;
        *swept = Some(Instant::now());
    }
    Ok(())
}

impl Served {
    /// Serves until it fails or `until` completes. Then it finishes requests in progress,
    /// ends streams and closes every table and the database, whose file is then complete.
    ///
    /// # Errors
    /// If it fails, or another program has taken its folder: then it ends at once.
    pub async fn run(mut self, until: impl Future<Output = ()>) -> Result<(), ServeError> {
        tokio::select! {
            ended = &mut self.ended => { flat(ended)?; }
            taken = self.app.db.displaced() => {
                let _ = self.stop.send(true);
                return Err(taken.into());
            }
            () = until => {
                let _ = self.stop.send(true);
                // Clients that do not close their connections are not waited for: no
                // accepted answer depends on them.
                match tokio::time::timeout(FAREWELL, &mut self.ended).await {
                    Ok(ended) => flat(ended)?,
                    Err(_) => self.ended.abort(),
                }
            }
        }
        self.app.hall.close(CLOSING).await;
        if let Err(error) = self.app.db.close().await {
            tracing::warn!(%error, "the log of changes could not be taken into the database; it holds them");
        }
        Ok(())
    }
}

fn flat(ended: Result<io::Result<()>, tokio::task::JoinError>) -> io::Result<()> {
    ended.unwrap_or_else(|error| Err(io::Error::other(error)))
}
