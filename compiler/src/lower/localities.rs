//! The localities of loads that a profile found, by source line (Aamodt, Fung, Rogers, §4.4.5: coordinated cache
//! bypassing marks each load by a profile).

use super::options::LineOfKernel;
use crate::machine_code::hints::is_cached;
use reconverge_isa::{Kernel, Locality};
use std::collections::BTreeMap;

/// Notes the localities of a kernel's loads; `files` are those that its locations name.
pub fn annotate(kernel: &mut Kernel, files: &[String], known: &BTreeMap<LineOfKernel, Locality>) {
    for (instruction, location) in kernel.code.iter_mut().zip(&kernel.lines) {
        let file = files.get(location.file as usize).filter(|_| location.line != 0);
        if let Some(file) = file.filter(|_| is_cached(instruction)) {
            let line = LineOfKernel::new(&kernel.name, file, location.line);
            instruction.hints.set_locality(known.get(&line).copied());
        }
    }
}
