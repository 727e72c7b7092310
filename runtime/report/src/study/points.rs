//! `points.csv`: a line for each kernel of each point, and one for all of its launches together.

use anyhow::Result;
use reconverge::study::point::Outcome;
use reconverge::study::provenance::PROVENANCE;
use reconverge::study::results::Results;
use reconverge_simulator::declarations;
use std::collections::BTreeMap;

/// The titles in front of the statistics.
const TITLES: [&str; 9] = [
    "study",
    "program",
    "size",
    "configuration",
    "kernel",
    "launches",
    "machine",
    "outcome",
    "agrees",
];

/// The text of the file.
///
/// # Errors
/// None that a text in memory can have.
pub fn csv(results: &Results) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let names = || declarations().map(|declaration| declaration.name);
    writer.write_record(TITLES.into_iter().chain(names()).chain(PROVENANCE))?;
    let complaints = results.complaints();
    for (program, row) in results.plan.programs.iter().zip(&results.outcomes) {
        for (configuration, outcome) in results.plan.configurations.iter().zip(row) {
            let Some(outcome) = outcome else { continue };
            let agrees = !complaints.iter().any(|complaint| {
                (&complaint.program, &complaint.configuration)
                    == (&program.name, &configuration.label)
            });
            let from = &outcome.provenance;
            let mut line =
                |kernel: &str, launches: u64, statistics: &BTreeMap<String, serde_json::Number>| {
                    let told = [
                        results.plan.file.title.clone(),
                        program.name.clone(),
                        results.plan.size.clone(),
                        configuration.label.clone(),
                        kernel.to_owned(),
                        launches.to_string(),
                        machine_name(outcome),
                        outcome.outcome.clone(),
                        agrees.to_string(),
                    ];
                    let figures = names().map(|name| {
                        statistics.get(name).map(ToString::to_string).unwrap_or_default()
                    });
                    writer.write_record(told.into_iter().chain(figures).chain(from.cells()))
                };
            let launches = outcome.kernels.iter().map(|kernel| kernel.launches).sum();
            line("", launches, &outcome.statistics)?;
            for kernel in &outcome.kernels {
                line(&kernel.name, kernel.launches, &kernel.statistics)?;
            }
        }
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// The machine's name in its file.
fn machine_name(outcome: &Outcome) -> String {
    let table = outcome.provenance.machine.parse::<toml::Table>().unwrap_or_default();
    table.get("name").and_then(toml::Value::as_str).unwrap_or_default().to_owned()
}
