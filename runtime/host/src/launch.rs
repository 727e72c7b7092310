//! Kernel launches of the host program.

use super::cuda_error as code;
use super::device::{DeviceLimits, LaunchError, LaunchRequest};
use super::environment::HostEnvironment;
use super::printed;
use super::report::{Failure, Report};
use crate::interpreter::bytecode::LaunchSite;
use crate::interpreter::environment::Interrupt;

/// Why a launch does not start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The grid or the block cannot be.
    Configuration,
    /// More dynamic shared memory than the device has.
    Shared,
    /// The block is larger than the kernel's `__launch_bounds__`.
    Bound,
}

/// Whether a device can take a launch.
///
/// # Errors
/// The first reason why not.
pub fn check_configuration(
    limits: &DeviceLimits,
    bound: Option<u32>,
    grid: [u32; 3],
    block: [u32; 3],
    shared: u64,
) -> Result<(), Refusal> {
    let fits = |extents: [u32; 3], most: [u32; 3]| {
        let mut pairs = extents.into_iter().zip(most);
        pairs.all(|(extent, most)| (1..=most).contains(&extent))
    };
    let threads = block.iter().try_fold(1u32, |all, &n| all.checked_mul(n));
    let threads = threads.filter(|&threads| threads <= limits.threads);
    if !fits(grid, limits.grid) || !fits(block, limits.block) || threads.is_none() {
        return Err(Refusal::Configuration);
    }
    if shared > limits.shared as u64 {
        return Err(Refusal::Shared);
    }
    if bound.is_some_and(|bound| threads.is_some_and(|threads| threads > bound)) {
        return Err(Refusal::Bound);
    }
    Ok(())
}

impl HostEnvironment<'_> {
    /// Launches a kernel and waits for it. What is wrong with the configuration becomes the last
    /// error; what goes wrong in the kernel ends the program.
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
            error => Err(error),
        };
        if let Err(error) = checked {
            self.cuda.refuse(error, site.span);
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
        // A kernel may take long: what was printed before it should be seen.
        self.output.flush();
        let launched = self.device.launch(&request, self.memory);
        self.print_all(site)?;
        match launched {
            Ok(elapsed) => self.cuda.advance(elapsed.nanoseconds),
            Err(LaunchError::Refused(error)) => {
                self.cuda.refuse(error, site.span);
            }
            Err(LaunchError::Failed(mut failure)) => {
                let report = failure.report_mut();
                report.kernel.get_or_insert(request.name);
                return Err(Interrupt::Failure(failure));
            }
        }
        Ok(())
    }

    /// Prints what the threads of the launch have printed.
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
    ) -> Result<(), i32> {
        let bound = self.module.function(site.kernel).launch_bound;
        let checked = check_configuration(&self.cuda.limits, bound, grid, block, shared);
        checked.map_err(|refusal| match refusal {
            Refusal::Configuration => code::INVALID_CONFIGURATION,
            Refusal::Shared => code::INVALID_VALUE,
            Refusal::Bound => code::LAUNCH_OUT_OF_RESOURCES,
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
