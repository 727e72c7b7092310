//! The memory system outside the SMs: interconnect, slices of the second-level cache, channels of
//! memory. It moves tags and bytes counts, not data: function happens at issue.

pub(crate) mod bytes;
pub(crate) mod cache;
mod channel;
pub(crate) mod coalesce;
pub(crate) mod device;
mod dram;
pub(crate) mod endpoint;
pub(crate) mod interconnect;
mod interleaving;
pub(crate) mod link;
pub(crate) mod log;
pub(crate) mod mapping;
pub(crate) mod mshr;
pub(crate) mod packet;
mod partition;
pub(crate) mod second_level;
mod timed;
pub(crate) mod words;
