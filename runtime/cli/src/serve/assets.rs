//! The files of the page, which are part of this program, and the facts that the page needs about
//! it.

use super::question::Opened;
use reconverge::study::catalogue::shipped;
use reconverge_compiler::pass::passes;
use reconverge_simulator::{machines, mechanisms};
use serde::Serialize;

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

/// Path, type and text of each.
const FILES: [(&str, &str, &str); 16] = [
    ("", HTML, include_str!("page/index.html")),
    ("report.css", STYLE, reconverge_report::page::frame::STYLE),
    ("explorer.css", STYLE, include_str!("page/explorer.css")),
    ("main.js", SCRIPT, include_str!("page/main.js")),
    ("server.js", SCRIPT, include_str!("page/server.js")),
    ("colors.js", SCRIPT, include_str!("page/colors.js")),
    ("running.js", SCRIPT, include_str!("page/running.js")),
    ("listing.js", SCRIPT, include_str!("page/listing.js")),
    ("panes.js", SCRIPT, include_str!("page/panes.js")),
    ("forms.js", SCRIPT, include_str!("page/forms.js")),
    ("stepper.js", SCRIPT, include_str!("page/stepper.js")),
    ("recording.js", SCRIPT, include_str!("page/recording.js")),
    ("state.js", SCRIPT, include_str!("page/state.js")),
    ("elements.js", SCRIPT, include_str!("page/elements.js")),
    ("edits.js", SCRIPT, include_str!("page/edits.js")),
    ("editor.bundle.js", SCRIPT, include_str!("page/editor.bundle.js")),
];

/// The type and text of a file.
pub fn find(path: &str) -> Option<(&'static str, &'static str)> {
    let found = FILES.into_iter().find(|(name, ..)| *name == path);
    found.map(|(_, kind, text)| (kind, text))
}

/// A program that comes with the explorer.
#[derive(Serialize)]
struct Example {
    name: &'static str,
    source: &'static str,
    /// Its arguments, if it needs any; of PTX, a launch.
    arguments: &'static str,
}

/// The arguments of `saxpy.ptx`.
const LAUNCH: &str = "saxpy --grid 4 --block 256 --arg i32:1000 --arg f32:2 --arg iota:1000:type=f32 --arg iota:1000:type=f32";

/// The programs by their paths below `examples`, with their arguments.
const EXAMPLES: [(&str, &str); 10] = [
    ("saxpy.cu", ""),
    ("reduction.cu", ""),
    ("nested_branch.cu", ""),
    ("matmul_tiled.cu", ""),
    ("bfs.cu", ""),
    ("mandelbrot.cu", ""),
    ("course/divergence.cu", ""),
    ("course/coalescing.cu", ""),
    ("course/barriers.cu", ""),
    ("levels/saxpy.ptx", LAUNCH),
];

fn examples() -> impl Iterator<Item = Example> {
    EXAMPLES.into_iter().filter_map(|(path, arguments)| {
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        Some(Example { name, source: shipped(path)?, arguments })
    })
}

/// The text of an example.
pub fn example(name: &str) -> Option<&'static str> {
    examples().find(|example| example.name == name).map(|example| example.source)
}

/// The data of the page.
#[derive(Serialize)]
pub struct Start<'a> {
    opened: &'a Opened,
    version: &'static str,
    examples: Vec<Example>,
    machines: Vec<String>,
    passes: Vec<&'static str>,
    /// The divergence schemes: the mechanisms of their slot.
    divergence: Vec<&'static str>,
}

/// The data of the page with its first program; by default the first example.
pub fn start(opened: &Opened) -> Start<'_> {
    let schemes = mechanisms().iter().filter(|info| info.slot == "divergence");
    Start {
        opened,
        version: env!("CARGO_PKG_VERSION"),
        examples: examples().collect(),
        machines: machines().into_iter().map(|info| info.name).collect(),
        passes: passes().into_iter().map(|pass| pass.name).collect(),
        divergence: schemes.map(|info| info.name).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_needs_nothing_from_elsewhere() {
        for (name, _, text) in FILES {
            if name == "editor.bundle.js" {
                continue;
            }
            for away in ["http://", "https://", "//cdn", "@import", "innerHTML =", "eval("] {
                let text = text.replace("http://www.w3.org/2000/svg", "");
                assert!(!text.contains(away), "{name} has {away}");
            }
        }
        assert!(find("main.js").is_some() && find("../mod.rs").is_none());
    }

    #[test]
    fn every_example_is_shipped() {
        assert_eq!(examples().count(), EXAMPLES.len());
    }
}
