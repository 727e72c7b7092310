//! A run over time: its launches as bands, and below them the tracks of its samples.

use super::chart::{Area, COLORS, Drawn, FONT, LETTER, TEXT, drawing};
use super::slots;
use anyhow::Result;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use reconverge::energy::table_of;
use reconverge::kernel_record::KernelRecord;
use reconverge::tracks::{TRACKS, Track};
use reconverge_simulator::{EnergyTable, Statistics};

/// Pixels: of the drawing's width, left of the tracks, of the row of launches, of a track, of a track's title, of the axis.
const WIDTH: u32 = 960;
const LEFT: u32 = 58;
const RIGHT: u32 = 12;
const BANDS: u32 = 26;
const TRACK: u32 = 92;
const TITLE: u32 = 20;
const AXIS: u32 = 36;
/// Samples that are drawn, at most; more are added up.
const MOST: u64 = 300;

/// Some cycles of a run.
struct Stretch {
    start: u64,
    end: u64,
    change: Statistics,
}

/// A launch, or several of one kernel that are too short to be seen apart.
struct Band<'a> {
    kernel: &'a str,
    launches: usize,
    start: u64,
    end: u64,
}

/// The drawing; none if there are no samples. Launches follow each other.
///
/// # Errors
/// The drawing library refuses.
pub fn svg(records: &[KernelRecord]) -> Result<Option<String>> {
    let cycles = |record: &KernelRecord| record.statistics.as_ref().map_or(0, |it| it.cycles);
    let end: u64 = records.iter().map(cycles).sum();
    let (bands, stretches) = (bands(records, end), stretches(records, end));
    if stretches.is_empty() || end == 0 {
        return Ok(None);
    }
    let energy = table_of(records);
    let tracks =
        TRACKS.iter().map(|track| Shown { track, series: series(track, &stretches, energy) });
    let tracks: Vec<Shown> = tracks.filter(|shown| !shown.series.is_empty()).collect();
    let height = BANDS + tracks.len() as u32 * (TITLE + TRACK) + AXIS;
    let draw = |root: &Area| draw(root, &bands, &stretches, &tracks, end);
    drawing("the time line", WIDTH, height, draw).map(Some)
}

/// The launches, those of one kernel that follow each other as one where they are narrower than two pixels.
fn bands(records: &[KernelRecord], end: u64) -> Vec<Band<'_>> {
    let least = end / u64::from((WIDTH - LEFT - RIGHT) / 2);
    let mut found: Vec<Band> = Vec::new();
    let mut now = 0;
    for record in records {
        let cycles = record.statistics.as_ref().map_or(0, |statistics| statistics.cycles);
        let (start, end) = (now, now + cycles);
        now = end;
        match found.last_mut() {
            Some(last) if last.kernel == record.name && cycles < least => {
                last.launches += 1;
                last.end = end;
            }
            _ => found.push(Band { kernel: &record.name, launches: 1, start, end }),
        }
    }
    found
}

/// The samples of all launches, with those that are too short to be drawn added up.
fn stretches(records: &[KernelRecord], end: u64) -> Vec<Stretch> {
    let least = end / MOST;
    let mut found: Vec<Stretch> = Vec::new();
    let mut begin = 0;
    for record in records {
        let mut start = begin;
        for sample in &record.samples {
            let end = begin + sample.cycle;
            match found.last_mut() {
                Some(last) if last.end - last.start < least => {
                    last.change.append(&sample.change);
                    last.end = end;
                }
                _ => found.push(Stretch { start, end, change: sample.change.clone() }),
            }
            start = end;
        }
        begin += record.statistics.as_ref().map_or(0, |statistics| statistics.cycles);
    }
    found
}

/// A track with its series.
struct Shown<'t> {
    track: &'t Track,
    series: Vec<Series>,
}

fn draw(root: &Area, bands: &[Band], stretches: &[Stretch], tracks: &[Shown], end: u64) -> Drawn {
    let x = |cycle: u64| {
        let width = f64::from(WIDTH - LEFT - RIGHT);
        LEFT as i32 + (cycle as f64 / end as f64 * width) as i32
    };
    let height = root.dim_in_pixel().1 as i32 - AXIS as i32;
    let small = ("sans-serif", FONT).into_font().color(&TEXT);
    let mut kernels: Vec<&str> = Vec::new();
    for band in bands {
        if !kernels.contains(&band.kernel) {
            kernels.push(band.kernel);
        }
    }
    for (at, band) in bands.iter().enumerate() {
        let kernel = kernels.iter().position(|name| *name == band.kernel).unwrap_or(0);
        let color = COLORS[kernel % COLORS.len()];
        let (from, to) = (x(band.start), x(band.end).max(x(band.start) + 1));
        root.draw(&Rectangle::new([(from, 2), (to, BANDS as i32 - 4)], color.mix(0.35).filled()))?;
        if at % 2 == 1 {
            let below = [(from, BANDS as i32 - 4), (to, height)];
            root.draw(&Rectangle::new(below, TEXT.mix(0.06).filled()))?;
        }
    }
    for (name, from) in names(bands, &x) {
        let style = small.clone().pos(Pos::new(HPos::Left, VPos::Center));
        root.draw(&Text::new(name, (from + 4, BANDS as i32 / 2 - 1), style))?;
    }
    for (at, track) in (0..).zip(tracks) {
        let top = BANDS + at * (TITLE + TRACK);
        let is_last = at as usize + 1 == tracks.len();
        draw_track(root, track, top, is_last, stretches, end)?;
    }
    Ok(())
}

/// The text on bands that have room for it, and its position: the kernel of each, or, for
/// consecutive bands of one kernel, the kernel and the number of launches.
fn names(bands: &[Band], x: &dyn Fn(u64) -> i32) -> Vec<(String, i32)> {
    let fits = |name: &str, from: u64, to: u64| {
        (name.chars().count() as i32 + 1) * LETTER as i32 <= x(to) - x(from)
    };
    let written = |kernel: &str, launches: usize| match launches {
        1 => kernel.to_owned(),
        launches => format!("{kernel} × {launches}"),
    };
    let mut found = Vec::new();
    for same in bands.chunk_by(|one, other| one.kernel == other.kernel) {
        let each =
            same.iter().map(|band| (written(band.kernel, band.launches), band.start, band.end));
        let each: Vec<_> = each.collect();
        if each.iter().all(|(name, from, to)| fits(name, *from, *to)) {
            found.extend(each.into_iter().map(|(name, from, _)| (name, x(from))));
            continue;
        }
        let name = written(same[0].kernel, same.iter().map(|band| band.launches).sum());
        let (from, to) = (same[0].start, same[same.len() - 1].end);
        if fits(&name, from, to) {
            found.push((name, x(from)));
        }
    }
    found
}

/// The drawing of a track: its name, the reason of the bars that gives its colour, if there is one,
/// and its values.
struct Series {
    name: &'static str,
    color: RGBColor,
    values: Vec<Option<f64>>,
}

fn series(track: &Track, stretches: &[Stretch], energy: Option<&EnergyTable>) -> Vec<Series> {
    let values: Vec<_> = stretches.iter().map(|one| (track.values)(&one.change, energy)).collect();
    let Some(first) = values.first() else {
        return Vec::new();
    };
    let of = |(at, (name, _)): (usize, &(&'static str, Option<f64>))| Series {
        name,
        color: if is_stacked(track) { slots::COLORS[at] } else { COLORS[at % COLORS.len()] },
        values: values.iter().map(|values| values[at].1).collect(),
    };
    let all = first.iter().enumerate().map(of);
    // Reasons that never take a hundredth of the slots are not seen.
    all.filter(|one| !is_stacked(track) || one.values.iter().flatten().any(|&it| it >= 1.0))
        .collect()
}

/// Returns true if the values of a track are parts of a whole.
fn is_stacked(track: &Track) -> bool {
    track.name == "issue slots"
}

fn draw_track(
    root: &Area,
    shown: &Shown,
    top: u32,
    is_last: bool,
    stretches: &[Stretch],
    end: u64,
) -> Drawn {
    let Shown { track, series: all } = shown;
    let small = ("sans-serif", FONT).into_font().color(&TEXT);
    let mut x = LEFT as i32;
    let y = top as i32 + 4;
    let unit = if is_stacked(track) { ", % by reason, in the colours of the bars" } else { "" };
    root.draw(&Text::new(format!("{}{unit}", track.name), (x, y), small.clone()))?;
    x += 110;
    for one in all.iter().filter(|_| !is_stacked(track)) {
        root.draw(&Rectangle::new([(x, y + 1), (x + 10, y + 11)], one.color.filled()))?;
        root.draw(&Text::new(one.name, (x + 14, y), small.clone()))?;
        x += 30 + LETTER as i32 * one.name.chars().count() as i32;
    }
    let axis = if is_last { AXIS } else { 0 };
    let all_below = root.dim_in_pixel().1 - top - TITLE - TRACK - axis;
    let plot = root.margin(top + TITLE, all_below, 0, RIGHT);
    let most = all.iter().flat_map(|one| one.values.iter().flatten()).copied().fold(0.0, f64::max);
    let is_percent = matches!(track.name, "issue slots" | "hit rates" | "resident warps");
    let high = if is_percent {
        100.0
    } else if most > 0.0 {
        most * 1.08
    } else {
        1.0
    };
    let mut chart = ChartBuilder::on(&plot)
        .set_label_area_size(LabelAreaPosition::Left, LEFT)
        .set_label_area_size(LabelAreaPosition::Bottom, axis)
        .build_cartesian_2d(0.0..end as f64, 0.0..high)?;
    let digits = [10.0, 1.0, 0.1].iter().filter(|&&least| high < least).count();
    let written = |y: &f64| format!("{y:.digits$}");
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(if is_last { 8 } else { 0 })
        .y_labels(3)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&written)
        .label_style(small)
        .axis_style(TEXT.mix(0.5))
        .bold_line_style(TEXT.mix(0.2))
        .light_line_style(TEXT.mix(0.0))
        .draw()?;
    let mut below = vec![0.0; stretches.len()];
    for one in all {
        if is_stacked(track) {
            let values = below.iter().zip(&one.values);
            let above: Vec<f64> = values.map(|(low, it)| low + it.unwrap_or(0.0)).collect();
            let upper = steps(stretches, &above);
            let lower = steps(stretches, &below);
            let around: Vec<_> = upper.chain(lower.collect::<Vec<_>>().into_iter().rev()).collect();
            chart.draw_series([Polygon::new(around, one.color.filled())])?;
            below = above;
        } else {
            for part in lines(stretches, &one.values) {
                chart.draw_series([PathElement::new(part, one.color.stroke_width(2))])?;
            }
        }
    }
    Ok(())
}

/// A value for the cycles of each stretch.
fn steps<'s>(stretches: &'s [Stretch], values: &'s [f64]) -> impl Iterator<Item = (f64, f64)> + 's {
    let pairs = stretches.iter().zip(values);
    pairs.flat_map(|(one, &value)| [(one.start as f64, value), (one.end as f64, value)])
}

/// The lines of values, interrupted where there is none.
fn lines(stretches: &[Stretch], values: &[Option<f64>]) -> Vec<Vec<(f64, f64)>> {
    let mut found = Vec::new();
    let mut line = Vec::new();
    for (one, value) in stretches.iter().zip(values) {
        match value {
            Some(value) => line.extend([(one.start as f64, *value), (one.end as f64, *value)]),
            None if line.is_empty() => {}
            None => found.push(std::mem::take(&mut line)),
        }
    }
    if !line.is_empty() {
        found.push(line);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use reconverge_compiler::syntax::{SourceMap, Span};
    use reconverge_simulator::Sample;

    fn record(name: &str, ends: &[u64]) -> KernelRecord {
        let mut sources = SourceMap::default();
        let file = sources.add("a.cu", "");
        let cycles = |cycles| Statistics { cycles, ..Statistics::default() };
        let mut start = 0;
        let samples = ends.iter().map(|&cycle| {
            let change = cycles(cycle - start);
            start = cycle;
            Sample { cycle, change }
        });
        let samples = samples.collect();
        KernelRecord {
            name: name.to_owned(),
            grid: [1; 3],
            block: [1; 3],
            span: Span::new(file, 0, 0),
            complete: true,
            statistics: Some(cycles(start).into()),
            profile: None,
            memory: None,
            traces: Vec::new(),
            samples,
            energy: None,
            what_if: None,
            allocated: 0,
        }
    }

    #[test]
    fn many_launches_become_bands_and_samples_that_can_be_seen() {
        let mut records: Vec<_> = (0..1000).map(|_| record("short", &[10, 20])).collect();
        records.push(record("long", &[5_000, 10_000]));
        let end = 30_000;
        let found = bands(&records, end);
        let told: Vec<_> =
            found.iter().map(|band| (band.kernel, band.launches, band.start, band.end)).collect();
        assert_eq!(told, [("short", 1000, 0, 20_000), ("long", 1, 20_000, 30_000)]);
        let x = |cycle: u64| (cycle / 40) as i32;
        let expected = [("short × 1000".to_owned(), 0), ("long".to_owned(), 500)];
        assert_eq!(names(&found, &x), expected);
        let found = stretches(&records, end);
        assert!(found.len() <= MOST as usize + 2, "{}", found.len());
        assert!(found.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert!(found.iter().all(|one| one.change.cycles == one.end - one.start));
        assert_eq!(found.last().map(|last| last.end), Some(end));
    }
}
