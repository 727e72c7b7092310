//! The report of a study: Markdown, CSV, JSON, charts, and a page that has them all.

mod chart;
mod contents;
mod headlines;
mod markdown;
pub mod measurements;
mod page;
mod points;
mod program;
mod scatter;

use anyhow::{Context, Result};
use contents::chart_name;
use reconverge::study::results::Results;
use reconverge::study::whole_file;
use std::path::Path;

pub use contents::Report;
pub use headlines::{Headline, headlines};

/// Writes everything into a folder: `study.md`, `short.md`, `study.json`, `points.csv`, `figure-N.svg`,
/// `index.html`, and `programs/NAME.md` if the study requests pages. Returns the written report.
///
/// # Errors
/// An expression of the study is wrong, or a file cannot be written.
pub fn write<'a>(results: &Results<'a>, folder: &Path) -> Result<Report<'a>> {
    let report = Report::new(results)?;
    let charts: Vec<Option<String>> = report
        .tables
        .iter()
        .map(|table| match &table.comparison {
            _ if !table.chart || table.columns.is_empty() => Ok(None),
            Some(comparison) => scatter::scatter(table, comparison),
            None => chart::bars(table).map(Some),
        })
        .collect::<Result<_>>()?;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make `{}`", folder.display()))?;
    let write = |name: &str, text: &str| whole_file::write(&folder.join(name), text.as_bytes());
    write("study.md", &markdown::text(&report, &charts))?;
    write("short.md", &markdown::short(&report))?;
    write("study.json", &(serde_json::to_string_pretty(&report)? + "\n"))?;
    write("points.csv", &points::csv(results)?)?;
    for (at, chart) in charts.iter().enumerate() {
        if let Some(chart) = chart {
            write(&chart_name(at), chart)?;
        }
    }
    if results.plan.file.pages {
        std::fs::create_dir_all(folder.join("programs"))
            .with_context(|| format!("cannot make `{}`", folder.join("programs").display()))?;
    }
    for program in &report.programs {
        if let Some(page) = &program.page {
            write(page, &program::text(&report, program))?;
        }
    }
    write("index.html", &page::text(&report, &charts)?)?;
    Ok(report)
}
