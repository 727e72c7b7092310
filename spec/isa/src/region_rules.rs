//! Regions of the code, on a machine that keeps few registers near its lanes and loads those of a
//! region before the region begins: a record of a kernel beside its code.
//!
//! Source: Aamodt, Fung, Rogers, "General-Purpose Graphics Processor Architectures", §3.6.5 (after
//! Kloosterman et al., RegLess): "a compiler algorithm to divide up kernel execution into regions",
//! each "contiguous instructions within a single basic block", whose registers are loaded before
//! its first instruction. The layout is ours.

use std::ops::Range;

use crate::instruction::{Dest, Instruction, Operand};
use crate::program::Kernel;
use crate::region::{EVICTS_RESULT, Region};
use crate::table::Effect;

/// The general registers of a source; none if it is something else.
pub fn source_registers(instruction: &Instruction, number: usize) -> Range<u16> {
    let words = instruction.source_kind(number).map_or(0, |kind| kind.registers());
    match instruction.sources.get(number) {
        Some(Operand::Reg(register)) => general(register.0, words),
        _ => 0..0,
    }
}

/// The general registers of the result; none if it is something else.
pub fn result_registers(instruction: &Instruction) -> Range<u16> {
    let words = instruction.result_kind().map_or(0, |kind| kind.registers());
    match instruction.dest {
        Dest::Reg(register) => general(register.0, words),
        _ => 0..0,
    }
}

fn general(first: u8, words: u8) -> Range<u16> {
    u16::from(first)..(u16::from(first) + u16::from(words)).min(256)
}

/// A set of general registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegisterSet([u64; 4]);

impl RegisterSet {
    /// Returns true if a register is in it; none above 255 is.
    pub fn has(&self, register: u16) -> bool {
        self.0.get(usize::from(register / 64)).is_some_and(|word| word >> (register % 64) & 1 != 0)
    }

    /// Puts a register below 256 in; whether it is new.
    pub fn insert(&mut self, register: u16) -> bool {
        let is_new = !self.has(register);
        if let Some(word) = self.0.get_mut(usize::from(register / 64)) {
            *word |= 1 << (register % 64);
        }
        is_new
    }

    /// Takes a register out; whether it was there.
    pub fn remove(&mut self, register: u16) -> bool {
        let was = self.has(register);
        if let Some(word) = self.0.get_mut(usize::from(register / 64)) {
            *word &= !(1 << (register % 64));
        }
        was
    }

    /// The registers, in ascending order.
    pub fn iter(self) -> impl Iterator<Item = u16> {
        (0..4u16).flat_map(move |word| {
            let mut rest = self.0[usize::from(word)];
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as u16)?;
                rest &= rest - 1;
                Some(word * 64 + bit)
            })
        })
    }

    /// Returns true if some register is in both.
    pub fn meets(&self, other: &RegisterSet) -> bool {
        self.0.iter().zip(other.0).any(|(word, other)| word & other != 0)
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }
}

impl FromIterator<u16> for RegisterSet {
    fn from_iter<T: IntoIterator<Item = u16>>(registers: T) -> RegisterSet {
        let mut set = RegisterSet::default();
        registers.into_iter().for_each(|register| _ = set.insert(register));
        set
    }
}

/// The registers that an instruction evicts, by its bits.
pub fn evicted(instruction: &Instruction, bits: u8) -> impl Iterator<Item = u16> + use<> {
    let of_sources = [0, 1, 2].map(|number| match bits >> number & 1 {
        0 => 0..0,
        _ => source_registers(instruction, number),
    });
    let of_result = if bits & EVICTS_RESULT == 0 { 0..0 } else { result_registers(instruction) };
    of_sources.into_iter().flatten().chain(of_result)
}

/// The registers that an instruction reads and writes; some more than once.
pub fn accessed(instruction: &Instruction) -> impl Iterator<Item = u16> + use<> {
    let sources = [0, 1, 2].map(|number| source_registers(instruction, number));
    sources.into_iter().flatten().chain(result_registers(instruction))
}

/// The most registers that are held at once while a region's instructions execute, by register
/// modulo `banks`, which is at least 1: preloaded and accessed ones, until they are evicted.
/// `evictions` has the bits of each instruction.
pub fn occupancy(
    code: &[Instruction],
    preloads: &[u8],
    evictions: &[u8],
    banks: usize,
) -> Vec<u32> {
    let (mut held, mut now) = (RegisterSet::default(), vec![0u32; banks]);
    for &register in preloads {
        if held.insert(register.into()) {
            now[usize::from(register) % banks] += 1;
        }
    }
    let mut most = now.clone();
    for (instruction, &bits) in code.iter().zip(evictions) {
        for register in accessed(instruction) {
            if held.insert(register) {
                let count = &mut now[usize::from(register) % banks];
                *count += 1;
                let most = &mut most[usize::from(register) % banks];
                *most = (*most).max(*count);
            }
        }
        for register in evicted(instruction, bits) {
            if held.remove(register) {
                now[usize::from(register) % banks] -= 1;
            }
        }
    }
    most
}

impl Kernel {
    /// The instructions of a region; none where there is no such region.
    pub fn region_code(&self, index: usize) -> Range<usize> {
        let main = self.main_code().len();
        let start =
            |index: usize| self.record.regions.get(index).map_or(main, |it| it.start as usize);
        let end = start(index + 1).min(main);
        start(index).min(end)..end
    }
}

/// The rules of a kernel's regions; `report` is given the instruction that breaks one, none for the kernel.
pub fn check_regions(kernel: &Kernel, report: &mut dyn FnMut(Option<usize>, String)) {
    if kernel.record.regions.is_empty() {
        if !kernel.record.evictions.is_empty() {
            report(None, "it has evictions without regions".into());
        }
        return;
    }
    let (main, evictions) = (kernel.main_code().len(), kernel.record.evictions.len());
    if evictions != kernel.code.len() {
        let code = kernel.code.len();
        return report(None, format!("{evictions} evictions for {code} instructions"));
    }
    let starts: Vec<usize> =
        kernel.record.regions.iter().map(|region| region.start as usize).collect();
    let ascends = starts.windows(2).all(|pair| pair[0] < pair[1]);
    if !ascends || starts[0] != 0 || starts.last().is_some_and(|&last| last >= main) {
        let rule = "regions stand in the order of the code, from its first instruction on";
        return report(None, rule.into());
    }
    let begins = |index: usize| starts.binary_search(&index).is_ok();
    for (index, instruction) in kernel.main_code().iter().enumerate() {
        let effect = instruction.op.row().effect;
        let is_branch = effect == Effect::Branch;
        let target = is_branch.then_some(instruction.target);
        let named = [target, instruction.annotations.reconverge.filter(|_| is_branch)];
        for point in named.into_iter().flatten().map(|point| point as usize) {
            if point < main && !begins(point) {
                report(Some(point), "control comes here: a region begins here".into());
            }
        }
        let leaves = is_branch || effect == Effect::Exit;
        if leaves && index + 1 < main && !begins(index + 1) {
            report(Some(index + 1), "a region ends with a branch or an exit".into());
        }
    }
    if let Some(index) = (main..evictions).find(|&index| kernel.record.evictions[index] != 0) {
        report(Some(index), "the affine stream evicts nothing".into());
    }
    for index in 0..kernel.record.regions.len() {
        check_region(kernel, index, report);
    }
}

/// The rules of one region.
fn check_region(kernel: &Kernel, index: usize, report: &mut dyn FnMut(Option<usize>, String)) {
    let Region { start, preloads, erasures } = &kernel.record.regions[index];
    for (list, what) in [(preloads, "preloads"), (erasures, "erases")] {
        let exists = list.last().is_none_or(|&last| u32::from(last) < kernel.registers);
        if !list.is_sorted_by(|a, b| a < b) || !exists {
            let rule = format!("what a region {what} are registers of the kernel, in order");
            return report(Some(*start as usize), rule);
        }
    }
    let mut held: RegisterSet = preloads.iter().copied().map(u16::from).collect();
    if let Some(register) = erasures.iter().find(|&&register| held.has(register.into())) {
        report(Some(*start as usize), format!("r{register} is both preloaded and erased"));
    }
    let mut gone = RegisterSet::default();
    for at in kernel.region_code(index) {
        let (instruction, bits) = (&kernel.code[at], kernel.record.evictions[at]);
        for number in 0..3 {
            let registers = source_registers(instruction, number);
            if registers.is_empty() && bits >> number & 1 != 0 {
                report(Some(at), format!("source {number} is no general register to be evicted"));
            }
            if let Some(register) = registers.clone().find(|&register| !held.has(register)) {
                let rule = format!("r{register} is read, and neither preloaded nor written before");
                report(Some(at), rule);
            }
        }
        let result = result_registers(instruction);
        if bits > 0xf || result.is_empty() && bits & EVICTS_RESULT != 0 {
            report(Some(at), "there is no such general register to be evicted".into());
        }
        for register in result {
            if gone.has(register) {
                report(Some(at), format!("r{register} is written after it was evicted"));
            }
            held.insert(register);
        }
        for register in evicted(instruction, bits) {
            held.remove(register);
            gone.insert(register);
        }
    }
}
