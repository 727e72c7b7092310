//! A machine's requirements on compiled code. The machine states them, and the runtime passes them to the compiler:
//! compiler and simulator do not depend on each other.

/// A machine's requirements on compiled code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
