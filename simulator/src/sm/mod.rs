//! A streaming multiprocessor (SM): its fields are its components, and a step calls them in order.

mod audit;
#[cfg(test)]
mod figures;
mod frontend;
mod home_lines;
mod issue;
mod lsu;
mod observe;
mod operand_collector;
mod own_warp;
mod pipes;
mod residency;
mod runner;
mod stages;
mod writeback;

use reconverge_isa::{Effect, WarpResult};

use crate::affine::Affine;
use crate::block::Block;
use crate::decode::Code;
use crate::device::GlobalPort;
use crate::execute::Executor;
use crate::fault::Trap;
use crate::log::Owner;
use crate::machine::Machine;
use crate::memory::{Link, NEVER};
use crate::occupancy::Footprint;
use frontend::Frontend;
pub(crate) use issue::SlotUse;
use issue::{Issue, Ready};
use lsu::Coalescer;
pub(crate) use lsu::{LineKind, LoadId, LoadStoreUnit, LsuPorts, Pin, PinId};
use observe::Observer;
use operand_collector::OperandCollector;
pub(crate) use operand_collector::Token;
use pipes::Pipes;
pub(crate) use residency::BlockSlots;
use residency::Residency;
use runner::Outcome;
pub(crate) use runner::{Epoch, SmRunner};

/// What an SM works with while it steps.
pub(crate) struct Context<'a, 'm> {
    pub(crate) code: &'a Code,
    pub(crate) executor: &'a mut Executor,
    pub(crate) port: &'a mut GlobalPort<'m>,
    pub(crate) memory: &'a mut Link,
    pub(crate) outcome: &'a mut Outcome,
    pub(crate) epoch: Epoch,
    /// Blocks are on their way here.
    pub(crate) arriving: bool,
    pub(crate) now: u64,
}

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
    /// What fills the slot `affine`, if something does; and whether it is told of the values that are written.
    affine: Option<Box<dyn Affine>>,
    watches_values: bool,
    observer: Observer,
    /// Before this cycle only the load/store unit can have something to do.
    quiet_until: u64,
}

impl Sm {
    pub(crate) fn new(index: usize, machine: &Machine, footprint: Footprint) -> Result<Sm, String> {
        let mut residency = Residency::new(machine, footprint)?;
        let affine = machine.affine()?.of_sm(machine.core.schedulers, residency.block_slots());
        let has_warp = affine.as_ref().is_some_and(|affine| affine.has_warp());
        if has_warp {
            residency.add_own_warp(machine)?;
        }
        Ok(Sm {
            index,
            frontend: Frontend::new(machine, index, residency.candidates())?,
            issue: Issue::new(machine, &residency, has_warp)?,
            residency,
            collector: OperandCollector::new(machine)?,
            pipes: Pipes::new(machine)?,
            coalescer: Coalescer::new(machine, index),
            lsu: LoadStoreUnit::new(machine)?,
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
        let has_come = self.step_lsu(context);
        if now < self.quiet_until && !has_come && !self.frontend.wants_to_ask() {
            // This cycle is counted with the following ones.
            return Ok(self.quiet_until.min(self.lsu.next_event()).max(now + 1));
        }
        self.step_others(has_come, context)
    }

    /// What happens in a cycle beside the work of the load/store unit, from which something may have come.
    #[inline(never)]
    fn step_others(&mut self, has_come: bool, context: &mut Context) -> Result<u64, Box<Trap>> {
        let now = context.now;
        self.account(now);
        let mut has_news = has_come && self.write_back(context);
        has_news |= self.step_affine(context);
        has_news |= self.step_collector(context);
        if self.frontend.wants_to_ask() {
            self.frontend.ask(now, context.memory);
        }
        if self.issue.may_act(now) {
            self.step_issue(context)?;
            self.step_fetch(context);
            self.observer.count_residents(&self.residency, 1);
            self.observer.accounted = now + 1;
            has_news = true;
        }
        // Slots of cycles in which nothing is done are counted when the SM wakes. Until then what they are lost to
        // stays as it is.
        if has_news {
            self.issue.keep_out(self.blocked());
        }
        Ok(self.next_event(now))
    }

    /// The next cycle in which something can happen: the first of all components.
    fn next_event(&mut self, now: u64) -> u64 {
        self.quiet_until = 0;
        if self.issue.can_fetch() {
            return now + 1;
        }
        let issue = self.issue.next_event(now, self.collector.has_room());
        let rest = issue.min(self.collector.next_event());
        let affine = match &self.affine {
            Some(affine) => affine.next_event(),
            None => {
                self.quiet_until = rest;
                NEVER
            }
        };
        rest.min(affine).min(self.lsu.next_event()).max(now + 1)
    }

    /// Whether something here waits for room towards memory.
    pub(crate) fn wants_room(&self) -> bool {
        self.lsu.wants_room()
            || self.frontend.wants_to_ask()
            || self.affine.as_ref().is_some_and(|affine| affine.wants_room())
    }

    /// Whether nothing is here or under way.
    pub(crate) fn is_idle(&self) -> bool {
        self.residency.resident_warps() == 0
            && self.lsu.is_idle()
            && self.frontend.is_idle()
            && self.affine.as_ref().is_none_or(|affine| affine.is_idle())
    }

    /// An atomic of a block here has taken place.
    pub(crate) fn complete(
        &mut self,
        code: &Code,
        owner: &Owner,
        result: &WarpResult,
    ) -> Result<(), Box<Trap>> {
        self.residency.slots.block_mut(usize::from(owner.place)).complete(code, owner, result)
    }

    /// The blocks that are here.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.residency.slots.occupied().map(|(_, block)| block)
    }
}

/// Whether an instruction passes the operand collector to a pipe; control flow reads predicates only.
fn collects(effect: Effect) -> bool {
    match effect {
        Effect::Branch | Effect::Exit | Effect::Barrier | Effect::Bssy | Effect::Bsync => false,
        // What it enqueues is not read from registers of warps.
        Effect::Enqueue => false,
        Effect::Compute | Effect::Divide | Effect::Collective => true,
        Effect::Load | Effect::Store | Effect::Atomic => true,
    }
}

fn is_memory(effect: Effect) -> bool {
    matches!(effect, Effect::Load | Effect::Store | Effect::Atomic)
}
