//! Registers numbered by how long they live, for a register file that renames only those above a threshold.
//!
//! Source: Aamodt, Fung, Rogers, §3.6.3 (after Jeon et al.): tables for renaming are smaller if
//! registers with long lifetimes are not renamed, which are those "with logical register numbers
//! larger than a compiler determined threshold". The text leaves open how the threshold is
//! determined. Here registers are numbered by the number of instructions at which they are live,
//! the longest first, and those that are at half of the instructions or more live long. Where some
//! instruction reads or writes pairs, or four registers, those of an aligned pair or four stay
//! together and live as long as the longest of them; a last one that is not whole stays where it
//! is.

use super::assembly::Assembly;
use super::graph::Graph;
use super::liveness::Liveness;
use super::registers::Registers;
use reconverge_isa::region_rules::{accessed, result_registers, source_registers};
use reconverge_isa::{CodeTarget, Dest, Instruction, Operand, Reg};
use std::cmp::Reverse;

/// The pass `lifetimes`: numbers the registers of a kernel, and returns the number of instructions with other registers.
/// Uniform registers stay the last ones: no machine that has them renames.
pub fn run(assembly: &mut Assembly, _: &CodeTarget) -> usize {
    if assembly.kernel.record.uniform != 0 {
        return 0;
    }
    let before = assembly.main_code().to_vec();
    assembly.kernel.record.long_lived = order(assembly.main_code());
    before.iter().zip(assembly.main_code()).filter(|(before, after)| *before != &**after).count()
}

/// Numbers the general registers of finished code; how many of them live long.
fn order(code: &mut [Instruction]) -> u32 {
    let used = code.iter().flat_map(accessed).max().map_or(0, |last| usize::from(last) + 1);
    let words = code.iter().flat_map(|instruction| {
        let sources = [0, 1, 2].map(|number| source_registers(instruction, number).len());
        sources.into_iter().chain([result_registers(instruction).len()])
    });
    let together = words.max().unwrap_or(1).max(1).next_power_of_two();
    let live = lifetimes(code, used);
    let whole = used / together;
    let lifetime = |group: usize| {
        let registers = group * together..(group + 1) * together;
        live.get(registers).into_iter().flatten().copied().max().unwrap_or(0)
    };
    let mut groups: Vec<usize> = (0..whole).collect();
    groups.sort_by_key(|&group| Reverse(lifetime(group)));
    let mut new: Vec<u8> = (0..=u8::MAX).collect();
    for (place, &group) in groups.iter().enumerate() {
        for word in 0..together {
            new[group * together + word] = (place * together + word) as u8;
        }
    }
    for instruction in code.iter_mut() {
        for source in &mut instruction.sources {
            if let Operand::Reg(Reg(register)) = source {
                *register = new[usize::from(*register)];
            }
        }
        if let Dest::Reg(Reg(register)) = &mut instruction.dest {
            *register = new[usize::from(*register)];
        }
    }
    let is_long = |&&group: &&usize| 2 * lifetime(group) >= code.len();
    (groups.iter().take_while(is_long).count() * together) as u32
}

/// By register: at how many instructions it is live.
fn lifetimes(code: &[Instruction], used: usize) -> Vec<usize> {
    let graph = Graph::new(code);
    let liveness = Liveness::new(code, &graph);
    let mut live = vec![0; used];
    for block in 0..graph.len() {
        liveness.walk(code, &graph, block, |_, before, _| {
            for (register, count) in live.iter_mut().enumerate() {
                *count += usize::from(before.intersects(Registers::of(register..register + 1)));
            }
        });
    }
    live
}

#[cfg(test)]
mod tests {
    use super::*;
    use reconverge_isa::text::{parse, print_kernel};

    /// The code with its registers numbered, an instruction a line, and how many live long.
    fn ordered(text: &str) -> (Vec<String>, u32) {
        let mut program = parse(text).expect("it is good");
        let long = order(&mut program.kernels[0].code);
        let text = print_kernel(&program, &program.kernels[0]);
        let lines = text.lines().filter(|line| line.starts_with("  ") && !line.contains("    ."));
        (lines.map(|line| line.trim().to_owned()).collect(), long)
    }

    #[test]
    fn the_longest_come_first() {
        // r2 is live at four of six instructions, r0 at one, r1 at two.
        let text = "mov.b32 r2, 1\n mov.b32 r0, 1\n add.i32 r1, r0, r2\n add.i32 r1, r1, r1\n st.global.b32 [r2], r1\n exit";
        let (code, long) = ordered(text);
        assert_eq!(
            code[..5],
            [
                "mov.b32 r0, 1",
                "mov.b32 r2, 1",
                "add.i32 r1, r2, r0",
                "add.i32 r1, r1, r1",
                "st.global.b32 [r0], r1"
            ]
        );
        assert_eq!(long, 1);
    }

    #[test]
    fn pairs_stay_together() {
        // Registers move by two; r4 has no other half and stays.
        let text =
            "mov.b64 r2:3, 1\n mov.b32 r0, 1\n mov.b32 r4, r0\n st.global.b64 [r4], r2:3\n exit";
        let (code, long) = ordered(text);
        assert_eq!(code[0], "mov.b64 r0:1, 1");
        assert_eq!(code[2], "mov.b32 r4, r2");
        assert_eq!(long, 2);
    }
}
