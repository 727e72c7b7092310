//! Lowers built-ins that round in a direction: conversions between numbers, and arithmetic.

use super::builtin::Pure;
use super::convert::Number as N;
use super::rounding::Mode;
use crate::check::builtin::Builtin;
use crate::ir::Value;
use reconverge_isa::Op;

/// The source and target types of a conversion, and its rounding.
fn conversion(builtin: Builtin) -> Option<(N, N, Mode)> {
    use Builtin as B;
    use Mode as M;
    Some(match builtin {
        B::FloatToIntRn => (N::F32, N::I32, M::Nearest),
        B::FloatToIntRd => (N::F32, N::I32, M::Down),
        B::FloatToIntRu => (N::F32, N::I32, M::Up),
        B::FloatToUIntRn => (N::F32, N::U32, M::Nearest),
        B::FloatToUIntRz => (N::F32, N::U32, M::Zero),
        B::FloatToUIntRd => (N::F32, N::U32, M::Down),
        B::FloatToUIntRu => (N::F32, N::U32, M::Up),
        B::FloatToLongRn => (N::F32, N::I64, M::Nearest),
        B::FloatToLongRz => (N::F32, N::I64, M::Zero),
        B::FloatToLongRd => (N::F32, N::I64, M::Down),
        B::FloatToLongRu => (N::F32, N::I64, M::Up),
        B::FloatToULongRn => (N::F32, N::U64, M::Nearest),
        B::FloatToULongRz => (N::F32, N::U64, M::Zero),
        B::FloatToULongRd => (N::F32, N::U64, M::Down),
        B::FloatToULongRu => (N::F32, N::U64, M::Up),
        B::DoubleToIntRn => (N::F64, N::I32, M::Nearest),
        B::DoubleToIntRz => (N::F64, N::I32, M::Zero),
        B::DoubleToIntRd => (N::F64, N::I32, M::Down),
        B::DoubleToIntRu => (N::F64, N::I32, M::Up),
        B::DoubleToUIntRn => (N::F64, N::U32, M::Nearest),
        B::DoubleToUIntRz => (N::F64, N::U32, M::Zero),
        B::DoubleToUIntRd => (N::F64, N::U32, M::Down),
        B::DoubleToUIntRu => (N::F64, N::U32, M::Up),
        B::DoubleToLongRn => (N::F64, N::I64, M::Nearest),
        B::DoubleToLongRz => (N::F64, N::I64, M::Zero),
        B::DoubleToLongRd => (N::F64, N::I64, M::Down),
        B::DoubleToLongRu => (N::F64, N::I64, M::Up),
        B::DoubleToULongRn => (N::F64, N::U64, M::Nearest),
        B::DoubleToULongRz => (N::F64, N::U64, M::Zero),
        B::DoubleToULongRd => (N::F64, N::U64, M::Down),
        B::DoubleToULongRu => (N::F64, N::U64, M::Up),
        B::IntToFloatRz => (N::I32, N::F32, M::Zero),
        B::IntToFloatRd => (N::I32, N::F32, M::Down),
        B::IntToFloatRu => (N::I32, N::F32, M::Up),
        B::IntToDoubleRn => (N::I32, N::F64, M::Nearest),
        B::UIntToFloatRz => (N::U32, N::F32, M::Zero),
        B::UIntToFloatRd => (N::U32, N::F32, M::Down),
        B::UIntToFloatRu => (N::U32, N::F32, M::Up),
        B::UIntToDoubleRn => (N::U32, N::F64, M::Nearest),
        B::LongToFloatRn => (N::I64, N::F32, M::Nearest),
        B::LongToFloatRz => (N::I64, N::F32, M::Zero),
        B::LongToFloatRd => (N::I64, N::F32, M::Down),
        B::LongToFloatRu => (N::I64, N::F32, M::Up),
        B::LongToDoubleRn => (N::I64, N::F64, M::Nearest),
        B::LongToDoubleRz => (N::I64, N::F64, M::Zero),
        B::LongToDoubleRd => (N::I64, N::F64, M::Down),
        B::LongToDoubleRu => (N::I64, N::F64, M::Up),
        B::ULongToFloatRn => (N::U64, N::F32, M::Nearest),
        B::ULongToFloatRz => (N::U64, N::F32, M::Zero),
        B::ULongToFloatRd => (N::U64, N::F32, M::Down),
        B::ULongToFloatRu => (N::U64, N::F32, M::Up),
        B::ULongToDoubleRn => (N::U64, N::F64, M::Nearest),
        B::ULongToDoubleRz => (N::U64, N::F64, M::Zero),
        B::ULongToDoubleRd => (N::U64, N::F64, M::Down),
        B::ULongToDoubleRu => (N::U64, N::F64, M::Up),
        B::DoubleToFloatRn => (N::F64, N::F32, M::Nearest),
        B::DoubleToFloatRz => (N::F64, N::F32, M::Zero),
        B::DoubleToFloatRd => (N::F64, N::F32, M::Down),
        B::DoubleToFloatRu => (N::F64, N::F32, M::Up),
        _ => return None,
    })
}

/// The operation that rounds downwards, and which of its operands change sign when the result does.
fn arithmetic(builtin: Builtin) -> Option<(Op, &'static [bool], Mode)> {
    use Builtin as B;
    use Mode::{Down, Up, Zero};
    Some(match builtin {
        B::AddRzF => (Op::AddDownF32, &[true, true], Zero),
        B::AddRdF => (Op::AddDownF32, &[true, true], Down),
        B::AddRuF => (Op::AddDownF32, &[true, true], Up),
        B::SubRzF => (Op::AddDownF32, &[true, true], Zero),
        B::SubRdF => (Op::AddDownF32, &[true, true], Down),
        B::SubRuF => (Op::AddDownF32, &[true, true], Up),
        B::MulRzF => (Op::MulDownF32, &[true, false], Zero),
        B::MulRdF => (Op::MulDownF32, &[true, false], Down),
        B::MulRuF => (Op::MulDownF32, &[true, false], Up),
        B::DivRzF => (Op::DivDownF32, &[true, false], Zero),
        B::DivRdF => (Op::DivDownF32, &[true, false], Down),
        B::DivRuF => (Op::DivDownF32, &[true, false], Up),
        B::RcpRzF => (Op::DivDownF32, &[true, false], Zero),
        B::RcpRdF => (Op::DivDownF32, &[true, false], Down),
        B::RcpRuF => (Op::DivDownF32, &[true, false], Up),
        B::SqrtRzF => (Op::SqrtDownF32, &[true], Zero),
        B::SqrtRdF => (Op::SqrtDownF32, &[true], Down),
        B::SqrtRuF => (Op::SqrtDownF32, &[true], Up),
        B::FmaRzF => (Op::FmaDownF32, &[true, false, true], Zero),
        B::FmaRdF => (Op::FmaDownF32, &[true, false, true], Down),
        B::FmaRuF => (Op::FmaDownF32, &[true, false, true], Up),
        B::AddRzD => (Op::AddDownF64, &[true, true], Zero),
        B::AddRdD => (Op::AddDownF64, &[true, true], Down),
        B::AddRuD => (Op::AddDownF64, &[true, true], Up),
        B::SubRzD => (Op::AddDownF64, &[true, true], Zero),
        B::SubRdD => (Op::AddDownF64, &[true, true], Down),
        B::SubRuD => (Op::AddDownF64, &[true, true], Up),
        B::MulRzD => (Op::MulDownF64, &[true, false], Zero),
        B::MulRdD => (Op::MulDownF64, &[true, false], Down),
        B::MulRuD => (Op::MulDownF64, &[true, false], Up),
        B::DivRzD => (Op::DivDownF64, &[true, false], Zero),
        B::DivRdD => (Op::DivDownF64, &[true, false], Down),
        B::DivRuD => (Op::DivDownF64, &[true, false], Up),
        B::RcpRzD => (Op::DivDownF64, &[true, false], Zero),
        B::RcpRdD => (Op::DivDownF64, &[true, false], Down),
        B::RcpRuD => (Op::DivDownF64, &[true, false], Up),
        B::SqrtRzD => (Op::SqrtDownF64, &[true], Zero),
        B::SqrtRdD => (Op::SqrtDownF64, &[true], Down),
        B::SqrtRuD => (Op::SqrtDownF64, &[true], Up),
        B::FmaRzD => (Op::FmaDownF64, &[true, false, true], Zero),
        B::FmaRdD => (Op::FmaDownF64, &[true, false, true], Down),
        B::FmaRuD => (Op::FmaDownF64, &[true, false, true], Up),
        _ => return None,
    })
}

impl Pure<'_, '_> {
    /// A conversion or an operation with a direction.
    pub(super) fn directed(&mut self, builtin: Builtin, values: &[Value]) -> Option<Value> {
        if let Some((from, to, mode)) = conversion(builtin) {
            let &[value] = values else {
                return None;
            };
            return Some(self.builder.convert_directed(value, from, to, mode));
        }
        let (op, flipped, mode) = arithmetic(builtin)?;
        let mut operands = values.to_vec();
        match builtin {
            Builtin::RcpRzF
            | Builtin::RcpRdF
            | Builtin::RcpRuF
            | Builtin::RcpRzD
            | Builtin::RcpRdD
            | Builtin::RcpRuD => {
                let one = self.builder.float_like(values[0], 1.0);
                operands.insert(0, one);
            }
            Builtin::SubRzF
            | Builtin::SubRdF
            | Builtin::SubRuF
            | Builtin::SubRzD
            | Builtin::SubRdD
            | Builtin::SubRuD => operands[1] = self.builder.opposite(operands[1]),
            _ => {}
        }
        Some(self.builder.towards(mode, op, &operands, flipped))
    }
}
