//! The translation of each option.

use super::options::Given;
use super::{Left, Setting};
use reconverge_isa::text::TextError;

/// The options that are not carried over, by the beginnings of their names without `gpgpu_`, and why.
const REASONS: &[(&str, &str)] = &[
    ("ptx_", "is about that simulator's treatment of PTX"),
    ("stack_size_limit", "is a limit of CUDA's runtime, not of the machine"),
    ("heap_size_limit", "is a limit of CUDA's runtime, not of the machine"),
    ("runtime_sync", "is a limit of CUDA's runtime, not of the machine"),
    ("runtime_pending", "is a limit of CUDA's runtime, not of the machine"),
    ("runtime_stat", "is about statistics, which `run --stats` writes"),
    ("memlatency_stat", "is about statistics, which `run --stats` writes"),
    ("enable_ptx_file_line_stats", "is about statistics; `run --profile` has them by line"),
    ("visualizer", "is about statistics; `run --html` draws them"),
    ("trace", "is about traces, which `run --trace` writes"),
    ("power", "is about power, for which machine files have `[energy-model]`"),
    ("gpuwattch", "is about power, for which machine files have `[energy-model]`"),
    ("accelwattch", "is about power, for which machine files have `[energy-model]`"),
    ("dvfs", "is about power, for which machine files have `[energy-model]`"),
    ("network_mode", "is about the network's kind; here each SM and partition has a port"),
    ("inter_config_file", "is the network's own file; here each SM and partition has a port"),
    ("inct_", "is about the network's kind; here each SM and partition has a port"),
    ("icnt_", "is about the network's kind; here each SM and partition has a port"),
    ("tex_cache", "is about textures, which have no cache of their own here"),
    ("pipeline_widths", "is about registers between stages, which are not modelled"),
    (
        "operand_collector_num_in_ports",
        "is about ports between issue and collectors, which are not modelled",
    ),
    (
        "operand_collector_num_out_ports",
        "is about ports between collectors and pipes, which are not modelled",
    ),
    ("tensor_core", "is about matrix units, which the instruction set does not have"),
    ("num_tensor_core", "is about matrix units, which the instruction set does not have"),
    (
        "ptx_opcode_initiation_tensor",
        "is about matrix units, which the instruction set does not have",
    ),
    ("compute_capability_minor", "makes no difference here beside the major number"),
    ("registers_per_block", "is a limit of blocks; here only those of an SM count"),
    ("shmem_per_block", "is a limit of blocks; here only those of an SM count"),
    ("TB_launch_latency", "is about the time from a block to the next, which is a cycle here"),
    ("ptx_opcode_latency_tes", "is about matrix units, which the instruction set does not have"),
    ("coalesce_arch", "is about coalescing, which is by lines and sectors here"),
    ("occupancy_sm_number", "only chooses a table of that simulator"),
    ("shmem_sizeDefault", "is what programs may choose again; the machine has one size"),
    ("shmem_size_", "is what programs may choose instead; the machine has one size"),
    ("dram_partition_queues", "are queues inside a partition, which are not modelled one by one"),
    ("dram_return_queue_size", "is a queue inside a partition, which is not modelled"),
    ("n_cluster_ejection_buffer_size", "is a buffer of clusters; here each SM has a port"),
    ("mem_address_mask", "is part of how that simulator spreads addresses"),
    ("perf_sim_memcpy", "is about the data that copies leave in the L2; see `l2.between-launches`"),
    ("flush_l1", "is about the L1 between launches, which is always flushed here"),
];

type Result<T> = std::result::Result<T, Vec<TextError>>;

/// The settings for options, and the remaining options.
pub(super) fn carry(given: Vec<Given>) -> Result<(Vec<Setting>, Vec<Left>)> {
    let mut carrier = Carrier {
        used: vec![false; given.len()],
        given,
        settings: Vec::new(),
        left: Vec::new(),
        errors: Vec::new(),
        sub_cores: 1,
    };
    carrier.sm();
    carrier.units();
    carrier.caches();
    carrier.memory();
    carrier.finish()
}

struct Carrier {
    given: Vec<Given>,
    /// By option: true if it was used.
    used: Vec<bool>,
    settings: Vec<Setting>,
    left: Vec<Left>,
    errors: Vec<TextError>,
    /// Sub-cores of an SM, among which its pipes, banks and collectors are divided.
    sub_cores: u32,
}

/// A cache as the simulator describes it.
struct Cache {
    sectored: bool,
    sets: u32,
    line: u32,
    ways: u32,
    replacement: &'static str,
    hash: char,
    mshrs: u32,
    merges: u32,
}

impl Cache {
    fn size(&self) -> u64 {
        u64::from(self.sets) * u64::from(self.line) * u64::from(self.ways)
    }
}

impl Carrier {
    /// The option of a name without `gpgpu_`, which counts as used from now on.
    fn take(&mut self, name: &str) -> Option<Given> {
        let at = self.given.iter().position(|it| it.plain_name() == name)?;
        self.used[at] = true;
        Some(self.given[at].clone())
    }

    fn wrong(&mut self, given: &Given, message: impl Into<String>) {
        self.errors.push(given.wrong(message));
    }

    fn leave(&mut self, given: &Given, why: impl Into<String>) {
        let (option, line) = (given.spelled(), given.place.line);
        self.left.push(Left { option, line, why: why.into() });
    }

    fn set(&mut self, path: &str, value: impl ToString, from: &Given) {
        let (table, key) = path.rsplit_once('.').unwrap_or(("", path));
        let (table, key, value) = (table.to_owned(), key.to_owned(), value.to_string());
        self.settings.push(Setting { table, key, value, from: from.spelled() });
    }

    /// Numbers with a separator between, at least `least` of them.
    fn numbers(&mut self, given: &Given, separator: char, least: usize) -> Option<Vec<f64>> {
        let words = given.value.split(separator).map(str::trim);
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let numbers: Option<Vec<f64>> =
            words.iter().map(|word| word.parse().ok().filter(|it: &f64| it.is_finite())).collect();
        let good = numbers.filter(|numbers| numbers.len() >= least);
        if good.is_none() {
            let message = match least {
                1 => "a number is expected".to_owned(),
                least => {
                    format!("at least {least} numbers are expected, with `{separator}` between")
                }
            };
            self.wrong(given, message);
        }
        good
    }

    /// A whole number that fits 32 bits.
    fn whole(&mut self, given: &Given) -> Option<u32> {
        let number = given.value.trim().parse().ok();
        if number.is_none() {
            self.wrong(given, "a whole number is expected");
        }
        number
    }

    /// Sets a key to an option's whole number.
    fn carry(&mut self, name: &str, path: &str) -> Option<u32> {
        let given = self.take(name)?;
        let number = self.whole(&given)?;
        self.set(path, number, &given);
        Some(number)
    }

    /// Sets a key of a sub-core to an option's whole number, which is that of an SM.
    fn carry_part(&mut self, name: &str, path: &str) {
        if let Some(given) = self.take(name)
            && let Some(number) = self.whole(&given)
        {
            self.set(path, number.div_ceil(self.sub_cores), &given);
        }
    }

    /// The parts of an SM, one for each of its schedulers, if it has them.
    fn sub_cores(&mut self, schedulers: Option<u32>) {
        let Some(given) = self.take("sub_core_model") else {
            return;
        };
        match schedulers {
            _ if given.value == "0" => self.set("sm.sub-cores", 1, &given),
            Some(count) if count.is_power_of_two() => {
                self.sub_cores = count;
                self.set("sm.sub-cores", count, &given);
            }
            _ => self.leave(&given, "needs a power of two in `gpgpu_num_sched_per_core`"),
        }
    }

    /// How many instructions of a warp a scheduler issues per cycle.
    fn pairing(&mut self) {
        if let Some(given) = self.take("max_insn_issue_per_warp") {
            match given.value.trim() {
                "1" => self.set("sm.pairing", "\"nothing\"", &given),
                "2" => self.set("sm.pairing", "\"next-instruction\"", &given),
                _ => self.leave(&given, "a scheduler issues one instruction or two per cycle"),
            }
        }
        if let Some(given) = self.take("dual_issue_diff_exec_units")
            && given.value.trim() == "0"
        {
            self.leave(&given, "two instructions of a cycle always go to different pipes");
        }
    }

    /// An SM, its schedulers and its registers.
    fn sm(&mut self) {
        if let Some(clusters) = self.take("n_clusters") {
            let each = self.take("n_cores_per_cluster");
            let per = each.as_ref().map_or(Some(1), |each| self.whole(each));
            if let (Some(count), Some(per)) = (self.whole(&clusters), per) {
                self.set("sms", u64::from(count) * u64::from(per), &clusters);
            }
        }
        if let Some(given) = self.take("clock_domains")
            && let Some(clocks) = self.numbers(&given, ':', 4)
        {
            let keys = ["clock-mhz", "interconnect.clock-mhz", "l2.clock-mhz", "dram.clock-mhz"];
            for (key, mhz) in keys.into_iter().zip(clocks) {
                self.set(key, format!("{mhz:?}"), &given);
            }
        }
        self.carry("shader_registers", "sm.registers");
        self.carry("shader_cta", "sm.blocks");
        let schedulers = self.carry("num_sched_per_core", "sm.schedulers");
        self.sub_cores(schedulers);
        self.pairing();
        self.carry("kernel_launch_latency", "sm.launch-latency");
        self.carry("shmem_size", "sm.shared-memory");
        self.carry("shmem_num_banks", "shared.banks");
        self.carry("smem_latency", "shared.latency");
        self.carry("shmem_warp_parts", "load-store.warp-parts");
        if let Some(given) = self.take("shader_core_pipeline")
            && let Some(numbers) = self.numbers(&given, ':', 2)
        {
            let (threads, width) = (numbers[0] as u32, numbers[1] as u32);
            if width == 0 || threads % width != 0 {
                self.wrong(&given, "the threads are no multiple of a warp");
            } else {
                self.set("sm.warp-width", width, &given);
                self.set("sm.warps", threads / width, &given);
            }
        }
        if let Some(given) = self.take("simd_model") {
            match given.value.as_str() {
                "1" => self.set("divergence", "\"simt-stack\"", &given),
                _ => self.leave(
                    &given,
                    "of the models only 1, the stack of post-dominators, has a counterpart",
                ),
            }
        }
        self.scheduler();
        if let Some(given) = self.take("compute_capability_major")
            && let Some(major) = self.whole(&given)
        {
            let counts = if major < 7 { "warps" } else { "threads" };
            self.set("barrier.counts", format!("\"{counts}\""), &given);
        }
        self.carry_part("num_reg_banks", "banked.banks");
        let kinds = ["gen", "sp", "dp", "sfu", "int", "mem"];
        let collectors: Vec<Given> = kinds
            .into_iter()
            .filter_map(|kind| self.take(&format!("operand_collector_num_units_{kind}")))
            .collect();
        let counts: Vec<u32> = collectors.iter().filter_map(|it| self.whole(it)).collect();
        if let Some(first) = collectors.first() {
            let all: Vec<String> = collectors.iter().map(Given::spelled).collect();
            let (name, value) = (all.join(" "), String::new());
            let from = Given { name, value, place: first.place };
            let sum = counts.iter().fold(0u32, |sum, &count| sum.saturating_add(count));
            self.set("banked.collectors", sum.div_ceil(self.sub_cores).max(1), &from);
        }
    }

    fn scheduler(&mut self) {
        let Some(given) = self.take("scheduler") else {
            return;
        };
        let (kind, rest) = given.value.split_once(':').unwrap_or((&given.value, ""));
        match kind {
            "gto" => self.set("scheduler", "\"greedy-then-oldest\"", &given),
            "lrr" => self.set("scheduler", "\"loose-round-robin\"", &given),
            "old" => self.set("scheduler", "\"oldest-first\"", &given),
            "two_level_active" => {
                self.set("scheduler", "\"two-level\"", &given);
                self.set("two-level.variant", "\"active-pool\"", &given);
                let mut parts = rest.split(':');
                match parts.next().and_then(|pool| pool.parse::<u32>().ok()) {
                    Some(pool) => self.set("two-level.pool", pool, &given),
                    None => self.wrong(&given, "the number of active warps is missing"),
                }
                if parts.any(|other| !matches!(other, "0" | "1")) {
                    self.leave(
                        &given,
                        "of the pools only the size of the active one has a counterpart",
                    );
                }
            }
            _ => self.leave(&given, "this scheduler has no counterpart"),
        }
    }

    /// Pipes, latencies and intervals.
    fn units(&mut self) {
        self.carry_part("num_sp_units", "pipes.simple.count");
        self.carry_part("num_sfu_units", "pipes.special.count");
        self.carry("mem_unit_ports", "load-store.lines-per-cycle");
        // Units move to pipes of their own where there are some.
        let own: [(&str, &str, &[&str]); 2] = [
            ("num_int_units", "integer", &["integer", "integer-multiply", "integer-divide"]),
            ("num_dp_units", "double", &["double", "double-divide"]),
        ];
        for (option, pipe, units) in own {
            let Some(given) = self.take(option) else {
                continue;
            };
            match self.whole(&given) {
                Some(0) | None => {}
                Some(count) => {
                    self.set(
                        &format!("pipes.{pipe}.count"),
                        count.div_ceil(self.sub_cores),
                        &given,
                    );
                    self.set(&format!("pipes.{pipe}.lanes"), 32, &given);
                    for unit in units {
                        self.set(&format!("units.{unit}.pipe"), format!("\"{pipe}\""), &given);
                    }
                }
            }
        }
        // The index of a unit among ADD, MAX, MUL, MAD and DIV.
        let lists: [(&str, &[(&str, usize)]); 3] = [
            ("int", &[("integer", 0), ("integer-multiply", 2), ("integer-divide", 4)]),
            ("fp", &[("float", 3), ("float-divide", 4)]),
            ("dp", &[("double", 3), ("double-divide", 4)]),
        ];
        for (kind, units) in lists {
            for what in ["latency", "initiation"] {
                let Some(given) = self.take(&format!("ptx_opcode_{what}_{kind}")) else {
                    continue;
                };
                let Some(numbers) = self.numbers(&given, ',', 5) else {
                    continue;
                };
                for &(unit, at) in units {
                    self.set(&format!("units.{unit}.{what}"), numbers[at] as u32, &given);
                }
                if kind == "fp"
                    && !self.given.iter().any(|it| it.name.ends_with(&format!("{what}_sfu")))
                {
                    self.set(&format!("units.special.{what}"), numbers[4] as u32, &given);
                }
            }
        }
        self.carry("ptx_opcode_latency_sfu", "units.special.latency");
        self.carry("ptx_opcode_initiation_sfu", "units.special.initiation");
    }

    fn caches(&mut self) {
        self.carry("l1_latency", "l1.latency");
        let partitions = self.partitions();
        if let Some(given) = self.take("cache:dl1") {
            match self.cache(&given) {
                Some(None) => self.set("l1.size", 0, &given),
                Some(Some(cache)) => {
                    self.geometry("l1", &cache, cache.size(), &given);
                    self.rest_of_data_cache("l1", &cache, 1, &given);
                }
                None => {}
            }
        }
        if let Some(given) = self.take("cache:dl2") {
            match self.cache(&given) {
                Some(None) => self.set("l2.size", 0, &given),
                Some(Some(cache)) => {
                    let (channels, each) = partitions;
                    let slices = u64::from(channels) * u64::from(each);
                    self.geometry("l2", &cache, cache.size().saturating_mul(slices), &given);
                    self.rest_of_data_cache("l2", &cache, each, &given);
                }
                None => {}
            }
        }
        self.between_launches();
        for (option, key) in [("cache:il1", "instruction-cache"), ("const_cache:l1", "constant")] {
            let Some(given) = self.take(option) else {
                continue;
            };
            match self.cache(&given) {
                Some(None) => self.set(&format!("{key}.size"), 0, &given),
                Some(Some(cache)) => {
                    self.geometry(key, &cache, cache.size(), &given);
                    self.leave(&given, "its MSHRs have no counterpart; its size, line, ways and replacement are carried over");
                }
                None => {}
            }
        }
    }

    /// Sets `l2.between-launches`: the L2 is kept or flushed between kernels.
    fn between_launches(&mut self) {
        if let Some(given) = self.take("flush_l2_cache")
            && let Some(flushes) = self.whole(&given)
        {
            let what = if flushes == 0 { "kept" } else { "flushed" };
            self.set("l2.between-launches", format!("\"{what}\""), &given);
        }
    }

    /// Channels of memory, and slices of the second level at each.
    fn partitions(&mut self) -> (u32, u32) {
        let channels = self.carry("n_mem", "l2.partitions").unwrap_or(6);
        let each = self.take("n_sub_partition_per_mchannel");
        let each = each.and_then(|given| self.whole(&given)).unwrap_or(1);
        (channels, each)
    }

    /// A cache's description: `N:32:128:4,L:L:m:N:H,S:64:8,8`; `none` for no cache. None if it
    /// cannot be read, with a report.
    fn cache(&mut self, given: &Given) -> Option<Option<Cache>> {
        if given.value.trim_matches('"') == "none" {
            return Some(None);
        }
        let parts: Vec<Vec<&str>> =
            given.value.split(',').map(|part| part.split(':').map(str::trim).collect()).collect();
        let mut shape = parts.first().cloned().unwrap_or_default();
        let kind =
            shape.first().filter(|first| first.parse::<u32>().is_err()).map(|it| it.to_string());
        if kind.is_some() {
            shape.remove(0);
        }
        let number = |part: Option<&&str>| part.and_then(|text| text.parse::<u32>().ok());
        let policies = parts.get(1).cloned().unwrap_or_default();
        let misses = parts.get(2).cloned().unwrap_or_default();
        let read = || {
            Some(Cache {
                sectored: kind.as_deref() == Some("S"),
                sets: number(shape.first())?,
                line: number(shape.get(1))?,
                ways: number(shape.get(2))?,
                replacement: if policies.first() == Some(&"F") { "fifo" } else { "lru" },
                hash: policies.get(4).and_then(|it| it.chars().next()).unwrap_or('L'),
                mshrs: number(misses.get(1))?,
                merges: number(misses.get(2))?,
            })
        };
        let cache = read();
        if cache.is_none() {
            self.wrong(given, "a cache is described as in `N:32:128:4,L:L:m:N:H,S:64:8,8`");
        }
        cache.map(Some)
    }

    fn geometry(&mut self, key: &str, cache: &Cache, size: u64, given: &Given) {
        self.set(&format!("{key}.size"), size, given);
        self.set(&format!("{key}.line"), cache.line, given);
        self.set(&format!("{key}.ways"), cache.ways, given);
        self.set(&format!("{key}.replacement"), format!("\"{}\"", cache.replacement), given);
    }

    fn rest_of_data_cache(&mut self, key: &str, cache: &Cache, slices: u32, given: &Given) {
        let sector = if cache.sectored { 32 } else { cache.line };
        self.set(&format!("{key}.sector"), sector, given);
        self.set(&format!("{key}.mshrs"), u64::from(cache.mshrs) * u64::from(slices), given);
        self.set(&format!("{key}.mshr-merges"), cache.merges, given);
        let hash = match cache.hash {
            'L' => Some("none"),
            'H' => Some("fermi"),
            'X' => Some("xor"),
            _ => None,
        };
        match hash {
            Some(hash) => self.set(&format!("{key}.hash"), format!("\"{hash}\""), given),
            None => self.leave(
                given,
                format!("its function `{}` from lines to sets has no counterpart", cache.hash),
            ),
        }
        self.leave(
            given,
            "its policies for writes and allocation, and its miss queue, have no counterpart",
        );
    }

    /// The interconnect, and memory.
    fn memory(&mut self) {
        self.carry("icnt_flit_size", "interconnect.bytes-per-cycle");
        if let Some(given) = self.take("rop_latency")
            && let Some(latency) = self.whole(&given)
        {
            // The base has an interconnect latency of 30 cycles in each direction; the slice has
            // the rest.
            self.set("l2.latency", latency.saturating_sub(60).max(1), &given);
            self.leave(
                &given,
                "is divided: the interconnect's latency stays, and the slice has what is left",
            );
        }
        self.carry("dram_latency", "dram.latency");
        if let Some(given) = self.take("dram_scheduler") {
            match given.value.as_str() {
                "1" => self.set("dram-scheduler", "\"fr-fcfs\"", &given),
                _ => self.leave(&given, "of the schedulers only 1, first ready first come first served, has a counterpart"),
            }
        }
        if let Some(given) = self.take("frfcfs_dram_sched_queue_size") {
            match self.whole(&given) {
                Some(0) => self.leave(&given, "a queue without limit has no counterpart"),
                Some(size) => self.set("dram.read-queue", size, &given),
                None => {}
            }
        }
        let chips = self.carry("n_mem_per_ctrlr", "dram.chips").unwrap_or(2);
        let width = self.carry("dram_buswidth", "dram.width").unwrap_or(4);
        let burst = self.carry("dram_burst_length", "dram.burst").unwrap_or(8);
        self.carry("dram_data_command_freq_ratio", "dram.data-rate");
        let atom = u64::from(chips) * u64::from(width) * u64::from(burst);
        let (banks, groups) = self.timing();
        self.mapping(atom, banks, groups);
    }

    /// The times between commands: by names, or in the order of older versions. Banks and their groups are among them.
    fn timing(&mut self) -> (u32, u32) {
        const KEYS: [(&str, &str); 14] = [
            ("nbk", "dram.banks"),
            ("CCD", "dram.timing.ccd-s"),
            ("RRD", "dram.timing.rrd"),
            ("RCD", "dram.timing.rcd"),
            ("RAS", "dram.timing.ras"),
            ("RP", "dram.timing.rp"),
            ("RC", "dram.timing.rc"),
            ("CL", "dram.timing.cl"),
            ("WL", "dram.timing.wl"),
            ("CDLR", "dram.timing.cdlr"),
            ("WR", "dram.timing.wr"),
            ("nbkgrp", "dram.bank-groups"),
            ("CCDL", "dram.timing.ccd-l"),
            ("RTPL", "dram.timing.rtp"),
        ];
        let Some(given) = self.take("dram_timing_opt") else {
            return (16, 4);
        };
        let value = given.value.replace(char::is_whitespace, "");
        let value = value.trim_matches('"').to_owned();
        let mut found = [None; KEYS.len()];
        for (at, part) in value.split(':').filter(|part| !part.is_empty()).enumerate() {
            let (slot, number) = match part.split_once('=') {
                Some((name, number)) => (KEYS.iter().position(|it| it.0 == name), number),
                None => (Some(at).filter(|&at| at < KEYS.len()), part),
            };
            match (slot, number.parse::<u32>()) {
                (Some(slot), Ok(number)) => found[slot] = Some(number),
                (None, Ok(_)) => self.leave(&given, format!("`{part}` has no counterpart")),
                _ => self.wrong(&given, format!("`{part}` is no time")),
            }
        }
        let short = found[1].unwrap_or(0);
        // 0 means that groups make no difference.
        found[12] = found[12].map(|long| long.max(short));
        for ((_, key), number) in KEYS.iter().zip(found) {
            if let Some(number) = number {
                self.set(key, number, &given);
            }
        }
        (found[0].unwrap_or(16).max(1), found[11].unwrap_or(4).max(1))
    }

    /// The fields of an address's bits: `dramid@8;0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS`, the highest
    /// first.
    fn mapping(&mut self, atom: u64, banks: u32, groups: u32) {
        let lower = self.take("dram_bnkgrp_indexing_policy");
        let lower = lower.and_then(|given| self.whole(&given)) == Some(1);
        let Some(given) = self.take("mem_addr_mapping") else {
            return;
        };
        let value = given.value.trim_matches('"');
        let (at, bits) = value.split_once(';').unwrap_or(("", value));
        let bits: Vec<char> = bits.chars().filter(char::is_ascii_alphanumeric).collect();
        let channel = match at.strip_prefix("dramid@") {
            Some(bit) => bit.parse().ok(),
            None => bits.iter().rev().position(|&bit| bit == 'D').map(|bit| bit as u32),
        };
        match channel.filter(|bit| *bit < 32) {
            Some(bit) => self.set("l2.interleave", 1u64 << bit, &given),
            None => self.leave(&given, "it does not say where the channel's bits are"),
        }
        if let Some(mapping) = fields(&bits, atom, banks, groups, lower) {
            self.set("dram.mapping", format!("\"{mapping}\""), &given);
        } else {
            self.leave(&given, "the bits below the row have no counterpart in this order");
            // A mapping that fits the banks, independently of the configuration's.
            let (group, bank) = (groups.max(1).ilog2(), (banks / groups.max(1)).max(1).ilog2());
            let field = |kind: &str, bits: u32| match bits {
                0 => String::new(),
                bits => format!(" {kind}:{bits}"),
            };
            let mapping = format!("row{}{} column:6", field("bank", bank), field("group", group));
            self.set("dram.mapping", format!("\"{mapping}\""), &given);
        }
    }

    fn finish(mut self) -> Result<(Vec<Setting>, Vec<Left>)> {
        for (given, used) in self.given.iter().zip(&self.used) {
            if !used {
                let name = given.plain_name();
                let reason =
                    REASONS.iter().filter(|it| name.starts_with(it.0)).max_by_key(|it| it.0.len());
                let why = reason.map_or("has no counterpart", |it| it.1).to_owned();
                let (option, line) = (given.spelled(), given.place.line);
                self.left.push(Left { option, line, why });
            }
        }
        self.left.sort_by_key(|left| left.line);
        self.errors.sort_by_key(|error| (error.line, error.column));
        match self.errors.is_empty() {
            true => Ok((self.settings, self.left)),
            false => Err(self.errors),
        }
    }
}

/// The fields of a channel's address below the row, the highest first, as machine files have them.
/// The bits of the groups are the `lower` or the upper ones of the banks'. None if such a file
/// cannot express them.
fn fields(bits: &[char], atom: u64, banks: u32, groups: u32, lower: bool) -> Option<String> {
    let row = bits.iter().rposition(|&bit| bit == 'R')?;
    let below: Vec<char> = bits[row + 1..].iter().copied().filter(|&bit| bit != 'D').collect();
    let of_banks = below.iter().filter(|&&bit| bit == 'B').count() as u32;
    let of_groups = groups.checked_ilog2()?;
    let burst = below.iter().rev().take_while(|&&bit| bit == 'S').count();
    let good = banks.is_power_of_two()
        && groups.is_power_of_two()
        && of_banks == banks.ilog2()
        && of_groups <= of_banks
        && 1u64.checked_shl(burst as u32) == Some(atom)
        && below[..below.len() - burst].iter().all(|bit| matches!(bit, 'B' | 'C'));
    if !good {
        return None;
    }
    let mut seen = 0;
    let mut found: Vec<(&str, u32)> = Vec::new();
    for bit in &below[..below.len() - burst] {
        let kind = match bit {
            'C' => "column",
            _ => {
                seen += 1;
                let in_group = if lower { seen > of_banks - of_groups } else { seen <= of_groups };
                if in_group { "group" } else { "bank" }
            }
        };
        match found.last_mut() {
            Some((last, count)) if *last == kind => *count += 1,
            _ => found.push((kind, 1)),
        }
    }
    let fields: String = found.iter().map(|(kind, count)| format!(" {kind}:{count}")).collect();
    Some(format!("row{fields}"))
}
