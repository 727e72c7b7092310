//! What runs between the branches that may part a warp and the places where their sides meet.

use super::graph::{Graph, Parting};
use reconverge_isa::Instruction;
use std::collections::BTreeMap;

/// The branches that meet in one place, and all blocks that run before they do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The block where they meet; `None` when they meet only at the end.
    pub meet: Option<usize>,
    /// The branches, in order.
    pub partings: Vec<Parting>,
    /// The blocks, in order. All paths out of them lead to where the branches meet, or end.
    pub blocks: Vec<usize>,
}

impl Region {
    /// Whether a block runs between the branches and the place where they meet.
    pub fn contains(&self, block: usize) -> bool {
        self.blocks.binary_search(&block).is_ok()
    }

    /// Whether a block is in the region or ends with one of its branches: threads that come from it
    /// have been parted, or may have been.
    pub fn leads_from(&self, block: usize) -> bool {
        let ends = |parting: &Parting| parting.block;
        self.contains(block) || self.partings.binary_search_by_key(&block, ends).is_ok()
    }
}

/// The regions of all branches that may part a warp, one for each place where some meet. Their sizes
/// add up to the size of the code times the depth to which such branches are nested.
pub fn regions(code: &[Instruction], graph: &Graph) -> Vec<Region> {
    let mut by_meet: BTreeMap<Option<usize>, Vec<Parting>> = BTreeMap::new();
    for parting in graph.partings(code) {
        by_meet.entry(parting.meet).or_default().push(parting);
    }
    // Which region has seen a block last.
    let mut seen = vec![usize::MAX; graph.len()];
    let follow = |(number, (meet, partings)): (usize, (Option<usize>, Vec<Parting>))| {
        let mut blocks = Vec::new();
        let mut pending: Vec<usize> = partings.iter().flat_map(|parting| parting.sides).collect();
        while let Some(block) = pending.pop() {
            if Some(block) != meet && std::mem::replace(&mut seen[block], number) != number {
                blocks.push(block);
                pending.extend(graph.successors(block));
            }
        }
        blocks.sort_unstable();
        Region { meet, partings, blocks }
    };
    by_meet.into_iter().enumerate().map(follow).collect()
}

/// Whether threads always stop where their branch meets: no branch inside a region has sides that
/// pass the region's end before they meet. Post-dominators are so; other code may not be.
pub fn nested(graph: &Graph, regions: &[Region]) -> bool {
    let mut region_of = vec![usize::MAX; graph.len()];
    for (number, region) in regions.iter().enumerate() {
        region.partings.iter().for_each(|parting| region_of[parting.block] = number);
    }
    regions.iter().enumerate().all(|(number, outer)| {
        let Some(meet) = outer.meet else {
            return true;
        };
        let mut inner: Vec<usize> = outer.blocks.iter().map(|&block| region_of[block]).collect();
        inner.sort_unstable();
        inner.dedup();
        inner.retain(|&inner| inner != number && inner != usize::MAX);
        inner.iter().all(|&inner| !regions[inner].contains(meet))
    })
}
