//! The words that a simulated kernel prints, read back as calls of `printf`.

use crate::host::printed::Printed as Call;
use crate::interpreter::bytecode::ArgumentClass;
use reconverge_compiler::lower::print::{KINDS_PER_WORD, Printed};

/// The calls of one thread. The last one may be cut off where the kernel was stopped.
pub fn calls(words: &[u32]) -> Vec<Call> {
    let mut words = words.iter().copied();
    std::iter::from_fn(|| call(&mut words)).collect()
}

fn call(words: &mut impl Iterator<Item = u32>) -> Option<Call> {
    let (format, count) = (words.next()?, words.next()? as usize);
    let mut kinds = Vec::new();
    while kinds.len() < count {
        let codes = words.next()?;
        let left = (count - kinds.len()).min(KINDS_PER_WORD);
        for place in 0..left {
            kinds.push(Printed::from_number(codes >> (4 * place) & 15)?);
        }
    }
    let mut call = Call { format, classes: Vec::new(), values: Vec::new() };
    for kind in kinds {
        let low = u64::from(words.next()?);
        let high = if kind.words() == 2 { u64::from(words.next()?) } else { 0 };
        let (class, value) = match kind {
            Printed::Int => (ArgumentClass::Int, low as i32 as u64),
            Printed::Unsigned => (ArgumentClass::Int, low),
            Printed::Long => (ArgumentClass::Long, high << 32 | low),
            Printed::Double => (ArgumentClass::Double, high << 32 | low),
            Printed::Pointer => (ArgumentClass::Pointer, low),
        };
        call.classes.push(class);
        call.values.push(value);
    }
    Some(call)
}
