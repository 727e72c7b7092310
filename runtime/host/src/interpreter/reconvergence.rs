//! The reconvergence of a warp's threads, on machines whose barriers count warps.
//!
//! On such a machine a path that waits at a barrier counts for the threads of its warp that cannot
//! continue before it does: those that wait at a reconvergence point. So threads have to wait
//! there. A point matters only if there is a barrier between the branch and the branch's immediate
//! post-dominator; in front of such a branch the code gets an [`Op::Diverge`], at the
//! post-dominator an [`Op::Reconverge`]. Several branches may reconverge at one point, like the
//! exits of a loop; between a branch and that point threads on different paths do not wait for each
//! other, so each thread records the paths that it took. A function's end is the post-dominator of
//! branches with a `return` on one path. No thread waits at a kernel's end, since a thread that has
//! ended keeps no barrier closed.

use super::bytecode::{Code, Inst, Op};
use super::collective;
use reconverge_compiler::check::builtin::TABLE;
use reconverge_compiler::check::tree::Module;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The end of a function as a reconvergence point, beside the numbers of instructions.
const END: u32 = 1 << 31;

/// A region that a thread has entered at a branch and leaves at the branch's reconvergence point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Region {
    /// The number of the thread's callers.
    depth: usize,
    /// The number of the reconvergence point.
    point: u32,
    /// A digest of the path since then: the branches that reconverge at this point, and where each led.
    path: u64,
}

impl Region {
    fn ends_with(&self, other: &Region) -> bool {
        (self.depth, self.point) == (other.depth, other.point)
    }
}

/// The regions that a thread is inside, outermost first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Regions(Vec<Region>);

impl Regions {
    /// Enters a region at a branch, with `depth` callers, unless the innermost one ends at the same point.
    pub fn enter(&mut self, depth: usize, point: u32, branch: u32) {
        if !self.end_at(depth, point) {
            self.0.push(Region { depth, point, path: 0 });
        }
        self.note(branch);
    }

    /// Returns true if the innermost one ends at a point.
    pub fn end_at(&self, depth: usize, point: u32) -> bool {
        self.0.last().is_some_and(|last| (last.depth, last.point) == (depth, point))
    }

    /// Records the outcome of a branch that reconverges at the end of the innermost region (a step
    /// of FNV-1a over a word).
    pub fn note(&mut self, what: u32) {
        if let Some(last) = self.0.last_mut() {
            last.path = (last.path ^ u64::from(what)).wrapping_mul(0x0100_0000_01B3);
        }
    }

    /// Leaves the innermost one.
    pub fn leave(&mut self) {
        self.0.pop();
    }

    /// Returns true if a thread with these regions is inside the innermost one of `other`: on any
    /// path of that one, but on the same paths of the regions around it.
    pub fn are_inside(&self, other: &Regions) -> bool {
        let Some((last, outer)) = other.0.split_last() else {
            return true;
        };
        self.0.starts_with(outer) && self.0.get(outer.len()).is_some_and(|it| it.ends_with(last))
    }

    /// Returns true if a thread with these regions is inside the innermost one of `other` and no
    /// further one.
    pub fn are_directly_inside(&self, other: &Regions) -> bool {
        self.0.len() == other.0.len() && self.are_inside(other)
    }

    /// Returns true if a thread with these regions, which is outside the innermost one of `other`,
    /// may still enter it.
    pub fn may_enter(&self, other: &Regions) -> bool {
        let mut both = self.0.iter().zip(&other.0);
        self.0.len() < other.0.len() && both.all(|(own, other)| own.ends_with(other))
    }
}

/// Instructions to add in front of others.
#[derive(Debug, Default)]
struct Marks {
    /// Branches, with the point at which they reconverge.
    diverge: BTreeMap<u32, u32>,
    /// Instructions that are reconvergence points, with the number of the point; the inner one first.
    reconverge: BTreeMap<u32, Vec<u32>>,
}

/// Makes the threads of a warp reconverge after each branch of a kernel that has a barrier on a path.
pub fn mark(code: &mut Code, module: &Module) {
    let functions: Vec<Range<u32>> = ranges(code);
    let waits = with_barriers(code, &functions);
    let mut marks = Marks::default();
    for (index, range) in functions.iter().enumerate() {
        if waits[index] {
            let is_kernel = module.functions.get(index).is_some_and(|it| it.sides.kernel);
            Graph::new(code, range.clone(), &waits).mark(code, index, is_kernel, &mut marks);
        }
    }
    insert(code, &marks);
}

/// The instructions of each function.
fn ranges(code: &Code) -> Vec<Range<u32>> {
    let entries = code.functions.iter().map(|function| function.entry);
    let ends = entries.clone().skip(1).chain([code.instructions.len() as u32]);
    entries.zip(ends).map(|(from, to)| from..to).collect()
}

/// By function: true if it contains a barrier, or calls a function that does.
fn with_barriers(code: &Code, functions: &[Range<u32>]) -> Vec<bool> {
    let mut callers = vec![Vec::new(); functions.len()];
    let mut found = vec![false; functions.len()];
    let mut new = Vec::new();
    for (index, range) in functions.iter().enumerate() {
        for inst in &code.instructions[range.start as usize..range.end as usize] {
            if inst.op == Op::Call
                && let Some(callers) = callers.get_mut(inst.x as usize)
            {
                callers.push(index);
            }
            if is_barrier(code, inst) && !found[index] {
                found[index] = true;
                new.push(index);
            }
        }
    }
    while let Some(function) = new.pop() {
        for &caller in &callers[function] {
            if !found[caller] {
                found[caller] = true;
                new.push(caller);
            }
        }
    }
    found
}

fn is_barrier(code: &Code, inst: &Inst) -> bool {
    if inst.op == Op::Assembly {
        return code.assemblies.get(inst.x as usize).is_some_and(|site| site.has_barrier);
    }
    let row = (inst.op == Op::Collective).then(|| TABLE.get(inst.y as usize)).flatten();
    row.is_some_and(|row| collective::is_barrier(row.builtin))
}

/// The basic blocks of a function.
struct Graph {
    /// First instruction of each, and the end of the function.
    starts: Vec<u32>,
    successors: Vec<Vec<u32>>,
    /// By function: true if it contains a barrier or calls a function that does.
    waits: Vec<bool>,
}

impl Graph {
    fn new(code: &Code, range: Range<u32>, waits: &[bool]) -> Graph {
        let mut starts = BTreeSet::from([range.start, range.end]);
        for pc in range.clone() {
            let inst = &code.instructions[pc as usize];
            if let Some(targets) = targets(code, inst, pc) {
                starts.extend(targets.into_iter().filter(|target| range.contains(target)));
                starts.insert(pc + 1);
            }
        }
        let starts: Vec<u32> = starts.into_iter().collect();
        let blocks = starts.windows(2);
        let successors = blocks.clone().map(|block| {
            let last = block[1] - 1;
            let targets = targets(code, &code.instructions[last as usize], last);
            let mut next: Vec<u32> = targets.unwrap_or_else(|| vec![last + 1]);
            next.retain(|target| range.contains(target));
            next.iter()
                .map(|target| starts.partition_point(|start| start < target) as u32)
                .collect()
        });
        let waits = blocks.clone().map(|block| {
            let mut instructions = code.instructions[block[0] as usize..block[1] as usize].iter();
            instructions.any(|inst| {
                let calls = inst.op == Op::Call;
                is_barrier(code, inst) || calls && waits.get(inst.x as usize).is_some_and(|&it| it)
            })
        });
        let (successors, waits) = (successors.collect(), waits.collect());
        Graph { starts, successors, waits }
    }

    /// Marks the branches with a barrier between them and where their paths reconverge, and those points.
    fn mark(&self, code: &Code, function: usize, is_kernel: bool, marks: &mut Marks) {
        let count = self.successors.len();
        let post_dominators = self.post_dominators();
        let mut points = BTreeSet::new();
        let mut ends = false;
        for (block, successors) in self.successors.iter().enumerate() {
            let Some(point) = post_dominators[block].filter(|_| successors.len() > 1) else {
                continue;
            };
            let is_end = point as usize == count;
            if !self.waits_before(successors, point) {
                continue;
            }
            let number = if is_end { END | function as u32 } else { self.starts[point as usize] };
            marks.diverge.insert(self.starts[block + 1] - 1, number);
            ends |= is_end && !is_kernel;
            points.extend((!is_end).then_some(number));
        }
        for point in points {
            marks.reconverge.entry(point).or_default().push(point);
        }
        for pc in self.starts[0]..self.starts[count] {
            let op = code.instructions[pc as usize].op;
            if ends && matches!(op, Op::Return | Op::ReturnVoid) {
                marks.reconverge.entry(pc).or_default().push(END | function as u32);
            }
        }
    }

    /// The immediate post-dominator of each block; the virtual exit, which follows every return, has the highest
    /// number. None of blocks from which no return can be reached. (Cooper, Harvey and Kennedy, "A Simple, Fast
    /// Dominance Algorithm", 2001, on the reversed graph.)
    fn post_dominators(&self) -> Vec<Option<u32>> {
        let exit = self.successors.len();
        let mut predecessors = vec![Vec::new(); exit + 1];
        for (block, successors) in self.successors.iter().enumerate() {
            let next = successors.iter().map(|&next| next as usize);
            let returns = successors.is_empty().then_some(exit);
            next.chain(returns).for_each(|next| predecessors[next].push(block));
        }
        let order = postorder(&predecessors, exit);
        let mut number = vec![None; exit + 1];
        order.iter().enumerate().for_each(|(at, &block)| number[block] = Some(at));
        // By number, the number of the immediate post-dominator; the exit has the highest and is its own.
        let last = order.len() - 1;
        let mut parent = vec![None; order.len()];
        parent[last] = Some(last);
        let mut changed = true;
        while changed {
            changed = false;
            for at in (0..last).rev() {
                let successors = &self.successors[order[at]];
                let next = successors.iter().filter_map(|&next| number[next as usize]);
                let known = next.chain(successors.is_empty().then_some(last));
                let known = known.filter(|&next| parent[next].is_some());
                let found = known.reduce(|one, other| common(&parent, one, other));
                changed |= parent[at] != found;
                parent[at] = found;
            }
        }
        let of = |block: usize| Some(order[parent[number[block]?]?] as u32);
        (0..exit).map(of).collect()
    }

    /// Returns true if there is a barrier on a path from one of these blocks to another block.
    fn waits_before(&self, from: &[u32], to: u32) -> bool {
        let mut seen = BTreeSet::from([to]);
        let mut left = from.to_vec();
        while let Some(block) = left.pop() {
            if seen.insert(block) {
                if self.waits[block as usize] {
                    return true;
                }
                left.extend(&self.successors[block as usize]);
            }
        }
        false
    }
}

/// The nodes that can be reached from `root`, each after those that are first reached through it.
fn postorder(successors: &[Vec<usize>], root: usize) -> Vec<usize> {
    let mut seen = vec![false; successors.len()];
    seen[root] = true;
    let (mut order, mut stack) = (Vec::new(), vec![(root, 0)]);
    while let Some((node, at)) = stack.last_mut() {
        match successors[*node].get(*at) {
            Some(&next) => {
                *at += 1;
                if !std::mem::replace(&mut seen[next], true) {
                    stack.push((next, 0));
                }
            }
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order
}

/// The lowest node that is above two others, or one of them, in a tree in which parents have higher numbers.
fn common(parent: &[Option<usize>], mut one: usize, mut other: usize) -> usize {
    while one != other {
        let lower = if one < other { &mut one } else { &mut other };
        match parent[*lower] {
            Some(above) => *lower = above,
            None => return one.max(other),
        }
    }
    one
}

/// The targets of control after an instruction, unless that is always the next one.
fn targets(code: &Code, inst: &Inst, pc: u32) -> Option<Vec<u32>> {
    Some(match inst.op {
        Op::Return | Op::ReturnVoid => Vec::new(),
        Op::Jump => vec![inst.x],
        Op::Switch => {
            let table = code.switches.get(inst.x as usize)?;
            let mut targets: Vec<u32> = table.cases.iter().map(|&(_, target)| target).collect();
            targets.push(table.otherwise);
            targets.sort_unstable();
            targets.dedup();
            targets
        }
        op if op.is_jump() => vec![inst.x, pc + 1],
        _ => return None,
    })
}

/// Adds the marked instructions. A jump to an instruction now leads to the one added in front of
/// it.
fn insert(code: &mut Code, marks: &Marks) {
    let old = std::mem::take(&mut code.instructions);
    let spans = std::mem::take(&mut code.spans);
    let mut moved = Vec::with_capacity(old.len());
    let added = |op, x| Inst { op, a: 0, b: 0, c: 0, x, y: 0 };
    for (pc, (inst, span)) in (0..).zip(old.into_iter().zip(spans)) {
        moved.push(code.instructions.len() as u32);
        let reconverge = marks.reconverge.get(&pc).into_iter().flatten();
        code.instructions.extend(reconverge.map(|&point| added(Op::Reconverge, point)));
        let branch = marks.diverge.get(&pc);
        let branches = branch.is_some();
        let diverge = branch.map(|&point| Inst { y: pc, ..added(Op::Diverge, point) });
        code.instructions.extend(diverge);
        let op = if branches && inst.op == Op::Switch { Op::SwitchPaths } else { inst.op };
        code.instructions.push(Inst { op, ..inst });
        // Only threads that fall through pass it: jumps to the next instruction lead past it.
        code.instructions.extend(branches.then(|| added(Op::FallThrough, 0)));
        code.spans.resize(code.instructions.len(), span);
    }
    let place = |target: &mut u32| {
        if let Some(&to) = moved.get(*target as usize) {
            *target = to;
        }
    };
    let jumps = code.instructions.iter_mut().filter(|inst| inst.op.is_jump());
    jumps.for_each(|inst| place(&mut inst.x));
    code.functions.iter_mut().for_each(|function| place(&mut function.entry));
    for table in &mut code.switches {
        table.cases.iter_mut().for_each(|(_, target)| place(target));
        place(&mut table.otherwise);
    }
}
