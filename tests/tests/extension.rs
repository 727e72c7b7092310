//! The extension of `runtime/examples/extension`, whose mechanisms are installed in this process as its own binary installs them.

#[path = "../../runtime/examples/extension/src/lib.rs"]
mod lab;

use reconverge::extend::scheduler::{Build, Scheduler, View, oldest};
use reconverge::extend::{
    CandidateSet, Declaration, Extension, Hint, Installed, Mechanism, Pass, Place, Work, installed,
    tool,
};
use reconverge::study::SOURCES;
use reconverge::{CompileOptions, Module, Target};
use reconverge_simulator::{load_machine, machines, mechanisms};
use reconverge_tests::examples::{SIX, case};
use reconverge_tests::matrix::{complaint, every_mechanism};
use std::sync::OnceLock;

struct Oldest;

impl Scheduler for Oldest {
    fn pick(&mut self, ready: CandidateSet, view: &View) -> Option<usize> {
        oldest(ready, view.ages)
    }
}

const fn called(name: &'static str) -> Mechanism<Build> {
    Mechanism {
        name,
        sentence: "the oldest ready path",
        options: &[],
        trials: &[],
        statistics: &[],
        build: |_| Ok(Box::new(Oldest)),
    }
}

const fn pass(name: &'static str) -> Pass {
    Pass { name, doc: "changes nothing", work: Work::Ir(|_, _| false) }
}

const CYCLES: Declaration = Declaration::sum("cycles", "issues", "Something else.");

/// Installs the extension, once for all tests of this process. Returns the errors of extensions that were refused before.
fn install() -> &'static [String] {
    static REFUSED: OnceLock<Vec<String>> = OnceLock::new();
    REFUSED.get_or_init(|| {
        let other = || Extension::new("other", "0.1.0");
        let bad = [
            other().scheduler(called("lru")),
            other().scheduler(called("mine")).scheduler(called("mine")),
            other().scheduler(called("l1")),
            other().scheduler(called("My mechanism")),
            other().scheduler(Mechanism { statistics: &[CYCLES], ..called("mine") }),
            other().machine("h100", ""),
            other().pass(pass("licm"), Place::After("dead")),
            other().pass(pass("mine"), Place::After("missing")),
            other().pass(pass("mine"), Place::After("control-bits")),
            other().hint(Hint::numbers("stride", 0, 1, "Something else."), None),
            other().hint(Hint::numbers("mine", 1, 0, "It has no values."), None),
            Extension::new("", "0.1.0"),
        ];
        let refused = bad.map(|it| it.install().unwrap_err()).to_vec();
        lab::extension().install().unwrap();
        let _ = mechanisms();
        let late = other().scheduler(called("late")).install();
        [refused, vec![late.unwrap_err()]].concat()
    })
}

#[test]
fn names_that_are_taken_are_refused() {
    assert_eq!(
        install(),
        [
            "extension `other`: a mechanism `lru` exists; rename that of slot `scheduler`",
            "extension `other`: a mechanism `mine` exists; rename that of slot `scheduler`",
            "extension `other`: `l1` is a key of machine files, so options of a mechanism cannot have it",
            "extension `other`: `My mechanism` is no name: use lower-case letters and digits, with hyphens between words",
            "extension `other`: another statistic is called `cycles`",
            "extension `other`: a machine `h100` exists",
            "extension `other`: a pass `licm` exists",
            "extension `other`: `-O2` runs no pass `missing`, after which `mine` is to run",
            "extension `other`: `mine` works on IR, and `control-bits` on machine code",
            "extension `other`: a hint `stride` exists",
            "extension `other`: hint `mine` has no values: 1 to 0",
            "extension ``: `` is no name: use lower-case letters and digits, with hyphens between words",
            "extension `other`: install it before the first machine is loaded",
        ]
    );
    assert_eq!(installed(), [Installed { name: "lab", version: "0.1.0" }]);
}

/// The mechanisms of the extension, with their slots.
const OWN: [(&str, &str); 4] = [
    ("scheduler", "barrier-aware"),
    ("replacement", "ship"),
    ("allocation", "streaming-bypass"),
    ("prefetcher", "stride-ahead"),
];

#[test]
fn its_mechanisms_and_machine_are_listed() {
    install();
    for own in OWN {
        assert!(mechanisms().iter().any(|info| (info.slot, info.name) == own), "{own:?}");
    }
    assert!(machines().iter().any(|machine| machine.name == "lab-small-l1"));
    assert_eq!(load_machine("lab-small-l1", &[]).map(|it| it.l1.size), Ok(8192));
}

#[test]
fn its_mechanisms_agree_with_the_interpreter_on_six_programs() {
    install();
    let is_own = |name: &str| OWN.iter().any(|(_, own)| *own == name);
    let mut variants = every_mechanism();
    variants.retain(|it| it.sets.iter().any(|(_, value)| is_own(value)));
    assert!(variants.len() >= OWN.len(), "{variants:?}");
    for program in SIX {
        let case = case(program).unwrap();
        case.compare(&variants).map_err(|failure| complaint(program, &failure)).unwrap();
    }
}

/// Results name the extension and the executable, so a study never takes those of other code.
#[test]
fn results_name_it() {
    install();
    let tool = tool().unwrap();
    let rest = tool.strip_prefix(SOURCES).and_then(|rest| rest.strip_prefix(" lab 0.1.0 "));
    assert!(rest.is_some_and(|digest| digest.len() == 64), "{tool}");
}

/// The pass marks the load of each kernel that no loop contains, and the cache obeys.
#[test]
fn its_pass_and_its_cache_work_together() {
    install();
    let source = "__global__ void twice(float *to, const float *from, int count)
        {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            float sum = from[i];
            for (int k = 0; k < count; k++)
                sum += from[k];
            to[i] = sum;
        }";
    let bypassed = |disabled: &[&str]| {
        let mut options = CompileOptions::default();
        options.lowering.disabled = disabled.iter().map(|it| (*it).to_owned()).collect();
        let module = Module::compile(source, &options).unwrap();
        let settings = [("allocation", "streaming-bypass")];
        let mut gpu = module.load(&Target::with("gtx480", &settings).unwrap()).unwrap();
        let (to, from) = (gpu.zeros::<f32>(64).unwrap(), gpu.buffer(&[1.0f32; 64]).unwrap());
        let arguments = [to.into(), from.into(), 8i32.into()];
        let report = gpu.launch("twice", 2, 32, 0, &arguments).unwrap();
        assert_eq!(gpu.read(&to), [9.0; 64]);
        report.statistics.unwrap().mechanisms.get("streaming_bypassed")
    };
    // A line of each of two warps.
    assert_eq!(bypassed(&[]), 2);
    assert_eq!(bypassed(&["mark-streams"]), 0);
}

/// The kernel of assembly with a load in a loop that has a hint, and runs `count` times.
const REPEATED: &str = ".kernel again\n.param from 0 8\n.param count 8 4\n.registers 3\n.predicates 1\nmov.b32 r0, 0\n\
    mov.b32 r2, c[0]\nL: ld.global.b32 r1, [r2] !hint executions 2\nadd.i32 r0, r0, 1 !hint executions 5\nsetp.lt.s32 p0, r0, c[8]\n\
    @p0 bra L !reconverge E !hint executions 9\nE: exit";

#[test]
fn its_hint_survives_text_and_bytes() {
    install();
    let program = reconverge_isa::text::parse(REPEATED).unwrap();
    let code = &program.kernels[0].code;
    let hints = |at: usize| code[at].hints.get(&lab::EXECUTIONS);
    assert_eq!([2, 3, 4, 5].map(hints), [Some(2), Some(5), None, Some(9)]);
    let bytes = reconverge_isa::binary::encode(&program).unwrap();
    assert_eq!(reconverge_isa::binary::decode(&bytes).as_ref(), Ok(&program));
    assert_eq!(reconverge_isa::text::parse(&reconverge_isa::text::print(&program)), Ok(program));
    for (wrong, message) in [
        ("executions 0", "1:12: hint `executions` cannot be `0`; it is a number from 1 to 1000000"),
        ("executions 2 !hint executions 3", "1:25: hint `executions` appears twice"),
        ("execution 2", "1:6: there is no hint `execution`; did you mean `executions`?"),
    ] {
        let text = format!("exit !hint {wrong}");
        let errors = reconverge_isa::text::parse(&text).unwrap_err();
        assert!(errors[0].to_string().ends_with(&message[4..]), "{}", errors[0]);
    }
}

/// Hints of the IR are read back, and reach the machine instructions that compute their values, copies included.
#[test]
fn its_hint_goes_through_the_ir() {
    install();
    let ir = "version 1\n\nkernel k {\n  param \"p\" 0 8\nb0:\n  %0 = param.global 0\n  %1 = ld.global.b32 %0 !3:4 !hint executions 7\n  \
              %2 = const.b32 1\n  %3 = setp.lt.s32 %1, %2 !hint executions 3\n  branch %3, b1, b2 !hint executions 4\nb1:\n  \
              st.global.b32 %0, %2 !hint executions 5\n  jump b2\nb2:\n  return\n}\n";
    let text = reconverge_compiler::ir::parse::parse(ir).unwrap();
    let function = &text.functions[0];
    assert_eq!(
        reconverge_compiler::ir::print::module(&[], &[], std::slice::from_ref(function)),
        ir
    );
    let wrong = ir.replace("executions 7", "loop-first 7");
    let errors = reconverge_compiler::ir::parse::parse(&wrong).unwrap_err();
    assert_eq!(errors[0].message, "hint `loop-first` is an instruction of machine code");
    let module = Module::from_ir(ir, &CompileOptions::default()).unwrap();
    let code = &module.lowered().program.kernels[0].code;
    let found: Vec<i32> = code.iter().filter_map(|it| it.hints.get(&lab::EXECUTIONS)).collect();
    assert_eq!(found, [7, 3, 4, 5]);
}

/// The check of a hint finds that it is false, and where.
#[test]
fn its_check_finds_a_false_hint() {
    install();
    let run = |count: i32, verify_annotations: bool| {
        let module = Module::from_asm(REPEATED).unwrap();
        let target = Target { verify_annotations, ..Target::new("tiny").unwrap() };
        let mut gpu = module.load(&target).unwrap();
        let from = gpu.zeros::<i32>(1).unwrap();
        gpu.launch("again", 1, 32, 0, &[from.into(), count.into()]).map(drop)
    };
    assert!(run(2, true).is_ok() && run(3, false).is_ok());
    let error = run(3, true).unwrap_err().to_string();
    assert!(
        error.contains(
            "hint `executions` is false: a thread has executed this 3 times; at most 2 are claimed"
        ),
        "{error}"
    );
}

/// Each block of code in docs/extend.md is a part of the example, which this program compiles and runs.
#[test]
fn the_document_shows_the_example() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |path: std::path::PathBuf| std::fs::read_to_string(path).unwrap();
    let words = |text: &str| text.split_whitespace().collect::<String>();
    let sources = std::fs::read_dir(root.join("runtime/examples/extension/src")).unwrap();
    let sources: Vec<String> = sources.map(|entry| words(&read(entry.unwrap().path()))).collect();
    let document = read(root.join("docs/extend.md"));
    let blocks: Vec<&str> = document.split("```rust\n").skip(1).collect();
    assert!(blocks.len() > 4);
    for block in blocks {
        let block = block.split("```").next().unwrap();
        assert!(sources.iter().any(|source| source.contains(&words(block))), "{block}");
    }
}
