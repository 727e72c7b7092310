//! A folder that CMake and makefiles take for a CUDA toolkit: `bin/nvcc`, `include` and `lib64`.

use super::headers;
use anyhow::{Context, Result};
use std::path::Path;

/// The word of the command that asks for the folder.
pub const WORD: &str = "--toolkit";

/// The compiler: it answers what CMake asks nvcc, and is `build` otherwise.
const NVCC: &str = r##"#!/bin/sh
root="$(cd "$(dirname "$0")/.." && pwd)"
case " $* " in
*" __cmake_determine_cuda "*)
    echo "#\$ TOP=$root"
    exit 1
    ;;
*" --version "* | *" -V "*)
    echo "Cuda compilation tools, release 12.0, V12.0.0"
    exit 0
    ;;
esac
"##;

/// The linker of device code, and what packs its output: their files stay empty, because the library links at the start.
const EMPTY: &str = r#"#!/bin/sh
for word in "$@"; do
    case "$word" in
    -o=* | --output-file=* | --register-link-binaries=* | --embedded-fatbin=*) : > "${word#*=}" ;;
    esac
done
"#;

/// The source that CMake compiles for linked device code.
const STUB: &str = "// Device code is linked when the program starts.\n";

/// An archive with nothing in it: there is no runtime of the device.
const NO_ARCHIVE: &str = "!<arch>\n";

/// CMake recognises a toolkit by this folder, whose library is part of ours.
const DEVICE_LIBRARY: &str = "nvvm/libdevice";

/// Makes the folder. `libraries` has `library` by the names of CUDA's.
///
/// # Errors
/// A file cannot be written.
pub fn make(folder: &Path, library: &Path, libraries: &Path) -> Result<()> {
    let own = std::env::current_exe().context("cannot find this program")?;
    let quoted = own.to_string_lossy().replace('\'', "'\\''");
    let nvcc = format!("{NVCC}exec '{quoted}' build \"$@\" -L\"$root/lib64\"\n");
    let write = |name: &str, text: &str, is_program: bool| -> Result<()> {
        let file = folder.join(name);
        let wrong = || format!("cannot write `{}`", file.display());
        if let Some(inner) = file.parent() {
            std::fs::create_dir_all(inner).with_context(wrong)?;
        }
        std::fs::write(&file, text).with_context(wrong)?;
        if is_program { executable(&file).with_context(wrong) } else { Ok(()) }
    };
    write("bin/nvcc", &nvcc, true)?;
    write("bin/nvlink", EMPTY, true)?;
    write("bin/fatbinary", EMPTY, true)?;
    write("bin/crt/link.stub", STUB, false)?;
    write("version.txt", "CUDA Version 12.0.0\n", false)?;
    for (name, text) in headers::all() {
        write(&format!("include/{name}"), &text, false)?;
    }
    let lib = folder.join("lib64");
    let wrong = || format!("cannot write `{}`", lib.display());
    std::fs::create_dir_all(folder.join(DEVICE_LIBRARY)).with_context(wrong)?;
    std::fs::create_dir_all(&lib).with_context(wrong)?;
    for entry in std::fs::read_dir(libraries).with_context(wrong)? {
        let entry = entry.with_context(wrong)?;
        std::fs::copy(entry.path(), lib.join(entry.file_name())).with_context(wrong)?;
    }
    // Linkers take these as scripts.
    let script = format!("INPUT ( {} )\n", library.display());
    for name in ["libcudart.so", "libcuda.so", "libcudart_static.a"] {
        write(&format!("lib64/{name}"), &script, false)?;
    }
    write("lib64/libcudadevrt.a", NO_ARCHIVE, false)
}

#[cfg(unix)]
fn executable(file: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755))
}

/// Never reached: `build` refuses other systems.
#[cfg(not(unix))]
fn executable(_file: &Path) -> std::io::Result<()> {
    Ok(())
}
