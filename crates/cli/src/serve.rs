//! `fracas serve`: tables in the browser.

use crate::args::{BackupArgs, Listen, ServeArgs};
use crate::screen::{FAINT, STRONG, Screen, Text};
use crate::stop::{Ended, Stop};
use crate::{find::data_folder, program};
use fracas_store::Loss;
use fracas_web::{Addresses, Config, Limits, Reach, ServeError, Served, serve};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::{io, time::Duration};
use tracing_subscriber::EnvFilter;

/// The default port.
const PORT: u16 = 7766;
/// How long the server's unfinished work may continue after shutdown.
const LEFT: Duration = Duration::from_secs(1);

pub(crate) fn run(args: &ServeArgs, screen: &mut Screen) -> Ended {
    let base_url = args.base_url.as_deref().map(base_url).transpose()?;
    let listen = listen(args)?;
    let data = folder(args.data.as_deref());
    let filter = EnvFilter::try_from_env("FRACAS_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    // Only tests set a second subscriber in a process; the first one stays.
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).try_init();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|e| Stop::bad(format!("the server cannot begin: {e}")))?;
    let ended = runtime.block_on(async {
        let config = Config {
            listen,
            data: data.clone(),
            loss: if args.accept_loss { Loss::Accepted } else { Loss::Refused },
            keep_deleted: Duration::from_secs(u64::from(args.keep_deleted) * 24 * 60 * 60),
            base_url,
            in_the_network: network_host(args, listen),
            addresses: if args.trust_proxy { Addresses::Proxy } else { Addresses::Connected },
            limits: limits(args),
            metrics: args.metrics,
            command: restart_command(args),
            webhooks: if args.webhooks_to_private { Reach::Private } else { Reach::Public },
            ..Config::default()
        };
        let served = serve(config).await.map_err(|e| Stop::bad(refused(&e)))?;
        // Standard output may be closed; the server runs on.
        let _ = welcome(screen, args, &served, &data);
        served.run(shutdown()).await.map_err(|e| Stop::bad(e.to_string()))
    });
    // All accepted answers are on disk, and no client waits for the remaining work.
    runtime.shutdown_timeout(LEFT);
    ended
}

/// The message for a server that cannot start; for a port in use, with the way out.
fn refused(error: &ServeError) -> String {
    match error {
        ServeError::Listen { listen, error: taken } if taken.kind() == io::ErrorKind::AddrInUse => format!(
            "{listen} is in use: another Fracas may run there; end it, or take a free port with --listen {}",
            SocketAddr::new(listen.ip(), 0)
        ),
        other => other.to_string(),
    }
}

fn limits(args: &ServeArgs) -> Limits {
    if args.no_limits {
        return Limits::none();
    }
    let (connections, connections_from) = (args.connections.get(), args.connections_from.get());
    Limits { connections, connections_from, ..Limits::default() }
}

/// The command that starts this server again with its folder and port.
fn restart_command(args: &ServeArgs) -> String {
    let mut command = format!("{} serve", program::command());
    if let Some(data) = &args.data {
        command += &format!(" --data {}", program::quoted(&data.display().to_string()));
    }
    let port = args.listen.map(|listen| match listen {
        Listen::At(address) => address.port(),
        Listen::Port(port) => port,
    });
    if let Some(port) = port.filter(|port| ![0, PORT].contains(port)) {
        command += &format!(" --listen :{port}");
    }
    command
}

/// The server's data folder.
fn folder(said: Option<&Path>) -> PathBuf {
    said.map(Path::to_owned).or_else(data_folder).unwrap_or_else(|| PathBuf::from("fracas-data"))
}

/// `fracas backup`.
pub(crate) fn back_up(args: &BackupArgs, screen: &mut Screen) -> Ended {
    let data = folder(args.data.as_deref());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(fracas_store::back_up(&data, &args.to)).map_err(|e| Stop::bad(e.to_string()))?;
    screen.say(&Text::of(FAINT, "Copied to ").and(STRONG, args.to.display().to_string()))?;
    Ok(screen.flush()?)
}

fn welcome(screen: &mut Screen, args: &ServeArgs, served: &Served, data: &Path) -> io::Result<()> {
    screen.say(&Text::of(STRONG, "Fracas is at ").and(STRONG, &served.url))?;
    if args.base_url.is_some() {
        screen.say(&Text::of(FAINT, format!("It listens at {}", served.address)))?;
    }
    screen.say(&Text::plain("Open it in a browser, choose an encounter, and send each player a link."))?;
    let at_home = served.address.ip().is_loopback() && args.base_url.is_none();
    if at_home {
        screen.tell(FAINT, "Only this machine can reach it; --lan lets friends in the same network in.")?;
    }
    screen.say(&Text::of(FAINT, "Tables are kept in ").and(FAINT, data.display().to_string()))?;
    if let Some(metrics) = served.metrics {
        screen.say(&Text::of(FAINT, format!("Numbers about it are at http://{metrics}/metrics")))?;
    }
    screen.say(&Text::plain("Ctrl-C ends it; every answer is kept."))?;
    screen.flush()
}

/// The address to listen at; with `--lan`, one that the network can reach.
fn listen(args: &ServeArgs) -> Result<SocketAddr, Stop> {
    let usual = if args.lan { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
    match args.listen.unwrap_or(Listen::Port(PORT)) {
        Listen::Port(port) => Ok((usual, port).into()),
        Listen::At(at) if args.lan && at.ip().is_loopback() => Err(Stop::bad(format!(
            "--lan --listen {at}: nobody else reaches {}; say --listen :{} for the network, or leave --lan out",
            at.ip(),
            at.port()
        ))),
        Listen::At(at) => Ok(at),
    }
}

/// With `--lan`, the address of this machine in the local network.
fn network_host(args: &ServeArgs, listen: SocketAddr) -> Option<IpAddr> {
    match listen.ip() {
        _ if !args.lan => None,
        ip if ip.is_unspecified() => network_address(),
        ip => Some(ip),
    }
}

/// This machine's address in the local network. Finding it sends nothing.
fn network_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address reserved for documentation: only the route to it matters.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|ip| !ip.is_unspecified())
}

/// Reads the value of `--base-url`.
fn base_url(given: &str) -> Result<String, Stop> {
    let host = given.strip_prefix("https://").or_else(|| given.strip_prefix("http://"));
    match host.map(|host| host.trim_end_matches('/')) {
        Some(host) if !host.is_empty() && !host.contains(['/', '?', '#', ' ']) => {
            Ok(given.trim_end_matches('/').to_owned())
        }
        _ => Err(Stop::bad(format!(
            "--base-url {given:?}: an address without a path, such as https://play.example.org"
        ))),
    }
}

/// Resolves on Ctrl-C or a termination signal.
async fn shutdown() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupted => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    let _ = interrupted.await;
}

#[cfg(test)]
mod tests {
    use super::{base_url, listen, refused};
    use crate::args::Bare;
    use clap::Parser;
    use fracas_web::ServeError;
    use std::io;

    #[test]
    fn a_port_that_is_taken_says_how_to_take_another() {
        let message = |kind: io::ErrorKind| {
            let listen = ([127, 0, 0, 1], 7766).into();
            refused(&ServeError::Listen { listen, error: kind.into() })
        };
        let taken = message(io::ErrorKind::AddrInUse);
        assert!(taken.contains("another Fracas may run there"), "{taken}");
        assert!(taken.ends_with("--listen 127.0.0.1:0"), "{taken}");
        assert!(!message(io::ErrorKind::PermissionDenied).contains("another Fracas"));
    }

    #[test]
    fn the_address_to_listen_at() {
        let at = |line: &str| {
            let args = Bare::try_parse_from(["fracas"].into_iter().chain(line.split_whitespace()));
            let args = args.map_err(|e| e.to_string())?.serve;
            listen(&args).map(|at| at.to_string()).map_err(|e| e.to_string())
        };
        for (line, expected) in [
            ("", "127.0.0.1:7766"),
            ("--listen :4000", "127.0.0.1:4000"),
            ("--listen [::1]:0", "[::1]:0"),
            ("--lan", "0.0.0.0:7766"),
            ("--lan --listen :4000", "0.0.0.0:4000"),
            ("--lan --listen 0.0.0.0:4000", "0.0.0.0:4000"),
            ("--lan --listen 192.168.1.5:4000", "192.168.1.5:4000"),
        ] {
            assert_eq!(at(line).as_deref(), Ok(expected), "{line}");
        }
        let refused = at("--lan --listen 127.0.0.1:4000").expect_err("a contradiction");
        assert!(refused.contains("--listen :4000"), "{refused}");
        for bad in ["--listen 4000", "--listen :x", "--listen :70000", "--listen localhost:4000"] {
            assert!(at(bad).is_err_and(|message| message.contains("such as :4000")), "{bad}");
        }
    }

    #[test]
    fn addresses() {
        assert!(base_url("https://play.example.org/").is_ok_and(|url| url == "https://play.example.org"));
        for bad in ["play.example.org", "https://", "https://a/b", "ftp://a", "http://a b"] {
            assert!(base_url(bad).is_err(), "{bad}");
        }
    }
}
