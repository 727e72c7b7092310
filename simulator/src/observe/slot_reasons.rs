//! Issue slots by use: issued, or lost for a reason.

use crate::observe::statistic::SLOT_REASONS;
use crate::observe::statistics::Statistics;

impl Statistics {
    /// The issue slots by use, in the order of [`SLOT_REASONS`]: (name, slots). They add up to
    /// `issue_slots`.
    pub fn slot_reasons(&self) -> [(&'static str, u64); SLOT_REASONS.len()] {
        let slots = [
            self.slots_issued,
            self.slots_register_file,
            self.slots_register_read,
            self.slots_throttled,
            self.slots_pipe_busy,
            self.slots_load_store_full,
            self.slots_arithmetic,
            self.slots_control,
            self.slots_fetch,
            self.slots_memory,
            self.slots_copies,
            self.slots_scoreboard,
            self.slots_early_load,
            self.slots_dequeue,
            self.slots_enqueue,
            self.slots_barrier,
            self.slots_inactive,
            self.slots_idle,
        ];
        std::array::from_fn(|reason| (SLOT_REASONS[reason], slots[reason]))
    }
}
