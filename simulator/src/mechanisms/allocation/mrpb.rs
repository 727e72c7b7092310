//! `mrpb`: accesses of the first level go warp by warp, and a miss that finds all ways of its set reserved bypasses (memory request
//! prioritization buffer).
//!
//! Source: Aamodt, Fung, Rogers, §4.4.3, after Jia, Shaw, Martonosi, "MRPB: memory request
//! prioritization for massively parallel processors", HPCA 2014. The buffer before the cache has a
//! queue for each warp, and the first warp that has a request is served first, by its fixed number.
//! It groups a warp's accesses, against contention between warps; bypassing on an associativity
//! stall reduces contention within one.
//!
//! The text leaves open, and here is so: the queues share `entries` memory instructions, which the load/store unit can hold beside its own; each line
//! of an instruction is a request; shared and constant memory, which do not pass the cache, keep their order.

use super::slot::{Allocation, Build, LineAccess, Properties};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};
use crate::mechanisms::replacement::Ways;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "mrpb",
    sentence: "serves the first warp's accesses first, and bypasses the cache where all ways are reserved",
    options: &[
        ("entries", "memory instructions in the buffer, 0 to 1024; default 16"),
        ("bypass", "whether a miss bypasses where all ways of its set are reserved; default true"),
    ],
    trials: &[
        &[("mrpb.entries", "0")],
        &[("mrpb.bypass", "false"), ("l1.size", "512"), ("l1.ways", "2")],
    ],
    statistics: &[],
    build: &|table, _| {
        let options: Options = options(table)?;
        check_range("entries", options.entries, 0..=1024)?;
        Ok(Box::new(Mrpb(options)))
    },
};

#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Options {
    entries: u32,
    bypass: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { entries: 16, bypass: true }
    }
}

struct Mrpb(Options);

impl Allocation for Mrpb {
    fn allocates(&mut self, _access: &LineAccess, has_way: bool) -> bool {
        has_way || !self.0.bypass
    }

    fn victims(&self, _access: &LineAccess, ways: Ways) -> Ways {
        ways
    }

    fn properties(&self) -> Properties {
        Properties { request_buffer: Some(self.0.entries), ..Properties::default() }
    }
}
