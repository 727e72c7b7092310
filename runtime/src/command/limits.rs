//! What a program may take.

use clap::{Args, ValueEnum};

/// Limits by one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// For runs that no one watches: 10⁸ cycles of a kernel, 10⁹ operations of host code, 16 MiB of
    /// output
    Ci,
}

/// The limits of a kernel.
#[derive(Args, Debug)]
pub struct KernelLimits {
    /// Limits by one name, of which the options for each of them override theirs
    #[arg(long, value_enum, value_name = "NAME")]
    limits: Option<Preset>,
    /// Stop a kernel after this many cycles (instructions under `functional`, operations under
    /// `reference`)
    #[arg(long, value_name = "N")]
    max_cycles: Option<u64>,
}

/// The limits of a whole program.
#[derive(Args, Debug)]
pub struct HostLimits {
    /// Stop host code after this many interpreter operations; an expression takes a few
    #[arg(long, value_name = "N")]
    max_operations: Option<u64>,
    /// Stop the program when it has printed this many bytes
    #[arg(long, value_name = "BYTES")]
    max_output: Option<u64>,
}

impl KernelLimits {
    /// The most cycles, if there is a limit beside the usual one.
    pub fn cycles(&self) -> Option<u64> {
        self.max_cycles.or(self.limits.map(|Preset::Ci| 100_000_000))
    }
}

impl HostLimits {
    /// The most operations of host code, if there is a limit beside the usual one.
    pub fn operations(&self, kernel: &KernelLimits) -> Option<u64> {
        self.max_operations.or(kernel.limits.map(|Preset::Ci| 1_000_000_000))
    }

    /// The most bytes of output, if there is a limit.
    pub fn output(&self, kernel: &KernelLimits) -> Option<u64> {
        self.max_output.or(kernel.limits.map(|Preset::Ci| 16 << 20))
    }
}
