//! The words of a compiler's command line.

use anyhow::{Context, Result};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The kind of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// CUDA: host and device code.
    Cuda,
    /// C or C++.
    Other,
    /// An object or library.
    Object,
}

/// An input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The file.
    pub path: PathBuf,
    /// Its kind.
    pub kind: Kind,
}

/// A command line, sorted by the steps that its words are for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// Sources, objects and libraries, in order.
    pub inputs: Vec<Input>,
    /// `-o`.
    pub output: Option<PathBuf>,
    /// `-c` or `-E`.
    pub stops: Option<&'static str>,
    /// `-rdc=true`: device functions and variables are shared with other files.
    pub is_relocatable: bool,
    /// `-dlink`: nvcc's link step of device code, which happens when the program starts here.
    pub links_device: bool,
    /// Words for compiling.
    pub compile: Vec<String>,
    /// Words for linking.
    pub link: Vec<String>,
}

/// Options of nvcc with a value in the next word, which have no meaning here.
const IGNORED_WITH_VALUE: [&str; 12] = [
    "-gencode",
    "--generate-code",
    "-arch",
    "--gpu-architecture",
    "-code",
    "--gpu-code",
    "-Xptxas",
    "--ptxas-options",
    "-ccbin",
    "--compiler-bindir",
    "-maxrregcount",
    "--maxrregcount",
];
/// The beginnings of options of nvcc that have no meaning here.
const IGNORED: [&str; 24] = [
    "-gencode=",
    "--generate-code=",
    "-arch=",
    "--gpu-architecture=",
    "-code=",
    "--gpu-code=",
    "-Xptxas=",
    "--ptxas-options=",
    "-ccbin=",
    "-maxrregcount=",
    "--maxrregcount=",
    "-lineinfo",
    "--generate-line-info",
    "-use_fast_math",
    "--use_fast_math",
    "--expt-",
    "-expt-",
    "--extended-lambda",
    "-extended-lambda",
    "-cudart",
    "--cudart",
    "--default-stream",
    "-restrict",
    "--restrict",
];
/// Options of clang with a value in the next word.
const WITH_VALUE: [&str; 12] = [
    "-I", "-D", "-U", "-include", "-isystem", "-iquote", "-MF", "-MT", "-MQ", "-Xclang", "-target",
    "-imacros",
];
/// Options of the linker with a value in the next word.
const LINK_WITH_VALUE: [&str; 5] = ["-L", "-l", "-Xlinker", "-T", "-u"];

impl Words {
    /// Sorts a command line.
    ///
    /// # Errors
    /// A word lacks its value, or asks for something that is not possible.
    pub fn read(words: &[OsString]) -> Result<Words> {
        let mut found = Words::default();
        let mut language = None;
        let mut words = words.iter().map(|word| word.to_string_lossy().into_owned());
        while let Some(word) = words.next() {
            let mut value = || words.next().with_context(|| format!("`{word}` lacks its value"));
            match word.as_str() {
                "-o" | "--output-file" => found.output = Some(value()?.into()),
                "-c" | "--compile" => found.stops = Some("-c"),
                "-dc" | "--device-c" => {
                    found.stops = Some("-c");
                    found.is_relocatable = true;
                }
                "-dlink" | "--device-link" => found.links_device = true,
                "-E" => found.stops = Some("-E"),
                "-x" => language = Some(value()?),
                "-rdc" | "--relocatable-device-code" => found.is_relocatable = value()? == "true",
                "-fgpu-rdc" => found.is_relocatable = true,
                _ if word.starts_with("-rdc=")
                    || word.starts_with("--relocatable-device-code=") =>
                {
                    found.is_relocatable = word.ends_with("=true");
                }
                "-Xcompiler" | "--compiler-options" => found.for_compiler(&value()?),
                _ if word.starts_with("-Xcompiler=") || word.starts_with("--compiler-options=") => {
                    found.for_compiler(word.split_once('=').map_or("", |(_, value)| value));
                }
                _ if IGNORED_WITH_VALUE.contains(&word.as_str()) => drop(value()?),
                _ if IGNORED.iter().any(|ignored| word.starts_with(ignored)) => {}
                "-lcudart" | "-lcuda" | "-lcudart_static" | "-lcudadevrt" | "-G" => {}
                _ if WITH_VALUE.contains(&word.as_str()) => {
                    let value = value()?;
                    found.compile.extend([word, value]);
                }
                _ if LINK_WITH_VALUE.contains(&word.as_str()) => {
                    let value = value()?;
                    found.link.extend([word, value]);
                }
                _ if ["-l", "-L", "-Wl,"].iter().any(|start| word.starts_with(start)) => {
                    found.link.push(word);
                }
                _ if word.starts_with('-') && word != "-" => found.compile.push(word),
                _ => found.inputs.push(input(&word, language.as_deref())),
            }
        }
        Ok(found)
    }

    /// Words that nvcc passes to the compiler of the host, separated by commas.
    fn for_compiler(&mut self, words: &str) {
        let plain = words.trim_matches(['"', '\'']);
        self.compile.extend(plain.split([',', ' ']).filter(|it| !it.is_empty()).map(str::to_owned));
    }

    /// The words for compiling that linking needs too: the target, sanitizers, threads, optimisation.
    pub fn compile_for_link(&self) -> Vec<String> {
        let starts = [
            "-f", "-m", "-O", "-g", "-static", "-shared", "-pthread", "-pie", "-no-pie",
            "--target", "-stdlib",
        ];
        let is_needed = |word: &&String| starts.iter().any(|start| word.starts_with(start));
        self.compile.iter().filter(is_needed).cloned().collect()
    }
}

fn input(word: &str, language: Option<&str>) -> Input {
    let path = Path::new(word);
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let kind = match (language, ending) {
        (Some("cu" | "cuda"), _) | (None | Some("none"), "cu") => Kind::Cuda,
        (_, "o" | "a" | "so" | "obj" | "lo") => Kind::Object,
        _ if ending.chars().all(|it| it.is_ascii_digit()) && word.contains(".so.") => Kind::Object,
        _ => Kind::Other,
    };
    Input { path: path.to_owned(), kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Words {
        Words::read(&line.split(' ').map(OsString::from).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn words_are_for_compiling_or_linking() {
        let found = read("-O2 -I inc a.cu b.cpp c.o libd.so.1 -o p -lm -L lib -DN=3 -std=c++17");
        let kinds: Vec<Kind> = found.inputs.iter().map(|it| it.kind).collect();
        assert_eq!(kinds, [Kind::Cuda, Kind::Other, Kind::Object, Kind::Object]);
        assert_eq!(found.output.as_deref(), Some(Path::new("p")));
        assert_eq!(found.compile, ["-O2", "-I", "inc", "-DN=3", "-std=c++17"]);
        assert_eq!(found.link, ["-lm", "-L", "lib"]);
        assert_eq!(found.compile_for_link(), ["-O2"]);
    }

    #[test]
    fn words_of_nvcc_are_translated() {
        let line = "-arch=sm_86 -gencode arch=compute_75,code=sm_75 -Xcompiler -Wall,-fopenmp -lineinfo -c -x cu a.cpp -lcudart";
        let found = read(line);
        assert_eq!(found.compile, ["-Wall", "-fopenmp"]);
        assert_eq!((found.stops, found.inputs[0].kind), (Some("-c"), Kind::Cuda));
        assert!(found.link.is_empty());
        assert!(read("-rdc=true a.cu").is_relocatable && read("-rdc true -c a.cu").is_relocatable);
        assert!(!read("-rdc=false a.cu").is_relocatable && read("-dc a.cu").is_relocatable);
        assert!(Words::read(&["-o".into()]).is_err());
    }
}
