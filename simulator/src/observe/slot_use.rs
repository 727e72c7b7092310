//! Uses of issue slots.

use crate::observe::statistics::{SLOT_REASONS, Statistics};

/// Why a scheduler did not issue in a cycle; or that it did. In the order of [`SLOT_REASONS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotUse {
    Issued,
    /// The register file took the slot ([`RegisterLimits::takes_slot`](crate::mechanisms::register_file::RegisterLimits)).
    RegisterFile,
    RegisterRead,
    Throttled,
    PipeBusy,
    LoadStoreFull,
    Arithmetic,
    Control,
    Fetch,
    Memory,
    Copies,
    Scoreboard,
    EarlyLoad,
    Dequeue,
    Enqueue,
    Barrier,
    Inactive,
    Idle,
}

/// Adds issue slots to a reason's counter, of the machine or of an instruction.
macro_rules! count_slots {
    ($reason:expr, $counters:expr, $slots:expr) => {{
        $counters.issue_slots += $slots;
        let counter = match $reason {
            SlotUse::Issued => &mut $counters.slots_issued,
            SlotUse::RegisterFile => &mut $counters.slots_register_file,
            SlotUse::RegisterRead => &mut $counters.slots_register_read,
            SlotUse::Throttled => &mut $counters.slots_throttled,
            SlotUse::PipeBusy => &mut $counters.slots_pipe_busy,
            SlotUse::LoadStoreFull => &mut $counters.slots_load_store_full,
            SlotUse::Arithmetic => &mut $counters.slots_arithmetic,
            SlotUse::Control => &mut $counters.slots_control,
            SlotUse::Fetch => &mut $counters.slots_fetch,
            SlotUse::Memory => &mut $counters.slots_memory,
            SlotUse::Copies => &mut $counters.slots_copies,
            SlotUse::Scoreboard => &mut $counters.slots_scoreboard,
            SlotUse::EarlyLoad => &mut $counters.slots_early_load,
            SlotUse::Dequeue => &mut $counters.slots_dequeue,
            SlotUse::Enqueue => &mut $counters.slots_enqueue,
            SlotUse::Barrier => &mut $counters.slots_barrier,
            SlotUse::Inactive => &mut $counters.slots_inactive,
            SlotUse::Idle => &mut $counters.slots_idle,
        };
        *counter += $slots;
    }};
}

pub(crate) use count_slots;

impl SlotUse {
    /// Its name for people.
    pub(crate) fn name(self) -> &'static str {
        SLOT_REASONS[self as usize]
    }

    /// Adds issue slots to the reason's counter.
    pub(crate) fn count(self, statistics: &mut Statistics, slots: u64) {
        count_slots!(self, statistics, slots);
    }
}
