//! Words at the addresses of a warp's lanes, loaded together where the host has an instruction for that.
//!
//! The one place in which memory is accessed without a check by the compiler. It is sound for every
//! argument: an inactive lane, or one whose word is outside the slice, is masked out, and
//! masked-out words are not accessed.

use reconverge_isa::{Vectors, Words};

/// Loads the words of the lanes of `mask` at aligned addresses from memory that begins at `base`; 0 from beyond its end. Other lanes get
/// anything.
#[inline]
pub(super) fn gather(
    vectors: Vectors,
    memory: &[[u8; 4]],
    base: u32,
    addresses: &Words,
    mask: u32,
    values: &mut Words,
) {
    #[cfg(target_arch = "x86_64")]
    if vectors.has_avx2() {
        // SAFETY: the host was found to have the instructions that the function is compiled for.
        #[expect(unsafe_code, reason = "a function for certain hosts cannot be called otherwise")]
        return unsafe { wide(memory, base, addresses, mask, values) };
    }
    let _ = (vectors, mask);
    portable(memory, base, addresses, values);
}

fn portable(memory: &[[u8; 4]], base: u32, addresses: &Words, values: &mut Words) {
    for (value, address) in values.iter_mut().zip(addresses) {
        let word = memory.get((address.wrapping_sub(base) / 4) as usize);
        *value = word.map_or(0, |bytes| u32::from_le_bytes(*bytes));
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn wide(memory: &[[u8; 4]], base: u32, addresses: &Words, mask: u32, values: &mut Words) {
    use std::arch::x86_64::{
        __m256i, _mm256_and_si256, _mm256_cmpeq_epi32, _mm256_cmpgt_epi32, _mm256_loadu_si256,
        _mm256_mask_i32gather_epi32, _mm256_set1_epi32, _mm256_setr_epi32, _mm256_setzero_si256,
        _mm256_slli_epi32, _mm256_srli_epi32, _mm256_storeu_si256, _mm256_sub_epi32,
    };
    // An index is below 2^30, so that it and the length can be compared as signed numbers.
    let length = _mm256_set1_epi32(memory.len().min(1 << 30) as i32);
    let base = _mm256_set1_epi32(base as i32);
    let mut bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    let active = _mm256_set1_epi32(mask as i32);
    let groups = addresses.as_chunks::<8>().0.iter().zip(values.as_chunks_mut::<8>().0);
    for (addresses, values) in groups {
        // SAFETY: the reference covers as many bytes as are loaded, and the load needs no
        // alignment.
        #[expect(unsafe_code, reason = "vector loads take pointers")]
        let addresses = unsafe { _mm256_loadu_si256(addresses.as_ptr().cast::<__m256i>()) };
        let index = _mm256_srli_epi32::<2>(_mm256_sub_epi32(addresses, base));
        let is_inside = _mm256_cmpgt_epi32(length, index);
        let is_active = _mm256_cmpeq_epi32(_mm256_and_si256(active, bits), bits);
        let needed = _mm256_and_si256(is_inside, is_active);
        let zero = _mm256_setzero_si256();
        // SAFETY: only lanes of `needed` are accessed, and their index is below the length of the
        // slice, whose elements have the four bytes that an index counts; the reference to the
        // values covers all stored bytes.
        #[expect(unsafe_code, reason = "gathers and vector stores take pointers")]
        unsafe {
            let first = memory.as_ptr().cast::<i32>();
            let words = _mm256_mask_i32gather_epi32::<4>(zero, first, index, needed);
            _mm256_storeu_si256(values.as_mut_ptr().cast::<__m256i>(), words);
        }
        bits = _mm256_slli_epi32::<8>(bits);
    }
}

/// Loads the pairs of words of the lanes of `mask` at addresses that are multiples of 8. See [`gather`].
#[inline]
pub(super) fn gather_pairs(
    vectors: Vectors,
    memory: &[[u8; 4]],
    base: u32,
    addresses: &Words,
    mask: u32,
    [low, high]: [&mut Words; 2],
) {
    gather(vectors, memory, base, addresses, mask, low);
    gather(vectors, memory, base.wrapping_sub(4), addresses, mask, high);
}

#[cfg(test)]
mod tests {
    use reconverge_isa::BLOCK;

    use super::*;

    #[test]
    fn active_lanes_get_their_words_and_zeroes_from_beyond_the_end() {
        let memory: Vec<[u8; 4]> = (1..=40u32).map(u32::to_le_bytes).collect();
        for vectors in [Vectors::PORTABLE, Vectors::detect()] {
            for mask in [0, 1, 1 << 31, 0x5555_5555, 0x00ff_ff00, u32::MAX] {
                for length in [0, 1, 33, 40] {
                    let addresses: Words = std::array::from_fn(|lane| match lane % 8 {
                        7 => 0x100 - 4 * lane as u32,
                        6 => u32::MAX - 3,
                        _ => 0x100 + 4 * (5 * lane as u32 % 40),
                    });
                    let mut values = [9; BLOCK];
                    gather(vectors, &memory[..length], 0x100, &addresses, mask, &mut values);
                    for lane in (0..BLOCK).filter(|lane| mask >> lane & 1 != 0) {
                        let index = addresses[lane].wrapping_sub(0x100) / 4;
                        let expected = if (index as usize) < length { index + 1 } else { 0 };
                        assert_eq!(values[lane], expected, "lane {lane} of {mask:#x}, {length}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_pair_is_two_words() {
        let memory: Vec<[u8; 4]> = (1..=6u32).map(u32::to_le_bytes).collect();
        for vectors in [Vectors::PORTABLE, Vectors::detect()] {
            let addresses = std::array::from_fn(|lane| 0x100 + 8 * lane as u32);
            let (mut low, mut high) = ([9; BLOCK], [9; BLOCK]);
            let into = [&mut low, &mut high];
            gather_pairs(vectors, &memory, 0x100, &addresses, u32::MAX, into);
            assert_eq!((&low[..4], &high[..4]), (&[1, 3, 5, 0][..], &[2, 4, 6, 0][..]));
        }
    }
}
