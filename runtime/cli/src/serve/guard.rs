//! The guard of the server: only the page that it has given out may ask.
//!
//! Any page of the web can send requests to this computer's ports, and, by a name that resolves to 127.0.0.1 later on ("DNS
//! rebinding"), even read the answers. So each request must name the very address of the server as its host, must not come from
//! another origin, and its path must begin with the token, which only the printed address has.

use hyper::header::{HOST, HeaderMap, HeaderName, ORIGIN};
use std::net::SocketAddr;

/// Bytes of the token before they are written as hexadecimal digits.
const TOKEN_BYTES: usize = 16;

/// The header in which browsers state the origin of a request (W3C, "Fetch Metadata Request
/// Headers").
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Decides which requests are accepted.
#[derive(Debug)]
pub struct Guard {
    host: String,
    token: String,
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is for another host.
    Host,
    /// It comes from another page.
    Origin,
    /// It lacks the token.
    Token,
}

impl Refusal {
    /// The message.
    pub fn sentence(self) -> &'static str {
        match self {
            Refusal::Host => {
                "refused: the request is for another host than the one that `reconverge serve` printed"
            }
            Refusal::Origin => "refused: the request comes from another page",
            Refusal::Token => {
                "refused: the address lacks the token that `reconverge serve` printed"
            }
        }
    }
}

impl Guard {
    /// A guard of a server at an address, with a new token.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn new(address: SocketAddr) -> Result<Guard, getrandom::Error> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes)?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Guard { host: address.to_string(), token })
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.host, self.token)
    }

    /// The path of a request after the token.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn admit<'p>(
        &self,
        headers: &HeaderMap,
        path: &'p str,
        changes: bool,
    ) -> Result<&'p str, Refusal> {
        if only(headers, &HOST).is_none_or(|host| host != self.host.as_bytes()) {
            return Err(Refusal::Host);
        }
        let own = format!("http://{}", self.host);
        let origin_is_good = match only(headers, &ORIGIN) {
            Some(origin) => origin == own.as_bytes(),
            // Browsers name the origin of all that may change something.
            None => !headers.contains_key(ORIGIN) && !changes,
        };
        // `none`: a person has typed the address, or opened it from elsewhere than a page.
        let site_is_good = match only(headers, &FETCH_SITE) {
            Some(site) => site == b"same-origin" || (site == b"none" && !changes),
            None => !headers.contains_key(FETCH_SITE),
        };
        if !origin_is_good || !site_is_good {
            return Err(Refusal::Origin);
        }
        let (token, rest) =
            path.strip_prefix('/').and_then(|path| path.split_once('/')).ok_or(Refusal::Token)?;
        match same(token.as_bytes(), self.token.as_bytes()) {
            true => Ok(rest),
            false => Err(Refusal::Token),
        }
    }
}

/// The value of a header that occurs once.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h [u8]> {
    let mut all = headers.get_all(name).iter();
    match (all.next(), all.next()) {
        (Some(one), None) => Some(one.as_bytes()),
        _ => None,
    }
}

/// True if texts are equal, in a time that does not reveal where they differ.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |found, (a, b)| found | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;

    fn admit(
        guard: &Guard,
        headers: &[(&'static str, &str)],
        path: &str,
        changes: bool,
    ) -> Result<String, Refusal> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_str(value).unwrap());
        }
        guard.admit(&map, path, changes).map(str::to_owned)
    }

    #[test]
    fn only_the_own_page_may_ask() {
        let guard = Guard::new("127.0.0.1:4321".parse().unwrap()).unwrap();
        assert_ne!(guard.token, Guard::new("127.0.0.1:4321".parse().unwrap()).unwrap().token);
        let path = format!("/{}/x/y", guard.token);
        assert_eq!(guard.url(), format!("http://127.0.0.1:4321/{}/", guard.token));
        let host = ("host", "127.0.0.1:4321");
        let own = ("origin", "http://127.0.0.1:4321");
        let good = |headers: &[_], changes| {
            assert_eq!(admit(&guard, headers, &path, changes), Ok("x/y".to_owned()), "{headers:?}");
        };
        good(&[host], false);
        good(&[host, ("sec-fetch-site", "none")], false);
        good(&[host, own, ("sec-fetch-site", "same-origin")], true);
        let bad = |headers: &[_], changes, why| {
            assert_eq!(admit(&guard, headers, &path, changes), Err(why), "{headers:?}");
        };
        bad(&[], false, Refusal::Host);
        bad(&[host, host], false, Refusal::Host);
        for other in ["localhost:4321", "127.0.0.1", "127.0.0.1:4322", "evil.example:4321", ""] {
            bad(&[("host", other), own], true, Refusal::Host);
        }
        bad(&[host], true, Refusal::Origin);
        bad(&[host, own, own], true, Refusal::Origin);
        for other in
            ["null", "http://127.0.0.1:4322", "https://127.0.0.1:4321", "http://evil.example", ""]
        {
            bad(&[host, ("origin", other)], true, Refusal::Origin);
            bad(&[host, ("origin", other)], false, Refusal::Origin);
        }
        bad(&[host, ("sec-fetch-site", "cross-site")], false, Refusal::Origin);
        bad(&[host, own, ("sec-fetch-site", "none")], true, Refusal::Origin);
        let token = &guard.token;
        for path in [
            "",
            "/",
            "/x/y",
            &format!("/{token}"),
            &format!("/{token}0/"),
            &format!("//{token}/x"),
            &format!("/{}/", &token[1..]),
        ] {
            assert_eq!(admit(&guard, &[host], path, false), Err(Refusal::Token), "{path}");
        }
    }
}
