//! Orders that use tokens: the part that `frfp-fcfs` and `fp-frfcfs` share.

use super::slot::{BankQueue, Choice, DramRequest, DramScheduler};
use crate::machine::Dram;
use crate::mechanisms::allocation::Token;

/// The property of a request that counts before the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    /// Its row is open.
    OpenRow,
    /// Its warp has a token.
    Token,
}

pub(super) struct Priority {
    first: First,
    /// Command cycles.
    age_limit: u64,
}

impl Priority {
    pub(super) fn new(first: First, dram: &Dram) -> Priority {
        Priority { first, age_limit: u64::from(dram.age_limit) }
    }

    /// The rank of a request, true if it may wait and if its row is open: the smaller number goes
    /// first.
    fn rank(&self, waits: bool, is_open: bool, request: &DramRequest) -> u64 {
        let [first, second] = match self.first {
            First::OpenRow => [is_open, has_token(request)],
            First::Token => [has_token(request), is_open],
        };
        u64::from(waits) << 63 | u64::from(!first) << 62 | u64::from(!second) << 61 | request.order
    }
}

fn has_token(request: &DramRequest) -> bool {
    request.requester.token != Token::None
}

impl DramScheduler for Priority {
    fn choose(&self, queue: &BankQueue) -> Choice {
        let is_open = |request: &DramRequest| Some(request.row) == queue.row;
        let rank = |waits, place: usize| {
            let request = &queue.requests[place];
            self.rank(waits, is_open(request), request)
        };
        let first = (0..queue.requests.len()).min_by_key(|place| rank(true, *place)).unwrap_or(0);
        let oldest = queue.requests[0].arrival + self.age_limit;
        // Until the open row can be closed for a request of another one, the bank serves those of the open row.
        if !is_open(&queue.requests[first])
            && let Some(hit) = queue.hit
            && queue.precharge < oldest
        {
            return Choice {
                request: hit,
                rank: rank(true, hit),
                urgent: u64::MAX,
                urgent_rank: 0,
                limit: queue.precharge,
                limit_request: first,
                limit_rank: rank(true, first),
            };
        }
        Choice {
            request: first,
            rank: rank(true, first),
            urgent: queue.requests[first].arrival + self.age_limit,
            urgent_rank: rank(false, first),
            limit: if first == 0 { u64::MAX } else { oldest },
            limit_request: 0,
            limit_rank: rank(false, 0),
        }
    }
}
