//! Both streams, as functions of their own.
//!
//! The non-affine stream is the function itself with dequeues in place of addresses and conditions,
//! without unused values. The affine one is made of the function with [gates](super::gates): from
//! each block that it has to reach, it keeps the parts that the sites need. Any other branch
//! becomes a jump to its reconvergence point.

use super::gates::copied;
use super::sites::{Site, What};
use super::values::Values;
use crate::analysis::Flow;
use crate::ir::{Access, Block, Function, Kind, Operands, Type, Value};
use crate::pass::{copy, dead};
use reconverge_isa::{CacheHints, Op, Queue};
use std::collections::{BTreeMap, BTreeSet};

/// A decoupled function.
#[derive(Clone, Debug)]
pub struct Streams {
    /// The stream that all warps execute.
    pub main: Function,
    /// The stream that one warp executes for all blocks of a batch.
    pub affine: Function,
    /// The sites of branches at which the threads of a block may diverge.
    pub parting: BTreeSet<u8>,
}

/// Builds both streams of a function. `flow` is that of the function with gates, and `before` has
/// the values that the gates compute in front of paths. Sites are numbered in their order.
pub fn build(
    function: &Function,
    flow: &Flow,
    before: &BTreeMap<Value, Value>,
    values: &Values,
    sites: Vec<Site>,
) -> Streams {
    let parting = (0u8..).zip(&sites).filter(|(_, site)| {
        matches!(site.what, What::Condition(_)) && values.may_diverge(site.block)
    });
    let parting = parting.map(|(number, _)| number).collect();
    let main = main(function, &sites);
    let affine = Builder::new(flow, before, &sites).build();
    Streams { main, affine, parting }
}

/// The non-affine stream.
fn main(function: &Function, sites: &[Site]) -> Function {
    let mut main = function.clone();
    for (number, site) in (0u8..).zip(sites) {
        let (queue, ty) = match site.what {
            What::Address(queue, ..) => (queue, Type::B32),
            What::Condition(_) => (Queue::Predicate, Type::Pred),
            What::Barrier => {
                let kind = &mut main.values[site.at.index()].kind;
                if let Kind::Collective(op, operands) = *kind {
                    *kind = Kind::Matched(op, operands, number);
                }
                continue;
            }
        };
        let location = main.instruction(site.at).location;
        let dequeued = main.add(Kind::Dequeue(queue, number), Some(ty), location);
        let kind = &mut main.values[site.at.index()].kind;
        if let Kind::Branch(condition, ..) = kind {
            *condition = dequeued;
        } else if let Some(address) = kind.address_mut() {
            *address = dequeued;
        }
        let instructions = &mut main.blocks[site.block.index()].instructions;
        if let Some(at) = instructions.iter().position(|&value| value == site.at) {
            instructions.insert(at, dequeued);
        }
    }
    dead::run(&mut main);
    main
}

struct Builder<'b, 'a> {
    flow: &'b Flow<'a>,
    before: &'b BTreeMap<Value, Value>,
    sites: &'b [Site],
    /// By value: the site that it is.
    numbers: Vec<Option<u8>>,
    /// By value: the affine stream computes it.
    needed: Vec<bool>,
    /// By block: the affine stream has its branch.
    branches: Vec<bool>,
    /// By block: true if the affine stream reaches it as the threads do.
    reached: Vec<bool>,
    pending: Vec<Value>,
}

impl<'b, 'a> Builder<'b, 'a> {
    fn new(flow: &'b Flow<'a>, before: &'b BTreeMap<Value, Value>, sites: &'b [Site]) -> Self {
        let (count, blocks) = (flow.function.values.len(), flow.function.blocks.len());
        let mut numbers = vec![None; count];
        for (number, site) in (0u8..).zip(sites) {
            numbers[site.at.index()] = Some(number);
        }
        Builder {
            flow,
            before,
            sites,
            numbers,
            needed: vec![false; count],
            branches: vec![false; blocks],
            reached: vec![false; blocks],
            pending: Vec::new(),
        }
    }

    fn build(mut self) -> Function {
        for site in self.sites {
            self.reach(site.block);
            match site.what {
                What::Address(_, _, value) => self.need(value),
                What::Condition(_) => self.keep(site.block),
                What::Barrier => {}
            }
        }
        while let Some(value) = self.pending.pop() {
            self.operands(value);
        }
        self.write()
    }

    fn need(&mut self, value: Value) {
        if !std::mem::replace(&mut self.needed[value.index()], true) {
            self.pending.push(value);
        }
    }

    /// Keeps the operands of a value.
    fn operands(&mut self, value: Value) {
        let kind = self.flow.function.kind(value);
        if kind.is_leaf() {
            return;
        }
        let home = self.flow.home(value).unwrap_or_default();
        self.reach(home);
        match kind {
            Kind::Phi(incoming) => {
                for &(from, operand) in incoming {
                    self.need(operand);
                    self.reach(from);
                    self.keep(from);
                }
            }
            kind => kind.each_operand(|operand| self.need(operand)),
        }
    }

    /// Keeps the branches that decide about a block.
    fn reach(&mut self, block: Block) {
        if !std::mem::replace(&mut self.reached[block.index()], true) {
            for &branch in self.flow.control.deciders(block) {
                self.keep(branch);
            }
        }
    }

    /// Keeps the branch at the end of a block, if it has one.
    fn keep(&mut self, block: Block) {
        let function = self.flow.function;
        let terminator = function.terminator(block).map(|at| function.kind(at));
        if let Some(&Kind::Branch(condition, ..)) = terminator
            && !std::mem::replace(&mut self.branches[block.index()], true)
        {
            self.need(condition);
            self.reach(block);
        }
    }

    fn write(self) -> Function {
        let function = self.flow.function;
        let mut affine = function.clone();
        let leaf = |&value: &Value| function.kind(value).is_leaf() && self.needed[value.index()];
        let leaves: Vec<Value> = function.placed().map(|(_, value)| value).filter(leaf).collect();
        for block in function.existing_blocks() {
            let mut written = match block {
                Block::ENTRY => leaves.clone(),
                _ => Vec::new(),
            };
            for &value in function.instructions(block) {
                match function.kind(value) {
                    Kind::Phi(_) if self.needed[value.index()] => written.push(value),
                    Kind::Phi(_) => {}
                    kind => self.instruction(&mut affine, block, value, kind, &mut written),
                }
            }
            affine.blocks[block.index()].instructions = written;
        }
        affine.remove_unreachable();
        let predecessors = affine.predecessors();
        for block in affine.existing_blocks().collect::<Vec<_>>() {
            for phi in affine.phis(block).collect::<Vec<_>>() {
                if let Kind::Phi(incoming) = &mut affine.values[phi.index()].kind {
                    incoming.retain(|(from, _)| predecessors[block.index()].contains(from));
                }
            }
        }
        affine.slots.clone_from(&function.slots);
        self.forget(&mut affine);
        affine
    }

    /// Values that gates have computed in front of paths are not computed on these again. (Other
    /// values of a dominating instruction do not exist for threads that were inactive at its last
    /// execution.)
    fn forget(&self, affine: &mut Function) {
        for (&value, &before) in self.before {
            let ty = affine.ty(value);
            if self.needed[before.index()]
                && matches!(affine.kind(value), Kind::Compute(..))
                && let Some(op) = copied(ty)
            {
                affine.values[value.index()].kind = Kind::Compute(op, Operands::new(&[before]));
            }
        }
        copy::run(affine);
        dead::run(affine);
    }

    /// The affine stream's form of an instruction.
    fn instruction(
        &self,
        affine: &mut Function,
        block: Block,
        value: Value,
        kind: &Kind,
        written: &mut Vec<Value>,
    ) {
        let location = self.flow.function.instruction(value).location;
        let site = self.numbers[value.index()];
        let what = site.and_then(|number| self.sites.get(usize::from(number)));
        if let (Some(number), Some(site)) = (site, what) {
            let enqueued = match site.what {
                What::Address(queue, access, address) => {
                    let access =
                        Access { volatile: false, raw: false, cache: CacheHints::NONE, ..access };
                    Kind::Enqueue(queue, number, access, address)
                }
                What::Condition(condition) => {
                    Kind::Enqueue(Queue::Predicate, number, Access::default(), condition)
                }
                What::Barrier => Kind::Matched(Op::Barrier, Operands::default(), number),
            };
            written.push(affine.add(enqueued, None, location));
        }
        match kind {
            Kind::Branch(..) if self.branches[block.index()] => written.push(value),
            Kind::Branch(..) => {
                let jump = match self.flow.post.parent(block) {
                    Some(reconvergence) => Kind::Jump(reconvergence),
                    None => Kind::Return,
                };
                written.push(affine.add(jump, None, location));
            }
            Kind::Jump(_) | Kind::Return => written.push(value),
            kind if kind.is_leaf() => {}
            Kind::Compute(..) | Kind::Load(..) if self.needed[value.index()] => written.push(value),
            _ => {}
        }
    }
}
