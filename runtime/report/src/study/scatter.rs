//! Ours against a reference as SVG: both axes logarithmic and alike, a mark for each program and configuration, and
//! the diagonal on which they are equal.

use crate::page::chart::{Area, COLORS, Drawn, FONT, LETTER, TEXT, drawing};
use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use reconverge::study::comparison::Comparison;
use reconverge::study::results::Table;

/// Pixels: of the plot's sides, left of it, below it, of a line of the legend, of a mark's radius.
const SIDE: u32 = 520;
const LEFT: u32 = 86;
const BELOW: u32 = 56;
const LINE: u32 = 20;
const RADIUS: i32 = 4;

/// Programs that are named, those furthest from the diagonal first.
const NAMED: usize = 16;

/// A chart of a comparison, as the text of an SVG file; none if no program has both numbers.
///
/// # Errors
/// The drawing library refuses.
pub fn scatter(table: &Table, comparison: &Comparison) -> Result<Option<String>> {
    let marks = marks(comparison);
    if marks.is_empty() {
        return Ok(None);
    }
    let top = comparison.compared.len() as u32 * LINE + 10;
    let (width, height) = (LEFT + SIDE + 20, top + SIDE + BELOW);
    let draw = |root: &Area| draw(root, comparison, &marks, top);
    drawing(&table.title, width, height, draw).map(Some)
}

/// A program in a configuration.
struct Mark<'a> {
    name: &'a str,
    column: usize,
    reference: f64,
    ours: f64,
}

impl Mark<'_> {
    /// Its distance from the diagonal.
    fn distance(&self) -> f64 {
        (self.ours / self.reference).ln().abs()
    }
}

fn marks(comparison: &Comparison) -> Vec<Mark<'_>> {
    let mut marks = Vec::new();
    for (name, reference, ours) in &comparison.points {
        for (column, ours) in ours.iter().enumerate() {
            let Some(ours) = *ours else { continue };
            marks.push(Mark { name, column, reference: *reference, ours });
        }
    }
    marks
}

fn draw(root: &Area, comparison: &Comparison, marks: &[Mark], top: u32) -> Drawn {
    let numbers = || marks.iter().flat_map(|mark| [mark.reference, mark.ours]);
    // Room around the outermost marks, so that their names are within the plot.
    let (low, high) = (numbers().fold(f64::MAX, f64::min), numbers().fold(0.0, f64::max));
    let (low, high) = (low / 1.6, high * 1.6);
    let small = ("sans-serif", FONT).into_font().color(&TEXT);
    let plot = root.margin(top, 0, 0, 20);
    let mut chart = ChartBuilder::on(&plot)
        .set_label_area_size(LabelAreaPosition::Left, LEFT)
        .set_label_area_size(LabelAreaPosition::Bottom, BELOW)
        .build_cartesian_2d((low..high).log_scale(), (low..high).log_scale())?;
    chart
        .configure_mesh()
        .x_labels(8)
        .y_labels(8)
        .x_label_formatter(&written)
        .y_label_formatter(&written)
        .x_desc("reference")
        .y_desc("ours")
        .label_style(small.clone())
        .axis_desc_style(small.clone())
        .axis_style(TEXT)
        .bold_line_style(TEXT.mix(0.25))
        .light_line_style(TEXT.mix(0.08))
        .draw()?;
    chart.draw_series([PathElement::new([(low, low), (high, high)], TEXT.mix(0.6))])?;
    for mark in marks {
        let color = COLORS[mark.column % COLORS.len()];
        // Marks that do not count are hollow.
        let style = match mark.reference >= comparison.least {
            true => color.mix(0.8).filled(),
            false => color.stroke_width(1),
        };
        chart.draw_series([Circle::new((mark.reference, mark.ours), RADIUS, style)])?;
    }
    let place = |mark: &Mark| chart.backend_coord(&(mark.reference, mark.ours));
    for (name, x, y, side) in names(marks, place) {
        let style = small.clone().pos(Pos::new(side, VPos::Center));
        root.draw(&Text::new(name.to_owned(), (x, y), style))?;
    }
    for (at, one) in comparison.compared.iter().enumerate() {
        let (x, y) = (LEFT as i32, (at as u32 * LINE) as i32 + 6);
        let color = COLORS[at % COLORS.len()].filled();
        root.draw(&Circle::new((x + 6, y + 6), RADIUS + 1, color))?;
        let cells = one.cells();
        let said = format!(
            "{}: mean absolute error {}, correlation {}, of logarithms {}",
            cells[0], cells[2], cells[5], cells[6]
        );
        root.draw(&Text::new(said, (x + 18, y), small.clone()))?;
    }
    Ok(())
}

/// A number beside an axis.
fn written(number: &f64) -> String {
    match *number {
        small if small < 0.01 => format!("{small:.0e}"),
        below if below < 1.0 => format!("{below}"),
        large if large >= 1e6 => format!("{large:.0e}"),
        number => format!("{number:.0}"),
    }
}

/// The names that find room, each with its place and its side of the mark: those of the marks
/// furthest from the diagonal first, each program once, none over a mark or another name.
fn names<'a>(
    marks: &[Mark<'a>],
    place: impl Fn(&Mark) -> (i32, i32),
) -> Vec<(&'a str, i32, i32, HPos)> {
    let mut order: Vec<&Mark> = marks.iter().collect();
    order.sort_by(|a, b| b.distance().total_cmp(&a.distance()).then(a.name.cmp(b.name)));
    // Left, right, top and bottom of the occupied area.
    let around = |(x, y): (i32, i32)| [x - RADIUS, x + RADIUS, y - RADIUS, y + RADIUS];
    let mut taken: Vec<[i32; 4]> = marks.iter().map(|mark| around(place(mark))).collect();
    let mut named: Vec<(&str, i32, i32, HPos)> = Vec::new();
    for mark in order {
        if named.len() == NAMED || named.iter().any(|(name, ..)| *name == mark.name) {
            continue;
        }
        let (x, y) = place(mark);
        let length = mark.name.chars().count() as i32 * LETTER as i32;
        let (gap, half) = (RADIUS + 4, FONT as i32 / 2);
        let right = (x + gap, [x + gap, x + gap + length, y - half, y + half], HPos::Left);
        let left = (x - gap, [x - gap - length, x - gap, y - half, y + half], HPos::Right);
        let is_free = |[a, b, c, d]: [i32; 4]| {
            let within = a >= LEFT as i32 && b <= (LEFT + SIDE) as i32;
            within && !taken.iter().any(|t| a < t[1] && t[0] < b && c < t[3] && t[2] < d)
        };
        let free = [right, left].into_iter().find(|(_, taken, _)| is_free(*taken));
        if let Some((x, area, side)) = free {
            taken.push(area);
            named.push((mark.name, x, y, side));
        }
    }
    named
}
