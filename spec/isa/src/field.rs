//! Fields of encoded numbers: where they are declared, the encoder, the decoder and the specification derive from them.

/// A field of an encoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name in the specification.
    pub name: &'static str,
    /// Its lowest bit, 0 to 127.
    pub position: u32,
    /// Its bits, 1 to 32.
    pub width: u32,
    /// Its contents.
    pub doc: &'static str,
}

impl Field {
    pub(crate) const fn new(
        name: &'static str,
        position: u32,
        width: u32,
        doc: &'static str,
    ) -> Field {
        Field { name, position, width, doc }
    }

    /// All ones: in fields that have an absent value, that is it.
    pub(crate) const fn ones(self) -> u32 {
        (((1u64 << self.width) - 1) & 0xffff_ffff) as u32
    }

    pub(crate) fn get(self, bits: u128) -> u32 {
        (bits >> self.position) as u32 & self.ones()
    }

    pub(crate) fn put(self, bits: &mut u128, value: u32) {
        *bits |= u128::from(value & self.ones()) << self.position;
    }
}
