//! Two compiled programs as one.

use super::replace::relocate;
use reconverge_compiler::lower::Lowered;
use reconverge_isa::Location;

/// Puts compiled kernels after those of a program.
pub(crate) fn join(own: &mut Lowered, mut more: Lowered) {
    let base = own.program.files.len() as u32;
    let moved = |location: Location| match location.line {
        0 => location,
        _ => Location { file: base + location.file, ..location },
    };
    for kernel in &mut more.program.kernels {
        kernel.lines.iter_mut().for_each(|location| *location = moved(*location));
    }
    for function in &mut more.ir {
        relocate(function, moved);
    }
    for asked in &mut more.unheeded {
        asked.test = moved(asked.test);
    }
    own.program.files.append(&mut more.program.files);
    own.program.variables.append(&mut more.program.variables);
    own.program.kernels.append(&mut more.program.kernels);
    own.ir.append(&mut more.ir);
    own.values.append(&mut more.values);
    own.launched.append(&mut more.launched);
    own.steady.append(&mut more.steady);
    own.unheeded.append(&mut more.unheeded);
    own.decoupled.append(&mut more.decoupled);
    own.register_limits.append(&mut more.register_limits);
}
