//! A launch without one cause of lost time: it runs again, on a copy of memory, on the same machine with that part
//! ideal ([`Ideal`](reconverge_simulator::machine::Ideal)).

use crate::causes::{CAUSES, GRID, Launched, Measured};
use crate::dependences::Dependences;
use crate::findings::{self, Evidence};
use crate::fit::Fit;
use crate::kernel_record::KernelRecord;
use reconverge_compiler::lower::Lowered;
use reconverge_isa::Program;
use reconverge_simulator::{
    DeviceMemory, Emitted, Fault, Launch, Limits, Machine, Progress, SecondLevel, idealised, launch,
};
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

/// A finding is measured if its cost is this share or more.
pub const SHARE: f64 = 0.05;

/// The warp instructions of a launch above which it is measured by its first blocks.
pub const LONG: u64 = 4_000_000;

/// Compiles a program for a machine.
pub type Compile<'a> = dyn Fn(&Machine) -> Option<Lowered> + 'a;

/// Measures launches.
pub struct WhatIf<'a> {
    lowered: &'a Lowered,
    compile: Option<&'a Compile<'a>>,
    /// The program compiled for ideal registers, once it was needed; `None` within if there is no source.
    compiled: Option<Option<Arc<Program>>>,
    machines: BTreeMap<Vec<&'static str>, Result<Arc<Machine>, String>>,
}

/// A launch that has run, as it has found memory.
pub(crate) struct Ran<'a> {
    pub launch: &'a Launch<'a>,
    pub kernel: &'a str,
    pub machine: &'a Machine,
    pub global: &'a [u8],
    pub allocations: &'a [Range<u32>],
    pub constant: &'a [u8],
    pub second_level: Option<SecondLevel>,
}

impl<'a> WhatIf<'a> {
    /// For a program, which can be compiled for another machine if there is a function for it.
    pub fn new(lowered: &'a Lowered, compile: Option<&'a Compile<'a>>) -> WhatIf<'a> {
        WhatIf { lowered, compile, compiled: None, machines: BTreeMap::new() }
    }

    /// Measures a launch without each cause that a finding of [`SHARE`] or more names, and without them together. `go_on`
    /// decides whether that continues.
    pub(crate) fn measure(
        &mut self,
        mut ran: Ran,
        record: &KernelRecord,
        go_on: &mut (dyn FnMut() -> bool + Send),
    ) -> Option<Box<Launched>> {
        let records = std::slice::from_ref(record);
        let evidence = Evidence::of_kernels(records, self.lowered, ran.machine).pop()?;
        let causes = causes_of(&evidence);
        if causes.is_empty() {
            return None;
        }
        let mut measured = Launched {
            blocks: first_blocks(&evidence, record),
            cycles: evidence.statistics.cycles,
            ..Launched::default()
        };
        let mut run = |causes: &[&'static str], blocks| self.run(&mut ran, causes, blocks, go_on);
        let blocks = measured.blocks;
        if blocks.is_some() {
            measured.cycles = run(&[], blocks).ok()?;
        }
        let copies = copies(&evidence, record);
        let all = Fit::blocks_of(record);
        let mut without = |causes: &[&'static str]| match causes.contains(&GRID) {
            true => run(causes, Some(all * copies)).map(|cycles| cycles.div_ceil(copies)),
            false => run(causes, blocks),
        };
        measured.alone =
            causes.iter().map(|&cause| Measured { cause, cycles: without(&[cause]) }).collect();
        let mut gained: Vec<(u64, &'static str)> = measured
            .alone
            .iter()
            .filter_map(|it| Some((it.cycles.clone().ok()?, it.cause)))
            .collect();
        // The sort is stable.
        gained.sort_by_key(|(cycles, _)| *cycles);
        let mut together = Vec::new();
        for (cycles, cause) in gained {
            together.push(cause);
            let cycles = match together.len() {
                1 => Ok(cycles),
                _ => without(&together),
            };
            measured.steps.push(Measured { cause, cycles });
        }
        Some(Box::new(measured))
    }

    /// The cycles of some blocks of a launch without some causes.
    fn run(
        &mut self,
        ran: &mut Ran,
        causes: &[&'static str],
        blocks: Option<u64>,
        go_on: &mut (dyn FnMut() -> bool + Send),
    ) -> Result<u64, String> {
        let keys: Vec<&'static str> = causes.iter().copied().filter(|key| *key != GRID).collect();
        let of_machine = self.machines.entry(keys.clone());
        let make = || idealised(ran.machine, &keys).map(Arc::new);
        let machine = of_machine.or_insert_with(make).clone()?;
        let compiled;
        let program = match keys.contains(&"registers") {
            true => {
                compiled = self.compiled(&machine).ok_or("it needs the program's source")?;
                &*compiled
            }
            false => &self.lowered.program,
        };
        let kernel = program.kernel(ran.kernel).ok_or("the kernel is not in the program")?;
        let mut dependences = Dependences::new(false);
        let (stated, control_bits_proved) = dependences.of(kernel, &machine);
        let limits = Limits { trace: None, sampling: None, blocks, ..ran.launch.limits };
        let launched = Launch { limits, profile: false, control_bits_proved, ..ran.launch.clone() };
        let mut global = ran.global.to_vec();
        let mut second_level = ran.second_level.as_mut().and_then(|it| it.copy(&machine));
        let mut device = DeviceMemory {
            global: &mut global,
            allocations: ran.allocations,
            constant: ran.constant,
            emitted: Emitted::default(),
            checker: None,
            second_level: second_level.as_mut(),
        };
        let mut watch = |_: Progress| match go_on() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        let kernel = stated.as_deref().unwrap_or(kernel);
        let done = launch(kernel, &launched, &mut device, &machine, &mut watch);
        done.map(|report| report.cycles).map_err(|stopped| match stopped.fault {
            Fault::Interrupted => "it was interrupted".to_owned(),
            Fault::BadLaunch(reason) => reason,
            _ => "it does not end as the launch does".to_owned(),
        })
    }

    /// The program, compiled for a machine with ideal registers.
    fn compiled(&mut self, machine: &Machine) -> Option<Arc<Program>> {
        let compile = self.compile;
        let make = || Some(Arc::new(compile?(machine)?.program));
        self.compiled.get_or_insert_with(make).clone()
    }
}

/// The causes of the findings of [`SHARE`] or more about a kernel, in the order of [`CAUSES`].
fn causes_of(evidence: &Evidence) -> Vec<&'static str> {
    let mut found = Vec::new();
    for rule in findings::rules() {
        let costs = rule.find(evidence).into_iter().map(|found| found.cost.share);
        if let Some(cause) = rule.cause()
            && costs.fold(0.0, f64::max) >= SHARE
        {
            found.push(cause);
        }
    }
    CAUSES.iter().map(|cause| cause.key).filter(|key| found.contains(key)).collect()
}

/// The blocks that represent a long launch: as many as fit the machine at once, times what [`LONG`] instructions allow.
fn first_blocks(evidence: &Evidence, record: &KernelRecord) -> Option<u64> {
    let (blocks, instructions) = (Fit::blocks_of(record), evidence.statistics.warp_instructions);
    let at_once = at_once(evidence, record);
    let some = (blocks as u128 * u128::from(LONG) / u128::from(instructions.max(1))) as u64;
    let some = some.next_multiple_of(at_once).max(at_once);
    (instructions > LONG && some < blocks).then_some(some)
}

/// The times that a grid fits the machine at once, at least one.
fn copies(evidence: &Evidence, record: &KernelRecord) -> u64 {
    (at_once(evidence, record) / Fit::blocks_of(record).max(1)).max(1)
}

/// The blocks that fit the machine at once.
fn at_once(evidence: &Evidence, record: &KernelRecord) -> u64 {
    let fit = Fit::of_launch(evidence.machine, evidence.kernel, record);
    (fit.blocks * u64::from(evidence.machine.sms)).max(1)
}
