//! Mechanisms and machines of other crates, and their place in the provenance of results.

pub use reconverge_simulator::extend::*;

use crate::study::SOURCES;
use crate::study::provenance::digest;
use anyhow::{Result, anyhow};
use std::sync::LazyLock;

/// The origin of results: the digest of this program's sources ([`SOURCES`]), with extensions also their names and
/// versions, and the digest of the executable. So a study runs again when the code of an extension changes.
///
/// # Errors
/// There are extensions, and the executable cannot be read.
pub fn tool() -> Result<&'static str> {
    static TOOL: LazyLock<Result<String, String>> = LazyLock::new(|| {
        let installed = installed();
        if installed.is_empty() {
            return Ok(SOURCES.to_owned());
        }
        let read = std::env::current_exe().and_then(std::fs::read);
        let executable = read.map_err(|error| format!("the executable cannot be read: {error}"))?;
        let named = installed.iter().map(|it| format!(" {} {}", it.name, it.version));
        Ok(format!("{SOURCES}{} {}", named.collect::<String>(), digest(&executable)))
    });
    TOOL.as_deref().map_err(|error| anyhow!("{error}"))
}
