//! What a machine must satisfy, so that nothing later has to check it again.

use reconverge_isa::Unit;

use super::{L1, L2, Machine};
use crate::allocation::{CacheShape, Level};
use crate::clock::kilohertz;
use crate::granularity::LineShape;
use crate::memory::SECTOR;
use crate::scheduler::MAX_CANDIDATES;
use crate::timing::epoch_length;
use crate::{affine, allocation, block_scheduler, cycle_compression, divergence, dram_scheduler};
use crate::{granularity, local_cache, prefetcher, register_file, replacement, scheduler};
use reconverge_isa::nearest::hint;

/// Bounds one value, given with its key.
pub(super) fn range(key: &str, value: u32, low: u32, high: u32) -> Result<(), String> {
    if (low..=high).contains(&value) {
        Ok(())
    } else {
        Err(format!("`{key}` is {value}; it must be {low} to {high}"))
    }
}

pub(super) fn power_of_two(key: &str, value: u32) -> Result<(), String> {
    if value.is_power_of_two() {
        Ok(())
    } else {
        Err(format!("`{key}` is {value}; it must be a power of two"))
    }
}

/// A frequency in MHz. Whole kilohertz keep the clocks' correspondence exact.
pub(super) fn frequency(key: &str, mhz: f64) -> Result<(), String> {
    match kilohertz(mhz) {
        Some(1..=1_000_000_000) => Ok(()),
        _ => Err(format!(
            "`{key}` is {mhz}; it must be 0.001 to 1000000 with at most three decimals"
        )),
    }
}

/// The longest latency and interval that a file may give.
pub(super) const LONGEST: u32 = 4096;
/// The most entries of a queue or table.
pub(super) const LARGEST_TABLE: u32 = 4096;
/// The largest cache or memory in bytes.
const LARGEST_MEMORY: u32 = 1 << 26;

impl Machine {
    /// Checks every value; the error names the key and what it may be.
    pub(super) fn validate(&self) -> Result<(), String> {
        range("sms", self.sms, 1, 256)?;
        frequency("clock-mhz", self.clock_mhz)?;
        self.validate_core()?;
        self.validate_units()?;
        self.validate_front()?;
        range("load-store.queue", self.load_store.queue, 1, 1024)?;
        range("load-store.lines-per-cycle", self.load_store.lines_per_cycle, 1, 16)?;
        let parts = self.load_store.warp_parts;
        range("load-store.warp-parts", parts, 1, 64)?;
        power_of_two("load-store.warp-parts", parts)?;
        range("shared.banks", self.shared.banks, 1, 256)?;
        power_of_two("shared.banks", self.shared.banks)?;
        range("shared.latency", self.shared.latency, 1, LONGEST)?;
        range("constant.latency", self.constant.latency, 1, LONGEST)?;
        self.l1.validate()?;
        self.l2.validate(self.l1.line)?;
        let interconnect = &self.interconnect;
        frequency("interconnect.clock-mhz", interconnect.clock_mhz)?;
        range("interconnect.latency", interconnect.latency, 1, LONGEST)?;
        if epoch_length(self) == 0 {
            return Err("`interconnect.latency` must be at least a cycle of the SMs".to_string());
        }
        range("interconnect.credits", interconnect.credits, 1, LARGEST_TABLE)?;
        range("interconnect.bytes-per-cycle", interconnect.bytes_per_cycle, 1, 65536)?;
        range("interconnect.header", interconnect.header, 0, 256)?;
        range("interconnect.queue", interconnect.queue, 1, LARGEST_TABLE)?;
        self.dram.validate(self.l2.clock_mhz, self.l2.line)?;
        self.validate_mechanisms()
    }

    fn validate_core(&self) -> Result<(), String> {
        let sm = &self.sm;
        range("sm.warp-width", sm.warp_width, 1, 64)?;
        range("sm.warps", sm.warps, 1, 1024)?;
        range("sm.blocks", sm.blocks, 1, 1024)?;
        range("sm.registers", sm.registers, 1, LARGEST_MEMORY)?;
        range("sm.register-granularity", sm.register_granularity, 1, 65536)?;
        range("sm.shared-memory", sm.shared_memory, 0, 1 << 24)?;
        range("sm.shared-granularity", sm.shared_granularity, 1, 65536)?;
        range("sm.schedulers", sm.schedulers, 1, 64)
    }

    fn validate_front(&self) -> Result<(), String> {
        range("fetch.width", self.fetch.width, 1, 8)?;
        range("fetch.latency", self.fetch.latency, 1, LONGEST)?;
        range("fetch.buffer", self.fetch.buffer, 1, 8)?;
        range("scoreboard.entries", self.scoreboard.entries, 0, 64)?;
        let read_only = |key: &str, size: u32, line: u32, ways: u32, longest: u32| {
            range(&format!("{key}.line"), line, 32, longest)?;
            power_of_two(&format!("{key}.line"), line)?;
            range(&format!("{key}.size"), size, 0, 1 << 22)?;
            geometry(key, size, line, ways, 1)
        };
        let (code, constant) = (&self.instruction_cache, &self.constant);
        read_only("instruction-cache", code.size, code.line, code.ways, 256)?;
        range("instruction-cache.instruction-bytes", code.instruction_bytes, 4, 32)?;
        power_of_two("instruction-cache.instruction-bytes", code.instruction_bytes)?;
        let longest = self.l2.line.min(128);
        read_only("constant", constant.size, constant.line, constant.ways, longest)
    }

    fn validate_units(&self) -> Result<(), String> {
        range("the number of pipes", self.pipes.len() as u32, 1, 32)?;
        for (name, pipe) in &self.pipes {
            range(&format!("pipes.{name}.count"), pipe.count, 1, 16)?;
            range(&format!("pipes.{name}.lanes"), pipe.lanes, 1, 64)?;
        }
        for (key, unit) in &self.units {
            if !Unit::ALL.iter().any(|(_, known)| known == key) {
                let near = hint(key, Unit::ALL.iter().map(|(_, known)| *known));
                return Err(format!("unknown unit `units.{key}`{near}"));
            }
            range(&format!("units.{key}.latency"), unit.latency, 1, LONGEST)?;
            range(&format!("units.{key}.initiation"), unit.initiation, 1, LONGEST)?;
            range(&format!("units.{key}.wide"), unit.wide, 1, 16)?;
            if !self.pipes.contains_key(&unit.pipe) {
                let pipes: Vec<&str> = self.pipes.keys().map(String::as_str).collect();
                return Err(format!(
                    "`units.{key}.pipe` is `{}`; known pipes: {}{}",
                    unit.pipe,
                    pipes.join(", "),
                    hint(&unit.pipe, pipes.iter().copied())
                ));
            }
        }
        Ok(())
    }

    /// Constructs every mechanism once: unknown names and options are found here.
    fn validate_mechanisms(&self) -> Result<(), String> {
        let with = |name: &str, error: String| format!("options of `{name}`: {error}");
        let scheme = divergence::find(&self.divergence)?;
        let built =
            (scheme.build)(&self.options(scheme.name)).map_err(|error| with(scheme.name, error))?;
        let slots = built.capabilities().slots_per_warp;
        let candidates = self.sm.warps as usize * slots;
        let each = candidates.div_ceil(self.sm.schedulers as usize);
        if each > MAX_CANDIDATES {
            let warps = MAX_CANDIDATES / slots * self.sm.schedulers as usize;
            return Err(format!(
                "`sm.warps` gives each scheduler {each} paths; at most {MAX_CANDIDATES}: with \
                 `{}`, set it to at most {warps}",
                scheme.name
            ));
        }
        self.lane_map()?;
        let policy = scheduler::find(&self.scheduler)?;
        (policy.build)(&self.options(policy.name)).map_err(|error| with(policy.name, error))?;
        let passes = cycle_compression::find(&self.cycle_compression)?;
        (passes.build)(&self.options(passes.name)).map_err(|error| with(passes.name, error))?;
        let regular = affine::find(&self.affine)?;
        let built = (regular.build)(&self.options(regular.name))
            .map_err(|error| with(regular.name, error))?;
        built.check(self)?;
        let prefetcher = prefetcher::find(&self.prefetcher)?;
        (prefetcher.build)(&self.options(prefetcher.name))
            .map_err(|error| with(prefetcher.name, error))?;
        let local = local_cache::find(&self.local_cache)?;
        (local.build)(&self.options(local.name), self.local_shape()?)
            .map_err(|error| with(local.name, error))?;
        let file = register_file::find(&self.register_file)?;
        (file.build)(&self.options(file.name)).map_err(|error| with(file.name, error))?;
        let caches = [
            &self.l1.replacement,
            &self.l2.replacement,
            &self.instruction_cache.replacement,
            &self.constant.replacement,
        ];
        for name in caches {
            let policy = replacement::find(name)?;
            (policy.build)(&self.options(policy.name), 1, 1)
                .map_err(|error| with(policy.name, error))?;
        }
        self.validate_memory_mechanisms()
    }

    fn validate_memory_mechanisms(&self) -> Result<(), String> {
        let with = |name: &str, error: String| format!("options of `{name}`: {error}");
        let (l1, l2) = (&self.l1, &self.l2);
        let lines =
            [(&self.granularity, l1.line, l1.sector), (&l2.granularity, l2.line, l2.sector)];
        for (name, line, sector) in lines {
            let mechanism = granularity::find(name)?;
            let shape = LineShape { places: 1, sectors: line / SECTOR, grain: sector / SECTOR };
            (mechanism.build)(&self.options(mechanism.name), shape)
                .map_err(|error| with(mechanism.name, error))?;
        }
        let caches =
            [(&self.allocation, Level::First, l1.ways), (&l2.allocation, Level::Second, l2.ways)];
        for (name, level, ways) in caches {
            let lines = allocation::find(name)?;
            let shape = CacheShape { level, sets: 1, ways: ways as usize };
            (lines.build)(&self.options(lines.name), shape)
                .map_err(|error| with(lines.name, error))?;
        }
        let blocks = block_scheduler::find(&self.block_scheduler)?;
        (blocks.build)(&self.options(blocks.name), self.sms as usize)
            .map_err(|error| with(blocks.name, error))?;
        let requests = dram_scheduler::find(&self.dram_scheduler)?;
        (requests.build)(&self.options(requests.name), &self.dram)
            .map_err(|error| with(requests.name, error))?;
        Ok(())
    }
}

/// A cache is made of whole sets; their number may be anything.
fn geometry(key: &str, size: u32, line: u32, ways: u32, slices: u32) -> Result<(), String> {
    range(&format!("{key}.ways"), ways, 1, 1024)?;
    let set = line * ways * slices;
    if !size.is_multiple_of(set) {
        return Err(format!(
            "`{key}.size` is {size}; it must be a multiple of {set} (line, ways and slices)"
        ));
    }
    Ok(())
}

impl L1 {
    fn validate(&self) -> Result<(), String> {
        range("l1.line", self.line, 32, 256)?;
        power_of_two("l1.line", self.line)?;
        range("l1.sector", self.sector, SECTOR, self.line)?;
        power_of_two("l1.sector", self.sector)?;
        range("l1.size", self.size, 0, 1 << 22)?;
        geometry("l1", self.size, self.line, self.ways, 1)?;
        range("l1.latency", self.latency, 1, LONGEST)?;
        range("l1.mshrs", self.mshrs, 1, LARGEST_TABLE)?;
        range("l1.mshr-merges", self.mshr_merges, 1, LARGEST_TABLE)
    }
}

impl L2 {
    fn validate(&self, l1_line: u32) -> Result<(), String> {
        frequency("l2.clock-mhz", self.clock_mhz)?;
        range("l2.partitions", self.partitions, 1, 64)?;
        range("l2.line", self.line, l1_line, 256)?;
        power_of_two("l2.line", self.line)?;
        range("l2.sector", self.sector, SECTOR, self.line)?;
        power_of_two("l2.sector", self.sector)?;
        range("l2.interleave", self.interleave, self.line, 1 << 20)?;
        power_of_two("l2.interleave", self.interleave)?;
        range("l2.size", self.size, 0, LARGEST_MEMORY)?;
        geometry("l2", self.size, self.line, self.ways, self.partitions)?;
        range("l2.latency", self.latency, 1, LONGEST)?;
        range("l2.mshrs", self.mshrs, 1, LARGEST_TABLE)?;
        range("l2.mshr-merges", self.mshr_merges, 1, LARGEST_TABLE)?;
        range("l2.atomic-cycles", self.atomic_cycles, 1, LONGEST)
    }
}
