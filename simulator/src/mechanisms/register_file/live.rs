//! Live registers: a register of a warp is live, in a lane, from the issue of an instruction that
//! writes it to the issue of the one that reads it last, marked `!last`, or until the warp has
//! ended.

use super::slot::{Destination, Operands};
use crate::handles::WarpSlot;

/// The live registers of an SM's warps.
#[derive(Debug)]
pub(super) struct Live {
    /// A last read is that of all lanes of the warp, not of those that read.
    of_warp: bool,
    /// By hardware warp and register, of warps that have started: the lanes in which it is live.
    warps: Vec<Vec<u64>>,
}

impl Live {
    /// Under a divergence scheme whose last reads are those of whole warps, or of the lanes that read.
    pub(super) fn new(of_warp: bool) -> Live {
        Live { of_warp, warps: Vec::new() }
    }

    fn of(&mut self, warp: WarpSlot) -> &mut [u64] {
        self.warps.get_mut(warp.index()).map_or(&mut [], |registers| registers)
    }

    /// A warp with `registers` registers starts. None is live.
    pub(super) fn start(&mut self, warp: WarpSlot, registers: u16) {
        let warp = warp.index();
        if self.warps.len() <= warp {
            self.warps.resize_with(warp + 1, Vec::new);
        }
        let live = &mut self.warps[warp];
        live.clear();
        live.resize(usize::from(registers), 0);
    }

    /// An instruction that reads some registers issues; `ends` is called for those that are no
    /// longer live.
    pub(super) fn read(&mut self, operands: &Operands, mut ends: impl FnMut(u16)) {
        let over = if self.of_warp { !0 } else { operands.lanes };
        let live = self.of(operands.warp);
        for (place, &register) in operands.registers().iter().enumerate() {
            if operands.is_last(place) {
                end(live, register, over, &mut ends);
            }
        }
    }

    /// An instruction that writes some registers issues; `begins` is called for those that were not
    /// live.
    pub(super) fn write(&mut self, result: &Destination, mut begins: impl FnMut(u16)) {
        let live = self.of(result.warp);
        for register in result.registers() {
            if let Some(lanes) = live.get_mut(usize::from(register)).filter(|_| result.lanes != 0) {
                if *lanes == 0 {
                    begins(register);
                }
                *lanes |= result.lanes;
            }
        }
    }

    /// A register is needed no longer by a path's lanes, or by all of the warp.
    pub(super) fn erase(
        &mut self,
        warp: WarpSlot,
        register: u16,
        lanes: u64,
        mut ends: impl FnMut(u16),
    ) {
        let over = if self.of_warp { !0 } else { lanes };
        end(self.of(warp), register, over, &mut ends);
    }

    /// The old values of some registers are no longer needed in the lanes of a result that is kept
    /// elsewhere.
    pub(super) fn bypass(&mut self, result: &Destination, mut ends: impl FnMut(u16)) {
        let live = self.of(result.warp);
        result.registers().for_each(|register| end(live, register, result.lanes, &mut ends));
    }

    /// The threads of a warp have ended.
    pub(super) fn end(&mut self, warp: WarpSlot, mut ends: impl FnMut(u16)) {
        let live = self.of(warp);
        (0..live.len() as u16).for_each(|register| end(live, register, !0, &mut ends));
        if let Some(live) = self.warps.get_mut(warp.index()) {
            live.clear();
        }
    }
}

/// A register is live no longer in some lanes.
fn end(live: &mut [u64], register: u16, over: u64, ends: &mut impl FnMut(u16)) {
    if let Some(lanes) = live.get_mut(usize::from(register)).filter(|lanes| **lanes != 0) {
        *lanes &= !over;
        if *lanes == 0 {
            ends(register);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of registers that become live and dead.
    fn counts(of_warp: bool) -> (Vec<u16>, Vec<u16>) {
        let (mut begun, mut ended) = (Vec::new(), Vec::new());
        let mut live = Live::new(of_warp);
        let result = |register, lanes| Destination {
            warp: WarpSlot(1),
            register,
            words: 2,
            lanes,
            ..Destination::default()
        };
        let mut operands = Operands::default();
        operands.push(2, true, Default::default());
        operands.push(4, false, Default::default());
        live.write(&result(2, 0b1111), |_| panic!("the warp has not started"));
        live.start(WarpSlot(1), 6);
        live.write(&result(2, 0b0011), |register| begun.push(register));
        live.write(&result(2, 0b1111), |register| begun.push(register));
        live.write(&result(4, 0b1111), |register| begun.push(register));
        live.read(&operands.of(WarpSlot(1), 0b0011), |register| ended.push(register));
        live.read(&operands.of(WarpSlot(1), 0b1100), |register| ended.push(register));
        live.bypass(&result(3, 0b1111), |register| ended.push(register));
        live.end(WarpSlot(1), |register| ended.push(register));
        live.write(&result(2, 0b1111), |_| panic!("it has ended"));
        (begun, ended)
    }

    #[test]
    fn a_register_is_live_from_a_write_to_the_last_read() {
        assert_eq!(counts(true), (vec![2, 3, 4, 5], vec![2, 3, 4, 5]));
        assert_eq!(counts(false), (vec![2, 3, 4, 5], vec![2, 3, 4, 5]));
    }
}
