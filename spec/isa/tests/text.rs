//! Text of programs: nothing is lost, every fault has its place, nothing panics.

use crate::common::{Random, program};
use reconverge_isa::text::{list_kernel, parse, print};
use reconverge_isa::*;

use reconverge_isa::spec::EXAMPLE as SAXPY;

fn faults(text: &str) -> Vec<String> {
    let errors = parse(text).expect_err("the text is faulty");
    errors.iter().map(ToString::to_string).collect()
}

fn one(code: &str) -> Instruction {
    let program = parse(&format!("{code}\nL: exit")).unwrap_or_else(|errors| panic!("{errors:?}"));
    program.kernels[0].code[0]
}

#[test]
fn saxpy_reads_and_prints_the_same() {
    let program = parse(SAXPY).expect("it is good");
    assert_eq!(print(&program), SAXPY);
    assert_eq!(program.kernels[0].parameter_bytes, 24);
}

#[test]
fn random_programs_survive_text() {
    for seed in 0..400 {
        let program = program(seed);
        assert_eq!(validate(&program), [], "seed {seed}");
        let text = print(&program);
        match parse(&text) {
            Ok(read) => assert_eq!(read, program, "seed {seed}\n{text}"),
            Err(errors) => panic!("seed {seed}: {errors:?}\n{text}"),
        }
    }
}

#[test]
fn uniform_registers_survive_text_and_binary() {
    let text = ".kernel k\n.registers 3\n.uniform 1\nmov.b32 r2, ctaid.x\nadd.i32 r0, r1, r2\nexit";
    let program = parse(text).expect("it is good");
    assert_eq!(program.kernels[0].first_uniform(), 2);
    assert_eq!(parse(&print(&program)).expect("it is good"), program);
    let bytes = reconverge_isa::binary::encode(&program).expect("it is good");
    assert_eq!(reconverge_isa::binary::decode(&bytes).expect("it is good"), program);
}

#[test]
fn operand_forms() {
    assert_eq!(one("mov.b32 r1, -1").sources[0], Operand::Imm(u32::MAX));
    assert_eq!(one("mov.b32 r1, 4294967295").sources[0], Operand::Imm(u32::MAX));
    assert_eq!(one("mov.b32 r1, 0f3f800000").sources[0], Operand::Imm(0x3f80_0000));
    assert_eq!(one("add.f32 r1, r2, 1").sources[1], Operand::Imm(0x3f80_0000));
    assert_eq!(one("add.f32 r1, r2, -1.5e-3").sources[1], Operand::Imm((-1.5e-3f32).to_bits()));
    assert_eq!(one("add.f32 r1, r2, 0f7f800000").sources[1], Operand::Imm(0x7f80_0000));
    assert_eq!(one("add.f64 r0:1, r2:3, 0.5").sources[1], Operand::Imm(0x3fe0_0000));
    assert_eq!(one("add.i64 r0:1, r2:3, -0x10").sources[1], Operand::Imm(-16i32 as u32));
    assert_eq!(one("ld.u8 r1, [0x10000000]").sources[0], Operand::Imm(GLOBAL_BASE));
    let atomic = one("atom.cas.b32.shared _, [r1-4], r2, r3");
    assert_eq!((atomic.dest, atomic.space, atomic.offset), (Dest::None, Space::Shared, -4));
    let pair = one("ld.global.b32 r0, [r2:3+16]");
    assert_eq!((pair.pair_address, pair.offset, pair.registers_needed()), (true, 16, 4));
    assert_eq!(pair.to_string(), "ld.global.b32 r0, [r2:3+16]");
    let branch = one("@!p3 bra L !reconverge L !uni !D");
    assert_eq!(branch.to_string(), "@!p3 bra L1 !reconverge L1 !uni !D");
    assert_eq!(one("sel.b64 r0:1, !p1, c[8], r2:3").to_string(), "sel.b64 r0:1, !p1, c[8], r2:3");
}

#[test]
fn what_is_not_said_is_computed() {
    let program = parse("st.global.b64 [c[16]+8], r6:7\n@p2 exit\nexit").expect("it is good");
    let kernel = &program.kernels[0];
    assert_eq!((kernel.registers, kernel.predicates, kernel.parameter_bytes), (8, 3, 20));
    assert_eq!(kernel.name, "kernel");
}

#[test]
fn every_fault_is_told_with_its_place() {
    let text = "\
addd.i32 r1, r2, r3
add.i32 r1, r2
add.i64 r1, r2:3, r4:5
add.i64 r1:2, r2:3, r4:5
add.i32 r1, c[0], 5
bra nowhere
ld.global.b32 r1, [r2+99999999]
st.const.b32 [r2], r1
add.i32 r1, r2, tid.x
add.f64 r0:1, r2:3, 0.1
mov.b32 r1, 5000000000 // too much
mov.b32 r255, 1
@p15 exit
exit !reconverge L4
mov.b32 r1, 1 !last 0
?
.regsters 4
mov.b32 r1, \"open
add.i32 _, r1, r2
exit exit";
    assert_eq!(
        faults(text),
        [
            "1:1: unknown instruction `addd.i32` (help: did you mean `add.i32`?)",
            "2:15: expected `,`, found the end of the line",
            "3:9: expected a pair of registers (help: write r1:2)",
            "4:1: r1 begins a pair, but pairs begin at even registers",
            "5:1: more than one source is an immediate or a constant",
            "6:5: there is no label `nowhere` in the kernel",
            "7:23: an offset out of range (help: it lies between -8388608 and 8388607)",
            "8:1: constant memory cannot be written",
            "9:1: only mov.b32 reads a special value",
            "10:21: the value has more bits than an immediate (help: put it into the literal pool and read c[offset])",
            "11:13: an immediate out of range (help: it lies between -2147483648 and 4294967295)",
            "12:1: registers end at r254",
            "13:1: predicates end at p14",
            "14:7: only branches reconverge",
            "15:1: source 0 is no register to be read last",
            "16:1: this character has no meaning here",
            "17:1: unknown directive `.regsters` (help: did you mean `.registers`?)",
            "18:13: the string is not closed",
            "19:1: its result goes nowhere; only that of an access to memory, a barrier or a vote may",
            "20:6: nothing more belongs on this line",
        ]
    );
}

#[test]
fn rules_of_the_whole_kernel() {
    assert_eq!(faults("exit\n@p0 bra L\nL: nop")[0], "3:4: unknown instruction `nop`");
    let past = "control runs past the last instruction; end the path with `exit`";
    assert_eq!(faults("L: @p0 exit\n@p1 bra L"), [format!("2:1: {past}")]);
    assert_eq!(faults("bar.sync"), [format!("1:1: {past}")]);
    assert!(parse("L: bra L").is_ok(), "an endless loop does not run past the end");
    assert!(parse("exit\nbar.sync").is_ok(), "what is not reached does not run");
    assert_eq!(
        faults(".registers 1\nmov.b32 r1, 0\nexit"),
        ["2:1: r1 is used, but the kernel has 1 registers"]
    );
    assert_eq!(
        faults(".param n 0 4\nmov.b32 r1, c[4]\nexit"),
        ["2:1: constant bytes up to 8 are read, but parameters and literals end at 4"]
    );
    assert_eq!(
        faults(".kernel a\nexit\n.kernel a\nexit"),
        ["3:1: another kernel is named `a` too"]
    );
    assert!(parse("bssy b15, L\nL: bsync b15\nexit").is_ok());
    assert_eq!(
        faults("bssy b0, L\nbssy b1, M\nL: exit\nM: bsync b0\nexit"),
        ["1:1: the target is not `bsync b0`", "2:1: the target is not `bsync b1`"]
    );
    assert_eq!(
        faults("bssy b16, L\nL: bsync b16\n@p0 bsync b0\nexit"),
        [
            "1:1: convergence barriers end at b15",
            "2:4: convergence barriers end at b15",
            "3:1: `bssy` and `bsync` take no guard"
        ]
    );
    assert_eq!(faults(".kernel a"), ["1:1: it has no code; the least is `exit`"]);
}

const STREAMS: &str = "\
.version 2

.kernel twice
    .param a 0 8
    .registers 1
    .predicates 1
    .affine L7
    .affine_registers 2
    .affine_predicates 1
L0:
        ld.global.b32 r0, [deq.data 0]
        bar.red.or 3, p0, !p0
        st.global.b32 [deq.addr 1], r0
        mov.pred p0, !deq.pred 2
        atom.add.i64.shared _, [deq.addr 254], 1
  @!deq.pred 4 bra L0 !reconverge L6 !P
L6:
        exit
L7:
        mov.b32 r0, tid.x
        shl.b32 r1, r0, 2
        setp.ge.s32 p0, r0, c[0]
L10:
        enq.data.global.b32 0, [r1+4]
        bar.sync 3
        enq.addr.global.s32 1, [c[0]]
        enq.pred 2, p0
        enq.addr.shared.b64 254, [r1]
        enq.pred 4, !p0
  @p0   bra L10 !reconverge L17
L17:
        exit
";

#[test]
fn two_streams_read_and_print_the_same() {
    let text = STREAMS.replace("s32 1,", "b32 1,");
    let program = parse(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(print(&program), text);
    let kernel = &program.kernels[0];
    assert_eq!((kernel.main_code().len(), kernel.affine_code().len()), (7, 11));
    assert_eq!(kernel.code[0].dequeues(), Some((Queue::Data, 0)));
    assert_eq!(kernel.code[5].to_string(), "@!deq.pred 4 bra L0 !reconverge L6 !P");
    assert_eq!(kernel.code[13].to_string(), "enq.pred 2, p0");
    let bare = text.lines().filter(|line| {
        ["    .reg", "    .pred", "    .affine_"].iter().all(|start| !line.starts_with(start))
    });
    let bare: Vec<&str> = bare.collect();
    assert_eq!(parse(&bare.join("\n")), Ok(program), "counts are those of each stream");
}

#[test]
fn faults_of_two_streams() {
    let two = |main: &str, affine: &str| {
        faults(&format!(".affine A\n{main}\nexit\nA: {affine}\nexit\np0: exit"))
    };
    assert_eq!(
        two("ld.global.b32 r0, [deq.addr 0]\nst.b32 [deq.addr 1], r0\nbar.sync 2", "bar.sync 3"),
        [
            "2:1: the affine stream has no site 0",
            "3:1: the affine stream has no site 1",
            "4:1: the affine stream has no site 2",
            "6:4: nothing dequeues at site 3",
        ]
    );
    assert_eq!(
        two("ld.global.b32 r0, [deq.data 0]", "enq.addr.global.b32 0, [r0]"),
        ["2:1: site 0 is data of 4 bytes of global memory here, \
          addr of 4 bytes of global memory in the affine stream"]
    );
    assert_eq!(
        two("ld.global.u8 r0, [deq.data 0]", "enq.data.global.b32 0, [r0]"),
        ["2:1: site 0 is data of 1 bytes of global memory here, \
          data of 4 bytes of global memory in the affine stream"]
    );
    assert_eq!(
        two("mov.pred p0, deq.pred 0\nmov.pred p0, deq.pred 0", "enq.pred 0, p0"),
        ["3:1: site 0 appears twice in the stream"]
    );
    assert_eq!(two("bra A", "bra A"), ["2:1: it leads from one stream into the other"]);
    assert_eq!(
        two(
            "enq.pred 0, p0",
            "ld.global.b32 r0, [r1]\n@p0 mov.b32 r0, 1\nbar.sync\nbar.red.or 1, p0, p0\nadd.f32 r0, r0, r0\nmov.pred p0, deq.pred 0"
        ),
        [
            "2:1: only the affine stream enqueues",
            "4:4: the affine stream has no `ld`",
            "5:1: only branches have a guard in the affine stream",
            "6:1: a barrier of the affine stream has a site",
            "7:1: the affine stream has no `bar.red.or`",
            "7:1: nothing dequeues at site 1",
            "8:1: the affine stream has no `add.f32`",
            "9:1: nothing is dequeued in the affine stream",
        ]
    );
    assert_eq!(
        two(
            ".registers 1\nmov.b32 r1, 0",
            ".affine_registers 2\nmov.b32 r2, 1\nsetp.eq.i32 p1, r0, r1\n.affine_predicates 1"
        ),
        [
            "3:1: r1 is used, but the kernel has 1 registers",
            "6:1: r2 is used, but the affine stream has 2 registers",
            "7:1: p1 is used, but the affine stream has 1 predicates",
        ]
    );
    assert_eq!(
        faults(".affine A\nA: exit")[0],
        "1:1: its affine stream begins at 0, but has to leave two streams"
    );
    assert_eq!(
        faults(".affine Loup\nLoop: exit")[0],
        "1:9: there is no label `Loup` in the kernel (help: did you mean `Loop`?)"
    );
    assert_eq!(
        faults("bar.sync 3\nexit"),
        ["1:1: it has a site, but the kernel has no affine stream"]
    );
    assert_eq!(
        faults(".affine A\nbra A2\nA: mov.b32 r0, 1\nA2: bar.sync 0"),
        [
            "2:1: it leads from one stream into the other",
            "4:5: control runs past the last instruction; end the path with `exit`",
            "4:5: nothing dequeues at site 0",
        ]
    );
}

#[test]
fn faults_of_what_dequeues() {
    assert_eq!(
        faults("@deq.pred 0 mov.b32 r0, 1\nexit")[0],
        "1:13: only a branch can be under `deq.pred` (help: fetch it with `mov.pred p0, deq.pred 4`, then use p0)"
    );
    assert_eq!(
        faults("@deq.addr 0 bra L\nL: exit")[0],
        "1:1: only the address of a load, store or atomic can be `deq.addr`"
    );
    assert_eq!(
        faults("ld.b32 r0, [deq.datum 0]")[0],
        "1:13: there is no queue `deq.datum` (help: there are deq.data, deq.addr and deq.pred)"
    );
    assert_eq!(
        faults("ld.b32 r0, [deq.data 255]")[0],
        "1:22: a site out of range (help: it lies between 0 and 254)"
    );
    assert_eq!(
        faults("ld.b32 r0, [deq.data 0+4]")[0],
        "1:1: an address from a queue takes no offset; it is enqueued with it"
    );
    assert_eq!(
        faults("@p0 ld.b32 r0, [deq.data 0]")[0],
        "1:1: an instruction that dequeues takes no guard"
    );
    assert_eq!(
        faults("st.b32 [deq.data 0], r1")[0],
        "1:1: only the address of a load can be `deq.data`"
    );
    assert_eq!(
        faults("add.i32 r0, r1, deq.addr 0")[0],
        "1:1: only the address of a load, store or atomic can be `deq.addr`"
    );
    assert_eq!(
        faults("or.pred p0, deq.pred 0, p1")[0],
        "1:1: only `bra` and `mov.pred` read `deq.pred`"
    );
    assert_eq!(faults("enq.pred p0")[0], "1:10: expected a site, found `p0`");
    assert_eq!(faults("mov.b32 r0, 1 !last 0")[0], "1:1: source 0 is no register to be read last");
}

#[test]
fn listing_shows_the_source() {
    let program = parse(SAXPY).expect("it is good");
    let listing = list_kernel(&program, &program.kernels[0], |file, line| {
        Some(format!("   text {line} of {file}\r"))
    });
    assert!(listing.contains("    // saxpy.cu:3: text 3 of saxpy.cu\n"), "{listing}");
    let whole = format!(".file \"saxpy.cu\"\n{listing}");
    assert_eq!(parse(&whole).expect("comments change nothing"), program);
}

#[test]
fn hostile_text_never_panics() {
    let random = &mut Random::new(7);
    let base = print(&program(11)) + SAXPY;
    let chars: Vec<char> = base.chars().collect();
    let junk: Vec<char> = "@!p[]-+,:.\"\\/ \n\tré0x99999999999\u{0}".chars().collect();
    for _ in 0..2000 {
        let mut text = chars.clone();
        for _ in 0..1 + random.below(8) {
            let at = random.below(text.len() as u32) as usize;
            match random.below(3) {
                0 => text[at] = random.pick(&junk),
                1 => text.insert(at, random.pick(&junk)),
                _ => drop(text.drain(at..(at + 5).min(text.len()))),
            }
        }
        let text: String = text.into_iter().collect();
        if let Ok(program) = parse(&text) {
            assert_eq!(parse(&print(&program)), Ok(program));
        }
    }
    let many = "x\n".repeat(100_000);
    assert_eq!(parse(&many).expect_err("faulty").len(), 100);
    assert!(parse(&"[".repeat(1_000_000)).is_err());
    assert!(parse(&"1e".repeat(100_000)).is_err());
}
