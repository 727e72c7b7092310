//! Reports for people: tables of text, HTML pages with charts, and the reports of studies.

#![deny(clippy::unwrap_used)]

pub mod page;
pub mod study;
pub mod table;
