//! The constant cache of a sub-core for operands of instructions (L0 FL).
//!
//! Source: Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of
//! Modern GPU Cores", MICRO 2025, §5.1.1 and §5.4. An instruction with an operand in constant memory
//! looks it up at issue. On a miss its sub-core issues nothing until the line is there, but for four
//! cycles at most; then it turns to another warp. Ours: a line takes a fixed time, as if the next level
//! always had it, and the one that was used longest ago is replaced.

use crate::machine::Machine;

/// The cycles for which a sub-core waits for a line at most.
const PATIENCE: u64 = 4;

/// A sub-core's cache.
#[derive(Clone, Debug)]
pub(crate) struct OperandConstants {
    /// The lines with the cycles in which they arrive, the one that was used last first.
    lines: Vec<(u32, u64)>,
    capacity: usize,
    latency: u64,
}

/// A miss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ConstantMiss {
    /// The cycle in which the line is there.
    pub(crate) ready: u64,
    /// The first cycle in which the sub-core issues something else.
    pub(crate) opens: u64,
}

impl OperandConstants {
    /// The cache of each scheduler; none if there is none.
    pub(crate) fn of(machine: &Machine) -> Vec<OperandConstants> {
        let constant = &machine.constant;
        if constant.l0_size == 0 {
            return Vec::new();
        }
        let cache = OperandConstants {
            lines: Vec::new(),
            capacity: (constant.l0_size / constant.l0_line).max(1) as usize,
            latency: constant.l0_latency.into(),
        };
        vec![cache; machine.sm.schedulers as usize]
    }

    /// Looks up a line at issue.
    pub(crate) fn look_up(&mut self, line: u32, now: u64) -> Option<ConstantMiss> {
        let place = self.lines.iter().position(|(known, _)| *known == line);
        let ready = match place {
            Some(place) => self.lines.remove(place).1,
            None => now + self.latency,
        };
        self.lines.insert(0, (line, ready));
        self.lines.truncate(self.capacity);
        (ready > now).then(|| ConstantMiss { ready, opens: ready.min(now + PATIENCE) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_miss_is_waited_for_and_the_oldest_line_is_replaced() {
        let mut cache = OperandConstants { lines: Vec::new(), capacity: 2, latency: 79 };
        let miss = |ready, opens| Some(ConstantMiss { ready, opens });
        assert_eq!(cache.look_up(0, 10), miss(89, 14));
        assert_eq!(cache.look_up(0, 87), miss(89, 89));
        assert_eq!(cache.look_up(0, 89), None);
        assert_eq!(cache.look_up(1, 100), miss(179, 104));
        assert_eq!(cache.look_up(2, 200), miss(279, 204));
        assert_eq!((cache.look_up(1, 300), cache.look_up(0, 300)), (None, miss(379, 304)));
    }
}
