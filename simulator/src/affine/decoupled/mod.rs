//! `decoupled`: an affine warp runs ahead of the warps of its blocks and prepares addresses, predicates
//! and loads for them.
//!
//! Source: Wang and Lin, "Decoupled affine computation for SIMT GPUs", ISCA 2017, §4. Our text of the paper
//! does not give the sizes of queues: the defaults are ours.

mod expand;
mod mask;
mod operate;
mod queues;
mod stack;
#[cfg(test)]
mod tests;
mod tuple;
mod warp;

use std::fmt;

use reconverge_isa::Queue;
use serde::Deserialize;

use super::{Affine, Build};
use crate::machine::Machine;
use crate::mechanism::{Mechanism, options};
use crate::scheduler;
pub(crate) use expand::{Expansion, Step};
pub(crate) use mask::Mask;
pub(crate) use queues::BlockQueues;
pub(crate) use warp::{AffineWarp, Enqueued, Event, Executed};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "decoupled",
    sentence: "decoupled affine computation: kernels are compiled into two streams; an affine warp on each \
               SM computes addresses and predicates once for a batch of blocks, and requests lines early",
    options: &[
        ("tuple-queue", "entries of an SM's affine tuple queue (ATQ), 1 to 1024; default 16"),
        ("address-queue", "entries of a warp's address queue (PWAQ), 1 to 1024; default 8"),
        ("predicate-queue", "entries of a warp's predicate queue (PWPQ), 1 to 1024; default 8"),
        (
            "batch",
            "which blocks form a batch: `resident`, all resident blocks without a batch when the affine \
             warp is free; or `drained`, all resident blocks once the last batch has ended",
        ),
        (
            "lookup",
            "when early lookups access the L1 tags: `own-port`, in any cycle, through a port of their \
             own; or `idle`, in cycles in which no load or store accesses the L1",
        ),
        (
            "kernels",
            "which kernels are compiled into two streams: `profitable`, where the compiler expects a \
             gain; or `all` that can be",
        ),
    ],
    trials: &[],
    build: |table| {
        let options: Decoupled = options(table)?;
        for (key, value) in [
            ("tuple-queue", options.tuple_queue),
            ("address-queue", options.address_queue),
            ("predicate-queue", options.predicate_queue),
        ] {
            if !(1..=1024).contains(&value) {
                return Err(format!("`{key}` is {value}; it must be 1 to 1024"));
            }
        }
        Ok(Affine::Decoupled(options))
    },
};

/// The options.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct Decoupled {
    pub(crate) tuple_queue: u32,
    pub(crate) address_queue: u32,
    pub(crate) predicate_queue: u32,
    pub(crate) batch: Batch,
    pub(crate) lookup: Lookup,
    pub(crate) kernels: Kernels,
}

impl Default for Decoupled {
    fn default() -> Decoupled {
        Decoupled {
            tuple_queue: 16,
            address_queue: 8,
            predicate_queue: 8,
            batch: Batch::default(),
            lookup: Lookup::default(),
            kernels: Kernels::default(),
        }
    }
}

/// Which blocks are a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Batch {
    #[default]
    Resident,
    Drained,
}

/// Which kernels are compiled into two streams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kernels {
    #[default]
    Profitable,
    All,
}

/// When lines are looked up early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Lookup {
    #[default]
    OwnPort,
    Idle,
}

impl Decoupled {
    /// Whether it works on a machine.
    pub(super) fn check(&self, machine: &Machine) -> Result<(), String> {
        let affine = &machine.affine;
        if !matches!(machine.divergence.as_str(), "simt-stack" | "dual-path") {
            return Err(format!(
                "`affine = \"{affine}\"` does not go with `divergence = \"{}\"`: the affine warp \
                 prepares addresses and predicates in the order in which the threads of a warp come \
                 to them together under a stack; set `divergence` to `simt-stack` or `dual-path`",
                machine.divergence
            ));
        }
        let slots = if machine.divergence == "dual-path" { 2 } else { 1 };
        let warps = machine.core.warps.div_ceil(machine.core.schedulers);
        let most = scheduler::MAX_CANDIDATES as u32 / slots - 1;
        if warps > most {
            return Err(format!(
                "`affine = \"{affine}\"` adds a warp to the {warps} of the first scheduler, which has \
                 room for {} paths: set `sm.warps` to at most {}",
                scheduler::MAX_CANDIDATES,
                most * machine.core.schedulers
            ));
        }
        if !machine.lane_map()?.is_identity() {
            return Err(format!(
                "`affine = \"{affine}\"` does not go with `lane-permutation = \"{}\"`: addresses are expanded \
                 in the order of threads; set `lane-permutation` to `identity`",
                machine.lane_permutation
            ));
        }
        Ok(())
    }
}

/// How the two streams of a kernel do not fit each other, or the affine warp cannot do what it is told: a
/// fault of the compiler, or of who wrote the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// A value would need so many tuples in a block.
    TooMany(usize),
    /// The result is no affine tuple.
    NoTuple,
    /// A warp dequeues at a site, and the affine stream, which has ended, has enqueued nothing for it.
    NotEnqueued {
        /// The warp in its block.
        warp: u32,
        /// The site.
        site: u8,
    },
    /// A warp dequeues at a site what was enqueued at another one.
    OtherSite {
        /// The warp in its block.
        warp: u32,
        /// The site.
        site: u8,
        /// The queue.
        queue: Queue,
        /// The other site.
        enqueued: u8,
    },
    /// The threads of a warp that dequeue are not those for which it was enqueued.
    OtherThreads {
        /// The warp in its block.
        warp: u32,
        /// The site.
        site: u8,
        /// Lanes that dequeue.
        lanes: u64,
        /// Lanes for which it was enqueued.
        enqueued: u64,
    },
    /// A block has ended and something is left that a warp should have dequeued.
    Left {
        /// The warp in its block.
        warp: u32,
        /// The site.
        site: u8,
    },
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Broken::TooMany(tuples) => write!(
                f,
                "the affine warp cannot hold this value: it would take {tuples} tuples of at most {}",
                tuple::TUPLES
            ),
            Broken::NoTuple => {
                write!(f, "the affine warp cannot compute this: the value is no affine tuple")
            }
            Broken::NotEnqueued { warp, site } => write!(
                f,
                "the streams disagree: warp {warp} dequeues at site {site}, and the affine stream \
                 has ended without enqueueing for it"
            ),
            Broken::OtherSite { warp, site, queue, enqueued } => write!(
                f,
                "the streams disagree: warp {warp} dequeues deq.{} at site {site} what was \
                 enqueued at site {enqueued}",
                queue.name()
            ),
            Broken::OtherThreads { warp, site, lanes, enqueued } => write!(
                f,
                "the streams disagree: warp {warp} dequeues at site {site} for lanes {lanes:#x} \
                 what was enqueued for lanes {enqueued:#x}"
            ),
            Broken::Left { warp, site } => write!(
                f,
                "the streams disagree: the block has ended, and warp {warp} has not dequeued what \
                 was enqueued for it at site {site}"
            ),
        }
    }
}
