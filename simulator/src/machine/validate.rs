//! The rules that a machine must satisfy, so that nothing later has to check it again.

use crate::mechanisms::setup::Setup;
use reconverge_isa::REGISTERS;
use reconverge_isa::control_bits::COUNTERS;
use reconverge_isa::uniform_rules::UNIFORM_REGISTERS;

use super::rules::{LARGEST_TABLE, LONGEST, Rules};
use super::{Dependences, L1, L2, Machine, OperandDelivery, operations};
use crate::handles::Resource;
use crate::mechanisms::allocation::{CacheShape, Level};
use crate::mechanisms::divergence::slot::Capabilities;
use crate::mechanisms::granularity::LineShape;
use crate::mechanisms::scheduler::MAX_CANDIDATES;
use crate::mechanisms::{
    affine, allocation, block_scheduler, cycle_compression, divergence, dram_scheduler,
    granularity, lane_permutation, local_cache, pairing, prefetcher, register_file, replacement,
    scheduler,
};
use crate::memory::bytes::SECTOR;
use crate::memory::mapping::Mapping;
use crate::run::timing::epoch_length;

/// The largest cache or memory in bytes.
const LARGEST_MEMORY: u32 = 1 << 26;

/// Checks every value, and notes each that is wrong with its key.
pub(super) fn validate(machine: &Machine, rules: &mut Rules) {
    rules.range("sms", machine.sms, 1, 256);
    let sm_clock = rules.frequency("clock-mhz", machine.clock_mhz);
    validate_core(machine, rules);
    validate_units(machine, rules);
    operations::validate(machine.operations(), &pipe_names(machine), LONGEST, rules);
    validate_front(machine, rules);
    rules.range("load-store.queue", machine.load_store.queue, 1, 1024);
    rules.range("load-store.lines-per-cycle", machine.load_store.lines_per_cycle, 1, 16);
    rules.power_in("load-store.warp-parts", machine.load_store.warp_parts, 1, 64);
    let memory = &machine.load_store;
    rules.range("load-store.pending-requests", memory.pending_requests, 0, 4096);
    rules.range("load-store.sub-core-queue", memory.sub_core_queue, 1, 64);
    rules.range("load-store.sub-core-interval", memory.sub_core_interval, 1, 64);
    rules.range("load-store.interval", memory.interval, 1, 64);
    rules.range("load-store.sub-core-latency", memory.sub_core_latency, 3, 64);
    rules.range("load-store.address-latency", memory.address_latency, 0, 64);
    rules.range("load-store.transfer", memory.transfer, 4, 1024);
    rules.power_in("shared.banks", machine.shared.banks, 1, 256);
    rules.range("shared.latency", machine.shared.latency, 1, LONGEST);
    rules.range("constant.latency", machine.constant.latency, 1, LONGEST);
    validate_l1(&machine.l1, machine.sm.shared_memory, rules);
    validate_l2(&machine.l2, machine.l1.line, rules);
    let interconnect = &machine.interconnect;
    let clock = rules.frequency("interconnect.clock-mhz", interconnect.clock_mhz);
    let latency = rules.range("interconnect.latency", interconnect.latency, 1, LONGEST);
    if sm_clock && clock && latency && epoch_length(machine) == 0 {
        rules.fault(
            "interconnect.latency",
            "`interconnect.latency` must be at least a cycle of the SMs",
        );
    }
    rules.range("interconnect.credits", interconnect.credits, 1, LARGEST_TABLE);
    rules.range("interconnect.bytes-per-cycle", interconnect.bytes_per_cycle, 1, 65536);
    rules.range("interconnect.header", interconnect.header, 0, 256);
    rules.range("interconnect.queue", interconnect.queue, 1, LARGEST_TABLE);
    machine.dram.validate(machine.l2.clock_mhz, machine.l2.line, rules, |dram, line| {
        Mapping::new(dram, line).map(drop)
    });
    // Mechanisms are built for a machine whose values are good.
    if rules.faults.is_empty() {
        validate_mechanisms(machine, rules);
    } else {
        find_mechanisms(machine, rules);
    }
}

fn validate_core(machine: &Machine, rules: &mut Rules) {
    let sm = &machine.sm;
    rules.range("sm.warp-width", sm.warp_width, 1, 64);
    rules.range("sm.warps", sm.warps, 1, 1024);
    rules.range("sm.blocks", sm.blocks, 1, 1024);
    rules.range("sm.registers", sm.registers, 1, LARGEST_MEMORY);
    rules.range("sm.register-granularity", sm.register_granularity, 1, 65536);
    rules.power_in("sm.register-warps", sm.register_warps, 1, 64);
    rules.range("sm.max-registers", sm.max_registers, 1, REGISTERS as u32);
    rules.range("sm.target-registers", sm.target_registers, 1, REGISTERS as u32);
    rules.range("sm.shared-memory", sm.shared_memory, 0, 1 << 24);
    rules.range("sm.shared-granularity", sm.shared_granularity, 1, 65536);
    rules.range("sm.launch-latency", sm.launch_latency, 0, 1 << 20);
    rules.range("sm.read-ports", sm.read_ports, 0, 4);
    rules.range("sm.uniform-registers", sm.uniform_registers, 0, UNIFORM_REGISTERS);
    rules.range("sm.dependence-counters", sm.dependence_counters, 0, COUNTERS.into());
    let schedulers = rules.range("sm.schedulers", sm.schedulers, 1, 64);
    if schedulers && rules.power_in("sm.sub-cores", sm.sub_cores, 1, 64) {
        let parts = sm.sub_cores;
        if !sm.schedulers.is_multiple_of(parts) {
            let message = format!(
                "`sm.schedulers` is {}; it must be a multiple of the {parts} of `sm.sub-cores`",
                sm.schedulers
            );
            rules.fault("sm.schedulers", message);
        }
    }
}

fn validate_front(machine: &Machine, rules: &mut Rules) {
    rules.range("fetch.width", machine.fetch.width, 1, 8);
    rules.range("fetch.latency", machine.fetch.latency, 1, LONGEST);
    rules.range("fetch.buffer", machine.fetch.buffer, 1, 8);
    rules.range("scoreboard.entries", machine.scoreboard.entries, 0, 64);
    let mut read_only = |key: &str, size: u32, line: u32, ways: u32, longest: u32| {
        let good = rules.power_in(&format!("{key}.line"), line, 32, longest);
        if rules.range(&format!("{key}.size"), size, 0, 1 << 22) && good {
            geometry(key, size, line, ways, 1, rules);
        }
    };
    let (code, constant) = (&machine.instruction_cache, &machine.constant);
    read_only("instruction-cache", code.size, code.line, code.ways, 256);
    read_only("constant", constant.size, constant.line, constant.ways, 256);
    rules.range("instruction-cache.prefetch", code.lines_ahead, 0, 64);
    rules.range("instruction-cache.launch-prefetch", code.launch_bytes, 0, 1 << 20);
    rules.range("instruction-cache.interval", code.interval, 0, 4096);
    rules.range("constant.l0-size", constant.l0_size, 0, 1 << 16);
    rules.power_in("constant.l0-line", constant.l0_line, 32, 256);
    rules.range("constant.l0-latency", constant.l0_latency, 1, 4096);
    rules.range("constant.l1-latency", constant.l1_latency, 0, 4096);
    rules.range("instruction-cache.l0-ways", code.l0_ways, 1, 1024);
    rules.range("instruction-cache.l0-size", code.l0_size, 0, 1 << 22);
    let set = u64::from(code.line) * u64::from(code.l0_ways);
    if !u64::from(code.l0_size).is_multiple_of(set.max(1)) {
        let message = "`instruction-cache.l0-size` must be a multiple of line and ways";
        rules.fault("instruction-cache.l0-size", message.to_owned());
    }
    rules.range("instruction-cache.l0-latency", code.l0_latency, 1, 4096);
    rules.range("instruction-cache.l0-interval", code.l0_interval, 1, 4096);
    rules.range("instruction-cache.stream-buffer", code.stream_buffer, 0, 32);
    let bytes = code.instruction_bytes;
    rules.power_in("instruction-cache.instruction-bytes", bytes, 4, 32);
}

fn validate_units(machine: &Machine, rules: &mut Rules) {
    rules.range("barrier.latency", machine.barrier.latency, 0, LONGEST);
    rules.range("barrier.interval", machine.barrier.interval, 0, LONGEST);
    rules.range("pipes", machine.pipes.len() as u32, 1, 32);
    for (name, pipe) in &machine.pipes {
        rules.range(&format!("pipes.{name}.count"), pipe.count, 1, 16);
        rules.range(&format!("pipes.{name}.lanes"), pipe.lanes, 1, 64);
    }
    let pipes = pipe_names(machine);
    for (key, unit) in &machine.units {
        rules.range(&format!("units.{key}.latency"), unit.latency, 1, LONGEST);
        rules.range(&format!("units.{key}.initiation"), unit.initiation, 1, LONGEST);
        rules.range(&format!("units.{key}.wide"), unit.wide, 1, 16);
        rules.pipe(&format!("units.{key}.pipe"), &unit.pipe, &pipes);
    }
}

/// The names of a machine's pipes.
fn pipe_names(machine: &Machine) -> Vec<&str> {
    machine.pipes.keys().map(String::as_str).collect()
}

/// The mechanism in each slot, by the slot's key.
pub(super) fn slots(machine: &Machine) -> [(&'static str, &str); 19] {
    [
        ("divergence", &machine.divergence),
        ("lane-permutation", &machine.lane_permutation),
        ("scheduler", &machine.scheduler),
        ("register-file", &machine.register_file),
        ("cycle-compression", &machine.cycle_compression),
        ("affine", &machine.affine),
        ("prefetcher", &machine.prefetcher),
        ("local-cache", &machine.local_cache),
        ("granularity", &machine.granularity),
        ("allocation", &machine.allocation),
        ("block-scheduler", &machine.block_scheduler),
        ("dram-scheduler", &machine.dram_scheduler),
        ("sm.pairing", &machine.sm.pairing),
        ("l1.replacement", &machine.l1.replacement),
        ("l2.replacement", &machine.l2.replacement),
        ("l2.granularity", &machine.l2.granularity),
        ("l2.allocation", &machine.l2.allocation),
        ("instruction-cache.replacement", &machine.instruction_cache.replacement),
        ("constant.replacement", &machine.constant.replacement),
    ]
}

/// Notes the mechanisms that do not exist, by slot.
fn find_mechanisms(machine: &Machine, rules: &mut Rules) {
    for (key, name) in slots(machine) {
        let found = match key.rsplit('.').next().unwrap_or(key) {
            "divergence" => divergence::list::find(name).err(),
            "lane-permutation" => lane_permutation::list::find(name).err(),
            "scheduler" => scheduler::list::find(name).err(),
            "register-file" => register_file::list::find(name).err(),
            "cycle-compression" => cycle_compression::list::find(name).err(),
            "affine" => affine::list::find(name).err(),
            "prefetcher" => prefetcher::list::find(name).err(),
            "local-cache" => local_cache::list::find(name).err(),
            "granularity" => granularity::list::find(name).err(),
            "allocation" => allocation::list::find(name).err(),
            "block-scheduler" => block_scheduler::list::find(name).err(),
            "dram-scheduler" => dram_scheduler::list::find(name).err(),
            "pairing" => pairing::list::find(name).err(),
            _ => replacement::list::find(name).err(),
        };
        if let Some(message) = found {
            rules.fault(key, message);
        }
    }
}

/// Constructs every mechanism once: unknown names and options are found here.
fn validate_mechanisms(machine: &Machine, rules: &mut Rules) {
    find_mechanisms(machine, rules);
    if !rules.faults.is_empty() {
        return;
    }
    let scheme = construct(machine, "divergence", rules, |this| {
        let scheme = divergence::list::find(&this.divergence)?;
        Ok((scheme.name, (scheme.build)(&Setup::on(this, scheme.name))))
    });
    let scheme = scheme.map(|(name, scheme)| (name, scheme.capabilities()));
    if let Some((name, capabilities)) = &scheme {
        let slots = capabilities.slots_per_warp;
        let candidates = machine.sm.warps as usize * slots;
        let each = candidates.div_ceil(machine.sm.schedulers as usize);
        if each > MAX_CANDIDATES {
            let warps = MAX_CANDIDATES / slots * machine.sm.schedulers as usize;
            let message = format!(
                "`sm.warps` gives each scheduler {each} paths; at most {MAX_CANDIDATES}: with \
                 `{name}`, set it to at most {warps}"
            );
            rules.fault("sm.warps", message);
        }
    }
    let Some(lanes) = rules.hold("lane-permutation", lane_permutation::list::map(machine)) else {
        return;
    };
    construct(machine, "scheduler", rules, |this| {
        let policy = scheduler::list::find(&this.scheduler)?;
        Ok((policy.name, (policy.build)(&Setup::on(this, policy.name))))
    });
    construct(machine, "cycle-compression", rules, |this| {
        let passes = cycle_compression::list::find(&this.cycle_compression)?;
        Ok((passes.name, (passes.build)(&Setup::on(this, passes.name))))
    });
    let regular = construct(machine, "affine", rules, |this| {
        let regular = affine::list::find(&this.affine)?;
        Ok((regular.name, (regular.build)(&Setup::on(this, regular.name))))
    });
    if let Some((_, regular)) = regular {
        rules.hold("affine", regular.check(machine, lanes.is_identity()));
    }
    construct(machine, "sm.pairing", rules, |this| {
        let pairs = pairing::list::find(&this.sm.pairing)?;
        Ok((pairs.name, (pairs.build)(&Setup::on(this, pairs.name))))
    });
    construct(machine, "prefetcher", rules, |this| {
        let prefetcher = prefetcher::list::find(&this.prefetcher)?;
        Ok((prefetcher.name, (prefetcher.build)(&Setup::on(this, prefetcher.name))))
    });
    construct(machine, "local-cache", rules, |this| {
        let local = local_cache::list::find(&this.local_cache)?;
        Ok((
            local.name,
            (local.build)(&Setup::on(this, local.name), local_cache::list::shape(this)?),
        ))
    });
    if let Some((name, capabilities)) = scheme {
        validate_register_file(machine, name, &capabilities, rules);
    }
    let caches = [
        ("l1.replacement", &machine.l1.replacement),
        ("l2.replacement", &machine.l2.replacement),
        ("instruction-cache.replacement", &machine.instruction_cache.replacement),
        ("constant.replacement", &machine.constant.replacement),
    ];
    for (key, name) in caches {
        construct(machine, key, rules, |this| {
            let policy = replacement::list::find(name)?;
            Ok((policy.name, (policy.build)(&Setup::on(this, policy.name), 1, 1)))
        });
    }
    validate_memory_mechanisms(machine, rules);
    let is_fixed = machine.sm.operand_delivery == OperandDelivery::FixedLatency;
    if machine.sm.dependences == Dependences::ControlBits && !is_fixed {
        let message = "`sm.dependences=control-bits` needs `sm.operand-delivery=fixed-latency`: the compiler states the times of results";
        rules.fault("sm.dependences", message.to_owned());
    }
    if machine.sm.dependences == Dependences::ControlBits && machine.scoreboard.entries != 0 {
        let message = format!(
            "`scoreboard.entries={}` goes with `sm.dependences=scoreboard` only",
            machine.scoreboard.entries
        );
        rules.fault("scoreboard.entries", message);
    }
    if is_fixed {
        validate_fixed_delivery(machine, rules);
    }
}

/// Operands in a fixed time go with what leaves the times of an instruction as they are.
fn validate_fixed_delivery(machine: &Machine, rules: &mut Rules) {
    if machine.pipes.len() > Resource::PIPES {
        let message =
            format!("`sm.operand-delivery=fixed-latency` allows at most {} pipes", Resource::PIPES);
        rules.fault("pipes", message);
    }
    let slots = [
        ("register-file", &machine.register_file, "banked"),
        ("cycle-compression", &machine.cycle_compression, "none"),
        ("affine", &machine.affine, "none"),
        ("sm.pairing", &machine.sm.pairing, pairing::list::NOTHING),
    ];
    let by_slot = slots.into_iter().filter(|(_, filled, goes)| filled != goes);
    let by_slot = by_slot.map(|(slot, filled, goes)| (slot, filled.clone(), goes));
    let regroups = divergence::list::build(machine)
        .is_ok_and(|scheme| scheme.capabilities().regroups)
        .then(|| {
            ("divergence", machine.divergence.clone(), "a scheme whose paths stay in their warps")
        });
    for (key, filled, goes) in by_slot.chain(regroups) {
        let message = format!(
            "`sm.operand-delivery=fixed-latency` does not go with `{filled}` in `{key}`: it needs {goes}; otherwise also set `sm.operand-delivery=collectors` and `sm.dependences=scoreboard`"
        );
        rules.fault(key, message);
    }
}

/// Constructs the register file, which may not go with the divergence scheme.
fn validate_register_file(machine: &Machine, scheme: &str, can: &Capabilities, rules: &mut Rules) {
    let mut file = construct(machine, "register-file", rules, |this| {
        let file = register_file::list::find(&this.register_file)?;
        let shape = register_file::list::shape(this, can.is_serial);
        Ok((file.name, (file.build)(&Setup::on(this, file.name), &shape)))
    });
    if let Some((name, file)) = &mut file
        && file.limits().is_some()
        && machine.sm.sub_cores != 1
    {
        let message = format!(
            "`{name}` gives out the registers of an SM as a whole: it does not go with `sm.sub-cores` above 1"
        );
        rules.fault("register-file", message);
    }
    if let Some((name, file)) = &file
        && file.properties().regions.is_some()
    {
        let slots = [
            ("local-cache", &machine.local_cache, ["none", "none"]),
            ("affine", &machine.affine, ["none", "none"]),
        ];
        for (slot, filled, goes) in slots {
            if !goes.contains(&filled.as_str()) {
                let message = format!(
                    "`{name}` keeps registers in memory as the compiler cut the code: it does not go with `{filled}` in the slot `{slot}`"
                );
                rules.fault("register-file", message);
            }
        }
    }
    if let Some((name, file)) = file
        && can.regroups
        && file.properties().by_warp
    {
        let message = format!(
            "`{name}` keeps registers by warp: it does not go with `{scheme}`, whose paths may hold threads of several warps"
        );
        rules.fault("register-file", message);
    }
}

/// Constructs a mechanism; faults of its options are recorded at their keys.
fn construct<T>(
    machine: &Machine,
    slot: &str,
    rules: &mut Rules,
    make: impl FnOnce(&Machine) -> Result<(&'static str, Result<T, String>), String>,
) -> Option<(&'static str, T)> {
    let (name, built) = rules.hold(slot, make(machine))?;
    match built {
        Ok(built) => Some((name, built)),
        Err(error) => {
            let options = machine.options(name);
            let named = error.split('`').skip(1).step_by(2);
            let key = named.map(str::to_owned).find(|word| options.contains_key(word));
            let key = key.map_or(name.to_owned(), |key| format!("{name}.{key}"));
            rules.fault(&key, format!("options of `{name}`: {error}"));
            None
        }
    }
}

fn validate_memory_mechanisms(machine: &Machine, rules: &mut Rules) {
    let (l1, l2) = (&machine.l1, &machine.l2);
    let lines = [
        ("granularity", &machine.granularity, l1.line, l1.sector, machine.ideal.l1),
        ("l2.granularity", &l2.granularity, l2.line, l2.sector, machine.ideal.l2),
    ];
    for (key, name, line, sector, is_ideal) in lines {
        let built = construct(machine, key, rules, |this| {
            let mechanism = granularity::list::find(name)?;
            let shape = LineShape { places: 1, sectors: line / SECTOR, grain: sector / SECTOR };
            Ok((mechanism.name, (mechanism.build)(&Setup::on(this, mechanism.name), shape)))
        });
        if let Some((name, granularity)) = built
            && is_ideal
            && granularity.learns()
        {
            let ideal = if key == "granularity" { "l1" } else { "l2" };
            let message = format!(
                "`ideal.{ideal}` does not go with `{name}`, which learns by the places of lines: set `{key}=fine`"
            );
            rules.fault(&format!("ideal.{ideal}"), message);
        }
    }
    let caches = [
        ("allocation", &machine.allocation, Level::First, l1.ways),
        ("l2.allocation", &l2.allocation, Level::Second, l2.ways),
    ];
    for (key, name, level, ways) in caches {
        construct(machine, key, rules, |this| {
            let lines = allocation::list::find(name)?;
            let shape = CacheShape { level, sets: 1, ways: ways as usize };
            Ok((lines.name, (lines.build)(&Setup::on(this, lines.name), shape)))
        });
    }
    construct(machine, "block-scheduler", rules, |this| {
        let blocks = block_scheduler::list::find(&this.block_scheduler)?;
        Ok((blocks.name, (blocks.build)(&Setup::on(this, blocks.name), this.sms as usize)))
    });
    construct(machine, "dram-scheduler", rules, |this| {
        let requests = dram_scheduler::list::find(&this.dram_scheduler)?;
        Ok((requests.name, (requests.build)(&Setup::on(this, requests.name), &this.dram)))
    });
}

/// A cache is made of whole sets; their number may be anything.
fn geometry(key: &str, size: u32, line: u32, ways: u32, slices: u32, rules: &mut Rules) {
    if !rules.range(&format!("{key}.ways"), ways, 1, 1024) {
        return;
    }
    let set = line * ways * slices;
    if !size.is_multiple_of(set) {
        let message = format!(
            "`{key}.size` is {size}; it must be a multiple of {set} (line, ways and slices)"
        );
        rules.fault(&format!("{key}.size"), message);
    }
}

/// Validates it for an SM with this much shared memory.
fn validate_l1(l1: &L1, shared: u32, rules: &mut Rules) {
    let line = rules.power_in("l1.line", l1.line, 32, 256);
    rules.power_in("l1.sector", l1.sector, SECTOR, l1.line.max(SECTOR));
    if rules.range("l1.size", l1.size, 0, 1 << 22) && line {
        geometry("l1", l1.size, l1.line, l1.ways, 1, rules);
    }
    if let (Some(&last), Some(way)) = (l1.carve_outs.last(), l1.size.checked_div(l1.ways)) {
        let ascends = l1.carve_outs.is_sorted_by(|a, b| a < b);
        let is_whole = |carved: &u32| way != 0 && carved.is_multiple_of(way);
        if !ascends || !l1.carve_outs.iter().all(is_whole) || last != shared || last >= l1.size {
            let message = format!(
                "`l1.carve-outs` must ascend in multiples of {way} (a way of `l1.size`) to `sm.shared-memory`, which is \
                 {shared}, and leave something of the {} of `l1.size`",
                l1.size
            );
            rules.fault("l1.carve-outs", message);
        }
    }
    rules.range("l1.latency", l1.latency, 1, LONGEST);
    rules.range("l1.mshrs", l1.mshrs, 1, LARGEST_TABLE);
    rules.range("l1.mshr-merges", l1.mshr_merges, 1, LARGEST_TABLE);
}

fn validate_l2(l2: &L2, l1_line: u32, rules: &mut Rules) {
    rules.frequency("l2.clock-mhz", l2.clock_mhz);
    let partitions = rules.range("l2.partitions", l2.partitions, 1, 256);
    let line = rules.power_in("l2.line", l2.line, l1_line.min(256), 256);
    rules.power_in("l2.sector", l2.sector, SECTOR, l2.line.max(SECTOR));
    rules.power_in("l2.interleave", l2.interleave, l2.line.min(1 << 20), 1 << 20);
    if rules.range("l2.size", l2.size, 0, LARGEST_MEMORY) && line && partitions {
        geometry("l2", l2.size, l2.line, l2.ways, l2.partitions, rules);
    }
    rules.range("l2.latency", l2.latency, 1, LONGEST);
    rules.range("l2.replies", l2.replies, 1, LARGEST_TABLE);
    rules.range("l2.mshrs", l2.mshrs, 1, LARGEST_TABLE);
    rules.range("l2.mshr-merges", l2.mshr_merges, 1, LARGEST_TABLE);
    rules.range("l2.atomic-cycles", l2.atomic_cycles, 1, LONGEST);
    rules.range("l2.rewrite-cycles", l2.rewrite_cycles, 1, 4096);
    rules.range("l2.atomic-latency", l2.atomic_latency, 0, LONGEST);
}
