//! Results on their way to registers.
//!
//! Source: Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of
//! Modern GPU Cores", MICRO 2025, §5.3. Each bank has a write port. A result of fixed latency is
//! forwarded, and waits in a result queue if the port of its bank is taken; none of its readers is
//! delayed. A result of varying latency that arrives in the same cycle as one of fixed latency is
//! delayed. Data of loads arrive at 512 bits a cycle (§5.4). Ours: among loads of a warp that have to end in
//! the order of their issue, one that is delayed also delays those that arrive in the same cycle.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::allocate::BANKS;
use super::slots::Slots;
use crate::handles::{Token, WarpSlot};
use crate::machine::clock::NEVER;
use crate::mechanisms::register_file::ResultRegisters;
use crate::sm::audit::ResultId;
use crate::sm::lsu::loads::Load;

/// A result of varying latency whose arrival is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    /// The cycle from which it can be read.
    pub(crate) ready: u64,
    /// Which it is, and what it writes.
    pub(crate) id: ResultId,
    pub(crate) load: Load,
    /// Its warp, and the scheduler of that.
    pub(crate) warp: WarpSlot,
    pub(crate) scheduler: usize,
    /// The cycle in which it started in its pipe, if it has one.
    pub(crate) start: u64,
}

impl Arrival {
    /// The name of an instruction that is no load.
    pub(crate) fn token(&self) -> Option<Token> {
        match self.id {
            ResultId::Collecting(token) => Some(token),
            _ => None,
        }
    }
}

/// Results that have not been written.
pub(crate) struct Results {
    /// By scheduler and bank: the cycles in which the port writes.
    ports: Vec<[Slots; BANKS]>,
    /// By scheduler: the cycle from which data of another load can arrive.
    free: Vec<u64>,
    /// By arrival, in the order in which they became known.
    waiting: BinaryHeap<Reverse<(u64, u64, usize)>>,
    arrivals: Vec<Option<Arrival>>,
    vacant: Vec<usize>,
    known: u64,
    /// A cycle, and the warps whose ordered loads were delayed in it.
    delayed: (u64, Vec<WarpSlot>),
}

impl Results {
    pub(crate) fn new(schedulers: u32) -> Results {
        let ports = || [Slots::new(1), Slots::new(1)];
        Results {
            ports: (0..schedulers).map(|_| ports()).collect(),
            free: vec![0; schedulers as usize],
            waiting: BinaryHeap::new(),
            arrivals: Vec::new(),
            vacant: Vec::new(),
            known: 0,
            delayed: (0, Vec::new()),
        }
    }

    /// A result of fixed latency can be read from a cycle on, and is written then or soon after.
    #[inline]
    pub(crate) fn forward(
        &mut self,
        scheduler: usize,
        result: Option<&ResultRegisters>,
        end: u64,
        now: u64,
    ) {
        let Some(result) = result else { return };
        let ports = &mut self.ports[scheduler];
        for register in result.register..result.register + u16::from(result.words) {
            let port = &mut ports[usize::from(register) % BANKS];
            port.advance(now);
            port.take_first(end);
        }
    }

    /// The arrival of a result of varying latency is known.
    pub(crate) fn await_arrival(&mut self, arrival: Arrival) {
        let at = self.vacant.pop().unwrap_or_else(|| {
            self.arrivals.push(None);
            self.arrivals.len() - 1
        });
        self.waiting.push(Reverse((arrival.ready, self.known, at)));
        self.arrivals[at] = Some(arrival);
        self.known += 1;
    }

    /// The next cycle in which a result arrives.
    #[inline]
    pub(crate) fn next_event(&self) -> u64 {
        self.waiting.peek().map_or(NEVER, |Reverse((ready, ..))| *ready)
    }

    /// A result that arrives in this cycle.
    pub(crate) fn take(&mut self, now: u64) -> Option<Arrival> {
        while let Some(&Reverse((ready, order, at))) = self.waiting.peek()
            && ready <= now
        {
            self.waiting.pop();
            let is_ordered = self.arrivals[at].as_ref()?.load.is_ordered;
            let later = match is_ordered {
                true => self.written_in_order(at, now),
                false => self.written(at, now),
            };
            if later > now {
                self.waiting.push(Reverse((later, order, at)));
                continue;
            }
            self.vacant.push(at);
            return self.arrivals[at].take();
        }
        None
    }

    /// The same as [`Results::written`] for a load that ends in order.
    #[cold]
    fn written_in_order(&mut self, at: usize, now: u64) -> u64 {
        let Some(warp) = self.arrivals[at].as_ref().map(|arrival| arrival.warp) else { return now };
        if self.delayed.0 != now {
            self.delayed.0 = now;
            self.delayed.1.clear();
        }
        let later = match self.delayed.1.contains(&warp) {
            true => now + 1,
            false => self.written(at, now),
        };
        if later > now {
            self.delayed.1.push(warp);
        }
        later
    }

    /// The cycle in which a result that arrives now is written: this one if it takes the ports.
    fn written(&mut self, at: usize, now: u64) -> u64 {
        let Results { arrivals, free, ports, .. } = self;
        let Some(Arrival { load, scheduler, .. }) = &arrivals[at] else { return now };
        let Some(result) = &load.result else { return now };
        let transfer = u64::from(load.cycles);
        let free = &mut free[*scheduler];
        if *free + transfer > now {
            return *free + transfer;
        }
        let ports = &mut ports[*scheduler];
        let registers = result.register..result.register + u16::from(result.words);
        let banks = registers.map(|register| usize::from(register) % BANKS);
        let mut is_taken = false;
        for bank in banks.clone() {
            ports[bank].advance(now);
            is_taken |= ports[bank].left(now) == 0;
        }
        if is_taken {
            return now + 1;
        }
        // If a bank has several of its registers, the port has written the others in the cycles before.
        for bank in banks {
            if ports[bank].left(now) != 0 {
                ports[bank].take(now);
            }
        }
        if transfer != 0 {
            *free = now;
        }
        now
    }

    /// Returns true if nothing is awaited.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}
