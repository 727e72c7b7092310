//! Warp instructions per second of both models on small kernels, one thread.
//!
//! `cargo bench -p reconverge-simulator [-- NAME]`

use std::ops::ControlFlow;
use std::time::Instant;

use reconverge_isa::GLOBAL_BASE;
use reconverge_simulator::{DeviceMemory, Launch, Limits, Machine, Model, launch, load_machine};

struct Case {
    name: &'static str,
    text: &'static str,
    grid: [u32; 3],
    block: [u32; 3],
    parameters: Vec<u32>,
    bytes: usize,
}

fn cases() -> Vec<Case> {
    let at = |offset: u32| GLOBAL_BASE + offset;
    vec![
        Case {
            name: "alu",
            text: include_str!("../tests/kernels/alu.s"),
            grid: [128, 1, 1],
            block: [256, 1, 1],
            parameters: vec![at(0), 0, 100],
            bytes: 128 * 256 * 4,
        },
        Case {
            name: "saxpy",
            text: include_str!("../tests/kernels/saxpy.s"),
            grid: [4096, 1, 1],
            block: [256, 1, 1],
            parameters: vec![1 << 20, 2f32.to_bits(), at(0), 0, at(4 << 20), 0],
            bytes: 8 << 20,
        },
        Case {
            name: "collatz",
            text: include_str!("../tests/kernels/collatz.s"),
            grid: [128, 1, 1],
            block: [256, 1, 1],
            parameters: vec![at(0), 0, 1],
            bytes: 128 * 256 * 4,
        },
        Case {
            name: "mandelbrot",
            text: include_str!("../tests/kernels/mandelbrot.s"),
            grid: [16, 16, 1],
            block: [16, 16, 1],
            parameters: vec![
                at(0),
                0,
                256,
                100,
                (3.0f32 / 256.0).to_bits(),
                (2.0f32 / 256.0).to_bits(),
            ],
            bytes: 256 * 256 * 4,
        },
        Case {
            name: "matmul",
            text: include_str!("../tests/kernels/matmul.s"),
            grid: [16, 16, 1],
            block: [16, 16, 1],
            parameters: vec![256, 0, at(0), 0, at(256 << 10), 0, at(512 << 10), 0],
            bytes: 768 << 10,
        },
    ]
}

fn run(case: &Case, machine: &Machine, model: Model) -> (u64, u64, f64) {
    let program = reconverge_isa::text::parse(case.text).expect("the kernel is good");
    let mut parameters: Vec<u8> = case.parameters.iter().flat_map(|w| w.to_le_bytes()).collect();
    parameters.resize(program.kernels[0].parameter_bytes as usize, 0);
    let mut global = vec![0; case.bytes];
    let allocation = GLOBAL_BASE..GLOBAL_BASE + case.bytes as u32;
    let mut memory = DeviceMemory {
        global: &mut global,
        allocations: std::slice::from_ref(&allocation),
        constant: &[],
        emitted: Default::default(),
        checker: None,
        second_level: None,
    };
    let request = Launch {
        grid: case.grid,
        block: case.block,
        dynamic_shared: 0,
        parameters: &parameters,
        model,
        limits: Limits::default(),
        verify_annotations: false,
        profile: false,
        control_bits_proved: false,
    };
    let start = Instant::now();
    let report = launch(&program.kernels[0], &request, &mut memory, machine, &mut |_| {
        ControlFlow::Continue(())
    })
    .unwrap_or_else(|stopped| panic!("{}: {}", case.name, stopped.fault));
    let seconds = start.elapsed().as_secs_f64();
    (report.statistics.warp_instructions, report.cycles, seconds)
}

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let machine = load_machine("gtx480", &[]).expect("it is shipped");
    println!(
        "{:<12}{:<12}{:>12}{:>12}{:>9}{:>12}",
        "kernel", "model", "instr.", "cycles", "s", "M instr./s"
    );
    for case in cases() {
        if wanted.as_ref().is_some_and(|name| !case.name.contains(name.as_str())) {
            continue;
        }
        for model in [Model::Functional, Model::Timing] {
            let (instructions, cycles, seconds) = run(&case, &machine, model);
            let name = format!("{model:?}").to_lowercase();
            let speed = instructions as f64 / seconds / 1e6;
            println!(
                "{:<12}{name:<12}{instructions:>12}{cycles:>12}{seconds:>9.3}{speed:>12.2}",
                case.name
            );
        }
    }
}
