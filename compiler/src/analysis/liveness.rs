//! The values that are needed later, at the borders of blocks: the number of registers that they
//! take, and those among them that a block itself touches.
//!
//! The sets of all values at all borders are not made: they grow with the product of both.

use super::live_ranges::LiveRanges;
use crate::ir::{Block, Function, Kind, Value};

/// Liveness from the view of one thread. A phi is defined at the start of its block; its operands
/// are read at the end of the predecessors. Leaves are left out: they are made where they are
/// needed.
#[derive(Clone, Debug)]
pub struct Liveness {
    words: Vec<u32>,
    after: Vec<Vec<Value>>,
}

/// General registers that a value occupies, if it is kept in some.
pub fn words(function: &Function, value: Value) -> u32 {
    match (function.kind(value).is_leaf(), function.instruction(value).ty) {
        (true, _) | (_, None) => 0,
        (_, Some(ty)) => ty.words(),
    }
}

impl Liveness {
    /// Follows each value from its uses up to its definition.
    pub fn new(function: &Function) -> Liveness {
        let live_ranges = LiveRanges::new(function);
        let mut home = vec![None; function.values.len()];
        for (block, value) in function.placed() {
            home[value.index()] = live_ranges.position(block);
        }
        let mut after = vec![Vec::new(); function.blocks.len()];
        // By position: how many more words are live than at the position before.
        let mut more = vec![0i64; live_ranges.len() + 1];
        for (value, uses) in (0..).map(Value).zip(uses(function)) {
            let Some(home) = home[value.index()].filter(|_| !uses.is_empty()) else {
                continue;
            };
            let above = uses.iter().filter_map(|&(block, _)| live_ranges.position(block));
            let live = live_ranges.live(&[home], above.filter(|&at| at != home));
            let words = i64::from(words(function, value));
            for &(start, end) in &live {
                more[start as usize] += words;
                more[end as usize] -= words;
            }
            let is_live = |block: Block| {
                let at = live_ranges.position(block).unwrap_or(u32::MAX);
                let next = live.partition_point(|&(_, end)| end <= at);
                live.get(next).is_some_and(|&(start, _)| start <= at)
            };
            let mut touched: Vec<(Block, bool)> = uses;
            touched.push((live_ranges.block(home), false));
            touched.sort();
            for group in touched.chunk_by(|one, other| one.0 == other.0) {
                let block = group[0].0;
                let at_end = group.iter().any(|&(_, at_end)| at_end);
                if at_end || function.successors(block).any(is_live) {
                    after[block.index()].push(value);
                }
            }
        }
        let mut words = vec![0; function.blocks.len()];
        let mut now = 0;
        for (position, more) in (0..live_ranges.len() as u32).zip(more) {
            now += more;
            words[live_ranges.block(position).index()] = u32::try_from(now).unwrap_or(0);
        }
        Liveness { words, after }
    }

    /// The general registers that are live before the first instruction of a block.
    pub fn words(&self, block: Block) -> u32 {
        self.words[block.index()]
    }

    /// The values that a block defines or reads and that are live after its last instruction,
    /// sorted.
    pub fn after(&self, block: Block) -> &[Value] {
        &self.after[block.index()]
    }
}

/// For each value but leaves the blocks that read it, and whether they do so at their end for a phi.
fn uses(function: &Function) -> Vec<Vec<(Block, bool)>> {
    let mut uses = vec![Vec::new(); function.values.len()];
    for (block, value) in function.placed() {
        let mut note = |operand: Value, at: (Block, bool)| {
            let known: &mut Vec<_> = &mut uses[operand.index()];
            if !function.kind(operand).is_leaf() && known.last() != Some(&at) {
                known.push(at);
            }
        };
        match function.kind(value) {
            Kind::Phi(incoming) => {
                incoming.iter().for_each(|&(from, operand)| note(operand, (from, true)));
            }
            kind => kind.each_operand(|operand| note(operand, (block, false))),
        }
    }
    uses
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse;

    #[test]
    fn a_value_used_after_a_loop_lives_through_it() {
        let text = "kernel k {\nb0:\n %9 = const.b32 1\n %0 = add.i32 %9, %9\n \
                    %1 = mul.i32 %9, %9\n jump b1\nb1:\n \
                    %2 = phi.b32 b0 %0, b1 %3\n %3 = add.i32 %2, %2\n %4 = setp.eq.i32 %3, %2\n \
                    branch %4, b1, b2\nb2:\n st.global.b32 %1, %3\n return\n}";
        let function = parse(text).unwrap().functions.remove(0);
        let liveness = Liveness::new(&function);
        assert_eq!([0, 1, 2].map(|block| liveness.words(Block(block))), [0, 1, 2]);
        assert_eq!(liveness.after(Block(0)), [Value(0), Value(1)]);
        // The block does not touch %1, which lives through it.
        assert_eq!(liveness.after(Block(1)), [Value(3)]);
        assert_eq!(liveness.after(Block(2)), []);
    }
}
