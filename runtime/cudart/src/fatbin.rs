//! The containers of device code in programs ("fat binaries").
//!
//! A container is a head and entries: PTX, or machine code for one processor. The form is the one that nvcc 11 to 13 write;
//! nothing in it is trusted: every length is compared with the bytes that there are.

use std::io::Read;

/// The first word of a container.
const MAGIC: u32 = 0xBA55_ED50;
/// The first word of a program's note about one.
pub const WRAPPER: u32 = 0x4662_43B1;
/// The second word of a note about linked device code.
pub const LINKED: u32 = 2;
/// Bytes of a container's head and of the least head of an entry.
const HEAD: usize = 16;
const ENTRY: usize = 0x40;
/// The kinds of entries.
const PTX: u16 = 1;
/// Bits of an entry's flags: the compression.
const LZ4: u64 = 0x2000;
const ZSTD: u64 = 0x8000;
/// The most bytes of a text.
const MOST: u64 = 1 << 30;
/// The newest architecture whose instructions the table has, ten times the capability.
const NEWEST: u32 = 75;

/// A text of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The architecture that it was compiled for: 75 for `compute_75`.
    pub architecture: u32,
    /// PTX.
    pub ptx: String,
}

/// A fault of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is none, or is cut off.
    Corrupt(&'static str),
    /// It has machine code alone, for these architectures.
    MachineCode(Vec<u32>),
}

impl Fault {
    /// The sentence for people.
    pub fn sentence(&self) -> String {
        match self {
            Fault::Corrupt(why) => format!("the device code of this program cannot be read: {why}"),
            Fault::MachineCode(architectures) => {
                let names: Vec<String> =
                    architectures.iter().map(|it| format!("sm_{it}")).collect();
                format!(
                    "this program has device code as machine code alone ({})\n  the simulator runs PTX: compile with \
                     `-gencode arch=compute_75,code=compute_75`",
                    names.join(", ")
                )
            }
        }
    }
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

/// The bytes of a container from its first one; `None` if they are not the start of one.
pub fn length(bytes: &[u8]) -> Option<usize> {
    let (head, rest) = (half(bytes, 6)?, long(bytes, 8)?);
    (word(bytes, 0)? == MAGIC && usize::from(head) >= HEAD).then_some(())?;
    usize::try_from(rest).ok()?.checked_add(head.into())
}

/// The texts of a container, the one to be tried first at the beginning: the newest that the table of instructions covers,
/// then older ones, then newer ones.
///
/// # Errors
/// It is corrupt, or has no text.
pub fn texts(bytes: &[u8]) -> Result<Vec<Text>, Fault> {
    let all = length(bytes).ok_or(Fault::Corrupt("it does not start as a fat binary"))?;
    let bytes = bytes.get(..all).ok_or(Fault::Corrupt("it is longer than its memory"))?;
    let mut at = usize::from(half(bytes, 6).unwrap_or_default());
    let (mut found, mut machines) = (Vec::new(), Vec::new());
    while at < bytes.len() {
        let entry = bytes.get(at..).filter(|entry| entry.len() >= ENTRY);
        let entry = entry.ok_or(Fault::Corrupt("the head of an entry is cut off"))?;
        let head = word(entry, 4).unwrap_or_default() as usize;
        let size = long(entry, 8).and_then(|size| usize::try_from(size).ok());
        let end = size.and_then(|size| head.checked_add(size)).filter(|_| head >= ENTRY);
        let end = end.filter(|&end| end <= entry.len());
        let end = end.ok_or(Fault::Corrupt("an entry is longer than the fat binary"))?;
        let architecture = word(entry, 28).unwrap_or_default();
        match half(entry, 0) {
            Some(PTX) => found.push(Text { architecture, ptx: text(entry, head, end)? }),
            _ => machines.push(architecture),
        }
        at += end;
    }
    if found.is_empty() {
        return Err(match machines.is_empty() {
            true => Fault::Corrupt("it has no entry"),
            false => Fault::MachineCode(machines),
        });
    }
    found.sort_by_key(|text| match text.architecture <= NEWEST {
        true => (0, u32::MAX - text.architecture),
        false => (1, text.architecture),
    });
    Ok(found)
}

/// The text of an entry.
fn text(entry: &[u8], head: usize, end: usize) -> Result<String, Fault> {
    let flags = long(entry, 40).unwrap_or_default();
    let packed = word(entry, 16).unwrap_or_default() as usize;
    let size = long(entry, 56).unwrap_or_default();
    let body = &entry[head..end];
    if flags & (LZ4 | ZSTD) == 0 {
        return readable(body);
    }
    let body = body.get(..packed).ok_or(Fault::Corrupt("a compressed text is cut off"))?;
    if size > MOST {
        return Err(Fault::Corrupt("a compressed text states more than 1 GiB"));
    }
    let wrong = Fault::Corrupt("a compressed text cannot be decompressed");
    if flags & LZ4 != 0 {
        let text = lz4_flex::block::decompress(body, size as usize).map_err(|_| wrong)?;
        return readable(&text);
    }
    let decoder = ruzstd::decoding::StreamingDecoder::new(body).map_err(|_| wrong.clone())?;
    let mut text = Vec::new();
    decoder.take(size).read_to_end(&mut text).map_err(|_| wrong)?;
    readable(&text)
}

/// A text up to its end, which zeroes may fill up.
fn readable(bytes: &[u8]) -> Result<String, Fault> {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let text = std::str::from_utf8(&bytes[..end]);
    text.map(str::to_owned).map_err(|_| Fault::Corrupt("a text is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kind: u16, architecture: u32, body: &[u8], flags: u64, size: u64) -> Vec<u8> {
        let mut bytes = vec![0; ENTRY];
        bytes[..2].copy_from_slice(&kind.to_le_bytes());
        bytes[4..8].copy_from_slice(&(ENTRY as u32).to_le_bytes());
        bytes[8..16].copy_from_slice(&(body.len() as u64).to_le_bytes());
        bytes[16..20].copy_from_slice(&(body.len() as u32).to_le_bytes());
        bytes[28..32].copy_from_slice(&architecture.to_le_bytes());
        bytes[40..48].copy_from_slice(&flags.to_le_bytes());
        bytes[56..64].copy_from_slice(&size.to_le_bytes());
        bytes.extend(body);
        bytes
    }

    fn container(entries: &[Vec<u8>]) -> Vec<u8> {
        let body = entries.concat();
        let mut bytes = MAGIC.to_le_bytes().to_vec();
        bytes.extend([1, 0, HEAD as u8, 0]);
        bytes.extend((body.len() as u64).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    #[test]
    fn texts_are_found_in_the_order_of_trying() {
        let packed = lz4_flex::block::compress(b"newer");
        let bytes = container(&[
            entry(2, 90, &[1; 8], 0, 0),
            entry(PTX, 90, &packed, LZ4, 5),
            entry(PTX, 60, b"old\0\0\0", 0, 0),
            entry(PTX, 75, b"right", 0, 0),
        ]);
        let found = texts(&bytes).unwrap();
        let found: Vec<_> = found.iter().map(|it| (it.architecture, &*it.ptx)).collect();
        assert_eq!(found, [(75, "right"), (60, "old"), (90, "newer")]);
    }

    #[test]
    fn machine_code_alone_is_explained() {
        let fault = texts(&container(&[entry(2, 86, &[0; 8], 0, 0)])).unwrap_err();
        assert_eq!(fault, Fault::MachineCode(vec![86]));
        assert!(fault.sentence().contains("sm_86") && fault.sentence().contains("code=compute_75"));
    }

    /// No prefix and no changed byte of a container leads to more than a fault.
    #[test]
    fn corrupt_containers_are_faults() {
        let packed = lz4_flex::block::compress(b"a text that is repeated, a text that is repeated");
        let whole = container(&[entry(PTX, 75, &packed, LZ4, 48), entry(PTX, 60, b"b", ZSTD, 9)]);
        for end in 0..whole.len() {
            assert!(texts(&whole[..end]).is_err(), "{end}");
        }
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                let _ = texts(&bytes);
            }
        }
        assert!(texts(&[]).is_err());
    }
}
