//! Who may ask how often. Each gateway counts for itself: limits keep a gateway from
//! being flooded, they are no accounting.

use std::net::IpAddr;
use std::num::NonZeroU32;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::net::SocketAddr;

use super::problem::Problem;
use crate::config;
use crate::serve::App;

/// How often persons and addresses may ask.
#[derive(Debug)]
pub struct Limits {
    persons: Option<DefaultKeyedRateLimiter<i64>>,
    addresses: Option<DefaultKeyedRateLimiter<IpAddr>>,
    behind_proxy: bool,
}

fn limiter<K: std::hash::Hash + Eq + Clone>(a_minute: u32) -> Option<DefaultKeyedRateLimiter<K>> {
    NonZeroU32::new(a_minute).map(|n| RateLimiter::keyed(Quota::per_minute(n)))
}

fn check<K: std::hash::Hash + Eq + Clone>(
    limiter: Option<&DefaultKeyedRateLimiter<K>>,
    key: &K,
) -> Result<(), Problem> {
    let Some(limiter) = limiter else { return Ok(()) };
    // Who has not asked for long is not remembered.
    if limiter.len() > 10_000 {
        limiter.retain_recent();
    }
    limiter.check_key(key).map_err(|not_until| {
        let seconds = not_until.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
        Problem::new(StatusCode::TOO_MANY_REQUESTS, "too many requests")
            .hint(format!("Try again in {seconds} s."))
            .retry_after(seconds)
    })
}

impl Limits {
    /// With these settings.
    pub fn new(limits: &config::Limits) -> Self {
        Self {
            persons: limiter(limits.person_per_minute),
            addresses: limiter(limits.address_per_minute),
            behind_proxy: limits.behind_proxy,
        }
    }

    /// Counts a request of a person.
    ///
    /// # Errors
    /// 429 with how long to wait.
    pub fn person(&self, person: i64) -> Result<(), Problem> {
        check(self.persons.as_ref(), &person)
    }

    /// The address that a request comes from.
    pub fn address(&self, headers: &HeaderMap, peer: SocketAddr) -> IpAddr {
        if self.behind_proxy
            && let Some(said) = headers.get_all("x-forwarded-for").iter().next_back()
            && let Some(last) = said.to_str().ok().and_then(|list| list.rsplit(',').next())
            && let Ok(address) = last.trim().parse()
        {
            return address;
        }
        peer.ip()
    }
}

/// Counts requests of those who are not signed in, such as wrong tokens and links.
pub async fn strangers(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let address = app.limits.address(request.headers(), peer);
    let response = next.run(request).await;
    let refused = matches!(response.status(), StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
    if refused && let Err(problem) = check(app.limits.addresses.as_ref(), &address) {
        return problem.into_response();
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn one_person_does_not_use_up_anothers() {
        let limits = Limits::new(&config::Limits { person_per_minute: 2, ..Default::default() });
        assert!(limits.person(1).is_ok());
        assert!(limits.person(1).is_ok());
        assert_eq!(limits.person(1).expect_err("the third").status, 429);
        assert!(limits.person(2).is_ok());
    }

    #[test]
    fn a_header_counts_only_behind_a_proxy() {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", HeaderValue::from_static("1.2.3.4, 5.6.7.8"));
        let peer: SocketAddr = "127.0.0.1:9".parse().expect("an address");
        let open = Limits::new(&config::Limits::default());
        assert_eq!(open.address(&headers, peer).to_string(), "127.0.0.1");
        let behind = Limits::new(&config::Limits { behind_proxy: true, ..Default::default() });
        assert_eq!(behind.address(&headers, peer).to_string(), "5.6.7.8");
    }
}
