//! Kernels of a file in the place of a program's own.

use super::{KernelFile, Level, Places};
use crate::model_name::ModelName;
use crate::refused::Refused;
use anyhow::{Result, ensure};
use reconverge_compiler::diagnostic::{Diagnostic, code};
use reconverge_compiler::ir::Function;
use reconverge_compiler::lower::{Lowered, Options};
use reconverge_compiler::ptx::names::instance_name;
use reconverge_compiler::syntax::{SourceMap, Span};
use reconverge_isa::nearest::hint;
use reconverge_isa::{Kernel, Location, Program, Variable};
use std::path::Path;

impl KernelFile {
    /// Reads a file whose kernels are to replace a program's own under a model.
    ///
    /// # Errors
    /// It cannot be read, or the model cannot run it. Faults of its contents are in the result.
    pub fn replacement(
        file: &Path,
        model: ModelName,
        sources: &mut SourceMap,
    ) -> Result<KernelFile> {
        let level = Level::of(file);
        ensure!(
            level != Level::Source,
            "--kernels {}: kernels come as PTX (`.ptx`), IR (`.ir`), assembly (`.asm`), or a binary (`.bin`)",
            file.display()
        );
        ensure!(
            level == Level::Ptx || model != ModelName::Reference,
            "--kernels {}: `--model reference` runs the source and PTX, not {}\n  use `--model functional`, or `timing`",
            file.display(),
            level.name()
        );
        KernelFile::read(file, level, sources)
    }
}

/// Puts the kernels of a file in the place of those of a compiled program that have their names.
///
/// # Errors
/// A fault of the file, or a mismatch with the program.
pub fn replace<'a>(
    lowered: &mut Lowered,
    file: &KernelFile,
    options: &Options,
    sources: &'a SourceMap,
) -> Result<(), Refused<'a>> {
    let placed = file.placed_as(&lowered.program.variables, sources)?;
    let file = placed.as_ref().unwrap_or(file);
    let mut found = file.lower(options, Places::OwnLines, sources)?;
    let refused = |span: Span, message: String, help: &str| {
        let error = Diagnostic::error(code::KERNEL_MISMATCH, span, message).advice(help);
        Refused::new(sources, vec![error])
    };
    variables(&lowered.program, &found.program, file.level)
        .map_err(|message| refused(file.kernel_span("", sources), message, VARIABLES))?;
    let is_new = |it: &Variable| lowered.program.variables.iter().all(|own| own.name != it.name);
    let new: Vec<Variable> =
        found.program.variables.iter().filter(|it| is_new(it)).cloned().collect();
    lowered.program.variables.extend(new);
    let index = lowered.program.files.len() as u32;
    lowered.program.files.append(&mut found.program.files);
    let moved = |location: Location| match location.line {
        0 => location,
        _ => Location { file: index + location.file, ..location },
    };
    let parts = found.program.kernels.into_iter().zip(found.ir).zip(found.values);
    for ((mut kernel, mut function), values) in parts {
        let span = file.kernel_span(&kernel.name, sources);
        let kernels = &lowered.program.kernels;
        let mangled = file.mangled(&kernel.name);
        let Some(at) = place(&kernel.name, mangled, kernels) else {
            let names: Vec<&str> = kernels.iter().map(|own| &*own.name).collect();
            let instances: Vec<&str> =
                instances(&kernel.name, kernels).map(|(_, name)| name).collect();
            if let (Some(mangled), [_, _, ..]) = (mangled, instances.as_slice()) {
                let message = format!(
                    "the program has several instances of `{}`, and `{mangled}` is none of them by its template arguments",
                    kernel.name
                );
                let help = format!(
                    "it has {}: name the kernel as one of them, or instantiate the template once",
                    instances.join(", ")
                );
                return Err(refused(span, message, &help));
            }
            let near = hint(&kernel.name, names.iter().copied());
            let message = format!("the program has no kernel `{}`{near}", kernel.name);
            return Err(refused(span, message, &format!("it has {}", names.join(", "))));
        };
        fit(&mut kernel, &kernels[at]).map_err(|message| refused(span, message, PARAMETERS))?;
        kernel.name.clone_from(&kernels[at].name);
        function.name.clone_from(&kernels[at].name);
        kernel.lines.iter_mut().for_each(|location| *location = moved(*location));
        relocate(&mut function, moved);
        lowered.program.kernels[at] = kernel;
        lowered.ir[at] = function;
        lowered.values[at] = values;
    }
    Ok(())
}

/// The index of the kernel of a name: the instance of a template that a mangled name is, or the kernel that is called so, or the
/// only instance of a template that is.
pub(crate) fn place(name: &str, mangled: Option<&str>, kernels: &[Kernel]) -> Option<usize> {
    let exact = |name: &str| kernels.iter().position(|own| own.name == name);
    let instance = mangled.and_then(instance_name).and_then(|instance| exact(&instance));
    let only = || {
        let mut instances = instances(name, kernels);
        instances.next().filter(|_| instances.next().is_none()).map(|(at, _)| at)
    };
    instance.or_else(|| exact(name)).or_else(only)
}

/// The instances of a template.
fn instances<'a>(name: &'a str, kernels: &'a [Kernel]) -> impl Iterator<Item = (usize, &'a str)> {
    let is_instance = move |own: &str| own.split_once('<').is_some_and(|(of, _)| of == name);
    let names = kernels.iter().map(|own| &*own.name).enumerate();
    names.filter(move |(_, own)| is_instance(own))
}

const PARAMETERS: &str =
    "the program passes its own kernel's parameters: start from what `compile` writes of it";
const VARIABLES: &str = "addresses of variables are part of the code: `compile` the program again, and start from that text";

pub(super) fn relocate(function: &mut Function, moved: impl Fn(Location) -> Location) {
    for instruction in &mut function.values {
        instruction.location = moved(instruction.location);
    }
    for (test, _) in &mut function.unroll {
        *test = moved(*test);
    }
}

/// Complains of a variable that the program has in another place, and of one that the program lacks unless the file is PTX, whose
/// own variables have places after those of the program.
fn variables(own: &Program, other: &Program, level: Level) -> Result<(), String> {
    for variable in &other.variables {
        let name = &variable.name;
        match own.variables.iter().find(|it| it.name == *name) {
            None if level == Level::Ptx => {}
            None => return Err(format!("the program has no variable `{name}`")),
            Some(it) if (it.address, it.size) != (variable.address, variable.size) => {
                return Err(format!(
                    "`{name}` has {} bytes at {:#x}, in the program {} at {:#x}",
                    variable.size, variable.address, it.size, it.address
                ));
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// Gives a kernel the parameters of the program's own, which it must have already or not speak of.
fn fit(kernel: &mut Kernel, own: &Kernel) -> Result<(), String> {
    let name = &kernel.name;
    if kernel.parameters.is_empty() && kernel.literals.is_empty() {
        if kernel.parameter_bytes > own.parameter_bytes {
            return Err(format!(
                "`{name}` reads {} bytes of parameters; the program passes {}",
                kernel.parameter_bytes, own.parameter_bytes
            ));
        }
        kernel.parameter_bytes = own.parameter_bytes;
        return Ok(());
    }
    let layout = |kernel: &Kernel| -> Vec<(u32, u32)> {
        kernel.parameters.iter().map(|it| (it.offset, it.size)).collect()
    };
    if layout(kernel) != layout(own) || kernel.parameter_bytes != own.parameter_bytes {
        return Err(format!(
            "`{name}` has the parameters {}; the program passes {}",
            spelled(kernel),
            spelled(own)
        ));
    }
    Ok(())
}

/// Parameters with their places.
fn spelled(kernel: &Kernel) -> String {
    if kernel.parameters.is_empty() {
        return format!("of {} bytes", kernel.parameter_bytes);
    }
    let each = kernel
        .parameters
        .iter()
        .map(|it| format!("`{}` ({} B at {})", it.name, it.size, it.offset));
    each.collect::<Vec<_>>().join(", ")
}
