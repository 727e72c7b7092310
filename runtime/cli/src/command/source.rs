//! The program that a command is about, and its kernels.

use super::options::BuildOptions;
use anyhow::{Result, bail};
use clap::Args;
use reconverge::build::{self, Checked};
use reconverge::kernel_file::Level;
use reconverge_compiler::check::Needed;
use reconverge_compiler::check::tree::Module;
use reconverge_compiler::syntax::SourceMap;
use reconverge_compiler::syntax::tree::{Item, Template, TemplateParameterKind, TranslationUnit};
use reconverge_isa::nearest::hint;
use std::path::PathBuf;

/// The file to compile, and preprocessor options.
#[derive(Args, Debug)]
pub struct SourceArguments {
    /// A `.cu` file, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub options: BuildOptions,
}

impl SourceArguments {
    /// The progress line while the file is compiled.
    pub fn compiling(&self) -> String {
        format!("compiling {}", self.file.display())
    }

    /// Preprocesses, parses and checks the file.
    pub fn check(&self, needed: Needed) -> Result<(String, Checked)> {
        self.check_beside(needed, &[])
    }

    /// As [`SourceArguments::check`], for a program of whose kernels some come from files.
    pub fn check_beside(&self, needed: Needed, kernels: &[PathBuf]) -> Result<(String, Checked)> {
        let (name, text) = Level::read_source(&self.file)?;
        let mut instance = String::new();
        if let Needed::Kernel(kernel) = &needed
            && kernel.contains('<')
        {
            // An instance of a template that no launch of the program names.
            instance = format!("\ntemplate void {kernel};\n");
        }
        let with = |instance: &str, needed: Needed| -> Result<Checked> {
            Ok(build::check_with(
                &name,
                &(text.clone() + instance),
                &self.options.definitions,
                &mut self.options.loader(),
                self.options.checking_program(needed, kernels)?,
            ))
        };
        let checked = with(&instance, needed.clone())?;
        let Needed::Kernel(wanted) = &needed else {
            return Ok((name, checked));
        };
        let lacks = checked.module.as_ref().is_some_and(|module| !has_kernel(wanted, module));
        let template = if lacks { self.template(wanted, &name, &text)? } else { None };
        let checked = match template {
            None => checked,
            Some(template) if template.has_defaults => {
                let kernel = format!("{wanted}<>");
                with(&format!("\ntemplate void {kernel};\n"), Needed::Kernel(kernel))?
            }
            Some(template) => bail!(
                "the kernel `{wanted}` is a template, of which the program makes no instance\n  it takes `{}`: \
                 name its arguments, as in `{wanted}<{}>`",
                template.parameters,
                template.sample
            ),
        };
        Ok((name, checked))
    }

    /// The template of kernels of a name.
    fn template(&self, wanted: &str, name: &str, text: &str) -> Result<Option<KernelTemplate>> {
        let (definitions, target) = (&self.options.definitions, self.options.target()?);
        let (tree, parsed) =
            build::parse(name, text, definitions, &mut self.options.loader(), target);
        Ok(template_in(&tree.items, wanted, &parsed.sources))
    }
}

/// A template of kernels.
struct KernelTemplate {
    /// Its parameters as the source has them.
    parameters: String,
    /// Arguments that it could take.
    sample: String,
    /// True if each parameter has a default.
    has_defaults: bool,
}

/// The template of kernels of a name among some items.
fn template_in(items: &[Item], wanted: &str, sources: &SourceMap) -> Option<KernelTemplate> {
    items.iter().find_map(|item| match item {
        Item::Namespace(None, items) => template_in(items, wanted, sources),
        Item::Namespace(Some(name), items) => {
            let inner = wanted.strip_prefix(&**name)?.strip_prefix("::")?;
            template_in(items, inner, sources)
        }
        Item::Template(template) if !template.parameters.is_empty() => {
            let kernels =
                TranslationUnit { items: vec![template.item.clone()], ..Default::default() }
                    .kernels();
            kernels.iter().any(|(name, _)| **name == *wanted).then(|| described(template, sources))
        }
        _ => None,
    })
}

fn described(template: &Template, sources: &SourceMap) -> KernelTemplate {
    let texts = template.parameters.iter().map(|parameter| match &parameter.kind {
        TemplateParameterKind::Value(value) => sources.slice(value.span),
        TemplateParameterKind::Type(_) => sources.slice(parameter.span),
    });
    let samples = template.parameters.iter().map(|parameter| match &parameter.kind {
        TemplateParameterKind::Type(_) => "float",
        TemplateParameterKind::Value(_) => "4",
    });
    KernelTemplate {
        parameters: texts.collect::<Vec<_>>().join(", "),
        sample: samples.collect::<Vec<_>>().join(", "),
        has_defaults: template.parameters.iter().all(|parameter| match &parameter.kind {
            TemplateParameterKind::Type(default) => default.is_some(),
            TemplateParameterKind::Value(value) => value.default.is_some(),
        }),
    }
}

/// Returns true if a program has a kernel of this name.
fn has_kernel(wanted: &str, module: &Module) -> bool {
    let mut kernels = module.functions.iter().filter(|function| function.sides.kernel);
    kernels.any(|kernel| names_kernel(wanted, &kernel.name))
}

/// True if a name selects a kernel: its own, or that of its template.
pub fn names_kernel(wanted: &str, kernel: &str) -> bool {
    // Blanks in `sum<float, 4>` are as one likes.
    let tight = |name: &str| name.split_whitespace().collect::<String>();
    tight(kernel) == tight(wanted) || kernel.split('<').next() == Some(wanted)
}

/// Complains if a name selects no kernel of a program.
pub fn require_kernel(wanted: &str, module: &Module) -> Result<()> {
    let kernels = module.functions.iter().filter(|function| function.sides.kernel);
    let known: Vec<&str> = kernels.map(|kernel| &*kernel.name).collect();
    if known.iter().any(|kernel| names_kernel(wanted, kernel)) {
        return Ok(());
    }
    let near = hint(wanted, known.iter().copied());
    match known.is_empty() {
        true => bail!("there is no kernel `{wanted}`: the program has none"),
        false => bail!("there is no kernel `{wanted}`; there are {}{near}", known.join(", ")),
    }
}
