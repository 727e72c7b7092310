//! Variables that texts need from CUDA's driver.
//!
//! - `grid.sync()` of nvcc counts blocks in memory that the driver gives to each cooperative launch. Code finds its address in two
//!   special registers, which no other code reads. Here it is a variable that the text gets: the barrier leaves the count as it
//!   was, so one serves all launches.
//! - A texture reference is a declaration without a size. Here it is a variable with the descriptor.

use crate::runtime::texture::DESCRIPTOR;
use std::borrow::Cow;

/// The registers at the end of an instruction: the low and the high half of the address.
const LOW: &str = "%envreg2;";
const HIGH: &str = "%envreg1;";
/// The variable. Other texts have one of this name for themselves.
const WORKSPACE: &str = "__reconverge_grid_workspace";
/// The declaration of a texture reference, before its name.
const REFERENCE: &str = ".global .texref ";

/// The text with these variables.
pub fn prepared(text: &str) -> Cow<'_, str> {
    let text = with_references(text);
    if !text.contains(LOW) {
        return text;
    }
    let text = text.replace(LOW, &format!("{WORKSPACE};")).replace(HIGH, "0;");
    Cow::Owned(format!("{text}\n.global .align 8 .b32 {WORKSPACE}[4];\n"))
}

fn with_references(text: &str) -> Cow<'_, str> {
    if !text.contains(REFERENCE) {
        return Cow::Borrowed(text);
    }
    let mut parts = text.split(REFERENCE);
    let mut found = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(';').unwrap_or((part, ""));
        found += &format!(".global .align 8 .b8 {}[{DESCRIPTOR}];{rest}", name.trim());
    }
    Cow::Owned(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_barriers_get_a_variable() {
        assert!(matches!(prepared("mov.u32 %r1, %envreg20;"), Cow::Borrowed(_)));
        let found = prepared("mov.u32 %r1, %envreg2;\nmov.u32 %r2, %envreg1;\n");
        let start = format!("mov.u32 %r1, {WORKSPACE};\nmov.u32 %r2, 0;\n");
        assert!(found.starts_with(&start) && found.ends_with("[4];\n"), "{found}");
    }

    #[test]
    fn references_are_variables() {
        let found = prepared("a\n.visible .global .texref t;\n.global .texref u ;\nb");
        let expected = "a\n.visible .global .align 8 .b8 t[64];\n.global .align 8 .b8 u[64];\nb";
        assert_eq!(found, expected);
    }
}
