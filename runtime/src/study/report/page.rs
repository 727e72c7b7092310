//! `index.html`: the study as one page that needs nothing else.

use super::contents::{Report, reason};
use crate::study::comparison::{Compared, TITLES};
use anyhow::{Context, Result};
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Value, context};

const TEMPLATE: &str = include_str!("page.html");

/// The text of the page, with the charts of the tables.
///
/// # Errors
/// The template does not fit the report.
pub fn text(report: &Report, charts: &[Option<String>]) -> Result<String> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.add_template("page", TEMPLATE).context("the page's template")?;
    // They are text of ours, with what they show escaped.
    let charts: Vec<Value> = charts
        .iter()
        .map(|chart| Value::from_safe_string(chart.clone().unwrap_or_default()))
        .collect();
    let reasons: Vec<String> = report.claims.iter().map(reason).collect();
    let compared: Vec<Vec<Vec<String>>> = report
        .tables
        .iter()
        .map(|table| {
            let compared = table.comparison.iter().flat_map(|of| &of.compared);
            compared.map(Compared::cells).collect()
        })
        .collect();
    let template = environment.get_template("page").context("the page's template")?;
    let report = Value::from(Serde(report));
    let text = template.render(context! { report, charts, reasons, compared, titles => TITLES });
    let text = text.context("the page's template")?;
    Ok(text + "\n")
}
