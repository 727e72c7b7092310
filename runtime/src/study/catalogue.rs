//! The location of studies and their programs: the folders of `examples`, or the built-in copies.

use anyhow::{Context, Result, anyhow, bail};
use reconverge_compiler::syntax::{Loader, NotLoaded};
use reconverge_isa::nearest::hint;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::kernel_file::Level;
use crate::source::DiskLoader;

/// The shipped studies and programs: (path below `examples`, text).
const BUILT_IN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/built_in.rs"));

/// The text of a shipped file, by its path below `examples`: `workloads/catalogue.toml`.
pub fn shipped(path: &str) -> Option<&'static str> {
    BUILT_IN.iter().find(|(built_in, _)| *built_in == path).map(|(_, text)| *text)
}

/// A program: its description, and its arguments at each size. Words of a size that begin with `-`
/// are options of the compiler, as on the command line (`-DN=4`); the others are the program's
/// arguments.
#[derive(Deserialize, Clone, Debug, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Entry {
    /// Its computation.
    pub title: String,
    /// The works that measure it: dissertation chapters (`P3`), `DAC`, `BCC`, `AVC`, `book`.
    pub sources: Vec<String>,
    /// The public program that it is written after.
    pub origin: String,
    /// The reason to measure it.
    pub pattern: String,
    /// The file, from the folder of the study; workloads are found by their name.
    pub file: Option<PathBuf>,
    /// Files whose kernels replace its own, from the folder of the study: PTX, IR, assembly or binaries.
    pub kernels: Vec<PathBuf>,
    /// Files and folders that it reads, from the folder of the study. It can read no others.
    pub inputs: Vec<PathBuf>,
    /// Under a twentieth of a second of simulation.
    pub test: Option<String>,
    /// Some tenths of a second.
    pub small: Option<String>,
    /// Fills a GTX 480 three times over where the algorithm can.
    pub full: Option<String>,
    /// The source's input, or its number of instructions.
    pub paper: Option<String>,
    /// The source's description of its input, and the comparison with ours.
    pub paper_input: Option<String>,
    /// Why there is no such size.
    pub paper_missing: Option<String>,
    /// Why its launches depend on the order in which threads run: its output is compared among configurations, memory is not.
    pub schedule_dependent: Option<String>,
    /// It ends only where the lanes of a warp make progress independently of each other: under a stack it deadlocks.
    pub forward_progress: bool,
    /// The limits of its use.
    pub limits: Option<String>,
}

impl Entry {
    /// The words of a size.
    ///
    /// # Errors
    /// It has no such size; the sentence gives the reason, if it is known.
    pub fn size(&self, size: &str) -> Result<Vec<String>> {
        let words = match size {
            "test" => &self.test,
            "small" => &self.small,
            "full" => &self.full,
            "paper" => &self.paper,
            _ => bail!("there is no size `{size}`; sizes are test, small, full, paper"),
        };
        match (words, &self.paper_missing) {
            (Some(words), _) => Ok(words.split_whitespace().map(str::to_owned).collect()),
            (None, Some(why)) if size == "paper" => bail!("it has no size `paper`: {why}"),
            (None, _) => bail!("it has no size `{size}`"),
        }
    }
}

/// The text of a program, and where its includes are.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its file's name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The folder of its includes.
    pub folder: Folder,
}

/// The folder of a program's includes.
#[derive(Clone, Debug)]
pub enum Folder {
    /// Beside it on disk.
    Disk,
    /// A built-in folder below `examples`; empty for `examples` itself.
    BuiltIn(String),
}

/// A folder with studies and the workloads beside it, or the built-in ones.
#[derive(Clone, Debug)]
pub struct Library {
    /// The workloads' folder.
    workloads: Option<PathBuf>,
    entries: BTreeMap<String, Entry>,
}

/// A kind of file that is shipped by name.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// The word for it in messages.
    kind: &'static str,
    /// The folder below `examples`.
    folder: &'static str,
}

/// The shipped studies.
pub const STUDIES: Shipped = Shipped { kind: "study", folder: "studies" };

/// The shipped exercises of the course.
pub const EXERCISES: Shipped = Shipped { kind: "exercise", folder: "course/exercises" };

/// A file that was found by name: its text, its name in messages, and its folder; none if it is built in.
pub type Found = (String, String, Option<PathBuf>);

impl Shipped {
    /// Reads one by name or file. A name is looked up in its folder below `examples`, then among the built-in copies;
    /// anything with a `/` or an ending `.toml` is a file.
    ///
    /// # Errors
    /// It is neither, or cannot be read.
    pub fn read(self, name: &str) -> Result<Found> {
        let Shipped { kind, folder } = self;
        let read = |path: &Path| {
            std::fs::read_to_string(path)
                .with_context(|| format!("cannot read `{}`", path.display()))
        };
        if name.contains(['/', '\\']) || name.ends_with(".toml") {
            let path = Path::new(name);
            return Ok((read(path)?, name.to_owned(), path.parent().map(Path::to_path_buf)));
        }
        let here = Path::new("examples").join(folder);
        let path = here.join(format!("{name}.toml"));
        if path.is_file() {
            return Ok((read(&path)?, path.display().to_string(), Some(here)));
        }
        let path = format!("{folder}/{name}.toml");
        match shipped(&path) {
            Some(text) => Ok((text.to_owned(), format!("{name}.toml"), None)),
            None => Err(anyhow!(
                "there is no {kind} `{name}`{}\n  known: {}; a file is given with its ending `.toml`",
                hint(name, self.names().iter().map(String::as_str)),
                self.names().join(", ")
            )),
        }
    }

    /// The names of all.
    pub fn names(self) -> Vec<String> {
        let name = |(path, _): &(&str, &str)| {
            let below = path.strip_prefix(self.folder)?.strip_prefix('/')?;
            Some(below.strip_suffix(".toml")?.to_owned())
        };
        BUILT_IN.iter().filter_map(name).collect()
    }
}

impl Library {
    /// The workloads beside a study's folder, else those in `examples`, else the built-in ones.
    ///
    /// # Errors
    /// The catalogue cannot be read.
    pub fn beside(folder: Option<&Path>) -> Result<Library> {
        let beside = folder.map(|folder| folder.join("../workloads"));
        let places = beside.into_iter().chain([PathBuf::from("examples/workloads")]);
        for workloads in places {
            let path = workloads.join("catalogue.toml");
            if path.is_file() {
                let text = std::fs::read_to_string(&path)
                    .with_context(|| format!("cannot read `{}`", path.display()))?;
                let entries = entries(&text).with_context(|| format!("`{}`", path.display()))?;
                return Ok(Library { workloads: Some(workloads), entries });
            }
        }
        Library::built_in()
    }

    /// The built-in workloads.
    ///
    /// # Errors
    /// The catalogue is broken.
    pub fn built_in() -> Result<Library> {
        let text = shipped("workloads/catalogue.toml").unwrap_or_default();
        let entries = entries(text).context("the built-in catalogue")?;
        Ok(Library { workloads: None, entries })
    }

    /// Every workload by name.
    pub fn entries(&self) -> &BTreeMap<String, Entry> {
        &self.entries
    }

    /// A workload.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn entry(&self, name: &str) -> Result<&Entry> {
        self.entries.get(name).ok_or_else(|| {
            let near = hint(name, self.entries.keys().map(String::as_str));
            anyhow!("there is no workload `{name}`{near}")
        })
    }

    /// The text of a workload.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn source(&self, name: &str) -> Result<Source> {
        let file = format!("{name}.cu");
        match &self.workloads {
            Some(folder) => Source::read(&folder.join(file)),
            None => Source::built_in(&Path::new("../workloads").join(file)),
        }
    }
}

fn entries(text: &str) -> Result<BTreeMap<String, Entry>> {
    toml::from_str(text).map_err(|error| anyhow!("{}", error.to_string().trim_end()))
}

impl Source {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(path: &Path) -> Result<Source> {
        let (name, text) = Level::read_source(path)?;
        Ok(Source { name, text, folder: Folder::Disk })
    }

    /// A program that is built in, by its path from the folder of the studies: `../saxpy.cu`.
    ///
    /// # Errors
    /// There is none.
    pub fn built_in(path: &Path) -> Result<Source> {
        let below = path.strip_prefix("..").unwrap_or(path).to_string_lossy().replace('\\', "/");
        let text =
            shipped(&below).ok_or_else(|| anyhow!("`{}` is not built in", path.display()))?;
        let (folder, name) = below.rsplit_once('/').unwrap_or(("", &below));
        let folder = Folder::BuiltIn(folder.to_owned());
        Ok(Source { name: name.to_owned(), text: text.to_owned(), folder })
    }
}

impl Source {
    /// Finds its includes, then those of further folders.
    pub fn loader<'a>(&self, directories: &'a [PathBuf]) -> Box<dyn Loader + 'a> {
        match &self.folder {
            Folder::Disk => Box::new(DiskLoader { directories }),
            Folder::BuiltIn(folder) => Box::new(BuiltIn(folder.clone())),
        }
    }
}

/// Finds the includes of a folder's built-in programs.
struct BuiltIn(String);

impl Loader for BuiltIn {
    fn load(&mut self, _: &str, name: &str) -> Result<(String, String), NotLoaded> {
        let path = Path::new(&self.0).join(name).to_string_lossy().replace('\\', "/");
        let text = shipped(&path).ok_or(NotLoaded::Missing)?;
        Ok((name.to_owned(), text.to_owned()))
    }
}
