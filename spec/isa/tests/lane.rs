//! The results of operations: a warp agrees with its lanes, floats with libm, NaNs with the rules.

use crate::common::Random;
use reconverge_isa::table::{TABLE, evaluate_atomic, evaluate_lane};
use reconverge_isa::*;

const NAN: u32 = 0x7fff_ffff;

fn op(mnemonic: &str) -> Op {
    Op::from_mnemonic(mnemonic).expect("it is a mnemonic of the table")
}

/// The result of a 32-bit operation.
fn word(mnemonic: &str, sources: [u32; 3]) -> u32 {
    evaluate_lane(op(mnemonic), sources.map(u64::from)).expect("it computes") as u32
}

/// Sources of a warp, and the same as the bits of each lane.
struct Sources {
    low: [Vec<u32>; 3],
    high: [Vec<u32>; 3],
    predicate: [u64; 3],
}

impl Sources {
    fn new(random: &mut Random, op: Op, lanes: usize) -> Sources {
        let mut sources =
            Sources { low: Default::default(), high: Default::default(), predicate: [0; 3] };
        let instruction = Instruction::new(op);
        for index in 0..3 {
            let mut words = || (0..lanes).map(|_| random.word()).collect();
            match instruction.source_kind(index) {
                None => {}
                Some(ValueKind::Predicate) => sources.predicate[index] = random.bits(),
                Some(kind) => {
                    sources.low[index] = words();
                    if kind.registers() == 2 {
                        sources.high[index] = words();
                    }
                }
            }
        }
        sources
    }

    fn warp(&self) -> [WarpSource<'_>; 3] {
        [0, 1, 2].map(|index| WarpSource {
            low: &self.low[index],
            high: &self.high[index],
            predicate: self.predicate[index],
        })
    }

    fn lane(&self, lane: usize) -> [u64; 3] {
        [0, 1, 2].map(|index| {
            let at = |words: &Vec<u32>| words.get(lane).copied().map_or(0, u64::from);
            let bit = self.predicate[index] >> lane & 1;
            at(&self.low[index]) | at(&self.high[index]) << 32 | bit
        })
    }
}

/// A warp computes in the lanes of a mask what they compute alone, with every host's instructions that this host has.
fn warp_agrees(op: Op, sources: &Sources, lanes: usize, mask: u64) {
    for vectors in [Vectors::PORTABLE, Vectors::detect()] {
        let mut out = WarpResult::default();
        let computes = evaluate_warp(vectors, op, lanes, mask, sources.warp(), &mut out);
        assert_eq!(computes, matches!(op.row().effect, Effect::Compute | Effect::Divide));
        for lane in (0..lanes).filter(|lane| computes && mask >> lane & 1 != 0) {
            let kind = Instruction::new(op).result_kind().expect("it computes");
            let got = match kind.registers() {
                0 => out.predicate >> lane & 1,
                1 => out.low[lane].into(),
                _ => u64::from(out.low[lane]) | u64::from(out.high[lane]) << 32,
            };
            let (mnemonic, expected) = (op.row().mnemonic, evaluate_lane(op, sources.lane(lane)));
            assert_eq!(Some(got), expected, "{mnemonic} {:x?} {vectors:?}", sources.lane(lane));
        }
    }
}

/// Words at which functions change their course, as integers, as floats and as the upper halves of doubles.
const EDGES: [u32; 24] = [
    0,
    1,
    2,
    31,
    32,
    0x007f_ffff,
    0x0080_0000,
    0x000f_ffff,
    0x0010_0000,
    0x3f80_0000,
    0x3f7f_ffff,
    0x3ff0_0000,
    0x4b00_0001,
    0x4f00_0000,
    0x7f7f_ffff,
    0x7f80_0000,
    0x7f80_0001,
    0x7fef_ffff,
    0x7ff0_0000,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xbf80_0000,
    0xffff_ffff,
];

/// Every operation on every combination of edges in its sources: in all lanes, in one after the other, and in every other.
#[test]
fn a_warp_computes_what_its_lanes_compute_at_the_edges() {
    for row in TABLE.iter().filter(|row| matches!(row.effect, Effect::Compute | Effect::Divide)) {
        let kinds = [0, 1, 2].map(|index| Instruction::new(row.op).source_kind(index));
        let words = kinds.iter().flatten().count() as u32;
        let combinations = EDGES.len().pow(words);
        for first in (0..combinations).step_by(32) {
            let mut sources =
                Sources { low: Default::default(), high: Default::default(), predicate: [0; 3] };
            for (index, kind) in
                kinds.iter().enumerate().filter_map(|(i, kind)| Some((i, (*kind)?)))
            {
                let choice = |lane: usize| {
                    (first + lane) % combinations / EDGES.len().pow(index as u32) % EDGES.len()
                };
                match kind.registers() {
                    0 => {
                        let bits = (0..32).map(|lane| (choice(lane) as u64 & 1) << lane);
                        sources.predicate[index] = bits.fold(0, |all, bit| all | bit);
                    }
                    1 => sources.low[index] = (0..32).map(|lane| EDGES[choice(lane)]).collect(),
                    _ => {
                        // The lower half goes round once in as many combinations as there are.
                        let low = |lane: usize| EDGES[(first / 32 + 7 * lane) % EDGES.len()];
                        sources.low[index] = (0..32).map(low).collect();
                        sources.high[index] = (0..32).map(|lane| EDGES[choice(lane)]).collect();
                    }
                }
            }
            let mask = match first / 32 % 4 {
                0 => 1 << (first / 128 % 32),
                1 => 0x5555_5555,
                _ => 0xffff_ffff,
            };
            warp_agrees(row.op, &sources, 32, mask);
        }
    }
}

#[test]
fn a_warp_computes_what_its_lanes_compute() {
    let random = &mut Random::new(1);
    for row in TABLE {
        for lanes in (0..=64).chain([32; 20]).chain([64; 20]) {
            let sources = Sources::new(random, row.op, lanes);
            let existing = if lanes == 64 { u64::MAX } else { (1 << lanes) - 1 };
            let mask = if random.chance(2) { existing } else { random.bits() & existing };
            warp_agrees(row.op, &sources, lanes, mask);
        }
        let computes = matches!(row.effect, Effect::Compute | Effect::Divide);
        assert_eq!(evaluate_lane(row.op, [1; 3]).is_some(), computes);
        assert_eq!(evaluate_atomic(row.op, [1; 3]).is_some(), row.effect == Effect::Atomic);
    }
}

#[test]
fn a_nan_that_arithmetic_makes_is_canonical() {
    let random = &mut Random::new(2);
    let keeps = ["mov", "sel", "neg", "abs", "copysign", "pack", "min", "max"];
    for row in TABLE.iter().filter(|row| row.effect == Effect::Compute) {
        let prefix = row.mnemonic.split('.').next().unwrap_or_default();
        if keeps.contains(&prefix) {
            continue;
        }
        for _ in 0..2000 {
            let sources = [0; 3].map(|_| u64::from(random.word()) << 32 | u64::from(random.word()));
            let result = evaluate_lane(row.op, sources).expect("it computes");
            match Instruction::new(row.op).result_kind() {
                Some(ValueKind::F32) if f32::from_bits(result as u32).is_nan() => {
                    assert_eq!(result as u32, NAN, "{}", row.mnemonic);
                }
                Some(ValueKind::F64) if f64::from_bits(result).is_nan() => {
                    assert_eq!(result, 0x7fff_ffff_ffff_ffff, "{}", row.mnemonic);
                }
                _ => {}
            }
        }
    }
}

#[test]
fn minimum_and_maximum_follow_the_rules() {
    let (one, zero, minus_zero, odd_nan) = (0x3f80_0000, 0, 1 << 31, 0xffc0_0001);
    for (a, b, least, most) in [
        (one, odd_nan, one, one),
        (odd_nan, one, one, one),
        (odd_nan, odd_nan, NAN, NAN),
        (zero, minus_zero, minus_zero, zero),
        (minus_zero, zero, minus_zero, zero),
        (one, zero, zero, one),
    ] {
        assert_eq!(word("min.f32", [a, b, 0]), least);
        assert_eq!(word("max.f32", [a, b, 0]), most);
    }
}

#[test]
fn integer_edges() {
    let minimum = i32::MIN as u32;
    assert_eq!(word("div.s32", [minimum, u32::MAX, 0]), minimum);
    assert_eq!(word("rem.s32", [minimum, u32::MAX, 0]), 0);
    assert_eq!(word("div.u32", [7, 0, 0]), 0);
    assert_eq!(word("shl.b32", [1, 33, 0]), 0);
    assert_eq!(word("shr.u32", [minimum, 32, 0]), 0);
    assert_eq!(word("shr.s32", [minimum, 32, 0]), u32::MAX);
    assert_eq!(word("cvt.s32.f32", [NAN, 0, 0]), 0);
    assert_eq!(word("cvt.s32.f32", [f32::INFINITY.to_bits(), 0, 0]), i32::MAX as u32);
    assert_eq!(word("cvt.u32.f32", [(-1f32).to_bits(), 0, 0]), 0);
    assert_eq!(evaluate_atomic(op("atom.inc.u32"), [5, 5, 0]), Some(0));
    assert_eq!(evaluate_atomic(op("atom.dec.u32"), [0, 5, 0]), Some(5));
    assert_eq!(evaluate_atomic(op("atom.cas.b32"), [5, 6, 5]), Some(6));
}

fn canonical(value: f32) -> u32 {
    if value.is_nan() { NAN } else { value.to_bits() }
}

/// Operands of a fused multiply-add whose exact result is often next to a tie: the addend is near
/// the product, or a few bits away from half a unit of it.
fn hard_case(random: &mut Random) -> [f32; 3] {
    let [a, b] = [0; 2].map(|_| f32::from_bits(random.word()));
    let product = (a * b).to_bits();
    let c = match random.below(4) {
        0 => random.word(),
        1 => (product ^ 1 << 31).wrapping_add(random.below(5)).wrapping_sub(2),
        2 => {
            product.wrapping_add((random.below(60) << 23).wrapping_sub(30 << 23))
                & !random.below(1 << 20)
        }
        _ => {
            let exponent = (product >> 23 & 0xff).wrapping_add(random.below(56)).wrapping_sub(28);
            (exponent & 0xff) << 23 | random.below(2) << 31 | random.below(3)
        }
    };
    [a, b, f32::from_bits(c)]
}

fn fused_multiply_add_agrees(seed: u64, warps: u32) {
    let ways = [Vectors::PORTABLE, Vectors::detect()];
    let random = &mut Random::new(seed);
    let mut out = WarpResult::default();
    for _ in 0..warps {
        let mut words = [[0; 32]; 3];
        for lane in 0..32 {
            let case = hard_case(random);
            for (word, value) in words.iter_mut().zip(case) {
                word[lane] = value.to_bits();
            }
        }
        let sources = words.each_ref().map(|low| WarpSource { low, ..WarpSource::default() });
        for vectors in ways {
            evaluate_warp(vectors, op("fma.f32"), 32, u64::MAX, sources, &mut out);
            for lane in 0..32 {
                let [a, b, c] = words.map(|low| f32::from_bits(low[lane]));
                let expected = canonical(libm::fmaf(a, b, c));
                assert_eq!(out.low[lane], expected, "{a:e} * {b:e} + {c:e}");
            }
        }
    }
}

#[test]
fn fused_multiply_add_is_rounded_once() {
    fused_multiply_add_agrees(1, 60_000);
}

/// Hundreds of millions of cases: `cargo test --release -p reconverge-isa -- --ignored`.
#[test]
#[ignore = "takes a minute in a release build"]
fn fused_multiply_add_is_rounded_once_at_length() {
    fused_multiply_add_agrees(2, 15_000_000);
}

type Rounding32 = (&'static str, fn(f32) -> f32);
type Rounding64 = (&'static str, fn(f64) -> f64);

#[test]
fn rounding_to_integers_agrees_with_libm() {
    let single: [Rounding32; 5] = [
        ("floor.f32", libm::floorf),
        ("ceil.f32", libm::ceilf),
        ("trunc.f32", libm::truncf),
        ("round.f32", libm::roundf),
        ("rint.f32", libm::rintf),
    ];
    let double: [Rounding64; 5] = [
        ("floor.f64", libm::floor),
        ("ceil.f64", libm::ceil),
        ("trunc.f64", libm::trunc),
        ("round.f64", libm::round),
        ("rint.f64", libm::rint),
    ];
    let random = &mut Random::new(4);
    for round in 0..300_000 {
        // Every exponent, and values at halves and next to them.
        let half = (random.below(1 << 25) as f32 - (1 << 24) as f32) / 2.0;
        let near = half.to_bits().wrapping_add(random.below(3)).wrapping_sub(1);
        let bits = if round % 2 == 0 { near } else { random.word() };
        for (mnemonic, expected) in single {
            let expected = canonical(expected(f32::from_bits(bits)));
            assert_eq!(word(mnemonic, [bits, 0, 0]), expected, "{mnemonic} {bits:#x}");
        }
        let half = ((random.bits() >> 10) as f64 - (1u64 << 53) as f64) / 2.0;
        let near = half.to_bits().wrapping_add(random.bits() % 3).wrapping_sub(1);
        let exponent = u64::from(0x3fd + random.below(56)) << 52;
        let bits = match round % 3 {
            0 => near,
            1 => random.bits(),
            _ => random.bits() & !(0x7ff << 52) | exponent,
        };
        for (mnemonic, expected) in double {
            let expected = expected(f64::from_bits(bits));
            let expected = if expected.is_nan() { u64::MAX >> 1 } else { expected.to_bits() };
            let got = evaluate_lane(op(mnemonic), [bits, 0, 0]);
            assert_eq!(got, Some(expected), "{mnemonic} {bits:#x}");
        }
    }
}
