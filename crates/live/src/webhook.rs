//! A table's webhook: the address, and which addresses there can be.

use crate::auth;
use crate::host::{host_of, is_local};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use ureq::http::Uri;
use utoipa::ToSchema;

/// The refusal of a test without a webhook.
pub const NO_WEBHOOK: &str = "no address is told anything here: say one first";
/// The prefix of a secret.
pub(crate) const SECRET: &str = "whsec_";
/// The most letters of an address.
const URL: usize = 2_000;

/// A table's webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Webhook {
    /// The address.
    pub url: String,
    /// The key that signs each message, in Base64 after `whsec_`.
    pub secret: String,
    /// The kinds of news that it is told.
    #[serde(default = "Kind::as_a_rule")]
    pub kinds: BTreeSet<Kind>,
}

/// The subject of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = WebhookKind)]
pub enum Kind {
    /// Play waits for seats whose players do not have the table open.
    Awaited,
    /// Lines came that everybody may read.
    Lines,
    /// The table is over.
    Over,
}

impl Kind {
    /// Every kind, as forms call it, and what it tells.
    pub const ALL: [(Kind, &'static str, &'static str); 3] = [
        (Kind::Awaited, "awaited", "for whom the table waits, where they do not have it open"),
        (Kind::Lines, "lines", "what happened, as everybody may read it"),
        (Kind::Over, "over", "that it is over"),
    ];

    /// The kinds that are sent unless others are chosen.
    pub fn as_a_rule() -> BTreeSet<Kind> {
        BTreeSet::from([Kind::Awaited])
    }
}

impl Webhook {
    /// A webhook for this address.
    ///
    /// # Errors
    /// If the address cannot be that of a webhook.
    pub(crate) fn new(url: &str, kinds: BTreeSet<Kind>) -> Result<Webhook, &'static str> {
        const WRONG: &str =
            "a webhook is an address that begins with https:// or http://, without a name or password in it";
        let url = url.trim();
        let uri: Uri = url.parse().map_err(|_| WRONG)?;
        let good = matches!(uri.scheme_str(), Some("http" | "https"))
            && uri.authority().is_some_and(|at| !at.as_str().contains('@') && !at.host().is_empty())
            && url.len() <= URL;
        if !good {
            return Err(WRONG);
        }
        if url.contains('#') {
            return Err("what stands after a # is sent nowhere: a webhook's address has none");
        }
        if uri.port().is_some_and(|port| port.as_u16() == 0) || uri.port().is_none() && has_port(&uri) {
            return Err("a port is a number from 1 to 65535");
        }
        if !uri.authority().and_then(|at| host_of(at.as_str())).is_some_and(|host| can_be_found(&host)) {
            return Err("no such name can be on the internet: look how it is written");
        }
        if kinds.is_empty() {
            return Err("a webhook is told of something: awaited, lines, over");
        }
        let secret = auth::Secret::new().ok_or("the system gives no random numbers")?;
        Ok(Webhook { url: url.to_owned(), secret: format!("{SECRET}{}", secret.reveal()), kinds })
    }
}

/// Whether the authority has text in place of a port.
fn has_port(uri: &Uri) -> bool {
    let rest = uri.authority().and_then(|at| at.as_str().rsplit_once(']').or(Some(("", at.as_str()))));
    rest.is_some_and(|(_, rest)| rest.contains(':'))
}

/// Whether a host is an IP address, or a name that DNS could resolve: of valid labels, and
/// not below a reserved domain.
fn can_be_found(host: &str) -> bool {
    const NOWHERE: [&str; 4] = ["example", "invalid", "onion", "test"];
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    host.parse::<IpAddr>().is_ok()
        || host.len() <= 253 && host.split('.').all(label) && !NOWHERE.contains(&last)
}

/// The addresses that webhooks may lead to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Those of the internet.
    #[default]
    Public,
    /// This machine and its network too.
    Private,
}

/// The outcome of a test message.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookTried)]
pub struct Tried {
    /// Whether it was taken.
    pub told: bool,
    /// The status that came back.
    pub status: Option<u16>,
    /// The same in words.
    pub what: String,
}

/// Whether the text of a URL's host shows that it is not on the internet.
pub(crate) fn is_near(url: &str) -> bool {
    let uri = url.parse::<Uri>().ok();
    let Some(host) = uri.as_ref().and_then(Uri::authority).and_then(|at| host_of(at.as_str())) else {
        return true;
    };
    // Some systems read other figures as addresses: 127.1, 0x7f000001, 2130706433.
    let last = host.rsplit('.').next().unwrap_or_default();
    let figures = last.starts_with("0x") || last.bytes().all(|b| b.is_ascii_digit());
    match host.parse::<IpAddr>() {
        Ok(ip) => !is_public(ip),
        Err(_) => figures || is_local(&host),
    }
}

/// Whether an address is public on the internet.
pub(crate) fn is_public(ip: IpAddr) -> bool {
    match ip.to_canonical() {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    !(a == 0
        || ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_documentation()
        || ip.is_multicast()
        || a == 100 && (64..128).contains(&b)
        || (a, b, c) == (192, 0, 0)
        || a == 198 && (18..20).contains(&b)
        || a >= 240)
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    let [a, b, .., g, h] = ip.segments();
    let v4 = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    match a {
        // Prefixes that embed an IPv4 address, which then decides.
        0x64 if b == 0xff9b => is_public_v4(v4(g, h)),
        0x2002 => is_public_v4(v4(b, ip.segments()[2])),
        0x2001 if b < 0x200 || b == 0xdb8 => false,
        // All allocated addresses are in this range.
        0x2000..=0x3fff => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_internets_own_addresses_are_public() {
        for public in ["1.1.1.1", "162.159.135.232", "2606:4700::1111", "64:ff9b::101:101", "2002:101:101::1"]
        {
            assert!(is_public(public.parse().expect("an address")), "{public}");
        }
        for private in [
            "127.0.0.1",
            "127.9.9.9",
            "0.0.0.0",
            "10.0.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "198.18.0.1",
            "192.0.0.1",
            "192.0.2.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "fe80::1",
            "fc00::1",
            "fd00:ec2::254",
            "ff02::1",
            "2001:db8::1",
            "2001::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::1",
            "::7f00:1",
        ] {
            assert!(!is_public(private.parse().expect("an address")), "{private}");
        }
    }

    #[test]
    fn a_webhook_is_an_address() {
        for good in ["https://discord.com/api/webhooks/1/x", " http://example.org:8080/a?b=c "] {
            assert!(Webhook::new(good, Kind::as_a_rule()).is_ok(), "{good}");
        }
        for bad in [
            "",
            "example.org",
            "ftp://example.org",
            "file:///etc/passwd",
            "https://u:p@example.org",
            "https://",
            "https://example.org/#here",
            "https://example.org:0/x",
            "https://example.org:/x",
            "https://[2606:4700::1111]:0/x",
            "https://a..example.org/x",
            "https://-a.example.org/x",
            "https://hooks.invalid/x",
            "https://hooks.test./x",
        ] {
            assert!(Webhook::new(bad, Kind::as_a_rule()).is_err(), "{bad}");
        }
    }
}
