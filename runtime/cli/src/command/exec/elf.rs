//! Shared libraries without code: a name, a symbol version, and the library that has the functions.
//!
//! The form is that of the System V ABI, chapters 4 and 5, and of the GNU extensions for symbol versions. The file is one
//! loaded segment of read-only data, with a dynamic section that names the strings, an empty symbol table and the version.

/// A library to be made.
#[derive(Clone, Copy, Debug)]
pub struct Shared {
    /// Its name, also the one that the loader compares.
    pub name: &'static str,
    /// The symbol version that it defines.
    pub version: Option<&'static str>,
}

/// The processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// x86-64.
    X86 = 62,
    /// aarch64.
    Arm = 183,
}

/// Bytes of the head, of an entry of the program table, and of a symbol.
const HEAD: u64 = 64;
const SEGMENT: u64 = 56;
const SYMBOL: u64 = 24;
/// The pages that segments are aligned to: 64 KiB suits every page size of both processors.
const PAGE: u64 = 0x1_0000;

/// Entries of the dynamic section.
const NEEDED: u64 = 1;
const HASH: u64 = 4;
const STRINGS: u64 = 5;
const SYMBOLS: u64 = 6;
const STRINGS_SIZE: u64 = 10;
const SYMBOL_SIZE: u64 = 11;
const OWN_NAME: u64 = 14;
const VERSION_OF: u64 = 0x6fff_fff0;
const VERSIONS: u64 = 0x6fff_fffc;
const VERSION_COUNT: u64 = 0x6fff_fffd;

/// Strings, one after the other, each with its end.
struct Strings(Vec<u8>);

impl Strings {
    fn add(&mut self, text: &str) -> u64 {
        let at = self.0.len() as u64;
        self.0.extend(text.bytes());
        self.0.push(0);
        at
    }
}

/// The hash of a name in the tables of symbols and versions.
fn hash(name: &str) -> u32 {
    name.bytes().fold(0, |hash: u32, byte| {
        let sum = (hash << 4).wrapping_add(byte.into());
        let high = sum & 0xf000_0000;
        (sum ^ high >> 24) & !high
    })
}

/// The definition of one version: its index, its name with the place among the strings, and the bytes to the next one.
fn definition(index: u16, name: &str, at: u64, next: u32) -> Vec<u8> {
    // The first one is the library itself.
    let halves: [u16; 4] = [1, u16::from(index == 1), index, 1];
    let words: [u32; 5] = [hash(name), 20, next, at as u32, 0];
    let halves = halves.iter().flat_map(|half| half.to_le_bytes());
    halves.chain(words.iter().flat_map(|word| word.to_le_bytes())).collect()
}

/// The bytes of a library that depends on `needed`, a path.
pub fn image(shared: &Shared, needed: &str, machine: Machine) -> Vec<u8> {
    let mut strings = Strings(vec![0]);
    let (own, needed) = (strings.add(shared.name), strings.add(needed));
    let mut versions = Vec::new();
    if let Some(version) = shared.version {
        let name = strings.add(version);
        versions.extend(definition(1, shared.name, own, 28));
        versions.extend(definition(2, version, name, 0));
    }
    strings.0.resize(strings.0.len().next_multiple_of(8), 0);
    let symbols = HEAD + 2 * SEGMENT;
    let hashes = symbols + SYMBOL;
    // One bucket, one symbol: the empty one.
    let buckets: [u32; 4] = [1, 1, 0, 0];
    let defined = hashes + 16;
    // The version of each symbol: the empty one has none.
    let table = defined + versions.len() as u64;
    let texts = (table + 2).next_multiple_of(8);
    let dynamic = texts + strings.0.len() as u64;
    let mut entries = vec![
        [NEEDED, needed],
        [OWN_NAME, own],
        [HASH, hashes],
        [STRINGS, texts],
        [SYMBOLS, symbols],
        [STRINGS_SIZE, strings.0.len() as u64],
        [SYMBOL_SIZE, SYMBOL],
    ];
    if !versions.is_empty() {
        entries.extend([[VERSION_OF, table], [VERSIONS, defined], [VERSION_COUNT, 2]]);
    }
    entries.push([0, 0]);
    let end = dynamic + 16 * entries.len() as u64;
    let mut bytes = head(machine);
    bytes.extend(segment(1, 6, 0, end, PAGE));
    bytes.extend(segment(2, 6, dynamic, end - dynamic, 8));
    bytes.resize(hashes as usize, 0);
    bytes.extend(buckets.iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend(versions);
    bytes.resize(texts as usize, 0);
    bytes.extend(strings.0);
    bytes.extend(entries.iter().flatten().flat_map(|word| word.to_le_bytes()));
    bytes
}

fn head(machine: Machine) -> Vec<u8> {
    let mut bytes = b"\x7fELF\x02\x01\x01".to_vec();
    bytes.resize(16, 0);
    // A shared library.
    for half in [3, machine as u16] {
        bytes.extend(half.to_le_bytes());
    }
    bytes.extend(1u32.to_le_bytes());
    for word in [0, HEAD, 0] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(0u32.to_le_bytes());
    for half in [HEAD as u16, SEGMENT as u16, 2, 64, 0, 0] {
        bytes.extend(half.to_le_bytes());
    }
    bytes
}

/// An entry of the program table; the loader writes to the dynamic section, so all is writable.
fn segment(kind: u32, flags: u32, start: u64, size: u64, align: u64) -> Vec<u8> {
    let mut bytes: Vec<u8> = [kind, flags].iter().flat_map(|word| word.to_le_bytes()).collect();
    for word in [start, start, start, size, size, align] {
        bytes.extend(word.to_le_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `_dl_elf_hash` of the C library has these values.
    #[test]
    fn names_have_the_hashes_of_the_abi() {
        assert_eq!(hash(""), 0);
        assert_eq!(hash("printf"), 0x077905a6);
        assert_eq!(hash("GLIBC_2.2.5"), 0x09691a75);
    }

    #[test]
    fn the_parts_lie_where_the_dynamic_section_says() {
        let shared = Shared { name: "libx.so.1", version: Some("x.1") };
        let bytes = image(&shared, "/lib/liby.so", Machine::X86);
        let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        let dynamic = word(HEAD as usize + SEGMENT as usize + 8) as usize;
        let entries = bytes[dynamic..].chunks_exact(16);
        let value = |tag: u64| {
            let mut found = entries.clone().filter(|it| it[..8] == tag.to_le_bytes());
            found.next().map(|it| u64::from_le_bytes(it[8..].try_into().unwrap()) as usize)
        };
        let text = |at: usize| {
            let rest = &bytes[value(STRINGS).unwrap() + at..];
            std::str::from_utf8(rest.split(|&byte| byte == 0).next().unwrap()).unwrap()
        };
        assert_eq!(text(value(NEEDED).unwrap()), "/lib/liby.so");
        assert_eq!(text(value(OWN_NAME).unwrap()), "libx.so.1");
        assert_eq!(word(HEAD as usize + 32), bytes.len() as u64);
        let versions = value(VERSIONS).unwrap();
        assert_eq!(bytes[versions + 28 + 8..versions + 28 + 12], hash("x.1").to_le_bytes());
    }
}
