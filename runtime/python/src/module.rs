//! A compiled program, and launches of its kernels.

use crate::arguments::{Arguments, Passed};
use crate::launched::Launch;
use crate::machine::Chosen;
use crate::mechanisms;
use crate::{number, raise, table, wait};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use reconverge::build::{self, Checked};
use reconverge::build_arguments::BuildArguments;
use reconverge::checks::{Check, CheckSet};
use reconverge::execute::ModelName;
use reconverge::kernel_file::{KernelFile, Level};
use reconverge::named::Named;
use reconverge::session::{self, Kernel, Scalar};
use reconverge::simulated::SamplePeriod;
use reconverge::source;
use reconverge::study::catalogue::Source;
use reconverge::study::settings;
use reconverge::{Dim, Error, Target};
use reconverge_compiler::check::Needed;
use reconverge_compiler::lower::Options;
use reconverge_compiler::syntax::SourceMap;
use reconverge_isa::wording::counted;
use reconverge_simulator::code_target;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// A compiled program, whose kernels `launch` runs.
#[pyclass(frozen, module = "reconverge")]
pub struct Module {
    options: BuildArguments,
    /// As the default options compile it.
    base: Arc<session::Module>,
    /// Variants that some machines and checks require, by all options.
    others: Mutex<BTreeMap<String, Arc<session::Module>>>,
}

/// The options of a launch other than kernel, arguments and machine.
struct Request {
    grid: Dim,
    block: Dim,
    shared: u32,
    model: ModelName,
    max_cycles: Option<u64>,
    threads: u32,
    profile: bool,
    verify_annotations: bool,
    checks: CheckSet,
}

#[pymethods]
impl Module {
    /// Compiles the kernels of a program, which needs no `main`; host code is not run.
    ///
    /// `source` is its text, or a file as a `pathlib.Path`; in its place, `ptx` or `ir` is a text
    /// of PTX or IR. `options` are words of the command line (`"-O1"`, `"--max-registers=32"`),
    /// `define` macros with their values, `include` folders of headers, `instantiate` kernels that
    /// templates are to make (`"sum<float>"`), and `name` the name of a text in messages.
    #[staticmethod]
    #[pyo3(signature = (source=None, *, ptx=None, ir=None, options=None, define=None, include=None, instantiate=None, name="<source>"))]
    #[allow(clippy::too_many_arguments)] // keywords of Python
    fn compile(
        py: Python<'_>,
        source: Option<&Bound<'_, PyAny>>,
        ptx: Option<&Bound<'_, PyAny>>,
        ir: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyAny>>,
        define: Option<&Bound<'_, PyAny>>,
        include: Option<&Bound<'_, PyAny>>,
        instantiate: Option<&Bound<'_, PyAny>>,
        name: &str,
    ) -> PyResult<Module> {
        let source = match (source, ptx, ir) {
            (Some(source), None, None) => source,
            (None, Some(text), None) | (None, None, Some(text)) => {
                if define.or(include).or(instantiate).is_some() {
                    return Err(PyTypeError::new_err(
                        "`define`, `include` and `instantiate` go with CUDA, not with PTX or IR",
                    ));
                }
                let level = if ptx.is_some() { Level::Ptx } else { Level::Ir };
                return Module::of_kernels(py, text, level, options, name);
            }
            _ => {
                return Err(PyTypeError::new_err(
                    "`compile` takes one of a program in CUDA, `ptx` and `ir`",
                ));
            }
        };
        let (name, mut text) = program(source, name)?;
        for kernel in texts(instantiate, "instantiate")? {
            text.push_str(&format!("\ntemplate void {kernel};\n"));
        }
        let mut all = words(options, table::keyword(define, "define")?)?;
        all.extend(folders(include)?.into_iter().map(|folder| format!("-I{}", folder.display())));
        let options = settings::options(&all).map_err(|error| raise::wrong(&error))?;
        let checking =
            options.checking_source(Needed::Kernels).map_err(|error| raise::wrong(&error))?;
        let lowering = Options { keep_ir: true, ..options.lowering() };
        let compiled = py.detach(|| {
            let definitions = &options.definitions;
            let checked =
                build::check_with(&name, &text, definitions, &mut options.loader(), checking);
            if checked.has_errors() || checked.module.is_none() {
                return Err(Box::new((checked, None)));
            }
            session::Module::from_checked(checked, &lowering)
                .map_err(|(checked, found)| Box::new((checked, Some(found))))
        });
        let base = compiled.map_err(|wrong| {
            let (checked, found): &(Checked, Option<Vec<_>>) = &wrong;
            let found = found.as_ref().unwrap_or(&checked.diagnostics);
            raise::does_not_compile(py, found, &checked.sources)
        })?;
        Module::made(py, base, options)
    }

    /// The kernels: name, and how each is declared.
    #[getter]
    fn kernels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for kernel in self.base.kernels() {
            all.set_item(kernel.name(), signature(&self.base, &kernel))?;
        }
        Ok(all)
    }

    /// The compiler's warnings, as `Diagnostic`s.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let checked = self.base.checked();
        let cautions = build::cautions(self.base.lowered(), &checked.sources);
        let all = [checked.diagnostics.as_slice(), &cautions].concat();
        raise::diagnostics(py, &all, &checked.sources)
    }

    /// The program's name in messages.
    #[getter]
    fn name(&self) -> String {
        program_name(&self.base)
    }

    fn __repr__(&self) -> String {
        let kernels: Vec<String> =
            self.base.kernels().map(|kernel| signature(&self.base, &kernel)).collect();
        match kernels.is_empty() {
            true => format!("<Module {}: no kernels>", self.name()),
            false => format!("<Module {}: {}>", self.name(), kernels.join(", ")),
        }
    }

    /// Runs a kernel on a machine whose memory is empty except for the arguments, and writes
    /// results back into the arrays.
    ///
    /// `grid` and `block` are numbers, or tuples of up to three. A pointer takes a numpy array of the parameter's type, or
    /// `None`; other parameters take numbers. `machine` is a name (`machines()`), a machine file, or a dictionary as `machine()`
    /// gives; `settings` (`{"l1.size": "16K"}`) and further keywords (`l1_size="16K"`) change it.
    ///
    /// `shared` is bytes of dynamic shared memory; `symbols` are arrays for `__device__` and
    /// `__constant__` variables, by name; `model` is `"timing"`, `"functional"` or `"reference"`;
    /// `max_cycles` a limit; `check` the checks (`"all"`, or a list of `"races"`, `"init"`,
    /// `"barriers"`, `"lanes"`, `"bounds"`, `"lane-stores"`); `threads` the number of host threads;
    /// without `profile` a launch takes about a fifth less, and has neither findings nor a report.
    #[pyo3(signature = (
        kernel, grid, block, *arguments, machine=None, settings=None, shared=None, symbols=None, model="timing",
        max_cycles=None, check=None, threads=None, profile=true, verify_annotations=false, **keywords
    ))]
    #[allow(clippy::too_many_arguments)] // keywords of Python
    fn launch<'py>(
        &self,
        py: Python<'py>,
        kernel: &str,
        grid: &Bound<'py, PyAny>,
        block: &Bound<'py, PyAny>,
        arguments: &Bound<'py, PyTuple>,
        machine: Option<&Bound<'py, PyAny>>,
        settings: Option<&Bound<'py, PyAny>>,
        shared: Option<&Bound<'py, PyAny>>,
        symbols: Option<&Bound<'py, PyAny>>,
        model: &str,
        max_cycles: Option<&Bound<'py, PyAny>>,
        check: Option<&Bound<'py, PyAny>>,
        threads: Option<&Bound<'py, PyAny>>,
        profile: bool,
        verify_annotations: bool,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, Launch>> {
        let chosen = Chosen::new(py, machine, table::keyword(settings, "settings")?, keywords)?;
        let count = |value: Option<&Bound<'py, PyAny>>, scalar, what: &str| {
            let bits = value.map(|value| number::bits(value, scalar, what)).transpose()?;
            PyResult::Ok(bits.map(u64::from_le_bytes))
        };
        let threads = count(threads, Scalar::U32, "`threads`")?.unwrap_or(1);
        if !(1..=256).contains(&threads) {
            return Err(PyValueError::new_err(format!(
                "`threads` is {threads}, not from 1 to 256"
            )));
        }
        let request = Request {
            grid: dim(grid, "grid")?,
            block: dim(block, "block")?,
            shared: count(shared, Scalar::U32, "`shared`")?.unwrap_or(0) as u32,
            model: model_named(model)?,
            max_cycles: count(max_cycles, Scalar::U64, "`max_cycles`")?,
            threads: threads as u32,
            profile,
            verify_annotations,
            checks: CheckSet::new(&checks(check)?),
        };
        if request.model == ModelName::Reference && request.checks.any() {
            return Err(PyValueError::new_err("there is no `check` under the reference model"));
        }
        let module = self.for_machine(py, &chosen, &request.checks)?;
        let kernel = module.kernel(kernel).map_err(|error| raise::refused(&error))?;
        let symbols = table::keyword(symbols, "symbols")?;
        let arguments = Arguments::new(&module, &kernel, arguments, symbols)?;
        self.run(py, &module, &kernel, chosen, request, arguments)
    }
}

impl Module {
    /// Kernels of PTX or IR.
    fn of_kernels(
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        level: Level,
        options: Option<&Bound<'_, PyAny>>,
        name: &str,
    ) -> PyResult<Module> {
        let (name, text, path) = kernels(text, level, name)?;
        let options = words(options, None)?;
        let options = settings::options(&options).map_err(|error| raise::wrong(&error))?;
        let lowering = Options { keep_ir: true, ..options.lowering() };
        let compiled = py.detach(|| {
            let mut sources = SourceMap::new();
            let file = KernelFile::of_text(&name, &text, level, &mut sources);
            file.add_originals(&path, &mut sources);
            file.into_module(sources, &lowering).map_err(Box::new)
        });
        let base = compiled.map_err(|wrong| raise::does_not_compile(py, &wrong.1, &wrong.0))?;
        Module::made(py, base, options)
    }

    /// A module that was compiled, whose warnings become Python's.
    fn made(py: Python<'_>, base: session::Module, options: BuildArguments) -> PyResult<Module> {
        let warnings = base.warnings();
        if !warnings.is_empty() {
            raise::warn(py, &warnings, &raise::class(py, "CompilerWarning")?)?;
        }
        Ok(Module { options, base: Arc::new(base), others: Mutex::default() })
    }

    /// The program as a machine and checks require it.
    fn for_machine(
        &self,
        py: Python<'_>,
        chosen: &Chosen,
        checks: &CheckSet,
    ) -> PyResult<Arc<session::Module>> {
        let own = Options { keep_ir: true, ..self.options.lowering() };
        let options = own.clone().for_run(code_target(&chosen.machine));
        let options = checks.instrument(options);
        let options = Options { keep_ir: true, ..options };
        let key = format!("{options:?}");
        if key == format!("{own:?}") {
            return Ok(self.base.clone());
        }
        let all = || self.others.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(found) = all().get(&key) {
            return Ok(found.clone());
        }
        let made = py.detach(|| self.base.with_options(&options));
        let made = made
            .map_err(|found| raise::does_not_compile(py, &found, &self.base.checked().sources))?;
        Ok(all().entry(key).or_insert_with(|| Arc::new(made)).clone())
    }

    fn run<'py>(
        &self,
        py: Python<'py>,
        module: &Arc<session::Module>,
        kernel: &Kernel<'_>,
        chosen: Chosen,
        request: Request,
        arguments: Arguments<'py>,
    ) -> PyResult<Bound<'py, Launch>> {
        let stop = wait::Stop::default();
        let is_timed = request.model == ModelName::Timing;
        let classes = if is_timed { mechanisms::used(&chosen.text) } else { Vec::new() };
        let within = (!classes.is_empty()).then(|| {
            let machines = vec![(chosen.machine.clone(), chosen.text.clone())];
            Arc::new(mechanisms::Launch::new(stop.flag(), classes, machines))
        });
        let profile = request.profile && request.model != ModelName::Reference;
        let target = Target {
            machine: chosen.machine.clone(),
            model: request.model,
            max_cycles: request.max_cycles,
            // Objects of Python are those of one thread.
            threads: if within.is_some() { 1 } else { request.threads },
            verify_annotations: request.verify_annotations,
            checks: request.checks.clone(),
            trace: None,
            samples: (profile && is_timed).then_some(SamplePeriod::Overview),
            profile,
            digest: true,
            what_if: false,
            interruption: stop.interruption(),
        };
        let mut gpu = module.load(&target).map_err(|error| raise::refused(&error))?;
        let (placed, values) = arguments.place(&mut gpu)?;
        let Request { grid, block, shared, .. } = request;
        let before = Instant::now();
        let done = stop.without_lock(py, within.as_ref(), || {
            launch(&mut gpu, kernel, grid, block, shared, &values)
        })?;
        let mut objects = Vec::new();
        if let Some(within) = within {
            if let Some(raised) = within.take_raised() {
                return Err(raised);
            }
            within.warn(py, before.elapsed())?;
            objects = within.objects(py);
        }
        let output = String::from_utf8_lossy(&gpu.take_output()).into_owned();
        let found = gpu.take_findings();
        let launched = |record, stopped| Launch {
            chosen,
            program: module.clone(),
            compile: self.options.clone(),
            ran: request.model,
            record,
            arguments: arguments.texts.clone(),
            printed: output.clone(),
            found,
            stopped,
            objects,
        };
        match done {
            Ok(record) => {
                arguments.write_back(&placed, &mut gpu)?;
                Bound::new(py, launched(record, String::new()))
            }
            Err(Error::Stopped { mut outcome, record, .. }) => {
                raise::advise(&mut outcome);
                let text = outcome.render(&module.checked().sources, false);
                let launch = record.map(|record| Bound::new(py, launched(*record, text)));
                let launch = launch.transpose()?.map(Bound::into_any);
                Err(raise::stopped(py, &outcome, &module.checked().sources, &output, launch))
            }
            Err(error) => Err(raise::refused(&error)),
        }
    }
}

fn launch(
    gpu: &mut session::Gpu<'_>,
    kernel: &Kernel<'_>,
    grid: Dim,
    block: Dim,
    shared: u32,
    arguments: &Passed,
) -> Result<reconverge::kernel_record::KernelRecord, Error> {
    match arguments {
        Passed::Typed(arguments) => gpu.launch(kernel.name(), grid, block, shared, arguments),
        Passed::Bytes(bytes) => gpu.launch_bytes(kernel.name(), grid, block, shared, bytes),
    }
}

/// The declaration of a kernel; PTX and IR have only sizes of parameters.
pub fn signature(module: &session::Module, kernel: &Kernel<'_>) -> String {
    if !module.is_bare() {
        return kernel.signature();
    }
    let code = module.lowered().program.kernel(kernel.name());
    let parameters = code.map_or(&[][..], |code| &code.parameters);
    let each: Vec<String> = parameters
        .iter()
        .map(|it| format!("{}: {}", it.name, counted(it.size.into(), "byte")))
        .collect();
    format!("{}({})", kernel.name(), each.join(", "))
}

/// A program's name in messages.
pub fn program_name(module: &session::Module) -> String {
    let sources = &module.checked().sources;
    sources.files().next().map_or(String::new(), |file| sources.name(file).to_owned())
}

/// The name and text of PTX or IR, and the file.
fn kernels(
    source: &Bound<'_, PyAny>,
    level: Level,
    name: &str,
) -> PyResult<(String, String, PathBuf)> {
    let (keyword, ending) = if level == Level::Ptx { ("ptx", ".ptx") } else { ("ir", ".ir") };
    if let Ok(text) = source.cast::<PyString>() {
        let text: String = text.extract()?;
        if !text.contains('\n') && text.ends_with(ending) {
            return Err(PyValueError::new_err(format!(
                "the text of {} is expected, `{text}` looks like a file: give `{keyword}=pathlib.Path({text:?})`",
                level.name()
            )));
        }
        return Ok((name.to_owned(), text, PathBuf::new()));
    }
    let Ok(path) = source.extract::<PathBuf>() else {
        let found = source.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "`{keyword}` is a text, or a file as a `pathlib.Path`, not a `{found}`"
        )));
    };
    let (name, text) = source::read(&path).map_err(|error| match path.exists() {
        true => raise::wrong(&error),
        false => pyo3::exceptions::PyFileNotFoundError::new_err(format!("{error:#}")),
    })?;
    Ok((name, text, path))
}

/// The name and text of a program.
fn program(source: &Bound<'_, PyAny>, name: &str) -> PyResult<(String, String)> {
    if let Ok(text) = source.cast::<PyString>() {
        let text: String = text.extract()?;
        if !text.contains('\n') && [".cu", ".cuh", ".h"].iter().any(|end| text.ends_with(end)) {
            return Err(PyValueError::new_err(format!(
                "the text of a program is expected, `{text}` looks like a file: give `pathlib.Path({text:?})`"
            )));
        }
        return Ok((name.to_owned(), text));
    }
    let Ok(path) = source.extract::<PathBuf>() else {
        let found = source.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "`source` is the text of a program, or a file as a `pathlib.Path`, not a `{found}`"
        )));
    };
    let source = Source::read(&path).map_err(|error| match path.exists() {
        true => raise::wrong(&error),
        false => pyo3::exceptions::PyFileNotFoundError::new_err(format!("{error:#}")),
    })?;
    Ok((source.name, source.text))
}

/// Options of the compiler as words: those that are given, and macros.
pub fn words(
    options: Option<&Bound<'_, PyAny>>,
    define: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<String>> {
    let mut all = texts(options, "options")?;
    for (name, value) in define.into_iter().flatten() {
        // C has no `True`.
        let value = match value.extract::<bool>() {
            Ok(truth) => i32::from(truth).to_string(),
            Err(_) => value.str()?.to_string(),
        };
        all.push(format!("-D{name}={value}"));
    }
    Ok(all)
}

/// A list of texts, or one text with several words.
fn texts(value: Option<&Bound<'_, PyAny>>, what: &str) -> PyResult<Vec<String>> {
    let Some(value) = value else { return Ok(Vec::new()) };
    if let Ok(text) = value.cast::<PyString>() {
        let text: String = text.extract()?;
        // `sum<int, 4>` has a blank.
        return Ok(match what {
            "options" => text.split_whitespace().map(str::to_owned).collect(),
            _ => vec![text],
        });
    }
    value.extract().map_err(|_| PyTypeError::new_err(format!("`{what}` is a list of texts")))
}

fn folders(include: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<PathBuf>> {
    let Some(include) = include else { return Ok(Vec::new()) };
    if let Ok(folder) = include.extract::<PathBuf>() {
        return Ok(vec![folder]);
    }
    include.extract().map_err(|_| PyTypeError::new_err("`include` is a folder, or a list of them"))
}

/// `256`, `(16, 16)`, `(4, 4, 4)`.
fn dim(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Dim> {
    if let Ok(extent) = value.extract::<u32>() {
        return Ok(Dim::from(extent));
    }
    let wrong = || {
        let found = value.repr().map(|text| text.to_string()).unwrap_or_default();
        PyTypeError::new_err(format!(
            "`{what}` is a number from 1 to {}, or a tuple of up to three, not {found}",
            u32::MAX
        ))
    };
    let extents: Vec<u32> = value.extract().map_err(|_| wrong())?;
    match *extents.as_slice() {
        [x] => Ok(Dim([x, 1, 1])),
        [x, y] => Ok(Dim([x, y, 1])),
        [x, y, z] => Ok(Dim([x, y, z])),
        _ => Err(wrong()),
    }
}

fn model_named(name: &str) -> PyResult<ModelName> {
    ModelName::read(name).map_err(|_| {
        let known = ModelName::names();
        PyValueError::new_err(format!("`model` is one of {known}, not `{name}`"))
    })
}

fn checks(value: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Check>> {
    let one = |name: String| {
        Check::read(&name).map_err(|_| {
            let known = Check::names();
            PyValueError::new_err(format!("`check` is one of {known}, not `{name}`"))
        })
    };
    texts(value, "check")?.into_iter().map(one).collect()
}
