//! The memory by which blocks of a grid wait for each other in code of nvcc.
//!
//! `grid.sync()` counts blocks in memory that CUDA's driver gives to each cooperative launch. Code finds its address in two special
//! registers, which no other code reads. Here it is a variable that the text gets: the barrier leaves the count as it was, so one
//! serves all launches.

use std::borrow::Cow;

/// The registers at the end of an instruction: the low and the high half of the address.
const LOW: &str = "%envreg2;";
const HIGH: &str = "%envreg1;";
/// The variable. Other texts have one of this name for themselves.
const NAME: &str = "__reconverge_grid_workspace";

/// The text with the memory for barriers of the grid, if it has any.
pub fn added(text: &str) -> Cow<'_, str> {
    if !text.contains(LOW) {
        return Cow::Borrowed(text);
    }
    let text = text.replace(LOW, &format!("{NAME};")).replace(HIGH, "0;");
    Cow::Owned(format!("{text}\n.global .align 8 .b32 {NAME}[4];\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_barriers_get_a_variable() {
        assert!(matches!(added("mov.u32 %r1, %envreg20;"), Cow::Borrowed(_)));
        let found = added("mov.u32 %r1, %envreg2;\nmov.u32 %r2, %envreg1;\n");
        assert!(found.starts_with(&format!("mov.u32 %r1, {NAME};\nmov.u32 %r2, 0;\n")), "{found}");
        assert!(found.ends_with("[4];\n"));
    }
}
