//! Machine files and settings: what they say, and what bad ones get.

mod support;

use reconverge_simulator::{Machine, machines, mechanisms};

fn set(key: &str, value: &str) -> Result<Machine, String> {
    Machine::load("tiny", &[(key.to_string(), value.to_string())])
}

fn error(key: &str, value: &str) -> String {
    set(key, value).expect_err("it is bad")
}

#[test]
fn shipped_machines_load() {
    let names: Vec<String> = machines().into_iter().map(|machine| machine.name).collect();
    assert_eq!(names, ["gtx480", "fx5800", "tiny"]);
}

#[test]
fn settings_change_values() {
    assert_eq!(set("l1.size", "1024").unwrap().l1.size, 1024);
    assert_eq!(set("scheduler", "greedy-then-oldest").unwrap().scheduler, "greedy-then-oldest");
    assert_eq!(set("units.integer.latency", "3").unwrap().units["integer"].latency, 3);
    assert_eq!(set("dram.clock-mhz", "8").unwrap().dram.clock_mhz, 8.0);
    assert_eq!(set("dram.timing.rcd", "8").unwrap().dram.timing.rcd, 8);
    assert!(set("simt-stack.push-order", "fewer-threads-first").is_ok());
}

#[test]
fn settings_that_are_wrong() {
    let cases = [
        (
            "schedular",
            "x",
            "setting `schedular=x`: unknown key `schedular`; did you mean `scheduler`?",
        ),
        (
            "scheduler",
            "greedy-than-oldest",
            "unknown scheduler `greedy-than-oldest`; known: loose-round-robin, \
             oldest-first, greedy-then-oldest, two-level; \
             did you mean `greedy-then-oldest`?",
        ),
        ("divergence", "x", "unknown divergence `x`; known: simt-stack"),
        ("l1.sise", "1", "setting `l1.sise=1`: unknown key `sise`; did you mean `size`?"),
        ("l1.size", "big", "setting `l1.size=big`: `big` is not a number"),
        ("l1.size", "1.5", "setting `l1.size=1.5`: expected a value of type integer, found float"),
        (
            "l1.size",
            "100",
            "`l1.size` is 100; it must be a multiple of 256 (line, ways and slices)",
        ),
        ("l1.line", "96", "`l1.line` is 96; it must be a power of two"),
        ("l1.line", "0", "`l1.line` is 0; it must be 32 to 256"),
        ("sm.warp-width", "65", "`sm.warp-width` is 65; it must be 1 to 64"),
        ("sms", "0", "`sms` is 0; it must be 1 to 256"),
        (
            "units.integer.pipe",
            "simpel",
            "`units.integer.pipe` is `simpel`; known pipes: memory, \
          simple, special; did you mean `simple`?",
        ),
        ("units", "1", "setting `units=1`: `units` is a table; its keys: "),
        ("name.x", "1", "setting `name.x=1`: `name` is a value, not a table"),
        (
            "simt-stack.order",
            "x",
            "options of `simt-stack`: unknown field `order`, expected \
          `push-order`",
        ),
        (
            "simt-stack.push-order",
            "x",
            "options of `simt-stack`: unknown variant `x`, expected \
          `taken-first` or `fewer-threads-first`",
        ),
        ("sm.warps", "1000", "`sm.warps` gives each scheduler 1000 paths; at most 128"),
    ];
    for (key, value, expected) in cases {
        let found = error(key, value);
        assert!(found.starts_with(expected), "{key}={value}\n{found}\n{expected}");
    }
}

#[test]
fn files_that_are_wrong() {
    let load = |text: &str| Machine::load(text, &[]).expect_err("it is bad");
    assert_eq!(
        load("gtx48"),
        "unknown machine `gtx48`; known: gtx480, fx5800, tiny; did you mean `gtx480`?"
    );
    assert!(load("a = = 1").starts_with("not a machine file: "));
    assert_eq!(load("name = \"x\""), "missing `units.integer`");
    assert_eq!(load("base = \"nothing\""), "`base` must name a shipped machine, not \"nothing\"");
    assert!(load("base = \"tiny\"\nclockmhz = 2").contains("did you mean `clock-mhz`?"));
    assert!(load("base = \"tiny\"\n[units.intger]\nlatency = 2").contains("intger"));
    assert!(load("base = \"tiny\"\nscheduler = 3").contains("invalid type"));
}

#[test]
fn a_file_may_start_from_another() {
    let machine = Machine::load("base = \"tiny\"\nname = \"mine\"\n[l1]\nsize = 0", &[]).unwrap();
    assert_eq!((machine.name.as_str(), machine.l1.size, machine.l1.line), ("mine", 0, 128));
}

#[test]
fn random_values_do_not_panic() {
    // Every key of a machine set to values that are at the edge of something.
    let text = include_str!("../machines/tiny.toml");
    let table: toml::Table = text.parse().expect("it is shipped");
    let values = [
        "0",
        "1",
        "2",
        "3",
        "31",
        "64",
        "4096",
        "65536",
        "4294967295",
        "-1",
        "1e308",
        "nan",
        "x",
        "",
        "[]",
        "true",
    ];
    let mut loaded = 0;
    for key in keys("", &table) {
        for value in values {
            if let Ok(machine) = set(&key, value) {
                run(machine);
                loaded += 1;
            }
        }
    }
    assert!(loaded > 100);
}

fn keys(prefix: &str, table: &toml::Table) -> Vec<String> {
    let mut all = Vec::new();
    for (key, value) in table {
        match value {
            toml::Value::Table(inner) => all.extend(keys(&format!("{prefix}{key}."), inner)),
            _ => all.push(format!("{prefix}{key}")),
        }
    }
    all
}

/// Runs a kernel that uses memory on a machine that was accepted.
fn run(machine: Machine) {
    let mut run = support::Run::new(include_str!("kernels/everything.s"), "tiny");
    run.machine = machine;
    run.parameters = vec![reconverge_isa::GLOBAL_BASE, 0, 29];
    run.constant = vec![0; 8];
    run.block = [31, 1, 1];
    run.limits.cycles = 1_000_000;
    let _ = run.launch(reconverge_simulator::Model::Timing);
}

#[test]
fn mechanisms_are_listed() {
    let names: Vec<(&str, &str)> = mechanisms().iter().map(|info| (info.slot, info.name)).collect();
    assert_eq!(
        names,
        [
            ("divergence", "simt-stack"),
            ("divergence", "dual-path"),
            ("divergence", "warp-subdivision"),
            ("divergence", "convergence-barrier"),
            ("divergence", "thread-frontiers"),
            ("divergence", "multi-path"),
            ("divergence", "likely-convergence"),
            ("divergence", "block-compaction"),
            ("divergence", "block-compaction-plus"),
            ("divergence", "capri"),
            ("divergence", "warp-formation"),
            ("divergence", "large-warp"),
            ("lane-permutation", "identity"),
            ("lane-permutation", "odd-even"),
            ("lane-permutation", "flip-odd"),
            ("lane-permutation", "rotate-odd-1"),
            ("lane-permutation", "xor-half-odd"),
            ("lane-permutation", "random"),
            ("lane-permutation", "warp-id"),
            ("lane-permutation", "reverse-warp-id"),
            ("lane-permutation", "balanced"),
            ("lane-permutation", "ideal"),
            ("scheduler", "loose-round-robin"),
            ("scheduler", "oldest-first"),
            ("scheduler", "greedy-then-oldest"),
            ("scheduler", "two-level"),
            ("cycle-compression", "none"),
            ("cycle-compression", "ivb-half"),
            ("cycle-compression", "bcc"),
            ("cycle-compression", "scc"),
            ("affine", "none"),
            ("affine", "cae"),
            ("affine", "scalar-unit"),
            ("affine", "many-thread-prefetch"),
            ("affine", "decoupled"),
            ("register-file", "banked"),
            ("replacement", "lru"),
            ("replacement", "tree-pseudo-lru"),
            ("replacement", "fifo"),
            ("replacement", "random"),
        ]
    );
}
