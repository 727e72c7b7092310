//! `new-extension NAME`: a crate with a mechanism of its own.

use anyhow::{Context, Result, ensure};
use clap::Args;
use reconverge::extend::check_name;
use reconverge::study::COMMIT;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The crate, and the place of Reconverge.
#[derive(Args, Debug)]
pub struct NewExtensionArguments {
    /// The crate's name and folder: lower-case words with hyphens
    #[arg(value_name = "NAME")]
    name: String,
    /// Depend on a checkout of Reconverge in this folder
    #[arg(long, value_name = "DIR", required_unless_present = "git")]
    path: Option<PathBuf>,
    /// Depend on this repository of Reconverge, at the commit of this build
    #[arg(long, value_name = "URL", conflicts_with = "path")]
    git: Option<String>,
}

/// The files of the crate, with `@NAME@` and others for what the command fills in.
const FILES: [(&str, &str); 8] = [
    (".gitignore", include_str!("../../templates/extension/gitignore.in")),
    ("Cargo.toml", include_str!("../../templates/extension/Cargo.toml.in")),
    ("src/lib.rs", include_str!("../../templates/extension/lib.rs.in")),
    ("src/main.rs", include_str!("../../templates/extension/main.rs.in")),
    ("src/mostly_oldest.rs", include_str!("../../templates/extension/mostly_oldest.rs.in")),
    ("tests/tiny.rs", include_str!("../../templates/extension/tiny.rs.in")),
    ("study.toml", include_str!("../../templates/extension/study.toml.in")),
    (".github/workflows/ci.yml", include_str!("../../templates/extension/ci.yml.in")),
];

/// Writes the crate into a new folder.
pub fn new_extension(arguments: &NewExtensionArguments) -> Result<ExitCode> {
    let name = &*arguments.name;
    check_name(name).map_err(anyhow::Error::msg)?;
    let folder = Path::new(name);
    ensure!(!folder.exists(), "`{name}` exists: choose another name, or remove it");
    let [library, cli] = dependencies(arguments)?;
    let as_identifier = name.replace('-', "_");
    for (file, text) in FILES {
        let text = text
            .replace("@NAME@", name)
            .replace("@CRATE@", &as_identifier)
            .replace("@STATISTIC@", &as_identifier)
            .replace("@SOURCE@", &library)
            .replace("@CLI@", &cli);
        let path = folder.join(file);
        let wrong = || format!("cannot write `{}`", path.display());
        std::fs::create_dir_all(path.parent().unwrap_or(folder)).with_context(wrong)?;
        std::fs::write(&path, text).with_context(wrong)?;
    }
    println!(
        "{name}: a scheduler, its test and a study\n\n    cd {name}\n    cargo test\n    \
         cargo run --release -- compare PROGRAM.cu --vary scheduler=greedy-then-oldest,{name}-mostly-oldest\n    \
         cargo run --release -- study study.toml"
    );
    Ok(ExitCode::SUCCESS)
}

/// The dependencies on the library and on the command line, as `Cargo.toml` states them.
fn dependencies(arguments: &NewExtensionArguments) -> Result<[String; 2]> {
    if let Some(url) = &arguments.git {
        let is_commit = COMMIT.bytes().all(|it| it.is_ascii_hexdigit());
        ensure!(
            is_commit,
            "this build does not know its commit ({COMMIT}): name a checkout by `--path`"
        );
        let place = format!("git = {url:?}, rev = \"{COMMIT}\"");
        return Ok([place.clone(), place]);
    }
    let given =
        arguments.path.as_deref().context("`--path` or `--git` says where Reconverge is")?;
    let root = given
        .canonicalize()
        .with_context(|| format!("there is no folder `{}`", given.display()))?;
    Ok(["runtime", "runtime/cli"].map(|part| root.join(part)).map(|it| format!("path = {it:?}")))
}
