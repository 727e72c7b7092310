//! The results of a study: figures and claims, made of the statistics of its points.

use super::comparison::Comparison;
use super::engine::Ran;
use super::expression::{CLOCK, Expression, Scope};
use super::file::{Choice, Claim, Figure, Form};
use super::plan::Plan;
use super::point::Outcome;
use anyhow::{Result, anyhow};
use reconverge_isa::nearest::hint;
use serde::Serialize;
use std::collections::BTreeMap;

/// A study with the outcomes of its points.
pub struct Results<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// By program, by configuration; none of a point that is lost or was not run.
    pub outcomes: Vec<Vec<Option<&'a Outcome>>>,
    /// Statistics of those that completed, in the same places.
    values: Vec<Vec<Option<Values>>>,
}

/// The statistics of a point.
struct Values {
    all: BTreeMap<String, f64>,
    kernels: BTreeMap<String, BTreeMap<String, f64>>,
}

impl Values {
    fn of(outcome: &Outcome) -> Values {
        let settings = outcome.provenance.machine.parse::<toml::Table>().unwrap_or_default();
        let clock = settings.get("clock-mhz").and_then(|clock| match clock {
            toml::Value::Integer(whole) => Some(*whole as f64),
            clock => clock.as_float(),
        });
        let values = |statistics| {
            let mut values = values(statistics);
            values.extend(clock.map(|clock| (CLOCK.to_owned(), clock)));
            values
        };
        let kernels = outcome.kernels.iter();
        let kernels = kernels.map(|kernel| (kernel.name.clone(), values(&kernel.statistics)));
        Values { all: values(&outcome.statistics), kernels: kernels.collect() }
    }

    /// The statistics of a kernel, or of all together.
    fn get(&self, kernel: Option<&str>) -> Option<&BTreeMap<String, f64>> {
        match kernel {
            Some(name) => self.kernels.get(name),
            None => Some(&self.all),
        }
    }
}

/// The configuration of a column or a claim.
#[derive(Clone, Debug)]
pub(super) enum Chosen {
    /// One, for all programs.
    One(usize),
    /// For each program one of these, by `KEY=NAME`.
    Value {
        /// The varied key.
        key: String,
        /// [`BEST`], or the name of a choice.
        name: String,
        /// One for each value.
        candidates: Vec<usize>,
    },
}

/// The value with which the baseline takes the fewest cycles.
const BEST: &str = "best";

/// A table.
#[derive(Serialize, Debug, Clone)]
pub struct Table {
    /// Its heading.
    pub title: String,
    /// Its subject, in Markdown.
    pub about: String,
    /// The expression.
    pub value: String,
    /// The form of numbers.
    pub form: Form,
    /// Labels of configurations.
    pub columns: Vec<String>,
    /// Programs by group, each group with its mean as the last row.
    pub groups: Vec<Group>,
    /// True if rows name their largest column.
    pub largest: bool,
    /// True if it has a chart.
    pub chart: bool,
    /// Its agreement with the reference, if it has one.
    pub comparison: Option<Comparison>,
}

/// The programs of a group.
#[derive(Serialize, Debug, Clone)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its programs.
    pub rows: Vec<Row>,
    /// Their mean.
    pub mean: Row,
    /// Its name: `harmonic mean`.
    pub mean_name: &'static str,
}

/// A line of a table.
#[derive(Serialize, Debug, Clone)]
pub struct Row {
    /// The program.
    pub name: String,
    /// Values of the expression, by column.
    pub values: Vec<Option<f64>>,
    /// The values as text: `-` where there is none.
    pub cells: Vec<String>,
    /// The column with the largest value, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub largest: Option<String>,
}

impl Row {
    /// Its cells as texts, with the largest column's name as the last one if requested.
    pub fn texts(&self) -> Vec<String> {
        self.cells.iter().chain(&self.largest).cloned().collect()
    }
}

impl Table {
    /// Headings of the cells of its rows.
    pub fn headings(&self) -> Vec<String> {
        let largest = self.largest.then(|| "largest".to_owned());
        self.columns.iter().cloned().chain(largest).collect()
    }
}

/// A claim of the source beside our measurement.
#[derive(Serialize, Debug, Clone)]
pub struct Judged {
    /// The claim.
    pub about: String,
    /// The place in the source.
    pub place: String,
    /// The source's number, in the claim's form.
    pub paper: f64,
    /// The number as text.
    pub paper_text: String,
    /// Ours.
    pub ours: Option<f64>,
    /// The number as text.
    pub ours_text: String,
    /// Over which programs, and how averaged.
    pub over: String,
    /// True if they agree; none if there is no number of ours.
    pub agrees: Option<bool>,
    /// The rule by which they do.
    pub rule: &'static str,
    /// Why they differ.
    pub reason: Option<String>,
    /// Our number that the reason was written for, if that is not ours any more.
    pub stale: Option<String>,
}

/// A point that went wrong, or whose output or memory is not its baseline's.
#[derive(Serialize, Debug, Clone)]
pub struct Complaint {
    /// The program.
    pub program: String,
    /// The configuration.
    pub configuration: String,
    /// The fault, in a sentence.
    pub what: String,
    /// The diagnostic in full; may be empty.
    pub report: String,
}

impl<'a> Results<'a> {
    /// The results of a run of the plan.
    pub fn new(plan: &'a Plan, ran: &'a Ran) -> Results<'a> {
        let outcome = |point: &super::point::Point| ran.outcomes.get(&point.identity);
        let outcomes: Vec<Vec<_>> =
            plan.points.iter().map(|points| points.iter().map(outcome).collect()).collect();
        let values = |outcome: &Option<&Outcome>| {
            outcome.filter(|outcome| outcome.is_good()).map(Values::of)
        };
        let values = outcomes.iter().map(|row| row.iter().map(values).collect()).collect();
        Results { plan, outcomes, values }
    }

    /// The value of an expression for a program, or a kernel of it, in a configuration by another; none where one of both
    /// has no statistics.
    fn value(
        &self,
        expression: &Expression,
        program: usize,
        kernel: Option<&str>,
        at: usize,
        base: usize,
    ) -> Option<f64> {
        let of = |at: usize| self.values[program][at].as_ref()?.get(kernel);
        let reference = self.plan.reference.as_ref();
        let reference = reference.and_then(|of| of.of(&self.plan.programs[program].name));
        let nothing = BTreeMap::new();
        let reference = reference.unwrap_or(&nothing);
        expression.value(Scope { run: of(at)?, base: of(base)?, reference })
    }

    /// The configurations of a name or label; one in which `KEY=NAME` names a choice means all
    /// values of `KEY`.
    fn chosen(&self, name: &str) -> Option<Chosen> {
        let all = &self.plan.configurations;
        let by_label = all.iter().position(|one| one.label == name);
        if let Some(at) = by_label.or_else(|| all.iter().position(|one| one.name == name)) {
            return Some(Chosen::One(at));
        }
        let parts: Vec<&str> = name.split(", ").collect();
        let is_choice = |name: &str| name == BEST || self.plan.file.chosen.contains_key(name);
        let choice = |part: &str| -> Option<usize> {
            let (key, name) = part.rsplit_once('=')?;
            is_choice(name).then_some(key.len())
        };
        let (key, name) = parts.iter().find_map(|part| Some(part.split_at(choice(part)?)))?;
        let fits = |part: &&str, found: &str| match choice(part) {
            Some(key) => found.starts_with(&part[..=key]),
            None => found == *part,
        };
        let is_of = |at: &usize| {
            let label = &all[*at].label;
            let found: Vec<&str> = label.split(", ").collect();
            found.len() == parts.len() && parts.iter().zip(found).all(|(part, of)| fits(part, of))
        };
        let candidates: Vec<usize> = (0..all.len()).filter(is_of).collect();
        let (key, name) = (key.to_owned(), name[1..].to_owned());
        (!candidates.is_empty()).then_some(Chosen::Value { key, name, candidates })
    }

    /// The configuration that is meant for a program; none if there are no statistics to choose by.
    fn at(&self, chosen: &Chosen, program: usize) -> Option<usize> {
        let (key, name, candidates) = match chosen {
            Chosen::One(at) => return Some(*at),
            Chosen::Value { key, name, candidates } => (key, name, candidates),
        };
        if name == BEST {
            let cycles = |at: usize| {
                let base = self.plan.configurations[at].baseline;
                self.values[program][base].as_ref()?.all.get("cycles").copied()
            };
            return least(candidates, cycles);
        }
        let target = self.target(key, name, candidates, program)?;
        let distance = |at: usize| Some((self.varied(at, key)? - target).abs());
        // The larger one of two.
        let falling: Vec<usize> = candidates.iter().rev().copied().collect();
        let nearest = least(&falling, distance)?;
        let is_near = matches!(self.plan.file.chosen.get(name), Some(Choice::Near { .. }));
        (is_near || distance(nearest) == Some(0.0)).then_some(nearest)
    }

    /// The number that a choice refers to.
    fn target(&self, key: &str, name: &str, candidates: &[usize], program: usize) -> Option<f64> {
        match self.plan.file.chosen.get(name)? {
            Choice::Near { of, times } => Some(self.target(key, of, candidates, program)? * times),
            Choice::Least { least: text, configuration } => {
                let all = &self.plan.configurations;
                let own = |name: &String| -> Vec<usize> {
                    (0..all.len()).filter(|&at| all[at].name == *name).collect()
                };
                let deciding = configuration.as_ref().map(own);
                let expression = Expression::read(text, &self.plan.file.metrics).ok()?;
                let value =
                    |at: usize| self.value(&expression, program, None, at, all[at].baseline);
                let at = least(deciding.as_deref().unwrap_or(candidates), value)?;
                self.varied(at, key)
            }
        }
    }

    /// A configuration's value of a varied key, as a number.
    fn varied(&self, at: usize, key: &str) -> Option<f64> {
        let settings = &self.plan.configurations[at].settings;
        let value = |setting: &String| setting.strip_prefix(key)?.strip_prefix('=')?.parse().ok();
        settings.iter().rev().find_map(value)
    }

    /// The configuration that `base` means in an expression over another one: that of the figure or
    /// claim, or its baseline.
    fn base(&self, against: Option<&str>, at: usize, program: usize) -> Option<usize> {
        match against {
            Some(name) => self.at(&self.chosen(name)?, program),
            None => Some(self.plan.configurations[at].baseline),
        }
    }

    /// The tables of the study.
    ///
    /// # Errors
    /// An expression is wrong, or a configuration is not there.
    pub fn tables(&self) -> Result<Vec<Table>> {
        self.plan.file.figures.iter().map(|figure| self.table(figure)).collect()
    }

    /// The columns of a figure: label, expression, configuration.
    pub(super) fn columns(&self, figure: &Figure) -> Result<Vec<(String, Expression, Chosen)>> {
        let configurations = &self.plan.configurations;
        let read = |text: &str| Expression::read(text, &self.plan.file.metrics);
        if let Some(values) = figure.columns()? {
            let of = figure.configuration.as_ref().and_then(|name| self.chosen(name));
            let first = configurations.first().map_or(0, |first| first.baseline);
            let of = of.unwrap_or(Chosen::One(first));
            let column = |(name, text): (String, String)| Ok((name, read(&text)?, of.clone()));
            return values.into_iter().map(column).collect();
        }
        let is_wanted = |at: &usize| {
            let one = &configurations[*at];
            let mut named = figure.configurations.iter().flatten();
            figure.configurations.is_none()
                || named.any(|name| *name == one.name || *name == one.label)
        };
        let column = |at: usize| {
            Ok((configurations[at].label.clone(), read(&figure.value)?, Chosen::One(at)))
        };
        let mut all: Vec<_> =
            (0..configurations.len()).filter(is_wanted).map(column).collect::<Result<_>>()?;
        for name in figure.configurations.iter().flatten() {
            if let Some(chosen @ Chosen::Value { .. }) = self.chosen(name) {
                all.push((name.clone(), read(&figure.value)?, chosen));
            }
        }
        Ok(all)
    }

    /// The groups of programs that a figure shows, with the places of their programs.
    ///
    /// # Errors
    /// A group is faulty.
    pub(super) fn groups(&self, figure: &Figure) -> Result<Vec<(String, Vec<usize>)>> {
        let mut groups = self.plan.file.groups()?;
        groups
            .retain(|(name, _)| figure.groups.as_ref().is_none_or(|wanted| wanted.contains(name)));
        let places = |programs: &[String]| -> Vec<usize> {
            let all = 0..self.plan.programs.len();
            all.filter(|&at| programs.contains(&self.plan.programs[at].name)).collect()
        };
        let groups = groups.into_iter().map(|(name, programs)| (name, places(&programs)));
        Ok(groups.filter(|(_, places)| !places.is_empty()).collect())
    }

    /// A program's values of the columns of a figure.
    pub(super) fn row_values(
        &self,
        figure: &Figure,
        columns: &[(String, Expression, Chosen)],
        program: usize,
    ) -> Vec<Option<f64>> {
        let against = figure.against.as_deref();
        let value = |(_, expression, chosen): &(String, Expression, Chosen)| {
            let at = self.at(chosen, program)?;
            let base = self.base(against, at, program)?;
            self.value(expression, program, figure.kernel.as_deref(), at, base)
        };
        columns.iter().map(value).collect()
    }

    fn table(&self, figure: &Figure) -> Result<Table> {
        if let Some(reference) = &figure.reference {
            return self.beside_reference(figure, reference);
        }
        let columns = self.columns(figure)?;
        let mean = figure.mean.unwrap_or(self.plan.file.mean);
        let row = |name: String, values: Vec<Option<f64>>| {
            let cells = values.iter().map(|value| match value {
                Some(value) => figure.form.write(figure.form.number(*value)),
                None => "-".to_owned(),
            });
            let there = values.iter().zip(&columns).filter_map(|(value, of)| Some(((*value)?, of)));
            let most = there.reduce(|most, one| if one.0 > most.0 { one } else { most });
            let largest = most.map_or("-".to_owned(), |(_, (label, ..))| label.clone());
            let largest = figure.largest.then_some(largest);
            Row { name, cells: cells.collect(), values, largest }
        };
        let mut groups = Vec::new();
        // A figure of which nothing can be measured yet has no table.
        let shown = if columns.is_empty() { Vec::new() } else { self.groups(figure)? };
        for (name, places) in shown {
            let of_program = |&at: &usize| {
                row(self.plan.programs[at].name.clone(), self.row_values(figure, &columns, at))
            };
            let rows: Vec<Row> = places.iter().map(of_program).collect();
            let of_column = |column: usize| {
                let there: Vec<f64> = rows.iter().filter_map(|row| row.values[column]).collect();
                mean.of_form(figure.form).of(&there)
            };
            let means = (0..columns.len()).map(of_column).collect();
            groups.push(Group {
                name,
                mean: row(mean.name().to_owned(), means),
                rows,
                mean_name: mean.name(),
            });
        }
        Ok(Table {
            title: figure.title.clone(),
            about: figure.about.trim().to_owned(),
            value: figure.value.clone(),
            form: figure.form,
            columns: columns.into_iter().map(|(label, ..)| label).collect(),
            groups,
            largest: figure.largest,
            chart: figure.chart,
            comparison: None,
        })
    }

    /// The claims of the study's source, judged.
    ///
    /// # Errors
    /// An expression is wrong.
    pub fn claims(&self) -> Result<Vec<Judged>> {
        self.plan.file.claims.iter().map(|claim| self.judge(claim)).collect()
    }

    fn judge(&self, claim: &Claim) -> Result<Judged> {
        let expression = Expression::read(&claim.value, &self.plan.file.metrics)?;
        let programs = self.programs_of(claim)?;
        let mean = claim.mean.unwrap_or(self.plan.file.mean);
        let mean_of = |configuration: &str, against: Option<&str>| {
            let chosen = self.chosen(configuration)?;
            let value = |&program: &usize| {
                let at = self.at(&chosen, program)?;
                let base = self.base(against, at, program)?;
                self.value(&expression, program, claim.kernel.as_deref(), at, base)
            };
            let values: Vec<f64> = programs.iter().filter_map(value).collect();
            mean.of_form(claim.form).of(&values)
        };
        let over = match &claim.over {
            Some([configuration, against]) => mean_of(configuration, Some(against)),
            None => Some(1.0),
        };
        let ours = mean_of(&claim.configuration, claim.against.as_deref());
        let ours = ours.zip(over).map(|(ours, over)| ours / over).filter(|ours| ours.is_finite());
        let ours = ours.map(|ours| claim.form.number(ours));
        let agrees = ours.map(|ours| claim.rule.agrees(claim.paper, ours, claim.form.is_percent()));
        let ours_text = ours.map_or("-".to_owned(), |ours| claim.form.write(ours));
        // Reasons are for the study's own size and programs.
        let is_whole = self.plan.size == self.plan.file.size
            && self.plan.programs.len() + self.plan.left_out.len()
                == self.plan.file.all_programs()?.len();
        let stale = claim
            .reason_for
            .clone()
            .filter(|number| is_whole && ours.is_some() && *number != ours_text);
        Ok(Judged {
            about: claim.about.clone(),
            place: claim.place.clone(),
            paper: claim.paper,
            paper_text: claim.form.write(claim.paper),
            ours,
            ours_text,
            over: match programs.as_slice() {
                [_] => described(claim, &programs, self.plan),
                _ => format!("{} of {}", mean.name(), described(claim, &programs, self.plan)),
            },
            agrees,
            rule: claim.rule.name(),
            reason: claim.reason.clone(),
            stale,
        })
    }

    fn programs_of(&self, claim: &Claim) -> Result<Vec<usize>> {
        let all: Vec<String> = match (&claim.programs, &claim.group) {
            (Some(programs), _) => programs.clone(),
            (None, Some(group)) => {
                let groups = self.plan.file.groups()?;
                groups
                    .into_iter()
                    .filter(|(name, _)| name == group)
                    .flat_map(|(_, names)| names)
                    .collect()
            }
            (None, None) => self.plan.file.all_programs()?,
        };
        let known = self.plan.file.all_programs()?;
        if let Some(unknown) = all.iter().find(|name| !known.contains(name)) {
            let near = hint(unknown, known.iter().map(String::as_str));
            return Err(anyhow!(
                "claim `{}`: the study has no program `{unknown}`{near}",
                claim.about
            ));
        }
        let places = 0..self.plan.programs.len();
        Ok(places.filter(|&at| all.contains(&self.plan.programs[at].name)).collect())
    }

    /// Errors, and runs that do not agree with their baseline.
    pub fn complaints(&self) -> Vec<Complaint> {
        let mut all = Vec::new();
        for (program, row) in self.outcomes.iter().enumerate() {
            let entry = &self.plan.programs[program].entry;
            for (at, outcome) in row.iter().enumerate() {
                let configuration = &self.plan.configurations[at];
                let mut complain = |what: String, report: &str| {
                    all.push(Complaint {
                        program: self.plan.programs[program].name.clone(),
                        configuration: configuration.label.clone(),
                        what,
                        report: report.to_owned(),
                    });
                };
                let Some(outcome) = outcome else {
                    complain("there is no result".to_owned(), "");
                    continue;
                };
                if !outcome.is_good() {
                    complain(format!("{}: {}", outcome.outcome, outcome.reason()), &outcome.report);
                    continue;
                }
                let base = row[configuration.baseline].filter(|base| base.is_good());
                let same_input = |base: &Outcome| {
                    let of = |outcome: &Outcome| {
                        let from = &outcome.provenance;
                        (from.source.clone(), from.arguments.clone())
                    };
                    of(base) == of(outcome)
                };
                let Some(base) = base.filter(|base| same_input(base)) else { continue };
                if base.output != outcome.output {
                    complain("its output is not the baseline's".to_owned(), "");
                } else if entry.schedule_dependent.is_none() && base.memory != outcome.memory {
                    complain("its device memory is not the baseline's".to_owned(), "");
                }
            }
        }
        all
    }
}

/// The first of some configurations with which something is least; none if it is not known of all.
fn least(among: &[usize], value: impl Fn(usize) -> Option<f64>) -> Option<usize> {
    let all: Vec<(f64, usize)> =
        among.iter().map(|&at| Some((value(at)?, at))).collect::<Option<_>>()?;
    all.into_iter().min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, at)| at)
}

/// Programs of a claim that are named one by one, at most.
const NAMED: usize = 5;

/// `all programs`, or which.
fn described(claim: &Claim, programs: &[usize], plan: &Plan) -> String {
    match (&claim.programs, &claim.group) {
        (Some(_), _) => {
            let names: Vec<&str> =
                programs.iter().map(|&at| plan.programs[at].name.as_str()).collect();
            if names.len() > NAMED { format!("{} programs", names.len()) } else { names.join(", ") }
        }
        (None, Some(group)) => format!("{group} ({})", programs.len()),
        (None, None) => format!("all ({})", programs.len()),
    }
}

/// Statistics as numbers.
fn values(statistics: &BTreeMap<String, serde_json::Number>) -> BTreeMap<String, f64> {
    let number =
        |(name, value): (&String, &serde_json::Number)| Some((name.clone(), value.as_f64()?));
    statistics.iter().filter_map(number).collect()
}

/// The number of claims with a number, and of those that agree.
pub fn agreement(claims: &[Judged]) -> (usize, usize) {
    let judged: Vec<bool> = claims.iter().filter_map(|claim| claim.agrees).collect();
    (judged.len(), judged.iter().filter(|&&agrees| agrees).count())
}
