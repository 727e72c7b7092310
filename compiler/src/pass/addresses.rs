//! Takes the low word of each address of 64 bits, which the accesses of PTX have.
//!
//! An access by the whole address traps if the upper word is not 0, which costs no instruction but
//! keeps the arithmetic of addresses in 64 bits. From `-O1` on, compiled code has words: no parameter
//! has a bound that would prove the upper word 0, and to check it takes more instructions than the
//! access (spec/ptx.md).

use crate::ir::{Function, Kind, Operands, Type, Value};
use reconverge_isa::Op;

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    let is_wide = |kind: &Kind| kind.address().is_some_and(|it| function.ty(it) == Type::B64);
    if !function.placed().any(|(_, value)| is_wide(function.kind(value))) {
        return false;
    }
    for block in 0..function.blocks.len() {
        let old = std::mem::take(&mut function.blocks[block].instructions);
        let mut new = Vec::with_capacity(old.len());
        for value in old {
            take_word(function, value, &mut new);
            new.push(value);
        }
        function.blocks[block].instructions = new;
    }
    super::dead::run(function);
    true
}

/// Lets an access use the word of its address, which is computed in front of it.
fn take_word(function: &mut Function, value: Value, new: &mut Vec<Value>) {
    let Some(address) = function.kind(value).address().filter(|&it| function.ty(it) == Type::B64)
    else {
        return;
    };
    let (mut base, mut offset) = (address, 0u32);
    while let Some((inner, bits)) = function.offset_in_brackets(base) {
        (base, offset) = (inner, offset.wrapping_add(bits as u32));
    }
    let location = function.instruction(value).location;
    let mut add = |kind: Kind| {
        let value = function.add(kind, Some(Type::B32), location);
        new.push(value);
        value
    };
    let mut word = add(Kind::Compute(Op::Low, Operands::new(&[base])));
    if offset != 0 {
        let offset = add(Kind::Constant(offset.into()));
        word = add(Kind::Compute(Op::Add, Operands::new(&[word, offset])));
    }
    if let Some(address) = function.values[value.index()].kind.address_mut() {
        *address = word;
    }
}

#[cfg(test)]
mod tests {
    use crate::pass::tests::after;

    #[test]
    fn accesses_use_words_and_their_offsets_stay_with_them() {
        let text = "  %0 = param.b64 0\n  %1 = const.b64 8\n  %2 = add.i64 %1, %0\n  \
                    %3 = ld.global.b32 %2\n  st.global.b32 %0, %3\n  return";
        let found = after("addresses", text);
        let expected = "  %0 = param.b64 0\n  %6 = low.b64 %0\n  %7 = const.b32 8\n  \
                        %8 = add.i32 %6, %7\n  %3 = ld.global.b32 %8\n  %9 = low.b64 %0\n  \
                        st.global.b32 %9, %3\n  return\n";
        assert_eq!(found, expected);
    }

    #[test]
    fn words_are_left_alone() {
        let text = "  %0 = param.b32 0\n  %1 = ld.global.b32 %0\n  st.global.b32 %0, %1\n  return";
        assert_eq!(after("addresses", text), format!("{text}\n"));
    }
}
