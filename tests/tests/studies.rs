//! The shipped studies: a slice of each at size `test` gives what it gave, and the reports of docs/studies, made at full size,
//! are those of today's study files, with a reason for each number that differs.

use crate::data::each;
use reconverge::interruption::Interruption;
use reconverge::study::SOURCES;
use reconverge::study::catalogue::STUDIES;
use reconverge::study::file::StudyFile;
use reconverge::study::plan::{Plan, Request};
use reconverge::study::provenance::digest;
use reconverge_tests::slice::Slice;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Points of each study that the suite knows, about.
const POINTS: usize = 5;

/// The approximate number of commits that run all of these points.
const PARTS: u64 = 3;

/// Numbers of sources that ours differ from, in the reports, without a reason in the study file.
const UNEXPLAINED: usize = 3;

/// The seed that selects these points.
const SEED: &str = "1";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn file(name: &str) -> StudyFile {
    let (text, called, _) = STUDIES.read(name).expect("it is built in");
    StudyFile::read(&called, &text).expect("it is a study")
}

/// The shipped studies, but for those that need a reference: the times of a GPU.
fn shipped() -> Vec<String> {
    let needs_none = |name: &String| !file(name).needs_reference().expect("good");
    STUDIES.names().into_iter().filter(needs_none).collect()
}

/// True if a point is in the slice of a study of `points` points.
fn is_chosen(study: &str, program: &str, configuration: &str, points: usize) -> bool {
    let digest = digest(format!("{SEED} {study} {program} {configuration}").as_bytes());
    let number = usize::from_str_radix(&digest[..8], 16).expect("it is hexadecimal");
    number.is_multiple_of(points.div_ceil(POINTS))
}

/// The known points of a study: name and result as a line. Points that are not in the slice have no
/// result.
fn known(study: &str, slice: &Slice) -> Result<Vec<(String, Option<String>)>, String> {
    let request = Request { size: Some("test".to_owned()), ..Request::default() };
    let plan = Plan::new(file(study), &request).map_err(|error| format!("{error:#}"))?;
    let points = plan.programs.len() * plan.configurations.len();
    let mut lines = Vec::new();
    for (program, row) in plan.programs.iter().zip(&plan.points) {
        let run = |at: usize| row[at].run(&Interruption::default()).expect("it is not interrupted");
        // Several points of a program have one baseline.
        let mut outcomes = BTreeMap::new();
        for (at, configuration) in plan.configurations.iter().enumerate() {
            if !is_chosen(study, &program.name, &configuration.label, points) {
                continue;
            }
            let called = format!("{study}: {}, {}", program.name, configuration.label);
            if !slice.has(&called) {
                lines.push((called, None));
                continue;
            }
            for at in [configuration.baseline, at] {
                outcomes.entry(at).or_insert_with(|| run(at));
            }
            let (base, outcome) = (&outcomes[&configuration.baseline], &outcomes[&at]);
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
            let line = format!("{called}: {cycles} cycles, {instructions} warp instructions");
            lines.push((called, Some(line)));
        }
    }
    if lines.is_empty() { Err(format!("{study}: no point was chosen")) } else { Ok(lines) }
}

/// The points of `tests/data/studies.txt` that the commit chooses give their known results, and no
/// point is missing.
#[test]
fn a_slice_of_each_gives_what_it_gave() {
    let slice = Slice::of(PARTS).unwrap();
    println!("{slice}");
    let found = Mutex::new(BTreeMap::new());
    each(&shipped(), |study| {
        let lines = known(study, &slice)?;
        found.lock().expect("no thread panicked").insert(study.to_string(), lines);
        Ok(())
    });
    let found: Vec<_> =
        found.into_inner().expect("no thread panicked").into_values().flatten().collect();
    let path = root().join("tests/data/studies.txt");
    if std::env::var_os("RECONVERGE_BLESS").is_some() {
        let lines = found.iter().filter_map(|(_, line)| line.as_ref());
        std::fs::write(&path, lines.map(|line| format!("{line}\n")).collect::<String>()).unwrap();
        return;
    }
    let text = std::fs::read_to_string(&path).unwrap();
    let mut wrong = Vec::new();
    let mut lines = text.lines();
    for (called, line) in &found {
        let stood = lines.next().unwrap_or_default();
        let is_same = match line {
            Some(line) => stood == line,
            None => stood.starts_with(&format!("{called}: ")),
        };
        if !is_same {
            wrong.push(format!("{stood}\n  is now {}", line.as_ref().unwrap_or(called)));
        }
    }
    wrong.extend(lines.map(|line| format!("{line}\n  is no known point")));
    assert!(
        wrong.is_empty(),
        "{slice}: tests/data/studies.txt differs; read, then accept with \
         RECONVERGE_BLESS=1 cargo test -p reconverge-tests studies::\n{}",
        wrong.join("\n")
    );
}

/// A cell of a Markdown table in the form of a report.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// A report may be older than the sources between releases; the test names those that are.
#[test]
fn a_release_has_reports_of_its_sources() {
    let is_stale = |study: &String| {
        let path = root().join(format!("docs/studies/{study}.md"));
        let report = std::fs::read_to_string(path).unwrap_or_default();
        !report.contains(&format!("sources `{}`", &SOURCES[..12]))
    };
    let stale: Vec<_> = shipped().into_iter().filter(is_stale).collect();
    println!("older than the sources, until `.ci/full studies` has run: {}", stale.join(", "));
    let is_release = std::env::var_os("RECONVERGE_RELEASE").is_some();
    assert!(!is_release || stale.is_empty(), "{} reports are stale", stale.len());
}

#[test]
fn reports_are_of_todays_study_files() {
    let mut unexplained = 0;
    for study in shipped() {
        let path = root().join(format!("docs/studies/{study}.md"));
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
