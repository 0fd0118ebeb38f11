//! The state that all requests share.

use crate::cookies::{Cookies, Way};
use crate::hosts::{self, Hosts};
use crate::limits::{Addresses, Gates};
use crate::metrics::{Metrics, Open};
use crate::{connections::Connections, security::Security};
use axum::http::HeaderMap;
use fracas_kernel::{Refused, Viewer};
use fracas_live::command::{Called, Carried, Command, Refusal};
use fracas_live::host::{host_of, is_this_machine};
use fracas_live::{
    auth::Secret, hall::Hall, hindsight::Hindsight, nudger::TRIED, origin::TooOften, passphrase::Lock,
    room::Room, take_in::Queue, webhook::Tried,
};
use fracas_store::Db;
use std::time::{Duration, Instant};
use std::{net::IpAddr, sync::Arc};
use tokio::sync::watch;

/// The message when a table's log is full.
const FULL: &str = "this table's log is full, and nothing of it is lost: the gamemaster goes on at another \
     table (Another evening)";

/// The state that all requests share.
pub(crate) struct App {
    pub(crate) db: Db,
    pub(crate) hall: Hall,
    pub(crate) addresses: Addresses,
    pub(crate) gates: Gates,
    pub(crate) connections: Arc<Connections>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) lock: Lock,
    pub(crate) hosts: Arc<Hosts>,
    pub(crate) cookies: Cookies,
    /// How long a deleted table can be restored.
    pub(crate) keep_deleted: Duration,
    pub(crate) security: Arc<Security>,
    /// The queue of imports.
    pub(crate) taking: Queue,
    pub(crate) hindsight: Hindsight,
    /// The server's address from outside, if it was configured.
    pub(crate) base_url: Option<String>,
    pub(crate) command: String,
    /// Becomes true when the server ends.
    pub(crate) ending: watch::Receiver<bool>,
}

impl App {
    /// How a request came: encrypted if the server's address or a proxy says so.
    pub(crate) fn way(&self, headers: &HeaderMap) -> Way {
        let base = self.base_url.as_ref().is_some_and(|url| url.starts_with("https://"));
        if base || self.hosts.scheme(headers) == "https" { Way::Encrypted } else { Way::Plain }
    }

    /// Carries out a command at a table; see [`Room::command`].
    pub(crate) async fn carry_out(
        &self,
        room: &Arc<Room>,
        by: Viewer,
        called: Option<Called>,
        command: Command,
    ) -> Result<Carried, Refusal> {
        let since = Instant::now();
        let done = match self.may_write(room, by, &command) {
            Ok(()) => room.command(by, called, command).await,
            Err(refusal) => Err(refusal),
        };
        self.metrics.command(since, &done);
        done
    }

    /// Checks that the author has not written too much at a table, and that the table's log
    /// has room.
    fn may_write(&self, room: &Room, by: Viewer, command: &Command) -> Result<(), Refusal> {
        let log = room.look(|table, _| table.log().bytes()).unwrap_or(0);
        if !self.gates.has_room(log, by) {
            return Err(Refused::form(FULL).into());
        }
        self.gates.write(&room.id, by, command.said()).map_err(|TooOften(seconds)| Refusal::TooMuch(seconds))
    }

    /// Sends a test message to a table's webhook, if the table has one.
    ///
    /// # Errors
    /// If webhooks were tested too often.
    pub(crate) async fn try_webhook(&self, room: &Room, by: Viewer) -> Result<Option<Tried>, TooOften> {
        self.gates.write(&room.id, by, TRIED)?;
        Ok(self.hall.try_webhook(room).await)
    }

    /// The beginning of links: the configured address, or the address of this request.
    pub(crate) fn origin(&self, headers: &HeaderMap) -> String {
        let here = || {
            let host = self.hosts.asked(headers).unwrap_or("127.0.0.1");
            format!("{}://{host}", self.hosts.scheme(headers))
        };
        self.base_url.clone().unwrap_or_else(here)
    }

    /// The link with an invitation's secret.
    pub(crate) fn link(&self, headers: &HeaderMap, secret: &Secret) -> String {
        format!("{}/join/{}", self.origin(headers), secret.reveal())
    }

    /// The guard of the server's own names.
    pub(crate) fn own_names(&self) -> hosts::Guard {
        hosts::Guard { hosts: self.hosts.clone(), security: self.security.clone() }
    }

    /// How much is open.
    pub(crate) fn open(&self) -> Open {
        Open {
            tables: self.hall.count(),
            streams: self.gates.listening(),
            connections: self.connections.count(),
        }
    }

    /// The command that starts this server again, if links made for a request lead to this
    /// machine only.
    pub(crate) fn near(&self, headers: &HeaderMap) -> Option<&str> {
        let origin = self.origin(headers);
        let host = origin.split_once("://").and_then(|(_, rest)| host_of(rest));
        let is_near = |host: String| {
            host.parse::<IpAddr>().map_or_else(|_| is_this_machine(&host), |ip| ip.is_loopback())
        };
        host.is_some_and(is_near).then_some(self.command.as_str())
    }
}
