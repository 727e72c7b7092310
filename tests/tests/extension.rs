//! The extension of `runtime/examples/extension`, whose mechanisms are installed in this process as its own binary installs them.

#[path = "../../runtime/examples/extension/src/lib.rs"]
mod lab;

use reconverge::extend::scheduler::{Build, Scheduler, View, oldest};
use reconverge::extend::{
    CandidateSet, Declaration, Extension, Installed, Mechanism, Pass, Place, Work, installed, tool,
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
