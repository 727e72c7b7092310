//! The points at which the branches of machine code would reconverge: of code that does not state
//! them itself, such as code written by hand.

use super::graph::{Graph, may_diverge};
use crate::analysis::DominatorTree;
use crate::ir::{Block, Function, Kind, Location, Value};
use reconverge_isa::Instruction;

/// The branches of a stream that may diverge and have no `!reconverge`, with their reconvergence point: the first instruction of
/// their immediate post-dominator. Branches that have none are left out: their paths only meet at the end of the kernel.
pub fn missing(code: &[Instruction]) -> Vec<(usize, usize)> {
    let lacks = |it: &Instruction| may_diverge(it) && it.annotations.reconverge.is_none();
    if !code.iter().any(lacks) {
        return Vec::new();
    }
    let graph = Graph::new(code);
    let post_dominators = DominatorTree::post_dominators(&skeleton(&graph));
    let of = |block: usize| {
        let branch = graph.instructions(block).last().filter(|&at| lacks(&code[at]))?;
        let point = post_dominators.parent(Block(block as u32))?;
        Some((branch, graph.instructions(point.index()).start))
    };
    (0..graph.len()).filter_map(of).collect()
}

/// A function with the blocks and edges of a graph, and nothing in them.
fn skeleton(graph: &Graph) -> Function {
    let mut function = Function::default();
    for block in 0..graph.len() {
        let target = |at: &usize| Block(*at as u32);
        let kind = match graph.successors(block) {
            [] => Kind::Return,
            [only] => Kind::Jump(target(only)),
            [one, other, ..] => Kind::Branch(Value::default(), target(one), target(other)),
        };
        let end = function.add(kind, None, Location::default());
        let block = function.add_block();
        function.blocks[block.index()].instructions.push(end);
    }
    function
}

#[cfg(test)]
mod tests {
    use super::missing;
    use reconverge_isa::text;

    fn found(code: &str) -> Vec<(usize, usize)> {
        missing(&text::parse(code).unwrap().kernels[0].code)
    }

    #[test]
    fn the_point_is_the_post_dominator() {
        let code = "setp.ge.s32 p0, r0, 3\n@p0 bra L\nadd.i32 r0, r0, 1\nL: mov.b32 r1, r0\nexit";
        assert_eq!(found(code), [(1, 3)]);
        assert_eq!(found(&code.replace("bra L", "bra L !reconverge L")), []);
        assert_eq!(found(&code.replace("bra L", "bra L !uni")), []);
        // Both paths end on their own.
        assert_eq!(found("@p0 bra L\nexit\nL: mov.b32 r1, r0\nexit"), []);
    }
}
