//! The contents of a report, independent of its form.

use anyhow::Result;
use reconverge::study::plan::{Configuration, Plan};
use reconverge::study::point::Kernel;
use reconverge::study::reference::Reference;
use reconverge::study::results::{Complaint, Judged, Results, Table, agreement};
use reconverge::study::{SOURCES, VERSION};
use serde::Serialize;

/// The version of `study.json`'s shape; raised when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 1;

/// A study as it is written.
#[derive(Serialize)]
pub struct Report<'a> {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Its heading.
    pub title: &'a str,
    /// Paper and chapter.
    pub source: &'a str,
    /// Its subject, in Markdown.
    pub about: &'a str,
    /// The version that wrote it.
    pub version: &'static str,
    /// The digest of that version's sources.
    pub tool: &'static str,
    /// The size of the programs.
    pub size: &'a str,
    /// The configuration that others are compared with.
    pub baseline: &'a str,
    /// The settings of each configuration.
    pub configurations: Vec<Column<'a>>,
    /// The programs with their descriptions.
    pub programs: Vec<Measured<'a>>,
    /// Programs without this size: (name, why).
    pub left_out: &'a [(String, String)],
    /// The measurements of others.
    pub reference: Option<&'a Reference>,
    /// The source's claims, judged.
    pub claims: Vec<Judged>,
    /// Claims that have a number of ours.
    pub judged: usize,
    /// Claims that agree.
    pub agreeing: usize,
    /// Tables.
    pub tables: Vec<Table>,
    /// The errors.
    pub complaints: Vec<Complaint>,
}

/// A configuration as it is written.
#[derive(Serialize)]
pub struct Column<'a> {
    /// Its label.
    pub label: &'a str,
    /// Its settings beyond those that all share.
    pub settings: &'a [String],
}

/// A program as it is written.
#[derive(Serialize)]
pub struct Measured<'a> {
    /// Its name.
    pub name: &'a str,
    /// The file of its page, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// Its description.
    pub title: &'a str,
    /// After which public program.
    pub origin: &'a str,
    /// The reason to measure it.
    #[serde(skip)]
    pub pattern: &'a str,
    /// The works that measure it.
    #[serde(skip)]
    pub sources: &'a [String],
    /// Its arguments.
    pub arguments: &'a [String],
    /// Options of the compiler that belong to its size.
    pub compile: &'a [String],
    /// Its kernels in the baseline's configuration; none if that run went wrong.
    #[serde(skip)]
    pub kernels: &'a [Kernel],
}

impl<'a> Report<'a> {
    /// Everything that is to be written.
    ///
    /// # Errors
    /// An expression of the study is wrong.
    pub fn new(results: &Results<'a>) -> Result<Report<'a>> {
        let plan: &'a Plan = results.plan;
        let claims = results.claims()?;
        let (judged, agreeing) = agreement(&claims);
        let column = |one: &'a Configuration| Column { label: &one.label, settings: &one.settings };
        let baseline = plan.configurations.first().map_or(0, |first| first.baseline);
        let all = plan.programs.iter().zip(&plan.points).zip(&results.outcomes);
        let programs = all.map(|((program, points), outcomes)| Measured {
            name: &program.name,
            page: plan.file.pages.then(|| page_name(&program.name)),
            title: &program.entry.title,
            origin: &program.entry.origin,
            pattern: &program.entry.pattern,
            sources: &program.entry.sources,
            arguments: points.first().map_or(&[], |point| &point.provenance.arguments),
            compile: points.first().map_or(&[], |point| &point.provenance.compile),
            kernels: outcomes[baseline].map_or(&[], |outcome| &outcome.kernels),
        });
        Ok(Report {
            schema: SCHEMA,
            title: &plan.file.title,
            source: &plan.file.source,
            about: plan.file.about.trim(),
            version: VERSION,
            tool: SOURCES,
            size: &plan.size,
            baseline: &plan.configurations[baseline].label,
            configurations: plan.configurations.iter().map(column).collect(),
            programs: programs.collect(),
            left_out: &plan.left_out,
            reference: plan.reference.as_ref(),
            claims,
            judged,
            agreeing,
            tables: results.tables()?,
            complaints: results.complaints(),
        })
    }
}

/// The file of a table's chart.
pub fn chart_name(at: usize) -> String {
    format!("figure-{}.svg", at + 1)
}

/// The file of a program's page; a name may have a folder.
fn page_name(program: &str) -> String {
    format!("programs/{}.md", program.replace('/', "-"))
}

/// The reason of a claim, marked if it was written for another number.
pub fn reason(claim: &Judged) -> String {
    match (&claim.reason, &claim.stale) {
        (Some(reason), Some(number)) => format!("(stale: written for {number}) {reason}"),
        (Some(reason), None) => reason.clone(),
        (None, _) => String::new(),
    }
}
