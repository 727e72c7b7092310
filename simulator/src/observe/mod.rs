//! Results for the user: statistics, profiles, traces, samples, the states of a block, energy.

pub(crate) mod count;
pub(crate) mod declarations;
pub(crate) mod energy;
pub(crate) mod executions;
pub mod mechanism_statistics;
pub(crate) mod profile;
pub(crate) mod samples;
pub mod scheme_state;
pub(crate) mod slot_reasons;
pub(crate) mod slot_use;
pub(crate) mod statistic;
pub mod statistics;
pub mod steps;
pub(crate) mod tally;
pub mod trace;
