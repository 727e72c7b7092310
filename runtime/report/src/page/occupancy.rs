//! The number of warps that fit on an SM with blocks of each size, and the resource that limits it.

use super::chart::{Area, COLORS, Drawn, FONT, TEXT, drawing};
use anyhow::Result;
use plotters::prelude::*;
use reconverge::findings::Evidence;
use reconverge::fit::Fit;
use reconverge::host::device::DeviceLimits;
use reconverge_simulator::run::occupancy::Resource;
use serde::Serialize;

/// Pixels of the drawing, of the room left of the curve, and of a mark.
const WIDTH: u32 = 720;
const HEIGHT: u32 = 240;
const LEFT: u32 = 52;
const RADIUS: i32 = 4;

/// A kernel's occupancy.
#[derive(Serialize, Debug)]
pub struct OccupancyPart {
    /// The kernel.
    pub kernel: String,
    /// The sizes of blocks that it was launched with, in words.
    pub launched: Vec<String>,
    /// For each size of blocks: threads, blocks, warps, percent of an SM's warps, the limiting
    /// resource.
    pub sizes: Vec<(u64, u64, u64, String, String)>,
    /// The drawing.
    pub svg: String,
}

/// The occupancy of a launched kernel.
///
/// # Errors
/// The drawing library refuses.
pub fn part(kernel: &Evidence) -> Result<OccupancyPart> {
    let (machine, code) = (kernel.machine, kernel.kernel);
    let shared = kernel.launches.first().map_or(0, |record| Fit::shared_of(record));
    let most = match code.max_threads {
        0 => DeviceLimits::default().threads,
        bound => bound.min(DeviceLimits::default().threads),
    };
    let step = u64::from(machine.sm.warp_width.max(32));
    let sizes = (1..=u64::from(most) / step).map(|warps| warps * step);
    let sizes: Vec<(u64, Fit)> = sizes
        .map(|size| (size, Fit::new(machine, size, machine.registers_of(code), shared)))
        .collect();
    let mut launched: Vec<(u64, Fit)> = Vec::new();
    for record in &kernel.launches {
        let threads = Fit::threads_of(record);
        if !launched.iter().any(|(size, _)| *size == threads) {
            launched.push((threads, Fit::of_launch(machine, code, record)));
        }
    }
    let words = |(size, fit): &(u64, Fit)| {
        format!(
            "{size} threads a block: {} of {} warps ({}), limited by {}",
            fit.warps,
            fit.capacity,
            percent(fit),
            fit.reasons(", ")
        )
    };
    let row =
        |(size, fit): &(u64, Fit)| (*size, fit.blocks, fit.warps, percent(fit), fit.reasons(", "));
    Ok(OccupancyPart {
        kernel: code.name.clone(),
        launched: launched.iter().map(words).collect(),
        sizes: sizes.iter().map(row).collect(),
        svg: drawing(&code.name, WIDTH, HEIGHT, |root| draw(root, &sizes, &launched))?,
    })
}

fn percent(fit: &Fit) -> String {
    format!("{:.1} %", 100.0 * fit.share())
}

/// The colour of the limiting resource, the first if there are several.
fn color(fit: &Fit) -> RGBColor {
    fit.limiting().next().map_or(TEXT, color_of)
}

fn color_of(resource: Resource) -> RGBColor {
    match resource {
        Resource::Blocks => COLORS[5],
        Resource::Warps => COLORS[0],
        Resource::Registers => COLORS[1],
        Resource::Shared => COLORS[2],
    }
}

fn draw(root: &Area, sizes: &[(u64, Fit)], launched: &[(u64, Fit)]) -> Drawn {
    let small = ("sans-serif", FONT).into_font().color(&TEXT);
    let all = [Resource::Blocks, Resource::Warps, Resource::Registers, Resource::Shared];
    let mut x = LEFT as i32;
    for resource in all {
        root.draw(&Circle::new((x + 6, 12), RADIUS, color_of(resource).filled()))?;
        let text = format!("limited by {}", resource.name());
        let length = 28 + 7 * text.chars().count() as i32;
        root.draw(&Text::new(text, (x + 16, 6), small.clone()))?;
        x += length;
    }
    let plot = root.margin(26, 0, 0, 12);
    let most = sizes.iter().chain(launched).map(|(size, _)| *size).max().unwrap_or(1);
    let mut chart = ChartBuilder::on(&plot)
        .set_label_area_size(LabelAreaPosition::Left, LEFT)
        .set_label_area_size(LabelAreaPosition::Bottom, 44)
        .build_cartesian_2d(0.0..most as f64 * 1.02, 0.0..105.0)?;
    chart
        .configure_mesh()
        .x_labels(9)
        .y_labels(5)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|y| format!("{y:.0} %"))
        .x_desc("threads of a block")
        .label_style(small.clone())
        .axis_desc_style(small)
        .axis_style(TEXT)
        .bold_line_style(TEXT.mix(0.2))
        .light_line_style(TEXT.mix(0.0))
        .draw()?;
    let place = |(size, fit): &(u64, Fit)| (*size as f64, 100.0 * fit.share());
    for one in launched {
        let (x, y) = place(one);
        chart.draw_series([PathElement::new([(x, 0.0), (x, y)], TEXT.stroke_width(2))])?;
        chart.draw_series([Circle::new((x, y), RADIUS + 3, TEXT.stroke_width(2))])?;
    }
    let points: Vec<_> = sizes.iter().map(place).collect();
    chart.draw_series([PathElement::new(points, TEXT.mix(0.4))])?;
    let marks = sizes.iter().chain(launched);
    chart.draw_series(marks.map(|one| Circle::new(place(one), RADIUS, color(&one.1).filled())))?;
    Ok(())
}
