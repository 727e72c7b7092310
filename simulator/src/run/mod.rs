//! A launch from its request to its end: occupancy, the functional and the timing model, the parts
//! that an epoch runs in parallel, and the faults that end a launch early.

pub(crate) mod emitted;
pub(crate) mod exchange;
pub(crate) mod fault;
pub(crate) mod functional;
pub(crate) mod launch;
pub(crate) mod livelock;
pub mod occupancy;
pub(crate) mod order;
pub(crate) mod parts;
pub(crate) mod request;
pub(crate) mod stuck;
pub(crate) mod timing;
