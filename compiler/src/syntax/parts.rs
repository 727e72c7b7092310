//! Parts of CUDA that are texts in the language itself, read in front of a program that names
//! something of them.

use super::preprocessor::preprocess;
use super::source::SourceMap;
use super::token::{Mark, Token, Word};
use crate::diagnostic::Diagnostic;

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

/// Puts in front of a program's tokens those of the parts that it uses.
pub(super) fn add(
    tokens: Vec<Token>,
    sources: &mut SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Token> {
    let names =
        |name: &str| tokens.iter().any(|token| token.name().is_some_and(|it| &**it == name));
    let mut parts = Vec::new();
    if uses_textures(&tokens) {
        parts.push(("<textures>", include_str!("preprocessor/textures.h")));
    }
    if ["memcpy", "memmove", "memset"].into_iter().any(names) {
        parts.push(("<memory>", include_str!("preprocessor/memory.h")));
    }
    if parts.is_empty() {
        return tokens;
    }
    let mut all = Vec::new();
    for (name, text) in parts {
        let file = sources.add_supplied(name, text);
        let (part, found) = preprocess(sources, file, &mut (), &[]);
        diagnostics.extend(found);
        all.extend(part);
    }
    all.extend(tokens);
    all
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
    }
}
