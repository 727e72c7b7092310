//! Texts as compilers write them, and faulty ones.

use reconverge_ptx::tree::{
    Block, CallSite, Function, Instruction, Kind, Module, OperandKind, Space, Statement,
};
use reconverge_ptx::{Constant, parse};

const HEAD: &str = ".version 7.5\n.target sm_75\n.address_size 64\n";

fn module(text: &str) -> Module {
    parse(&format!("{HEAD}{text}")).unwrap_or_else(|error| panic!("{error:?}"))
}

fn kernel(body: &str) -> Function {
    module(&format!(".visible .entry k() {{\n{body}\n}}\n")).functions.remove(0)
}

fn instructions(block: &Block) -> Vec<Instruction> {
    let found = block.statements.iter().flat_map(|statement| match statement {
        Statement::Instruction(instruction) => vec![instruction.clone()],
        Statement::Block(block) => instructions(block),
        _ => Vec::new(),
    });
    found.collect()
}

fn operands(instruction: &str) -> Vec<OperandKind> {
    let function = kernel(instruction);
    let found = instructions(&function.body.unwrap()).remove(0);
    found.operands.into_iter().map(|operand| operand.kind).collect()
}

/// Where the first fault is, as a line, and its message.
fn fault(text: &str) -> (usize, String) {
    let error = parse(text).expect_err(text);
    (text[..error.span.start as usize].matches('\n').count() + 1, error.message)
}

#[test]
fn a_whole_module_is_read() {
    let text = r#"//
.version 8.7
.target sm_90a, debug
.address_size 64
.file 1 "/src/a.cu", 1700000000, 512
.extern .func (.param .b32 func_retval0) vprintf (.param .b64 p0, .param .b64 p1);
.global .align 4 .b8 text[4] = {72, 105, 10};
.const .align 8 .u64 table[2] = {generic(text)+2, 0};
.extern .shared .align 16 .b8 dynamic[];
.weak .func (.reg .f32 %out) twice (.reg .f32 %in) { add.f32 %out, %in, %in; ret; }
.visible .entry saxpy(
  .param .u64 .ptr .global .align 16 saxpy_param_0,
  .param .align 8 .b8 saxpy_param_1[24]
)
.maxntid 256, 1, 1
.minnctapersm 2
{
  .reg .pred %p<3>;
  .reg .v4 .f32 %v;
  .shared .align 4 .f32 tile[8][9];
  .loc 1 7 3
  ld.param.u64 %rd1, [saxpy_param_0+8];
  { .reg .b32 temp; mov.b64 {temp, _}, %rd1; }
  .loc 1 9 4, function_name $L__info_string0+3, inlined_at 1 20 5
  @!%p1 bra $L__BB0_2;
  table: .branchtargets $L__BB0_1, $L__BB0_2;
$L__BB0_1: .pragma "nounroll";
  brx.idx %r1, table;
$L__BB0_2:
  ret;
}
.section .debug_str { $L__info_string0: .b8 102,0 }
"#;
    let module = parse(text).unwrap();
    assert_eq!(module.version.map(|it| (it.major, it.minor)), Some((8, 7)));
    assert_eq!(module.target.len(), 2);
    assert_eq!(&*module.files[0].path, "/src/a.cu");
    assert_eq!(module.variables.len(), 3);
    assert_eq!(module.variables[2].dimensions, [None]);
    assert!(module.variables[2].linkage.external);
    let [vprintf, twice, saxpy] = module.functions.as_slice() else { panic!("three functions") };
    assert!(vprintf.body.is_none() && !vprintf.is_entry && vprintf.results.len() == 1);
    assert_eq!(twice.parameters[0].space, Space::Register);
    assert_eq!(saxpy.parameters[0].pointer.unwrap().space, Some(Space::Global));
    assert_eq!(saxpy.parameters[1].dimensions, [Some(24)]);
    assert_eq!(saxpy.directives[0].values, [256, 1, 1]);
    let body = saxpy.body.as_ref().unwrap();
    let Statement::Variable(predicates) = &body.statements[0] else { panic!("registers") };
    assert_eq!((predicates.count, predicates.ty.kind), (Some(3), Kind::Predicate));
    let inlined = body.statements.iter().filter_map(|statement| match statement {
        Statement::Location(location) => location.inlined.clone(),
        _ => None,
    });
    assert_eq!(inlined.collect::<Vec<_>>()[0].at, CallSite { file: 1, line: 20, column: 5 });
    let spelled: Vec<String> = instructions(body).iter().map(Instruction::spelled).collect();
    assert_eq!(spelled, ["ld.param.u64", "mov.b64", "bra", "brx.idx", "ret"]);
}

#[test]
fn operands_are_told_apart() {
    use OperandKind as O;
    let name = |text: &str| O::Name(text.into());
    assert_eq!(operands("mov.u32 %r1, %tid.x;")[1], O::Part("%tid".into(), "x".into()));
    assert_eq!(operands("mov.u64 %r1, tile+4-8;")[1], O::Offset("tile".into(), -4));
    assert_eq!(operands("selp.b32 %r1, 1, (2+3)*4, %p1;")[2], O::Constant(Constant::signed(20)));
    assert_eq!(operands("mov.f32 %f1, 0f3F800000;")[1], O::Constant(Constant::Single(0x3F80_0000)));
    assert_eq!(
        operands("mov.f32 %f1, -0f3F800000;")[1],
        O::Constant(Constant::Single(0xBF80_0000))
    );
    assert_eq!(operands("mov.u64 %r1, 0xFFFFFFFFFFFFFFFF;")[1], {
        O::Constant(Constant::Integer { bits: u64::MAX, unsigned: true })
    });
    assert_eq!(operands("setp.lt.and.s32 %p1, %r1, %r2, !%p2;")[3], O::Not("%p2".into()));
    let pair = &operands("shfl.sync.down.b32 %r1|_, %r2, 1, 31, -1;")[0];
    assert!(
        matches!(pair, O::Pair(a, b) if a.kind == name("%r1") && b.kind == O::Sink),
        "{pair:?}"
    );
    let address = &operands("ld.global.f32 %f1, [%rd1+-16];")[1];
    assert!(matches!(address, O::Address(a) if a.kind == O::Offset("%rd1".into(), -16)));
    let vector = &operands("ld.global.v2.f32 {%f1, _}, [%rd1];")[0];
    assert!(matches!(vector, O::Vector(items) if items.len() == 2));
    let texture = &operands("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [t, {%f5, %f6}];")[1];
    assert!(matches!(texture, O::Texture(items) if items.len() == 2));
    let call = operands("call.uni (retval0), vprintf, (param0, param1);");
    assert!(matches!(&call[2], O::List(items) if items.len() == 2));
    let video = &operands("vadd.s32.u32.s32 %r1, -%r2.b0, %r3.h1, 0;")[1];
    assert!(matches!(video, O::Minus(part) if matches!(part.kind, O::Part(..))));
}

#[test]
fn faults_have_their_place() {
    let cases = [
        ("\n.entry k() { mov.u32 %r1 %r2; }", 2, "`%r2` is unexpected here"),
        (".entry k() {\n ret;", 2, "the end of the text is unexpected here"),
        (".entry k() { mov.u32 %r1, 0f123; }", 1, "`0f123` is no number"),
        (".entry k() {\n .reg .b33 %r1; }", 2, "`.b33` is no type of PTX"),
        (".entry k() { mov.u32 %r1, 1/0; }", 1, "this expression has no value"),
        (".entry k() { mov.u32 %r1, a*2; }", 1, "this is no constant expression"),
        (".global .b8 a[-1]; \u{201c}", 1, "`\\u{201c}` is no part of PTX"),
        (".file 1 \"abc\n", 1, "the string has no end"),
        (".section .debug { .b8 1", 1, "the section has no end"),
        ("/* no end", 1, "the comment has no end"),
        (".version 1.0\n.version 1.0", 2, "a second `.version`"),
    ];
    for (text, line, message) in cases {
        assert_eq!(fault(text), (line, message.to_owned()), "{text}");
    }
}

#[test]
fn nesting_is_bounded() {
    let nested = |open: &str, close: &str, times: usize| {
        format!("{}{}", open.repeat(times), close.repeat(times))
    };
    parse(&format!(".entry k() {{ {} }}", nested("{", "}", 60))).unwrap();
    for times in [70, 100_000] {
        let blocks = format!(".entry k() {{ {} }}", nested("{", "}", times));
        assert!(fault(&blocks).1.contains("nested"), "{times}");
        let operand = format!(".entry k() {{ mov.u32 %r1, {}; }}", nested("{", "}", times));
        assert!(fault(&operand).1.contains("nested"), "{times}");
        parse(&format!(
            ".entry k() {{ mov.u32 %r1, {}1{}; }}",
            "(".repeat(times),
            ")".repeat(times)
        ))
        .unwrap();
    }
}

/// Texts with bytes left out, doubled or exchanged: each is read or refused.
#[test]
fn mutated_texts_are_read_or_refused() {
    let text = format!(
        "{HEAD}.visible .entry k(.param .u64 a)\n{{ .reg .b32 %r<3>; .loc 1 2 3\n @%p bra L; L: ld.v2.u32 {{%r1,%r2}}, [a+4]; ret; }}\n"
    );
    let bytes = text.as_bytes();
    let signs = b"(){}[];,:@.|!-+0\"%/*?<=";
    for at in 0..bytes.len() {
        let mut less = bytes.to_vec();
        less.remove(at);
        let mut more = bytes.to_vec();
        more.insert(at, bytes[at]);
        let mut other = bytes.to_vec();
        other[at] = signs[at % signs.len()];
        for mutant in [less, more, other, bytes[..at].to_vec()] {
            let _ = parse(&String::from_utf8_lossy(&mutant));
        }
    }
}
