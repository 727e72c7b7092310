//! Registers and constants of every type.

use super::control::Maker;
use reconverge_ptx::form::Operand;
use reconverge_ptx::tree::{Kind, Type};

/// The registers of a program: a type, and how many have it.
pub const POOLS: [(&str, usize); 12] = [
    ("b16", 3),
    ("u16", 1),
    ("s16", 1),
    ("b32", 5),
    ("u32", 2),
    ("s32", 2),
    ("b64", 3),
    ("u64", 1),
    ("s64", 1),
    ("f32", 4),
    ("f64", 3),
    ("pred", 5),
];

/// Words at the ends of ranges, by width from the low end: integers, and floats of each width.
pub const EDGES: [u64; 22] = [
    0,
    1,
    2,
    31,
    32,
    63,
    64,
    u64::MAX,
    u64::MAX - 1,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0x8000_0000_0000_0001,
    0x3ff0_0000_0000_0000,
    0xbff8_0000_0000_0000,
    0x7ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0x0010_0000_0000_0000,
    0x000f_ffff_ffff_ffff,
    0x7fef_ffff_ffff_ffff,
    0x41df_ffff_ffc0_0000,
    0x43e0_0000_0000_0000,
];

/// The same of words of 32 bits; the last ones are pairs of halves.
pub const EDGES_32: [u32; 24] = [
    0,
    1,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x3f80_0000,
    0xbf80_0000,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0x0080_0000,
    0x007f_ffff,
    0x7f7f_ffff,
    0x4f00_0000,
    0x3c00_bc00,
    0x7c00_fc00,
    0x7e00_0400,
    0x03ff_7bff,
];

/// Registers of 128 bits. They begin as pairs of registers of 64 bits, and are mixed into two of these at the end.
pub const QUADS: usize = 2;

impl Maker {
    /// A register that holds a type, or a wider one where the operand admits it; `None` if no register does.
    pub fn register(&mut self, ty: Type, wider: bool) -> Option<String> {
        if ty.bits > 64 {
            return Some(format!("%b128_{}", self.random.below(QUADS)));
        }
        let fits = |own: Type| {
            let integer = |ty: Type| matches!(ty.kind, Kind::Unsigned | Kind::Signed);
            let float = |ty: Type| {
                matches!(
                    ty.kind,
                    Kind::Float | Kind::FloatPair | Kind::Brain | Kind::BrainPair | Kind::Tensor
                )
            };
            let predicates = (own.kind == Kind::Predicate) == (ty.kind == Kind::Predicate);
            let mixed = integer(own) && float(ty) || float(own) && integer(ty);
            // Only bits hold pairs.
            let pairs =
                !matches!(ty.kind, Kind::FloatPair | Kind::BrainPair) || own.kind == Kind::Bits;
            let size = own.bits == ty.bits || wider && own.bits > ty.bits && !float(own);
            predicates && !mixed && pairs && size
        };
        let mut found = Vec::new();
        for (name, count) in POOLS {
            if Type::find(name).is_some_and(fits) {
                found.extend((0..count).map(|at| format!("%{name}_{at}")));
            }
        }
        let at = self.random.below(found.len().max(1));
        found.into_iter().nth(at)
    }

    /// A source of a type: a register, a constant, or a special register.
    pub fn source(&mut self, ty: Type, operand: &Operand) -> Option<String> {
        let chance = self.random.below(100);
        if chance < 25
            && ty.bits <= 64
            && let Some(constant) = self.constant(ty)
        {
            return Some(constant);
        }
        if chance < 30 && ty.bits == 32 && matches!(ty.kind, Kind::Unsigned | Kind::Bits) {
            return Some(self.special());
        }
        let register = self.register(ty, operand.wider)?;
        let negates = operand.complement && ty.kind == Kind::Predicate && self.random.chance(30);
        Some(if negates { format!("!{register}") } else { register })
    }

    /// A constant of a type, if it has any.
    pub fn constant(&mut self, ty: Type) -> Option<String> {
        let wide = EDGES[self.random.below(EDGES.len())];
        let narrow = EDGES_32[self.random.below(EDGES_32.len())];
        let small = self.random.below(70) as u64;
        let is_small = self.random.chance(50);
        Some(match (ty.kind, ty.bits) {
            (Kind::Float, 32) => format!("0f{narrow:08X}"),
            (Kind::Float, 64) => format!("0d{wide:016X}"),
            (Kind::Bits | Kind::Unsigned | Kind::Signed, bits) => {
                let mask = if bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
                let edge = if bits == 64 { wide } else { u64::from(narrow) } & mask;
                let value = if is_small { small & mask } else { edge };
                // Signed types take their constants in range.
                let sign = bits < 64 && ty.kind == Kind::Signed && value >> (bits - 1) & 1 != 0;
                match sign {
                    true => format!("{}", value as i64 - (1i64 << bits)),
                    false => format!("{value}"),
                }
            }
            _ => return None,
        })
    }

    /// A special register of 32 bits that is the same in every model.
    pub fn special(&mut self) -> String {
        const PLACES: [&str; 10] = [
            "%tid.x",
            "%tid.y",
            "%tid.z",
            "%ntid.x",
            "%ntid.y",
            "%ntid.z",
            "%ctaid.x",
            "%ctaid.y",
            "%nctaid.x",
            "%nctaid.y",
        ];
        const LANES: [&str; 7] = [
            "%laneid",
            "%lanemask_eq",
            "%lanemask_le",
            "%lanemask_lt",
            "%lanemask_ge",
            "%lanemask_gt",
            "WARP_SZ",
        ];
        match self.random.chance(80) || !self.may_use_lanes {
            true => self.random.pick(&PLACES).to_owned(),
            false => {
                self.lanes = true;
                self.random.pick(&LANES).to_owned()
            }
        }
    }

    /// A predicate register.
    pub fn predicate(&mut self) -> String {
        format!("%pred_{}", self.random.below(5))
    }
}
