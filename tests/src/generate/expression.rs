//! Random expressions: no division by zero, no index out of bounds, no effect.

use super::statement::Maker;

pub(super) const INTS: [&str; 4] = ["i0", "i1", "i2", "i3"];
const UINTS: [&str; 3] = ["u0", "u1", "tid"];
pub(super) const LONGS: [&str; 2] = ["l0", "l1"];
pub(super) const FLOATS: [&str; 3] = ["f0", "f1", "f2"];
pub(super) const DOUBLES: [&str; 2] = ["d0", "d1"];
pub(super) const SMALL: [&str; 4] = ["c0", "uc0", "s0", "us0"];

const CASTS: [&str; 7] =
    ["char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long long"];

/// Types that expressions are generated at.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ty {
    Int,
    UInt,
    Long,
    Float,
    Double,
}

impl Maker {
    /// A truth value.
    pub(super) fn condition(&mut self, depth: usize) -> String {
        let comparison = *self.random.pick(&[&"<", &"<=", &">", &">=", &"==", &"!="]);
        match self.random.below(if depth == 0 { 5 } else { 9 }) {
            0 | 1 => {
                format!("{} {comparison} {}", self.integer(Ty::Int, 1), self.integer(Ty::Int, 1))
            }
            2 => format!(
                "(tid & {}) {comparison} {}u",
                1 + self.random.below(31),
                self.random.below(8)
            ),
            3 => format!(
                "{} {comparison} {}",
                self.floating(Ty::Float, 1),
                self.floating(Ty::Float, 1)
            ),
            4 => format!(
                "{} {comparison} {}",
                self.random.pick(&[
                    "(int)threadIdx.x",
                    "u1",
                    "l0",
                    "k0",
                    "(int)threadIdx.z",
                    "b0",
                    "b1",
                    "e0"
                ]),
                self.random.pick(&["3", "n", "i1", "1", "u0"])
            ),
            5 => format!("({} && {})", self.condition(depth - 1), self.condition(depth - 1)),
            6 => format!("({} || {})", self.condition(depth - 1), self.condition(depth - 1)),
            7 => {
                let divisor = *self.random.pick(&[&"i3", &"(i1 & 3)", &"k0"]);
                let (value, limit) = (self.random.pick(&INTS), self.random.below(9));
                format!("({divisor} != 0 && {value} / {divisor} {comparison} {limit})")
            }
            _ => format!("!({})", self.condition(depth - 1)),
        }
    }

    /// A truth value of one comparison.
    pub(super) fn test(&mut self) -> String {
        let comparison = *self.random.pick(&[&"<", &"<=", &">", &">=", &"==", &"!="]);
        format!("{} {comparison} {}", self.random.pick(&INTS), self.random.below(64))
    }

    /// An integer of about a type; C's conversions turn it into that type.
    pub(super) fn integer(&mut self, ty: Ty, depth: usize) -> String {
        if depth == 0 || self.random.chance(20) {
            return self.integer_leaf(ty);
        }
        let (a, b) = (self.integer(ty, depth - 1), self.integer(ty, depth - 1));
        match self.random.below(19) {
            0..=4 => format!("({a} {} {b})", self.random.pick(&["+", "-", "*"])),
            5 | 6 => format!("({a} {} {b})", self.random.pick(&["&", "|", "^"])),
            7 => format!("({a} {} (({b}) & 15))", self.random.pick(&["<<", ">>"])),
            8 => format!("({a} {} (({b}) | 1))", self.random.pick(&["/", "%"])),
            9 => format!("({} ? {a} : {b})", self.condition(0)),
            10 => format!("({}{a})", self.random.pick(&["-", "~", "!"])),
            // The casts keep C++'s overload resolution unambiguous.
            11 => {
                let to = if ty == Ty::Long { "long long" } else { "int" };
                format!("{}(({to})({a}), ({to})({b}))", self.random.pick(&["min", "max"]))
            }
            12 => {
                if self.random.chance(50) {
                    return format!("(({}){a})", self.random.pick(&CASTS));
                }
                let (outer, inner) = (self.random.below(4), self.random.below(4));
                format!("(({})({}){a})", CASTS[outer], CASTS[inner])
            }
            13 => self.of_floating(depth - 1),
            14 if ty == Ty::Int => self.own_cell(&a),
            15 => self.with_constant(&a),
            17 => self.sign_bits(&a),
            16 => {
                let divisor = *self.random.pick(&[&"i3", &"(i1 & 3)", &"k0"]);
                let operator = self.random.pick(&["/", "%"]);
                format!("({divisor} != 0 ? {a} {operator} {divisor} : {b})")
            }
            _ => format!("(({a}) {} ({b}))", self.random.pick(&["<", ">=", "=="])),
        }
    }

    /// An `int` from a floating-point number, which may be none, or beyond the type that it becomes first.
    fn of_floating(&mut self, depth: usize) -> String {
        let value = match self.random.chance(50) {
            true => self.floating(Ty::Float, depth),
            false => self.floating(Ty::Double, depth),
        };
        let scale = self.random.pick(&["", "", " * 3e9f", " * -1e20f", " * NAN", " / 0.0f"]);
        let to = match self.random.below(9) {
            0 => "signed char",
            1 => "unsigned char",
            2 => "short",
            3 => "unsigned short",
            4 => "unsigned",
            5 => "long long",
            6 => "unsigned long long",
            7 => "bool",
            _ => "int",
        };
        match self.portable {
            false => format!("(int)({to})(({value}){scale})"),
            true => format!("(int)({to})(int)fminf(fmaxf(({value}){scale}, -1e9f), 1e9f)"),
        }
    }

    /// An operation for which the compiler beats the machine's general instruction.
    fn with_constant(&mut self, a: &str) -> String {
        let power = 1usize << (1 + self.random.below(6));
        match self.random.below(7) {
            0 => format!("({a} / {power})"),
            1 => format!("({a} % {power})"),
            2 => format!("({a} * {power})"),
            3 => format!("(({a}) / {power}u)"),
            4 => {
                let (one, two) = (self.random.below(24), self.random.below(24));
                format!("(({a} << {one}) << {two})")
            }
            5 => match self.random.below(31) {
                // Two words shifted as one.
                left if left % 4 == 1 => {
                    format!("(int)((unsigned)({a}) << {left} | (unsigned)~({a}) >> {})", 32 - left)
                }
                right => format!("({a} >> {right})"),
            },
            _ => format!("(({a} + {}) - {power})", self.random.below(1000)),
        }
    }

    /// Arithmetic shifts of numbers whose sign a cast, a mask or another shift has made; often only copies of the sign
    /// are read.
    fn sign_bits(&mut self, a: &str) -> String {
        let (low, high) = (1 + self.random.below(15), 16 + self.random.below(16));
        let small = *self.random.pick(&[&"signed char", &"short"]);
        let made = match self.random.below(5) {
            0 | 1 => format!("(({small})({a}))"),
            2 => format!("((int)({a}) & {:#x})", 0x8000_0000u32 | 1 << low),
            3 => format!("(int)((unsigned)({a}) ^ {:#x}u)", 1u32 << 31),
            _ => format!("((int)((unsigned)({a}) << {high}) >> {low})"),
        };
        match self.random.below(5) {
            0 => format!("({made} >> {})", self.random.pick(&["3", "7", "31"])),
            1 => format!("({made} >> 31 | 1)"),
            2 => format!("({made} >> {high} & {:#x})", u32::MAX << (32 - low)),
            3 => format!("((int)((unsigned)({made}) << {high}) >> {high})"),
            _ => format!("({made} >> {high} & -2)"),
        }
    }

    /// A value that is the same for the whole block, apart from the loops and branches that decided how
    /// often and where it was computed.
    pub(super) fn even(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(30) {
            let constant = self.random.below(50).to_string();
            let cell = format!("even[{}]", self.random.below(4));
            let row = format!("table[{}]", self.random.below(16));
            return self
                .random
                .pick(&["n", "e0", "(int)blockIdx.x", "k0", "k1", &constant, &cell, &row])
                .to_string();
        }
        let (a, b) = (self.even(depth - 1), self.even(depth - 1));
        match self.random.below(5) {
            0 => format!("({a} - {b})"),
            1 => format!("({a} * {b})"),
            2 => format!("({a} < {b} ? {b} : {a})"),
            3 => format!("({a} ^ ({b} << 2))"),
            _ => format!("({a} + {b})"),
        }
    }

    /// A cell that only this thread writes, read at some width.
    pub(super) fn own_cell(&mut self, index: &str) -> String {
        match self.random.below(8) {
            0 | 1 => format!("local[({index}) & 7]"),
            6 => format!("mine[{}]", self.random.below(16)),
            2 => format!("lb[({index}) & 15]"),
            3 => format!("mine[({index}) & 15]"),
            4 => format!("((short *)mine)[({index}) & 7]"),
            5 => format!("((int *)mine)[({index}) & 3]"),
            _ => format!("local[{}]", self.random.below(8)),
        }
    }

    fn integer_leaf(&mut self, ty: Ty) -> String {
        match self.random.below(9) {
            0 | 1 => self.random.pick(&INTS).to_string(),
            2 => self.random.pick(&UINTS).to_string(),
            3 => self.random.pick(&SMALL).to_string(),
            4 if ty == Ty::Long && self.random.chance(30) => {
                // Wraps for some threads of a block.
                format!("(long long)(threadIdx.x * {}u)", 0x0800_0001 + self.random.below(99))
            }
            4 if ty == Ty::Long => self.random.pick(&LONGS).to_string(),
            5 => format!("in[({}) & 255]", self.random.pick(&["tid", "g", "i0", "i1 + 3"])),
            6 => self
                .random
                .pick(&[
                    "(int)threadIdx.x",
                    "(int)threadIdx.y",
                    "(int)threadIdx.z",
                    "(int)blockIdx.y",
                    "(int)blockDim.x",
                    "n",
                    "k0",
                    "k1",
                    "b0",
                    "e0",
                    "even[1]",
                ])
                .to_string(),
            7 => format!("bytes[({}) & 255]", self.random.pick(&["tid", "i2", "u0"])),
            _ => {
                let magnitude = [16, 300, 70000][self.random.below(3)];
                let value = self.random.below(magnitude);
                match self.random.below(10) {
                    0..3 => format!("(-{value})"),
                    3 if ty == Ty::Long => format!("{}LL", value as u64 * 0x1_0000_0001),
                    _ => value.to_string(),
                }
            }
        }
    }

    /// A floating point number.
    pub(super) fn floating(&mut self, ty: Ty, depth: usize) -> String {
        let suffix = if ty == Ty::Float { "f" } else { "" };
        if depth == 0 || self.random.chance(20) {
            return match self.random.below(6) {
                0..=2 => self.random.pick(&FLOATS).to_string(),
                3 if ty == Ty::Double => self.random.pick(&DOUBLES).to_string(),
                4 => format!("fin[({}) & 255]", self.random.pick(&["tid", "g + 1", "i0"])),
                _ => format!("{}.{}{suffix}", self.random.below(30), self.random.below(100)),
            };
        }
        let (a, b) = (self.floating(ty, depth - 1), self.floating(ty, depth - 1));
        match self.random.below(12) {
            0..=5 => format!("({a} {} {b})", self.random.pick(&["+", "-", "*"])),
            6 => format!("({a} / ({b}))"),
            7 => format!("({} ? {a} : {b})", self.condition(0)),
            8 => format!("sqrt{suffix}(fabs{suffix}({a}))"),
            9 => format!("{}{suffix}({a}, {b})", self.random.pick(&["fmin", "fmax"])),
            10 => format!(
                "({})({})",
                if ty == Ty::Float { "float" } else { "double" },
                self.integer(Ty::Int, 1)
            ),
            _ => {
                let names = match self.portable {
                    false => ["floor", "sin", "exp2", "fabs", "-"],
                    true => ["floor", "fabs", "floor", "fabs", "-"],
                };
                format!("{}{suffix}({a})", self.random.pick(&names).replace('-', "-fabs"))
            }
        }
    }
}
