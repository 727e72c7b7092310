//! Common subexpressions within a block: a pure instruction that computes the same as an earlier
//! one of its block is replaced by it (Aho, Lam, Sethi and Ullman, "Compilers", 2006, 8.5.1).

use super::forward::Forward;
use super::gvn::key;
use crate::ir::Function;
use rustc_hash::FxHashMap;

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    let mut forward = Forward::new(function);
    let mut known = FxHashMap::default();
    for block in function.reverse_postorder() {
        known.clear();
        for &value in function.instructions(block) {
            if let Some(key) = key(function, &mut forward, block, value) {
                let same = *known.entry(key).or_insert(value);
                forward.replace(value, same);
            }
        }
    }
    forward.apply(function)
}

#[cfg(test)]
mod tests {
    use crate::pass::tests::after;

    #[test]
    fn what_another_block_computes_is_left_to_value_numbering() {
        let text = "  %0 = special tid.x\n  %1 = add.i32 %0, %0\n  %2 = add.i32 %0, %0\n  \
                    %3 = mul.i32 %1, %2\n  jump b1\nb1:\n  %4 = add.i32 %0, %0\n  \
                    st.global.b32 %4, %3\n  return";
        assert_eq!(
            after("cse", text),
            "  %0 = special tid.x\n  %1 = add.i32 %0, %0\n  %3 = mul.i32 %1, %1\n  jump b1\n\
             b1:\n  %4 = add.i32 %0, %0\n  st.global.b32 %4, %3\n  return\n"
        );
    }
}
