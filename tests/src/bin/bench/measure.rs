//! One program, measured.

use anyhow::{Context, Result, bail};
use peak_alloc::PeakAlloc;
use reconverge::build::Checked;
use reconverge::execute::{ModelName, Setup, execute};
use reconverge::host::report::Outcome;
use reconverge_simulator::{Machine, Progress};

/// Counts what the process allocates.
#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// What to measure.
pub struct Task<'a> {
    pub machine: &'a Machine,
    pub model: ModelName,
    /// Threads that the timing model runs on.
    pub threads: u32,
    /// The program's arguments, beside its name.
    pub arguments: &'a [String],
}

/// One measurement.
pub struct Measured {
    /// Warp instructions.
    pub instructions: u64,
    pub cycles: u64,
    /// Wall time spent in kernels.
    pub seconds: f64,
    /// Threads that were on the machine at once, in the mean over the run.
    pub threads: f64,
    /// The most bytes that a launch held beside the program's own data.
    pub bytes: usize,
}

impl Measured {
    /// Warp instructions a second.
    pub fn speed(&self) -> f64 {
        self.instructions as f64 / self.seconds
    }
}

impl Task<'_> {
    /// The fastest of some runs.
    pub fn best(&self, checked: &Checked, repeat: usize) -> Result<Measured> {
        let mut best: Option<Measured> = None;
        for _ in 0..repeat.max(1) {
            let measured = self.measure(checked)?;
            if best.as_ref().is_none_or(|best| measured.seconds < best.seconds) {
                best = Some(measured);
            }
        }
        best.context("nothing was measured")
    }

    fn measure(&self, checked: &Checked) -> Result<Measured> {
        let program = std::iter::once("example".to_string());
        let setup = Setup {
            threads: self.threads,
            max_operations: Some(u64::MAX),
            arguments: program.chain(self.arguments.iter().cloned()).collect(),
            ..Setup::new(self.machine, self.model)
        };
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        // What is allocated when a launch begins, and the most that launches held beyond.
        let (mut before, mut bytes) = (usize::MAX, 0);
        let mut watch = |_: &str, now: &Progress| {
            if *now == (Progress { blocks: now.blocks, ..Progress::default() }) {
                bytes = bytes.max(HEAP.peak_usage().saturating_sub(before));
                HEAP.reset_peak_usage();
                before = HEAP.current_usage();
            }
        };
        let execution = execute(checked, &setup, &mut output, &mut errors, &mut watch)
            .map_err(|refused| anyhow::anyhow!(refused.render(false)))?;
        let bytes = bytes.max(HEAP.peak_usage().saturating_sub(before));
        if !matches!(execution.outcome, Outcome::Exit(0)) {
            bail!("the example ends with {:?}", execution.outcome);
        }
        let (mut instructions, mut cycles, mut resident) = (0, 0, 0);
        for one in execution.records.iter().filter_map(|record| record.statistics.as_ref()) {
            instructions += one.warp_instructions;
            cycles += one.cycles;
            resident += one.resident_warp_cycles * u64::from(self.machine.sm.warp_width);
        }
        Ok(Measured {
            instructions,
            cycles,
            seconds: execution.kernel_time.as_secs_f64(),
            threads: resident as f64 / cycles.max(1) as f64,
            bytes,
        })
    }
}
