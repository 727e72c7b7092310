//! `compile FILE --emit FORM`.

use super::analysis as answers;
use super::control_table;
use super::image::encode;
use super::output::{write, write_parts};
use super::passes;
use super::progress::ProgressLine;
use super::source::{SourceArguments, names_kernel, require_kernel};
use super::style::Style;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use reconverge::build;
use reconverge::kernel_file::{KernelFile, Level, Places};
use reconverge::source::{line_text, read};
use reconverge::status;
use reconverge::why::{self, Place};
use reconverge_compiler::check::Needed;
use reconverge_compiler::lower::{Dump, Lowered, Options};
use reconverge_compiler::pass::{Stage, passes};
use reconverge_compiler::syntax::SourceMap;
use reconverge_compiler::{analysis, check, ir, syntax};
use reconverge_isa::{
    CodeTarget, ControlTarget, Decoupling, Location, OPERAND_ENTRIES, Program, RegisterLevels,
    StagingLimits, text,
};
use reconverge_simulator::{control_target, resolve_machine};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;

/// Values of `--print-after`: after every pass, and after every pass that changes the kernel.
const ALL: &str = "all";
const CHANGED: &str = "changed";
/// The inputs of the first passes over the IR and over machine code.
const INPUTS: [&str; 2] = ["lower", "emit"];

/// The input, the form to write, and options.
#[derive(Args, Debug)]
pub struct CompileArguments {
    #[command(flatten)]
    source: SourceArguments,
    /// The form to write
    #[arg(long, value_enum, default_value_t = Form::Asm)]
    emit: Form,
    /// Only the kernels of this name, or instances of a template of this name; errors in the others
    /// are ignored
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// The output file; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Leave out source positions (files, lines and columns) and the source lines beside assembly, so that the output
    /// stays the same when lines move
    #[arg(long)]
    no_locations: bool,
    /// Replace OLD by NEW at the beginning of file names, so that the output does not depend on the source's
    /// folder
    #[arg(long, value_name = "OLD=NEW", value_parser = prefix)]
    path_prefix_map: Vec<(String, String)>,
    /// With `--emit passes`: also the time that each pass took
    #[arg(long)]
    times: bool,
    /// Instead of a form: the analyses' results for a source position, with reasons
    #[arg(long, value_name = "LINE[:COLUMN]", value_parser = why::place)]
    why: Option<Place>,
    /// Run these passes instead of the level's, in this order; those over machine code stay if the list has none
    #[arg(long, value_name = "PASS,...", value_delimiter = ',')]
    passes: Option<Vec<String>>,
    /// `decoupled`: split kernels into an affine and a non-affine stream where that is profitable, for
    /// machines with `affine=decoupled`, and report the decoupled accesses and the reasons for the others
    /// on standard error; `all`: also where no gain is expected
    #[arg(long, value_name = "WHAT", default_value = "none", value_parser = affine)]
    affine: Decoupling,
    /// Assign values to a last result file and an operand register file of N entries, as for machines with
    /// `register-file=compiler-managed` without energies
    #[arg(long, value_name = "ENTRIES", value_parser = clap::value_parser!(u8).range(..=i64::from(OPERAND_ENTRIES)))]
    operand_entries: Option<u8>,
    /// Cut the code into regions of at most N live registers, as for machines with `register-file=regless`
    /// and enough banks
    #[arg(long, value_name = "REGISTERS", value_parser = clap::value_parser!(u32).range(1..=256))]
    region_registers: Option<u32>,
    /// State dependences as control bits, for the latencies of a machine, as for machines with
    /// `sm.dependences=control-bits`
    #[arg(long, value_name = "MACHINE")]
    control_bits: Option<String>,
    /// Print the IR, or the machine code, after a pass, on standard error, as a text that can be read
    /// again. Beside names of passes: `lower` and `emit`, the input of the first pass over each;
    /// `all`; and `changed`, for passes that change a kernel
    #[arg(long, value_name = "PASS")]
    print_after: Vec<String>,
}

fn affine(name: &str) -> Result<Decoupling, String> {
    Decoupling::parse(name).ok_or_else(|| "there are `none`, `decoupled` and `all`".to_string())
}

/// The requirements of a machine on control bits, by its name or file.
fn control_of(machine: &str) -> Result<ControlTarget> {
    let (machine, _) = resolve_machine(machine, &[]).map_err(anyhow::Error::msg)?;
    Ok(control_target(&machine))
}

fn prefix(text: &str) -> Result<(String, String), String> {
    let (old, new) = text.split_once('=').ok_or("expected OLD=NEW")?;
    Ok((old.to_owned(), new.to_owned()))
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The syntax tree
    Ast,
    /// The checked tree: names resolved, conversions explicit
    Tree,
    /// The SSA form of each kernel, after all passes
    Ir,
    /// The control-flow graphs, as Graphviz text, with post-dominators
    Cfg,
    /// The SSA form with the results of all analyses beside it
    Analysis,
    /// The results as JSON
    AnalysisJson,
    /// The instruction mix after each pass, and the passes over machine code, as tables
    Passes,
    /// The stall counts, counters and reuse of each kernel, for the machine of `--control-bits`, as a table
    ControlBits,
    /// Assembly text
    Asm,
    /// The binary
    Bin,
}

impl CompileArguments {
    /// The compiler's options, with pass names checked.
    fn options(&self) -> Result<Options> {
        build::require_passes(self.passes.iter().flatten().map(String::as_str))?;
        build::require_order(self.passes.iter().flatten().map(String::as_str))?;
        let control_bits = self.control_bits.as_deref().map(control_of).transpose()?;
        Ok(Options {
            passes: self.passes.clone(),
            print_after: self.printed()?,
            print_settled: true,
            target: CodeTarget {
                decoupling: self.affine,
                levels: self.operand_entries.map(RegisterLevels::counted),
                regions: self.region_registers.map(StagingLimits::of),
                control_bits,
                ..CodeTarget::default()
            },
            ..self.source.options.lowering()
        })
    }

    /// The passes after which the code is printed.
    fn printed(&self) -> Result<BTreeSet<String>> {
        let asked = self.print_after.iter().map(String::as_str);
        if asked.clone().any(|name| [ALL, CHANGED].contains(&name)) {
            let passes = passes().into_iter().map(|pass| pass.name);
            return Ok(passes.chain(INPUTS).map(str::to_owned).collect());
        }
        build::require_passes(asked.clone().filter(|name| !INPUTS.contains(name)))?;
        Ok(asked.map(str::to_owned).collect())
    }

    /// The options of the lowering; for `--emit passes` without passes, since that table starts from unoptimised IR.
    fn lowering(&self, options: &Options) -> Options {
        let keep_ir = self.why.is_some() || !matches!(self.emit, Form::Asm | Form::Bin);
        let options = Options { keep_ir, ..options.clone() };
        match self.emit {
            Form::Passes => Options { passes: Some(Vec::new()), ..options },
            _ => options,
        }
    }
}

/// Compiles and writes one form.
pub fn compile(arguments: &CompileArguments, style: Style) -> Result<ExitCode> {
    match Level::of(&arguments.source.file) {
        Level::Source => of_source(arguments, style),
        level => of_kernels(arguments, level, style),
    }
}

/// The forms of a program in CUDA.
fn of_source(arguments: &CompileArguments, style: Style) -> Result<ExitCode> {
    let source = &arguments.source;
    if arguments.emit == Form::Ast {
        let (name, text) = read(&source.file)?;
        let (definitions, target) = (&source.options.definitions, source.options.target()?);
        let (tree, checked) =
            build::parse(&name, &text, definitions, &mut source.options.loader(), target);
        style.diagnostics(&checked.diagnostics, &checked.sources);
        write(&arguments.output, syntax::print(&tree, &checked.sources).as_bytes())?;
        return Ok(found(!checked.has_errors()));
    }
    let needed = arguments.kernel.clone().map_or(Needed::Kernels, Needed::Kernel);
    let line = ProgressLine::new(style.terminal);
    line.work(source.compiling());
    let (_, checked) = source.check(needed)?;
    line.pause();
    style.diagnostics(&checked.diagnostics, &checked.sources);
    let Some(module) = &checked.module else {
        return Ok(ExitCode::from(status::FOUND));
    };
    if let Some(wanted) = &arguments.kernel {
        require_kernel(wanted, module)?;
    }
    if arguments.emit == Form::Tree {
        write(&arguments.output, check::print::print(module).as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let options = arguments.options()?;
    line.work(arguments.source.compiling());
    let lowered = checked.lower(&arguments.lowering(&options));
    line.pause();
    let lowered = match lowered {
        Ok(lowered) => lowered,
        Err(refused) => {
            style.refused(&refused);
            return Ok(ExitCode::from(status::FOUND));
        }
    };
    let cautions = build::cautions(&lowered, &checked.sources);
    style.diagnostics(&cautions, &checked.sources);
    Output { arguments, options }.write(lowered, checked.sources, style)
}

/// The forms of kernels in their own file.
fn of_kernels(arguments: &CompileArguments, level: Level, style: Style) -> Result<ExitCode> {
    let is_machine_code = !matches!(level, Level::Ptx | Level::Ir);
    let is_known = match arguments.emit {
        Form::Ast | Form::Tree => false,
        Form::ControlBits | Form::Asm | Form::Bin => true,
        _ => !is_machine_code,
    };
    if arguments.why.is_some() && level != Level::Ir {
        let all = if is_machine_code { "" } else { "; `--emit analysis` shows all of PTX" };
        bail!("`--why` asks about a place of CUDA source or of an IR text{all}");
    }
    if !is_known {
        bail!(
            "of {} the forms are {}: choose one with `--emit`",
            level.name(),
            if is_machine_code {
                "`control-bits`, `asm` and `bin`"
            } else {
                "`ir`, `cfg`, `analysis`, `analysis-json`, `passes`, `control-bits`, `asm` and `bin`"
            }
        );
    }
    let mut sources = SourceMap::new();
    let mut file = KernelFile::read(&arguments.source.file, level, &mut sources)?;
    style.kernel_file(&file, &sources);
    if file.has_errors() {
        return Ok(ExitCode::from(status::FOUND));
    }
    if let Some(wanted) = &arguments.kernel {
        file.retain(|kernel| names_kernel(wanted, kernel))?;
    }
    // Hand-written IR is checked after each pass.
    let options = Options { verify: true, ..arguments.options()? };
    // `--why` asks about lines of the file itself.
    let places = if arguments.why.is_some() { Places::OwnLines } else { Places::AsSaid };
    let lowered = match file.lower(&arguments.lowering(&options), places, &sources) {
        Ok(lowered) => lowered,
        Err(refused) => {
            style.refused(&refused);
            return Ok(ExitCode::from(status::FOUND));
        }
    };
    Output { arguments, options }.write(lowered, sources, style)
}

/// The form of the output for compiled kernels.
struct Output<'a> {
    arguments: &'a CompileArguments,
    options: Options,
}

impl Output<'_> {
    fn write(&self, mut lowered: Lowered, sources: SourceMap, style: Style) -> Result<ExitCode> {
        let arguments = self.arguments;
        let only_changed = arguments.print_after.iter().any(|name| name == CHANGED);
        for dump in shown(&lowered.dumps, only_changed) {
            style.show(&printed_text(dump, &lowered.program));
        }
        for report in &lowered.decoupled {
            style.show(&report.text(&lowered.program.files));
        }
        if let Some(place) = arguments.why {
            let text = why::why(&lowered, &sources, place, style.color)?;
            write(&arguments.output, text.as_bytes())?;
            return Ok(ExitCode::SUCCESS);
        }
        let name = self.mapped(&reconverge::source::name(&arguments.source.file));
        let sources = self.settle(&mut lowered, sources);
        let program = &lowered.program;
        let text = match arguments.emit {
            Form::Analysis => answers::text(&lowered, &sources),
            Form::AnalysisJson => answers::json(&name, &lowered)?,
            Form::Passes => passes::table(&lowered, &self.options, arguments.times)?,
            Form::ControlBits => control_table::table(program, &self.options.required())?,
            Form::Ir => ir::print::module(&program.files, &program.variables, &lowered.ir),
            Form::Cfg => lowered.ir.iter().map(analysis::graphviz::graphviz).collect(),
            Form::Bin => return encode(&name, program, &arguments.output, style),
            _ => {
                write_parts(&arguments.output, assembly(program, &sources))?;
                return Ok(ExitCode::SUCCESS);
            }
        };
        write(&arguments.output, text.as_bytes())?;
        Ok(ExitCode::SUCCESS)
    }

    /// Numbers values and blocks without gaps, and leaves out or renames as the options request.
    fn settle(&self, lowered: &mut Lowered, mut sources: SourceMap) -> SourceMap {
        lowered.ir.iter_mut().for_each(ir::Function::renumber);
        lowered.values.clear();
        if self.arguments.no_locations {
            lowered.program.files.clear();
            let kernels = lowered.program.kernels.iter_mut();
            kernels.for_each(|kernel| kernel.lines.fill(Location::default()));
            for function in &mut lowered.ir {
                function.unroll.clear();
                for instruction in &mut function.values {
                    instruction.location = Location::default();
                }
            }
        }
        for file in &mut lowered.program.files {
            *file = self.mapped(file);
        }
        for file in sources.files() {
            let name = self.mapped(sources.name(file));
            sources.rename(file, name);
        }
        sources
    }

    /// A file's name in the output.
    fn mapped(&self, name: &str) -> String {
        let mut maps = self.arguments.path_prefix_map.iter();
        let found = maps.find_map(|(old, new)| Some((name.strip_prefix(old.as_str())?, new)));
        found.map_or(name.to_owned(), |(rest, new)| format!("{new}{rest}"))
    }
}

/// The dumps, or only those that differ from the one before of the kernel in the same form.
fn shown(dumps: &[Dump], only_changed: bool) -> Vec<&Dump> {
    let mut before: BTreeMap<(&str, Stage), &str> = BTreeMap::new();
    let mut shown = Vec::new();
    for dump in dumps {
        let last = before.insert((&dump.kernel, dump.stage), &dump.text);
        if !only_changed || last != Some(dump.text.as_str()) {
            shown.push(dump);
        }
    }
    shown
}

/// A dump as a text that can be read again, with a comment that names its kernel and pass.
fn printed_text(dump: &Dump, program: &Program) -> String {
    let (comment, head) = match dump.stage {
        Stage::Ir => (";", ir::print::module(&program.files, &program.variables, &[])),
        _ => {
            let (files, variables) = (program.files.clone(), program.variables.clone());
            ("//", text::print(&Program { files, variables, ..Program::default() }))
        }
    };
    format!("{comment} {} after `{}`\n{head}\n{}\n", dump.kernel, dump.pass, dump.text)
}

/// The text of a program with its source lines as comments; before it, also as comments, kernels of two streams with both
/// streams side by side.
fn assembly<'a>(
    program: &'a Program,
    sources: &'a SourceMap,
) -> impl Iterator<Item = String> + use<'a> {
    let beside = program
        .kernels
        .iter()
        .map(text::beside)
        .filter(|both| !both.is_empty())
        .map(|both| both + "\n");
    let source = |file: &str, line| {
        Some(line_text(sources, file, line)).filter(|text| !text.trim().is_empty())
    };
    beside.chain(text::list(program, source))
}

fn found(clean: bool) -> ExitCode {
    if clean { ExitCode::SUCCESS } else { ExitCode::from(status::FOUND) }
}
