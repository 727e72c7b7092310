//! Memory: a channel per partition. Times of a channel count its own command clock.

use serde::Deserialize;

use super::rules::{LARGEST_TABLE, LONGEST, Rules};
use crate::memory::bytes::SECTOR;

/// Memory: a channel per partition, made of chips that work in lockstep.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Dram {
    /// Frequency of the command clock in MHz, 1/1000 to 1000 times the slices'.
    pub clock_mhz: f64,
    /// Chips of a channel, a power of two up to 16; all do the same thing at the same time.
    pub chips: u32,
    /// Sub-ranks: parts of the chips that are given commands of their own, a power of two, at most the chips and the
    /// sectors of a line of the second level; 1 for none.
    pub sub_ranks: u32,
    /// Bytes that a chip moves at once, a power of two up to 64.
    pub width: u32,
    /// Transfers of a burst, a power of two up to 64.
    pub burst: u32,
    /// Transfers in a cycle of the command clock, a power of two, at most a burst.
    pub data_rate: u32,
    /// Banks of a chip, a power of two up to 128.
    pub banks: u32,
    /// Groups of banks, a power of two, at most the banks.
    pub bank_groups: u32,
    /// The positions of row, bank, group and column in a channel's addresses, the highest first.
    pub mapping: String,
    /// The hash applied to a bank's number.
    pub bank_hash: BankHash,
    /// Reads that can wait for a channel.
    pub read_queue: u32,
    /// Writes that can wait for a channel.
    pub write_queue: u32,
    /// So many waiting writes start a drain: 1 to `write-queue`.
    pub write_high_watermark: u32,
    /// A drain stops when so few writes wait: below `write-high-watermark`.
    pub write_low_watermark: u32,
    /// Command cycles after which a request is no longer overtaken.
    pub age_limit: u32,
    /// From the end of a read's last burst until the slice has the data, in the slice's cycles: the
    /// controller and the transfer.
    pub latency: u32,
    /// Times between commands.
    pub timing: DramTiming,
}

/// The hash applied to a bank's number, so that rows that follow each other at one bank's distance
/// do not all meet in that bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BankHash {
    /// Nothing.
    None,
    /// The number and the row's low bits are added without carry (Zhang, Zhu, Zhang, "A
    /// permutation-based page interleaving scheme", MICRO 2000).
    Xor,
}

/// Times between the commands of a channel, in cycles of the command clock, by the names of data
/// sheets without their `t`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DramTiming {
    /// From the activation of a row until it can be read or written.
    pub rcd: u32,
    /// From a precharge until the bank's next activation.
    pub rp: u32,
    /// From an activation until the bank's precharge.
    pub ras: u32,
    /// From an activation until the bank's next.
    pub rc: u32,
    /// From a read until its data starts.
    pub cl: u32,
    /// From a write until its data starts.
    pub wl: u32,
    /// From a read or write to the next in another group, at least a burst.
    pub ccd_s: u32,
    /// From a read or write to the next in the same group, at least `ccd-s`.
    pub ccd_l: u32,
    /// From an activation to the next in any bank.
    pub rrd: u32,
    /// From the end of a write's data until the bank's precharge.
    pub wr: u32,
    /// From the end of a write's data until a read.
    pub cdlr: u32,
    /// From a read until the bank's precharge.
    pub rtp: u32,
    /// Cycles in which the data bus rests between a read's data and a write's.
    pub turnaround: u32,
    /// From a refresh of all banks to the next; 0 for a memory that needs none.
    pub refi: u32,
    /// From a refresh until the next activation.
    pub rfc: u32,
}

impl Dram {
    /// Bytes that a burst of a sub-rank's chips transfers: the amount of one read or write command.
    pub fn atom(&self) -> u32 {
        self.chips / self.sub_ranks * self.width * self.burst
    }

    /// A sub-rank as a memory of its own.
    pub(crate) fn sub_rank(&self) -> Dram {
        Dram { chips: self.chips / self.sub_ranks, sub_ranks: 1, ..self.clone() }
    }

    /// Cycles of the command clock that a burst takes.
    pub fn burst_cycles(&self) -> u32 {
        self.burst / self.data_rate
    }

    /// Bytes a second of one channel, at most.
    pub fn peak(&self) -> f64 {
        f64::from(self.chips * self.width * self.data_rate) * self.clock_mhz * 1e6
    }

    /// The slices have a clock of `slice_mhz` MHz and lines of the given size; `check_mapping`
    /// reads the mapping of a sub-rank.
    pub(super) fn validate(
        &self,
        slice_mhz: f64,
        line: u32,
        rules: &mut Rules,
        check_mapping: impl Fn(&Dram, u32) -> Result<(), String>,
    ) {
        if rules.frequency("dram.clock-mhz", self.clock_mhz)
            && !(0.001..=1000.0).contains(&(self.clock_mhz / slice_mhz))
        {
            rules.fault(
                "dram.clock-mhz",
                "`dram.clock-mhz` must be 1/1000 to 1000 times `l2.clock-mhz`",
            );
        }
        let powers = [
            ("dram.chips", self.chips, 16),
            ("dram.sub-ranks", self.sub_ranks, self.chips.min(line / SECTOR).max(1)),
            ("dram.width", self.width, 64),
            ("dram.burst", self.burst, 64),
            ("dram.data-rate", self.data_rate, self.burst.max(1)),
            ("dram.banks", self.banks, 128),
            ("dram.bank-groups", self.bank_groups, self.banks.max(1)),
        ];
        let mut good = line.is_power_of_two() && line >= SECTOR;
        for (key, value, most) in powers {
            good &= rules.power_in(key, value, 1, most);
        }
        if good && !(SECTOR..=256).contains(&self.atom()) {
            let message = format!(
                "a burst of `dram.chips` (of a sub-rank), `dram.width` and `dram.burst` has {} bytes; it \
                 must have {SECTOR} to 256",
                self.atom()
            );
            rules.fault("dram.burst", message);
            good = false;
        }
        if good {
            rules.hold("dram.mapping", check_mapping(&self.sub_rank(), line / self.sub_ranks));
        }
        rules.range("dram.read-queue", self.read_queue, 1, LARGEST_TABLE);
        let most = self.write_queue.clamp(1, LARGEST_TABLE);
        rules.range("dram.write-queue", self.write_queue, 1, LARGEST_TABLE);
        let high = self.write_high_watermark;
        if rules.range("dram.write-high-watermark", high, 1, most) {
            rules.range("dram.write-low-watermark", self.write_low_watermark, 0, high - 1);
        }
        rules.range("dram.age-limit", self.age_limit, 1, 1 << 20);
        rules.range("dram.latency", self.latency, 0, LONGEST);
        if good {
            self.timing.validate(self.burst_cycles(), rules);
        }
    }
}

impl DramTiming {
    fn validate(&self, burst: u32, rules: &mut Rules) {
        let all = [
            ("rcd", self.rcd, 0),
            ("rp", self.rp, 0),
            ("ras", self.ras, 0),
            ("rc", self.rc, 0),
            ("cl", self.cl, 0),
            ("wl", self.wl, 0),
            ("ccd-s", self.ccd_s, burst),
            ("ccd-l", self.ccd_l, self.ccd_s.min(LONGEST)),
            ("rrd", self.rrd, 0),
            ("wr", self.wr, 0),
            ("cdlr", self.cdlr, 0),
            ("rtp", self.rtp, 0),
            ("turnaround", self.turnaround, 0),
            ("rfc", self.rfc, 0),
        ];
        let mut good = true;
        for (key, value, least) in all {
            good &= rules.range(&format!("dram.timing.{key}"), value, least, LONGEST);
        }
        if self.refi == 0 || !good {
            return;
        }
        // So that some requests are served between any two refreshes.
        let least = 4 * all.iter().map(|(_, value, _)| value).sum::<u32>() + 4 * burst;
        rules.range("dram.timing.refi", self.refi, least, 1 << 24);
    }
}
