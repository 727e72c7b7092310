//! Reports as pages: one HTML file each, which needs nothing else, no network and no JavaScript.
//!
//! [`frame`] has what pages have in common: the frame, the style for light and dark ground, and escaping, which is the
//! template engine's: what a page shows of a program is escaped unless a template says `safe`, and only drawings of ours
//! are. [`run`] is the page of `run` and `launch`, [`compare`] that of `compare`; the page of a study is in
//! [`crate::study`]. Charts are drawn by `plotters` ([`chart`]); bars are HTML ([`slots`]).

pub mod chart;
pub mod compare;
mod edge_counts;
pub mod flow_graph;
pub mod frame;
mod header;
mod kernels;
mod occupancy;
pub mod run;
mod shown_finding;
mod slots;
mod source_lines;
mod time_line;

pub use header::{Header, Setting};
