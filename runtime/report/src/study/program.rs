//! `programs/NAME.md`: the measurements of one program, beside the means of its groups.

use super::contents::{Measured, Report};
use super::markdown::table;
use reconverge::study::point::Kernel;
use reconverge::study::results::{Group, Table};

/// The text of a program's page.
pub fn text(report: &Report, program: &Measured) -> String {
    let mut text = format!("# {}\n\n{}.", program.name, program.title);
    if !program.origin.is_empty() {
        text += &format!(" After {}.", program.origin.trim_end_matches('.'));
    }
    text += "\n\n";
    if !program.pattern.is_empty() {
        text += &format!("{}.\n\n", sentence(program.pattern));
    }
    if !program.sources.is_empty() {
        text += &format!("Measured by {}.\n\n", program.sources.join(", "));
    }
    let words = [program.compile, program.arguments].concat().join(" ");
    text += &format!(
        "Size `{}`: `{words}`. Configuration `{}` where none is named. Version {}, sources `{}`.\n",
        report.size,
        report.baseline,
        report.version,
        &report.tool[..12],
    );
    kernels(program.kernels, &mut text);
    for shown in &report.tables {
        figure(shown, program.name, &mut text);
    }
    text
}

/// A phrase of the catalogue with a capital, without a full stop.
fn sentence(phrase: &str) -> String {
    let mut letters = phrase.trim_end_matches('.').chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn kernels(kernels: &[Kernel], text: &mut String) {
    if kernels.is_empty() {
        return;
    }
    let titles = ["kernel", "launches", "grid", "block", "registers", "shared memory", "cycles"];
    let row = |kernel: &Kernel| {
        let number = |name: &str| {
            kernel.statistics.get(name).map_or("-".to_owned(), |number| number.to_string())
        };
        let extent = |extent: [u32; 3]| extent.map(|n| n.to_string()).join(" × ");
        vec![
            format!("`{}`", kernel.name),
            kernel.launches.to_string(),
            extent(kernel.grid),
            extent(kernel.block),
            number("registers"),
            format!("{} B", number("shared_bytes")),
            number("cycles"),
        ]
    };
    let rows: Vec<Vec<String>> = kernels.iter().map(row).collect();
    *text += "\n## Kernels\n\nGrid and block of the first launch; cycles of all.\n\n";
    *text += &table(&titles.map(str::to_owned), &rows);
}

/// The program's row of a figure, upright: a line for each column, with the means of the groups that the program is in.
fn figure(shown: &Table, program: &str, text: &mut String) {
    let own = |group: &&Group| group.rows.iter().any(|row| row.name == program);
    let groups: Vec<&Group> = shown.groups.iter().filter(own).collect();
    let Some(row) = groups.iter().flat_map(|group| &group.rows).find(|row| row.name == program)
    else {
        return;
    };
    *text += &format!("\n## {}\n\n", shown.title);
    if !shown.about.is_empty() {
        *text += &format!("{}\n\n", shown.about);
    }
    let means = groups.iter().map(|group| format!("{}, {}", group.name, group.mean_name));
    let titles: Vec<String> =
        [String::new(), program.to_owned()].into_iter().chain(means).collect();
    let of_groups: Vec<Vec<String>> = groups.iter().map(|group| group.mean.texts()).collect();
    let line = |(at, (heading, own)): (usize, (String, String))| {
        let means = of_groups.iter().map(|cells| cells[at].clone());
        [heading, own].into_iter().chain(means).collect()
    };
    let lines = shown.headings().into_iter().zip(row.texts()).enumerate().map(line);
    *text += &table(&titles, &lines.collect::<Vec<Vec<String>>>());
}
