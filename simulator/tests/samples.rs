//! Samples whose distance doubles when there are too many.

use crate::support::Run;
use reconverge_simulator::{Report, Sampling};

/// A loop of some thousand cycles with loads.
const CODE: &str = "mov.b32 r0, 0x10000000
L:
    ld.global.b32 r1, [r0]
    add.i32 r2, r1, r1
    add.i32 r0, r0, 4
    setp.lt.u32 p0, r0, 0x100007d0
    @p0 bra L !reconverge E
E:
    exit";

fn run(sampling: Sampling, threads: u32) -> Report {
    let mut run = Run::code(CODE);
    run.limits.sampling = Some(sampling);
    run.limits.threads = threads;
    run.timing()
}

#[test]
fn samples_that_become_coarser_are_the_fine_ones_added_up() {
    let fine = run(Sampling { every: 10, most: u64::MAX, coarsens: false }, 1);
    assert!(fine.samples.len() > 100, "{}", fine.samples.len());
    for most in [2, 7, 20, 64] {
        let coarse = run(Sampling { every: 10, most, coarsens: true }, 1);
        assert_eq!(coarse.statistics, fine.statistics);
        let count = coarse.samples.len() as u64;
        assert!(count <= most && 2 * count >= most, "{count} samples, at most {most}");
        let every = coarse.samples[0].cycle;
        assert!((every / 10).is_power_of_two() && every.is_multiple_of(10), "{every}");
        let mut fine = fine.samples.iter();
        for sample in &coarse.samples {
            let mut sum = vec![0; sample.change.counters().len()];
            for part in fine.by_ref() {
                let counters = part.change.counters().into_iter();
                sum.iter_mut().zip(counters).for_each(|(sum, (_, change))| *sum += change);
                if part.cycle == sample.cycle {
                    break;
                }
            }
            let counters = sample.change.counters().into_iter();
            let coarse: Vec<u64> = counters.map(|(_, change)| change).collect();
            assert_eq!(sum, coarse, "{}", sample.cycle);
        }
        assert_eq!(fine.next(), None);
        assert_eq!(run(Sampling { every: 10, most, coarsens: true }, 2).samples, coarse.samples);
    }
}
