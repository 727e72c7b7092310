//! The files of the page, which are part of this program, and the facts that the page needs about
//! it.

use super::question::Opened;
use reconverge_compiler::pass::PASSES;
use reconverge_simulator::{machines, mechanisms};
use serde::Serialize;

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

/// Path, type and text of each.
const FILES: [(&str, &str, &str); 16] = [
    ("", HTML, include_str!("page/index.html")),
    ("report.css", STYLE, include_str!("../../../report/src/page/style.css")),
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
    /// Its arguments, if it needs any.
    arguments: &'static str,
}

macro_rules! examples {
    ($($folder:literal $name:literal,)*) => {
        [$(Example {
            name: concat!($name, ".cu"),
            source: include_str!(concat!("../../../../examples/", $folder, $name, ".cu")),
            arguments: "",
        }),*]
    };
}

const EXAMPLES: [Example; 9] = examples![
    "" "saxpy",
    "" "reduction",
    "" "nested_branch",
    "" "matmul_tiled",
    "" "bfs",
    "" "mandelbrot",
    "course/" "divergence",
    "course/" "coalescing",
    "course/" "barriers",
];

/// The text of an example.
pub fn example(name: &str) -> Option<&'static str> {
    EXAMPLES.iter().find(|example| example.name == name).map(|example| example.source)
}

/// A text of PTX that comes with the explorer.
const PTX: Example = Example {
    name: "saxpy.ptx",
    source: include_str!("../../../../examples/levels/saxpy.ptx"),
    arguments: "saxpy --grid 4 --block 256 --arg i32:1000 --arg f32:2 --arg iota:1000:type=f32 --arg iota:1000:type=f32",
};

/// The data of the page.
#[derive(Serialize)]
pub struct Start<'a> {
    opened: &'a Opened,
    version: &'static str,
    examples: Vec<&'static Example>,
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
        examples: EXAMPLES.iter().chain([&PTX]).collect(),
        machines: machines().into_iter().map(|info| info.name).collect(),
        passes: PASSES.iter().map(|pass| pass.name).collect(),
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
}
