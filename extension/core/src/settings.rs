//! What can be set for a bot.

use std::collections::BTreeMap;

use crate::fusion::Fusion;
use crate::learning::{Weights, activation, hebbian};
use crate::text::Language;

/// The settings of a bot, as far as they are given, over the defaults.
#[derive(Debug, Clone, PartialEq)]
pub struct BotSettings {
    /// Language of a memory or question whose own was not recognised.
    pub language: Option<Language>,
    /// How the arms are joined unless a call says otherwise.
    pub fusion: Fusion,
    /// Weight of meaning against words in the convex fusion, in [0, 1].
    pub semantic_weight: f64,
    /// How much the turns of a thread support each other, in [0, 1].
    pub context: f64,
    /// How much a long memory is judged by its best passage, in [0, 1].
    pub passages: f64,
    /// How much memories that mean alike vouch for each other, in [0, 1].
    pub kin: f64,
    /// How much the time that a question names counts, in [0, 1].
    pub time: f64,
    /// A question whose best answer of the convex fusion is less relevant has none,
    /// unless a call says what is the least; in [0, 1].
    pub answerable: f64,
    /// Whether candidates are recalled before somebody has decided.
    pub candidates: bool,
    /// Days after which an undecided candidate is rejected; 0: never.
    pub candidate_days: f64,
    /// What a new value of a single-valued claim does to the old one.
    pub claims: Claims,
    /// How much activation, links and confidence count (`temporal`, `association`,
    /// `confidence`), each in [0, 1].
    pub weights: Weights,
    /// The exponent of forgetting in the base-level activation, in [0, 2].
    pub forgetting: f64,
    /// Days in which the weight of an unused learned link halves.
    pub half_life_days: f64,
    /// Whether what is not recalled fades.
    pub decay: bool,
    /// Days in which a memory that is never recalled fades to 37 %.
    pub decay_days: f64,
    /// What nothing fades below, in [0, 1].
    pub decay_floor: f64,
    /// Which models answer, what they may use, and what they are shown.
    pub gateway: GatewaySettings,
}

/// The settings of a bot that a gateway heeds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatewaySettings {
    /// For each role (chat, extract, draft, judge) the models, the first that works
    /// answers; each is `provider/model`.
    pub models: BTreeMap<String, Vec<String>>,
    /// For each external tool server the tools of it that the bot may call; `*` is all.
    pub tools: BTreeMap<String, Vec<String>>,
    /// Whether memories are proposed from what people say.
    pub extraction: bool,
    /// How many messages of the conversation a prompt holds at most.
    pub history: u16,
    /// How many memories a prompt holds at most.
    pub recalled: u16,
}

impl Default for GatewaySettings {
    fn default() -> Self {
        Self {
            models: BTreeMap::new(),
            tools: BTreeMap::new(),
            extraction: true,
            history: 20,
            recalled: 8,
        }
    }
}

impl GatewaySettings {
    /// The roles of models.
    pub const ROLES: [&str; 4] = ["chat", "extract", "draft", "judge"];

    /// Takes one setting by its name; `None` if it is none of a gateway.
    fn take(&mut self, name: &str, value: &serde_json::Value) -> Option<Result<(), String>> {
        let whole = |most: u16| {
            value
                .as_u64()
                .and_then(|n| u16::try_from(n).ok())
                .filter(|n| (1..=most).contains(n))
                .ok_or_else(|| format!("a whole number from 1 to {most}"))
        };
        let lists = || {
            serde_json::from_value::<BTreeMap<String, Vec<String>>>(value.clone()).ok().filter(
                |lists| {
                    lists.len() <= 50
                        && lists.values().all(|names| {
                            !names.is_empty()
                                && names.len() <= 200
                                && names.iter().all(|name| (1..=200).contains(&name.len()))
                        })
                },
            )
        };
        Some(match name {
            "extraction" => value
                .as_bool()
                .map(|on| self.extraction = on)
                .ok_or_else(|| "true or false".to_owned()),
            "history" => whole(200).map(|n| self.history = n),
            "recalled" => whole(50).map(|n| self.recalled = n),
            "models" => lists()
                .filter(|lists| {
                    lists.keys().all(|role| Self::ROLES.contains(&role.as_str()))
                        && lists.values().flatten().all(|name| {
                            name.split_once('/').is_some_and(|(p, m)| !p.is_empty() && !m.is_empty())
                        })
                })
                .map(|lists| self.models = lists)
                .ok_or_else(|| {
                    "lists of \"provider/model\" by role, such as \
                     {\"chat\": [\"openai/gpt\", \"offline/memory\"]}; the roles are chat, extract, draft and judge"
                        .to_owned()
                }),
            "tools" => lists().map(|lists| self.tools = lists).ok_or_else(|| {
                "lists of tools by server, such as {\"calendar\": [\"list_events\"]}; \"*\" is all of them"
                    .to_owned()
            }),
            _ => return None,
        })
    }
}

/// What a new value of a single-valued claim does to the old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Claims {
    /// It was true until then.
    #[default]
    Close,
    /// They contradict each other, until somebody decides.
    Contradict,
}

impl Default for BotSettings {
    fn default() -> Self {
        // From the evaluation sets: see tests/README.md.
        Self {
            language: None,
            fusion: Fusion::default(),
            semantic_weight: 0.35,
            context: 1.0,
            passages: 1.0,
            kin: 1.0,
            time: 1.0,
            answerable: 0.0,
            candidates: true,
            candidate_days: 0.0,
            claims: Claims::Close,
            weights: Weights { temporal: 0.05, association: 0.3, confidence: 0.25 },
            forgetting: activation::FORGETTING,
            half_life_days: hebbian::HALF_LIFE,
            decay: false,
            decay_days: 30.0,
            decay_floor: 0.2,
            gateway: GatewaySettings::default(),
        }
    }
}

/// A setting that cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadSetting {
    /// Its name.
    pub name: String,
    /// What may stand there.
    pub allowed: String,
}

impl BotSettings {
    /// The names of all settings.
    pub const NAMES: &'static str = "language, fusion, semantic_weight, context, passages, kin, time, answerable, \
         candidates, candidate_days, claims, temporal, association, confidence, forgetting, half_life_days, \
         decay, decay_days, decay_floor, models, tools, extraction, history, recalled";

    /// Reads the settings from the JSON object stored with the bot.
    ///
    /// # Errors
    /// [`BadSetting`] for an unknown name or a value that does not fit; nothing
    /// is ignored silently.
    ///
    /// ```
    /// use muninn_core::settings::BotSettings;
    /// let settings = serde_json::json!({"semantic_weight": 0.3});
    /// assert_eq!(BotSettings::read(&settings).unwrap().semantic_weight, 0.3);
    /// assert!(BotSettings::read(&serde_json::json!({"semantik": 1})).is_err());
    /// ```
    pub fn read(json: &serde_json::Value) -> Result<Self, BadSetting> {
        let bad =
            |name: &str, allowed: &str| BadSetting { name: name.into(), allowed: allowed.into() };
        let object =
            json.as_object().ok_or_else(|| bad("settings", "a JSON object of named settings"))?;
        let mut settings = Self::default();
        for (name, value) in object {
            match name.as_str() {
                "language" => {
                    settings.language =
                        Some(value.as_str().and_then(Language::from_code).ok_or_else(|| {
                            bad(name, "a two-letter language code such as \"en\" or \"de\"")
                        })?);
                }
                "fusion" => {
                    settings.fusion = value
                        .as_str()
                        .and_then(|text| text.parse().ok())
                        .ok_or_else(|| bad(name, Fusion::NAMES))?;
                }
                "semantic_weight" | "context" | "passages" | "kin" | "time" | "answerable"
                | "temporal" | "association" | "confidence" | "decay_floor" => {
                    let share = value
                        .as_f64()
                        .filter(|share| (0.0..=1.0).contains(share))
                        .ok_or_else(|| bad(name, "a number from 0 to 1"))?;
                    let setting = match name.as_str() {
                        "semantic_weight" => &mut settings.semantic_weight,
                        "context" => &mut settings.context,
                        "passages" => &mut settings.passages,
                        "kin" => &mut settings.kin,
                        "time" => &mut settings.time,
                        "temporal" => &mut settings.weights.temporal,
                        "association" => &mut settings.weights.association,
                        "confidence" => &mut settings.weights.confidence,
                        "decay_floor" => &mut settings.decay_floor,
                        _ => &mut settings.answerable,
                    };
                    *setting = share;
                }
                "candidates" => {
                    settings.candidates =
                        value.as_bool().ok_or_else(|| bad(name, "true or false"))?;
                }
                "candidate_days" => {
                    settings.candidate_days = value
                        .as_f64()
                        .filter(|days| (0.0..=36_500.0).contains(days))
                        .ok_or_else(|| bad(name, "a number of days from 0 to 36500"))?;
                }
                "forgetting" => {
                    settings.forgetting = value
                        .as_f64()
                        .filter(|d| (0.0..=2.0).contains(d))
                        .ok_or_else(|| bad(name, "a number from 0 to 2"))?;
                }
                "half_life_days" | "decay_days" => {
                    let days = value
                        .as_f64()
                        .filter(|days| (0.01..=36_500.0).contains(days))
                        .ok_or_else(|| bad(name, "a number of days from 0.01 to 36500"))?;
                    if name == "decay_days" {
                        settings.decay_days = days;
                    } else {
                        settings.half_life_days = days;
                    }
                }
                "decay" => {
                    settings.decay = value.as_bool().ok_or_else(|| bad(name, "true or false"))?;
                }
                "claims" => {
                    settings.claims = match value.as_str() {
                        Some("close") => Claims::Close,
                        Some("contradict") => Claims::Contradict,
                        _ => return Err(bad(name, "\"close\" or \"contradict\"")),
                    };
                }
                _ => match settings.gateway.take(name, value) {
                    Some(Ok(())) => {}
                    Some(Err(allowed)) => return Err(bad(name, &allowed)),
                    None => return Err(bad(name, Self::NAMES)),
                },
            }
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn reads_every_setting() {
        let read = BotSettings::read(
            &json!({"language": "de", "fusion": "rrf", "semantic_weight": 0.25, "context": 0.5,
                    "passages": 0.1, "kin": 0.2, "time": 0.3, "answerable": 0.4, "candidates": false,
                    "candidate_days": 30, "claims": "contradict", "temporal": 0.11, "association": 0.12,
                    "confidence": 0.13, "forgetting": 0.7, "half_life_days": 14, "decay": true,
                    "decay_days": 7, "decay_floor": 0.5, "models": {"chat": ["a/b/c", "offline/memory"]},
                    "tools": {"calendar": ["*"]}, "extraction": false, "history": 5, "recalled": 3}),
        );
        let named = |key: &str, names: &[&str]| {
            BTreeMap::from([(key.to_owned(), names.iter().map(|n| (*n).to_owned()).collect())])
        };
        let expected = BotSettings {
            language: Language::from_code("de"),
            fusion: Fusion::Rrf,
            semantic_weight: 0.25,
            context: 0.5,
            passages: 0.1,
            kin: 0.2,
            time: 0.3,
            answerable: 0.4,
            candidates: false,
            candidate_days: 30.0,
            claims: Claims::Contradict,
            weights: Weights { temporal: 0.11, association: 0.12, confidence: 0.13 },
            forgetting: 0.7,
            half_life_days: 14.0,
            decay: true,
            decay_days: 7.0,
            decay_floor: 0.5,
            gateway: GatewaySettings {
                models: named("chat", &["a/b/c", "offline/memory"]),
                tools: named("calendar", &["*"]),
                extraction: false,
                history: 5,
                recalled: 3,
            },
        };
        assert_eq!(read, Ok(expected));
    }

    #[test]
    fn refuses_what_does_not_fit() {
        for (json, name) in [
            (json!({"semantic_weight": 1.5}), "semantic_weight"),
            (json!({"semantic_weight": "high"}), "semantic_weight"),
            (json!({"context": -1}), "context"),
            (json!({"fusion": "best"}), "fusion"),
            (json!({"language": "klingon"}), "language"),
            (json!({"candidates": "yes"}), "candidates"),
            (json!({"candidate_days": -1}), "candidate_days"),
            (json!({"claims": "merge"}), "claims"),
            (json!({"temporal": 2}), "temporal"),
            (json!({"forgetting": -1}), "forgetting"),
            (json!({"half_life_days": 0}), "half_life_days"),
            (json!({"decay": 1}), "decay"),
            (json!({"models": {"chat": ["gpt"]}}), "models"),
            (json!({"models": {"poet": ["a/b"]}}), "models"),
            (json!({"models": {"chat": []}}), "models"),
            (json!({"tools": ["x"]}), "tools"),
            (json!({"history": 0}), "history"),
            (json!({"recalled": 51}), "recalled"),
            (json!({"colour": "red"}), "colour"),
            (json!([1]), "settings"),
        ] {
            assert_eq!(BotSettings::read(&json).expect_err("bad").name, name);
        }
    }
}
