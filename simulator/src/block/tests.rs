//! Threads of several warps execute together.

use std::hash::Hasher;

use reconverge_isa::GLOBAL_BASE;

use super::*;
use crate::block::path::{Lanes, NEVER, Path, SlotState, ThreadIndex};
use crate::mechanisms::affine;
use crate::mechanisms::divergence::slot::{BlockShape, Observe};
use crate::memory::device::DeviceMemory;
use crate::program::decode::decode;
use crate::run::emitted::Emitted;
use crate::run::request::{Launch, Model};

/// Two warps whose odd lanes have changed places, as after a compaction.
struct Swapped;

impl Divergence for Swapped {
    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    fn start(&mut self, shape: BlockShape, paths: &mut Paths) {
        for slot in 0..2 {
            let thread = |lane: u32| ThreadIndex(((slot ^ lane & 1) * shape.width + lane) as u16);
            let lanes = (0..shape.width).map(|lane| Some(thread(lane))).collect();
            let path = Path {
                pc: 0,
                reconvergence_pc: NEVER,
                lanes: Lanes::Mixed(lanes),
                scoreboard: slot as u16,
            };
            paths.publish(SlotId(slot as u16), path);
        }
    }

    fn advance(&mut self, slot: SlotId, step: Step, paths: &mut Paths) {
        match step {
            Step::Exit { .. } => paths.clear(slot),
            Step::Barrier => paths.park(slot),
            _ => unreachable!("the test's kernel does not branch"),
        }
    }
}

impl Observe for Swapped {
    fn fingerprint(&self, _slot: SlotId, _hash: &mut dyn Hasher) {}

    fn waiting_for(&self, _slot: SlotId) -> u64 {
        0
    }
}

/// The eight words that a kernel of eight threads leaves, in warps of four lanes that have changed
/// places.
fn swapped(text: &str) -> Vec<u8> {
    let program = reconverge_isa::text::parse(text).expect("it is good");
    let parameters = u64::from(GLOBAL_BASE).to_le_bytes();
    let request =
        Launch { parameters: &parameters, ..Launch::of_block([8, 1, 1], Model::Functional) };
    let affine = crate::load_machine("tiny", &[]).and_then(|tiny| affine::list::build(&tiny));
    let (affine, scheme) = (affine.expect("it is good"), Capabilities::default());
    let code = decode(&program.kernels[0], &request, 4, &scheme, &*affine).expect("good");
    let mut global = [0; 32];
    let allocation = GLOBAL_BASE..GLOBAL_BASE + 32;
    let mut memory = DeviceMemory {
        global: &mut global,
        allocations: std::slice::from_ref(&allocation),
        constant: &[],
        emitted: Emitted::default(),
        checker: None,
        second_level: None,
    };
    let mut port = GlobalPort::direct(&mut memory);
    let lane_map = LaneMap::identity(4).into();
    let mut block = Block::new(Box::new(Swapped), lane_map, BarrierCounts::Threads);
    let mut executor = Executor::new([0, 1]);
    block.start(&code, 0);
    while block.live != 0 {
        for slot in block.paths.slots() {
            if block.paths.state(slot) == SlotState::Runnable {
                block
                    .step::<false>(&code, slot, 0, &mut executor, &mut port)
                    .expect("it does not trap");
            }
        }
    }
    global.iter().step_by(4).copied().collect()
}

#[test]
fn threads_of_several_warps_execute_together() {
    // out[x] = x & 3 < 2 ? 2 * (3 * (7 - x) + x) : 0, through shared and local memory.
    let text = ".kernel k\n.param out 0 8\n.registers 12\n.predicates 1\n.shared 32\n.local 8\n\
        mov.b32 r0, tid.x\n shl.b32 r1, r0, 2\n or.b32 r2, r1, 0x1000000\n\
        st.shared.b32 [r2], r0\n bar.sync\n sub.i32 r3, 28, r1\n or.b32 r3, r3, 0x1000000\n\
        ld.shared.b32 r4, [r3]\n mul.i32 r4, r4, 3\n add.i32 r4, r4, r0\n cvt.u64.u32 r6:7, r4\n\
        add.i64 r6:7, r6:7, r6:7\n low.b64 r5, r6:7\n mov.b32 r8, 0x2000000\n\
        st.local.b32 [r8], r5\n ld.local.b32 r9, [r8]\n and.b32 r10, r0, 3\n\
        setp.lt.u32 p0, r10, 2\n add.i32 r1, r1, c[0]\n @p0 st.global.b32 [r1], r9\n exit";
    let expected = |x: u8| if x & 3 < 2 { 2 * (3 * (7 - x) + x) } else { 0 };
    assert_eq!(swapped(text), (0..8).map(expected).collect::<Vec<u8>>());
}

#[test]
fn threads_of_several_warps_vote_with_their_own() {
    // A path has the even lanes of one warp and the odd ones of the other.
    let text = ".kernel k\n.param out 0 8\n mov.b32 r0, tid.x\n setp.ne.i32 p0, r0, 2\n\
        vote.ballot r1, p0\n mov.b32 r2, 0\n shfl.xor r3, r0, 2, r2\n shl.b32 r3, r3, 4\n\
        or.b32 r1, r1, r3\n shl.b32 r4, r0, 2\n add.i32 r4, r4, c[0]\n st.global.b32 [r4], r1\n exit";
    let expected = |x: u8| {
        let votes = [if x < 4 { 0b0001 } else { 0b0101 }, 0b1010][usize::from(x & 1)];
        votes | (x ^ 2) << 4
    };
    assert_eq!(swapped(text), (0..8).map(expected).collect::<Vec<u8>>());
}

#[test]
fn threads_of_several_warps_receive_the_count_of_all() {
    let text = ".kernel k\n.param out 0 8\n mov.b32 r0, tid.x\n setp.gt.u32 p0, r0, 4\n\
        bar.red.popc r1, p0\n bar.red.and p0, p0\n bar.red.or p1, !p0\n @p1 add.i32 r1, r1, 16\n\
        shl.b32 r4, r0, 2\n add.i32 r4, r4, c[0]\n st.global.b32 [r4], r1\n exit";
    assert_eq!(swapped(text), [19; 8]);
}
