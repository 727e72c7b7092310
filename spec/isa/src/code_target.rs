//! A machine's requirements on compiled code. The simulator states them in one place, and the compiler reads them in one place;
//! the runtime passes them on, because compiler and simulator do not depend on each other.

use crate::control_target::ControlTarget;

/// A machine's requirements on compiled code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CodeTarget {
    /// The most general registers per thread, 1 to [`REGISTERS`](crate::REGISTERS).
    pub max_registers: u32,
    /// Registers per thread that scheduling and code motion fill, 1 to [`REGISTERS`](crate::REGISTERS).
    pub target_registers: u32,
    /// General registers of an SM.
    pub registers: u32,
    /// A warp's registers are allocated in multiples of this.
    pub register_granularity: u32,
    /// A block's registers are allocated for a multiple of this many warps.
    pub register_warps: u32,
    /// Lanes of a warp.
    pub warp_width: u32,
    /// The kernels that are split into an affine and a non-affine stream.
    pub decoupling: Decoupling,
    /// Branches have convergence barriers (`bssy` and `bsync`). No machine requires them: each runs code with and without.
    pub convergence_barriers: bool,
    /// Short arms of branches become guarded instructions.
    pub predication: bool,
    /// Loads state their innermost loop and the pattern of their addresses.
    pub load_hints: bool,
    /// Registers are numbered by the length of their lives, and the number of long-lived ones is stated.
    pub lifetimes: bool,
    /// The levels in front of the main register file at which values are placed.
    pub levels: Option<RegisterLevels>,
    /// The limits of the regions that code is cut into.
    pub regions: Option<StagingLimits>,
    /// The machine checks no dependences: instructions have control bits.
    pub control_bits: Option<ControlTarget>,
}

/// The kernels that a machine requires in two streams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decoupling {
    /// None: every warp computes for itself.
    #[default]
    Never,
    /// Those that the compiler considers profitable.
    WhereProfitable,
    /// All that can be decoupled.
    Always,
}

impl Decoupling {
    /// All choices, with their names on the command line.
    pub const ALL: [(Decoupling, &'static str); 3] = [
        (Decoupling::Never, "none"),
        (Decoupling::WhereProfitable, "decoupled"),
        (Decoupling::Always, "all"),
    ];

    /// The choice of a name.
    pub fn parse(name: &str) -> Option<Decoupling> {
        Decoupling::ALL.into_iter().find(|&(_, known)| known == name).map(|(choice, _)| choice)
    }
}

/// The cost of an access to a warp's register at a level, in any unit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AccessCost {
    /// A read.
    pub read: f64,
    /// A write.
    pub write: f64,
}

/// The levels of a register file that the compiler manages, and their costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegisterLevels {
    /// True if there is a last result file.
    pub last_result: bool,
    /// Entries of the operand register file for each thread, at most
    /// [`OPERAND_ENTRIES`](crate::OPERAND_ENTRIES).
    pub operand_entries: u8,
    /// The main register file.
    pub main_cost: AccessCost,
    /// The last result file.
    pub last_result_cost: AccessCost,
    /// The operand register file.
    pub operand_cost: AccessCost,
}

impl RegisterLevels {
    /// Levels with a last result file and `operand_entries` entries, where each access of the main
    /// file that is saved counts alike.
    pub fn counted(operand_entries: u8) -> RegisterLevels {
        RegisterLevels {
            last_result: true,
            operand_entries,
            main_cost: AccessCost { read: 1.0, write: 1.0 },
            last_result_cost: AccessCost::default(),
            operand_cost: AccessCost::default(),
        }
    }
}

/// The limits of a region, for a machine that stages the registers of regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StagingLimits {
    /// Registers in all, at least 1.
    pub registers: u32,
    /// Banks, at least 1: a register is in the one of its number modulo banks, or a fixed number further.
    pub banks: u32,
    /// Registers of one bank, at least 1.
    pub bank_registers: u32,
}

impl StagingLimits {
    /// So many registers, in whichever bank.
    pub fn of(registers: u32) -> StagingLimits {
        StagingLimits { registers, banks: 1, bank_registers: registers }
    }
}

impl CodeTarget {
    /// The registers per thread with which a block of `threads` threads fits an SM.
    pub fn registers_per_thread(&self, threads: u32) -> u32 {
        self.registers_with_blocks(threads, 1)
    }

    /// The registers per thread with which `blocks` blocks of `threads` threads fit an SM.
    pub fn registers_with_blocks(&self, threads: u32, blocks: u32) -> u32 {
        let warps = u64::from(threads.div_ceil(self.warp_width.max(1)).max(1));
        let warps = warps.next_multiple_of(self.register_warps.max(1).into());
        let warps = u32::try_from(warps * u64::from(blocks.max(1))).unwrap_or(u32::MAX);
        let granularity = self.register_granularity.max(1);
        self.registers / warps / granularity * granularity / self.warp_width.max(1)
    }
}

impl Default for CodeTarget {
    /// The values of Fermi, for code that is compiled for no machine in particular.
    fn default() -> Self {
        CodeTarget {
            max_registers: 63,
            // 21 registers per thread fill 32,768 registers with 1,536 threads.
            target_registers: 20,
            registers: 32_768,
            register_granularity: 64,
            register_warps: 2,
            warp_width: 32,
            decoupling: Decoupling::Never,
            convergence_barriers: false,
            predication: false,
            load_hints: false,
            lifetimes: false,
            levels: None,
            regions: None,
            control_bits: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_fits_with_its_registers() {
        let volta = CodeTarget {
            registers: 65_536,
            register_granularity: 256,
            register_warps: 4,
            ..CodeTarget::default()
        };
        assert_eq!(volta.registers_per_thread(1024), 64);
        // 85 would take 88.
        assert_eq!(volta.registers_per_thread(768), 80);
        // Two blocks of 16 warps.
        assert_eq!(volta.registers_with_blocks(512, 2), 64);
        // 17 warps take the registers of 20.
        assert_eq!(volta.registers_per_thread(544), 96);
        assert_eq!(CodeTarget::default().registers_per_thread(512), 64);
        // 15 warps take those of 16.
        assert_eq!(CodeTarget::default().registers_per_thread(480), 64);
    }
}
