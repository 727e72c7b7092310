//! The memory available for records of accesses.

use crate::host::report::Report;
use reconverge_isa::{Effect, Kernel, Space};
use reconverge_simulator::check::Checker;

/// Checks leave this part of the free memory to the rest of the program: one in `LEFT`.
const LEFT: u64 = 4;

/// Bytes that checks may take: a part of the host's free memory, by any known limit of it.
pub fn available() -> u64 {
    let limits = [free_memory(), free_addresses(), free_of_group()];
    let least = limits.into_iter().flatten().min().unwrap_or(u64::MAX);
    least - least / LEFT
}

/// Free memory, if the host reports it.
fn free_memory() -> Option<u64> {
    field("/proc/meminfo", "MemAvailable:").map(|kilobytes| kilobytes * 1024)
}

/// Addresses that the process may still use, if they are limited.
fn free_addresses() -> Option<u64> {
    let most = field("/proc/self/limits", "Max address space")?;
    let used = field("/proc/self/status", "VmSize:")? * 1024;
    Some(most.saturating_sub(used))
}

/// Memory that the process's group may still use, if it is limited.
fn free_of_group() -> Option<u64> {
    let number = |name: &str| std::fs::read_to_string(name).ok()?.trim().parse::<u64>().ok();
    let most = number("/sys/fs/cgroup/memory.max")?;
    Some(most.saturating_sub(number("/sys/fs/cgroup/memory.current")?))
}

/// The first number of the line of a file that starts with a name.
fn field(file: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The report of a kernel's launch, with `allocated` bytes allocated, whose accesses did not fit in
/// the available room.
pub fn report(kernel: &Kernel, allocated: u64, room: u64) -> Report {
    let is_narrow = kernel.code.iter().any(|instruction| {
        let effect = instruction.op.row().effect;
        let accesses = matches!(effect, Effect::Load | Effect::Store | Effect::Atomic);
        let space = matches!(instruction.space, Space::Global | Space::Generic);
        accesses && space && instruction.width.bytes() < 4
    });
    let most = Checker::estimate(allocated, is_narrow);
    let mebibytes = |bytes: u64| bytes.div_ceil(1 << 20);
    let message = format!(
        "`--check races` has run out of memory: it takes up to {} MiB for {} MiB of device memory, besides the program's own; \
         the host had {} MiB free for it at the start",
        mebibytes(most),
        mebibytes(allocated),
        mebibytes(room),
    );
    Report::new(message).with_help(
        "check a smaller problem, or check without races: `--check init,barriers,lanes,leaks`",
    )
}
