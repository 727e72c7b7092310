//! Bytes of a line: a mask, sector by sector.

/// Bytes of a sector: the unit of transfer below a line.
pub(crate) const SECTOR: u32 = 32;

/// The sectors of the first `bytes` bytes of a line, 32 to 256.
pub(crate) fn sectors(bytes: u32) -> u8 {
    (0xff >> (8 - bytes / SECTOR)) as u8
}

/// The most sectors of a line.
const SECTORS: usize = 8;

/// The sectors in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineSectors {
    /// The line's number.
    pub(crate) line: u64,
    /// A bit for each sector.
    pub(crate) sectors: u8,
}

/// Some bytes of a line of up to eight sectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bytes([u32; SECTORS]);

impl Bytes {
    /// All bytes of some sectors.
    pub(crate) fn of(sectors: u8) -> Bytes {
        let mut bytes = Bytes::default();
        for (index, mask) in bytes.0.iter_mut().enumerate() {
            if sectors >> index & 1 != 0 {
                *mask = u32::MAX;
            }
        }
        bytes
    }

    /// The words of some lanes, of which there is one after the other.
    pub(crate) fn of_words(lanes: u32) -> Bytes {
        let mut bytes = Bytes::default();
        for (index, mask) in bytes.0.iter_mut().take(4).enumerate() {
            let words = lanes >> (8 * index) & 0xff;
            *mask = (0..8)
                .filter(|word| words >> word & 1 != 0)
                .fold(0, |all, word| all | 0xf << (4 * word));
        }
        bytes
    }

    /// Adds the bytes from one on to before another.
    pub(crate) fn insert(&mut self, from: u64, to: u64) {
        let mut start = from;
        while start < to {
            let sector = start / u64::from(SECTOR);
            let end = to.min((sector + 1) * u64::from(SECTOR));
            let mask = u32::MAX >> (u64::from(SECTOR) - (end - start));
            self.0[sector as usize] |= mask << (start % u64::from(SECTOR));
            start = end;
        }
    }

    /// Adds other bytes.
    pub(crate) fn join(&mut self, other: &Bytes) {
        for (mask, other) in self.0.iter_mut().zip(other.0) {
            *mask |= other;
        }
    }

    /// These bytes without others.
    pub(crate) fn minus(mut self, other: &Bytes) -> Bytes {
        for (mask, other) in self.0.iter_mut().zip(other.0) {
            *mask &= !other;
        }
        self
    }

    /// These bytes without some sectors.
    pub(crate) fn without(mut self, sectors: u8) -> Bytes {
        for (index, mask) in self.0.iter_mut().enumerate() {
            if sectors >> index & 1 != 0 {
                *mask = 0;
            }
        }
        self
    }

    /// These bytes in a line that starts `sectors` sectors earlier.
    pub(crate) fn moved(self, sectors: u32) -> Bytes {
        let mut bytes = Bytes::default();
        for (from, to) in self.0.iter().zip(bytes.0.iter_mut().skip(sectors as usize)) {
            *to = *from;
        }
        bytes
    }

    fn select(&self, is: impl Fn(u32) -> bool) -> u8 {
        let bits = self.0.iter().enumerate().map(|(index, mask)| u8::from(is(*mask)) << index);
        bits.fold(0, |all, bit| all | bit)
    }

    /// The sectors of which bytes are here.
    pub(crate) fn sectors(&self) -> u8 {
        self.select(|mask| mask != 0)
    }

    /// The sectors of which all bytes are here.
    pub(crate) fn whole(&self) -> u8 {
        self.select(|mask| mask == u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks() {
        let mut bytes = Bytes::default();
        bytes.insert(30, 100);
        assert_eq!((bytes.sectors(), bytes.whole()), (0b1111, 0b0110));
        assert_eq!(bytes.0[..4], [0xc000_0000, u32::MAX, u32::MAX, 0xf]);
        bytes.insert(0, 30);
        assert_eq!(bytes.whole(), 0b0111);
        assert_eq!(bytes.without(0b0111).sectors(), 0b1000);
        assert_eq!(bytes.moved(4).whole(), 0b0111_0000);
        let mut other = Bytes::of(0b1000);
        assert_eq!((other.sectors(), other.whole()), (8, 8));
        other.join(&bytes);
        assert_eq!(other, Bytes::of(0b1111));
    }

    #[test]
    fn single_bytes() {
        let mut bytes = Bytes::default();
        for byte in (0..256).rev() {
            assert_eq!(bytes.whole().count_ones(), (255 - byte as u32) / 32);
            bytes.insert(byte, byte + 1);
        }
        assert_eq!(bytes, Bytes::of(0xff));
    }
}
