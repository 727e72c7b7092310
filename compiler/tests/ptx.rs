//! PTX becomes well-formed functions, at every level.

use reconverge_compiler::diagnostic::Diagnostic;
use reconverge_compiler::ir::parse::parse;
use reconverge_compiler::ir::verify;
use reconverge_compiler::lower::{Options, Session, Step};
use reconverge_compiler::pass::Level;
use reconverge_compiler::ptx::{Translated, read, translate_for};
use reconverge_compiler::syntax::SourceMap;
use reconverge_ptx::{example, form};
use std::path::Path;

const HEAD: &str = ".version 8.0\n.target sm_75\n.address_size 64\n";

fn translated(text: &str) -> Result<Translated, Vec<Diagnostic>> {
    translated_for(Level::default(), text)
}

fn translated_for(level: Level, text: &str) -> Result<Translated, Vec<Diagnostic>> {
    let mut sources = SourceMap::new();
    let file = sources.add("text.ptx", text);
    let module = read(&sources, file)?;
    translate_for(level, &module, &sources, file, &[])
}

/// Compiles a text at every level, with all checks.
fn compile(text: &str) {
    for level in Level::ALL.map(|(level, _)| level).into_iter().chain([Level::Ptx]) {
        let translated = translated_for(level, text);
        let translated = translated.unwrap_or_else(|found| panic!("{found:#?}\n{text}"));
        for function in &translated.functions {
            let faults = verify(function);
            assert!(faults.is_empty(), "{faults:?}\n{function}\n{text}");
        }
        let options = Options { level, verify: true, ..Options::default() };
        let watch = &mut |_: Step| {};
        let Translated { functions, files, variables, .. } = translated;
        let lowered = Session::new(&options, watch).lower_functions(functions, files, variables);
        if let Err(errors) = lowered {
            panic!("{errors:?}\n{text}");
        }
    }
}

fn refused(body: &str) -> String {
    let text = format!(
        "{HEAD}.visible .entry k(.param .u64 p) {{\n.reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p<2>; .reg .f32 %f<2>;\n{body}\nret; }}"
    );
    let mut found = translated(&text).expect_err(body);
    found.remove(0).message
}

#[test]
fn every_form_of_the_table_is_translated() {
    let (mut count, mut faults) = (0, Vec::new());
    for form in form::all() {
        for modifiers in form.samples() {
            let Some(instruction) = example::instruction(form, &modifiers) else {
                continue;
            };
            let text = format!(
                "{HEAD}.visible .entry k(.param .u64 p) {{\n{}\nld.param.u64 %address, [p];\n@%pred_7 {instruction};\n{instruction};\nret;\n}}\n",
                example::declarations()
            )
            // Only parameters are read by `ld.param`.
            .replace("st.param", "st.local");
            if let Err(found) = translated(&text) {
                faults.push(format!("{instruction}: {}", found[0].message));
            }
            count += 1;
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 1000, "{count} forms");
}

#[test]
fn a_few_forms_are_compiled_at_every_level() {
    for (at, form) in form::all().into_iter().enumerate() {
        let samples = form.samples();
        let Some(instruction) = example::instruction(form, &samples[at % samples.len()])
            .filter(|it| !it.starts_with("st.param"))
        else {
            continue;
        };
        let text = format!(
            "{HEAD}.visible .entry k(.param .u64 p) {{\n{}\nld.param.u64 %address, [p];\n@%pred_7 {instruction};\n{instruction};\nret;\n}}\n",
            example::declarations()
        );
        compile(&text);
    }
}

#[test]
fn texts_of_compilers_are_compiled() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/ptx");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("tests/data/ptx is there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "ptx"))
        // Their variables are those of a program.
        .filter(|path| {
            !["extern_variable.ptx", "texture_references.ptx"].iter().any(|it| path.ends_with(it))
        })
        .collect();
    files.sort();
    assert!(files.len() > 20, "{} texts", files.len());
    for file in files {
        compile(&std::fs::read_to_string(&file).expect("a text"));
    }
}

#[test]
fn what_is_not_supported_is_named() {
    let cases = [
        (
            "sured.b.add.1d.u32.trap [%rd1, {%r2}], %r1;",
            "`sured` cannot be compiled: surfaces have no atomics, and references no types",
        ),
        (
            "tex.2dms.v4.f32.s32 {%f1, %f1, %f1, %f1}, [%rd1, {%r1, %r1, %r1, %r1}];",
            "`tex.2dms.v4.f32.s32` cannot be compiled: textures have one sample per element",
        ),
        (
            "txq.filter_mode.b32 %r1, [%rd1];",
            "there is no `txq.filter_mode.b32` that can be compiled",
        ),
        (
            "sust.p.1d.b32.trap [%rd1, {%r2}], {%r1};",
            "there is no `sust.p.1d.b32.trap` that can be compiled",
        ),
    ];
    for (body, message) in cases {
        assert_eq!(refused(body), message, "{body}");
    }
}

#[test]
fn wrong_instructions_are_refused() {
    let cases = [
        (
            "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r1}, {%r1}, {%r1}, {%r1};",
            "4 values in braces are expected here",
        ),
        (
            "wgmma.fence.sync.aligned;",
            "`wgmma` cannot be compiled: of the instructions for tensor cores there are `mma` and `wmma`",
        ),
        (
            "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [%r2];",
            "a vector of 2 is expected here",
        ),
        (
            "tex.3d.v4.f32.f32 {%f1, %f1, %f1, %f1}, [%rd1, {%f1, %f1, %f1}];",
            "4 coordinates are expected here",
        ),
        (
            "tex.a2d.v4.f32.f32 {%f1, %f1, %f1, %f1}, [%rd1, {%f1, %f1, %f1, %f1}];",
            "`%f1` is `.f32` where `.u32` is expected",
        ),
        ("txq.width.b32 %r1, [%r2];", "`%r2` is no texture"),
        (
            "tex.level.2d.v4.f32.f32 {%f1, %f1, %f1, %f1}, [%rd1, {%f1, %f1}], %f1;",
            "`tex.level.2d.v4.f32.f32` cannot be compiled: textures have no mipmap levels",
        ),
        (
            "{ .reg .b128 %q; atom.global.exch.b128 %q, [%rd1], %q; }",
            "`atom.global.exch.b128` cannot be compiled: `.b128` has copies, and loads and stores of one value without an order",
        ),
        ("{ .reg .b128 %q; mov.b128 %q, {%r1, %r1, %r1, %r1}; }", "`.b128` has no 4 parts"),
        ("{ .reg .b128 %q; mov.b128 %q, 5; }", "an integer where `.b128` is expected"),
        ("{ .reg .b128 %q; mov.b128 %q, %clock64; }", "`%clock64` has fewer bits than `.b128`"),
        (
            "{ .reg .b128 %q; ld.global.b64 %q, [%rd1]; }",
            "`%q` is `.b128` where `.b64` is expected",
        ),
        ("{ .reg .v2 .b128 %q; }", "a vector of `.b128` does not fit into a register"),
        (
            "tex.2d.v4.f32.f32 {%f1, %f1, %f1, %f1}, [%rd1, {%f1}];",
            "2 coordinates are expected here",
        ),
        ("tex.1d.v4.f32.s32 {%f1, %f1, %f1, %f1}, [%r1, {%r1}];", "`%r1` is no texture"),
        (
            "tex.1d.v4.f32.s32 {%f1, %f1, %f1, %f1}, [%rd1, %rd2, {%r1}];",
            "a texture has its sampler in itself here: leave `.target texmode_independent` out",
        ),
        (
            "tex.1d.v4.f32.s32 {%f1, %f1, %f1, %f1}, [%rd1, {%f1}];",
            "`%f1` is `.f32` where `.s32` is expected",
        ),
        ("foo.u32 %r1, %r2;", "`foo` is no instruction that can be compiled"),
        ("add.f16 %r1, %r2, %r3;", "`%r1` is `.b32` where `.f16` is expected"),
        ("add.u16x2 %r1, %r2, %r3;", "there is no `add.u16x2` that can be compiled"),
        ("add.s32 %r1, %r2;", "`add.s32` takes 3 operands, but 2 are given"),
        ("add.s32 %r1, %rd2, %r3;", "`%rd2` is `.b64` where `.s32` is expected"),
        ("add.s32 %r1, %f1, %r3;", "`%f1` is `.f32` where `.s32` is expected"),
        (
            "add.s32 %r1, %r9, %r3;",
            "`%r9` is neither declared nor a special register that can be read",
        ),
        ("@%r1 bra L; L:", "`%r1` is no predicate"),
        ("bra L;", "there is no label `L` here"),
        ("call.uni (%r1), f, (%r2);", "`f` is not declared"),
        (
            "mov.u32 %r1, %clusterid.x;",
            "`%clusterid` is a special register of clusters, from `sm_90` on, and cannot be read here",
        ),
        (
            "mov.u32 %r1, %cluster_ctarank;",
            "`%cluster_ctarank` is a special register of clusters, from `sm_90` on, and cannot be read here",
        ),
        (
            "mov.b32 %r1, %envreg3;",
            "`%envreg3` is a special register that a driver sets, and cannot be read here",
        ),
        (
            "mov.u32 %r1, %nothing.x;",
            "`%nothing` is neither declared nor a special register that can be read",
        ),
        ("bar.sync 16;", "there are 16 barriers, 0 to 15"),
        ("bar.arrive 16, 64;", "there are 16 barriers, 0 to 15"),
        ("bar.sync 1, 64, 3;", "`bar.sync` takes 2 operands, but 3 are given"),
        (
            "bar.red.popc.u32 %r1, 1, 64, %p1, %p1;",
            "`bar.red.popc.u32` takes 4 operands, but 5 are given",
        ),
        ("st.param.u32 [p], %r1;", "the kernel's parameters cannot be written"),
        (
            "ld.param.u32 %r1, [p+8];",
            "this is outside of the parameter `p`, or not read by `ld.param`",
        ),
        (
            "ld.global.v2.u32 %r1, [%rd1+4]; add.s32 %r1, 1.5, %r2;",
            "a floating-point number where `.s32` is expected",
        ),
    ];
    for (body, message) in cases {
        assert_eq!(refused(body), message, "{body}");
    }
}

#[test]
fn old_texts_have_no_address_size() {
    let entry = ".entry k(.param .u64 p) { .reg .u64 %rd; .reg .f32 %f; .reg .u16 %h; mov.u16 %h, %tid.x;
        ld.param.u64 %rd, [p]; ld.global.f32 %f, [%rd+0]; mad.f32 %f, %f, %f, %f; st.global.f32 [%rd+0], %f; exit; }";
    translated(&format!(".version 1.4\n.target sm_13\n@@DWARF 1\n{entry}")).unwrap();
    let message = "without `.address_size 64` addresses have 32 bits";
    let found = translated(&format!(".version 2.3\n.target sm_20\n{entry}")).unwrap_err();
    assert_eq!(found[0].message, message);
}

#[test]
fn modules_that_cannot_be_read_are_refused() {
    let entry = ".visible .entry k() { ret; }";
    let cases = [
        (
            format!(".version 8.0\n.target sm_75\n.address_size 32\n{entry}"),
            "addresses have 64 bits here, not 32",
        ),
        (
            format!(".version 10.0\n.target sm_75\n.address_size 64\n{entry}"),
            "PTX 10.0 is newer than what is read here, 9.x",
        ),
        (format!(".target sm_75\n.address_size 64\n{entry}"), "the text has no `.version`"),
        (
            format!("{HEAD}.func f() {{ call f; ret; }}\n.entry k() {{ call f; ret; }}"),
            "`f` calls itself",
        ),
        (
            format!("{HEAD}.extern .func g();\n.entry k() {{ call g; ret; }}"),
            "the function `g` has no body in this text",
        ),
        (
            format!(
                "{HEAD}.extern .global .u32 far;\n.entry k() {{ .reg .b32 %r; ld.global.u32 %r, [far]; ret; }}"
            ),
            "the `.extern` variable `far` is defined nowhere",
        ),
    ];
    for (text, message) in cases {
        let found = translated(&text).expect_err(message).remove(0).message;
        assert_eq!(found, message);
    }
}

#[test]
fn functions_labels_and_scopes_are_put_in_place() {
    compile(&format!(
        "{HEAD}
.func (.reg .f32 %out) twice (.reg .f32 %in) {{ add.f32 %out, %in, %in; ret; }}
.func (.param .b32 result) next (.param .b32 of) {{
  .reg .b32 %r<3>; .reg .pred %p;
  ld.param.b32 %r1, [of];
  setp.gt.s32 %p, %r1, 7;
  @%p bra L;
  add.s32 %r1, %r1, 1;
L: st.param.b32 [result], %r1;
  ret;
}}
.visible .entry k(.param .u64 p, .param .u32 n) {{
  .reg .b32 %r<5>; .reg .b64 %rd<3>; .reg .pred %p<3>; .reg .f32 %f<3>;
  .shared .align 4 .b8 tile[256];
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r3, tile;
  table: .branchtargets A, B, C;
  {{ .reg .b32 %r1; .param .b32 x; .param .b32 y;
     mov.u32 %r1, %tid.x; st.param.b32 [x], %r1; call.uni (y), next, (x); ld.param.b32 %r2, [y]; }}
  call (%f1), twice, (0f3F800000);
  brx.idx %r1, table;
A: add.s32 %r2, %r2, 1; bra D;
B: add.s32 %r2, %r2, 2;
C: add.s32 %r2, %r2, 3;
D: setp.lt.s32 %p1, %r2, %r1;
  @%p1 bra A;
  cvta.to.global.u64 %rd2, %rd1;
  @!%p1 st.global.v2.u32 [%rd2+8], {{%r2, %r1}};
  @%p1 exit;
  st.shared.f32 [tile+4], %f1;
  st.global.f32 [%rd2], %f1;
  ret;
}}"
    ));
}

/// Numbers that look random, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// The IR and the assembly of a kernel's body, whose parameter's address is in `%rd1`.
fn compiled(level: Level, body: &str) -> (String, String) {
    let text = format!(
        "{HEAD}.visible .entry k(.param .u64 p) {{\n.reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .pred %p<2>;\n\
         ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd1, %rd1;\n{body}\nret; }}"
    );
    let found = translated_for(level, &text).unwrap_or_else(|found| panic!("{found:#?}\n{text}"));
    let ir = found.functions[0].to_string();
    let options = Options { level, verify: true, ..Options::default() };
    let Translated { functions, files, variables, .. } = found;
    let watch = &mut |_: Step| {};
    let lowered = Session::new(&options, watch).lower_functions(functions, files, variables);
    let program = lowered.unwrap_or_else(|errors| panic!("{errors:?}\n{text}")).program;
    (ir, reconverge_isa::text::print(&program))
}

/// Places of texts in another, from first to last.
fn in_order(text: &str, wanted: &[&str]) {
    let mut rest = text;
    for wanted in wanted {
        let at = rest.find(wanted).unwrap_or_else(|| panic!("{wanted} is not here:\n{text}"));
        rest = &rest[at + wanted.len()..];
    }
}

#[test]
fn cache_hints_reach_ir_and_code() {
    let body = "ld.global.cg.u32 %r1, [%rd1];\n\
                ld.global.nc.L1::no_allocate.L2::128B.u32 %r2, [%rd1+4];\n\
                setp.eq.u32 %p1, %r1, %r2;\n\
                @%p1 ld.global.cv.u32 %r3, [%rd1+8];\n\
                @%p1 st.global.wt.u32 [%rd1+12], %r3;\n\
                st.global.L1::evict_last.L2::evict_first.u32 [%rd1+64], %r2;";
    for level in [Level::Ptx, Level::None, Level::Full] {
        let (ir, code) = compiled(level, body);
        in_order(
            &ir,
            &[
                "ld.cg.global.b32",
                "ld.L1_no_allocate.L2_128B.nc.global.b32",
                " ld.cv.global.b32",
                " st.wt.global.b32",
                "st.L1_evict_last.L2_evict_first.global.b32",
            ],
        );
        for hints in ["cg", "L1_no_allocate,L2_128B,nc", "cv", "wt", "L1_evict_last,L2_evict_first"]
        {
            assert!(code.contains(&format!(" !cache {hints}\n")), "{hints}\n{code}");
        }
        assert_eq!(code.matches("!cache").count(), 5, "{code}");
        let read = parse(&ir).unwrap_or_else(|faults| panic!("{faults:?}\n{ir}"));
        assert_eq!(read.functions[0].to_string(), ir);
    }
}

/// The convergence analysis looks for masks of low bits: the largest number has one more bit than a place for its successor.
#[test]
fn masks_of_all_bits_but_the_sign_are_analysed() {
    for mask in ["0x7fffffffffffffff", "0x8000000000000000", "0xffffffffffffffff"] {
        compile(&format!(
            "{HEAD}.visible .entry k(.param .u64 p) {{ .reg .b64 %rd<4>;
            ld.param.u64 %rd0, [p]; cvta.to.global.u64 %rd1, %rd0; ld.global.u64 %rd2, [%rd1];
            and.b64 %rd3, %rd2, {mask}; st.global.u64 [%rd1], %rd3; ret; }}"
        ));
    }
}

#[test]
fn cache_control_is_an_instruction() {
    let body = "prefetch.global.L1 [%rd1]; prefetch.local.L2 [%rd1+4];\n\
                prefetch.global.L2::evict_last [%rd1]; prefetch.global.L2::evict_normal [%rd1];\n\
                applypriority.global.L2::evict_normal [%rd1], 128; discard.global.L2 [%rd1], 128;\n\
                setp.eq.u64 %p1, %rd1, 0; @%p1 prefetchu.L1 [%rd1];";
    for level in [Level::Ptx, Level::None, Level::Basic, Level::Full] {
        let (_, code) = compiled(level, body);
        let actions = code.lines().filter(|line| line.contains(" cache r"));
        let actions: Vec<_> = actions.filter_map(|line| line.split(", ").nth(1)).collect();
        let actions: Vec<_> = actions.iter().map(|it| it.split(' ').next()).collect();
        assert_eq!(actions, ["0", "1", "2", "3", "4", "5", "0"].map(Some), "{level:?}\n{code}");
    }
}

#[test]
fn registers_of_128_bits_are_pairs() {
    let body = "{ .reg .b128 %q<2>; .reg .pred %p; setp.ne.s32 %p, %r1, 0;
                ld.global.b128 %q0, [%rd1]; mov.b128 %q1, %q0; mov.b128 {%rd2, %rd3}, %q1;
                mov.b128 %q1, {%rd3, %rd2}; @%p ld.global.b128 %q1, [%rd1+32];
                st.global.cg.b128 [%rd1+16], %q1; }";
    for level in [Level::Ptx, Level::None, Level::Basic, Level::Full] {
        let (_, code) = compiled(level, body);
        for (access, count) in [("ld.global.b128", 2), ("st.global.b128", 1)] {
            assert_eq!(code.matches(access).count(), count, "{level:?} {access}\n{code}");
        }
    }
}

#[test]
fn a_vector_is_one_access_at_every_level() {
    let body = "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1+16]; st.global.v2.u64 [%rd1+48], {%rd1, %rd1};\n\
                add.s64 %rd2, %rd1, 256; cvt.u32.u64 %r8, %rd2; ld.shared.v2.b32 {%r5, %r6}, [%r8+8];\n\
                setp.eq.u32 %p1, %r1, %r2; @%p1 ld.global.v2.u32 {%r3, %r4}, [%rd2];\n\
                @!%p1 st.global.v4.u32 [%rd2+16], {%r1, %r2, %r3, %r4};\n\
                ld.global.v4.b8 {%r1, %r2, %r7, %r8}, [%rd2+8]; st.global.v2.u32 [%rd2], {%r5, %r6};\n\
                add.s32 %r1, %r1, %r8; add.s32 %r2, %r2, %r7; st.global.v4.b16 [%rd2+64], {%r1, %r2, %r7, %r8};";
    let mut expected = [
        "ld.global.b128",
        "st.global.b128",
        "ld.shared.b64",
        "ld.global.b64",
        "st.global.b128",
        "ld.global.b32",
        "st.global.b64",
        "st.global.b64",
    ];
    expected.sort();
    for level in [Level::Ptx, Level::None, Level::Basic, Level::Full] {
        let (_, code) = compiled(level, body);
        let words = code.split_whitespace();
        let is_access = |word: &&str| word.starts_with("ld.") || word.starts_with("st.");
        let mut accesses: Vec<&str> = words.filter(is_access).collect();
        accesses.sort();
        assert_eq!(accesses, expected, "{level:?}\n{code}");
    }
}

/// Registers that are read after many places where paths join, as unrolled code has them.
#[test]
fn many_joins_take_no_operations() {
    let loads = |at: u32| format!("ld.global.u32 %r{at}, [%rd1+{}];\n", 4 * at);
    let joins = |at: u32| {
        format!("setp.eq.u32 %p1, %r1, {at}; @%p1 bra L{at}; add.s32 %r1, %r1, 7; L{at}:\n")
    };
    let sums = |at: u32| format!("add.s32 %r1, %r1, %r{at};\n");
    let body: String =
        (2..200).map(loads).chain((0..8000).map(joins)).chain((2..200).map(sums)).collect();
    let text = format!(
        "{HEAD}.visible .entry k(.param .u64 p) {{ .reg .b32 %r<200>; .reg .b64 %rd<2>; .reg .pred %p<2>;\n\
         ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x;\n{body}st.global.u32 [%rd1], %r1; ret; }}"
    );
    let found = translated(&text).unwrap_or_else(|found| panic!("{found:#?}"));
    let size = found.functions[0].values.len();
    assert!(size < 100_000, "{size} values");
}

#[test]
fn stores_and_loads_have_their_own_cache_hints() {
    let fault = |line: &str| {
        let text = format!(
            "kernel k {{\nb0:\n  %0 = special tid.x\n  %2 = const.pred true\n  {line}\n  return\n}}\n"
        );
        let read = parse(&text).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"));
        verify(&read.functions[0]).remove(0).message
    };
    for line in ["%1 = ld.wb.global.b32 %0", "%1 = @%2 ld.wt.global.b32 %0 else %0"] {
        assert_eq!(fault(line), "%1: has a cache hint of stores", "{line}");
    }
    for line in ["st.ca.global.b32 %0, %0", "st.L2_128B.global.b32 %0, %0"] {
        assert!(fault(line).ends_with(": has a cache hint of loads"), "{line}");
    }
}

#[test]
fn only_accesses_with_the_same_cache_hints_are_joined() {
    let vector = "ld.global.cs.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];\n\
                  st.global.cg.v4.u32 [%rd1+16], {%r4, %r3, %r2, %r1};";
    let (_, code) = compiled(Level::Full, vector);
    in_order(&code, &["ld.global.b128", "!cache cs\n", "st.global.b128", "!cache cg\n"]);
    let loads = |first: &str, second: &str| {
        let body = format!(
            "ld.global{first}.u32 %r1, [%rd1]; ld.global{second}.u32 %r2, [%rd1];\n\
             st.global.v2.u32 [%rd1+8], {{%r1, %r2}};"
        );
        compiled(Level::Full, &body).1.matches(" ld.global").count()
    };
    assert_eq!([loads("", ""), loads(".cg", ".cg")], [1, 1]);
    assert_eq!([loads("", ".cg"), loads(".cg", ".cs")], [2, 2]);
    let forwarded = |store: &str, load: &str| {
        let body = format!(
            "mov.u32 %r1, %tid.x; st.global{store}.u32 [%rd1], %r1;\n\
             ld.global{load}.u32 %r2, [%rd1]; st.global.u32 [%rd1+8], %r2;"
        );
        !compiled(Level::Full, &body).1.contains(" ld.global")
    };
    assert_eq!(
        [forwarded("", ""), forwarded(".cg", ".cg"), forwarded("", ".cg")],
        [true, true, false]
    );
}

/// Texts whose words are left out, doubled, exchanged or replaced by others of the text: each is translated, or refused.
#[test]
fn mutated_texts_are_translated_or_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/ptx");
    let (mut accepted, mut refused) = (0, 0);
    for name in ["saxpy.nvcc.ptx", "histogram.nvcc.ptx", "one_side.nvcc.ptx"] {
        let text = std::fs::read_to_string(folder.join(name)).expect("a text");
        let words: Vec<&str> =
            text.split_inclusive(|it: char| it.is_whitespace() || it == ',').collect();
        let mut numbers = Numbers(7);
        for _ in 0..300 {
            let mut mutant: Vec<&str> = words.clone();
            for _ in 0..1 + numbers.below(3) {
                let (at, other) = (numbers.below(mutant.len()), numbers.below(mutant.len()));
                match numbers.below(4) {
                    0 => drop(mutant.remove(at)),
                    1 => mutant.insert(at, words[other % words.len()]),
                    2 => mutant.swap(at, other),
                    _ => mutant[at] = words[other % words.len()],
                }
            }
            let mutant: String = mutant.concat();
            match translated(&mutant) {
                Ok(translated) => {
                    accepted += 1;
                    for function in &translated.functions {
                        let faults = verify(function);
                        assert!(faults.is_empty(), "{faults:?}\n{mutant}");
                    }
                }
                Err(found) => {
                    refused += 1;
                    assert!(!found.is_empty() && !found[0].message.is_empty());
                }
            }
        }
    }
    assert!(accepted > 50 && refused > 50, "{accepted} accepted, {refused} refused");
}

/// The register limits of a kernel with these directives, without and with `--max-registers 40`.
fn limits(directives: &str) -> (Vec<String>, [u32; 2]) {
    let text = format!("{HEAD}.visible .entry k() {directives} {{ ret; }}");
    let found = translated(&text).unwrap();
    let function = found.functions.first().unwrap();
    let given = Options { max_registers: Some(40), ..Options::default() };
    let warnings = found.warnings.iter().map(|it| it.message.clone()).collect();
    (warnings, [Options::default(), given].map(|options| options.register_limit(function)))
}

#[test]
fn directives_limit_registers() {
    // 32,768 registers per SM: 64 for 512 threads, 40 for 768, in steps of two warps.
    for (directives, expected) in [
        ("", 63),
        (".maxnreg 24", 24),
        (".maxntid 512, 1, 1", 63),
        (".maxntid 512 .minnctapersm 2", 32),
        (".reqntid 256, 1, 1 .minnctapersm 3", 42),
        (".maxntid 256 .minnctapersm 4 .maxnreg 20", 20),
        (".maxntid 256 .minnctapersm 4 .maxnreg 50", 32),
        (".maxnreg 200", 63),
    ] {
        assert_eq!(limits(directives), (vec![], [expected, 40]), "{directives}");
    }
    // Blocks of an unknown size, and too few registers for any kernel.
    let (warnings, registers) = limits(".minnctapersm 2");
    assert_eq!((warnings[0].as_str(), registers), ("`.minnctapersm` is not applied", [63, 40]));
    let (warnings, registers) = limits(".maxnreg 4");
    assert_eq!((warnings[0].as_str(), registers), ("`.maxnreg 4` is not applied", [63, 40]));
    // The text form keeps them.
    let text =
        format!("{HEAD}.visible .entry k() .maxntid 64 .minnctapersm 2 .maxnreg 24 {{ ret; }}");
    let function = translated(&text).unwrap().functions.remove(0);
    let read = reconverge_compiler::ir::parse::parse(&function.to_string()).unwrap();
    let read = read.functions.first().unwrap();
    assert_eq!((read.min_blocks, read.max_registers), (2, 24));
}
