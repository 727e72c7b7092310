//! The folder with the libraries that a program loads in the place of CUDA's.
//!
//! Programs name a library by its version (`libcudart.so.12`), and require the version's name among its symbol versions. Each
//! such name is a small file made here that states the version and depends on the one library with the functions. Programs
//! that are linked with the driver's name record the library's own, which is that name, so the name is a link to it.
//!
//! `ptxas` is a program of ours: Triton loads what `ptxas` makes of its PTX, and the driver takes PTX.

use super::elf::{self, Shared};
use anyhow::{Context, Result, bail, ensure};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The library with the functions, beside this program or in `lib/reconverge`.
pub const LIBRARY: &str = "libreconverge_cudart.so";

/// The variable with the path of that library, if it lies elsewhere.
const VARIABLE: &str = "RECONVERGE_CUDART";

/// The names of CUDA's libraries, with the symbol versions that programs require of them.
const NAMES: [Shared; 4] = [
    Shared { name: "libcudart.so", version: None },
    Shared { name: "libcudart.so.11.0", version: Some("libcudart.so.11.0") },
    Shared { name: "libcudart.so.12", version: Some("libcudart.so.12") },
    Shared { name: "libcudart.so.13", version: Some("libcudart.so.13") },
];

/// The names of CUDA's driver, which are links to the library.
const LINKS: [&str; 2] = ["libcuda.so", "libcuda.so.1"];

/// The name of the assembler.
pub const ASSEMBLER: &str = "ptxas";

/// The folder for the loader's list, complete and up to date, for a library with the functions.
///
/// # Errors
/// This system is not supported, or the folder cannot be written.
pub fn libraries(library: &Path) -> Result<PathBuf> {
    let machine = machine()?;
    let folder = cache("libraries", library.to_string_lossy().as_bytes())?;
    for shared in NAMES {
        let bytes = elf::image(&shared, &library.to_string_lossy(), machine);
        put(&folder.join(shared.name), &bytes)?;
    }
    for name in LINKS {
        link(&folder.join(name), library)?;
    }
    let assembler = folder.join(ASSEMBLER);
    put(&assembler, include_bytes!("ptxas.sh"))?;
    make_executable(&assembler)?;
    Ok(folder)
}

/// Makes a link, unless it is there. Other threads and processes see either the old or the new one.
#[cfg(unix)]
fn link(file: &Path, target: &Path) -> Result<()> {
    if std::fs::read_link(file).is_ok_and(|known| known == target) {
        return Ok(());
    }
    let wrong = || format!("cannot write `{}`", file.display());
    let new = temporary(file);
    std::os::unix::fs::symlink(target, &new).with_context(wrong)?;
    std::fs::rename(&new, file).with_context(wrong)
}

/// Never reached: [`machine`] refuses other systems.
#[cfg(not(unix))]
fn link(file: &Path, _target: &Path) -> Result<()> {
    bail!("cannot write `{}`", file.display())
}

/// Allows everyone to start a file.
#[cfg(unix)]
fn make_executable(file: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let wrong = || format!("cannot make `{}` a program", file.display());
    let mut rights = std::fs::metadata(file).with_context(wrong)?.permissions();
    if rights.mode() & 0o111 == 0 {
        rights.set_mode(0o755);
        std::fs::set_permissions(file, rights).with_context(wrong)?;
    }
    Ok(())
}

/// Never reached: [`machine`] refuses other systems.
#[cfg(not(unix))]
fn make_executable(file: &Path) -> Result<()> {
    bail!("cannot make `{}` a program", file.display())
}

/// The number of this processor in object files.
fn machine() -> Result<elf::Machine> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Ok(elf::Machine::X86),
        ("linux", "aarch64") => Ok(elf::Machine::Arm),
        (system, processor) => bail!(
            "`exec` and `build` need Linux on x86-64 or aarch64; this is {system} on {processor}\n  `run` and `launch` work \
             everywhere"
        ),
    }
}

/// The path of the library with the functions.
///
/// # Errors
/// This system is not supported, or the library is nowhere.
pub fn library() -> Result<PathBuf> {
    machine()?;
    if let Some(path) = std::env::var_os(VARIABLE) {
        let path = PathBuf::from(path);
        ensure!(path.is_file(), "there is no file `{}`, which {VARIABLE} names", path.display());
        return path.canonicalize().context("cannot follow links");
    }
    let program = std::env::current_exe().and_then(|program| program.canonicalize());
    let program = program.context("cannot find this program's folder")?;
    let own = program.parent().unwrap_or(Path::new("/"));
    let places = [own.join(LIBRARY), own.join("../lib/reconverge").join(LIBRARY)];
    match places.iter().find(|place| place.is_file()) {
        Some(found) => found.canonicalize().context("cannot follow links"),
        None => bail!(
            "there is no `{LIBRARY}` beside this program\n  build it with `cargo build --release -p reconverge-cudart`, or name \
             it in {VARIABLE}"
        ),
    }
}

/// A folder of the user's cache for files that `key` determines.
///
/// # Errors
/// It cannot be made.
pub fn cache(name: &str, key: &[u8]) -> Result<PathBuf> {
    let variable =
        |name: &str| std::env::var_os(name).filter(|it| !it.is_empty()).map(PathBuf::from);
    let home = || variable("HOME").map(|home| home.join(".cache"));
    let base = variable("XDG_CACHE_HOME").or_else(home).unwrap_or_else(std::env::temp_dir);
    let digest = reconverge::study::provenance::digest(key);
    let folder = base.join("reconverge").join(format!("{name}-{}", &digest[..16]));
    let made = std::fs::create_dir_all(&folder);
    made.with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    Ok(folder)
}

/// Writes a file, unless it has these contents already. Other threads and processes see either the old or the new one.
///
/// # Errors
/// It cannot be written.
pub fn put(file: &Path, bytes: &[u8]) -> Result<()> {
    if std::fs::read(file).is_ok_and(|known| known == bytes) {
        return Ok(());
    }
    let wrong = || format!("cannot write `{}`", file.display());
    let name = temporary(file);
    std::fs::write(&name, bytes).with_context(wrong)?;
    std::fs::rename(&name, file).with_context(wrong)
}

/// A name for a file that is to take the place of another.
fn temporary(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    name.push(format!(".{}.{number}", std::process::id()));
    name.into()
}
