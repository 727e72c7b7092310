//! The plan of a study: every point that its file requires, ready to run.

use super::catalogue::{Entry, Library, Source};
use super::file::StudyFile;
use super::point::Point;
use super::provenance::{Provenance, digest, digest_of_source};
use super::reference::{Lines, Measurements, Reference};
use super::settings::{self, Settings, combinations};
use crate::build::{self, Checked};
use crate::build_arguments::BuildArguments;
use crate::execute::ModelName;
use crate::kernel_file::KernelFile;
use anyhow::{Context, Result, bail, ensure};
use rayon::prelude::*;
use reconverge_compiler::check::Needed;
use reconverge_compiler::diagnostic;
use reconverge_simulator::Machine;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// More points than that are a mistake.
const MOST: usize = 100_000;

/// The request for a study beside its file.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The size; by default the study's own.
    pub size: Option<String>,
    /// The machine of all configurations that name no other, by name or absolute path; by default
    /// the study's own.
    pub machine: Option<String>,
    /// Only these programs and configurations; all if there are none. The baseline always runs.
    pub only: Vec<String>,
    /// The folder of the study file; none for one that is built in.
    pub folder: Option<PathBuf>,
    /// A file with the measurements of others.
    pub reference: Option<Measurements>,
}

/// A column of a study: how programs are compiled and run.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// Its name, and the varied settings: `dual-path, l1.size=16384`.
    pub label: String,
    /// The configuration of the study file.
    pub name: String,
    /// Its settings beyond the study's own, in the order of the file.
    pub settings: Vec<String>,
    /// The index of the configuration that it is compared with.
    pub baseline: usize,
    resolved: Resolved,
}

/// Settings by their subject.
#[derive(Clone, Debug)]
struct Resolved {
    machine: Machine,
    /// The machine as a file.
    text: String,
    /// Options of the compiler.
    compile: Vec<String>,
    /// Arguments of the program in place of its size's.
    arguments: Option<Vec<String>>,
    /// Files of kernels in place of the program's.
    kernels: Option<Vec<PathBuf>>,
    /// The machine for a profile of loads, if one is requested.
    profiled: Option<Machine>,
}

/// A row of a study.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// Its entry in the catalogue.
    pub entry: Entry,
}

/// Every point of a study.
pub struct Plan {
    /// The study.
    pub file: StudyFile,
    /// The size that is run.
    pub size: String,
    /// The programs that have this size.
    pub programs: Vec<Program>,
    /// Programs that are left out: (name, why).
    pub left_out: Vec<(String, String)>,
    /// The configurations.
    pub configurations: Vec<Configuration>,
    /// By program, by configuration.
    pub points: Vec<Vec<Point>>,
    /// The measurements of others, if the study needs them.
    pub reference: Option<Reference>,
}

impl Plan {
    /// Plans all runs that a study requires. Programs are read and checked; nothing runs.
    ///
    /// # Errors
    /// The faults of the study: an unknown program, setting or option, or a program that does not
    /// compile.
    pub fn new(mut file: StudyFile, request: &Request) -> Result<Plan> {
        let size = request.size.clone().unwrap_or_else(|| file.size.clone());
        if let Some(machine) = &request.machine {
            file.machine.clone_from(machine);
        }
        let library = Library::beside(request.folder.as_deref())?;
        file.write_out(&library)?;
        let lines = Lines::read(&file, request.reference.as_ref())?;
        let configurations = only_configurations(configurations(&file, request)?, &file, request)?;
        let (programs, left_out) = programs(&file, &library, &size, request)?;
        ensure!(programs.len() * configurations.len() <= MOST, "there are more than {MOST} points");
        let points = programs
            .par_iter()
            .map(|program| {
                points(program, &size, &configurations, &library, request)
                    .with_context(|| format!("program `{}`", program.name))
            })
            .collect::<Result<Vec<_>>>()?;
        let with_points = programs.iter().map(|program| program.name.as_str());
        let with_points: Vec<_> = with_points.zip(points.iter().map(Vec::as_slice)).collect();
        let of_size = |lines: Lines| lines.for_programs(&file, &library, &size, &with_points);
        let reference = lines.map(of_size).transpose()?;
        Ok(Plan { file, size, programs, left_out, configurations, points, reference })
    }

    /// Every point once, in the order of programs, then configurations.
    pub fn distinct(&self) -> Vec<&Point> {
        let mut seen = std::collections::BTreeSet::new();
        let all = self.points.iter().flatten();
        all.filter(|point| seen.insert(point.identity.as_str())).collect()
    }

    /// The points of a shard: those whose identity, as a number, leaves `index` when divided by `of`.
    pub fn shard(&self, index: u64, of: u64) -> Vec<&Point> {
        let number = |point: &&Point| u64::from_str_radix(&point.identity[..15], 16).unwrap_or(0);
        self.distinct().into_iter().filter(|point| number(point) % of == index).collect()
    }
}

/// All configurations: those of the file, each with every combination of varied settings.
fn configurations(file: &StudyFile, request: &Request) -> Result<Vec<Configuration>> {
    let words = |chosen: Vec<(String, String)>| {
        chosen.iter().map(|(key, value)| settings::word(key, value)).collect::<Vec<_>>()
    };
    let own = file.configurations()?;
    let base = match &file.baseline {
        Some(name) => own.iter().position(|(own, _)| own == name).unwrap_or(0),
        None => 0,
    };
    let varied = |name: &str| -> Result<(Vec<Vec<String>>, bool)> {
        let (varied, is_own) = file.varied(name)?;
        Ok((combinations(&varied)?.into_iter().map(words).collect(), is_own))
    };
    let mut firsts = Vec::new();
    let mut all: Vec<Configuration> = Vec::new();
    for (name, settings) in &own {
        let (varied, is_own) = varied(name)?;
        firsts.push((all.len(), is_own));
        for with in &varied {
            let label: Vec<&str> =
                std::iter::once(name.as_str()).chain(with.iter().map(String::as_str)).collect();
            // A lone configuration is no part of the name of varied settings.
            let label = if own.len() == 1 && label.len() > 1 {
                label[1..].join(", ")
            } else {
                label.join(", ")
            };
            let settings = [settings.as_slice(), with].concat();
            let complete = [file.settings.as_slice(), &settings].concat();
            let resolved = resolve(&complete, &file.machine, request)
                .with_context(|| format!("configuration `{label}`"))?;
            all.push(Configuration { label, name: name.clone(), settings, baseline: 0, resolved });
        }
    }
    // With several configurations each is compared at the same varied settings or, if these are its
    // own, with itself.
    if own.len() > 1 {
        let (of_baseline, is_own) = firsts[base];
        ensure!(!is_own, "the baseline, `{}`, has no `vary` of its own", own[base].0);
        for (number, &(first, is_own)) in firsts.iter().enumerate() {
            let end = firsts.get(number + 1).map_or(all.len(), |next| next.0);
            for (at, one) in all[first..end].iter_mut().enumerate() {
                one.baseline = at + if is_own { first } else { of_baseline };
            }
        }
    }
    Ok(all)
}

/// The meaning of settings.
fn resolve(settings: &[String], machine: &str, request: &Request) -> Result<Resolved> {
    let mut settings = Settings::read(settings)?;
    let folder = request.folder.clone().unwrap_or_default();
    let (resolved, text) = settings.machine(machine, &folder)?;
    let (compile, arguments) =
        (std::mem::take(&mut settings.compile), std::mem::take(&mut settings.arguments));
    let profiled = match settings.profiled {
        true => {
            // Later settings take the place of earlier ones.
            settings.sets.push(("allocation".to_owned(), "all".to_owned()));
            settings.sets.push(("l2.allocation".to_owned(), "all".to_owned()));
            Some(settings.machine(machine, &folder)?.0)
        }
        false => None,
    };
    let kernels = settings.kernels.take();
    Ok(Resolved { machine: resolved, text, compile, arguments, kernels, profiled })
}

/// The requested configurations, and those that they are compared with.
fn only_configurations(
    all: Vec<Configuration>,
    file: &StudyFile,
    request: &Request,
) -> Result<Vec<Configuration>> {
    let known = |name: &String| all.iter().any(|one| one.label == *name || one.name == *name);
    let programs = file.all_programs()?;
    if let Some(unknown) =
        request.only.iter().find(|&name| !known(name) && !programs.contains(name))
    {
        let labels: Vec<&str> = all.iter().map(|one| one.label.as_str()).collect();
        bail!(
            "`{unknown}` is neither a program nor a configuration of the study\n  programs: {}\n  configurations: {}",
            programs.join(", "),
            labels.join("; ")
        );
    }
    let named: Vec<&String> = request.only.iter().filter(|&name| known(name)).collect();
    if named.is_empty() {
        return Ok(all);
    }
    let asked =
        |one: &Configuration| named.iter().any(|name| one.label == **name || one.name == **name);
    let kept: Vec<usize> = (0..all.len())
        .filter(|&at| asked(&all[at]) || all.iter().any(|one| asked(one) && one.baseline == at))
        .collect();
    let moved = |at: usize| kept.iter().position(|&kept| kept == at).unwrap_or(0);
    let with = |&at: &usize| Configuration { baseline: moved(all[at].baseline), ..all[at].clone() };
    Ok(kept.iter().map(with).collect())
}

type LeftOut = Vec<(String, String)>;

fn programs(
    file: &StudyFile,
    library: &Library,
    size: &str,
    request: &Request,
) -> Result<(Vec<Program>, LeftOut)> {
    let all = file.all_programs()?;
    let some_named = request.only.iter().any(|name| all.contains(name));
    let (mut programs, mut left_out) = (Vec::new(), Vec::new());
    for name in all.into_iter().filter(|name| !some_named || request.only.contains(name)) {
        let entry = match file.program.get(&name) {
            Some(entry) => entry.clone(),
            None => library.entry(&name)?.clone(),
        };
        match entry.size(size) {
            Ok(_) => programs.push(Program { name, entry }),
            Err(why) => left_out.push((name, why.to_string())),
        }
    }
    if programs.is_empty() {
        let why: Vec<String> =
            left_out.iter().map(|(name, why)| format!("{name}: {why}")).collect();
        bail!("no program of the study can run\n  {}", why.join("\n  "));
    }
    Ok((programs, left_out))
}

/// The setting of [`Settings::profiled`].
const PROFILED: &str = "load-hints=profile";

/// A program as some options compile it.
type Compiled = (Arc<Checked>, String, BuildArguments);

fn points(
    program: &Program,
    size: &str,
    configurations: &[Configuration],
    library: &Library,
    request: &Request,
) -> Result<Vec<Point>> {
    let folder = request.folder.clone().unwrap_or_default();
    let source = match (&program.entry.file, &request.folder) {
        (Some(file), Some(folder)) => Source::read(&folder.join(file))?,
        (Some(file), None) => Source::built_in(file)?,
        (None, _) => library.source(&program.name)?,
    };
    let allowed: Vec<PathBuf> =
        program.entry.inputs.iter().map(|input| folder.join(input)).collect();
    let inputs = digests(&allowed)?;
    let words = program.entry.size(size)?;
    let (options, arguments): (Vec<String>, Vec<String>) =
        words.into_iter().partition(|word| word.starts_with("-D"));
    let mut compiled: BTreeMap<(Vec<String>, Vec<PathBuf>), Compiled> = BTreeMap::new();
    let point = |configuration: &Configuration| {
        let resolved = &configuration.resolved;
        let words = [options.as_slice(), &resolved.compile].concat();
        let kernels = resolved.kernels.as_ref().unwrap_or(&program.entry.kernels);
        let kernels: Vec<PathBuf> = kernels.iter().map(|file| folder.join(file)).collect();
        let key = (words.clone(), kernels);
        if !compiled.contains_key(&key) {
            compiled.insert(key.clone(), compile(&source, &words, &key.1)?);
        }
        let (checked, digest_of_source, options) = &compiled[&key];
        let provenance = Provenance {
            program: program.name.clone(),
            arguments: resolved.arguments.clone().unwrap_or_else(|| arguments.clone()),
            inputs: inputs.clone(),
            ..Provenance::new(checked, options, &resolved.machine, &resolved.text)?
        };
        let mut provenance =
            Provenance { source: digest_of_source.clone(), compile: words, ..provenance };
        if resolved.profiled.is_some() {
            provenance.compile.push(PROFILED.to_owned());
            provenance.compiler.push_str(&format!(" {PROFILED}"));
        }
        Ok(Point {
            identity: provenance.identity(),
            provenance,
            checked: checked.clone(),
            options: options.lowering(),
            machine: resolved.machine.clone(),
            profiled: resolved.profiled.clone(),
            allowed: allowed.clone(),
        })
    };
    configurations.iter().map(point).collect()
}

fn compile(source: &Source, words: &[String], kernels: &[PathBuf]) -> Result<Compiled> {
    let options = settings::options(words)?;
    let mut loader = source.loader(&options.directories);
    let (name, text, macros) = (&source.name, &source.text, &options.definitions);
    let checking = options.checking_program(Needed::Program, kernels)?;
    let mut checked = build::check_with(name, text, macros, loader.as_mut(), checking);
    ensure!(!checked.has_errors(), "it does not compile\n{}", checked.render(false).trim_end());
    drop(loader);
    let read = |file: &PathBuf| {
        let file = KernelFile::replacement(file, ModelName::Timing, &mut checked.sources)?;
        if let Some(why) = &file.undecodable {
            bail!("`{}` is not a binary of kernels: {why}", file.name);
        }
        let faults = || diagnostic::render(&file.diagnostics, &checked.sources, false);
        ensure!(!file.has_errors(), "its kernels do not compile\n{}", faults().trim_end());
        Ok(file)
    };
    let kernels = kernels.iter().map(read).collect::<Result<_>>()?;
    checked.set_kernels(kernels);
    let digest = digest_of_source(&checked, macros);
    Ok((Arc::new(checked), digest, options))
}

/// The digests of files, and of all files below folders.
fn digests(paths: &[PathBuf]) -> Result<BTreeMap<String, String>> {
    let mut all = BTreeMap::new();
    for path in paths {
        for file in files(path)? {
            let bytes = std::fs::read(&file)
                .with_context(|| format!("cannot read `{}`", file.display()))?;
            all.insert(file.to_string_lossy().replace('\\', "/"), digest(&bytes));
        }
    }
    Ok(all)
}

fn files(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let wrong = || format!("cannot read `{}`", path.display());
    let mut files_below = Vec::new();
    for entry in std::fs::read_dir(path).with_context(wrong)? {
        files_below.extend(files(&entry.with_context(wrong)?.path())?);
    }
    files_below.sort();
    Ok(files_below)
}
