//! People's texts as light Markdown, never HTML.

use maud::{Markup, PreEscaped, html};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html::push_html};

/// Renders emphasis, lists, quotes and code. Links, pictures, headings and HTML are shown as
/// text.
pub(crate) fn render(text: &str) -> Markup {
    let kept = Parser::new_ext(text, Options::empty()).filter_map(|event| match event {
        Event::Html(raw) | Event::InlineHtml(raw) => Some(Event::Text(raw)),
        Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::HtmlBlock | Tag::MetadataBlock(_))
        | Event::End(TagEnd::Link | TagEnd::Image | TagEnd::HtmlBlock | TagEnd::MetadataBlock(_)) => None,
        Event::Start(Tag::Heading { .. }) => Some(Event::Start(Tag::Paragraph)),
        Event::End(TagEnd::Heading(_)) => Some(Event::End(TagEnd::Paragraph)),
        Event::SoftBreak => Some(Event::HardBreak),
        event => Some(event),
    });
    let mut out = String::new();
    push_html(&mut out, kept);
    html! { (PreEscaped(out)) }
}

/// Renders Markdown that this program wrote, with headings. People's text in it is escaped,
/// and HTML is shown as text here too.
pub(crate) fn render_own(text: &str) -> Markup {
    let kept = Parser::new_ext(text, Options::empty()).map(|event| match event {
        Event::Html(raw) | Event::InlineHtml(raw) => Event::Text(raw),
        event => event,
    });
    let mut out = String::new();
    push_html(&mut out, kept);
    html! { (PreEscaped(out)) }
}

#[cfg(test)]
mod tests {
    use super::render;

    #[test]
    fn light_markdown() {
        assert_eq!(render("*so* **there**").into_string(), "<p><em>so</em> <strong>there</strong></p>\n");
        assert_eq!(render("one\ntwo").into_string(), "<p>one<br />\ntwo</p>\n");
    }

    #[test]
    fn nothing_hostile_comes_through() {
        for hostile in [
            "<script>alert(1)</script>",
            "<iframe srcdoc='<script>1</script>'>",
            "a <img src=x onerror=alert(1)> b",
            "[x](javascript:alert(1))",
            "![x](http://evil.example/x.png)",
            "<svg/onload=alert(1)>",
            "# <b onmouseover=alert(1)>h",
            "```html\"onload=alert(1)\n<script>\n```",
            "<http://evil.example>",
            "&lt;script&gt;<script>",
        ] {
            let out = render(hostile).into_string();
            let tags = out.split('<').skip(1).map(|tag| tag.split(['>', ' ']).next().unwrap_or_default());
            for tag in tags {
                let plain = tag.trim_matches('/');
                let known = ["p", "em", "strong", "ul", "ol", "li", "blockquote", "code", "pre", "br", "hr"];
                assert!(known.contains(&plain), "{hostile:?} gives {out:?}");
            }
            assert!(!out.contains(" on") || !out.contains("<b"), "{out}");
        }
    }
}
