//! The faults of a program, and all its forms.

use super::asked::{Asked, messages};
use super::forms::{self, KernelForms};
use super::lines::{self, Line};
use super::ptx::{self, Origin};
use crate::serve::limits::cut;
use crate::serve::question::{Headers, Target};
use anyhow::Result;
use reconverge::build;
use reconverge::message::Message;
use reconverge::session::Module;
use reconverge_compiler::lower::Options;
use reconverge_compiler::pass::{self, Stage};
use reconverge_compiler::{check, syntax};
use reconverge_simulator::code_target;
use serde::Serialize;

/// Bytes of the checked tree that are shown.
const CHECKED: usize = 4 << 20;

/// The answer.
#[derive(Serialize)]
pub struct Compiled {
    /// In source order.
    diagnostics: Vec<Message>,
    /// The syntax tree.
    tree: Vec<Line>,
    /// The checked tree; empty if there is none.
    checked: String,
    /// The kernels; none if the program does not compile.
    kernels: Vec<KernelForms>,
    /// The program is PTX: its arguments are a launch.
    is_ptx: bool,
    /// The lines of the original source that `.loc` gives the lines of PTX.
    origins: Vec<Origin>,
}

/// Compiles a program.
pub fn compile(asked: &Asked) -> Result<Compiled> {
    let target = asked.source.target(&[])?;
    if asked.source.is_ptx() {
        return Ok(of_ptx(asked, &target));
    }
    let (tree, _) = build::parse(
        asked.source.name(),
        &asked.source.source,
        &target.build.definitions,
        &mut Headers(asked.headers),
        target.build.target()?,
    );
    let checked = asked.check_as_far_as_possible(&target)?;
    let mut answer = Compiled {
        diagnostics: Vec::new(),
        tree: lines::of_tree(&syntax::print(&tree, &checked.sources)),
        checked: checked.module.as_ref().map(check::print::print).unwrap_or_default(),
        kernels: Vec::new(),
        is_ptx: false,
        origins: Vec::new(),
    };
    cut(&mut answer.checked, CHECKED);
    if checked.module.is_none() {
        answer.diagnostics = messages(&checked, &[]);
        return Ok(answer);
    }
    answer.diagnostics = match checked.lower(&options(&target)) {
        Ok(lowered) => {
            answer.kernels = forms::of_kernels(&lowered, &checked.sources);
            messages(&checked, &build::cautions(&lowered, &checked.sources))
        }
        Err(refused) => messages(&checked, &refused.diagnostics),
    };
    Ok(answer)
}

/// Compiles a text of PTX.
fn of_ptx(asked: &Asked, target: &Target) -> Compiled {
    let (module, diagnostics) = ptx::module(asked, &options(target));
    let forms = |module: &Module| forms::of_kernels(module.lowered(), &module.checked().sources);
    Compiled {
        diagnostics,
        tree: ptx::tree(&asked.source.source),
        checked: String::new(),
        kernels: module.as_ref().map(forms).unwrap_or_default(),
        is_ptx: true,
        origins: ptx::origins(&asked.source.source, asked.headers),
    }
}

/// The options for compiling kernels; each pass's result is kept.
fn options(target: &Target) -> Options {
    let passes =
        pass::passes().into_iter().filter(|pass| pass.stage() == Stage::Ir).map(|pass| pass.name);
    let options = target.build.lowering().for_run(code_target(&target.machine));
    Options {
        keep_ir: true,
        print_after: passes.chain(["lower"]).map(str::to_owned).collect(),
        ..options
    }
}
