//! Statistics of the last run at a line, from the profile that `run --profile-json` wrote.

use serde_json::Value;
use std::fmt::Write;
use std::path::Path;

/// A table of a line's counters, by kernel; nothing if the profile has none. A profile that cannot be read gives its fault.
pub fn at_line(profile: &Path, file: &str, line: u32) -> String {
    let read = std::fs::read_to_string(profile).map_err(|error| error.to_string());
    let report: Result<Value, String> =
        read.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
    let report = match report {
        Ok(report) => report,
        Err(why) => {
            return format!("\nThe profile `{}` cannot be read: {why}.\n", profile.display());
        }
    };
    let mut text = String::new();
    for kernel in report["kernels"].as_array().into_iter().flatten() {
        let lines = kernel["lines"].as_array().into_iter().flatten();
        let of_line = lines.filter(|it| {
            it["line"] == line && it["file"].as_str().is_some_and(|name| is_same(name, file))
        });
        for counters in of_line.filter_map(|it| it["stats"].as_object()) {
            let name = kernel["name"].as_str().unwrap_or_default();
            // Writing to a string does not fail.
            let _ = writeln!(text, "\n| last run of `{name}` | |\n| --- | ---: |");
            for (counter, count) in counters.iter().filter(|(_, count)| count.as_f64() != Some(0.0))
            {
                let _ = writeln!(text, "| {counter} | {count} |");
            }
        }
    }
    text
}

/// Returns true if the name of a file in a profile, which may begin in any folder, is that of an open file.
fn is_same(name: &str, file: &str) -> bool {
    Path::new(file).ends_with(Path::new(name).strip_prefix(".").unwrap_or(Path::new(name)))
}
