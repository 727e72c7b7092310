//! The input of `--load-hints`: a profile from `--profile-json`, which gives each source line's
//! loads a locality.
//!
//! Source: Aamodt, Fung, Rogers, §4.4.5 ("profiling to determine for each static load instruction
//! […] whether it has good locality, poor locality, or moderate locality"). The text leaves the
//! boundaries open. Here a line is good if at least half of its lookups of the L1 hit, and poor
//! below a tenth. Several loads of a line share its locality.

use reconverge_compiler::lower::LineOfKernel;
use reconverge_isa::Locality;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The version of the profiles that are read: that of those that are written.
pub(crate) const PROFILE: u32 = 1;

/// The share of hits from which on a line is good, and below which it is poor.
const GOOD: f64 = 0.5;
const POOR: f64 = 0.1;

/// The localities of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadHints {
    /// The file.
    pub file: PathBuf,
    /// By line.
    pub localities: BTreeMap<LineOfKernel, Locality>,
}

/// The relevant part of a profile.
#[derive(Deserialize)]
struct Report {
    schema: u32,
    model: String,
    kernels: Vec<KernelLines>,
}

#[derive(Deserialize)]
struct KernelLines {
    name: String,
    lines: Vec<Line>,
}

#[derive(Deserialize)]
struct Line {
    file: String,
    line: u32,
    stats: Counts,
}

#[derive(Deserialize)]
struct Counts {
    #[serde(default)]
    l1_hits: u64,
    #[serde(default)]
    l1_misses: u64,
}

impl LoadHints {
    /// Reads a file; the message describes the fault.
    ///
    /// # Errors
    /// It cannot be read, is no profile, or one of a run without caches.
    pub fn read(path: &str) -> Result<LoadHints, String> {
        let text = std::fs::read_to_string(path).map_err(|why| format!("{path}: {why}"))?;
        let localities = parse(&text).map_err(|why| format!("{path}: {why}"))?;
        Ok(LoadHints { file: path.into(), localities })
    }
}

fn parse(text: &str) -> Result<BTreeMap<LineOfKernel, Locality>, String> {
    let help = "`run --model timing --profile-json FILE` writes one";
    let report: Report =
        serde_json::from_str(text).map_err(|why| format!("it is no profile: {why}; {help}"))?;
    if report.schema != PROFILE {
        return Err(format!(
            "it is a profile of schema {}; {PROFILE} is read here; {help}",
            report.schema
        ));
    }
    if report.model != "timing" {
        return Err(format!(
            "it is a profile of model `{}`, which has no caches; {help}",
            report.model
        ));
    }
    let lines = report.kernels.into_iter().flat_map(|KernelLines { name, lines }| {
        lines.into_iter().map(move |Line { file, line, stats }| {
            (LineOfKernel::new(&name, &file, line), (stats.l1_hits, stats.l1_misses))
        })
    });
    Ok(localities(lines))
}

/// The localities of lines with these hits and misses of the first level; of those without any nothing is known.
pub fn localities(
    lines: impl Iterator<Item = (LineOfKernel, (u64, u64))>,
) -> BTreeMap<LineOfKernel, Locality> {
    let known = lines.filter(|(_, (hits, misses))| hits | misses != 0);
    let locality = |(line, (hits, misses)): (LineOfKernel, (u64, u64))| {
        let locality = match hits as f64 / (hits as f64 + misses as f64) {
            share if share >= GOOD => Locality::Good,
            share if share < POOR => Locality::Poor,
            _ => Locality::Moderate,
        };
        (line, locality)
    };
    known.map(locality).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(schema: u32, model: &str) -> String {
        let line = |line, hits, misses| {
            format!(
                r#"{{"file":"a.cu","line":{line},"source":"","stats":{{"l1_hits":{hits},"l1_misses":{misses}}}}}"#
            )
        };
        let lines = [line(3, 1, 1), line(4, 49, 51), line(5, 1, 9), line(6, 9, 91), line(7, 0, 0)];
        format!(
            r#"{{"schema":{schema},"model":"{model}","kernels":[{{"name":"k","lines":[{}]}}]}}"#,
            lines.join(",")
        )
    }

    #[test]
    fn localities_by_the_share_of_hits() {
        let found = parse(&profile(PROFILE, "timing")).expect("it is a profile");
        let found: Vec<_> = found.iter().map(|(at, locality)| (at.line, *locality)).collect();
        use Locality::{Good, Moderate, Poor};
        assert_eq!(found, [(3, Good), (4, Moderate), (5, Moderate), (6, Poor)]);
    }

    #[test]
    fn what_is_no_profile_with_caches_is_refused() {
        for (text, expected) in [
            ("{}".to_owned(), "it is no profile: missing field `schema`"),
            (profile(PROFILE + 1, "timing"), "it is a profile of schema 2; 1 is read here"),
            (
                profile(PROFILE, "functional"),
                "it is a profile of model `functional`, which has no caches",
            ),
        ] {
            let why = parse(&text).expect_err("it is none");
            assert!(why.starts_with(expected), "{why}");
        }
    }
}
