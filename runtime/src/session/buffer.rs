//! Typed device memory, and its element types.

use super::scalar::Scalar;
use std::marker::PhantomData;

mod sealed {
    pub trait Sealed {}
}

/// A number that buffers hold and kernels take.
pub trait Element: sealed::Sealed + Copy + Default {
    /// Its type.
    const SCALAR: Scalar;

    /// Its significant bytes.
    fn to_bits(self) -> [u8; 8];

    /// The number with these bytes.
    fn from_bits(bits: [u8; 8]) -> Self;
}

macro_rules! elements {
    ($($ty:ty, $scalar:ident;)*) => {$(
        impl sealed::Sealed for $ty {}

        impl Element for $ty {
            const SCALAR: Scalar = Scalar::$scalar;

            fn to_bits(self) -> [u8; 8] {
                let mut bits = [0; 8];
                let own = self.to_le_bytes();
                bits[..own.len()].copy_from_slice(&own);
                bits
            }

            fn from_bits(bits: [u8; 8]) -> Self {
                let mut own = [0; size_of::<$ty>()];
                own.copy_from_slice(&bits[..size_of::<$ty>()]);
                <$ty>::from_le_bytes(own)
            }
        }
    )*};
}

elements! {
    i8, I8;
    u8, U8;
    i16, I16;
    u16, U16;
    i32, I32;
    u32, U32;
    i64, I64;
    u64, U64;
    f32, F32;
    f64, F64;
}

impl sealed::Sealed for bool {}

impl Element for bool {
    const SCALAR: Scalar = Scalar::Bool;

    fn to_bits(self) -> [u8; 8] {
        [self as u8, 0, 0, 0, 0, 0, 0, 0]
    }

    fn from_bits(bits: [u8; 8]) -> Self {
        bits[0] != 0
    }
}

/// The bytes of some numbers.
pub fn bytes_of<T: Element>(values: &[T]) -> Vec<u8> {
    let size = T::SCALAR.bytes();
    values.iter().flat_map(|value| value.to_bits().into_iter().take(size)).collect()
}

/// The numbers of some bytes; a rest that is too short for one is left out.
pub fn values_of<T: Element>(bytes: &[u8]) -> Vec<T> {
    let value = |bytes: &[u8]| {
        let mut bits = [0; 8];
        bits[..bytes.len()].copy_from_slice(bytes);
        T::from_bits(bits)
    };
    bytes.chunks_exact(T::SCALAR.bytes()).map(value).collect()
}

/// Numbers in the memory of a [`Gpu`](super::Gpu): where they are, not the numbers themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer<T> {
    pub(super) address: u32,
    pub(super) length: usize,
    pub(super) element: PhantomData<T>,
}

impl<T> Buffer<T> {
    /// The device address of the first number, as a kernel's pointer parameter holds it.
    pub fn address(&self) -> u64 {
        self.address.into()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }
}
