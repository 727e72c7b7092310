//! Checks the compiler's claims about an instruction's result.

use reconverge_isa::ValueClass;

use crate::block::path::{Lanes, ThreadIndex};
use crate::block::threads::Registers;
use crate::execute::lanes::lanes_of;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::{Source, Target};

/// The first lane whose result breaks the claim of the instruction's class, if one does. Claims are
/// on the threads of one warp; `mask` are the lanes that it acted in.
pub(crate) fn broken(
    code: &Code,
    instruction: &Decoded,
    registers: &Registers,
    lanes: &Lanes,
    mask: u64,
) -> Option<usize> {
    in_each_warp(code, lanes, mask, |lanes, mask| {
        broken_in_warp(code, instruction, registers, lanes, mask)
    })
}

/// The first lane whose address, which is in a register, differs from that of another thread of its warp, if one does.
/// `mask` are the lanes that the instruction acts in.
pub(crate) fn apart(
    code: &Code,
    instruction: &Decoded,
    registers: &Registers,
    lanes: &Lanes,
    mask: u64,
) -> Option<usize> {
    let Source::Register { index, .. } = instruction.sources[0] else {
        return None;
    };
    let address = Target::Register { index, words: 1 };
    in_each_warp(code, lanes, mask, |lanes, mask| {
        uneven(mask, |lane| result(code, address, registers, lanes, lane))
    })
}

/// The first lane that reads another value from a uniform register than the first one of its warp, if one does.
pub(crate) fn parted(
    code: &Code,
    instruction: &Decoded,
    registers: &Registers,
    lanes: &Lanes,
    mask: u64,
) -> Option<usize> {
    instruction.sources.iter().find_map(|source| match *source {
        Source::Register { index, words: 1 } if usize::from(index) >= code.first_uniform => {
            let register = Target::Register { index, words: 1 };
            in_each_warp(code, lanes, mask, |lanes, mask| {
                uneven(mask, |lane| result(code, register, registers, lanes, lane))
            })
        }
        _ => None,
    })
}

/// The first lane that `find` returns for the lanes of one warp.
fn in_each_warp(
    code: &Code,
    lanes: &Lanes,
    mask: u64,
    find: impl Fn(&Lanes, u64) -> Option<usize>,
) -> Option<usize> {
    let Lanes::Mixed(_) = lanes else {
        return find(lanes, mask);
    };
    let width = code.shape.width as usize;
    lanes.by_warp(mask, width).find_map(|(warp, mask)| {
        let place = find(&Lanes::Warp { warp: warp as u16, mask }, mask)?;
        Some(lanes.lane_of(ThreadIndex((warp * width + place) as u16), width))
    })
}

/// The first lane of some whose value differs from the first one's.
fn uneven(mask: u64, value: impl Fn(usize) -> u128) -> Option<usize> {
    let first = value(lanes_of(mask).next()?);
    lanes_of(mask).find(|&lane| value(lane) != first)
}

/// The first lane whose result breaks the claim of the instruction's class, if one does. `mask` are
/// the lanes that it acted in.
fn broken_in_warp(
    code: &Code,
    instruction: &Decoded,
    registers: &Registers,
    lanes: &Lanes,
    mask: u64,
) -> Option<usize> {
    let result = |lane: usize| result(code, instruction.target, registers, lanes, lane);
    match instruction.annotations.class {
        ValueClass::Unknown => None,
        ValueClass::Uniform => uneven(mask, result),
        ValueClass::Affine => not_affine(code, instruction.target, lanes, mask, result),
    }
}

/// Results are base + stride · index along each axis. A stride is taken from the first two threads
/// that are neighbours along its axis; axes without neighbours cannot be checked.
fn not_affine(
    code: &Code,
    target: Target,
    lanes: &Lanes,
    mask: u64,
    result: impl Fn(usize) -> u128,
) -> Option<usize> {
    let width = code.shape.width as usize;
    let index = |lane| {
        let thread = lanes.thread(lane, width).map_or(0, |thread| u32::from(thread.0));
        code.thread_index(thread)
    };
    let first = lanes_of(mask).next()?;
    let mut strides: [Option<u128>; 3] = [None; 3];
    let mut before = first;
    for lane in lanes_of(mask).skip(1) {
        let (from, to) = (index(before), index(lane));
        let apart: Vec<usize> = (0..3).filter(|&axis| from[axis] != to[axis]).collect();
        if let [axis] = apart[..]
            && to[axis] == from[axis].wrapping_add(1)
        {
            strides[axis].get_or_insert(result(lane).wrapping_sub(result(before)));
        }
        before = lane;
    }
    let bits = match target {
        Target::Register { words, .. } => u128::MAX >> (128 - 32 * u32::from(words)),
        Target::Predicate(_) | Target::None => 1,
    };
    let start = index(first);
    lanes_of(mask).find(|&lane| {
        let at = index(lane);
        let mut expected = result(first);
        for axis in 0..3 {
            let steps = u128::from(at[axis]).wrapping_sub(u128::from(start[axis]));
            match strides[axis] {
                _ if steps == 0 => {}
                Some(stride) => expected = expected.wrapping_add(stride.wrapping_mul(steps)),
                None => return false,
            }
        }
        (expected ^ result(lane)) & bits != 0
    })
}

/// The value of a lane's register or predicate.
fn result(code: &Code, target: Target, registers: &Registers, lanes: &Lanes, lane: usize) -> u128 {
    let width = code.shape.width as usize;
    let warp = lanes.thread(lane, width).map_or(0, |thread| usize::from(thread.0) / width);
    let word = |index: usize| {
        u128::from(registers.general[(warp * code.registers + index) * width + lane])
    };
    match target {
        Target::None => 0,
        Target::Register { index, words } => (0..usize::from(words))
            .fold(0, |bits, at| bits | word(usize::from(index) + at) << (32 * at)),
        Target::Predicate(index) => {
            let row = registers.predicates[warp * code.predicates + usize::from(index)];
            u128::from(row >> lane & 1)
        }
    }
}
