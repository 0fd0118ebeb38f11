//! Where requests come from, and the refusal of too many.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// The origin of a request: an IPv4 address, or the IPv6 network that one customer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct From(IpAddr);

impl From {
    /// The origin of a request from this address.
    pub fn of(ip: IpAddr) -> From {
        match ip.to_canonical() {
            IpAddr::V6(ip) => From(Ipv6Addr::from_bits(ip.to_bits() & !0 << 64).into()),
            ip => From(ip),
        }
    }
}

impl fmt::Display for From {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            IpAddr::V6(network) => write!(f, "{network}/64"),
            IpAddr::V4(ip) => ip.fmt(f),
        }
    }
}

/// Too many requests: in how many seconds to try again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooOften(pub u64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_customers_network_is_one_address() {
        let of = |text: &str| From::of(text.parse().expect("an address"));
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }
}
