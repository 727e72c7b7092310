//! Loops around loads, and the number of lines that an iteration of one touches, from the
//! compiler's hints at loads.
//!
//! Source: Aamodt, Fung, Rogers, §5.1.2, after Rogers, O'Connor, Aamodt, "Divergence-aware warp
//! scheduling", MICRO 2013: most locality within warps is in loops, and each thread in a loop
//! contributes to the lines that its warp needs again. The text does not say how lines are counted.
//! Here each load of the loop counts the lines that its threads touch with addresses at its stride,
//! and different loads touch different lines. A loop has the loads of its inner loops; loops around
//! it that have loads of their own are known too.

use std::collections::BTreeSet;

use reconverge_isa::{AccessPattern, Instruction, Space};

/// The loops of a kernel that have loads from global, local or generic memory, as far as hints
/// show.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loops {
    /// By instruction, the innermost loop around it. Empty if there are no loops.
    innermost: Vec<Option<u16>>,
    all: Vec<Loop>,
}

/// A loop.
#[derive(Clone, Debug)]
struct Loop {
    first: u32,
    /// Its loads, those of inner loops too: their patterns, and the bytes that a thread loads.
    loads: Vec<(AccessPattern, u32)>,
    /// The loads of the outermost loop around it that are outside of it.
    outer: Vec<(AccessPattern, u32)>,
}

/// The position of an instruction in loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopPlace {
    /// The number of the innermost loop around it.
    pub number: u16,
    /// It is the loop's first instruction.
    pub is_first: bool,
    /// Lines of the first level that an iteration of the loop touches.
    pub lines: u32,
    /// Lines that an iteration of the outermost loop around it touches in addition, outside of the
    /// loop; 0 if there is none.
    pub outer_lines: u32,
}

impl Loops {
    /// The loops of some code.
    pub(crate) fn new(code: &[Instruction]) -> Loops {
        let around: BTreeSet<(u32, u32)> =
            code.iter().filter_map(|load| load.hints.around()).collect();
        let mut around: Vec<(u32, u32)> = around.into_iter().collect();
        // Inner loops after those around them.
        around.sort_by_key(|&(first, last)| (std::cmp::Reverse(last.saturating_sub(first)), first));
        around.truncate(usize::from(u16::MAX));
        if around.is_empty() {
            return Loops::default();
        }
        let mut innermost = vec![None; code.len()];
        let mut all = Vec::new();
        for (number, &(first, last)) in (0..).zip(&around) {
            let body = first as usize..=(last as usize).min(code.len() - 1);
            innermost.get_mut(body.clone()).into_iter().flatten().for_each(|of| *of = Some(number));
            // The largest are first.
            let is_around = |other: &&(u32, u32)| other.0 <= first && last <= other.1;
            let &(outer_first, outer_last) =
                around.iter().find(is_around).unwrap_or(&(first, last));
            let before = outer_first as usize..first as usize;
            let after = last as usize + 1..(outer_last as usize + 1).min(code.len());
            let outer = [before, after].map(|part| loads(code.get(part).unwrap_or_default()));
            let loads = loads(code.get(body).unwrap_or_default());
            all.push(Loop { first, loads, outer: outer.concat() });
        }
        Loops { innermost, all }
    }

    /// The position of an instruction, for a path of `threads` threads there, given the bytes of a
    /// line; none outside of loops.
    pub(crate) fn place(&self, pc: u32, threads: u32, line: u32) -> Option<LoopPlace> {
        let number = self.innermost.get(pc as usize).copied().flatten()?;
        let found = self.all.get(usize::from(number))?;
        let sum = |loads: &[(AccessPattern, u32)]| {
            loads.iter().map(|&(pattern, bytes)| lines(pattern, bytes, threads, line)).sum()
        };
        let is_first = found.first == pc;
        Some(LoopPlace {
            number,
            is_first,
            lines: sum(&found.loads),
            outer_lines: sum(&found.outer),
        })
    }
}

/// The loads of some code that are in loops and pass the L1.
fn loads(code: &[Instruction]) -> Vec<(AccessPattern, u32)> {
    let is_cached =
        |load: &&Instruction| matches!(load.space, Space::Global | Space::Local | Space::Generic);
    let pattern = |load: &Instruction| load.hints.pattern().unwrap_or(AccessPattern::Scattered);
    let loads = code.iter().filter(|load| load.hints.around().is_some()).filter(is_cached);
    loads.map(|load| (pattern(load), load.width.bytes())).collect()
}

/// Lines that `threads` threads touch, each of which loads `bytes` bytes.
fn lines(pattern: AccessPattern, bytes: u32, threads: u32, line: u32) -> u32 {
    match pattern {
        _ if threads == 0 => 0,
        AccessPattern::Same => 1,
        AccessPattern::Apart(apart) => {
            ((threads - 1) * u32::from(apart) + bytes).div_ceil(line).clamp(1, threads)
        }
        AccessPattern::Scattered => threads,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_by_pattern() {
        use AccessPattern::{Apart, Same, Scattered};
        let of = |pattern| [32, 9, 1, 0].map(|threads| lines(pattern, 4, threads, 128));
        assert_eq!(of(Same), [1, 1, 1, 0]);
        assert_eq!(of(Apart(4)), [1, 1, 1, 0]);
        assert_eq!(of(Apart(16)), [4, 2, 1, 0]);
        assert_eq!(of(Apart(1000)), [32, 9, 1, 0], "no more than threads");
        assert_eq!(of(Scattered), [32, 9, 1, 0]);
    }

    #[test]
    fn the_innermost_loop_counts_and_has_the_loads_of_its_own() {
        let text = ".kernel k\n.registers 4\n.predicates 1\n mov.b32 r0, 0\n A: ld.global.b32 r1, [r0] !loop A D !same\n\
                    B: ld.global.b32 r1, [r0] !loop B C\n ld.shared.b32 r1, [r0] !loop B C\n C: @p0 bra B\n D: @p0 bra A\n exit";
        let program = reconverge_isa::text::parse(text).expect("it is good");
        let loops = Loops::new(&program.kernels[0].code);
        let place = |pc| loops.place(pc, 8, 128);
        assert_eq!((place(0), place(6)), (None, None));
        let outer = LoopPlace { number: 0, is_first: true, lines: 1 + 8, outer_lines: 0 };
        let inner = LoopPlace { number: 1, is_first: true, lines: 8, outer_lines: 1 };
        assert_eq!((place(1), place(2)), (Some(outer), Some(inner)));
        assert_eq!(place(4), Some(LoopPlace { is_first: false, ..inner }));
        assert_eq!(place(5), Some(LoopPlace { is_first: false, ..outer }));
        assert_eq!(Loops::new(&program.kernels[0].code[..1]).place(0, 8, 128), None);
    }
}
