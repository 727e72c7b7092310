//! The binary form of `format.txt` is that of this build: a change of it needs another version.

use reconverge_isa::binary::{
    CLASSES, FIELDS, SOURCE_KINDS, TAINTS, VERSION, VERSION_WITHOUT_HINTS,
    VERSION_WITHOUT_PLACEMENTS, decode, encode, version_of,
};
use reconverge_isa::table::TABLE;
use reconverge_isa::text::parse;
use reconverge_isa::{CacheHints, Queue, Space, Special, Width, hints};
use std::fmt::Write;
use std::path::PathBuf;

/// Programs that have each part of a container.
const SAMPLES: [&str; 5] = [
    ".variable \"v\" 0x10000000 8\n.image 0102030405060708\n.file \"a.cu\"\n.kernel k\n.param n 0 4\n.registers 2\n.literal 0x12\n\
     .shared 16\n.local 8\n.max_threads 64\n.loc 0 2 3\nmov.b32 r0, c[0] !uniform\n\
     ld.global.b32 r1, [r0+4] !volatile !cache cg,L2_128B,nc !last 0\nexit",
    ".kernel k\n.registers 4\n.long_lived 1\nadd.i32 r0, r1, 1 !region !preload r1 !erase r2 !evict 0\n@p0 bra L !reconverge L\n\
     add.i32 r0, r0, 1 !region !preload r0 !evict 0,result\nL: exit !region !erase r0",
    "mov.b32 r0, 1 !write lrf,main\nexit !strand",
    ".kernel k\n.registers 3\n.uniform 1\nld.global.b32 r0, [r1] !stall 2 !wr 0 !rd 1 !common\n\
     add.i32 r0, r0, r1 !stall 4 !yield !wait 0,1 !reuse 0,1\nexit",
    "A: ld.global.b32 r1, [r0] !hint loop-first A !hint loop-last B !hint stride scattered !hint locality poor\n\
     ld.global.b32 r1, [r0] !hint stride 12\nB: bra A",
];

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/format.txt")
}

/// Everything that a reader of the form relies on, a line each. New operations and names may follow at any time.
fn description() -> Vec<String> {
    let mut lines: Vec<String> = FIELDS
        .iter()
        .map(|field| format!("field {} {} {}", field.name, field.position, field.width))
        .collect();
    lines.extend(SOURCE_KINDS.iter().map(|(number, meaning)| format!("kind {number} {meaning}")));
    let mut numbered = |what: &str, names: Vec<&str>| {
        lines.extend(names.iter().zip(0..).map(|(name, number)| format!("{what} {number} {name}")));
    };
    numbered("class", CLASSES.iter().map(|(_, name)| *name).collect());
    numbered("taint", TAINTS.iter().map(|(_, name)| *name).collect());
    numbered("special", Special::ALL.iter().map(|(_, name)| *name).collect());
    numbered("queue", Queue::ALL.iter().map(|(_, name)| *name).collect());
    numbered("space", Space::ALL.iter().map(|(_, name)| *name).collect());
    numbered("width", Width::ALL.iter().map(|(_, name)| *name).collect());
    for name in CacheHints::all_names() {
        let mut cache = CacheHints::NONE;
        assert!(cache.add(name));
        lines.push(format!("cache {name}"));
    }
    for hint in hints::BUILT_IN {
        lines.push(format!("hint {} {:?}", hint.name, hint.values));
    }
    lines.extend(TABLE.iter().map(|row| format!("operation {} {}", row.opcode, row.mnemonic)));
    lines.extend(SAMPLES.iter().map(|text| {
        let program = parse(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        let bytes = encode(&program).expect("it is valid");
        let mut line = format!("container of version {} ", version_of(&program));
        for byte in bytes {
            write!(line, "{byte:02x}").expect("a string grows");
        }
        line
    }));
    lines
}

#[test]
fn a_change_of_the_binary_form_needs_another_version() {
    let now = description();
    let first = format!("version {VERSION}");
    let text = std::fs::read_to_string(path()).unwrap_or_default();
    let mut recorded = text.lines();
    if recorded.next() == Some(first.as_str()) {
        for line in recorded.by_ref() {
            assert!(
                now.iter().any(|other| other == line),
                "version {VERSION} of the binary form has had `{line}`, and this build has not: raise VERSION in \
                 spec/isa/src/binary.rs"
            );
        }
    }
    let expected = format!("{first}\n{}\n", now.join("\n"));
    if std::env::var_os("RECONVERGE_BLESS").is_some() {
        std::fs::write(path(), &expected).expect("it can be written");
        return;
    }
    assert!(
        text == expected,
        "spec/isa/tests/format.txt is stale; RECONVERGE_BLESS=1 cargo test -p reconverge-isa rewrites it"
    );
}

#[test]
fn recorded_containers_are_read() {
    let text = std::fs::read_to_string(path()).expect("it can be read");
    let containers = text.lines().filter_map(|line| line.strip_prefix("container of version "));
    let mut versions = Vec::new();
    for (line, sample) in containers.zip(SAMPLES) {
        let (version, hex) = line.split_once(' ').expect("a version and bytes");
        let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("it is hexadecimal");
        let bytes: Vec<u8> = (0..hex.len()).step_by(2).map(byte).collect();
        assert_eq!(decode(&bytes), Ok(parse(sample).expect("it is good")));
        versions.push(version.parse::<u32>().expect("a number"));
    }
    versions.sort_unstable();
    versions.dedup();
    assert_eq!(versions, [VERSION_WITHOUT_PLACEMENTS, VERSION_WITHOUT_HINTS, VERSION]);
}
