//! Ideal parts of a machine: each takes one cause of lost time away, so that its cost can be measured.
//!
//! No hardware has them. Some are other values of the machine's keys, which `idealise.rs` writes; components read the
//! others.

use serde::Deserialize;

macro_rules! ideals {
    ($($field:ident $key:literal $sentence:literal),* $(,)?) => {
        /// The parts of a machine that are ideal; by default none.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
        #[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
        pub struct Ideal {
            $(#[doc = $sentence] pub $field: bool,)*
        }

        impl Ideal {
            /// The keys of the table `ideal`.
            pub const KEYS: &[&str] = &[$($key),*];

            /// The ideals with one more, by its key; `None` if there is no such key.
            pub fn with(mut self, key: &str) -> Option<Ideal> {
                match key {
                    $($key => self.$field = true,)*
                    _ => return None,
                }
                Some(self)
            }
        }
    };
}

ideals! {
    coalescing "coalescing" "An access of global memory takes the fewest lines that hold its bytes.",
    banks "banks" "An access of shared memory takes the fewest passes that its words need: no two meet in a bank.",
    atomics "atomics" "Lanes of a warp that change one word take the time of one lane.",
    compaction "compaction" "Threads of a block that are at one instruction form warps, and each may take any lane (slots `divergence` and `lane-permutation`).",
    memory "memory" "Every load hits the L1, and stores leave no traffic.",
    l1 "l1" "The L1 keeps every line.",
    l2 "l2" "The L2 keeps every line.",
    scoreboard "scoreboard" "The scoreboard has room for every result, or each register has a dependence counter.",
    barrier "barrier" "A barrier opens in the cycle after its last arrival.",
    instruction_cache "instruction-cache" "Every fetch of instructions hits.",
    registers "registers" "An SM has registers for all of its warps, and a thread as many as the instruction set has.",
}
