//! What the paper says, beside what was measured.

use crate::measure::{Bound, Results, on_one_pipe};
use crate::write::extreme;
use reconverge_tests::study;
use reconverge_tests::study::document::Claim;
use reconverge_tests::study::table::{change, percent};

/// The geometric mean of speeds over some programs, as a change, and how many they are.
fn speed(results: &Results, label: &str, programs: &[usize]) -> Option<String> {
    let at = results.find(label)?;
    let mean = results.geometric(programs, |program| results.speed(at, program))?;
    Some(format!("{} of {}", change(mean), programs.len()))
}

/// Of `decoupled`, a statistic's mean over the programs that were taken apart.
fn decoupled(results: &Results, name: &str) -> Option<String> {
    let at = results.find("decoupled")?;
    let mean = study::mean(&results.decoupled(), |program| results.value(at, program, name))?;
    Some(percent(Some(mean)))
}

/// Every claim, by mechanism.
pub const CLAIMS: &[Claim<Results>] = &[
    Claim {
        about: "`decoupled`: speed of all",
        paper: "+40.7 % geometric mean of 29 (abstract, §1)",
        figure: |r| {
            let apart = speed(r, "decoupled", &r.decoupled())?;
            Some(format!("{}; of those taken apart {apart}", speed(r, "decoupled", &r.of(None))?))
        },
        remark: "Instructions fall as in the paper where addresses and control are regular, and most of our programs were written not to be: they follow data. What is gained in issue slots is then little, and where lines are wanted faster than the expansion unit makes them time is lost.",
    },
    Claim {
        about: "`decoupled`: speed, compute-bound",
        paper: "+34.0 % of 11 (§1)",
        figure: |r| speed(r, "decoupled", &r.of(Some(Bound::Compute))),
        remark: "Programs whose loops are addresses and counters gain as the paper's do (matmul_tiled, reduction); those that branch on data keep nearly all of their instructions. Why collatz and binary_search lose, with one early load each, is not known.",
    },
    Claim {
        about: "`decoupled`: speed, memory-bound",
        paper: "+44.7 % of 18 (§1)",
        figure: |r| speed(r, "decoupled", &r.of(Some(Bound::Memory))),
        remark: "In matmul_naive the expansion unit is the limit: warps of 16 by 2 threads take two lines and an adjustment a record, its queue is full all the time, and a line is wanted 55 cycles after it was asked for. Others wait for loads at addresses that were loaded. (Read from statistics, not from a trace.)",
    },
    Claim {
        about: "`decoupled`: the slowest",
        paper: "not in our text",
        figure: |r| {
            let (speed, name) = extreme(r, r.find("decoupled")?, false)?;
            Some(format!("{} ({name})", change(speed)))
        },
        remark: "Five programs lose more than 3 %: matmul_naive as above; stencil2d and back_propagation, whose rows are narrow, wait for lines and empty queues too; collatz and binary_search without a cause known to us.",
    },
    Claim {
        about: "`decoupled`: warp instructions",
        paper: "-26.0 % mean (§1)",
        figure: |r| {
            let at = r.find("decoupled")?;
            let apart = r.decoupled();
            let mean = study::mean(&apart, |program| r.relative(at, program, "warp_instructions"))?;
            Some(format!("{} of those taken apart ({})", change(mean), apart.len()))
        },
        remark: "The programs that follow data keep their instructions; the seven regular ones (saxpy, transpose, both products, stencil2d, histogram, reduction) lose 32 to 59 %.",
    },
    Claim {
        about: "`decoupled`: loads of global and local memory decoupled",
        paper: "79.8 % (§1)",
        figure: |r| decoupled(r, "decoupled_load_rate"),
        remark: "All loads of regular programs, few of those at addresses that were loaded, or under control that data decides.",
    },
    Claim {
        about: "`decoupled`: the affine warp's share of the warp instructions",
        paper: "4 % (§4.4)",
        figure: |r| decoupled(r, "affine_share"),
        remark: "They agree; it is more in small kernels, whose batches are of few blocks.",
    },
    Claim {
        about: "`decoupled`: predicates by one comparison, and by at most two",
        paper: "64 %, 93 % (§4.3)",
        figure: |r| {
            let scalar = decoupled(r, "predicate_scalar_rate")?;
            Some(format!("{scalar}, {}", decoupled(r, "predicate_two_rate")?))
        },
        remark: "Loops over data leave few scalar predicates; limits of the grid take two comparisons, and blocks of narrow rows all lanes.",
    },
    Claim {
        about: "`cae`: speed, compute-bound",
        paper: "+11.0 % of 11 (§1)",
        figure: |r| {
            let compute = r.of(Some(Bound::Compute));
            let one = r.find(&on_one_pipe("cae"))?;
            let one = r.geometric(&compute, |program| r.speed(one, program))?;
            Some(format!("{}; with one pipe {}", speed(r, "cae", &compute)?, change(one)))
        },
        remark: "The two pipes of the machine take all that its two schedulers issue, and what programs here wait for is fetch, issue and latency, which executing an instruction once does not shorten; a pipe that is short of room is relieved. Expansions behind divergent branches cost some of it.",
    },
    Claim {
        about: "`many-thread-prefetch`: speed, memory-bound",
        paper: "+16.7 % of 18 (§1)",
        figure: |r| {
            let memory = r.of(Some(Bound::Memory));
            let (most, name) = extreme(r, r.find("many-thread-prefetch")?, true)?;
            let mean = speed(r, "many-thread-prefetch", &memory)?;
            Some(format!("{mean}; best {} ({name})", change(most)))
        },
        remark: "Few of our programs are memory-bound. Where loops walk with a stride the prefetches help, and so does a buffer as large as the first level itself; where threads load once, what a warp asks for the next one asks for itself a moment later, or runs on another core.",
    },
];
