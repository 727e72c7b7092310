//! Inputs of every format that the tools read, changed at random: reading any input ends soon and
//! without a panic; and an accepted one runs to its end, a trap or a limit.

use crate::examples::{self, EXAMPLES};
use crate::frontend::{MOST_CORPUS, collect, pieces};
use crate::generate::Random;
use crate::generate::ptx::PtxProgram;
use crate::oracle::check;
use crate::watched::{Problem, watch};
use anyhow::{Context, Result};
use reconverge::execute::{ModelName, Setup, execute};
use reconverge::gpgpusim::{self, Imported};
use reconverge::host::report::Outcome;
use reconverge::kernel_file::{KernelFile, Level, Places};
use reconverge::session::Scalar;
use reconverge::session::npy;
use reconverge::{CompileOptions, Module, Target};
use reconverge_compiler::analysis::{Answers, Flow, report};
use reconverge_compiler::diagnostic::{self, Diagnostic, code};
use reconverge_compiler::ir;
use reconverge_compiler::lower::{LowerErrorKind, Options, Session, Step, lower};
use reconverge_compiler::pass;
use reconverge_compiler::syntax::SourceMap;
use reconverge_isa::text::TextError;
use reconverge_isa::{GLOBAL_BASE, Kernel, Program, binary, text};
use reconverge_simulator::{
    DeviceMemory, Fault, Launch, Limits, Machine, MachineInfo, Model, launch, load_machine,
    machines,
};
use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The formats of inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Programs in CUDA.
    Source,
    /// The text of the IR.
    Ir,
    /// The text of machine code.
    Assembly,
    /// Binaries.
    Binary,
    /// Machine files.
    Machine,
    /// NumPy's arrays.
    Array,
    /// Configurations of GPGPU-Sim.
    Configuration,
    /// PTX.
    Ptx,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 8] = [
        Format::Source,
        Format::Ir,
        Format::Assembly,
        Format::Binary,
        Format::Machine,
        Format::Array,
        Format::Configuration,
        Format::Ptx,
    ];

    /// The ending of files.
    pub fn ending(self) -> &'static str {
        ["cu", "ir", "rvasm", "bin", "toml", "npy", "config", "ptx"][self as usize]
    }

    fn is_text(self) -> bool {
        !matches!(self, Format::Binary | Format::Array)
    }
}

/// Inputs that are right, by format.
pub struct Corpus {
    inputs: [Vec<Vec<u8>>; 8],
    /// The code that machines execute.
    kernel: Kernel,
}

/// Cycles and instructions of a kernel; enough for any way of going wrong.
const MOST_CYCLES: u64 = 20_000;
/// Numbers at the ends of ranges.
const NUMBERS: [&str; 12] = [
    "0",
    "1",
    "-1",
    "31",
    "32",
    "33",
    "255",
    "256",
    "65536",
    "2147483647",
    "4294967296",
    "18446744073709551615",
];

impl Corpus {
    /// The examples in all forms, the tests' programs, the shipped machines, and some arrays.
    ///
    /// # Errors
    /// An example that cannot be read or compiled.
    pub fn load() -> Result<Corpus> {
        let mut files = Vec::new();
        collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data/run"), &mut files)?;
        files.sort();
        let read =
            |path: &Path| std::fs::read(path).with_context(|| format!("cannot read {path:?}"));
        let mut sources = files.iter().map(|path| read(path)).collect::<Result<Vec<_>>>()?;
        let (mut irs, mut assemblies, mut binaries) = (Vec::new(), Vec::new(), Vec::new());
        let mut kernel = None;
        for (name, _) in EXAMPLES {
            let source = read(&examples::folder().join(format!("{name}.cu")))?;
            let checked = check(name, &String::from_utf8_lossy(&source));
            let module = checked.module.as_ref().context("an example does not compile")?;
            let lowered = lower(module, &checked.sources, &Options::default());
            let lowered = lowered.ok().context("an example does not compile")?;
            let program = &lowered.program;
            irs.push(
                ir::print::module(&program.files, &program.variables, &lowered.ir).into_bytes(),
            );
            assemblies.push(text::print(&lowered.program).into_bytes());
            binaries.push(binary::encode(&lowered.program).ok().context("no binary")?);
            kernel = kernel.or(lowered.program.kernels.into_iter().next());
            sources.push(source);
        }
        sources.retain(|source| source.len() <= MOST_CORPUS);
        let shipped = |info: MachineInfo| {
            let file = format!("../simulator/machines/{}.toml", info.name);
            read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(file))
        };
        let machines = machines().into_iter().map(shipped).collect::<Result<Vec<_>>>()?;
        let array = |scalar, shape: &[usize], bytes| {
            npy::write(&npy::Array { scalar, shape: shape.to_vec(), bytes })
        };
        let arrays = vec![
            array(Scalar::F32, &[2, 3], (0..24).collect()),
            array(Scalar::I16, &[4], (0..8).collect()),
            array(Scalar::F64, &[], (0..8).collect()),
        ];
        let configuration = "data/gpgpusim/small.config";
        let configurations =
            vec![read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(configuration))?];
        let kernel = kernel.context("no kernel")?;
        let ptx = ptx_texts()?;
        let inputs = [sources, irs, assemblies, binaries, machines, arrays, configurations, ptx];
        Ok(Corpus { inputs, kernel })
    }

    fn of(&self, format: Format) -> &[Vec<u8>] {
        &self.inputs[format as usize]
    }

    /// Changes an input once.
    fn mutate(&self, format: Format, input: &mut Vec<u8>, random: &mut Random) {
        let inputs = self.of(format);
        let other = &inputs[random.below(inputs.len())];
        if format.is_text() && random.chance(95) {
            let text = String::from_utf8_lossy(input);
            let mut words: Vec<String> = pieces(&text).into_iter().map(str::to_owned).collect();
            let other = String::from_utf8_lossy(other);
            mutate_words(&mut words, &pieces(&other), random);
            *input = words.concat().into_bytes();
        } else {
            mutate_bytes(input, other, random);
        }
    }

    /// Walks away from a right input in a few steps; those count whose result is accepted, so that the next ones
    /// get further. The input under test is in `last`.
    fn walk(&self, seed: u64, last: &Mutex<Walk>) {
        let format = format_of(seed);
        let mut random = Random::new(seed);
        let inputs = self.of(format);
        let mut best = inputs[random.below(inputs.len())].clone();
        for _ in 0..1 + random.below(6) {
            let mut candidate = best.clone();
            for _ in 0..1 + random.below(3) {
                self.mutate(format, &mut candidate, &mut random);
            }
            {
                let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
                last.input.clone_from(&candidate);
                last.tried += 1;
            }
            if self.run(format, &candidate) {
                best = candidate;
                last.lock().unwrap_or_else(PoisonError::into_inner).accepted += 1;
            }
        }
    }

    /// Reads an input, and runs it if it is accepted. Returns true if it was.
    fn run(&self, format: Format, input: &[u8]) -> bool {
        let text = || String::from_utf8_lossy(input);
        match format {
            Format::Source => run_source(&text()),
            Format::Ir => run_ir(&text()),
            Format::Assembly => {
                let formatted = text::format(&text()).unwrap_or_default();
                let run = |program| {
                    let printed = text::print(&program);
                    assert_eq!(text::parse(&printed).as_ref(), Ok(&program), "printed otherwise");
                    let again = text::parse(&formatted);
                    assert_eq!(again.as_ref(), Ok(&program), "formatted otherwise");
                    assert_still(&formatted, text::format);
                    run_program(&program);
                };
                text::parse(&text()).map(run).is_ok() && run_file(&text(), Level::Assembly)
            }
            Format::Ptx => run_ptx(&text()),
            Format::Configuration => {
                let run = |imported: Imported| match load_machine(&imported.text, &[]) {
                    Ok(machine) => run_kernel(&self.kernel, &machine),
                    Err(error) => {
                        assert!(
                            !error.contains("not a machine file"),
                            "{error}\n{}",
                            imported.text
                        );
                    }
                };
                gpgpusim::import("imported", &text()).map(run).is_ok()
            }
            Format::Binary => binary::decode(input).map(|program| run_program(&program)).is_ok(),
            Format::Machine => {
                let run = |machine| run_kernel(&self.kernel, &machine);
                load_machine(&text(), &[]).map(run).is_ok()
            }
            Format::Array => {
                let again = |array| {
                    assert_eq!(npy::read(&npy::write(&array)), Ok(array), "written otherwise");
                };
                npy::read(input).map(again).is_ok()
            }
        }
    }
}

/// The progress of the inputs of a seed.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// Inputs that were tried.
    pub tried: u64,
    /// The inputs that were accepted, and run.
    pub accepted: u64,
    /// The last one.
    pub input: Vec<u8>,
}

/// The format of a seed's inputs.
pub fn format_of(seed: u64) -> Format {
    Format::ALL[seed as usize % Format::ALL.len()]
}

/// Tries the inputs of a seed. Returns the progress, and the problem of the last one.
pub fn attempt(corpus: &Arc<Corpus>, seed: u64) -> (Walk, Result<(), Problem>) {
    let last = Arc::new(Mutex::new(Walk::default()));
    let (corpus, told) = (corpus.clone(), last.clone());
    let result = watch(AssertUnwindSafe(move || corpus.walk(seed, &told)));
    let last = last.lock().unwrap_or_else(PoisonError::into_inner).clone();
    (last, result)
}

/// Tries one input.
///
/// # Errors
/// Fails with the problem.
pub fn attempt_one(corpus: &Arc<Corpus>, format: Format, input: &[u8]) -> Result<(), Problem> {
    let (corpus, input) = (corpus.clone(), input.to_vec());
    watch(AssertUnwindSafe(move || _ = corpus.run(format, &input)))
}

fn mutate_words(words: &mut Vec<String>, other: &[&str], random: &mut Random) {
    if words.is_empty() || other.is_empty() {
        return;
    }
    let (from, to) = (random.below(words.len()), random.below(words.len()));
    let is_number = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
    match random.below(8) {
        0 => words.swap(from, to),
        1 => words[to] = words[from].clone(),
        2 => drop(words.drain(from..(from + 1 + random.below(12)).min(words.len()))),
        3 => words[to] = random.pick(other).to_owned(),
        4 | 5 => {
            let numbers: Vec<usize> =
                (0..words.len()).filter(|&at| is_number(&words[at])).collect();
            if !numbers.is_empty() {
                words[numbers[random.below(numbers.len())]] = random.pick(&NUMBERS).to_owned();
            }
        }
        6 => {
            let start = random.below(other.len());
            let end = (start + 1 + random.below(40)).min(other.len());
            words.splice(to..to, other[start..end].iter().map(|&word| word.to_owned()));
        }
        _ => {
            let end = (from + 1 + random.below(40)).min(words.len());
            let copied = words[from..end].to_vec();
            words.splice(to..to, copied);
        }
    }
}

fn mutate_bytes(input: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    if input.is_empty() {
        input.extend(other);
        return;
    }
    let at = random.below(input.len());
    match random.below(7) {
        0 => input[at] ^= 1 << random.below(8),
        1 => input[at] = random.draw() as u8,
        2 => input[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
        3 => drop(input.drain(at..(at + 1 + random.below(16)).min(input.len()))),
        4 => input.truncate(at),
        5 => {
            let from = random.below(input.len());
            let copied = input[from..(from + 1 + random.below(32)).min(input.len())].to_vec();
            input.splice(at..at, copied);
        }
        _ => {
            let from = random.below(other.len().max(1)).min(other.len());
            let end = (from + 1 + random.below(64)).min(other.len());
            let length = (end - from).min(input.len() - at);
            input[at..at + length].copy_from_slice(&other[from..from + length]);
        }
    }
}

fn run_source(source: &str) -> bool {
    let checked = check("input.cu", source);
    if checked.has_errors() {
        return false;
    }
    let Ok(machine) = load_machine("tiny", &[]) else { return false };
    let setup = Setup {
        max_cycles: Some(MOST_CYCLES),
        max_operations: Some(1_000_000),
        max_output: Some(1 << 16),
        host_memory: None,
        options: Options { verify: true, ..Options::default() },
        verify_annotations: true,
        ..Setup::new(&machine, ModelName::Functional)
    };
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let Ok(run) = execute(&checked, &setup, &mut output, &mut errors, &mut |_, _| {}) else {
        return false;
    };
    if let Outcome::Internal(_) = &run.outcome {
        panic!("{}", run.outcome.render(&checked.sources, false));
    }
    true
}

/// A text that was formatted stays as it is when it is formatted again.
fn assert_still(formatted: &str, format: impl Fn(&str) -> Result<String, Vec<TextError>>) {
    assert_eq!(format(formatted).as_deref(), Ok(formatted), "formatting goes on");
}

/// Compiles a source file and launches its kernels, as `launch` does. Returns true if it could be
/// compiled.
fn run_file(source: &str, level: Level) -> bool {
    let mut sources = SourceMap::new();
    let file = KernelFile::of_text("input", source, level, &mut sources);
    let options = Options { verify: true, ..Options::default() };
    diagnostic::render(&file.diagnostics, &sources, false);
    match file.lower(&options, Places::OwnLines, &sources) {
        Ok(lowered) => {
            if level != Level::Assembly {
                run_program(&lowered.program);
            }
            true
        }
        Err(refused) => {
            let internal = |found: &Diagnostic| found.code == code::INTERNAL;
            assert!(!refused.diagnostics.iter().any(internal), "{}", refused.render(false));
            false
        }
    }
}

fn run_ir(source: &str) -> bool {
    let Ok(mut read) = ir::parse::parse(source) else { return false };
    let formatted = ir::format::format(source).unwrap_or_default();
    let again = ir::parse::parse(&formatted).map(|text| text.functions);
    assert_eq!(again.as_ref(), Ok(&read.functions), "formatted otherwise");
    assert_still(&formatted, ir::format::format);
    if read.functions.iter().any(|function| !ir::verify(function).is_empty()) {
        return false;
    }
    if !run_file(source, Level::Ir) {
        return false;
    }
    let options = Options { verify: true, ..Options::default() };
    for function in &mut read.functions {
        if let Err(error) = Session::new(&options, &mut |_: Step| {}).optimise(function) {
            assert!(error.kind != LowerErrorKind::Internal, "{}", error.message);
            return false;
        }
        report::text(&Answers::new(&Flow::new(function)), &|_| None);
    }
    true
}

/// Texts of compilers, and generated ones.
fn ptx_texts() -> Result<Vec<Vec<u8>>> {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data/ptx"), &mut files)?;
    files.retain(|path| path.extension().is_some_and(|ending| ending == "ptx"));
    files.sort();
    let read = |path: &Path| std::fs::read(path).with_context(|| format!("cannot read {path:?}"));
    let mut texts = files.iter().map(|path| read(path)).collect::<Result<Vec<_>>>()?;
    texts.extend((0..16).map(|seed| PtxProgram::new(seed).case().text.into_bytes()));
    texts.retain(|text| text.len() <= MOST_CORPUS);
    Ok(texts)
}

/// Compiles and runs PTX, also under the reference model; false if it is refused.
fn run_ptx(source: &str) -> bool {
    if !run_file(source, Level::Ptx) {
        return false;
    }
    let lowering = Options { verify: true, level: pass::Level::None, ..Options::default() };
    let options = CompileOptions { lowering, ..CompileOptions::default() };
    let Ok(module) = Module::from_ptx(source, &options) else { return false };
    run_program(&module.lowered().program);
    let Ok(target) = Target::new("tiny") else { return false };
    let target = target.model(ModelName::Reference);
    let target = Target { max_cycles: Some(MOST_CYCLES), ..target };
    // The reference model may have no meaning for something.
    let Ok(mut gpu) = module.load(&target) else { return true };
    let Ok(address) = gpu.allocate(&[0; 4096]) else { return true };
    for kernel in &module.lowered().program.kernels {
        let pointer = u64::from(address).to_le_bytes();
        let parameters: Vec<u8> =
            pointer.into_iter().cycle().take(kernel.parameter_bytes as usize).collect();
        // Whatever stops it is told.
        let _ = gpu.launch_bytes(&kernel.name, 2, 33, 0, &parameters);
    }
    true
}

fn run_program(program: &Program) {
    let Ok(machine) = load_machine("tiny", &[]) else { return };
    for kernel in &program.kernels {
        run_kernel(kernel, &machine);
    }
}

fn run_kernel(kernel: &Kernel, machine: &Machine) {
    run_model(kernel, machine, Model::Functional);
    run_model(kernel, machine, Model::Timing);
}

fn run_model(kernel: &Kernel, machine: &Machine, model: Model) {
    let mut global = vec![0; 4096];
    let allocation = GLOBAL_BASE..GLOBAL_BASE + 4096;
    let mut memory = DeviceMemory {
        global: &mut global,
        allocations: std::slice::from_ref(&allocation),
        constant: &[],
        emitted: Default::default(),
        checker: None,
        second_level: None,
    };
    // Every parameter is a pointer to global memory, or a number as large.
    let pointer = u64::from(GLOBAL_BASE).to_le_bytes();
    let parameters: Vec<u8> =
        pointer.into_iter().cycle().take(kernel.parameter_bytes as usize).collect();
    let request = Launch {
        grid: [2, 1, 1],
        block: [33, 1, 1],
        dynamic_shared: 0,
        parameters: &parameters,
        model,
        limits: Limits {
            cycles: MOST_CYCLES,
            instructions: MOST_CYCLES,
            patience: 500,
            ..Limits::default()
        },
        // Annotations of a text that was changed may be wrong.
        verify_annotations: false,
        profile: false,
        control_bits_proved: false,
    };
    let end = launch(kernel, &request, &mut memory, machine, &mut |_| ControlFlow::Continue(()));
    if let Err(stopped) = end
        && let Fault::Unbalanced { .. } = stopped.fault
    {
        panic!("{}", stopped.fault);
    }
}
