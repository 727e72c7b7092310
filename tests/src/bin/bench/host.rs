//! The host's instructions for each warp instruction, as valgrind counts them within launches.

use std::ffi::OsString;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use reconverge::execute::ModelName;
use reconverge_simulator::Machine;

use super::{Arguments, examples, task};

/// The function that runs a launch, by its name in the program.
const LAUNCH: &str = "reconverge_simulator::run::launch::launch";

/// The models that are measured.
const MODELS: [ModelName; 2] = [ModelName::Timing, ModelName::Functional];

/// Runs each example once under a model, and prints how many warp instructions it took.
pub fn once(arguments: &Arguments, machine: &Machine) -> Result<()> {
    let model = arguments.model.context("`once` needs --model")?;
    for example in examples(&arguments.only)?.iter().filter(|it| it.name == arguments.only) {
        let measured = task(machine, model, arguments.threads.unwrap_or(1), &[]);
        println!("{}", measured.best(&example.checked, 1)?.instructions);
    }
    Ok(())
}

/// Prints a table of the examples.
pub fn instructions(arguments: &Arguments, machine: &Machine) -> Result<()> {
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        bail!(
            "there is no `valgrind` here (Debian: valgrind), which counts the host's instructions"
        );
    }
    println!("instructions of the host within launches, for each warp instruction");
    println!("{:<16} {:>12} {:>12}", "example", "timing", "functional");
    let models = MODELS.map(|model| arguments.model.is_none_or(|only| only == model));
    let mut sums = [0.0; 2];
    let examples = examples(&arguments.only)?;
    for example in &examples {
        let mut cells = ["-".to_string(), "-".to_string()];
        for at in (0..2).filter(|&at| models[at]) {
            let each = count(arguments, machine, &example.name, MODELS[at])?;
            cells[at] = format!("{each:.0}");
            sums[at] += each.ln();
        }
        println!("{:<16} {:>12} {:>12}", example.name, cells[0], cells[1]);
    }
    let mean = |at: usize| match models[at] {
        true => format!("{:.0}", (sums[at] / examples.len() as f64).exp()),
        false => "-".to_string(),
    };
    println!("{:<16} {:>12} {:>12}", "geometric mean", mean(0), mean(1));
    Ok(())
}

/// Counts one example under one model.
fn count(arguments: &Arguments, machine: &Machine, name: &str, model: ModelName) -> Result<f64> {
    let profile = std::env::temp_dir().join(format!("reconverge-bench-{}", std::process::id()));
    let mut out = OsString::from("--callgrind-out-file=");
    out.push(&profile);
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--collect-atstart=no"]);
    command.arg(format!("--toggle-collect={LAUNCH}")).arg(out);
    command.arg(std::env::current_exe()?).args(["once", "--only", name, "--model", model.name()]);
    command.args(["--machine", &machine.name]);
    arguments.set.iter().for_each(|set| {
        command.args(["--set", set]);
    });
    let ran = command.stderr(Stdio::null()).output().context("running valgrind")?;
    let counted = std::fs::read_to_string(&profile).unwrap_or_default();
    let _ = std::fs::remove_file(&profile);
    let number = |text: Option<&str>| text.and_then(|text| text.trim().parse::<f64>().ok());
    let host = number(counted.lines().find_map(|line| line.strip_prefix("summary: ")));
    let warp = number(std::str::from_utf8(&ran.stdout).ok());
    match (host, warp) {
        (Some(host), Some(warp)) if host > 0.0 && warp > 0.0 => Ok(host / warp),
        _ => bail!("valgrind counted nothing of `{name}` in `{LAUNCH}`"),
    }
}
