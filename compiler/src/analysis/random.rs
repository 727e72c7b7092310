//! Random control-flow graphs for tests.

use crate::ir::{Function, parse::parse};
use std::fmt::Write;

/// A small generator of numbers.
pub struct Random(pub u64);

impl Random {
    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }
}

/// A graph of up to 15 blocks: mostly forward to near blocks, or `wild`.
pub fn graph(random: &mut Random, wild: bool) -> Function {
    let count = 2 + random.below(14);
    let mut text = "kernel k {\nb0:\n %0 = const.pred true\n".to_string();
    for block in 0..count {
        if block > 0 {
            let _ = writeln!(text, "b{block}:");
        }
        let target = |random: &mut Random| match random.below(6) {
            0 => 1 + random.below(block.max(1)),
            _ if wild => 1 + random.below(count - 1),
            _ => (block + 1 + random.below(3)).min(count - 1),
        };
        let (one, other) = (target(random), target(random));
        let line = match random.below(8) {
            _ if block + 1 == count => " return".to_string(),
            0 => " return".to_string(),
            1..4 => format!(" jump b{one}"),
            _ if one == other => format!(" jump b{one}"),
            _ => format!(" branch %0, b{one}, b{other}"),
        };
        let _ = writeln!(text, "{line}");
    }
    let mut function = parse(&format!("{text}}}")).unwrap().functions.remove(0);
    function.remove_unreachable();
    function
}
