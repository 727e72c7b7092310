//! The time of instructions of fixed latency, on a machine that checks no dependences (`sm.dependences=control-bits`).
//!
//! Source: Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of
//! Modern GPU Cores", MICRO 2025, §4 and §5. An instruction of fixed latency does not pass the
//! operand collector. If its read ports ([`super::read_ports`]) or its pipe are taken, it is held until they are
//! free, and with it all that its path issues later: the compiler's distances stay as they are.
//! Hardware differs: if the pipe of an instruction will be taken, another warp's issues.

use super::audit::ResultId;
use super::observe::Observer;
use super::operand_collector::OperandCollector;
use super::pipes::Pipes;
use super::read_ports::ReadPorts;
use super::residency::{Candidate, Residency};
use crate::handles::CandidateId;
use crate::observe::trace::End;
use crate::program::control_bits::READ_CYCLES;
use crate::program::decoded::Decoded;

/// The ports of an instruction of fixed latency.
pub(super) struct FixedPorts<'a> {
    pub(super) now: u64,
    /// Names sub-cores and instructions; it holds none of them.
    pub(super) collector: &'a mut OperandCollector,
    pub(super) read_ports: &'a mut ReadPorts,
    pub(super) pipes: &'a mut Pipes,
    pub(super) residency: &'a mut Residency,
    pub(super) observer: &'a mut Observer,
}

impl FixedPorts<'_> {
    /// An instruction that acts in some lanes reads its operands and starts in its pipe. Returns the cycles that read
    /// ports and the pipe hold it.
    pub(super) fn execute(
        self,
        id: CandidateId,
        candidate: Candidate,
        instruction: &Decoded,
        lanes: u64,
    ) -> u64 {
        let FixedPorts { now, collector, read_ports, pipes, residency, observer } = self;
        let warp = residency.warp_of(id);
        let sub_core = collector.sub_core_of(warp);
        let passes = pipes.passes(instruction, lanes, observer.statistics());
        let unit = pipes.unit(instruction.timing);
        let (pipe, initiation) = (unit.pipe as u16, unit.initiation);
        let latency = unit.latency + passes.saturating_sub(1) * initiation;
        let held = read_ports.reserve(warp, instruction, now);
        let from = now + READ_CYCLES + held;
        let start = pipes.reserve(sub_core, pipe, passes * initiation, from);
        let end = start + latency;
        let statistics = observer.statistics();
        statistics.register_reads += instruction.operands.registers().len() as u64;
        statistics.register_writes += instruction.result().map_or(0, |it| u64::from(it.words));
        let (_, audit) = residency.slot_mut(candidate.block).audited();
        audit.loading(instruction, ResultId::AtOnce);
        audit.loaded(ResultId::AtOnce, end);
        if let Some(recorder) = observer.recorder() {
            let token = collector.token();
            recorder.collects(token, None);
            recorder.starts(token, start, End::Known(end));
            collector.give_back(token);
        }
        start - (now + READ_CYCLES)
    }
}
