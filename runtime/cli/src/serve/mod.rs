//! The explorer: a local page on which a program is edited, compiled, run and stepped through.
//!
//! Three parties: the page, which a browser shows; the server ([`server`]), which only this
//! computer reaches, and which answers none but the page ([`guard`]); and for each question a
//! process of its own ([`worker`]), which compiles or runs the page's program ([`answer`]) and is
//! ended when it takes too much ([`limits`]). The server itself never reads a program.

pub mod answer;
mod assets;
mod guard;
pub mod limits;
mod places;
pub mod question;
pub mod server;
pub mod worker;

pub use limits::Limits;
pub use question::{Header, Opened};
