//! Modules: PTX that is loaded while the program runs.

use crate::abi::{Host, In, Out, SharedOfBlock, Text, driver};
use crate::error::{
    INVALID_KERNEL_IMAGE, INVALID_RESOURCE_HANDLE, INVALID_VALUE, NOT_FOUND, NOT_SUPPORTED, Outcome,
};
use crate::fatbin;
use crate::runtime::kernel::{self, of_handle};
use crate::runtime::register::texts;
use crate::state::{self, Unusable};

/// Handles of modules count from here, 16 apart; those of libraries and linkers too.
const FIRST: usize = 0x4000_0002_0000_0000;
/// The most bytes of a text.
const MOST: usize = 1 << 30;
/// `CU_JIT_INPUT_PTX`.
const INPUT_PTX: i32 = 1;

/// The image of a handle.
fn of(handle: usize) -> Outcome<usize> {
    let at = handle.checked_sub(FIRST).filter(|at| at.is_multiple_of(16));
    at.map(|at| at / 16).ok_or(INVALID_RESOURCE_HANDLE)
}

/// The texts of an image in memory: PTX, or a fat binary, or a note about one.
fn image(at: Host) -> Result<Vec<String>, Unusable> {
    let start = at.mapped(16);
    if fatbin::length(start).is_some() {
        return texts(at);
    }
    let is_note = start.get(..4) == Some(&fatbin::WRAPPER.to_le_bytes()[..]);
    if let (true, Some(data)) = (is_note, start.get(8..16).and_then(|it| it.try_into().ok())) {
        return texts(Host(usize::from_le_bytes(data)));
    }
    let unusable = |why: &str| Unusable { code: INVALID_KERNEL_IMAGE, why: why.to_owned() };
    if start.starts_with(b"\x7fELF") {
        return Err(unusable("the module is machine code; the simulator runs PTX"));
    }
    let bytes = at.mapped(MOST);
    let end = bytes.iter().position(|&byte| byte == 0);
    let text = std::str::from_utf8(&bytes[..end.unwrap_or(0)]);
    match text {
        Ok(text) if text.contains(".version") => Ok(vec![text.to_owned()]),
        _ => Err(unusable("the module is neither PTX nor a fat binary")),
    }
}

fn load(place: Out<usize>, found: Result<Vec<String>, Unusable>) -> Outcome {
    let loaded = state::with(|state| {
        let device = state.device()?;
        let name = format!("module{}.ptx", device.images.len() + 1);
        match found.and_then(|texts| device.load(&name, &texts)) {
            Ok(image) => Ok(image),
            Err(Unusable { code, why }) => {
                state.say_once(&why, &why);
                Err(code)
            }
        }
    })?;
    place.put(FIRST + 16 * loaded)
}

fn load_file(place: Out<usize>, file: Text) -> Outcome {
    // `CUDA_ERROR_FILE_NOT_FOUND`.
    let mut bytes = std::fs::read(file.get()?).map_err(|_| 301)?;
    bytes.push(0);
    let start = bytes.as_ptr() as usize;
    load(place, image(Host(start)))
}

fn function(place: Out<usize>, module: usize, symbol: Text) -> Outcome {
    let (image, symbol) = (of(module)?, symbol.get()?);
    let found = state::with(|state| {
        let device = state.device()?;
        device.images.get(image).ok_or(INVALID_RESOURCE_HANDLE)?;
        match device.kernel_in(image, &symbol) {
            Ok(kernel) => Ok(kernel),
            Err(Unusable { code: crate::error::INVALID_DEVICE_FUNCTION, .. }) => Err(NOT_FOUND),
            Err(Unusable { code, why }) => {
                state.say_once(&why, &why);
                Err(code)
            }
        }
    })?;
    place.put(kernel::handle(found))
}

fn global(address: Out<usize>, size: Out<usize>, module: usize, symbol: Text) -> Outcome {
    let (image, symbol) = (of(module)?, symbol.get()?);
    let found = state::device(|device| device.variable_in(image, &symbol).ok_or(NOT_FOUND))?;
    address.offer(found.0 as usize);
    size.offer(found.1 as usize);
    Ok(())
}

fn unload(module: usize) -> Outcome {
    let image = of(module)?;
    state::device(|device| device.unload(image))
}

/// The text that a linker was given, with its end; a linker has one.
fn add_to_link(link: usize, kind: i32, data: Host, size: usize) -> Outcome {
    if kind != INPUT_PTX {
        state::say_once("cuLinkAddData", "`cuLinkAddData` takes PTX alone");
        return Err(NOT_SUPPORTED);
    }
    let mut text = data.read(size)?.to_vec();
    text.push(0);
    state::device(|device| match device.streams.links.get_mut(&link) {
        Some(known) if known.is_empty() => {
            *known = text;
            Ok(())
        }
        Some(_) => {
            eprintln!("reconverge: several texts of PTX cannot be linked");
            Err(NOT_SUPPORTED)
        }
        None => Err(INVALID_RESOURCE_HANDLE),
    })
}

driver! {
    /// Loads PTX or a fat binary.
    fn cuModuleLoadData(module: Out<usize>, data: Host) {
        load(module, image(data))
    }

    /// Loads PTX or a fat binary; the options of CUDA's compiler have no meaning here.
    fn cuModuleLoadDataEx(module: Out<usize>, data: Host, _count: u32, _options: usize, _values: usize) {
        load(module, image(data))
    }

    /// Loads a fat binary.
    fn cuModuleLoadFatBinary(module: Out<usize>, data: Host) {
        load(module, image(data))
    }

    /// Loads a file.
    fn cuModuleLoad(module: Out<usize>, file: Text) {
        load_file(module, file)
    }

    /// Ends a module.
    fn cuModuleUnload(module: usize) {
        unload(module)
    }

    /// A kernel of a module.
    fn cuModuleGetFunction(place: Out<usize>, module: usize, symbol: Text) {
        function(place, module, symbol)
    }

    /// A variable of a module.
    fn cuModuleGetGlobal(address: Out<usize>, size: Out<usize>, module: usize, symbol: Text) {
        global(address, size, module, symbol)
    }

    /// A variable of a module.
    fn cuModuleGetGlobal_v2(address: Out<usize>, size: Out<usize>, module: usize, symbol: Text) {
        global(address, size, module, symbol)
    }

    /// Modules are compiled when they are loaded.
    fn cuModuleGetLoadingMode(mode: Out<i32>) {
        mode.put(1)
    }

    /// Loads PTX or a fat binary.
    fn cuLibraryLoadData(
        library: Out<usize>, data: Host, _options: usize, _values: usize, _count: u32, _more: usize,
        _more_values: usize, _more_count: u32,
    ) {
        load(library, image(data))
    }

    /// Ends a library.
    fn cuLibraryUnload(library: usize) {
        unload(library)
    }

    /// A kernel of a library.
    fn cuLibraryGetKernel(place: Out<usize>, library: usize, symbol: Text) {
        function(place, library, symbol)
    }

    /// The module of a library.
    fn cuLibraryGetModule(module: Out<usize>, library: usize) {
        of(library)?;
        module.put(library)
    }

    /// A variable of a library.
    fn cuLibraryGetGlobal(address: Out<usize>, size: Out<usize>, library: usize, symbol: Text) {
        global(address, size, library, symbol)
    }

    /// The function of a kernel.
    fn cuKernelGetFunction(function: Out<usize>, kernel: usize) {
        of_handle(kernel)?;
        function.put(kernel)
    }

    /// Begins to link.
    fn cuLinkCreate(_count: u32, _options: usize, _values: usize, link: Out<usize>) {
        link.put(state::device(|device| Ok(device.streams.create_link()))?)
    }

    /// Begins to link.
    fn cuLinkCreate_v2(_count: u32, _options: usize, _values: usize, link: Out<usize>) {
        link.put(state::device(|device| Ok(device.streams.create_link()))?)
    }

    /// Adds PTX.
    fn cuLinkAddData(
        link: usize, kind: i32, data: Host, size: usize, _name: usize, _count: u32, _options: usize,
        _values: usize,
    ) {
        add_to_link(link, kind, data, size)
    }

    /// Adds PTX.
    fn cuLinkAddData_v2(
        link: usize, kind: i32, data: Host, size: usize, _name: usize, _count: u32, _options: usize,
        _values: usize,
    ) {
        add_to_link(link, kind, data, size)
    }

    /// Ends linking: the image is the text.
    fn cuLinkComplete(link: usize, image: Out<usize>, size: Out<usize>) {
        let (start, length) = state::device(|device| {
            let text = device.streams.links.get(&link).ok_or(INVALID_RESOURCE_HANDLE)?;
            if text.is_empty() { Err(INVALID_VALUE) } else { Ok((text.as_ptr() as usize, text.len())) }
        })?;
        image.put(start)?;
        size.put(length)
    }

    /// Ends a linker, and its image.
    fn cuLinkDestroy(link: usize) {
        state::device(|device| {
            device.streams.links.remove(&link).map(drop).ok_or(INVALID_RESOURCE_HANDLE)
        })
    }

    /// An attribute of a kernel.
    fn cuFuncGetAttribute(value: Out<i32>, attribute: i32, function: usize) {
        let kernel = of_handle(function)?;
        value.put(kernel::attribute(kernel, attribute)?)
    }

    /// An attribute of a kernel.
    fn cuKernelGetAttribute(value: Out<i32>, attribute: i32, function: usize, _device: i32) {
        let kernel = of_handle(function)?;
        value.put(kernel::attribute(kernel, attribute)?)
    }

    /// Sets an attribute of a kernel.
    fn cuFuncSetAttribute(function: usize, attribute: i32, value: i32) {
        kernel::set_attribute(of_handle(function)?, attribute, value)
    }

    /// Sets an attribute of a kernel.
    fn cuKernelSetAttribute(attribute: i32, value: i32, function: usize, _device: i32) {
        kernel::set_attribute(of_handle(function)?, attribute, value)
    }

    /// A hint: the machine's caches are as its file says.
    fn cuFuncSetCacheConfig(function: usize, _configuration: i32) {
        of_handle(function).map(drop)
    }

    /// A hint: the machine's banks are as its file says.
    fn cuFuncSetSharedMemConfig(function: usize, _configuration: i32) {
        of_handle(function).map(drop)
    }

    /// The blocks of a kernel that an SM holds.
    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks: Out<i32>, function: usize, threads: i32, dynamic: usize,
    ) {
        blocks.put(kernel::active_blocks(of_handle(function)?, threads, dynamic)?)
    }

    /// The blocks of a kernel that an SM holds.
    fn cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks: Out<i32>, function: usize, threads: i32, dynamic: usize, _flags: u32,
    ) {
        blocks.put(kernel::active_blocks(of_handle(function)?, threads, dynamic)?)
    }

    /// The block with which an SM holds most threads, and the blocks that fill the machine.
    fn cuOccupancyMaxPotentialBlockSize(
        blocks: Out<i32>, threads: Out<i32>, function: usize, shared: SharedOfBlock, dynamic: usize, limit: i32,
    ) {
        let of_block = |threads| shared.bytes(threads, dynamic);
        let found = kernel::best_block(of_handle(function)?, limit, of_block)?;
        blocks.put(found.1)?;
        threads.put(found.0)
    }

    /// The block with which an SM holds most threads, and the blocks that fill the machine.
    fn cuOccupancyMaxPotentialBlockSizeWithFlags(
        blocks: Out<i32>, threads: Out<i32>, function: usize, shared: SharedOfBlock, dynamic: usize, limit: i32,
        _flags: u32,
    ) {
        let of_block = |threads| shared.bytes(threads, dynamic);
        let found = kernel::best_block(of_handle(function)?, limit, of_block)?;
        blocks.put(found.1)?;
        threads.put(found.0)
    }

    /// The texts of options have no meaning here.
    fn cuLinkAddFile(_link: usize, _kind: i32, _path: Text, _count: u32, _options: In<i32>, _values: usize) {
        state::say_once("cuLinkAddFile", "`cuLinkAddFile` is not implemented: link before making PTX");
        Err(NOT_SUPPORTED)
    }
}
