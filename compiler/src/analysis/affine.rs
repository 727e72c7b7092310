//! The variation of a value between threads: uniform, or an affine function of the thread's and the
//! block's indices with coefficients that are constants or uniform symbols (book §3.5; Wang and
//! Lin, "Decoupled Affine Computation", 2017).
//!
//! A [`Form`] states that one base and one coefficient per index hold for all threads of the form's
//! scope, and that each thread's value is their sum, modulo 2 to the value's width. The quotient
//! and remainder of `threadIdx.x` by a constant, the form's period, may replace `threadIdx.x`. So
//! `tid / 10`, `tid % 10` and their multiples are exact and add up to `tid` again.
//! [`quotient`](super::quotient) computes quotients and remainders of a form.

use crate::ir::{Type, Value};
use reconverge_isa::Special;

/// The threads among which something is the same, as long as they execute the same dynamic
/// instance of an instruction: the same rounds of all loops around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Any two threads may differ.
    None,
    /// The threads of a warp agree: enough for a shuffle.
    Warp,
    /// The threads of a block agree: enough for a barrier.
    Block,
    /// All threads agree.
    Grid,
}

impl Scope {
    /// The spelling in reports.
    pub fn name(self) -> &'static str {
        ["none", "warp", "block", "grid"][self as usize]
    }
}

/// The width of the warps that answers under a condition are given for. They hold for every width
/// that divides it.
pub const WARP: u32 = 32;

/// An assumption about a launch. Each condition implies those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Condition {
    /// Nothing.
    #[default]
    Always,
    /// ‡: the block is one-dimensional or `blockDim.x` is a multiple of the warp, so that a warp
    /// is a run of `threadIdx.x` that starts at a multiple of its width, in one row.
    Rows,
    /// ‡‡: `blockDim.x` is a multiple of the warp, and no axis has more than 2^30 threads, so that
    /// a global index is aligned as `threadIdx.x` is and does not wrap.
    Regular,
}

impl Condition {
    /// All of them, the weakest first.
    pub const ALL: [Condition; 3] = [Condition::Always, Condition::Rows, Condition::Regular];

    /// The word in the data form of reports.
    pub fn name(self) -> &'static str {
        ["always", "rows", "regular"][self as usize]
    }

    /// Its demand, in words.
    pub fn sentence(self) -> &'static str {
        match self {
            Condition::Always => "for every launch",
            Condition::Rows => "if the block has one row or blockDim.x is a multiple of the warp",
            Condition::Regular => "if blockDim.x is a multiple of the warp and nothing wraps",
        }
    }

    /// The mark after an answer.
    pub fn mark(self) -> &'static str {
        ["", "‡", "‡‡"][self as usize]
    }

    /// Returns true if a launch on a machine with warps of `width` threads fulfils the condition.
    pub fn holds(self, grid: [u32; 3], block: [u32; 3], width: u32) -> bool {
        let warps = width != 0 && WARP.is_multiple_of(width);
        let multiple = block[0].is_multiple_of(WARP);
        let small = (0..3).all(|axis| u64::from(grid[axis]) * u64::from(block[axis]) <= 1 << 30);
        match self {
            Condition::Always => true,
            Condition::Rows => warps && (multiple || (block[1] == 1 && block[2] == 1)),
            Condition::Regular => warps && multiple && small,
        }
    }
}

/// The most threads of a block that the machine has.
const MOST_THREADS: u32 = 32768;

/// The common properties of all launches of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launches {
    /// The condition that all of them fulfil.
    pub condition: Condition,
    /// The extents of their blocks along x, y and z, in threads, where all have the same.
    pub block: [Option<u32>; 3],
    /// The threads of a block are at most this many.
    pub threads: u32,
    /// Warps are of 32 threads, or of a number that divides 32: so are they under any condition.
    pub narrow: bool,
}

impl Default for Launches {
    fn default() -> Self {
        Condition::Always.into()
    }
}

impl From<Condition> for Launches {
    fn from(condition: Condition) -> Self {
        let narrow = condition != Condition::Always;
        Launches { condition, block: [None; 3], threads: MOST_THREADS, narrow }
    }
}

impl Launches {
    /// The launches whose blocks have these extents, as far as they are known.
    pub fn of_block(block: [Option<u32>; 3]) -> Launches {
        let whole = block[0].is_some_and(|x| x.is_multiple_of(WARP));
        let one_row = block[1] == Some(1) && block[2] == Some(1);
        let condition = if whole || one_row { Condition::Rows } else { Condition::Always };
        let threads = block.iter().try_fold(1u32, |product, &of| product.checked_mul(of?));
        let threads = threads.map_or(MOST_THREADS, |threads| threads.clamp(1, MOST_THREADS));
        Launches { block, threads, ..condition.into() }
    }

    /// These and others.
    pub fn or(&self, other: &Launches) -> Launches {
        let same = |axis: usize| self.block[axis].filter(|_| self.block[axis] == other.block[axis]);
        let condition = self.condition.min(other.condition);
        let threads = self.threads.max(other.threads);
        let narrow = self.narrow && other.narrow;
        Launches { condition, threads, block: [0, 1, 2].map(same), narrow }
    }

    /// These, of which more is known.
    pub fn and(&self, known: &Launches) -> Launches {
        let block = [0, 1, 2].map(|axis| known.block[axis].or(self.block[axis]));
        let more = Launches::of_block(block);
        let condition = self.condition.max(known.condition).max(more.condition);
        let threads = self.threads.min(known.threads).min(more.threads);
        let narrow = self.narrow || known.narrow || more.narrow;
        Launches { condition, threads, block, narrow }
    }

    /// The most threads along an axis.
    fn extent(&self, axis: usize) -> i128 {
        self.block[axis].unwrap_or(self.threads).min(self.threads).into()
    }

    /// The launches with blocks of at most `threads` threads; 0 for any number.
    pub fn at_most(self, threads: u32) -> Launches {
        let threads = if threads == 0 { MOST_THREADS } else { threads };
        Launches { threads: self.threads.min(threads), ..self }
    }
}

/// A uniform value in a coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// `blockDim` and its kin.
    Special(Special),
    /// `blockDim.x * blockDim.y`.
    Layer,
    /// The parameter word at an offset.
    Parameter(u32),
    /// The result of an instruction.
    Value(Value),
}

impl Symbol {
    /// Returns true if the product of two symbols is that of the block's first two extents.
    pub fn is_layer(one: Symbol, other: Symbol) -> bool {
        let (x, y) = (Symbol::Special(Special::NtidX), Symbol::Special(Special::NtidY));
        (one, other) == (x, y) || (one, other) == (y, x)
    }
}

/// The factor of an index; the same in all threads of the form's scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coefficient {
    /// A constant, sign-extended from the form's modulus.
    Constant(i64),
    /// A constant multiple of a symbol.
    Scaled(Symbol, i64),
    /// Some multiple of 2 to this.
    Opaque(u8),
}

impl Coefficient {
    /// The coefficient of an index that a value does not depend on.
    pub const ZERO: Coefficient = Coefficient::Constant(0);

    /// Returns true if the index certainly does not matter.
    pub fn is_zero(self) -> bool {
        self == Coefficient::ZERO
    }

    /// The constant.
    pub fn constant(self) -> Option<i64> {
        match self {
            Coefficient::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The number of trailing zero bits that are certain.
    pub fn align(self) -> u8 {
        match self {
            Coefficient::Constant(value) | Coefficient::Scaled(_, value) => zeros(value),
            Coefficient::Opaque(align) => align,
        }
    }

    fn plus(self, other: Coefficient) -> Coefficient {
        use Coefficient::{Constant, Opaque, Scaled};
        match (self, other) {
            (Constant(a), Constant(b)) => Constant(a.wrapping_add(b)),
            (Constant(0), other) | (other, Constant(0)) => other,
            (Scaled(s, a), Scaled(t, b)) if s == t => match a.wrapping_add(b) {
                0 => Constant(0),
                sum => Scaled(s, sum),
            },
            _ => Opaque(self.align().min(other.align())),
        }
    }

    fn times(self, factor: i64) -> Coefficient {
        match self {
            Coefficient::Constant(value) => Coefficient::Constant(value.wrapping_mul(factor)),
            _ if factor == 0 => Coefficient::ZERO,
            Coefficient::Scaled(symbol, value) => match value.wrapping_mul(factor) {
                0 => Coefficient::ZERO,
                scale => Coefficient::Scaled(symbol, scale),
            },
            Coefficient::Opaque(align) => {
                Coefficient::Opaque(align.saturating_add(zeros(factor)).min(63))
            }
        }
    }

    /// Divided by a constant, if that leaves no remainder for any value of the symbol.
    pub(super) fn over(self, by: i64) -> Option<Coefficient> {
        let divided = |value: i64| (value % by == 0).then_some(value / by);
        match self {
            Coefficient::Constant(value) => divided(value).map(Coefficient::Constant),
            Coefficient::Scaled(symbol, value) => {
                divided(value).map(|value| Coefficient::Scaled(symbol, value))
            }
            Coefficient::Opaque(_) => None,
        }
    }

    /// Multiplied with something uniform that ends with `align` zero bits.
    fn times_symbol(self, symbol: Option<Symbol>, align: u8) -> Coefficient {
        match (self, symbol) {
            (Coefficient::Constant(0), _) => self,
            (Coefficient::Constant(value), Some(symbol)) => Coefficient::Scaled(symbol, value),
            (Coefficient::Scaled(one, value), Some(other)) if Symbol::is_layer(one, other) => {
                Coefficient::Scaled(Symbol::Layer, value)
            }
            _ => Coefficient::Opaque(self.align().saturating_add(align).min(63)),
        }
    }

    /// The common knowledge if it is one or the other.
    fn meet(self, other: Coefficient) -> Coefficient {
        if self == other {
            return self;
        }
        Coefficient::Opaque(self.align().min(other.align()).min(63))
    }

    fn reduce(self, bits: u32) -> Coefficient {
        match self {
            Coefficient::Constant(value) => Coefficient::Constant(reduce(value, bits)),
            Coefficient::Scaled(symbol, scale) => match reduce(scale, bits) {
                0 => Coefficient::ZERO,
                scale => Coefficient::Scaled(symbol, scale),
            },
            opaque => opaque,
        }
    }
}

/// The zero bits a number ends with.
fn zeros(value: i64) -> u8 {
    value.trailing_zeros() as u8
}

/// The representative of a number modulo 2^bits that a signed integer of the width has.
pub(super) fn reduce(value: i64, bits: u32) -> i64 {
    match bits {
        1 => value & 1,
        2..64 => value << (64 - bits) >> (64 - bits),
        _ => value,
    }
}

/// The part of a form that does not depend on indices: congruent to a constant modulo a power
/// of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Base {
    /// The constant.
    pub constant: i64,
    /// The base differs from the constant by a multiple of 2 to this; 64: it is the constant.
    pub align: u8,
}

impl Base {
    /// A base of which nothing is known.
    pub const UNKNOWN: Base = Base { constant: 0, align: 0 };

    /// A known base.
    pub fn exact(constant: i64) -> Base {
        Base { constant, align: 64 }
    }

    /// The constant, when the base is just that.
    pub fn constant(self) -> Option<i64> {
        (self.align >= 64).then_some(self.constant)
    }

    /// The number of trailing zero bits that are certain.
    pub fn zeros(self) -> u8 {
        self.align.min(zeros(self.constant))
    }

    fn plus(self, other: Base) -> Base {
        let constant = self.constant.wrapping_add(other.constant);
        Base { constant, align: self.align.min(other.align) }
    }

    fn times(self, other: Base) -> Base {
        let constant = self.constant.wrapping_mul(other.constant);
        let zero = self.constant() == Some(0) || other.constant() == Some(0);
        if zero || (self.align >= 64 && other.align >= 64) {
            return Base::exact(constant);
        }
        // (a + x·2^m)(b + y·2^n) = ab + a·y·2^n + b·x·2^m + …
        let left = if self.align >= 64 { 64 } else { self.align.saturating_add(other.zeros()) };
        let right = if other.align >= 64 { 64 } else { other.align.saturating_add(self.zeros()) };
        Base { constant, align: left.min(right).min(63) }
    }

    fn meet(self, other: Base) -> Base {
        let difference = zeros(self.constant.wrapping_sub(other.constant));
        Base { constant: self.constant, align: self.align.min(other.align).min(difference) }
    }

    fn reduce(self, bits: u32) -> Base {
        Base { constant: reduce(self.constant, bits), ..self }
    }

    fn blur(self, align: u8) -> Base {
        Base { constant: self.constant, align: self.align.min(align) }
    }
}

/// The indices: `threadIdx.x`, `.y`, `.z`, then `blockIdx.x`, `.y`, `.z`.
pub const INDICES: [Special; 6] = [
    Special::TidX,
    Special::TidY,
    Special::TidZ,
    Special::CtaidX,
    Special::CtaidY,
    Special::CtaidZ,
];

/// A value as an affine function of the indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    /// Among which threads base and coefficients are the same; never `None`.
    pub scope: Scope,
    /// By position in [`INDICES`]; the first one is of `threadIdx.x` divided by the period.
    pub terms: [Coefficient; 6],
    /// The coefficient of the remainder of `threadIdx.x` by the period; zero where that is 1.
    pub near: Coefficient,
    /// The divisor of `threadIdx.x`: 1 wherever that is equivalent.
    pub period: u32,
    /// The rest.
    pub base: Base,
    /// Bits of the value.
    pub bits: u8,
    /// For a 64-bit value: only its low word is described.
    pub low: bool,
}

impl Form {
    /// A value that all threads of a scope have in common.
    pub fn uniform(scope: Scope, base: Base, ty: Type) -> Form {
        let bits = match ty {
            Type::Pred => 1,
            Type::B32 => 32,
            Type::B64 | Type::B128 => 64,
        };
        let (terms, near) = ([Coefficient::ZERO; 6], Coefficient::ZERO);
        Form { scope, terms, near, period: 1, base, bits, low: false }
    }

    /// A value known to the bit.
    pub fn constant(bits: u64, ty: Type) -> Form {
        let form = Form::uniform(Scope::Grid, Base::exact(bits as i64), ty);
        form.reduced()
    }

    /// An index itself.
    pub fn index(position: usize) -> Form {
        let mut form = Form::constant(0, Type::B32);
        form.terms[position] = Coefficient::Constant(1);
        form
    }

    /// The base and every coefficient are known constants: the same indices always give the same
    /// value.
    pub fn is_exact(&self) -> bool {
        let terms = self.terms.iter().chain([&self.near]);
        !self.low
            && self.base.align >= 64
            && terms.into_iter().all(|term| term.constant().is_some())
    }

    /// The value, when it is a known constant.
    pub fn known(&self) -> Option<i64> {
        let constant = !self.depends_on_thread() && !self.depends_on_block() && !self.low;
        self.base.constant().filter(|_| constant)
    }

    /// Returns true if thread indices occur.
    pub fn depends_on_thread(&self) -> bool {
        !self.near.is_zero() || self.terms[..3].iter().any(|term| !term.is_zero())
    }

    /// Returns true if block indices occur.
    pub fn depends_on_block(&self) -> bool {
        self.terms[3..].iter().any(|term| !term.is_zero())
    }

    /// Among which threads the value itself is the same.
    pub fn agreement(&self, condition: Condition) -> Scope {
        if self.low {
            return Scope::None;
        }
        if !self.depends_on_thread() {
            return if self.depends_on_block() { self.scope.min(Scope::Block) } else { self.scope };
        }
        // In a warp of a regular block y and z are the same, and so is the quotient of x by a
        // multiple of the warp.
        let quotient = self.terms[0].is_zero() || self.period.is_multiple_of(WARP);
        if condition >= Condition::Rows && self.near.is_zero() && quotient {
            self.scope.min(Scope::Warp)
        } else {
            Scope::None
        }
    }

    /// Returns true if, among the thread's indices, only the remainder of `threadIdx.x` by a
    /// multiple of the warp occurs: the form is affine in the lane if a warp lies in one row.
    pub fn is_lane_affine(&self) -> bool {
        !self.near.is_zero()
            && self.period.is_multiple_of(WARP)
            && self.terms[..3].iter().all(|term| term.is_zero())
    }

    /// Bits that the form describes.
    pub fn modulus(&self) -> u32 {
        if self.low { 32 } else { u32::from(self.bits) }
    }

    pub(super) fn reduced(mut self) -> Form {
        let bits = self.modulus();
        self.terms = self.terms.map(|term| term.reduce(bits));
        self.near = self.near.reduce(bits);
        self.base = self.base.reduce(bits);
        let whole = self.near.times(self.period.into()).reduce(bits);
        let known = !matches!(whole, Coefficient::Opaque(_));
        if self.period != 1 && known && whole == self.terms[0] {
            // It grows as much over the end of a period as within: a multiple of x itself.
            (self.terms[0], self.near, self.period) = (self.near, Coefficient::ZERO, 1);
        }
        if self.scope < Scope::Grid {
            // Block indices are part of the base of a smaller scope.
            for term in 3..6 {
                let align = self.terms[term].align();
                if !self.terms[term].is_zero() {
                    self.base = self.base.blur(align);
                    self.terms[term] = Coefficient::ZERO;
                }
            }
        }
        self
    }

    /// The form as seen by fewer threads.
    pub fn within(mut self, scope: Scope) -> Form {
        self.scope = self.scope.min(scope);
        self.reduced()
    }

    /// Forgets the values in coefficients.
    pub(super) fn forget_values(&mut self) {
        for term in self.terms.iter_mut().chain([&mut self.near]) {
            if let Coefficient::Scaled(Symbol::Value(_), _) = term {
                *term = Coefficient::Opaque(term.align());
            }
        }
    }

    /// Both with one period; `None` when each has its own.
    fn aligned(&self, other: &Form) -> Option<(Form, Form)> {
        let divided = |form: &Form, period: u32| {
            let mut form = *form;
            (form.near, form.period) = (form.terms[0], period);
            form.terms[0] = form.near.times(period.into());
            form
        };
        match (self.period, other.period) {
            (mine, others) if mine == others => Some((*self, *other)),
            (mine, 1) => Some((*self, divided(other, mine))),
            (1, others) => Some((divided(self, others), *other)),
            _ => None,
        }
    }

    /// The sum; `None` when it is not affine.
    pub fn plus(&self, other: &Form) -> Option<Form> {
        let (mut sum, other) = self.aligned(other)?;
        sum.scope = self.scope.min(other.scope);
        sum.low |= other.low;
        for (term, with) in sum.terms.iter_mut().zip(other.terms) {
            *term = term.plus(with);
        }
        sum.near = sum.near.plus(other.near);
        sum.base = self.base.plus(other.base);
        Some(sum.reduced())
    }

    /// The product with a constant.
    pub fn times(&self, factor: i64) -> Form {
        let mut product = *self;
        product.terms = self.terms.map(|term| term.times(factor));
        product.near = self.near.times(factor);
        product.base = self.base.times(Base::exact(factor));
        product.reduced()
    }

    /// The product with something uniform, in its own scope, of a known base.
    pub fn times_uniform(&self, symbol: Option<Symbol>, scope: Scope, base: Base) -> Form {
        let mut product = *self;
        let align = base.zeros().min(63);
        product.terms = self.terms.map(|term| term.times_symbol(symbol, align));
        product.near = self.near.times_symbol(symbol, align);
        product.base = self.base.times(base);
        product.scope = self.scope.min(scope);
        product.reduced()
    }

    /// The common form of a value that has one or the other, the same in all threads of the forms'
    /// scopes.
    pub fn meet(&self, other: &Form) -> Option<Form> {
        let (mut met, other) = self.aligned(other)?;
        met.scope = self.scope.min(other.scope);
        met.low |= other.low;
        for (term, with) in met.terms.iter_mut().zip(other.terms) {
            *term = term.meet(with);
        }
        met.near = met.near.meet(other.near);
        met.base = self.base.meet(other.base);
        Some(met.reduced())
    }

    /// The number of trailing zero bits of the value that are certain in every thread.
    pub fn align(&self, condition: Condition) -> u8 {
        let terms =
            (0..).zip(self.terms).map(|(position, term)| align_of(position, term, condition));
        terms.fold(self.base.zeros().min(self.near.align()), u8::min)
    }

    /// The form widened or narrowed to a type, as a number of the same digits.
    pub fn retyped(mut self, ty: Type, low: bool) -> Form {
        self.bits = Form::uniform(Scope::Grid, Base::UNKNOWN, ty).bits;
        self.low = low;
        self.reduced()
    }

    /// The factor of the number of the thread in its layer, `tid.x + ntid.x*tid.y`, if these
    /// indices occur only in it.
    fn row_number(&self, launches: &Launches) -> Option<i64> {
        let factor = self.terms[0].constant().filter(|&factor| factor != 0 && self.period == 1)?;
        let rows = match launches.block {
            [_, Some(1), _] => Coefficient::ZERO,
            [Some(x), ..] => Coefficient::Constant(factor).times(x.into()),
            _ => Coefficient::Scaled(Symbol::Special(Special::NtidX), factor),
        };
        let rows = rows.reduce(self.modulus());
        (self.near.is_zero() && self.terms[1] == rows).then_some(factor)
    }

    /// The factor of the number of the thread in its block, `tid.x + ntid.x*tid.y +
    /// ntid.x*ntid.y*tid.z`.
    pub(super) fn thread_number(&self, launches: &Launches) -> Option<i64> {
        let factor = self.row_number(launches)?;
        let (x, y) = (Symbol::Special(Special::NtidX), Symbol::Special(Special::NtidY));
        let one = Coefficient::Constant(factor);
        let layers = match launches.block {
            [.., Some(1)] => Coefficient::ZERO,
            [Some(x), Some(y), _] => one.times(x.into()).times(y.into()),
            [Some(known), ..] => Coefficient::Scaled(y, factor).times(known.into()),
            [_, Some(known), _] => Coefficient::Scaled(x, factor).times(known.into()),
            _ => Coefficient::Scaled(Symbol::Layer, factor),
        };
        (self.terms[2] == layers.reduce(self.modulus())).then_some(factor)
    }

    /// The value as a mathematical integer lies in this range, when no wrap can occur: all
    /// coefficients and the base are known.
    pub fn range(&self, launches: &Launches) -> Option<(i128, i128)> {
        let Launches { condition, threads, .. } = *launches;
        let base = i128::from(self.base.constant().filter(|_| !self.low)?);
        let (mut least, mut most) = (base, base);
        let mut add = |factor: i64, largest: i128| {
            let end = i128::from(factor) * largest;
            least += end.min(0);
            most += end.max(0);
        };
        let in_layer = self.row_number(launches).filter(|_| self.terms[2].is_zero());
        let thread_number = in_layer.or_else(|| self.thread_number(launches));
        if let Some(factor) = thread_number {
            add(factor, i128::from(threads) - 1);
        }
        let rest = if thread_number.is_some() { 3 } else { 0 };
        for (position, &term) in self.terms.iter().enumerate().skip(rest) {
            let largest = match position {
                0 => (launches.extent(0) - 1) / i128::from(self.period),
                1..3 => launches.extent(position) - 1,
                3 => i128::from(u32::MAX) - 1,
                _ => 65534,
            };
            match term {
                Coefficient::Constant(factor) => add(factor, largest),
                // blockIdx·blockDim, below the number of threads along the axis.
                Coefficient::Scaled(symbol, factor)
                    if condition >= Condition::Regular && extent(position) == Some(symbol) =>
                {
                    add(factor, (1 << 30) - 1);
                }
                // Whole rows or layers of a block in front of a thread.
                Coefficient::Scaled(symbol, factor) if is_in_block(position, symbol) => {
                    add(factor, i128::from(threads) - 1);
                }
                _ => return None,
            }
        }
        add(self.near.constant()?, i128::from(self.period) - 1);
        Some((least, most))
    }
}

impl std::fmt::Display for Symbol {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Symbol::Special(special) => f.write_str(special.name()),
            Symbol::Layer => f.write_str("ntid.x*ntid.y"),
            Symbol::Parameter(offset) => write!(f, "c[{offset}]"),
            Symbol::Value(value) => write!(f, "{value}"),
        }
    }
}

impl std::fmt::Display for Coefficient {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Coefficient::Constant(factor) => write!(f, "{factor}"),
            Coefficient::Scaled(symbol, 1) => write!(f, "{symbol}"),
            Coefficient::Scaled(symbol, factor) => write!(f, "{factor}*{symbol}"),
            Coefficient::Opaque(_) => f.write_str("?"),
        }
    }
}

/// `4*tid.x + ntid.x*ctaid.x + ?`, `c[8]*(tid.x/16) + tid.x%16`; a `?` is something uniform in the
/// scope.
impl std::fmt::Display for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let mut parts = Vec::new();
        let mut add = |term: Coefficient, index: &str, by: Option<(char, u32)>| {
            let divided = by.map(|(operator, by)| format!("{index}{operator}{by}"));
            match (term, divided) {
                (Coefficient::Constant(0), _) => {}
                (Coefficient::Constant(1), divided) => {
                    parts.push(divided.unwrap_or_else(|| index.to_owned()));
                }
                (term, Some(divided)) => parts.push(format!("{term}*({divided})")),
                (term, None) => parts.push(format!("{term}*{index}")),
            }
        };
        let [x, rest @ ..] = INDICES.map(Special::name);
        let quotient = (self.period != 1).then_some(('/', self.period));
        add(self.terms[0], x, quotient);
        add(self.near, x, Some(('%', self.period)));
        self.terms[1..].iter().zip(rest).for_each(|(&term, index)| add(term, index, None));
        match self.base.constant() {
            Some(0) if !parts.is_empty() => {}
            Some(constant) => parts.push(constant.to_string()),
            None => parts.push("?".to_owned()),
        }
        f.write_str(&parts.join(" + "))
    }
}

/// The extent of the block along the axis of a block index.
fn extent(position: usize) -> Option<Symbol> {
    let special = [Special::NtidX, Special::NtidY, Special::NtidZ];
    Some(Symbol::Special(*special.get(position.checked_sub(3)?)?))
}

/// Returns true if an index of a thread times an extent of the block, or the product of two, is at
/// most the number of a thread: the extents are those of other axes.
fn is_in_block(position: usize, symbol: Symbol) -> bool {
    let extents = [Special::NtidX, Special::NtidY, Special::NtidZ].map(Symbol::Special);
    match position {
        0..3 if symbol == Symbol::Layer => position == 2,
        0..3 => extents.contains(&symbol) && extents[position] != symbol,
        _ => false,
    }
}

/// The number of trailing zero bits of the product of an index and its coefficient. If `blockDim.x`
/// is no multiple of the warp, all of a warp lies in one row and its `threadIdx.y` and
/// `threadIdx.z` are 0.
pub(super) fn align_of(position: usize, term: Coefficient, condition: Condition) -> u8 {
    let warp = WARP.trailing_zeros() as u8;
    let needed = if matches!(position, 1 | 2) { Condition::Rows } else { Condition::Regular };
    match term {
        Coefficient::Scaled(Symbol::Special(Special::NtidX) | Symbol::Layer, _)
            if condition >= needed =>
        {
            term.align().saturating_add(warp)
        }
        _ => term.align(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::random::Random;

    fn divided(near: i64, far: i64, period: u32) -> Form {
        let mut form = Form::index(0);
        if period != 1 {
            (form.near, form.period) = (Coefficient::Constant(near), period);
        }
        form.terms[0] = Coefficient::Constant(far);
        form.reduced()
    }

    #[test]
    fn remainder_and_quotient_make_the_index_again() {
        for period in [2, 10, 32, 96] {
            let (remainder, quotient) = (divided(1, 0, period), divided(0, 1, period));
            let floor = quotient.times(period.into());
            assert_eq!(floor.plus(&remainder), Some(Form::index(0)));
            assert_eq!(Form::index(0).plus(&remainder.times(-1)), Some(floor));
            let scope = if period >= WARP { Scope::Warp } else { Scope::None };
            assert_eq!(quotient.agreement(Condition::Rows), scope);
            assert_eq!(quotient.agreement(Condition::Always), Scope::None);
            assert_eq!(remainder.agreement(Condition::Rows), Scope::None);
        }
        assert_eq!(divided(1, 0, 8).plus(&divided(1, 0, 4)), None);
        let few = |threads| Launches::default().at_most(threads);
        assert_eq!(divided(0, 3, 10).range(&few(64)), Some((0, 18)));
    }

    #[test]
    fn quotients_are_printed_as_they_are_written() {
        assert_eq!(divided(0, 1, 4).to_string(), "tid.x/4");
        let mut tile = divided(1, 0, 16);
        tile.terms[0] = Coefficient::Scaled(Symbol::Parameter(8), 4);
        assert_eq!(tile.to_string(), "4*c[8]*(tid.x/16) + tid.x%16");
        assert_eq!(divided(-2, 0, 10).to_string(), "-2*(tid.x%10)");
    }

    /// Sums, products and meetings against each thread's numbers.
    #[test]
    fn forms_are_what_threads_have() {
        let mut random = Random(3);
        let mut refused = 0;
        for _ in 0..4000 {
            let mut form = || {
                let mut part = || random.below(9) as i64 - 4;
                let (near, far) = (part(), part());
                let mut form = divided(near, far, [1, 1, 4, 4, 6][random.below(5)]);
                form.base = Base::exact(random.below(9) as i64);
                form
            };
            let (one, other) = (form(), form());
            let at = |form: &Form, x: i64| {
                let part = |part: Coefficient| part.constant().unwrap();
                let period = i64::from(form.period);
                form.base.constant
                    + part(form.terms[0]) * (x / period)
                    + part(form.near) * (x % period)
            };
            let Some(sum) = one.plus(&other) else {
                refused += 1;
                continue;
            };
            for x in 0..30 {
                assert_eq!(at(&sum, x), at(&one, x) + at(&other, x), "{one}, {other}");
                assert_eq!(at(&one.times(-3), x), -3 * at(&one, x), "{one}");
                let (least, most) = sum.range(&Launches::default().at_most(30)).unwrap();
                assert!((least..=most).contains(&at(&sum, x).into()), "{sum}");
            }
            assert_eq!(sum.plus(&other.times(-1)).as_ref(), Some(&one), "{one}, {other}");
            if let Some(met) = one.meet(&other)
                && met.is_exact()
            {
                assert_eq!((met, met), (one, other));
            }
        }
        assert!(refused < 1000, "{refused}");
    }

    #[test]
    fn conditions_look_at_the_launch() {
        assert!(Condition::Rows.holds([1, 1, 1], [48, 1, 1], 32));
        assert!(!Condition::Rows.holds([1, 1, 1], [48, 2, 1], 32));
        assert!(Condition::Regular.holds([9, 1, 1], [64, 4, 1], 4));
        assert!(!Condition::Rows.holds([1, 1, 1], [64, 1, 1], 64));
    }

    #[test]
    fn bases_are_congruences() {
        let (three, aligned) = (Base::exact(3), Base { constant: 1, align: 4 });
        assert_eq!(three.times(aligned), Base { constant: 3, align: 4 });
        assert_eq!(aligned.times(aligned), Base { constant: 1, align: 4 });
        assert_eq!(Base::exact(5).meet(Base::exact(21)).align, 4);
    }
}
