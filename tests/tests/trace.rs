//! Traces: the formats that viewers read, as golden texts, and the properties of every trace.

use insta::assert_snapshot;
use reconverge::build;
use reconverge::execute::{Execution, ModelName, Setup, execute_lowered, lower};
use reconverge::kernel_record::KernelRecord;
use reconverge::trace::{self, Format, Selection};
use reconverge_compiler::lower::Lowered;
use reconverge_simulator::{Machine, load_machine};
use reconverge_tests::oracle::NoFiles;
use std::collections::BTreeMap;

/// Runs a program on a machine with a number of threads, and records the selected instructions.
fn executed(
    text: &str,
    machine: &Machine,
    threads: u32,
    selection: &Selection,
) -> (Lowered, Vec<KernelRecord>) {
    let checked = build::check("program.cu", text, &[], &mut NoFiles);
    let setup =
        Setup { trace: Some(selection.clone()), threads, ..Setup::new(machine, ModelName::Timing) };
    let lowered = lower(&checked, &setup).map_err(|refused| refused.render(false)).unwrap();
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let Execution { records, .. } =
        execute_lowered(&checked, &lowered, &setup, &mut output, &mut errors, &mut |_, _| {})
            .map_err(|refused| refused.render(false))
            .unwrap();
    (lowered, records)
}

/// Runs a program; returns its trace in a format, and the messages about it.
fn traced(
    text: &str,
    machine: &str,
    threads: u32,
    selection: &Selection,
    format: Format,
) -> (String, Vec<String>) {
    let machine = load_machine(machine, &[]).unwrap();
    let (lowered, records) = executed(text, &machine, threads, selection);
    let text = trace::write(format, selection, &lowered.program, &machine, &records);
    (text, trace::notes(selection, &records))
}

fn everything() -> Selection {
    Selection { cycles: 0..u64::MAX, sm: None, kernel: None, follow: None }
}

/// A load that misses and a result that needs it, as in the simulator's `tiny.rs`: from the load's issue
/// to its register are 96 cycles.
const ADD: &str = "__global__ void add(int *a) { a[threadIdx.x] += 1; }
int main() { int *a; cudaMalloc(&a, 64); add<<<1, 4>>>(a); return 0; }
";

/// Blocks, barriers, shared memory, atomics, branches.
const MANY: &str = "__global__ void many(int *a, int *sum)
{
    __shared__ int part[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = a[i];
    __syncthreads();
    if (threadIdx.x % 3 == 0)
        a[i] = part[63 - threadIdx.x] / (int)(threadIdx.x + 1);
    atomicAdd(sum, a[i]);
}
__global__ void other(int *a) { a[threadIdx.x] = 1; }
int main()
{
    int *a, *sum;
    cudaMalloc(&a, 64 * 40 * 4);
    cudaMalloc(&sum, 4);
    many<<<40, 64>>>(a, sum);
    other<<<1, 32>>>(a);
    many<<<40, 64>>>(a, sum);
    return 0;
}
";

#[test]
fn golden_konata() {
    assert_snapshot!(traced(ADD, "tiny", 1, &everything(), Format::Konata).0);
}

#[test]
fn golden_perfetto() {
    assert_snapshot!(traced(ADD, "tiny", 1, &everything(), Format::Perfetto).0);
}

#[test]
fn any_number_of_threads_gives_the_same_trace() {
    for format in [Format::Konata, Format::Perfetto] {
        let one = traced(MANY, "gtx480", 1, &everything(), format);
        assert_eq!(one, traced(MANY, "gtx480", 3, &everything(), format));
    }
}

/// The open stages while a Konata log is read, by instruction.
#[derive(Default)]
struct Open {
    stage: Option<String>,
    retired: bool,
}

/// Reads a Konata log as a viewer does; the instructions in it.
fn read_konata(text: &str) -> usize {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("Kanata\t0004"));
    assert!(lines.next().unwrap().starts_with("C=\t"));
    let mut all: BTreeMap<usize, Open> = BTreeMap::new();
    let mut retired = 0;
    for line in lines {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |at: usize| fields[at].parse::<usize>().unwrap();
        if fields[0] == "C" {
            assert!(number(1) > 0, "cycles ascend");
            continue;
        }
        if fields[0] == "I" {
            assert_eq!(number(1), all.len(), "instructions are numbered in their order");
            all.insert(number(1), Open::default());
            continue;
        }
        let open = all.get_mut(&number(1)).expect("it has begun");
        assert!(!open.retired, "nothing happens after the end: {line}");
        match fields[0] {
            "L" => assert_eq!(fields.len(), 4),
            "S" => assert_eq!(open.stage.replace(fields[3].to_owned()), None, "{line}"),
            "E" => assert_eq!(open.stage.take().as_deref(), Some(fields[3]), "{line}"),
            "R" => {
                assert_eq!((number(2), open.stage.is_none()), (retired, true));
                (open.retired, retired) = (true, retired + 1);
            }
            _ => panic!("{line}"),
        }
    }
    assert_eq!(retired, all.len(), "all that began has ended");
    all.len()
}

#[test]
fn konata_is_whole() {
    let (text, notes) = traced(MANY, "gtx480", 1, &everything(), Format::Konata);
    assert!(read_konata(&text) > 2 * 40 * 2 * 10, "{}", text.len());
    assert_eq!(notes, Vec::<String>::new());
}

#[test]
fn selections() {
    let count = |selection: &Selection| {
        read_konata(&traced(MANY, "gtx480", 1, selection, Format::Konata).0)
    };
    let all = count(&everything());
    let other = count(&Selection { kernel: Some("other".to_owned()), ..everything() });
    let many = count(&Selection { kernel: Some("many".to_owned()), ..everything() });
    assert!(other > 0 && all == other + many);
    let sms = (0..15).map(|sm| count(&Selection { sm: Some(sm), ..everything() }));
    assert_eq!(sms.sum::<usize>(), all);
    let early = count(&Selection { cycles: 0..300, ..everything() });
    let late = count(&Selection { cycles: 300..u64::MAX, ..everything() });
    assert!(early > 0 && late > 0 && early + late == all);
    let none = Selection { kernel: Some("none".to_owned()), ..everything() };
    let (text, notes) = traced(MANY, "gtx480", 1, &none, Format::Konata);
    assert_eq!((read_konata(&text), notes.len()), (0, 1));
}

/// Slices of one thread nest, and every thread and process has a name.
#[test]
fn perfetto_slices_nest() {
    let (text, _) = traced(MANY, "gtx480", 1, &everything(), Format::Perfetto);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut named = std::collections::BTreeSet::new();
    let mut open: BTreeMap<(u64, u64), Vec<u64>> = BTreeMap::new();
    for event in value["traceEvents"].as_array().unwrap() {
        let place = (event["pid"].as_u64().unwrap(), event["tid"].as_u64().unwrap());
        if event["ph"] == "M" {
            named.insert(place);
            continue;
        }
        assert!(named.contains(&place));
        let (from, length) = (event["ts"].as_u64().unwrap(), event["dur"].as_u64().unwrap());
        let ends = open.entry(place).or_default();
        while ends.last().is_some_and(|end| *end <= from) {
            ends.pop();
        }
        assert!(ends.last().is_none_or(|end| from + length <= *end), "{event}");
        ends.push(from + length);
    }
}

/// The lost slots of schedulers add up to their statistics, reason by reason, and no two stalls of one overlap. After its
/// last block an SM is idle without a stall.
#[test]
fn stalls_add_up() {
    for settings in [vec![], vec!["affine=decoupled", "decoupled.kernels=all"]] {
        let sets = settings.iter().filter_map(|set| set.split_once('='));
        let sets: Vec<_> = sets.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        let machine = load_machine("gtx480", &sets).unwrap();
        let (_, records) = executed(MANY, &machine, 1, &everything());
        for record in &records {
            let mut ends = BTreeMap::new();
            let mut lost: BTreeMap<&str, u64> = BTreeMap::new();
            for (sm, trace) in record.traces.iter().enumerate() {
                for stall in &trace.stalls {
                    let last = ends.insert((sm, stall.scheduler), stall.end).unwrap_or_default();
                    assert!(last <= stall.start && stall.start < stall.end, "{stall:?}");
                    *lost.entry(stall.reason).or_default() += stall.end - stall.start;
                }
            }
            let statistics = record.statistics.as_ref().unwrap();
            let expected = statistics.slot_reasons().into_iter().skip(1);
            let mut expected: BTreeMap<_, _> = expected.filter(|(_, slots)| *slots != 0).collect();
            assert!(lost.remove("idle") <= expected.remove("idle"));
            assert_eq!(lost, expected);
        }
    }
}

#[test]
fn a_trace_that_is_full_says_so() {
    let long = "__global__ void spin(int *a) { for (int i = 0; i < 100000; i++) a[i & 7] += i; }
int main() { int *a; cudaMalloc(&a, 64); spin<<<1, 1>>>(a); return 0; }
";
    let selection = Selection { cycles: 0..u64::MAX, sm: Some(0), kernel: None, follow: None };
    let (text, notes) = traced(long, "tiny", 1, &selection, Format::Konata);
    assert_eq!(read_konata(&text) as u64, trace::MOST_INSTRUCTIONS);
    assert!(notes.len() == 1 && notes[0].contains("no room for all of launch 0"), "{notes:?}");
}
