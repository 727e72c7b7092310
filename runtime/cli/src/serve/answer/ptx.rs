//! A text of PTX in the place of a program: its kernels are compiled, and a launch that the arguments give is run.
//!
//! Places are those of the PTX text, so `.loc` lines are taken out before it is compiled; [`origins`] has the lines of the
//! original source that they give.

use super::asked::Asked;
use super::lines::Line;
use crate::command::launch::{Launching, read};
use crate::command::value::{Files, Made};
use crate::serve::assets::example;
use crate::serve::question::{Header, NO_FILES, Target, words};
use anyhow::{Result, anyhow, bail, ensure};
use clap::Parser;
use reconverge::host::report::Outcome;
use reconverge::kernel_file::{KernelFile, Level};
use reconverge::kernel_record::KernelRecord;
use reconverge::message::Message;
use reconverge::session::{self, Error, Gpu};
use reconverge_compiler::lower::Options;
use reconverge_compiler::syntax::SourceMap;
use reconverge_ptx::tree::{Block, Instruction, Module, Statement};
use reconverge_simulator::Progress;
use serde::Serialize;
use std::collections::BTreeMap;

/// A line of the PTX text, and the place in the original source that it comes from.
#[derive(Serialize, Clone, Debug, PartialEq, Eq)]
pub struct Origin(u32, String, u32, String);

/// The result of a compilation: the kernels, or none; and the diagnostics.
pub type Compiled = (Option<session::Module>, Vec<Message>);

/// Compiles the text.
pub fn module(asked: &Asked, options: &Options) -> Compiled {
    let text = &asked.source.source;
    let text = match reconverge_ptx::parse(text) {
        Ok(tree) => without_locations(text, &tree),
        Err(_) => text.clone(),
    };
    let mut sources = SourceMap::new();
    let file = KernelFile::of_text(asked.source.name(), &text, Level::Ptx, &mut sources);
    let messages = |found: &[_], sources: &SourceMap| {
        found.iter().map(|found| Message::new(found, sources)).collect::<Vec<_>>()
    };
    let mut all = messages(&file.diagnostics, &sources);
    if file.has_errors() {
        return (None, all);
    }
    match file.into_module(sources, options) {
        Ok(module) => {
            let sources = &module.checked().sources;
            all.extend(messages(&reconverge::build::cautions(module.lowered(), sources), sources));
            (Some(module), all)
        }
        Err((sources, found)) => {
            all.extend(messages(&found, &sources));
            (None, all)
        }
    }
}

/// The text with blanks in the place of its `.loc` lines.
fn without_locations(text: &str, tree: &Module) -> String {
    let mut bytes = text.as_bytes().to_vec();
    each(tree, &mut |statement| {
        if let Statement::Location(location) = statement {
            let range = location.span.start as usize..location.span.end as usize;
            for byte in bytes.get_mut(range).into_iter().flatten().filter(|byte| **byte != b'\n') {
                *byte = b' ';
            }
        }
    });
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// Shows every statement, in the order of the text.
fn each(tree: &Module, show: &mut dyn FnMut(&Statement)) {
    fn block(within: &Block, show: &mut dyn FnMut(&Statement)) {
        for statement in &within.statements {
            show(statement);
            if let Statement::Block(inner) = statement {
                block(inner, show);
            }
        }
    }
    tree.functions
        .iter()
        .filter_map(|function| function.body.as_ref())
        .for_each(|it| block(it, show));
}

/// The lines of the PTX text at which code comes from another line of the original source, as its `.loc` lines have it.
/// `headers` may have the source's text.
pub fn origins(text: &str, headers: &[Header]) -> Vec<Origin> {
    let Ok(tree) = reconverge_ptx::parse(text) else {
        return Vec::new();
    };
    let files: BTreeMap<u64, &str> =
        tree.files.iter().map(|file| (file.number, &*file.path)).collect();
    let lines = Lines::new(text);
    let mut found = Vec::new();
    each(&tree, &mut |statement| {
        let Statement::Location(location) = statement else {
            return;
        };
        let line = u32::try_from(location.line).unwrap_or(0);
        if let Some(path) = files.get(&location.file).filter(|_| line > 0) {
            let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
            let known = headers.iter().find(|header| header.asked == **path);
            let known = known.map(|header| header.text.as_str()).or_else(|| example(name));
            let text = known.and_then(|text| text.lines().nth(line as usize - 1));
            let text = text.unwrap_or_default().trim().to_owned();
            found.push(Origin(lines.at(location.span.start), name.to_owned(), line, text));
        }
    });
    found
}

/// The starts of a text's lines.
struct Lines(Vec<u32>);

impl Lines {
    fn new(text: &str) -> Lines {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Lines(std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect())
    }

    /// The number of the line with a byte, from 1.
    fn at(&self, byte: u32) -> u32 {
        self.0.partition_point(|&start| start <= byte) as u32
    }
}

/// The statements of a text, a line each.
pub fn tree(text: &str) -> Vec<Line> {
    let Ok(tree) = reconverge_ptx::parse(text) else {
        return Vec::new();
    };
    let lines = Lines::new(text);
    let mut rows = Vec::new();
    for function in &tree.functions {
        let kind = if function.is_entry { "entry" } else { "func" };
        let line = lines.at(function.name.span.start);
        rows.push(Line(format!("{kind} {} @{line}", function.name.text), line));
        for parameter in &function.parameters {
            let line = lines.at(parameter.span.start);
            rows.push(Line(
                format!("  param {} .{} @{line}", parameter.name.text, parameter.ty.name),
                line,
            ));
        }
        if let Some(body) = &function.body {
            statements(body, 1, &lines, &mut rows);
        }
    }
    rows
}

fn statements(block: &Block, depth: usize, lines: &Lines, rows: &mut Vec<Line>) {
    for statement in &block.statements {
        let (text, byte) = match statement {
            Statement::Variable(it) => {
                let (space, name) = (it.space.name(), &it.name.text);
                (format!("{space} {name} .{}", it.ty.name), it.span.start)
            }
            Statement::Label(name) => (format!("label {}", name.text), name.span.start),
            Statement::Instruction(it) => (instruction(it), it.span.start),
            Statement::Location(it) => {
                (format!("loc {} {} {}", it.file, it.line, it.column), it.span.start)
            }
            Statement::Block(inner) => ("block".to_owned(), inner.span.start),
            Statement::BranchTargets(name, _) => {
                (format!("targets {}", name.text), name.span.start)
            }
            Statement::CallTargets(..) | Statement::CallPrototype { .. } | Statement::Pragma(_) => {
                continue;
            }
        };
        let line = lines.at(byte);
        rows.push(Line(format!("{:1$}{text} @{line}", "", 2 * depth), line));
        if let Statement::Block(inner) = statement {
            statements(inner, depth + 1, lines, rows);
        }
    }
}

/// An instruction in a line: its guard, its name, and how many operands it has.
fn instruction(it: &Instruction) -> String {
    let guard = it.guard.as_ref().map_or(String::new(), |guard| {
        format!("@{}{} ", if guard.negated { "!" } else { "" }, guard.predicate.text)
    });
    format!("{guard}{} with {} operands", it.spelled(), it.operands.len())
}

/// A launch on the line of arguments.
#[derive(Parser, Debug)]
#[command(
    no_binary_name = true,
    disable_help_flag = true,
    name = "arguments",
    override_usage = "KERNEL --grid G --block B [--shared N] --arg VALUE ..."
)]
struct Words {
    #[command(flatten)]
    launch: Launching,
}

/// A launch that has ended.
pub struct Launched {
    /// Its measurements, if it has begun.
    pub record: Option<KernelRecord>,
    /// Its end.
    pub outcome: Outcome,
    /// Its output, and the buffers after it.
    pub output: String,
}

/// The launch that the arguments give; `named` is its kernel, if that is known.
///
/// # Errors
/// There are no arguments, or they are faulty.
pub fn launching(asked: &Asked, arguments: &str, named: Option<&str>) -> Result<Launching> {
    let words = words(arguments)?;
    if words.is_empty() {
        let kernel = named.map_or_else(|| first_kernel(&asked.source.source), str::to_owned);
        bail!(
            "PTX has no host program, so the arguments are a launch:\n  {kernel} --grid 4 --block 256 --arg i32:1000 --arg iota:1000:type=f32\n\
             each `--arg` is a number or a buffer, as for `reconverge launch`"
        );
    }
    let words = Words::try_parse_from(words).map_err(|error| anyhow!("{}", error.render()))?;
    if let Some(named) = named {
        let given = &words.launch.kernel;
        ensure!(
            given == named,
            "the arguments launch `{given}`, and `{named}` is chosen\n  choose `{given}`, or change the arguments"
        );
    }
    Ok(words.launch)
}

/// The name of the first kernel of a text, as launches have it.
fn first_kernel(text: &str) -> String {
    let tree = reconverge_ptx::parse(text).ok();
    let kernels =
        tree.as_ref().map(reconverge_compiler::ptx::names::of_kernels).unwrap_or_default();
    kernels.into_iter().next().map_or("KERNEL".to_owned(), |(name, _)| name)
}

/// Runs a launch.
///
/// # Errors
/// There is no such kernel, or the arguments do not suit it.
pub fn launch(
    module: &session::Module,
    target: &session::Target,
    launching: &Launching,
    printed: u64,
) -> Result<Launched> {
    let kernel = module.kernel(&launching.kernel)?;
    let mut gpu: Gpu<'_> = module.load(target)?;
    let (values, made): (_, Vec<Made>) =
        read(launching, module, &kernel, &mut gpu, Files::Refused(NO_FILES))?;
    let done = launching.start(kernel, &values, &mut gpu, &mut |_: &str, _: &Progress| {});
    let mut output = String::from_utf8_lossy(&gpu.take_output()).into_owned();
    let (record, outcome) = match done {
        Ok(record) => (Some(record), Outcome::Exit(0)),
        Err(Error::Stopped { outcome, record, .. }) => (record.map(|it| *it), *outcome),
        Err(error) => bail!("{error}"),
    };
    if matches!(outcome, Outcome::Exit(_)) {
        output += &launching.buffers(&made, &mut gpu);
    }
    crate::serve::limits::cut(&mut output, usize::try_from(printed).unwrap_or(usize::MAX));
    Ok(Launched { record, outcome, output })
}

/// The machine for a launch.
pub fn session_target(target: &Target) -> session::Target {
    session::Target {
        machine: target.machine.clone(),
        model: reconverge::execute::ModelName::Timing,
        max_cycles: None,
        threads: 1,
        verify_annotations: false,
        checks: Default::default(),
        trace: None,
        samples: None,
        profile: false,
        digest: true,
        what_if: false,
        interruption: Default::default(),
    }
}
