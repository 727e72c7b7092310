//! Parameters that are tuples: values without names.

use super::{Source, is_for_tests};
use std::collections::BTreeSet;
use syn::visit::{self, Visit};

/// A parameter that is a tuple.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TupleParameter {
    /// The path of its file below the crate's `src`.
    pub file: String,
    /// The line of its type.
    pub line: usize,
    /// The function that has it.
    pub function: String,
}

/// Finds parameters that are tuples in functions, methods and the methods that a trait declares, also behind
/// references, `Option` and a file's own names for tuples.
///
/// Methods of `impl TRAIT for TYPE` are left out: their trait declares their parameters. Closures, types of functions,
/// and slices, collections and iterators of tuples may have tuples.
pub fn tuple_parameters(sources: &[Source]) -> Vec<TupleParameter> {
    let of = |source: &Source| {
        let mut aliases = Aliases(BTreeSet::new());
        aliases.visit_file(&source.tree);
        let mut finder = Parameters { aliases: aliases.0, file: &source.path, found: Vec::new() };
        finder.visit_file(&source.tree);
        finder.found
    };
    sources.iter().flat_map(of).collect()
}

/// The names that stand for tuples.
struct Aliases(BTreeSet<String>);

impl<'ast> Visit<'ast> for Aliases {
    fn visit_item_type(&mut self, alias: &'ast syn::ItemType) {
        if matches!(*alias.ty, syn::Type::Tuple(_)) {
            self.0.insert(alias.ident.to_string());
        }
    }
}

struct Parameters<'a> {
    aliases: BTreeSet<String>,
    file: &'a str,
    found: Vec<TupleParameter>,
}

impl Parameters<'_> {
    fn is_tuple(&self, of: &syn::Type) -> bool {
        match of {
            syn::Type::Tuple(tuple) => tuple.elems.len() > 1,
            syn::Type::Paren(inner) => self.is_tuple(&inner.elem),
            syn::Type::Reference(reference) => self.is_tuple(&reference.elem),
            syn::Type::Path(path) => path.path.segments.last().is_some_and(|last| {
                self.aliases.contains(&last.ident.to_string())
                    || (last.ident == "Option" && self.has_tuple(&last.arguments))
            }),
            _ => false,
        }
    }

    fn has_tuple(&self, arguments: &syn::PathArguments) -> bool {
        let syn::PathArguments::AngleBracketed(arguments) = arguments else { return false };
        let mut arguments = arguments.args.iter();
        arguments
            .any(|argument| matches!(argument, syn::GenericArgument::Type(of) if self.is_tuple(of)))
    }
}

impl<'ast> Visit<'ast> for Parameters<'_> {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_for_tests(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        if block.trait_.is_none() {
            visit::visit_item_impl(self, block);
        }
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        for input in &signature.inputs {
            if let syn::FnArg::Typed(parameter) = input
                && self.is_tuple(&parameter.ty)
            {
                self.found.push(TupleParameter {
                    file: self.file.to_owned(),
                    line: parameter.colon_token.span.start().line,
                    function: signature.ident.to_string(),
                });
            }
        }
    }
}
