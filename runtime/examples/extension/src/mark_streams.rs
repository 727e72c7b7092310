//! `mark-streams`: loads of global memory outside of loops get the hint `executions`, as each thread executes them once.
//!
//! The compiler's half of `streaming-bypass`. After Jia, Shaw, Martonosi, "Characterizing and improving the use of
//! demand-fetched caches in GPUs", ICS 2012, which chooses loads that bypass the L1 at compile time, by the locality that it
//! finds in their addresses. Ours is coarser: it asks only whether a thread can execute the load again.

use reconverge::extend::ir::{Block, Function, Kind};
use reconverge::extend::{CheckHint, Execution, FalseHint, Hint, Pass, Place, Space, Work};
use std::collections::BTreeMap;

/// The hint that the pass sets and the cache reads.
pub const EXECUTIONS: Hint =
    Hint::numbers("executions", 1, 1_000_000, "A thread executes it at most so many times.");

pub(crate) const PASS: Pass = Pass {
    name: "mark-streams",
    doc: "gives loads of global memory outside of loops the hint `executions`",
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
            let load = &mut function.values[value.index()];
            let Kind::Load(access, _) = &load.kind else { continue };
            let is_stream = access.space == Space::Global
                && !access.volatile
                && load.hints.get(&EXECUTIONS).is_none();
            changed |= is_stream && load.hints.set(&EXECUTIONS, 1).is_ok();
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

/// Counts the executions of each thread of a block.
#[derive(Default)]
pub(crate) struct CountExecutions(BTreeMap<(u32, u16), i32>);

impl CheckHint for CountExecutions {
    fn executed(&mut self, execution: &Execution) -> Result<(), FalseHint> {
        let Some(most) = execution.hints.get(&EXECUTIONS) else { return Ok(()) };
        for thread in execution.threads.iter().map(|it| it.thread) {
            let count = self.0.entry((execution.pc, thread)).or_default();
            *count += 1;
            if *count > most {
                let message =
                    format!("a thread has executed this {count} times; at most {most} are claimed");
                return Err(FalseHint { thread, message });
            }
        }
        Ok(())
    }
}
