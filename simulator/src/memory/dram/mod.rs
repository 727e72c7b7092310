//! A channel of memory: banks with open rows, and separate queues of reads and writes (book §4.3.3).
//!
//! The slot `dram-scheduler` orders the requests of the current direction. Reads go before writes,
//! until enough writes wait to be drained; a read that has waited for `age-limit` cycles ends a
//! drain.
//!
//! The channel is never stepped cycle by cycle: the cycle of the next command follows from the state,
//! and [`Dram::advance`] executes the commands up to a cycle of the slice.

mod bank;
#[cfg(test)]
mod tests;
mod timing;

use super::bytes::{Bytes, LineSectors};
use super::mapping::{DramAddress, Mapping};
use super::timed::Timed;
use crate::execute::lanes::lanes_of;
use crate::machine::clock::{Clock, NEVER};
use crate::machine::{Dram as Config, Machine};
use crate::mechanisms::allocation::Requester;
use crate::mechanisms::dram_scheduler;
use crate::mechanisms::dram_scheduler::{DramRequest, DramScheduler};
use crate::memory::bytes::SECTOR;
use crate::memory::dram::timing::Timing;
use crate::observe::statistics::Statistics;
use bank::{Action, Bank, Direction, Rank};

/// A command that the channel will execute, unless another request arrives before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Command {
    rank: Rank,
    direction: Direction,
    bank: u8,
}

impl Command {
    fn time(&self) -> u64 {
        self.rank.time
    }
}

/// The next command, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// It must be looked for.
    Unknown,
    /// There is none until a request arrives.
    None,
    Known(Command),
}

/// The places of lines in the channel.
struct Layout {
    mapping: Mapping,
    /// Bytes of a line.
    line: u64,
    /// Sectors of a burst as a power of two; bursts smaller than a line share its sectors.
    sector_shift: u32,
}

/// The requests that wait, by direction where a field has two: which of them are served, and when there is room.
struct Queues {
    capacity: [usize; 2],
    /// The watermarks of writes: at `high` they are drained, until `low` are left.
    high: usize,
    low: usize,
    /// Cycles after which a read ends a drain.
    age_limit: u64,
    /// The banks for which requests wait, and how many wait in all.
    busy: [u128; 2],
    waiting: [usize; 2],
    /// Writes are being drained.
    draining: bool,
    /// Since when a queue is full.
    full_since: [u64; 2],
    /// The number of the next request.
    order: u64,
}

impl Queues {
    fn new(config: &Config) -> Queues {
        Queues {
            capacity: [config.read_queue as usize, config.write_queue as usize],
            high: config.write_high_watermark as usize,
            low: config.write_low_watermark as usize,
            age_limit: u64::from(config.age_limit),
            busy: [0; 2],
            waiting: [0; 2],
            draining: false,
            full_since: [0; 2],
            order: 0,
        }
    }

    /// Returns true if another request of a direction can wait.
    fn has_room(&self, direction: Direction) -> bool {
        self.waiting[direction as usize] < self.capacity[direction as usize]
    }

    /// A request for a bank waits from a cycle on, given that there is room.
    fn push(&mut self, direction: Direction, bank: u8, arrival: u64) {
        let way = direction as usize;
        self.order += 1;
        self.busy[way] |= 1 << bank;
        self.waiting[way] += 1;
        if !self.has_room(direction) {
            self.full_since[way] = arrival;
        }
        self.draining |= direction == Direction::Write && self.waiting[way] >= self.high;
    }

    /// A request, its bank's last one if `is_last`, has left in a cycle: for how many cycles the queue was full until
    /// then.
    fn leave(&mut self, direction: Direction, bank: usize, is_last: bool, time: u64) -> u64 {
        let way = direction as usize;
        if is_last {
            self.busy[way] &= !(1 << bank);
        }
        let full_cycles =
            if self.has_room(direction) { 0 } else { time + 1 - self.full_since[way] };
        self.waiting[way] -= 1;
        self.draining &= direction == Direction::Read || self.waiting[way] > self.low;
        full_cycles
    }

    /// For how many cycles before this one a queue has been full, if it is.
    fn full(&self, direction: Direction, until: u64) -> u64 {
        match self.has_room(direction) {
            true => 0,
            false => until.saturating_sub(self.full_since[direction as usize]),
        }
    }

    /// Returns true if none waits.
    fn is_empty(&self) -> bool {
        self.waiting == [0; 2]
    }
}

/// The bus that banks share: the earliest cycles of commands on its account.
struct Bus {
    /// The earliest read or write by group, in any group, and by direction.
    group_column: Vec<u64>,
    column: u64,
    turned: [u64; 2],
    /// The earliest activation.
    activate: u64,
    /// The direction of the latest read or write.
    moved: Option<Direction>,
}

impl Bus {
    fn new(groups: u32) -> Bus {
        let group_column = vec![0; groups as usize];
        Bus { group_column, column: 0, turned: [0; 2], activate: 0, moved: None }
    }
}

/// The channel's next command if no other request arrives; cycles are those of the slice.
struct Upcoming {
    next: Next,
    /// In which there is something to execute.
    due: u64,
    /// In which a read's data arrives if the next command is its last burst.
    data: u64,
    /// The cycle of the next command.
    room: u64,
}

pub(crate) struct Dram {
    /// From the slice's cycles to those of the command clock, which all cycles here count.
    clock: Clock,
    /// Cycles of the slice from the end of a read's data until the slice has it.
    latency: u64,
    layout: Layout,
    timing: Timing,
    scheduler: Box<dyn DramScheduler>,
    queues: Queues,
    banks: Vec<Bank>,
    bus: Bus,
    /// The earliest command.
    floor: u64,
    /// The next refresh.
    refresh: u64,
    /// The slice's cycle up to which all commands are executed.
    now: u64,
    upcoming: Upcoming,
    /// Reads with data in flight: the cycle in which the slice has it, in that order.
    reads: Timed<u32>,
    /// Banks with an open row, and since when there are some.
    open: u32,
    open_since: u64,
    statistics: Statistics,
    /// Commands with their cycles and banks.
    #[cfg(test)]
    log: Vec<(u64, &'static str, usize)>,
}

impl Dram {
    /// A channel of a machine, or one of its sub-ranks.
    pub(crate) fn new(machine: &Machine) -> Result<Dram, String> {
        let config: &Config = &machine.dram.sub_rank();
        // A sub-rank has its part of each line.
        let line = machine.l2.line / machine.dram.sub_ranks;
        let timing = Timing::new(&config.timing, config.burst_cycles());
        let in_group = config.banks / config.bank_groups;
        let bank = |index: u32| Bank::new((index / in_group) as u8);
        Ok(Dram {
            clock: Clock::new(machine.l2.clock_mhz, config.clock_mhz),
            latency: u64::from(config.latency),
            layout: Layout {
                mapping: Mapping::new(config, line)?,
                line: u64::from(line),
                sector_shift: (config.atom() / SECTOR).ilog2(),
            },
            scheduler: dram_scheduler::list::build(machine)?,
            queues: Queues::new(config),
            banks: (0..config.banks).map(bank).collect(),
            bus: Bus::new(config.bank_groups),
            floor: 0,
            refresh: if timing.refi == 0 { NEVER } else { timing.refi },
            now: 0,
            upcoming: Upcoming { next: Next::None, due: NEVER, data: NEVER, room: NEVER },
            reads: Timed::new(),
            open: 0,
            open_since: 0,
            statistics: Statistics::default(),
            timing,
            #[cfg(test)]
            log: Vec::new(),
        })
    }

    /// Returns true if another read can wait.
    pub(crate) fn has_read_room(&self) -> bool {
        self.queues.has_room(Direction::Read)
    }

    /// Returns true if another write can wait.
    pub(crate) fn has_write_room(&self) -> bool {
        self.queues.has_room(Direction::Write)
    }

    /// Takes a read of sectors of a line for an MSHR in the slice's cycle `now`, up to which the
    /// channel has been advanced; there must be room. Sectors that a waiting write holds are taken
    /// from it.
    pub(crate) fn push_read(
        &mut self,
        reader: u32,
        LineSectors { line, sectors }: LineSectors,
        by: Requester,
        now: u64,
    ) {
        let address = self.layout.mapping.locate(line * self.layout.line);
        let writes = &self.banks[usize::from(address.bank)].waiting[Direction::Write as usize];
        let brings = |write: &DramRequest| write.line == line && sectors & !write.whole == 0;
        if writes.iter().any(brings) {
            self.statistics.dram_forwards += 1;
            self.statistics.dram_forwarded_bytes += u64::from(SECTOR * sectors.count_ones());
            let done = now + self.latency;
            self.reads.insert(done, reader);
            return;
        }
        self.push(Direction::Read, reader, by, line, address, [sectors, 0]);
    }

    /// Takes a write of bytes of a line, as [`Dram::push_read`] does a read. It joins a waiting write
    /// of that line.
    pub(crate) fn push_write(&mut self, line: u64, written: &Bytes, by: Requester) {
        let (sectors, whole) = (written.sectors(), written.whole());
        let address = self.layout.mapping.locate(line * self.layout.line);
        let bursts = |sectors| bursts(sectors, self.layout.sector_shift);
        let writes = &mut self.banks[usize::from(address.bank)].waiting[Direction::Write as usize];
        // A write of which something has left cannot be joined.
        let open =
            |write: &&mut DramRequest| write.line == line && write.bursts == bursts(write.sectors);
        if let Some(write) = writes.iter_mut().find(open) {
            write.sectors |= sectors;
            write.whole |= whole;
            write.bursts = bursts(write.sectors);
            return;
        }
        self.push(Direction::Write, 0, by, line, address, [sectors, whole]);
    }

    /// Takes a request of sectors of a line, some of which a write covers wholly.
    fn push(
        &mut self,
        direction: Direction,
        reader: u32,
        requester: Requester,
        line: u64,
        address: DramAddress,
        [sectors, whole]: [u8; 2],
    ) {
        if self.queues.is_empty() {
            self.refresh_rested();
        }
        let arrival = self.seen() + 1;
        let request = DramRequest {
            requester,
            reader,
            line,
            sectors,
            whole,
            row: address.row,
            bursts: bursts(sectors, self.layout.sector_shift),
            arrival,
            order: self.queues.order,
            opened: false,
        };
        self.floor = self.floor.max(arrival);
        self.banks[usize::from(address.bank)].push(direction, request, &*self.scheduler);
        self.queues.push(direction, address.bank, arrival);
        if let Some(next) = self.reconsider(direction, address.bank) {
            self.set_next(next);
        }
        if let Next::Known(command) = self.upcoming.next {
            debug_assert_eq!(Some(command), self.choose());
        }
    }

    /// Another request waits for a bank. Returns the next command if it changes. No other bank
    /// needs a different or an earlier command than before, because commands up to this cycle are
    /// executed.
    fn reconsider(&self, direction: Direction, bank: u8) -> Option<Next> {
        let Next::Known(known) = self.upcoming.next else {
            return Some(Next::Unknown);
        };
        let other_reads = self.queues.waiting[Direction::Read as usize] > 1;
        match (known.direction, direction) {
            (Direction::Read, _) if self.queues.draining => Some(Next::Unknown),
            (Direction::Write, Direction::Read) if !other_reads => Some(Next::Unknown),
            (chosen, direction) if chosen != direction => None,
            _ => {
                let wish = self.wish(direction, bank, self.floor);
                match wish.rank <= known.rank {
                    true => (wish != known).then_some(Next::Known(wish)),
                    false => (known.bank == bank).then_some(Next::Unknown),
                }
            }
        }
    }

    /// All commands up to this cycle are executed.
    fn seen(&self) -> u64 {
        self.clock.at_or_before(self.now)
    }

    /// Executes every command up to the cycle that has started when cycle `now` of the slice starts.
    #[inline]
    pub(crate) fn advance(&mut self, now: u64) {
        self.now = now;
        if self.upcoming.due <= now {
            self.catch_up();
        }
    }

    fn catch_up(&mut self) {
        let limit = self.seen();
        while let Some(command) = self.next_command() {
            if self.refresh <= command.time().min(limit) {
                self.refresh_all();
            } else if command.time() <= limit {
                self.execute(command);
            } else {
                break;
            }
        }
    }

    /// Does the refreshes of a channel at which nothing waited: all but the last one leave no trace.
    fn refresh_rested(&mut self) {
        let seen = self.seen();
        while self.refresh <= seen {
            self.refresh_all();
            if self.refresh <= seen {
                let rests = (seen - self.refresh) / self.timing.refi;
                self.refresh += rests * self.timing.refi;
                self.statistics.dram_refreshes += rests;
            }
        }
    }

    fn next_command(&mut self) -> Option<Command> {
        match self.upcoming.next {
            Next::None => None,
            Next::Known(command) => Some(command),
            Next::Unknown => {
                let command = self.choose();
                self.set_next(command.map_or(Next::None, Next::Known));
                command
            }
        }
    }

    fn set_next(&mut self, next: Next) {
        let back = self.clock.inverse();
        let (due, data, room) = match next {
            Next::Unknown => (0, 0, 0),
            Next::None => (NEVER, NEVER, NEVER),
            Next::Known(command) => {
                let time = command.time();
                let end = time.saturating_add(self.timing.cl + self.timing.burst);
                let data = back.at_or_after(end).saturating_add(self.latency);
                let room = back.at_or_after(time);
                let due = if self.refresh < time { back.at_or_after(self.refresh) } else { room };
                (due, data, room)
            }
        };
        self.upcoming = Upcoming { next, due, data, room };
    }

    /// The next command and its cycle, if no request arrives before.
    fn choose(&self) -> Option<Command> {
        let [reads, writes] = self.queues.waiting;
        if writes == 0 || reads != 0 && !self.queues.draining {
            return self.best(Direction::Read, self.floor);
        }
        let command = self.best(Direction::Write, self.floor)?;
        if reads == 0 {
            return Some(command);
        }
        // A read that has waited long enough ends a drain.
        let reads = self.banks.iter().filter_map(|bank| bank.waiting[0].first());
        let urgent = reads.map(|read| read.arrival).min()? + self.queues.age_limit;
        if command.time() < urgent {
            return Some(command);
        }
        self.best(Direction::Read, self.floor.max(urgent))
    }

    /// The best command for the requests of a direction, from a cycle on.
    fn best(&self, direction: Direction, floor: u64) -> Option<Command> {
        let bounds = self.bounds(direction, floor);
        let mut best: Option<u8> = None;
        let mut first = Rank::LAST;
        let busy = self.queues.busy[direction as usize];
        for (group, half) in [(0, busy as u64), (64, (busy >> 64) as u64)] {
            for place in lanes_of(half) {
                // Most are distinguished by their cycles, many of these without the bounds.
                let bank = &self.banks[group + place];
                if bank.least(direction) > first.time {
                    continue;
                }
                let time = self.time(direction, bank, bounds);
                if time > first.time {
                    continue;
                }
                let rank = bank.rank(direction, time);
                if best.is_none() || rank < first {
                    (best, first) = (Some((group + place) as u8), rank);
                }
            }
        }
        best.map(|bank| Command { rank: first, direction, bank })
    }

    /// The earliest cycles of a read or write of a direction in any group, of an activation, and of any command.
    fn bounds(&self, direction: Direction, floor: u64) -> [u64; 3] {
        [self.bus.column.max(self.bus.turned[direction as usize]), self.bus.activate, floor]
    }

    /// The cycle of the next command for a bank's requests of a direction, of which there is at
    /// least one.
    #[inline]
    fn time(&self, direction: Direction, bank: &Bank, bounds: [u64; 3]) -> u64 {
        let [column, activate, floor] = bounds;
        let column = column.max(self.bus.group_column[usize::from(bank.group)]);
        bank.time(direction, [column, activate, floor])
    }

    /// The next command for a bank's requests of a direction, of which there is at least one, from
    /// a cycle on.
    fn wish(&self, direction: Direction, index: u8, floor: u64) -> Command {
        let bank = &self.banks[usize::from(index)];
        let time = self.time(direction, bank, self.bounds(direction, floor));
        Command { rank: bank.rank(direction, time), direction, bank: index }
    }

    fn execute(&mut self, command: Command) {
        let (time, direction) = (command.time(), command.direction);
        let bank = usize::from(command.bank);
        // Executing it looks for the next command.
        self.upcoming.next = Next::Unknown;
        self.floor = time + 1;
        match self.banks[bank].action(direction, time) {
            Action::Precharge => {
                self.banks[bank].precharged(time, &self.timing, &*self.scheduler);
                self.statistics.dram_precharges += 1;
                self.close(1, time);
                self.note(time, "precharge", bank);
            }
            Action::Activate(index) => {
                let request = &mut self.banks[bank].waiting[direction as usize][index as usize];
                request.opened = true;
                let row = request.row;
                self.banks[bank].activated(row, time, &self.timing, &*self.scheduler);
                self.bus.activate = time + self.timing.rrd;
                self.statistics.dram_activates += 1;
                if self.open == 0 {
                    self.open_since = time;
                }
                self.open += 1;
                self.note(time, "activate", bank);
            }
            Action::Column(index) => self.access(time, direction, bank, index as usize),
        }
    }

    /// So many banks have closed their rows in a cycle.
    fn close(&mut self, banks: u32, time: u64) {
        self.open -= banks;
        if self.open == 0 {
            self.statistics.dram_active_cycles += time - self.open_since;
        }
    }

    /// Reads or writes a burst.
    fn access(&mut self, time: u64, direction: Direction, bank: usize, index: usize) {
        let (way, timing) = (direction as usize, &self.timing);
        self.bus.column = time + timing.ccd_s;
        self.bus.group_column[usize::from(self.banks[bank].group)] = time + timing.ccd_l;
        match direction {
            Direction::Read => {
                let bus_free = time + timing.cl + timing.burst + timing.turn;
                self.bus.turned[Direction::Write as usize] = bus_free.saturating_sub(timing.wl);
            }
            Direction::Write => {
                self.bus.turned[Direction::Read as usize] =
                    time + timing.wl + timing.burst + timing.cdlr;
            }
        }
        self.banks[bank].accessed(direction, time, &self.timing);
        if self.bus.moved.is_some_and(|moved| moved != direction) {
            self.statistics.dram_turnarounds += 1;
        }
        self.bus.moved = Some(direction);
        self.statistics.dram_busy_cycles += self.timing.burst;
        match direction {
            Direction::Read => self.statistics.dram_reads += 1,
            Direction::Write => self.statistics.dram_writes += 1,
        }
        let request = &mut self.banks[bank].waiting[way][index];
        request.bursts -= 1;
        if request.bursts == 0 {
            self.finish(time, direction, bank, index);
        }
        self.note(time, if direction == Direction::Read { "read" } else { "write" }, bank);
    }

    /// The last burst of a request is requested.
    fn finish(&mut self, time: u64, direction: Direction, bank: usize, index: usize) {
        let request = self.banks[bank].remove(direction, index, &*self.scheduler);
        let is_last = self.banks[bank].waiting[direction as usize].is_empty();
        let full_cycles = self.queues.leave(direction, bank, is_last, time);
        let bytes = u64::from(SECTOR * request.sectors.count_ones());
        let statistics = &mut self.statistics;
        statistics.dram_requests += 1;
        statistics.dram_wait_cycles += time - request.arrival;
        if request.opened {
            statistics.dram_row_misses += 1;
        } else {
            statistics.dram_row_hits += 1;
        }
        match direction {
            Direction::Read => {
                statistics.dram_read_bytes += bytes;
                statistics.dram_read_full_cycles += full_cycles;
                let end = time + self.timing.cl + self.timing.burst;
                let done = self.clock.inverse().at_or_after(end) + self.latency;
                self.reads.insert(done, request.reader);
            }
            Direction::Write => {
                statistics.dram_write_bytes += bytes;
                statistics.dram_write_full_cycles += full_cycles;
            }
        }
    }

    /// Refreshes all banks: closes open rows, as soon as possible, then refreshes.
    fn refresh_all(&mut self) {
        let start = self.closing();
        if self.open != 0 {
            self.note(start, "precharge all", 0);
            self.statistics.dram_precharges += u64::from(self.open);
            self.close(self.open, start);
            for bank in self.banks.iter_mut().filter(|bank| bank.row.is_some()) {
                bank.precharged(start, &self.timing, &*self.scheduler);
            }
        }
        let start = self.banks.iter().map(Bank::closed).fold(start, u64::max);
        for bank in &mut self.banks {
            bank.refreshed(start, &self.timing, &*self.scheduler);
        }
        self.note(start, "refresh", 0);
        self.statistics.dram_refreshes += 1;
        self.refresh += self.timing.refi;
        self.floor = self.floor.max(start + 1);
        self.set_next(if self.queues.is_empty() { Next::None } else { Next::Unknown });
    }

    /// The cycle in which the next refresh closes open rows, if nothing else happens before.
    fn closing(&self) -> u64 {
        let open = self.banks.iter().filter_map(Bank::precharge_for_refresh);
        open.fold(self.refresh.max(self.floor), u64::max)
    }

    #[cfg(test)]
    fn note(&mut self, time: u64, command: &'static str, bank: usize) {
        self.log.push((time, command, bank));
    }

    #[cfg(not(test))]
    fn note(&mut self, _: u64, _: &'static str, _: usize) {}

    /// The MSHR of a read whose data has arrived.
    pub(crate) fn done(&self, now: u64) -> Option<u32> {
        self.reads.due(now).map(|(_, reader)| *reader)
    }

    /// Forgets the read that [`Dram::done`] returned.
    pub(crate) fn pop_done(&mut self) {
        self.reads.pop();
    }

    /// The slice's cycle in which a read's data arrives, or may arrive if no other request does.
    /// The end of the last write counts when no read is in flight.
    pub(crate) fn next_data(&mut self) -> u64 {
        let ready = self.reads.next();
        self.find_next();
        if self.queues.waiting[Direction::Read as usize] != 0 {
            // No read can arrive sooner than one whose last burst is requested next.
            return ready.min(self.upcoming.data);
        }
        if ready == NEVER { self.upcoming.room } else { ready }
    }

    /// The slice's cycle in which there may be room for another request.
    pub(crate) fn next_room(&mut self) -> u64 {
        self.find_next();
        self.upcoming.room
    }

    fn find_next(&mut self) {
        if matches!(self.upcoming.next, Next::Unknown) {
            self.next_command();
        }
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.queues.is_empty() && self.reads.is_empty()
    }

    /// The counters until a cycle starts, queues that are still full included.
    pub(crate) fn counters(&self, cycle: u64) -> Statistics {
        let mut total = self.statistics(cycle);
        let until = self.clock.at_or_after(cycle);
        let [read, write] =
            [Direction::Read, Direction::Write].map(|way| self.queues.full(way, until));
        total.dram_read_full_cycles += read;
        total.dram_write_full_cycles += write;
        total
    }

    /// The counters, for a run of `cycles` cycles of the slice, at the end of which nothing waits.
    pub(crate) fn statistics(&self, cycles: u64) -> Statistics {
        let mut total = self.statistics.clone();
        total.dram_capacity_cycles = self.clock.at_or_after(cycles);
        let end = self.clock.at_or_before(cycles.saturating_sub(1));
        if self.open != 0 {
            let until = self.closing().min(total.dram_capacity_cycles);
            total.dram_active_cycles += until.saturating_sub(self.open_since);
        }
        if self.refresh <= end {
            total.dram_precharges += u64::from(self.open);
            total.dram_refreshes += 1 + (end - self.refresh) / self.timing.refi;
        }
        total
    }
}

/// Bursts that the sectors of a line take, with `1 << shift` sectors each.
fn bursts(sectors: u8, shift: u32) -> u32 {
    let each = (1u32 << (1 << shift)) - 1;
    let mut left = u32::from(sectors);
    let mut count = 0;
    while left != 0 {
        let start = left.trailing_zeros() >> shift << shift;
        left &= !(each << start);
        count += 1;
    }
    count
}
