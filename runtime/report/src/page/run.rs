//! The page of `run` and `launch`: one program, once.

use super::flow_graph::{self, GraphPart};
use super::frame::render;
use super::header::Header;
use super::kernels::{self, KernelPart};
use super::occupancy::{self, OccupancyPart};
use super::shown_finding::Shown;
use super::slots::{self, Reason};
use super::source_lines::{self, FilePart};
use super::time_line;
use super::waterfall::{self, Waterfall};
use anyhow::Result;
use minijinja::value::Serde;
use minijinja::{Value, context};
use reconverge::findings::{Evidence, Finding};
use reconverge::kernel_record::KernelRecord;
use reconverge_compiler::lower::Lowered;
use reconverge_compiler::syntax::SourceMap;
use reconverge_simulator::{Machine, Statistics};
use serde::Serialize;

const TEMPLATE: &str = include_str!("run.html");

/// A run that a page is about.
pub struct Subject<'a> {
    /// Its head.
    pub header: Header,
    /// The error that stopped the program, over its source; empty if it ended by itself.
    pub stopped: String,
    /// The findings of the run's checks; empty if there are none.
    pub checks: String,
    /// The machine that it ran on.
    pub machine: &'a Machine,
    /// Its launches, with profiles; the last may be one that did not complete.
    pub records: &'a [KernelRecord],
    /// The compiled program.
    pub lowered: &'a Lowered,
    /// Its sources.
    pub sources: &'a SourceMap,
    /// The most expensive parts, most expensive first.
    pub findings: &'a [Finding],
}

/// The values that the template shows.
#[derive(Serialize)]
struct Shape<'a> {
    header: &'a Header,
    stopped: &'a str,
    checks: &'a str,
    findings: Vec<Shown<'a>>,
    waterfalls: Vec<Waterfall>,
    kernels: Vec<KernelPart>,
    reasons: Vec<Reason>,
    files: Vec<FilePart>,
    time_line: Option<String>,
    graphs: Vec<GraphPart>,
    occupancy: Vec<OccupancyPart>,
}

/// The text of the page.
///
/// # Errors
/// The template does not fit, or a drawing cannot be made.
pub fn text(subject: &Subject) -> Result<String> {
    let Subject { machine, records, lowered, sources, .. } = *subject;
    let kernels = Evidence::of_kernels(records, lowered, machine);
    let mut whole = Statistics::default();
    kernels.iter().for_each(|kernel| whole.append(&kernel.statistics));
    let files = &lowered.program.files;
    let shape = Shape {
        header: &subject.header,
        stopped: &subject.stopped,
        checks: &subject.checks,
        findings: subject.findings.iter().map(|finding| Shown::linked(finding, files)).collect(),
        waterfalls: waterfall::parts(records),
        kernels: kernels::parts(&kernels, machine),
        reasons: slots::legend(&whole),
        files: source_lines::files(&kernels, lowered, sources, subject.findings),
        time_line: time_line::svg(records)?,
        graphs: kernels.iter().map(flow_graph::part).collect(),
        occupancy: kernels.iter().map(occupancy::part).collect::<Result<_>>()?,
    };
    render(TEMPLATE, context! { page => Value::from(Serde(&shape)), slots => slots::style() })
}
