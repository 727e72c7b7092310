//! Slot `dram-scheduler`: in which order a channel of memory serves the requests that wait for its banks.
//!
//! Source: Aamodt, Fung, Rogers, §4.3.3; Rixner et al., "Memory access scheduling", ISCA 2000. A
//! mechanism orders the requests of one direction. The channel keeps the rest: reads go before
//! writes until enough writes wait to be drained, and each command is given in the first cycle that
//! the timing allows.

use crate::machine::Dram;
use crate::mechanisms::allocation::Requester;
use crate::mechanisms::setup::Setup;

/// Constructs a mechanism for a channel from its options.
pub type Build = &'static (dyn Fn(&Setup, &Dram) -> Result<Box<dyn DramScheduler>, String> + Sync);

/// A request of sectors of a line that waits for its bank.
#[derive(Clone, Copy, Debug)]
pub struct DramRequest {
    /// The requester.
    pub requester: Requester,
    /// The line's number within the slice.
    pub line: u64,
    /// The row that it lies in.
    pub row: u64,
    /// The first command cycle in which it could be served.
    pub arrival: u64,
    /// Its number among all requests of the channel.
    pub order: u64,
    /// The MSHR of the slice that waits for the data; 0 for a write.
    pub(crate) reader: u32,
    /// Its sectors.
    pub(crate) sectors: u8,
    /// The sectors that a write covers wholly.
    pub(crate) whole: u8,
    /// Bursts that are not requested yet.
    pub(crate) bursts: u32,
    /// A row was activated for it.
    pub(crate) opened: bool,
}

/// The requests of one direction that wait for a bank.
#[derive(Clone, Copy, Debug)]
pub struct BankQueue<'a> {
    /// At least one, oldest first.
    pub requests: &'a [DramRequest],
    /// The open row.
    pub row: Option<u64>,
    /// The place of the oldest request of the open row.
    pub hit: Option<usize>,
    /// The earliest cycle in which the open row can be closed.
    pub precharge: u64,
}

/// The request that a bank serves, and its rank among the choices of other banks. Each cycle issues
/// the possible command with the smallest rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The place of the request. If it lies in the open row, a burst is read or written for it; otherwise
    /// that row is closed or, if none is open, the request's is opened.
    pub request: usize,
    /// Its rank before the cycle `urgent`.
    pub rank: u64,
    /// The cycle in which its rank changes; [`u64::MAX`] for never.
    pub urgent: u64,
    /// Its rank from the cycle `urgent` on.
    pub urgent_rank: u64,
    /// The cycle from which on the bank works for another request instead, as a rule an older one; [`u64::MAX`]
    /// for never.
    pub limit: u64,
    /// The place of that request.
    pub limit_request: usize,
    /// Its rank.
    pub limit_rank: u64,
}

/// Orders the requests of a channel.
pub trait DramScheduler: Send {
    /// The choice for a bank. It is made whenever a request arrives or is served, or the bank's row
    /// changes.
    fn choose(&self, queue: &BankQueue) -> Choice;
}
