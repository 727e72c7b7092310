//! The timing parameters of a channel, in cycles of its own clock.
use crate::machine::dram::DramTiming;

/// The times of the machine file, and a burst's.
#[derive(Clone, Debug)]
pub(super) struct Timing {
    pub(super) rcd: u64,
    pub(super) rp: u64,
    pub(super) ras: u64,
    pub(super) rc: u64,
    pub(super) cl: u64,
    pub(super) wl: u64,
    pub(super) ccd_s: u64,
    pub(super) ccd_l: u64,
    pub(super) rrd: u64,
    pub(super) wr: u64,
    pub(super) cdlr: u64,
    pub(super) rtp: u64,
    pub(super) turn: u64,
    pub(super) refi: u64,
    pub(super) rfc: u64,
    pub(super) burst: u64,
}

impl Timing {
    pub(super) fn new(timing: &DramTiming, burst: u32) -> Timing {
        Timing {
            rcd: u64::from(timing.rcd),
            rp: u64::from(timing.rp),
            ras: u64::from(timing.ras),
            rc: u64::from(timing.rc),
            cl: u64::from(timing.cl),
            wl: u64::from(timing.wl),
            ccd_s: u64::from(timing.ccd_s),
            ccd_l: u64::from(timing.ccd_l),
            rrd: u64::from(timing.rrd),
            wr: u64::from(timing.wr),
            cdlr: u64::from(timing.cdlr),
            rtp: u64::from(timing.rtp),
            turn: u64::from(timing.turnaround),
            refi: u64::from(timing.refi),
            rfc: u64::from(timing.rfc),
            burst: u64::from(burst),
        }
    }
}
