//! Guarded accesses through every layer: text, verifier, passes, analyses, streams and machine code.

use reconverge_compiler::analysis::convergence::Convergence;
use reconverge_compiler::analysis::memory::{Memory, Target};
use reconverge_compiler::analysis::taint::{Taint, Taints};
use reconverge_compiler::analysis::{Condition, Flow, Scope};
use reconverge_compiler::decouple::decouple;
use reconverge_compiler::ir::parse::parse;
use reconverge_compiler::ir::{Function, Value, verify};
use reconverge_compiler::lower::{Options, Session, Step};
use reconverge_compiler::pass::{Knobs, find};
use reconverge_isa::{Instruction, Op};

/// The head of every kernel here: a word of the thread, a parameter, a predicate.
const HEAD: &str = "kernel k {\n  param \"p\" 0 8\n  param \"n\" 8 4\n  shared 64\nb0:\n  \
                    %0 = special tid.x\n  %1 = param.b32 8\n  %2 = setp.lt.s32 %0, %1\n  %3 = param.global 0\n";

fn text(body: &str) -> String {
    format!("{HEAD}{body}\n}}\n")
}

fn function(body: &str) -> Function {
    let text = text(body);
    let mut functions = parse(&text).unwrap_or_else(|found| panic!("{found:?}\n{text}")).functions;
    functions.remove(0)
}

fn faults(body: &str) -> Vec<String> {
    verify(&function(body)).into_iter().map(|fault| fault.message).collect()
}

/// A kernel after a pass.
fn after(pass: &str, body: &str) -> String {
    after_all(&[pass], body)
}

/// A kernel after some passes.
fn after_all(passes: &[&str], body: &str) -> String {
    let mut function = function(body);
    assert_eq!(verify(&function), [], "{body}");
    for pass in passes {
        find(pass).expect("a pass").run(&mut function, &Knobs::default()).expect("it sets no hint");
        assert_eq!(verify(&function), [], "{body}\n{function}");
    }
    function.to_string()
}

fn code(body: &str, max_registers: Option<u32>) -> Vec<Instruction> {
    let options = Options { max_registers, verify: true, ..Options::default() };
    let watch = &mut |_: Step| {};
    let (kernel, _) = Session::new(&options, watch).assemble(&function(body), 32).expect("code");
    kernel.code
}

#[test]
fn the_text_is_read_back() {
    let body = "  %4 = @%2 ld.global.b32 %3 else %1\n  %5 = @%2 atom.add.i32.global %3, %4 else %0\n  \
                @%2 st.volatile.global.b32 %3, %5\n  return";
    assert_eq!(function(body).to_string(), text(body));
    assert_eq!(faults(body), [""; 0]);
}

#[test]
fn what_is_wrong_with_a_guard_is_said() {
    let wrong = |line: &str| {
        let found = parse(&text(&format!("  {line}\n  return"))).expect_err(line);
        format!("{}: {}", found[0].column, found[0].message)
    };
    assert_eq!(
        wrong("%4 = @%2 add.i32 %0, %1 else %0"),
        "12: only loads, stores and atomics have guards"
    );
    assert_eq!(
        wrong("%4 = @%2 ld.global.b32 %3"),
        "28: expected `else`, found the end of the line"
    );
    assert_eq!(wrong("@%2 @%2 st.global.b32 %3, %0"), "7: expected an instruction, found `@`");
    assert_eq!(
        faults("  %4 = @%0 ld.global.b32 %3 else %1\n  return"),
        ["%4: operands are b32, b32, b32, not b32, pred, b32"]
    );
    assert_eq!(
        faults("  %4 = @%2 ld.global.b32 %3 else %2\n  return"),
        ["%4: operands are b32, pred, pred, not b32, pred, b32"]
    );
    assert_eq!(
        faults("  @%2 st.const.b32 %3, %1\n  return"),
        ["this instruction: constant memory cannot be written"]
    );
}

#[test]
fn the_other_value_of_a_wide_load_has_the_parts_of_the_load() {
    let load = |other: &str, part: &str| {
        format!("  %4 = {other}\n  %5 = @%2 ld.global.b64 %3 else %4\n  %6 = {part}\n  return")
    };
    assert_eq!(faults(&load("join.b64 %0, %1", "part.b32 1, %5")), [""; 0]);
    let wrong = faults(&load("const.b64 0", "part.b32 1, %5"));
    assert_eq!(wrong, ["%6 has no counterpart in the other value of %5"]);
    let whole = faults(&load("join.b64 %0, %1", "mov.b64 %5"));
    assert_eq!(whole, ["%5 reads %4, a wide access or what it stores"]);
}

#[test]
fn equal_guarded_loads_are_one() {
    let pair = |between: &str, second: &str| {
        let body = format!(
            "  %4 = @%2 ld.global.b32 %3 else %1\n  {between}\n  %5 = {second}\n  \
             st.shared.b32 %4, %5\n  return"
        );
        after("gvn", &body).contains("%5 =")
    };
    let same = "@%2 ld.global.b32 %3 else %1";
    assert!(!pair("", same));
    assert!(!pair("@%2 st.shared.b32 %3, %0", same));
    assert!(pair("@%2 st.global.b32 %3, %0", same));
    assert!(pair("%9 = @%2 atom.add.i32.global %3, %0 else %0", same));
    assert!(pair("", "@%2 ld.global.b32 %3 else %0"));
    assert!(pair("", "ld.global.b32 %3"));
}

#[test]
fn a_guarded_store_leaves_nothing_for_a_load() {
    let body =
        "  @%2 st.global.b32 %3, %1\n  %4 = ld.global.b32 %3\n  st.shared.b32 %0, %4\n  return";
    assert!(after("gvn", body).contains("%4 = ld"));
    let around = "  %4 = ld.global.b32 %3\n  @%2 st.global.b32 %3, %0\n  %5 = ld.global.b32 %3\n  \
                  st.shared.b32 %4, %5\n  return";
    assert!(after("gvn", around).contains("%5 = ld"));
}

#[test]
fn a_guarded_store_to_a_local_variable_keeps_it_in_memory() {
    let body = format!(
        "{}  %4 = slot s0\n  st.local.b32 %4, %1\n  @%2 st.local.b32 %4, %0\n  %5 = ld.local.b32 %4\n  \
         st.global.b32 %3, %5\n  return\n}}\n",
        HEAD.replace("b0:", "  slot s0 \"v\" 4 4\nb0:")
    );
    let mut function = parse(&body).expect("a text").functions.remove(0);
    find("promote")
        .expect("a pass")
        .run(&mut function, &Knobs::default())
        .expect("it sets no hint");
    assert!(function.to_string().contains("@%2 st.local.b32"), "{function}");
    assert!(Memory::new(&function).slots()[0].escapes);
}

#[test]
fn guarded_loads_leave_loops_where_nothing_writes() {
    let in_front = |body: &str| {
        let text = after(
            "licm",
            &format!(
                "  %10 = const.b32 0\n  jump b1\nb1:\n  %11 = phi.b32 b0 %10, b1 %12\n  \
                 %4 = @%2 ld.global.b32 %3 else %1\n{body}  %12 = add.i32 %11, %4\n  \
                 %13 = setp.lt.s32 %12, %1\n  branch %13, b1, b2\nb2:\n  return"
            ),
        );
        text.split("jump b1").next().is_some_and(|front| front.contains("ld.global"))
    };
    assert!(in_front("  @%2 st.shared.b32 %0, %11\n"));
    assert!(!in_front("  @%2 st.global.b32 %0, %11\n"));
    assert!(!in_front("  bar.sync\n"));
}

#[test]
fn guarded_loads_that_nobody_reads_go_stores_and_atomics_stay() {
    let body = "  %4 = @%2 ld.global.b32 %3 else %1\n  %5 = @%2 ld.volatile.global.b32 %3 else %1\n  \
                %6 = @%2 atom.add.i32.global %3, %0 else %0\n  @%2 st.global.b32 %3, %0\n  return";
    let found = after("dead", body);
    assert!(!found.contains("%4 =") && found.contains("%5 =") && found.contains("%6 ="), "{found}");
    assert!(found.contains("@%2 st.global"), "{found}");
}

#[test]
fn guarded_accesses_keep_their_order() {
    for (first, second) in [
        ("@%2 st.global.b32 %3, %0", "%4 = ld.global.b32 %3"),
        ("st.global.b32 %3, %0", "%4 = @%2 ld.global.b32 %3 else %1"),
        ("%5 = @%2 atom.add.i32.global %3, %0 else %0", "%4 = @%2 ld.global.b32 %3 else %1"),
        ("bar.sync", "%4 = @%2 ld.global.b32 %3 else %1"),
    ] {
        let body = format!("  {first}\n  {second}\n  st.shared.b32 %0, %4\n  return");
        assert!(after("schedule", &body).contains(&format!("{first}\n  {second}")), "{body}");
    }
}

/// Four loads or stores of a vector under guards.
fn vector(guards: [u32; 4]) -> String {
    let mut body = "  %5 = setp.lt.s32 %1, %0\n  %6 = const.b32 4\n  %7 = const.b32 8\n  %8 = const.b32 12\n  \
                    %9 = add.i32 %3, %6\n  %10 = add.i32 %3, %7\n  %11 = add.i32 %3, %8\n"
        .to_owned();
    for (at, guard) in guards.into_iter().enumerate() {
        let address = [3, 9, 10, 11][at];
        body += &format!(
            "  %{} = @%{guard} ld.{}of16.global.b32 %{address} else %{}\n",
            20 + at,
            4 * at,
            [0, 1, 6, 7][at]
        );
    }
    for (at, guard) in guards.into_iter().enumerate() {
        let address = [3, 9, 10, 11][at];
        body += &format!("  @%{guard} st.{}of16.global.b32 %{address}, %{}\n", 4 * at, 20 + at);
    }
    body + "  return"
}

#[test]
fn the_members_of_a_vector_under_one_guard_are_one_access() {
    let found = after("vector-access", &vector([2; 4]));
    assert_eq!(found.matches("@%2 ld.global.b128 %3 else").count(), 1, "{found}");
    assert_eq!(found.matches("@%2 st.global.b128 %3").count(), 1, "{found}");
    assert!(found.contains("join.b128 %0, %1, %6, %7"), "{found}");
    let scheduled = after_all(&["vector-access", "schedule"], &vector([2; 4]));
    assert_eq!(scheduled.matches("b128").count(), 4, "{scheduled}");
    let apart = after("vector-access", &vector([2, 5, 2, 5]));
    // A store writes what its guard lets it; a load may read the rest of its vector.
    assert!(!apart.contains("st.global.b128"), "{apart}");
    for guard in ["@%2", "@%5"] {
        assert_eq!(apart.matches(&format!("{guard} ld.global.b128")).count(), 1, "{apart}");
    }
}

#[test]
fn a_guarded_load_is_as_uniform_as_its_guard() {
    let scope = |guard: &str, other: &str| {
        let function = function(&format!(
            "  %4 = special ctaid.x\n  %5 = setp.lt.s32 %4, %1\n  %6 = ld.shared.b32 %3\n  %7 = address.const 0\n  \
             %8 = @{guard} ld.const.b32 %7 else {other}\n  st.global.b32 %3, %8\n  return"
        ));
        let flow = Flow::new(&function);
        Convergence::new(&flow, Condition::Always).scope(Value(8))
    };
    assert_eq!(scope("%5", "%1"), Scope::Block);
    assert_eq!(scope("%2", "%1"), Scope::None);
    assert_eq!(scope("%5", "%0"), Scope::None);
}

#[test]
fn guarded_accesses_are_data_and_writes() {
    let function = function(
        "  %4 = @%2 ld.const.b32 %1 else %1\n  @%2 st.global.b32 %3, %4\n  %5 = ld.global.b32 %3\n  \
         st.shared.b32 %0, %5\n  return",
    );
    let flow = Flow::new(&function);
    let convergence = Convergence::new(&flow, Condition::Always);
    assert_eq!(Taints::new(&flow, &convergence).value(Value(4)), Taint::Data);
    // The guarded store is the only write to global memory.
    assert_eq!(flow.target(Value(5)), Target::Global);
}

#[test]
fn guarded_accesses_stay_in_the_non_affine_stream() {
    let body = "  %4 = const.b32 4\n  %5 = const.b32 0\n  jump b1\nb1:\n  %6 = phi.b32 b0 %5, b1 %9\n  \
                %7 = mad.i32 %6, %4, %3\n  %8 = @%2 ld.global.b32 %7 else %1\n  %10 = ld.global.b32 %7\n  \
                %11 = add.i32 %8, %10\n  @%2 st.shared.b32 %0, %11\n  %9 = add.i32 %6, %0\n  \
                %12 = setp.lt.s32 %9, %1\n  branch %12, b1, b2\nb2:\n  return";
    let (streams, report) = decouple(&function(body));
    let text = report.text(&[]);
    assert!(text.contains("has a guard"), "{text}");
    if let Some(streams) = streams {
        assert_eq!(verify(&streams.main), []);
        assert_eq!(verify(&streams.affine), []);
        assert!(streams.main.to_string().contains("@%2 ld.global"), "{}", streams.main);
        assert!(!streams.affine.to_string().contains('@'), "{}", streams.affine);
    }
}

#[test]
fn machine_code_has_the_guards() {
    let body = "  %4 = const.pred true\n  %5 = xor.pred %2, %4\n  %6 = @%5 ld.global.b32 %3 else %0\n  \
                %7 = @%2 atom.add.i32.global %3, %6 else %6\n  @%2 st.global.b32 %3, %7\n  return";
    let code = code(body, None);
    let guarded = |op: Op| {
        let guards = code.iter().filter(|it| it.op == op).map(|it| it.guard.expect("a guard"));
        guards.map(|guard| guard.negated).collect::<Vec<_>>()
    };
    assert_eq!(guarded(Op::Load), [true]);
    assert_eq!(guarded(Op::AtomAdd), [false]);
    assert_eq!(guarded(Op::Store), [false]);
    assert!(code.iter().all(|it| it.op != Op::Branch), "{code:?}");
}

#[test]
fn wide_guarded_loads_are_spilled_and_filled() {
    let mut function = function(&vector([2; 4]));
    find("vector-access")
        .expect("a pass")
        .run(&mut function, &Knobs::default())
        .expect("it sets no hint");
    for max_registers in [8, 10, 12, 63] {
        let options =
            Options { max_registers: Some(max_registers), verify: true, ..Options::default() };
        let watch = &mut |_: Step| {};
        let made = Session::new(&options, watch).assemble(&function, 32);
        let (kernel, _) = made.unwrap_or_else(|error| panic!("{max_registers}: {error:?}"));
        let wide = |op: Op| {
            let of = |it: &&Instruction| it.op == op && it.width.bytes() == 16;
            kernel.code.iter().filter(of).filter(|it| it.guard.is_some()).count()
        };
        assert_eq!((wide(Op::Load), wide(Op::Store)), (1, 1));
    }
}
