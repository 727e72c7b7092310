//! The limits of a program.

use clap::{Args, ValueEnum};
use reconverge::host::memory::{HOST_MOST, HOST_STACK};

/// Limits by one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// For unattended runs: 10⁸ cycles per kernel, 10⁹ operations of host code, 16 MiB of
    /// output
    Ci,
}

/// The limits of a kernel.
#[derive(Args, Debug)]
#[command(next_help_heading = "Limits")]
pub struct KernelLimits {
    /// A set of limits by name; the options for single limits override it
    #[arg(long, value_enum, value_name = "NAME")]
    limits: Option<Preset>,
    /// Stop a kernel after this many cycles (instructions under `functional`, operations under
    /// `reference`)
    #[arg(long, value_name = "N")]
    max_cycles: Option<u64>,
}

/// The limits of a whole program.
#[derive(Args, Debug)]
#[command(next_help_heading = "Limits")]
pub struct HostLimits {
    /// Stop host code after this many interpreter operations; an expression takes a few
    #[arg(long, value_name = "N")]
    max_operations: Option<u64>,
    /// Stop the program when it has printed this many bytes
    #[arg(long, value_name = "BYTES")]
    max_output: Option<u64>,
    /// The memory of host code in bytes, stack and variables included: default 1G, at most 2G less
    /// 64K. `K`, `M` and `G` stand for 2¹⁰, 2²⁰ and 2³⁰
    #[arg(long, value_name = "BYTES", value_parser = host_memory)]
    host_memory: Option<u32>,
}

/// Reads an amount of host memory.
fn host_memory(text: &str) -> Result<u32, String> {
    let (digits, unit) = match text.char_indices().last() {
        Some((at, 'K' | 'k')) => (&text[..at], 1u64 << 10),
        Some((at, 'M' | 'm')) => (&text[..at], 1 << 20),
        Some((at, 'G' | 'g')) => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    let bytes = digits.parse::<u64>().ok().and_then(|count| count.checked_mul(unit));
    let bytes =
        bytes.ok_or("write a number of bytes, such as 1073741824, 1048576K, 1024M or 1G")?;
    let least = u64::from(HOST_STACK) + (1 << 20);
    match u32::try_from(bytes) {
        Ok(bytes) if u64::from(bytes) < least => {
            Err(format!("the stack and what is around it take {least} bytes"))
        }
        Ok(bytes) if bytes <= HOST_MOST => Ok(bytes),
        _ => Err(format!("host code can have at most {HOST_MOST} bytes (2G less 64K)")),
    }
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

    /// The bytes of host memory, if they are not the usual ones.
    pub fn memory(&self) -> Option<u32> {
        self.host_memory
    }

    /// The most bytes of output, if there is a limit.
    pub fn output(&self, kernel: &KernelLimits) -> Option<u64> {
        self.max_output.or(kernel.limits.map(|Preset::Ci| 16 << 20))
    }
}
