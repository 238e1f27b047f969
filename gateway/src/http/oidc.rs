//! Signing in at an identity provider: OpenID Connect, the authorization code flow with
//! PKCE. Its keys are asked for at each sign-in, so that a rotation is no event. The person
//! is who the issuer calls by this subject; name and address are only shown.

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreIdTokenClaims, CoreProviderMetadata,
};
use openidconnect::{
    AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointMaybeSet, EndpointNotSet,
    EndpointSet, HttpRequest, HttpResponse, IssuerUrl, Nonce, PkceCodeChallenge, PkceCodeVerifier,
    RedirectUrl, Scope,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use subtle::ConstantTimeEq;
use tracing::warn;

use super::caller::{cookie, set_cookie};
use super::input::Asked;
use super::problem::Problem;
use super::sign_in::{days, welcome};
use crate::config::Oidc;
use crate::db::sign_in::{self, Identity};
use crate::error::with_causes;
use crate::serve::App;

/// The longest answer of a provider that is read, in bytes.
const LONGEST: usize = 1 << 20;
/// The cookie that ties a sign-in to the browser that began it.
const COOKIE: &str = "muninn_sign_in";

type Client = CoreClient<
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// `/sign-in/oidc` leads to the provider, `/sign-in/oidc/return` comes back from it.
pub fn routes() -> Router<App> {
    Router::new().route("/sign-in/oidc", get(begin)).route("/sign-in/oidc/return", get(finish))
}

/// What is needed when the browser returns.
#[derive(Serialize, Deserialize)]
struct Kept {
    nonce: String,
    verifier: String,
}

fn settings(app: &App) -> Result<&Oidc, Problem> {
    app.config.sign_in.oidc.as_ref().ok_or_else(|| Problem::not_found("page"))
}

/// A provider that does not do what it should: the log says what, the page that it failed.
fn failed(what: &str, error: &dyn std::error::Error) -> Problem {
    warn!(error = with_causes(error), "{what}");
    Problem::new(StatusCode::BAD_GATEWAY, what).hint("Try again; the gateway's log says more.")
}

/// One request to the provider.
async fn ask(http: reqwest::Client, request: HttpRequest) -> Result<HttpResponse, std::io::Error> {
    let other = |error: reqwest::Error| std::io::Error::other(with_causes(&error));
    let (parts, body) = request.into_parts();
    let mut response = http
        .request(parts.method, parts.uri.to_string())
        .headers(parts.headers)
        .body(body)
        .send()
        .await
        .map_err(other)?;
    let mut answer = openidconnect::http::Response::builder().status(response.status());
    if let Some(headers) = answer.headers_mut() {
        headers.clone_from(response.headers());
    }
    let mut bytes = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(other)? {
        bytes.extend_from_slice(&piece);
        if bytes.len() > LONGEST {
            return Err(std::io::Error::other("the answer does not end"));
        }
    }
    answer.body(bytes).map_err(std::io::Error::other)
}

/// The provider as it is now, with its keys.
async fn discover(app: &App, oidc: &Oidc, http: &reqwest::Client) -> Result<Client, Problem> {
    let what = "the identity provider cannot be reached";
    let issuer = IssuerUrl::new(oidc.issuer.clone()).map_err(|e| failed(what, &e))?;
    let asking = |request| ask(http.clone(), request);
    let metadata = CoreProviderMetadata::discover_async(issuer, &asking)
        .await
        .map_err(|e| failed(what, &e))?;
    let secret = match &oidc.client_secret_env {
        Some(variable) => {
            let secret =
                std::env::var(variable).map_err(|e| failed("the client secret is missing", &e))?;
            Some(ClientSecret::new(secret))
        }
        None => None,
    };
    let back = format!("{}/sign-in/oidc/return", app.config.public_url());
    let back = RedirectUrl::new(back).map_err(|e| failed("serve.public_url is no address", &e))?;
    let client =
        CoreClient::from_provider_metadata(metadata, ClientId::new(oidc.client_id.clone()), secret);
    Ok(client.set_redirect_uri(back))
}

/// No redirects: what the provider says it is, it is, or nothing.
fn client() -> Result<reqwest::Client, Problem> {
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(std::time::Duration::from_secs(15))
        .build()
        .map_err(|e| failed("the identity provider cannot be asked", &e))
}

async fn begin(State(app): State<App>) -> Result<Response, Problem> {
    let oidc = settings(&app)?;
    let provider = discover(&app, oidc, &client()?).await?;
    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let mut request = provider.authorize_url(
        CoreAuthenticationFlow::AuthorizationCode,
        CsrfToken::new_random,
        Nonce::new_random,
    );
    for scope in &oidc.scopes {
        request = request.add_scope(Scope::new(scope.clone()));
    }
    let (url, state, nonce) = request.set_pkce_challenge(challenge).url();
    let kept = Kept { nonce: nonce.secret().clone(), verifier: verifier.secret().clone() };
    let db = app.db.client().await?;
    sign_in::keep(&db, state.secret(), &json!(kept)).await?;
    let mut response = Redirect::to(url.as_str()).into_response();
    if let Some(tie) = set_cookie(&app.config, COOKIE, state.secret(), "/sign-in", 600.0) {
        response.headers_mut().insert(header::SET_COOKIE, tie);
    }
    Ok(response)
}

#[derive(Deserialize)]
struct Returned {
    code: Option<String>,
    state: Option<String>,
    error: Option<String>,
}

async fn finish(
    State(app): State<App>,
    headers: HeaderMap,
    Asked(returned): Asked<Returned>,
) -> Result<Response, Problem> {
    let oidc = settings(&app)?;
    let refused = |why: &str| Problem::new(StatusCode::UNAUTHORIZED, why).hint("Sign in again.");
    if let Some(error) = returned.error {
        let error: String = error.chars().filter(char::is_ascii_graphic).take(60).collect();
        return Err(refused(&format!("the identity provider refused: {error}")));
    }
    let (Some(code), Some(state)) = (returned.code, returned.state) else {
        return Err(refused("the identity provider returned nothing"));
    };
    // Somebody else's sign-in is not finished in this browser.
    let tied = cookie(&headers, COOKIE)
        .is_some_and(|tie| bool::from(tie.as_bytes().ct_eq(state.as_bytes())));
    if !tied {
        return Err(refused("this sign-in was begun in another browser"));
    }
    let db = app.db.client().await?;
    let kept = sign_in::take(&db, &state).await?;
    drop(db);
    let kept: Kept = kept
        .and_then(|kept| serde_json::from_value(kept).ok())
        .ok_or_else(|| refused("this sign-in has ended or was used"))?;
    let http = client()?;
    let provider = discover(&app, oidc, &http).await?;
    let asking = |request| ask(http.clone(), request);
    let tokens = provider
        .exchange_code(AuthorizationCode::new(code))
        .map_err(|e| failed("the identity provider has no token endpoint", &e))?
        .set_pkce_verifier(PkceCodeVerifier::new(kept.verifier))
        .request_async(&asking)
        .await
        .map_err(|e| failed("the identity provider did not take the code", &e))?;
    let token = tokens
        .extra_fields()
        .id_token()
        .ok_or_else(|| refused("the identity provider named nobody"))?;
    let claims =
        token.claims(&provider.id_token_verifier(), &Nonce::new(kept.nonce)).map_err(|error| {
            warn!(error = with_causes(&error), "an identity was refused");
            refused("the identity provider's word could not be verified")
        })?;
    if !is_welcome(oidc, claims) {
        return Err(Problem::new(StatusCode::FORBIDDEN, "this account may not use the gateway")
            .hint("Ask whoever runs it: sign_in.oidc.email_domains says who may."));
    }
    let name = claims
        .name()
        .and_then(|name| name.get(None))
        .map(|name| name.as_str())
        .or_else(|| claims.preferred_username().map(|name| name.as_str()))
        .map(|name| name.chars().take(200).collect::<String>());
    let who = Identity {
        provider: "oidc",
        subject: claims.subject().as_str(),
        tenant: claims.issuer().as_str(),
        name: name.as_deref(),
    };
    let db = app.db.client().await?;
    let secret = sign_in::sign_in(&db, who, days(&app)).await?;
    Ok(welcome(&app, &secret))
}

/// Whether an account may sign in: all may where no domains are named.
fn is_welcome(oidc: &Oidc, claims: &CoreIdTokenClaims) -> bool {
    if oidc.email_domains.is_empty() {
        return true;
    }
    let verified = claims.email_verified() == Some(true);
    let email = claims.email().map(|email| email.as_str().to_lowercase()).unwrap_or_default();
    let domain = email.rsplit_once('@').map(|(_, domain)| domain).unwrap_or_default();
    verified && oidc.email_domains.iter().any(|allowed| allowed.to_lowercase() == domain)
}
