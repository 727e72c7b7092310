//! The most frequent instructions, run in a function of its own: operations on slots, loads and
//! stores, jumps. It has so few variables that they stay in registers of the host.
//!
//! An instruction with any other effect, or with a fault, is not begun: the machine
//! ([`vm`](super::vm)) executes it, and reports the fault.

use super::bytecode::{Inst, Op, RowLoop, WINDOW};
use super::environment::Environment;
use super::math;
use super::operations::{compute, divide, element};
use super::rows::Rows;
use reconverge_compiler::check::builtin::TABLE;

/// Why a straight run has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At an instruction that is left to the machine.
    Other,
    /// A jump used up the operations.
    Budget,
}

/// The parts of a straight run other than slots and memory.
#[derive(Debug)]
pub struct Straight<'a> {
    /// All instructions.
    pub instructions: &'a [Inst],
    /// Loops whose iterations may be run many at a time.
    pub loops: &'a [RowLoop],
    /// Room for these.
    pub rows: &'a mut Rows,
}

impl Straight<'_> {
    /// Runs from an instruction on, with a budget of operations. Returns its last position, and the
    /// reason for stopping.
    #[inline(never)]
    #[expect(clippy::too_many_lines, reason = "a table: a case for each operation of the bytecode")]
    pub fn run<E: Environment>(
        self,
        from: usize,
        budget: &mut i64,
        w: &mut [u64; WINDOW],
        env: &mut E,
    ) -> (usize, End) {
        let (mut at, mut left) = (from, *budget);
        macro_rules! end {
            ($end:expr) => {{
                *budget = left;
                return (at, $end);
            }};
        }
        let i8s = |bytes| i8::from_le_bytes(bytes) as u64;
        let u8s = |bytes| u8::from_le_bytes(bytes) as u64;
        let i16s = |bytes| i16::from_le_bytes(bytes) as u64;
        let u16s = |bytes| u16::from_le_bytes(bytes) as u64;
        let i32s = |bytes| i32::from_le_bytes(bytes) as u64;
        let u32s = |bytes| u32::from_le_bytes(bytes) as u64;
        let pointers = |bytes| u64::from_le_bytes(bytes) as u32 as u64;
        while let Some(inst) = self.instructions.get(at) {
            // Operands are read where they are needed: reading all of them first costs every operation.
            macro_rules! a {
                () => {
                    w[inst.a as usize]
                };
            }
            macro_rules! b {
                () => {
                    w[inst.b as usize]
                };
            }
            macro_rules! c {
                () => {
                    w[inst.c as usize]
                };
            }
            macro_rules! value {
                ($op:ident) => {
                    a!() = compute(Op::$op, b!(), c!(), inst)
                };
            }
            macro_rules! jump {
                () => {{
                    at = inst.x as usize;
                    left -= inst.y as i64;
                    if left < 0 {
                        end!(End::Budget)
                    }
                }};
            }
            macro_rules! jump_if {
                ($op:ident) => {
                    if compute(Op::$op, a!(), b!(), inst) != 0 {
                        jump!();
                        continue;
                    }
                };
            }
            // A jump at the end of a loop whose iterations may be run side by side.
            macro_rules! repeat_if {
                ($op:ident) => {
                    if compute(Op::$op, a!(), b!(), inst) != 0 {
                        jump!();
                        if self.rows.is_due(inst.c)
                            && let Some(run) = self.loops.get(inst.c as usize)
                            && let Some(memory) = env.rows_memory()
                        {
                            let done = self.rows.run(inst.c, run, w, memory, left, inst.y);
                            left -= done as i64 * i64::from(inst.y);
                        }
                        continue;
                    }
                };
            }
            macro_rules! load {
                ($address:expr, $size:literal, $value:expr) => {
                    match env.load::<$size>($address) {
                        Some(bytes) => a!() = $value(bytes),
                        None => end!(End::Other),
                    }
                };
            }
            macro_rules! store {
                ($address:expr, $size:literal, $type:ty) => {
                    let bytes = (a!() as $type).to_le_bytes();
                    if env.store::<$size>($address, bytes).is_none() {
                        end!(End::Other)
                    }
                };
            }
            macro_rules! plain {
                () => {
                    (b!() as u32).wrapping_add(inst.y)
                };
            }
            macro_rules! indexed {
                () => {
                    element(b!(), c!(), inst.x, inst.y)
                };
            }
            match inst.op {
                Op::Move => value!(Move),
                Op::Const => value!(Const),
                Op::AddI32 => value!(AddI32),
                Op::AddU32 => value!(AddU32),
                Op::Add64 => value!(Add64),
                Op::SubI32 => value!(SubI32),
                Op::SubU32 => value!(SubU32),
                Op::Sub64 => value!(Sub64),
                Op::MulI32 => value!(MulI32),
                Op::MulU32 => value!(MulU32),
                Op::Mul64 => value!(Mul64),
                Op::And => value!(And),
                Op::Or => value!(Or),
                Op::Xor => value!(Xor),
                Op::ShlI32 => value!(ShlI32),
                Op::ShlU32 => value!(ShlU32),
                Op::Shl64 => value!(Shl64),
                Op::ShrI32 => value!(ShrI32),
                Op::ShrU32 => value!(ShrU32),
                Op::ShrI64 => value!(ShrI64),
                Op::ShrU64 => value!(ShrU64),
                Op::NegI32 => value!(NegI32),
                Op::NegU32 => value!(NegU32),
                Op::Neg64 => value!(Neg64),
                Op::Not64 => value!(Not64),
                Op::NotU32 => value!(NotU32),
                Op::AddF32 => value!(AddF32),
                Op::SubF32 => value!(SubF32),
                Op::MulF32 => value!(MulF32),
                Op::DivF32 => value!(DivF32),
                Op::NegF32 => value!(NegF32),
                Op::AddF64 => value!(AddF64),
                Op::SubF64 => value!(SubF64),
                Op::MulF64 => value!(MulF64),
                Op::DivF64 => value!(DivF64),
                Op::NegF64 => value!(NegF64),
                Op::Eq => value!(Eq),
                Op::Ne => value!(Ne),
                Op::LtS => value!(LtS),
                Op::LeS => value!(LeS),
                Op::LtU => value!(LtU),
                Op::LeU => value!(LeU),
                Op::EqF32 => value!(EqF32),
                Op::NeF32 => value!(NeF32),
                Op::LtF32 => value!(LtF32),
                Op::LeF32 => value!(LeF32),
                Op::EqF64 => value!(EqF64),
                Op::NeF64 => value!(NeF64),
                Op::LtF64 => value!(LtF64),
                Op::LeF64 => value!(LeF64),
                Op::Ext8S => value!(Ext8S),
                Op::Ext8U => value!(Ext8U),
                Op::Ext16S => value!(Ext16S),
                Op::Ext16U => value!(Ext16U),
                Op::Ext32S => value!(Ext32S),
                Op::Ext32U => value!(Ext32U),
                Op::SToF32 => value!(SToF32),
                Op::UToF32 => value!(UToF32),
                Op::SToF64 => value!(SToF64),
                Op::UToF64 => value!(UToF64),
                Op::F32ToF64 => value!(F32ToF64),
                Op::F64ToF32 => value!(F64ToF32),
                Op::F32ToInt => value!(F32ToInt),
                Op::F64ToInt => value!(F64ToInt),
                Op::Address => value!(Address),
                Op::AddressBack => value!(AddressBack),
                Op::Difference => value!(Difference),
                Op::DivI32 | Op::DivU | Op::DivI64 | Op::RemI32 | Op::RemU | Op::RemI64 => {
                    match divide(inst.op, b!(), c!()) {
                        Some(value) => a!() = value,
                        None => end!(End::Other),
                    }
                }
                Op::Jump => {
                    jump!();
                    continue;
                }
                Op::JumpEq => jump_if!(JumpEq),
                Op::JumpNe => jump_if!(JumpNe),
                Op::JumpLtS => jump_if!(JumpLtS),
                Op::JumpLeS => jump_if!(JumpLeS),
                Op::JumpLtU => jump_if!(JumpLtU),
                Op::JumpLeU => jump_if!(JumpLeU),
                Op::JumpEqF32 => jump_if!(JumpEqF32),
                Op::JumpNeF32 => jump_if!(JumpNeF32),
                Op::JumpLtF32 => jump_if!(JumpLtF32),
                Op::JumpLeF32 => jump_if!(JumpLeF32),
                Op::JumpNotLtF32 => jump_if!(JumpNotLtF32),
                Op::JumpNotLeF32 => jump_if!(JumpNotLeF32),
                Op::JumpEqF64 => jump_if!(JumpEqF64),
                Op::JumpNeF64 => jump_if!(JumpNeF64),
                Op::JumpLtF64 => jump_if!(JumpLtF64),
                Op::JumpLeF64 => jump_if!(JumpLeF64),
                Op::JumpNotLtF64 => jump_if!(JumpNotLtF64),
                Op::JumpNotLeF64 => jump_if!(JumpNotLeF64),
                Op::LoopLtS => repeat_if!(LoopLtS),
                Op::LoopLeS => repeat_if!(LoopLeS),
                Op::LoopLtU => repeat_if!(LoopLtU),
                Op::LoopLeU => repeat_if!(LoopLeU),
                Op::LoopNe => repeat_if!(LoopNe),
                Op::Load8S => load!(plain!(), 1, i8s),
                Op::Load8U => load!(plain!(), 1, u8s),
                Op::Load16S => load!(plain!(), 2, i16s),
                Op::Load16U => load!(plain!(), 2, u16s),
                Op::Load32S => load!(plain!(), 4, i32s),
                Op::Load32U => load!(plain!(), 4, u32s),
                Op::Load64 => load!(plain!(), 8, u64::from_le_bytes),
                Op::LoadPtr => load!(plain!(), 8, pointers),
                Op::Store8 => {
                    store!(plain!(), 1, u8);
                }
                Op::Store16 => {
                    store!(plain!(), 2, u16);
                }
                Op::Store32 => {
                    store!(plain!(), 4, u32);
                }
                Op::Store64 => {
                    store!(plain!(), 8, u64);
                }
                Op::LoadX8S => load!(indexed!(), 1, i8s),
                Op::LoadX8U => load!(indexed!(), 1, u8s),
                Op::LoadX16S => load!(indexed!(), 2, i16s),
                Op::LoadX16U => load!(indexed!(), 2, u16s),
                Op::LoadX32S => load!(indexed!(), 4, i32s),
                Op::LoadX32U => load!(indexed!(), 4, u32s),
                Op::LoadX64 => load!(indexed!(), 8, u64::from_le_bytes),
                Op::LoadXPtr => load!(indexed!(), 8, pointers),
                Op::StoreX8 => {
                    store!(indexed!(), 1, u8);
                }
                Op::StoreX16 => {
                    store!(indexed!(), 2, u16);
                }
                Op::StoreX32 => {
                    store!(indexed!(), 4, u32);
                }
                Op::StoreX64 => {
                    store!(indexed!(), 8, u64);
                }
                Op::Special => a!() = env.special(inst.x),
                Op::Pure => {
                    let (row, third) = (TABLE.get(inst.y as usize), w[inst.x as u16 as usize]);
                    let value = row.and_then(|row| math::pure(row.builtin, b!(), c!(), third));
                    a!() = value.unwrap_or(0);
                }
                _ => end!(End::Other),
            }
            at += 1;
        }
        end!(End::Other)
    }
}
