//! What the paper says, beside what was measured.

use crate::measure::{Bound, Results, on_other};
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

/// Of `decoupled`, a statistic's mean over the programs that were decoupled.
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
            let all = speed(r, "decoupled", &r.of(None))?;
            Some(format!("{all}; of the regular ones {}", speed(r, "decoupled", &r.regular())?))
        },
        remark: "Where addresses and control are regular, instructions fall and speed grows as in the paper. Most of our programs were written not to be: they follow data, and what they gain in issue slots is little.",
    },
    Claim {
        about: "`decoupled`: speed, compute-bound",
        paper: "+34.0 % of 11 (§1)",
        figure: |r| speed(r, "decoupled", &r.of(Some(Bound::Compute))),
        remark: "Programs whose loops are addresses and counters gain as the paper's do (matmul_tiled, stencil2d, reduction); those that branch on data keep nearly all of their instructions.",
    },
    Claim {
        about: "`decoupled`: speed, memory-bound",
        paper: "+44.7 % of 18 (§1)",
        figure: |r| speed(r, "decoupled", &r.of(Some(Bound::Memory))),
        remark: "matmul_naive gains most; others wait for loads at addresses that were loaded, or for memory that saxpy and transpose keep busy without it. With rows of 256 words, its default, matmul_naive takes three quarters of the time, but with plain sets twice as long: lines of a column fall into few of them, three ways of each can be held, and the unit waits.",
    },
    Claim {
        about: "`decoupled`: the slowest",
        paper: "not in our text",
        figure: |r| {
            let (speed, name) = extreme(r, r.find("decoupled")?, false)?;
            Some(format!("{} ({name})", change(speed)))
        },
        remark: "bitonic_block loses by the place of its loop: a fetch does not go past a line of the instruction cache; with four instructions a fetch, and room for four, it gains 2.6 %. back_propagation and classes wait for the first fetches of their code, of which two streams have more; where instructions are always there both gain 6 %. Kernels of whose loops nothing would be saved are not decoupled: with kernels=all collatz takes 12 % longer, again by the place of its loop.",
    },
    Claim {
        about: "`decoupled`: warp instructions",
        paper: "-26.0 % mean (§1)",
        figure: |r| {
            let at = r.find("decoupled")?;
            let apart = r.decoupled();
            let mean = study::mean(&apart, |program| r.relative(at, program, "warp_instructions"))?;
            let regular = r.regular();
            let most =
                study::mean(&regular, |program| r.relative(at, program, "warp_instructions"))?;
            let (apart, regular) = (apart.len(), regular.len());
            let regular = format!("of the regular ones ({regular}) {}", change(most));
            Some(format!("{} of the decoupled ones ({apart}); {regular}", change(mean)))
        },
        remark: "The programs that follow data keep their instructions.",
    },
    Claim {
        about: "`decoupled`: loads of global and local memory decoupled",
        paper: "79.8 % (§1)",
        figure: |r| {
            let at = r.find("decoupled")?;
            let regular = study::mean(&r.regular(), |p| r.value(at, p, "decoupled_load_rate"));
            let all = decoupled(r, "decoupled_load_rate")?;
            Some(format!("{all}; of the regular ones {}", percent(regular)))
        },
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
            Some(format!("{scalar}, {}", decoupled(r, "predicate_endpoint_rate")?))
        },
        remark: "Loops over data leave few scalar predicates; limits of the grid take two comparisons, and what parts a warp all lanes.",
    },
    Claim {
        about: "`cae`: speed, compute-bound",
        paper: "+11.0 % of 11 (§1)",
        figure: |r| {
            let compute = r.of(Some(Bound::Compute));
            let one = r.find(&on_other("cae", "one pipe"))?;
            let one = r.geometric(&compute, |program| r.speed(one, program))?;
            Some(format!("{}; with one pipe {}", speed(r, "cae", &compute)?, change(one)))
        },
        remark: "The two pipes of the machine take all that its two schedulers issue, and what programs here wait for is fetch, issue and latency, which executing an instruction once does not shorten; a pipe that is short of room is relieved. Expansions after divergent branches cost some of it.",
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
