//! `index.html`: the study as one page that needs nothing else.

use super::contents::{Report, reason};
use crate::page::frame::render;
use anyhow::Result;
use minijinja::value::Serde;
use minijinja::{Value, context};
use reconverge::study::comparison::{Compared, TITLES};

const TEMPLATE: &str = include_str!("page.html");

/// The text of the page, with the charts of the tables.
///
/// # Errors
/// The template does not fit the report.
pub fn text(report: &Report, charts: &[Option<String>]) -> Result<String> {
    // They are text of ours, with its values escaped.
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
    let report = Value::from(Serde(report));
    render(TEMPLATE, context! { report, charts, reasons, compared, titles => TITLES })
}
