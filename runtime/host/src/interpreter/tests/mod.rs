//! Programs given as checked trees, run under the reference model.

mod build;

use super::reference::ReferenceDevice;
use crate::device::DeviceLimits;
use crate::program::{Limits, run as run_program};
use crate::report::Outcome;
use crate::sandbox::Sandbox;
use build::*;
use reconverge_compiler::check::builtin::Builtin;
use reconverge_compiler::check::tree::*;

fn outcome_of(module: &Module) -> (Outcome, String) {
    let mut device = ReferenceDevice::new(module, DeviceLimits::default(), 1 << 32).unwrap();
    let (mut output, mut error) = (Vec::new(), Vec::new());
    let arguments = ["program".to_owned(), "x".to_owned()];
    let limits = Limits::default();
    let world = Sandbox::default();
    let outcome =
        run_program(module, &mut device, &arguments, &world, &mut output, &mut error, limits);
    (outcome, String::from_utf8(output).unwrap())
}

/// The exit status of a `main` with these variables and statements.
fn result(locals: &[(Type, bool)], body: Vec<Stmt>) -> Outcome {
    outcome_of(&module(vec![function("main", 0, Type::INT, locals, body)])).0
}

fn trap_message(outcome: Outcome) -> String {
    match outcome {
        Outcome::Trap(report) => report.message.clone(),
        other => panic!("{other:?}"),
    }
}

const INT: Type = Type::INT;

#[test]
fn operands_go_from_left_to_right() {
    // i + i++ * 10 with i = 3: 33, and i = 4 afterwards.
    let i = || local(0, INT);
    let product = binary(BinaryOp::Mul, increment(i(), true), int(10));
    let sum = binary(BinaryOp::Add, load(i()), product);
    let body = vec![
        run(assign(i(), int(3))),
        run(assign(local(1, INT), sum)),
        ret(binary(BinaryOp::Add, binary(BinaryOp::Mul, var(1, INT), int(10)), load(i()))),
    ];
    assert_eq!(result(&[(INT, false), (INT, false)], body), Outcome::Exit(334));
}

#[test]
fn assigning_an_increment_to_its_own_variable_keeps_the_old_value() {
    let i = || local(0, INT);
    let body =
        vec![run(assign(i(), int(3))), run(assign(i(), increment(i(), true))), ret(load(i()))];
    assert_eq!(result(&[(INT, false)], body), Outcome::Exit(3));
}

#[test]
fn small_integers_wrap() {
    let c = || local(0, Type::Int(IntKind::UChar));
    let body = vec![
        run(assign(c(), convert(int(255), Type::Int(IntKind::UChar)))),
        run(increment(c(), false)),
        run(assign_op(BinaryOp::Sub, c(), int(1))),
        ret(convert(load(c()), INT)),
    ];
    assert_eq!(result(&[(Type::Int(IntKind::UChar), false)], body), Outcome::Exit(255));
}

#[test]
fn division_by_zero_is_a_trap() {
    let body = vec![ret(binary(BinaryOp::Div, int(1), var(0, INT)))];
    let message = trap_message(result(&[(INT, false)], body));
    assert_eq!(message, "integer division by zero");
}

#[test]
fn endless_recursion_is_a_trap() {
    let body = vec![ret(binary(BinaryOp::Add, call(0, vec![], INT), int(1)))];
    let message = trap_message(result(&[], body));
    assert!(message.starts_with("stack exhausted in 'main'"), "{message}");
}

#[test]
fn a_large_frame_is_a_trap() {
    let ty = INT.array_of(1 << 40);
    let message = trap_message(result(&[(ty, true)], vec![ret(int(0))]));
    assert!(message.starts_with("stack exhausted in 'main'"), "{message}");
}

#[test]
fn arrays_in_frames() {
    let array = Type::Array(std::sync::Arc::new(INT), 10);
    let at = |index| element(address(local(0, array.clone())), index);
    let body = vec![
        count(
            1,
            int(10),
            run(assign(at(var(1, INT)), binary(BinaryOp::Mul, var(1, INT), var(1, INT)))),
        ),
        ret(binary(BinaryOp::Add, load(at(int(7))), load(at(int(9))))),
    ];
    assert_eq!(result(&[(array.clone(), true), (INT, false)], body), Outcome::Exit(130));
}

#[test]
fn structures_go_by_value() {
    let dim3 = Type::Struct(Module::DIM3);
    let y = |base: Place| place(PlaceKind::Field(Box::new(base), 4), Type::UINT);
    // f(d) { d.y += 1; return d; }
    let d = || local(0, dim3.clone());
    let one = expr(ExprKind::Int(1), Type::UINT);
    let f = function(
        "f",
        1,
        dim3.clone(),
        &[(dim3.clone(), true)],
        vec![run(assign_op(BinaryOp::Add, y(d()), one)), ret(load(d()))],
    );
    let called = call(0, vec![load(d())], dim3.clone());
    let temporary = place(PlaceKind::Temporary(Box::new(called)), dim3.clone());
    let sum = binary(
        BinaryOp::Add,
        binary(BinaryOp::Mul, load(y(temporary)), expr(ExprKind::Int(10), Type::UINT)),
        load(y(d())),
    );
    let body = vec![run(assign(d(), dim3_value())), ret(convert(sum, INT))];
    let main = function("main", 0, INT, &[(dim3.clone(), true)], body);
    assert_eq!(outcome_of(&module(vec![f, main])).0, Outcome::Exit(65));
}

fn dim3_value() -> Expr {
    build::dim3(4, 5, 6)
}

#[test]
fn switches_fall_through() {
    let case = |id| stmt(StmtKind::Label(CaseId(id)));
    let add = |n| run(assign_op(BinaryOp::Add, local(0, INT), int(n)));
    let body =
        block(vec![case(0), add(1), case(1), add(10), stmt(StmtKind::Break), case(2), add(100)]);
    let of = |value| {
        let switch = StmtKind::Switch {
            value: Box::new(int(value)),
            cases: vec![(5, CaseId(0)), (-1, CaseId(1))],
            default: Some(CaseId(2)),
            body: Box::new(body.clone()),
        };
        result(&[(INT, false)], vec![stmt(switch), ret(var(0, INT))])
    };
    assert_eq!(of(5), Outcome::Exit(11));
    assert_eq!(of(-1), Outcome::Exit(10));
    assert_eq!(of(7), Outcome::Exit(100));
}

fn kernel_program(kernel: Function, blocks: i64, threads: i64, n: i64) -> Module {
    kernel_program_of(kernel, blocks, threads, n, vec![])
}

/// `main` allocates `n` ints, launches with their address, copies back and returns their sum.
fn kernel_program_of(
    mut kernel: Function,
    blocks: i64,
    threads: i64,
    n: i64,
    shared: Vec<Shared>,
) -> Module {
    kernel.sides = Sides { kernel: true, device: false, host: false };
    let ints = INT.pointer_to();
    let pointer = |id| var(id, ints.clone());
    let allocate = vec![address(local(0, ints.clone())), size(4 * n)];
    let copy = vec![pointer(1), pointer(0), size(4 * n), int(2)];
    let body = vec![
        run(builtin(Builtin::CudaMalloc, allocate, INT)),
        run(assign(
            local(1, ints.clone()),
            builtin(Builtin::Malloc, vec![size(4 * n)], ints.clone()),
        )),
        launch(0, build::dim3(blocks, 1, 1), build::dim3(threads, 1, 1), vec![pointer(0)]),
        run(builtin(Builtin::CudaMemcpy, copy, INT)),
        count(
            2,
            int(n),
            run(assign_op(BinaryOp::Add, local(3, INT), load(element(pointer(1), var(2, INT))))),
        ),
        ret(var(3, INT)),
    ];
    let locals = [(ints.clone(), true), (ints.clone(), false), (INT, false), (INT, false)];
    let mut module = module(vec![kernel, function("main", 0, INT, &locals, body)]);
    module.shared = shared;
    module
}

fn thread() -> Expr {
    convert(special(Special::ThreadIdx(Axis::X)), INT)
}

#[test]
fn threads_see_each_other_behind_a_barrier() {
    // tile[t] = t; barrier; out[t] = tile[n - 1 - t]
    let tile_type = Type::Array(std::sync::Arc::new(INT), 64);
    let tile = || address(place(PlaceKind::Shared(SharedId(0)), tile_type.clone()));
    let mirrored = binary(BinaryOp::Sub, int(63), thread());
    let body = vec![
        run(assign(element(tile(), thread()), thread())),
        run(builtin(Builtin::SyncThreads, vec![], Type::Void)),
        run(assign(element(var(0, INT.pointer_to()), thread()), load(element(tile(), mirrored)))),
    ];
    let kernel = function("mirror", 1, Type::Void, &[(INT.pointer_to(), false)], body);
    let shared =
        Shared { name: "tile".into(), ty: tile_type.clone(), dynamic: false, span: span(0) };
    let module = kernel_program_of(kernel, 1, 64, 64, vec![shared]);
    assert_eq!(outcome_of(&module).0, Outcome::Exit(64 * 63 / 2));
}

#[test]
fn a_thread_may_spin_for_a_later_one() {
    // if (t == 0) while (out[1] == 0); out[t] = 1 (volatile does not matter here)
    let at = |index| element(var(0, INT.pointer_to()), index);
    let waits = binary(BinaryOp::Equal, load(at(int(1))), int(0));
    let spin = stmt(StmtKind::While(waits, Box::new(block(vec![]))));
    let first = binary(BinaryOp::Equal, thread(), int(0));
    let body =
        vec![stmt(StmtKind::If(first, Box::new(spin), None)), run(assign(at(thread()), int(1)))];
    let kernel = function("spin", 1, Type::Void, &[(INT.pointer_to(), false)], body);
    assert_eq!(outcome_of(&kernel_program(kernel, 1, 2, 2)).0, Outcome::Exit(2));
}

#[test]
fn a_certain_deadlock_is_found() {
    // if (t < 3) while (out[0] == 0); barrier
    let at = element(var(0, INT.pointer_to()), int(0));
    let waits = binary(BinaryOp::Equal, load(at), int(0));
    let spin = stmt(StmtKind::While(waits, Box::new(block(vec![]))));
    let some = binary(BinaryOp::Less, thread(), int(3));
    let body = vec![
        stmt(StmtKind::If(some, Box::new(spin), None)),
        run(builtin(Builtin::SyncThreads, vec![], Type::Void)),
    ];
    let kernel = function("hang", 1, Type::Void, &[(INT.pointer_to(), false)], body);
    let Outcome::Deadlock(report) = outcome_of(&kernel_program(kernel, 2, 8, 2)).0 else {
        panic!("no deadlock");
    };
    let texts: Vec<&str> = report.labels.iter().map(|label| label.1.as_str()).collect();
    assert_eq!(
        texts,
        [
            "3 threads spinning here, the first is (0,0,0)",
            "5 threads at this barrier, the first is (3,0,0)",
            "launched here"
        ]
    );
}

#[test]
fn faults_in_kernels_name_the_thread() {
    let at = element(var(0, INT.pointer_to()), thread());
    let body = vec![run(assign(at, int(1)))];
    let kernel = function("over", 1, Type::Void, &[(INT.pointer_to(), false)], body);
    let Outcome::Trap(report) = outcome_of(&kernel_program(kernel, 3, 8, 5)).0 else {
        panic!("no trap");
    };
    let origin = report.origin().unwrap();
    assert_eq!(origin, "kernel 'over', block (0,0,0), thread (5,0,0)");
    assert!(report.message.contains("just past the end"), "{}", report.message);
}

#[test]
fn bad_launches_are_errors_of_cuda() {
    let kernel = function("k", 1, Type::Void, &[(INT.pointer_to(), false)], vec![]);
    let mut module = kernel_program(kernel, 1, 2000, 1);
    let last = builtin(Builtin::CudaGetLastError, vec![], INT);
    let main = &mut module.functions[1];
    main.body.pop();
    main.body.push(ret(last));
    assert_eq!(outcome_of(&module).0, Outcome::Exit(9));
}

#[test]
fn host_and_device_memory_are_apart() {
    let ints = INT.pointer_to();
    let allocate = vec![address(local(0, ints.clone())), size(4)];
    let body = vec![
        run(builtin(Builtin::CudaMalloc, allocate, INT)),
        ret(load(element(var(0, ints.clone()), int(0)))),
    ];
    let message = trap_message(result(&[(ints.clone(), true)], body));
    assert!(message.starts_with("device memory read on the host"), "{message}");
}

#[test]
fn freeing_twice_is_a_trap() {
    let ints = INT.pointer_to();
    let free = || run(builtin(Builtin::Free, vec![var(0, ints.clone())], Type::Void));
    let body = vec![
        run(assign(local(0, ints.clone()), builtin(Builtin::Malloc, vec![size(4)], ints.clone()))),
        free(),
        free(),
    ];
    let message = trap_message(result(&[(ints.clone(), false)], body));
    assert!(message.ends_with("it was freed before"), "{message}");
}

/// The loop that the speed of host code is judged by; run with `--ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn speed() {
    let floats = Type::Float.pointer_to();
    let n = 1_000_000;
    let at = |id, index| element(var(id, floats.clone()), index);
    let malloc = || builtin(Builtin::Malloc, vec![size(4 * n)], floats.clone());
    let product = binary(BinaryOp::Mul, load(at(0, var(2, INT))), load(at(1, var(2, INT))));
    let inner = run(assign_op(BinaryOp::Add, local(4, Type::Float), product));
    let body = vec![
        run(assign(local(0, floats.clone()), malloc())),
        run(assign(local(1, floats.clone()), malloc())),
        count(3, int(100), count(2, int(n), inner)),
        ret(convert(var(4, Type::Float), INT)),
    ];
    let locals = [
        (floats.clone(), false),
        (floats.clone(), false),
        (INT, false),
        (INT, false),
        (Type::Float, false),
    ];
    let start = std::time::Instant::now();
    assert_eq!(result(&locals, body), Outcome::Exit(0));
    let seconds = start.elapsed().as_secs_f64();
    println!("{:.0} million iterations a second", 100.0 * n as f64 / seconds / 1e6);
}

/// Inner iterations like those of a matrix product of 256 by 256, in a kernel.
#[test]
#[ignore = "a measurement"]
fn kernel_speed() {
    let ints = INT.pointer_to();
    let at = |index| load(element(var(0, ints.clone()), index));
    let product = binary(BinaryOp::Mul, at(var(1, INT)), at(thread()));
    let body = vec![count(1, int(256), run(assign_op(BinaryOp::Add, local(2, INT), product)))];
    let locals = [(ints.clone(), false), (INT, false), (INT, false)];
    let kernel = function("product", 1, Type::Void, &locals, body);
    let module = kernel_program(kernel, 256, 256, 256);
    let start = std::time::Instant::now();
    assert_eq!(outcome_of(&module).0, Outcome::Exit(0));
    let seconds = start.elapsed().as_secs_f64();
    println!("{:.0} million iterations a second in kernels", 16.777_216 / seconds);
}

fn text(id: u32) -> Expr {
    let chars = Type::Int(IntKind::Char).pointer_to();
    expr(ExprKind::String(StringId(id)), chars)
}

#[test]
fn programs_print_and_exit() {
    // printf("%s %d\n", argv[1], rand()); exit(7);
    let strings = Type::Int(IntKind::Char).pointer_to().pointer_to();
    let argument = load(element(var(1, strings.clone()), int(1)));
    let random = builtin(Builtin::Rand, vec![], INT);
    let body = vec![
        run(builtin(Builtin::Printf, vec![text(0), argument, random], INT)),
        run(builtin(Builtin::Exit, vec![int(7)], Type::Void)),
    ];
    let main = function("main", 2, INT, &[(INT, false), (strings, false)], body);
    let mut module = module(vec![main]);
    module.strings = vec![b"%s %d\n".to_vec()];
    assert_eq!(outcome_of(&module), (Outcome::Exit(7), "x 1804289383\n".to_owned()));
}

#[test]
fn main_without_a_return_gives_zero() {
    let main = function("main", 1, INT, &[(INT, false)], vec![]);
    assert_eq!(outcome_of(&module(vec![main])).0, Outcome::Exit(0));
}

#[test]
fn globals_start_with_their_values() {
    let chars = Type::Int(IntKind::Char).pointer_to();
    let global = |ty: Type, space, stores| Global {
        managed: false,
        name: "global".into(),
        ty,
        space,
        offset: 16,
        init: Init { zero: true, stores },
        span: span(0),
    };
    let mut module = module(vec![function(
        "main",
        0,
        INT,
        &[],
        vec![
            run(builtin(
                Builtin::CudaMemcpyFromSymbol,
                vec![
                    address(place(PlaceKind::Global(GlobalId(1)), INT)),
                    address(place(PlaceKind::Global(GlobalId(2)), INT)),
                    size(4),
                    size(0),
                    int(0),
                ],
                INT,
            )),
            run(builtin(
                Builtin::Printf,
                vec![
                    text(0),
                    load(place(PlaceKind::Global(GlobalId(0)), chars.clone())),
                    load(place(PlaceKind::Global(GlobalId(1)), INT)),
                ],
                INT,
            )),
            ret(int(0)),
        ],
    )]);
    module.strings = vec![b"%s %d".to_vec(), b"text".to_vec()];
    module.globals = vec![
        global(chars, GlobalSpace::Host, vec![(0, text(1))]),
        global(INT, GlobalSpace::Host, vec![(0, int(3))]),
        global(INT, GlobalSpace::Constant, vec![(0, int(12))]),
    ];
    assert_eq!(outcome_of(&module), (Outcome::Exit(0), "text 12".to_owned()));
}
