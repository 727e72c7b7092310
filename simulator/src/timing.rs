//! stub
use crate::decode::Code;
use crate::device::DeviceMemory;
use crate::fault::Fault;
use crate::launch::*;
use crate::machine::Machine;
pub(crate) fn run(
    _code: &Code,
    _request: &Launch,
    _footprint: Footprint,
    _memory: &mut DeviceMemory,
    _machine: &Machine,
    _progress: &mut dyn FnMut(Progress),
) -> Result<Report, Fault> {
    todo!()
}
