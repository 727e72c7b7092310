//! Finished machine code: what is known of it when registers are assigned and every instruction
//! has its place, and what is added to it then.

pub mod armed;
pub mod graph;
pub mod last_read;
pub mod liveness;
pub mod meetings;
pub mod parked;
pub mod region;
pub mod registers;

pub use last_read::LastReads;
