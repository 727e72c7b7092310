//! The common part of passes that move code: written memory, blocks before loops, and SSA form for
//! a variable with several definitions.

use crate::analysis::{DominatorTree, Loops};
use crate::ir::{Block, Function, Kind, Location, Type, Value};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A loop and the one block before it, which only leads into it.
pub(crate) struct Entered {
    pub header: Block,
    /// Sorted; those of inner loops included.
    pub blocks: Vec<Block>,
    /// Ends with a jump to the header.
    pub preheader: Block,
}

impl Entered {
    pub(crate) fn contains(&self, block: Block) -> bool {
        self.blocks.binary_search(&block).is_ok()
    }
}

/// Gives every loop a preheader; inner loops are first.
pub(crate) fn enter_loops(function: &mut Function) -> (DominatorTree, Vec<Entered>) {
    let dominators = DominatorTree::dominators(function);
    let loops = Loops::new(function, &dominators);
    let predecessors = function.predecessors();
    let mut preheader = FxHashMap::default();
    let mut added = false;
    for found in &loops.loops {
        let from = predecessors[found.header.index()].iter().copied();
        let outside: Vec<Block> =
            from.filter(|&at| !dominators.dominates(found.header, at)).collect();
        let block = match outside.as_slice() {
            &[only] if function.successors(only).count() == 1 => only,
            _ => {
                added = true;
                add_preheader(function, found.header, &outside)
            }
        };
        preheader.insert(found.header, block);
    }
    // New blocks may lie in outer loops.
    let (dominators, loops) = if added {
        let dominators = DominatorTree::dominators(function);
        let loops = Loops::new(function, &dominators);
        (dominators, loops)
    } else {
        (dominators, loops)
    };
    let entered = |found: crate::analysis::loops::Loop| {
        let preheader = *preheader.get(&found.header)?;
        Some(Entered { header: found.header, blocks: found.blocks, preheader })
    };
    let mut entered: Vec<Entered> = loops.loops.into_iter().filter_map(entered).collect();
    entered.sort_by_key(|found| found.blocks.len());
    (dominators, entered)
}

/// Puts a block between some predecessors of a block and it.
fn add_preheader(function: &mut Function, header: Block, outside: &[Block]) -> Block {
    let new = function.add_block();
    let phis: Vec<Value> = function.phis(header).collect();
    let mut location = Location::default();
    let outside: BTreeSet<Block> = outside.iter().copied().collect();
    for &from in &outside {
        if let Some(terminator) = function.terminator(from) {
            let instruction = &mut function.values[terminator.index()];
            location = instruction.location;
            instruction.kind.map_blocks(|at| if at == header { new } else { at });
        }
    }
    for phi in phis {
        let Kind::Phi(incoming) = &mut function.values[phi.index()].kind else {
            continue;
        };
        let is_outside = |from: &Block| outside.contains(from);
        let entering: Vec<_> = incoming.iter().copied().filter(|(at, _)| is_outside(at)).collect();
        incoming.retain(|(at, _)| !is_outside(at));
        let merged = match entering.as_slice() {
            &[(_, only)] => only,
            _ => {
                let ty = function.instruction(phi).ty;
                let location = function.instruction(phi).location;
                let merged = function.add(Kind::Phi(entering), ty, location);
                function.blocks[new.index()].instructions.push(merged);
                merged
            }
        };
        if let Kind::Phi(incoming) = &mut function.values[phi.index()].kind {
            incoming.push((new, merged));
            incoming.sort();
        }
    }
    let jump = function.add(Kind::Jump(header), None, location);
    function.blocks[new.index()].instructions.push(jump);
    new
}

/// Operands of phis while they are looked up and changed one by one: a phi may have one for each
/// block, and a walk through all of them each time would take too long.
#[derive(Default)]
pub(crate) struct PhiEdits {
    /// The operands of phis with many, and of those that were changed.
    open: BTreeMap<Value, BTreeMap<Block, Value>>,
}

impl PhiEdits {
    /// The most operands that are searched one by one.
    const FEW: usize = 8;

    fn open(&mut self, function: &Function, phi: Value) -> &mut BTreeMap<Block, Value> {
        self.open.entry(phi).or_insert_with(|| match function.kind(phi) {
            Kind::Phi(incoming) => incoming.iter().copied().collect(),
            _ => BTreeMap::new(),
        })
    }

    /// The operand of a phi for control from a block.
    pub(crate) fn operand(
        &mut self,
        function: &Function,
        phi: Value,
        from: Block,
    ) -> Option<Value> {
        match function.kind(phi) {
            Kind::Phi(incoming) if incoming.len() <= PhiEdits::FEW => match self.open.get(&phi) {
                Some(open) => open.get(&from).copied(),
                None => incoming.iter().find(|at| at.0 == from).map(|at| at.1),
            },
            _ => self.open(function, phi).get(&from).copied(),
        }
    }

    /// Sets the operand of a phi for control from a block.
    pub(crate) fn set(&mut self, function: &Function, phi: Value, from: Block, value: Value) {
        self.open(function, phi).insert(from, value);
    }

    /// Removes the operand of a phi for control from a block.
    pub(crate) fn remove(&mut self, function: &Function, phi: Value, from: Block) {
        self.open(function, phi).remove(&from);
    }

    /// Brings the changes to the function.
    pub(crate) fn finish(self, function: &mut Function) {
        for (phi, operands) in self.open {
            if let Kind::Phi(incoming) = &mut function.values[phi.index()].kind {
                *incoming = operands.into_iter().collect();
            }
        }
    }
}

/// Gives a block another terminator.
pub(crate) fn set_terminator(function: &mut Function, block: Block, kind: Kind) {
    if let Some(terminator) = function.terminator(block) {
        function.values[terminator.index()].kind = kind;
    }
}

/// Puts instructions at the end of a block, before its terminator.
pub(crate) fn place_last(function: &mut Function, block: Block, values: &[Value]) {
    let instructions = &mut function.blocks[block.index()].instructions;
    let end = instructions.len().saturating_sub(1);
    instructions.splice(end..end, values.iter().copied());
}

/// A value of a loop's header with a second definition in front of the loop. Its value elsewhere is
/// looked up backwards, with phis where several paths join (Braun and others, "Simple and Efficient
/// Construction of Static Single Assignment Form", 2013; all blocks are complete here).
///
/// All uses were below the header, and nothing down there defines it: from a block right below the
/// header on, in the dominator tree, it does not change.
pub(crate) struct Variable<'a> {
    pub predecessors: &'a [Vec<Block>],
    /// From before there was a second definition.
    pub dominators: &'a DominatorTree,
    pub header: Block,
    pub ty: Option<Type>,
    pub location: Location,
    /// Its value at the end of a block.
    pub at_end: FxHashMap<Block, Value>,
    /// The phis that were made, with their blocks.
    pub phis: Vec<(Block, Value)>,
}

impl Variable<'_> {
    /// Its value at the end of a block.
    pub(crate) fn read(&mut self, function: &mut Function, block: Block) -> Value {
        let mut pending = Vec::new();
        let found = self.look_up(function, block, &mut pending);
        while let Some((phi, block)) = pending.pop() {
            let predecessors = self.predecessors;
            let from = predecessors[block.index()].iter();
            let incoming = from.map(|&at| (at, self.look_up(function, at, &mut pending))).collect();
            function.values[phi.index()].kind = Kind::Phi(incoming);
            self.phis.push((block, phi));
        }
        found
    }

    /// Follows straight blocks up to a definition or to a block where paths join, which gets a phi
    /// whose operands are still to be looked up.
    fn look_up(
        &mut self,
        function: &mut Function,
        block: Block,
        pending: &mut Vec<(Value, Block)>,
    ) -> Value {
        let mut passed = Vec::new();
        let mut at = block;
        let found = loop {
            at = self.dominators.child_towards(self.header, at).unwrap_or(at);
            if let Some(&found) = self.at_end.get(&at) {
                break found;
            }
            passed.push(at);
            match self.predecessors[at.index()].as_slice() {
                &[only] => at = only,
                from => {
                    // Nothing is defined before the entry; undefined values are zero.
                    let joins = !from.is_empty();
                    let kind = if joins { Kind::Phi(Vec::new()) } else { Kind::Constant(0) };
                    let new = function.add(kind, self.ty, self.location);
                    function.blocks[at.index()].instructions.insert(0, new);
                    if joins {
                        pending.push((new, at));
                    }
                    break new;
                }
            }
        };
        self.at_end.extend(passed.into_iter().map(|block| (block, found)));
        found
    }
}
