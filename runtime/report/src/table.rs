//! Tables of text.

use comfy_table::{CellAlignment, presets};
use reconverge::table::Table;

/// The table with a frame; nothing without titles.
pub fn text(table: &Table) -> String {
    if table.titles.is_empty() {
        return String::new();
    }
    let mut drawn = comfy_table::Table::new();
    drawn.load_style(presets::UTF8_FULL_CONDENSED);
    drawn.set_header(&table.titles);
    for row in &table.rows {
        let cells = row.iter().enumerate().map(|(column, text)| {
            let is_figure = table.figures.contains(&column);
            let alignment = if is_figure { CellAlignment::Right } else { CellAlignment::Left };
            comfy_table::Cell::new(text).set_alignment(alignment)
        });
        drawn.add_row(cells.collect::<Vec<_>>());
    }
    format!("{drawn}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_aligned_right() {
        let words = |all: &[&str]| all.iter().map(|&word| word.to_owned()).collect();
        let table = Table {
            titles: words(&["name", "cycles", "same"]),
            rows: vec![words(&["a", "1", "yes"]), words(&["b", "1 000\n× 2", "no"])],
            figures: 1..2,
        };
        let lines = "\
┌──────┬────────┬──────┐
│ name ┆ cycles ┆ same │
╞══════╪════════╪══════╡
│ a    ┆      1 ┆ yes  │
│ b    ┆  1 000 ┆ no   │
│      ┆    × 2 ┆      │
└──────┴────────┴──────┘
";
        assert_eq!(text(&table), lines);
        assert_eq!(text(&Table::default()), "");
    }
}
