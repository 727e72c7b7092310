//! The special registers that have a value.

/// Special registers, with what they hold.
pub const SPECIAL: &[(&str, &str)] = &[
    ("%tid", "the thread's place in its block (`.x`, `.y`, `.z`)"),
    ("%ntid", "threads of a block (`.x`, `.y`, `.z`)"),
    ("%ctaid", "the block's place in the grid (`.x`, `.y`, `.z`)"),
    ("%nctaid", "blocks of the grid (`.x`, `.y`, `.z`)"),
    ("%laneid", "the thread's number in its warp"),
    ("%warpid", "the warp's number in its block"),
    ("%nwarpid", "warps of a block"),
    ("%lanemask_eq", "the thread's own bit"),
    ("%lanemask_le", "its bit and those below"),
    ("%lanemask_lt", "the bits below its own"),
    ("%lanemask_ge", "its bit and those above"),
    ("%lanemask_gt", "the bits above its own"),
    ("%clock", "the low word of the cycle counter; under models without time it counts reads"),
    ("%clock_hi", "its high word"),
    ("%clock64", "the cycle counter"),
    ("%globaltimer", "the cycle counter, as if a cycle took a nanosecond"),
    ("%globaltimer_lo", "its low word"),
    ("%globaltimer_hi", "its high word"),
    ("%smid", "the index of the SM under `timing`, 0 under the other models"),
    ("%nsmid", "the number of SMs under `timing`, 1 under the other models"),
    ("%gridid", "0"),
    ("%dynamic_smem_size", "bytes of dynamic shared memory of the launch"),
    ("%total_smem_size", "bytes of shared memory, static and dynamic"),
    ("WARP_SZ", "lanes of a warp"),
];
