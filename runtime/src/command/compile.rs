//! `compile FILE --emit FORM`.

use super::analysis as answers;
use super::image::encode;
use super::output::{write, write_parts};
use super::{SourceArguments, passes, require_kernel, style::Style};
use crate::build::{self, Checked};
use crate::source::read;
use crate::status;
use crate::why::{self, Place};
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use reconverge_compiler::decouple::Affine;
use reconverge_compiler::lower::Options;
use reconverge_compiler::{analysis, check, ir, syntax};
use reconverge_isa::{Program, text};
use std::path::PathBuf;
use std::process::ExitCode;

/// What to compile to what.
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
    /// Instead of a form: what the analyses know of a source position, and why
    #[arg(long, value_name = "LINE[:COLUMN]", value_parser = why::place)]
    why: Option<Place>,
    /// Run these passes instead of the level's, in this order
    #[arg(long, value_name = "PASS,...", value_delimiter = ',')]
    passes: Option<Vec<String>>,
    /// `decoupled`: split kernels into an affine and a non-affine stream where that is profitable, for
    /// machines with `affine=decoupled`, and report on standard error what was decoupled and why the rest
    /// was not; `all`: also where no gain is expected
    #[arg(long, value_name = "WHAT", default_value = "none", value_parser = affine)]
    affine: Affine,
    /// Print the IR after a pass, on standard error
    #[arg(long, value_name = "PASS")]
    print_after: Vec<String>,
}

fn affine(name: &str) -> Result<Affine, String> {
    Affine::parse(name).ok_or_else(|| "there are `none`, `decoupled` and `all`".to_string())
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The syntax tree, as it was written
    Ast,
    /// The checked tree: names resolved, conversions explicit
    Tree,
    /// The SSA form of each kernel, after all passes
    Ir,
    /// The control-flow graphs, as Graphviz text, with post-dominators
    Cfg,
    /// The SSA form with the answers of all analyses beside it
    Analysis,
    /// The answers as JSON
    AnalysisJson,
    /// What each pass makes of the instruction mix, as a table
    Passes,
    /// Assembly text
    Asm,
    /// The binary
    Bin,
}

impl CompileArguments {
    /// The compiler's options, with pass names checked.
    fn options(&self) -> Result<Options> {
        let chosen = self.passes.iter().flatten();
        build::require_passes(chosen.chain(&self.print_after).map(String::as_str))?;
        Ok(Options {
            passes: self.passes.clone(),
            print_after: self.print_after.iter().cloned().collect(),
            affine: self.affine,
            ..self.source.options.lowering()
        })
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
    let source = &arguments.source;
    if source.file.extension().is_some_and(|extension| extension == "ir") {
        return from_text(arguments);
    }
    if arguments.emit == Form::Ast {
        let (name, text) = read(&source.file)?;
        let (definitions, target) = (&source.options.definitions, source.options.target()?);
        let (tree, checked) =
            build::parse(&name, &text, definitions, &mut source.options.loader(), target);
        style.diagnostics(&checked.diagnostics, &checked.sources);
        write(&arguments.output, syntax::print(&tree, &checked.sources).as_bytes())?;
        return Ok(found(!checked.has_errors()));
    }
    let needed = arguments.kernel.clone().map_or(super::Needed::Kernels, super::Needed::Kernel);
    let (_, checked) = source.check(needed)?;
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
    lowered(arguments, &checked, style)
}

fn lowered(arguments: &CompileArguments, checked: &Checked, style: Style) -> Result<ExitCode> {
    let options = arguments.options()?;
    let lowered = match checked.lower(&arguments.lowering(&options)) {
        Ok(lowered) => lowered,
        Err(refused) => {
            style.refused(&refused);
            return Ok(ExitCode::from(status::FOUND));
        }
    };
    for dump in &lowered.dumps {
        style.show(&format!("// {} after {}\n{}\n", dump.kernel, dump.pass, dump.text));
    }
    for report in &lowered.decoupled {
        style.show(&report.text(&lowered.program.files));
    }
    style.diagnostics(&build::cautions(&lowered, &checked.sources), &checked.sources);
    if let Some(place) = arguments.why {
        let text = why::why(&lowered, &checked.sources, place, style.color)?;
        write(&arguments.output, text.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let bytes = match arguments.emit {
        Form::Analysis => answers::text(&lowered, &checked.sources).into_bytes(),
        Form::AnalysisJson => {
            answers::json(&arguments.source.file.to_string_lossy(), &lowered)?.into_bytes()
        }
        Form::Passes => passes::table(&mut lowered.ir.clone(), &options).into_bytes(),
        Form::Ir => ir::print::module(&lowered.program.files, &lowered.ir).into_bytes(),
        Form::Cfg => {
            lowered.ir.iter().map(analysis::graphviz::graphviz).collect::<String>().into_bytes()
        }
        Form::Bin => {
            return encode(
                &arguments.source.file.to_string_lossy(),
                &lowered.program,
                &arguments.output,
                style,
            );
        }
        _ => {
            write_parts(&arguments.output, assembly(&lowered.program))?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    write(&arguments.output, &bytes)?;
    Ok(ExitCode::SUCCESS)
}

/// The text of a program; in front of it, as comments, kernels of two streams with both beside each
/// other.
fn assembly(program: &Program) -> impl Iterator<Item = String> {
    let beside = program
        .kernels
        .iter()
        .map(text::beside)
        .filter(|both| !both.is_empty())
        .map(|both| both + "\n");
    beside.chain(text::parts_of(program))
}

/// Runs the passes on the text of the IR.
fn from_text(arguments: &CompileArguments) -> Result<ExitCode> {
    if arguments.why.is_some() {
        bail!(
            "`--why` asks about a place of CUDA source; of an IR text, `--emit analysis` says all"
        );
    }
    let (name, text) = read(&arguments.source.file)?;
    let options = arguments.options()?;
    let read = passes::from_text(&name, &text, &arguments.lowering(&options))?;
    let text = match arguments.emit {
        Form::Ir => ir::print::module(&read.files, &read.functions),
        Form::Cfg => read.functions.iter().map(analysis::graphviz::graphviz).collect(),
        Form::Analysis => answers::text_of(&read.functions),
        Form::AnalysisJson => answers::json_of(&name, &read.functions)?,
        Form::Passes => passes::table(&mut { read.functions }, &options),
        _ => bail!(
            "of an IR text the forms are `ir`, `cfg`, `analysis`, `analysis-json` and `passes`: \
             choose one with `--emit`"
        ),
    };
    write(&arguments.output, text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn found(clean: bool) -> ExitCode {
    if clean { ExitCode::SUCCESS } else { ExitCode::from(status::FOUND) }
}
