//! Exercises of the course: a program passes if its output, statistics and findings are as required.

use crate::build::Checked;
use crate::execute::{self, Setup};
use crate::findings;
use crate::machine_file;
use crate::model_name::ModelName;
use crate::refused::Refused;
use crate::report::{Number, numbers};
use crate::study::catalogue::EXERCISES;
use crate::study::provenance::digest;
use anyhow::{Context, Result, bail, ensure};
use reconverge_host::interruption::Interruption;
use reconverge_host::report::Outcome;
use reconverge_host::sandbox::Sandbox;
use reconverge_isa::nearest::hint;
use reconverge_simulator::{Machine, Statistics, declarations};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The version of the shape of [`Grade`]'s JSON; raised when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 1;

/// An exercise, as its file states it.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Exercise {
    /// The version of the file's format: 1.
    schema: u32,
    /// The heading.
    pub title: String,
    /// The page of the course.
    pub page: String,
    /// The task in a few sentences.
    pub task: String,
    /// The program to begin with, beside the exercise's file.
    pub start: String,
    /// The machine, by name or file.
    #[serde(default = "gtx480")]
    machine: String,
    /// Settings of the machine: `KEY=VALUE`.
    #[serde(default)]
    settings: Vec<String>,
    /// The arguments of the program.
    #[serde(default)]
    arguments: Vec<String>,
    /// SHA-256 of the expected standard output, hexadecimal.
    output: String,
    /// By statistic, all launches together: its largest permitted value.
    #[serde(default)]
    most: BTreeMap<String, f64>,
    /// By statistic, all launches together: its smallest permitted value.
    #[serde(default)]
    least: BTreeMap<String, f64>,
    /// Findings that the program must not have, by their rules.
    #[serde(default)]
    absent: Vec<String>,
}

fn gtx480() -> String {
    "gtx480".to_owned()
}

/// The result of a program in an exercise.
#[derive(Serialize, Debug)]
pub struct Grade {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The exercise's title.
    pub exercise: String,
    /// The program's file.
    pub program: String,
    /// True if all requirements are met.
    pub passed: bool,
    /// The requirements in order.
    pub requirements: Vec<Requirement>,
}

/// A requirement, with what was measured.
#[derive(Serialize, Debug)]
pub struct Requirement {
    /// `status`, `output`, a statistic, or a finding.
    pub name: String,
    /// True if it is met.
    pub passed: bool,
    /// A phrase: the value, and the required one.
    pub text: String,
}

impl Exercise {
    /// Reads an exercise by name or file.
    ///
    /// # Errors
    /// There is none, or its file is faulty: a wrong key, an unknown statistic or finding.
    pub fn read(name: &str) -> Result<Exercise> {
        let (text, place, _) = EXERCISES.read(name)?;
        Exercise::parse(&text).with_context(|| format!("`{place}`"))
    }

    fn parse(text: &str) -> Result<Exercise> {
        let exercise: Exercise = toml::from_str(text)?;
        ensure!(exercise.schema == 1, "`schema` is {}; it must be 1", exercise.schema);
        let known: Vec<&str> = declarations().map(|it| it.name).collect();
        for statistic in exercise.most.keys().chain(exercise.least.keys()) {
            if !known.contains(&statistic.as_str()) {
                let near = hint(statistic, known.iter().copied());
                bail!("there is no statistic `{statistic}`{near}; see `list statistics`");
            }
        }
        let rules: Vec<&str> = findings::rules().iter().map(|rule| rule.name()).collect();
        for finding in &exercise.absent {
            if !rules.contains(&finding.as_str()) {
                bail!("there is no finding `{finding}`; known: {}", rules.join(", "));
            }
        }
        Ok(exercise)
    }

    /// The machine that the program runs on.
    ///
    /// # Errors
    /// It does not exist, or a setting is wrong.
    pub fn machine(&self) -> Result<Machine> {
        let pair = |text: &String| {
            let (key, value) = text
                .split_once('=')
                .with_context(|| format!("the setting `{text}` has no `=`; write `KEY=VALUE`"))?;
            Ok((key.to_owned(), value.to_owned()))
        };
        let sets = self.settings.iter().map(pair).collect::<Result<Vec<_>>>()?;
        Ok(machine_file::read(&self.machine, Path::new(""), &sets)?.0.machine)
    }

    /// Runs a program and compares. Its output is not shown.
    ///
    /// # Errors
    /// The program does not compile.
    pub fn grade<'a>(
        &self,
        name: &str,
        checked: &'a Checked,
        machine: &Machine,
        sandbox: Sandbox,
        interruption: Interruption,
    ) -> Result<(Grade, Outcome), Refused<'a>> {
        let program = std::iter::once(name.to_owned());
        let setup = Setup {
            profile: true,
            arguments: program.chain(self.arguments.iter().cloned()).collect(),
            sandbox,
            interruption,
            ..Setup::new(machine, ModelName::Timing)
        };
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let lowered = execute::lower_once(checked, &setup)?;
        let watch = &mut |_: &str, _: &_| {};
        let run =
            execute::execute_lowered(checked, &lowered, &setup, &mut output, &mut errors, watch)?;
        let mut whole = Statistics::default();
        let measured = run.records.iter().filter_map(|record| record.statistics.as_ref());
        measured.for_each(|statistics| whole.append(statistics));
        let mut requirements = vec![status(&run.outcome), self.output(&output)];
        requirements.extend(self.bounds(&whole));
        let found = findings::findings(&run.records, &lowered, machine, &checked.sources);
        requirements.extend(self.absent.iter().map(|rule| absent(rule, &found)));
        Ok((self.result(name, requirements), run.outcome))
    }

    /// The grade of a program that does not compile.
    pub fn refused(&self, name: &str) -> Grade {
        let text = "it does not compile".to_owned();
        self.result(name, vec![Requirement { name: "status".to_owned(), passed: false, text }])
    }

    fn result(&self, name: &str, requirements: Vec<Requirement>) -> Grade {
        Grade {
            schema: SCHEMA,
            exercise: self.title.clone(),
            program: name.to_owned(),
            passed: requirements.iter().all(|requirement| requirement.passed),
            requirements,
        }
    }

    fn output(&self, output: &[u8]) -> Requirement {
        let digest = digest(output);
        let passed = digest == self.output;
        let text = match passed {
            true => "as expected".to_owned(),
            false => format!("not the expected one; its SHA-256 is {digest}"),
        };
        Requirement { name: "output".to_owned(), passed, text }
    }

    fn bounds(&self, statistics: &Statistics) -> Vec<Requirement> {
        let values = numbers(statistics, None);
        let value = |name: &str| match values.get(name) {
            Some(Number::Counter(count)) => Some(*count as f64),
            Some(Number::Ratio(ratio)) => Some(*ratio),
            None => None,
        };
        let check = |(name, bound): (&String, &f64), is_most: bool| {
            let found = value(name);
            let keeps = |found: f64| if is_most { found <= *bound } else { found >= *bound };
            let limit = if is_most { "at most" } else { "at least" };
            let found_text = found.map_or("no value".to_owned(), readable);
            Requirement {
                name: name.clone(),
                passed: found.is_some_and(keeps),
                text: format!("{found_text}; {limit} {}", readable(*bound)),
            }
        };
        let most = self.most.iter().map(|bound| check(bound, true));
        most.chain(self.least.iter().map(|bound| check(bound, false))).collect()
    }
}

/// The program must end with status 0.
fn status(outcome: &Outcome) -> Requirement {
    let (passed, text) = match outcome {
        Outcome::Exit(0) => (true, "0".to_owned()),
        Outcome::Exit(_) => (false, format!("{}; it must be 0", outcome.status())),
        _ => (false, "the program was stopped".to_owned()),
    };
    Requirement { name: "status".to_owned(), passed, text }
}

/// A finding must be absent.
fn absent(rule: &str, found: &[findings::Finding]) -> Requirement {
    let first = found.iter().find(|finding| finding.rule == rule);
    Requirement {
        name: rule.to_owned(),
        passed: first.is_none(),
        text: match first {
            None => "absent".to_owned(),
            Some(it) if it.line == 0 => format!("`{}`: {}", it.kernel, it.message),
            Some(it) => format!("{}:{}: {}", it.file, it.line, it.message),
        },
    }
}

/// A number with its thousands apart, or with three decimals.
fn readable(number: f64) -> String {
    match number.fract() == 0.0 && (0.0..1e15).contains(&number) {
        true => crate::numbers::grouped(number as u64),
        false => format!("{number:.3}"),
    }
}

impl Grade {
    /// The grade as text, a line per requirement.
    pub fn text(&self) -> String {
        let verdict = if self.passed { "passed" } else { "not passed" };
        let width = self.requirements.iter().map(|it| it.name.len()).max().unwrap_or(0);
        let lines = self.requirements.iter().map(|requirement| {
            let mark = if requirement.passed { "ok    " } else { "failed" };
            format!("  {mark}  {:width$}  {}\n", requirement.name, requirement.text)
        });
        format!("{}: {verdict}\n{}", self.exercise, lines.collect::<String>())
    }
}
