//! Rows of a warp of 32 lanes, a word for each: operations other than arithmetic, with the vector
//! instructions of the host. Results do not depend on these.

use std::hint::black_box;

use reconverge_isa::planted::Planted;
use reconverge_isa::{
    BIT, BLOCK, GLOBAL_BASE, GLOBAL_END, SHARED_BASE, Space, Vectors, WINDOW_SIZE, Words,
};

use crate::memory::bytes::SECTOR;

/// The distance of a lane's word from that of lane 0, when each follows that of the lane before.
const STEP: Words = {
    let mut steps = [0; BLOCK];
    let mut lane = 0;
    while lane < BLOCK {
        steps[lane] = 4 * lane as u32;
        lane += 1;
    }
    steps
};

/// Defines a function twice, portably and for hosts with AVX2, and calls the one that the host runs faster.
///
/// Its first parameter is the number of lanes, [`BLOCK`] always, hidden from the compiler: a loop of known length is
/// unrolled before it can be vectorised.
macro_rules! vectorised {
    ($(#[$doc:meta])* $name:ident($lanes:ident, $($argument:ident: $ty:ty),*) -> $result:ty $body:block) => {
        $(#[$doc])*
        #[inline(always)]
        pub(super) fn $name(vectors: Vectors, $($argument: $ty),*) -> $result {
            // Not inlined: a changed parameter of its own is known not to overlap with the others.
            #[inline(never)]
            fn portable($lanes: usize, $($argument: $ty),*) -> $result $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            #[inline(never)]
            fn wide($lanes: usize, $($argument: $ty),*) -> $result $body

            if vectors.has_avx2() {
                // SAFETY: the host was found to have the instructions that the function is compiled
                // for.
                #[cfg(target_arch = "x86_64")]
                #[expect(unsafe_code, reason = "a function for certain hosts cannot be called otherwise")]
                return unsafe { wide(black_box(BLOCK), $($argument),*) };
            }
            portable(black_box(BLOCK), $($argument),*)
        }
    };
}

/// The common extent of the addresses of some lanes, at least one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    /// The lowest address.
    pub(crate) low: u32,
    /// The highest.
    pub(crate) high: u32,
    /// The bits that any has.
    pub(crate) bits: u32,
    /// Each is that of lane 0, if there is one, and 4 more for every lane after it.
    pub(crate) consecutive: bool,
}

impl Span {
    /// In which of global and shared memory all of the generic addresses are, if they are all in one.
    #[inline(always)]
    pub(super) fn space(&self) -> Option<Space> {
        let Span { low, high, .. } = *self;
        let all = |base, size| low.wrapping_sub(base) < size && high.wrapping_sub(base) < size;
        if all(GLOBAL_BASE, GLOBAL_END - GLOBAL_BASE) {
            Some(Space::Global)
        } else if all(SHARED_BASE, WINDOW_SIZE) {
            Some(Space::Shared)
        } else {
            None
        }
    }

    /// The number of words from the first that accesses of `size` bytes touch to the last.
    pub(crate) fn words(&self, size: u32) -> u32 {
        let last = (u64::from(self.high) + u64::from(size) - 1) / 4;
        (last - u64::from(self.low / 4)) as u32 + 1
    }

    /// Returns true if aligned accesses all lie within one line of `line` bytes.
    #[inline]
    pub(crate) fn is_within(&self, line: u32) -> bool {
        self.low & !(line - 1) == self.high & !(line - 1)
    }
}

/// The sectors among some, by number modulo 32, that belong to the line of `bytes` bytes, at most
/// 256, at an address: from its first on.
#[inline]
pub(super) fn sectors_of_line(sectors: u32, line: u32, bytes: u32) -> u8 {
    let all = 0xff_u32 >> (8 - bytes / SECTOR);
    (sectors >> (line / SECTOR % 32) & all) as u8
}

vectorised! {
    /// Puts the values of the lanes of `mask` into a row.
    assign(lanes, row: &mut Words, values: &Words, mask: u32) -> () {
        for lane in 0..lanes.min(BLOCK) {
            // With a choice between the two words LLVM chooses between their addresses, which does not vectorise.
            let taken = if mask & BIT[lane] != 0 { u32::MAX } else { 0 };
            row[lane] = values[lane] & taken | row[lane] & !taken;
        }
    }
}

/// Writes the lanes of `mask` of a row.
#[inline(always)]
pub(super) fn write(vectors: Vectors, row: &mut Words, values: &Words, mask: u64) {
    if mask == u64::from(u32::MAX) || Planted::MaskIgnored.is_on() {
        *row = *values;
    } else {
        assign(vectors, row, values, mask as u32);
    }
}

vectorised! {
    /// Adds an offset to addresses. Returns for the lanes of `mask`, which is not empty: the lowest
    /// address, the highest one, the bits set in any, and the bits in which any differs from
    /// consecutive words. It returns an array, which the host passes in registers.
    locate_some(lanes, bases: &Words, offset: u32, mask: u32, addresses: &mut Words) -> [u32; 4] {
        let lowest = mask.trailing_zeros() as usize % BLOCK;
        let first = bases[lowest].wrapping_add(offset).wrapping_sub(STEP[lowest]);
        let (mut low, mut high, mut bits, mut apart) = (u32::MAX, 0, 0, 0);
        for lane in 0..lanes.min(BLOCK) {
            let address = bases[lane].wrapping_add(offset);
            addresses[lane] = address;
            let active = if mask & BIT[lane] != 0 { u32::MAX } else { 0 };
            low = low.min(address | !active);
            high = high.max(address & active);
            bits |= address & active;
            apart |= (address ^ first.wrapping_add(STEP[lane])) & active;
        }
        [low, high, bits, apart]
    }
}

vectorised! {
    /// Adds an offset to addresses; in which bits any of them differs from the first one, and in which from where it would be if each
    /// was 4 more than the one before.
    differences(lanes, bases: &Words, offset: u32, addresses: &mut Words) -> [u32; 2] {
        let first = bases[0].wrapping_add(offset);
        let (mut from_first, mut from_consecutive) = (0, 0);
        for lane in 0..lanes.min(BLOCK) {
            let address = bases[lane].wrapping_add(offset);
            addresses[lane] = address;
            from_first |= address ^ first;
            from_consecutive |= address ^ first.wrapping_add(STEP[lane]);
        }
        [from_first, from_consecutive]
    }
}

vectorised! {
    /// The lowest and the highest of some addresses, and the bits that any has.
    bounds(lanes, addresses: &Words) -> [u32; 3] {
        let (mut low, mut high, mut bits) = (u32::MAX, 0, 0);
        for address in addresses.iter().take(lanes) {
            low = low.min(*address);
            high = high.max(*address);
            bits |= address;
        }
        [low, high, bits]
    }
}

/// Adds an offset to addresses. Returns the common properties of those of the lanes of `mask`,
/// which is not empty.
#[inline(always)]
pub(super) fn locate(
    vectors: Vectors,
    bases: &Words,
    offset: u32,
    mask: u32,
    addresses: &mut Words,
) -> Span {
    if mask != u32::MAX {
        let [low, high, bits, apart] = locate_some(vectors, bases, offset, mask, addresses);
        return Span { low, high, bits, consecutive: apart == 0 };
    }
    // The addresses of a whole warp are mostly consecutive, or the same.
    let [from_first, from_consecutive] = differences(vectors, bases, offset, addresses);
    let low = addresses[0];
    let last = low.wrapping_add(STEP[BLOCK - 1]);
    let (high, bits, consecutive) = if from_first == 0 {
        (low, low, false)
    } else if from_consecutive == 0 && low < last {
        (last, low | STEP[BLOCK - 1], true)
    } else {
        let [low, high, bits] = bounds(vectors, addresses);
        return Span { low, high, bits, consecutive: from_consecutive == 0 };
    };
    Span { low, high, bits, consecutive }
}

vectorised! {
    /// The lanes of `mask` whose addresses lie in the line of `bytes` bytes at `line`, with the
    /// sectors of these addresses, by number modulo 32.
    within_line(lanes, addresses: &Words, line: u32, bytes: u32, mask: u32) -> (u32, u32) {
        let (mut found, mut sectors) = (0, 0);
        for lane in 0..lanes.min(BLOCK) {
            let address = addresses[lane];
            let is_within = address & !(bytes - 1) == line && mask & BIT[lane] != 0;
            let taken = if is_within { u32::MAX } else { 0 };
            found |= BIT[lane] & taken;
            sectors |= 1 << (address / SECTOR % 32) & taken;
        }
        (found, sectors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAYS: fn() -> [Vectors; 2] = || [Vectors::PORTABLE, Vectors::detect()];
    const MASKS: [u32; 6] = [1, 1 << 31, 0x5555_5555, 0x00ff_ff00, u32::MAX, 0x8000_0001];

    #[test]
    fn a_row_changes_in_the_lanes_of_the_mask_alone() {
        for vectors in WAYS() {
            for mask in MASKS {
                let mut row = [7; BLOCK];
                assign(vectors, &mut row, &STEP, mask);
                let expected: Words =
                    std::array::from_fn(|lane| if mask >> lane & 1 != 0 { STEP[lane] } else { 7 });
                assert_eq!(row, expected, "{mask:#x}");
            }
        }
    }

    #[test]
    fn what_the_addresses_of_a_whole_warp_have_in_common_is_found() {
        let of = |bases: &Words| {
            let [one, other] = WAYS().map(|vectors| {
                let mut addresses = [0; BLOCK];
                (locate(vectors, bases, 4, u32::MAX, &mut addresses), addresses)
            });
            assert_eq!(one, other);
            assert_eq!(one.1, bases.map(|base| base.wrapping_add(4)));
            one.0
        };
        let span = |low, high, bits, consecutive| Span { low, high, bits, consecutive };
        assert_eq!(of(&[0x1000; BLOCK]), span(0x1004, 0x1004, 0x1004, false));
        let consecutive = STEP.map(|step| 0x1002 + step);
        assert_eq!(of(&consecutive), span(0x1006, 0x1082, 0x1006 | 0x7c, true));
        let apart = std::array::from_fn(|lane| 0x1000 + 8 * (lane as u32 * 7 % 32));
        assert_eq!(of(&apart), span(0x1004, 0x10fc, 0x10fc, false));
        // Beyond the last address there is the first.
        let around = STEP.map(|step| step.wrapping_sub(24));
        assert_eq!(of(&around), span(0, u32::MAX - 3, u32::MAX - 3, true));
    }

    #[test]
    fn addresses_are_found_to_be_consecutive() {
        for vectors in WAYS() {
            for mask in MASKS {
                let mut addresses = [0; BLOCK];
                // Values in inactive lanes do not count.
                let bases = std::array::from_fn(|lane| {
                    if mask >> lane & 1 != 0 { STEP[lane] } else { 0xdead_beef }
                });
                let span = locate(vectors, &bases, 0x1000, mask, &mut addresses);
                let (first, last) = (mask.trailing_zeros(), 31 - mask.leading_zeros());
                let (low, high) = (0x1000 + 4 * first, 0x1000 + 4 * last);
                assert_eq!((span.low, span.high, span.consecutive), (low, high, true));
                assert!(span.is_within(128));
                let touched = (0..4).filter(|sector| mask >> (8 * sector) & 0xff != 0);
                let touched = touched.fold(0, |all, sector| all | 1 << sector);
                let (found, sectors) = within_line(vectors, &addresses, 0x1000, 128, mask);
                assert_eq!((found, sectors_of_line(sectors, 0x1000, 128)), (mask, touched));
                let mut moved = bases;
                moved[last as usize] += 4;
                let span = locate(vectors, &moved, 0x1000, mask, &mut addresses);
                assert_eq!(span.consecutive, first == last);
                assert_eq!(addresses[last as usize], high + 4);
                moved[last as usize] += 2;
                assert_eq!(locate(vectors, &moved, 0, mask, &mut addresses).bits & 3, 2);
            }
        }
    }
}
