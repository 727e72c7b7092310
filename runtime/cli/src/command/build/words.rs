//! The words of a compiler's command line.

use anyhow::{Context, Result};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The kind of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// CUDA: host and device code.
    Cuda,
    /// C, which the C++ compiler would take for C++.
    C,
    /// C++, and what the compiler knows by its name.
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
    /// `-c`, `-E`, `-ptx` or `-fatbin`.
    pub stops: Option<&'static str>,
    /// `-dlink`: nvcc's link step of device code, which happens when the program starts here.
    pub links_device: bool,
    /// Words for compiling.
    pub compile: Vec<String>,
    /// Words for linking.
    pub link: Vec<String>,
}

/// Stops with PTX, or with a fat binary that has it.
pub const PTX: &str = "-ptx";
pub const FAT_BINARY: &str = "-fatbin";

/// Options of nvcc with a value in the next word, which have no meaning here.
const IGNORED_WITH_VALUE: [&str; 14] = [
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
    // Device code is always linked by name when the program starts.
    "-rdc",
    "--relocatable-device-code",
];
/// The beginnings of options of nvcc and clang that have no meaning here.
const IGNORED: [&str; 32] = [
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
    // The target is compute_75, and the headers are ours.
    "--cuda-gpu-arch=",
    "--offload-arch=",
    "--cuda-path=",
    "--no-cuda-version-check",
    "-Wno-deprecated-gpu-targets",
    "-rdc=",
    "--relocatable-device-code=",
    "-fgpu-rdc",
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
                "-c" | "-dc" | "--compile" | "--device-c" => found.stops = Some("-c"),
                "-dlink" | "--device-link" => found.links_device = true,
                "-E" => found.stops = Some("-E"),
                "-ptx" | "--ptx" => found.stops = Some(PTX),
                "-fatbin" | "--fatbin" => found.stops = Some(FAT_BINARY),
                "-x" => language = Some(value()?),
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
        // CMake finds the linker's folders in the output of `-v`.
        let is_needed =
            |word: &&String| *word == "-v" || starts.iter().any(|start| word.starts_with(start));
        self.compile.iter().filter(is_needed).cloned().collect()
    }
}

fn input(word: &str, language: Option<&str>) -> Input {
    let path = Path::new(word);
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let kind = match (language, ending) {
        (Some("cu" | "cuda"), _) | (None | Some("none"), "cu") => Kind::Cuda,
        (Some("c"), _) | (None | Some("none"), "c") => Kind::C,
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
        assert_eq!(read("-c a.c").inputs[0].kind, Kind::C);
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
        let line = "-arch=sm_86 -gencode arch=compute_75,code=sm_75 -Xcompiler -Wall,-fopenmp -lineinfo --offload-arch=sm_90 -c -x cu a.cpp -lcudart";
        let found = read(line);
        assert_eq!(found.compile, ["-Wall", "-fopenmp"]);
        assert_eq!((found.stops, found.inputs[0].kind), (Some("-c"), Kind::Cuda));
        assert!(found.link.is_empty());
        assert_eq!(read("--fatbin a.cu -o a.fatbin").stops, Some(FAT_BINARY));
        let relocatable = read("-rdc=true -dc a.cu");
        assert_eq!((relocatable.stops, relocatable.compile.len()), (Some("-c"), 0));
        assert!(read("-dlink a.o -o b.o").links_device);
        assert!(Words::read(&["-o".into()]).is_err());
    }
}
