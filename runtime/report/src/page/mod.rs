//! Reports as pages: one HTML file each, which needs nothing else, no network and no JavaScript.
//!
//! [`frame`] has the common parts of pages: the frame, the style for light and dark ground, and
//! escaping. The template engine escapes a program's text on a page unless a template says `safe`;
//! only our own drawings are safe. [`run`] is the page of `run` and `launch`, [`compare`] that of
//! `compare`; the page of a study is in [`crate::study`]. Charts are drawn by `plotters`
//! ([`chart`]); bars are HTML ([`slots`]).

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
mod waterfall;

pub use header::{Header, Setting};
