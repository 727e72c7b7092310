//! `--check-schedules`: each launch again in other orders of its threads, from the memory that it found.

use super::describe::Describe;
use super::memory::{described, value_at};
use crate::host::memory::Memory;
use reconverge_compiler::diagnostic::{Diagnostic, code};
use reconverge_isa::GLOBAL_BASE;
use reconverge_simulator::check::{Action, Checker, Party, Store, Stores, first_difference};
use reconverge_simulator::{
    DeviceMemory, Emitted, Fault, Launch, Limits, Machine, Model, Order, Progress,
};
use std::ops::{ControlFlow, Range};

/// The number of other orders to try, and their seed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Schedules {
    /// The number of orders.
    pub count: u32,
    /// Others with another number.
    pub seed: u64,
}

/// A launch that has gone well, to be run again.
pub(crate) struct Again<'a> {
    pub launch: Launch<'a>,
    pub machine: &'a Machine,
    /// Global memory as the launch found it.
    pub before: Vec<u8>,
    /// The instructions of warps that it took.
    pub instructions: u64,
}

/// An order in which the launch went otherwise.
pub(crate) enum Otherwise {
    /// It did not end.
    Stopped(Fault),
    /// Memory differs at an address; the records of the usual order, and of this one.
    Memory { address: u32, bytes: Vec<u8>, usual: Box<Stores>, other: Box<Stores>, number: u32 },
}

impl Again<'_> {
    /// Tries orders until one is found with a different result. `watched` are the addresses to
    /// watch when memory differs at one.
    pub fn in_other_orders(
        &self,
        kernel: &reconverge_isa::Kernel,
        schedules: Schedules,
        memory: &mut Memory,
        watched: &dyn Fn(&Memory, u32) -> Range<u32>,
        go_on: &mut (dyn FnMut() -> bool + Send),
    ) -> Option<Otherwise> {
        for number in 0..schedules.count {
            let order = Order { seed: schedules.seed, number };
            let found = self.run(kernel, Some(order), None, memory, go_on);
            let bytes = match found {
                Ok(bytes) => bytes,
                Err(Fault::Interrupted) => return None,
                Err(fault) => return Some(Otherwise::Stopped(fault)),
            };
            let (usual, ..) = memory.device_parts();
            let Some(address) = first_difference(usual, &bytes) else {
                continue;
            };
            let watched = watched(memory, address);
            let mut stores = |order| {
                let mut checker = Checker::of_stores(watched.clone());
                let done = self.run(kernel, order, Some(&mut checker), memory, go_on);
                done.ok().map(|_| Box::new(checker.into_stores()))
            };
            let (usual, other) = (stores(None)?, stores(Some(order))?);
            return Some(Otherwise::Memory { address, bytes, usual, other, number });
        }
        None
    }

    /// Runs the launch once more, in an order or in the usual one: global memory after it.
    fn run(
        &self,
        kernel: &reconverge_isa::Kernel,
        order: Option<Order>,
        checker: Option<&mut Checker>,
        memory: &mut Memory,
        go_on: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<Vec<u8>, Fault> {
        let mut bytes = self.before.clone();
        let (_, allocations, constant) = memory.device_parts();
        let emitted = Emitted::default();
        let mut device = DeviceMemory {
            global: &mut bytes,
            allocations,
            constant,
            emitted,
            checker,
            second_level: None,
        };
        let mut limits = Limits { trace: None, ..self.launch.limits };
        let mut model = self.launch.model;
        if let Some(order) = order {
            model = Model::Ordered(order);
            // A thread that waits for others takes longer in some orders.
            let most = self.instructions.saturating_mul(64).saturating_add(1 << 23);
            limits.instructions = limits.instructions.min(most);
        }
        let launch = Launch {
            model,
            limits,
            verify_annotations: false,
            profile: false,
            ..self.launch.clone()
        };
        let mut watch = |_: Progress| match go_on() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        let done =
            reconverge_simulator::launch(kernel, &launch, &mut device, self.machine, &mut watch);
        done.map_err(|stopped| stopped.fault)?;
        Ok(bytes)
    }
}

/// The same thing in the usual order of threads and in another one.
pub(super) struct BothOrders<T> {
    pub usual: T,
    pub other: T,
}

impl Describe<'_> {
    /// The bytes of global memory that are one value with that at an address.
    pub fn element_at(&self, memory: &Memory, address: u32) -> Range<u32> {
        let Some(allocation) = memory.allocation_at(address) else {
            return address..address.saturating_add(1);
        };
        let size = allocation.element.as_ref().map_or(1, |ty| ty.size(&self.module.structs).max(1));
        let start = allocation.range.start;
        let at = start + (address - start) / size as u32 * size as u32;
        at..at.saturating_add(size as u32).min(allocation.range.end)
    }

    /// The diagnostic of an order in which memory is another one.
    pub(super) fn memory_differs(
        &self,
        address: u32,
        bytes: BothOrders<&[u8]>,
        stores: BothOrders<&Stores>,
        number: u32,
    ) -> Diagnostic {
        let BothOrders { usual, other } = stores;
        let message = format!(
            "memory after the launch depends on the order in which threads run\n  in kernel '{}'",
            self.request.name
        );
        let differs = usual.first_difference(other);
        let (one, two) = match (differs, usual.last, other.last) {
            (Some((one, two)), ..) => (Some(one), two),
            (None, one, two) => (one, two),
        };
        let span = |store: &Option<Store>| {
            store.map_or(self.request.span, |store| self.span(store.party.place.pc))
        };
        let mut found = Diagnostic::error(code::ORDER, span(&one), message);
        if let Some(one) = one {
            found = found.label(format!("{}, in the usual order", self.does(one)));
        }
        if let Some(two) = two {
            let elsewhere =
                one.is_some_and(|one| (one.space, one.address) != (two.space, two.address));
            let place = if elsewhere { " to another place" } else { "" };
            let label = format!("{}{place}, in order {number}", self.does(two));
            found = found.secondary(self.span(two.party.place.pc), label);
        } else if differs.is_some() {
            found = found.note(format!("in order {number} that thread does not come to do this"));
        }
        let values = self.values(address, bytes.usual, bytes.other);
        found = found.note(format!(
            "{}: {values} in order {number}",
            self.where_is(self.element_at(self.memory, address).start)
        ));
        if differs.is_some() {
            let by = |store: Option<Store>| {
                store.map(|store| {
                    let span = self.span(store.party.place.pc);
                    let (file, line) = (self.sources.name(span.file), self.sources.line(span));
                    format!("{file}:{line} by {}", self.thread(store.party.place))
                })
            };
            let never = || "by the host".to_owned();
            let (one, two) = (by(usual.last), by(other.last));
            found = found.note(format!(
                "that is written at {} in the usual order, at {} in order {number}",
                one.unwrap_or_else(never),
                two.unwrap_or_else(never)
            ));
        }
        found.help(
            "`--check races` says what is not ordered; atomics give the same sum in every order for whole numbers, \
             not for floating-point numbers, which are rounded after each step",
        )
    }

    fn does(&self, store: Store) -> String {
        let Party { place, action, size, value, .. } = store.party;
        let verb = if action == Action::Atomic { "executes an atomic with" } else { "writes" };
        let digits = 2 * size as usize + 2;
        format!("{} {verb} {:#0digits$x}", self.thread(place), value.unwrap_or(0))
    }

    fn where_is(&self, address: u32) -> String {
        match self.memory.allocation_at(address) {
            Some(allocation) => described(&allocation, self.module, self.sources, Some(address)),
            None => self.where_in(reconverge_isa::Space::Global, address),
        }
    }

    /// "1.5 in the usual order, 2.5".
    fn values(&self, address: u32, usual: &[u8], other: &[u8]) -> String {
        let range = self.element_at(self.memory, address);
        let at = |bytes: &[u8]| {
            let (start, end) = (range.start - GLOBAL_BASE, range.end - GLOBAL_BASE);
            let bytes = bytes.get(start as usize..end as usize).unwrap_or_default();
            let element = self.memory.allocation_at(address).and_then(|it| it.element);
            value_at(element.as_ref(), bytes)
        };
        format!("{} in the usual order, {}", at(usual), at(other))
    }
}
