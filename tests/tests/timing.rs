//! Programs that measure the machine: `tests/timing`, each with the arithmetic of its expected
//! result.
//!
//! Directives are comment lines, as in `tests/data`:
//!
//! | directive | meaning |
//! | --- | --- |
//! | `machine` | the machine it runs on |
//! | `set` | settings, `key=value` each |
//! | `expect` | a relation between two expressions, which must hold |
//!
//! An expression has numbers, `+ - * / ( )` and names of statistics: of the last launch, or with `@n`
//! of launch n, the first being 0. Relations are `==`, `<=`, `>=`, `<` and `>`.

use crate::data::{Program, each, programs_in};
use reconverge::build;
use reconverge::execute::{ModelName, Setup, execute};
use reconverge::host::report::Outcome;
use reconverge_isa::names::{NameKind, renamed};
use reconverge_simulator::{Statistics, load_machine};
use std::path::Path;

/// Runs a program on its machine; the statistics of its launches.
fn launches(program: &Program) -> Result<Vec<Statistics>, String> {
    let sets: Vec<(String, String)> = program
        .all("set")
        .iter()
        .flat_map(|line| line.split_whitespace())
        .map(|word| word.split_once('=').ok_or(format!("`{word}` is not `key=value`")))
        .map(|pair| pair.map(|(key, value)| (key.to_string(), value.to_string())))
        .collect::<Result<_, _>>()?;
    let [name] = program.all("machine")[..] else {
        return Err("it must name one machine".to_string());
    };
    let machine = load_machine(name.trim(), &sets)?;
    let checked = build::check(&program.name, &program.text, &[], &mut program.loader());
    if checked.has_errors() {
        return Err(format!("does not compile:\n{}", checked.render(false)));
    }
    let setup =
        Setup { arguments: vec![program.name.clone()], ..Setup::new(&machine, ModelName::Timing) };
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let execution = execute(&checked, &setup, &mut output, &mut errors, &mut |_, _| {})
        .map_err(|refused| format!("is refused:\n{}", refused.render(false)))?;
    if !matches!(execution.outcome, Outcome::Exit(0)) {
        return Err(format!("ends so:\n{}", execution.outcome.render(&checked.sources, false)));
    }
    Ok(execution
        .records
        .into_iter()
        .filter_map(|record| record.statistics.as_deref().cloned())
        .collect())
}

/// Complains if a relation does not hold.
fn check(line: &str, launches: &[Statistics]) -> Result<(), String> {
    let found = ["==", "<=", ">=", "<", ">"]
        .into_iter()
        .find_map(|sign| line.split_once(sign).map(|(left, right)| (left, sign, right)));
    let (left, sign, right) = found.ok_or(format!("`{line}` has no relation"))?;
    let (a, b) = (value(left, launches)?, value(right, launches)?);
    let holds = match sign {
        "==" => a == b,
        "<=" => a <= b,
        ">=" => a >= b,
        "<" => a < b,
        _ => a > b,
    };
    if holds {
        return Ok(());
    }
    Err(format!("`{line}` does not hold: {a} and {b}"))
}

fn value(text: &str, launches: &[Statistics]) -> Result<f64, String> {
    let mut reader = Reader { rest: text.trim(), launches };
    let value = reader.sum()?;
    if reader.rest.is_empty() { Ok(value) } else { Err(format!("`{}` is left", reader.rest)) }
}

/// Reads an expression from the front of a text.
struct Reader<'a> {
    rest: &'a str,
    launches: &'a [Statistics],
}

impl Reader<'_> {
    fn takes(&mut self, sign: char) -> bool {
        let rest = self.rest.strip_prefix(sign).map(str::trim_start);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn sum(&mut self) -> Result<f64, String> {
        let mut value = self.product()?;
        loop {
            if self.takes('+') {
                value += self.product()?;
            } else if self.takes('-') {
                value -= self.product()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<f64, String> {
        let mut value = self.atom()?;
        loop {
            if self.takes('*') {
                value *= self.atom()?;
            } else if self.takes('/') {
                value /= self.atom()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn atom(&mut self) -> Result<f64, String> {
        if self.takes('(') {
            let value = self.sum()?;
            return if self.takes(')') { Ok(value) } else { Err("`)` is missing".to_string()) };
        }
        let is_part = |c: char| c.is_ascii_alphanumeric() || "._@".contains(c);
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        if let Ok(number) = word.parse() {
            return Ok(number);
        }
        let (name, index) = match word.split_once('@') {
            Some((name, index)) => (name, index.parse().map_err(|_| format!("launch `{word}`"))?),
            None => (word, self.launches.len().wrapping_sub(1)),
        };
        let launch = self.launches.get(index).ok_or(format!("there is no launch for `{word}`"))?;
        launch.entries().get(name).copied().ok_or_else(|| {
            match renamed(NameKind::Statistic, name) {
                Some(new) => format!("`{name}` is now called `{new}`"),
                None => format!("there is no statistic `{name}`"),
            }
        })
    }
}

#[test]
fn machines_keep_their_figures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("timing");
    each(&programs_in(&folder), |program| {
        let complain = |what: String| format!("{}: {what}", program.name);
        let launches = launches(program).map_err(complain)?;
        let expected = program.all("expect");
        if expected.is_empty() {
            return Err(complain("it expects nothing".to_string()));
        }
        let failed: Vec<String> =
            expected.iter().filter_map(|line| check(line, &launches).err()).collect();
        if failed.is_empty() { Ok(()) } else { Err(complain(failed.join("\n  "))) }
    });
}

#[test]
fn expressions() {
    let launch = |cycles| Statistics { cycles, l1_hits: 7, l1_misses: 21, ..Statistics::default() };
    let launches = [launch(100), launch(300)];
    let value = |text| value(text, &launches);
    assert_eq!(value("1 + 2 * 3 - 4 / (1 + 1)"), Ok(5.0));
    assert_eq!(value("cycles - cycles@0"), Ok(200.0));
    assert_eq!(value("l1_hit_rate@1 * 4"), Ok(1.0));
    assert!(value("cycles@2").is_err() && value("cycle").is_err() && value("1 2").is_err());
    assert!(value("(1").is_err() && value("").is_err());
    assert_eq!(check("cycles@0 <= 100", &launches), Ok(()));
    assert!(check("cycles@0 > 100", &launches).is_err());
}
