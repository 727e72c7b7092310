//! `headlines.md`: one line per study, of the first number that its file takes from the source.

use super::contents::{Report, reason};
use super::markdown::table;
use reconverge::study::results::Judged;

/// The line of a study.
#[derive(Debug)]
pub struct Headline {
    title: String,
    size: String,
    /// The first claim of the study's file, if it has any.
    claim: Option<Judged>,
    agreeing: usize,
    judged: usize,
    /// The version and the digest of its sources.
    made_by: String,
}

impl Headline {
    /// The headline of a report.
    pub fn new(report: &Report) -> Headline {
        Headline {
            title: report.title.to_owned(),
            size: report.size.to_owned(),
            claim: report.claims.first().cloned(),
            agreeing: report.agreeing,
            judged: report.judged,
            made_by: format!("{}, `{}`", report.version, &report.tool[..12]),
        }
    }

    fn cells(&self, name: &str) -> Vec<String> {
        let claim = self.claim.as_ref();
        let of = |text: fn(&Judged) -> String| claim.map_or_else(String::new, text);
        let agreeing = match self.judged {
            0 => String::new(),
            judged => format!("{} of {judged}", self.agreeing),
        };
        vec![
            format!("[{}]({name}.md)", self.title),
            of(|claim| format!("{} ({})", claim.about, claim.place)),
            of(|claim| claim.paper_text.clone()),
            of(|claim| claim.ours_text.clone()),
            of(reason),
            agreeing,
            self.size.clone(),
            self.made_by.clone(),
        ]
    }
}

/// The page of all studies, by name, which is beside the short report of each, `NAME.md`.
pub fn headlines(studies: &[(String, Headline)]) -> String {
    let titles =
        ["study", "number", "source", "ours", "why they differ", "agree", "size", "made by"];
    let rows: Vec<_> = studies.iter().map(|(name, line)| line.cells(name)).collect();
    let table = table(&titles.map(str::to_owned), &rows);
    format!(
        "# Studies: headlines\n\n\
         The first number that each study takes from its source, beside ours; its report has all of them.\n\
         `made by` is the version, and the digest of its sources.\n\n{table}"
    )
}
