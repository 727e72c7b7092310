//! The layout of the scalar parts of structures, kernel parameters, shared variables, and the first
//! bytes of global ones.

use super::error::{LowerError, LowerErrorKind, Result};
use super::walk;
use crate::check::tree::{
    Expr, ExprKind, Function, FunctionId, Global, GlobalSpace, IntKind, Module, SharedId, Struct,
    Type,
};
use crate::ir;
use crate::ptx::inline::Shared;
use crate::syntax::Span;
use reconverge_isa::{CONSTANT_BASE, GLOBAL_BASE, Parameter, Variable, WINDOW_SIZE};
use reconverge_ptx::barrier::CountedBarriers;
use std::collections::BTreeMap;

/// A scalar part of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Bytes from the start of the object.
    pub offset: u64,
    /// A scalar type.
    pub ty: Type,
    /// Padding or a part of a union: it may have no value although the object has one.
    pub raw: bool,
    /// The vector that it is a member of.
    pub part: Option<ir::PartOf>,
    /// Is or lies in a member declared `volatile`.
    pub volatile: bool,
}

/// The most leaves an object that is copied as a whole can have.
pub const MOST_LEAVES: usize = 1024;

/// The scalar parts of an object in order, padding included as bytes, shorts and words, so that
/// copying all of them copies every byte; `None` if there are more than [`MOST_LEAVES`].
pub fn leaves(ty: &Type, structs: &[Struct]) -> Option<Vec<Leaf>> {
    let mut found = Vec::new();
    collect(ty, 0, structs, &mut found)?;
    Some(found)
}

fn collect(ty: &Type, base: u64, structs: &[Struct], found: &mut Vec<Leaf>) -> Option<()> {
    match ty {
        Type::Struct(id) if structs[id.0 as usize].is_union => {
            let (data, first) = (&structs[id.0 as usize], found.len());
            raw(base, base + data.size, found);
            let volatile = ty.has_volatile(structs);
            found[first..].iter_mut().for_each(|leaf| leaf.volatile = volatile);
        }
        Type::Struct(id) => {
            let data = &structs[id.0 as usize];
            let (mut end, first) = (base, found.len());
            for field in &data.fields {
                raw(end, base + field.offset, found);
                let start = found.len();
                collect(&field.ty, base + field.offset, structs, found)?;
                found[start..].iter_mut().for_each(|leaf| leaf.volatile |= field.volatile);
                end = base + field.offset + field.ty.size(structs);
            }
            raw(end, base + data.size, found);
            if data.is_vector {
                for leaf in &mut found[first..] {
                    let at = ((leaf.offset - base) % data.align) as u8;
                    leaf.part = Some(ir::PartOf { bytes: data.align as u8, at });
                }
            }
        }
        Type::Array(element, length) => {
            let size = element.size(structs);
            for index in 0..u64::from(*length) {
                collect(element, base + index * size, structs, found)?;
            }
        }
        Type::Void => {}
        scalar => {
            let (offset, ty) = (base, scalar.clone());
            found.push(Leaf { offset, ty, raw: false, part: None, volatile: false });
        }
    }
    (found.len() <= MOST_LEAVES).then_some(())
}

/// The suffix of the scalar part at an offset, after the name of its object, such as `.position.x`
/// or `.rows[2]`; for padding and unions the offset, `+4`.
pub fn part_name(ty: &Type, offset: u64, structs: &[Struct]) -> String {
    match ty {
        Type::Struct(id) if !structs[id.0 as usize].is_union => {
            let holds = |ty: &Type, start: u64| (start..start + ty.size(structs)).contains(&offset);
            let mut fields = structs[id.0 as usize].fields.iter();
            match fields.find(|field| holds(&field.ty, field.offset)) {
                Some(field) => {
                    let rest = part_name(&field.ty, offset - field.offset, structs);
                    format!(".{}{rest}", field.name)
                }
                None => format!("+{offset}"),
            }
        }
        Type::Struct(_) => format!("+{offset}"),
        Type::Array(element, _) => {
            let size = element.size(structs).max(1);
            let rest = part_name(element, offset % size, structs);
            format!("[{}]{rest}", offset / size)
        }
        _ => String::new(),
    }
}

/// Bytes without a type of their own, in naturally aligned pieces of at most a word.
fn raw(mut from: u64, to: u64, found: &mut Vec<Leaf>) {
    while from < to && found.len() <= MOST_LEAVES {
        let kind = match to - from {
            4.. if from.is_multiple_of(4) => IntKind::UInt,
            2.. if from.is_multiple_of(2) => IntKind::UShort,
            _ => IntKind::UChar,
        };
        let (offset, ty) = (from, Type::Int(kind));
        found.push(Leaf { offset, ty, raw: true, part: None, volatile: false });
        from += kind.size() as u64;
    }
}

/// Returns true if a union is part of the type: its bytes have no single type.
pub fn has_union(ty: &Type, structs: &[Struct]) -> bool {
    match ty {
        Type::Struct(id) => {
            let data = &structs[id.0 as usize];
            data.is_union || data.fields.iter().any(|field| has_union(&field.ty, structs))
        }
        Type::Array(element, _) => has_union(element, structs),
        _ => false,
    }
}

/// The most bytes of parameters a kernel can have, as in CUDA.
const MOST_PARAMETER_BYTES: u64 = 4096;

/// The layout of a kernel's parameters in the constant bank.
pub fn parameters(module: &Module, kernel: &Function) -> Result<Vec<Parameter>> {
    let mut end = 0u64;
    let mut found = Vec::new();
    for local in &kernel.locals[..kernel.parameters as usize] {
        let offset = end.next_multiple_of(local.ty.align(&module.structs).max(1));
        let size = local.ty.size(&module.structs);
        end = offset.saturating_add(size);
        if end > MOST_PARAMETER_BYTES {
            let message = format!(
                "the parameters of `{}` take more than {MOST_PARAMETER_BYTES} bytes",
                kernel.name
            );
            return Err(LowerError::new(LowerErrorKind::Memory, local.span, message));
        }
        let (offset, size) = (offset as u32, size as u32);
        found.push(Parameter { name: local.name.to_string(), offset, size });
    }
    Ok(found)
}

/// The shared memory of a kernel.
pub struct SharedLayout {
    /// The offset of each variable that the kernel or its callees mention.
    pub offsets: BTreeMap<SharedId, u32>,
    /// Bytes of the variables that are not dynamic.
    pub bytes: u32,
    /// The barriers with a count of threads.
    pub counted: CountedBarriers,
}

impl SharedLayout {
    /// The part that `asm` statements need.
    pub fn of_texts(&self) -> Shared {
        Shared { declared: self.bytes, counted: self.counted, ..Shared::default() }
    }
}

/// Lays out the static shared variables one after the other, the dynamic ones after them.
pub fn shared(module: &Module, kernel: FunctionId) -> Result<SharedLayout> {
    let mut offsets = BTreeMap::new();
    let mut end = 0u64;
    let (reachable, counted) = walk::reachable_shared(module, kernel);
    for &id in &reachable {
        let variable = &module.shared[id.0 as usize];
        if variable.dynamic {
            continue;
        }
        let offset = end.next_multiple_of(variable.ty.variable_align(&module.structs));
        end = offset.saturating_add(variable.ty.size(&module.structs));
        if end > WINDOW_SIZE as u64 {
            let message = format!("`{}` does not fit in shared memory", variable.name);
            return Err(LowerError::new(LowerErrorKind::Memory, variable.span, message));
        }
        offsets.insert(id, offset as u32);
    }
    let bytes = end as u32;
    let dynamic = bytes.next_multiple_of(16);
    for &id in &reachable {
        if module.shared[id.0 as usize].dynamic {
            offsets.insert(id, dynamic);
        }
    }
    Ok(SharedLayout { offsets, bytes, counted })
}

/// The first `extern __shared__` variable that a kernel or its callees mention: a launch gives its
/// bytes.
pub fn dynamic_shared(module: &Module, kernel: FunctionId) -> Option<&str> {
    let (reachable, _) = walk::reachable_shared(module, kernel);
    let variables = reachable.iter().filter_map(|id| module.shared.get(id.0 as usize));
    variables.filter(|variable| variable.dynamic).map(|variable| &*variable.name).next()
}

/// The shared variable of a kernel that an offset lies in: its name, the offset in it, and its declaration.
pub fn shared_variable(
    module: &Module,
    kernel: FunctionId,
    offset: u32,
) -> Option<(&str, u32, Span)> {
    let layout = shared(module, kernel).ok()?;
    let nearest = layout.offsets.iter().filter(|&(_, &start)| start <= offset);
    let (id, start) = nearest.max_by_key(|&(_, &start)| start)?;
    let variable = module.shared.get(id.0 as usize)?;
    Some((&variable.name, offset - start, variable.span))
}

/// The offset of each variable of a kernel in a thread's local memory, and bytes of all.
pub fn slots(function: &ir::Function) -> (Vec<u32>, u32) {
    let mut end = 0u32;
    let mut offsets = Vec::new();
    for slot in &function.slots {
        let offset = end.next_multiple_of(slot.align.max(1));
        offsets.push(offset);
        end = offset.saturating_add(slot.size);
    }
    (offsets, end)
}

/// The variable of a kernel that an offset in a thread's local memory lies in, and the offset in it.
pub fn local_variable(function: &ir::Function, offset: u32) -> Option<(&ir::SlotData, u32)> {
    let (offsets, _) = slots(function);
    let mut slots = function.slots.iter().zip(offsets);
    slots.find_map(|(slot, start)| {
        let inside = offset.checked_sub(start).filter(|&inside| inside < slot.size)?;
        Some((slot, inside))
    })
}

/// The `__device__` and `__constant__` variables with their first bytes.
pub fn variables(module: &Module) -> Result<Vec<Variable>> {
    let mut found = Vec::new();
    for global in &module.globals {
        let base = match global.space {
            GlobalSpace::Host => continue,
            GlobalSpace::Device => GLOBAL_BASE,
            GlobalSpace::Constant => CONSTANT_BASE,
        };
        let size = u32::try_from(global.ty.size(&module.structs)).unwrap_or(u32::MAX);
        let Some(address) = base.checked_add(global.offset) else {
            let message = format!("`{}` lies outside the address space", global.name);
            return Err(LowerError::new(LowerErrorKind::Memory, global.span, message));
        };
        let image = image(global, size, &module.structs)?;
        found.push(Variable { name: global.name.clone(), address, size, image });
    }
    Ok(found)
}

fn image(global: &Global, size: u32, structs: &[Struct]) -> Result<Vec<u8>> {
    let mut image = Vec::new();
    for (offset, value) in &global.init.stores {
        let bytes = constant_bytes(value, structs)?;
        let end = *offset as usize + bytes.len();
        if end > size as usize {
            let message = format!("an initialiser of `{}` lies outside it", global.name);
            return Err(LowerError::new(LowerErrorKind::Internal, value.span, message));
        }
        if image.len() < end {
            image.resize(end, 0);
        }
        image[*offset as usize..end].copy_from_slice(&bytes);
    }
    Ok(image)
}

fn constant_bytes(value: &Expr, structs: &[Struct]) -> Result<Vec<u8>> {
    let bits = match (&value.kind, &value.ty) {
        (ExprKind::Int(bits), _) => *bits as u64,
        (ExprKind::Float(number), Type::Float) => (*number as f32).to_bits() as u64,
        (ExprKind::Float(number), _) => number.to_bits(),
        _ => {
            let message = "the initialiser of a device variable is not a number";
            return Err(LowerError::unsupported(value.span, message));
        }
    };
    let size = value.ty.size(structs).min(8) as usize;
    Ok(bits.to_le_bytes()[..size].to_vec())
}
