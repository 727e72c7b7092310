//! The built-in functions that round in a direction: conversions and arithmetic.

use super::arithmetic::{device_integer, f32_of, f64_of, slot_f32, slot_f64};
use super::kind::Kind;
use super::rounded::{DOUBLE, Direction, Operation, SINGLE, rounded};
use reconverge_compiler::check::builtin::Builtin;

/// The rounding of a floating-point number to a whole one.
#[derive(Clone, Copy)]
enum Whole {
    Rn,
    Rz,
    Rd,
    Ru,
}

fn whole(value: f64, how: Whole) -> f64 {
    match how {
        Whole::Rn => libm::rint(value),
        Whole::Rz => libm::trunc(value),
        Whole::Rd => libm::floor(value),
        Whole::Ru => libm::ceil(value),
    }
}

/// The value of such a built-in.
pub fn directed(builtin: Builtin, a: u64, b: u64, c: u64) -> Option<u64> {
    to_integer(builtin, a).or_else(|| to_float(builtin, a)).or_else(|| arithmetic(builtin, a, b, c))
}

fn to_integer(builtin: Builtin, a: u64) -> Option<u64> {
    use Builtin::*;
    use Whole::*;
    let single = |how, kind| device_integer(whole(f32_of(a).into(), how), true, kind);
    let double = |how, kind| device_integer(whole(f64_of(a), how), false, kind);
    Some(match builtin {
        FloatToUIntRn => single(Rn, Kind::U32),
        FloatToUIntRz => single(Rz, Kind::U32),
        FloatToUIntRd => single(Rd, Kind::U32),
        FloatToUIntRu => single(Ru, Kind::U32),
        FloatToLongRn => single(Rn, Kind::I64),
        FloatToLongRz => single(Rz, Kind::I64),
        FloatToLongRd => single(Rd, Kind::I64),
        FloatToLongRu => single(Ru, Kind::I64),
        FloatToULongRn => single(Rn, Kind::U64),
        FloatToULongRz => single(Rz, Kind::U64),
        FloatToULongRd => single(Rd, Kind::U64),
        FloatToULongRu => single(Ru, Kind::U64),
        DoubleToIntRn => double(Rn, Kind::I32),
        DoubleToIntRz => double(Rz, Kind::I32),
        DoubleToIntRd => double(Rd, Kind::I32),
        DoubleToIntRu => double(Ru, Kind::I32),
        DoubleToUIntRn => double(Rn, Kind::U32),
        DoubleToUIntRz => double(Rz, Kind::U32),
        DoubleToUIntRd => double(Rd, Kind::U32),
        DoubleToUIntRu => double(Ru, Kind::U32),
        DoubleToLongRn => double(Rn, Kind::I64),
        DoubleToLongRz => double(Rz, Kind::I64),
        DoubleToLongRd => double(Rd, Kind::I64),
        DoubleToLongRu => double(Ru, Kind::I64),
        DoubleToULongRn => double(Rn, Kind::U64),
        DoubleToULongRz => double(Rz, Kind::U64),
        DoubleToULongRd => double(Rd, Kind::U64),
        DoubleToULongRu => double(Ru, Kind::U64),
        _ => return None,
    })
}

/// An integer in a direction, to one of the formats: the sum of its halves.
fn from_integer(value: i128, direction: Direction, single: bool) -> u64 {
    let (high, low) = ((value >> 32) as f64 * 4_294_967_296.0, (value as u32).into());
    let format = if single { SINGLE } else { DOUBLE };
    let result = rounded(Operation::Add, direction, format, [high, low, 0.0]);
    if single { slot_f32(result as f32) } else { slot_f64(result) }
}

fn to_float(builtin: Builtin, a: u64) -> Option<u64> {
    use Builtin::*;
    use Direction::{Down, Up, Zero};
    let (signed, unsigned) = (a as i64, a);
    let down = |value: i128, direction| from_integer(value, direction, true);
    let wide = |value: i128, direction| from_integer(value, direction, false);
    let narrow = |direction| {
        let result = rounded(Operation::Same, direction, SINGLE, [f64_of(a), 0.0, 0.0]);
        slot_f32(result as f32)
    };
    Some(match builtin {
        IntToFloatRz => down(signed.into(), Zero),
        IntToFloatRd => down(signed.into(), Down),
        IntToFloatRu => down(signed.into(), Up),
        IntToDoubleRn => slot_f64(signed as f64),
        UIntToFloatRz => down(unsigned.into(), Zero),
        UIntToFloatRd => down(unsigned.into(), Down),
        UIntToFloatRu => down(unsigned.into(), Up),
        UIntToDoubleRn => slot_f64(unsigned as f64),
        LongToFloatRn => slot_f32(signed as f32),
        LongToFloatRz => down(signed.into(), Zero),
        LongToFloatRd => down(signed.into(), Down),
        LongToFloatRu => down(signed.into(), Up),
        LongToDoubleRn => slot_f64(signed as f64),
        LongToDoubleRz => wide(signed.into(), Zero),
        LongToDoubleRd => wide(signed.into(), Down),
        LongToDoubleRu => wide(signed.into(), Up),
        ULongToFloatRn => slot_f32(unsigned as f32),
        ULongToFloatRz => down(unsigned.into(), Zero),
        ULongToFloatRd => down(unsigned.into(), Down),
        ULongToFloatRu => down(unsigned.into(), Up),
        ULongToDoubleRn => slot_f64(unsigned as f64),
        ULongToDoubleRz => wide(unsigned.into(), Zero),
        ULongToDoubleRd => wide(unsigned.into(), Down),
        ULongToDoubleRu => wide(unsigned.into(), Up),
        DoubleToFloatRn => slot_f32(f64_of(a) as f32),
        DoubleToFloatRz => narrow(Zero),
        DoubleToFloatRd => narrow(Down),
        DoubleToFloatRu => narrow(Up),
        _ => return None,
    })
}

fn arithmetic(builtin: Builtin, a: u64, b: u64, c: u64) -> Option<u64> {
    use Builtin::*;
    use Direction::{Down, Up, Zero};
    use Operation::{Add, Divide, Multiply, MultiplyAdd, Root};
    let single = |operation, direction, [x, y, z]: [f32; 3]| {
        let operands = [x.into(), y.into(), z.into()];
        slot_f32(rounded(operation, direction, SINGLE, operands) as f32)
    };
    let double =
        |operation, direction, operands| slot_f64(rounded(operation, direction, DOUBLE, operands));
    let [x, y, z] = [f32_of(a), f32_of(b), f32_of(c)];
    let [u, v, w] = [f64_of(a), f64_of(b), f64_of(c)];
    Some(match builtin {
        AddRzF => single(Add, Zero, [x, y, 0.0]),
        AddRdF => single(Add, Down, [x, y, 0.0]),
        AddRuF => single(Add, Up, [x, y, 0.0]),
        SubRzF => single(Add, Zero, [x, -y, 0.0]),
        SubRdF => single(Add, Down, [x, -y, 0.0]),
        SubRuF => single(Add, Up, [x, -y, 0.0]),
        MulRzF => single(Multiply, Zero, [x, y, 0.0]),
        MulRdF => single(Multiply, Down, [x, y, 0.0]),
        MulRuF => single(Multiply, Up, [x, y, 0.0]),
        DivRzF => single(Divide, Zero, [x, y, 0.0]),
        DivRdF => single(Divide, Down, [x, y, 0.0]),
        DivRuF => single(Divide, Up, [x, y, 0.0]),
        RcpRzF => single(Divide, Zero, [1.0, x, 0.0]),
        RcpRdF => single(Divide, Down, [1.0, x, 0.0]),
        RcpRuF => single(Divide, Up, [1.0, x, 0.0]),
        SqrtRzF => single(Root, Zero, [x, x, 0.0]),
        SqrtRdF => single(Root, Down, [x, x, 0.0]),
        SqrtRuF => single(Root, Up, [x, x, 0.0]),
        FmaRzF => single(MultiplyAdd, Zero, [x, y, z]),
        FmaRdF => single(MultiplyAdd, Down, [x, y, z]),
        FmaRuF => single(MultiplyAdd, Up, [x, y, z]),
        AddRzD => double(Add, Zero, [u, v, 0.0]),
        AddRdD => double(Add, Down, [u, v, 0.0]),
        AddRuD => double(Add, Up, [u, v, 0.0]),
        SubRzD => double(Add, Zero, [u, -v, 0.0]),
        SubRdD => double(Add, Down, [u, -v, 0.0]),
        SubRuD => double(Add, Up, [u, -v, 0.0]),
        MulRzD => double(Multiply, Zero, [u, v, 0.0]),
        MulRdD => double(Multiply, Down, [u, v, 0.0]),
        MulRuD => double(Multiply, Up, [u, v, 0.0]),
        DivRzD => double(Divide, Zero, [u, v, 0.0]),
        DivRdD => double(Divide, Down, [u, v, 0.0]),
        DivRuD => double(Divide, Up, [u, v, 0.0]),
        RcpRzD => double(Divide, Zero, [1.0, u, 0.0]),
        RcpRdD => double(Divide, Down, [1.0, u, 0.0]),
        RcpRuD => double(Divide, Up, [1.0, u, 0.0]),
        SqrtRzD => double(Root, Zero, [u, u, 0.0]),
        SqrtRdD => double(Root, Down, [u, u, 0.0]),
        SqrtRuD => double(Root, Up, [u, u, 0.0]),
        FmaRzD => double(MultiplyAdd, Zero, [u, v, w]),
        FmaRdD => double(MultiplyAdd, Down, [u, v, w]),
        FmaRuD => double(MultiplyAdd, Up, [u, v, w]),
        _ => return None,
    })
}
