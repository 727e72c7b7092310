//! The section of load hints, which follows the kernels of a program that has some: its tag, then a sequence of
//! (kernel, instruction, first and last instruction of the loop, pattern, locality).

use super::{BinaryError, Reader, Writer, error};
use crate::instruction::{AccessPattern, LoadHints, Locality};
use crate::program::{Kernel, Program};

/// The first bytes of the section.
pub(super) const TAG: [u8; 4] = *b"HINT";

/// Where nothing is said.
const NONE: u32 = u32::MAX;
/// The numbers of patterns; that of `Apart` has its distance in the upper half.
const SAME: u32 = 0;
const APART: u32 = 1;
const SCATTERED: u32 = 2;

pub(super) fn write(out: &mut Writer, program: &Program) {
    let mut all: Vec<[u32; 6]> = Vec::new();
    for (kernel, number) in program.kernels.iter().zip(0..) {
        for (instruction, index) in kernel.code.iter().zip(0..) {
            if instruction.hints == LoadHints::NONE {
                continue;
            }
            let LoadHints { around, pattern, locality } = instruction.hints;
            let (first, last) = around.unwrap_or((NONE, NONE));
            let pattern = match pattern {
                None => NONE,
                Some(AccessPattern::Same) => SAME,
                Some(AccessPattern::Apart(bytes)) => APART | u32::from(bytes) << 16,
                Some(AccessPattern::Scattered) => SCATTERED,
            };
            let place = |found| Locality::ALL.iter().position(|(other, _)| *other == found);
            let locality = locality.and_then(place).map_or(NONE, |place| place as u32);
            all.push([number, index, first, last, pattern, locality]);
        }
    }
    if !all.is_empty() {
        out.0.extend(TAG);
        out.each(&all, |out, words| words.iter().for_each(|word| out.word(*word)));
    }
}

/// Reads the section, if there is one, into the instructions of some kernels.
pub(super) fn read(reader: &mut Reader, kernels: &mut [Kernel]) -> Result<(), BinaryError> {
    if reader.bytes.get(reader.at..reader.at + TAG.len()) != Some(TAG.as_slice()) {
        return Ok(());
    }
    reader.at += TAG.len();
    let start = reader.at;
    let all = reader.each(24, |reader| Ok((reader.at, words(reader)?)))?;
    if all.is_empty() {
        return Err(error(start, "a section of load hints has at least one"));
    }
    let mut before = None;
    for (at, [kernel, index, first, last, pattern, locality]) in all {
        if before >= Some((kernel, index)) {
            return Err(error(at, "load hints stand in the order of the code, one an instruction"));
        }
        before = Some((kernel, index));
        let kernel = kernels.get_mut(kernel as usize);
        let Some(instruction) = kernel.and_then(|kernel| kernel.code.get_mut(index as usize))
        else {
            return Err(error(at, "the hint is of no instruction"));
        };
        let unknown =
            |what: &str, word: u32| error(at, format!("the {what} of the hint is {word:#x}"));
        instruction.hints = LoadHints {
            around: match (first, last) {
                (NONE, NONE) => None,
                around => Some(around),
            },
            pattern: match (pattern & 0xffff, pattern >> 16) {
                _ if pattern == NONE => None,
                (SAME, 0) => Some(AccessPattern::Same),
                (APART, bytes) => Some(AccessPattern::Apart(bytes as u16)),
                (SCATTERED, 0) => Some(AccessPattern::Scattered),
                _ => return Err(unknown("pattern", pattern)),
            },
            locality: match Locality::ALL.get(locality as usize) {
                _ if locality == NONE => None,
                Some((found, _)) => Some(*found),
                None => return Err(unknown("locality", locality)),
            },
        };
        if instruction.hints == LoadHints::NONE {
            return Err(error(at, "the hint says nothing"));
        }
    }
    Ok(())
}

fn words(reader: &mut Reader) -> Result<[u32; 6], BinaryError> {
    let mut words = [0; 6];
    for word in &mut words {
        *word = reader.word()?;
    }
    Ok(words)
}
