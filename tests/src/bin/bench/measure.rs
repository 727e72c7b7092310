//! One program, measured.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use peak_alloc::PeakAlloc;
use reconverge::build::{Checked, Refused};
use reconverge::execute::{self, ModelName, Setup};
use reconverge::host::report::Outcome;
use reconverge::kernel_file::{self, KernelFile, Level};
use reconverge_compiler::lower::Options;
use reconverge_simulator::{Machine, Progress};

/// Counts the process's allocations.
#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// A measurement.
pub struct Task<'a> {
    pub machine: &'a Machine,
    pub model: ModelName,
    /// Threads that the timing model runs on.
    pub threads: u32,
    /// The program's arguments, beside its name.
    pub arguments: &'a [String],
    /// A file whose kernels run in the place of the program's.
    pub image: Option<&'a Path>,
}

/// One measurement.
pub struct Measured {
    /// Warp instructions.
    pub instructions: u64,
    pub cycles: u64,
    /// Wall time spent in kernels.
    pub seconds: f64,
    /// Wall time of the rest of the run, compilation excluded.
    pub host_seconds: f64,
    /// Threads that were on the machine at once, in the mean over the run.
    pub threads: f64,
    /// The most bytes that a launch held beside the program's own data.
    pub bytes: usize,
}

impl Measured {
    /// Warp instructions per second.
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
        // The bytes allocated when a launch begins, and the most that launches added.
        let (mut before, mut bytes) = (usize::MAX, 0);
        let mut watch = |_: &str, now: &Progress| {
            if *now == (Progress { blocks: now.blocks, ..Progress::default() }) {
                bytes = bytes.max(HEAP.peak_usage().saturating_sub(before));
                HEAP.reset_peak_usage();
                before = HEAP.current_usage();
            }
        };
        let refused = |refused: Refused<'_>| anyhow::anyhow!(refused.render(false));
        let mut lowered = execute::lower(checked, &setup).map_err(refused)?;
        if let Some(image) = self.image {
            let options = Options { verify: true, ..setup.options.clone() };
            let mut sources = checked.sources.clone();
            let file = KernelFile::read(image, Level::of(image), &mut sources)?;
            ensure!(!file.has_errors(), "{} cannot be read", image.display());
            kernel_file::replace(&mut lowered, &file, &options, &sources).map_err(refused)?;
        }
        let (output, errors) = (&mut output, &mut errors);
        let begin = Instant::now();
        let run = execute::execute_lowered(checked, &lowered, &setup, output, errors, &mut watch);
        let whole = begin.elapsed();
        let execution = run.map_err(refused)?;
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
            host_seconds: whole.saturating_sub(execution.kernel_time).as_secs_f64(),
            threads: resident as f64 / cycles.max(1) as f64,
            bytes,
        })
    }
}
