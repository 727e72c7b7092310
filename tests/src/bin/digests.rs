//! Prints every statistic, and a digest of memory, of every launch of the example programs: a line a
//! launch.
//!
//! `cargo run [--release] -p reconverge-tests --bin digests [-- --threads N --set KEY=VALUE] > FILE`
//!
//! `--names old` prints statistics under the names that they had before the table of renamed names
//! ([`reconverge_isa::names`]), so that the output can be compared with that of an older build.
//!
//! Its output is the same on every host, with any number of threads, and with and without
//! optimisation; `.ci/run` compares numbers of threads, `.ci/full optimised` builds.

#![deny(clippy::unwrap_used)]

use std::path::Path;

use anyhow::{Context, Result};
use clap::{Parser, ValueEnum};
use reconverge::build;
use reconverge::execute::{ModelName, Setup, execute};
use reconverge::report::KernelReport;
use reconverge_isa::names::{NameKind, old_name};
use reconverge_simulator::load_machine;
use reconverge_tests::oracle::NoFiles;

/// Print every statistic of the example programs
#[derive(Parser)]
struct Arguments {
    /// Threads that the timing model runs on
    #[arg(long, default_value_t = 1)]
    threads: u32,
    /// The machine
    #[arg(long, default_value = "gtx480")]
    machine: String,
    /// Changes of the machine, as `run` takes them
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The names of the statistics: today's, or those from before they were renamed
    #[arg(long, value_enum, default_value_t = Names::New)]
    names: Names,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Names {
    New,
    Old,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let sets = arguments.set.iter().map(|set| {
        let (key, value) = set.split_once('=').with_context(|| format!("`{set}` has no `=`"))?;
        Ok((key.to_string(), value.to_string()))
    });
    let sets = sets.collect::<Result<Vec<_>>>()?;
    let machine = load_machine(&arguments.machine, &sets).map_err(anyhow::Error::msg)?;
    let setup = Setup {
        threads: arguments.threads,
        arguments: vec!["example".to_string()],
        digest: true,
        ..Setup::new(&machine, ModelName::Timing)
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let entries = std::fs::read_dir(&folder).with_context(|| format!("reading {folder:?}"))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "cu"));
    files.sort();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let source = std::fs::read_to_string(&file).with_context(|| format!("reading {file:?}"))?;
        let checked = build::check(&name, &source, &[], &mut NoFiles);
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let execution = execute(&checked, &setup, &mut output, &mut errors, &mut |_, _| {})
            .map_err(|refused| anyhow::anyhow!(refused.render(false)))?;
        println!("{name} {:?} {}", execution.outcome, String::from_utf8_lossy(&output));
        for record in &execution.records {
            let mut report = KernelReport::new(record);
            if arguments.names == Names::Old {
                let old = |name| old_name(NameKind::Statistic, name);
                report.stats =
                    report.stats.into_iter().map(|(name, value)| (old(name), value)).collect();
            }
            println!("{name} {}", serde_json::to_string(&report)?);
        }
    }
    Ok(())
}
