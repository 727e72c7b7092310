//! The study file: the runs, the figures, and the source's claims. `docs/studies.md` describes it
//! for users.

use super::catalogue::Library;
use super::expression::Expression;
use anyhow::{Context, Result, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The version of the study file's shape.
pub const SCHEMA: u32 = 1;

/// Settings, each with its values.
pub type Varied = Vec<(String, Vec<String>)>;

/// A table of a study file in the order of the file.
pub type Ordered<V> = toml::map::Map<String, V>;

/// A study file.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StudyFile {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The heading of its report.
    pub title: String,
    /// Paper and chapter.
    #[serde(default)]
    pub source: String,
    /// Its subject, in Markdown.
    #[serde(default)]
    pub about: String,
    /// The size of its programs that is run by default.
    #[serde(default = "full")]
    pub size: String,
    /// The machine of all configurations that name no other: a shipped one or a file, from the folder of the study.
    #[serde(default = "gtx480")]
    pub machine: String,
    /// The settings of all configurations.
    #[serde(default)]
    pub settings: Vec<String>,
    /// The configuration that the others are compared with; by default the first.
    pub baseline: Option<String>,
    /// The default mean of programs.
    #[serde(default)]
    pub mean: Mean,
    /// Programs by group: names of the catalogue, or of `program`; `source:P4` means all workloads
    /// that this source measures, and `*` all workloads except those that need forward progress.
    pub programs: toml::Table,
    /// Programs of the study's own, by name.
    #[serde(default)]
    pub program: std::collections::BTreeMap<String, super::catalogue::Entry>,
    /// Configurations by name: each a list of settings.
    #[serde(default)]
    configurations: toml::Table,
    /// Settings with several values, each of which every configuration is run with.
    #[serde(default)]
    vary: toml::Table,
    /// Chosen values of varied keys, by name: `KEY=NAME` in a configuration means them, program by
    /// program.
    #[serde(default)]
    pub chosen: std::collections::BTreeMap<String, Choice>,
    /// Expressions by name, to be used in others.
    #[serde(default)]
    pub metrics: std::collections::BTreeMap<String, String>,
    /// True if each program has a page with its own rows of all figures.
    #[serde(default)]
    pub pages: bool,
    /// The figures of the report.
    #[serde(default)]
    pub figures: Vec<Figure>,
    /// The source's claims, to compare with the measurements.
    #[serde(default)]
    pub claims: Vec<Claim>,
}

/// The choice of a varied key's value for each program.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", untagged)]
pub enum Choice {
    /// The first value with which an expression is least.
    Least {
        /// The expression.
        least: String,
        /// The configuration whose runs decide; by default the named one.
        configuration: Option<String>,
    },
    /// The value nearest to another choice's times a number, the larger one of two.
    Near {
        /// The other choice.
        of: String,
        /// The number.
        times: f64,
    },
}

fn full() -> String {
    "full".to_owned()
}

fn gtx480() -> String {
    "gtx480".to_owned()
}

/// The mean of several programs' values.
#[derive(Deserialize, Serialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Mean {
    /// For speeds, as in the papers.
    #[default]
    Harmonic,
    /// The n-th root of the product.
    Geometric,
    /// The sum by the number.
    Arithmetic,
    /// The largest value.
    Largest,
    /// The smallest value.
    Smallest,
}

impl Mean {
    /// In reports.
    pub fn name(self) -> &'static str {
        match self {
            Mean::Harmonic => "harmonic mean",
            Mean::Geometric => "geometric mean",
            Mean::Arithmetic => "mean",
            Mean::Largest => "largest",
            Mean::Smallest => "smallest",
        }
    }

    /// The mean for values in a form: the largest saving is that of the smallest ratio.
    pub fn of_form(self, form: Form) -> Mean {
        match (form, self) {
            (Form::Saved, Mean::Largest) => Mean::Smallest,
            (Form::Saved, Mean::Smallest) => Mean::Largest,
            (_, mean) => mean,
        }
    }

    /// The mean of some values; none of none, and none where the mean is not defined (a value of 0
    /// or less in a harmonic or geometric mean).
    pub fn of(self, values: &[f64]) -> Option<f64> {
        let count = values.len() as f64;
        let positive = values.iter().all(|&value| value > 0.0);
        match self {
            _ if values.is_empty() => None,
            Mean::Harmonic | Mean::Geometric if !positive => None,
            Mean::Harmonic => Some(count / values.iter().map(|value| 1.0 / value).sum::<f64>()),
            Mean::Geometric => {
                Some((values.iter().map(|value| value.ln()).sum::<f64>() / count).exp())
            }
            Mean::Arithmetic => Some(values.iter().sum::<f64>() / count),
            Mean::Largest => values.iter().copied().reduce(f64::max),
            Mean::Smallest => values.iter().copied().reduce(f64::min),
        }
    }
}

/// The form of a value.
#[derive(Deserialize, Serialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// `1.127`.
    #[default]
    Ratio,
    /// A ratio as its change: `+12.7 %`.
    Gain,
    /// A ratio as its distance below one: `12.7 %`.
    Saved,
    /// A share of one: `12.7 %`.
    Share,
    /// A whole number: `12 700`.
    Count,
}

impl Form {
    /// The number that is written.
    pub fn number(self, value: f64) -> f64 {
        match self {
            Form::Ratio | Form::Count => value,
            Form::Gain => (value - 1.0) * 100.0,
            Form::Saved => (1.0 - value) * 100.0,
            Form::Share => value * 100.0,
        }
    }

    /// A number as it is written.
    pub fn write(self, number: f64) -> String {
        // Without the sign of a number that is rounded away.
        let rounded = |places: f64| (number * places).round() / places + 0.0;
        match self {
            Form::Ratio => format!("{:.3}", rounded(1000.0)),
            Form::Gain => format!("{:+.1} %", rounded(10.0)),
            Form::Saved | Form::Share => format!("{:.1} %", rounded(10.0)),
            Form::Count => format!("{:.0}", rounded(1.0)),
        }
    }

    /// Returns true if the number is in percent.
    pub fn is_percent(self) -> bool {
        matches!(self, Form::Gain | Form::Saved | Form::Share)
    }
}

/// A table, and a chart of it.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Figure {
    /// The heading, with the number of the source's table or figure.
    pub title: String,
    /// Its subject, in Markdown.
    #[serde(default)]
    pub about: String,
    /// The expression whose value each cell has.
    #[serde(default = "speed")]
    pub value: String,
    /// Several expressions in place of `value`, by name: the columns are they, each of `configuration`.
    #[serde(default)]
    pub values: toml::Table,
    /// The configuration of `values`; by default the study's baseline.
    pub configuration: Option<String>,
    /// Only of this kernel of each program; by default all together.
    pub kernel: Option<String>,
    /// The meaning of `base` in the expressions; by default the study's baseline.
    pub against: Option<String>,
    /// Its form.
    #[serde(default, rename = "as")]
    pub form: Form,
    /// The columns; all configurations unless they are said.
    pub configurations: Option<Vec<String>>,
    /// The groups of programs, each with its mean; all unless they are said.
    pub groups: Option<Vec<String>>,
    /// The mean of a group's programs.
    pub mean: Option<Mean>,
    /// True if a last column names the column with the largest value.
    #[serde(default)]
    pub largest: bool,
    /// An expression over columns of the reference that `value` is compared with.
    pub reference: Option<String>,
    /// Programs whose `reference` is less are shown, and not counted in errors and correlations.
    pub least: Option<f64>,
    /// True if there is a chart.
    #[serde(default = "yes")]
    pub chart: bool,
}

fn speed() -> String {
    "speed".to_owned()
}

fn yes() -> bool {
    true
}

impl Figure {
    /// The expressions of `values` by name, in the order of the file; none if there are none.
    ///
    /// # Errors
    /// One of them is no text, or there are `configurations` too.
    pub fn columns(&self) -> Result<Option<Vec<(String, String)>>> {
        if self.values.is_empty() {
            return Ok(None);
        }
        ensure!(
            self.configurations.is_none(),
            "figure `{}`: with `values` there is one `configuration`",
            self.title
        );
        let column = |(name, value): (&String, &toml::Value)| match value.as_str() {
            Some(text) => Ok((name.clone(), text.to_owned())),
            None => bail!("figure `{}`: `values.{name}` must be an expression, a text", self.title),
        };
        self.values.iter().map(column).collect::<Result<_>>().map(Some)
    }
}

/// A number of the source.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Claim {
    /// The claim.
    pub about: String,
    /// Section, figure or table.
    #[serde(rename = "where")]
    pub place: String,
    /// The source's number, in the form `as`: in percent but for `ratio` and `count`.
    pub paper: f64,
    /// The expression that ours is the value of.
    #[serde(default = "speed")]
    pub value: String,
    /// The form of numbers.
    #[serde(default = "gain", rename = "as")]
    pub form: Form,
    /// The configuration.
    pub configuration: String,
    /// Only of this kernel of each program; by default all together.
    pub kernel: Option<String>,
    /// The meaning of `base` in the expression; by default the study's baseline.
    pub against: Option<String>,
    /// The divisor of the mean, as a configuration and the meaning of `base` for it: the mean of
    /// the same expression there.
    pub over: Option<[String; 2]>,
    /// The group of programs to average; by default all, or `programs`.
    pub group: Option<String>,
    /// Over which programs.
    pub programs: Option<Vec<String>>,
    /// Their mean.
    pub mean: Option<Mean>,
    /// The rule of agreement.
    #[serde(default)]
    pub rule: Rule,
    /// Why they differ; a person writes it.
    pub reason: Option<String>,
    /// Our number, as it was written when the reason was.
    pub reason_for: Option<String>,
}

fn gain() -> Form {
    Form::Gain
}

/// The rule by which a number of ours agrees with a source's.
#[derive(Deserialize, Serialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Same sign and within 1.5 times, or, in percent, within 2 points.
    #[default]
    About,
    /// At most the source's, or, in percent, 2 points more.
    AtMost,
    /// At least the source's, or, in percent, 2 points less.
    AtLeast,
}

impl Rule {
    /// In reports.
    pub fn name(self) -> &'static str {
        match self {
            Rule::About => "same sign and within 1.5 times, or within 2 points",
            Rule::AtMost => "at most, or 2 points more",
            Rule::AtLeast => "at least, or 2 points less",
        }
    }

    /// Returns true if two numbers agree.
    pub fn agrees(self, paper: f64, ours: f64, in_percent: bool) -> bool {
        let near = if in_percent { 2.0 } else { 0.0 };
        match self {
            Rule::About => {
                let (small, large) = (paper.abs().min(ours.abs()), paper.abs().max(ours.abs()));
                let same_sign = paper.signum() == ours.signum() && small > 0.0;
                (same_sign && large <= 1.5 * small) || (paper - ours).abs() <= near
            }
            Rule::AtMost => ours <= paper + near,
            Rule::AtLeast => ours >= paper - near,
        }
    }
}

impl StudyFile {
    /// Reads a study file; `name` is its name in messages.
    ///
    /// # Errors
    /// The faults of the file, with their places.
    pub fn read(name: &str, text: &str) -> Result<StudyFile> {
        let file: StudyFile = toml::from_str(text)
            .map_err(|error| anyhow!("{}", error.to_string().trim_end()))
            .with_context(|| format!("`{name}` is not a study file"))?;
        file.check().with_context(|| format!("study file `{name}`"))?;
        Ok(file)
    }

    fn check(&self) -> Result<()> {
        ensure!(self.schema == SCHEMA, "`schema` is {}; this program reads {SCHEMA}", self.schema);
        self.groups()?;
        let configurations = self.configurations()?;
        let known: Vec<&str> = configurations.iter().map(|(name, _)| name.as_str()).collect();
        let baseline = self.baseline.iter().map(String::as_str);
        let of_figures = self.figures.iter().flat_map(|figure| {
            let columns = figure.configurations.iter().flatten().chain(&figure.configuration);
            columns.chain(&figure.against)
        });
        let of_claims = self.claims.iter().flat_map(|claim| {
            let over = claim.over.iter().flatten().map(String::as_str);
            std::iter::once(claim.configuration.as_str())
                .chain(claim.against.as_deref())
                .chain(over)
        });
        let of_choices = self.chosen.values().filter_map(|choice| match choice {
            Choice::Least { configuration, .. } => configuration.as_deref(),
            Choice::Near { .. } => None,
        });
        let named = baseline.chain(of_figures.map(String::as_str)).chain(of_claims);
        let named = named.chain(of_choices);
        for name in named {
            // A label may add the varied settings.
            let first = name.split(", ").next().unwrap_or(name);
            if !known.contains(&first) {
                bail!("there is no configuration `{name}`; there are {}", known.join(", "));
            }
        }
        let groups: Vec<String> = self.groups()?.into_iter().map(|(name, _)| name).collect();
        let of_figures = self.figures.iter().flat_map(|figure| figure.groups.iter().flatten());
        let of_claims = self.claims.iter().filter_map(|claim| claim.group.as_ref());
        for name in of_figures.chain(of_claims) {
            ensure!(
                groups.contains(name),
                "there is no group `{name}` of programs; there are {}",
                groups.join(", ")
            );
        }
        for figure in self.figures.iter().filter(|figure| figure.largest) {
            ensure!(
                !figure.values.is_empty(),
                "figure `{}`: `largest` compares the columns of `values`, and there are none",
                figure.title
            );
        }
        let is_file_name =
            |name: &String| name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
        if let Some(name) = self.program.keys().find(|name| self.pages && !is_file_name(name)) {
            bail!(
                "`program.{name}`: with `pages` a name is a file's, of letters, digits, `_` and `-`"
            );
        }
        for figure in &self.figures {
            for (_, value) in figure.columns()?.unwrap_or_default() {
                Expression::read(&value, &self.metrics)?;
            }
            self.check_reference(figure)?;
        }
        let values = self.figures.iter().map(|figure| &figure.value);
        for value in values.chain(self.claims.iter().map(|claim| &claim.value)) {
            Expression::read(value, &self.metrics)?;
        }
        self.check_choices()?;
        for claim in &self.claims {
            ensure!(
                claim.paper.is_finite(),
                "claim `{}`: `paper` must be a finite number",
                claim.about
            );
            ensure!(
                claim.reason.is_some() == claim.reason_for.is_some(),
                "claim `{}`: `reason` and `reason-for`, our number that it explains, go together",
                claim.about
            );
        }
        Ok(())
    }

    fn check_choices(&self) -> Result<()> {
        for (name, choice) in &self.chosen {
            let about = || format!("`chosen.{name}`");
            ensure!(name != "best", "{}: `best` is the value with the fewest cycles", about());
            match choice {
                Choice::Least { least, .. } => {
                    Expression::read(least, &self.metrics).with_context(about)?;
                }
                Choice::Near { of, times } => {
                    let is_least = matches!(self.chosen.get(of), Some(Choice::Least { .. }));
                    ensure!(is_least, "{}: `of` must name a choice with `least`", about());
                    ensure!(
                        times.is_finite() && *times > 0.0,
                        "{}: `times` must be above 0",
                        about()
                    );
                }
            }
        }
        Ok(())
    }

    fn check_reference(&self, figure: &Figure) -> Result<()> {
        let title = &figure.title;
        let Some(reference) = &figure.reference else {
            ensure!(figure.least.is_none(), "figure `{title}`: `least` goes with `reference`");
            return Ok(());
        };
        let expression = Expression::read(reference, &self.metrics)?;
        ensure!(
            expression.is_of_reference(),
            "figure `{title}`: `reference` must be made of columns of the reference, `reference.COLUMN`, alone"
        );
        ensure!(
            figure.values.is_empty(),
            "figure `{title}`: with `reference` there is one `value`"
        );
        ensure!(
            !figure.form.is_percent(),
            "figure `{title}`: with `reference`, `as` is `ratio` or `count`"
        );
        Ok(())
    }

    /// Returns true if it compares with measurements from elsewhere.
    ///
    /// # Errors
    /// See [`StudyFile::reference_columns`].
    pub fn needs_reference(&self) -> Result<bool> {
        Ok(!self.reference_columns()?.is_empty())
    }

    /// The columns of a reference that the study names, each with the place that names it; once each.
    ///
    /// # Errors
    /// An expression is wrong.
    pub fn reference_columns(&self) -> Result<Vec<(String, String)>> {
        let mut texts = Vec::new();
        for figure in &self.figures {
            let place = format!("figure `{}`", figure.title);
            let values = figure.columns()?.unwrap_or_default().into_iter().map(|(_, text)| text);
            let all = values.chain([figure.value.clone()]).chain(figure.reference.clone());
            texts.extend(all.map(|text| (place.clone(), text)));
        }
        let of_claim = |claim: &Claim| (format!("claim `{}`", claim.about), claim.value.clone());
        texts.extend(self.claims.iter().map(of_claim));
        let mut all = Vec::new();
        for (place, text) in texts {
            let columns = Expression::read(&text, &self.metrics)?.reference_columns();
            all.extend(columns.into_iter().map(|column| (place.clone(), column)));
        }
        Ok(all)
    }

    /// Writes out the abbreviations for several workloads: `*` and `source:NAME`.
    ///
    /// # Errors
    /// No workload is of a source.
    pub fn write_out(&mut self, library: &Library) -> Result<()> {
        let ends = |entry: &&String| !library.entries()[*entry].forward_progress;
        let all =
            || library.entries().keys().filter(ends).map(|name| toml::Value::from(name.as_str()));
        for (group, names) in self.programs.iter_mut() {
            let Some(names) = names.as_array_mut() else { continue };
            let mut written_out = Vec::new();
            for name in names.drain(..) {
                match name.as_str() {
                    Some("*") => written_out.extend(all()),
                    Some(text) if text.starts_with("source:") => {
                        let source = text["source:".len()..].trim();
                        let is_of = |name: &toml::Value| {
                            let entry = name.as_str().and_then(|name| library.entries().get(name));
                            entry.is_some_and(|entry| entry.sources.iter().any(|of| of == source))
                        };
                        let before = written_out.len();
                        written_out.extend(all().filter(is_of));
                        ensure!(
                            written_out.len() > before,
                            "`programs.{group}`: no workload has the source `{source}`"
                        );
                    }
                    _ => written_out.push(name),
                }
            }
            let mut seen = BTreeSet::new();
            written_out.retain(|name| seen.insert(name.to_string()));
            *names = written_out;
        }
        Ok(())
    }

    /// The programs of each group, in the order of the file.
    ///
    /// # Errors
    /// A group that is no list of names, or is empty.
    pub fn groups(&self) -> Result<Vec<(String, Vec<String>)>> {
        ensure!(!self.programs.is_empty(), "`programs` has no group");
        lists(&self.programs, "programs")
    }

    /// Every program once, in the order of the file.
    ///
    /// # Errors
    /// As [`StudyFile::groups`].
    pub fn all_programs(&self) -> Result<Vec<String>> {
        let mut seen = BTreeSet::new();
        let all = self.groups()?.into_iter().flat_map(|(_, programs)| programs);
        Ok(all.filter(|program| seen.insert(program.clone())).collect())
    }

    /// The configurations with their own settings; one of the machine as it is if the file has none.
    ///
    /// # Errors
    /// A configuration that is no list of settings.
    pub fn configurations(&self) -> Result<Vec<(String, Vec<String>)>> {
        if self.configurations.is_empty() {
            return Ok(vec![("default".to_owned(), Vec::new())]);
        }
        let list = |(name, value): (&String, &toml::Value)| {
            let list = value.get("settings").unwrap_or(value);
            let settings = texts(list).ok_or_else(|| {
                anyhow!(
                    "`configurations.{name}` must be a list of texts, or have one as `settings`"
                )
            })?;
            let known = |key: &String| matches!(key.as_str(), "settings" | "vary");
            if let Some(key) =
                value.as_table().and_then(|table| table.keys().find(|key| !known(key)))
            {
                bail!("`configurations.{name}.{key}` is unknown; there are `settings` and `vary`");
            }
            ensure!(!name.contains(','), "`configurations.{name}`: a name has no comma");
            Ok((name.clone(), settings))
        };
        self.configurations.iter().map(list).collect()
    }

    /// The varied setting of a configuration, with its values, which may be ranges; and true if
    /// they are its own.
    ///
    /// # Errors
    /// A value that is neither a text nor a list of texts and numbers.
    pub fn varied(&self, configuration: &str) -> Result<(Varied, bool)> {
        let own = self.configurations.get(configuration).and_then(|value| value.get("vary"));
        let own = own.map(|own| {
            let table = own.as_table();
            table.ok_or_else(|| anyhow!("`configurations.{configuration}.vary` must be a table"))
        });
        let own = own.transpose()?;
        let one = |(key, value): (&String, &toml::Value)| {
            let texts = match value {
                toml::Value::String(text) => super::values::split(text),
                value => texts(value).ok_or_else(|| {
                    anyhow!("`vary.{key}` must be a list, or a text such as \"16K..128K*2\"")
                })?,
            };
            let values = super::values::expand(&texts).with_context(|| format!("`vary.{key}`"))?;
            Ok((key.clone(), values))
        };
        let varied = own.unwrap_or(&self.vary).iter().map(one).collect::<Result<_>>()?;
        Ok((varied, own.is_some()))
    }
}

fn lists(table: &toml::Table, of: &str) -> Result<Vec<(String, Vec<String>)>> {
    let list = |(name, value): (&String, &toml::Value)| {
        let names = texts(value).filter(|names| !names.is_empty());
        let names = names.ok_or_else(|| anyhow!("`{of}.{name}` must be a list of names"))?;
        Ok((name.clone(), names))
    };
    table.iter().map(list).collect()
}

/// A list of texts and numbers, all as texts.
fn texts(value: &toml::Value) -> Option<Vec<String>> {
    let text = |value: &toml::Value| match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => Some(number.to_string()),
        toml::Value::Boolean(value) => Some(value.to_string()),
        _ => None,
    };
    value.as_array()?.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means() {
        assert_eq!(Mean::Harmonic.of(&[1.0, 0.5]), Some(2.0 / 3.0));
        assert_eq!(Mean::Geometric.of(&[1.0, 4.0]), Some(2.0));
        assert_eq!(Mean::Arithmetic.of(&[1.0, 4.0]), Some(2.5));
        assert_eq!(Mean::Largest.of(&[1.0, 4.0, 2.0]), Some(4.0));
        assert_eq!(Mean::Harmonic.of(&[1.0, 0.0]), None);
        assert_eq!(Mean::Arithmetic.of(&[]), None);
    }

    #[test]
    fn rules() {
        let about = |paper, ours| Rule::About.agrees(paper, ours, true);
        assert!(about(12.7, 9.0) && about(12.7, 19.0) && about(1.0, -0.9));
        assert!(!about(12.7, 8.0) && !about(12.7, -12.7) && !about(-2.5, 0.0));
        assert!(Rule::AtMost.agrees(1.0, -40.0, true) && !Rule::AtMost.agrees(1.0, 3.1, true));
        assert!(Rule::AtLeast.agrees(0.0, -1.9, true) && !Rule::AtLeast.agrees(0.0, -2.1, true));
        assert!(!Rule::About.agrees(3.0, 4.6, false) && Rule::About.agrees(3.0, 4.4, false));
    }

    #[test]
    fn faults_are_named() {
        let fault = |text: &str| format!("{:#}", StudyFile::read("x.toml", text).expect_err("bad"));
        let good = "schema = 1\ntitle = \"t\"\n[programs]\nall = [\"a\"]\n";
        assert!(StudyFile::read("x.toml", good).is_ok());
        assert!(
            fault("schema = 2\ntitle = \"t\"\n[programs]\nall = [\"a\"]\n")
                .contains("this program reads 1")
        );
        assert!(fault(&format!("{good}[[figures]]\ntitel = \"t\"\n")).contains("titel"));
        assert!(
            fault("schema = 1\ntitle = \"t\"\n[programs]\nall = []\n").contains("programs.all")
        );
        let claim =
            "[[claims]]\nabout = \"a\"\nwhere = \"w\"\npaper = 1.0\nconfiguration = \"x\"\n";
        assert!(fault(&format!("{good}{claim}")).contains("no configuration `x`"));
    }
}
