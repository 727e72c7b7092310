//! Device code in the form that the library reads: a container with one text (`runtime/cudart/src/fatbin.rs`).

/// Bytes of the head of the container, and of its entry.
const HEAD: u16 = 16;
const ENTRY: u32 = 64;
/// `compute_75`, and an entry that is PTX.
const ARCHITECTURE: u32 = 75;
const PTX: u16 = 1;

/// The container of a text.
pub fn container(ptx: &[u8]) -> Vec<u8> {
    let mut text = ptx.to_vec();
    text.push(0);
    text.resize(text.len().next_multiple_of(8), 0);
    let mut entry = vec![0; ENTRY as usize];
    entry[..2].copy_from_slice(&PTX.to_le_bytes());
    entry[4..8].copy_from_slice(&ENTRY.to_le_bytes());
    entry[8..16].copy_from_slice(&(text.len() as u64).to_le_bytes());
    entry[28..32].copy_from_slice(&ARCHITECTURE.to_le_bytes());
    let mut bytes = 0xBA55_ED50u32.to_le_bytes().to_vec();
    bytes.extend(1u16.to_le_bytes());
    bytes.extend(HEAD.to_le_bytes());
    bytes.extend(((entry.len() + text.len()) as u64).to_le_bytes());
    bytes.extend(entry);
    bytes.extend(text);
    bytes
}
