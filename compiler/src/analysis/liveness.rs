//! Which values are needed later, at the borders of blocks.

use crate::ir::{Block, Function, Kind, Value};

/// The values that are live at the start and the end of each block, as one thread sees it. A
/// phi is defined at the start of its block (it is not live in), its operands are read at the end
/// of the predecessors.
#[derive(Clone, Debug)]
pub struct Liveness {
    live_in: Vec<Vec<Value>>,
    live_out: Vec<Vec<Value>>,
}

impl Liveness {
    /// Walks from each use up to the definition; the cost is the size of the answer.
    pub fn new(function: &Function) -> Liveness {
        let count = function.blocks.len();
        let predecessors = function.predecessors();
        let mut home = vec![Block::ENTRY; function.values.len()];
        for (block, value) in function.placed() {
            home[value.index()] = block;
        }
        let mut found =
            Liveness { live_in: vec![Vec::new(); count], live_out: vec![Vec::new(); count] };
        // The last value that was entered into the set; values come one after the other.
        let mut seen_in = vec![None; count];
        let mut seen_out = vec![None; count];
        for (value, uses) in uses(function).into_iter().enumerate() {
            let value = Value(value as u32);
            let mut pending = Vec::new();
            for (block, at_end) in uses {
                if at_end && seen_out[block.index()] != Some(value) {
                    seen_out[block.index()] = Some(value);
                    found.live_out[block.index()].push(value);
                }
                pending.push(block);
            }
            while let Some(block) = pending.pop() {
                if home[value.index()] == block || seen_in[block.index()] == Some(value) {
                    continue;
                }
                seen_in[block.index()] = Some(value);
                found.live_in[block.index()].push(value);
                for &from in &predecessors[block.index()] {
                    if seen_out[from.index()] != Some(value) {
                        seen_out[from.index()] = Some(value);
                        found.live_out[from.index()].push(value);
                    }
                    pending.push(from);
                }
            }
        }
        found
    }

    /// What is live before the first instruction of a block, sorted.
    pub fn live_in(&self, block: Block) -> &[Value] {
        &self.live_in[block.index()]
    }

    /// What is live behind the last instruction of a block, sorted.
    pub fn live_out(&self, block: Block) -> &[Value] {
        &self.live_out[block.index()]
    }
}

/// For each value the blocks that read it, and whether they do so at their end for a phi.
fn uses(function: &Function) -> Vec<Vec<(Block, bool)>> {
    let mut uses = vec![Vec::new(); function.values.len()];
    for (block, value) in function.placed() {
        match function.kind(value) {
            Kind::Phi(incoming) => {
                for &(from, operand) in incoming {
                    uses[operand.index()].push((from, true));
                }
            }
            kind => kind.each_operand(|operand| uses[operand.index()].push((block, false))),
        }
    }
    uses
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse;

    #[test]
    fn a_value_used_behind_a_loop_lives_through_it() {
        let text = "kernel k {\nb0:\n %0 = const.b32 1\n %1 = const.b32 2\n jump b1\nb1:\n \
                    %2 = phi.b32 b0 %0, b1 %3\n %3 = add.i32 %2, %2\n %4 = setp.eq.i32 %3, %2\n \
                    branch %4, b1, b2\nb2:\n st.global.b32 %1, %3\n return\n}";
        let function = parse(text).unwrap().functions.remove(0);
        let liveness = Liveness::new(&function);
        assert_eq!(liveness.live_out(Block(0)), [Value(0), Value(1)]);
        assert_eq!(liveness.live_in(Block(1)), [Value(1)]);
        assert_eq!(liveness.live_out(Block(1)), [Value(1), Value(3)]);
        assert_eq!(liveness.live_in(Block(2)), [Value(1), Value(3)]);
    }
}
