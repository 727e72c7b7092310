//! Kinds of types and instructions.

use reconverge_ptx::tree::{Kind, Type};

/// 1.0 in both halves of a word.
const HALF_ONES: u32 = 0x3c00_3c00;
const BRAIN_ONES: u32 = 0x3f80_3f80;

/// Returns true for types of half precision, bfloat16, and pairs of them.
pub fn is_half(ty: Type) -> bool {
    match ty.kind {
        Kind::Float => ty.bits == 16,
        kind => matches!(kind, Kind::FloatPair | Kind::Brain | Kind::BrainPair),
    }
}

/// Returns true for a type of two values in a word.
pub fn is_pair(ty: Type) -> bool {
    matches!(ty.kind, Kind::FloatPair | Kind::BrainPair)
}

/// Returns true for bfloat16, alone or in pairs.
pub fn is_brain(ty: Type) -> bool {
    matches!(ty.kind, Kind::Brain | Kind::BrainPair)
}

/// The bits of 1.0 of a type, in each half of a pair.
pub fn one(ty: Type) -> u32 {
    let ones = if is_brain(ty) { BRAIN_ONES } else { HALF_ONES };
    if is_pair(ty) { ones } else { ones & 0xffff }
}

/// Returns true for the mnemonics of video instructions.
pub fn is_video(mnemonic: &str) -> bool {
    mnemonic.starts_with('v') && mnemonic != "vote"
}
