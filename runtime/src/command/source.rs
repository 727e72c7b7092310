//! Reading sources from disk, for the compiler, which does no IO.

use anyhow::{Context, Result, bail};
use reconverge_compiler::syntax::Loader;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The most bytes a source file may have.
const MAX_SOURCE: u64 = 64 << 20;

/// The name and text of the file given on the command line.
pub fn read(file: &Path) -> Result<(String, String)> {
    let name = if file == Path::new("-") { "<stdin>".to_string() } else { display(file) };
    let text = String::from_utf8(read_bytes(file)?)
        .map_err(|error| anyhow::anyhow!("`{name}` is not UTF-8 text: {error}"))?;
    Ok((name, text))
}

/// The bytes of a file, or of standard input for `-`.
pub fn read_bytes(file: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        std::io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
        return Ok(bytes);
    }
    let context = || format!("cannot read `{}`", file.display());
    let opened = std::fs::File::open(file).with_context(context)?;
    opened.take(MAX_SOURCE + 1).read_to_end(&mut bytes).with_context(context)?;
    if bytes.len() as u64 > MAX_SOURCE {
        bail!("`{}` is larger than {} MiB", file.display(), MAX_SOURCE >> 20);
    }
    Ok(bytes)
}

/// A path with forward slashes on every system, so that outputs do not depend on it.
fn display(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// Finds included files beside the including one.
pub struct DiskLoader;

impl Loader for DiskLoader {
    fn load(&mut self, including: &str, name: &str) -> Option<(String, String)> {
        let folder = Path::new(including).parent().map(Path::to_path_buf);
        let path: PathBuf = folder.unwrap_or_default().join(name);
        let text = std::fs::read(&path).ok()?;
        Some((display(&path), String::from_utf8(text).ok()?))
    }
}
