//! Machines by name or file, and the faults of a file.

use anyhow::{Context, Result, anyhow, bail};
use reconverge_compiler::diagnostic::{self, Diagnostic, Severity, code};
use reconverge_compiler::syntax::{SourceMap, Span};
use reconverge_isa::nearest::hint;
use reconverge_simulator::Loaded;
use reconverge_simulator::machine::MachineFault;
use reconverge_simulator::{machines, read_machine};
use std::fmt::{self, Display, Formatter};
use std::path::Path;

/// The diagnostics about a machine file and settings.
#[derive(Debug)]
pub struct Said {
    /// The file.
    pub sources: SourceMap,
    /// Diagnostics about a line of the file.
    pub placed: Vec<Diagnostic>,
    /// Diagnostics about no line.
    pub others: Vec<String>,
}

impl Display for Said {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let placed = diagnostic::render(&self.placed, &self.sources, false);
        write!(f, "{}", [self.others.join("\n"), placed].join("\n").trim())
    }
}

impl std::error::Error for Said {}

/// The machine of a name, of a file below a folder, or of the text of one, with settings; and its
/// statements without effect.
///
/// # Errors
/// There is no such machine, or it has faults: then the error is a [`Said`].
pub fn read(name: &str, folder: &Path, sets: &[(String, String)]) -> Result<(Loaded, Said)> {
    if name.contains('\n') {
        return from_text("<machine>", name, sets);
    }
    let path = folder.join(name);
    if path.is_file() {
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("cannot read `{}`", path.display()))?;
        let shown = path.to_string_lossy().replace('\\', "/");
        return from_text(&shown, &text, sets);
    }
    let is_path = name.contains(['/', '\\']) || Path::new(name).extension().is_some();
    if is_path {
        let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
        let shipped: Vec<String> = machines().into_iter().map(|info| info.name).collect();
        let known = shipped.iter().any(|known| *known == stem);
        let more = match known {
            true => format!("; the machine `{stem}` comes with us, without a file"),
            false => hint(&stem, shipped.iter().map(String::as_str)),
        };
        bail!("there is no machine file `{}`{more}", path.display());
    }
    let loaded = read_machine(name, sets).map_err(|faults| match faults.as_slice() {
        [only] => anyhow!("{only}"),
        all => said("", "", all.to_vec(), Severity::Error).into(),
    })?;
    let said = said("", "", loaded.warnings.clone(), Severity::Warning);
    Ok((loaded, said))
}

/// The machine of a file's text.
///
/// # Errors
/// Its faults, as a [`Said`].
pub fn from_text(name: &str, text: &str, sets: &[(String, String)]) -> Result<(Loaded, Said)> {
    // A text of one word would be taken for a name.
    let source = format!("{text}\n");
    let loaded =
        read_machine(&source, sets).map_err(|faults| said(name, text, faults, Severity::Error))?;
    let said = said(name, text, loaded.warnings.clone(), Severity::Warning);
    Ok((loaded, said))
}

fn said(name: &str, text: &str, faults: Vec<MachineFault>, severity: Severity) -> Said {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let (mut placed, mut others) = (Vec::new(), Vec::new());
    for MachineFault { message, place, is_setting, .. } in faults {
        match place {
            Some(place) => {
                let end = text.len() as u32;
                let span =
                    Span::new(file, (place.start as u32).min(end), (place.end as u32).min(end));
                placed.push(match severity {
                    Severity::Error => Diagnostic::error(code::MACHINE_FILE, span, message),
                    _ => Diagnostic::warning(code::NOT_SELECTED, span, message),
                });
            }
            None if name.is_empty() || is_setting => others.push(message),
            None => others.push(format!("{name}: {message}")),
        }
    }
    Said { sources, placed, others }
}
