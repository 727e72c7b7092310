//! Statistics: each declared once, with name, unit and sentence.
//!
//! Counters are added up or maximised over SMs and units; ratios are derived from them on request, never accumulated. `spec/statistics.md` is generated from the declarations.

use std::collections::BTreeMap;

use crate::observe::mechanism_statistics::MechanismStatistics;
pub use crate::observe::statistic::SLOT_REASONS;
use crate::observe::statistic::{Declaration, Kind, alias, in_order, key, kind, merge};

macro_rules! statistics {
    (counters { $(#[doc = $sentence:literal] $name:ident $(= $key:literal)?: $how:ident $unit:literal $($alias:literal)?;)* }
     ratios { $(#[doc = $rsentence:literal] $rname:ident: $runit:literal $($ralias:literal)? = |$s:ident| $value:expr;)* }) => {
        /// The counters of a kernel's run, or of a part of the machine.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Statistics {
            $(#[doc = $sentence] pub $name: u64,)*
            /// The counters that mechanisms declare.
            pub mechanisms: MechanismStatistics,
        }

        impl Statistics {
            /// Takes another part into account.
            pub fn merge(&mut self, other: &Statistics) {
                $(merge!($how, self.$name, other.$name);)*
                self.mechanisms.merge(&other.mechanisms);
            }

            /// By how much every counter has grown since an earlier moment of the same run.
            pub fn since(&self, earlier: &Statistics) -> Statistics {
                Statistics {
                    $($name: self.$name.saturating_sub(earlier.$name),)*
                    mechanisms: self.mechanisms.since(&earlier.mechanisms),
                }
            }

            /// Every counter, in the order of [`declarations`](crate::declarations).
            pub fn counters(&self) -> Vec<(&'static str, u64)> {
                in_order([$((key!($name $($key)?), self.$name),)*], self.mechanisms.counters())
            }

            /// Every ratio that is defined (its denominator is not zero), in the same order.
            pub fn ratios(&self) -> Vec<(&'static str, f64)> {
                let machine = [$((stringify!($rname), { let $s = self; $value }),)*];
                let all = in_order(machine, self.mechanisms.ratios()).into_iter();
                all.filter_map(|(name, value)| Some((name, value?))).collect()
            }

            $(#[doc = $rsentence] pub fn $rname(&self) -> Option<f64> {
                let $s = self;
                $value
            })*
        }

        /// The counters of the machine.
        pub(crate) const COUNTERS: &[Declaration] = &[
            $(Declaration {
                name: key!($name $($key)?),
                unit: $unit,
                sentence: $sentence.trim_ascii(),
                alias: alias!($($alias)?),
                kind: kind!($how),
                after: None,
                charge: None,
            },)*
        ];

        /// The ratios, computed from these counters.
        pub(crate) const RATIOS: &[Declaration] = &[
            $(Declaration {
                name: stringify!($rname),
                unit: $runit,
                sentence: $rsentence.trim_ascii(),
                alias: alias!($($ralias)?),
                kind: Kind::Ratio,
                after: None,
                charge: None,
            },)*
        ];
    };
}

/// `part / whole`, if there is a whole.
fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole != 0).then(|| part as f64 / whole as f64)
}

statistics! {
    counters {
        /// Cycles from the start of the kernel until every block has ended and every memory request is answered.
        cycles: max "cycles" "gpu_sim_cycle";
        /// Cycles from the start of the kernel until its first instructions have arrived at an SM; 0 if the instruction cache always hits.
        first_fetch_cycles: sum "cycles";
        /// Instructions issued, each for a path of at most one warp.
        warp_instructions: sum "instructions" "gpgpu_n_tot_w_icount";
        /// Instructions issued beside another one, by the same scheduler in the same cycle (`sm.pairing`); they take no issue slot.
        paired_instructions: sum "instructions";
        /// Instructions issued times the active lanes of their path.
        thread_instructions: sum "instructions" "gpu_sim_insn";
        /// Lanes of the issued instructions, active or not.
        lane_slots: sum "lanes";
        /// Instructions whose guard predicate was false in every active lane.
        predicated_off_instructions: sum "instructions";
        /// Active lanes in which issued instructions acted: lanes with a true guard predicate or, for branches, lanes that took them.
        acting_lanes: sum "lanes";
        /// Source operands of the issued instructions that are neither registers nor predicates: literals, parameters, and indices of threads and blocks.
        other_operands: sum "operands";
        /// Instructions issued of the unit `integer`, except those of affine warps.
        integer_instructions: sum "instructions";
        /// The lanes in which they acted; this, and the lanes of other units, without lanes that were gated (`g-scalar`, `warp-approximation`, `memoisation`).
        integer_lanes: sum "lanes";
        /// Instructions issued of the unit `integer-multiply`, except those of affine warps.
        integer_multiply_instructions: sum "instructions";
        /// The lanes in which they acted.
        integer_multiply_lanes: sum "lanes";
        /// Instructions issued of the unit `integer-divide`, except those of affine warps.
        integer_divide_instructions: sum "instructions";
        /// The lanes in which they acted.
        integer_divide_lanes: sum "lanes";
        /// Instructions issued of the unit `float`, except those of affine warps.
        float_instructions: sum "instructions";
        /// The lanes in which they acted.
        float_lanes: sum "lanes";
        /// Instructions issued of the unit `float-divide`, except those of affine warps.
        float_divide_instructions: sum "instructions";
        /// The lanes in which they acted.
        float_divide_lanes: sum "lanes";
        /// Instructions issued of the unit `double`, except those of affine warps.
        double_instructions: sum "instructions";
        /// The lanes in which they acted.
        double_lanes: sum "lanes";
        /// Instructions issued of the unit `double-divide`, except those of affine warps.
        double_divide_instructions: sum "instructions";
        /// The lanes in which they acted.
        double_divide_lanes: sum "lanes";
        /// Instructions issued of the unit `special`, except those of affine warps.
        special_instructions: sum "instructions";
        /// The lanes in which they acted.
        special_lanes: sum "lanes";
        /// Instructions issued of the unit `memory`, except those of affine warps.
        memory_instructions: sum "instructions";
        /// The lanes in which they acted.
        memory_lanes: sum "lanes";
        /// Instructions issued of the unit `control`, except those of affine warps.
        control_instructions: sum "instructions";
        /// The lanes in which they acted.
        control_lanes: sum "lanes";
        /// Thread blocks executed.
        blocks: sum "blocks" "gpgpu_n_tot_cta";
        /// Branches issued, conditional or not.
        branches: sum "instructions";
        /// Branches that some active lanes took and others did not.
        divergent_branches: sum "instructions";
        /// Active lanes of the branches issued that took the branch; the others of `thread_instructions` fell through.
        taken_branch_lanes: sum "lanes";
        /// Branches whose condition, by the compiler's analysis, depends on parameters, constants and ids only (class P).
        programmatic_branches: sum "instructions";
        /// Class-P branches that some active lanes took and others did not.
        divergent_programmatic_branches: sum "instructions";
        /// Branches whose condition, by the compiler's analysis, depends on loaded data (class D).
        data_branches: sum "instructions";
        /// Class-D branches that some active lanes took and others did not.
        divergent_data_branches: sum "instructions";
        /// The deepest reconvergence stack, or the largest warp-split table, of any warp.
        max_stack_depth: max "entries";

        /// Block-wide schemes: paths of divergent class-P branches with at least one thread of the block, except paths that are the reconvergence point itself.
        programmatic_paths: sum "paths";
        /// Class-P paths with at most a quarter of the block's threads that fit into fewer warps (NWideal, Rhu's dissertation, equation 4.1).
        programmatic_compactable_quarter: sum "paths";
        /// Class-P paths with more than a quarter and at most half of the block's threads that fit into fewer warps.
        programmatic_compactable_half: sum "paths";
        /// Class-P paths with more than half and at most three quarters of the block's threads that fit into fewer warps.
        programmatic_compactable_three_quarters: sum "paths";
        /// Class-P paths with more than three quarters of the block's threads that fit into fewer warps.
        programmatic_compactable_all: sum "paths";
        /// Class-P paths with at most a quarter of the block's threads that compaction turns into fewer warps.
        programmatic_compacted_quarter: sum "paths";
        /// Class-P paths with more than a quarter and at most half of the block's threads that compaction turns into fewer warps.
        programmatic_compacted_half: sum "paths";
        /// Class-P paths with more than half and at most three quarters of the block's threads that compaction turns into fewer warps.
        programmatic_compacted_three_quarters: sum "paths";
        /// Class-P paths with more than three quarters of the block's threads that compaction turns into fewer warps.
        programmatic_compacted_all: sum "paths";
        /// Block-wide schemes: such paths of divergent branches that are not class P.
        data_paths: sum "paths";
        /// Paths of branches outside class P with at most a quarter of the block's threads that fit into fewer warps.
        data_compactable_quarter: sum "paths";
        /// Paths of branches outside class P with more than a quarter and at most half of the block's threads that fit into fewer warps.
        data_compactable_half: sum "paths";
        /// Paths of branches outside class P with more than half and at most three quarters of the block's threads that fit into fewer warps.
        data_compactable_three_quarters: sum "paths";
        /// Paths of branches outside class P with more than three quarters of the block's threads that fit into fewer warps.
        data_compactable_all: sum "paths";
        /// Paths of branches outside class P with at most a quarter of the block's threads that compaction turns into fewer warps.
        data_compacted_quarter: sum "paths";
        /// Paths of branches outside class P with more than a quarter and at most half of the block's threads that compaction turns into fewer warps.
        data_compacted_half: sum "paths";
        /// Paths of branches outside class P with more than half and at most three quarters of the block's threads that compaction turns into fewer warps.
        data_compacted_three_quarters: sum "paths";
        /// Paths of branches outside class P with more than three quarters of the block's threads that compaction turns into fewer warps.
        data_compacted_all: sum "paths";
        /// Static warps with at least one thread on a path, summed over the paths of both classes.
        warps_before_compaction: sum "warps";
        /// Warps after compaction of these paths, whether or not the warps waited for it.
        warps_after_compaction: sum "warps";
        /// The minimum number of warps for the threads of these paths if a thread could use any lane (NWideal).
        warps_ideal: sum "warps";
        /// Warps that stalled at a branch to wait for the other warps of their block.
        stalled_warps: sum "warps";
        /// Warps that bypassed compaction: they passed a branch that other warps of their block had not reached.
        bypassed_warps: sum "warps";
        /// Warps that stalled at a conditional branch where compaction made fewer warps: Stall/Stall, a correct prediction.
        stall_stall_warps: sum "warps";
        /// Warps that stalled at a conditional branch where compaction made no fewer warps: Stall/Bypass, a wrong prediction.
        stall_bypass_warps: sum "warps";
        /// Warps that bypassed a conditional branch where compaction would have made fewer warps: Bypass/Stall, a wrong prediction.
        bypass_stall_warps: sum "warps";
        /// Warps that bypassed a conditional branch where compaction would have made no fewer warps: Bypass/Bypass, a correct prediction.
        bypass_bypass_warps: sum "warps";
        /// Block-wide schemes: line accesses that the static warps would have made for the same memory instructions.
        uncompacted_transactions: sum "accesses";
        /// Block-wide schemes: passes of shared memory for static warps and the same instructions, with each word in the bank of its number.
        uncompacted_shared_passes: sum "passes";
        /// Paths that the warp of an issued instruction could schedule, its own included, summed over the instructions.
        schedulable_paths: sum "paths";
        /// Barrier instructions issued.
        barriers: sum "instructions";
        /// Warp-level collectives issued: votes, shuffles and `warp.sync`.
        collectives: sum "instructions";
        /// Products of matrices issued, the instructions of the unit `tensor`.
        tensor_instructions: sum "instructions";
        /// The lanes in which they acted.
        tensor_lanes: sum "lanes";
        /// Cycles in which they occupied their pipe, summed over the sub-cores.
        tensor_busy_cycles: sum "cycles";
        /// Multiplications and additions of products of matrices of `f16` and `bf16`.
        tensor_half_operations: sum "operations";
        /// The same of `tf32`.
        tensor_tf32_operations: sum "operations";
        /// The same of floats of eight bits.
        tensor_f8_operations: sum "operations";
        /// The same of integers of eight and four bits.
        tensor_integer_operations: sum "operations";
        /// The same of single bits.
        tensor_bit_operations: sum "operations";
        /// The same of `f64`.
        tensor_double_operations: sum "operations";

        /// Instructions issued by affine warps; they count as warp instructions, but have no threads or lanes.
        affine_instructions: sum "instructions";
        /// Predicates of affine warps, one for each warp, computed by one comparison for the whole block.
        predicates_scalar: sum "warps";
        /// Predicates of affine warps computed by comparing the first and the last thread of a warp.
        predicates_endpoints: sum "warps";
        /// Predicates of affine warps computed by comparing every lane.
        predicates_per_lane: sum "warps";
        /// The deepest stack of any affine warp.
        max_affine_stack_depth: max "entries";
        /// Runs of affine warps, each for a batch of blocks.
        affine_batches: sum "batches";
        /// Loads from global and local memory.
        memory_loads: sum "instructions";
        /// Loads from global and local memory whose lines were requested before the load issued.
        early_loads: sum "instructions";
        /// Cycles from the first request for a line of an early load until the load issued, summed over the early loads.
        early_load_cycles: sum "cycles";
        /// Lines requested early.
        early_lines: sum "accesses";
        /// Lines requested early that were in the L1 already.
        early_hits: sum "accesses";
        /// Lines of early loads that were requested by the load itself, because their set had too few unlocked ways or the load too many lines.
        early_lines_skipped: sum "accesses";
        /// L1 lines locked for early loads, summed over cycles and SMs.
        locked_line_cycles: sum "line cycles";
        /// The most L1 lines that an SM had locked at one time.
        max_locked_lines: max "lines";
        /// Entries of the affine tuple queue, summed over cycles and SMs.
        tuple_queue_cycles: sum "entry cycles";
        /// Addresses and predicates in the queues of warps, summed over cycles and SMs.
        warp_queue_cycles: sum "entry cycles";
        /// Cycles in which the address expansion unit made progress.
        expansion_cycles: sum "cycles";
        /// Cycles in which the address expansion unit had work but was blocked by a full queue, a barrier or the L1.
        expansion_stalls: sum "cycles";

        /// Loads issued, from any state space.
        load_instructions: sum "instructions";
        /// Stores issued, to any state space.
        store_instructions: sum "instructions";
        /// Atomics issued.
        atomic_instructions: sum "instructions";
        /// Lanes in which atomics were performed.
        atomic_operations: sum "operations";
        /// Lanes of atomics on global memory that wait for another lane of their warp, as both change one word.
        atomic_conflicts: sum "operations";
        /// Asynchronous copies issued, from global to shared memory.
        copy_instructions: sum "instructions";
        /// Bytes that asynchronous copies write to shared memory, zeros included.
        copied_bytes: sum "bytes";

        /// Issue slots: cycles times schedulers, over all SMs.
        issue_slots: sum "slots";
        /// Issue slots that issued an instruction.
        slots_issued: sum "slots";
        /// Issue slots that the register file took for metadata instructions, which mark last reads (`virtualized`).
        slots_register_file = "slots_metadata": sum "slots";
        /// Issue slots lost because a ready instruction found the operand collectors full, still reading operands.
        slots_register_read: sum "slots";
        /// Issue slots lost because no register was free for the result of any ready path (`virtualized`).
        slots_throttled: sum "slots";
        /// Issue slots lost because the operand collectors were full of instructions that waited for their pipes.
        slots_pipe_busy: sum "slots";
        /// Issue slots lost because the operand collectors and the load/store unit's queue were full.
        slots_load_store_full: sum "slots";
        /// Issue slots lost because a source or destination was still in an arithmetic pipe.
        slots_arithmetic: sum "slots";
        /// Issue slots lost because no path had its next instruction in its instruction buffer.
        slots_fetch: sum "slots";
        /// Issue slots lost because a source or destination waited for memory, or because scoreboards were full of loads.
        slots_memory: sum "slots";
        /// Issue slots lost because asynchronous copies that a path waits for had not arrived.
        slots_copies: sum "slots";
        /// Issue slots lost because a path waited for a branch or a barrier to take effect, or for its next instruction to become issuable.
        slots_control: sum "slots";
        /// Issue slots lost because a scoreboard had no free entry for the next result of a path.
        slots_scoreboard: sum "slots";
        /// Issue slots lost because lines requested early for a load had not arrived.
        slots_early_load: sum "slots";
        /// Issue slots lost because a warp's queue was empty: the affine warp or its expansion unit lagged.
        slots_dequeue: sum "slots";
        /// Issue slots lost because the affine tuple queue was full.
        slots_enqueue: sum "slots";
        /// Issue slots lost because all paths waited at barriers.
        slots_barrier: sum "slots";
        /// Issue slots lost because ready paths were outside the scheduler's active pool.
        slots_inactive: sum "slots";
        /// Issue slots lost because the scheduler had no live path: no resident block, or all threads ended.
        slots_idle: sum "slots";
        /// Resident warps, summed over cycles and SMs.
        resident_warp_cycles: sum "warp cycles";
        /// Paths that could be scheduled or waited at barriers, summed over cycles and SMs.
        path_cycles: sum "path cycles";
        /// Entries of warps' reconvergence stacks or warp-split tables, summed over cycles and SMs.
        stack_entry_cycles: sum "entry cycles";
        /// Cycles in which an SM had a resident block, summed over the SMs.
        active_sm_cycles: sum "SM cycles";
        /// Warps that fit on the machine, summed over cycles and SMs.
        warp_capacity_cycles: sum "warp cycles";
        /// Registers of a thread.
        registers: max "registers";
        /// Shared memory of a block, including the launch's dynamic part.
        shared_bytes: max "bytes";

        /// Cycles in which arithmetic pipes executed passes.
        execution_cycles: sum "cycles";
        /// Cycles saved by skipping the passes of an idle upper or lower half of a warp.
        execution_cycles_saved_half: sum "cycles";
        /// Cycles saved, beyond those of an idle half, by skipping passes whose lanes are all idle (BCC).
        execution_cycles_saved_groups: sum "cycles";
        /// Cycles saved, beyond those of idle groups, by moving active lanes into common passes (SCC).
        execution_cycles_saved_swizzle: sum "cycles";

        /// Slot `affine`: instructions that a scalar or affine unit executed once because all their sources were uniform.
        compact_uniform_instructions: sum "instructions";
        /// Slot `affine`: instructions that an affine unit executed once because their sources were uniform or affine.
        compact_affine_instructions: sum "instructions";
        /// Conditional branches whose predicate was known to be the same in all lanes.
        compact_branches: sum "instructions";
        /// Uniform or affine registers expanded into vectors because only some of the threads wrote them.
        compact_expansions: sum "registers";
        /// Slot `affine`: instructions executed in one lane, because each of their sources is the same, or similar, in all active lanes (`g-scalar`, `warp-approximation`).
        one_lane_instructions: sum "instructions";
        /// Instructions among these that only some of their warp's live threads executed.
        one_lane_divergent_instructions: sum "instructions";
        /// Results of lanes that were replaced by that of another lane (`warp-approximation`).
        approximated_results: sum "results";
        /// Relative differences of these results from the lanes' own, added up; each is a million at most.
        approximation_error: sum "millionths";


        /// Fetches that hit in the instruction cache.
        fetches: sum "fetches";
        /// Fetches that missed in the instruction cache.
        instruction_misses: sum "fetches";
        /// Fetches whose instruction was discarded because its scoreboard had no free entry.
        refetches: sum "fetches";
        /// Warp registers read from the register file.
        register_reads: sum "registers";
        /// Warp registers written to the register file.
        register_writes: sum "registers";
        /// Cycles that register reads waited because their bank was in use.
        register_bank_conflicts: sum "cycles";
        /// Warp registers read from a level before the banks, in some lanes at least (`register-cache`, `pilot`, `compiler-managed`).
        register_cache_reads: sum "registers";
        /// Warp registers written to such a level.
        register_cache_writes: sum "registers";
        /// Warp registers written from a register cache to the register file; they are part of `register_writes`.
        register_write_backs: sum "registers";
        /// Warp registers that left a register cache and were not written to the register file, because they are not read again.
        register_write_backs_saved: sum "registers";
        /// Warp registers read from a last result file; they are part of `register_cache_reads` (`compiler-managed`).
        last_result_reads: sum "registers";
        /// Warp registers written to a last result file; they are part of `register_cache_writes`.
        last_result_writes: sum "registers";
        /// Lines that were accessed in the first-level cache for registers in transit.
        register_line_accesses = "staging_accesses": sum "accesses";
        /// Bytes of warp registers that `register_reads` did not have to read, because they were compressed.
        register_read_bytes_saved: sum "bytes";
        /// Bytes of warp registers that `register_writes` did not have to write.
        register_write_bytes_saved: sum "bytes";
        /// Values that instructions wrote to registers of a warp and that were never read (of values: `register-cache` counts them, and any register file with `banked.follow`).
        values_unread: sum "values";
        /// Values that were read once before they were overwritten or their warp ended.
        values_read_once: sum "values";
        /// Values that were read twice.
        values_read_twice: sum "values";
        /// Values that were read more than twice.
        values_read_more: sum "values";
        /// Cycles, summed over warp registers, from the issue of a register's writer to the issue of its last reader (counted as values are).
        register_live_cycles: sum "register cycles";
        /// The most warp registers of an SM that were live at one time.
        max_live_registers: max "registers";
        /// Cycles, summed over an SM's warp registers, in which a register was awake or waking up (`drowsy`), or its subarray not gated (`virtualized`).
        register_awake_cycles: sum "register cycles";
        /// Cycles, summed over warp registers, in which no thread had the register, and it was off; or in a subarray that was gated.
        register_off_cycles: sum "register cycles";
        /// Cycles, summed over the warp registers of the fast part of a register file with slow banks (`pilot`).
        register_fast_cycles: sum "register cycles";
        /// Cycles, summed over the warp registers of its slow banks; its `register_reads` and `register_writes` access these.
        register_slow_cycles: sum "register cycles";

        /// Words of constant memory that hit in the constant cache.
        constant_hits: sum "accesses";
        /// Words of constant memory that missed in the constant cache.
        constant_misses: sum "accesses";

        /// Instructions in which at least one lane accessed global or local memory.
        memory_accesses: sum "instructions";
        /// Line accesses that global and local memory instructions were coalesced into.
        transactions: sum "accesses";
        /// 32-byte sectors that these line accesses touch.
        transaction_sectors: sum "sectors";
        /// L1: line loads that found all their sectors.
        l1_hits: sum "accesses";
        /// L1: line loads that lacked a sector, those merged into an MSHR included.
        l1_misses: sum "accesses" "L1D_total_cache_misses";
        /// L1: misses merged into an MSHR of an outstanding miss.
        l1_merges: sum "accesses";
        /// L1: fetches whose line was in the cache, or took a way of it, on arrival.
        l1_fills: sum "fetches";
        /// L1: fetches whose line took no way of the cache, or had no cache to fill.
        l1_bypasses: sum "fetches";
        /// L1: lines that took a way, those of local stores included.
        l1_lines: sum "lines";
        /// L1: sectors that were read or written while their line was there.
        l1_sectors_used: sum "sectors";
        /// L1: fetched sectors that the first miss of their line requested.
        l1_sectors_demand: sum "sectors";
        /// L1: fetched sectors that a later miss requested, while their line was present or in flight without them.
        l1_sectors_not_predicted: sum "sectors";
        /// L1: sectors fetched beyond those that a miss requested, and read or written before their line left.
        l1_sectors_predicted_used: sum "sectors";
        /// L1: sectors fetched beyond those that a miss requested, and not used, those of bypassing lines included.
        l1_sectors_predicted_unused: sum "sectors";
        /// L1: loads looked up again, and hit, after their line was filled.
        l1_replays: sum "accesses";
        /// L1: cycles in which a miss found no free MSHR, no merge slot, no way or no room towards the interconnect.
        l1_stalls: sum "cycles";
        /// Cycles in which a load or atomic found no free entry in the pending request table.
        pending_request_stalls: sum "cycles";
        /// L1: line stores, written through.
        l1_stores: sum "accesses";
        /// L1: line stores to local memory, kept in the cache.
        l1_local_stores: sum "accesses";
        /// L1: dirty lines of local memory written back.
        l1_write_backs: sum "lines";
        /// Line accesses of loads from local memory.
        local_loads: sum "accesses";
        /// Line accesses of stores to local memory, and of atomics on it.
        local_stores: sum "accesses";
        /// Slot `local-cache`: vectors loaded from local memory in whose active lanes all words are 0.
        local_loads_zero: sum "vectors";
        /// Slot `local-cache`: vectors loaded from local memory whose active lanes have one word, not 0.
        local_loads_uniform: sum "vectors";
        /// Slot `local-cache`: vectors loaded from local memory that are affine and not uniform.
        local_loads_affine: sum "vectors";
        /// Slot `local-cache`: other vectors loaded from local memory.
        local_loads_generic: sum "vectors";
        /// Slot `local-cache`: vectors stored to local memory in whose active lanes all words are 0.
        local_stores_zero: sum "vectors";
        /// Slot `local-cache`: vectors stored to local memory whose active lanes have one word, not 0.
        local_stores_uniform: sum "vectors";
        /// Slot `local-cache`: vectors stored to local memory that are affine and not uniform.
        local_stores_affine: sum "vectors";
        /// Slot `local-cache`: other vectors stored to local memory, and those of atomics.
        local_stores_generic: sum "vectors";
        /// Fetches of local memory from the next level.
        local_fetches: sum "fetches";
        /// Writes of local memory to the next level.
        local_writes: sum "writes";
        /// Bytes of local memory fetched from the next level.
        local_fetch_bytes: sum "bytes";
        /// Bytes of local memory written to the next level, in whole sectors, as which they are written there.
        local_write_bytes: sum "bytes";
        /// Passes of shared-memory instructions.
        shared_passes: sum "passes";
        /// Passes of shared-memory instructions beyond those that the words they access need: two for a warp's doubles, four for its vectors of 16 bytes.
        shared_bank_conflicts: sum "passes" "gpgpu_n_shmem_bkconflict";

        /// Packets from SMs to memory partitions.
        requests: sum "packets";
        /// Packets from memory partitions to SMs.
        replies: sum "packets";
        /// Bytes from SMs to memory partitions, headers included.
        request_bytes: sum "bytes";
        /// Bytes from memory partitions to SMs, headers included.
        reply_bytes: sum "bytes";

        /// Cycles that ports of SMs took to send these bytes, each packet a whole number: flits.
        request_flits: sum "flits";
        /// The same of ports of memory partitions.
        reply_flits: sum "flits";

        /// L2: line reads that found all their sectors.
        l2_hits: sum "accesses";
        /// L2: line reads that lacked a sector, those merged into an MSHR included.
        l2_misses: sum "accesses" "L2_total_cache_misses";
        /// L2: misses merged into an MSHR of an outstanding miss.
        l2_merges: sum "accesses";
        /// L2: fetches whose line was in the cache, or took a way of it, on arrival.
        l2_fills: sum "fetches";
        /// L2: fetches whose line took no way of the cache, or had no cache to fill.
        l2_bypasses: sum "fetches";
        /// L2: lines that took a way, those of writes included, or had one when the launch began and were used.
        l2_lines: sum "lines";
        /// L2: sectors that were read or written while their line was there.
        l2_sectors_used: sum "sectors";
        /// L2: fetched sectors that the first miss of their line requested.
        l2_sectors_demand: sum "sectors";
        /// L2: fetched sectors that a later miss requested, while their line was present or in flight without them.
        l2_sectors_not_predicted: sum "sectors";
        /// L2: sectors fetched beyond those that a miss requested, and read or written before their line left.
        l2_sectors_predicted_used: sum "sectors";
        /// L2: sectors fetched beyond those that a miss requested, and not used, those of bypassing lines included.
        l2_sectors_predicted_unused: sum "sectors";
        /// L2: line writes.
        l2_writes: sum "accesses";
        /// L2: sectors fetched to complete bytes that had been written before.
        l2_sectors_completed: sum "sectors";
        /// L2: dirty lines written to DRAM.
        l2_write_backs: sum "lines";
        /// L2: cycles in which the request at the head of a slice's queue was blocked.
        l2_stalls: sum "cycles";

        /// Bytes read from DRAM.
        dram_read_bytes: sum "bytes";
        /// Bytes written to DRAM.
        dram_write_bytes: sum "bytes";
        /// Line requests that DRAM served.
        dram_requests: sum "requests";
        /// DRAM reads answered from a waiting write.
        dram_forwards: sum "requests";
        /// Bytes of DRAM reads answered from a waiting write.
        dram_forwarded_bytes: sum "bytes";
        /// DRAM requests that found their row open.
        dram_row_hits: sum "requests";
        /// DRAM requests that needed their row opened.
        dram_row_misses: sum "requests";
        /// Bursts read.
        dram_reads: sum "commands";
        /// Bursts written.
        dram_writes: sum "commands";
        /// Rows opened.
        dram_activates: sum "commands";
        /// Rows closed, for another row or for a refresh.
        dram_precharges: sum "commands";
        /// Refreshes of all banks of a channel.
        dram_refreshes: sum "commands";
        /// Changes of a data bus from reads to writes or back.
        dram_turnarounds: sum "changes";
        /// Command-clock cycles that requests waited for their last burst, summed over the requests.
        dram_wait_cycles: sum "request cycles";
        /// Command-clock cycles in which a channel's read queue was full.
        dram_read_full_cycles: sum "cycles";
        /// Command-clock cycles in which a channel's write queue was full.
        dram_write_full_cycles: sum "cycles";
        /// Command-clock cycles in which a channel's data bus was in use, summed over the channels.
        dram_busy_cycles: sum "cycles";
        /// Command-clock cycles in which some bank of a channel had a row open, summed over the channels.
        dram_active_cycles: sum "cycles";
        /// Command-clock cycles times channels.
        dram_capacity_cycles: sum "cycles";
    }
    ratios {
        /// Warp instructions per cycle, over the machine.
        ipc: "instructions per cycle" = |s| ratio(s.warp_instructions, s.cycles);
        /// Thread instructions per cycle, over the machine.
        thread_ipc: "instructions per cycle" "gpu_ipc" = |s| ratio(s.thread_instructions, s.cycles);
        /// Share of the issued lanes that were active.
        simd_efficiency: "ratio" = |s| ratio(s.thread_instructions, s.lane_slots);
        /// Share of the tensor pipes' cycles in which they were occupied, with a pipe for each scheduler.
        tensor_utilization: "ratio" = |s| ratio(s.tensor_busy_cycles, s.issue_slots);
        /// Paths that a warp could schedule when it issued, on average (Rhu's dissertation, equation 3.1).
        path_count: "paths" = |s| ratio(s.schedulable_paths, s.warp_instructions);
        /// Paths of a resident warp, on average over time, without those that wait at a reconvergence point; a warp that has ended counts until its block ends.
        paths_per_warp: "paths" = |s| ratio(s.path_cycles, s.resident_warp_cycles);
        /// Entries of a resident warp's reconvergence stack or warp-split table, on average over time; a warp that has ended counts until its block ends.
        stack_depth: "entries" = |s| ratio(s.stack_entry_cycles, s.resident_warp_cycles);
        /// Share of the warps that fit which were resident.
        occupancy: "ratio" "gpu_occupancy" = |s| ratio(s.resident_warp_cycles, s.warp_capacity_cycles);
        /// Share of the values that were read once, where values are followed.
        values_read_once_share: "ratio" = |s| ratio(s.values_read_once, s.values());
        /// Share of the values that were read more than twice, where values are followed.
        values_read_more_share: "ratio" = |s| ratio(s.values_read_more, s.values());
        /// Share of the registers of resident warps that were live, on average over time, where values are followed.
        live_register_share: "ratio" = |s| (s.max_live_registers != 0)
            .then(|| ratio(s.register_live_cycles, s.resident_warp_cycles * s.registers)).flatten();
        /// Share of the arithmetic pipes' cycles that cycle compression saved.
        execution_compression: "ratio" = |s| ratio(s.execution_cycles_saved(), s.execution_cycles + s.execution_cycles_saved());
        /// Share of the instructions that were executed once for all lanes.
        compact_share: "ratio" = |s| ratio(
            s.compact_uniform_instructions + s.compact_affine_instructions + s.one_lane_instructions,
            s.warp_instructions
        );
        /// Mean relative difference of the results that `warp-approximation` has replaced from the lanes' own.
        approximation_relative_error: "ratio" = |s| ratio(s.approximation_error, s.approximated_results * 1_000_000);
        /// Share of the paths of divergent class-P branches that compaction turns into fewer warps.
        programmatic_compaction_rate: "ratio" = |s| ratio(
            s.programmatic_compacted_quarter
                + s.programmatic_compacted_half
                + s.programmatic_compacted_three_quarters
                + s.programmatic_compacted_all,
            s.programmatic_paths
        );
        /// Share of the paths of divergent class-P branches that fit into fewer warps if a thread could use any lane.
        programmatic_ideal_compaction_rate: "ratio" = |s| ratio(
            s.programmatic_compactable_quarter
                + s.programmatic_compactable_half
                + s.programmatic_compactable_three_quarters
                + s.programmatic_compactable_all,
            s.programmatic_paths
        );
        /// Share of the paths of divergent branches outside class P that compaction turns into fewer warps.
        data_compaction_rate: "ratio" = |s| ratio(
            s.data_compacted_quarter
                + s.data_compacted_half
                + s.data_compacted_three_quarters
                + s.data_compacted_all,
            s.data_paths
        );
        /// Share of the paths of divergent branches outside class P that fit into fewer warps if a thread could use any lane.
        data_ideal_compaction_rate: "ratio" = |s| ratio(
            s.data_compactable_quarter
                + s.data_compactable_half
                + s.data_compactable_three_quarters
                + s.data_compactable_all,
            s.data_paths
        );
        /// Share of the decisions to stall or bypass at a conditional branch that were correct.
        compaction_prediction_accuracy: "ratio" = |s| ratio(
            s.stall_stall_warps + s.bypass_bypass_warps,
            s.stall_stall_warps + s.stall_bypass_warps + s.bypass_stall_warps + s.bypass_bypass_warps
        );
        /// Line accesses relative to those that the static warps would have made.
        compaction_transaction_ratio: "ratio" = |s| ratio(s.transactions, s.uncompacted_transactions);
        /// Line accesses that regrouping of threads adds to an instruction that accesses global or local memory, on average.
        transactions_added_per_access: "accesses per instruction" = |s| (s.uncompacted_transactions != 0)
            .then(|| (s.transactions as f64 - s.uncompacted_transactions as f64) / s.memory_accesses as f64);
        /// Passes of shared memory relative to those that the static warps would have needed: bank conflicts that regrouping causes, mostly under a permutation of lanes.
        compaction_shared_pass_ratio: "ratio" = |s| ratio(s.shared_passes, s.uncompacted_shared_passes);
        /// Share of the warp instructions that affine warps issued.
        affine_share: "ratio" = |s| ratio(s.affine_instructions, s.warp_instructions);
        /// Share of the loads from global and local memory whose lines were requested early.
        decoupled_load_rate: "ratio" = |s| ratio(s.early_loads, s.memory_loads);
        /// Cycles from the first early request of a load until it issued, on average.
        early_distance: "cycles" = |s| ratio(s.early_load_cycles, s.early_loads);
        /// Share of the predicates of affine warps computed by one comparison for a block.
        predicate_scalar_rate: "ratio" = |s| ratio(s.predicates_scalar, s.predicates());
        /// Share of the predicates of affine warps computed by at most two comparisons for a warp.
        predicate_endpoint_rate: "ratio" = |s| ratio(s.predicates_scalar + s.predicates_endpoints, s.predicates());
        /// Share of the branches that some active lanes took and others did not.
        branch_divergence: "ratio" = |s| ratio(s.divergent_branches, s.branches);
        /// Share of the class-P branches that some active lanes took and others did not.
        programmatic_branch_divergence: "ratio" = |s| ratio(s.divergent_programmatic_branches, s.programmatic_branches);
        /// Share of the class-D branches that some active lanes took and others did not.
        data_branch_divergence: "ratio" = |s| ratio(s.divergent_data_branches, s.data_branches);
        /// Line accesses of an instruction that accesses global or local memory, on average.
        transactions_per_access: "accesses per instruction" = |s| ratio(s.transactions, s.memory_accesses);
        /// 32-byte sectors that a line access touches, on average.
        sectors_per_transaction: "sectors per access" = |s| ratio(s.transaction_sectors, s.transactions);
        /// Passes of shared memory relative to those that the accessed words need; without bank conflicts it is 1.
        passes_per_access: "ratio" = |s| ratio(s.shared_passes, s.shared_passes - s.shared_bank_conflicts);
        /// Share of the L1 loads that hit.
        l1_hit_rate: "ratio" = |s| ratio(s.l1_hits, s.l1_hits + s.l1_misses);
        /// Share of the L1 loads that missed.
        l1_miss_rate: "ratio" "L1D_total_cache_miss_rate" = |s| ratio(s.l1_misses, s.l1_hits + s.l1_misses);
        /// Loads that hit in the L1, for each line that took a way: how often a line is used again, on average.
        l1_reuse: "accesses per line" = |s| ratio(s.l1_hits, s.l1_lines);
        /// Sectors of 32 bytes used of a line of the L1, on average.
        l1_sectors_per_line: "sectors per line" = |s| ratio(s.l1_sectors_used, s.l1_lines);
        /// Share of the L2 reads that hit.
        l2_hit_rate: "ratio" = |s| ratio(s.l2_hits, s.l2_hits + s.l2_misses);
        /// Share of the L2 reads that missed.
        l2_miss_rate: "ratio" "L2_total_cache_miss_rate" = |s| ratio(s.l2_misses, s.l2_hits + s.l2_misses);
        /// Reads that hit in the L2, for each line that took a way: how often a line is used again, on average.
        l2_reuse: "accesses per line" = |s| ratio(s.l2_hits, s.l2_lines);
        /// Sectors of 32 bytes used of a line of the L2, on average.
        l2_sectors_per_line: "sectors per line" = |s| ratio(s.l2_sectors_used, s.l2_lines);
        /// Bytes read from and written to DRAM for each thread instruction.
        dram_bytes_per_instruction: "bytes per instruction" = |s| ratio(s.dram_read_bytes + s.dram_write_bytes, s.thread_instructions);
        /// Share of the DRAM requests that found their row open.
        dram_row_hit_rate: "ratio" = |s| ratio(s.dram_row_hits, s.dram_row_hits + s.dram_row_misses);
        /// Command-clock cycles that a request waited for its last burst, on average.
        dram_wait: "cycles" = |s| ratio(s.dram_wait_cycles, s.dram_requests);
        /// Share of the channels' time in which their data buses were in use.
        dram_utilization: "ratio" = |s| ratio(s.dram_busy_cycles, s.dram_capacity_cycles);
    }
}

impl Statistics {
    /// Takes a later launch into account: like [`Statistics::merge`], but its cycles follow ours.
    pub fn append(&mut self, later: &Statistics) {
        let cycles = self.cycles + later.cycles;
        self.merge(later);
        self.cycles = cycles;
    }

    /// The counters of a unit, given by its index in [`Unit::ALL`](reconverge_isa::Unit::ALL): its instructions, and the lanes in
    /// which they acted.
    #[inline(always)]
    pub(crate) fn of_unit(&mut self, unit: u8) -> [&mut u64; 2] {
        match unit {
            0 => [&mut self.integer_instructions, &mut self.integer_lanes],
            1 => [&mut self.integer_multiply_instructions, &mut self.integer_multiply_lanes],
            2 => [&mut self.integer_divide_instructions, &mut self.integer_divide_lanes],
            3 => [&mut self.float_instructions, &mut self.float_lanes],
            4 => [&mut self.float_divide_instructions, &mut self.float_divide_lanes],
            5 => [&mut self.double_instructions, &mut self.double_lanes],
            6 => [&mut self.double_divide_instructions, &mut self.double_divide_lanes],
            7 => [&mut self.special_instructions, &mut self.special_lanes],
            8 => [&mut self.memory_instructions, &mut self.memory_lanes],
            9 => [&mut self.control_instructions, &mut self.control_lanes],
            _ => [&mut self.tensor_instructions, &mut self.tensor_lanes],
        }
    }

    /// Cycles of arithmetic pipes that the slot `cycle-compression` saved.
    pub fn execution_cycles_saved(&self) -> u64 {
        self.execution_cycles_saved_half
            + self.execution_cycles_saved_groups
            + self.execution_cycles_saved_swizzle
    }

    /// Values that were followed, with any number of reads.
    fn values(&self) -> u64 {
        self.values_unread + self.values_read_once + self.values_read_twice + self.values_read_more
    }

    /// Predicates that affine warps computed.
    pub fn predicates(&self) -> u64 {
        self.predicates_scalar + self.predicates_endpoints + self.predicates_per_lane
    }

    /// Counters and defined ratios by name, for export.
    pub fn entries(&self) -> BTreeMap<&'static str, f64> {
        self.counters()
            .into_iter()
            .map(|(name, value)| (name, value as f64))
            .chain(self.ratios())
            .collect()
    }
}
