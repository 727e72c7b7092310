//! Kernels of two streams do what the same kernels of one stream do. Each file of `affine/` has both, and a
//! line that says how they are launched: `// launch GRID BLOCK PARAMETERS`, `@` for an address.

mod support;

use std::path::Path;

use reconverge_isa::GLOBAL_BASE;
use reconverge_simulator::{Machine, Model};
use support::Run;

fn kernels() -> Vec<(String, Run)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/affine");
    let entries = std::fs::read_dir(folder).expect("it is there");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("it is there").path()).collect();
    files.sort();
    files.iter().map(|file| (file.display().to_string(), kernel(file))).collect()
}

fn kernel(file: &Path) -> Run {
    let text = std::fs::read_to_string(file).expect("it is there");
    let launch = text.lines().find_map(|line| line.strip_prefix("// launch"));
    let words: Vec<u32> = launch
        .expect("it says how it is launched")
        .split_whitespace()
        .map(|word| match word.strip_prefix('@') {
            Some(offset) => GLOBAL_BASE + offset.parse::<u32>().expect("it is a number"),
            None => word.parse().expect("it is a number"),
        })
        .collect();
    let (size, parameters) = words.split_at(6);
    let mut run = Run::new(&text, "gtx480");
    run.global = (0..8192u32).map(|i| (i * 7 % 251) as u8).collect();
    run.parameters = parameters.to_vec();
    run.grid = [size[0], size[1], size[2]];
    run.block = [size[3], size[4], size[5]];
    run
}

fn load(machine: &str, sets: &[(&str, &str)]) -> Machine {
    let sets: Vec<_> =
        sets.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    Machine::load(machine, &sets).unwrap_or_else(|error| panic!("{error}"))
}

/// The memory that the kernel of one stream leaves, and the run of the one of two.
fn both(run: &Run) -> (Vec<u8>, Run) {
    let mut plain = run.clone();
    plain.program.kernels.truncate(1);
    plain.launch(Model::Functional).unwrap_or_else(|fault| panic!("{fault}"));
    assert_ne!(plain.global, run.global, "it does something");
    let mut split = run.clone();
    split.program.kernels.remove(0);
    (plain.global, split)
}

#[test]
fn two_streams_do_what_one_does() {
    for (name, run) in kernels() {
        let (expected, split) = both(&run);
        for width in ["32", "8", "5", "64"] {
            for divergence in ["simt-stack", "dual-path"] {
                let sets = [
                    ("affine", "decoupled"),
                    ("divergence", divergence),
                    ("core.warp-width", width),
                ];
                let mut split = Run { machine: load("gtx480", &sets), ..split.clone() };
                let report = split.launch(Model::Functional);
                let report = report.unwrap_or_else(|fault| panic!("{name} in {width}: {fault}"));
                assert!(split.global == expected, "{name} in warps of {width}");
                assert_ne!(report.statistics.affine_instructions, 0);
            }
        }
    }
}
