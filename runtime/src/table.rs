//! Tables for people, before they are drawn.

use std::ops::Range;

/// Titles and rows; texts may have several lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The title of each column; none if there is nothing to show.
    pub titles: Vec<String>,
    /// The rows, each with a text per column.
    pub rows: Vec<Vec<String>>,
    /// The columns of figures, which are aligned at their right.
    pub figures: Range<usize>,
}
