//! Takes the digests of the sources and machine files that results depend on and the commit, and copies the shipped
//! studies and programs into this one.

use hmac_sha256::Hash;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    // The folder of this build, which may be a copy of the one that compiled this script.
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let folder = Path::new(&folder);
    let root = folder.join("..");
    // A package of a registry has the examples in `shipped` (`.ci/packages`), and no other crate beside it.
    let packaged = folder.join("shipped");
    let is_package = packaged.is_dir();
    let [sources, machines] = if is_package { digests_of_version() } else { digests(&root) };
    println!("cargo:rustc-env=RECONVERGE_SOURCES={sources}");
    println!("cargo:rustc-env=RECONVERGE_MACHINES={machines}");
    println!("cargo:rustc-env=RECONVERGE_COMMIT={}", commit(&root));
    built_in(&if is_package { packaged } else { root.join("examples") });
}

/// The digests of the sources and of the machine files.
fn digests(root: &Path) -> [String; 2] {
    let mut digest = Hash::new();
    let crates = root.join("runtime/sources.txt");
    println!("cargo:rerun-if-changed={}", crates.display());
    let crates = std::fs::read_to_string(crates).expect("runtime/sources.txt can be read");
    for part in crates.lines().filter(|line| !line.starts_with('#')) {
        let folder = root.join(part).join("src");
        for file in files(&folder) {
            hash(&mut digest, root, &file);
        }
        println!("cargo:rerun-if-changed={}", folder.display());
    }
    let machines = root.join("simulator/machines");
    println!("cargo:rerun-if-changed={}", machines.display());
    let mut of_machines = Hash::new();
    for file in files(&machines) {
        hash(&mut digest, root, &file);
        hash(&mut of_machines, root, &file);
    }
    [hexadecimal(&digest.finalize()), hexadecimal(&of_machines.finalize())]
}

/// The digest of the version, twice: published crates depend on each other's exact version, so it
/// stands for all their sources.
fn digests_of_version() -> [String; 2] {
    let version = std::env::var("CARGO_PKG_VERSION").expect("cargo sets it");
    let mut digest = Hash::new();
    digest.update(version);
    let digest = hexadecimal(&digest.finalize());
    [digest.clone(), digest]
}

/// The commit that this is built from: what the variable `RECONVERGE_COMMIT` says, or git. Debug builds do not ask git,
/// so that a commit does not make them build again.
fn commit(root: &Path) -> String {
    println!("cargo:rerun-if-env-changed=RECONVERGE_COMMIT");
    if let Ok(commit) = std::env::var("RECONVERGE_COMMIT") {
        return commit;
    }
    if std::env::var("PROFILE").as_deref() != Ok("release") {
        return "not recorded in debug builds".to_owned();
    }
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // Each commit and each change of branch is a line of this file.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={}", root.join(log).display());
    }
    git(&["rev-parse", "HEAD"]).unwrap_or_else(|| "unknown: built without git".to_owned())
}

/// Writes the list of files that the program carries: (path below `examples`, text).
fn built_in(examples: &Path) {
    let mut list = String::from("&[\n");
    println!("cargo:rerun-if-changed={}", examples.display());
    // Notebooks are for people: no program reads them.
    for file in files(examples).into_iter().filter(|file| is_for_programs(file)) {
        let name = file.strip_prefix(examples).expect("it is below").to_string_lossy();
        let name = name.replace('\\', "/");
        let path = file.canonicalize().expect("it is there");
        writeln!(list, "    ({name:?}, include_str!({path:?})),").expect("a string takes all");
    }
    list += "]\n";
    let output = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    std::fs::write(output.join("built_in.rs"), list).expect("cargo's folder can be written");
}

/// True if a program or a study is, or may read, this file.
fn is_for_programs(file: &Path) -> bool {
    file.extension().is_none_or(|ending| ending != "ipynb")
}

/// All files below a folder, in the order of their paths.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder);
    let entries = entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let below = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    paths.into_iter().flat_map(below).collect()
}

/// Takes a file's name and text; line ends count as `\n`, so that every checkout has one digest.
fn hash(digest: &mut Hash, root: &Path, file: &Path) {
    let name = file.strip_prefix(root).expect("it is below").to_string_lossy().replace('\\', "/");
    let text = std::fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let text: Vec<u8> = text.into_iter().filter(|&byte| byte != b'\r').collect();
    digest.update((name.len() as u64).to_le_bytes());
    digest.update(name);
    digest.update((text.len() as u64).to_le_bytes());
    digest.update(text);
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
