//! Kernels under the reference model, with the values that the PTX document gives.

use reconverge_ptx_reference::{Argument, GLOBAL, Launch, Memory, Print, Program, Trap};

/// A few kilobytes of global memory.
struct Bytes {
    bytes: Vec<u8>,
    printed: Vec<Print>,
}

impl Bytes {
    fn new(words: &[u32]) -> Bytes {
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.resize(4096, 0);
        Bytes { bytes, printed: Vec::new() }
    }

    fn words(&self, count: usize) -> Vec<u32> {
        let words = self.bytes.chunks(4).take(count);
        words.map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
    }

    fn place(&mut self, address: u32, length: usize) -> Result<&mut [u8], String> {
        let at = address.checked_sub(GLOBAL).map(|at| at as usize);
        let place = at.and_then(|at| self.bytes.get_mut(at..at + length));
        place.ok_or_else(|| format!("nothing is at {address:#x}"))
    }
}

impl Memory for Bytes {
    fn load(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), String> {
        let place = self.place(address, bytes.len())?;
        bytes.copy_from_slice(place);
        Ok(())
    }

    fn store(&mut self, address: u32, bytes: &[u8]) -> Result<(), String> {
        self.place(address, bytes.len())?.copy_from_slice(bytes);
        Ok(())
    }

    fn print(&mut self, _: u64, _: u32, print: Print) -> Result<(), String> {
        self.printed.push(print);
        Ok(())
    }
}

const HEAD: &str = ".version 8.0\n.target sm_75\n.address_size 64\n";

fn program(text: &str) -> Result<Program, String> {
    let module = reconverge_ptx::parse(&format!("{HEAD}{text}")).map_err(|it| it.message)?;
    Program::new(&module, &|_| Some(GLOBAL + 2048)).map_err(|it| it.message)
}

fn launch(text: &str, threads: u32, memory: &mut Bytes) -> Result<u64, Trap> {
    let program = program(text).unwrap_or_else(|message| panic!("{message}"));
    let parameters = u64::from(GLOBAL).to_le_bytes();
    let launch = Launch {
        kernel: "k",
        grid: [1, 1, 1],
        block: [threads, 1, 1],
        dynamic_shared: 256,
        parameters: &parameters,
        limit: 1_000_000,
        is_interrupted: &|| false,
    };
    program.launch(&launch, memory)
}

/// Runs a body in which `%rd1` points to global memory, and `%r0` is the thread's index.
fn run(body: &str, threads: u32, words: &[u32]) -> Vec<u32> {
    let mut memory = Bytes::new(words);
    let ended = launch(&kernel(body), threads, &mut memory);
    ended.unwrap_or_else(|trap| panic!("{trap:?}"));
    memory.words(64)
}

fn kernel(body: &str) -> String {
    format!(
        ".visible .entry k(.param .u64 p) {{ .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %rd<20>; \
         .reg .f32 %f<9>; .reg .f64 %d<9>; .reg .pred %p<9>; ld.param.u64 %rd1, [p]; \
         mov.u32 %r0, %tid.x; mul.wide.u32 %rd2, %r0, 4; add.s64 %rd2, %rd1, %rd2;\n{body}\nret; }}"
    )
}

/// The result in `%r1` of one instruction or a few.
fn result(body: &str) -> u32 {
    run(&format!("{body} st.global.u32 [%rd1], %r1;"), 1, &[])[0]
}

#[test]
fn integers_compute_as_the_document_says() {
    let cases = [
        ("add.sat.s32 %r1, 0x7fffffff, 1;", 0x7fff_ffff),
        ("mov.u32 %r2, -7; div.s32 %r1, %r2, 2;", -3_i32 as u32),
        ("mov.u32 %r2, -7; rem.s32 %r1, %r2, 2;", -1_i32 as u32),
        ("mul.hi.u32 %r1, 0xffffffff, 0xffffffff;", 0xffff_fffe),
        ("mov.u32 %r2, -3; mul.hi.s32 %r1, %r2, 5;", u32::MAX),
        ("mad.lo.s32 %r1, 3, 5, 7;", 22),
        ("shl.b32 %r1, 1, 40;", 0),
        ("mov.u32 %r2, 0x80000000; shr.s32 %r1, %r2, 99;", u32::MAX),
        ("mov.u32 %r2, 0x80000000; shr.u32 %r1, %r2, 31;", 1),
        ("shf.l.wrap.b32 %r1, 0x80000001, 0x00000010, 36;", 0x108),
        ("shf.r.clamp.b32 %r1, 0x12345678, 0x9abcdef0, 40;", 0x9abc_def0),
        ("prmt.b32 %r1, 0x03020100, 0x07060504, 0x7531;", 0x0705_0301),
        ("prmt.b32 %r1, 0x00000080, 0, 0x8888;", 0xffff_ffff),
        ("prmt.b32.f4e %r1, 0x03020100, 0x07060504, 1;", 0x0403_0201),
        ("prmt.b32.b4e %r1, 0x03020100, 0x07060504, 1;", 0x0607_0001),
        ("prmt.b32.rc8 %r1, 0x03020100, 0, 2;", 0x0202_0202),
        ("prmt.b32.ecl %r1, 0x03020100, 0, 2;", 0x0302_0202),
        ("prmt.b32.ecr %r1, 0x03020100, 0, 2;", 0x0202_0100),
        ("prmt.b32.rc16 %r1, 0x03020100, 0, 1;", 0x0302_0302),
        ("lop3.b32 %r1, 0xf0f0, 0xcccc, 0xaaaa, 0x96;", 0xf0f0 ^ 0xcccc ^ 0xaaaa),
        ("bfe.s32 %r1, 0xf0, 4, 4;", u32::MAX),
        ("bfe.u32 %r1, 0xabcd1234, 28, 20;", 0xa),
        ("bfi.b32 %r1, 0xff, 0, 8, 4;", 0xf00),
        ("bfind.u32 %r1, 0x00f0;", 7),
        ("bfind.shiftamt.u32 %r1, 0x00f0;", 24),
        ("mov.u32 %r2, -1; bfind.s32 %r1, %r2;", u32::MAX),
        ("brev.b32 %r1, 1;", 1 << 31),
        ("clz.b32 %r1, 0;", 32),
        ("popc.b32 %r1, 0xff00ff;", 16),
        ("fns.b32 %r1, 0xaaaaaaaa, 3, 2;", 5),
        ("fns.b32 %r1, 0xaaaaaaaa, 3, -2;", 1),
        ("bmsk.clamp.b32 %r1, 4, 40;", 0xffff_fff0),
        ("szext.clamp.s32 %r1, 0xf, 4;", u32::MAX),
        ("sad.u32 %r1, 3, 10, 1;", 8),
        ("cnot.b32 %r1, 0;", 1),
        ("dp4a.u32.u32 %r1, 0x01020304, 0x01010101, 5;", 15),
        ("mov.u32 %r2, 0xff; dp4a.s32.u32 %r1, %r2, 2, 0;", -2_i32 as u32),
        ("dp2a.hi.u32.u32 %r1, 0x00020003, 0x04050000, 1;", 3 * 5 + 2 * 4 + 1),
        ("add.cc.u32 %r2, 0xffffffff, 1; addc.u32 %r1, 5, 0;", 6),
        ("sub.cc.u32 %r2, 0, 1; subc.u32 %r1, 5, 0;", 4),
        ("mad.lo.cc.u32 %r2, 0xffffffff, 1, 1; madc.hi.u32 %r1, 0xffffffff, 2, 0;", 2),
        ("vabsdiff4.u32.u32.u32.add %r1, 0x05050505, 0x01020304, 0;", 4 + 3 + 2 + 1),
        ("min.s32 %r1, -1, 1;", u32::MAX),
        ("max.u32 %r1, 0xffffffff, 1;", u32::MAX),
    ];
    for (text, expected) in cases {
        assert_eq!(result(text), expected, "{text}");
    }
}

#[test]
fn conversions_and_floats_compute_as_the_document_says() {
    let bits = |value: f32| value.to_bits();
    let cases = [
        ("mov.u32 %r2, 0x180; cvt.s32.s8 %r1, %r2;", 0xffff_ff80),
        ("mov.u32 %r2, 300; cvt.sat.u8.u32 %h1, %r2; cvt.u32.u16 %r1, %h1;", 255),
        ("cvt.rni.s32.f32 %r1, 0f40200000;", 2),
        ("cvt.rzi.u32.f32 %r1, 0fBF800000;", 0),
        ("cvt.rpi.f32.f32 %f1, 0f40200000; mov.b32 %r1, %f1;", bits(3.0)),
        ("cvt.rn.f32.s32 %f1, 16777217; mov.b32 %r1, %f1;", bits(16777216.0)),
        ("cvt.rp.f32.s32 %f1, 16777217; mov.b32 %r1, %f1;", bits(16777218.0)),
        ("mov.f32 %f1, 0f3FC00000; cvt.rn.f16x2.f32 %r1, %f1, 0f40000000;", 0x3e00_4000),
        ("add.rz.f32 %f1, 0f3F800000, 0f33000000; mov.b32 %r1, %f1;", bits(1.0)),
        ("add.rp.f32 %f1, 0f3F800000, 0f33000000; mov.b32 %r1, %f1;", 0x3f80_0001),
        ("add.sat.f32 %f1, 0f40000000, 0f40000000; mov.b32 %r1, %f1;", bits(1.0)),
        ("mul.ftz.f32 %f1, 0f00000001, 0f40000000; mov.b32 %r1, %f1;", 0),
        ("min.f32 %f1, 0f7FC00000, 0f40000000; mov.b32 %r1, %f1;", bits(2.0)),
        ("min.NaN.f32 %f1, 0f7FC00000, 0f40000000; mov.b32 %r1, %f1;", 0x7fff_ffff),
        ("setp.ltu.f32 %p1, 0f7FC00000, 0f40000000; selp.u32 %r1, 1, 2, %p1;", 1),
        ("setp.lt.f32 %p1, 0f7FC00000, 0f40000000; selp.u32 %r1, 1, 2, %p1;", 2),
        ("setp.ne.s32 %p3, 1, 1; setp.lt.and.s32 %p1|%p2, 1, 2, %p3; selp.u32 %r1, 1, 2, %p2;", 2),
        ("set.lt.u32.s32 %r1, -1, 1;", u32::MAX),
        ("slct.u32.s32 %r1, 5, 6, -1;", 6),
        ("copysign.f32 %f1, 0fBF800000, 0f40000000; mov.b32 %r1, %f1;", bits(-2.0)),
        ("testp.subnormal.f32 %p1, 0f00000001; selp.u32 %r1, 1, 2, %p1;", 1),
        ("rcp.rn.f32 %f1, 0f40000000; mov.b32 %r1, %f1;", bits(0.5)),
        ("mov.b32 %r2, 0x3c003c00; add.rn.f16x2 %r1, %r2, %r2;", 0x4000_4000),
        ("mov.f64 %d1, 0d3FF8000000000000; cvt.rn.f32.f64 %f1, %d1; mov.b32 %r1, %f1;", bits(1.5)),
    ];
    for (text, expected) in cases {
        assert_eq!(result(text), expected, "{text}");
    }
}

#[test]
fn threads_meet_at_barriers_and_in_warps() {
    let words = run(
        ".shared .b32 s[64]; mov.u32 %r3, s; shl.b32 %r4, %r0, 2; add.u32 %r3, %r3, %r4; \
         st.shared.u32 [%r3], %r0; bar.sync 0; sub.u32 %r5, 63, %r0; shl.b32 %r5, %r5, 2; \
         mov.u32 %r6, s; add.u32 %r6, %r6, %r5; ld.shared.u32 %r7, [%r6]; st.global.u32 [%rd2], %r7;",
        64,
        &[],
    );
    assert_eq!(words, (0..64).rev().collect::<Vec<u32>>());
    let shuffled =
        run("shfl.sync.down.b32 %r1|%p1, %r0, 1, 0x1f, -1; st.global.u32 [%rd2], %r1;", 32, &[]);
    assert_eq!(shuffled[..32], [(1..32).collect::<Vec<u32>>(), vec![31]].concat());
    let ballot = run(
        "and.b32 %r2, %r0, 1; setp.eq.u32 %p1, %r2, 0; vote.sync.ballot.b32 %r1, %p1, -1; \
         st.global.u32 [%rd2], %r1;",
        32,
        &[],
    );
    assert_eq!(ballot[31], 0x5555_5555);
    let counted = run(
        "setp.lt.u32 %p1, %r0, 5; bar.red.popc.u32 %r1, 0, %p1; st.global.u32 [%rd2], %r1;",
        33,
        &[],
    );
    assert_eq!(counted[32], 5);
}

#[test]
fn branches_calls_and_scopes_work() {
    let text = format!(
        ".func (.param .b32 out) twice(.param .b32 in) {{ .reg .b32 %r<3>; ld.param.b32 %r1, [in]; \
         add.s32 %r2, %r1, %r1; st.param.b32 [out], %r2; ret; }}\n{}",
        kernel(
            "{ .param .b32 a; .param .b32 b; st.param.b32 [a], 21; call.uni (b), twice, (a); \
             ld.param.b32 %r1, [b]; } mov.u32 %r2, 0; \
             L: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 5; @%p1 bra L; \
             { .reg .b32 %r2; mov.u32 %r2, 99; } \
             T: .branchtargets A, B; brx.idx 1, T; A: trap; B: \
             st.global.v2.u32 [%rd1], {%r1, %r2};"
        )
    );
    let mut memory = Bytes::new(&[]);
    launch(&text, 1, &mut memory).unwrap();
    assert_eq!(memory.words(2), [42, 5]);
}

#[test]
fn atomics_return_the_old_value() {
    let words = run(
        "atom.global.add.u32 %r1, [%rd1], 1; atom.global.inc.u32 %r2, [%rd1+4], 2; \
         atom.global.cas.b32 %r3, [%rd1+8], 7, 9; red.global.max.s32 [%rd1+12], %r0; \
         st.global.u32 [%rd2+64], %r1;",
        4,
        &[0, 0, 7, 0],
    );
    assert_eq!(words[..4], [4, 1, 9, 3]);
    assert_eq!(words[16..20], [0, 1, 2, 3]);
}

#[test]
fn prints_have_the_arguments_of_their_formats() {
    let text = format!(
        ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n\
         .global .align 1 .b8 text[9];\n{}",
        kernel(
            ".local .align 8 .b8 list[16]; .reg .b64 %a; mov.u64 %a, list; st.local.u32 [list], 7; \
             st.local.f64 [list+8], 0d3FF8000000000000; mov.u64 %rd3, text; \
             { .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %rd3; \
             st.param.b64 [a], %a; call.uni (r), vprintf, (f, a); ld.param.b32 %r1, [r]; } \
             st.global.u32 [%rd1], %r1;"
        )
    );
    let mut memory = Bytes::new(&[]);
    memory.bytes[2048..2056].copy_from_slice(b"%5d%% %g");
    launch(&text, 1, &mut memory).unwrap();
    let arguments = vec![(Argument::Int, 7), (Argument::Double, 1.5_f64.to_bits())];
    assert_eq!(memory.printed, [Print { format: GLOBAL + 2048, arguments }]);
    assert_eq!(memory.words(1), [2]);
}

#[test]
fn faults_are_reported_with_their_thread() {
    let fault = |body: &str, threads| {
        let mut memory = Bytes::new(&[]);
        launch(&kernel(body), threads, &mut memory).unwrap_err()
    };
    let trap = fault("ld.global.u32 %r1, [%rd1+4095];", 1);
    assert_eq!(trap.message, "misaligned access of 4 bytes at address 0x10000fff");
    let trap = fault("add.u64 %rd1, %rd1, 0x100000000; ld.global.u32 %r1, [%rd1];", 1);
    assert!(trap.message.starts_with("the address 0x110000000 has more than"), "{}", trap.message);
    let trap = fault("setp.eq.u32 %p1, %r0, 1; @%p1 trap;", 2);
    assert_eq!((trap.thread, &*trap.message), (Some([1, 0, 0]), "trap"));
    let trap = fault("setp.eq.u32 %p1, %r0, 1; @%p1 bra E; bar.sync 0; E: bar.sync 1;", 64);
    assert!(trap.message.starts_with("deadlock: 64 of 64 threads wait"), "{}", trap.message);
    let trap = fault("L: bra L;", 1);
    assert!(trap.message.contains("more than 1000000 instructions"), "{}", trap.message);
    let trap = fault("bar.warp.sync 2;", 1);
    assert!(trap.message.contains("leaves out"), "{}", trap.message);
}

#[test]
fn unknown_things_are_refused() {
    let refused = |body: &str| program(&kernel(body)).unwrap_err();
    assert!(refused("wgmma.fence.sync.aligned;").contains("wgmma.fence.sync.aligned"));
    assert!(refused("add.bogus.u32 %r1, %r1, 1;").contains("`.bogus`"));
    assert!(refused("add.u32 %r1, %undeclared, 1;").contains("%undeclared"));
    assert!(refused("bra NOWHERE;").contains("NOWHERE"));
    assert!(refused("add.u32 %r1, %r1;").contains("sources"));
}
