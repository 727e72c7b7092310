//! Numbers by which one component of the machine names a record of another one.

/// Number of an in-flight load or atomic; free for another one when it has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LoadId(pub(crate) u32);

/// Names an instruction that collects operands; free for another one when it has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token(pub(crate) u32);

/// Number of an early load, assigned by the mechanism that requests its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PinId(pub u32);
