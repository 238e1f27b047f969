//! What gateways may: each serves the bots that its role was granted, and no other's.

use muninn_tests::{Database, shared};

#[test]
fn a_gateway_learns_and_does_nothing_of_bots_that_it_does_not_serve() {
    let db = Database::new(shared());
    let s = db.session();
    let [anna] = s.people(["anna"]);
    s.run("SELECT muninn.create_bot('second')");
    let name = &db.name;
    for (role, bot) in [("first", "assistant"), ("other", "second")] {
        s.run(&format!(
            "CREATE ROLE {name}_{role} LOGIN IN ROLE muninn_gateway;
             SELECT muninn_admin.grant_bot('{bot}', '{name}_{role}')"
        ));
    }
    s.run(&format!(
        "SELECT muninn.receive('assistant', {anna}, 'a secret', address => '{{}}', channel => 'slack')"
    ));
    let token = s.one(&format!("SELECT token FROM muninn.create_token('assistant', {anna}, 'x')"));
    let first = db.session_as(&format!("{name}_first"));
    let other = db.session_as(&format!("{name}_other"));

    assert_eq!(other.column("SELECT bot FROM muninn.served_bots()"), ["second"]);
    assert_eq!(other.number("SELECT count(*) FROM muninn.claim_jobs(k => 10)"), 0);
    assert_eq!(
        other.number("SELECT count(*) FROM muninn.claim_jobs(bots => '{assistant,second}')"),
        0
    );
    assert_eq!(other.number("SELECT count(*) FROM muninn.claim_deliveries('slack')"), 0);
    assert_eq!(
        other.one(&format!("SELECT coalesce(bot, 'nobody') FROM muninn.token_bearer('{token}')")),
        "nobody"
    );
    for call in [
        "receive_from('assistant', 'test', 'eve', 'x', 't', 'slack', '1')",
        "receive('assistant', 1, 'x')",
        "context('assistant', 1, 1)",
        "messages('assistant', 1, 'main')",
    ] {
        assert_eq!(other.refusal(&format!("SELECT * FROM muninn.{call}")).code, "42501", "{call}");
    }
    // Nobody signs a browser in for another gateway.
    let secret = other.one("SELECT secret FROM muninn.sign_in('test', 'anna')");
    let person =
        format!("SELECT coalesce(person::text, 'nobody') FROM muninn.signed_in('{secret}')");
    assert_eq!(other.one(&person), anna.to_string());
    assert_eq!(first.one(&person), "nobody");
    let link = other.one("SELECT muninn.sign_in_link('test', 'anna')");
    let used = format!("SELECT session FROM muninn.use_sign_in_link('{link}')");
    assert_eq!(first.refusal(&used).code, "22023");
    assert!(!other.one(&used).is_empty());
    assert_eq!(other.refusal(&used).code, "22023", "once");

    assert_eq!(
        first.one(&format!("SELECT bot || person FROM muninn.token_bearer('{token}')")),
        format!("assistant{anna}")
    );
    assert_eq!(first.number("SELECT count(*) FROM muninn.claim_jobs(k => 10)"), 1);
    // A person who connects as a role of their own claims nothing.
    s.run(&format!("CREATE ROLE {name}_anna LOGIN IN ROLE muninn_user"));
    let own = db.session_as(&format!("{name}_anna"));
    for call in ["claim_jobs()", "sign_in('test', 'anna')", "token_bearer('x')"] {
        assert_eq!(own.refusal(&format!("SELECT muninn.{call}")).code, "42501", "{call}");
    }
    for role in ["first", "other", "anna"] {
        s.run(&format!("DROP OWNED BY {name}_{role}; DROP ROLE {name}_{role}"));
    }
}
