//! JSON in the text of a model: asking for it in words, and finding it.

use serde_json::Value;
use thiserror::Error;

use super::request::Schema;

/// How many places of a text are tried.
const MOST_TRIES: usize = 200;

/// There is no JSON in the text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoJson {
    /// Nothing that begins like it.
    #[error("the answer has no JSON in it")]
    None,
    /// It begins, and does not end or is faulty.
    #[error("the JSON in the answer is faulty: {0}")]
    Faulty(String),
}

/// The first JSON object or list in a text, whatever stands around it: code fences, an
/// introduction, an afterword.
pub fn first_value(text: &str) -> Result<Value, NoJson> {
    let mut fault = None;
    let mut rest = text;
    for _ in 0..MOST_TRIES {
        let Some(start) = rest.find(['{', '[']) else { break };
        rest = &rest[start..];
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) => return Ok(value),
            Some(Err(error)) => {
                // The first that looked like JSON tells more than braces in an afterword.
                fault.get_or_insert_with(|| error.to_string());
            }
            None => {}
        }
        rest = &rest[1..];
    }
    Err(fault.map_or(NoJson::None, NoJson::Faulty))
}

/// Says in words what form the answer is to have, for providers that take no schema.
pub(super) fn instruct(system: &mut String, answer: &Schema) {
    if !system.is_empty() {
        system.push_str("\n\n");
    }
    system.push_str(
        "Answer with one JSON value and nothing else: no introduction, no code fence. It must \
         be valid by this JSON schema:\n",
    );
    system.push_str(&answer.schema.to_string());
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn json_is_found_wherever_it_stands() {
        for text in [
            r#"{"a": [1, "}"]}"#,
            "```json\n{\"a\": [1, \"}\"]}\n```",
            "Sure! Here it is:\n\n{\"a\": [1, \"}\"]} — tell me if {more} is wanted.",
            "I use {braces} first. {\"a\": [1, \"}\"]}",
        ] {
            assert_eq!(first_value(text), Ok(json!({"a": [1, "}"]})), "{text}");
        }
        assert_eq!(first_value("so: [1]"), Ok(json!([1])));
    }

    #[test]
    fn what_is_none_is_said_clearly() {
        assert_eq!(first_value("I cannot do that."), Err(NoJson::None));
        let Err(NoJson::Faulty(reason)) = first_value("{\"a\": [1, ") else {
            panic!("taken for JSON")
        };
        assert!(reason.contains("EOF"), "{reason}");
        assert!(first_value(&"{".repeat(100_000)).is_err());
        assert!(first_value(&"[".repeat(100_000)).is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in "\\PC{0,200}") {
            let _ = first_value(&text);
        }

        #[test]
        fn an_object_is_found_in_any_prose(before in "[a-z .:`\n]{0,40}", after in "\\PC{0,40}") {
            let text = format!("{before}{{\"k\": 1}}{after}");
            prop_assert_eq!(first_value(&text), Ok(json!({"k": 1})));
        }
    }
}
