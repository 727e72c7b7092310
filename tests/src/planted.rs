//! Faults that are planted into programs, to be found by `--check`.
//!
//! A template of `data/planted/kinds` is without faults. A line that ends with `// plant` is
//! needed; `// plant CODE: TEXT` has the text that replaces it when the fault is planted, and the
//! expected finding.

use crate::generate::Random;
use crate::oracle::NoFiles;
use reconverge::build;
use reconverge::checks::{Check, CheckSet};
use reconverge::execute::{ModelName, Setup, execute};
use reconverge_compiler::diagnostic::{self, Diagnostic};
use reconverge_compiler::pass::Level;
use reconverge_simulator::load_machine;
use std::path::Path;

/// A program, to be compiled with the macros of a [`Shape`].
#[derive(Clone, Debug)]
pub struct Template {
    /// The file's name.
    pub name: String,
    text: String,
}

/// A line of a template that can be made a fault.
#[derive(Clone, Debug)]
pub struct Plant {
    /// Index of its template.
    pub template: usize,
    line: usize,
    instead: String,
    /// The code of a finding that shows it; any if there is none.
    code: Option<String>,
}

/// The options for compiling and running a template.
#[derive(Clone, Debug)]
pub struct Shape {
    ty: &'static str,
    block: usize,
    blocks: usize,
    lane: usize,
    machine: &'static str,
    model: ModelName,
    level: Level,
}

/// The templates, by name.
///
/// # Errors
/// They cannot be read.
pub fn templates() -> Result<Vec<Template>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/planted/kinds");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{folder:?}: {error}"))?;
    let mut paths: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{path:?}: {error}"))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Template { name, text })
    };
    paths.iter().map(read).collect()
}

/// Every line of the templates that can be made a fault.
pub fn plants(templates: &[Template]) -> Vec<Plant> {
    let mut found = Vec::new();
    for (template, of) in templates.iter().enumerate() {
        for (line, text) in of.text.lines().enumerate() {
            let Some((_, rest)) = text.split_once("// plant") else {
                continue;
            };
            let (code, instead) = match rest.trim().split_once(':') {
                Some((code, instead)) => (Some(code.to_owned()), instead.to_owned()),
                None => (None, ";".to_owned()),
            };
            found.push(Plant { template, line, instead, code });
        }
    }
    found
}

impl Shape {
    /// The shape of a number.
    pub fn of(number: u64) -> Shape {
        let mut random = Random::new(number);
        Shape {
            ty: random.pick(&["float", "int", "double", "short", "unsigned"]),
            block: [32, 64, 96, 128, 256][random.below(5)],
            blocks: 2 + random.below(5),
            lane: random.below(31),
            machine: random.pick(&["gtx480", "gtx480", "fx5800", "v100"]),
            model: [ModelName::Functional, ModelName::Functional, ModelName::Timing]
                [random.below(3)],
            level: [Level::Full, Level::Basic, Level::None][random.below(3)],
        }
    }
}

impl Template {
    /// Returns the findings of `--check all` in a template of a shape, with a fault or without.
    ///
    /// # Errors
    /// It does not compile or run.
    pub fn findings(
        &self,
        plant: Option<&Plant>,
        shape: &Shape,
    ) -> Result<Vec<Diagnostic>, String> {
        let at = |(number, text): (usize, &str)| match plant {
            Some(plant) if plant.line == number => format!("{}\n", plant.instead),
            _ => format!("{text}\n"),
        };
        let text: String = self.text.lines().enumerate().map(at).collect();
        let number = |number: usize| number.to_string();
        let definitions = [
            ("T", shape.ty.to_owned()),
            ("BLOCK", number(shape.block)),
            ("BLOCKS", number(shape.blocks)),
            ("LANE", number(shape.lane)),
        ];
        let definitions = definitions.map(|(name, value)| (name.to_owned(), value));
        let checked = build::check(&self.name, &text, &definitions, &mut NoFiles);
        let machine = load_machine(shape.machine, &[])?;
        let mut setup = Setup::new(&machine, shape.model);
        setup.max_cycles = Some(2_000_000);
        setup.options.level = shape.level;
        setup.checks = CheckSet::new(&[Check::All]);
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let run = execute(&checked, &setup, &mut output, &mut errors, &mut |_, _| {});
        run.map(|run| run.findings.shown).map_err(|refused| refused.render(false))
    }

    /// Findings as text.
    pub fn render(&self, found: &[Diagnostic]) -> String {
        let lines = found.iter().map(|it| format!("{}: {}\n", it.code.id(), it.message));
        format!("{}:\n{}", self.name, lines.collect::<String>())
    }
}

impl Plant {
    /// Returns true if the findings show the fault.
    pub fn is_found(&self, found: &[Diagnostic]) -> bool {
        let is_it = |it: &Diagnostic| match self.code.as_deref() {
            // Threads of one warp or of several, as blocks are large.
            Some("R0101") => ["R0101", "R0110"].contains(&it.code.id()),
            Some(code) => it.code.id() == code,
            None => it.severity == diagnostic::Severity::Error,
        };
        found.iter().any(is_it)
    }

    /// The fault as text.
    pub fn describe(&self, templates: &[Template], shape: &Shape) -> String {
        let name = &templates[self.template].name;
        format!("{name}:{} {:?} {shape:?}", self.line + 1, self.instead.trim())
    }
}

/// The result of looking for faults.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// Faults that were planted.
    pub planted: usize,
    /// The faults that were not found.
    pub missed: Vec<String>,
    /// Findings in programs without a fault.
    pub alarms: Vec<String>,
}

/// Plants the faults of some numbers, and runs each of their templates without a fault.
///
/// # Errors
/// A template that does not compile or run.
pub fn look(numbers: impl Iterator<Item = u64>) -> Result<Counted, String> {
    use rayon::prelude::*;
    let templates = templates()?;
    let plants = plants(&templates);
    let one = |number: u64| -> Result<(Option<String>, Option<String>), String> {
        let plant = &plants[number as usize % plants.len()];
        let template = &templates[plant.template];
        let shape = Shape::of(number);
        let place = |error| format!("{}: {error}", plant.describe(&templates, &shape));
        let found = template.findings(Some(plant), &shape).map_err(place)?;
        let missed = (!plant.is_found(&found)).then(|| plant.describe(&templates, &shape));
        let found = template.findings(None, &shape).map_err(place)?;
        let alarm = (!found.is_empty()).then(|| format!("{shape:?} {}", template.render(&found)));
        Ok((missed, alarm))
    };
    let numbers: Vec<u64> = numbers.collect();
    let done = numbers.par_iter().map(|&number| one(number)).collect::<Result<Vec<_>, _>>()?;
    let planted = done.len();
    let (missed, alarms): (Vec<_>, Vec<_>) = done.into_iter().unzip();
    Ok(Counted {
        planted,
        missed: missed.into_iter().flatten().collect(),
        alarms: alarms.into_iter().flatten().collect(),
    })
}
