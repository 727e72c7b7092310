//! The functions that the language supplies: C's and CUDA's libraries as far as we know them.
//!
//! One row a function: every spelling, the parameters and the result, where it may be called. Rows
//! that share a spelling form an overload set, chosen by the arguments' types as C++ would
//! (`sqrt(float)` is the float one; integers go to the double one).
//!
//! The checker resolves and converts; the interpreter (`runtime/host/src/interpreter`) and the lowering
//! (`compiler/src/lower`) each give a row its meaning, separately: one is the other's oracle.

mod table;
mod ty;

pub use table::{Builtin, Row, TABLE};
pub use ty::{Side, Ty};

impl Builtin {
    /// The functions that a built-in with several results is composed of: the one for its own
    /// result, if it has one, and one for each of the pointers that follow the operands, which it
    /// stores through. All take the operands.
    pub fn results(self) -> Option<(Option<Builtin>, &'static [Builtin])> {
        use Builtin::*;
        Some(match self {
            SincosF => (None, &[SinF, CosF]),
            SincosApproxF => (None, &[SinApproxF, CosApproxF]),
            SincosD => (None, &[SinD, CosD]),
            SincospiF => (None, &[SinpiF, CospiF]),
            SincospiD => (None, &[SinpiD, CospiD]),
            FrexpF => (Some(FrexpMantissaF), &[FrexpExponentF]),
            FrexpD => (Some(FrexpMantissaD), &[FrexpExponentD]),
            ModfF => (Some(ModfFractionF), &[TruncF]),
            ModfD => (Some(ModfFractionD), &[TruncD]),
            RemquoF => (Some(RemainderF), &[RemquoQuotientF]),
            RemquoD => (Some(RemainderD), &[RemquoQuotientD]),
            _ => return None,
        })
    }

    /// The row of this built-in.
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}
