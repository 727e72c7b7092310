//! Causes of lost time that a launch can be measured without, and the measurements.

use serde::Serialize;

/// A cause of lost time that a run can do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause {
    /// Its key in the machine's table `ideal`, or [`GRID`].
    pub key: &'static str,
    /// The run without it, in words that follow "measured:".
    pub without: &'static str,
}

/// The cause that no machine can do without: a grid that does not fill it. The grid runs several times at once instead.
pub const GRID: &str = "grid";

/// Every cause.
pub const CAUSES: &[Cause] = &[
    Cause { key: "coalescing", without: "with perfect coalescing" },
    Cause { key: "banks", without: "without bank conflicts" },
    Cause { key: "atomics", without: "with the atomics of a warp as one" },
    Cause { key: "compaction", without: "without divergence" },
    Cause { key: GRID, without: "with a grid that fills the machine" },
    Cause { key: "l1", without: "with an L1 that keeps every line" },
    Cause { key: "l2", without: "with an L2 that keeps every line" },
    Cause { key: "memory", without: "if every load hit the L1" },
    Cause { key: "registers", without: "with enough registers" },
    Cause { key: "scoreboard", without: "with an unlimited scoreboard" },
    Cause { key: "barrier", without: "with barriers that take a cycle" },
    Cause { key: "instruction-cache", without: "if every fetch hit" },
];

/// The cause of a key.
pub fn cause(key: &str) -> Option<&'static Cause> {
    CAUSES.iter().find(|cause| cause.key == key)
}

/// A launch without some causes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The key of the cause that it is without; of a step, in addition to those of the steps before.
    pub cause: &'static str,
    /// Its cycles; the reason if they cannot be measured.
    pub cycles: Result<u64, String>,
}

/// The measurements of a launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launched {
    /// The first blocks that were measured; `None` for all.
    pub blocks: Option<u64>,
    /// The cycles of these blocks as it is.
    pub cycles: u64,
    /// Without each cause by itself.
    pub alone: Vec<Measured>,
    /// Without the causes together: the one with the largest gain first, then that and the next, and so on.
    pub steps: Vec<Measured>,
}

/// The gain without a cause, over the launches of a kernel that were measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gain {
    /// The cause's key.
    pub cause: &'static str,
    /// The cycles that it takes without the cause, less those as it is, by the latter: -0.55 for 55 % fewer.
    pub change: f64,
    /// True if only the first blocks of a launch were measured.
    pub is_partial: bool,
    /// The reason if it cannot be measured; `change` is 0 then.
    pub unmeasured: Option<String>,
}

/// A gain in a sentence.
pub fn sentence(gain: &Gain) -> String {
    let without = cause(gain.cause).map_or(gain.cause, |cause| cause.without);
    match (&gain.unmeasured, gain.is_partial) {
        (Some(reason), _) => format!("Not measured {without}: {reason}."),
        (None, true) => {
            format!("Measured {without}, by the first blocks: {} cycles.", change(gain.change))
        }
        (None, false) => format!("Measured {without}: {} cycles.", change(gain.change)),
    }
}

/// A change as a signed percentage.
pub fn change(change: f64) -> String {
    let sign = if change < 0.0 { '\u{2212}' } else { '+' };
    format!("{sign}{:.1} %", 100.0 * change.abs())
}

/// A line of a launch's steps.
pub struct Step {
    /// The run, in words.
    pub words: String,
    /// Its cycles.
    pub cycles: u64,
    /// The change from the launch as it is, as a percentage; empty for that itself.
    pub change: String,
}

/// The steps of a launch, the first of which is the launch as it is.
pub fn steps(launched: &Launched) -> Vec<Step> {
    let all = launched.cycles;
    let as_it_is = Step { words: "as it is".to_owned(), cycles: all, change: String::new() };
    let step = |(at, step): (usize, &Measured)| {
        let without = cause(step.cause).map_or(step.cause, |cause| cause.without);
        let words = if at == 0 { without.to_owned() } else { format!("and {without}") };
        let cycles = *step.cycles.as_ref().ok()?;
        Some(Step { words, cycles, change: change(cycles as f64 / all.max(1) as f64 - 1.0) })
    };
    let steps = launched.steps.iter().enumerate().filter_map(step);
    std::iter::once(as_it_is).chain(steps).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reconverge_simulator::machine::Ideal;

    #[test]
    fn causes_are_keys_of_machines() {
        for cause in CAUSES.iter().filter(|cause| cause.key != GRID) {
            assert!(Ideal::default().with(cause.key).is_some(), "{}", cause.key);
        }
        assert_eq!(CAUSES.len(), Ideal::KEYS.len() + 1);
    }
}
