//! The matrices of loads and stores of matrices.

use crate::matrix_moves::MATRIX_ROWS;
use crate::table::{Effect, Op, OperandKind};

/// The matrices that an operation loads or stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixMove {
    /// Matrices: 1, 2 or 4.
    pub count: usize,
    /// Words of a lane are those of the transposed matrix.
    pub is_transposed: bool,
}

impl MatrixMove {
    /// The matrices of a load or store of matrices; `None` for any other operation.
    pub fn of(op: Op) -> Option<MatrixMove> {
        if !op.is_matrix_access() {
            return None;
        }
        let row = op.row();
        let words = match row.effect {
            Effect::Load => row.result,
            _ => row.sources.get(1).map(|(_, kind)| *kind),
        };
        let count = match words {
            Some(OperandKind::Value(kind)) => usize::from(kind.registers()),
            _ => 1,
        };
        Some(MatrixMove { count, is_transposed: row.mnemonic.ends_with(".trans") })
    }

    /// The lanes that give addresses.
    pub fn rows(self) -> usize {
        MATRIX_ROWS * self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_the_table_have_a_word_for_each_matrix() {
        let moved = |op| MatrixMove::of(op).map(|it| (it.count, it.is_transposed));
        assert_eq!(moved(Op::LoadMatrix), Some((1, false)));
        assert_eq!(moved(Op::LoadMatrix4Transposed), Some((4, true)));
        assert_eq!(moved(Op::StoreMatrix2), Some((2, false)));
        assert_eq!(moved(Op::StoreMatrix4Transposed), Some((4, true)));
        assert_eq!(moved(Op::Load), None);
    }
}
