//! What all pages have in common.

use maud::{DOCTYPE, Markup, html};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};

use super::assets::VERSION;

/// What is written as it is in a part of a path; all else is escaped.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A text as one part of a path.
fn part(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, PLAIN)
}

/// The page of a bot's chat, or of one conversation.
pub fn chat_url(bot: &str, thread: Option<&str>) -> String {
    match thread {
        Some(thread) => format!("/chat/{}/{}", part(bot), part(thread)),
        None => format!("/chat/{}", part(bot)),
    }
}

/// The page of a bot's memories.
pub fn memories_url(bot: &str) -> String {
    format!("/memories/{}", part(bot))
}

/// The REST address of a bot.
pub fn rest_url(bot: &str) -> String {
    format!("/v1/bots/{}", part(bot))
}

fn document(title: &str, script: bool, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Muninn" }
                link rel="stylesheet" href={ "/assets/muninn.css?v=" (*VERSION) };
                link rel="icon" href={ "/assets/icon.svg?v=" (*VERSION) };
                @if script { script src={ "/assets/chat.js?v=" (*VERSION) } defer {} }
            }
            body { (body) }
        }
    }
}

/// A page of a few words.
pub fn plain(title: &str, body: Markup) -> Markup {
    document(title, false, &html! { main.plain { (body) } })
}

/// Where somebody is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the chat.
    Chat,
    /// With the memories.
    Memories,
}

/// A page of a bot, with the way to all others.
pub fn page(
    title: &str,
    bots: &[String],
    bot: &str,
    place: Place,
    aside: &Markup,
    body: &Markup,
) -> Markup {
    let here = |there: bool| there.then_some("page");
    document(
        title,
        true,
        &html! {
            a.skip href="#main" { "To the content" }
            header.top {
                details.menu {
                    summary { span aria-hidden="true" { "☰ " } "Menu" }
                    nav aria-label="Bots and conversations" {
                        @if bots.len() > 1 {
                            h2 { "Bots" }
                            ul {
                                @for one in bots {
                                    li { a href=(chat_url(one, None)) aria-current=[here(one == bot)] { (one) } }
                                }
                            }
                        }
                        (aside)
                        form.quiet method="post" action="/sign-out" { button type="submit" { "Sign out" } }
                    }
                }
                p.brand { (bot) }
                nav.places aria-label="Pages" {
                    a href=(chat_url(bot, None)) aria-current=[here(place == Place::Chat)] { "Chat" }
                    a href=(memories_url(bot)) aria-current=[here(place == Place::Memories)] { "Memories" }
                }
            }
            main #main tabindex="-1" { (body) }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_no_path() {
        assert_eq!(chat_url("a/b", Some("../x?y#z ä")), "/chat/a%2Fb/..%2Fx%3Fy%23z%20%C3%A4");
    }
}
