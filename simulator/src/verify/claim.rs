//! Claims of the compiler that a run can find to be false.

use std::fmt;

use reconverge_isa::RegisterLevel;

/// A claim of the compiler that a run has found to be false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The result is the same in all active threads.
    Uniform,
    /// The result is base + stride · thread.
    Affine,
    /// All active threads agree on the branch.
    UniformBranch,
    /// All active threads access one address.
    CommonAddress,
    /// A register that is read is uniform.
    UniformRegister,
    /// No thread of the warp reads a register any more.
    LastRead {
        /// The released register that is read.
        register: Register,
        /// The instruction that has read it last, as was claimed.
        released: u32,
    },
    /// A region has loaded or written a register.
    Region {
        /// The register.
        register: Register,
    },
    /// A register is at a level of the register file.
    Placement {
        /// The register.
        register: Register,
        /// The level; of a pair that of its first half.
        level: RegisterLevel,
    },
}

/// A register of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// `r` and its number; of a pair one half.
    General(u16),
    /// `p` and its number.
    Predicate(u16),
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Register::General(number) => write!(f, "r{number}"),
            Register::Predicate(number) => write!(f, "p{number}"),
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let among = |f: &mut fmt::Formatter, claim: &str| {
            write!(
                f,
                "the compiler claims that this is {claim} among the active threads; it is not"
            )
        };
        match self {
            Claim::Uniform => among(f, "uniform"),
            Claim::Affine => among(f, "affine"),
            Claim::UniformBranch => among(f, "a uniform branch"),
            Claim::CommonAddress => among(f, "an access of one address"),
            Claim::UniformRegister => f.write_str(
                "a uniform register is read here in which the active threads have different values",
            ),
            Claim::LastRead { register, released } => write!(
                f,
                "`{register}` is read here, but the compiler claims that instruction {released} \
                 was the last to read it in this warp"
            ),
            Claim::Region { register } => write!(
                f,
                "`{register}` is read here, but the region has not brought it in, or its value was lost"
            ),
            Claim::Placement { register, level } => {
                write!(f, "the compiler claims that `{register}` is in ")?;
                match level {
                    RegisterLevel::Main => f.write_str("the main register file")?,
                    RegisterLevel::LastResult => f.write_str("the last result file")?,
                    RegisterLevel::Operand(entry) => {
                        write!(f, "the operand register file from entry {entry} on")?;
                    }
                }
                f.write_str("; it is not")
            }
        }
    }
}
