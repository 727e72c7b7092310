//! Loads and stores of surfaces: `suld.b` and `sust.b`. A surface is the address of a descriptor like a texture's.

use super::Result;
use super::kernel::{Ins, Kernel, register_type};
use super::memory::width;
use super::operand::B32;
use super::texture::offset;
use crate::ir::{self, Access, Value};
use reconverge_isa::{Op, Space};
use reconverge_ptx::tree::{Operand, OperandKind};

/// The place of an access.
struct Place {
    /// The first byte of the nearest element.
    address: Value,
    /// The element that is asked for lies outside.
    is_outside: Value,
}

impl Kernel<'_, '_> {
    /// `suld` and `sust`.
    pub fn surface(&mut self, ins: Ins) -> Result<()> {
        let ty = ins.ty()?;
        let is_load = ins.mnemonic() == "suld";
        let (surface, data) = (usize::from(is_load), usize::from(!is_load));
        let data = ins.operand(data)?;
        let items = match &data.kind {
            OperandKind::Vector(items) => items.as_slice(),
            _ => std::slice::from_ref(data),
        };
        let each = u32::from(ty.bits) / 8;
        let place = self.surface_place(ins, ins.operand(surface)?, each * items.len() as u32)?;
        let mut holds = None;
        if ins.has("trap") {
            self.trap_if(place.is_outside);
        } else if ins.has("zero") {
            holds = Some(self.not(place.is_outside));
        }
        let access = Access { space: Space::Global, width: width(each), ..Access::default() };
        let mut loaded = Vec::new();
        for (at, item) in (0u32..).zip(items) {
            let offset = self.builder.word(at * each);
            let address = self.builder.compute(Op::Add, &[place.address, offset]);
            match (is_load, holds) {
                (true, None) => loaded.push(self.builder.load(access, address)),
                (true, Some(holds)) => {
                    let zero = self.builder.zero(register_type(ty));
                    let load = ir::Kind::Load(access, address);
                    loaded.push(self.builder.guarded(load, holds, Some(zero)));
                }
                (false, None) => {
                    let value = self.value(item, ty)?;
                    self.builder.store(access, address, value);
                }
                (false, Some(holds)) => {
                    let value = self.value(item, ty)?;
                    let store = ir::Kind::Store(access, address, value);
                    self.builder.guarded(store, holds, None);
                }
            }
        }
        items.iter().zip(loaded).try_for_each(|(item, value)| self.write(item, value, ty))
    }

    /// The place of an access of some bytes: x in bytes, then the row, then the slice or layer.
    fn surface_place(&mut self, ins: Ins, surface: &Operand, bytes: u32) -> Result<Place> {
        let (descriptor, given) = self.surface_operands(ins, surface)?;
        let mut address = self.field(descriptor, offset::BASE);
        let mut is_outside = self.builder.constant(ir::Type::Pred, 0);
        let (zero, minus_one) = (self.builder.word(0), self.builder.word(u32::MAX));
        for (axis, at) in given {
            let count = self.field(descriptor, offset::COUNTS[axis]);
            let last = match axis {
                0 => {
                    let each = self.field(descriptor, offset::BYTES);
                    let row = self.builder.compute(Op::Mul, &[count, each]);
                    let bytes = self.builder.word(bytes);
                    self.builder.compute(Op::Sub, &[row, bytes])
                }
                _ => self.builder.compute(Op::Add, &[count, minus_one]),
            };
            let is_before = self.builder.compute(Op::SetLessS32, &[at, zero]);
            let is_behind = self.builder.compute(Op::SetGreaterS32, &[at, last]);
            let outside = self.builder.compute(Op::OrPred, &[is_before, is_behind]);
            is_outside = self.builder.compute(Op::OrPred, &[is_outside, outside]);
            let at = self.builder.compute(Op::MinS32, &[at, last]);
            let at = self.builder.compute(Op::MaxS32, &[at, zero]);
            address = match axis {
                0 => self.builder.compute(Op::Add, &[address, at]),
                _ => {
                    let step = self.field(descriptor, offset::STEPS[axis]);
                    self.builder.compute(Op::Mad, &[at, step, address])
                }
            };
        }
        Ok(Place { address, is_outside })
    }

    /// The surface of an instruction, and its coordinates by axis.
    fn surface_operands(
        &mut self,
        ins: Ins,
        surface: &Operand,
    ) -> Result<(Value, Vec<(usize, Value)>)> {
        let OperandKind::Texture(operands) = &surface.kind else {
            return Err(ins.refused("has no surface"));
        };
        let (Some(surface), Some(coordinates)) = (operands.first(), operands.get(1)) else {
            return Err(ins.refused("has no coordinates"));
        };
        let descriptor = self.descriptor(surface)?;
        let given = match &coordinates.kind {
            OperandKind::Vector(items) => items.as_slice(),
            _ => std::slice::from_ref(coordinates),
        };
        let axes: &[usize] = match ins.one_of(&["1d", "2d", "3d", "a1d"]) {
            Some("1d") => &[0],
            Some("2d") => &[0, 1],
            Some("3d") => &[0, 1, 2],
            Some(_) => &[2, 0],
            None => &[2, 0, 1],
        };
        let mut found = Vec::new();
        for (&axis, operand) in axes.iter().zip(given) {
            found.push((axis, self.value(operand, B32)?));
        }
        Ok((descriptor, found))
    }

    /// Ends the run where a condition holds.
    fn trap_if(&mut self, holds: Value) {
        let (traps, goes_on) = (self.builder.block(), self.builder.block());
        self.builder.branch(holds, traps, goes_on);
        self.builder.enter_sealed(traps);
        let reason = self.builder.word(0);
        self.builder.collective(Op::Trap, &[reason]);
        self.builder.jump(goes_on);
        self.builder.enter_sealed(goes_on);
    }
}
