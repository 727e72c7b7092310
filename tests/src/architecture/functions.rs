//! Functions and structures: their lengths, fields and methods.

use super::{Source, is_for_tests};
use std::collections::BTreeSet;
use syn::visit::{self, Visit};

/// A function with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The path of its file below the crate's `src`.
    pub file: String,
    /// Its name.
    pub name: String,
    /// Lines from `fn` to the closing brace, both included; comments and blank lines count.
    pub lines: usize,
}

/// How long functions are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// How many functions there are.
    pub count: usize,
    /// Half of the functions have at most so many lines.
    pub median: usize,
    /// Nine of ten functions have at most so many lines.
    pub ninth_decile: usize,
    /// The longest function's lines.
    pub longest: usize,
    /// How many functions have more than 60 lines.
    pub over_60: usize,
    /// How many functions have more than 100 lines.
    pub over_100: usize,
}

impl Lengths {
    /// The lengths of some functions.
    pub fn of<'a>(functions: impl IntoIterator<Item = &'a Function>) -> Lengths {
        let mut lines: Vec<usize> = functions.into_iter().map(|function| function.lines).collect();
        lines.sort();
        // The smallest length that at least `tenths` tenths of the functions do not exceed.
        let quantile = |tenths: usize| {
            let rank = (lines.len() * tenths).div_ceil(10);
            lines.get(rank.saturating_sub(1)).copied().unwrap_or(0)
        };
        let over = |limit: usize| lines.iter().filter(|lines| **lines > limit).count();
        Lengths {
            count: lines.len(),
            median: quantile(5),
            ninth_decile: quantile(9),
            longest: quantile(10),
            over_60: over(60),
            over_100: over(100),
        }
    }
}

/// A structure with named fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    /// The path of its file below the crate's `src`.
    pub file: String,
    /// Its name.
    pub name: String,
    /// Its number of fields.
    pub fields: usize,
    /// Methods and associated functions in all `impl` blocks without a trait; where two structures of a crate
    /// have one name, those of both.
    pub methods: usize,
    /// Files with such an `impl` block.
    pub method_files: usize,
}

/// The functions of a file, in order.
pub fn functions(source: &Source) -> Vec<Function> {
    let mut finder = Functions { file: &source.path, found: Vec::new() };
    finder.visit_file(&source.tree);
    finder.found
}

struct Functions<'a> {
    file: &'a str,
    found: Vec<Function>,
}

impl Functions<'_> {
    fn add(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let first = signature.fn_token.span.start().line;
        let last = body.brace_token.span.close().end().line;
        self.found.push(Function {
            file: self.file.to_string(),
            name: signature.ident.to_string(),
            lines: last - first + 1,
        });
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_for_tests(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.add(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(body) = &function.default {
            self.add(&function.sig, body);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

/// The structures of a crate, those with the most fields first.
pub fn structures(sources: &[Source]) -> Vec<Structure> {
    let mut found = Vec::new();
    let mut implementations = Vec::new();
    for source in sources {
        for item in &source.tree.items {
            match item {
                syn::Item::Struct(item) if matches!(item.fields, syn::Fields::Named(_)) => {
                    found.push((source, item));
                }
                syn::Item::Impl(item) if item.trait_.is_none() => {
                    implementations.push((source, item));
                }
                _ => {}
            }
        }
    }
    let mut structures: Vec<Structure> = found
        .into_iter()
        .map(|(source, item)| {
            let own =
                implementations.iter().filter(|(_, block)| is_of(&block.self_ty, &item.ident));
            let is_method = |item: &&syn::ImplItem| matches!(item, syn::ImplItem::Fn(_));
            let files: BTreeSet<&str> = own.clone().map(|(file, _)| file.path.as_str()).collect();
            Structure {
                file: source.path.clone(),
                name: item.ident.to_string(),
                fields: item.fields.len(),
                methods: own.map(|(_, block)| block.items.iter().filter(is_method).count()).sum(),
                method_files: files.len(),
            }
        })
        .collect();
    structures.sort_by(|a, b| b.fields.cmp(&a.fields).then_with(|| a.file.cmp(&b.file)));
    structures
}

/// True if a type is a structure of this name, with any arguments.
fn is_of(of: &syn::Type, name: &syn::Ident) -> bool {
    let syn::Type::Path(path) = of else { return false };
    path.path.segments.last().is_some_and(|last| last.ident == *name)
}
