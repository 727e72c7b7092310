//! Modules from texts that other compilers wrote: PTX, IR and assembly.

use super::{CompileOptions, Error, Module, Source};
use crate::build::Refused;
use crate::kernel_file::{KernelFile, Level};
use crate::source::read;
use reconverge_compiler::syntax::SourceMap;

impl Module {
    /// Compiles the kernels of a PTX text. Among the options only `lowering` counts.
    ///
    /// Parameters of PTX carry no types, so a launch passes their bytes: [`Gpu::launch_bytes`](super::Gpu::launch_bytes).
    ///
    /// ```
    /// use reconverge::{CompileOptions, Module, Target};
    ///
    /// let text = "
    ///     .version 8.0
    ///     .target sm_75
    ///     .address_size 64
    ///     .visible .entry squares(.param .u64 out)
    ///     {
    ///         .reg .b32 %r<3>;
    ///         .reg .b64 %rd<3>;
    ///         ld.param.u64 %rd1, [out];
    ///         mov.u32 %r1, %tid.x;
    ///         mad.wide.u32 %rd2, %r1, 4, %rd1;
    ///         mul.lo.u32 %r2, %r1, %r1;
    ///         st.global.u32 [%rd2], %r2;
    ///         ret;
    ///     }";
    /// let module = Module::from_ptx(text, &CompileOptions::default())?;
    /// let mut gpu = module.load(&Target::new("gtx480")?)?;
    /// let out = gpu.zeros::<u32>(32)?;
    /// gpu.launch_bytes("squares", 1, 32, 0, &out.address().to_le_bytes())?;
    /// assert_eq!(gpu.read(&out)[..4], [0, 1, 4, 9]);
    /// # Ok::<(), reconverge::Error>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be read, or the text is not PTX that can be compiled.
    pub fn from_ptx<'a>(
        source: impl Into<Source<'a>>,
        options: &CompileOptions,
    ) -> Result<Module, Error> {
        Module::from_kernels(source.into(), Level::Ptx, options)
    }

    /// Compiles the kernels of an IR text (`spec/ir.md`). Among the options only `lowering` counts.
    ///
    /// ```
    /// use reconverge::{CompileOptions, Module};
    ///
    /// let text = "
    /// kernel nothing {
    /// b0:
    ///   return
    /// }";
    /// let module = Module::from_ir(text, &CompileOptions::default())?;
    /// assert_eq!(module.kernels().next().unwrap().name(), "nothing");
    /// # Ok::<(), reconverge::Error>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be read, or the text is not well-formed IR.
    pub fn from_ir<'a>(
        source: impl Into<Source<'a>>,
        options: &CompileOptions,
    ) -> Result<Module, Error> {
        Module::from_kernels(source.into(), Level::Ir, options)
    }

    /// Reads the kernels of an assembly text (`spec/isa.md`), which is machine code already.
    ///
    /// ```
    /// use reconverge::Module;
    ///
    /// let module = Module::from_asm(".version 2\n.kernel nothing\nexit\n")?;
    /// assert_eq!(module.kernels().next().unwrap().name(), "nothing");
    /// # Ok::<(), reconverge::Error>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be read, or the text is not valid assembly.
    pub fn from_asm<'a>(source: impl Into<Source<'a>>) -> Result<Module, Error> {
        Module::from_kernels(source.into(), Level::Assembly, &CompileOptions::default())
    }

    fn from_kernels(
        source: Source<'_>,
        level: Level,
        options: &CompileOptions,
    ) -> Result<Module, Error> {
        let (name, text) = match source {
            Source::Text(text) => ("<source>".to_owned(), text.to_owned()),
            Source::File(file) => read(file).map_err(|error| Error::Input(format!("{error:#}")))?,
        };
        let mut sources = SourceMap::new();
        let file = KernelFile::of_text(&name, &text, level, &mut sources);
        file.into_module(sources, &options.lowering)
            .map_err(|(sources, found)| Error::Compile(Refused::new(&sources, found).render(false)))
    }
}
