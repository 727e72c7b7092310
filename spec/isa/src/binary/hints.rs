//! Load hints as words: the section that follows the kernels of a program that has some is a tag and a sequence of
//! (kernel, instruction, first and last instruction of the loop, pattern, locality).

use crate::instruction::{AccessPattern, LoadHints, Locality};
use crate::program::Kernel;

/// The first bytes of the section.
pub(super) const TAG: [u8; 4] = *b"HINT";

/// A hint.
pub(super) type Words = [u32; 6];

/// The value for no hint.
const NONE: u32 = u32::MAX;
/// The numbers of patterns; that of `Apart` has its distance in the upper half.
const SAME: u32 = 0;
const APART: u32 = 1;
const SCATTERED: u32 = 2;

/// The hints of some kernels.
pub(super) fn of(kernels: &[Kernel]) -> Vec<Words> {
    let mut all = Vec::new();
    for (kernel, number) in kernels.iter().zip(0..) {
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
    all
}

/// Gives a hint to its instruction; the message describes its fault.
pub(super) fn give(
    kernels: &mut [Kernel],
    [kernel, index, first, last, pattern, locality]: Words,
) -> Result<(), String> {
    let kernel = kernels.get_mut(kernel as usize);
    let instruction = kernel.and_then(|kernel| kernel.code.get_mut(index as usize));
    let instruction = instruction.ok_or("the hint is of no instruction")?;
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
            _ => return Err(format!("the pattern of the hint is {pattern:#x}")),
        },
        locality: match Locality::ALL.get(locality as usize) {
            _ if locality == NONE => None,
            Some((found, _)) => Some(*found),
            None => return Err(format!("the locality of the hint is {locality:#x}")),
        },
    };
    match instruction.hints {
        LoadHints::NONE => Err("the hint says nothing".to_owned()),
        _ => Ok(()),
    }
}
