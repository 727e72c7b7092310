//! Counters of a block-wide stack: how well compaction and its prediction do.

use reconverge_isa::{Annotations, BranchTaint};

use crate::observe::statistics::Statistics;

/// Fractions of a block's active threads are distinguished by quarters.
const QUARTERS: usize = 4;

/// The warps of a path of a branch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SideCount {
    /// Warps of the launch that have a thread on it.
    pub(super) before: u32,
    /// Warps that compaction makes of them.
    pub(super) after: u32,
    /// Warps that they fit into in any lanes (equation 4.1).
    pub(super) ideal: u32,
    pub(super) threads: u32,
    /// The path is the reconvergence point itself: there is nothing to execute on it.
    pub(super) is_empty: bool,
}

/// A branch at which all warps of its entry have arrived where they wait.
pub(super) struct Closed {
    pub(super) pc: u32,
    pub(super) conditional: bool,
    pub(super) annotations: Annotations,
    /// True if a warp diverged.
    pub(super) diverged: bool,
    /// True if compaction makes fewer warps for either side than arrived with threads of it.
    pub(super) adequate: bool,
    /// The threads that go to the target, and the others.
    pub(super) sides: [SideCount; 2],
    /// Warps that waited, and that did not.
    pub(super) stalled: u32,
    pub(super) bypassed: u32,
    /// Threads of the block that have not ended.
    pub(super) live: u32,
}

/// The paths of branches of one class at which a warp diverged (Rhu's dissertation, §4.3.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathCounts {
    /// All of them.
    pub paths: u64,
    /// Paths that would fit into fewer warps, if lanes did not matter; by quarters of the block's
    /// threads.
    pub compactable: [u64; QUARTERS],
    /// Paths for which compaction makes fewer warps.
    pub compacted: [u64; QUARTERS],
}

/// The numbers of a scheme that forms warps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompactionCounts {
    /// For programmatic branches, and for others.
    pub classes: [PathCounts; 2],
    /// Warps of all paths of divergent branches: without compaction, with it, and at least.
    pub warps: [u64; 3],
    /// Warps that waited at a branch, and that went on.
    pub stalled: u64,
    /// Warps that went on at a branch.
    pub bypassed: u64,
    /// At conditional branches: warps that waited where compaction pays, and where it does not; that
    /// went on where it pays, and where it does not.
    pub decisions: [u64; 4],
}

impl CompactionCounts {
    /// A warp went on at a branch that needs no decision.
    pub(super) fn ignored(&mut self, conditional: bool) {
        self.decisions[3] += u64::from(conditional);
    }

    /// All warps of an entry have arrived at a branch.
    pub(super) fn closed(&mut self, branch: &Closed) {
        let (stalled, bypassed) = (u64::from(branch.stalled), u64::from(branch.bypassed));
        self.stalled += stalled;
        self.bypassed += bypassed;
        if branch.conditional {
            let pays = usize::from(!branch.adequate);
            self.decisions[pays] += stalled;
            self.decisions[2 + pays] += bypassed;
        }
        if !branch.diverged {
            return;
        }
        let is_data = branch.annotations.taint != BranchTaint::Programmatic;
        let class = &mut self.classes[usize::from(is_data)];
        for side in branch.sides.iter().filter(|side| !side.is_empty) {
            class.paths += 1;
            // Up to a quarter is in the first one, and so on.
            let quarter = (side.threads * QUARTERS as u32).div_ceil(branch.live.max(1)).max(1);
            let quarter = (quarter as usize - 1).min(QUARTERS - 1);
            class.compactable[quarter] += u64::from(side.ideal < side.before);
            class.compacted[quarter] += u64::from(side.after < side.before);
            for (sum, warps) in self.warps.iter_mut().zip([side.before, side.after, side.ideal]) {
                *sum += u64::from(warps);
            }
        }
    }

    /// Adds those of other warps.
    pub(crate) fn add(&mut self, other: &CompactionCounts) {
        let add = |sums: &mut [u64], more: &[u64]| {
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        };
        for (class, more) in self.classes.iter_mut().zip(&other.classes) {
            class.paths += more.paths;
            add(&mut class.compactable, &more.compactable);
            add(&mut class.compacted, &more.compacted);
        }
        add(&mut self.warps, &other.warps);
        add(&mut self.decisions, &other.decisions);
        self.stalled += other.stalled;
        self.bypassed += other.bypassed;
    }

    /// Adds them to the statistics.
    pub(crate) fn add_to(&self, statistics: &mut Statistics) {
        let s = statistics;
        let [programmatic, data] = &self.classes;
        s.programmatic_paths += programmatic.paths;
        s.data_paths += data.paths;
        let quarters = [
            (&mut s.programmatic_compactable_quarter, &mut s.programmatic_compacted_quarter),
            (&mut s.programmatic_compactable_half, &mut s.programmatic_compacted_half),
            (
                &mut s.programmatic_compactable_three_quarters,
                &mut s.programmatic_compacted_three_quarters,
            ),
            (&mut s.programmatic_compactable_all, &mut s.programmatic_compacted_all),
        ];
        for (quarter, (compactable, compacted)) in quarters.into_iter().enumerate() {
            *compactable += programmatic.compactable[quarter];
            *compacted += programmatic.compacted[quarter];
        }
        let quarters = [
            (&mut s.data_compactable_quarter, &mut s.data_compacted_quarter),
            (&mut s.data_compactable_half, &mut s.data_compacted_half),
            (&mut s.data_compactable_three_quarters, &mut s.data_compacted_three_quarters),
            (&mut s.data_compactable_all, &mut s.data_compacted_all),
        ];
        for (quarter, (compactable, compacted)) in quarters.into_iter().enumerate() {
            *compactable += data.compactable[quarter];
            *compacted += data.compacted[quarter];
        }
        s.warps_before_compaction += self.warps[0];
        s.warps_after_compaction += self.warps[1];
        s.warps_ideal += self.warps[2];
        s.stalled_warps += self.stalled;
        s.bypassed_warps += self.bypassed;
        s.stall_stall_warps += self.decisions[0];
        s.stall_bypass_warps += self.decisions[1];
        s.bypass_stall_warps += self.decisions[2];
        s.bypass_bypass_warps += self.decisions[3];
    }
}
