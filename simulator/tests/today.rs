//! Latencies of the machines of today: what was measured on a device, from the issue of an instruction to that of the next one which
//! needs its result, is what a chain of instructions takes for each of them. The files subtract what goes by in the operand collector
//! and in passes; here nothing is subtracted.

mod support;

use support::Run;

/// Global memory whose first word is its own address.
fn pointing_to_itself() -> Vec<u8> {
    let mut global = vec![0; 4096];
    global[..4].copy_from_slice(&reconverge_isa::GLOBAL_BASE.to_le_bytes());
    global
}

/// Cycles for each instruction of a chain, after what begins it.
fn each(machine: &str, begin: &str, link: &str) -> u64 {
    let of = |count: usize| {
        let links = format!("{link}\n").repeat(count);
        let text =
            format!(".kernel k\n.registers 8\n.predicates 2\n.shared 1024\n{begin}\n{links} exit");
        // Instructions are there.
        let mut run = Run::new(&text, machine).block(32).set("instruction-cache.size", "0");
        run.global = pointing_to_itself();
        run.timing().cycles
    };
    let (short, long) = (of(17), of(21));
    assert_eq!((long - short) % 4, 0, "{machine}: {link}");
    (long - short) / 4
}

#[test]
fn chains_take_what_was_measured() {
    const ADD: (&str, &str) = ("mov.b32 r1, 0", "add.i32 r0, r0, r1");
    const MULTIPLY: (&str, &str) = ("mov.b32 r1, 1", "mul.i32 r0, r0, r1");
    const FLOAT: (&str, &str) = ("mov.b32 r1, 0", "add.f32 r0, r0, r1");
    const DOUBLE: (&str, &str) = ("mov.b32 r2, 0", "add.f64 r0:1, r0:1, r2:3");
    const SPECIAL: (&str, &str) = ("mov.b32 r0, 0", "sqrt.f32 r0, r0");
    const SHARED: (&str, &str) =
        ("mov.b32 r0, 0x1000000\n st.shared.b32 [r0], r0", "ld.shared.b32 r0, [r0]");
    // The first load misses, and is in both chains.
    const FIRST_LEVEL: (&str, &str) = ("mov.b32 r0, 0x10000000", "ld.global.b32 r0, [r0]");
    let measured = [
        ("v100", [4, 5, 4, 8, 14, 19, 28]),
        ("a100", [4, 5, 4, 8, 14, 29, 38]),
        ("h100", [4, 5, 4, 8, 14, 29, 41]),
    ];
    for (machine, expected) in measured {
        let chains = [ADD, MULTIPLY, FLOAT, DOUBLE, SPECIAL, SHARED, FIRST_LEVEL];
        let found = chains.map(|(begin, link)| each(machine, begin, link));
        assert_eq!(found, expected, "{machine}");
    }
}

#[test]
fn second_level_hits_take_what_was_measured() {
    // Two lines are loaded, and an atomic drops the first one from the first level. Then one of them is loaded again: the second hits in
    // the first level, and the first in the second level, which takes longer by the difference of what was measured. So does a line
    // that is in memory only, of a closed row; but for where the clocks stand.
    let measured =
        [("v100", 28, 193, None), ("a100", 38, 262, Some(466)), ("h100", 41, 263, Some(479))];
    for (machine, first, second, memory) in measured {
        let of = |offset: u32| {
            let text = format!(
                ".kernel k\n.registers 8\n.predicates 2\n mov.b32 r0, 0x10000000\n \
                 ld.global.b32 r2, [r0]\n ld.global.b32 r5, [r0+128]\n add.i32 r2, r2, r5\n \
                 atom.add.i32.global r3, [r2], 0\n sub.i32 r3, r3, r2\n add.i32 r2, r2, r3\n \
                 ld.global.b32 r4, [r2+{offset}]\n add.i32 r4, r4, r4\n exit"
            );
            let mut run = Run::new(&text, machine).block(1).set("instruction-cache.size", "0");
            run.global = pointing_to_itself();
            let report = run.timing();
            (report.cycles, report.statistics.l1_hits)
        };
        let ((miss, no_hits), (hit, hits)) = (of(0), of(128));
        assert_eq!((no_hits, hits), (0, 1), "{machine}");
        assert_eq!(miss - hit, second - first, "{machine}");
        if let Some(memory) = memory {
            let found = of(2048).0 - hit + first;
            assert!(found.abs_diff(memory) <= 2, "{machine}: {found}");
        }
    }
}
