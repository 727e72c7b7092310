//! The memory that the compiler takes for each byte of source.

use peak_alloc::PeakAlloc;
use reconverge_compiler::lower::Options;
use reconverge_tests::large;
use reconverge_tests::oracle::check;

/// Counts the allocations of the process; the one test here is alone in its process.
#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// The kinds of source with the most bytes of memory for each of their bytes.
const MOST: &[(&str, usize)] = &[("kernels", 40), ("host", 40), ("sums", 60)];

/// Length and peak of a source of a kind.
fn measured(kind: &str, lines: usize) -> (usize, usize) {
    let kind = large::find(kind).expect("a kind of this name");
    let source = (kind.source)(lines);
    let before = HEAP.current_usage();
    HEAP.reset_peak_usage();
    let checked = check(kind.name, &source);
    let lowered = checked.lower(&Options { keep_ir: false, ..Options::default() });
    assert!(lowered.is_ok(), "{}", kind.name);
    (source.len(), HEAP.peak_usage() - before)
}

#[test]
fn memory_grows_little_with_the_source() {
    let mut wrong = Vec::new();
    for &(kind, most) in MOST {
        let ((small, less), (large, more)) = (measured(kind, 2_000), measured(kind, 8_000));
        let slope = (more - less) as f64 / (large - small) as f64;
        println!("{kind}: {slope:.1} bytes for each byte");
        if slope > most as f64 {
            wrong.push(format!("{kind}: {slope:.1} bytes for each byte of source, not {most}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
