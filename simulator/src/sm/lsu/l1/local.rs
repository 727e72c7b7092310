//! Transactions of local memory in the L1 and in the cache of the slot `local-cache` beside it:
//! Algorithms 1 and 2 of the affine vector cache (AVC §4.3), and the points that they leave open
//! (`spec/machine.md`).
//!
//! If the cache has a valid word of local memory, the L1's copy of it is out of date. `global.rs`
//! treats global memory, of which it may have vectors too.

use std::collections::VecDeque;

use super::{L1, LineAccessed, LineWaiter};
use crate::handles::LoadId;
use crate::machine::Machine;
use crate::machine::clock::NEVER;
use crate::mechanisms::allocation::Requester;
use crate::mechanisms::local_cache;
use crate::mechanisms::local_cache::{LocalCache, Origin, Outcome, Space, Transaction, Victim};
use crate::memory::bytes::{Bytes, LineSectors, SECTOR};
use crate::memory::coalesce::{LineAccess, LineKind};
use crate::memory::mshr::{MshrId, Outstanding};
use crate::memory::packet::{LOCAL_ARENAS, Packet, RequestKind, Waiter};
use crate::sm::lsu::loads::Loads;
use crate::sm::lsu::request::LsuPorts;

/// Number of a transaction that waits for its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TransactionId(u32);

/// The cache of local memory beside an L1, and the requests that wait for it.
pub(super) struct Local {
    pub(super) cache: Box<dyn LocalCache>,
    /// Loads whose lines are in flight, by number; and numbers that are free.
    waiting: Vec<(LoadId, Transaction)>,
    free: Vec<TransactionId>,
    /// Arrived words to be put into the cache.
    pub(super) fills: VecDeque<Fill>,
}

/// Words of local or global memory that have arrived.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fill {
    pub(super) line: u64,
    pub(super) transaction: Transaction,
    /// The load that ends with it, unless the first level serves it.
    pub(super) load: Option<LoadId>,
    /// Not before this cycle.
    pub(super) ready: u64,
}

impl Local {
    pub(super) fn new(machine: &Machine) -> Result<Option<Local>, String> {
        let cache = local_cache::list::build(machine)?;
        Ok(cache.map(|cache| Local {
            cache,
            waiting: Vec::new(),
            free: Vec::new(),
            fills: VecDeque::new(),
        }))
    }

    pub(super) fn cache(&self) -> &dyn LocalCache {
        &*self.cache
    }

    fn wait(&mut self, load: LoadId, transaction: Transaction) -> TransactionId {
        match self.free.pop() {
            Some(id) => {
                self.waiting[id.0 as usize] = (load, transaction);
                id
            }
            None => {
                self.waiting.push((load, transaction));
                TransactionId(self.waiting.len() as u32 - 1)
            }
        }
    }

    /// A transaction does not wait any more.
    fn take(&mut self, id: TransactionId) -> (LoadId, Transaction) {
        self.free.push(id);
        self.waiting[id.0 as usize]
    }

    /// The cycle in which a fill of the cache is possible.
    pub(super) fn next(&self) -> u64 {
        self.fills.front().map_or(NEVER, |fill| fill.ready)
    }

    /// Returns true if nothing waits.
    pub(super) fn is_idle(&self) -> bool {
        self.fills.is_empty() && self.free.len() == self.waiting.len()
    }
}

impl L1 {
    /// The slot `local-cache`, if something fills it.
    pub(crate) fn local_cache(&self) -> Option<&dyn LocalCache> {
        self.local.as_ref().map(Local::cache)
    }

    /// Passes the outcome of an access to the slot `local-cache`.
    pub(super) fn observe_local(&mut self, outcome: Outcome) {
        if let Some(local) = &mut self.local {
            local.cache.observe(outcome);
        }
    }

    /// Returns true if a line, given its number, is of local memory.
    pub(super) fn is_local(&self, line: u64) -> bool {
        line >= self.line_number(LOCAL_ARENAS)
    }

    /// From the lookup of a hit of a line until its words are in registers.
    pub(super) fn latency_of(&self, line: u64) -> u64 {
        let decodes = |local: &&Local| local.cache.keeps_global() || self.is_local(line);
        let more = self.local.as_ref().filter(decodes);
        self.latency + more.map_or(0, |local| local.cache.latency())
    }

    /// The load that waits for a line.
    pub(super) fn waiter(local: &mut Option<Local>, waiter: LineWaiter) -> Option<LoadId> {
        match waiter {
            LineWaiter::Load(load) => Some(load),
            LineWaiter::Transaction(id) => local.as_mut().map(|local| local.take(id).0),
            LineWaiter::EarlyLoad(_) => None,
        }
    }

    /// One pass of a transaction, in the cache or in the first level.
    pub(crate) fn access_local(
        &mut self,
        access: &LineAccess,
        transaction: &Transaction,
        load: Option<LoadId>,
        by: Requester,
        ports: &mut LsuPorts,
    ) -> LineAccessed {
        let line = self.line_number(access.line);
        match (access.kind, load) {
            (LineKind::Load, Some(load)) => self.load_vector(line, transaction, load, by, ports),
            _ => self.store_vector(line, transaction, by, ports),
        }
    }

    /// Algorithm 1. A transaction some of whose words are in the cache is replayed for the others.
    fn load_vector(
        &mut self,
        line: u64,
        transaction: &Transaction,
        load: LoadId,
        by: Requester,
        ports: &mut LsuPorts,
    ) -> LineAccessed {
        let Some(local) = &mut self.local else {
            return LineAccessed::Stalled;
        };
        let found = local.cache.load(line, transaction.lanes);
        let rest = transaction.lanes & !found;
        if found != 0 && rest != 0 {
            local.cache.observe(Outcome::PartialHit(Space::Local));
            return LineAccessed::Again(rest);
        }
        if rest == 0 {
            local.cache.observe(Outcome::Hit(Space::Local));
            return LineAccessed::Done(ports.now + self.latency_of(line));
        }
        let id = local.wait(load, *transaction);
        let sectors = Bytes::of_words(transaction.lanes).sectors();
        let waiter = LineWaiter::Transaction(id);
        let done = self.load_line(LineSectors { line, sectors }, load, waiter, by, None, ports);
        if done != LineAccessed::Sent {
            Self::waiter(&mut self.local, waiter);
        }
        if matches!(done, LineAccessed::Sent | LineAccessed::Done(_)) {
            self.observe_local(Outcome::Miss(Space::Local));
        }
        done
    }

    /// Algorithm 2. Before words can be kept, vectors may have to be written back, a pass each.
    fn store_vector(
        &mut self,
        line: u64,
        transaction: &Transaction,
        by: Requester,
        ports: &mut LsuPorts,
    ) -> LineAccessed {
        let Some(local) = &mut self.local else {
            return LineAccessed::Stalled;
        };
        if transaction.affine != 0 {
            if let Some(victim) = local.cache.victim(line, transaction) {
                if !ports.memory.accepts() {
                    return LineAccessed::Waits { room: true };
                }
                self.evict_vector(&victim, ports);
                return LineAccessed::Again(transaction.lanes);
            }
            local.cache.put(line, transaction, Origin::Stored);
            let rest = transaction.lanes & !transaction.affine;
            local.cache.observe(Outcome::Stored { replayed: rest != 0 });
            if rest != 0 {
                return LineAccessed::Again(rest);
            }
            return LineAccessed::Sent;
        }
        let bytes = Bytes::of_words(transaction.lanes);
        let done = self.store_local(line, &bytes, by, ports);
        if let (LineAccessed::Sent, Some(local)) = (done, &mut self.local) {
            local.cache.clear(line, transaction.lanes);
        }
        done
    }

    /// Writes bytes of a line of local memory to the next level.
    pub(super) fn write_line(&self, line: u64, bytes: &Bytes, by: Requester, ports: &mut LsuPorts) {
        self.write_as(RequestKind::Write, line, bytes, by, ports);
    }

    /// Writes bytes of a line of local memory to the next level by a kind of write.
    fn write_as(
        &self,
        kind: RequestKind,
        line: u64,
        bytes: &Bytes,
        by: Requester,
        ports: &mut LsuPorts,
    ) {
        let sectors = bytes.sectors();
        ports.statistics.local_writes += 1;
        ports.statistics.local_write_bytes += u64::from(SECTOR * sectors.count_ones());
        let (line, waiter) = (line << self.line_shift, Waiter::Nobody);
        ports.memory.write(Packet { by, kind, waiter, line, sectors }, bytes, ports.now);
    }

    /// Writes a vector back: with the L1's words of its line beyond those of the cache, and without
    /// leaving a copy there.
    fn evict_vector(&mut self, victim: &Victim, ports: &mut LsuPorts) {
        let Some(local) = &mut self.local else {
            return;
        };
        let mut bytes = Bytes::of_words(victim.lanes);
        let mut rest = Bytes::default();
        if let Some(copy) = self.cache.dirty_bytes(victim.line) {
            rest = copy.minus(&Bytes::of_words(local.cache.valid(victim.line)));
            bytes.join(&rest);
        }
        let size = |bytes: &Bytes| SECTOR * bytes.sectors().count_ones();
        let compressed = local.cache.compressed().map(|vector| vector + size(&rest));
        let compressed = compressed.filter(|compressed| *compressed < size(&bytes));
        let saved = compressed.map(|compressed| size(&bytes) - compressed);
        local.cache.evict(victim);
        local.cache.observe(Outcome::WrittenBack { merged: rest.sectors() != 0, saved });
        self.cache.invalidate(victim.line);
        let kind = match compressed {
            // It is less than a line of 128 bytes.
            Some(compressed) => RequestKind::CompressedWrite { bytes: compressed as u8 },
            None => RequestKind::Write,
        };
        self.write_as(kind, victim.line, &bytes, ports.nobody(), ports);
    }

    /// The bytes of an evicted line that are not out of date.
    pub(super) fn up_to_date(&self, line: u64, bytes: Bytes) -> Bytes {
        match &self.local {
            Some(local) => bytes.minus(&Bytes::of_words(local.cache.valid(line))),
            None => bytes,
        }
    }

    /// A line has arrived for transactions. Words that can be kept go to the cache, unless the L1
    /// has words of the line that are not in memory. Returns true if that is all, and the L1 gets
    /// nothing.
    // Out of line: every cycle of the load/store unit would pass by it, on machines without the slot too.
    #[inline(never)]
    pub(super) fn fill_local(&mut self, entry: MshrId, ports: &mut LsuPorts) -> bool {
        let miss = *self.mshrs.get(entry);
        let Outstanding { line, .. } = miss;
        let Some(local) = &mut self.local else {
            return false;
        };
        if self.cache.dirty_bytes(line).is_some() {
            return false;
        }
        let transaction = |waiter: &LineWaiter| match waiter {
            LineWaiter::Transaction(id) => Some(local.waiting[id.0 as usize]),
            _ => None,
        };
        let all: Vec<_> = self.mshrs.waiters(entry).iter().map(transaction).collect();
        let is_kept = |it: &Option<(LoadId, Transaction)>| {
            it.is_some_and(|(_, transaction)| transaction.affine == transaction.lanes)
        };
        let is_all = all.iter().all(is_kept);
        let ready = ports.now + 1;
        for (load, transaction) in all.into_iter().flatten().filter(|(_, it)| it.affine != 0) {
            let transaction = transaction.within(transaction.affine);
            let load = Some(load).filter(|_| is_all);
            local.fills.push_back(Fill { line, transaction, load, ready });
        }
        self.next_replay = self.next_replay.min(local.next());
        if is_all {
            self.pass_by(&miss, ports);
            self.mshrs.finish(entry, |waiter| {
                Self::waiter(&mut self.local, waiter);
            });
        }
        is_all
    }

    /// Puts arrived words into the cache, or writes back a vector that occupies their way. Returns
    /// true if there was something to do.
    #[cold]
    pub(super) fn replay_local(&mut self, loads: &mut Loads, ports: &mut LsuPorts) -> bool {
        let first_local = self.line_number(LOCAL_ARENAS);
        let Some(local) = &mut self.local else {
            return false;
        };
        let Some(fill) = local.fills.front_mut().filter(|fill| fill.ready <= ports.now) else {
            return false;
        };
        // Words stored since are newer.
        let line = fill.line;
        let is_local = line >= first_local;
        let newer = match self.cache.dirty_bytes(line) {
            _ if !is_local => 0,
            Some(_) => u32::MAX,
            None => local.cache.valid(line),
        };
        let transaction = fill.transaction.within(!newer);
        if transaction.lanes != 0 && (is_local || local.cache.fits(line, &transaction)) {
            if let Some(victim) = local.cache.victim(line, &transaction) {
                fill.ready = ports.now + 1;
                let accepts = ports.memory.accepts();
                if accepts {
                    self.evict_vector(&victim, ports);
                }
                return accepts;
            }
            let (origin, space) = match is_local {
                true => (Origin::Fetched, Space::Local),
                false => (Origin::Global, Space::Global),
            };
            local.cache.put(line, &transaction, origin);
            local.cache.observe(Outcome::Filled(space));
        }
        if let Some(load) = fill.load {
            loads.finish_part(load, ports.now + self.latency + local.cache.latency());
        }
        local.fills.pop_front();
        true
    }

    /// The cycle in which the next load is replayed, or a fill of the cache of local memory is
    /// possible.
    pub(super) fn next_replay(&self) -> u64 {
        let replay = self.replays.front().map_or(NEVER, |replay| replay.ready);
        replay.min(self.local.as_ref().map_or(NEVER, Local::next))
    }
}
