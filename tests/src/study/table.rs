//! Cells and tables of Markdown.

/// `1.070`, or nothing.
pub fn times(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| format!("{value:.3}"))
}

/// `42.6 %`, or nothing.
pub fn percent(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| format!("{:.1} %", value * 100.0))
}

/// `+12.7 %` of a ratio.
pub fn change(ratio: f64) -> String {
    // Without the sign of a change that is rounded away.
    let tenths = ((ratio - 1.0) * 1000.0).round() + 0.0;
    format!("{:+.1} %", tenths / 10.0)
}

/// A Markdown table.
pub fn table(titles: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule: Vec<String> =
        (0..titles.len()).map(|at| if at == 0 { "---" } else { "---:" }.to_string()).collect();
    let rows: String = rows.iter().map(|row| line(row)).collect();
    line(titles) + &line(&rule) + &rows
}

/// Words as cells.
pub fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| word.to_string()).collect()
}
