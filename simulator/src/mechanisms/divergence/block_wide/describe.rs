//! The state of a block-wide stack, as the dissertation has it in Figures 4.2 and 4.8.

use super::BlockStack;
use super::entry::EntryId;
use crate::block::path::{Lanes, Paths, SlotId, SlotState};
use crate::observe::scheme_state::{LaneSet, SchemeEntry, SchemePath, SchemeState, known};

impl BlockStack {
    /// The entries from the bottom to the top of the stack; an entry that has forked is in front of those it has pushed.
    /// Then the warps that have bypassed, the rows of the predictor, and the warps in slots.
    pub(super) fn state(&self, paths: &Paths) -> SchemeState {
        let mut entries: Vec<(EntryId, SchemeEntry)> = Vec::new();
        for &id in &self.order {
            let entry = self.entries.get(id);
            let warps = (0u16..).zip(entry.members.masks());
            let members =
                warps.map(|(warp, &mask)| threads(&Lanes::Warp { warp, mask }, self.width));
            let state = SchemeEntry::BlockWide {
                reconvergence: known(entry.reconvergence_pc),
                members: members.collect(),
                pc: entry.pc,
                warps: entry.warps,
                is_active: entry.active,
            };
            let joins: Vec<EntryId> = entry
                .forks
                .iter()
                .filter(|fork| fork.owns_join)
                .filter_map(|fork| fork.join)
                .collect();
            let sides = entry.forks.iter().flat_map(|fork| &fork.sides);
            let sides: Vec<EntryId> = sides.filter_map(|side| side.entry).collect();
            let pushed = |id: &EntryId| joins.contains(id) || sides.contains(id);
            let at = entries.iter().position(|(id, _)| pushed(id)).unwrap_or(entries.len());
            entries.insert(at, (id, state));
            // The entry that continues it is not yet known.
            entries.retain(|(id, _)| !joins.contains(id));
        }
        let mut bypassed: Vec<bool> = (0..self.warps).map(|warp| self.bypassed(warp)).collect();
        if !bypassed.contains(&true) {
            bypassed.clear();
        }
        SchemeState {
            entries: entries.into_iter().map(|(_, state)| state).collect(),
            paths: paths_in_slots(self.path_slots.slots(), paths, self.width),
            bypassed,
            predictions: self.policy.predictions(),
        }
    }

    /// Returns true if a warp has bypassed compaction at a branch where others have not arrived
    /// yet.
    fn bypassed(&self, warp: usize) -> bool {
        let mut forks = self.order.iter().flat_map(|&id| &self.entries.get(id).forks);
        forks.any(|fork| fork.ahead.of(warp) != 0)
    }
}

/// Lanes with their threads.
fn threads(lanes: &Lanes, width: usize) -> LaneSet {
    let thread = |lane| lanes.thread(lane, width).map(|thread| thread.0);
    LaneSet::Threads((0..width).map(thread).collect())
}

/// The warps that are in slots.
pub(in crate::mechanisms::divergence) fn paths_in_slots(
    slots: impl Iterator<Item = SlotId>,
    paths: &Paths,
    width: usize,
) -> Vec<SchemePath> {
    let slots = slots.filter(|&slot| paths.state(slot) != SlotState::Empty);
    let path = |slot| {
        let path = paths.path(slot);
        let is_running = paths.state(slot) == SlotState::Runnable;
        SchemePath::new(path.pc, threads(&path.lanes, width), is_running)
    };
    slots.map(path).collect()
}
