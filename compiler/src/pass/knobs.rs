//! The numbers of passes that a user may choose.

/// What can be chosen about passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knobs {
    /// The most iterations that `unroll` and `partial-unroll` write out where the source does not ask; 1 for leaving such loops
    /// alone.
    pub unroll: u32,
}

impl Default for Knobs {
    fn default() -> Self {
        Knobs { unroll: 16 }
    }
}
