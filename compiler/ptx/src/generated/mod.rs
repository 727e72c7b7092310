//! The parser that lalrpop makes of `grammar.lalrpop`. It is committed because lalrpop takes a minute to build, which
//! users should not wait for; `tests/grammar.rs` says whether it is up to date, and refreshes it.

#[rustfmt::skip]
#[allow(clippy::all, clippy::pedantic, clippy::unwrap_used, missing_docs, unused, dead_code)]
pub(super) mod parser;
