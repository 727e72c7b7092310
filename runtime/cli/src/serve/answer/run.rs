//! The run of a program, with its report.

use super::asked::{Asked, faults, messages};
use crate::serve::question::{NO_FILES, RunOptions, words};
use anyhow::{Result, anyhow};
use reconverge::build;
use reconverge::execute::{self, ModelName, Setup};
use reconverge::findings;
use reconverge::host::sandbox::{Input, Sandbox};
use reconverge::message::Message;
use reconverge::report::table;
use reconverge::simulated::SamplePeriod;
use reconverge::study::provenance::Provenance;
use reconverge_compiler::check::Needed;
use reconverge_report::page::{self, Header};
use reconverge_report::table::text;
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
    let (sources, machine, records) = (&checked.sources, &target.machine, &execution.records);
    let [file, plain] = &target.files;
    let provenance = Provenance::new(&checked, &target.build, machine, file)?;
    let provenance = Provenance { program: name.to_owned(), arguments, ..provenance };
    let findings = findings::findings(records, &lowered, machine, sources);
    let command = format!("reconverge run {name} {}", asked.source.options.trim());
    let page = page::run::text(&page::run::Subject {
        header: Header::new(command.trim(), &machine.name, &provenance, plain),
        stopped: execution.outcome.render(sources, false),
        checks: String::new(),
        machine,
        records,
        lowered: &lowered,
        sources,
        findings: &findings,
    });
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
        table: text(&table(records, true)) + &findings::text(&findings),
        page: page.map_err(|error| anyhow!("the report cannot be made: {error:#}"))?,
    })
}
