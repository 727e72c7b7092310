//! The names of models.

use crate::named::{Named, named};

named! {
    /// The model that runs kernels.
    pub enum ModelName {
        Timing "timing" "On the machine, counting cycles",
        Functional "functional" "On the machine's instruction set, without time",
        Reference "reference" "From the source, one thread at a time: the oracle",
    }
}

impl ModelName {
    /// The spelling on the command line.
    pub fn name(self) -> &'static str {
        Named::name(self)
    }
}
