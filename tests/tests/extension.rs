//! The extension of `runtime/examples/extension`, whose mechanisms are installed in this process as its own binary installs them.

#[path = "../../runtime/examples/extension/src/lib.rs"]
mod lab;

use reconverge::extend::analysis::Answers;
use reconverge::extend::analysis::access::{Neighbours, neighbours};
use reconverge::extend::ir::Value;
use reconverge::extend::pairing::{First, Pairing};
use reconverge::extend::scheduler::{Build, NextInstruction, Scheduler, View, oldest};
use reconverge::extend::{
    CandidateSet, Cost, Declaration, Evidence, Extension, Found, FoundAt, Hint, Installed,
    Mechanism, MechanismStatistics, Pass, Place, Rule, Setup, Stall, Work, installed, tool,
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
        build: &|_| Ok(Box::new(Oldest)),
    }
}

const fn pass(name: &'static str) -> Pass {
    Pass { name, doc: "changes nothing", work: Work::Ir(|_, _| false) }
}

/// A rule that finds every kernel.
struct Marked(&'static str);

impl Rule for Marked {
    fn name(&self) -> &'static str {
        self.0
    }

    fn find(&self, _: &Evidence) -> Vec<Found> {
        let place = FoundAt::Instruction(0);
        let cost = Cost { share: 0.5, of: "everything" };
        let (message, advice) = ("it ran".to_owned(), "do nothing".to_owned());
        vec![Found { place, message, cost, advice }]
    }
}

const STRIDED: Hint = Hint::numbers("strided", 0, 1 << 20, "Bytes between neighbouring threads.");

/// The strides of loads, as the compiler's own analysis finds them.
fn strides(answers: &Answers, load: Value) -> Vec<(Hint, i32)> {
    match answers.flow.function.name.as_str() {
        "invents" => return vec![(Hint::numbers("invented", 0, 1, "Nothing."), 0)],
        "exceeds" => return vec![(STRIDED, -1)],
        _ => {}
    }
    match neighbours(answers, load) {
        Some((Neighbours::Apart(bytes), _)) => vec![(STRIDED, bytes as i32)],
        _ => Vec::new(),
    }
}

/// Where a scheduler was built, and how many stalls it has seen.
struct Placed {
    scheduler: usize,
    memory: u64,
    others: u64,
}

const MEMORY: Declaration =
    Declaration::sum("placed_memory", "candidates", "Those that wait for memory.");
const OTHERS: Declaration = Declaration::sum("placed_others", "candidates", "All other ones.");
const SHARE: Declaration =
    Declaration::quotient("placed_share", "ratio", "The first by the others.", &[&MEMORY], &OTHERS);
const LATER: Declaration = Declaration::sum("placed_later", "picks", "Those of later schedulers.");

impl Scheduler for Placed {
    fn pick(&mut self, ready: CandidateSet, view: &View) -> Option<usize> {
        for candidate in 0..view.ages.len() {
            match view.stall(candidate) {
                Stall::Memory => self.memory += 1,
                _ => self.others += 1,
            }
        }
        oldest(ready, view.ages)
    }

    fn count(&self, own: &mut MechanismStatistics, _cycle: u64) {
        own.add(&MEMORY, self.memory);
        own.add(&OTHERS, self.others);
        own.add(&LATER, self.scheduler as u64);
    }
}

/// Refuses every second instruction, and counts them.
struct Refusing(u64);

const REFUSED: Declaration = Declaration::sum("pairs_refused", "instructions", "Refused ones.");

impl Pairing for Refusing {
    fn partners(&mut self, first: &First) -> CandidateSet {
        1 << first.candidate
    }

    fn pairs(&mut self, _: &First, second: &NextInstruction) -> bool {
        self.0 += u64::from(second.active != 0);
        false
    }

    fn count(&self, own: &mut MechanismStatistics) {
        own.add(&REFUSED, self.0);
    }
}

/// An extension of the parts that the example does without.
fn mine() -> Extension {
    let scheduler = Mechanism::<Build> {
        name: "placed",
        statistics: &[MEMORY, OTHERS],
        build: &|setup: &Setup| {
            let of_sm = setup.machine.is_some() && setup.sm.is_some();
            let scheduler = setup.scheduler.unwrap_or(0);
            assert_eq!(of_sm, setup.scheduler.is_some());
            Ok(Box::new(Placed { scheduler, memory: 0, others: 0 }))
        },
        ..called("placed")
    };
    let pairing = Mechanism::<reconverge::extend::pairing::Build> {
        name: "refusing",
        sentence: "pairs nothing",
        options: &[],
        trials: &[],
        statistics: &[REFUSED],
        build: &|_| Ok(Some(Box::new(Refusing(0)))),
    };
    Extension::new("mine", "0.1.0")
        .scheduler(scheduler)
        .pairing(pairing)
        .hint(STRIDED, None)
        .analysis("find-strides", "gives loads the hint `strided`", strides)
        .statistic(SHARE)
        .statistic(LATER)
        .finding(&Marked("it-ran"))
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
            other().statistic(CYCLES),
            other().finding(&Marked("uncoalesced")),
            other().analysis("licm", "finds nothing", |_, _| Vec::new()),
            Extension::new("", "0.1.0"),
        ];
        let refused = bad.map(|it| it.install().unwrap_err()).to_vec();
        lab::extension().install().unwrap();
        mine().install().unwrap();
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
            "extension `other`: another statistic is called `cycles`",
            "extension `other`: a finding `uncoalesced` exists",
            "extension `other`: a pass `licm` exists",
            "extension ``: `` is no name: use lower-case letters and digits, with hyphens between words",
            "extension `other`: install it before the first machine is loaded",
        ]
    );
    let named = |name| Installed { name, version: "0.1.0" };
    assert_eq!(installed(), [named("lab"), named("mine")]);
}

/// The mechanisms of the extension, with their slots.
const OWN: [(&str, &str); 5] = [
    ("scheduler", "barrier-aware"),
    ("replacement", "ship"),
    ("allocation", "streaming-bypass"),
    ("prefetcher", "stride-ahead"),
    ("pairing", "dual-dispatch"),
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
    let rest =
        tool.strip_prefix(SOURCES).and_then(|rest| rest.strip_prefix(" lab 0.1.0 mine 0.1.0 "));
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

/// The kernel of assembly with a load in a loop that has a hint, and runs three times.
const REPEATED: &str = ".kernel again\n.registers 3\n.predicates 1\n.shared 128\nmov.b32 r0, 0\n\
    mov.b32 r2, 0x1000000\nL: ld.shared.b32 r1, [r2] !hint executions 2\nadd.i32 r0, r0, 1 !hint executions 5\n\
    setp.lt.s32 p0, r0, 3\n@p0 bra L !reconverge E !hint executions 9\nE: exit";

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
    let run = |text: &str, verify_annotations: bool| {
        let module = Module::from_asm(text).unwrap();
        let target = Target { verify_annotations, ..Target::new("tiny").unwrap() };
        let mut gpu = module.load(&target).unwrap();
        gpu.launch("again", 1, 32, 0, &[]).map(drop)
    };
    run(REPEATED, false).unwrap();
    run(&REPEATED.replace("r0, 3", "r0, 2"), true).unwrap();
    let error = run(REPEATED, true).unwrap_err().to_string();
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

/// A scheduler is built for its place and sees what others wait for; statistics of the extension are counted and divided.
#[test]
fn its_scheduler_knows_its_place_and_what_others_wait_for() {
    install();
    let source = "__global__ void twice(float *a) { int i = blockIdx.x * 256 + threadIdx.x; a[i] = a[i] * 2; }";
    let module = Module::compile(source, &CompileOptions::default()).unwrap();
    let target = Target::with("gtx480", &[("scheduler", "placed")]).unwrap();
    let mut gpu = module.load(&target).unwrap();
    let buffer = gpu.buffer(&[1.0f32; 512]).unwrap();
    let report = gpu.launch("twice", 2, 256, 0, &[buffer.into()]).unwrap();
    let statistics = report.statistics.unwrap();
    let own = &statistics.mechanisms;
    assert!(own.get("placed_memory") > 0 && own.get("placed_others") > 0);
    // Each SM has two schedulers, the second of which counts.
    let sms = load_machine("gtx480", &[]).unwrap().sms;
    assert_eq!(own.get("placed_later"), u64::from(sms));
    let listed: Vec<_> = reconverge_simulator::declarations().map(|it| it.name).collect();
    assert!(["placed_memory", "placed_share", "placed_later"].iter().all(|it| listed.contains(it)));
}

/// The analysis sets hints of loads, which `--emit analysis` shows.
#[test]
fn its_analysis_sets_hints() {
    install();
    let source = "__global__ void k(float *to, const float *from) { to[threadIdx.x] = from[2 * threadIdx.x]; }";
    let module = Module::compile(source, &CompileOptions::default()).unwrap();
    let code = &module.lowered().program.kernels[0].code;
    let found: Vec<i32> = code.iter().filter_map(|it| it.hints.get(&STRIDED)).collect();
    assert_eq!(found, [8]);
    let flow = reconverge::extend::analysis::Flow::new(&module.lowered().ir[0]);
    let report = reconverge::extend::analysis::report::report(&Answers::new(&flow));
    let hints: Vec<_> = report.hints.iter().map(|it| (it.hint, it.is.as_str())).collect();
    assert_eq!(hints, [("executions", "1"), ("strided", "8")]);
}

/// An analysis that returns a hint which its extension does not declare stops the compilation, as does a value that the
/// hint does not have.
#[test]
fn hints_that_an_analysis_invents_are_errors() {
    install();
    let source = |name: &str| {
        format!(
            "__global__ void {name}(int *to, const int *from) {{ to[threadIdx.x] = from[2 * threadIdx.x]; }}"
        )
    };
    let error = |name: &str| {
        let module = Module::compile(source(name).as_str(), &CompileOptions::default());
        module.map(drop).unwrap_err().to_string()
    };
    let unknown = error("invents");
    assert!(
        unknown.contains("error[E0810]")
            && unknown
                .contains("extension `mine`: analysis `find-strides`: there is no hint `invented`"),
        "{unknown}"
    );
    let beyond = error("exceeds");
    assert!(
        beyond.contains(
            "analysis `find-strides`: hint `strided` cannot be -1; it is a number from 0 to 1048576"
        ),
        "{beyond}"
    );
}

/// A mechanism of the process's last minutes works by its name, and is not listed.
#[test]
fn a_mechanism_may_be_added_late() {
    use reconverge::extend::{add_late, scheduler::list::MECHANISMS};
    install();
    add_late(&MECHANISMS, called("late")).unwrap();
    let sets = [("scheduler".to_owned(), "late".to_owned())];
    assert_eq!(load_machine("tiny", &sets).unwrap().scheduler, "late");
    assert!(mechanisms().iter().all(|info| info.name != "late"));
    let refused = |mechanism| add_late(&MECHANISMS, mechanism).unwrap_err();
    assert_eq!(refused(called("late")), "a mechanism or a key of machine files `late` exists");
    assert_eq!(refused(called("l1")), "a mechanism or a key of machine files `l1` exists");
    let options = Mechanism { options: &[("a", "A.")], ..called("later") };
    assert_eq!(refused(options), "`later` has options; a mechanism that is added late has none");
    const NEW: Declaration = Declaration::sum("new_ones", "picks", "New.");
    let counts = Mechanism { statistics: &[NEW], ..called("later") };
    assert_eq!(refused(counts), "`later` declares the statistic `new_ones` too late");
}

/// The finding of the extension is among those of a run.
#[test]
fn its_finding_is_found() {
    install();
    assert!(reconverge::findings::rules().iter().any(|rule| rule.name() == "it-ran"));
}

/// Its pairing is asked about each second instruction.
#[test]
fn its_pairing_chooses_second_instructions() {
    install();
    let source = "__global__ void k(float *a, const int *b) {
        int i = threadIdx.x;
        float x = a[i];
        for (int k = 0; k < 16; k++) x += b[(i + 5 * k) % 64] * 2;
        a[i] = x;
    }";
    let paired = |pairing: &str| {
        let module = Module::compile(source, &CompileOptions::default()).unwrap();
        let target = Target::with("gtx480", &[("sm.pairing", pairing)]).unwrap();
        let mut gpu = module.load(&target).unwrap();
        let (a, b) = (gpu.buffer(&[1.0f32; 64]).unwrap(), gpu.buffer(&[1i32; 64]).unwrap());
        let report = gpu.launch("k", 1, 64, 0, &[a.into(), b.into()]).unwrap();
        let statistics = report.statistics.unwrap();
        (statistics.paired_instructions, statistics.mechanisms.get("pairs_refused"))
    };
    assert_eq!(paired("nothing"), (0, 0));
    assert!(paired("next-instruction").0 > 0);
    let (refusing, refused) = paired("refusing");
    assert!(refusing == 0 && refused > 0);
}

/// NVIDIA's Fermi white paper: two warps issue at once, but nothing issues beside double precision.
#[test]
fn nothing_issues_beside_double_precision() {
    install();
    let run = |ty: &str| {
        let source = format!(
            "__global__ void k({ty} *a) {{
                int i = threadIdx.x;
                {ty} x = a[i], y = a[i + 256];
                for (int k = 0; k < 16; k++) {{ x = x * y + y; a[i + 256 * (k % 2)] = x; }}
            }}"
        );
        let module = Module::compile(source.as_str(), &CompileOptions::default()).unwrap();
        let target = Target::with("gtx480", &[("sm.pairing", "dual-dispatch")]).unwrap();
        let mut gpu = module.load(&target).unwrap();
        let a = gpu.zeros::<f64>(512).unwrap();
        let arguments = [reconverge::Arg::address(a.address() as u32)];
        let report = gpu.launch("k", 60, 256, 0, &arguments).unwrap();
        let statistics = report.statistics.unwrap();
        (statistics.paired_instructions, statistics.mechanisms.get("dual_dispatch_alone"))
    };
    let ((of_float, kept), (of_double, alone)) = (run("float"), run("double"));
    assert!(of_float > 0 && kept == 0 && alone > 0, "{of_float} {kept} {alone}");
    assert!(of_double < of_float, "{of_double} {of_float}");
}
