//! The common parts of charts: colours, sizes, and SVG that is readable on light and on dark
//! ground.

use anyhow::{Result, anyhow};
use plotters::coord::Shift;
use plotters::prelude::*;

/// Stands for the colour of the surrounding text, which the page decides.
pub const TEXT: RGBColor = RGBColor(1, 2, 3);

/// Colours that people with colour blindness can distinguish (Okabe and Ito, "Color universal
/// design", 2008), all visible on white and on black.
pub const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(213, 94, 0),
    RGBColor(86, 180, 233),
    RGBColor(204, 121, 167),
    RGBColor(148, 148, 148),
];

/// Pixels of a letter of a name, about.
pub const LETTER: u32 = 7;
/// The height of a font that is drawn 12 pixels high.
pub const FONT: u32 = 15;

/// The drawing area of a chart.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// The result of drawing.
pub type Drawn = std::result::Result<(), Box<dyn std::error::Error>>;

/// Draws an area of `width` times `height` pixels, as the text of an SVG file.
///
/// # Errors
/// The drawing library refuses; `what` names the drawing.
pub fn drawing(
    what: &str,
    width: u32,
    height: u32,
    draw: impl FnOnce(&Area) -> Drawn,
) -> Result<String> {
    let mut text = String::new();
    {
        let root = SVGBackend::with_string(&mut text, (width, height)).into_drawing_area();
        let wrong = |error| anyhow!("drawing `{what}`: {error}");
        draw(&root).map_err(wrong)?;
        root.present().map_err(|error| anyhow!("drawing `{what}`: {error}"))?;
    }
    Ok(finish(&text))
}

/// The drawn text with the colours of light and dark ground.
fn finish(text: &str) -> String {
    let style = "<style>svg{color:#222}@media(prefers-color-scheme:dark){svg{color:#ddd}}</style>";
    let text = text.replace("#010203", "currentColor");
    let (head, body) = text.split_once('>').unwrap_or((&text, ""));
    format!("{head} role=\"img\">\n{style}{body}")
}
