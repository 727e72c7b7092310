//! The shipped studies: a slice of each at size `test` gives what it gave, and the reports of docs/studies, made at full size,
//! are those of today's study files, with a reason for each number that differs.

use crate::data::each;
use reconverge::interruption::Interruption;
use reconverge::study::catalogue;
use reconverge::study::file::StudyFile;
use reconverge::study::plan::{Plan, Request};
use reconverge::study::provenance::digest;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Points of each study that the suite runs, about.
const POINTS: usize = 5;

/// Numbers of sources that ours differ from, in the reports, without a reason in the study file.
const UNEXPLAINED: usize = 3;

/// Which points these are.
const SEED: &str = "1";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn file(name: &str) -> StudyFile {
    let (text, called, _) = catalogue::study(name).expect("it is built in");
    StudyFile::read(&called, &text).expect("it is a study")
}

/// The shipped studies, but for those that need a reference: the times of a GPU.
fn shipped() -> Vec<String> {
    let needs_none = |name: &String| file(name).reference_columns().expect("good").is_empty();
    catalogue::shipped().into_iter().filter(needs_none).collect()
}

/// True if a point is in the slice of a study of so many points.
fn is_chosen(study: &str, program: &str, configuration: &str, points: usize) -> bool {
    let digest = digest(format!("{SEED} {study} {program} {configuration}").as_bytes());
    let number = usize::from_str_radix(&digest[..8], 16).expect("it is hexadecimal");
    number.is_multiple_of(points.div_ceil(POINTS))
}

/// The results of a study's slice: a line for each point.
fn slice(study: &str) -> Result<Vec<String>, String> {
    let request = Request { size: Some("test".to_owned()), ..Request::default() };
    let plan = Plan::new(file(study), &request).map_err(|error| format!("{error:#}"))?;
    let points = plan.programs.len() * plan.configurations.len();
    let mut lines = Vec::new();
    for (program, row) in plan.programs.iter().zip(&plan.points) {
        for (configuration, point) in plan.configurations.iter().zip(row) {
            if !is_chosen(study, &program.name, &configuration.label, points) {
                continue;
            }
            let called = format!("{study}: {}, {}", program.name, configuration.label);
            let run =
                |at: usize| row[at].run(&Interruption::default()).expect("it is not interrupted");
            let base = run(configuration.baseline);
            let outcome = point.run(&Interruption::default()).expect("it is not interrupted");
            if !outcome.is_good() {
                return Err(format!("{called}: {}\n{}", outcome.reason(), outcome.report));
            }
            let same_memory =
                outcome.memory == base.memory || program.entry.schedule_dependent.is_some();
            if outcome.output != base.output || !same_memory {
                return Err(format!("{called}: output or memory is not the baseline's"));
            }
            let [cycles, instructions] =
                ["cycles", "warp_instructions"].map(|name| &outcome.statistics[name]);
            lines.push(format!("{called}: {cycles} cycles, {instructions} warp instructions\n"));
        }
    }
    if lines.is_empty() { Err(format!("{study}: no point was chosen")) } else { Ok(lines) }
}

#[test]
fn a_slice_of_each_gives_what_it_gave() {
    let found = Mutex::new(BTreeMap::new());
    each(&shipped(), |study| {
        let lines = slice(study)?;
        found.lock().expect("no thread panicked").insert(study.to_string(), lines);
        Ok(())
    });
    let lines = found.into_inner().expect("no thread panicked").into_values().flatten();
    insta::assert_snapshot!("slice", lines.collect::<String>());
}

/// A cell of a Markdown table as it stands in a report.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[test]
fn reports_are_of_todays_study_files() {
    let mut unexplained = 0;
    for study in shipped() {
        let path = root().join("docs/studies").join(&study).join("study.md");
        let report = std::fs::read_to_string(&path).unwrap_or_else(|error| {
            panic!("{}: {error}; `.ci/full studies` writes it", path.display())
        });
        let file = file(&study);
        assert!(
            report.starts_with(&format!("# {}\n", file.title)),
            "{study}: the title is another"
        );
        assert!(!report.contains("(stale: "), "{study}: a reason is stale");
        assert!(!report.contains("What went wrong"), "{study}: a run went wrong");
        for figure in &file.figures {
            assert!(
                report.contains(&format!("\n## {}\n", figure.title)),
                "{study}: {}",
                figure.title
            );
        }
        for claim in &file.claims {
            let begins = format!("| {} | {} |", cell(&claim.about), cell(&claim.place));
            let row = report.lines().find(|line| line.starts_with(&begins));
            let row = row.unwrap_or_else(|| panic!("{study}: the report lacks `{}`", claim.about));
            let reason = cell(claim.reason.as_deref().unwrap_or_default());
            assert!(row.ends_with(&format!("| {reason} |")), "{study}: {}: reason", claim.about);
            if row.contains("| **no** |") && reason.is_empty() {
                unexplained += 1;
            }
        }
    }
    assert_eq!(
        unexplained, UNEXPLAINED,
        "numbers that differ without a reason; they may only become fewer"
    );
}
