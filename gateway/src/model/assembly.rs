//! Puts an answer together from its pieces, whatever the protocol they came by.

use serde_json::{Map, Value};

use super::completion::{Delta, Stop, Usage};
use super::failure::{Failure, FailureKind};
use super::request::ToolCall;

/// More tool calls than this in one answer are a fault.
const MOST_CALLS: usize = 64;

/// An answer in the making.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    /// The text so far.
    pub(super) text: String,
    /// Why it ended, once that was said.
    pub(super) stop: Option<Stop>,
    /// What it used, as far as that was said.
    pub(super) usage: Usage,
    /// Whether nothing is missing any more, and an end of the stream is no fault.
    pub(super) whole: bool,
    /// Whether nothing more will come.
    pub(super) ended: bool,
    /// Whether the model did something since this was last set back: text, calls or thoughts.
    pub(super) progressed: bool,
    /// Pieces that were not handed on yet.
    pub(super) fresh: Vec<Delta>,
    calls: Vec<PartialCall>,
}

/// A tool call in the making.
#[derive(Debug)]
struct PartialCall {
    /// The place that the provider gives it, if it does.
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

impl Assembly {
    /// More text.
    pub(super) fn add_text(&mut self, piece: &str) {
        if !piece.is_empty() {
            self.progressed = true;
            self.text.push_str(piece);
            self.fresh.push(Delta::Text(piece.to_owned()));
        }
    }

    /// A piece of a tool call: its beginning with id and name, or more of its arguments.
    ///
    /// Pieces belong together by their index. Some servers leave it out, or say 0 for all
    /// calls: there another id begins another call.
    pub(super) fn add_call(
        &mut self,
        index: Option<u64>,
        id: Option<&str>,
        name: Option<&str>,
        arguments: &str,
    ) -> Result<(), Failure> {
        self.progressed = true;
        let id = id.filter(|id| !id.is_empty());
        let known = self.calls.iter().rposition(|call| {
            (index.is_none() || call.index == index) && id.is_none_or(|id| call.id == id)
        });
        let call = match known {
            Some(position) => &mut self.calls[position],
            None => {
                let name = name.filter(|name| !name.is_empty()).ok_or_else(|| {
                    Failure::new(FailureKind::Malformed, "a tool call without a name")
                })?;
                if self.calls.len() == MOST_CALLS {
                    return Err(Failure::new(
                        FailureKind::TooLarge,
                        format!("more than {MOST_CALLS} tool calls in one answer"),
                    ));
                }
                let id = id.map_or_else(|| format!("call_{}", self.calls.len()), str::to_owned);
                self.fresh.push(Delta::ToolCall { name: name.to_owned() });
                self.calls.push(PartialCall {
                    index,
                    id,
                    name: name.to_owned(),
                    arguments: String::new(),
                });
                self.calls.last_mut().expect("it was just added")
            }
        };
        call.arguments.push_str(arguments);
        Ok(())
    }

    /// The answer, if it is one.
    pub(super) fn finish(&mut self) -> Result<(String, Vec<ToolCall>, Stop), Failure> {
        if !self.whole {
            return Err(Failure::new(
                FailureKind::Truncated,
                "the answer ended without its end mark",
            ));
        }
        let short = self.stop == Some(Stop::MaxTokens);
        if self.calls.is_empty() && self.text.trim().is_empty() {
            return Err(Failure::new(
                FailureKind::Empty,
                if short {
                    "an empty answer: the bound of tokens was reached before the first word"
                } else {
                    "an empty answer"
                },
            ));
        }
        let mut calls = Vec::new();
        for call in std::mem::take(&mut self.calls) {
            let arguments = match call.arguments.trim() {
                "" => Value::Object(Map::new()),
                text => serde_json::from_str(text).unwrap_or_default(),
            };
            if !arguments.is_object() {
                let shown = super::failure::bounded(&call.name);
                return Err(Failure::new(
                    FailureKind::Malformed,
                    if short {
                        format!("the bound of tokens was reached within a call of {shown:?}")
                    } else {
                        format!("the arguments of a call of {shown:?} are no JSON object")
                    },
                ));
            }
            calls.push(ToolCall { id: call.id, name: call.name, arguments });
        }
        let stop = match self.stop {
            Some(Stop::MaxTokens) => Stop::MaxTokens,
            // Some servers say that an answer was complete when it calls tools.
            _ if !calls.is_empty() => Stop::ToolCalls,
            _ => Stop::End,
        };
        Ok((std::mem::take(&mut self.text), calls, stop))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn whole() -> Assembly {
        Assembly { whole: true, ..Assembly::default() }
    }

    #[test]
    fn pieces_of_several_calls_find_together() {
        let mut assembly = whole();
        for (index, id, name, arguments) in [
            (Some(0), Some("a"), Some("find"), ""),
            (Some(1), Some("b"), Some("keep"), "{"),
            (Some(0), None, None, "{\"q\": "),
            (Some(1), None, None, "}"),
            (Some(0), None, None, "\"cat\"}"),
        ] {
            assembly.add_call(index, id, name, arguments).expect("taken");
        }
        let (_, calls, stop) = assembly.finish().expect("an answer");
        assert_eq!(stop, Stop::ToolCalls);
        assert_eq!(calls[0].arguments, json!({"q": "cat"}));
        assert_eq!((calls[1].name.as_str(), &calls[1].arguments), ("keep", &json!({})));
    }

    #[test]
    fn calls_are_told_apart_where_the_server_numbers_them_badly() {
        for index in [None, Some(0)] {
            let mut assembly = whole();
            assembly.add_call(index, Some("a"), Some("find"), "{}").expect("taken");
            assembly.add_call(index, Some("b"), Some("find"), "{\"k\":").expect("taken");
            assembly.add_call(index, None, None, "1}").expect("taken");
            let (_, calls, _) = assembly.finish().expect("an answer");
            assert_eq!(calls.len(), 2);
            assert_eq!(calls[1].arguments, json!({"k": 1}));
        }
    }

    #[test]
    fn what_is_no_answer_is_told_apart() {
        let kind = |mut assembly: Assembly| assembly.finish().expect_err("no answer").kind;
        assert_eq!(kind(whole()), FailureKind::Empty);
        assert_eq!(kind(Assembly { text: " \n".into(), ..whole() }), FailureKind::Empty);
        assert_eq!(
            kind(Assembly { text: "half an".into(), ..Assembly::default() }),
            FailureKind::Truncated
        );
        for arguments in ["{\"q\": ", "[1]", "nonsense"] {
            let mut assembly = whole();
            assembly.add_call(None, None, Some("find"), arguments).expect("taken");
            assert_eq!(kind(assembly), FailureKind::Malformed);
        }
        let mut assembly = whole();
        assert!(assembly.add_call(Some(3), None, None, "{}").is_err());
        let many = (0..100).try_for_each(|i| assembly.add_call(Some(i), None, Some("x"), ""));
        assert_eq!(many.expect_err("too many").kind, FailureKind::TooLarge);
    }
}
