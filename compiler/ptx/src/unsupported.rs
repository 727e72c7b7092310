//! Instructions and special registers that are known and not supported.

/// Instructions that are not compiled: their mnemonics, the reason, and what to write instead.
pub const UNSUPPORTED: &[(&[&str], &str, &str)] = &[
    (
        &["sured", "istypep"],
        "surfaces have no atomics, and references no types",
        "load by `suld` and store by `sust`, or use atomics on global memory",
    ),
    (
        &["wgmma", "tcgen05"],
        "of the instructions for tensor cores there are `mma` and `wmma`",
        "compile for a GPU for which the compiler writes `mma.sync`: Triton for `sm_80`",
    ),
    (
        &["mapa", "getctarank", "elect", "griddepcontrol", "multimem", "setmaxnreg"],
        "there are no clusters",
        "compile for a GPU without them: `sm_80`",
    ),
    (
        &["alloca", "stacksave", "stackrestore"],
        "the size of local memory is fixed",
        "declare a `.local` array",
    ),
];

/// Words without which an instruction could be compiled, with the reason and what to write instead.
pub const UNSUPPORTED_WORDS: &[(&[&str], &str, &str)] = &[
    (
        &["b128"],
        "`.b128` has copies, and loads and stores of one value without an order",
        "use two registers of 64 bits; `mov.b128` takes a value apart",
    ),
    (
        &["bulk", "reduce"],
        "asynchronous copies are of 4, 8 or 16 bytes, and a thread waits for its own groups",
        "compile for `sm_80`, or use `cp.async` with `cp.async.wait_group`",
    ),
    (
        &["shared::cluster"],
        "there are no clusters: a block has its own shared memory only",
        "compile for `sm_80`, or write `.shared::cta`",
    ),
    (&["2dms", "a2dms"], "textures have one sample per element", "fetch by `.2d` or `.a2d`"),
    (&["level", "grad"], "textures have no mipmap levels", "leave the level out"),
];

/// Special registers without a value here, and the GPUs that have them.
pub const UNSUPPORTED_SPECIAL: &[(&[&str], &str)] = &[
    (
        &[
            "%clusterid",
            "%nclusterid",
            "%cluster_ctaid",
            "%cluster_nctaid",
            "%cluster_ctarank",
            "%cluster_nctarank",
            "%is_explicit_cluster",
            "%aggr_smem_size",
        ],
        "of clusters, from `sm_90` on",
    ),
    (
        &[
            "%reserved_smem_offset_begin",
            "%reserved_smem_offset_end",
            "%reserved_smem_offset_cap",
            "%reserved_smem_offset_",
        ],
        "of memory that the system reserves, from `sm_80` on",
    ),
    (&["%current_graph_exec"], "of graphs that the device launches, from `sm_50` on"),
    (&["%envreg", "%pm"], "that a driver sets"),
];
