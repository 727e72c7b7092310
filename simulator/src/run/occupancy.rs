//! The number of a kernel's blocks that an SM holds, and the resource that limits it.

use reconverge_isa::Kernel;

use crate::machine::{self, Machine};

/// Bytes of shared memory of a kernel's block with `dynamic` dynamic bytes.
pub fn shared_bytes(kernel: &Kernel, dynamic: u32) -> u64 {
    match dynamic {
        0 => u64::from(kernel.shared_bytes),
        dynamic => u64::from(kernel.dynamic_shared_offset()) + u64::from(dynamic),
    }
}

/// The use of an SM by one block, in the SM's granularities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footprint {
    /// Warps, the last one filled up.
    pub warps: u64,
    /// Registers of all its warps. The warps are rounded up to a multiple of the sub-cores, of which
    /// each reserves the same number of registers, and of `sm.register-warps`.
    pub registers: u64,
    /// Bytes of shared memory.
    pub shared: u64,
}

impl Footprint {
    /// The footprint of a block of `threads` threads with `registers` registers each, and with
    /// `shared` bytes of shared memory.
    pub fn new(sm: &machine::SmConfig, threads: u64, registers: u32, shared: u64) -> Footprint {
        let width = u64::from(sm.warp_width);
        let warps = threads.div_ceil(width);
        // The largest multiple, in case the request exceeds it.
        let each = u64::from(sm.shared_granularity);
        let shared = shared.checked_next_multiple_of(each).unwrap_or(u64::MAX / each * each);
        let registers = sm.block_registers(warps, registers);
        Footprint { warps, registers, shared }
    }

    /// The block's use of each resource, with the amount that there is.
    pub fn limits(&self, room: &Room) -> [Limit; 4] {
        let limit = |resource, takes, has| Limit { resource, takes, has };
        [
            limit(Resource::Blocks, 1, room.blocks),
            limit(Resource::Warps, self.warps, room.warps),
            limit(Resource::Registers, self.registers, room.registers),
            limit(Resource::Shared, self.shared, room.shared),
        ]
    }

    /// Blocks that fit.
    pub fn blocks(&self, room: &Room) -> u64 {
        self.limits(room).iter().filter_map(Limit::blocks).fold(room.blocks, u64::min)
    }
}

/// The resources that an SM has, or has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Places for blocks.
    pub blocks: u64,
    /// Places for warps.
    pub warps: u64,
    /// Registers.
    pub registers: u64,
    /// Bytes of shared memory.
    pub shared: u64,
}

impl Room {
    /// All of an SM.
    pub fn of(sm: &machine::SmConfig) -> Room {
        Room {
            blocks: sm.blocks.into(),
            warps: sm.warps.into(),
            registers: sm.registers.into(),
            shared: sm.shared_memory.into(),
        }
    }
}

/// A resource that blocks take of an SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// Places for blocks.
    Blocks,
    /// Places for warps.
    Warps,
    /// Registers.
    Registers,
    /// Bytes of shared memory.
    Shared,
}

impl Resource {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Resource::Blocks => "blocks",
            Resource::Warps => "warps",
            Resource::Registers => "registers",
            Resource::Shared => "shared memory",
        }
    }
}

/// A block's use of a resource, and the amount that there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The resource.
    pub resource: Resource,
    /// By a block.
    pub takes: u64,
    /// By the SM.
    pub has: u64,
}

impl Limit {
    /// Blocks for which there is enough of it; none if blocks take nothing.
    pub fn blocks(&self) -> Option<u64> {
        self.has.checked_div(self.takes)
    }

    /// The amount that lacks for one more block than `blocks`.
    pub fn missing(&self, blocks: u64) -> u64 {
        self.takes.saturating_mul(blocks + 1).saturating_sub(self.has)
    }
}

/// The machine for a launch of such blocks, if shared memory is part of the L1: with the least carve-out that holds the
/// shared memory of all blocks that fit on an SM.
pub(crate) fn carved(machine: &Machine, block: &Footprint) -> Option<Machine> {
    let need = block.blocks(&Room::of(&machine.sm)).saturating_mul(block.shared);
    let carve_outs = &machine.l1.carve_outs;
    let found = carve_outs.iter().find(|&&carved| u64::from(carved) >= need);
    let &shared = found.or(carve_outs.last())?;
    let mut carved = machine.clone();
    carved.sm.shared_memory = shared;
    carved.l1.ways -= shared / (machine.l1.size / machine.l1.ways);
    carved.l1.size -= shared;
    Some(carved)
}

/// The most blocks that can be resident on an SM as far as warps and block slots are concerned.
pub(crate) fn most_blocks(footprint: &Footprint, machine: &Machine) -> u64 {
    let warps = u64::from(machine.sm.warps) / footprint.warps.max(1);
    warps.min(u64::from(machine.sm.blocks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::load::load_machine;
    use crate::mechanisms::code_target::code_target;

    #[test]
    fn registers_of_a_warp_and_shared_memory_are_rounded_up() {
        let sm = load_machine("gtx480", &[]).unwrap().sm;
        let block = Footprint::new(&sm, 100, 21, 1000);
        let each = u64::from(sm.register_granularity);
        assert_eq!(block.warps, 4);
        assert_eq!(block.registers, 4 * (21u64 * 32).next_multiple_of(each));
        assert_eq!(block.shared, 1000u64.next_multiple_of(sm.shared_granularity.into()));
    }

    #[test]
    fn registers_go_to_pairs_of_warps() {
        // Seven warps take the registers of eight: CUDA's occupancy calculator has two blocks, not three.
        let sm = load_machine("gtx480", &[]).unwrap().sm;
        let block = Footprint::new(&sm, 224, 48, 0);
        assert_eq!([block.warps, block.registers], [7, 8 * 48 * 32]);
        assert_eq!(block.blocks(&Room::of(&sm)), 2);
        assert_eq!(Footprint::new(&sm, 256, 48, 0).registers, block.registers);
    }

    #[test]
    fn registers_of_an_early_device_are_rounded_up_by_block() {
        // CUDA's occupancy calculator, compute capability 1.3: 3 warps take the registers of 4, and
        // 4 × 32 × 20 = 2,560 are five units of 512; 4 × 32 × 21 = 2,688 are six.
        let sm = load_machine("fx5800", &[]).unwrap().sm;
        let registers = [20, 21].map(|registers| Footprint::new(&sm, 96, registers, 0).registers);
        assert_eq!(registers, [2560, 3072]);
        assert_eq!(Footprint::new(&sm, 96, 20, 0).blocks(&Room::of(&sm)), 6);
    }

    #[test]
    fn code_for_a_block_fits_an_sm() {
        for name in ["gtx480", "fx5800", "v100"] {
            let machine = load_machine(name, &[]).unwrap();
            for threads in (32..=1024).step_by(32) {
                let registers = code_target(&machine).registers_per_thread(threads);
                let registers = registers.min(machine.sm.max_registers);
                let block = Footprint::new(&machine.sm, threads.into(), registers, 0);
                assert!(
                    block.blocks(&Room::of(&machine.sm)) > 0,
                    "{name}: {threads} × {registers}"
                );
            }
        }
    }

    #[test]
    fn the_scarcest_resource_limits() {
        let block = Footprint { warps: 4, registers: 4096, shared: 0 };
        let room = Room { blocks: 8, warps: 48, registers: 20_000, shared: 100 };
        assert_eq!(block.blocks(&room), 4);
        let [places, warps, registers, shared] = block.limits(&room);
        assert_eq!([places.blocks(), warps.blocks()], [Some(8), Some(12)]);
        assert_eq!([registers.blocks(), shared.blocks()], [Some(4), None]);
        assert_eq!(registers.missing(4), 480);
        assert_eq!([places.missing(4), shared.missing(4)], [0, 0]);
    }
}
