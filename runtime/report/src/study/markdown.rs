//! `study.md`, and its short form `short.md`.

use super::contents::{Report, chart_name, reason};
use reconverge::study::comparison::{Compared, TITLES};
use reconverge::study::results::{Judged, Row};

/// The text of `study.md`, with the charts of those tables that have one.
pub fn text(report: &Report, charts: &[Option<String>]) -> String {
    let mut text = beginning(report);
    for (at, shown) in report.tables.iter().enumerate() {
        text += &format!("\n## {}\n\n", shown.title);
        if !shown.about.is_empty() {
            text += &format!("{}\n\n", shown.about);
        }
        if charts[at].is_some() {
            text += &format!("![{}]({})\n\n", shown.title, chart_name(at));
        }
        if let Some(comparison) = &shown.comparison {
            let rows: Vec<_> = comparison.compared.iter().map(Compared::cells).collect();
            text += &table(&TITLES.map(str::to_owned), &rows);
            text += "\n";
        }
        let titles = std::iter::once("program".to_owned()).chain(shown.headings());
        let mut rows = Vec::new();
        for group in &shown.groups {
            rows.extend(group.rows.iter().map(cells));
            let bold = |cell: String| match cell.as_str() {
                "" => cell,
                _ => format!("**{cell}**"),
            };
            let name = format!("**{}, {}**", group.name, group.mean_name);
            rows.push(
                std::iter::once(name).chain(group.mean.texts().into_iter().map(bold)).collect(),
            );
        }
        if !shown.columns.is_empty() {
            text += &table(&titles.collect::<Vec<_>>(), &rows);
        }
    }
    configurations(report, &mut text);
    text
}

/// The text of `short.md`: the source's claims, and of each table the means alone.
pub fn short(report: &Report) -> String {
    let mut text = beginning(report);
    let mut rows = Vec::new();
    for shown in &report.tables {
        for group in &shown.groups {
            let means = shown.headings().into_iter().zip(group.mean.texts());
            let means = means.filter(|(_, mean)| !mean.is_empty());
            let means: Vec<String> = means.map(|(of, mean)| format!("{of} {mean}")).collect();
            if !means.is_empty() {
                let programs = format!("{}, {}", group.name, group.mean_name);
                rows.push(vec![shown.title.clone(), programs, means.join("; ")]);
            }
        }
    }
    if !rows.is_empty() {
        text += "\n## Means\n\n";
        text += &table(&["table", "programs", "means"].map(str::to_owned), &rows);
    }
    text
}

/// The beginning that both have: the subject, the version, faults, and the source's claims.
fn beginning(report: &Report) -> String {
    let mut text = format!("# {}\n\n", report.title);
    if !report.source.is_empty() {
        text += &format!("{}.\n\n", report.source);
    }
    if !report.about.is_empty() {
        text += &format!("{}\n\n", report.about);
    }
    text += &format!(
        "Size `{}`, {} programs, {} configurations; compared with `{}`. Made by version {}, sources `{}`.\n",
        report.size,
        report.programs.len(),
        report.configurations.len(),
        report.baseline,
        report.version,
        &report.tool[..12],
    );
    complaints(report, &mut text);
    reference(report, &mut text);
    claims(report, &mut text);
    text
}

fn cells(row: &Row) -> Vec<String> {
    std::iter::once(row.name.clone()).chain(row.texts()).collect()
}

fn complaints(report: &Report, text: &mut String) {
    if report.complaints.is_empty() {
        *text +=
            "Every run came to its end with the output and the device memory of its baseline.\n";
        return;
    }
    *text += "\n## What went wrong\n\n";
    for complaint in &report.complaints {
        *text +=
            &format!("- {}, {}: {}\n", complaint.program, complaint.configuration, complaint.what);
    }
}

fn reference(report: &Report, text: &mut String) {
    let Some(reference) = &report.reference else { return };
    *text += &format!("\n## Reference\n\n`{}`, SHA-256 `{}`.\n", reference.file, reference.sha256);
    if !reference.about.is_empty() || !reference.notes.is_empty() {
        *text += "\n";
    }
    for (column, said) in &reference.about {
        *text += &format!("- {column}: {said}\n");
    }
    for note in &reference.notes {
        *text += &format!("- {note}\n");
    }
}

fn claims(report: &Report, text: &mut String) {
    if report.claims.is_empty() {
        return;
    }
    *text += &format!(
        "\n## What the source says\n\n{} of {} numbers agree.\n\n",
        report.agreeing, report.judged
    );
    let row = |claim: &Judged| {
        let agrees = match claim.agrees {
            Some(true) => "yes",
            Some(false) => "**no**",
            None => "not measured",
        };
        vec![
            claim.about.clone(),
            claim.place.clone(),
            claim.paper_text.clone(),
            claim.ours_text.clone(),
            claim.over.clone(),
            agrees.to_owned(),
            reason(claim),
        ]
    };
    let titles = ["claim", "where", "source", "ours", "over", "agree", "why they differ"];
    let rows: Vec<Vec<String>> = report.claims.iter().map(row).collect();
    *text += &table(&titles.map(str::to_owned), &rows);
}

fn configurations(report: &Report, text: &mut String) {
    *text += "\n## Programs and configurations\n\n";
    let titles = ["program", "what it is", "after", "arguments"].map(str::to_owned);
    let rows = report.programs.iter().map(|program| {
        let words = [program.compile, program.arguments].concat().join(" ");
        let name = match &program.page {
            Some(page) => format!("[{}]({page})", program.name),
            None => program.name.to_owned(),
        };
        vec![name, program.title.to_owned(), program.origin.to_owned(), format!("`{words}`")]
    });
    *text += &table(&titles, &rows.collect::<Vec<_>>());
    for (name, why) in report.left_out {
        *text += &format!("\nLeft out: {name}: {why}.\n");
    }
    let rows = report.configurations.iter().map(|one| {
        let settings: Vec<String> =
            one.settings.iter().map(|setting| format!("`{setting}`")).collect();
        vec![one.label.to_owned(), settings.join(" ")]
    });
    *text += "\n";
    *text += &table(&["configuration", "settings"].map(str::to_owned), &rows.collect::<Vec<_>>());
}

/// A table; texts have no `|` that means a new cell.
pub(super) fn table(titles: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> =
            cells.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = vec!["---".to_owned(); titles.len()];
    line(titles) + &line(&rule) + &rows.iter().map(|row| line(row)).collect::<String>()
}
