//! Values of a width in the bytes of a memory.

use reconverge_isa::Width;

/// Reads a value of a width, extended to 64 bits; 0 outside of the bytes. Sixteen bytes are read in halves: of them this
/// is the lower.
#[inline(always)]
pub(crate) fn read(bytes: &[u8], offset: usize, width: Width) -> u64 {
    fn take<const N: usize>(bytes: &[u8], offset: usize) -> [u8; N] {
        match bytes.get(offset..offset + N) {
            Some(slice) => slice.try_into().unwrap_or([0; N]),
            None => [0; N],
        }
    }
    match width {
        Width::U8 => u64::from(take::<1>(bytes, offset)[0]),
        Width::S8 => take::<1>(bytes, offset)[0] as i8 as u32 as u64,
        Width::U16 => u64::from(u16::from_le_bytes(take(bytes, offset))),
        Width::S16 => i16::from_le_bytes(take(bytes, offset)) as u32 as u64,
        Width::B32 => u64::from(u32::from_le_bytes(take(bytes, offset))),
        Width::B64 | Width::B128 => u64::from_le_bytes(take(bytes, offset)),
    }
}

/// Writes a value; whether that changed the memory.
#[inline(always)]
pub(crate) fn write(bytes: &mut [u8], offset: usize, width: Width, value: u64) -> bool {
    let new = value.to_le_bytes();
    let size = (width.bytes() as usize).min(new.len());
    match bytes.get_mut(offset..offset + size) {
        Some(old) if *old != new[..size] => {
            old.copy_from_slice(&new[..size]);
            true
        }
        _ => false,
    }
}

/// Writes consecutive words; whether that changed the memory. Inlined, it is not vectorised: then it is not known that the two do not
/// overlap.
#[inline(never)]
pub(crate) fn store_row(bytes: &mut [u8], row: &[u32]) -> bool {
    let mut differences = 0;
    for (word, bytes) in row.iter().zip(bytes.as_chunks_mut::<4>().0) {
        differences |= word ^ u32::from_le_bytes(*bytes);
        *bytes = word.to_le_bytes();
    }
    differences != 0
}
