//! Hints as words: the section that follows the kernels of a program that has some is a tag, a sequence of names, and a
//! sequence of (kernel, instruction, number of the name, value).

use crate::hints;
use crate::program::Kernel;
use std::collections::BTreeSet;

/// The first bytes of the section.
pub(super) const TAG: [u8; 4] = *b"HINT";

/// A hint.
pub(super) type Words = [u32; 4];

/// The names of the hints of some kernels, in order, and the hints.
pub(super) fn of(kernels: &[Kernel]) -> (Vec<&'static str>, Vec<Words>) {
    let stating = || {
        kernels.iter().zip(0..).flat_map(|(kernel, number)| {
            let code = kernel.code.iter().zip(0..);
            let hints = code.flat_map(|(one, index)| one.hints.iter().map(move |it| (index, it)));
            hints.map(move |(index, (hint, value))| (number, index, hint.name, value as u32))
        })
    };
    let names: BTreeSet<&str> = stating().map(|(_, _, name, _)| name).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let place = |name| names.partition_point(|other| *other < name) as u32;
    let words = stating().map(|(kernel, index, name, value)| [kernel, index, place(name), value]);
    let words = words.collect();
    (names, words)
}

/// Gives a hint to its instruction; the message describes its fault.
pub(super) fn give(
    kernels: &mut [Kernel],
    names: &[String],
    [kernel, index, name, value]: Words,
) -> Result<(), String> {
    let kernel = kernels.get_mut(kernel as usize);
    let instruction = kernel.and_then(|kernel| kernel.code.get_mut(index as usize));
    let instruction = instruction.ok_or("the hint is of no instruction")?;
    let name = names.get(name as usize).ok_or("the hint has no name")?;
    instruction.hints.set(hints::find(name)?, value as i32)
}
