//! The functions of CUDA's device library, by the names that compilers give them: `__nv_sinf`.
//!
//! A text that calls one without having its body gets our function of the same meaning, so that values are those of the
//! language ([`crate::check::builtin`]). The names are those of the library's user guide.

use super::Result;
use super::call::Call;
use super::kernel::{Ins, Kernel};
use crate::check::builtin::{Builtin, TABLE, Ty};
use crate::ir::{Access, Type, Value};
use crate::lower::builtin::Pure;
use reconverge_isa::{Op, Space, Width};

/// Functions whose names in the library are not those of the language.
const OTHERS: &[(&str, Builtin)] = &[
    ("abs", Builtin::AbsI),
    ("llabs", Builtin::AbsL),
    ("min", Builtin::MinI),
    ("max", Builtin::MaxI),
    ("isnanf", Builtin::IsnanF),
    ("isnand", Builtin::IsnanD),
    ("isinff", Builtin::IsinfF),
    ("isinfd", Builtin::IsinfD),
    ("finitef", Builtin::IsfiniteF),
    ("isfinited", Builtin::IsfiniteD),
    ("signbitf", Builtin::SignbitF),
    ("signbitd", Builtin::SignbitD),
    ("fast_fdividef", Builtin::DivRnF),
    ("powif", Builtin::PowF),
    ("powi", Builtin::PowD),
];

/// The function of a name, by the registers that its parameters take.
fn find(name: &str, parameters: &[Type]) -> Option<Builtin> {
    let own = name.strip_prefix("__nv_")?;
    if let Some((_, builtin)) = OTHERS.iter().find(|(other, _)| *other == own) {
        return Some(*builtin);
    }
    let intrinsic = match own.strip_prefix("fast_") {
        Some(fast) => format!("__{fast}"),
        None => format!("__{own}"),
    };
    let fits = |builtin: Builtin| {
        let row = builtin.row();
        let is_named = row.names.iter().any(|name| *name == own || *name == intrinsic);
        let types = row.parameters.iter().map(|&ty| register(ty));
        is_named
            && row.parameters.len() == parameters.len()
            && types.eq(parameters.iter().map(|&ty| Some(ty)))
    };
    TABLE.iter().map(|row| row.builtin).find(|&builtin| fits(builtin))
}

/// The register that a type takes as a parameter.
fn register(ty: Ty) -> Option<Type> {
    Some(match ty {
        Ty::I | Ty::U | Ty::F | Ty::US => Type::B32,
        Ty::L | Ty::UL | Ty::D | Ty::PI | Ty::PF | Ty::PD => Type::B64,
        _ => return None,
    })
}

impl Kernel<'_, '_> {
    /// A call of the device library; `None` if it has no such function.
    pub fn library(&mut self, ins: Ins, call: &Call) -> Result<Option<()>> {
        if !call.name.starts_with("__nv_") {
            return Ok(None);
        }
        let count = call.arguments.len();
        let arguments: Vec<Value> =
            (0..count).map(|index| self.any_argument(ins, call, index)).collect::<Result<_>>()?;
        let types: Vec<Type> =
            arguments.iter().map(|&value| self.builder.function().ty(value)).collect();
        let Some(builtin) = find(call.name, &types) else {
            return Ok(None);
        };
        let stored = builtin.results().map_or(&[][..], |(_, stored)| stored);
        let (operands, places) = arguments.split_at(count - stored.len());
        let mut operands = operands.to_vec();
        if let ("__nv_powif" | "__nv_powi", [_, exponent]) = (call.name, operands.as_mut_slice()) {
            let convert = if call.name == "__nv_powi" { Op::CvtF64S32 } else { Op::CvtF32S32 };
            *exponent = self.builder.compute(convert, &[*exponent]);
        }
        let own = match builtin.results() {
            Some((own, _)) => own,
            None => Some(builtin),
        };
        for (&which, &place) in stored.iter().zip(places) {
            let Some(value) = Pure { builder: &mut self.builder }.one_value(which, &operands)
            else {
                return Ok(None);
            };
            let width = self.width(value);
            let access = Access { space: Space::Generic, width, ..Access::default() };
            let address = self.builder.compute(Op::Low, &[place]);
            self.builder.store(access, address, value);
        }
        let Some(own) = own else {
            return Ok(Some(()));
        };
        let Some(mut value) = Pure { builder: &mut self.builder }.one_value(own, &operands) else {
            return Ok(None);
        };
        if self.builder.function().ty(value) == Type::Pred {
            value = self.builder.truth_as_word(value);
        }
        if let Some(result) = call.results.first() {
            self.give(result, value)?;
        }
        Ok(Some(()))
    }

    fn width(&self, value: Value) -> Width {
        match self.builder.function().ty(value) {
            Type::B64 => Width::B64,
            _ => Width::B32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_library() {
        use Type::{B32, B64};
        let cases: &[(&str, &[Type], Builtin)] = &[
            ("__nv_sinf", &[B32], Builtin::SinF),
            ("__nv_sin", &[B64], Builtin::SinD),
            ("__nv_fast_sinf", &[B32], Builtin::SinApproxF),
            ("__nv_popcll", &[B64], Builtin::PopcL),
            ("__nv_umin", &[B32, B32], Builtin::MinU),
            ("__nv_abs", &[B32], Builtin::AbsI),
            ("__nv_fabsf", &[B32], Builtin::FabsF),
            ("__nv_sincosf", &[B32, B64, B64], Builtin::SincosF),
            ("__nv_dadd_rn", &[B64, B64], Builtin::AddRnD),
            ("__nv_ldexpf", &[B32, B32], Builtin::ScalbnF),
            ("__nv_norm3d", &[B64, B64, B64], Builtin::Norm3dD),
        ];
        for &(name, types, expected) in cases {
            assert_eq!(find(name, types), Some(expected), "{name}");
        }
        assert_eq!(find("__nv_sinf", &[B64]), None);
        assert_eq!(find("sinf", &[B32]), None);
    }
}
