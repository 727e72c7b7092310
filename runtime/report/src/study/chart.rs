//! Grouped bars as SVG, readable on light and on dark ground: programs along x, a bar for each configuration, the
//! mean of each group at its end.

use crate::page::chart::{Area, COLORS, Drawn, FONT, LETTER, TEXT, drawing};
use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use reconverge::study::file::Form;
use reconverge::study::results::{Row, Table};

/// Pixels of a bar, at least; between the bars of two programs; above and below the drawing.
const BAR: u32 = 9;
const GAP: u32 = 10;
const LEGEND_LINE: u32 = 20;
const PLOT: u32 = 260;
const LEFT: u32 = 64;

/// The place of a bar's row along x, in units of one bar.
struct Place<'a> {
    row: &'a Row,
    name: String,
    start: f64,
    is_mean: bool,
}

/// The parts of a chart and their sizes.
struct Layout<'a> {
    places: Vec<Place<'a>>,
    /// The length along x, in units of one bar.
    length: f64,
    /// Label, x and line of each column.
    legend: Vec<(&'a str, u32, u32)>,
    /// The pixels above and below the plot.
    top: u32,
    names: u32,
}

/// A chart of a table, as the text of an SVG file.
///
/// # Errors
/// The drawing library refuses.
pub fn bars(table: &Table) -> Result<String> {
    let table = &without_baseline(table);
    let columns = table.columns.len().max(1);
    let (places, length) = places(table, columns);
    let bar = BAR.max(700 / (length as u32).max(1)).min(40);
    let width = LEFT + 20 + length as u32 * bar;
    let legend = legend(&table.columns, width);
    let top = legend.last().map_or(0, |&(_, _, line)| line + 1) * LEGEND_LINE + 10;
    let longest = places.iter().map(|place| place.name.chars().count()).max().unwrap_or(0);
    let names = (longest as u32 * LETTER + 16).min(240);
    let height = top + PLOT + names;
    drawing(&table.title, width, height, |root| {
        draw(root, table, &Layout { places, length, legend, top, names })
    })
}

/// The table without columns of ones, which a chart need not show, unless no other is left.
fn without_baseline(table: &Table) -> Table {
    let is_one = |column: &usize| {
        let rows = table.groups.iter().flat_map(|group| &group.rows);
        rows.filter_map(|row| row.values[*column]).all(|value| value == 1.0)
    };
    let kept: Vec<usize> = (0..table.columns.len()).filter(|column| !is_one(column)).collect();
    if kept.is_empty() {
        return table.clone();
    }
    let of_row = |row: &Row| Row {
        name: row.name.clone(),
        values: kept.iter().map(|&column| row.values[column]).collect(),
        cells: kept.iter().map(|&column| row.cells[column].clone()).collect(),
        largest: None,
    };
    let mut left = table.clone();
    left.columns = kept.iter().map(|&column| table.columns[column].clone()).collect();
    for group in &mut left.groups {
        group.rows = group.rows.iter().map(of_row).collect();
        group.mean = of_row(&group.mean);
    }
    left
}

fn places(table: &Table, columns: usize) -> (Vec<Place<'_>>, f64) {
    let step = columns as f64 + f64::from(GAP) / f64::from(BAR);
    let mut at = 0.5;
    let mut places = Vec::new();
    for group in &table.groups {
        for row in &group.rows {
            places.push(Place { row, name: row.name.clone(), start: at, is_mean: false });
            at += step;
        }
        places.push(Place { row: &group.mean, name: group.name.clone(), start: at, is_mean: true });
        at += step + 1.0;
    }
    (places, at)
}

/// (label, x, line) of each column.
fn legend(columns: &[String], width: u32) -> Vec<(&str, u32, u32)> {
    let (mut x, mut line) = (LEFT, 0);
    let mut all = Vec::new();
    for label in columns {
        let length = 32 + 7 * label.chars().count() as u32;
        if x > LEFT && x + length > width {
            (x, line) = (LEFT, line + 1);
        }
        all.push((label.as_str(), x, line));
        x += length;
    }
    all
}

fn draw(root: &Area, table: &Table, layout: &Layout) -> Drawn {
    let &Layout { ref places, length, ref legend, top, names } = layout;
    let numbers = || {
        let values = places.iter().flat_map(|place| place.row.values.iter().flatten());
        values.map(|&value| table.form.number(value))
    };
    let (low, high) = (numbers().fold(0.0, f64::min), numbers().fold(0.0, f64::max));
    let high = if high > low { high + (high - low) * 0.05 } else { low + 1.0 };
    let low = if low < 0.0 { low - (high - low) * 0.05 } else { 0.0 };
    let small = ("sans-serif", FONT).into_font().color(&TEXT);
    let plot = root.margin(top, names, 0, 10);
    let mut chart = ChartBuilder::on(&plot)
        .set_label_area_size(LabelAreaPosition::Left, LEFT)
        .build_cartesian_2d(0.0..length, low..high)?;
    let written = |number: &f64| match table.form {
        Form::Ratio => format!("{number:.2}"),
        Form::Count => format!("{number:.0}"),
        Form::Gain | Form::Saved | Form::Share => format!("{number:.0} %"),
    };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .disable_x_axis()
        .x_labels(0)
        .y_labels(6)
        .y_label_formatter(&written)
        .label_style(small.clone())
        .axis_style(TEXT)
        .bold_line_style(TEXT.mix(0.25))
        .light_line_style(TEXT.mix(0.0))
        .draw()?;
    for place in places {
        for (column, value) in place.row.values.iter().enumerate() {
            let Some(value) = value else { continue };
            let number = table.form.number(*value);
            let start = place.start + column as f64;
            let corners = [(start + 0.06, 0.0), (start + 0.94, number)];
            let color = COLORS[column % COLORS.len()];
            let style = if place.is_mean { color.filled() } else { color.mix(0.8).filled() };
            chart.draw_series([Rectangle::new(corners, style)])?;
        }
    }
    // The value at which a run equals its baseline.
    let even = if table.form == Form::Ratio { 1.0 } else { 0.0 };
    if (low..high).contains(&even) {
        chart.draw_series([PathElement::new([(0.0, even), (length, even)], TEXT.mix(0.6))])?;
    }
    for &(label, x, line) in legend {
        let (x, y) = (x as i32, (line * LEGEND_LINE) as i32 + 6);
        let at = legend.iter().position(|&(other, ..)| other == label).unwrap_or(0);
        root.draw(&Rectangle::new([(x, y), (x + 12, y + 12)], COLORS[at % COLORS.len()].filled()))?;
        root.draw(&Text::new(label.to_owned(), (x + 18, y), small.clone()))?;
    }
    for place in places {
        let middle = place.start + place.row.values.len() as f64 / 2.0;
        // The plot's own width is that of the area without the axis.
        let inner = f64::from(root.dim_in_pixel().0 - LEFT - 10);
        let x = f64::from(LEFT) + middle / length * inner;
        let font = ("sans-serif", FONT).into_font().transform(FontTransform::Rotate270);
        let font = if place.is_mean { font.style(FontStyle::Bold) } else { font };
        let style = font.color(&TEXT).pos(Pos::new(HPos::Right, VPos::Center));
        let name: String = place.name.chars().take(32).collect();
        root.draw(&Text::new(name, (x as i32, (top + PLOT + 6) as i32), style))?;
    }
    Ok(())
}
