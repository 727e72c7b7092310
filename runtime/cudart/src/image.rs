//! Device code as the device has it: the texts that it was given, compiled into one program.

use crate::device::Device;
use crate::error::{INVALID_KERNEL_IMAGE, INVALID_PTX, MEMORY_ALLOCATION, Outcome};
use crate::prepare::prepared;
use crate::state::{Registered, Unusable};
use reconverge::kernel_file::image::{Image, Starts};
use reconverge::session::{Error, Module};
use reconverge_isa::{CONSTANT_BASE, GLOBAL_BASE, Program};

/// A kernel as launches need it.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its name in the program.
    pub name: String,
    /// Offset and bytes of each parameter.
    pub parameters: Vec<(u32, u32)>,
    /// Bytes of all parameters.
    pub bytes: u32,
    /// Registers per thread.
    pub registers: u32,
    /// Bytes of static shared memory per block.
    pub shared: u32,
    /// Bytes of local memory per thread.
    pub local: u32,
    /// The most threads of a block that it states, 0 for none.
    pub bound: u32,
    /// The most dynamic shared memory that the program has asked for.
    pub dynamic: Option<u32>,
}

/// The kernels of a program from an index on.
pub fn kernels(program: &Program, from: usize) -> impl Iterator<Item = Kernel> {
    program.kernels.iter().skip(from).map(|kernel| Kernel {
        name: kernel.name.clone(),
        parameters: kernel.parameters.iter().map(|it| (it.offset, it.size)).collect(),
        bytes: kernel.parameter_bytes,
        registers: kernel.first_uniform(),
        shared: kernel.shared_bytes,
        local: kernel.local_bytes,
        bound: kernel.max_threads,
        dynamic: None,
    })
}

/// The first addresses after a program's variables.
pub fn ends(program: &Program) -> Starts {
    let mut ends = Starts { global: GLOBAL_BASE, constant: CONSTANT_BASE };
    for variable in &program.variables {
        let end = variable.address.saturating_add(variable.size);
        match variable.address >= GLOBAL_BASE {
            true => ends.global = ends.global.max(end),
            false => ends.constant = ends.constant.max(end),
        }
    }
    ends
}

/// Adds the first of some texts all of whose kernels can be compiled; if there is none, the one with the fewest that cannot.
///
/// # Errors
/// No text can be compiled at all.
pub fn added(
    module: &Module,
    name: &str,
    texts: &[String],
    mut add: impl FnMut(&Module, &str, &str) -> Result<(Module, Image), Error>,
) -> Result<(Module, Image), Unusable> {
    let mut best: Option<(usize, (Module, Image))> = None;
    let mut first = None;
    for text in texts {
        match add(module, name, &prepared(text)) {
            Ok(found) => {
                let refused = found.1.kernels.iter().filter(|kernel| kernel.name.is_err()).count();
                if best.as_ref().is_none_or(|(least, _)| refused < *least) {
                    best = Some((refused, found));
                }
                if refused == 0 {
                    break;
                }
            }
            Err(error) => {
                first.get_or_insert(error);
            }
        }
    }
    let why = || first.map_or("it has no PTX".to_owned(), |error| error.to_string());
    best.map(|(_, found)| found).ok_or_else(|| Unusable { code: INVALID_PTX, why: why() })
}

/// The kernel of an image by its name in the text, as its name in the program.
///
/// # Errors
/// There is none, or it cannot be compiled.
pub fn kernel<'i>(image: &'i Image, symbol: &str) -> Result<&'i str, Unusable> {
    match image.kernels.iter().find(|kernel| kernel.symbol == symbol) {
        Some(kernel) => kernel.name.as_deref().map_err(|why| {
            let why = format!("the kernel `{symbol}` cannot be compiled\n{why}");
            Unusable { code: INVALID_PTX, why }
        }),
        None => {
            let why = format!("the device code of the program has no kernel `{symbol}`");
            Err(Unusable { code: crate::error::INVALID_DEVICE_FUNCTION, why })
        }
    }
}

impl Device {
    /// Adds a text while the program runs; the result is the number of its image.
    ///
    /// # Errors
    /// The text cannot be compiled, or its variables find no memory.
    pub fn load(&mut self, name: &str, texts: &[String]) -> Result<usize, Unusable> {
        let end = ends(&self.module.lowered().program);
        let folder = self.session.folder().to_owned();
        let options = self.options.clone();
        let with = |starts: Starts| {
            let (folder, options) = (folder.clone(), options.clone());
            move |module: &Module, name: &str, text: &str| {
                module.with_image(name, text, starts, &folder, &options)
            }
        };
        // Where variables lie is part of the code, and how large they are is known after reading it.
        let lowest = Starts { global: GLOBAL_BASE, constant: end.constant };
        let (mut module, mut image) = added(self.module, name, texts, with(lowest))?;
        let globals = image.variables.iter().filter(|it| it.address >= GLOBAL_BASE);
        let size = globals.map(|it| it.address + it.size - GLOBAL_BASE).max().unwrap_or(0);
        let mut region = None;
        if size > 0 {
            let place = self.gpu.memory().device_allocate(size.into());
            let no_memory =
                || Unusable { code: MEMORY_ALLOCATION, why: "variables find no memory".to_owned() };
            let global = place.ok_or_else(no_memory)?;
            region = Some(global);
            (module, image) = added(self.module, name, texts, with(Starts { global, ..lowest }))?;
        }
        let module: &'static Module = Box::leak(Box::new(module));
        let known = self.kernels.len();
        self.gpu
            .extend(module)
            .map_err(|error| Unusable { code: INVALID_KERNEL_IMAGE, why: error.to_string() })?;
        self.module = module;
        self.kernels.extend(kernels(&module.lowered().program, known));
        self.images.push(Loaded { image, region });
        Ok(self.images.len() - 1)
    }

    /// Ends the use of an image: its variables lose their memory. Its code stays, because later code has its place after it.
    ///
    /// # Errors
    /// There is no such image.
    pub fn unload(&mut self, image: usize) -> Outcome {
        let loaded = self.images.get_mut(image).ok_or(crate::error::INVALID_RESOURCE_HANDLE)?;
        loaded.image = Image::default();
        if let Some(region) = loaded.region.take() {
            self.gpu.memory().device_free(region);
        }
        Ok(())
    }

    /// The index of a kernel in an image.
    ///
    /// # Errors
    /// There is none, or it cannot be compiled.
    pub fn kernel_in(&self, image: usize, symbol: &str) -> Result<usize, Unusable> {
        let none = || Unusable {
            code: crate::error::INVALID_DEVICE_FUNCTION,
            why: "the image has been unloaded".to_owned(),
        };
        let image = &self.images.get(image).ok_or_else(none)?.image;
        let name = kernel(image, symbol)?;
        self.kernels.iter().position(|kernel| kernel.name == name).ok_or_else(none)
    }

    /// The index of a registered kernel.
    ///
    /// # Errors
    /// There is none, or it cannot be compiled.
    pub fn kernel_of(&self, registered: &Registered) -> Result<usize, Unusable> {
        match self.binaries.get(registered.binary) {
            Some(Ok(image)) => self.kernel_in(*image, self.symbol_of(registered)),
            Some(Err(unusable)) => Err(unusable.clone()),
            None => {
                let why = "the kernel's binary was registered after the first use of the device";
                Err(Unusable { code: crate::error::INVALID_DEVICE_FUNCTION, why: why.to_owned() })
            }
        }
    }

    /// The address and size of a registered variable.
    pub fn variable_of(&self, registered: &Registered) -> Option<(u32, u32)> {
        let image = *self.binaries.get(registered.binary)?.as_ref().ok()?;
        self.variable_in(image, self.symbol_of(registered))
    }

    /// The name of a registered kernel or variable in its image.
    fn symbol_of<'a>(&'a self, registered: &'a Registered) -> &'a str {
        let renamed = self.renamed.get(&registered.binary);
        let name = renamed.and_then(|names| names.get(&registered.symbol));
        name.unwrap_or(&registered.symbol)
    }

    /// The address and size of a variable of an image.
    pub fn variable_in(&self, image: usize, symbol: &str) -> Option<(u32, u32)> {
        let variables = &self.images.get(image)?.image.variables;
        let found = variables.iter().find(|it| it.symbol == symbol)?;
        Some((found.address, found.size))
    }
}

/// A text that the device has.
#[derive(Debug)]
pub struct Loaded {
    /// Its kernels and variables.
    pub image: Image,
    /// The memory of its variables, if it was loaded while the program ran.
    pub region: Option<u32>,
}
