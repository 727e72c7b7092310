//! Slot `cycle-compression`: which lanes of a warp a pipe executes in which pass.
//!
//! Source: Vaidya, Shayesteh, Woo, Saharoy, Azimi, "SIMD divergence optimization through intra-warp
//! compaction", ISCA 2013. A pipe with fewer lanes than a warp executes an instruction in several
//! passes. Each pass executes a *group* of as many neighbouring lanes as the pipe has (the paper's
//! quads); passes without an enabled lane can be skipped. A scheme is a function of the execution
//! mask and of two widths: 16 and 4 in the paper, any values here. The SM turns passes into time.

use crate::mechanisms::setup::Setup;

/// Constructs a scheme from its options.
pub type Build = &'static (dyn Fn(&Setup) -> Result<Box<dyn CycleCompression>, String> + Sync);

/// A warp in front of a pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Widths {
    /// Lanes of the warp, 1 to 64.
    pub warp: u32,
    /// Lanes that the pipe executes in a pass, 1 to 64.
    pub pipe: u32,
}

impl Widths {
    /// Passes of all lanes.
    pub fn groups(self) -> u32 {
        self.warp.div_ceil(self.pipe)
    }

    /// The lanes of a group.
    fn group(self, group: u32) -> u64 {
        low(((group + 1) * self.pipe).min(self.warp)) & !low(group * self.pipe)
    }

    /// The groups that have a lane of `mask`.
    pub(super) fn groups_of(self, mask: u64) -> impl Iterator<Item = u32> {
        (0..self.groups()).filter(move |&group| mask & self.group(group) != 0)
    }

    /// The groups that have a lane of the lower or upper half, if the other one is idle, else all.
    pub(super) fn groups_of_half(self, mask: u64) -> impl Iterator<Item = u32> {
        let lower = low(self.warp.div_ceil(2));
        let upper = low(self.warp) & !lower;
        let executed = match (mask & lower != 0, mask & upper != 0) {
            (true, false) => lower,
            (false, true) => upper,
            _ => lower | upper,
        };
        self.groups_of(executed)
    }
}

/// The lowest `count` lanes.
pub(super) fn low(count: u32) -> u64 {
    if count >= 64 { !0 } else { (1 << count) - 1 }
}

/// One pass through a pipe: for each of the pipe's lanes, the warp's lane that it executes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MicroOperation(pub Vec<Option<u32>>);

impl MicroOperation {
    /// The lanes of `mask` in a group, each in its place.
    pub(super) fn of_group(mask: u64, group: u32, widths: Widths) -> MicroOperation {
        let lanes = (0..widths.pipe).map(|n| group * widths.pipe + n);
        MicroOperation(
            lanes
                .map(|lane| (lane < widths.warp && mask >> lane & 1 != 0).then_some(lane))
                .collect(),
        )
    }

    /// The source groups of its lanes, in order: those whose operands are needed.
    pub fn groups(&self) -> Vec<u32> {
        let pipe = self.0.len() as u32;
        let mut groups: Vec<u32> = self.0.iter().flatten().map(|lane| lane / pipe).collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// The lanes that are executed in another place than their own: (place in the pipe, group, own
    /// place), the paper's `Qy.swizzle(m, n)`.
    pub fn swizzles(&self) -> Vec<(u32, u32, u32)> {
        let pipe = self.0.len() as u32;
        (0..)
            .zip(&self.0)
            .filter_map(|(n, lane)| lane.map(|lane| (n, lane / pipe, lane % pipe)))
            .filter(|(n, _, m)| n != m)
            .collect()
    }
}

/// Skipped passes, by the scheme needed to skip them. The three add up, as the columns of the
/// paper's Table 2 do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Saved {
    /// Passes of an idle half.
    pub half: u32,
    /// Beyond that, those of idle groups.
    pub groups: u32,
    /// Beyond that, those that become idle when lanes are moved together.
    pub swizzle: u32,
}

impl Saved {
    /// All.
    pub fn passes(self) -> u32 {
        self.half + self.groups + self.swizzle
    }
}

/// Decides the passes of an instruction.
pub trait CycleCompression: Send {
    /// Returns true if it ever leaves out a pass.
    fn compresses(&self) -> bool {
        true
    }

    /// The passes that are left out for an execution mask of at least one lane.
    fn saved(&self, mask: u64, widths: Widths) -> Saved;

    /// The passes that are not, in order.
    fn micro_operations(&self, mask: u64, widths: Widths) -> Vec<MicroOperation>;
}

/// The passes saved by skipping an idle half.
pub(super) fn saved_by_half(mask: u64, widths: Widths) -> Saved {
    let half = widths.groups() - widths.groups_of_half(mask).count() as u32;
    Saved { half, ..Saved::default() }
}

/// The passes saved by skipping idle groups, those of an idle half included.
pub(super) fn saved_by_groups(mask: u64, widths: Widths) -> Saved {
    let half = saved_by_half(mask, widths);
    let groups = widths.groups() - half.half - widths.groups_of(mask).count() as u32;
    Saved { groups, ..half }
}
