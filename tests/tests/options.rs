//! Each mechanism and each of its options has a program in which it matters: docs/mechanisms.md
//! names the program and the difference.

use crate::data::{each, generated_lines, generated_table};
use reconverge::interruption::Interruption;
use reconverge::study::file::StudyFile;
use reconverge::study::plan::{Plan, Request};
use reconverge::study::point::Point;
use reconverge_simulator::mechanisms;
use reconverge_tests::slice::Slice;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

/// `tests/data/options.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    row: Vec<Row>,
}

/// A slot or an option with values between which a program tells.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
struct Row {
    /// The key of the setting.
    key: String,
    /// Two values or more.
    values: Vec<String>,
    /// A workload; at size `test`. With `*` the test names the workloads in which it matters most.
    program: String,
    /// The settings for all values.
    #[serde(default)]
    settings: Vec<String>,
    /// The machine.
    #[serde(default = "gtx480")]
    machine: String,
    /// The statistic that tells.
    #[serde(default = "cycles")]
    counter: String,
}

fn cycles() -> String {
    "cycles".to_owned()
}

fn gtx480() -> String {
    "gtx480".to_owned()
}

/// The approximate number of commits that run all rows.
const PARTS: u64 = 8;

/// A mechanism or an option matters if cycles, or another counter, differ by this share.
const MATTERS: f64 = 0.01;

fn rows() -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/options.toml");
    let text = std::fs::read_to_string(path).expect("it is there");
    toml::from_str::<Rows>(&text).expect("it is TOML").row
}

/// The runs of a row: by program, by value.
fn plan(row: &Row) -> Result<Plan, String> {
    let text = format!(
        "schema = 1\ntitle = \"one\"\nmachine = {:?}\nsettings = {:?}\n[programs]\nall = [{:?}]\n[vary]\n{:?} = {:?}\n",
        row.machine, row.settings, row.program, row.key, row.values
    );
    let complain = |error: anyhow::Error| format!("{}: {error:#}", row.key);
    let file = StudyFile::read("a row", &text).map_err(complain)?;
    let request = Request { size: Some("test".to_owned()), ..Request::default() };
    Plan::new(file, &request).map_err(complain)
}

/// The counter of a program of a row with each value.
fn counts(row: &Row, points: &[Point]) -> Result<Vec<u64>, String> {
    let run = |point: &Point| {
        let outcome = point.run(&Interruption::default()).expect("it is not interrupted");
        if !outcome.is_good() {
            return Err(format!("{}: {}", row.key, outcome.report));
        }
        let count = outcome.statistics[&row.counter].as_u64();
        count.ok_or_else(|| format!("{}: {} is no counter", row.key, row.counter))
    };
    points.iter().map(run).collect()
}

/// The ratio of the largest to the smallest count.
fn ratio(counts: &[u64]) -> f64 {
    let (least, most) = (counts.iter().min(), counts.iter().max());
    least.zip(most).map_or(1.0, |(least, most)| *most as f64 / (*least as f64).max(1.0))
}

/// The workloads in which a row's setting matters most, to name one in place of `*`.
fn suggestions(row: &Row) -> Result<String, String> {
    let plan = plan(row)?;
    let found = Mutex::new(Vec::new());
    let numbers: Vec<usize> = (0..plan.programs.len()).collect();
    each(&numbers, |&number| {
        // A program that the setting refuses is no suggestion.
        if let Ok(counts) = counts(row, &plan.points[number]) {
            let found = &mut *found.lock().expect("no thread panicked");
            found.push((ratio(&counts), plan.programs[number].name.clone(), counts));
        }
        Ok(())
    });
    let mut found = found.into_inner().expect("no thread panicked");
    found.sort_by(|(a, first, _), (b, second, _)| b.total_cmp(a).then(first.cmp(second)));
    let lines = found.iter().take(8).map(|(_, name, counts)| format!("\n  {name}: {counts:?}"));
    Ok(format!("`{}` matters most in{}", row.key, lines.collect::<String>()))
}

#[test]
fn each_has_a_program() {
    let rows = rows();
    let mut missing = Vec::new();
    for mechanism in mechanisms() {
        let alone = mechanisms().iter().filter(|other| other.slot == mechanism.slot).count() == 1;
        let is_slot = |key: &str| key.rsplit('.').next() == Some(mechanism.slot);
        let shown =
            |row: &&Row| is_slot(&row.key) && row.values.iter().any(|name| name == mechanism.name);
        if !alone && !rows.iter().any(|row| shown(&row)) {
            missing.push(format!("{}={}", mechanism.slot, mechanism.name));
        }
        let options =
            mechanism.options.iter().map(|(name, _)| format!("{}.{name}", mechanism.name));
        missing.extend(options.filter(|option| !rows.iter().any(|row| row.key == *option)));
    }
    assert!(missing.is_empty(), "tests/data/options.toml lacks {}", missing.join(", "));
}

/// A line of the table, with its counts or without.
fn line(row: &Row, counts: Option<&[u64]>) -> String {
    let machine = (row.machine != gtx480()).then(|| format!("machine={}", row.machine));
    let with: Vec<String> =
        machine.iter().chain(&row.settings).map(|word| format!("`{word}`")).collect();
    let line = format!("| `{}` | {} | {} | ", row.key, row.program, with.join(" "));
    let Some(counts) = counts else {
        return line;
    };
    let each = row.values.iter().zip(counts).map(|(value, count)| format!("{value}: {count}"));
    let each = each.collect::<Vec<_>>().join(", ");
    match row.counter == cycles() {
        true => format!("{line}{each} |\n"),
        false => format!("{line}{each} (`{}`) |\n", row.counter),
    }
}

/// Each row of the slice tells, by the numbers that docs/mechanisms.md has. The other rows are in the document too.
#[test]
fn the_program_tells() {
    let rows = rows();
    let slice = Slice::of(PARTS).unwrap();
    println!("{slice}");
    let found = Mutex::new(BTreeMap::new());
    let numbers: Vec<usize> =
        (0..rows.len()).filter(|&at| slice.has(&line(&rows[at], None))).collect();
    assert!(!numbers.is_empty(), "{slice}");
    each(&numbers, |&number| {
        let row = &rows[number];
        if row.program == "*" {
            return Err(suggestions(row)?);
        }
        let counts = counts(row, &plan(row)?.points[0])?;
        if ratio(&counts) < 1.0 + MATTERS {
            return Err(format!(
                "`{}` does not matter in {}: {counts:?} {}",
                row.key, row.program, row.counter
            ));
        }
        found.lock().expect("no thread panicked").insert(number, counts);
        Ok(())
    });
    let found = found.into_inner().expect("no thread panicked");
    let head = "| setting | program | with | cycles |\n| --- | --- | --- | --- |\n";
    let lines = rows.iter().enumerate();
    let lines = lines.map(|(at, row)| line(row, found.get(&at).map(Vec::as_slice)));
    if slice.is_all() {
        let table = head.to_owned() + &lines.collect::<String>();
        generated_table("docs/mechanisms.md", "tests/tests/options.rs", &table);
        return;
    }
    let table = generated_lines("docs/mechanisms.md", "tests/tests/options.rs");
    let mut known = table.strip_prefix(head).expect("the table's head").split_inclusive('\n');
    for line in lines {
        let stood = known.next().unwrap_or_default();
        let is_same = if line.ends_with('\n') { stood == line } else { stood.starts_with(&line) };
        assert!(
            is_same,
            "docs/mechanisms.md is stale: it has\n{stood}\nin place of\n{line}\nrun with RECONVERGE_BLESS=1"
        );
    }
    assert_eq!(known.next(), None, "docs/mechanisms.md is stale: run with RECONVERGE_BLESS=1");
}
