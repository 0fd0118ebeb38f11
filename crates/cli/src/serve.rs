//! `fracas serve`: tables in the browser.

use crate::{
    args::{BackupArgs, ServeArgs},
    play::data_folder,
    screen::{FAINT, STRONG, Screen, Text},
    stop::{Ended, Stop},
};
use fracas_web::{Addresses, Config, Limits, Reach, Served, serve};
use std::{
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket},
    path::{Path, PathBuf},
};
use tracing_subscriber::EnvFilter;

pub(crate) fn run(args: &ServeArgs, screen: &mut Screen) -> Ended {
    let base_url = args.base_url.as_deref().map(base_url).transpose()?;
    let listen =
        if args.lan { SocketAddr::from((Ipv4Addr::UNSPECIFIED, args.listen.port())) } else { args.listen };
    let base_url = match (base_url, args.lan) {
        (None, true) => in_the_network().map(|ip| format!("http://{}", SocketAddr::new(ip, listen.port()))),
        (given, _) => given,
    };
    let data = folder(args.data.as_deref());
    let filter = EnvFilter::try_from_env("FRACAS_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    // A second subscriber in one process is a test's: the first stands.
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).try_init();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|e| Stop::bad(format!("the server cannot begin: {e}")))?;
    runtime.block_on(async {
        let config = Config {
            listen,
            data: data.clone(),
            base_url,
            addresses: if args.trust_proxy { Addresses::Proxy } else { Addresses::Connected },
            limits: if args.no_limits { Limits::none() } else { Limits::default() },
            metrics: args.metrics,
            webhooks: if args.webhooks_to_private { Reach::Private } else { Reach::Public },
            ..Config::default()
        };
        let served = serve(config).await.map_err(|e| Stop::bad(e.to_string()))?;
        // Whoever started it may have stopped listening: the table goes on.
        let _ = welcome(screen, args, &served, &data);
        served.run(ended()).await.map_err(|e| Stop::bad(e.to_string()))
    })
}

/// Where tables are kept.
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
    screen.say(&Text::plain("Open it in a browser, choose an encounter, and send each player a link."))?;
    if at_home(args) {
        screen.tell(FAINT, "Only this machine can reach it; --lan lets friends in the same network in.")?;
    }
    screen.say(&Text::of(FAINT, "Tables are kept in ").and(FAINT, data.display().to_string()))?;
    if let Some(metrics) = served.metrics {
        screen.say(&Text::of(FAINT, format!("Numbers about it are at http://{metrics}/metrics")))?;
    }
    screen.say(&Text::plain("Ctrl-C ends it; every answer is kept."))?;
    screen.flush()
}

fn at_home(args: &ServeArgs) -> bool {
    args.listen.ip().is_loopback() && !args.lan && args.base_url.is_none()
}

/// This machine's address in the local network, as it would reach others; nothing
/// is sent to find it.
fn in_the_network() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address set aside for documentation: all that matters is the way there.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|ip| !ip.is_unspecified())
}

/// An address as people would type it.
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

/// Comes when somebody ends the program.
async fn ended() {
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
    use super::base_url;

    #[test]
    fn addresses() {
        assert!(base_url("https://play.example.org/").is_ok_and(|url| url == "https://play.example.org"));
        for bad in ["play.example.org", "https://", "https://a/b", "ftp://a", "http://a b"] {
            assert!(base_url(bad).is_err(), "{bad}");
        }
    }
}
