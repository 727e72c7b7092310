//! Two builds beside each other. They take turns, so that other work of the host slows down both.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{Arguments, examples};

/// Warp instructions a second under the timing and the functional model.
type Speeds = [f64; 2];

/// Prints the ratio of this build's speeds to those of another.
pub fn speeds(arguments: &Arguments) -> Result<()> {
    let other = arguments.build.as_deref().context("`against` needs --build PATH")?;
    let own = std::env::current_exe()?;
    println!(
        "{:<16} {:>14} {:>9} {:>14} {:>9}",
        "example", "timing/s", "ratio", "functional/s", "ratio"
    );
    let mut logs = [0.0; 2];
    let examples = examples(&arguments.only)?;
    for example in &examples {
        let mut best: [Speeds; 2] = Default::default();
        for _ in 0..arguments.repeat.max(1) {
            for (best, path) in best.iter_mut().zip([own.as_path(), other]) {
                let measured = measure(path, arguments, &example.name)?;
                *best = [0, 1].map(|model| best[model].max(measured[model]));
            }
        }
        let ratios = [0, 1].map(|model| best[0][model] / best[1][model]);
        let [timing, functional] = best[0];
        let [of_timing, of_functional] = ratios;
        let name = &example.name;
        println!(
            "{name:<16} {timing:>14.0} {of_timing:>8.2}x {functional:>14.0} {of_functional:>8.2}x"
        );
        logs = [0, 1].map(|model| logs[model] + ratios[model].ln());
    }
    let [timing, functional] = logs.map(|sum| (sum / examples.len() as f64).exp());
    println!("{:<16} {:>14} {timing:>8.2}x {:>14} {functional:>8.2}x", "geometric mean", "", "");
    Ok(())
}

/// The speeds of an example that a build prints.
fn measure(build: &Path, arguments: &Arguments, name: &str) -> Result<Speeds> {
    let mut command = Command::new(build);
    command.args(["speed", "--repeat", "1", "--only", name, "--machine", &arguments.machine]);
    arguments.set.iter().for_each(|set| {
        command.args(["--set", set]);
    });
    let ran = command.output().with_context(|| format!("running {}", build.display()))?;
    let text = String::from_utf8_lossy(&ran.stdout);
    let row = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let found = row.filter(|row| row.first() == Some(&name)).find_map(|row| {
        let number = |at: usize| row.get(at).and_then(|text| text.parse::<f64>().ok());
        Some([number(3)?, number(4)?])
    });
    match found {
        Some(speeds) => Ok(speeds),
        None => bail!("{} says nothing of `{name}`: is it a build of `bench`?", build.display()),
    }
}
