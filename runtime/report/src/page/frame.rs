//! The common parts of all pages.

use anyhow::{Context, Result};
use minijinja::{AutoEscape, Environment, Value};
use reconverge_compiler::diagnostic::printable;

/// The style of all pages.
pub const STYLE: &str = include_str!("style.css");

/// The templates that others are made of: the frame with its style, and macros.
const PARTS: [(&str, &str); 3] = [
    ("frame", include_str!("frame.html")),
    ("style", STYLE),
    ("parts", include_str!("parts.html")),
];

/// The text of a page: a template that extends `frame`, with its values. All values are escaped
/// except those that the template marks `safe`. Characters that a browser or a terminal would obey
/// are replaced.
///
/// # Errors
/// The template does not fit its values.
pub fn render(template: &str, shown: Value) -> Result<String> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    for (name, text) in PARTS.into_iter().chain([("page", template)]) {
        environment.add_template(name, text).with_context(|| format!("the template `{name}`"))?;
    }
    let page = environment.get_template("page").context("the page's template")?;
    let text = page.render(shown).context("the page's template")?;
    let text = printable(&text).replace('\r', "").replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}");
    Ok(text + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use minijinja::context;

    #[test]
    fn what_is_shown_is_escaped_and_obeyed_by_no_one() {
        let template = "{% extends \"frame\" %}{% block title %}{{ a }}{% endblock %}\
                        {% block body %}<p title=\"{{ a }}\">{{ a }}</p>{% endblock %}";
        let text = "<script>'&\"\u{202e}\u{1b}[2J\r\nß";
        let page = render(template, context! { a => text }).unwrap();
        assert!(!page.contains("<script>") && !page.contains(['\u{1b}', '\u{202e}', '\r']));
        assert_eq!(page.matches("&lt;script&gt;&#x27;&amp;&quot;").count(), 3, "{page}");
        assert!(page.contains('ß') && page.ends_with("</html>\n"));
    }
}
