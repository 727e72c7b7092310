//! `decoupled`: an affine warp runs ahead of the warps of its blocks and prepares addresses, predicates
//! and loads for them.
//!
//! Source: Wang and Lin, "Decoupled affine computation for SIMT GPUs", ISCA 2017, §4. Our text of the paper
//! does not give the sizes of queues: the defaults are ours.

mod batch;
mod decode;
mod expand;
mod expansion_units;
mod mask;
mod operate;
mod stack;
#[cfg(test)]
mod tests;
mod tuple;
mod unit;
mod waits;
mod warp;
pub(crate) mod without_time;

use reconverge_isa::Instruction;
use serde::Deserialize;

use super::slot::{Affine, Build, Design, SecondStream};
use crate::machine::Machine;
use crate::mechanisms::demands::Streams;
use crate::mechanisms::mechanism::{Mechanism, check_range, options};
use crate::mechanisms::scheduler;
use crate::program::code::Code;
use crate::sm::lsu::l1::holds::HoldLimits;
use unit::AffineUnit;
use without_time::WithoutTime;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "decoupled",
    sentence: "decoupled affine computation: kernels are compiled into two streams; an affine warp on each \
               SM computes addresses and predicates once for a batch of blocks, and requests lines early",
    options: &[
        ("tuple-queue", "entries of an SM's affine tuple queue (ATQ), 1 to 1024; default 128"),
        ("address-queue", "entries of a warp's address queue (PWAQ), 1 to 1024; default 8"),
        ("predicate-queue", "entries of a warp's predicate queue (PWPQ), 1 to 1024; default 8"),
        (
            "batch",
            "which blocks form a batch: `resident`, all resident blocks without a batch when an affine \
             warp is free; `drained`, all resident blocks once the last batch has ended; or `block`, the oldest \
             without a batch",
        ),
        ("warps", "affine warps of an SM, each with a tuple queue of its own, 1 to 8; default 1"),
        (
            "order",
            "which address or predicate is expanded first: `block`, one for the oldest block that can go on; \
             or `entry`, the one that was enqueued first",
        ),
        (
            "held-ways",
            "ways of a set of the L1 that may hold lines for early loads, at least 1; default, and at most, all \
             but one",
        ),
        (
            "held-lines",
            "lines of the L1 that may be held for early loads, at least 1; default no limit",
        ),
        (
            "full",
            "what an early load does for whose line there is no such way: `wait`, or `skip` the line and load \
             it when it issues",
        ),
        (
            "lookup",
            "when early lookups access the L1 tags: `own-port`, in any cycle, through a port of their \
             own; or `idle`, in cycles in which no load or store accesses the L1",
        ),
        (
            "load-lines",
            "the most lines of a warp's load that are asked for early, at least 1; of a load with more, none is; default one \
             less than a warp has threads",
        ),
        (
            "comparisons",
            "where comparisons of an affine warp are made: `expansion-unit`, in the predicate expansion unit, but for \
             warps that take one for each lane; or `lanes`, all on the lanes",
        ),
        (
            "kernels",
            "which kernels are compiled into two streams: `profitable`, where the compiler expects a \
             gain; or `all` that can be",
        ),
    ],
    trials: &[],
    statistics: &[],
    build: &|table| {
        let options: Decoupled = options(table)?;
        for (key, value) in [
            ("tuple-queue", options.tuple_queue),
            ("address-queue", options.address_queue),
            ("predicate-queue", options.predicate_queue),
        ] {
            check_range(key, value, 1..=1024)?;
        }
        check_range("warps", options.warps, 1..=8)?;
        for (key, value) in [
            ("held-ways", options.held_ways.map(u32::from)),
            ("held-lines", options.held_lines),
            ("load-lines", options.load_lines),
        ] {
            if value == Some(0) {
                return Err(format!("`{key}` is 0; it must be at least 1"));
            }
        }
        Ok(Box::new(options))
    },
};

/// The options.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Decoupled {
    tuple_queue: u32,
    address_queue: u32,
    predicate_queue: u32,
    warps: u32,
    batch: Batch,
    order: Order,
    held_ways: Option<u16>,
    held_lines: Option<u32>,
    load_lines: Option<u32>,
    full: Full,
    lookup: Lookup,
    comparisons: Comparisons,
    kernels: Kernels,
}

impl Decoupled {
    /// The most lines that it holds.
    fn limits(&self) -> HoldLimits {
        HoldLimits { ways: self.held_ways, lines: self.held_lines }
    }
}

impl Default for Decoupled {
    fn default() -> Decoupled {
        Decoupled {
            tuple_queue: 128,
            address_queue: 8,
            predicate_queue: 8,
            warps: 1,
            batch: Batch::default(),
            order: Order::default(),
            held_ways: None,
            held_lines: None,
            load_lines: None,
            full: Full::default(),
            lookup: Lookup::default(),
            comparisons: Comparisons::default(),
            kernels: Kernels::default(),
        }
    }
}

/// The blocks of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Batch {
    #[default]
    Resident,
    Drained,
    Block,
}

/// The block whose entry is expanded first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Order {
    #[default]
    Block,
    Entry,
}

/// The treatment of an early load that would hold one line too many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Full {
    #[default]
    Wait,
    Skip,
}

/// The kernels that are compiled into two streams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kernels {
    #[default]
    Profitable,
    All,
}

/// The time of early lookups of lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Lookup {
    #[default]
    OwnPort,
    Idle,
}

/// The unit that makes comparisons of an affine warp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Comparisons {
    #[default]
    ExpansionUnit,
    Lanes,
}

impl Design for Decoupled {
    fn streams(&self) -> Streams {
        match self.kernels {
            Kernels::Profitable => Streams::TwoWhereProfitable,
            Kernels::All => Streams::TwoOfAll,
        }
    }

    fn of_sm(&self, _schedulers: u32, block_slots: usize) -> Option<Box<dyn Affine>> {
        Some(Box::new(AffineUnit::new(*self, block_slots)))
    }

    fn check_second_stream(&self, instruction: &Instruction) -> Result<(), String> {
        decode::check(instruction)
    }

    fn without_time(&self, code: &Code, block: u64) -> Option<Box<dyn SecondStream>> {
        let stream = code.second_stream.as_ref()?;
        Some(Box::new(WithoutTime::new(code, stream, block)))
    }

    fn check(&self, machine: &Machine, lanes_in_order: bool) -> Result<(), String> {
        let affine = &machine.affine;
        if !matches!(machine.divergence.as_str(), "simt-stack" | "dual-path") {
            return Err(format!(
                "`affine = \"{affine}\"` does not go with `divergence = \"{}\"`: the affine warp \
                 prepares addresses and predicates in the order in which the threads of a warp execute \
                 them together under a stack; set `divergence` to `simt-stack` or `dual-path`",
                machine.divergence
            ));
        }
        let slots = if machine.divergence == "dual-path" { 2 } else { 1 };
        let warps = machine.sm.warps.div_ceil(machine.sm.schedulers);
        let most = scheduler::MAX_CANDIDATES as u32 / slots - self.warps;
        if warps > most {
            return Err(format!(
                "`affine = \"{affine}\"` adds {} to the {warps} warps of the first scheduler, which has \
                 room for {} paths: set `sm.warps` to at most {}",
                self.warps,
                scheduler::MAX_CANDIDATES,
                most * machine.sm.schedulers
            ));
        }
        if !lanes_in_order {
            return Err(format!(
                "`affine = \"{affine}\"` does not go with `lane-permutation = \"{}\"`: addresses are expanded \
                 in the order of threads; set `lane-permutation` to `identity`",
                machine.lane_permutation
            ));
        }
        Ok(())
    }
}
