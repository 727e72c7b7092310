//! Parts of CUDA that are texts in the language itself, read in front of a program that names
//! something of them.

use super::preprocessor::preprocess;
use super::preprocessor::target::{Pass, Target};
use super::source::SourceMap;
use crate::diagnostic::Diagnostic;
use reconverge_grammar::token::{Mark, Token, TokenKind, Word};

/// The names by which a program shows that it uses textures.
const TEXTURES: &[&str] = &[
    "cudaArray",
    "cudaArray_const_t",
    "cudaArray_t",
    "cudaBindTexture",
    "cudaBindTexture2D",
    "cudaBindTextureToArray",
    "cudaChannelFormatDesc",
    "cudaCreateChannelDesc",
    "cudaCreateTextureObject",
    "cudaDestroyTextureObject",
    "cudaFreeArray",
    "cudaMallocArray",
    "cudaReadModeElementType",
    "cudaReadModeNormalizedFloat",
    "cudaResourceDesc",
    "cudaTextureDesc",
    "cudaTextureObject_t",
    "cudaUnbindTexture",
];

/// Functions that are texts in the language: `name` is `__library_name` in one of them.
const LIBRARY: &[&str] = &[
    "__builtin_assume_aligned",
    "__dp2a_hi",
    "__dp2a_lo",
    "__dp4a",
    "getdelim",
    "getline",
    "isgreater",
    "isgreaterequal",
    "isless",
    "islessequal",
    "islessgreater",
    "isnormal",
    "isunordered",
    "norm",
    "norm4d",
    "norm4df",
    "normf",
    "rnorm",
    "rnorm4d",
    "rnorm4df",
    "rnormf",
    "scalbln",
    "scalblnf",
];

/// Functions that the host has built in, and device code as texts, where they are `__device_name`.
const MEMORY: &[&str] = &["memcpy", "memmove", "memset"];

/// The function of the texts that a call of `name` means, in device code or not.
pub(crate) fn library_function(name: &str, in_device_code: bool) -> Option<String> {
    if in_device_code && MEMORY.binary_search(&name).is_ok() {
        return Some(format!("__device_{name}"));
    }
    LIBRARY.binary_search(&name).is_ok().then(|| format!("__library_{name}"))
}

/// The names by which a program shows that it uses memory of three dimensions.
const VOLUMES: &[&str] = &[
    "cudaExtent",
    "cudaMalloc3D",
    "cudaMemcpy3D",
    "cudaMemcpy3DAsync",
    "cudaMemcpy3DParms",
    "cudaMemset3D",
    "cudaMemset3DAsync",
    "cudaPitchedPtr",
    "cudaPos",
    "make_cudaExtent",
    "make_cudaPitchedPtr",
    "make_cudaPos",
];

/// A text, with its name in diagnostics.
struct Part {
    name: &'static str,
    text: &'static str,
    is_used: fn(&[Token]) -> bool,
}

const PARTS: &[Part] = &[
    Part { name: "<arrays>", text: include_str!("preprocessor/arrays.h"), is_used: uses_arrays },
    Part { name: "<library>", text: include_str!("preprocessor/library.h"), is_used: uses_library },
    Part { name: "<volumes>", text: include_str!("preprocessor/volumes.h"), is_used: uses_volumes },
    Part {
        name: "<exceptions>",
        text: include_str!("preprocessor/exceptions.h"),
        is_used: uses_exceptions,
    },
    Part { name: "<lines>", text: include_str!("preprocessor/lines.h"), is_used: uses_lines },
    Part { name: "<memory>", text: include_str!("preprocessor/memory.h"), is_used: uses_memory },
    Part {
        name: "<textures>",
        text: include_str!("preprocessor/textures.h"),
        is_used: uses_textures,
    },
];

/// Puts in front of a program's tokens those of the parts that it uses.
pub(super) fn add(
    tokens: Vec<Token>,
    sources: &mut SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Token> {
    let mut all = Vec::new();
    for part in PARTS.iter().filter(|part| (part.is_used)(&tokens)) {
        let file = sources.add_supplied(part.name, part.text);
        let target = Target::default();
        let read = preprocess(sources, file, &mut (), &[], target, Pass::Host);
        diagnostics.extend(read.diagnostics);
        all.extend(read.tokens);
    }
    all.extend(tokens);
    all
}

fn names_any(tokens: &[Token], known: &[&str]) -> bool {
    let is_known = |name: &str| known.binary_search(&name).is_ok();
    tokens.iter().any(|token| token.name().is_some_and(|name| is_known(name)))
}

/// Returns true if a program makes arrays by `new` or frees them by `delete[]`.
fn uses_arrays(tokens: &[Token]) -> bool {
    let is_bracket = |at: usize| tokens.get(at).is_some_and(|token| token.is(Mark::LeftBracket));
    // Words, names and `*` make a type.
    let type_end = |begin: usize| {
        let is_type = |token: &&Token| match &token.kind {
            TokenKind::Mark(mark) => matches!(mark, Mark::Star | Mark::Scope),
            kind => matches!(
                kind,
                TokenKind::Name(_)
                    | TokenKind::TypeWord(_)
                    | TokenKind::Specifier(_)
                    | TokenKind::Word(_)
            ),
        };
        begin + tokens[begin..].iter().take_while(is_type).count()
    };
    tokens.iter().enumerate().any(|(at, token)| {
        (token.is_word(Word::Delete) && is_bracket(at + 1))
            || (token.is_word(Word::New) && is_bracket(type_end(at + 1)))
    })
}

fn uses_exceptions(tokens: &[Token]) -> bool {
    tokens.iter().any(|token| token.is_word(Word::Throw))
}

fn uses_lines(tokens: &[Token]) -> bool {
    names_any(tokens, &["getdelim", "getline"])
}

fn uses_memory(tokens: &[Token]) -> bool {
    names_any(tokens, MEMORY)
}

fn uses_library(tokens: &[Token]) -> bool {
    names_any(tokens, LIBRARY)
}

fn uses_volumes(tokens: &[Token]) -> bool {
    names_any(tokens, VOLUMES)
}

fn uses_textures(tokens: &[Token]) -> bool {
    let named = |at: usize| {
        let Some(name) = tokens[at].name() else {
            return false;
        };
        let is_reference = || {
            let declares = at > 0
                && (tokens[at - 1].is_word(Word::Struct) || tokens[at - 1].is_word(Word::Class));
            &**name == "texture"
                && !declares
                && tokens.get(at + 1).is_some_and(|next| next.is(Mark::Less))
        };
        TEXTURES.binary_search(&&**name).is_ok() || is_reference()
    };
    (0..tokens.len()).any(named)
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_sorted() {
        assert!(super::TEXTURES.is_sorted());
        assert!(super::LIBRARY.is_sorted());
        assert!(super::MEMORY.is_sorted());
        assert!(super::VOLUMES.is_sorted());
    }
}
