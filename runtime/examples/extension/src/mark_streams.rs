//! `mark-streams`: loads of global memory outside of loops get the cache operator `.cs`, as each thread executes them once.
//!
//! The compiler's half of `streaming-bypass`. After Jia, Shaw, Martonosi, "Characterizing and improving the use of
//! demand-fetched caches in GPUs", ICS 2012, which chooses loads that bypass the L1 at compile time, by the locality that it
//! finds in their addresses. Ours is coarser: it asks only whether a thread can execute the load again.

use reconverge::extend::ir::{Block, Function, Kind};
use reconverge::extend::{CacheOperator, Pass, Place, Space, Work};

pub(crate) const PASS: Pass = Pass {
    name: "mark-streams",
    doc: "gives loads of global memory outside of loops the cache operator `.cs`",
    work: Work::Ir(|function, _| run(function)),
};

/// After the last pass that finds where accesses fall.
pub(crate) const PLACE: Place = Place::AfterLast("address-space");

fn run(function: &mut Function) -> bool {
    let outside: Vec<Block> =
        function.existing_blocks().filter(|&block| !is_in_loop(function, block)).collect();
    let mut changed = false;
    for block in outside {
        for value in function.instructions(block).to_vec() {
            let Kind::Load(access, _) = &mut function.values[value.index()].kind else { continue };
            if access.space == Space::Global && !access.volatile && access.cache.operator.is_none()
            {
                access.cache.operator = Some(CacheOperator::Cs);
                changed = true;
            }
        }
    }
    changed
}

/// Returns true if a block is in a loop.
fn is_in_loop(function: &Function, block: Block) -> bool {
    let mut seen = vec![false; function.blocks.len()];
    let mut next: Vec<Block> = function.successors(block).collect();
    while let Some(at) = next.pop() {
        if at == block {
            return true;
        }
        if !std::mem::replace(&mut seen[at.index()], true) {
            next.extend(function.successors(at));
        }
    }
    false
}
