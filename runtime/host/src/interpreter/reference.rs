//! The reference model: kernels run by interpreting the checked tree, one thread at a time.

use super::arithmetic::Side;
use super::block::{Block, Kernel};
use super::bytecode::Code;
use super::compile;
use super::counted_barrier::Barriers;
use super::device_memory::DeviceEnvironment;
use super::kind::Kind;
use super::reconvergence;
use super::shared_layout::SharedLayout;
use crate::device::{Device, DeviceLimits, Elapsed, LaunchError, LaunchRequest, parameter_offsets};
use crate::interruption::Interruption;
use crate::memory::{LOCAL_BASE, Memory, Statics, dynamic_shared_note};
use crate::printed::{Buffer, Printed};
use crate::report::{Failure, Report};
use reconverge_compiler::check::tree::{Module, Type};

/// The default limit of a kernel's operations.
pub const MAX_OPERATIONS: u64 = 20_000_000_000;

/// A device without a machine. Simulated time passes at a nanosecond an operation.
#[derive(Debug)]
pub struct ReferenceDevice<'m> {
    module: &'m Module,
    code: Code,
    limits: DeviceLimits,
    max_operations: u64,
    printed: Vec<Printed>,
    interruption: Interruption,
}

impl<'m> ReferenceDevice<'m> {
    /// A device for the kernels of a module. Barriers count by `limits`. A kernel may take
    /// `max_operations`, see [`MAX_OPERATIONS`].
    pub fn new(
        module: &'m Module,
        limits: DeviceLimits,
        max_operations: u64,
    ) -> Result<Self, Report> {
        let mut code =
            compile::compile(module, &Statics::of(module), Side::Device).map_err(Report::from)?;
        if limits.barriers_count_warps {
            reconvergence::mark(&mut code, module);
        }
        let (printed, interruption) = (Vec::new(), Interruption::default());
        Ok(ReferenceDevice { module, code, limits, max_operations, printed, interruption })
    }

    /// The device, whose kernels stop on request.
    pub fn with_interruption(self, interruption: Interruption) -> Self {
        ReferenceDevice { interruption, ..self }
    }

    /// The values of the parameters as the kernel's slots, and the local memory for structures.
    fn parameters(&self, request: &LaunchRequest) -> (Vec<u64>, Vec<u8>) {
        let kernel = self.module.function(request.kernel);
        let (offsets, _) = parameter_offsets(self.module, request.kernel);
        let has_structures = kernel.locals[..kernel.parameters as usize]
            .iter()
            .any(|parameter| !parameter.ty.is_scalar());
        let slots = kernel.locals.iter().zip(&offsets).map(|(parameter, &at)| {
            match parameter.ty.is_scalar() {
                true => scalar(&request.arguments, at, &parameter.ty),
                false => (LOCAL_BASE + at) as u64,
            }
        });
        let local = match has_structures {
            true => request.arguments.clone(),
            false => Vec::new(),
        };
        (slots.collect(), local)
    }

    fn check_shared(&self, request: &LaunchRequest, layout: &SharedLayout) -> Result<u32, Failure> {
        let needed = layout.static_size + request.dynamic_shared as u64;
        if needed <= self.limits.shared as u64 {
            return Ok(needed as u32);
        }
        let (name, most) = (&request.name, self.limits.shared);
        let mut report = Report::new(format!(
            "kernel '{name}' needs {needed} bytes of shared memory per block, the machine has {most}"
        ));
        report.span = Some(request.span);
        report.kernel = Some(name.clone());
        Err(Failure::Trap(report))
    }
}

impl Device for ReferenceDevice<'_> {
    fn launch(
        &mut self,
        request: &LaunchRequest,
        memory: &mut Memory,
    ) -> Result<Elapsed, LaunchError> {
        let layout = SharedLayout::of(self.module, &self.code, request.kernel);
        let shared = self.check_shared(request, &layout).map_err(LaunchError::Failed)?;
        let templates = layout.templates(&self.code);
        let (slots, local) = self.parameters(request);
        let limit = self.max_operations.min(i64::MAX as u64) as i64;
        let (code, interruption) = (&self.code, &self.interruption);
        let kernel = Kernel { code, request, slots: &slots, local: &local, limit, interruption };
        let mut env = DeviceEnvironment {
            memory,
            shared: vec![0; shared as usize],
            dynamic_shared: layout
                .dynamic_variable(self.module)
                .map_or(String::new(), |name| dynamic_shared_note(name, request.dynamic_shared)),
            local: Vec::new(),
            specials: specials(request, self.limits.warp),
            templates: &templates,
            changed: false,
            printed: Buffer::default(),
            turn: (0, 0),
            readings: 0,
            dynamic_bytes: request.dynamic_shared,
            counted: layout.counted,
            static_bytes: layout.static_size.min(u32::MAX.into()) as u32,
            barriers: Barriers::default(),
        };
        let mut left = limit;
        let ended = run_grid(kernel, &mut env, &mut left);
        self.printed = env.printed.take();
        ended.map_err(LaunchError::Failed)?;
        let nanoseconds = (limit - left).max(0) as u64;
        Ok(Elapsed { nanoseconds })
    }

    fn take_printed(&mut self) -> Vec<Printed> {
        std::mem::take(&mut self.printed)
    }

    fn limits(&self) -> DeviceLimits {
        self.limits.clone()
    }
}

fn run_grid(
    kernel: Kernel<'_>,
    env: &mut DeviceEnvironment<'_>,
    left: &mut i64,
) -> Result<(), Failure> {
    let mut block = Block::new(kernel);
    let [width, height, depth] = kernel.request.grid;
    for z in 0..depth {
        for y in 0..height {
            for x in 0..width {
                block.run([x, y, z], env, left)?;
            }
        }
    }
    Ok(())
}

fn specials(request: &LaunchRequest, warp: u32) -> [u64; super::bytecode::SPECIALS] {
    let mut specials = [0; super::bytecode::SPECIALS];
    for axis in 0..3 {
        specials[6 + axis] = request.block[axis] as u64;
        specials[9 + axis] = request.grid[axis] as u64;
    }
    specials[12] = warp as u64;
    specials
}

/// The slot form of a scalar in a parameter block.
fn scalar(block: &[u8], at: u32, ty: &Type) -> u64 {
    let mut bytes = [0; 8];
    let size = ty.size(&[]) as usize;
    let from = block.get(at as usize..at as usize + size).unwrap_or(&[]);
    bytes[..from.len()].copy_from_slice(from);
    let bits = u64::from_le_bytes(bytes);
    match Kind::of(ty) {
        Kind::I8 => bits as i8 as u64,
        Kind::I16 => bits as i16 as u64,
        Kind::I32 => bits as i32 as u64,
        Kind::Pointer => bits as u32 as u64,
        _ => bits,
    }
}
