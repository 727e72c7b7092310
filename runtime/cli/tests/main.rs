//! Every test of the command line as a module of one program, which is linked once. `cargo test -p reconverge-cli --test all
//! NAME::` runs the tests of one module.

mod command;
mod findings;
mod interrupt;
mod launch;
mod levels;
mod limits;
mod lsp;
mod messages;
mod page;
mod progress;
mod readme;
mod serve;
mod study;
mod toolkit;
