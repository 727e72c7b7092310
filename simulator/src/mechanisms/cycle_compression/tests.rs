//! The paper's examples, and properties of every mask at many widths.

use super::list::MECHANISMS;
use super::slot::{CycleCompression, MicroOperation, Saved, Widths, low};
use crate::mechanisms::setup::Setup;

const PAPER: Widths = Widths { warp: 16, pipe: 4 };

fn scheme(name: &str) -> Box<dyn CycleCompression> {
    let mechanism = super::list::find(name).expect("it is listed");
    (mechanism.build)(&Setup::of(&toml::Table::new())).expect("it has no options")
}

fn passes(name: &str, mask: u64, widths: Widths) -> u32 {
    widths.groups() - scheme(name).saved(mask, widths).passes()
}

/// The groups of each pass.
fn issued(name: &str, mask: u64) -> Vec<Vec<u32>> {
    scheme(name).micro_operations(mask, PAPER).iter().map(MicroOperation::groups).collect()
}

/// A pass as the paper's `Qx` and `Qy.swizzle(m,n)`, place by place.
fn settings(mask: u64) -> Vec<String> {
    let place = |(n, lane): (usize, &Option<u32>)| match lane {
        None => "-".to_string(),
        Some(lane) if *lane as usize % 4 == n => format!("Q{}", lane / 4),
        Some(lane) => format!("Q{}.swizzle({},{n})", lane / 4, lane % 4),
    };
    let passes = scheme("scc").micro_operations(mask, PAPER);
    passes
        .iter()
        .map(|pass| pass.0.iter().enumerate().map(place).collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn figure_2_every_quad_has_its_turn() {
    assert_eq!(issued("none", 0xFFFF), [[0], [1], [2], [3]]);
    assert_eq!(passes("none", 0x0001, PAPER), 4);
    assert_eq!(passes("none", 0xFF, Widths { warp: 8, pipe: 4 }), 2, "a SIMD8 instruction");
}

#[test]
fn figure_4_if_else_blocks() {
    // (a): four of 16 channels take the `if`, twelve the `else`; a half of the eight cycles is left.
    assert_eq!((passes("bcc", 0x000F, PAPER), passes("bcc", 0xFFF0, PAPER)), (1, 3));
    // (b) and (c): enabled channels are not contiguous; only swizzling helps.
    for mask in [0x5555, 0xAAAA] {
        assert_eq!((passes("bcc", mask, PAPER), passes("scc", mask, PAPER)), (4, 2));
    }
}

#[test]
fn section_4_1_quads_1_and_3_only() {
    assert_eq!(issued("bcc", 0xF0F0), [[1], [3]]);
    // As many quads as cycles are needed: SCC does as BCC does (Figure 6).
    assert_eq!(issued("scc", 0xF0F0), [[1], [3]]);
    assert_eq!(issued("ivb-half", 0xF0F0), [vec![], vec![1], vec![], vec![3]]);
    assert_eq!(issued("ivb-half", 0xF000), [vec![], vec![3]], "the upper half's two passes");
}

#[test]
fn figure_6_settings() {
    // Lanes 1 and 3 of every quad: each has two of four to give away, the lowest first.
    assert_eq!(
        settings(0xAAAA),
        ["Q0.swizzle(1,0) Q1 Q2.swizzle(1,2) Q0", "Q1.swizzle(3,0) Q3 Q2.swizzle(3,2) Q3"]
    );
    // Lane 0 of every quad: one pass, in which three of the four are moved.
    assert_eq!(settings(0x1111), ["Q0 Q1.swizzle(0,1) Q2.swizzle(0,2) Q3.swizzle(0,3)"]);
    // Lane 0 in three quads, lane 2 in two: two passes are enough and lane 0 has a surplus of one,
    // which is executed in the first place that is free; the last two places stay disabled.
    assert_eq!(settings(0x0511 | 0x4000), ["Q0 Q1.swizzle(0,1) Q2 -", "Q2 - Q3 -"]);
    // One lane in each of two quads, in different places: nothing has a surplus, nothing is moved.
    assert_eq!(settings(0x0201), ["Q0 Q2 - -"]);
    // Places without lanes of their own take the surplus of lane 0 as early as they can.
    assert_eq!(settings(0x1133), ["Q0 Q0 Q1.swizzle(0,2) Q2.swizzle(0,3)", "Q3 Q1 - -"]);
}

#[test]
fn table_2() {
    let levels: [(&[u64], [u32; 3]); 4] = [
        (&[0x5555, 0xAAAA], [0, 0, 50]),
        (&[0x1111, 0x4444, 0x8888, 0x2222], [0, 0, 75]),
        // The paper prints 0808 and 02020 (sic).
        (&[0x0101, 0x1010, 0x0404, 0x4040, 0x0808, 0x8080, 0x0202, 0x2020], [0, 50, 25]),
        (&[1, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7, 1 << 8], [50, 25, 0]),
    ];
    let last: Vec<u64> = (9..16).map(|lane| 1 << lane).collect();
    let rest = (last.as_slice(), [50, 25, 0]);
    for (masks, expected) in levels.into_iter().chain([rest]) {
        let (mut all, mut saved) = (0, Saved::default());
        for &mask in masks {
            let one = scheme("scc").saved(mask, PAPER);
            all += PAPER.groups();
            saved.half += one.half;
            saved.groups += one.groups;
            saved.swizzle += one.swizzle;
            let bcc = scheme("bcc").saved(mask, PAPER);
            assert_eq!((bcc.half, bcc.groups, bcc.swizzle), (one.half, one.groups, 0));
            let half = scheme("ivb-half").saved(mask, PAPER);
            assert_eq!((half.half, half.groups, half.swizzle), (one.half, 0, 0));
        }
        let share = [saved.half, saved.groups, saved.swizzle].map(|part| part * 100 / all);
        assert_eq!(share, expected, "{masks:x?}");
    }
}

/// Checks the properties of a mask under every scheme. Returns the passes of each.
fn check(mask: u64, widths: Widths) -> Vec<u32> {
    let one = |name: &str| {
        let label = format!("{name}, {mask:#x} at {widths:?}");
        let scheme = scheme(name);
        let operations = scheme.micro_operations(mask, widths);
        let saved = scheme.saved(mask, widths).passes();
        assert_eq!(operations.len() as u32, widths.groups() - saved, "{label}");
        assert_eq!(scheme.compresses(), name != "none", "{label}");
        let mut executed = 0;
        for operation in &operations {
            assert_eq!(operation.0.len() as u32, widths.pipe, "{label}");
            for &lane in operation.0.iter().flatten() {
                assert_eq!(executed >> lane & 1, 0, "{label}: lane {lane} twice");
                executed |= 1u64 << lane;
            }
            let moved = operation.swizzles().len();
            assert!(name == "scc" || moved == 0, "{label}");
        }
        assert_eq!(executed, mask, "{label}");
        operations.len() as u32
    };
    MECHANISMS.all().into_iter().map(|mechanism| one(mechanism.name)).collect()
}

#[test]
fn every_active_lane_is_executed_once() {
    let scc = MECHANISMS
        .all()
        .into_iter()
        .position(|mechanism| mechanism.name == "scc")
        .expect("it is listed");
    for mask in 1..1 << 16 {
        let passes = check(mask, PAPER);
        assert!(passes.is_sorted_by(|a, b| a >= b), "{mask:#x}: {passes:?}");
        assert_eq!(passes[scc], mask.count_ones().div_ceil(4), "{mask:#x}");
    }
}

#[test]
fn at_every_width() {
    // Masks of a fixed sequence (xorshift), from sparse to dense.
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for warp in 1..=64 {
        for pipe in 1..=64 {
            let widths = Widths { warp, pipe };
            let masks = [next(), next() & next(), next() & next() & next(), !0, 1 << (warp - 1)];
            for mask in masks.map(|mask| mask & low(warp)).into_iter().filter(|&mask| mask != 0) {
                let passes = check(mask, widths);
                assert!(passes.is_sorted_by(|a, b| a >= b), "{mask:#x} at {widths:?}: {passes:?}");
            }
        }
    }
}
