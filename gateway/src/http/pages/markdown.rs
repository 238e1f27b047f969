//! What models and people write, as HTML that can do nothing.

use std::collections::HashSet;

use ammonia::Builder;
use maud::{Markup, PreEscaped};
use pulldown_cmark::{Event, Options, Parser, html};

/// Markdown as HTML: no script, no style, no picture from elsewhere, links that say
/// nothing of where they come from. HTML in the text is shown as text.
pub fn render(text: &str) -> Markup {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let events = Parser::new_ext(text, options).map(|event| match event {
        Event::Html(html) | Event::InlineHtml(html) => Event::Text(html),
        Event::SoftBreak => Event::HardBreak,
        other => other,
    });
    let mut out = String::new();
    html::push_html(&mut out, events);
    let clean = Builder::default()
        .rm_tags(["img"])
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .link_rel(Some("noopener noreferrer nofollow"))
        .set_tag_attribute_value("a", "target", "_blank")
        .clean(&out)
        .to_string();
    PreEscaped(clean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_do_nothing() {
        for (text, absent) in [
            ("<script>alert(1)</script>", "<script"),
            ("<img src=x onerror=alert(1)>", "<img"),
            ("![x](http://evil.example/pixel.png)", "<img"),
            ("[x](javascript:alert(1))", "javascript"),
            ("[x](data:text/html,x)", "data:"),
            ("<a href='x' onclick='y'>z</a>", "<a href='x'"),
            ("```\n</pre><script>x</script>\n```", "<script"),
            ("<style>*{display:none}</style>", "<style"),
            ("<iframe src=x></iframe>", "<iframe"),
            ("<form action=/sign-out method=post><button>x</button></form>", "<form"),
        ] {
            let html = render(text).into_string().to_lowercase();
            assert!(!html.contains(absent), "{text} became {html}");
        }
    }

    #[test]
    fn what_is_meant_is_shown() {
        let html = render("**bold** and `code`\n\n- a\n- b\n\n| x |\n|---|\n| 1 |").into_string();
        for part in ["<strong>bold</strong>", "<code>code</code>", "<li>a</li>", "<td>1</td>"] {
            assert!(html.contains(part), "{html}");
        }
        assert!(render("a < b").into_string().contains("a &lt; b"));
    }
}
