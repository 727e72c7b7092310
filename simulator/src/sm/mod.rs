//! A streaming multiprocessor (SM): its fields are its components, and a step calls them in order.
//!
//! A component owns its state; no other component sees its fields. A stage receives its inputs from
//! other components as *ports*, and its results have types.

mod audit;
pub(crate) mod context;
mod control;
mod copies;
mod deliver;
mod delivery;
mod dispatch;
#[cfg(test)]
mod event_tests;
mod execute;
#[cfg(test)]
mod figure_tests;
mod first_fetch;
mod frontend;
mod home_accesses;
mod issue;
pub(crate) mod lsu;
mod observe;
mod operand_collector;
mod own_warp;
mod pairing;
mod pipes;
mod record;
pub(crate) mod residency;
pub(crate) mod runner;
mod stages;
mod unwritten;
mod writeback;

use std::ops::Range;

use crate::machine::clock::NEVER;
use crate::machine::{Machine, OperandDelivery};
use crate::mechanisms::affine;
use crate::mechanisms::affine::slot::Affine;
use crate::mechanisms::event::EventSet;
use crate::mechanisms::pairing::{self as pairs, Pairing};
use crate::program::code::Code;
use crate::run::fault::Trap;
use crate::run::occupancy::Footprint;
use crate::sm::copies::CopyArrivals;
use crate::sm::issue::queue::blocked::BlockedSet;
use crate::sm::lsu::coalescer::Coalescer;
use context::Context;
use delivery::Delivery;
use frontend::Frontend;
use issue::Issue;
use issue::ports::IssuePorts;
use lsu::LoadStoreUnit;
use observe::Observer;
use operand_collector::OperandCollector;
use pipes::Pipes;
use residency::{Candidate, Residency};
use writeback::WritePorts;

/// A streaming multiprocessor.
pub(crate) struct Sm {
    index: usize,
    residency: Residency,
    frontend: Frontend,
    issue: Issue,
    collector: OperandCollector,
    pipes: Pipes,
    coalescer: Coalescer,
    lsu: LoadStoreUnit,
    /// The mechanism in the slot `affine`, if there is one; and whether it receives the values that
    /// are written.
    affine: Option<Box<dyn Affine>>,
    watches_values: bool,
    /// No mechanism has events or effects of instructions that leave their paths as they are, beside
    /// the time that these take. A path that continues then waits for control flow and registers only.
    is_plain: bool,
    /// The slot `allocation` of the L1 limits the running warps.
    limits_warps: bool,
    /// The stages that take the place of the operand collector, if operands are delivered in a fixed time.
    delivery: Option<Box<Delivery>>,
    /// The asynchronous copies that are about to arrive.
    copies: CopyArrivals,
    /// The mechanism in the slot `pairing`, if schedulers issue instructions beside others.
    pairing: Option<Box<dyn Pairing>>,
    observer: Observer,
    /// Before this cycle only the load/store unit can have something to do.
    quiet_until: u64,
}

impl Sm {
    pub(crate) fn new(index: usize, machine: &Machine, footprint: Footprint) -> Result<Sm, String> {
        let mut residency = Residency::new(machine, footprint)?;
        let affine =
            affine::list::build(machine)?.of_sm(machine.sm.schedulers, residency.block_slots());
        let own_warps = affine.as_ref().map_or(0, |affine| affine.own_warps());
        for _ in 0..own_warps {
            residency.add_own_warp(machine)?;
        }
        let mut issue = Issue::new(machine, index, &residency, own_warps)?;
        let mut lsu = LoadStoreUnit::new(machine, index)?;
        if issue.events().has(EventSet::EVICTED.and(EventSet::MISSED)) {
            lsu.record_events();
        }
        lsu.set_replay_queue(issue.replay_queue());
        let collector = OperandCollector::new(machine, residency.scheme())?;
        let pipes = Pipes::new(machine)?;
        if collector.properties().levels.is_none() {
            issue.ignore(EventSet::REACHED_SWITCH_POINT);
        }
        let events = issue.events().and(collector.events());
        let has_events =
            events.has(EventSet::PER_INSTRUCTION) || residency.scheme().receives_instructions();
        let has_effects = collector.holds_back_instructions() || pipes.permutes();
        Ok(Sm {
            index,
            is_plain: affine.is_none() && !has_events && !has_effects,
            limits_warps: lsu.allocation().properties().limits_warps,
            delivery: (machine.sm.operand_delivery == OperandDelivery::FixedLatency)
                .then(|| Box::new(Delivery::new(machine, residency.candidates()))),
            copies: CopyArrivals::default(),
            pairing: pairs::list::build(machine, index)?,
            frontend: Frontend::new(machine, index, residency.candidates())?,
            issue,
            collector,
            residency,
            pipes,
            coalescer: Coalescer::new(machine, index),
            lsu,
            watches_values: affine.as_ref().is_some_and(|affine| affine.watches_values()),
            affine,
            observer: Observer::default(),
            quiet_until: 0,
        })
    }

    /// Everything that happens in a cycle; the next one in which something can.
    #[inline]
    pub(crate) fn step(&mut self, context: &mut Context) -> Result<u64, Box<Trap>> {
        let now = context.now;
        let has_arrivals = self.step_lsu(context);
        if now < self.quiet_until && !has_arrivals && !self.frontend.needs_to_request(now) {
            // This cycle is counted with the following ones.
            return Ok(self.quiet_until.min(self.lsu.next_event()).max(now + 1));
        }
        self.step_others(has_arrivals, context)
    }

    /// The stages of a cycle after the load/store unit, which may have produced news.
    #[inline(never)]
    fn step_others(&mut self, has_arrivals: bool, context: &mut Context) -> Result<u64, Box<Trap>> {
        let now = context.now;
        self.account(now);
        if self.frontend.takes_lines(now) {
            self.wake_filled(context.code, now);
        }
        // Loads that have ended, from the load/store unit to registers and waiting paths.
        let mut has_news = has_arrivals && self.write_back(context);
        has_news |= self.step_copies(context);
        // The mechanism in the slot `affine` works by itself.
        has_news |= self.affine.is_some() && self.step_affine(context);
        // Instructions with all operands, from the collector to pipes and to the load/store unit.
        has_news |= match &self.delivery {
            None => self.step_collector(context),
            Some(_) => self.step_delivery(context),
        };
        if self.frontend.needs_to_request(now) {
            self.frontend.request_lines(now, context.memory);
        }
        if self.issue.may_act(now) {
            // Instructions that schedulers pick are executed, and go to the collector.
            self.step_issue(context)?;
            // Instructions of one path, from the instruction cache to its buffer.
            self.step_fetch(context);
            self.observer.count_residents(&self.residency, 1);
            self.observer.take_unaccounted(now + 1);
            has_news = true;
        }
        // A path leaves a pool in any of these stages, and registers become free.
        self.raise_pool_changes(now);
        if self.collector.events().has(EventSet::CYCLE_ENDED) {
            has_news |= self.end_cycle(context);
        }
        // Slots of cycles without work are counted when the SM wakes. Until then their reason does
        // not change.
        if has_news {
            for sub_core in 0..self.collector.sub_cores() {
                self.issue.keep_out(sub_core, self.blocked(sub_core));
            }
        }
        Ok(self.next_event(now))
    }

    /// Copies that are due arrive. Returns true if there are any.
    #[inline]
    fn step_copies(&mut self, context: &mut Context) -> bool {
        let is_due = self.copies.next_event() <= context.now;
        if is_due {
            self.end_copies(context);
        }
        is_due
    }

    #[inline(never)]
    fn end_copies(&mut self, context: &mut Context) {
        let now = context.now;
        while let Some(id) = self.copies.take(now) {
            let load = *self.lsu.load(id);
            self.lsu.forget(id);
            let resident = self.residency.slot_mut(load.block);
            resident.end();
            let threads = &mut resident.audited().0.threads;
            threads.copies.arrive(id, &mut threads.shared);
            if let Some(recorder) = self.observer.recorder() {
                recorder.loaded(id, now);
            }
            context.outcome.progress = true;
            let concerned =
                self.residency.concerned(Candidate { block: load.block, slot: load.slot });
            let (issue, mut ports) = self.issue(context.code, now);
            issue.wake(concerned, BlockedSet::COPIES, None, &mut ports);
            self.retire_if_done(load.block, context);
        }
    }

    /// The next cycle in which something can happen: the first of all components.
    fn next_event(&mut self, now: u64) -> u64 {
        self.quiet_until = 0;
        let issue = self.issue.next_event(now);
        if issue == now + 1 {
            return issue;
        }
        let operands = match &self.delivery {
            None => self.collector.next_event(),
            Some(delivery) => delivery.next_event(),
        };
        let rest = issue.min(operands).min(self.frontend.next_event(now));
        let rest = rest.min(self.copies.next_event());
        let affine = match &self.affine {
            Some(affine) => affine.next_event(),
            None => {
                self.quiet_until = rest;
                NEVER
            }
        };
        rest.min(affine).min(self.lsu.next_event()).max(now + 1)
    }

    /// Counts the cycles before `now` in which the SM slept.
    #[inline]
    fn account(&mut self, now: u64) {
        let cycles = self.observer.take_unaccounted(now);
        if cycles != 0 {
            self.count_sleep(now - cycles..now);
        }
    }

    #[inline(never)]
    fn count_sleep(&mut self, cycles: Range<u64>) {
        let (residency, observer) = (&self.residency, &mut self.observer);
        let count = cycles.end - cycles.start;
        self.issue.count_sleep(cycles, residency, observer);
        observer.count_residents(residency, count);
    }

    /// Issue, with the other state that decides which paths may.
    #[inline]
    fn issue<'a>(&'a mut self, code: &'a Code, now: u64) -> (&'a mut Issue, IssuePorts<'a>) {
        let ports = IssuePorts {
            code,
            now,
            residency: &mut self.residency,
            frontend: &mut self.frontend,
            collector: &mut self.collector,
            affine: self.affine.as_deref(),
            observer: &mut self.observer,
        };
        (&mut self.issue, ports)
    }

    /// The ports of write-back.
    #[inline]
    fn write_ports(&mut self, now: u64) -> WritePorts<'_> {
        let (collector, residency) = (&mut self.collector, &mut self.residency);
        WritePorts { now, collector, residency, observer: &mut self.observer }
    }
}
