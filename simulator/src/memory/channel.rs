//! A channel with its sub-ranks: parts of its chips that are given commands of their own.
//!
//! Source: Rhu's dissertation, §5.2.1 and Figure 5.3 (LAMAR): two sub-ranks, each of which moves a
//! sector in a burst. A request of several sectors is several commands, for which the channel has a
//! command slot a cycle for each sub-rank. Here a sub-rank is a channel with its part of the chips:
//! its own queues, banks with open rows, and data bus. Neighbouring sectors lie in different ones.
//! A channel of one sub-rank is an ordinary one.

use super::bytes::{Bytes, LineSectors};
use super::dram::Dram;
use crate::machine::Machine;
use crate::machine::clock::NEVER;
use crate::mechanisms::allocation::Requester;
use crate::memory::bytes::SECTOR;
use crate::observe::statistics::Statistics;

pub(super) struct Channel {
    ranks: Vec<Dram>,
    /// By sub-rank: its sectors of a line.
    sectors: Vec<u8>,
    /// By MSHR: sub-ranks whose data is outstanding.
    parts: Vec<u8>,
    /// The MSHR whose data is complete and not yet reported.
    complete: Option<u32>,
}

impl Channel {
    pub(super) fn new(machine: &Machine) -> Result<Channel, String> {
        let ranks = machine.dram.sub_ranks;
        let of = |rank: u32| {
            let sectors = (0..machine.l2.line / SECTOR).filter(|sector| sector % ranks == rank);
            sectors.fold(0u8, |all, sector| all | 1 << sector)
        };
        Ok(Channel {
            ranks: (0..ranks).map(|_| Dram::new(machine)).collect::<Result<_, _>>()?,
            sectors: (0..ranks).map(of).collect(),
            parts: vec![0; machine.l2.mshrs as usize],
            complete: None,
        })
    }

    /// The sub-ranks with the sectors that each has of some.
    fn split(&self, sectors: u8) -> impl Iterator<Item = (usize, u8)> + use<> {
        let own: Vec<u8> = self.sectors.iter().map(|own| own & sectors).collect();
        own.into_iter().enumerate().filter(|(_, own)| *own != 0)
    }

    /// As [`Dram::has_read_room`], for any sectors.
    #[inline]
    pub(super) fn has_read_room(&self) -> bool {
        self.ranks.iter().all(Dram::has_read_room)
    }

    /// As [`Dram::has_write_room`], for any sectors.
    #[inline]
    pub(super) fn has_write_room(&self) -> bool {
        self.ranks.iter().all(Dram::has_write_room)
    }

    /// As [`Dram::push_read`].
    pub(super) fn push_read(&mut self, mshr: u32, of: LineSectors, by: Requester, now: u64) {
        if let [rank] = &mut self.ranks[..] {
            return rank.push_read(mshr, of, by, now);
        }
        for (rank, own) in self.split(of.sectors) {
            self.parts[mshr as usize] += 1;
            self.ranks[rank].push_read(mshr, LineSectors { sectors: own, ..of }, by, now);
        }
    }

    /// As [`Dram::push_write`].
    pub(super) fn push_write(&mut self, line: u64, bytes: &Bytes, by: Requester) {
        if let [rank] = &mut self.ranks[..] {
            return rank.push_write(line, bytes, by);
        }
        for (rank, own) in self.split(bytes.sectors()) {
            self.ranks[rank].push_write(line, &bytes.without(!own), by);
        }
    }

    /// As [`Dram::advance`].
    #[inline]
    pub(super) fn advance(&mut self, now: u64) {
        self.ranks.iter_mut().for_each(|rank| rank.advance(now));
    }

    /// The MSHR of a read whose data is complete.
    #[inline]
    pub(super) fn done(&mut self, now: u64) -> Option<u32> {
        if let [rank] = &self.ranks[..] {
            return rank.done(now);
        }
        for rank in &mut self.ranks {
            while self.complete.is_none()
                && let Some(mshr) = rank.done(now)
            {
                rank.pop_done();
                let parts = &mut self.parts[mshr as usize];
                *parts -= 1;
                self.complete = (*parts == 0).then_some(mshr);
            }
        }
        self.complete
    }

    /// Forgets the read that [`Channel::done`] returned.
    #[inline]
    pub(super) fn pop_done(&mut self) {
        match &mut self.ranks[..] {
            [rank] => rank.pop_done(),
            _ => self.complete = None,
        }
    }

    /// As [`Dram::next_data`].
    #[inline]
    pub(super) fn next_data(&mut self) -> u64 {
        self.ranks.iter_mut().map(Dram::next_data).min().unwrap_or(NEVER)
    }

    /// As [`Dram::next_room`].
    pub(super) fn next_room(&mut self) -> u64 {
        self.ranks.iter_mut().map(Dram::next_room).min().unwrap_or(NEVER)
    }

    pub(super) fn is_idle(&self) -> bool {
        self.complete.is_none() && self.ranks.iter().all(Dram::is_idle)
    }

    /// The counters until a cycle starts, queues that are still full included.
    pub(super) fn counters(&self, cycle: u64) -> Statistics {
        let mut total = Statistics::default();
        for rank in &self.ranks {
            total.merge(&rank.counters(cycle));
        }
        total
    }

    /// As [`Dram::statistics`]; sub-ranks count as channels.
    pub(super) fn statistics(&self, cycles: u64) -> Statistics {
        let mut total = Statistics::default();
        for rank in &self.ranks {
            total.merge(&rank.statistics(cycles));
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::load::load_machine;

    /// A channel of `tiny` with twice the chips, in `ranks` sub-ranks, without refresh.
    fn channel(ranks: &str) -> Channel {
        let sets = [("dram.timing.refi", "0"), ("dram.chips", "2"), ("dram.sub-ranks", ranks)];
        let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
        Channel::new(&load_machine("tiny", &sets).expect("it is good")).expect("it was checked")
    }

    /// Reads of (line, sectors) that all arrive in cycle 0. Returns their completion cycles, and
    /// the channel's counters.
    fn reads(ranks: &str, requested: &[(u64, u8)]) -> (Vec<u64>, Statistics) {
        let mut channel = channel(ranks);
        for (mshr, &(line, sectors)) in requested.iter().enumerate() {
            channel.push_read(mshr as u32, LineSectors { line, sectors }, Requester::NONE, 0);
        }
        let mut done = vec![0; requested.len()];
        for now in 0..1000 {
            channel.advance(now);
            while let Some(mshr) = channel.done(now) {
                done[mshr as usize] = now;
                channel.pop_done();
            }
        }
        assert!(channel.is_idle());
        (done, channel.statistics(1000))
    }

    #[test]
    fn a_whole_line_is_read_in_both() {
        // A burst of 64 bytes for each half of the line: activate 1, read 11 and 21 (ccd 10), data 31 to 39, controller
        // 29: 68. With sub-ranks each reads two sectors in the same cycles, and opens a row of its own.
        for (ranks, activates, busy) in [("1", 1, 16), ("2", 2, 32)] {
            let (done, s) = reads(ranks, &[(0, 0b1111)]);
            assert_eq!((done, s.dram_activates, s.dram_busy_cycles), (vec![68], activates, busy));
            assert_eq!(s.dram_read_bytes, 128);
        }
    }

    #[test]
    fn sectors_of_different_sub_ranks_do_not_wait_for_each_other() {
        // Sector 0 of line 0 and sector 1 of line 16, which is in the next row of the bank: 58 both. Without sub-ranks
        // the row is changed, as in `a_row_stays_open_for_a_while`: 93. A sector takes a burst of both chips then.
        let requested = [(0, 0b0001), (64, 0b0010)];
        let (done, s) = reads("2", &requested);
        assert_eq!((done, s.dram_precharges, s.dram_busy_cycles), (vec![58, 58], 0, 16));
        let (done, s) = reads("1", &requested);
        assert_eq!((done, s.dram_precharges, s.dram_busy_cycles), (vec![58, 93], 1, 16));
    }

    #[test]
    fn a_write_goes_where_its_sectors_are() {
        let mut channel = channel("2");
        channel.push_write(0, &Bytes::of(0b0110), Requester::NONE);
        (0..1000).for_each(|now| channel.advance(now));
        let each: Vec<u64> =
            channel.ranks.iter().map(|rank| rank.statistics(1000).dram_write_bytes).collect();
        assert_eq!(each, [32, 32]);
    }
}
