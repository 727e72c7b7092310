//! A study's reference: a CSV file with measurements from elsewhere.

use anyhow::{Context, Result};
use reconverge::study::provenance::digest;
use reconverge::study::reference::Measurements;
use std::path::Path;

/// Reads a file of measurements.
///
/// # Errors
/// The file cannot be read, or is not CSV.
pub fn read(path: &Path) -> Result<Measurements> {
    let file = path.display().to_string();
    let bytes = std::fs::read(path).with_context(|| format!("cannot read `{file}`"))?;
    let (titles, lines) =
        table(&bytes).with_context(|| format!("`{file}` is not a file of measurements"))?;
    Ok(Measurements { file, sha256: digest(&bytes), titles, lines })
}

/// The names of columns, and the lines with their numbers.
type Table = (Vec<String>, Vec<(u64, Vec<String>)>);

fn table(bytes: &[u8]) -> Result<Table> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(bytes);
    let cells = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect::<Vec<_>>();
    let titles = cells(reader.headers()?);
    let mut lines = Vec::new();
    for record in reader.records() {
        let record = record?;
        lines.push((record.position().map_or(0, csv::Position::line), cells(&record)));
    }
    Ok((titles, lines))
}
