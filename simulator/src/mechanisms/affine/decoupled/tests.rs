//! The affine warp and its expansion unit, compared with each thread's own computation.

use reconverge_isa::{Effect, MAX_LANES, Op, WarpResult, WarpSource, evaluate_warp};

use super::expand::{Expansion, Step};
use super::mask::Mask;
use super::operate::{Computed, Failure, Operand, Work, index, operate};
use super::tuple::{Tuple, Value};
use super::warp::addresses;
use crate::execute::lanes::lanes_of;
use crate::mechanisms::divergence::slot::Capabilities;
use crate::memory::bytes::Bytes;
use crate::program::code::Code;
use crate::program::decode::decode;
use crate::program::operands::Source;
use crate::run::request::{Launch, Model};

/// Numbers that are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 16
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

const SHAPES: &[[u32; 3]] = &[
    [1, 1, 1],
    [7, 1, 1],
    [64, 1, 1],
    [100, 1, 1],
    [8, 8, 1],
    [5, 9, 1],
    [33, 3, 1],
    [4, 4, 4],
    [3, 5, 7],
    [1, 40, 1],
    [16, 2, 3],
];
const WIDTHS: &[u32] = &[1, 4, 5, 8, 32, 64];

fn code(text: &str, block: [u32; 3], width: u32) -> Code {
    let text = format!(".kernel k\n.registers 8\n.predicates 2\n{text}\n exit");
    let program = reconverge_isa::text::parse(&text).expect("it is good");
    let request = Launch::of_block(block, Model::Functional);
    let scheme = Capabilities::default();
    decode(&program.kernels[0], &request, width, &scheme, &super::Decoupled::default())
        .expect("it is good")
}

fn some_tuple(numbers: &mut Numbers, unit: u64) -> Tuple {
    let mut part = || {
        let small = numbers.below(12).wrapping_mul(unit);
        match numbers.below(6) {
            0 | 1 => 0,
            2 => small,
            3 => small.wrapping_neg(),
            4 => unit,
            _ => numbers.below(1000).wrapping_mul(unit),
        }
    };
    let mut tuple = Tuple { base: part(), offsets: [part(), part(), part()], ..Tuple::default() };
    let jump = part();
    if jump != 0 && numbers.below(3) == 0 {
        (tuple.jump, tuple.period) = (jump, 2 + numbers.below(18) as u32);
    }
    tuple
}

fn some_mask(numbers: &mut Numbers, code: &Code) -> Mask {
    let mut mask = Mask::all(code.shape, 1);
    for warp in 0..code.shape.warps() as usize {
        match numbers.below(4) {
            0 => mask.set(warp, 0),
            1 => mask.set(warp, numbers.next() ^ numbers.next() << 20),
            _ => {}
        }
    }
    mask
}

fn some_value(numbers: &mut Numbers, code: &Code, unit: u64) -> Value {
    let mut value = Value::of(some_tuple(numbers, unit));
    for _ in 0..numbers.below(3) {
        value.others.push((some_mask(numbers, code), some_tuple(numbers, unit)));
    }
    value
}

fn at(code: &Code, value: &Value, warp: usize, lane: usize) -> u64 {
    let other = value.others.iter().find(|(mask, _)| mask.lanes(warp) >> lane & 1 != 0);
    other.map_or(&value.first, |(_, tuple)| tuple).at(index(code, warp, lane))
}

#[test]
fn addresses_are_expanded_as_each_thread_would_compute_them() {
    let mut numbers = Numbers(3);
    for &block in SHAPES {
        for &width in WIDTHS {
            let code = code("", block, width);
            for size in [1u32, 2, 4, 8] {
                for line in [32u32, 128, 256] {
                    let mut value = some_value(&mut numbers, &code, u64::from(size));
                    let base = 0x1000_0000 + numbers.below(4000) * u64::from(size);
                    let base = Tuple::scalar(base);
                    value = value.map(|tuple| tuple.plus(&base).expect("it is a scalar").word());
                    let mask = some_mask(&mut numbers, &code);
                    let mut expansion = Expansion::new(&value);
                    for warp in 0..code.shape.warps() as usize {
                        let lanes = mask.lanes(warp);
                        let steps = expansion.next(&code, lanes, size, line);
                        let mut found: Vec<(u32, Bytes)> = Vec::new();
                        for step in steps {
                            let Step::Line(line, bytes) = step else {
                                panic!("lines are expanded");
                            };
                            match found.iter_mut().find(|(known, _)| *known == line) {
                                Some((_, known)) => known.join(&bytes),
                                None => found.push((line, bytes)),
                            }
                        }
                        let mut expected: Vec<(u32, Bytes)> = Vec::new();
                        let known = addresses(&code, &value, warp, lanes);
                        for lane in lanes_of(lanes) {
                            let address = at(&code, &value, warp, lane) as u32;
                            assert_eq!(known[lane], address);
                            let (start, from) = (address & !(line - 1), address & (line - 1));
                            let end = u64::from((from + size).min(line));
                            let at = expected.iter().position(|(known, _)| *known == start);
                            let at = at.unwrap_or_else(|| {
                                expected.push((start, Bytes::default()));
                                expected.len() - 1
                            });
                            expected[at].1.insert(u64::from(from), end);
                        }
                        found.sort_by_key(|(line, _)| *line);
                        expected.sort_by_key(|(line, _)| *line);
                        assert_eq!(found, expected, "{block:?} in {width}: {value:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn lines_as_in_figures_10_and_11() {
    let code = code("", [64, 1, 1], 32);
    let steps = |base: u64, offset: u64, size: u32| {
        let tuple = Tuple { base, offsets: [offset, 0, 0], ..Tuple::default() };
        let mut expansion = Expansion::new(&Value::of(tuple));
        [0, 1].map(|_| expansion.next(&code, 0xffff_ffff, size, 128))
    };
    let bytes = |from, to| {
        let mut bytes = Bytes::default();
        bytes.insert(from, to);
        bytes
    };
    // Figure 10: with an offset of 4, warps access one line after the other; all 32 words.
    let all = bytes(0, 128);
    assert_eq!(steps(0x1000, 4, 4), [[Step::Line(0x1000, all)], [Step::Line(0x1080, all)]]);
    // With an offset of 8, every other word, and two lines per warp.
    let mut other = Bytes::default();
    (0..16).for_each(|word| other.insert(word * 8, word * 8 + 4));
    let [first, second] = steps(0x1000, 8, 4);
    assert_eq!(first, [Step::Line(0x1000, other), Step::Line(0x1080, other)]);
    assert_eq!(second, [Step::Line(0x1100, other), Step::Line(0x1180, other)]);
    // A base inside of a line: the last line of a warp is the first one of the next.
    let [first, second] = steps(0x1040, 4, 4);
    assert_eq!(first, [Step::Line(0x1000, bytes(64, 128)), Step::Line(0x1080, bytes(0, 64))]);
    assert_eq!(second, [Step::Line(0x1080, bytes(64, 128)), Step::Line(0x1100, bytes(0, 64))]);
    // Backwards, and bytes.
    let [first, _] = steps(0x107f, u64::MAX, 1);
    assert_eq!(first, [Step::Line(0x1000, bytes(96, 128))]);
    // One thread a line.
    assert_eq!(steps(0x1000, 512, 4)[0].len(), 32);
    // One word for all.
    assert_eq!(steps(0x1004, 0, 4)[1], [Step::Line(0x1000, bytes(4, 8))]);
}

#[test]
fn rows_in_one_line_take_one_step() {
    let code = code("", [16, 4, 1], 32);
    let steps = |row: u64| {
        let tuple = Tuple { base: 0x1000, offsets: [4, row, 0], ..Tuple::default() };
        let mut expansion = Expansion::new(&Value::of(tuple));
        [0, 1].map(|_| expansion.next(&code, 0xffff_ffff, 4, 128).len())
    };
    // Rows of 64 bytes that follow each other, are the same, or lie in lines of their own.
    assert_eq!(steps(64), [1, 1]);
    assert_eq!(steps(0), [1, 1]);
    assert_eq!(steps(128), [2, 2]);
    assert_eq!(steps(1 << 12), [2, 2]);
}

#[test]
fn periods_in_one_line_take_one_step() {
    let code = code("", [64, 1, 1], 32);
    let steps = |offset: u64, jump: u64, period: u32| {
        let tuple = Tuple { base: 0x1000, offsets: [offset, 0, 0], jump, period };
        let mut expansion = Expansion::new(&Value::of(tuple));
        [0, 1].map(|_| expansion.next(&code, 0xffff_ffff, 4, 128).len())
    };
    // A quotient by 10 and a remainder by 16: few words.
    assert_eq!(steps(0, 4, 10), [1, 1]);
    assert_eq!(steps(4, 64u64.wrapping_neg(), 16), [1, 1]);
    // Rows of 16 words in an array of rows of 64.
    assert_eq!(steps(4, 192, 16), [2, 2]);
    // Rows of 10 words, each in a line of its own: there are four in either warp.
    assert_eq!(steps(4, 128 - 40, 10), [4, 4]);
}

const OPERATIONS: &[&str] = &[
    "mov.b32 r0, r2",
    "add.i32 r0, r2, r4",
    "sub.i32 r0, r2, r4",
    "mul.i32 r0, r2, r4",
    "mad.i32 r0, r2, r4, r6",
    "shl.b32 r0, r2, r4",
    "shr.u32 r0, r2, r4",
    "shr.s32 r0, r2, r4",
    "and.b32 r0, r2, r4",
    "not.b32 r0, r2",
    "min.s32 r0, r2, r4",
    "max.u32 r0, r2, r4",
    "abs.s32 r0, r2",
    "rem.u32 r0, r2, r4",
    "div.s32 r0, r2, r4",
    "sel.b32 r0, p1, r2, r4",
    "mov.b64 r0:1, r2:3",
    "add.i64 r0:1, r2:3, r4:5",
    "sub.i64 r0:1, r2:3, r4:5",
    "mul.i64 r0:1, r2:3, r4:5",
    "mad.i64 r0:1, r2:3, r4:5, r6:7",
    "min.s64 r0:1, r2:3, r4:5",
    "max.u64 r0:1, r2:3, r4:5",
    "abs.s64 r0:1, r2:3",
    "sel.b64 r0:1, p1, r2:3, r4:5",
    "low.b64 r0, r2:3",
    "high.b64 r0, r2:3",
    "cvt.s64.s32 r0:1, r2",
    "cvt.u64.u32 r0:1, r2",
    "setp.lt.s32 p0, r2, r4",
    "setp.ge.u32 p0, r2, r4",
    "setp.eq.i32 p0, r2, r4",
    "setp.ne.i64 p0, r2:3, r4:5",
    "setp.gt.s64 p0, r2:3, r4:5",
    "setp.le.u64 p0, r2:3, r4:5",
    "setp.lt.and.s32 p0, r2, r4, p1",
    "setp.ge.or.u32 p0, r2, r4, !p1",
    "and.pred p0, p1, !p1",
    "xor.pred p0, p1, p0",
    "mov.pred p0, !p1",
];

#[test]
fn operations_are_those_of_each_thread() {
    let mut numbers = Numbers(5);
    let mut represented = vec![0; OPERATIONS.len()];
    for &block in SHAPES {
        for &width in &[4, 32, 64] {
            for (text, represented) in OPERATIONS.iter().zip(&mut represented) {
                let code = code(text, block, width);
                for _ in 0..8 {
                    *represented += u32::from(agrees(&code, &mut numbers));
                }
            }
        }
    }
    for (text, represented) in OPERATIONS.iter().zip(represented) {
        assert!(represented > 40, "{text} has a result {represented} times");
    }
}

/// Returns true if an operation on random values has a result, which is right.
fn agrees(code: &Code, numbers: &mut Numbers) -> bool {
    let instruction = &code.instructions[0];
    let active = some_mask(numbers, code);
    if active.is_empty() {
        return true;
    }
    let is_pair = |source| {
        matches!(source, Source::Register { words: 2.., .. } | Source::Pool { pair: true, .. })
    };
    let mut masks = [Mask::none(code.shape, 1), some_mask(numbers, code)];
    masks[0] = masks[1].complement();
    let operands = instruction.sources.map(|source| match source {
        Source::None => Operand::Absent,
        Source::Predicate { index, negated } => {
            let mask = masks[usize::from(index)].clone();
            Operand::Predicate(if negated { mask.complement() } else { mask })
        }
        source => {
            let value = match numbers.below(3) {
                0 => Value::of(Tuple::scalar(1 + numbers.below(20))),
                1 => Value::of(some_tuple(numbers, 1)),
                _ => some_value(numbers, code, 1),
            };
            let wide = is_pair(source);
            Operand::Value(value.map(|tuple| if wide { *tuple } else { tuple.word() }))
        }
    });
    let mut work = Work::default();
    let result = operate(code, instruction, &operands, &active, &mut work);
    let result = match result {
        Ok(result) => result,
        Err(Failure::DivisionByZero(_)) => {
            assert_eq!(instruction.effect, Effect::Divide);
            return true;
        }
        Err(_) => return false,
    };
    for warp in active.occupied() {
        let lanes = active.lanes(warp);
        let mut rows = [[[0u32; MAX_LANES]; 2]; 3];
        let mut predicates = [0; 3];
        for (at_source, operand) in operands.iter().enumerate() {
            match operand {
                Operand::Absent => {}
                Operand::Predicate(mask) => predicates[at_source] = mask.lanes(warp),
                Operand::Value(value) => {
                    for lane in lanes_of(lanes) {
                        let value = at(code, value, warp, lane);
                        rows[at_source][0][lane] = value as u32;
                        rows[at_source][1][lane] = (value >> 32) as u32;
                    }
                }
            }
        }
        let sources = [0, 1, 2].map(|at| {
            let wide = is_pair(instruction.sources[at]);
            WarpSource {
                low: &rows[at][0],
                high: if wide { &rows[at][1] } else { &[] },
                predicate: predicates[at],
            }
        });
        let mut expected = WarpResult::default();
        let width = code.shape.width as usize;
        evaluate_warp(code.vectors, instruction.op, width, lanes, sources, &mut expected);
        match &result {
            Computed::Predicate(mask) => {
                assert_eq!(mask.lanes(warp) & lanes, expected.predicate & lanes);
            }
            Computed::Value(value) => {
                let wide = instruction.result().is_some_and(|result| result.words > 1);
                for lane in lanes_of(lanes) {
                    let got = at(code, value, warp, lane);
                    assert_eq!(got as u32, expected.low[lane], "{:?} {operands:?}", instruction.op);
                    // If a value wraps while it is widened, only its lower half is needed.
                    let low = matches!(instruction.op, Op::Sext32 | Op::Zext32);
                    assert!(!wide || low || (got >> 32) as u32 == expected.high[lane]);
                }
            }
        }
    }
    true
}

/// The result of an operation on two tuples for one thread of a block of 64.
fn one_of_64(text: &str, a: Tuple, b: u64) -> Result<Tuple, Failure> {
    let code = code(text, [64, 1, 1], 32);
    let mut active = Mask::none(code.shape, 1);
    active.set(1, 1 << 5);
    let operands = [a, Tuple::scalar(b)].map(|tuple| Operand::Value(Value::of(tuple)));
    let [a, b] = operands;
    let operands = [a, b, Operand::Absent];
    match operate(&code, &code.instructions[0], &operands, &active, &mut Work::default())? {
        Computed::Value(value) => Ok(value.first),
        Computed::Predicate(_) => panic!("it has a number as its result"),
    }
}

#[test]
fn a_quotient_is_the_blocks_whatever_threads_are_active() {
    let x = Tuple::thread(0);
    let tenth = Tuple { jump: 1, period: 10, ..Tuple::default() };
    assert_eq!(one_of_64("div.u32 r0, r2, r4", x, 10), Ok(tenth));
    let rest = Tuple { offsets: [1, 0, 0], jump: 10u64.wrapping_neg(), ..tenth };
    assert_eq!(one_of_64("rem.s32 r0, r2, r4", x, 10), Ok(rest.word()));
    assert_eq!(one_of_64("and.b32 r0, r2, r4", x, 0x18), Err(Failure::NoTuple));
}

#[test]
fn a_widened_word_is_exact_unless_it_wraps() {
    let x = Tuple::thread(0);
    let back = |base: u64| Tuple { base, offsets: [u64::MAX, 0, 0], ..Tuple::default() };
    assert_eq!(one_of_64("cvt.u64.u32 r0:1, r2", x, 0), Ok(x));
    assert_eq!(one_of_64("cvt.u64.u32 r0:1, r2", back(70).word(), 0), Ok(back(70)));
    assert_eq!(one_of_64("cvt.s64.s32 r0:1, r2", back(60).word(), 0), Ok(back(60)));
    // From 60 down to -3, unsigned: the lower half is right.
    let wrapped = one_of_64("cvt.u64.u32 r0:1, r2", back(60).word(), 0).expect("it is a tuple");
    assert_eq!(wrapped.word(), back(60).word());
}

#[test]
fn predicates_by_class() {
    let classes = |text: &str, block: [u32; 3], a: Tuple, b: Tuple| {
        let code = code(text, block, 32);
        let mut work = Work::default();
        let operands =
            [Operand::Value(Value::of(a)), Operand::Value(Value::of(b)), Operand::Absent];
        let all = Mask::all(code.shape, 1);
        operate(&code, &code.instructions[0], &operands, &all, &mut work).expect("it compares");
        work.classes
    };
    let line = |base: i64, offset: i64| Tuple {
        base: base as u64,
        offsets: [offset as u64, 0, 0],
        ..Tuple::default()
    };
    let less = "setp.lt.s32 p0, r2, r4";
    let scalar = |value: i64| line(value, 0);
    let all = [128, 1, 1];
    // Both the same for all: one comparison for four warps.
    assert_eq!(classes(less, all, scalar(3), scalar(4)), [4, 0, 0]);
    // tid < 100: three warps agree, in the last one lanes 0 to 3 are below.
    assert_eq!(classes(less, all, line(0, 1), scalar(100)), [0, 3, 1]);
    assert_eq!(classes(less, all, line(200, -1), scalar(100)), [0, 3, 1]);
    // Bounds of a warp agree in being unequal, but are on two sides.
    assert_eq!(classes("setp.eq.i32 p0, r2, r4", all, line(0, 1), scalar(100)), [0, 3, 1]);
    // A wrap: 2^31 - 10 + tid.
    let wrap = line((1 << 31) - 10, 1).word();
    assert_eq!(classes(less, all, wrap, scalar(0)), [0, 3, 1]);
    assert_eq!(classes("setp.lt.u32 p0, r2, r4", all, wrap, scalar(0)), [0, 4, 0]);
    // In rows of 16 threads the values go up and down, between those of the warp's ends.
    assert_eq!(classes(less, [16, 8, 1], line(0, 1), scalar(100)), [0, 4, 0]);
    assert_eq!(classes(less, [16, 8, 1], line(0, 1), scalar(8)), [0, 0, 4]);
    // Not where a warp begins or ends within a row, or one offset grows and another falls.
    assert_eq!(classes(less, [20, 8, 1], line(0, 1), scalar(100)), [0, 0, 5]);
    let falling = Tuple { offsets: [1, (-2i64) as u64, 0], ..Tuple::default() };
    assert_eq!(classes(less, [16, 8, 1], falling, scalar(100)), [0, 0, 4]);
    let rows = Tuple { offsets: [1, 16, 0], ..Tuple::default() };
    assert_eq!(classes(less, [16, 8, 1], rows, scalar(100)), [0, 3, 1]);
    // Two tuples with a monotonic difference.
    assert_eq!(classes(less, all, line(0, 2), line(50, 1)), [0, 3, 1]);
    // A quotient is monotonic; a remainder falls back at the end of each period.
    let tenth = Tuple { jump: 1, period: 10, ..Tuple::default() };
    assert_eq!(classes(less, all, tenth, scalar(5)), [0, 3, 1]);
    let rest = Tuple { jump: 10u64.wrapping_neg(), offsets: [1, 0, 0], ..tenth };
    assert_eq!(classes(less, all, rest, scalar(5)), [0, 0, 4]);
}
