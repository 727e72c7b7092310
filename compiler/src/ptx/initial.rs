//! The first bytes of variables.

use super::layout::{Global, Globals, is_elsewhere};
use super::names::source_name;
use super::{Refused, Result};
use reconverge_isa::Variable as Placed;
use reconverge_ptx::Constant;
use reconverge_ptx::tree::{Module, Operand, OperandKind, Type, Variable};
use std::collections::BTreeMap;

/// The variables of global and constant memory that the module has, in the order of the text.
fn own<'a>(
    module: &'a Module,
    globals: &'a Globals,
) -> impl Iterator<Item = (&'a Variable, Global)> {
    let own = module.variables.iter().filter(|it| !is_elsewhere(it));
    own.filter_map(|it| Some((it, *globals.get(&it.name.text)?)))
}

/// Their names in the text.
pub fn symbols(module: &Module, globals: &Globals) -> Vec<String> {
    own(module, globals).map(|(variable, _)| variable.name.text.to_string()).collect()
}

/// The variables of global and constant memory with their first bytes.
pub fn variables(module: &Module, globals: &Globals) -> Result<Vec<Placed>> {
    let mut found = Vec::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (variable, _) in own(module, globals) {
        *counts.entry(source_name(&variable.name.text)).or_default() += 1;
    }
    // Instances of a variable template have one name in the source.
    let name = |name: &str| match counts.get(source_name(name)) {
        Some(1) => source_name(name).to_owned(),
        _ => name.to_owned(),
    };
    for (variable, global) in own(module, globals) {
        let mut image = Vec::new();
        if let Some(initial) = &variable.initialiser {
            let extents: Vec<u64> = variable.dimensions.iter().map(|it| it.unwrap_or(0)).collect();
            let writer = Writer { globals, variable, size: global.size as usize };
            writer.write(initial, 0, &extents, &mut image)?;
        }
        found.push(Placed {
            name: name(&variable.name.text),
            address: global.address,
            size: global.size,
            image,
        });
    }
    Ok(found)
}

struct Writer<'a> {
    globals: &'a Globals,
    variable: &'a Variable,
    size: usize,
}

impl Writer<'_> {
    /// Writes an initial value at an offset; `counts` are the dimensions of what is initialised.
    fn write(&self, value: &Operand, at: usize, counts: &[u64], image: &mut Vec<u8>) -> Result<()> {
        let element = self.variable.ty.bytes() as usize;
        if element > 8 {
            let message = format!("a `.{}` has no initial value here", self.variable.ty.name);
            return Err(Refused::new(value.span, message).help("use elements of 64 bits"));
        }
        let OperandKind::Vector(items) = &value.kind else {
            let bits = self.bits(value, self.variable.ty)?;
            let end = at + element;
            if end > self.size {
                let message = format!("`{}` has no room for this", self.variable.name.text);
                return Err(Refused::new(value.span, message));
            }
            image.resize(image.len().max(end), 0);
            image[at..end].copy_from_slice(&bits.to_le_bytes()[..element]);
            return Ok(());
        };
        // A flat list initialises the elements of inner dimensions one after the other.
        let inner = counts.get(1..).unwrap_or_default();
        let nested = items.iter().any(|item| matches!(item.kind, OperandKind::Vector(_)));
        let lanes = if counts.is_empty() { 1 } else { usize::from(self.variable.vector) };
        let step = match nested {
            true => inner.iter().fold(element * lanes, |size, &count| {
                size.saturating_mul(usize::try_from(count).unwrap_or(usize::MAX))
            }),
            false => element,
        };
        for (index, item) in items.iter().enumerate() {
            self.write(item, at.saturating_add(index.saturating_mul(step)), inner, image)?;
        }
        Ok(())
    }

    fn bits(&self, value: &Operand, ty: Type) -> Result<u64> {
        let address = |name: &str, offset: i64| {
            let known = self.globals.get(name).map(|global| u64::from(global.address));
            let message = format!("`{name}` has no address that is known before the launch");
            let found = known.ok_or_else(|| Refused::new(value.span, message))?;
            Ok(found.wrapping_add(offset as u64))
        };
        match &value.kind {
            OperandKind::Constant(constant) => Ok(constant_bits(*constant, ty)),
            OperandKind::Name(name) => address(name, 0),
            OperandKind::Offset(name, offset) | OperandKind::Generic(name, offset) => {
                address(name, *offset)
            }
            OperandKind::Mask(mask, inner) => {
                let bits = self.bits(inner, ty)?;
                Ok((bits & mask) >> mask.trailing_zeros().min(63))
            }
            _ => Err(Refused::new(value.span, "this is no initial value")),
        }
    }
}

/// The bits of a constant as a value of a type.
pub fn constant_bits(constant: Constant, ty: Type) -> u64 {
    let bits = match constant {
        Constant::Integer { bits, .. } => bits,
        Constant::Single(bits) if ty.bits == 64 => f64::from(f32::from_bits(bits)).to_bits(),
        Constant::Single(bits) => bits.into(),
        Constant::Double(bits) if ty.bits == 32 => (f64::from_bits(bits) as f32).to_bits().into(),
        Constant::Double(bits) => bits,
    };
    match ty.bits {
        64.. => bits,
        width => bits & ((1 << width) - 1),
    }
}
