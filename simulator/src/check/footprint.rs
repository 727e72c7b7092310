//! The bytes of global memory that an operation of the device has touched, to be compared with
//! operations of other streams.

use std::collections::BTreeMap;
use std::ops::Range;

use super::shadow::Mode;

/// Bytes of a page.
const PAGE: u32 = 4096;
const WORDS: usize = PAGE as usize / 64;

/// The access that touched a byte: the bits of [`Sets`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Touch {
    Read,
    Write,
    StrongRead,
    StrongWrite,
}

const ALL: [Touch; 4] = [Touch::Read, Touch::Write, Touch::StrongRead, Touch::StrongWrite];

/// A bit for each byte of a page and each touch: half a byte for a byte.
type Sets = [[u64; WORDS]; 4];

/// The bytes that an operation has read and written, by weak and by strong accesses.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    pages: BTreeMap<u32, Box<Sets>>,
    /// A thread has executed a fence for the device.
    fenced: bool,
}

/// Two operations touch the same byte, and one of them writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The first such byte.
    pub address: u32,
    /// True if the earlier operation writes it.
    pub first_writes: bool,
    /// True if the later operation writes it.
    pub second_writes: bool,
}

impl Footprint {
    /// A range is read or written.
    pub fn add(&mut self, range: Range<u32>, writes: bool) {
        let touch = if writes { Touch::Write } else { Touch::Read };
        let mut at = range.start;
        while at < range.end {
            let end = range.end.min((at / 64 + 1).saturating_mul(64));
            self.mark(at, (end - at) as usize, touch);
            at = end;
        }
    }

    pub(super) fn access(&mut self, address: u32, mode: Mode) {
        // To another launch an atomic for its block only is an access like any other.
        let (read, write) = match mode.is_strong() && !mode.is_narrow() {
            true => (Touch::StrongRead, Touch::StrongWrite),
            false => (Touch::Read, Touch::Write),
        };
        if mode.reads() {
            self.mark(address, mode.size(), read);
        }
        if mode.writes() {
            self.mark(address, mode.size(), write);
        }
    }

    pub(super) fn fence(&mut self) {
        self.fenced = true;
    }

    /// Marks bytes that do not cross a multiple of 64.
    fn mark(&mut self, address: u32, size: usize, touch: Touch) {
        let page = self.pages.entry(address / PAGE).or_insert_with(|| Box::new([[0; WORDS]; 4]));
        let at = (address % PAGE) as usize;
        page[touch as usize][at / 64] |= (u64::MAX >> (64 - size)) << (at % 64);
    }

    /// Bytes of this host that it takes.
    pub fn size(&self) -> usize {
        self.pages.len() * size_of::<Sets>()
    }

    /// The conflict of a later operation with this one, if there is one. An atomic or volatile load is
    /// taken to wait for a value that this operation has written so after a fence.
    pub fn clash(&self, later: &Footprint) -> Option<Clash> {
        let mut found = None;
        for (number, own) in &self.pages {
            let Some(other) = later.pages.get(number) else {
                continue;
            };
            for word in 0..WORDS {
                let [one, two] =
                    [own, other].map(|sets| ALL.map(|touch| sets[touch as usize][word]));
                let [read, write, strong_read, strong_write] = one;
                let [later_read, later_write, later_strong_read, later_strong_write] = two;
                if self.fenced && strong_write & later_strong_read != 0 {
                    return None;
                }
                let any = later_read | later_write | later_strong_read | later_strong_write;
                let clashes = write & any
                    | later_write & (read | strong_read | strong_write)
                    | strong_write & later_read
                    | read & later_strong_write;
                if clashes != 0 && found.is_none() {
                    let bit = clashes.trailing_zeros();
                    let has = |set: u64| set >> bit & 1 != 0;
                    found = Some(Clash {
                        address: number * PAGE + word as u32 * 64 + bit,
                        first_writes: has(write | strong_write),
                        second_writes: has(later_write | later_strong_write),
                    });
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(range: Range<u32>, writes: bool) -> Footprint {
        let mut footprint = Footprint::default();
        footprint.add(range, writes);
        footprint
    }

    fn accessed(address: u32, mode: Mode) -> Footprint {
        let mut footprint = Footprint::default();
        footprint.access(address, mode);
        footprint
    }

    #[test]
    fn a_common_byte_that_one_writes() {
        let write = of(4000..5000, true);
        let clash = |address, first_writes, second_writes| {
            Some(Clash { address, first_writes, second_writes })
        };
        assert_eq!(write.clash(&of(4999..6000, false)), clash(4999, true, false));
        assert_eq!(of(0..4100, false).clash(&write), clash(4000, false, true));
        assert_eq!(write.clash(&write), clash(4000, true, true));
        assert_eq!(write.clash(&of(5000..6000, true)), None);
        let read = of(0..8192, false);
        assert_eq!(read.clash(&read), None);
    }

    #[test]
    fn atomics_conflict_with_others_only() {
        let atomic = accessed(64, Mode::new(true, true, true, 2));
        assert_eq!(atomic.clash(&atomic), None);
        assert!(atomic.clash(&of(67..68, false)).is_some());
        assert!(of(67..68, false).clash(&atomic).is_some());
        // A volatile load of a plain write.
        assert!(of(64..68, true).clash(&accessed(64, Mode::new(true, false, true, 2))).is_some());
        // The flag is polled, so that the rest is ordered.
        let mut producer = of(0..4, true);
        producer.access(64, Mode::new(false, true, true, 2));
        let mut consumer = of(0..4, false);
        consumer.access(64, Mode::new(true, false, true, 2));
        assert!(producer.clash(&consumer).is_some());
        producer.fence();
        assert_eq!(producer.clash(&consumer), None);
    }
}
