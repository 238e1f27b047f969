//! Which models do what.

use serde::Deserialize;

use super::name::ModelName;
use super::request::Role;

/// The models of each role, the first of which that works answers. A role without any is
/// served by the offline provider.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Roles {
    chat: Vec<ModelName>,
    extract: Vec<ModelName>,
    draft: Vec<ModelName>,
    judge: Vec<ModelName>,
}

impl Roles {
    /// The models of a role, in their order; never empty.
    pub fn chain(&self, role: Role) -> Vec<ModelName> {
        let named = match role {
            Role::Chat => &self.chat,
            Role::Extract => &self.extract,
            Role::Draft => &self.draft,
            Role::Judge => &self.judge,
        };
        if named.is_empty() { vec![ModelName::offline()] } else { named.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_has_its_models_in_their_order_or_the_offline_one() {
        let roles: Roles =
            toml::from_str("chat = ['openai/big', 'local/small']\njudge = []").expect("valid");
        let names: Vec<_> = roles.chain(Role::Chat).iter().map(ToString::to_string).collect();
        assert_eq!(names, ["openai/big", "local/small"]);
        for role in [Role::Extract, Role::Draft, Role::Judge] {
            assert_eq!(roles.chain(role), [ModelName::offline()]);
        }
        toml::from_str::<Roles>("speak = ['a/b']").expect_err("no such role");
        toml::from_str::<Roles>("chat = ['gpt']").expect_err("no provider");
    }
}
