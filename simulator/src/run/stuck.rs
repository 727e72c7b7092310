//! Blocks that may be stuck: the states of their paths, and the report of a deadlock.
use std::hash::{DefaultHasher, Hasher};

use crate::block::Block;
use crate::block::path::{Lanes, SlotId, SlotState};
use crate::mechanisms::affine::slot::MechanismWait;
use crate::program::code::Code;
use crate::run::fault::{Fault, MAX_WAITERS, MechanismWaiter, Waiter};
use crate::run::livelock::{Key, Watch};

/// A hash of everything that decides a path's future while memory does not change. A false match
/// would report a livelock that is none, so the hash is a strong one; weak ones cancel out flips of
/// the top bits of two registers.
pub(crate) fn fingerprint(code: &Code, block: &Block, slot: SlotId) -> u64 {
    let mut hash = DefaultHasher::new();
    let path = block.paths.path(slot);
    hash.write_u32(path.pc);
    hash.write_u32(path.reconvergence_pc);
    hash.write_u64(path.lanes.mask());
    for (registers, predicates) in block.state_of(code, &path.lanes) {
        for pair in registers.chunks(2) {
            let high = pair.get(1).copied().unwrap_or(0);
            hash.write_u64(u64::from(pair[0]) | u64::from(high) << 32);
        }
        predicates.iter().for_each(|&bits| hash.write_u64(bits));
    }
    if let (Some(queues), Lanes::Warp { warp, .. }) = (&block.queues, &path.lanes) {
        queues.follows(usize::from(*warp)).iter().for_each(|&state| hash.write_u64(state));
    }
    block.divergence.fingerprint(slot, &mut hash);
    hash.finish()
}

/// The fingerprint of a path that waits to dequeue while the producer is in a state: it includes how often the
/// path's warp has dequeued.
pub(crate) fn waiting(code: &Code, block: &Block, slot: SlotId, producer: u64) -> u64 {
    let mut hash = DefaultHasher::new();
    hash.write_u64(fingerprint(code, block, slot));
    if let (Some(queues), Some((warp, ..))) = (&block.queues, block.next_dequeue(code, slot)) {
        hash.write_u64(queues.taken(warp));
    }
    hash.write_u64(producer);
    hash.finish()
}

/// The keys of a block's runnable paths in the livelock watch.
pub(crate) fn runnable(block: &Block) -> impl Iterator<Item = Key> + '_ {
    block
        .paths
        .slots()
        .filter(|&slot| block.paths.state(slot) == SlotState::Runnable)
        .map(|slot| Key::Path(block.number, slot))
}

/// The report of a deadlock among the paths of some blocks, with the waits of mechanisms and the
/// number of blocks that have not started. Recurring paths and streams are reported at the place
/// where they recurred.
pub(crate) fn deadlock(
    code: &Code,
    watch: &Watch,
    blocks: &mut dyn Iterator<Item = &Block>,
    waits: Vec<MechanismWait>,
    unstarted: u64,
) -> Fault {
    let reported = |MechanismWait { sm, pc, waits, recurs }: MechanismWait| {
        let found = recurs.and_then(|text| Some((watch.place(Key::Producer(sm))?, text)));
        let (pc, sentence) = found.or_else(|| Some((pc, waits?)))?;
        Some(MechanismWaiter { sm, pc, sentence })
    };
    let mechanisms: Vec<MechanismWaiter> = waits.into_iter().filter_map(reported).collect();
    let mut waiters: Vec<Waiter> = blocks
        .flat_map(|block| block.waiters(code, |slot| watch.place(Key::Path(block.number, slot))))
        .collect();
    let order = |[x, y, z]: [u32; 3]| [z, y, x];
    waiters.sort_by_key(|waiter| (order(waiter.block), order(waiter.thread)));
    let paths = waiters.len();
    waiters.truncate(MAX_WAITERS);
    Fault::Deadlock { waiters, paths, mechanisms, unstarted }
}
