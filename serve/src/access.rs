//! The rules by which requests are admitted: the names of the service, its path, and the pages that may query it.

use std::net::IpAddr;

/// The rules by which requests are admitted.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// The names that requests may give in their `Host` header, in addition to numeric addresses and `localhost`.
    pub hosts: Vec<String>,
    /// How to add a name, for the error message of a request with another one.
    pub host_advice: String,
    /// The origins whose pages may query the service, such as `https://example.org`. `*` stands for all origins.
    pub origins: Vec<String>,
    /// The path below which everything is served, such as `/nerode`, or the empty string.
    pub base_path: String,
}

impl Access {
    /// Returns `true` if the host in a `Host` header is this service, and not a name that others may control.
    pub(super) fn is_ours(&self, host: &str) -> bool {
        let name = match host.strip_prefix('[') {
            Some(rest) => rest.split(']').next().unwrap_or_default(),
            None => host.rsplit_once(':').map_or(host, |(name, _)| name),
        };
        let name = name.to_ascii_lowercase();
        name == "localhost"
            || name.parse::<IpAddr>().is_ok()
            || self.hosts.iter().any(|known| known.eq_ignore_ascii_case(&name))
    }

    /// Returns `true` if pages of this origin may query the service.
    pub(super) fn is_allowed(&self, origin: &str) -> bool {
        self.origins.iter().any(|allowed| allowed == "*" || allowed.eq_ignore_ascii_case(origin))
    }

    /// Returns the path and the query below the base path, or `None` for an address elsewhere.
    pub(super) fn below<'a>(&self, address: &'a str) -> Option<&'a str> {
        address.strip_prefix(&self.base_path).filter(|rest| rest.starts_with('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_service_are_answered() {
        let access = Access { hosts: vec!["board.example".into()], ..Access::default() };
        for host in [
            "localhost",
            "LOCALHOST:80",
            "127.0.0.1:7878",
            "[::1]:7878",
            "[::1]",
            "192.168.1.7",
            "Board.Example:1",
        ] {
            assert!(access.is_ours(host), "{host}");
        }
        for host in [
            "",
            ":",
            "evil.example",
            "localhost.evil.example:80",
            "127.0.0.1.evil.example",
            "[evil]:1",
            "1.2.3",
        ] {
            assert!(!access.is_ours(host), "{host}");
        }
    }

    #[test]
    fn addresses_are_taken_below_the_base_path() {
        let access = Access { base_path: "/nerode".into(), ..Access::default() };
        assert_eq!(access.below("/nerode/api?x=1"), Some("/api?x=1"));
        assert_eq!(access.below("/nerode/"), Some("/"));
        for elsewhere in ["/nerode", "/nerodes/", "/", "/api"] {
            assert_eq!(access.below(elsewhere), None, "{elsewhere}");
        }
        assert_eq!(Access::default().below("/api"), Some("/api"));
    }
}
