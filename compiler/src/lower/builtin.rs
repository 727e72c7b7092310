//! Lowers calls of built-in functions: most are one operation of the machine.

use super::collective::{self, FENCE_ATOMIC, FENCE_BLOCK, FENCE_DEVICE};
use super::error::{LowerError, Result};
use super::ssa::Builder;
use super::tree::Lowerer;
use crate::check::builtin::Builtin;
use crate::check::tree::{self, Expr};
use crate::ir::{Type, Value};
use crate::syntax::source::Span;
use reconverge_isa::{
    CONSTANT_BASE, CONSTANT_SIZE, GLOBAL_BASE, GLOBAL_END, LOCAL_BASE, Op, SHARED_BASE, WINDOW_SIZE,
};

/// The operation that is the built-in, with the arguments in their order.
fn operation(builtin: Builtin) -> Option<Op> {
    elementary(builtin).or_else(|| special(builtin)).or_else(|| arithmetic(builtin))
}

/// The operation of an elementary function, of rounding, or of a choice between two numbers.
fn elementary(builtin: Builtin) -> Option<Op> {
    use Builtin as B;
    Some(match builtin {
        B::SqrtF => Op::SqrtF32,
        B::SqrtD => Op::SqrtF64,
        B::RsqrtF => Op::RsqrtF32,
        B::RsqrtD => Op::RsqrtF64,
        B::CbrtF => Op::CbrtF32,
        B::CbrtD => Op::CbrtF64,
        B::ExpF => Op::ExpF32,
        B::ExpApproxF => Op::ExpApproxF32,
        B::ExpD => Op::ExpF64,
        B::Exp2F => Op::Exp2F32,
        B::Exp2D => Op::Exp2F64,
        B::Exp10F => Op::Exp10F32,
        B::Exp10ApproxF => Op::Exp10ApproxF32,
        B::Exp10D => Op::Exp10F64,
        B::Expm1F => Op::Expm1F32,
        B::Expm1D => Op::Expm1F64,
        B::LogF => Op::LogF32,
        B::LogApproxF => Op::LogApproxF32,
        B::LogD => Op::LogF64,
        B::Log2F => Op::Log2F32,
        B::Log2ApproxF => Op::Log2ApproxF32,
        B::Log2D => Op::Log2F64,
        B::Log10F => Op::Log10F32,
        B::Log10ApproxF => Op::Log10ApproxF32,
        B::Log10D => Op::Log10F64,
        B::Log1pF => Op::Log1pF32,
        B::Log1pD => Op::Log1pF64,
        B::SinF => Op::SinF32,
        B::SinApproxF => Op::SinApproxF32,
        B::SinD => Op::SinF64,
        B::CosF => Op::CosF32,
        B::CosApproxF => Op::CosApproxF32,
        B::CosD => Op::CosF64,
        B::TanF => Op::TanF32,
        B::TanApproxF => Op::TanApproxF32,
        B::TanD => Op::TanF64,
        B::AsinF => Op::AsinF32,
        B::AsinD => Op::AsinF64,
        B::AcosF => Op::AcosF32,
        B::AcosD => Op::AcosF64,
        B::AtanF => Op::AtanF32,
        B::AtanD => Op::AtanF64,
        B::Atan2F => Op::Atan2F32,
        B::Atan2D => Op::Atan2F64,
        B::SinhF => Op::SinhF32,
        B::SinhD => Op::SinhF64,
        B::CoshF => Op::CoshF32,
        B::CoshD => Op::CoshF64,
        B::TanhF => Op::TanhF32,
        B::TanhD => Op::TanhF64,
        B::PowF => Op::PowF32,
        B::PowApproxF => Op::PowApproxF32,
        B::PowD => Op::PowF64,
        B::ErfF => Op::ErfF32,
        B::ErfD => Op::ErfF64,
        B::HypotF => Op::HypotF32,
        B::HypotD => Op::HypotF64,
        B::FmodF => Op::FmodF32,
        B::FmodD => Op::FmodF64,
        B::FabsF => Op::AbsF32,
        B::FabsD => Op::AbsF64,
        B::FloorF => Op::FloorF32,
        B::FloorD => Op::FloorF64,
        B::CeilF => Op::CeilF32,
        B::CeilD => Op::CeilF64,
        B::TruncF => Op::TruncF32,
        B::TruncD => Op::TruncF64,
        B::RoundF => Op::RoundF32,
        B::RoundD => Op::RoundF64,
        B::RintF => Op::RintF32,
        B::RintD => Op::RintF64,
        B::FminF => Op::MinF32,
        B::FminD => Op::MinF64,
        B::FmaxF => Op::MaxF32,
        B::FmaxD => Op::MaxF64,
        B::FmaF => Op::FmaF32,
        B::FmaD => Op::FmaF64,
        B::CopysignF => Op::CopysignF32,
        B::CopysignD => Op::CopysignF64,
        _ => return None,
    })
}

/// The operation of a special function, or of one that splits or scales floating-point numbers.
fn special(builtin: Builtin) -> Option<Op> {
    use Builtin as B;
    Some(match builtin {
        B::ErfcF => Op::ErfcF32,
        B::ErfcD => Op::ErfcF64,
        B::LgammaF => Op::LgammaF32,
        B::LgammaD => Op::LgammaF64,
        B::TgammaF => Op::TgammaF32,
        B::TgammaD => Op::TgammaF64,
        B::AcoshF => Op::AcoshF32,
        B::AcoshD => Op::AcoshF64,
        B::AsinhF => Op::AsinhF32,
        B::AsinhD => Op::AsinhF64,
        B::AtanhF => Op::AtanhF32,
        B::AtanhD => Op::AtanhF64,
        B::J0F => Op::J0F32,
        B::J0D => Op::J0F64,
        B::J1F => Op::J1F32,
        B::J1D => Op::J1F64,
        B::Y0F => Op::Y0F32,
        B::Y0D => Op::Y0F64,
        B::Y1F => Op::Y1F32,
        B::Y1D => Op::Y1F64,
        B::RemainderF => Op::RemainderF32,
        B::RemainderD => Op::RemainderF64,
        B::NextafterF => Op::NextafterF32,
        B::NextafterD => Op::NextafterF64,
        B::SinpiF => Op::SinpiF32,
        B::SinpiD => Op::SinpiF64,
        B::CospiF => Op::CospiF32,
        B::CospiD => Op::CospiF64,
        B::ErfcxF => Op::ErfcxF32,
        B::ErfcxD => Op::ErfcxF64,
        B::ErfinvF => Op::ErfinvF32,
        B::ErfinvD => Op::ErfinvF64,
        B::ErfcinvF => Op::ErfcinvF32,
        B::ErfcinvD => Op::ErfcinvF64,
        B::NormcdfF => Op::NormcdfF32,
        B::NormcdfD => Op::NormcdfF64,
        B::NormcdfinvF => Op::NormcdfinvF32,
        B::NormcdfinvD => Op::NormcdfinvF64,
        B::BesselI0F => Op::I0F32,
        B::BesselI0D => Op::I0F64,
        B::BesselI1F => Op::I1F32,
        B::BesselI1D => Op::I1F64,
        B::JnF => Op::JnF32,
        B::YnF => Op::YnF32,
        B::ScalbnF => Op::ScalbnF32,
        B::IlogbF => Op::IlogbF32,
        B::RemquoQuotientF => Op::RemquoF32,
        B::JnD => Op::JnF64,
        B::YnD => Op::YnF64,
        B::ScalbnD => Op::ScalbnF64,
        B::IlogbD => Op::IlogbF64,
        B::RemquoQuotientD => Op::RemquoF64,
        _ => return None,
    })
}

/// The operation of integer arithmetic, of arithmetic rounded to nearest, or of a conversion.
fn arithmetic(builtin: Builtin) -> Option<Op> {
    use Builtin as B;
    Some(match builtin {
        B::BrevL => Op::Brev64,
        B::BytePerm => Op::Permute,
        B::Fns => Op::FindNth,
        B::Dp4aI => Op::Dot4S,
        B::Dp4aU => Op::Dot4U,
        B::AddRnD => Op::AddF64,
        B::SubRnD => Op::SubF64,
        B::MulRnD => Op::MulF64,
        B::DivRnD => Op::DivF64,
        B::DoubleHigh => Op::High,
        B::DoubleLow => Op::Low,
        B::AddRnF => Op::AddF32,
        B::SubRnF => Op::SubF32,
        B::MulRnF => Op::MulF32,
        B::DivRnF => Op::DivF32,
        B::AbsI => Op::Abs,
        B::AbsL => Op::Abs64,
        B::MinI => Op::MinS32,
        B::MinU => Op::MinU32,
        B::MinL => Op::MinS64,
        B::MinUL => Op::MinU64,
        B::MaxI => Op::MaxS32,
        B::MaxU => Op::MaxU32,
        B::MaxL => Op::MaxS64,
        B::MaxUL => Op::MaxU64,
        B::Mul24 => Op::Mul24S,
        B::UMul24 => Op::Mul24U,
        B::MulHi => Op::MulHighS32,
        B::UMulHi => Op::MulHighU32,
        B::Mul64Hi => Op::MulHighS64,
        B::UMul64Hi => Op::MulHighU64,
        B::Popc => Op::Popc,
        B::PopcL => Op::Popc64,
        B::Clz => Op::Clz,
        B::ClzL => Op::Clz64,
        B::Ffs | B::FindFirst => Op::Ffs,
        B::FfsL | B::FindFirstL => Op::Ffs64,
        B::Brev => Op::Brev,
        B::FloatToIntRz | B::SaturatedInt => Op::CvtS32F32,
        B::SaturatedUInt => Op::CvtU32F32,
        B::FloatToHalf => Op::CvtF16F32,
        B::HalfToFloat => Op::CvtF32F16,
        B::IntToFloatRn => Op::CvtF32S32,
        B::UIntToFloatRn => Op::CvtF32U32,
        _ => return None,
    })
}

/// The operation of an atomic built-in.
fn atomic(builtin: Builtin) -> Option<Op> {
    use Builtin as B;
    Some(match builtin {
        B::AtomicAddI | B::AtomicAddU | B::AtomicSubI | B::AtomicSubU => Op::AtomAdd,
        B::AtomicAddUL => Op::AtomAdd64,
        B::AtomicAddF => Op::AtomAddF32,
        B::AtomicAddD => Op::AtomAddF64,
        B::AtomicExchI | B::AtomicExchU | B::AtomicExchF => Op::AtomExch,
        B::AtomicExchUL => Op::AtomExch64,
        B::AtomicMinI => Op::AtomMinS32,
        B::AtomicMinU => Op::AtomMinU32,
        B::AtomicMinL => Op::AtomMinS64,
        B::AtomicMinUL => Op::AtomMinU64,
        B::AtomicMaxI => Op::AtomMaxS32,
        B::AtomicMaxU => Op::AtomMaxU32,
        B::AtomicMaxL => Op::AtomMaxS64,
        B::AtomicMaxUL => Op::AtomMaxU64,
        B::AtomicInc => Op::AtomInc,
        B::AtomicDec => Op::AtomDec,
        B::AtomicCasI | B::AtomicCasU => Op::AtomCas,
        B::AtomicCasUL => Op::AtomCas64,
        B::AtomicCasUS => Op::AtomCas16,
        B::AtomicAndI | B::AtomicAndU => Op::AtomAnd,
        B::AtomicAndL | B::AtomicAndUL => Op::AtomAnd64,
        B::AtomicOrI | B::AtomicOrU => Op::AtomOr,
        B::AtomicOrL | B::AtomicOrUL => Op::AtomOr64,
        B::AtomicXorI | B::AtomicXorU => Op::AtomXor,
        B::AtomicXorL | B::AtomicXorUL => Op::AtomXor64,
        _ => return None,
    })
}

impl Lowerer<'_> {
    /// Lowers a call; the result is absent for `void`.
    pub fn builtin(
        &mut self,
        builtin: Builtin,
        arguments: &[Expr],
        span: Span,
    ) -> Result<Option<Value>> {
        let mut values =
            arguments.iter().map(|argument| self.scalar(argument)).collect::<Result<Vec<_>>>()?;
        if builtin == Builtin::Printf {
            return self.print(arguments, &values);
        }
        // An atomic for the block only has one more argument.
        let parameters = builtin.row().parameters.len();
        let narrow = atomic(builtin).is_some() && values.len() > parameters;
        if narrow {
            values.pop();
        }
        if values.len() != parameters {
            return Err(LowerError::unsupported(span, "a built-in with other arguments"));
        }
        if let Some(value) = self.one_value(builtin, &values) {
            return Ok(Some(value));
        }
        if let Some(result) = self.several(builtin, arguments, &values) {
            return Ok(result);
        }
        if let Some(op) = collective::operation(builtin) {
            return Ok(self.collective(builtin, op, values));
        }
        if let Some(op) = atomic(builtin) {
            if let (Some(&address), Some(tree::Type::Pointer(to))) =
                (values.first(), arguments.first().map(|argument| &argument.ty))
            {
                self.bound(address, to.size(&self.module.structs));
            }
            if narrow {
                self.fence(FENCE_ATOMIC);
            }
            return Ok(Some(self.atomic(builtin, op, values)));
        }
        match builtin {
            // Memory is sequentially consistent within the machine.
            Builtin::ThreadFence => {
                self.fence(FENCE_DEVICE);
                Ok(None)
            }
            Builtin::ThreadFenceBlock => {
                self.fence(FENCE_BLOCK);
                Ok(None)
            }
            Builtin::Nanosleep | Builtin::ProfTrigger => Ok(None),
            Builtin::Clock | Builtin::Clock64 => Ok(Some(self.builder.collective(Op::Clock, &[]))),
            Builtin::Trap | Builtin::Breakpoint => {
                let reason = self.builder.word(u32::from(builtin == Builtin::Breakpoint));
                self.trap(reason);
                Ok(None)
            }
            Builtin::AssertFail => {
                self.trap(values[0]);
                Ok(None)
            }
            _ => {
                let message = format!("`{}` in device code", builtin.row().names[0]);
                Err(LowerError::unsupported(span, message))
            }
        }
    }

    /// A built-in that is a function of its operands alone.
    pub(super) fn one_value(&mut self, builtin: Builtin, values: &[Value]) -> Option<Value> {
        Pure { builder: &mut self.builder }.one_value(builtin, values)
    }

    fn atomic(&mut self, builtin: Builtin, op: Op, mut values: Vec<Value>) -> Value {
        match builtin {
            Builtin::AtomicSubI | Builtin::AtomicSubU => {
                let zero = self.builder.zero(Type::B32);
                values[1] = self.builder.compute(Op::Sub, &[zero, values[1]]);
            }
            // CUDA passes (address, compare, value), the machine takes (address, value, compare).
            Builtin::AtomicCasI
            | Builtin::AtomicCasU
            | Builtin::AtomicCasUS
            | Builtin::AtomicCasUL => values.swap(1, 2),
            _ => {}
        }
        self.builder.atomic(op, &values)
    }
}

/// Built-ins that are functions of their operands alone, for CUDA and for PTX.
pub struct Pure<'b, 'f> {
    /// The function that takes the operations.
    pub builder: &'b mut Builder<'f>,
}

impl Pure<'_, '_> {
    /// The value of a built-in; `None` if it is not one of these.
    pub fn one_value(&mut self, builtin: Builtin, values: &[Value]) -> Option<Value> {
        if let Some(op) = operation(builtin) {
            return Some(self.builder.compute(op, values));
        }
        if is_bit_cast(builtin) {
            return values.first().copied();
        }
        self.composed(builtin, values)
            .or_else(|| self.composed_math(builtin, values))
            .or_else(|| self.composed_integer(builtin, values))
            .or_else(|| self.directed(builtin, values))
            .or_else(|| self.simd(builtin, values))
    }

    /// Built-ins made of several operations, on the first argument.
    fn composed(&mut self, builtin: Builtin, values: &[Value]) -> Option<Value> {
        use Builtin as B;
        let &x = values.first()?;
        let float = |number: f32| number.to_bits();
        Some(match builtin {
            B::IsnanF => self.builder.compute(Op::SetNotEqualF32, &[x, x]),
            B::IsnanD => self.builder.compute(Op::SetNotEqualF64, &[x, x]),
            B::IsinfF => self.compare_magnitude(x, Op::SetEqualF32),
            B::IsinfD => self.compare_magnitude(x, Op::SetEqualF64),
            B::IsfiniteF => self.compare_magnitude(x, Op::SetLessF32),
            B::IsfiniteD => self.compare_magnitude(x, Op::SetLessF64),
            B::IsGlobal => self.is_within(x, GLOBAL_BASE, GLOBAL_END - GLOBAL_BASE),
            B::IsShared => self.is_within(x, SHARED_BASE, WINDOW_SIZE),
            B::IsLocal => self.is_within(x, LOCAL_BASE, WINDOW_SIZE),
            B::GenericToSpace => self.builder.compute(Op::Zext32, &[x]),
            B::IsConstant => self.is_within(x, CONSTANT_BASE, CONSTANT_SIZE),
            B::RcpRnF => {
                let one = self.builder.word(float(1.0));
                self.builder.compute(Op::DivF32, &[one, x])
            }
            B::SaturateF => {
                // The maximum with 0 is first: it turns a NaN into 0.
                let (zero, one) = (self.builder.word(float(0.0)), self.builder.word(float(1.0)));
                let positive = self.builder.compute(Op::MaxF32, &[x, zero]);
                self.builder.compute(Op::MinF32, &[positive, one])
            }
            _ => return None,
        })
    }

    /// Tests if an address is among `size` from a base on, as 0 or 1.
    fn is_within(&mut self, address: Value, base: u32, size: u32) -> Value {
        let (base, size) = (self.builder.word(base), self.builder.word(size));
        let offset = self.builder.compute(Op::Sub, &[address, base]);
        let within = self.builder.compute(Op::SetLessU32, &[offset, size]);
        self.builder.truth_as_word(within)
    }

    /// Compares the absolute value with infinity; false for a NaN.
    fn compare_magnitude(&mut self, x: Value, op: Op) -> Value {
        let (abs, infinity) = match self.builder.function().ty(x) {
            Type::B64 => (Op::AbsF64, self.builder.constant(Type::B64, f64::INFINITY.to_bits())),
            _ => (Op::AbsF32, self.builder.word(f32::INFINITY.to_bits())),
        };
        let magnitude = self.builder.compute(abs, &[x]);
        self.builder.compute(op, &[magnitude, infinity])
    }
}

/// Built-ins that give the same bits another type.
fn is_bit_cast(builtin: Builtin) -> bool {
    use Builtin as B;
    matches!(
        builtin,
        B::FloatAsInt
            | B::FloatAsUInt
            | B::IntAsFloat
            | B::UIntAsFloat
            | B::DoubleAsLong
            | B::LongAsDouble
    )
}
