//! The server's metrics, for its host: no table, no person.

use axum::extract::{MatchedPath, Request, State};
use axum::response::{IntoResponse, Response};
use axum::{http::header, middleware::Next};
use fracas_live::command::Refusal;
use fracas_store::Db;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric, text::encode};
use prometheus_client::metrics::{
    counter::{ConstCounter, Counter},
    family::Family,
    gauge::Gauge,
    histogram::Histogram,
};
use prometheus_client::registry::{Registry, Unit};
use std::{fmt, sync::Arc, time::Instant};

/// The labels of an answered request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    method: String,
    /// The route as the server lists it, without a table's id.
    route: String,
    status: u16,
}

/// The labels of a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Asked {
    route: String,
}

/// The label of a command's result.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CameOf {
    outcome: &'static str,
}

/// Buckets in seconds, from a tenth of a millisecond to ten.
const SECONDS: [f64; 13] =
    [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 10.0];

/// How much is open.
pub(crate) struct Open {
    pub(crate) tables: usize,
    pub(crate) streams: usize,
    pub(crate) connections: usize,
}

/// The server's metrics.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<Answered, Counter>,
    seconds: Family<Asked, Histogram>,
    commands: Family<CameOf, Counter>,
    command_seconds: Histogram,
    tables: Gauge,
    streams: Gauge,
    connections: Gauge,
}

impl Metrics {
    pub(crate) fn new(db: &Db) -> Metrics {
        let mut registry = Registry::with_prefix("fracas");
        let requests = Family::default();
        let seconds = Family::new_with_constructor((|| Histogram::new(SECONDS)) as fn() -> Histogram);
        let commands = Family::default();
        let command_seconds = Histogram::new(SECONDS);
        let (tables, streams, connections) = (Gauge::default(), Gauge::default(), Gauge::default());
        registry.register("requests", "Requests answered", requests.clone());
        registry.register_with_unit(
            "request",
            "From a request to the beginning of its response",
            Unit::Seconds,
            seconds.clone(),
        );
        registry.register("commands", "What people and programs did, by what came of it", commands.clone());
        registry.register_with_unit(
            "command",
            "From a command to its being on disk, or refused",
            Unit::Seconds,
            command_seconds.clone(),
        );
        registry.register("tables", "Tables in memory", tables.clone());
        registry.register("streams", "Streams open", streams.clone());
        registry.register("connections", "Connections open", connections.clone());
        registry.register_collector(Box::new(Writing(db.clone())));
        Metrics { registry, requests, seconds, commands, command_seconds, tables, streams, connections }
    }

    /// Counts a command that was carried out or refused.
    pub(crate) fn command<T>(&self, since: Instant, done: &Result<T, Refusal>) {
        let outcome = match done {
            Ok(_) => "accepted",
            Err(Refusal::Stale | Refusal::Quicker(_) | Refusal::Moved) => "stale",
            Err(Refusal::Refused(_) | Refusal::Otherwise) => "refused",
            Err(Refusal::Paused) => "paused",
            Err(Refusal::TooMuch(_)) => "too-much",
            Err(Refusal::NotYours(_)) => "not-yours",
            Err(Refusal::Failed(_)) => "failed",
        };
        self.commands.get_or_create(&CameOf { outcome }).inc();
        self.command_seconds.observe(since.elapsed().as_secs_f64());
    }

    /// The metrics as Prometheus reads them, with what is open now.
    pub(crate) fn written(&self, open: Open) -> Response {
        self.tables.set(open.tables as i64);
        self.streams.set(open.streams as i64);
        self.connections.set(open.connections as i64);
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
        ([(header::CONTENT_TYPE, kind)], text).into_response()
    }
}

/// Counts requests.
pub(crate) async fn count(State(metrics): State<Arc<Metrics>>, request: Request, next: Next) -> Response {
    let since = Instant::now();
    // A request may have any word as its method, so others are counted together.
    let method = match request.method().as_str() {
        known @ ("GET" | "HEAD" | "POST" | "DELETE" | "OPTIONS") => known.to_owned(),
        _ => "other".to_owned(),
    };
    let route = request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str).to_owned();
    let response = next.run(request).await;
    metrics.seconds.get_or_create(&Asked { route: route.clone() }).observe(since.elapsed().as_secs_f64());
    let status = response.status().as_u16();
    metrics.requests.get_or_create(&Answered { method, route, status }).inc();
    response
}

/// The metrics of the database's writer.
struct Writing(Db);

impl fmt::Debug for Writing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Writing")
    }
}

impl Collector for Writing {
    fn encode(&self, mut to: DescriptorEncoder<'_>) -> fmt::Result {
        let pace = self.0.pace();
        let waiting = prometheus_client::metrics::gauge::ConstGauge::new(pace.waiting as i64);
        waiting.encode(to.encode_descriptor(
            "writes_waiting",
            "Writes that wait for the disk",
            None,
            waiting.metric_type(),
        )?)?;
        for (name, help, count) in [
            ("writes", "Writes committed", pace.writes),
            ("writes_refused", "Writes that were not committed", pace.refused),
            ("commits", "Commits, each of many writes", pace.commits),
        ] {
            let count = ConstCounter::new(count);
            count.encode(to.encode_descriptor(name, help, None, count.metric_type())?)?;
        }
        let seconds = ConstCounter::new(pace.seconds);
        let metric = to.encode_descriptor(
            "commit",
            "Time that commits took, all together",
            Some(&Unit::Seconds),
            seconds.metric_type(),
        )?;
        seconds.encode(metric)
    }
}
