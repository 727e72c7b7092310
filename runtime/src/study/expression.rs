//! Expressions over statistics: `(issue_slots - slots_issued) / base.issue_slots`.
//!
//! A name is a statistic of the run (`list statistics`), `base.` in front of it means the same statistic of the
//! baseline's run of the program; a study's metrics are names too, as are `speed`, `base.cycles / cycles`, and
//! `clock_mhz`, the clock of the machine's SMs. `reference.NAME` is a column of the file that `--reference` gives.

use anyhow::{Context, Result, anyhow, bail, ensure};
use minijinja::{Environment, UndefinedBehavior, Value};
use reconverge_isa::nearest::hint;
use reconverge_simulator::declarations;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// An expression that was read.
pub struct Expression(minijinja::Expression<'static, 'static>);

/// The statistics of a program that an expression is evaluated for.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// The statistics of its run.
    pub run: &'a BTreeMap<String, f64>,
    /// The statistics of the baseline's run.
    pub base: &'a BTreeMap<String, f64>,
    /// The reference's values, by column.
    pub reference: &'a BTreeMap<String, f64>,
}

/// The name of the clock of a machine's SMs, in MHz.
pub const CLOCK: &str = "clock_mhz";

/// Metrics within metrics, at most.
const DEPTH: usize = 16;

/// The functions that expressions may call.
static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::empty();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.add_function("min", |a: f64, b: f64| a.min(b));
    environment.add_function("max", |a: f64, b: f64| a.max(b));
    environment.add_function("ln", |value: f64| value.ln());
    environment.add_function("sqrt", |value: f64| value.sqrt());
    environment
});

impl Expression {
    /// Reads an expression with the metrics that it may name.
    ///
    /// # Errors
    /// A syntax error, an unknown name, or a recursive metric.
    pub fn read(text: &str, metrics: &BTreeMap<String, String>) -> Result<Expression> {
        let written_out = expand(text, metrics, Within::default())
            .with_context(|| format!("expression `{text}`"))?;
        let tree = ENVIRONMENT.compile_expression_owned(written_out);
        tree.map(Expression).map_err(|error| {
            let why = error.detail().unwrap_or("it cannot be read").to_owned();
            anyhow!("`{text}` is no expression: {why}")
        })
    }

    /// The columns of a reference that it names.
    pub fn reference_columns(&self) -> BTreeSet<String> {
        let names = self.0.undeclared_variables(true).into_iter();
        names.filter_map(|name| Some(name.strip_prefix(REFERENCE)?.to_owned())).collect()
    }

    /// Returns true if it names columns of a reference and nothing else.
    pub fn is_of_reference(&self) -> bool {
        let names = self.0.undeclared_variables(true);
        let mut others = names.iter().filter(|name| !FUNCTIONS.contains(&name.as_str()));
        let of_reference = |name: &String| name.starts_with(REFERENCE);
        names.iter().any(of_reference) && others.all(of_reference)
    }

    /// Its value; none where a statistic is not defined for a run, or the value is not a finite number.
    pub fn value(&self, of: Scope) -> Option<f64> {
        let values = |of: &BTreeMap<String, f64>| -> BTreeMap<String, Value> {
            of.iter().map(|(name, value)| (name.clone(), Value::from(*value))).collect()
        };
        let mut all = values(of.run);
        all.insert("base".to_owned(), Value::from(values(of.base)));
        all.insert("reference".to_owned(), Value::from(values(of.reference)));
        let value = self.0.eval(Value::from(all)).ok()?;
        f64::try_from(value).ok().filter(|value| value.is_finite())
    }
}

/// The metric that a text is part of.
#[derive(Clone, Copy, Default)]
struct Within {
    /// True inside `base.METRIC`.
    of_base: bool,
    /// The number of nested metrics.
    depth: usize,
}

/// Expands the metrics of a text.
fn expand(text: &str, metrics: &BTreeMap<String, String>, within: Within) -> Result<String> {
    if within.depth > DEPTH {
        bail!("metrics lead back to themselves");
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if !first.is_ascii_alphabetic() {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let part_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
        let mut length = rest.find(|c| !part_of_name(c)).unwrap_or(rest.len());
        // A name may have a hyphen only if it is a metric's: `a-b` are two statistics otherwise.
        let whole = &rest[..length];
        if !metrics.contains_key(whole.strip_prefix("base.").unwrap_or(whole)) {
            length = rest.find(|c| c == '-' || !part_of_name(c)).unwrap_or(rest.len());
        }
        out += &name(&rest[..length], metrics, within)?;
        rest = &rest[length..];
    }
    Ok(out)
}

/// The prefix of a column of the reference.
const REFERENCE: &str = "reference.";

/// Functions of two and more that are written like names.
const FUNCTIONS: &[&str] = &["min", "max", "ln", "sqrt"];

fn name(name: &str, metrics: &BTreeMap<String, String>, within: Within) -> Result<String> {
    if FUNCTIONS.contains(&name) {
        return Ok(name.to_owned());
    }
    if let Some(column) = name.strip_prefix(REFERENCE) {
        ensure!(
            !column.is_empty() && !column.contains('.'),
            "`{name}` names no column of a reference; write `reference.NAME`"
        );
        return Ok(name.to_owned());
    }
    let (of_base, name) = match name.strip_prefix("base.") {
        Some(rest) => (true, rest),
        None => (within.of_base, name),
    };
    if let Some(metric) = metrics.get(name) {
        let within = Within { of_base, depth: within.depth + 1 };
        return Ok(format!("({})", expand(metric, metrics, within)?));
    }
    match name {
        "speed" if of_base => return Ok("1".to_owned()),
        "speed" => return Ok("(base.cycles / cycles)".to_owned()),
        _ => {}
    }
    let is_statistic = declarations().any(|declaration| declaration.name == name);
    if is_statistic || name == CLOCK {
        return Ok(format!("{}{name}", if of_base { "base." } else { "" }));
    }
    let known = declarations().map(|declaration| declaration.name);
    let near = hint(name, known.chain(metrics.keys().map(String::as_str)));
    bail!("`{name}` is neither a statistic nor a metric{near}; `list statistics` names all")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<Option<f64>> {
        let metrics =
            [("idle", "issue_slots - slots_issued"), ("idle-share", "idle / base.issue_slots")];
        let metrics = metrics.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
        let run = [("cycles", 50.0), ("issue_slots", 100.0), ("slots_issued", 40.0)];
        let base = [("cycles", 100.0), ("issue_slots", 200.0), ("slots_issued", 40.0)];
        let map = |list: &[(&str, f64)]| {
            list.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
        };
        let (run, base, reference) = (map(&run), map(&base), map(&[("time_us", 5.0)]));
        let scope = Scope { run: &run, base: &base, reference: &reference };
        Ok(Expression::read(text, &metrics)?.value(scope))
    }

    #[test]
    fn values() {
        let of = |text| value(text).expect("good");
        assert_eq!(of("speed"), Some(2.0));
        assert_eq!(of("idle"), Some(60.0));
        assert_eq!(of("idle-share"), Some(0.3));
        assert_eq!(of("idle / base.idle"), Some(60.0 / 160.0));
        assert_eq!(of("base.idle-share"), Some(0.8));
        assert_eq!(of("issue_slots-slots_issued"), Some(60.0));
        assert_eq!(of("100 * cycles / (base.cycles + 150.0)"), Some(20.0));
        assert_eq!(of("min(1, max(0, cycles))"), Some(1.0));
        assert_eq!(of("1 / 4 + -0.5"), Some(-0.25));
        assert_eq!(of("cycles / (cycles - 50)"), None);
        assert_eq!(of("warp_instructions"), None);
        assert_eq!(of("cycles / reference.time_us"), Some(10.0));
        assert_eq!(of("reference.other"), None);
    }

    #[test]
    fn columns_of_the_reference() {
        let metrics = [("time", "reference.b")].map(|(name, text)| (name.into(), text.into()));
        let read = Expression::read("reference.a + time / base.time", &metrics.into());
        let columns = read.expect("good").reference_columns();
        assert_eq!(Vec::from_iter(columns), ["a", "b"]);
    }

    #[test]
    fn faults() {
        let fault = |text: &str| format!("{:#}", value(text).expect_err("bad"));
        assert!(fault("cycels").contains("cycles"));
        assert!(fault("cycles +").contains("no expression"));
        assert!(fault("reference.").contains("reference.NAME"));
        let circle: BTreeMap<String, String> =
            [("a".to_owned(), "b".to_owned()), ("b".to_owned(), "a".to_owned())].into();
        assert!(
            format!("{:#}", Expression::read("a", &circle).err().expect("bad")).contains("back")
        );
    }
}
