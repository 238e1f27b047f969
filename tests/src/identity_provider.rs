//! An identity provider for tests: OpenID Connect with one account that is always signed in.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{Form, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::EncodePrivateKey;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use openidconnect::core::{
    CoreEdDsaPrivateSigningKey, CoreIdToken, CoreIdTokenClaims, CoreJsonWebKeySet,
    CoreJwsSigningAlgorithm,
};
use openidconnect::{
    Audience, EmptyAdditionalClaims, EndUserEmail, EndUserName, IssuerUrl, JsonWebKeyId, Nonce,
    PkceCodeChallenge, PkceCodeVerifier, PrivateSigningKey, StandardClaims, SubjectIdentifier,
};
use serde_json::json;
use tokio::runtime::Runtime;

/// Who is signed in at the provider, and how honest it is about it.
#[derive(Debug, Clone)]
pub struct Account {
    /// The id that never changes.
    pub subject: String,
    /// An address.
    pub email: String,
    /// Whether the address is verified.
    pub verified: bool,
    /// Whether the token is for another sign-in than the one that asked.
    pub wrong_nonce: bool,
    /// Whether the token is for another program.
    pub wrong_audience: bool,
    /// Whether the token is signed by a key that the provider does not have.
    pub wrong_key: bool,
}

impl Account {
    /// An honest one.
    pub fn of(subject: &str) -> Self {
        Self {
            subject: subject.into(),
            email: format!("{subject}@example.org"),
            verified: true,
            wrong_nonce: false,
            wrong_audience: false,
            wrong_key: false,
        }
    }
}

struct Begun {
    nonce: String,
    challenge: String,
}

struct Inner {
    issuer: String,
    account: Account,
    pem: String,
    keys: u32,
    begun: HashMap<String, Begun>,
}

type Shared = Arc<Mutex<Inner>>;

/// A running provider.
pub struct IdentityProvider {
    /// Its address.
    pub issuer: String,
    inner: Shared,
    _runtime: Runtime,
}

fn fresh_pem() -> String {
    let mut seed = [0; 32];
    for (at, byte) in seed.iter_mut().enumerate() {
        // Each key is another; nothing but tests rests on it.
        *byte = (std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .expect("a clock")
            .as_nanos()
            >> (at % 8 * 8)) as u8
            ^ at as u8;
    }
    SigningKey::from_bytes(&seed).to_pkcs8_pem(LineEnding::LF).expect("a key").to_string()
}

fn signer(pem: &str, number: u32) -> CoreEdDsaPrivateSigningKey {
    CoreEdDsaPrivateSigningKey::from_ed25519_pem(pem, Some(JsonWebKeyId::new(format!("k{number}"))))
        .expect("a key")
}

impl IdentityProvider {
    /// Starts one.
    pub fn start() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let listener =
            runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).expect("a port");
        let issuer = format!("http://{}", listener.local_addr().expect("an address"));
        let inner = Arc::new(Mutex::new(Inner {
            issuer: issuer.clone(),
            account: Account::of("anna"),
            pem: fresh_pem(),
            keys: 1,
            begun: HashMap::new(),
        }));
        let routes = Router::new()
            .route("/.well-known/openid-configuration", get(metadata))
            .route("/jwks", get(jwks))
            .route("/authorize", get(authorize))
            .route("/token", post(token))
            .with_state(Arc::clone(&inner));
        runtime.spawn(async move { axum::serve(listener, routes).await });
        Self { issuer, inner, _runtime: runtime }
    }

    /// Who is signed in from now on.
    pub fn sign_in(&self, account: Account) {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).account = account;
    }

    /// Another key from now on.
    pub fn rotate(&self) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.pem = fresh_pem();
        inner.keys += 1;
    }
}

fn of(shared: &Shared) -> std::sync::MutexGuard<'_, Inner> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn metadata(State(shared): State<Shared>) -> Json<serde_json::Value> {
    let issuer = of(&shared).issuer.clone();
    Json(json!({
        "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"), "jwks_uri": format!("{issuer}/jwks"),
        "response_types_supported": ["code"], "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["EdDSA"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "none"]}))
}

async fn jwks(State(shared): State<Shared>) -> Json<CoreJsonWebKeySet> {
    let inner = of(&shared);
    Json(CoreJsonWebKeySet::new(vec![signer(&inner.pem, inner.keys).as_verification_key()]))
}

async fn authorize(
    State(shared): State<Shared>,
    Query(asked): Query<HashMap<String, String>>,
) -> Response {
    let said = |name: &str| asked.get(name).cloned().unwrap_or_default();
    if said("code_challenge_method") != "S256" || !said("scope").contains("openid") {
        return StatusCode::BAD_REQUEST.into_response();
    }
    let mut inner = of(&shared);
    let code = format!("code-{}", inner.begun.len());
    let begun = Begun { nonce: said("nonce"), challenge: said("code_challenge") };
    inner.begun.insert(code.clone(), begun);
    Redirect::to(&format!("{}?code={code}&state={}", said("redirect_uri"), said("state")))
        .into_response()
}

async fn token(
    State(shared): State<Shared>,
    Form(asked): Form<HashMap<String, String>>,
) -> Response {
    let mut inner = of(&shared);
    let refused =
        (StatusCode::BAD_REQUEST, Json(json!({"error": "invalid_grant"}))).into_response();
    // A code works once.
    let Some(begun) = asked.get("code").and_then(|code| inner.begun.remove(code)) else {
        return refused;
    };
    let verifier = asked.get("code_verifier").cloned().unwrap_or_default();
    if verifier.len() < 43 {
        return refused;
    }
    let challenge = PkceCodeChallenge::from_code_verifier_sha256(&PkceCodeVerifier::new(verifier));
    if challenge.as_str() != begun.challenge {
        return refused;
    }
    let account = inner.account.clone();
    let nonce = if account.wrong_nonce { "another".into() } else { begun.nonce };
    let audience = if account.wrong_audience { "another" } else { "muninn" };
    let pem = if account.wrong_key { fresh_pem() } else { inner.pem.clone() };
    let standard = StandardClaims::new(SubjectIdentifier::new(account.subject.clone()))
        .set_email(Some(EndUserEmail::new(account.email)))
        .set_email_verified(Some(account.verified))
        .set_name(Some(EndUserName::new(format!("{} Example", account.subject)).into()));
    let now = chrono::Utc::now();
    let claims = CoreIdTokenClaims::new(
        IssuerUrl::new(inner.issuer.clone()).expect("an issuer"),
        vec![Audience::new(audience.into())],
        now + chrono::Duration::minutes(5),
        now,
        standard,
        EmptyAdditionalClaims {},
    )
    .set_nonce(Some(Nonce::new(nonce)));
    let signed = CoreIdToken::new(
        claims,
        &signer(&pem, inner.keys),
        CoreJwsSigningAlgorithm::EdDsa,
        None,
        None,
    )
    .expect("a token");
    Json(json!({"access_token": "access", "token_type": "Bearer", "id_token": signed.to_string()}))
        .into_response()
}
