//! Bytes of programs: nothing is lost, hostile bytes are refused.

use crate::common::{self, Random, program};
use reconverge_isa::binary::{FIELDS, decode, decode_instruction, encode, encode_instruction};
use reconverge_isa::control_bits::CONTROL_FIELDS;
use reconverge_isa::convergence::strip;
use reconverge_isa::placement::PLACEMENT_FIELDS;
use reconverge_isa::table::TABLE;
use reconverge_isa::text::{parse, print};
use reconverge_isa::*;

#[test]
fn fields_are_the_128_bits() {
    let mut next = 0;
    for field in FIELDS {
        assert_eq!(field.position, next, "{}", field.name);
        next += field.width;
    }
    assert_eq!(next, 128);
    for (index, row) in TABLE.iter().enumerate() {
        assert_eq!(row.op as usize, index);
        assert!(row.opcode < 1024, "{}", row.mnemonic);
        assert_eq!(Op::from_opcode(row.opcode), Some(row.op), "opcodes are unique");
        assert_eq!(Op::from_mnemonic(row.mnemonic), Some(row.op), "mnemonics are unique");
        assert!(row.sources.len() <= 3 && row.doc.ends_with('.'), "{}", row.mnemonic);
    }
}

#[test]
fn a_placement_has_one_word() {
    let mut next = 0;
    for field in PLACEMENT_FIELDS {
        assert_eq!(field.position, next, "{}", field.name);
        next += field.width;
    }
    let random = &mut Random::new(9);
    let mut good = 0;
    for _ in 0..100_000 {
        let word = random.bits() as u32;
        if let Some(placement) = Placement::of_word(word) {
            assert_eq!(placement.word(), word);
            good += 1;
        }
    }
    assert!(good > 100, "{good}");
}

#[test]
fn control_bits_have_one_word() {
    let mut next = 0;
    for field in CONTROL_FIELDS {
        assert_eq!(field.position, next, "{}", field.name);
        next += field.width;
    }
    let random = &mut Random::new(10);
    let mut good = 0;
    for _ in 0..100_000 {
        let word = random.bits() as u32 >> random.below(32);
        if let Some(bits) = ControlBits::of_word(word) {
            assert_eq!(bits.word(), word);
            good += 1;
        }
    }
    assert!(good > 100, "{good}");
}

#[test]
fn control_bits_obey_rules() {
    let faults = |code: &str| -> Vec<String> {
        let errors = parse(code).expect_err("it breaks a rule");
        errors.iter().map(|error| error.to_string()).collect()
    };
    let good = "ld.global.b32 r0, [r1] !stall 2 !wr 0 !rd 1 !common\nadd.i32 r0, r0, r1 !stall 4 !yield !wait 0,1 !reuse 0,1\n\
        @p0 bra L\ndepbar.le sb5, 63 !stall 4 !wait 2\nL: exit";
    let program = parse(good).expect("it is good");
    let load = ControlBits {
        stall: 2,
        write: Some(0),
        read: Some(1),
        common: true,
        ..ControlBits::default()
    };
    assert_eq!(program.kernels[0].control_bits(0), load);
    assert_eq!(program.kernels[0].control_bits(1).waits().collect::<Vec<_>>(), [0, 1]);
    assert_eq!(parse(&print(&program)).expect("it is good"), program);
    let bytes = encode(&program).expect("it is good");
    assert_eq!(decode(&bytes).expect("it is good"), program);
    assert_eq!(bytes[4], 2, "the section follows the kernels of any version");
    for (code, expected) in [
        ("exit !stall 16", "1:13: a stall count out of range (help: it lies between 0 and 15)"),
        (
            "mov.b32 r0, 1 !wr 6\nexit",
            "1:19: a dependence counter out of range (help: it lies between 0 and 5)",
        ),
        (
            "exit !wait 0,6",
            "1:14: a dependence counter out of range (help: it lies between 0 and 5)",
        ),
        ("exit !rd", "1:9: expected a dependence counter, found the end of the line"),
        ("exit !reuse 3", "1:13: a source's index out of range (help: it lies between 0 and 2)"),
        ("exit !wr 0", "1:1: it has no result, so no counter can fall when that is written"),
        (
            "mov.b32 r0, 1 !rd 0\nexit",
            "1:1: it reads no register, so no counter can fall when that is read",
        ),
        (
            "add.i32 r0, r1, r1 !common\nexit",
            "1:1: it accesses no address in a register that threads could have in common",
        ),
        ("mov.b32 r0, 1 !reuse 0\nexit", "1:1: source 0 is no general register to be reused"),
        (
            "bssy b0, L !stall 2\nL: bsync b0\nexit",
            "1:1: machines may leave `bssy` and `bsync` out, so they have no control bits",
        ),
        ("depbar.le sb6, 0\nexit", "1:11: expected a dependence counter, sb0 to sb5, found `sb6`"),
        ("depbar.le sb0, 64\nexit", "1:1: a limit of 64; counters end at 63"),
        ("depbar.le sb0, r0\nexit", "1:1: the limit of `depbar.le` is an immediate"),
        ("@p0 depbar.le sb0, 0\nexit", "1:1: `depbar.le` takes no guard"),
    ] {
        assert_eq!(faults(code), [expected], "{code}");
    }
    // Words and counts that no text can state.
    let mut other = program.clone();
    other.kernels[0].record.control_bits[4].wait = 1 << 6;
    let fault = &encode(&other).expect_err("it breaks a rule")[0];
    assert_eq!(fault.message, "there is no counter 6; dependence counters end at 5");
    other.kernels[0].record.control_bits.pop();
    let fault = &encode(&other).expect_err("it breaks a rule")[0];
    assert_eq!(fault.message, "4 sets of control bits for 5 instructions");
    let mut hostile = bytes.clone();
    *hostile.last_mut().expect("it has bytes") = 1;
    let fault = decode(&hostile).expect_err("the highest bits mean nothing").to_string();
    assert!(fault.ends_with("has bits that are no control bits"), "{fault}");
    hostile.truncate(bytes.len() - 4);
    assert!(decode(&hostile).is_err(), "a word is missing");
}

#[test]
fn control_bits_stay_where_barriers_are_removed() {
    let text =
        "add.i32 r0, r0, 1 !stall 4\nbssy b0, L\n@p0 bra L !wait 0\nL: bsync b0\nexit !stall 3";
    let stripped = strip(&parse(text).expect("it is good").kernels[0]).expect("it has barriers");
    let stalls: Vec<u8> = stripped.kernel.record.control_bits.iter().map(|it| it.stall).collect();
    assert_eq!(stalls, [4, 0, 3]);
}

#[test]
fn levels_of_registers_obey_rules() {
    let faults = |code: &str| -> Vec<String> {
        let errors = parse(code).expect_err("it breaks a rule");
        errors.iter().map(|error| error.to_string()).collect()
    };
    let many = "add.i32 r0, r1, 1 !read _,lrf\n@p0 mov.b32 r0, 1 !write orf0\n\
        add.i64 r0:1, r2:3, 1 !read lrf !write orf31\nld.global.b128 r4:7, [r0] !write orf0\nexit";
    assert_eq!(
        faults(many),
        [
            "1:1: source 1 is no general register and has no level",
            "2:1: a result under a guard is kept in the main register file",
            "3:1: source 0 has 2 registers; the last result file has one",
            "3:1: the result: entries of the operand register file end at 31",
            "4:1: the result has four registers, which are in the main register file",
        ]
    );
    assert_eq!(
        faults("mov.b32 r0, 1 !write main,main\nexit"),
        ["1:1: the result is in the main register file anyway"]
    );
    assert_eq!(
        faults("mov.b32 r0, r1 !read orf32\nexit"),
        ["1:22: there is no level `orf32` (help: there are main, lrf and orf0 to orf31)"]
    );
    let program = parse("mov.b32 r0, 1 !write lrf,main\nexit !strand").expect("it is good");
    let bytes = encode(&program).expect("it is good");
    assert_eq!(bytes[4], 3);
    let mut older = bytes.clone();
    older[4] = 2;
    assert!(decode(&older).is_err(), "the levels are too much");
    // Default values are not written.
    let program = parse("mov.b32 r0, 1 !read _ !write main\nexit").expect("it is good");
    assert!(program.kernels[0].record.placements.is_empty());
    let mut bytes = encode(&program).expect("it is good");
    assert_eq!(bytes[4], 2);
    bytes[4] = 3;
    bytes.extend([0; 16]);
    assert_eq!(
        decode(&bytes).expect_err("one program has one form").to_string(),
        "byte 0x4: version 3; the contents are of version 2"
    );
}

#[test]
fn regions_obey_rules() {
    let faults = |code: &str| -> Vec<String> {
        let errors = parse(code).expect_err("it breaks a rule");
        errors.iter().map(|error| error.to_string()).collect()
    };
    let good = ".kernel k\n.registers 4\nadd.i32 r0, r1, 1 !region !preload r1 !erase r2 !evict 0\n@p0 bra L !reconverge L\n\
        add.i32 r0, r0, 1 !region !preload r0 !evict 0,result\nL: exit !region !erase r0";
    let program = parse(good).expect("it is good");
    assert_eq!(encode(&program).expect("it is good")[4], 3);
    assert_eq!(parse(&print(&program)).expect("it is good"), program);
    for (code, expected) in [
        (
            "mov.b32 r0, 1\nexit !region",
            "regions stand in the order of the code, from its first instruction on",
        ),
        ("mov.b32 r0, 1 !evict result\nexit", "it has evictions without regions"),
        ("add.i32 r0, r1, 1 !region\nexit", "r1 is read, and neither preloaded nor written before"),
        (
            "add.i32 r0, r1, 1 !region !preload r1 !evict 0\nadd.i32 r0, r1, 1\nexit",
            "r1 is read, and neither preloaded nor written before",
        ),
        (
            "mov.b32 r0, 1 !region !evict result\nmov.b32 r0, 1\nexit",
            "r0 is written after it was evicted",
        ),
        ("mov.b32 r0, 1 !region !evict 0\nexit", "source 0 is no general register to be evicted"),
        ("exit !region !evict result", "there is no such general register to be evicted"),
        (
            "mov.b32 r1, 1 !region !preload r1,r0\nexit",
            "what a region preloads are registers of the kernel, in order",
        ),
        (
            "mov.b32 r1, 1 !region !erase r2\nexit",
            "what a region erases are registers of the kernel, in order",
        ),
        ("mov.b32 r1, 1 !region !preload r1 !erase r1\nexit", "r1 is both preloaded and erased"),
        ("@p0 bra L !region !reconverge L\nL: exit", "control comes here: a region begins here"),
        ("@p0 bra L !region\nexit\nL: exit !region", "a region ends with a branch or an exit"),
        (".kernel k\n.registers 1\n.long_lived 2\nexit", "more registers live long than there are"),
        (".kernel k\n.registers 1\n.uniform 2\nexit", "2 registers are uniform; at most 1 can be"),
        (
            ".kernel k\n.registers 2\n.uniform 1\nadd.i32 r1, r0, 1\nexit",
            "r1 is uniform: only integer words and loads of constants without a guard are written to it, from sources \
             that are uniform too",
        ),
        (
            ".kernel k\n.registers 2\n.uniform 1\nmov.b32 r1, tid.x\nexit",
            "r1 is uniform: only integer words and loads of constants without a guard are written to it, from sources \
             that are uniform too",
        ),
        (
            ".kernel k\n.registers 2\n.uniform 1\nmov.b64 r0:1, 4\nexit",
            "the registers from r0 on are uniform in part",
        ),
        (
            ".kernel k\n.registers 4\n.uniform 1\nst.global.b64 [r0], r2:3\nexit",
            "source 1 has 2 registers, which are not uniform",
        ),
    ] {
        let found = faults(code);
        assert!(found.iter().any(|fault| fault.ends_with(expected)), "{code}: {found:?}");
    }
    let errors = faults("exit !region !preload x0\nexit !evict 3");
    assert_eq!(
        errors,
        ["1:23: there is no register `x0`", "2:13: there are sources 0 to 2 and `result`"]
    );
}

#[test]
fn without_convergence_barriers_regions_begin_where_they_did() {
    let text = ".kernel k\n.registers 4\n@p0 bra L !region\nbssy b0, L !region !erase r1\nadd.i32 r0, r0, 1 !region !preload r0 !evict 0\n\
        L: bsync b0 !region !erase r2\nexit !region !preload r0";
    let stripped = strip(&parse(text).expect("it is good").kernels[0]).expect("it has barriers");
    let regions = stripped.kernel.record.regions;
    assert_eq!(regions.iter().map(|it| it.start).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!((&regions[1].erasures[..], &regions[1].preloads[..]), (&[1][..], &[0][..]));
    assert_eq!((&regions[2].erasures[..], &regions[2].preloads[..]), (&[2][..], &[0][..]));
    assert_eq!(stripped.kernel.record.evictions, [0, 1, 0]);
}

#[test]
fn without_convergence_barriers_strands_begin_where_they_did() {
    let text =
        "@p0 bra L\nbssy b0, L !strand\nadd.i32 r0, r0, 1 !write lrf\nL: bsync b0\nexit !strand";
    let stripped = strip(&parse(text).expect("it is good").kernels[0]).expect("it has barriers");
    let strands: Vec<bool> = stripped.kernel.record.placements.iter().map(|it| it.strand).collect();
    assert_eq!(strands, [false, true, true]);
    assert_eq!(stripped.kernel.placement(1).result, RegisterLevel::LastResult);
}

#[test]
fn every_operation_survives_encoding() {
    let random = &mut Random::new(3);
    for row in TABLE {
        for _ in 0..100 {
            let mut this = common::instruction(random, row.op, 1 << 20, 1 << 15);
            if random.chance(3) {
                let site = random.below(255) as u8;
                common::dequeue(random, &mut this, site);
            }
            assert_eq!(decode_instruction(encode_instruction(&this)), Ok(this));
        }
    }
}

#[test]
fn random_programs_survive_text_and_bytes() {
    for seed in 1000..1300 {
        let program = program(seed);
        let bytes = encode(&program).expect("it is valid");
        let decoded = decode(&bytes).expect("it was encoded");
        assert_eq!(decoded, program, "seed {seed}");
        let read = parse(&print(&decoded)).expect("it was printed");
        assert_eq!(encode(&read).expect("it is valid"), bytes, "seed {seed}");
    }
}

#[test]
fn random_bits_decode_to_one_encoding() {
    let random = &mut Random::new(5);
    let mut good = 0;
    for _ in 0..300_000 {
        let row = random.pick(TABLE);
        let mut base = common::instruction(random, row.op, 100, 1000);
        if random.chance(3) {
            common::dequeue(random, &mut base, 7);
        }
        let base = encode_instruction(&base);
        let bits = base ^ 1 << random.below(128) ^ 1 << random.below(128);
        if let Ok(this) = decode_instruction(bits) {
            good += 1;
            assert_eq!(encode_instruction(&this), bits);
        }
    }
    assert!(good > 1000, "{good}");
}

#[test]
fn faults_are_told_at_their_byte() {
    let program = parse("add.i32 r1, r2, r3\nexit").expect("it is good");
    let bytes = encode(&program).expect("it is valid");
    let code = bytes.len() - 2 * 16 - 4 - 2 * 12;
    let told = |change: fn(&mut Vec<u8>, usize)| {
        let mut bytes = bytes.clone();
        change(&mut bytes, code);
        decode(&bytes).expect_err("it is faulty").to_string()
    };
    assert_eq!(told(|bytes, _| bytes[0] = 0), "byte 0x0: it does not begin with RCVG");
    assert_eq!(told(|bytes, _| bytes[4] = 9), "byte 0x4: version 9; only 2 to 4 are known");
    assert_eq!(
        told(|bytes, _| bytes[8..12].fill(0xff)),
        "byte 0x8: too few bytes for 4294967295 items"
    );
    assert!(told(|bytes, _| bytes.push(0)).ends_with("bytes follow the program"));
    assert!(
        told(|bytes, _| bytes.truncate(bytes.len() - 1)).ends_with("too few bytes for 2 items")
    );
    assert!(told(|bytes, code| bytes[code + 15] = 0xff).ends_with("unknown opcode 0x3fc"));
    assert!(
        told(|bytes, code| bytes[code + 14] |= 0x10)
            .ends_with("bits of field queue are set that the operation does not use")
    );
    assert!(
        told(|bytes, code| bytes[code] = 1)
            .ends_with("bits of field immediate are set that the operation does not use")
    );
    let fault = told(|bytes, code| bytes[code + 10] = 77);
    let place = format!("byte {code:#x}: r77 is used, but the kernel has 4 registers");
    assert_eq!(fault, place);
}

#[test]
fn hostile_bytes_never_panic() {
    let random = &mut Random::new(9);
    for seed in 0..40 {
        let bytes = encode(&program(seed)).expect("it is valid");
        for end in 0..bytes.len().min(600) {
            if let Ok(program) = decode(&bytes[..end]) {
                // The sections behind the kernels may be left out.
                assert_eq!(encode(&program).expect("it is valid"), bytes[..end]);
            }
        }
        for _ in 0..400 {
            let mut bytes = bytes.clone();
            for _ in 0..1 + random.below(4) {
                let at = random.below(bytes.len() as u32) as usize;
                let any = random.bits() as u8;
                bytes[at] = random.pick(&[0, 1, 0x7f, 0x80, 0xff, any]);
            }
            if let Ok(program) = decode(&bytes) {
                assert_eq!(encode(&program), Ok(bytes));
            }
        }
    }
    for _ in 0..2000 {
        let bytes: Vec<u8> = (0..random.below(64)).map(|_| random.bits() as u8).collect();
        assert!(decode(&bytes).is_err());
    }
}

#[test]
fn invalid_programs_are_not_encoded() {
    let mut program = parse("add.i32 r1, r2, r3\nexit").expect("it is good");
    program.kernels[0].code[0].sources[1] = Operand::None;
    let faults = encode(&program).expect_err("a source is missing");
    assert_eq!(faults[0].to_string(), "kernel 0, instruction 0: source 1 is missing");
}

#[test]
fn cache_hints_survive_text_and_bytes() {
    for name in CacheHints::all_names() {
        let uses = |store: bool| match store {
            false => format!("ld.global.b32 r1, [r0] !cache {name}\nexit"),
            true => format!("@p0 st.global.b128 [r0], r4:7 !volatile !cache {name}\nexit"),
        };
        let readable = [false, true].map(|store| match parse(&uses(store)) {
            Ok(program) => {
                let cache = program.kernels[0].code[0].annotations.cache;
                assert_eq!(cache.names().collect::<Vec<_>>(), [name]);
                let bytes = encode(&program).expect("it is valid");
                assert_eq!(decode(&bytes).as_ref(), Ok(&program));
                assert_eq!(parse(&print(&program)).as_ref(), Ok(&program));
                true
            }
            Err(errors) => {
                let expected = format!("1:1: it cannot have the cache hints `{name}`");
                assert_eq!(errors[0].to_string(), expected);
                false
            }
        });
        let of_loads = matches!(name, "ca" | "lu" | "cv" | "L2_64B" | "L2_128B" | "L2_256B" | "nc");
        assert_eq!(readable, [!matches!(name, "wb" | "wt"), !of_loads], "{name}");
    }
    let several = "ld.b32 r1, [r0] !raw !cache nc,L2_256B,L1_evict_last,L2_evict_first\nexit";
    let several = parse(several).expect("it is good");
    assert!(print(&several).contains(" !raw !cache L1_evict_last,L2_evict_first,L2_256B,nc\n"));
    assert_eq!(decode(&encode(&several).expect("it is valid")).as_ref(), Ok(&several));
    for code in [
        "ld.b32 r1, [r0] !cache cg,L1_evict_last\nexit",
        "ld.b32 r1, [r0] !cache nc,nc\nexit",
        "ld.b32 r1, [r0] !cache cx\nexit",
    ] {
        let errors = parse(code).expect_err("it is no other hint");
        assert!(errors[0].to_string().contains("is not another cache hint"), "{}", errors[0]);
    }
    let fence = parse("fence 1 !cache cg\nexit").expect_err("it accesses nothing");
    assert_eq!(fence[0].to_string(), "1:1: it cannot have the cache hints `cg`");
    // Numbers 13 to 15 are of no operator.
    let load = several.kernels[0].code[0];
    let bits = encode_instruction(&Instruction { annotations: Annotations::default(), ..load });
    let source2 = FIELDS.iter().find(|field| field.name == "source2").expect("a field");
    assert!(decode_instruction(bits | 12 << source2.position).is_ok());
    assert_eq!(
        decode_instruction(bits | 13 << source2.position),
        Err("field source2 holds 13".to_owned())
    );
}

const ORDER: &str = "hints stand in the order of the code, and of their names";

#[test]
fn hints_survive_text_and_bytes() {
    let text = "A: ld.global.b32 r1, [r0] !hint loop-first A !hint loop-last B !hint stride scattered !hint locality poor\n\
                ld.global.b32 r1, [r0] !hint stride 12 !hint loop-first A !hint loop-last B\n\
                ld.local.b32 r1, [r0] !hint stride same !hint locality good\n B: bra A";
    let program = parse(text).expect("it is good");
    let hints = |program: &Program| {
        let code = program.kernels[0].code.iter().map(|load| load.hints);
        code.map(|it| (it.around(), it.pattern(), it.locality())).collect::<Vec<_>>()
    };
    let around = Some((0, 3));
    let expected = [
        (around, Some(AccessPattern::Scattered), Some(Locality::Poor)),
        (around, Some(AccessPattern::Apart(12)), None),
        (None, Some(AccessPattern::Same), Some(Locality::Good)),
        (None, None, None),
    ];
    assert_eq!(hints(&program), expected);
    let earlier = "A: ld.global.b32 r1, [r0] !loop A B !scattered !poor\n ld.global.b32 r1, [r0] !loop A B !apart 12\n\
                   ld.local.b32 r1, [r0] !same !good\n B: bra A";
    assert_eq!(parse(earlier).as_ref(), Ok(&program), "text of earlier versions");
    let bytes = encode(&program).expect("it is valid");
    assert_eq!(decode(&bytes).as_ref(), Ok(&program));
    assert_eq!(parse(&print(&program)).as_ref(), Ok(&program));
    // Without hints there is no section, and the version is an earlier one with fewer parts.
    let mut bare = program.clone();
    bare.kernels[0].code.iter_mut().for_each(|load| load.hints = Hints::NONE);
    let without = encode(&bare).expect("it is valid");
    assert_eq!((bytes[4], without[4]), (4, 2));
    let section = bytes.windows(4).position(|it| it == b"HINT").expect("a section");
    // Its tag, a count and four names, a count and nine hints of four words.
    let names = 4 + 4 * 4 + "locality".len() + "loop-first".len() + "loop-last".len() + 6;
    let first = section + 4 + names + 4;
    assert_eq!(bytes.len(), first + 9 * 16);
    let told = |at: usize, word: u32| {
        let mut bytes = bytes.clone();
        bytes[at..][..4].copy_from_slice(&word.to_le_bytes());
        decode(&bytes).expect_err("it is faulty").to_string()
    };
    assert_eq!(told(section, 0), format!("byte {section:#x}: bytes follow the program"));
    let count = first - 4;
    assert_eq!(told(count, 10), format!("byte {count:#x}: too few bytes for 10 items"));
    assert_eq!(told(first, 1), format!("byte {first:#x}: the hint is of no instruction"));
    assert_eq!(told(first + 8, 1), format!("byte {:#x}: {ORDER}", first + 16));
    assert!(
        told(first + 12, 7).contains("hint `locality` cannot be 7; it is a number from 0 to 2")
    );
    let place = told(first + 2 * 16 + 12, 9);
    assert!(place.ends_with("a hint names an instruction outside the kernel"), "{place}");
    assert!(told(first + 8 * 16 + 4, 3).ends_with("only loads have `!hint stride`"));
    let mut unknown = bytes.clone();
    unknown[section + 12] = b'a';
    let why = decode(&unknown).expect_err("it is faulty").to_string();
    assert!(why.contains("there is no hint `aocality`; did you mean `locality`?"), "{why}");
    let random = &mut Random::new(11);
    for _ in 0..20_000 {
        let mut bytes = bytes.clone();
        for _ in 0..1 + random.below(4) {
            let at = section + random.below((bytes.len() - section) as u32) as usize;
            bytes[at] = random.pick(&[0, 1, 2, 3, 0x7f, 0xff]);
        }
        if let Ok(program) = decode(&bytes) {
            assert_eq!(encode(&program), Ok(bytes));
        }
    }
}
