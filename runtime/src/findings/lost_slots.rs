//! Issue slots that are lost to a reason of the SM itself: fetch, scoreboard, arithmetic, control, barriers and queues; and,
//! if no rule fires, to whatever takes the most.

use super::evidence::Evidence;
use super::finding::{Cost, Found, Place, Rule};
use super::reasons::word;
use super::tree::{ADVICE, levels};
use reconverge_simulator::Statistics;

/// Fires if a kernel loses [`SHARE`] of its issue slots to a reason, at the line that most of them belong to.
pub struct LostSlots {
    name: &'static str,
    slots: fn(&Statistics) -> u64,
    cause: Option<&'static str>,
    message: &'static str,
    advice: &'static str,
}

/// The least share of the issue slots.
pub const SHARE: f64 = 0.1;

/// `slots_fetch`.
pub const FETCH: LostSlots = LostSlots {
    name: "fetch",
    slots: |s| s.slots_fetch,
    cause: Some("instruction-cache"),
    message: "fetch: no path has its next instruction in its buffer",
    advice: "let the hot code fit the instruction cache: unroll less, and leave rare cases out of loops",
};

/// `slots_scoreboard`.
pub const SCOREBOARD: LostSlots = LostSlots {
    name: "scoreboard",
    slots: |s| s.slots_scoreboard,
    cause: Some("scoreboard"),
    message: "scoreboard: it has no free entry for the next result of any path",
    advice: "let fewer results be outstanding per warp, and more warps be resident",
};

/// `slots_arithmetic`.
pub const ARITHMETIC: LostSlots = LostSlots {
    name: "arithmetic-latency",
    slots: |s| s.slots_arithmetic,
    cause: None,
    message: "arithmetic latency: every path waits for a result of a pipe, this line's first",
    advice: "give a thread independent work, such as several sums or several elements, or let more warps be resident",
};

/// `slots_control`.
pub const CONTROL: LostSlots = LostSlots {
    name: "control",
    slots: |s| s.slots_control,
    cause: None,
    message: "control: every path waits until a branch is decided or its next instruction may issue",
    advice: "execute fewer branches: unroll short loops, or let more warps be resident",
};

/// `slots_barrier`.
pub const BARRIER: LostSlots = LostSlots {
    name: "barrier",
    slots: |s| s.slots_barrier,
    cause: Some("barrier"),
    message: "barrier: every path waits at a barrier for the rest of its block",
    advice: "give all warps of a block the same work before a barrier, or use several small blocks",
};

/// `slots_early_load`, `slots_dequeue` and `slots_enqueue`.
pub const QUEUES: LostSlots = LostSlots {
    name: "queues",
    slots: |s| s.slots_early_load + s.slots_dequeue + s.slots_enqueue,
    cause: None,
    message: "queues: one stream of the kernel waits for the other",
    advice: "let the affine stream run further ahead: larger queues, or loads that it can issue earlier",
};

impl Rule for LostSlots {
    fn name(&self) -> &'static str {
        self.name
    }

    fn cause(&self) -> Option<&'static str> {
        self.cause
    }

    fn find(&self, evidence: &Evidence) -> Vec<Found> {
        let cost = Cost::slots((self.slots)(&evidence.statistics) as f64, evidence);
        let (Some(pc), true) = (evidence.hottest(self.slots), cost.share >= SHARE) else {
            return Vec::new();
        };
        let is = |rule: &LostSlots| self.name == rule.name;
        let (message, advice) = match () {
            () if is(&BARRIER) && !levels(evidence.kernel).is_empty() => (self.message, ADVICE),
            () if is(&FETCH) && has_small_code(evidence) => SMALL_CODE,
            () => (self.message, self.advice),
        };
        let (message, advice) = (message.to_owned(), advice.to_owned());
        vec![Found { place: Place::Instruction(pc), message, cost, advice }]
    }
}

/// The message and the advice for a kernel whose code fits the instruction cache.
const SMALL_CODE: (&str, &str) = (
    "fetch: no path has its next instruction in its buffer; the code fits the instruction cache, so paths fetch it for the \
     first time, fetch anew after a taken branch, or wait for their turn",
    "let more warps be resident, unroll short loops, and let a launch do more work",
);

/// Returns true if the kernel's code fits the instruction cache.
fn has_small_code(evidence: &Evidence) -> bool {
    let cache = &evidence.machine.instruction_cache;
    evidence.kernel.code.len() as u64 * u64::from(cache.instruction_bytes) <= u64::from(cache.size)
}

/// The reason that takes most of a kernel's lost slots, if it takes [`SHARE`]: for a kernel of which no rule has a finding.
pub fn most(evidence: &Evidence) -> Option<Found> {
    let lost = |s: &Statistics| s.slot_reasons().into_iter().skip(1);
    // The first of equal ones.
    let (reason, slots) = lost(&evidence.statistics).rev().max_by_key(|(_, slots)| *slots)?;
    let cost = Cost::slots(slots as f64, evidence);
    if cost.share < SHARE {
        return None;
    }
    let of_reason =
        |s: &Statistics| lost(s).find(|(name, _)| *name == reason).map_or(0, |(_, slots)| slots);
    let pc = evidence.hottest(of_reason)?;
    let place = match evidence.sum(&[pc], of_reason) {
        0 => Place::Launch(evidence.launches.first()?.span),
        _ => Place::Instruction(pc),
    };
    let message = format!("most lost issue slots have the reason \"{reason}\"");
    let advice = format!("`explain {}` says what it means", word(reason));
    Some(Found { place, message, cost, advice })
}
