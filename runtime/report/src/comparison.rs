//! The CSV file of a comparison.

use anyhow::{Context, Result};
use reconverge::comparison::{Comparison, Variation};
use reconverge::energy;
use reconverge::report::{Number, numbers};
use reconverge::study::provenance::PROVENANCE;
use reconverge_simulator::{Statistics, declarations};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

/// A CSV file that is written as runs complete. Each variation has a line for all launches
/// together, and one for each kernel, with the machine, this program's version and all settings.
pub struct Lines(csv::Writer<Box<dyn Write + Send>>);

impl Lines {
    /// A file with titles, or standard output for `-`; `keys` is what is varied.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn new(file: &Path, keys: &[&str]) -> Result<Lines> {
        let stream: Box<dyn Write + Send> = match file == Path::new("-") {
            true => Box::new(std::io::stdout()),
            false => {
                let opened = std::fs::File::create(file);
                Box::new(opened.with_context(|| format!("cannot write `{}`", file.display()))?)
            }
        };
        let mut lines = Lines(csv::Writer::from_writer(stream));
        let names = declarations().map(|declaration| declaration.name);
        let titles = ["program"].into_iter().chain(keys.iter().copied());
        let titles = titles.chain([
            "kernel",
            "launches",
            "machine",
            "outcome",
            "agrees",
            "reason",
            "relative_cycles",
        ]);
        lines.0.write_record(titles.chain(names).chain(PROVENANCE))?;
        lines.0.flush()?;
        Ok(lines)
    }

    /// Writes a variation's lines; those before it are in the comparison.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn write(&mut self, comparison: &Comparison, variation: &Variation) -> Result<()> {
        let row = comparison.row(variation);
        let cycles = row.relative.get("cycles").map(ToString::to_string).unwrap_or_default();
        let mut kernels: Vec<(&str, u64, Statistics)> = Vec::new();
        for record in &variation.records {
            let statistics = record.statistics.as_deref().cloned().unwrap_or_default();
            match kernels.iter_mut().find(|(name, ..)| *name == record.name) {
                Some((_, launches, sum)) => {
                    *launches += 1;
                    sum.append(&statistics);
                }
                None => kernels.push((&record.name, 1, statistics)),
            }
        }
        let is_counted = variation.records.iter().all(|record| record.statistics.is_some());
        let all = variation.statistics();
        let launches = variation.records.len() as u64;
        let whole = ("", launches, all.unwrap_or_default());
        for (name, launches, statistics) in std::iter::once(whole).chain(kernels) {
            let settings = variation.settings.iter().map(|(_, value)| value.clone());
            let told = [
                name.to_owned(),
                launches.to_string(),
                variation.machine.clone(),
                row.outcome.to_owned(),
                row.agrees.map_or(String::new(), |agrees| agrees.to_string()),
                row.reason.clone().unwrap_or_default(),
                if name.is_empty() { cycles.clone() } else { String::new() },
            ];
            let known = match launches > 0 && is_counted {
                true => numbers(&statistics, energy::table_of(&variation.records)),
                false => BTreeMap::new(),
            };
            let figures = declarations().map(|declaration| match known.get(declaration.name) {
                Some(Number::Counter(value)) => value.to_string(),
                Some(Number::Ratio(value)) => value.to_string(),
                None => String::new(),
            });
            let line = std::iter::once(comparison.program.clone()).chain(settings).chain(told);
            self.0.write_record(line.chain(figures).chain(variation.provenance.cells()))?;
        }
        Ok(self.0.flush()?)
    }
}
