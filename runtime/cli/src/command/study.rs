//! `study NAME|FILE`.

use super::options::named;
use super::{interrupt, output, style::Style};
use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use reconverge::status;
use reconverge::study::catalogue::STUDIES;
use reconverge::study::comparison::TITLES;
use reconverge::study::emit::{Job, Scheduler};
use reconverge::study::engine::{self, Event, Ran, Run};
use reconverge::study::file::StudyFile;
use reconverge::study::plan::{Plan, Request};
use reconverge::study::results::Results;
use reconverge::study::store::{Store, Stored};
use reconverge::study::whole_file;
use reconverge_isa::wording::counted;
use reconverge_report::study::{self as report, Headline, Report, measurements};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The study, the places of its results, and options.
#[derive(Args, Debug)]
pub struct StudyArguments {
    /// A study by name (`examples/studies`, or built in), or a file that ends with `.toml`
    #[arg(value_name = "NAME|FILE", required_unless_present_any = ["list", "all"], conflicts_with = "all")]
    study: Option<String>,
    /// Run all built-in studies that need no measurements of a GPU
    #[arg(long, requires = "publish")]
    all: bool,
    /// With `--all`: the folder for their reports, their store, a short report of each, and a page of headlines
    #[arg(long, value_name = "DIR", requires = "all", conflicts_with_all = ["out", "only", "emit"])]
    publish: Option<PathBuf>,
    /// Name the built-in studies
    #[arg(long)]
    list: bool,
    /// Points to run at a time; default: one per processor
    #[arg(long, value_name = "N", default_value_t = 0)]
    jobs: usize,
    /// The folder of the report; default: `study-NAME`
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The folder with the results of all points, which studies may share; default: `store` in the folder of the report
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
    /// Run every point, including stored ones
    #[arg(long)]
    fresh: bool,
    /// Run only part I of N, with I from 0 to N-1, and write no report
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<(u64, u64)>,
    /// Only this program or configuration, with its baseline; may be given several times
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// The size of the programs: test, small, full or paper; default: the study's own
    #[arg(long, value_name = "SIZE")]
    size: Option<String>,
    /// The machine, by name or file, of all configurations that name no other; default: the study's own
    #[arg(long, value_name = "NAME|FILE")]
    machine: Option<String>,
    /// A CSV file with measurements from elsewhere, for studies that compare with it: columns `program`, `size`, and those that
    /// the study names
    #[arg(long, value_name = "FILE.csv")]
    reference: Option<PathBuf>,
    /// Run nothing; write a script to standard output that runs the study's parts elsewhere
    #[arg(long, value_parser = named::<Scheduler>(), value_name = "WHAT")]
    emit: Option<Scheduler>,
    /// Number of parts in the script
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    shards: u64,
    /// Run nothing; make the report from the store
    #[arg(long, conflicts_with_all = ["fresh", "shard", "emit"])]
    report_only: bool,
    /// Show no progress and no summary
    #[arg(short, long)]
    quiet: bool,
}

fn shard(text: &str) -> std::result::Result<(u64, u64), String> {
    let parts =
        text.split_once('/').and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
    match parts {
        Some((index, of)) if index < of => Ok((index, of)),
        _ => Err("expected I/N with I from 0 to N-1".to_owned()),
    }
}

/// Runs the missing points and writes the report. The exit status is [`status::FOUND`] if a point failed.
pub fn study(arguments: &StudyArguments, style: Style) -> Result<ExitCode> {
    if arguments.list {
        output::show(&(STUDIES.names().join("\n") + "\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(folder) = &arguments.publish {
        return all(arguments, folder, style);
    }
    let name = arguments.study.as_deref().unwrap_or_default();
    let out = arguments.out.clone().unwrap_or_else(|| default_folder(name));
    let store = arguments.store.clone().unwrap_or_else(|| out.join("store"));
    let plan = Study::read(name)?.plan(arguments)?;
    if let Some(scheduler) = arguments.emit {
        let job = job(arguments, name, &out, &store)?;
        output::show(&job.script(scheduler)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let done = one(arguments, &plan, &Places { out: &out, store: &store }, style)?;
    Ok(ExitCode::from(done.status))
}

/// Runs all studies on one store. A study whose points fail does not stop the others.
fn all(arguments: &StudyArguments, folder: &Path, style: Style) -> Result<ExitCode> {
    let store = arguments.store.clone().unwrap_or_else(|| folder.join("store"));
    let (mut worst, mut headlines) = (0, Vec::new());
    for name in STUDIES.names() {
        let study = Study::read(&name)?;
        if study.file.needs_reference()? && arguments.reference.is_none() {
            style.note(&format!("`{name}` is left out: it needs `--reference`"));
            continue;
        }
        let out = folder.join(&name);
        let plan = study.plan(arguments)?;
        let done = one(arguments, &plan, &Places { out: &out, store: &store }, style)?;
        if done.status == status::INTERRUPTED {
            return Ok(ExitCode::from(done.status));
        }
        worst = worst.max(done.status);
        if let Some(headline) = done.headline {
            let (short, to) = (out.join("short.md"), folder.join(format!("{name}.md")));
            std::fs::copy(&short, &to)
                .with_context(|| format!("cannot write `{}`", to.display()))?;
            headlines.push((name, headline));
        }
    }
    if arguments.shard.is_none() {
        let page = report::headlines(&headlines);
        whole_file::write(&folder.join("headlines.md"), page.as_bytes())?;
    }
    Ok(ExitCode::from(worst))
}

/// The folders of a study's report and points.
struct Places<'a> {
    out: &'a Path,
    store: &'a Path,
}

/// A study that has run.
struct Done {
    /// The exit status.
    status: u8,
    /// The study's headline, if a report was written.
    headline: Option<Headline>,
}

/// A study as it is read, with the folder of its file.
struct Study {
    file: StudyFile,
    folder: Option<PathBuf>,
}

impl Study {
    fn read(name: &str) -> Result<Study> {
        let (text, called, folder) = STUDIES.read(name)?;
        Ok(Study { file: StudyFile::read(&called, &text)?, folder })
    }

    /// Its plan with the command's options.
    fn plan(self, arguments: &StudyArguments) -> Result<Plan> {
        let request = Request {
            size: arguments.size.clone(),
            machine: machine(arguments)?,
            only: arguments.only.clone(),
            folder: self.folder,
            reference: arguments.reference.as_deref().map(measurements::read).transpose()?,
        };
        Plan::new(self.file, &request)
    }
}

/// Runs the missing points of a study and writes its report.
fn one(
    arguments: &StudyArguments,
    plan: &Plan,
    &Places { out, store: folder }: &Places,
    style: Style,
) -> Result<Done> {
    let store = Store::open(folder)?;
    let ran = match arguments.report_only {
        true => stored(plan, &store, style),
        false => run(arguments, plan, &store, style)?,
    };
    if ran.interrupted {
        style.note(&format!(
            "stopped; {} of {} points are in `{}`, and the same command goes on from there",
            ran.outcomes.len(),
            plan.distinct().len(),
            folder.display()
        ));
        return Ok(Done { status: status::INTERRUPTED, headline: None });
    }
    if arguments.shard.is_some() {
        let failed = ran.lost > 0 || ran.outcomes.values().any(|outcome| !outcome.is_good());
        return Ok(Done { status: if failed { status::FOUND } else { 0 }, headline: None });
    }
    let results = Results::new(plan, &ran);
    let report = report::write(&results, out)?;
    if !arguments.quiet {
        summary(&report, plan, &ran, out, style)?;
    }
    let status = if report.complaints.is_empty() { 0 } else { status::FOUND };
    Ok(Done { status, headline: Some(Headline::new(&report)) })
}

/// The requested machine; a file by its absolute path, because a study's own files are relative to its folder.
fn machine(arguments: &StudyArguments) -> Result<Option<String>> {
    let place = |name: &String| match Path::new(name).is_file() {
        true => absolute(Path::new(name)),
        false => Ok(name.clone()),
    };
    arguments.machine.as_ref().map(place).transpose()
}

fn absolute(path: &Path) -> Result<String> {
    let path = std::path::absolute(path).with_context(|| format!("`{}`", path.display()))?;
    match path.to_str() {
        Some(text) => Ok(text.to_owned()),
        None => bail!("`{}` is no text", path.display()),
    }
}

fn default_folder(name: &str) -> PathBuf {
    let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
    PathBuf::from(format!("study-{stem}"))
}

/// The points that the store has; damaged ones are named.
fn stored(plan: &Plan, store: &Store, style: Style) -> Ran {
    let mut ran = Ran::default();
    for point in plan.distinct() {
        match store.get(&point.identity) {
            Stored::Whole(mut outcome) => {
                outcome.provenance = point.provenance.clone();
                ran.outcomes.insert(point.identity.clone(), *outcome);
            }
            Stored::Missing => {}
            Stored::Corrupt(corrupt) => style.error(&format!(
                "{}: {corrupt}; run the study without `--report-only` to make the point again",
                point.provenance.program
            )),
        }
    }
    ran
}

fn run(arguments: &StudyArguments, plan: &Plan, store: &Store, style: Style) -> Result<Ran> {
    let how = Run {
        jobs: arguments.jobs,
        fresh: arguments.fresh,
        shard: arguments.shard,
        interruption: interrupt::on_ctrl_c()?,
    };
    let bar = match style.terminal && !arguments.quiet {
        true => ProgressBar::new(0).with_style(
            ProgressStyle::with_template("{wide_bar} {pos} of {len} points, {msg}, {eta} to go")
                .unwrap_or_else(|_| ProgressStyle::default_bar()),
        ),
        false => ProgressBar::hidden(),
    };
    let running = std::sync::atomic::AtomicI64::new(0);
    let under_way = |change: i64| {
        let now = running.fetch_add(change, std::sync::atomic::Ordering::Relaxed) + change;
        bar.set_message(format!("{} under way", now.max(0)));
    };
    let watch = |event: Event| match event {
        Event::All(count) => bar.set_length(count as u64),
        Event::Corrupt(point, corrupt) => bar.suspend(|| {
            style.note(&format!("{}: {corrupt}; the point is run again", point.provenance.program));
        }),
        Event::Begins => under_way(1),
        Event::Ends => under_way(-1),
        Event::Done(point, outcome) => {
            bar.inc(1);
            if !outcome.is_good() {
                bar.suspend(|| {
                    style.error(&format!("{}: {}", point.provenance.program, outcome.reason()))
                });
            }
        }
        Event::Lost(point, why) => {
            bar.inc(1);
            bar.suspend(|| {
                style.error(&format!("{}: results are lost: {why}", point.provenance.program))
            });
        }
    };
    let ran = engine::run(plan, store, &how, &watch);
    bar.finish_and_clear();
    ran
}

fn summary(report: &Report, plan: &Plan, ran: &Ran, out: &Path, style: Style) -> Result<()> {
    for complaint in &report.complaints {
        style.error(&format!(
            "{}, {}: {}",
            complaint.program, complaint.configuration, complaint.what
        ));
    }
    for (name, why) in report.left_out {
        style.note(&format!("{name} is left out: {why}"));
    }
    for note in report.reference.iter().flat_map(|reference| &reference.notes) {
        style.note(note);
    }
    let points = plan.distinct().len();
    let mut text = format!("{}, {} of them run now\n", counted(points as u64, "point"), ran.run);
    for table in &report.tables {
        for one in table.comparison.iter().flat_map(|comparison| &comparison.compared) {
            let cells = one.cells().into_iter().zip(TITLES);
            let said = cells.skip(1).map(|(cell, title)| format!("{title} {cell}"));
            let said = Vec::from_iter(said).join(", ");
            text += &format!("{}, {}: {said}\n", table.title, one.configuration);
        }
    }
    for claim in &report.claims {
        let agrees = match claim.agrees {
            Some(true) => "agrees",
            Some(false) => "differs",
            None => "not measured",
        };
        let stale = if claim.stale.is_some() { ", reason is stale" } else { "" };
        text += &format!(
            "{}: source {}, ours {} ({agrees}{stale})\n",
            claim.about, claim.paper_text, claim.ours_text
        );
    }
    text += &format!("report: {}\n", out.join("index.html").display());
    output::show(&text)
}

/// The command of a script: this program with the options that select the study's points.
fn job(arguments: &StudyArguments, name: &str, out: &Path, store: &Path) -> Result<Job> {
    let program = std::env::current_exe().context("this program has no path")?;
    let is_file = name.ends_with(".toml") || name.contains('/');
    let study = if is_file { absolute(Path::new(name))? } else { name.to_owned() };
    let only = arguments.only.iter().flat_map(|name| ["--only".to_owned(), name.clone()]);
    let size = arguments.size.iter().flat_map(|size| ["--size".to_owned(), size.clone()]);
    let machine = machine(arguments)?.into_iter().flat_map(|name| ["--machine".to_owned(), name]);
    let reference = arguments.reference.iter().map(|path| absolute(path));
    let reference: Vec<String> = reference.collect::<Result<_>>()?;
    let reference = reference.into_iter().flat_map(|path| ["--reference".to_owned(), path]);
    Ok(Job {
        program: absolute(&program)?,
        words: (std::iter::once(study).chain(only).chain(size))
            .chain(machine)
            .chain(reference)
            .collect(),
        out: absolute(out)?,
        store: absolute(store)?,
        shards: arguments.shards,
    })
}
