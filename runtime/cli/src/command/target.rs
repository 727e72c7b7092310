//! The options of every command that runs kernels: the machine, the run, and the reports.

use super::html::HtmlArguments;
use super::limits::KernelLimits;
use super::options::named;
use super::output;
use super::progress::ProgressLine;
use super::style::Style;
use super::trace::TraceArguments;
use anyhow::{Result, bail, ensure};
use clap::Args;
use reconverge::build::Checked;
use reconverge::build_arguments::BuildArguments;
use reconverge::checks::{Check, CheckSet, Findings, Ignored, Schedules};
use reconverge::execute::ModelName;
use reconverge::findings::{self, Finding};
use reconverge::host::report::Outcome;
use reconverge::kernel_record::KernelRecord;
use reconverge::machine_file;
use reconverge::profile::{self, KernelLines, ProfileReport};
use reconverge::report::{KernelReport, MachineValues, RunReport, SCHEMA, table};
use reconverge::simulated::SamplePeriod;
use reconverge::study::provenance::Provenance;
use reconverge::study::settings::Settings;
use reconverge::what_if;
use reconverge_compiler::diagnostic;
use reconverge_compiler::lower::Lowered;
use reconverge_compiler::syntax::SourceMap;
use reconverge_report::page::{self, Header};
use reconverge_report::table::text;
use reconverge_simulator::Machine;
use std::path::{Path, PathBuf};

/// The machine.
#[derive(Args, Debug)]
#[command(next_help_heading = "Machine")]
pub struct MachineArguments {
    /// A machine by name (`list machines`), or a machine file
    #[arg(long, value_name = "NAME|FILE", default_value = "gtx480")]
    machine: String,
    /// Change a setting of the machine, e.g. `scheduler=loose-round-robin` or `l1.size=32768`
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = setting)]
    sets: Vec<(String, String)>,
}

/// The machine, the model, and the outputs.
#[derive(Args, Debug)]
pub struct TargetArguments {
    #[command(flatten)]
    machine: MachineArguments,
    /// `timing` counts cycles, `functional` only executes, `reference` interprets the source
    #[arg(long, help_heading = "Machine", value_parser = named::<ModelName>(), default_value = ModelName::Timing.name())]
    pub model: ModelName,
    /// Write statistics as JSON; `-` is standard output
    #[arg(long, help_heading = "Reports", value_name = "FILE")]
    pub stats: Option<PathBuf>,
    /// Show the cost of each source line: issue slots and stall reasons, active lanes, divergent
    /// branches and memory accesses; with `=asm` that of each instruction too
    #[arg(
        long,
        help_heading = "Reports",
        value_name = "ROWS",
        value_parser = named::<profile::Rows>(),
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "lines"
    )]
    profile: Option<profile::Rows>,
    /// Write the profile as JSON, with every statistic counted by line; `-` is standard output
    #[arg(long, help_heading = "Reports", value_name = "FILE")]
    profile_json: Option<PathBuf>,
    /// Run each launch again without the cause of each finding, and show the measured gain
    #[arg(long, help_heading = "Reports")]
    what_if: bool,
    #[command(flatten)]
    pub html: HtmlArguments,
    /// Sample the counters every N cycles of each launch: `--stats` has the samples, and `--trace` and `--html` show
    /// counters over time
    #[arg(long, help_heading = "Reports", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample_every: Option<u64>,
    #[command(flatten)]
    pub limits: KernelLimits,
    /// Host threads that run the timing model, at most the number of processors; results do not depend
    /// on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub threads: u32,
    /// Check every compiler annotation of values and branches at run time (slower)
    #[arg(long, help_heading = "Checks")]
    pub verify_annotations: bool,
    /// Look for these faults, separated by commas, and end with status 244 if a successful run has any
    #[arg(long, help_heading = "Checks", value_name = "WHAT", value_parser = named::<Check>(), value_delimiter = ',')]
    check: Vec<Check>,
    /// Leave out intended findings, such as `R0101@main.cu:12`; a comment in that line or the one above,
    /// `// check: ignore R0101`, does the same
    #[arg(long, help_heading = "Checks", value_name = "CODE@FILE:LINE", requires = "check")]
    ignore: Vec<Ignored>,
    /// Also check accesses that are proved free of races before a launch
    #[arg(long, help_heading = "Checks")]
    check_proved: bool,
    /// Also run each launch in N other orders of its blocks, warps and paths, and compare memory after it; ends with status
    /// 244 if it differs
    #[arg(long, help_heading = "Checks", value_name = "N", default_value_t = 0)]
    check_schedules: u32,
    /// Seed that selects the other orders
    #[arg(
        long,
        help_heading = "Checks",
        value_name = "SEED",
        default_value_t = 0,
        requires = "check_schedules"
    )]
    check_seed: u64,
    /// The trace options.
    #[command(flatten)]
    pub trace: TraceArguments,
    /// Show no table of statistics, no findings and no progress
    #[arg(short, long)]
    quiet: bool,
}

/// `KEY=VALUE`.
pub fn setting(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').ok_or("expected KEY=VALUE")?;
    Ok((pair.0.trim().to_string(), pair.1.trim().to_string()))
}

/// A machine by name or file with settings, and the same as a complete file.
pub fn resolved(name: &str, sets: &[(String, String)]) -> Result<(Machine, String)> {
    let (loaded, _) = machine_file::read(name, Path::new(""), sets)?;
    Ok((loaded.machine, loaded.file))
}

impl MachineArguments {
    /// The machine that the options describe.
    pub fn machine(&self) -> Result<Machine> {
        resolved(&self.machine, &self.sets).map(|(machine, _)| machine)
    }

    /// Warns of parts of the machine's file and of settings without effect.
    pub fn warn(&self, style: Style) -> Result<()> {
        style.of_machine(&machine_file::read(&self.machine, Path::new(""), &self.sets)?.1, false);
        Ok(())
    }

    /// The machine without changed settings, as a complete file.
    pub fn file(&self) -> Result<String> {
        self.file_of(&Settings::default())
    }

    /// The machine that a setting names, without changed settings, as a complete file.
    pub fn file_of(&self, settings: &Settings) -> Result<String> {
        let name = settings.machine.as_ref().unwrap_or(&self.machine);
        resolved(name, &[]).map(|(_, text)| text)
    }

    /// The machine with further settings, and the same as a complete file.
    pub fn varied(&self, settings: &Settings) -> Result<(Machine, String)> {
        let name = settings.machine.as_ref().unwrap_or(&self.machine);
        resolved(name, &[self.sets.as_slice(), &settings.sets].concat())
    }

    /// The machine, and the same as a complete file.
    pub fn resolved(&self) -> Result<(Machine, String)> {
        resolved(&self.machine, &self.sets)
    }
}

impl TargetArguments {
    /// The provenance of a program's results; the files that it reads are unknown.
    pub fn provenance(
        &self,
        checked: &Checked,
        build: &BuildArguments,
        arguments: &[String],
    ) -> Result<Provenance> {
        let (machine, text) = self.machine.resolved()?;
        let provenance = Provenance::new(checked, build, &machine, &text)?;
        let program =
            checked.sources.files().next().map(|file| checked.sources.name(file).to_owned());
        Ok(Provenance {
            program: program.unwrap_or_default(),
            arguments: arguments.to_vec(),
            ..provenance
        })
    }

    /// The machine that the options describe; warns of options without effect.
    pub fn machine(&self, style: Style) -> Result<Machine> {
        self.machine.warn(style)?;
        self.machine.machine()
    }

    /// The sampling of the run: as requested, or as a page needs it.
    pub fn samples(&self) -> Option<SamplePeriod> {
        let overview = self.html.is_wanted().then_some(SamplePeriod::Overview);
        self.sample_every.map(SamplePeriod::Every).or(overview)
    }

    /// True if launches run again without the causes of their lost time.
    pub fn what_if(&self) -> bool {
        self.what_if
    }

    /// Reports unwritable statistics, profiles, pages and traces before a long run.
    pub fn check(&self, machine: &Machine) -> Result<()> {
        self.trace.check(self.model, machine)?;
        self.html.check(self.model.name())?;
        if self.sample_every.is_some() {
            ensure!(
                self.model == ModelName::Timing,
                "--sample-every needs --model timing: there are no cycles under `{}`",
                self.model.name()
            );
            ensure!(
                self.stats.is_some() || self.trace.is_for_perfetto() || self.html.is_wanted(),
                "--sample-every has nowhere to write to: give it --stats FILE, --html FILE, or --trace FILE for Perfetto"
            );
        }
        if self.what_if {
            ensure!(
                self.model == ModelName::Timing,
                "--what-if needs --model timing: there are no cycles under `{}`",
                self.model.name()
            );
        }
        if self.wants_profile() && self.model == ModelName::Reference {
            bail!(
                "there is no profile under `--model reference`\n  the interpreter runs no \
                 instructions; use `--model timing`, or `functional` for what needs no time"
            );
        }
        if self.checks().any() && self.model == ModelName::Reference {
            bail!(
                "there is no `--check` under `--model reference`\n  the interpreter runs one thread after the other; \
                 use `--model functional`, or `timing`"
            );
        }
        let files = [&self.stats, &self.profile_json];
        files.into_iter().flatten().try_for_each(|file| output::check(file))
    }

    /// The faults to look for.
    pub fn checks(&self) -> CheckSet {
        let schedules = Schedules { count: self.check_schedules, seed: self.check_seed };
        let checks = CheckSet::new(&self.check).with_schedules(schedules);
        let checks = checks.ignoring(self.ignore.clone());
        if self.check_proved { checks.without_proofs() } else { checks }
    }

    /// True if costs by line are requested.
    fn wants_profile(&self) -> bool {
        self.profile.is_some() || self.profile_json.is_some()
    }

    /// True if costs are counted by line, for a profile or for the findings below the table.
    pub fn counts_by_line(&self, style: Style) -> bool {
        self.wants_profile() || self.html.is_wanted() || self.what_if || self.shows_findings(style)
    }

    fn shows_findings(&self, style: Style) -> bool {
        !self.quiet && style.shows_tables() && self.model == ModelName::Timing
    }

    /// Progress, unless it is suppressed.
    pub fn progress(&self, style: Style) -> ProgressLine {
        ProgressLine::new(style.terminal && !self.quiet)
    }

    /// Shows the table and writes the statistics.
    pub fn report(&self, run: Measured<'_>, style: Style) -> Result<()> {
        if !self.quiet {
            let machine = (self.model == ModelName::Timing).then_some(run.machine);
            style.table(&text(&table(run.records, machine)));
            if let (ModelName::Timing, Some(sources)) = (self.model, &run.machine.tables.sources)
                && style.shows_tables()
            {
                let name = &run.machine.name;
                style.note(&format!("`{name}`: {}; `list machine` says which", sources.summary()));
            }
        }
        let Some(file) = &self.stats else {
            return Ok(());
        };
        let report = RunReport {
            schema: SCHEMA,
            program: run.program,
            machine: &run.machine.name,
            machine_values: run.machine.tables.sources.as_ref().map(MachineValues::new),
            model: self.model.name(),
            provenance: run.provenance,
            complete: run.complete(),
            kernels: run.records.iter().map(KernelReport::new).collect(),
        };
        let mut text = serde_json::to_string_pretty(&report)?;
        text.push('\n');
        output::write(file, text.as_bytes())
    }
}

impl TargetArguments {
    /// Shows and writes the cost of each source line, and the findings.
    pub fn report_lines(
        &self,
        run: Measured<'_>,
        lowered: &Lowered,
        sources: &SourceMap,
        style: Style,
    ) -> Result<()> {
        let complete = run.complete();
        let shows_findings = self.shows_findings(style) && complete;
        let wants_findings = self.profile_json.is_some() || self.html.is_wanted();
        let findings = match self.model {
            ModelName::Timing if shows_findings || wants_findings => {
                findings::findings(run.records, lowered, run.machine, sources)
            }
            _ => Vec::new(),
        };
        if shows_findings {
            style.table(&findings::text(&findings));
            style.table(&what_if::text(run.records));
        }
        self.html.write(|| self.page(run, lowered, sources, &findings))?;
        if !self.wants_profile() {
            return Ok(());
        }
        let kernels = profile::kernels(run.records, &lowered.program, sources);
        if let Some(rows) = self.profile {
            let timing = self.model == ModelName::Timing;
            style.table(&profile::table(&kernels, rows, timing, style.width()));
        }
        let Some(output) = &self.profile_json else {
            return Ok(());
        };
        let report = ProfileReport {
            schema: profile::SCHEMA,
            program: run.program,
            machine: &run.machine.name,
            model: self.model.name(),
            provenance: run.provenance,
            complete: run.complete(),
            findings: &findings,
            kernels: kernels.iter().map(KernelLines::new).collect(),
        };
        let mut text = serde_json::to_string_pretty(&report)?;
        text.push('\n');
        output::write(output, text.as_bytes())
    }

    /// The text of the run's page.
    fn page(
        &self,
        run: Measured<'_>,
        lowered: &Lowered,
        sources: &SourceMap,
        findings: &[Finding],
    ) -> Result<String> {
        let file = self.machine.file()?;
        let header = Header::new(run.command, &run.machine.name, run.provenance, &file);
        page::run::text(&page::run::Subject {
            header,
            stopped: run.outcome.render(sources, false),
            checks: diagnostic::render(&run.checks.shown, sources, false),
            machine: run.machine,
            records: run.records,
            lowered,
            sources,
            findings,
        })
    }
}

/// A run, as reports need it.
#[derive(Clone, Copy, Debug)]
pub struct Measured<'a> {
    /// The program's file.
    pub program: &'a str,
    /// The command line, as pages show it.
    pub command: &'a str,
    /// Its machine and model.
    pub machine: &'a Machine,
    /// The provenance of its results.
    pub provenance: &'a Provenance,
    /// The launches; only the last may be incomplete.
    pub records: &'a [KernelRecord],
    /// The outcome.
    pub outcome: &'a Outcome,
    /// The findings of checks.
    pub checks: &'a Findings,
}

impl Measured<'_> {
    /// True if the program ended by itself.
    fn complete(&self) -> bool {
        matches!(self.outcome, Outcome::Exit(_))
    }
}
