//! Signing in at an identity provider.

use muninn_tests::{Account, Database, Gateway, IdentityProvider, shared};

fn settings(provider: &IdentityProvider) -> String {
    format!(
        "[sign_in.oidc]\nissuer = \"{}\"\nclient_id = \"muninn\"\nemail_domains = [\"example.org\"]\n",
        provider.issuer
    )
}

#[test]
fn the_person_is_who_the_issuer_says_and_nobody_else() {
    let db = Database::new(shared());
    let s = db.session();
    let _ = s.people(["somebody"]);
    let provider = IdentityProvider::start();
    let gateway = Gateway::start(&db, &settings(&provider));
    let sign_in = |account: Account| {
        provider.sign_in(account);
        let client = gateway.stranger();
        let page = client.http.get(format!("{}/sign-in/oidc", gateway.url)).send().unwrap();
        let status = page.status().as_u16();
        (status, client)
    };
    let persons = || s.number("SELECT count(*) FROM muninn.identity WHERE provider = 'oidc'");
    let (status, anna) = sign_in(Account::of("anna"));
    assert_eq!(status, 200);
    assert_eq!(anna.get("/v1/bots").0, 200);
    let tenant = s.one("SELECT tenant FROM muninn.identity WHERE provider = 'oidc'");
    assert_eq!(tenant.trim_end_matches('/'), provider.issuer);
    // The same subject is the same person, also with another address and another key.
    provider.rotate();
    let moved = Account { email: "new@example.org".into(), ..Account::of("anna") };
    assert_eq!(sign_in(moved).0, 200);
    assert_eq!(persons(), 1);
    assert_eq!(sign_in(Account::of("ben")).0, 200);
    assert_eq!(persons(), 2);

    for (account, status) in [
        (Account { wrong_nonce: true, ..Account::of("eve") }, 401),
        (Account { wrong_audience: true, ..Account::of("eve") }, 401),
        (Account { wrong_key: true, ..Account::of("eve") }, 401),
        (Account { verified: false, ..Account::of("eve") }, 403),
        (Account { email: "eve@evil.example".into(), ..Account::of("eve") }, 403),
        (Account { email: "eve@notexample.org".into(), ..Account::of("eve") }, 403),
    ] {
        let shown = format!("{account:?}");
        let (got, client) = sign_in(account);
        assert_eq!(got, status, "{shown}");
        assert_eq!(client.get("/v1/bots").0, 401, "{shown}");
    }
    assert_eq!(persons(), 2, "who is refused leaves nothing");

    // A return that this browser has not asked for, or that comes twice.
    provider.sign_in(Account::of("eve"));
    let stranger = gateway.stranger();
    for query in ["", "?code=x&state=y", "?error=access_denied"] {
        let url = format!("{}/sign-in/oidc/return{query}", gateway.url);
        assert_eq!(stranger.http.get(url).send().unwrap().status().as_u16(), 401, "{query}");
    }
    // There are no links where there is a provider.
    assert!(gateway.link.is_empty());
    assert!(!gateway.log().contains("access"), "no token in the log");
}
