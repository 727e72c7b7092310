//! The statistics of the affine vector cache.

use crate::observe::mechanism_statistics::MechanismStatistics;
use crate::observe::statistic::{Charge, Declaration};

macro_rules! counters {
    ($($name:ident: $key:literal, $unit:literal, $sentence:literal $(, $charge:expr)?;)*) => {
        /// A counter, in the order of the declarations.
        #[derive(Clone, Copy, Debug)]
        pub(super) enum Counter {
            $($name,)*
        }

        pub(in super::super) const DECLARATIONS: &[Declaration] = &[
            $(declared($key, $unit, concat!("Affine vector cache: ", $sentence))$(.charges($charge))?,)*
        ];
    };
}

const fn declared(name: &'static str, unit: &'static str, sentence: &'static str) -> Declaration {
    Declaration::sum(name, unit, sentence).after("local_stores_generic")
}

counters! {
    Hits: "avc_hits", "accesses",
        "line loads all of whose words it had, at first or when they were replayed.", Charge::LocalCacheAccess;
    PartialHits: "avc_partial_hits", "accesses",
        "line loads some of whose words it had; they are replayed for the others.", Charge::LocalCacheAccess;
    Misses: "avc_misses", "accesses",
        "line loads looked up in the L1: it had none of their words, or none of those they were replayed for.", Charge::LocalCacheAccess;
    Stores: "avc_stores", "accesses",
        "line stores that it kept, in whole or in part.", Charge::LocalCacheAccess;
    Replays: "avc_replays", "accesses",
        "line accesses looked up again for the lanes that it had not served.";
    Fills: "avc_fills", "accesses",
        "line loads whose words it kept when they had been fetched.";
    Conflicts: "avc_conflicts", "vectors",
        "vectors that were there in part and made room for another base or stride.";
    EvictedLines: "avc_evicted_lines", "lines",
        "lines evicted, including those of global memory.";
    EvictedVectors: "avc_evicted_vectors", "vectors",
        "vectors of local memory evicted, by conflicts and with their lines.";
    GlobalHits: "avc_global_hits", "accesses",
        "line loads of global memory all of whose sectors it had, at first or when they were replayed.", Charge::LocalCacheAccess;
    GlobalPartialHits: "avc_global_partial_hits", "accesses",
        "line loads of global memory some of whose sectors it had; they are replayed for the others.", Charge::LocalCacheAccess;
    GlobalMisses: "avc_global_misses", "accesses",
        "line loads of global memory that found none of their sectors in it, or none of those they were replayed for.", Charge::LocalCacheAccess;
    GlobalFills: "avc_global_fills", "fetches",
        "fetches of global memory whose line it kept. They take no way of the L1.";
    GlobalVectors: "avc_global_vectors", "vectors",
        "vectors of global memory that it began to keep.";
    GlobalEvictedVectors: "avc_global_evicted_vectors", "vectors",
        "vectors of global memory evicted with their lines.";
    GlobalInvalidatedVectors: "avc_global_invalidated_vectors", "vectors",
        "vectors of global memory that it no longer keeps because of stores, atomics, or fetches into the L1.";
    GlobalMoves: "avc_global_moves", "lines",
        "lines of global memory moved to the L1 before they were stored to.";
    WriteBacks: "avc_write_backs", "vectors",
        "vectors written back.";
    Merges: "avc_merges", "vectors",
        "vectors written back together with words that the L1 had of their line.";
    Compressed: "avc_compressed", "vectors",
        "vectors written back as base, stride and valid bits.";
    SavedBytes: "avc_saved_bytes", "bytes",
        "bytes by which these were smaller, in transit to the next level, than their sectors.";
}

/// The counters of a cache.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts([u64; DECLARATIONS.len()]);

impl Counts {
    pub(super) fn add(&mut self, counter: Counter, value: u64) {
        self.0[counter as usize] += value;
    }

    #[cfg(test)]
    pub(super) fn get(&self, counter: Counter) -> u64 {
        self.0[counter as usize]
    }

    pub(super) fn add_to(&self, own: &mut MechanismStatistics) {
        DECLARATIONS
            .iter()
            .zip(self.0)
            .for_each(|(declaration, value)| own.add(declaration, value));
    }
}
