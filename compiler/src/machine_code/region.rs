//! The code between divergent branches and their reconvergence points.

use super::graph::{DivergentBranch, Graph};
use reconverge_isa::Instruction;
use std::collections::BTreeMap;

/// The branches that reconverge at one block, and all blocks that run before they do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The block at which they reconverge; `None` when they do so only at exit.
    pub reconvergence: Option<usize>,
    /// The branches, in order.
    pub branches: Vec<DivergentBranch>,
    /// The blocks, in order. All paths out of them lead to the reconvergence point, or end.
    pub blocks: Vec<usize>,
}

impl Region {
    /// Returns true if a block is between the branches and their reconvergence point.
    pub fn contains(&self, block: usize) -> bool {
        self.blocks.binary_search(&block).is_ok()
    }

    /// Returns true if a block is in the region or ends with one of its branches: threads that
    /// leave it have diverged, or may have.
    pub fn leads_from(&self, block: usize) -> bool {
        let ends = |branch: &DivergentBranch| branch.block;
        self.contains(block) || self.branches.binary_search_by_key(&block, ends).is_ok()
    }
}

/// The regions of all branches that may diverge, one for each reconvergence point. Their sizes
/// add up to the size of the code times the depth to which such branches are nested.
pub fn regions(code: &[Instruction], graph: &Graph) -> Vec<Region> {
    let mut by_reconvergence: BTreeMap<Option<usize>, Vec<DivergentBranch>> = BTreeMap::new();
    for branch in graph.branches(code) {
        by_reconvergence.entry(branch.reconvergence).or_default().push(branch);
    }
    // The last region that has seen a block.
    let mut seen = vec![usize::MAX; graph.len()];
    let follow =
        |(number, (reconvergence, branches)): (usize, (Option<usize>, Vec<DivergentBranch>))| {
            let mut blocks = Vec::new();
            let mut pending: Vec<usize> = branches.iter().flat_map(|branch| branch.paths).collect();
            while let Some(block) = pending.pop() {
                if Some(block) != reconvergence
                    && std::mem::replace(&mut seen[block], number) != number
                {
                    blocks.push(block);
                    pending.extend(graph.successors(block));
                }
            }
            blocks.sort_unstable();
            Region { reconvergence, branches, blocks }
        };
    by_reconvergence.into_iter().enumerate().map(follow).collect()
}

/// Returns true if threads always stop at the reconvergence point of their branch: no branch inside
/// a region has paths that pass the region's end before they reconverge. Post-dominators always
/// have this property; other points may not.
pub fn nested(graph: &Graph, regions: &[Region]) -> bool {
    let mut region_of = vec![usize::MAX; graph.len()];
    for (number, region) in regions.iter().enumerate() {
        region.branches.iter().for_each(|branch| region_of[branch.block] = number);
    }
    regions.iter().enumerate().all(|(number, outer)| {
        let Some(reconvergence) = outer.reconvergence else {
            return true;
        };
        let mut inner: Vec<usize> = outer.blocks.iter().map(|&block| region_of[block]).collect();
        inner.sort_unstable();
        inner.dedup();
        inner.retain(|&inner| inner != number && inner != usize::MAX);
        inner.iter().all(|&inner| !regions[inner].contains(reconvergence))
    })
}
