//! Running kernels from assembly text.

use reconverge_isa::{GLOBAL_BASE, Program};
use reconverge_simulator::{
    DeviceMemory, Fault, Launch, Limits, Machine, Model, PER_LINE, Report, Sampling, SecondLevel,
    Statistics, launch, load_machine,
};
use std::ops::ControlFlow;

/// A kernel, its launch and its memory.
#[derive(Clone)]
pub struct Run {
    pub program: Program,
    pub machine: Machine,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub dynamic_shared: u32,
    /// Words, filled up with zeroes.
    pub parameters: Vec<u32>,
    /// Global memory, one allocation.
    pub global: Vec<u8>,
    pub constant: Vec<u8>,
    pub limits: Limits,
    /// Count by instruction, too.
    pub profile: bool,
    /// Check what the code claims.
    pub verifies: bool,
}

impl Run {
    /// A kernel's text on a shipped machine: one block of one warp of `tiny`, 4 KiB of memory.
    pub fn new(text: &str, machine: &str) -> Run {
        let program = reconverge_isa::text::parse(text).unwrap_or_else(|errors| {
            panic!("{}", errors.iter().map(|e| format!("{e}\n")).collect::<String>())
        });
        Run {
            program,
            machine: load_machine(machine, &[]).expect("it is shipped"),
            grid: [1, 1, 1],
            block: [4, 1, 1],
            dynamic_shared: 0,
            parameters: Vec::new(),
            global: vec![0; 4096],
            constant: Vec::new(),
            limits: Limits { sampling: Some(SAMPLING), ..Limits::default() },
            profile: true,
            verifies: true,
        }
    }

    /// Code without directives.
    pub fn code(code: &str) -> Run {
        Run::new(
            &format!(".kernel k\n.registers 8\n.predicates 2\n.shared 1024\n.local 64\n{code}"),
            "tiny",
        )
    }

    pub fn set(mut self, key: &str, value: &str) -> Run {
        let name = self.machine.name.clone();
        let set = [(key.to_string(), value.to_string())];
        self.machine = load_machine(&name, &set).unwrap_or_else(|error| panic!("{error}"));
        self
    }

    pub fn block(mut self, threads: u32) -> Run {
        self.block = [threads, 1, 1];
        self
    }

    pub fn grid(mut self, blocks: u32) -> Run {
        self.grid = [blocks, 1, 1];
        self
    }

    pub fn launch(&mut self, model: Model) -> Result<Report, Fault> {
        self.launch_with(model, None)
    }

    /// A run that completes under the timing model, on a second level that is kept.
    pub fn after(&mut self, second_level: &mut SecondLevel) -> Report {
        let done = self.launch_with(Model::Timing, Some(second_level));
        done.unwrap_or_else(|fault| panic!("{fault}"))
    }

    /// The fault of a run that does not complete there.
    pub fn fault_after(&mut self, second_level: &mut SecondLevel) -> Fault {
        self.launch_with(Model::Timing, Some(second_level)).expect_err("it is faulty")
    }

    fn launch_with(
        &mut self,
        model: Model,
        second_level: Option<&mut SecondLevel>,
    ) -> Result<Report, Fault> {
        let kernel = &self.program.kernels[0];
        let mut parameters: Vec<u8> =
            self.parameters.iter().flat_map(|w| w.to_le_bytes()).collect();
        parameters.resize(kernel.parameter_bytes as usize, 0);
        let allocation = GLOBAL_BASE..GLOBAL_BASE + self.global.len() as u32;
        let mut memory = DeviceMemory {
            global: &mut self.global,
            allocations: std::slice::from_ref(&allocation),
            constant: &self.constant,
            emitted: Default::default(),
            checker: None,
            second_level,
        };
        let request = Launch {
            grid: self.grid,
            block: self.block,
            dynamic_shared: self.dynamic_shared,
            parameters: &parameters,
            model,
            limits: self.limits,
            verify_annotations: self.verifies,
            profile: self.profile,
            control_bits_proved: false,
        };
        let report =
            launch(
                kernel,
                &request,
                &mut memory,
                &self.machine,
                &mut |_| ControlFlow::Continue(()),
            )
            .map_err(|stopped| stopped.fault)?;
        if self.profile {
            check_profile(&report);
        }
        if self.limits.sampling == Some(SAMPLING) {
            check_samples(&report, model);
        }
        Ok(report)
    }

    /// A run that completes under the timing model.
    pub fn timing(&mut self) -> Report {
        self.launch(Model::Timing).unwrap_or_else(|fault| panic!("{fault}"))
    }

    /// The fault of a run that does not complete; the same in both models.
    pub fn fault(&mut self) -> Fault {
        let functional = self.clone().launch(Model::Functional).expect_err("it is faulty");
        let timing = self.launch(Model::Timing).expect_err("it is faulty");
        assert_eq!(functional, timing);
        timing
    }

    /// The words of global memory.
    pub fn words(&self) -> Vec<u32> {
        let (words, _) = self.global.as_chunks::<4>();
        words.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
    }
}

/// All runs are sampled, so that all that compares reports compares samples; and often, since they are short.
const SAMPLING: Sampling = Sampling { every: 250, most: 40, coarsens: false };

/// The changes between samples add up to the statistics, also for counters that are maxima: there a change is by how
/// much they have grown.
fn check_samples(report: &Report, model: Model) {
    if model != Model::Timing {
        return;
    }
    let mut sum = vec![0; report.statistics.counters().len()];
    for (number, sample) in (1..).zip(&report.samples) {
        let is_last = number == report.samples.len() as u64;
        let end = if is_last { report.cycles } else { number * SAMPLING.every };
        assert_eq!(sample.cycle, end);
        for (sum, (_, change)) in sum.iter_mut().zip(sample.change.counters()) {
            *sum += change;
        }
    }
    let names = report.statistics.counters().into_iter().map(|(name, _)| name);
    let sum: Vec<_> = names.zip(sum).collect();
    assert_eq!(sum, report.statistics.counters());
    let expected = report.cycles.div_ceil(SAMPLING.every).clamp(1, SAMPLING.most);
    assert_eq!(report.samples.len() as u64, expected);
}

/// The costs of instructions, and those that belong to none, add up to the statistics.
fn check_profile(report: &Report) {
    let profile = report.profile.as_ref().expect("it was asked for");
    let mut sum = Statistics::default();
    for statistics in profile.instructions.values() {
        assert_eq!(statistics.slots_idle, 0, "idle slots belong to no instruction");
        sum.merge(statistics);
    }
    sum.merge(&profile.nowhere);
    let kept = |statistics: &Statistics| {
        let mut counters = statistics.counters();
        counters.retain(|(name, _)| PER_LINE.contains(name));
        counters
    };
    assert_eq!(kept(&sum), kept(&report.statistics));
    let nowhere = &profile.nowhere;
    assert_eq!(
        nowhere,
        &Statistics {
            issue_slots: nowhere.slots_idle,
            slots_idle: nowhere.slots_idle,
            ..Statistics::default()
        }
    );
}

/// A counter of the affine vector cache.
pub fn avc(statistics: &Statistics, name: &str) -> u64 {
    statistics.mechanisms.get(&format!("avc_{name}"))
}
