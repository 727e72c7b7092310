//! `launch FILE KERNEL --grid G --block B --arg ...`.

use super::html::command_line;
use super::interrupt;
use super::output;
use super::progress::ProgressLine;
use super::source::{SourceArguments, require_kernel};
use super::style::Style;
use super::target::{Measured, TargetArguments};
use super::value::{Files, Made, Reader, append};
use anyhow::{Result, bail};
use clap::Args;
use reconverge::execute::ModelName;
use reconverge::host::memory::digest_bytes;
use reconverge::host::report::Outcome;
use reconverge::kernel_file::{KernelFile, Level};
use reconverge::kernel_record::KernelRecord;
use reconverge::session::npy::{self, Array};
use reconverge::session::{Arg, Dim, Error, Gpu, Kernel, Module, Scalar, Target};
use reconverge::simulated::Watch;
use reconverge::status;
use reconverge_compiler::check::Needed;
use reconverge_compiler::check::tree::Type;
use reconverge_compiler::lower::Options;
use reconverge_compiler::syntax::SourceMap;
use reconverge_isa::nearest::hint;
use reconverge_isa::wording::counted;
use reconverge_simulator::{Progress, code_target};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A launch of a kernel.
#[derive(Args, Debug)]
pub struct Launching {
    /// The kernel
    #[arg(value_name = "KERNEL")]
    pub kernel: String,
    /// Blocks of the grid: N, X,Y or X,Y,Z
    #[arg(long, value_name = "G", value_parser = dim)]
    pub grid: Dim,
    /// Threads of a block: N, X,Y or X,Y,Z
    #[arg(long, value_name = "B", value_parser = dim)]
    pub block: Dim,
    /// Bytes of dynamic shared memory
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub shared: u32,
    /// An argument, in the order of the parameters: a number; for a pointer a buffer, `zeros:N`,
    /// `fill:N:value=V`, `iota:N[:start=S:step=T]`, `random:N[:seed=S:min=A:max=B]`, `npy:FILE`,
    /// `raw:FILE`, `text:FILE` or `null`; for a structure a list, `{1, 2.5, zeros:8}`. IR, assembly and binaries carry no
    /// types, so the value states its own: `i32:3`, `f32:2.5`, `zeros:8:type=f32`
    #[arg(long = "arg", value_name = "VALUE", allow_hyphen_values = true)]
    pub values: Vec<String>,
    /// Number of values to show per buffer
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub show: usize,
}

/// The kernel, its arguments, and options.
#[derive(Args, Debug)]
pub struct LaunchArguments {
    #[command(flatten)]
    source: SourceArguments,
    #[command(flatten)]
    launch: Launching,
    /// Save a buffer after the launch, by the parameter's name or number, as `.npy`, as `.txt` or, with any
    /// other ending, as raw bytes
    #[arg(long = "save", value_name = "PARAMETER=FILE", value_parser = save)]
    saves: Vec<(String, PathBuf)>,
    #[command(flatten)]
    target: TargetArguments,
}

fn dim(text: &str) -> std::result::Result<Dim, String> {
    let mut extents = [1; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > 3 {
        return Err("at most three extents".to_owned());
    }
    for (extent, part) in extents.iter_mut().zip(parts) {
        *extent = part.trim().parse().map_err(|_| format!("`{part}` is no extent"))?;
    }
    Ok(Dim(extents))
}

fn save(text: &str) -> std::result::Result<(String, PathBuf), String> {
    let (parameter, file) = text.split_once('=').ok_or("expected PARAMETER=FILE")?;
    Ok((parameter.to_owned(), PathBuf::from(file)))
}

impl Launching {
    /// Launches a kernel.
    ///
    /// # Errors
    /// As for [`Gpu::launch_with`].
    pub fn start(
        &self,
        kernel: Kernel<'_>,
        values: &Values,
        gpu: &mut Gpu<'_>,
        watch: Watch,
    ) -> std::result::Result<KernelRecord, Error> {
        let (grid, block, shared) = (self.grid, self.block, self.shared);
        match values {
            Values::Typed(values) => {
                gpu.launch_watched(kernel.name(), grid, block, shared, values, watch)
            }
            Values::Block(bytes) => {
                gpu.launch_with(kernel, grid, block, shared, bytes.clone(), watch)
            }
        }
    }

    /// A line about each buffer.
    pub fn buffers(&self, made: &[Made], gpu: &mut Gpu<'_>) -> String {
        let mut text = String::new();
        for made in made {
            let bytes = gpu.bytes(made.address, made.count * made.layout.stride);
            text += &summary(made, bytes, self.show);
            text.push('\n');
        }
        text
    }
}

/// Compiles, launches and shows the results.
pub fn launch(arguments: &LaunchArguments, style: Style) -> Result<ExitCode> {
    let target = Target {
        machine: arguments.target.machine(style)?,
        model: arguments.target.model,
        max_cycles: arguments.target.limits.cycles(),
        threads: arguments.target.threads,
        verify_annotations: arguments.target.verify_annotations,
        checks: arguments.target.checks(),
        trace: arguments.target.trace.selection(),
        samples: arguments.target.samples(),
        profile: arguments.target.counts_by_line(style),
        digest: true,
        what_if: arguments.target.what_if(),
        interruption: interrupt::on_ctrl_c()?,
    };
    let line = arguments.target.progress(style);
    let (name, module) = match compiled(arguments, &target, &line, style)? {
        Ok(compiled) => compiled,
        Err(status) => return Ok(status),
    };
    let sources = &module.checked().sources;
    style.diagnostics(&reconverge::build::cautions(module.lowered(), sources), sources);
    arguments.target.check(&target.machine)?;
    if let Some(wanted) = arguments.target.trace.kernel() {
        require_kernel(wanted, module.tree())?;
    }
    let kernel = module.kernel(&arguments.launch.kernel)?;
    let mut gpu = module.load(&target)?;
    let (values, made) = read(&arguments.launch, &module, &kernel, &mut gpu, Files::Read)?;
    let saves = saves(arguments, &names(&module, &kernel), &made)?;
    let running = format!("running {}", kernel.name());
    let mut watch = |kernel: &str, now: &Progress| line.kernel(kernel, now, &running);
    line.work(running.clone());
    let done = arguments.launch.start(kernel, &values, &mut gpu, &mut watch);
    line.pause();
    output::write(Path::new("-"), &gpu.take_output())?;
    let (record, stopped) = match done {
        Ok(record) => (Some(record), None),
        Err(Error::Stopped { outcome, record, .. }) => (record.map(|it| *it), Some(outcome)),
        Err(error) => bail!("{error}"),
    };
    let (machine, records) = (&target.machine, record.as_slice());
    let provenance = arguments.target.provenance(
        module.checked(),
        &arguments.source.options,
        &arguments.launch.values,
    )?;
    let findings = gpu.take_findings();
    let run = Measured {
        program: &name,
        command: &command_line(),
        machine,
        provenance: &provenance,
        records,
        outcome: stopped.as_deref().unwrap_or(&Outcome::Exit(0)),
        checks: &findings,
    };
    arguments.target.report(run, style)?;
    let lowered = module.lowered();
    arguments.target.report_lines(run, lowered, sources, style)?;
    arguments.target.trace.write(&lowered.program, machine, records, style)?;
    style.findings(&findings, sources);
    if let Some(outcome) = stopped {
        style.outcome(&outcome, sources);
        return Ok(ExitCode::from(outcome.status()));
    }
    output::show(&arguments.launch.buffers(&made, &mut gpu))?;
    for (made, file) in saves {
        let bytes = gpu.bytes(made.address, made.count * made.layout.stride);
        output::write(file, &saved(made, bytes, file))?;
    }
    Ok(ExitCode::from(findings.status(&Outcome::Exit(0))))
}

/// The compiled kernels with the name of their file; if the file is faulty, reports it and returns the status.
fn compiled(
    arguments: &LaunchArguments,
    target: &Target,
    line: &ProgressLine,
    style: Style,
) -> Result<std::result::Result<(String, Module), ExitCode>> {
    let source = &arguments.source;
    let options = source.options.lowering().for_run(code_target(&target.machine));
    let options = target.checks.instrument(options);
    let options = Options { keep_ir: options.keep_ir || target.profile, ..options };
    let level = Level::of(&source.file);
    if level != Level::Source {
        if target.model == ModelName::Reference && level != Level::Ptx {
            bail!(
                "there is no `--model reference` for {}\n  the model runs CUDA and PTX; use `--model functional`, or `timing`",
                level.name()
            );
        }
        let mut sources = SourceMap::new();
        let file = KernelFile::read(&source.file, level, &mut sources)?;
        style.kernel_file(&file, &sources);
        if file.has_errors() {
            return Ok(Err(ExitCode::from(status::COMPILE)));
        }
        // Hand-written IR is checked after each pass.
        let options = Options { verify: true, ..options };
        let name = file.name.clone();
        line.work(source.compiling());
        let module = file.into_module(sources, &options);
        line.pause();
        return Ok(match module {
            Ok(module) => Ok((name, module)),
            Err((sources, found)) => {
                style.diagnostics(&found, &sources);
                Err(ExitCode::from(status::COMPILE))
            }
        });
    }
    line.work(source.compiling());
    let (name, checked) = source.check(Needed::Kernel(arguments.launch.kernel.clone()))?;
    line.pause();
    style.diagnostics(&checked.diagnostics, &checked.sources);
    if checked.module.is_none() {
        return Ok(Err(ExitCode::from(checked.status())));
    }
    line.work(source.compiling());
    let module = Module::from_checked(checked, &options);
    line.pause();
    Ok(match module {
        Ok(module) => Ok((name, module)),
        Err((checked, found)) => {
            style.diagnostics(&found, &checked.sources);
            Err(ExitCode::from(status::COMPILE))
        }
    })
}

/// The arguments of a launch.
pub enum Values {
    /// Arguments for parameters with types.
    Typed(Vec<Arg>),
    /// The bytes of all parameters, whose types are unknown.
    Block(Vec<u8>),
}

/// The names of a kernel's parameters, or the numbers of unnamed ones.
fn names(module: &Module, kernel: &Kernel<'_>) -> Vec<String> {
    match bare(module, kernel) {
        Some(code) => code.parameters.iter().map(|parameter| parameter.name.clone()).collect(),
        None => kernel.parameters().iter().map(|parameter| parameter.name.to_string()).collect(),
    }
}

/// The code of a kernel that does not come from CUDA.
fn bare<'m>(module: &'m Module, kernel: &Kernel<'_>) -> Option<&'m reconverge_isa::Kernel> {
    module.is_bare().then(|| module.lowered().program.kernel(kernel.name())).flatten()
}

/// The arguments, and the buffers that they made.
pub fn read(
    arguments: &Launching,
    module: &Module,
    kernel: &Kernel<'_>,
    gpu: &mut Gpu<'_>,
    files: Files,
) -> Result<(Values, Vec<Made>)> {
    if let Some(code) = bare(module, kernel) {
        return read_bare(arguments, kernel, code, gpu, files);
    }
    let parameters = kernel.parameters();
    if arguments.values.len() != parameters.len() {
        bail!(
            "`{}` takes {}, {} given with `--arg`\n  it is `{}`",
            kernel.name(),
            counted(parameters.len() as u64, "argument"),
            arguments.values.len(),
            kernel.signature()
        );
    }
    let (mut values, mut all) = (Vec::new(), Vec::new());
    for (index, (text, parameter)) in arguments.values.iter().zip(parameters).enumerate() {
        let module = kernel.module();
        let mut reader = Reader { module, gpu: &mut *gpu, text, index, files, made: Vec::new() };
        match reader.value(text, &parameter.ty, &parameter.name) {
            Ok(bytes) => values.push(argument(bytes, &parameter.ty)),
            Err(wrong) => {
                let ty = reconverge::session::scalar::spell(&parameter.ty, module);
                let what = format!("argument {index}, `{}` of type `{ty}`", parameter.name);
                bail!("{}", wrong.render("--arg", text, &what));
            }
        }
        all.append(&mut reader.made);
    }
    Ok((Values::Typed(values), all))
}

/// Reads a launch of a kernel whose parameters have at most known places. Without them arguments
/// are laid out one after the other, as in C.
fn read_bare(
    arguments: &Launching,
    kernel: &Kernel<'_>,
    code: &reconverge_isa::Kernel,
    gpu: &mut Gpu<'_>,
    files: Files,
) -> Result<(Values, Vec<Made>)> {
    let (name, parameters, given) = (&code.name, &code.parameters, arguments.values.len());
    if !parameters.is_empty() && given != parameters.len() {
        let each = parameters
            .iter()
            .map(|it| format!("`{}` of {}", it.name, counted(it.size.into(), "byte")));
        bail!(
            "`{name}` takes {}, {given} given with `--arg`\n  they are {}",
            counted(parameters.len() as u64, "argument"),
            each.collect::<Vec<_>>().join(", "),
        );
    }
    let (mut block, mut all) = (Vec::new(), Vec::new());
    for (index, text) in arguments.values.iter().enumerate() {
        let parameter = parameters.get(index);
        let called = parameter.map_or(index.to_string(), |parameter| parameter.name.clone());
        let module = kernel.module();
        let mut reader = Reader { module, gpu: &mut *gpu, text, index, files, made: Vec::new() };
        let read = reader.typed(text, &called).and_then(|(value, align)| match parameter {
            None => Ok((value, align)),
            Some(parameter) => reader.fitted(text, value, parameter.size).map(|value| (value, 1)),
        });
        let (value, align) = match read {
            Ok(read) => read,
            Err(wrong) => {
                let size = parameter
                    .map_or(String::new(), |it| format!(" of {}", counted(it.size.into(), "byte")));
                let what = format!("argument {index}, `{called}`{size}");
                bail!("{}", wrong.render("--arg", text, &what));
            }
        };
        match parameter {
            Some(parameter) => {
                let at = parameter.offset as usize;
                block.resize(block.len().max(at + value.len()), 0);
                block[at..at + value.len()].copy_from_slice(&value);
            }
            None => append(&mut block, &value, align),
        }
        all.append(&mut reader.made);
    }
    let wanted = code.parameter_bytes as usize;
    let has = block.len().next_multiple_of(4);
    if parameters.is_empty() && has != wanted {
        bail!(
            "`{name}` reads {wanted} bytes of parameters, the arguments have {has}\n  it declares none, so that they lie one after the \
             other as in C: numbers at multiples of their size, pointers have 8 bytes"
        );
    }
    block.resize(wanted, 0);
    Ok((Values::Block(block), all))
}

/// Bytes in the form of a type as an argument.
fn argument(bytes: Vec<u8>, ty: &Type) -> Arg {
    let mut bits = [0; 8];
    for (to, from) in bits.iter_mut().zip(&bytes) {
        *to = *from;
    }
    match (ty, Scalar::of(ty)) {
        (Type::Pointer(_), _) => Arg::address(u64::from_le_bytes(bits) as u32),
        (_, Some(scalar)) => Arg::number(scalar, bits),
        _ => Arg::bytes(bytes),
    }
}

/// A buffer and the file to save it in.
fn saves<'a>(
    arguments: &'a LaunchArguments,
    names: &[String],
    made: &'a [Made],
) -> Result<Vec<(&'a Made, &'a PathBuf)>> {
    let mut found = Vec::new();
    for (parameter, file) in &arguments.saves {
        let by_number = parameter.parse().ok().and_then(|at: usize| names.get(at));
        let name = by_number.map_or(parameter.as_str(), String::as_str);
        let Some(buffer) = made.iter().find(|made| made.name == name) else {
            let names: Vec<&str> = made.iter().map(|made| made.name.as_str()).collect();
            let near = hint(name, names.iter().copied());
            bail!(
                "--save {parameter}: there is no buffer `{name}`{near}\n  buffers: {}",
                names.join(", ")
            );
        };
        output::check(file)?;
        found.push((buffer, file));
    }
    Ok(found)
}

/// A line about a buffer: its name, type, size, digest and first values.
fn summary(made: &Made, bytes: &[u8], most: usize) -> String {
    let (name, ty, count) = (&made.name, &made.layout.name, made.count);
    let mut line = format!("{name}: {ty}[{count}] digest {:016x}:", digest_bytes(0, bytes));
    let texts: Vec<String> = texts(made, bytes).take(most + 1).collect();
    for text in texts.iter().take(most) {
        // Writing to a string does not fail.
        let _ = write!(line, " {text}");
    }
    if texts.len() > most {
        line += " ...";
    }
    line
}

/// The elements as text; structures in braces.
fn texts<'a>(made: &'a Made, bytes: &'a [u8]) -> impl Iterator<Item = String> + 'a {
    bytes.chunks_exact(made.layout.stride.max(1)).map(|element| {
        let part = |part: &reconverge::session::scalar::Part| {
            let scalar = *part.ty.as_ref().unwrap_or(&Scalar::U64);
            scalar.text(&element[part.offset..part.offset + scalar.bytes()])
        };
        match made.layout.parts.as_slice() {
            [only] => part(only),
            parts => format!("{{{}}}", parts.iter().map(part).collect::<Vec<_>>().join(", ")),
        }
    })
}

/// The contents of a file of this name.
fn saved(made: &Made, bytes: &[u8], file: &std::path::Path) -> Vec<u8> {
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("txt") => texts(made, bytes).map(|text| text + "\n").collect::<String>().into_bytes(),
        Some("npy") => {
            let own = |scalar: Scalar| match made.layout.parts.len() {
                1 => (scalar, vec![made.count]),
                each => (scalar, vec![made.count, each]),
            };
            // Elements of several types are rows of bytes.
            let rows = (Scalar::U8, vec![made.count, made.layout.stride]);
            let (scalar, shape) = made.layout.uniform().map_or(rows, own);
            let shape = made.shape.clone().unwrap_or(shape);
            npy::write(&Array { scalar, shape, bytes: bytes.to_vec() })
        }
        _ => bytes.to_vec(),
    }
}
