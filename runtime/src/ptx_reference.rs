//! PTX under the reference model: kernels of PTX files beside those of the source.

use crate::host::device::{Device, DeviceLimits, Elapsed, LaunchError, LaunchRequest};
use crate::host::interruption::Interruption;
use crate::host::memory::{Accessor, Memory};
use crate::host::printed::{Buffer, Printed};
use crate::host::report::{Failure, INTERRUPTED, Report};
use crate::interpreter::bytecode::ArgumentClass;
use crate::interpreter::reference::ReferenceDevice;
use crate::kernel_file;
use reconverge_compiler::ptx::names;
use reconverge_compiler::syntax::{FileId, Span};
use reconverge_isa::{Kernel, Variable};
use reconverge_ptx::tree::{Block, Function, Location, Module, Statement};
use reconverge_ptx_reference::{self as reference, GLOBAL, Launch, Program, Trap, TrapKind};
use std::collections::BTreeMap;

/// The kernels of a PTX file, as the reference model executes them.
#[derive(Debug)]
pub struct PtxKernels {
    program: Program,
    /// The kernels: the name that launches use, and the name in the text.
    entries: BTreeMap<String, String>,
    file: FileId,
    /// From which byte of the text on the code comes from which place of the original source.
    originals: BTreeMap<u32, Option<String>>,
}

/// Adds a block's `.loc` directives. `files` has the path of each file by its number in the module.
fn add_originals(
    block: &Block,
    files: &BTreeMap<u64, &str>,
    found: &mut BTreeMap<u32, Option<String>>,
) {
    for statement in &block.statements {
        match statement {
            Statement::Block(block) => add_originals(block, files, found),
            Statement::Location(Location { file, line, column, span, .. }) => {
                let path = files.get(file).filter(|_| *line != 0);
                let place = path.map(|path| format!("{path}:{line}:{}", (*column).max(1)));
                found.insert(span.start, place);
            }
            _ => {}
        }
    }
}

/// The places of the original source, by the byte of the text where their code begins.
fn originals(module: &Module) -> BTreeMap<u32, Option<String>> {
    let files = module.files.iter().map(|file| (file.number, &*file.path)).collect();
    let mut found = BTreeMap::new();
    for body in module.functions.iter().filter_map(|function| function.body.as_ref()) {
        // A `.loc` applies up to the end of its function.
        found.insert(body.span.start, None);
        add_originals(body, &files, &mut found);
    }
    found
}

impl PtxKernels {
    /// The kernels of a module, with the addresses of a program's variables and the names of its kernels.
    ///
    /// # Errors
    /// The place of a construct without a meaning in the model, and its description.
    pub fn new(
        module: &Module,
        beside: &reconverge_isa::Program,
        file: FileId,
    ) -> Result<PtxKernels, (Span, String)> {
        let address = |name: &str| {
            let known = |it: &&Variable| it.name == name || it.name == names::source_name(name);
            beside.variables.iter().find(known).map(|it| it.address)
        };
        let program = Program::new(module, &address).map_err(|refusal| {
            (Span::new(file, refusal.span.start, refusal.span.end), refusal.message)
        })?;
        let called = |(name, kernel): (String, &Function)| {
            let written = kernel.name.text.to_string();
            // A kernel of a program that grows has a number where its own name is taken.
            let is_it = |own: &Kernel| own.name.split('@').next() == Some(&*written);
            let own = beside.kernels.iter().position(is_it);
            let place = || kernel_file::place(&name, Some(&written), &beside.kernels);
            let at = own.or_else(place);
            (at.map_or(name, |at| beside.kernels[at].name.clone()), written)
        };
        let entries = names::of_kernels(module).into_iter().map(called).collect();
        Ok(PtxKernels { program, entries, file, originals: originals(module) })
    }

    /// The failure that a trap is.
    fn failure(&self, trap: Trap, request: &LaunchRequest) -> Failure {
        let Trap { kind, span, block, thread, message } = trap;
        let message = if kind == TrapKind::Interrupted { INTERRUPTED.to_owned() } else { message };
        let mut report = Report::new(message);
        let place = span.map(|it| Span::new(self.file, it.start, it.end));
        report.span = place.or(Some(request.span));
        let original = span.and_then(|it| self.originals.range(..=it.start).next_back());
        let original = original.and_then(|(_, place)| place.as_ref());
        report.notes.extend(original.map(|place| format!("the original source: {place}")));
        report.kernel = Some(request.name.clone());
        report.block = Some(block);
        report.thread = thread;
        match kind {
            TrapKind::Fault => Failure::Trap(report),
            TrapKind::Deadlock => Failure::Deadlock(report),
            TrapKind::Limit => Failure::Limit(report),
            TrapKind::Interrupted => Failure::Interrupted(report),
        }
    }
}

/// The reference device, with some kernels as PTX.
pub struct ReferenceKernels<'m> {
    source: ReferenceDevice<'m>,
    ptx: Vec<PtxKernels>,
    most: u64,
    interruption: Interruption,
    printed: Vec<Printed>,
}

impl<'m> ReferenceKernels<'m> {
    /// Runs kernels of `ptx` where a file has the name, all others by `source`. A PTX kernel may
    /// take `most` instructions.
    pub fn new(
        source: ReferenceDevice<'m>,
        ptx: Vec<PtxKernels>,
        most: u64,
        interruption: Interruption,
    ) -> ReferenceKernels<'m> {
        ReferenceKernels { source, ptx, most, interruption, printed: Vec::new() }
    }

    /// Replaces the PTX kernels by those of a program that has more.
    pub fn extend(&mut self, ptx: Vec<PtxKernels>) {
        self.ptx = ptx;
    }
}

impl Device for ReferenceKernels<'_> {
    fn launch(
        &mut self,
        request: &LaunchRequest,
        memory: &mut Memory,
    ) -> Result<Elapsed, LaunchError> {
        let found = self.ptx.iter().find_map(|file| Some((file, file.entries.get(&request.name)?)));
        let Some((file, entry)) = found else {
            return self.source.launch(request, memory);
        };
        let launch = Launch {
            kernel: entry,
            grid: request.grid,
            block: request.block,
            dynamic_shared: request.dynamic_shared,
            parameters: &request.arguments,
            limit: self.most,
            is_interrupted: &|| self.interruption.is_requested(),
        };
        let mut own = Global { memory, printed: Buffer::default() };
        let ended = file.program.launch(&launch, &mut own);
        self.printed = own.printed.take();
        match ended {
            Ok(nanoseconds) => Ok(Elapsed { nanoseconds }),
            Err(trap) => Err(LaunchError::Failed(file.failure(trap, request))),
        }
    }

    fn take_printed(&mut self) -> Vec<Printed> {
        let own = std::mem::take(&mut self.printed);
        self.source.take_printed().into_iter().chain(own).collect()
    }

    fn limits(&self) -> DeviceLimits {
        self.source.limits()
    }
}

/// Device memory as PTX threads reach it.
struct Global<'a> {
    memory: &'a mut Memory,
    printed: Buffer,
}

impl Global<'_> {
    fn fault(&self, address: u32, size: usize, write: bool) -> String {
        self.memory.explain(Accessor::Device, address, size as u64, write).message
    }
}

impl reference::Memory for Global<'_> {
    fn load(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), String> {
        let found = match address {
            GLOBAL.. => self.memory.device().slice(address, bytes.len() as u32).map(|it| &*it),
            _ => {
                let at = address.wrapping_sub(reference::CONSTANT) as usize;
                self.memory.constant().get(at..at.saturating_add(bytes.len()))
            }
        };
        match found {
            Some(found) => {
                bytes.copy_from_slice(found);
                Ok(())
            }
            None => Err(self.fault(address, bytes.len(), false)),
        }
    }

    fn store(&mut self, address: u32, bytes: &[u8]) -> Result<(), String> {
        let place = match address {
            GLOBAL.. => self.memory.device().slice(address, bytes.len() as u32),
            _ => None,
        };
        match place {
            Some(place) => {
                place.copy_from_slice(bytes);
                Ok(())
            }
            None => Err(self.fault(address, bytes.len(), true)),
        }
    }

    fn print(&mut self, block: u64, thread: u32, print: reference::Print) -> Result<(), String> {
        let class = |&(argument, _): &(reference::Argument, u64)| match argument {
            reference::Argument::Int => ArgumentClass::Int,
            reference::Argument::Long => ArgumentClass::Long,
            reference::Argument::Double => ArgumentClass::Double,
        };
        let classes = print.arguments.iter().map(class).collect();
        let values = print.arguments.iter().map(|&(_, value)| value).collect();
        let printed = Printed { format: print.format, classes, values };
        match self.printed.add(block, thread, printed) {
            true => Ok(()),
            false => Err("the kernel prints too much".to_owned()),
        }
    }
}
