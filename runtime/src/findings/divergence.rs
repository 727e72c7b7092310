//! Branches whose sides leave lanes without work.

use super::evidence::Evidence;
use super::finding::{Cost, Found, Place, Rule};
use reconverge_isa::{BranchTaint, Effect, Kernel};
use std::collections::{BTreeMap, BTreeSet};

/// Fires at a branch whose lost lanes, in the instructions between it and its reconvergence point,
/// are [`SHARE`] of all lanes of the kernel's issue slots.
///
/// The lost lanes of an instruction are divided among the diverging branches around it: the
/// instruction lies between each of them and its reconvergence point. Each branch, from the
/// innermost on, is charged the difference from the lanes that were active at it. The exits of one
/// loop count as one, the exit that diverges most often, and its lanes are those with which the
/// loop begins. Remaining inactive lanes, such as those of a partly filled last warp or of ended
/// threads, are charged to no branch. The counters are `thread_instructions`, `lane_slots` and
/// `divergent_branches` of the instructions.
pub struct Divergence;

/// The least share of the lanes of all issue slots.
pub const SHARE: f64 = 0.05;

impl Rule for Divergence {
    fn name(&self) -> &'static str {
        "divergence"
    }

    fn cause(&self) -> Option<&'static str> {
        Some("compaction")
    }

    fn find(&self, evidence: &Evidence) -> Vec<Found> {
        let regions = regions(evidence);
        let mut lost: BTreeMap<u32, f64> = BTreeMap::new();
        for (&pc, statistics) in &evidence.instructions {
            let (Some(mut lanes), slots) = (statistics.simd_efficiency(), statistics.slots_issued)
            else {
                continue;
            };
            for region in regions.iter().filter(|region| region.contains(pc)) {
                *lost.entry(region.branch).or_default() +=
                    slots as f64 * (region.lanes - lanes).max(0.0);
                lanes = lanes.max(region.lanes);
            }
        }
        let mut statements: BTreeMap<(bool, u32, u32), Statement> = BTreeMap::new();
        // The smallest regions come first: the last of a statement has the others within.
        for region in &regions {
            let Some(lost) = lost.get(&region.branch) else { continue };
            let at = evidence
                .location(region.branch)
                .map_or((0, region.branch), |at| (at.file, at.line));
            // Loops of one line are several statements.
            let key = match region.is_loop {
                true => (true, at.0, region.branch),
                false => (false, at.0, at.1),
            };
            let new = || Statement { region, branches: BTreeSet::new(), lost: 0.0 };
            let statement = statements.entry(key).or_insert_with(new);
            (statement.region, statement.lost) = (region, statement.lost + lost);
            statement.branches.insert(region.branch);
        }
        let found = statements.into_values().filter_map(|statement| {
            let lost = Cost::slots(statement.lost, evidence);
            let cost = Cost { of: "the lanes of the issue slots", ..lost };
            (cost.share >= SHARE).then(|| statement.found(evidence, cost)).flatten()
        });
        found.collect()
    }
}

/// The branches of a source line that diverge: one, or those of a `switch` or of an `if` with `else if`.
struct Statement<'r> {
    /// The first branch's region.
    region: &'r Region,
    branches: BTreeSet<u32>,
    /// Lost lanes, in issue slots.
    lost: f64,
}

impl Statement<'_> {
    fn found(&self, evidence: &Evidence, cost: Cost) -> Option<Found> {
        let found = self.region.found(evidence, cost)?;
        let arms = self.arms(evidence);
        if arms.len() < 3 {
            return Some(found);
        }
        let all = arms.iter().map(|arm| arm.threads).sum::<u64>().max(1) as f64;
        let share = |arm: &Arm| format!("{:.0}", 100.0 * arm.threads as f64 / all);
        let shares: Vec<String> = arms.iter().take(MOST_ARMS).map(share).collect();
        let more = if arms.len() > MOST_ARMS { "/…" } else { "" };
        let mut message = format!(
            "{}; {} ways, with {}{more} % of the threads",
            found.message,
            arms.len(),
            shares.join("/")
        );
        let slots = arms.iter().map(|arm| arm.slots).sum::<u64>().max(1) as f64;
        if let Some(hot) = arms.iter().rev().max_by_key(|arm| arm.slots)
            && let Some(at) = evidence.location(hot.start)
        {
            message += &format!(
                "; the one at line {} has {:.0} % of their slots",
                at.line,
                100.0 * hot.slots as f64 / slots
            );
        }
        let advice =
            "group or sort the data by it, so that the threads of a warp go one way".to_owned();
        Some(Found { message, advice, ..found })
    }

    /// The ways that threads go, in the order of the code.
    fn arms(&self, evidence: &Evidence) -> Vec<Arm> {
        let kernel = evidence.kernel;
        let starts: BTreeSet<u32> = self
            .branches
            .iter()
            .flat_map(|&branch| successors(kernel, branch))
            .filter(|&start| !leads_to(kernel, start, &self.branches))
            .filter(|start| self.region.contains(*start))
            .collect();
        let meet = reconvergence(kernel, self.region.branch);
        let reached = |start: u32| (start, reachable(kernel, vec![start], meet));
        let all: Vec<(u32, BTreeSet<u32>)> = starts.into_iter().map(reached).collect();
        let own = |&(start, ref reached): &(u32, BTreeSet<u32>)| {
            let is_own =
                |pc: &&u32| all.iter().all(|(other, it)| *other == start || !it.contains(pc));
            let own: Vec<u32> = reached.iter().filter(is_own).copied().collect();
            let threads = evidence.sum(&[start], |s| s.thread_instructions);
            Arm { start, threads, slots: evidence.sum(&own, |s| s.issue_slots) }
        };
        all.iter().map(own).collect()
    }
}

/// The ways whose shares of threads are named.
const MOST_ARMS: usize = 8;

/// A way that threads go at a statement.
struct Arm {
    /// Its first instruction.
    start: u32,
    threads: u64,
    /// The issue slots of instructions that no other way has.
    slots: u64,
}

/// Returns true if one of some branches follows an instruction, with nothing but computation in between.
fn leads_to(kernel: &Kernel, start: u32, branches: &BTreeSet<u32>) -> bool {
    let rest = kernel.code.iter().zip(0..).skip(start as usize);
    let mut rest =
        rest.skip_while(|(it, pc)| !branches.contains(pc) && it.op.row().effect == Effect::Compute);
    rest.next().is_some_and(|(_, pc)| branches.contains(&pc))
}

/// The instructions from a branch until its paths meet.
struct Region {
    branch: u32,
    instructions: BTreeSet<u32>,
    /// True if the branch is one of them.
    is_loop: bool,
    /// The share of the lanes that were active where it begins.
    lanes: f64,
}

impl Region {
    fn contains(&self, pc: u32) -> bool {
        self.instructions.contains(&pc)
    }

    fn found(&self, evidence: &Evidence, cost: Cost) -> Option<Found> {
        let statistics = evidence.instructions.get(&self.branch)?;
        let inside: Vec<u32> = self.instructions.iter().copied().collect();
        let active = evidence.sum(&inside, |s| s.thread_instructions);
        let all = evidence.sum(&inside, |s| s.lane_slots).max(1);
        let depends = match evidence.instruction(self.branch)?.annotations.taint {
            BranchTaint::Unknown => "",
            BranchTaint::Programmatic => ", which depends on indices and parameters only,",
            BranchTaint::Data => ", which depends on loaded data,",
        };
        let (what, until) = match self.is_loop {
            true => ("loop exit", "in the loop"),
            false => ("branch", "until the paths meet"),
        };
        let message = format!(
            "divergence: this {what}{depends} splits warps {:.1} % of the time; {until} {:.1} % of the lanes are active",
            100.0 * statistics.branch_divergence()?,
            100.0 * active as f64 / all as f64
        );
        let advice = match (self.is_loop, evidence.instruction(self.branch)?.annotations.taint) {
            (true, _) => {
                "give the threads of a warp loops of one length: sort or group the work by its length, or let a warp \
                 share one thread's loop"
            }
            (false, BranchTaint::Programmatic) => {
                "let whole warps go one way: base the condition on `threadIdx.x / 32`, or renumber the threads"
            }
            (false, _) => {
                "group the data so that the threads of a warp agree, or compute both sides and choose the result"
            }
        };
        Some(Found {
            place: Place::Instruction(self.branch),
            message,
            cost,
            advice: advice.to_owned(),
        })
    }
}

/// The regions of the branches that diverged, the smallest first; the exits of a loop have one.
fn regions(evidence: &Evidence) -> Vec<Region> {
    let kernel = evidence.kernel;
    let diverged = evidence.instructions.iter().filter(|(_, s)| s.divergent_branches != 0);
    let mut found: Vec<(u32, BTreeSet<u32>)> =
        diverged.map(|(&branch, _)| (branch, between(kernel, branch))).collect();
    // The first of equal ones.
    found.sort_by_key(|(branch, _)| {
        std::cmp::Reverse(evidence.sum(&[*branch], |s| s.divergent_branches))
    });
    let mut regions: Vec<Region> = Vec::new();
    for (branch, instructions) in found {
        let is_loop = instructions.contains(&branch);
        let of_same_loop = |other: &&mut Region| {
            is_loop
                && other.is_loop
                && other.contains(branch)
                && instructions.contains(&other.branch)
        };
        match regions.iter_mut().find(of_same_loop) {
            Some(other) => other.instructions.extend(instructions),
            None => regions.push(Region { branch, instructions, is_loop, lanes: 1.0 }),
        }
    }
    let lanes = |pc: &u32| evidence.instructions.get(pc).and_then(|s| s.simd_efficiency());
    for region in &mut regions {
        let before = match region.is_loop {
            true => instructions_before(kernel, &region.instructions),
            false => vec![region.branch],
        };
        region.lanes = before.iter().filter_map(lanes).reduce(f64::max).unwrap_or(1.0);
    }
    regions.sort_by_key(|region| (region.instructions.len(), region.branch));
    regions
}

/// The instructions that may be executed after a branch before its paths reconverge.
fn between(kernel: &Kernel, branch: u32) -> BTreeSet<u32> {
    reachable(kernel, successors(kernel, branch), reconvergence(kernel, branch))
}

/// The instruction at which the paths of a branch meet, if there is one.
fn reconvergence(kernel: &Kernel, branch: u32) -> Option<u32> {
    kernel.code.get(branch as usize)?.annotations.reconverge
}

/// Some instructions, and those that may be executed after them before paths meet.
fn reachable(kernel: &Kernel, mut open: Vec<u32>, meet: Option<u32>) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    while let Some(pc) = open.pop() {
        if Some(pc) != meet && found.insert(pc) {
            open.extend(successors(kernel, pc));
        }
    }
    found
}

/// The instructions outside of a region after which one inside may be executed.
fn instructions_before(kernel: &Kernel, region: &BTreeSet<u32>) -> Vec<u32> {
    let all = 0..kernel.code.len() as u32;
    all.filter(|pc| !region.contains(pc))
        .filter(|&pc| successors(kernel, pc).iter().any(|next| region.contains(next)))
        .collect()
}

/// The instructions that may be executed after one.
fn successors(kernel: &Kernel, pc: u32) -> Vec<u32> {
    let Some(code) = kernel.code.get(pc as usize) else {
        return Vec::new();
    };
    let (effect, may_go_on) = (code.op.row().effect, code.is_conditional());
    let next =
        Some(pc + 1).filter(|_| may_go_on || !matches!(effect, Effect::Branch | Effect::Exit));
    let target = Some(code.target).filter(|_| effect == Effect::Branch);
    let known = |pc: &u32| (*pc as usize) < kernel.code.len();
    next.into_iter().chain(target).filter(known).collect()
}
