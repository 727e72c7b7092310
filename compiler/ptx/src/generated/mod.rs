//! The parser that lalrpop generates from `grammar.lalrpop`. It is committed, because lalrpop takes a minute to build.
//! `compiler/tests/grammar.rs` tests if it is up to date.

#[rustfmt::skip]
#[allow(clippy::all, clippy::pedantic, clippy::unwrap_used, missing_docs, unused, dead_code)]
pub(super) mod parser;
