//! A block-wide stack in a line, as the dissertation draws it in Figures 4.2 and 4.8.

use super::entry::EntryId;
use super::{BlockStack, Threads};
use crate::block::path::{Lanes, Paths, SlotId, SlotState};

impl BlockStack {
    /// `[RPC MASK PC WCNT*]` from the bottom to the top of the stack, `*` if warps are in flight;
    /// an entry that has forked is in front of those it has pushed. Then UMask, if a warp has
    /// bypassed; the state of the scheme; and the warps in slots. Threads are numbered with one
    /// digit or letter each.
    pub(super) fn draw(&self, paths: &Paths, place: &dyn Fn(u32) -> String) -> String {
        let mut lines: Vec<(EntryId, String)> = Vec::new();
        for &id in &self.order {
            let entry = self.entries.get(id);
            let text = format!(
                "[{} {} {} {}{}]",
                place(entry.reconvergence_pc),
                self.masks(&entry.members),
                place(entry.pc),
                entry.warps,
                if entry.active { "*" } else { "" },
            );
            let joins: Vec<EntryId> = entry
                .forks
                .iter()
                .filter(|fork| fork.owns_join)
                .filter_map(|fork| fork.join)
                .collect();
            let sides = entry.forks.iter().flat_map(|fork| &fork.sides);
            let sides: Vec<EntryId> = sides.filter_map(|side| side.entry).collect();
            let pushed = |id: &EntryId| joins.contains(id) || sides.contains(id);
            let at = lines.iter().position(|(id, _)| pushed(id)).unwrap_or(lines.len());
            lines.insert(at, (id, text));
            // The entry that continues it is not yet known.
            lines.retain(|(id, _)| !joins.contains(id));
        }
        let mut text: String = lines.into_iter().map(|(_, text)| text).collect();
        let mask: String =
            (0..self.warps).map(|warp| if self.bypassed(warp) { '0' } else { '1' }).collect();
        if mask.contains('0') {
            text += &format!(" UMask {mask}");
        }
        text += &self.policy.describe(place);
        text + &draw_slots(self.path_slots.slots(), paths, self.width, place)
    }

    /// Returns true if a warp has bypassed compaction at a branch where others have not arrived
    /// yet.
    fn bypassed(&self, warp: usize) -> bool {
        let mut forks = self.order.iter().flat_map(|&id| &self.entries.get(id).forks);
        forks.any(|fork| fork.ahead.of(warp) != 0)
    }

    fn masks(&self, threads: &Threads) -> String {
        let warps = (0u16..).zip(threads.masks());
        let warps = warps.map(|(warp, &mask)| digits(&Lanes::Warp { warp, mask }, self.width));
        warps.collect::<Vec<_>>().join(" ")
    }
}

/// Lanes of the widest warp whose threads are numbered; blocks of wider ones have more threads than there are digits and letters.
const NUMBERED: usize = 8;

/// The threads of a warp's lanes, each with one digit or letter: its number, or that of the warp it belongs to where warps are wide.
pub(in crate::mechanisms::divergence) fn digits(lanes: &Lanes, width: usize) -> String {
    let digit = |lane| {
        let thread = u32::from(lanes.thread(lane, width)?.0);
        let number = if width > NUMBERED { thread / width as u32 } else { thread };
        Some(char::from_digit(number, 36).map_or('+', |digit| digit.to_ascii_uppercase()))
    };
    (0..width).map(|lane| digit(lane).unwrap_or('-')).collect()
}

/// The warps that are in slots, each after its place.
pub(in crate::mechanisms::divergence) fn draw_slots(
    slots: impl Iterator<Item = SlotId>,
    paths: &Paths,
    width: usize,
    place: &dyn Fn(u32) -> String,
) -> String {
    let slots = slots.filter(|&slot| paths.state(slot) != SlotState::Empty);
    let paths = slots.map(|slot| paths.path(slot));
    paths.map(|path| format!(" {}:{}", place(path.pc), digits(&path.lanes, width))).collect()
}
