//! Statistics: each declared once, with name, unit and sentence.
//!
//! Counters are added up or maximised over cores and units; ratios are derived from them when they
//! are asked for, never accumulated. `spec/statistics.md` is generated from the declarations.

use std::collections::BTreeMap;

use crate::profile::PER_LINE;

/// What is known of a statistic beside its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The name, as in reports and JSON.
    pub name: &'static str,
    /// What it counts.
    pub unit: &'static str,
    /// One sentence.
    pub sentence: &'static str,
    /// The name that users of GPGPU-Sim know, if there is one.
    pub alias: Option<&'static str>,
    /// How it was declared.
    pub kind: Kind,
}

/// How a statistic comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A counter; parts are added.
    Sum,
    /// A counter; the largest part counts.
    Max,
    /// Computed from counters.
    Ratio,
}

macro_rules! merge {
    (sum, $into:expr, $from:expr) => {
        $into += $from
    };
    (max, $into:expr, $from:expr) => {
        $into = $into.max($from)
    };
}

macro_rules! kind {
    (sum) => {
        Kind::Sum
    };
    (max) => {
        Kind::Max
    };
}

macro_rules! alias {
    () => {
        None
    };
    ($alias:literal) => {
        Some($alias)
    };
}

macro_rules! statistics {
    (counters { $(#[doc = $sentence:literal] $name:ident: $how:ident $unit:literal $($alias:literal)?;)* }
     ratios { $(#[doc = $rsentence:literal] $rname:ident: $runit:literal $($ralias:literal)? = |$s:ident| $value:expr;)* }) => {
        /// The counters of a kernel's run, or of a part of the machine.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Statistics {
            $(#[doc = $sentence] pub $name: u64,)*
        }

        impl Statistics {
            /// Takes another part into account.
            pub fn merge(&mut self, other: &Statistics) {
                $(merge!($how, self.$name, other.$name);)*
            }

            /// Every counter, in the order of declaration.
            pub fn counters(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($name), self.$name),)*]
            }

            /// Every ratio that is defined (its denominator is not zero), in the order of
            /// declaration.
            pub fn ratios(&self) -> Vec<(&'static str, f64)> {
                let all = [$((stringify!($rname), { let $s = self; $value }),)*];
                all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
            }

            $(#[doc = $rsentence] pub fn $rname(&self) -> Option<f64> {
                let $s = self;
                $value
            })*
        }

        /// Every statistic, counters first.
        pub const DECLARATIONS: &[Declaration] = &[
            $(Declaration {
                name: stringify!($name),
                unit: $unit,
                sentence: $sentence.trim_ascii(),
                alias: alias!($($alias)?),
                kind: kind!($how),
            },)*
            $(Declaration {
                name: stringify!($rname),
                unit: $runit,
                sentence: $rsentence.trim_ascii(),
                alias: alias!($($ralias)?),
                kind: Kind::Ratio,
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
        /// Cycles from the kernel's start until all blocks have ended and all requests are answered.
        cycles: max "cycles" "gpu_sim_cycle";
        /// Instructions issued, each for a path of up to a warp's lanes.
        warp_instructions: sum "instructions" "gpgpu_n_tot_w_icount";
        /// Instructions times the active lanes of their path.
        thread_instructions: sum "instructions" "gpu_sim_insn";
        /// Lanes that the issued instructions had, active or not.
        lane_slots: sum "lanes";
        /// Instructions whose guard was false in every active lane.
        predicated_off_instructions: sum "instructions";
        /// Blocks that ran.
        blocks: sum "blocks" "gpgpu_n_tot_cta";
        /// Branches issued, conditional or not.
        branches: sum "instructions";
        /// Branches in which the active lanes went both ways.
        divergent_branches: sum "instructions";
        /// Branches that the compiler says depend on parameters, constants and ids only (class P).
        programmatic_branches: sum "instructions";
        /// Those of them in which the active lanes went both ways.
        divergent_programmatic_branches: sum "instructions";
        /// Branches that the compiler says depend on loaded data (class D).
        data_branches: sum "instructions";
        /// Those of them in which the active lanes went both ways.
        divergent_data_branches: sum "instructions";
        /// The most entries that a warp's reconvergence stack, or its table of splits, has held.
        max_stack_depth: max "entries";

        /// Block-wide schemes: paths (sides with threads, over the block) of programmatic branches at which a warp diverged.
        programmatic_paths: sum "paths";
        /// Of these, up to a quarter of the block's threads and fitting into fewer warps (NWideal, Rhu's dissertation, equation 4.1).
        programmatic_compactable_quarter: sum "paths";
        /// The same, more than a quarter and up to half of the threads.
        programmatic_compactable_half: sum "paths";
        /// The same, more than half and up to three quarters.
        programmatic_compactable_three_quarters: sum "paths";
        /// The same, more than three quarters.
        programmatic_compactable_all: sum "paths";
        /// Paths of programmatic branches with up to a quarter of the block's threads that compaction makes fewer warps of.
        programmatic_compacted_quarter: sum "paths";
        /// The same, more than a quarter and up to half of the threads.
        programmatic_compacted_half: sum "paths";
        /// The same, more than half and up to three quarters.
        programmatic_compacted_three_quarters: sum "paths";
        /// The same, more than three quarters.
        programmatic_compacted_all: sum "paths";
        /// Block-wide schemes: paths of the other branches at which a warp diverged.
        data_paths: sum "paths";
        /// Of these, up to a quarter of the block's threads and fitting into fewer warps.
        data_compactable_quarter: sum "paths";
        /// The same, more than a quarter and up to half of the threads.
        data_compactable_half: sum "paths";
        /// The same, more than half and up to three quarters.
        data_compactable_three_quarters: sum "paths";
        /// The same, more than three quarters.
        data_compactable_all: sum "paths";
        /// Paths of other branches with up to a quarter of the block's threads that compaction makes fewer warps of.
        data_compacted_quarter: sum "paths";
        /// The same, more than a quarter and up to half of the threads.
        data_compacted_half: sum "paths";
        /// The same, more than half and up to three quarters.
        data_compacted_three_quarters: sum "paths";
        /// The same, more than three quarters.
        data_compacted_all: sum "paths";
        /// Warps of the launch that have a thread on a path, over all paths of both kinds.
        warps_before_compaction: sum "warps";
        /// Warps that compaction makes of these, whether they waited for it or not.
        warps_after_compaction: sum "warps";
        /// The fewest warps that their threads fit into, in any lanes (NWideal).
        warps_ideal: sum "warps";
        /// Warps that waited at a branch for the others of their block.
        stalled_warps: sum "warps";
        /// Warps that went on at a branch though others of their block were still to come.
        bypassed_warps: sum "warps";
        /// Warps that waited at a conditional branch at which compaction made fewer of them: Stall/Stall.
        stall_stall_warps: sum "warps";
        /// Warps that waited at a conditional branch at which it did not: Stall/Bypass.
        stall_bypass_warps: sum "warps";
        /// Warps that went on at a conditional branch at which compaction would have made fewer: Bypass/Stall.
        bypass_stall_warps: sum "warps";
        /// Warps that went on at a conditional branch at which it would not have: Bypass/Bypass.
        bypass_bypass_warps: sum "warps";
        /// Line accesses that the warps of the launch would have made, had each accessed with all of its threads that did, under a block-wide scheme.
        uncompacted_transactions: sum "accesses";
        /// Paths of an issued instruction's warp that could be scheduled, its own included, summed over the instructions.
        schedulable_paths: sum "paths";
        /// Barrier instructions issued.
        barriers: sum "instructions";
        /// Votes, shuffles and `warp.sync` issued.
        collectives: sum "instructions";

        /// Instructions issued by affine warps; they are among the warp instructions, and count no threads or lanes.
        affine_instructions: sum "instructions";
        /// Predicates that affine warps computed, each for a warp, by one comparison for the whole block.
        predicates_scalar: sum "warps";
        /// The same, by comparing a warp's first and last thread.
        predicates_endpoints: sum "warps";
        /// The same, by comparing every lane.
        predicates_per_lane: sum "warps";
        /// The most entries that the stack of an affine warp has held.
        max_affine_stack_depth: max "entries";
        /// Times an affine warp ran, each for a batch of blocks.
        affine_batches: sum "batches";
        /// Loads from global and local memory.
        memory_loads: sum "instructions";
        /// Of these, loads whose lines were asked for before they issued.
        early_loads: sum "instructions";
        /// Cycles from the first request for an early load's lines until it issued.
        early_load_cycles: sum "cycles";
        /// Lines that were asked for early.
        early_lines: sum "accesses";
        /// Of these, those that were in the first-level cache.
        early_hits: sum "accesses";
        /// Lines of early loads that the loads had to ask for themselves, because the ways of their set did not suffice.
        early_lines_skipped: sum "accesses";
        /// Lines that were held in the first-level cache for early loads, summed over the cycles and cores.
        locked_line_cycles: sum "line cycles";
        /// The most lines that a core has held at a time.
        max_locked_lines: max "lines";
        /// Entries of the affine tuple queue, summed over the cycles and cores.
        tuple_queue_cycles: sum "entry cycles";
        /// Addresses and predicates in the queues of warps, summed over the cycles and cores.
        warp_queue_cycles: sum "entry cycles";
        /// Cycles in which the address expansion unit did something.
        expansion_cycles: sum "cycles";
        /// Cycles in which it had something to do and could not: queues full, barriers, or the first-level cache.
        expansion_stalls: sum "cycles";

        /// Loads issued, from any space.
        load_instructions: sum "instructions";
        /// Stores issued, to any space.
        store_instructions: sum "instructions";
        /// Atomics issued.
        atomic_instructions: sum "instructions";
        /// Lanes in which atomics were performed.
        atomic_operations: sum "operations";

        /// Issue slots: cycles times schedulers, over all cores.
        issue_slots: sum "slots";
        /// Issue slots that issued an instruction.
        slots_issued: sum "slots";
        /// Issue slots lost because a ready instruction found the register file full, and operands were being read.
        slots_register_read: sum "slots";
        /// Issue slots lost because a ready instruction found the register file full of instructions that waited for their pipes.
        slots_pipe_busy: sum "slots";
        /// Issue slots lost because a ready instruction found the register file full while the load/store unit's queue was full.
        slots_load_store_full: sum "slots";
        /// Issue slots lost because a source or result was still in an arithmetic pipe.
        slots_arithmetic: sum "slots";
        /// Issue slots lost because no path had its next instruction in its buffer: fetching, or waiting for the instruction cache.
        slots_fetch: sum "slots";
        /// Issue slots lost because a source or result waited for memory.
        slots_memory: sum "slots";
        /// Issue slots lost because a path's next instruction was not known or not there yet.
        slots_control: sum "slots";
        /// Issue slots lost because the scoreboards of paths had no entry for their next results.
        slots_scoreboard: sum "slots";
        /// Issue slots lost because the lines of a load had been asked for early and had not come.
        slots_early_load: sum "slots";
        /// Issue slots lost because a warp's queue was empty: the affine warp or its expansion unit is behind.
        slots_dequeue: sum "slots";
        /// Issue slots lost because the affine tuple queue was full.
        slots_enqueue: sum "slots";
        /// Issue slots lost because all paths waited at barriers.
        slots_barrier: sum "slots";
        /// Issue slots lost because ready paths were not in the scheduler's active pool.
        slots_inactive: sum "slots";
        /// Issue slots lost because the scheduler had no path that could ever issue: no block, or all ended.
        slots_idle: sum "slots";
        /// Resident warps, summed over the cycles and cores.
        resident_warp_cycles: sum "warp cycles";
        /// Paths that could be scheduled or waited at barriers, summed over the cycles and cores.
        path_cycles: sum "path cycles";
        /// Entries of warps' reconvergence stacks or tables, summed over the cycles and cores.
        stack_entry_cycles: sum "entry cycles";
        /// Warps that fit, summed over the cycles and cores.
        warp_capacity_cycles: sum "warp cycles";

        /// Cycles in which arithmetic pipes executed passes.
        execution_cycles: sum "cycles";
        /// Cycles of passes that were left out because the upper or lower half of a warp was idle.
        execution_cycles_saved_half: sum "cycles";
        /// Cycles of passes that were left out, beyond those of an idle half, because a group of as many lanes as the pipe has was idle.
        execution_cycles_saved_groups: sum "cycles";
        /// Cycles of passes that were left out, beyond those of idle groups, because active lanes were moved together.
        execution_cycles_saved_swizzle: sum "cycles";

        /// Slot `affine`: instructions that a unit for them executed once for all lanes because all their sources were uniform.
        compact_uniform_instructions: sum "instructions";
        /// The same, because their sources were uniform or affine.
        compact_affine_instructions: sum "instructions";
        /// Conditional branches whose predicate was known to be the same in all lanes.
        compact_branches: sum "instructions";
        /// Uniform or affine registers that were expanded into vectors because a part of the threads wrote them.
        compact_expansions: sum "registers";

        /// Fetches that found their line in the instruction cache.
        fetches: sum "fetches";
        /// Fetches that did not.
        instruction_misses: sum "fetches";
        /// Fetches whose instruction was discarded because its scoreboard had no entry left.
        refetches: sum "fetches";
        /// Registers of warps that were read from the register file.
        register_reads: sum "registers";
        /// Registers of warps that were written to the register file.
        register_writes: sum "registers";
        /// Reads that waited a cycle because their bank was taken.
        register_bank_conflicts: sum "cycles";

        /// Words of constant memory that were found in its cache.
        constant_hits: sum "accesses";
        /// Words of constant memory that were not.
        constant_misses: sum "accesses";

        /// Instructions in which a lane accessed global or local memory.
        memory_accesses: sum "instructions";
        /// Line accesses that global and local memory instructions were coalesced into.
        transactions: sum "accesses";
        /// First-level cache: loads of a line that found all their sectors.
        l1_hits: sum "accesses";
        /// First-level cache: loads of a line that did not, merged ones included.
        l1_misses: sum "accesses" "L1D_total_cache_misses";
        /// First-level cache: misses that joined an outstanding one.
        l1_merges: sum "accesses";
        /// First-level cache: loads that were looked up again, and hit, after their line had come.
        l1_replays: sum "accesses";
        /// First-level cache: cycles in which a miss found no place in the pending table or towards the interconnect.
        l1_stalls: sum "cycles";
        /// First-level cache: stores of a line, written through.
        l1_stores: sum "accesses";
        /// First-level cache: stores of a line of local memory, kept in the cache.
        l1_local_stores: sum "accesses";
        /// Lines that were asked for before a load wanted them.
        prefetches: sum "accesses";
        /// Of these, those that had come when a load first wanted them.
        prefetches_useful: sum "accesses";
        /// Of these, those that were still under way then.
        prefetches_late: sum "accesses";
        /// Of these, those that no load wanted before they gave way, or at all.
        prefetches_unused: sum "accesses";
        /// Loads of a line that missed the first level, and found what they wanted in the buffer of prefetches.
        prefetch_hits: sum "accesses";
        /// First-level cache: dirty lines of local memory written back.
        l1_write_backs: sum "lines";
        /// Passes that shared-memory instructions took.
        shared_passes: sum "passes";
        /// Passes beyond the first of each shared-memory instruction.
        shared_bank_conflicts: sum "passes" "gpgpu_n_shmem_bkconflict";

        /// Packets from cores to memory.
        requests: sum "packets";
        /// Packets from memory to cores.
        replies: sum "packets";
        /// Bytes from cores to memory, headers included.
        request_bytes: sum "bytes";
        /// Bytes from memory to cores, headers included.
        reply_bytes: sum "bytes";

        /// Second-level cache: reads of a line that found all their sectors.
        l2_hits: sum "accesses";
        /// Second-level cache: reads of a line that did not, merged ones included.
        l2_misses: sum "accesses" "L2_total_cache_misses";
        /// Second-level cache: misses that joined an outstanding one.
        l2_merges: sum "accesses";
        /// Second-level cache: writes of a line.
        l2_writes: sum "accesses";
        /// Second-level cache: sectors fetched into bytes that had been written before.
        l2_sectors_completed: sum "sectors";
        /// Second-level cache: dirty lines written to memory.
        l2_write_backs: sum "lines";
        /// Second-level cache: cycles in which the request at the head could not go on.
        l2_stalls: sum "cycles";

        /// Bytes read from memory.
        dram_read_bytes: sum "bytes";
        /// Bytes written to memory.
        dram_write_bytes: sum "bytes";
        /// Requests of a line that memory served.
        dram_requests: sum "requests";
        /// Reads that were answered from a write that waited for memory.
        dram_forwards: sum "requests";
        /// Requests that found the row open that they needed.
        dram_row_hits: sum "requests";
        /// Requests for which a row was opened.
        dram_row_misses: sum "requests";
        /// Rows opened.
        dram_activates: sum "commands";
        /// Rows closed, for another row or for a refresh.
        dram_precharges: sum "commands";
        /// Refreshes of all banks of a channel.
        dram_refreshes: sum "commands";
        /// Changes of a data bus from reads to writes or back.
        dram_turnarounds: sum "changes";
        /// Cycles of the command clock that requests waited for their last burst, over all requests.
        dram_wait_cycles: sum "request cycles";
        /// Cycles of the command clock in which a channel's queue of reads was full.
        dram_read_full_cycles: sum "cycles";
        /// Cycles of the command clock in which a channel's queue of writes was full.
        dram_write_full_cycles: sum "cycles";
        /// Cycles of the command clock in which a channel's data bus was in use, over all channels.
        dram_busy_cycles: sum "cycles";
        /// Cycles of the command clock times channels.
        dram_capacity_cycles: sum "cycles";
    }
    ratios {
        /// Warp instructions a cycle, over the machine.
        ipc: "instructions per cycle" = |s| ratio(s.warp_instructions, s.cycles);
        /// Thread instructions a cycle, over the machine.
        thread_ipc: "instructions per cycle" "gpu_ipc" = |s| ratio(s.thread_instructions, s.cycles);
        /// Share of the issued lanes that were active.
        simd_efficiency: "ratio" = |s| ratio(s.thread_instructions, s.lane_slots);
        /// Paths of a warp that could be scheduled when it issued, on average (Rhu's dissertation, equation 3.1).
        path_count: "paths" = |s| ratio(s.schedulable_paths, s.warp_instructions);
        /// Paths that a resident warp has, on average over time, without those that wait to meet others; a warp that has ended counts until its block has.
        paths_per_warp: "paths" = |s| ratio(s.path_cycles, s.resident_warp_cycles);
        /// Entries that the reconvergence stack or table of a resident warp has, on average over time; a warp that has ended counts until its block has.
        stack_depth: "entries" = |s| ratio(s.stack_entry_cycles, s.resident_warp_cycles);
        /// Share of the warps that fit which were resident.
        occupancy: "ratio" "gpu_occupancy" = |s| ratio(s.resident_warp_cycles, s.warp_capacity_cycles);
        /// Share of the arithmetic pipes' cycles that compression saved.
        execution_compression: "ratio" = |s| ratio(s.execution_cycles_saved(), s.execution_cycles + s.execution_cycles_saved());
        /// Share of the instructions that were executed once for all lanes.
        compact_share: "ratio" = |s| ratio(
            s.compact_uniform_instructions + s.compact_affine_instructions,
            s.warp_instructions
        );
        /// Share of the paths of divergent programmatic branches that compaction makes fewer warps of.
        programmatic_compaction_rate: "ratio" = |s| ratio(
            s.programmatic_compacted_quarter
                + s.programmatic_compacted_half
                + s.programmatic_compacted_three_quarters
                + s.programmatic_compacted_all,
            s.programmatic_paths
        );
        /// Share of them that fit into fewer warps in any lanes.
        programmatic_ideal_compaction_rate: "ratio" = |s| ratio(
            s.programmatic_compactable_quarter
                + s.programmatic_compactable_half
                + s.programmatic_compactable_three_quarters
                + s.programmatic_compactable_all,
            s.programmatic_paths
        );
        /// Share of the paths of other divergent branches that compaction makes fewer warps of.
        data_compaction_rate: "ratio" = |s| ratio(
            s.data_compacted_quarter
                + s.data_compacted_half
                + s.data_compacted_three_quarters
                + s.data_compacted_all,
            s.data_paths
        );
        /// Share of them that fit into fewer warps in any lanes.
        data_ideal_compaction_rate: "ratio" = |s| ratio(
            s.data_compactable_quarter
                + s.data_compactable_half
                + s.data_compactable_three_quarters
                + s.data_compactable_all,
            s.data_paths
        );
        /// Share of the decisions to wait or to go on at a conditional branch that were right.
        compaction_prediction_accuracy: "ratio" = |s| ratio(
            s.stall_stall_warps + s.bypass_bypass_warps,
            s.stall_stall_warps + s.stall_bypass_warps + s.bypass_stall_warps + s.bypass_bypass_warps
        );
        /// Line accesses by those that the warps of the launch would have made.
        compaction_transaction_ratio: "ratio" = |s| ratio(s.transactions, s.uncompacted_transactions);
        /// Share of the warp instructions that affine warps issued.
        affine_share: "ratio" = |s| ratio(s.affine_instructions, s.warp_instructions);
        /// Share of the loads from global and local memory whose lines were asked for early.
        decoupled_load_rate: "ratio" = |s| ratio(s.early_loads, s.memory_loads);
        /// Cycles from the first early request for a load until it issued, on average.
        early_distance: "cycles" = |s| ratio(s.early_load_cycles, s.early_loads);
        /// Share of the predicates of affine warps found by one comparison a block.
        predicate_scalar_rate: "ratio" = |s| ratio(s.predicates_scalar, s.predicates());
        /// Share of the predicates of affine warps found by at most two comparisons a warp.
        predicate_endpoint_rate: "ratio" = |s| ratio(s.predicates_scalar + s.predicates_endpoints, s.predicates());
        /// Share of branches in which the active lanes went both ways.
        branch_divergence: "ratio" = |s| ratio(s.divergent_branches, s.branches);
        /// Share of class P's branches in which the active lanes went both ways.
        programmatic_branch_divergence: "ratio" = |s| ratio(s.divergent_programmatic_branches, s.programmatic_branches);
        /// Share of class D's branches in which the active lanes went both ways.
        data_branch_divergence: "ratio" = |s| ratio(s.divergent_data_branches, s.data_branches);
        /// Line accesses of an instruction that accesses global or local memory, on average.
        transactions_per_access: "accesses per instruction" = |s| ratio(s.transactions, s.memory_accesses);
        /// Passes of an instruction that accesses shared memory, on average; without conflicts it takes one.
        passes_per_access: "passes per instruction" = |s| ratio(s.shared_passes, s.shared_passes - s.shared_bank_conflicts);
        /// Share of the prefetches that a load wanted, in time or not.
        prefetch_accuracy: "ratio" = |s| ratio(s.prefetches_useful + s.prefetches_late, s.prefetches);
        /// Share of the first-level cache's loads that hit.
        l1_hit_rate: "ratio" = |s| ratio(s.l1_hits, s.l1_hits + s.l1_misses);
        /// Share of the first-level cache's loads that missed.
        l1_miss_rate: "ratio" "L1D_total_cache_miss_rate" = |s| ratio(s.l1_misses, s.l1_hits + s.l1_misses);
        /// Share of the second-level cache's reads that hit.
        l2_hit_rate: "ratio" = |s| ratio(s.l2_hits, s.l2_hits + s.l2_misses);
        /// Share of the second-level cache's reads that missed.
        l2_miss_rate: "ratio" "L2_total_cache_miss_rate" = |s| ratio(s.l2_misses, s.l2_hits + s.l2_misses);
        /// Share of memory's requests that found their row open.
        dram_row_hit_rate: "ratio" = |s| ratio(s.dram_row_hits, s.dram_row_hits + s.dram_row_misses);
        /// Cycles of the command clock that a request waited for its last burst, on average.
        dram_wait: "cycles" = |s| ratio(s.dram_wait_cycles, s.dram_requests);
        /// Share of the channels' time in which their data buses were in use.
        dram_utilization: "ratio" = |s| ratio(s.dram_busy_cycles, s.dram_capacity_cycles);
    }
}

impl Statistics {
    /// Takes a later launch into account: as [`Statistics::merge`], but its cycles come after ours.
    pub fn append(&mut self, later: &Statistics) {
        let cycles = self.cycles + later.cycles;
        self.merge(later);
        self.cycles = cycles;
    }

    /// Cycles of arithmetic pipes that the slot `cycle-compression` saved.
    pub fn execution_cycles_saved(&self) -> u64 {
        self.execution_cycles_saved_half
            + self.execution_cycles_saved_groups
            + self.execution_cycles_saved_swizzle
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

    /// Where the issue slots went: (sentence-like name, slots). They add up to `issue_slots`.
    pub fn slot_reasons(&self) -> [(&'static str, u64); 15] {
        [
            ("issued", self.slots_issued),
            ("register read", self.slots_register_read),
            ("pipe busy", self.slots_pipe_busy),
            ("load/store full", self.slots_load_store_full),
            ("arithmetic", self.slots_arithmetic),
            ("control", self.slots_control),
            ("fetch", self.slots_fetch),
            ("memory", self.slots_memory),
            ("scoreboard", self.slots_scoreboard),
            ("early load", self.slots_early_load),
            ("dequeue", self.slots_dequeue),
            ("enqueue", self.slots_enqueue),
            ("barrier", self.slots_barrier),
            ("inactive", self.slots_inactive),
            ("idle", self.slots_idle),
        ]
    }
}

/// The text of `spec/statistics.md`.
pub fn statistics_markdown() -> String {
    let mut text = String::from(
        "# Statistics\n\n\
         Generated from the declarations in `simulator/src/statistics.rs`; do not edit.\n\n\
         Counters are exact and added up over cores and units (those marked *max*: the largest).\n\
         Ratios are derived from counters and absent when their denominator is zero. The last column \
         is\nthe name under which GPGPU-Sim users know the same thing.\n\n\
         Those with *line* in the second column are also counted by source line, with `--profile`. There \
         an\nissue slot that is lost belongs to the line of the instruction that would have used it: of \
         the paths\nthat have the slot's reason, the one known to go on first, or else the oldest. A slot \
         lost to memory\nso belongs to the line that wants the value, not to the one that loads it. What \
         belongs to no line\nis given by itself, and all add up to the kernel's statistics.\n\n\
         | name | kind | unit | what | known as |\n| --- | --- | --- | --- | --- |\n",
    );
    for declaration in DECLARATIONS {
        let kind = match declaration.kind {
            Kind::Sum => "counter",
            Kind::Max => "counter, max",
            Kind::Ratio => "ratio",
        };
        let line = if PER_LINE.contains(&declaration.name) { ", line" } else { "" };
        let alias = declaration.alias.map_or(String::new(), |alias| format!("`{alias}`"));
        text.push_str(&format!(
            "| `{}` | {kind}{line} | {} | {} | {alias} |\n",
            declaration.name, declaration.unit, declaration.sentence
        ));
    }
    text
}
