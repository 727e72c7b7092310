//! Loads, stores and transpositions of matrices of 8 rows of 8 elements of 16 bits.
//!
//! A warp of 32 lanes holds a matrix in a word of each lane, in the layout of the PTX ISA, section "ldmatrix".

use crate::lane::{BLOCK, Words};

/// Rows of a matrix, and lanes that give their addresses.
pub const MATRIX_ROWS: usize = 8;

/// The rows of a matrix in memory, each of four words.
pub type MatrixRows = [[u32; 4]; MATRIX_ROWS];

/// The two elements that a lane holds: their rows and columns.
fn places(lane: usize, is_transposed: bool) -> [[usize; 2]; 2] {
    let (row, column) = (lane / 4, 2 * (lane % 4));
    match is_transposed {
        false => [[row, column], [row, column + 1]],
        true => [[column, row], [column + 1, row]],
    }
}

/// The words of the lanes that hold a matrix.
pub fn spread_matrix(rows: &MatrixRows, is_transposed: bool) -> Words {
    let mut words = [0; BLOCK];
    for (lane, word) in words.iter_mut().enumerate() {
        let [low, high] = places(lane, is_transposed)
            .map(|[row, column]| rows[row][column / 2] >> (column % 2 * 16) & 0xffff);
        *word = low | high << 16;
    }
    words
}

/// The rows of a matrix that lanes hold.
pub fn gather_matrix(words: &Words, is_transposed: bool) -> MatrixRows {
    let mut rows = MatrixRows::default();
    for (lane, word) in words.iter().enumerate() {
        let halves = [word & 0xffff, word >> 16];
        for ([row, column], half) in places(lane, is_transposed).into_iter().zip(halves) {
            rows[row][column / 2] |= half << (column % 2 * 16);
        }
    }
    rows
}

/// The words of the transposed matrix.
pub fn transpose_matrix(words: &Words) -> Words {
    spread_matrix(&gather_matrix(words, false), true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix() -> MatrixRows {
        let mut rows = MatrixRows::default();
        for (row, words) in (0..).zip(&mut rows) {
            for (column, word) in (0..).zip(words) {
                let element = |column: u32| 0x1000 * row + column;
                *word = element(2 * column) | element(2 * column + 1) << 16;
            }
        }
        rows
    }

    #[test]
    fn lanes_hold_pairs_of_a_row_or_of_a_column() {
        let plain = spread_matrix(&matrix(), false);
        assert_eq!((plain[0], plain[5], plain[31]), (0x0001_0000, 0x1003_1002, 0x7007_7006));
        let transposed = spread_matrix(&matrix(), true);
        assert_eq!(
            (transposed[0], transposed[5], transposed[31]),
            (0x1000_0000, 0x3001_2001, 0x7007_6007)
        );
    }

    #[test]
    fn rows_come_back() {
        for is_transposed in [false, true] {
            let words = spread_matrix(&matrix(), is_transposed);
            assert_eq!(gather_matrix(&words, is_transposed), matrix());
        }
        let words = spread_matrix(&matrix(), false);
        assert_eq!(transpose_matrix(&words), spread_matrix(&matrix(), true));
        assert_eq!(transpose_matrix(&transpose_matrix(&words)), words);
    }
}
