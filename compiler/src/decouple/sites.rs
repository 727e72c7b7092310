//! The places at which the streams exchange values: the instructions whose address or condition the
//! affine stream supplies.
//!
//! Queues are first in, first out, so each warp has to reach the sites in the order in which the
//! affine warp does. Both follow the same branches. But where the threads of a block diverge, the
//! affine warp executes both paths one after the other, and a divergent warp may use the other
//! order. So only one of the two paths of such a branch may have sites.

use super::values::Values;
use crate::analysis::affine::Coefficient;
use crate::analysis::convergence::Convergence;
use crate::analysis::{Flow, Loops, Scope};
use crate::ir::{Access, Block, Function, Kind, Value};
use reconverge_isa::{Op, Queue, SITES, Space};
use std::collections::BTreeMap;

/// An instruction that both streams have a part in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The instruction.
    pub at: Value,
    /// Its block.
    pub block: Block,
    /// The value that is passed.
    pub what: What,
}

/// The affine stream's work for an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Supplies its address; for [`Queue::Data`] it requests the lines too.
    Address(Queue, Access, Value),
    /// Supplies the condition of a branch.
    Condition(Value),
    /// Has the same barrier.
    Barrier,
}

/// The blocks that control may pass between a branch and its reconvergence point, for the taken and the
/// fall-through path.
pub fn paths(flow: &Flow, branch: Block) -> Vec<Vec<Block>> {
    let reconvergence = flow.post.parent(branch);
    let path = |first: Block| {
        let mut found = Vec::new();
        let mut seen = vec![false; flow.function.blocks.len()];
        let mut pending = vec![first];
        while let Some(block) = pending.pop() {
            if Some(block) != reconvergence && !std::mem::replace(&mut seen[block.index()], true) {
                found.push(block);
                pending.extend(flow.function.successors(block));
            }
        }
        found
    };
    flow.function.successors(branch).map(path).collect()
}

/// Chooses the sites of a function, and the values that the affine stream computes for them.
pub fn choose<'f, 'a>(
    flow: &'f Flow<'a>,
    convergence: &'f Convergence<'f, 'a>,
) -> (Values<'f, 'a>, Vec<Site>) {
    let function = flow.function;
    let loops = Loops::new(function, &flow.dominators);
    let parting: Vec<(Block, Vec<Vec<Block>>)> = flow
        .cycles
        .order()
        .iter()
        .filter(|&&block| function.successors(block).count() == 2)
        .filter(|&&block| convergence.branch(block) < Scope::Block)
        .map(|&block| (block, paths(flow, block)))
        .collect();
    let mut banned: Vec<Option<Value>> = vec![None; function.blocks.len()];
    loop {
        let values = Values::new(flow, convergence, &banned);
        let sites = candidates(flow, &loops, convergence, &values);
        let mut weight = vec![0.0; function.blocks.len()];
        for site in &sites {
            weight[site.block.index()] += 10f64.powi(loops.depth(site.block).min(6) as i32);
        }
        let mut more = false;
        for (branch, paths) in &parting {
            if values.branch(*branch).is_err() {
                continue;
            }
            for block in lighter(paths, &weight) {
                let ban = &mut banned[block.index()];
                more |= ban.is_none();
                *ban = ban.or(function.terminator(*branch));
            }
        }
        if !more {
            return (values, fitting(&loops, sites));
        }
    }
}

/// The blocks that are not to have sites, so that one path of a branch has none: those in both paths,
/// and the rest of the path that has less. Nothing where one path has none already.
fn lighter(paths: &[Vec<Block>], weight: &[f64]) -> Vec<Block> {
    let [one, other] = paths else {
        return Vec::new();
    };
    let heavy = |block: &&Block| weight[block.index()] > 0.0;
    if !one.iter().any(|block| heavy(&block)) || !other.iter().any(|block| heavy(&block)) {
        return Vec::new();
    }
    let shared = |block: &&Block| one.contains(block) && other.contains(block);
    let (mine, others): (Vec<Block>, Vec<Block>) = (
        one.iter().filter(|block| !shared(block)).copied().collect(),
        other.iter().filter(|block| !shared(block)).copied().collect(),
    );
    let total = |path: &[Block]| path.iter().map(|block| weight[block.index()]).sum::<f64>();
    let mut banned: Vec<Block> = one.iter().filter(shared).copied().collect();
    match (total(&mine), total(&others)) {
        (left, right) if left > 0.0 && right > 0.0 => {
            banned.extend(if left >= right { others } else { mine });
        }
        _ => {}
    }
    banned.retain(|block| {
        weight[block.index()] > 0.0 || paths.iter().all(|path| path.contains(block))
    });
    banned
}

/// Everything that could be a site, in the order of execution within each block.
fn candidates(flow: &Flow, loops: &Loops, convergence: &Convergence, values: &Values) -> Vec<Site> {
    let function = flow.function;
    let ordered = ordered_loads(flow, |block, value| {
        function.kind(value).is_barrier() && is_matched(convergence, values, block)
    });
    let mut sites = Vec::new();
    for (block, at) in flow.values() {
        if values.follows(block).is_err() {
            continue;
        }
        let computed = |operand: Value| values.used(at, operand).is_ok();
        let what = match *function.kind(at) {
            Kind::Load(access, address) if access.space != Space::Constant && computed(address) => {
                let early = access.space == Space::Global && ordered[at.index()];
                let queue = if early { Queue::Data } else { Queue::Address };
                Some(What::Address(queue, access, address))
            }
            Kind::Store(access, address, _) if computed(address) => {
                Some(What::Address(Queue::Address, access, address))
            }
            Kind::Atomic(op, space, operands) if computed(operands[0]) => {
                let access = Access { space, width: atomic_width(op), ..Access::default() };
                Some(What::Address(Queue::Address, access, operands[0]))
            }
            Kind::Branch(condition, ..) if computed(condition) => Some(What::Condition(condition)),
            ref kind if kind.is_barrier() && is_matched(convergence, values, block) => {
                Some(What::Barrier)
            }
            _ => None,
        };
        sites.extend(what.map(|what| Site { at, block, what }));
    }
    keep_first_of_a_line(function, convergence, &mut sites);
    drop_cheap(flow, loops, &mut sites);
    // Barriers order early loads; without those it does not matter.
    let early = |site: &Site| matches!(site.what, What::Address(Queue::Data, ..));
    if !sites.iter().any(early) {
        sites.retain(|site| site.what != What::Barrier);
    }
    sites
}

/// Applies to loads of one basic block whose addresses differ by constants only, and in which each
/// thread may access a line of its own. The first requests the lines early, and those that follow
/// within half of a line do not.
///
/// Such a load of one warp takes as many lines as there are threads, a quarter of a small cache. A
/// warp that loads for itself takes the next word of each line before the other warps evict them.
/// The expansion unit goes from warp to warp, and would request all of these lines again for each
/// word. The word of a follower is in the line of the first at least every other time, for every
/// position of the first one in its line.
fn keep_first_of_a_line(function: &Function, convergence: &Convergence, sites: &mut [Site]) {
    let mut leaders: Vec<(Block, Value, i64)> = Vec::new();
    for site in sites {
        let What::Address(queue @ Queue::Data, _, address) = &mut site.what else {
            continue;
        };
        if !may_take_a_line_each(convergence, *address) {
            continue;
        }
        let (base, offset) = base_and_offset(function, *address);
        let is_near = |&(block, other, first): &(Block, Value, i64)| {
            (block, other) == (site.block, base) && (offset - first).unsigned_abs() <= LINE / 2
        };
        if leaders.iter().any(is_near) {
            *queue = Queue::Address;
        } else {
            leaders.push((site.block, base, offset));
        }
    }
}

/// Bytes of a line, as all machine files have it.
const LINE: u64 = 128;

/// Returns true if the addresses of neighbouring threads are at least a line apart, or at a
/// distance that is known only at run time.
fn may_take_a_line_each(convergence: &Convergence, address: Value) -> bool {
    let form = convergence.fact(address).form();
    form.filter(|form| form.scope >= Scope::Block).is_some_and(|form| match form.terms[0] {
        Coefficient::Constant(step) => step.unsigned_abs() >= LINE,
        Coefficient::Scaled(..) | Coefficient::Opaque(_) => true,
    })
}

/// The most accesses of a block whose addresses differ by constants and are supplied one by one:
/// beyond it, their common part is computed once for all.
const MOST_OF_A_BASE: usize = 2;

/// Drops addresses that cost no instruction at their access: those that are known, those that are
/// computed outside of the loop, and those that differ by a constant from addresses that others
/// need.
fn drop_cheap(flow: &Flow, loops: &Loops, sites: &mut Vec<Site>) {
    let mut shared: BTreeMap<(Block, Value), usize> = BTreeMap::new();
    let base = |site: &Site| match site.what {
        What::Address(Queue::Address, _, address) => Some(base(flow.function, address)),
        _ => None,
    };
    for site in sites.iter() {
        if let Some(base) = base(site) {
            *shared.entry((site.block, base)).or_default() += 1;
        }
    }
    sites.retain(|site| {
        base(site).is_none_or(|base| {
            let home = flow.home(base).unwrap_or_default();
            !flow.function.kind(base).is_leaf()
                && loops.depth(home) >= loops.depth(site.block)
                && shared.get(&(site.block, base)).is_none_or(|&count| count <= MOST_OF_A_BASE)
        })
    });
}

/// An address without the constants that are added to it: they are the access's offset.
fn base(function: &Function, address: Value) -> Value {
    base_and_offset(function, address).0
}

/// An address without the constants that are added to it, and their sum.
fn base_and_offset(function: &Function, address: Value) -> (Value, i64) {
    let (mut at, mut offset) = (address, 0);
    while let Kind::Compute(Op::Add, operands) = function.kind(at) {
        let Some(constant) = function.constant(operands[1]) else {
            break;
        };
        at = operands[0];
        offset += i64::from(constant as u32 as i32);
    }
    (at, offset)
}

/// Returns true if the affine warp can take part in a barrier: all threads of the block arrive at
/// it or none.
fn is_matched(convergence: &Convergence, values: &Values, block: Block) -> bool {
    values.follows(block).is_ok() && convergence.control(block) >= Scope::Block
}

/// The width of the bytes that an atomic touches.
fn atomic_width(op: Op) -> reconverge_isa::Width {
    let bytes = reconverge_isa::Instruction::new(op).access_bytes();
    if bytes == 8 { reconverge_isa::Width::B64 } else { reconverge_isa::Width::B32 }
}

/// For each load: true if nothing before it, on any path, can order it after a write of another
/// block or core. An atomic, a volatile access, a barrier with a count and one unknown to the affine warp can. Such
/// a load may be issued early: it may find the same value in a race anyway.
fn ordered_loads(flow: &Flow, matched: impl Fn(Block, Value) -> bool) -> Vec<bool> {
    let function = flow.function;
    let orders = |block: Block, value: Value| match function.kind(value).unguarded() {
        // Shared memory is the block's own, and a block is on one core.
        Kind::Atomic(_, space, _) => *space != Space::Shared,
        Kind::Load(access, _) | Kind::Store(access, ..) => access.volatile,
        kind => kind.is_counted_barrier() || kind.is_barrier() && !matched(block, value),
    };
    let mut late = vec![false; function.blocks.len()];
    let mut pending = Vec::new();
    for &block in flow.cycles.order() {
        if function.instructions(block).iter().any(|&value| orders(block, value)) {
            pending.extend(function.successors(block));
        }
    }
    while let Some(block) = pending.pop() {
        if !std::mem::replace(&mut late[block.index()], true) {
            pending.extend(function.successors(block));
        }
    }
    let mut early = vec![false; function.values.len()];
    for &block in flow.cycles.order() {
        let mut after = late[block.index()];
        for &value in function.instructions(block) {
            let kind = function.kind(value);
            early[value.index()] =
                !after && matches!(kind, Kind::Load(access, _) if !access.volatile);
            after |= orders(block, value);
        }
    }
    early
}

/// As many sites as there are numbers: branches and barriers first, then addresses, those in the
/// innermost loops before others.
fn fitting(loops: &Loops, sites: Vec<Site>) -> Vec<Site> {
    if sites.len() <= SITES {
        return sites;
    }
    let rank = |site: &Site| match site.what {
        What::Condition(_) | What::Barrier => (0, 0),
        What::Address(queue, ..) => {
            (1 + u32::from(queue != Queue::Data), u32::MAX - loops.depth(site.block))
        }
    };
    let mut order: Vec<usize> = (0..sites.len()).collect();
    order.sort_by_key(|&at| (rank(&sites[at]), at));
    let forced = sites.iter().filter(|site| rank(site).0 == 0).count();
    order.truncate(SITES.max(forced));
    order.sort_unstable();
    order.into_iter().map(|at| sites[at]).collect()
}
