//! Kernel launches of the host program.

use super::cuda_error as code;
use super::denied::Limit;
use super::device::{BlockSize, DeviceLimits, LaunchError, LaunchRequest};
use super::environment::HostEnvironment;
use super::printed;
use super::report::{Failure, Report};
use crate::interpreter::bytecode::LaunchSite;
use crate::interpreter::environment::Interrupt;
use reconverge_compiler::wording::{counted, counted_grouped, grouped};

/// The request of a launch.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The kernel.
    pub kernel: &'a str,
    /// Its `__launch_bounds__`.
    pub bound: Option<u32>,
    /// Blocks along x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y and z.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u64,
}

/// Why a launch does not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The grid or the block cannot be.
    Configuration(Limit),
    /// More dynamic shared memory than the device has.
    Shared(Limit),
    /// The block is larger than the kernel's `__launch_bounds__`, or an SM has too few registers
    /// for it.
    Resources(Limit),
}

impl Refusal {
    /// The limit.
    pub fn limit(self) -> Limit {
        match self {
            Refusal::Configuration(limit) | Refusal::Shared(limit) | Refusal::Resources(limit) => {
                limit
            }
        }
    }
}

/// Checks that a device can take a launch.
///
/// # Errors
/// The first limit that it exceeds.
pub fn check_configuration(limits: &DeviceLimits, asked: Asked) -> Result<(), Refusal> {
    let Asked { kernel, bound, grid, block, shared } = asked;
    extents("block", "per grid", grid, limits.grid).map_err(Refusal::Configuration)?;
    extents("thread", "per block", block, limits.block).map_err(Refusal::Configuration)?;
    let threads: u64 = block.iter().map(|&extent| u64::from(extent)).product();
    let asked_for = || format!("{} per block", counted_grouped(threads, "thread"));
    if threads > limits.threads.into() {
        let sentence =
            format!("{}; the machine allows {}", asked_for(), grouped(limits.threads.into()));
        return Err(Refusal::Configuration(Limit::new(sentence)));
    }
    if shared > limits.shared.into() {
        let sentence = format!(
            "{} of dynamic shared memory per block; the machine allows {}",
            counted_grouped(shared, "byte"),
            grouped(limits.shared.into())
        );
        return Err(Refusal::Shared(Limit::new(sentence)));
    }
    if let Some(bound) = bound.filter(|&bound| threads > bound.into()) {
        let allows = format!("`__launch_bounds__` of `{kernel}` allows {}", grouped(bound.into()));
        return Err(Refusal::Resources(Limit::new(format!("{}; {allows}", asked_for()))));
    }
    registers(limits, kernel, threads).map_err(Refusal::Resources)
}

/// Checks the extents of a grid or a block along each axis.
fn extents(noun: &str, whole: &str, extents: [u32; 3], most: [u32; 3]) -> Result<(), Limit> {
    for ((axis, extent), most) in ["x", "y", "z"].into_iter().zip(extents).zip(most) {
        if (1..=most).contains(&extent) {
            continue;
        }
        let limit = match extent {
            0 => "there must be at least 1".to_owned(),
            _ => format!("the machine allows {}", grouped(most.into())),
        };
        let count = counted_grouped(extent.into(), noun);
        return Err(Limit::new(format!("{count} {whole} along {axis}; {limit}")));
    }
    Ok(())
}

/// Checks that the registers of an SM are enough for a block.
fn registers(limits: &DeviceLimits, kernel: &str, threads: u64) -> Result<(), Limit> {
    let Some((occupancy, &each)) =
        limits.machine.occupancy.as_ref().zip(limits.registers.get(kernel))
    else {
        return Ok(());
    };
    let size = |registers: u32| BlockSize { threads: threads as u32, registers, shared: 0 };
    let fits = |registers: u32| occupancy.blocks(size(registers)) > 0;
    // A block that does not fit without registers either has another fault.
    if fits(each) || !fits(0) {
        return Ok(());
    }
    let sentence = format!(
        "{} of {} need {} registers; an SM has {}",
        counted_grouped(threads, "thread"),
        counted(each.into(), "register"),
        grouped(threads * u64::from(each)),
        grouped(limits.machine.registers.into())
    );
    let help = match (1..each).rev().find(|&fewer| fits(fewer)) {
        Some(fewer) => format!("compile with `--max-registers {fewer}`, or launch smaller blocks"),
        None => "launch smaller blocks".to_owned(),
    };
    Err(Limit { sentence, help: Some(help) })
}

impl HostEnvironment<'_> {
    /// Launches a kernel and waits for it. A fault of the configuration becomes the last error; a
    /// fault in the kernel ends the program.
    pub(super) fn launch_kernel(
        &mut self,
        site: &LaunchSite,
        operands: &[u64],
    ) -> Result<(), Interrupt> {
        let get = |index: usize| operands.get(index).copied().unwrap_or(0);
        let grid = self.dimensions(get(0) as u32)?;
        let block = self.dimensions(get(1) as u32)?;
        let checked = match self.stream_check(get(3) as u32) {
            code::SUCCESS => self.check_launch(site, grid, block, get(2)),
            error => Err((error, None)),
        };
        if let Err((error, limit)) = checked {
            self.cuda.refuse(error, site.span, limit);
            return Ok(());
        }
        let request = LaunchRequest {
            kernel: site.kernel,
            name: self.module.function(site.kernel).name.clone(),
            grid,
            block,
            dynamic_shared: get(2) as u32,
            stream: get(3) as u32,
            arguments: self
                .arguments(site, operands.get(LaunchSite::CONFIGURATION..).unwrap_or(&[]))?,
            span: site.span,
        };
        // A kernel may take long: earlier output should be visible.
        self.output.flush();
        let launched = self.device.launch(&request, self.memory);
        self.print_all(site)?;
        match launched {
            Ok(elapsed) => self.cuda.advance(elapsed.nanoseconds),
            Err(LaunchError::Refused(error)) => {
                self.cuda.refuse(error, site.span, None);
            }
            Err(LaunchError::Failed(mut failure)) => {
                let report = failure.report_mut();
                report.kernel.get_or_insert(request.name);
                return Err(Interrupt::Failure(failure));
            }
        }
        Ok(())
    }

    /// Prints the output of the launch's threads.
    fn print_all(&mut self, site: &LaunchSite) -> Result<(), Interrupt> {
        let (text, done) = printed::text(self.memory, &self.device.take_printed());
        self.output.print(&text);
        self.end_if_full()?;
        if let Err(mut report) = done {
            report.span.get_or_insert(site.span);
            return Err(Interrupt::trap(report));
        }
        Ok(())
    }

    /// Ends a program that has printed more than it may.
    pub(super) fn end_if_full(&self) -> Result<(), Interrupt> {
        if !self.output.is_full() {
            return Ok(());
        }
        let report = Report::new("the program printed more than its limit of output");
        let help = "look for a loop that prints, or raise the limit with `--max-output`";
        Err(Interrupt::Failure(Failure::Limit(report.with_help(help))))
    }

    /// A `dim3` in memory.
    fn dimensions(&mut self, address: u32) -> Result<[u32; 3], Interrupt> {
        let bytes = self.bytes(address, 12, false)?;
        let mut dimensions = [0; 3];
        for (value, bytes) in dimensions.iter_mut().zip(bytes.as_chunks::<4>().0) {
            *value = u32::from_le_bytes(*bytes);
        }
        Ok(dimensions)
    }

    fn check_launch(
        &self,
        site: &LaunchSite,
        grid: [u32; 3],
        block: [u32; 3],
        shared: u64,
    ) -> Result<(), (i32, Option<Limit>)> {
        let function = self.module.function(site.kernel);
        let (kernel, bound) = (function.name.as_str(), function.launch_bound);
        let asked = Asked { kernel, bound, grid, block, shared };
        check_configuration(&self.cuda.limits, asked).map_err(|refusal| {
            let error = match refusal {
                Refusal::Configuration(_) => code::INVALID_CONFIGURATION,
                Refusal::Shared(_) => code::INVALID_VALUE,
                Refusal::Resources(_) => code::LAUNCH_OUT_OF_RESOURCES,
            };
            (error, Some(refusal.limit()))
        })
    }

    /// The parameter block.
    fn arguments(&mut self, site: &LaunchSite, operands: &[u64]) -> Result<Vec<u8>, Interrupt> {
        let mut block = vec![0; site.size as usize];
        for (&(offset, size, is_structure), &operand) in site.arguments.iter().zip(operands) {
            let scalar = operand.to_le_bytes();
            let value = match is_structure {
                true => self.bytes(operand as u32, size as u64, false)?,
                false => scalar.get(..size as usize).unwrap_or(&[]),
            };
            let at = offset as usize;
            if let Some(place) = block.get_mut(at..at + value.len()) {
                place.copy_from_slice(value);
            }
        }
        Ok(block)
    }
}
