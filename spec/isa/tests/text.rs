//! Text of programs: nothing is lost, every fault has its place, nothing panics.

mod common;

use common::{Random, program};
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
            "2:15: expected `,`",
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
            "19:1: its result goes nowhere; only an atomic's or a barrier's may",
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
    assert!(parse("arm b15, L\nL: meet b15\nexit").is_ok());
    assert_eq!(
        faults("arm b0, L\narm b1, M\nL: exit\nM: meet b0\nexit"),
        ["1:1: the target is not `meet b0`", "2:1: the target is not `meet b1`"]
    );
    assert_eq!(
        faults("arm b16, L\nL: meet b16\n@p0 meet b0\nexit"),
        [
            "1:1: convergence barriers end at b15",
            "2:4: convergence barriers end at b15",
            "3:1: `arm` and `meet` take no guard"
        ]
    );
    assert_eq!(faults(".kernel a"), ["1:1: it has no code; the least is `exit`"]);
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
