//! Reports: tables of text, HTML pages with charts, CSV files, and the reports of studies.

#![deny(clippy::unwrap_used)]

pub mod comparison;
pub mod page;
pub mod study;
pub mod table;
