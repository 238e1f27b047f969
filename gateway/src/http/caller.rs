//! Who makes a request: a program by its token, or a browser by its cookie. Whoever it
//! is acts as one person; no argument of a request says who.

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use std::collections::HashMap;

use super::input::At;
use super::problem::Problem;
use crate::config::Config;
use crate::db::sign_in;
use crate::serve::App;

/// How far somebody may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Recall, and look at memories.
    Read,
    /// Remember, correct, forget, share.
    Write,
    /// Talk to the bot.
    Chat,
}

impl Scope {
    fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Chat => "chat",
        }
    }
}

/// Somebody who is signed in.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Who.
    pub person: i64,
    /// What the person is called, where a browser asks.
    pub name: Option<String>,
    /// The one bot of a token and how far it goes; a browser may use all that are served.
    token: Option<(String, Vec<String>)>,
    /// The secret of the session, where a browser asks.
    pub session: Option<String>,
}

impl Caller {
    /// Whether this caller may use a bot of that name; the same answer as for none.
    ///
    /// # Errors
    /// 404, and 403 if the token does not go so far.
    pub fn may(&self, app: &App, bot: &str, scope: Scope) -> Result<(), Problem> {
        if !app.serves(bot) || self.token.as_ref().is_some_and(|(of, _)| of != bot) {
            return Err(Problem::not_found("bot"));
        }
        match &self.token {
            Some((_, scopes)) if !scopes.iter().any(|s| s == scope.name()) => Err(Problem::new(
                StatusCode::FORBIDDEN,
                format!("the token is not for {}", scope.name()),
            )
            .hint("Make another with that scope.")),
            _ => Ok(()),
        }
    }

    /// The one bot that a token is for.
    pub fn bot(&self) -> Option<&str> {
        self.token.as_ref().map(|(bot, _)| bot.as_str())
    }

    /// Whether a browser asks.
    pub fn is_browser(&self) -> bool {
        self.session.is_some()
    }
}

/// The name of the cookie; with TLS one that no subdomain can set.
pub fn cookie_name(secure: bool) -> &'static str {
    if secure { "__Host-muninn" } else { "muninn" }
}

/// The value of a cookie.
pub(super) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(';'))
        .find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

/// The header that sets a cookie for so many seconds (0: it is gone), which no script reads
/// and no other site's request carries along, but for a link that is followed.
pub(super) fn set_cookie(
    config: &Config,
    name: &str,
    value: &str,
    path: &str,
    seconds: f64,
) -> Option<HeaderValue> {
    let secure = if config.is_secure() { "; Secure" } else { "" };
    let cookie = format!(
        "{name}={value}; Path={path}; HttpOnly; SameSite=Lax; Max-Age={seconds:.0}{secure}"
    );
    HeaderValue::from_str(&cookie).ok()
}

/// Whether a request that changes something comes from a page of this gateway: a browser
/// says so itself, and no other page can make it say so.
fn is_own_page(parts: &Parts, public_url: &str) -> bool {
    if matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS) {
        return true;
    }
    let said = |name: &str| parts.headers.get(name).and_then(|v| v.to_str().ok());
    match (said("sec-fetch-site"), said("origin")) {
        (Some("same-origin" | "none"), _) => true,
        (Some(_), _) => false,
        // Older browsers.
        (None, Some(origin)) => origin == public_url,
        (None, None) => false,
    }
}

async fn find(parts: &Parts, app: &App) -> Result<Option<Caller>, Problem> {
    if let Some(value) = parts.headers.get(header::AUTHORIZATION) {
        let token = value
            .to_str()
            .ok()
            .and_then(|v| v.split_once(' '))
            .filter(|(kind, _)| kind.eq_ignore_ascii_case("bearer"))
            .map(|(_, token)| token.trim())
            .ok_or_else(|| {
                Problem::unauthorized().hint("The header is Authorization: Bearer TOKEN.")
            })?;
        let client = app.db.client().await?;
        let bearer = sign_in::bearer(&client, token).await?;
        let bearer = bearer.ok_or_else(|| {
            Problem::new(StatusCode::UNAUTHORIZED, "the token is not valid")
                .hint("It may have expired or been revoked: make another.")
        })?;
        return Ok(Some(Caller {
            person: bearer.person,
            name: None,
            token: Some((bearer.bot, bearer.scopes)),
            session: None,
        }));
    }
    let Some(secret) = cookie(&parts.headers, cookie_name(app.config.is_secure())) else {
        return Ok(None);
    };
    let client = app.db.client().await?;
    let Some(found) = sign_in::signed_in(&client, secret).await? else { return Ok(None) };
    if !is_own_page(parts, &app.config.public_url()) {
        return Err(Problem::new(StatusCode::FORBIDDEN, "the request comes from another site")
            .hint("Use the pages of this gateway, at its public address; programs use a token."));
    }
    Ok(Some(Caller {
        person: found.person,
        name: found.name,
        token: None,
        session: Some(secret.to_owned()),
    }))
}

impl FromRequestParts<App> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let caller = find(parts, app).await?.ok_or_else(Problem::unauthorized)?;
        app.limits.person(caller.person)?;
        Ok(caller)
    }
}

impl OptionalFromRequestParts<App> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, Problem> {
        let caller = find(parts, app).await?;
        if let Some(caller) = &caller {
            app.limits.person(caller.person)?;
        }
        Ok(caller)
    }
}

/// A caller and the bot that the path names, which the caller may use.
#[derive(Debug, Clone)]
pub struct Of {
    /// Who.
    pub caller: Caller,
    /// The bot.
    pub bot: String,
}

impl FromRequestParts<App> for Of {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let caller = <Caller as FromRequestParts<App>>::from_request_parts(parts, app).await?;
        let At(named) = At::<HashMap<String, String>>::from_request_parts(parts, app).await?;
        let bot = named.get("bot").cloned().unwrap_or_default();
        if !app.serves(&bot) || caller.bot().is_some_and(|of| of != bot) {
            return Err(Problem::not_found("bot"));
        }
        Ok(Self { caller, bot })
    }
}

impl Of {
    /// Who asks, if the caller may go so far.
    ///
    /// # Errors
    /// 403 if the token does not go so far.
    pub fn person(&self, app: &App, scope: Scope) -> Result<i64, Problem> {
        self.caller.may(app, &self.bot, scope)?;
        Ok(self.caller.person)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;

    fn parts(method: &str, headers: &[(&str, &str)]) -> Parts {
        let mut request = Request::builder().method(method);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(()).expect("a request").into_parts().0
    }

    #[test]
    fn only_own_pages_change_something() {
        let url = "https://m.example";
        for (method, headers, own) in [
            ("GET", vec![], true),
            ("POST", vec![], false),
            ("POST", vec![("sec-fetch-site", "same-origin")], true),
            ("POST", vec![("sec-fetch-site", "cross-site"), ("origin", url)], false),
            ("POST", vec![("sec-fetch-site", "same-site")], false),
            ("POST", vec![("origin", url)], true),
            ("POST", vec![("origin", "https://evil.example")], false),
            ("DELETE", vec![("origin", "null")], false),
        ] {
            assert_eq!(is_own_page(&parts(method, &headers), url), own, "{method} {headers:?}");
        }
    }

    #[test]
    fn a_cookie_is_found_by_its_whole_name() {
        let parts = parts("GET", &[("cookie", "xmuninn=1; muninnx=2; muninn=3")]);
        assert_eq!(cookie(&parts.headers, "muninn"), Some("3"));
        assert_eq!(cookie(&parts.headers, "mun"), None);
    }
}
