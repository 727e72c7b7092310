//! The writes of a function as chains, one for each memory (Novillo, "Memory SSA: A Unified Approach for Sparsely
//! Representing Memory Operations", 2007). Stores, atomics, barriers and volatile accesses write, and where paths meet, all
//! that the paths write since they parted counts as one write; a loop's header is such a place.
//!
//! The *version* of a load's memory is the last write on the path to it that may touch the same
//! bytes ([`Alias`]). If two loads of one address have one version, and one dominates the other, no
//! path between them has a write to their bytes. The values that the address is made of are the
//! same at both, and at the writes between. Writes of other threads without synchronisation are
//! ignored, as C++ and CUDA allow.

use super::alias::{Alias, Writes, Written};
use super::forward::Forward;
use crate::analysis::DominatorTree;
use crate::ir::{Access, Block, BlockData, Function, Kind, Value};
use reconverge_isa::planted::Planted;
use reconverge_isa::{Op, Space, Width};
use rustc_hash::FxHashMap;

/// For shared, global and local memory the last write: the number of an instruction or, after those, of a block
/// where paths meet that have written.
pub(super) type Versions = [u32; 3];

/// The most writes that are examined for a load.
const MOST_LOOKS: usize = 256;
/// The most blocks that are visited to find the writes of paths, of all that meet.
const MOST_VISITS: usize = 1 << 22;

/// The versions of the memories that a space is part of; constant memory never changes.
fn seen(space: Space, versions: &Versions) -> Versions {
    let read = Written::to(space).0;
    [0, 1, 2].map(|class| if read[class] { versions[class] } else { 0 })
}

/// Goes past an instruction.
pub(super) fn pass(kind: &Kind, value: Value, versions: &mut Versions) {
    advance(versions, Written::by(kind), value.0);
}

fn advance(versions: &mut Versions, written: Written, version: u32) {
    for (slot, written) in versions.iter_mut().zip(written.0) {
        if written {
            *slot = version;
        }
    }
}

/// A load without its place in the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Load {
    pub access: Access,
    pub address: Value,
}

impl Load {
    /// A load of an address. Its part of a larger access does not matter.
    pub(super) fn new(access: Access, address: Value) -> Load {
        Load { access: Access { part: None, ..access }, address }
    }
}

/// The writes of a function, each with those before it.
pub(super) struct MemorySsa {
    alias: Alias,
    /// The versions at the start and at the end of each block.
    starts: Vec<Versions>,
    ends: Vec<Versions>,
    /// For each version, the writes that made it, and the versions before.
    steps: FxHashMap<u32, (Writes, Versions)>,
    /// The version that nothing has written; those of blocks follow it.
    first: u32,
}

impl MemorySsa {
    pub(super) fn new(function: &Function, dominators: &DominatorTree) -> MemorySsa {
        let first = function.values.len() as u32;
        let none = vec![[first; 3]; function.blocks.len()];
        let mut memory = MemorySsa {
            alias: Alias::new(function),
            starts: none.clone(),
            ends: none,
            steps: FxHashMap::default(),
            first,
        };
        let mut paths = Paths::new(function);
        for block in function.reverse_postorder() {
            let parent = dominators.parent(block);
            let mut now = parent.map_or([first; 3], |parent| memory.ends[parent.index()]);
            let between = paths.between(parent, block, dominators);
            memory.step(&mut now, between, first + 1 + block.0);
            memory.starts[block.index()] = now;
            for &(value, written) in &paths.in_block[block.index()] {
                let mut only = Writes::default();
                only.add(value, written);
                memory.step(&mut now, only, value.0);
            }
            memory.ends[block.index()] = now;
        }
        memory
    }

    /// Makes a version of the memories that have been written, if there are any.
    fn step(&mut self, now: &mut Versions, writes: Writes, version: u32) {
        let memories = writes.memories;
        if memories != Written::default() {
            self.steps.insert(version, (writes, *now));
            advance(now, memories, version);
        }
    }

    /// The versions at the start of a block.
    pub(super) fn start(&self, block: Block) -> Versions {
        self.starts[block.index()]
    }

    /// The versions at the end of a block.
    pub(super) fn end(&self, block: Block) -> Versions {
        self.ends[block.index()]
    }

    /// The block where paths meet whose writes are a version.
    pub(super) fn meeting(&self, version: u32) -> Option<Block> {
        version.checked_sub(self.first + 1).map(Block)
    }

    /// The knowledge right after a load or store that is not volatile: a load that would return the
    /// value, its versions, and the value.
    pub(super) fn known(
        &self,
        function: &Function,
        forward: &mut Forward,
        versions: &Versions,
        value: Value,
    ) -> Option<(Load, Versions, Value)> {
        match *function.kind(value) {
            Kind::Load(access, address) if !access.volatile => {
                let load = Load::new(access, forward.get(address));
                Some((load, self.seen(function, forward, load, versions), value))
            }
            Kind::Store(access, address, stored)
                if !access.volatile
                    && matches!(access.width, Width::B32 | Width::B64)
                    && !matches!(function.kind(stored), Kind::Join(_))
                    && !may_lack_value(function, access, stored) =>
            {
                let load = Load::new(access, forward.get(address));
                Some((load, seen(access.space, versions), forward.get(stored)))
            }
            _ => None,
        }
    }

    /// The versions that a load reads, given those at its place.
    pub(super) fn seen(
        &self,
        function: &Function,
        forward: &mut Forward,
        load: Load,
        versions: &Versions,
    ) -> Versions {
        let Load { access, address } = load;
        let mut seen = seen(access.space, versions);
        let class = match access.space {
            Space::Shared => 0,
            Space::Global => 1,
            Space::Local => 2,
            Space::Constant | Space::Generic => return seen,
        };
        let place = self.alias.place(function, access, address, |value| forward.get(value));
        let mut left = MOST_LOOKS;
        while let Some((writes, before)) = self.steps.get(&seen[class]) {
            let known_as = |value| forward.get(value);
            if writes.len() > left
                || self.alias.may_change(function, writes, access.space, &place, known_as)
            {
                break;
            }
            left -= writes.len();
            seen[class] = before[class];
        }
        seen
    }
}

/// Returns true if a check observes reads without a value, and a store may store such bytes: it clears them, or stores a copy.
fn may_lack_value(function: &Function, access: Access, stored: Value) -> bool {
    let is_copy = match function.kind(stored) {
        Kind::Load(from, _) => from.raw,
        Kind::Phi(_) => true,
        Kind::Compute(op, _) => {
            matches!(op, Op::SetNotEqualI32 | Op::Select | Op::Zext32 | Op::Low)
        }
        _ => false,
    };
    function.keeps_unset && (access.raw || is_copy)
}

/// The writes on the paths to a block.
struct Paths {
    predecessors: Vec<Vec<Block>>,
    /// By block: its writes in order.
    in_block: Vec<Vec<(Value, Written)>>,
    /// By block: for which block it was visited last.
    visited: Vec<Option<Block>>,
    visits: usize,
}

impl Paths {
    fn new(function: &Function) -> Paths {
        let writes = |block: &BlockData| {
            let writes =
                block.instructions.iter().map(|&value| (value, Written::by(function.kind(value))));
            writes.filter(|(_, written)| *written != Written::default()).collect()
        };
        Paths {
            predecessors: function.predecessors(),
            in_block: function.blocks.iter().map(writes).collect(),
            visited: vec![None; function.blocks.len()],
            visits: 0,
        }
    }

    /// The writes after a block that dominates another, before that one is entered.
    fn between(
        &mut self,
        parent: Option<Block>,
        block: Block,
        dominators: &DominatorTree,
    ) -> Writes {
        let mut all = Writes::default();
        let mut pending = vec![block];
        while let Some(at) = pending.pop() {
            for &from in &self.predecessors[at.index()] {
                let is_forgotten =
                    Planted::LoopWritesForgotten.is_on() && dominators.dominates(block, from);
                let is_visited = self.visited[from.index()] == Some(block);
                if Some(from) == parent || is_visited || is_forgotten {
                    continue;
                }
                self.visited[from.index()] = Some(block);
                self.visits += 1;
                pending.push(from);
                for &(value, written) in &self.in_block[from.index()] {
                    all.add(value, written);
                }
            }
            if self.visits > MOST_VISITS {
                return Writes::unknown();
            }
        }
        all
    }
}
