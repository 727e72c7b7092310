//! The compiler: clang 14 or newer, found by itself.

use anyhow::{Result, bail};
use std::ffi::OsString;
use std::process::Command;

/// The oldest version that is known to compile programs with our headers.
const OLDEST: u32 = 14;
/// The newest version whose name is looked for.
const NEWEST: u32 = 30;
/// The variable that names the compiler.
const VARIABLE: &str = "RECONVERGE_CLANG";

/// A compiler.
pub struct Clang(OsString);

impl Clang {
    /// The one of the environment, or the newest on the path.
    ///
    /// # Errors
    /// There is none, or it is too old.
    pub fn find() -> Result<Clang> {
        if let Some(name) = std::env::var_os(VARIABLE) {
            return match version(&name) {
                Some(found) if found >= OLDEST => Ok(Clang(name)),
                Some(found) => {
                    bail!("{VARIABLE} names clang {found}; `build` needs clang {OLDEST} or newer")
                }
                None => bail!("{VARIABLE} names `{}`, which is not clang", name.to_string_lossy()),
            };
        }
        let plain = OsString::from("clang++");
        let numbered =
            (OLDEST..=NEWEST).rev().map(|number| OsString::from(format!("clang++-{number}")));
        let found = std::iter::once(plain).chain(numbered);
        let found = found.into_iter().find(|name| version(name).is_some_and(|it| it >= OLDEST));
        match found {
            Some(name) => Ok(Clang(name)),
            None => bail!(
                "`build` needs clang {OLDEST} or newer, and finds no `clang++`\n  install it (Debian: `apt install clang`), or name \
                 it in {VARIABLE}"
            ),
        }
    }

    /// A command of it.
    pub fn command(&self) -> Command {
        Command::new(&self.0)
    }
}

/// The version of a compiler, if it is clang and can be started.
fn version(name: &OsString) -> Option<u32> {
    let output = Command::new(name).args(["-dM", "-E", "-x", "c", "/dev/null"]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find_map(|line| line.strip_prefix("#define __clang_major__ "))?;
    line.trim().parse().ok()
}
