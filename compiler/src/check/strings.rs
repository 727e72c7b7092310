//! The places of strings in host memory. Device code may pass their addresses on, so its
//! compilation needs them too.

/// The first byte of the first one: after the host's stack of 8 MiB and a gap.
pub const BASE: u32 = 0x8000_0000 + (8 << 20) + GAP;
/// Bytes that no one may access after each string.
pub const GAP: u32 = 256;
/// Addresses end here at the latest; a string that does not fit is refused when the program starts.
const END: u64 = u32::MAX as u64 - 0xFFFF;

/// The addresses of strings, each with its closing zero, and where they end.
pub fn addresses(strings: &[Vec<u8>]) -> (Vec<u32>, u64) {
    let mut end = u64::from(BASE);
    let place = |text: &Vec<u8>| {
        let at = end as u32;
        end = following(end, text.len() as u64 + 1);
        at
    };
    let addresses = strings.iter().map(place).collect();
    (addresses, end)
}

/// The first free address after `size` bytes.
pub fn following(at: u64, size: u64) -> u64 {
    at.saturating_add(size).saturating_add(u64::from(GAP)).min(END).next_multiple_of(16)
}
