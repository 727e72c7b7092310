//! Objects that are copied, cleared and accessed as a whole.

use super::bytecode::{Code, Inst, Op};
use super::environment::Environment;
use crate::memory;

/// Success if an access is possible; otherwise its address, its bytes, and true if it writes.
type Access = Result<(), (u32, u64, bool)>;

/// Executes an instruction on the objects at `a` and `b`.
pub fn execute(env: &mut impl Environment, inst: &Inst, a: u32, b: u32) -> Access {
    match inst.op {
        Op::Copy => copy(env, a, b, inst.x),
        Op::Clear => clear(env, a.wrapping_add(inst.y), inst.x),
        _ if env.is_device() && !a.is_multiple_of(inst.x) => Err((a, inst.x.into(), inst.c != 0)),
        _ => Ok(()),
    }
}

/// Help for a vector that is not aligned as its type promises, if the instruction is such an
/// access.
pub fn help(code: &Code, pc: u32) -> Option<String> {
    let inst = code.instructions.get(pc as usize).filter(|inst| inst.op == Op::Aligned)?;
    let name = code.vectors.get(inst.y as usize)?;
    Some(memory::misaligned_vector(name, inst.x.into()))
}

/// Makes an object zero.
fn clear(env: &mut impl Environment, at: u32, size: u32) -> Access {
    env.write(at, size).ok_or((at, size as u64, true))?.fill(0);
    Ok(())
}

/// Copies an object.
fn copy(env: &mut impl Environment, to: u32, from: u32, size: u32) -> Access {
    let source = env.read(from, size).ok_or((from, size as u64, false))?;
    let mut small = [0; 64];
    let large;
    let bytes = match small.get_mut(..source.len()) {
        Some(part) => {
            part.copy_from_slice(source);
            &*part
        }
        None => {
            large = source.to_vec();
            &large
        }
    };
    let target = env.write(to, size).ok_or((to, size as u64, true))?;
    target.copy_from_slice(bytes);
    env.copied(to, from, size);
    Ok(())
}
