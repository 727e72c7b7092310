//! The run of a program, with its report.

use super::asked::{Asked, faults, messages, stopped};
use super::ptx;
use crate::serve::question::{NO_FILES, RunOptions, Target, words};
use anyhow::{Result, anyhow};
use reconverge::build::{self, Checked};
use reconverge::execute::{self, ModelName, Setup};
use reconverge::findings;
use reconverge::host::report::Outcome;
use reconverge::host::sandbox::{Input, Sandbox};
use reconverge::kernel_record::KernelRecord;
use reconverge::message::Message;
use reconverge::report::table;
use reconverge::session;
use reconverge::simulated::SamplePeriod;
use reconverge::study::provenance::Provenance;
use reconverge_compiler::check::Needed;
use reconverge_compiler::lower::{Lowered, Options};
use reconverge_report::page::{self, Header};
use reconverge_report::table::text;
use reconverge_simulator::code_target;
use serde::Serialize;

/// The answer.
#[derive(Serialize, Default)]
pub struct Ran {
    /// The diagnostics of the compilation.
    diagnostics: Vec<Message>,
    /// Its output.
    output: String,
    /// Its standard error, with notes.
    errors: String,
    /// The place at which it was stopped, and its denied requests.
    faults: Vec<Message>,
    /// The end, if it is not an exit with 0.
    ended: String,
    /// The table of statistics and the findings below it.
    table: String,
    /// The report of the run, a page.
    page: String,
}

/// Runs a program on the machine.
pub fn run(asked: &Asked, options: &RunOptions) -> Result<Ran> {
    let target = asked.source.target(&[])?;
    if asked.source.is_ptx() {
        return run_ptx(asked, options, &target);
    }
    let checked = asked.check(&target, Needed::Program)?;
    if checked.module.is_none() {
        return Ok(Ran { diagnostics: messages(&checked, &[]), ..Ran::default() });
    }
    let arguments = words(&options.arguments)?;
    let name = asked.source.name();
    let program = std::iter::once(name.to_owned()).chain(arguments.iter().cloned());
    let setup = Setup {
        max_output: Some(asked.limits.printed),
        host_memory: None,
        options: target.build.lowering(),
        profile: true,
        samples: Some(SamplePeriod::Overview),
        arguments: program.collect(),
        sandbox: Sandbox {
            input: Input::Text(options.input.clone().into_bytes()),
            closed: Some(NO_FILES),
            ..Sandbox::default()
        },
        ..Setup::new(&target.machine, ModelName::Timing)
    };
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let run = execute::lower(&checked, &setup).and_then(|lowered| {
        let (output, errors) = (&mut output, &mut errors);
        let run =
            execute::execute_lowered(&checked, &lowered, &setup, output, errors, &mut |_, _| {});
        run.map(|execution| (execution, lowered))
    });
    let (execution, lowered) = match run {
        Ok(done) => done,
        Err(refused) => {
            return Ok(Ran {
                diagnostics: messages(&checked, &refused.diagnostics),
                ..Ran::default()
            });
        }
    };
    let sources = &checked.sources;
    let command = format!("reconverge run {name} {}", asked.source.options.trim());
    let (table, page) = reported(Measured {
        asked,
        target: &target,
        command: command.trim(),
        arguments,
        checked: &checked,
        lowered: &lowered,
        records: &execution.records,
        outcome: &execution.outcome,
    })?;
    let status = execution.status();
    let mut ended = execution.outcome.render(sources, false);
    if ended.is_empty() && status != 0 {
        ended = format!("it ended with status {status}\n");
    }
    Ok(Ran {
        diagnostics: messages(&checked, &build::cautions(&lowered, sources)),
        output: String::from_utf8_lossy(&output).into_owned(),
        errors: String::from_utf8_lossy(&errors).into_owned(),
        faults: faults(&execution, sources),
        ended,
        table,
        page,
    })
}

/// Runs the launch of a PTX kernel that the arguments give.
fn run_ptx(asked: &Asked, options: &RunOptions, target: &Target) -> Result<Ran> {
    let launching = ptx::launching(asked, &options.arguments, None)?;
    let lowering = target.build.lowering().for_run(code_target(&target.machine));
    let (module, diagnostics) = ptx::module(asked, &Options { keep_ir: true, ..lowering });
    let Some(module) = module else {
        return Ok(Ran { diagnostics, ..Ran::default() });
    };
    let session = session::Target {
        profile: true,
        samples: Some(SamplePeriod::Overview),
        ..ptx::session_target(target)
    };
    let launched = ptx::launch(&module, &session, &launching, asked.limits.printed)?;
    let (checked, name) = (module.checked(), asked.source.name());
    let command = format!("reconverge launch {name} {}", options.arguments.trim());
    let (table, page) = reported(Measured {
        asked,
        target,
        command: &command,
        arguments: words(&options.arguments)?,
        checked,
        lowered: module.lowered(),
        records: launched.record.as_slice(),
        outcome: &launched.outcome,
    })?;
    Ok(Ran {
        diagnostics,
        output: launched.output,
        faults: stopped(&launched.outcome, &checked.sources),
        ended: launched.outcome.render(&checked.sources, false),
        table,
        page,
        ..Ran::default()
    })
}

/// A run that has ended.
struct Measured<'a> {
    asked: &'a Asked<'a>,
    target: &'a Target,
    command: &'a str,
    arguments: Vec<String>,
    checked: &'a Checked,
    lowered: &'a Lowered,
    records: &'a [KernelRecord],
    outcome: &'a Outcome,
}

/// The table of statistics with the findings, and the report.
fn reported(run: Measured) -> Result<(String, String)> {
    let Measured { target, checked, records, lowered, .. } = run;
    let (sources, machine) = (&checked.sources, &target.machine);
    let [file, plain] = &target.files;
    let provenance = Provenance::new(checked, &target.build, machine, file)?;
    let program = run.asked.source.name().to_owned();
    let provenance = Provenance { program, arguments: run.arguments, ..provenance };
    let findings = findings::findings(records, lowered, machine, sources);
    let page = page::run::text(&page::run::Subject {
        header: Header::new(run.command, &machine.name, &provenance, plain),
        stopped: run.outcome.render(sources, false),
        checks: String::new(),
        machine,
        records,
        lowered,
        sources,
        findings: &findings,
    });
    let page = page.map_err(|error| anyhow!("the report cannot be made: {error:#}"))?;
    Ok((text(&table(records, Some(machine))) + &findings::text(&findings), page))
}
